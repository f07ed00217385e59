//! What is known of a bot's process besides its answers: stderr, sandbox refusals, and how it
//! ended.

use cage::{CageRefusal, ExitCause, ExitReport, ResourceLimits};
use matches::Fault;
use rustix::buffer::spare_capacity;
use rustix::io::Errno;
use std::os::fd::OwnedFd;

/// Maximum bytes of stderr kept per game; the last ones are kept.
pub const MAX_STDERR_BYTES: usize = 64 << 10;

/// The post-mortem of a process.
#[derive(Debug)]
pub(super) struct PostMortem {
    limits: ResourceLimits,
    pub(super) stderr: StderrTail,
    /// What it said about itself: name, version.
    pub(super) about: Vec<(String, String)>,
    /// Notes on the current game.
    pub(super) notes: Vec<String>,
    refusals: Vec<CageRefusal>,
}

impl PostMortem {
    pub(super) fn new(limits: ResourceLimits) -> Self {
        Self {
            limits,
            stderr: StderrTail::default(),
            about: Vec::new(),
            notes: Vec::new(),
            refusals: Vec::new(),
        }
    }

    /// Records a property of the bot; the last value counts.
    pub(super) fn about(&mut self, key: &str, value: &str) {
        let value = cut(value);
        match self.about.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.about.push((key.into(), value)),
        }
    }

    /// Adds a note once.
    pub(super) fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.into());
        }
    }

    /// Adds the sandbox's refusals, counted by kind.
    pub(super) fn refused(&mut self, refusals: Vec<CageRefusal>) {
        for refusal in refusals {
            match self.refusals.iter_mut().find(|r| r.what == refusal.what) {
                Some(known) => known.times += refusal.times,
                None => self.refusals.push(refusal),
            }
        }
    }

    /// Takes the notes of the game that has ended.
    pub(super) fn take_notes(&mut self) -> Vec<String> {
        let refusals = std::mem::take(&mut self.refusals);
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(refusals.iter().map(CageRefusal::to_string));
        notes
    }

    /// The fault for an unexpected exit.
    pub(super) fn fault(&self, ended: &ExitReport) -> Fault {
        match (self.cage_fault(ended), ended.cause) {
            (Some(words), _) => Fault::Caged(words),
            (None, ExitCause::Killed) => Fault::Closed,
            (None, cause) => Fault::Crashed(self.words(cause)),
        }
    }

    /// How it ended, and its last line on stderr.
    fn words(&self, cause: ExitCause) -> String {
        let words = describe_exit(cause);
        match self.stderr.last_line() {
            Some(line) => format!("{words}; its last words: {}", cut(&line)),
            None => words,
        }
    }

    /// The fault if the sandbox caused the exit.
    fn cage_fault(&self, ended: &ExitReport) -> Option<String> {
        let limits = &self.limits;
        let megabytes = |bytes: u64| bytes >> 20;
        let refusal = |part: &str| self.refusals.iter().find(|r| r.what.contains(part));
        let how = self.words(ended.cause);
        // The sandbox kills a program that exceeds its process limit, but the program may exit
        // a moment before, or be killed for another reason. The difference is microseconds, so
        // the attempt decides and not the exit status.
        if let Some(refusal) = refusal("processes") {
            return Some(format!("it tried {}", refusal.what));
        }
        match ended.cause {
            ExitCause::Signal(SIGSYS) => {
                return Some(format!("a system call that is not allowed; {how}"));
            }
            ExitCause::Signal(SIGXCPU | SIGKILL)
                if limits.cpu.is_some_and(|most| ended.cpu >= most) =>
            {
                let time = limits.cpu.unwrap_or_default().as_secs();
                return Some(format!("more than {time} s on a processor"));
            }
            ExitCause::Signal(SIGXFSZ) => {
                let size = megabytes(limits.file_size);
                return Some(format!("a file of more than {size} MiB"));
            }
            ExitCause::Code(0) | ExitCause::Killed => return None,
            _ => {}
        }
        let is_near = ended.peak_memory >= limits.memory / 10 * 9;
        if let Some(refusal) = refusal("memory") {
            return Some(format!("it tried {}; {how}", refusal.what));
        }
        is_near.then(|| {
            let (held, most) = (megabytes(ended.peak_memory), megabytes(limits.memory));
            format!("it held {held} MiB of memory and may have {most}; {how}")
        })
    }
}

/// Describes how a process ended.
pub(super) fn describe_exit(cause: ExitCause) -> String {
    match cause {
        ExitCause::Code(code) => format!("exit code {code}"),
        ExitCause::Signal(signal) => match signal_name(signal) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        },
        ExitCause::Killed => "it was ended".into(),
    }
}

const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;
const SIGSYS: i32 = 31;

/// A signal's meaning.
fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "hang-up",
        2 => "interrupt",
        3 => "quit",
        4 => "illegal instruction",
        5 => "trap",
        6 => "abort",
        7 => "bus error",
        8 => "arithmetic error",
        SIGKILL => "kill",
        11 => "segmentation fault",
        13 => "broken pipe",
        14 => "alarm",
        15 => "termination",
        SIGXCPU => "too much processor time",
        SIGXFSZ => "a file too large",
        SIGSYS => "bad system call",
        _ => return None,
    })
}

/// The last bytes of stderr.
#[derive(Debug, Default)]
pub(super) struct StderrTail {
    bytes: Vec<u8>,
    /// Number of bytes dropped before them.
    dropped: u64,
}

impl StderrTail {
    /// Reads what is available; 0 at end of file.
    pub(super) fn read(&mut self, from: &OwnedFd) -> Result<usize, Errno> {
        self.bytes.reserve(MAX_STDERR_BYTES);
        let count = rustix::io::read(from, spare_capacity(&mut self.bytes))?;
        self.shorten(4 * MAX_STDERR_BYTES);
        Ok(count)
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.shorten(4 * MAX_STDERR_BYTES);
    }

    /// Drops the surplus; only now and then, since that moves the rest.
    fn shorten(&mut self, most: usize) {
        if self.bytes.len() > most {
            let surplus = self.bytes.len() - MAX_STDERR_BYTES;
            self.bytes.drain(..surplus);
            self.dropped += surplus as u64;
        }
    }

    /// The last line that is not empty or Rust's backtrace hint.
    fn last_line(&self) -> Option<String> {
        let lines = self.bytes.split(|&byte| byte == b'\n').rev();
        let mut lines = lines.map(|line| String::from_utf8_lossy(line).trim().to_owned());
        lines.find(|line| !line.is_empty() && !line.starts_with("note: run with `RUST_BACKTRACE"))
    }

    /// Takes the text, with a note on how much was dropped before it.
    pub(super) fn take(&mut self) -> String {
        self.shorten(MAX_STDERR_BYTES);
        let bytes = std::mem::take(&mut self.bytes);
        let text = String::from_utf8_lossy(&bytes);
        match std::mem::take(&mut self.dropped) {
            0 => text.into_owned(),
            dropped => format!("[{dropped} bytes before this are not kept]\n{text}"),
        }
    }
}

/// A bot's text, cut to what fits into a message, without control characters.
pub(super) fn cut(text: &str) -> String {
    const MOST: usize = 120;
    let mut cut: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        cut.push('…');
    }
    clean(&cut)
}

/// Replaces control characters, so that a bot's text cannot control the reader's terminal.
pub(super) fn clean(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn each_exit_has_its_fault() {
        let refusal = |what: &str| CageRefusal {
            what: what.into(),
            times: 2,
        };
        let memory = [refusal("to get 5000 bytes of memory at once")];
        let processes = [refusal("to start more than 3 processes")];
        let socket = [refusal("to open a socket")];
        let (code, signal) = (ExitCause::Code, ExitCause::Signal);
        type PostMortemCase<'a> = (ExitCause, &'a [CageRefusal], u64, &'a str);
        let bomb = "ended by the cage: it tried to start more than 3 processes";
        let rows: [PostMortemCase<'_>; 18] = [
            (code(3), &[], 0, "its process ended: exit code 3"),
            (code(3), &socket, 0, "its process ended: exit code 3"),
            (
                signal(11),
                &[],
                0,
                "its process ended: signal 11 (segmentation fault)",
            ),
            (signal(9), &[], 0, "its process ended: signal 9 (kill)"),
            (signal(64), &[], 0, "its process ended: signal 64"),
            (ExitCause::Killed, &[], 0, "closed its output"),
            (
                signal(31),
                &[],
                0,
                "ended by the cage: a system call that is not allowed; signal 31 (bad system call)",
            ),
            (
                signal(25),
                &[],
                0,
                "ended by the cage: a file of more than 16 MiB",
            ),
            // in whichever way it ended
            (signal(9), &processes, 0, bomb),
            (signal(11), &processes, 0, bomb),
            (ExitCause::Killed, &processes, 0, bomb),
            (code(0), &processes, 0, bomb),
            (code(1), &processes, 0, bomb),
            // it went on after it was refused memory, and closed its output
            (ExitCause::Killed, &memory, 95 << 20, "closed its output"),
            (
                signal(6),
                &memory,
                0,
                "ended by the cage: it tried to get 5000 bytes of memory at once; \
                 signal 6 (abort)",
            ),
            // it was refused memory and ended of its own will
            (code(0), &memory, 0, "its process ended: exit code 0"),
            (
                code(1),
                &[],
                95 << 20,
                "ended by the cage: it held 95 MiB of memory and may have 100; exit code 1",
            ),
            (code(1), &[], 80 << 20, "its process ended: exit code 1"),
        ];
        for (cause, refusals, peak_memory, told) in rows {
            let mut remains = PostMortem::new(ResourceLimits {
                memory: 100 << 20,
                ..ResourceLimits::default()
            });
            remains.refused(refusals.to_vec());
            let fault = remains.fault(&ExitReport {
                cause,
                killed_descendants: 0,
                peak_memory,
                cpu: Duration::ZERO,
                refusals: Vec::new(),
            });
            assert_eq!(fault.to_string(), told);
        }
    }

    #[test]
    fn time_on_a_processor_runs_out() {
        let remains = PostMortem::new(ResourceLimits {
            cpu: Some(Duration::from_secs(2)),
            ..ResourceLimits::default()
        });
        for (seconds, kind) in [(1, "crashed"), (2, "caged")] {
            let fault = remains.fault(&ExitReport {
                cause: ExitCause::Signal(SIGKILL),
                killed_descendants: 0,
                peak_memory: 0,
                cpu: Duration::from_secs(seconds),
                refusals: Vec::new(),
            });
            assert_eq!(fault.kind(), kind);
        }
    }

    #[test]
    fn stderr_keeps_its_last_lines() {
        let mut tail = StderrTail::default();
        assert_eq!(tail.last_line(), None);
        tail.push(b"first\n");
        for _ in 0..20_000 {
            tail.push(b"0123456789abcdef\n");
        }
        let end = "last\n \nnote: run with `RUST_BACKTRACE=1` to see more\n\n";
        tail.push(end.as_bytes());
        assert_eq!(tail.last_line().as_deref(), Some("last"));
        let text = tail.take();
        let (head, kept) = text.split_once('\n').unwrap();
        let all = 6 + 20_000 * 17 + end.len();
        assert_eq!(kept.len(), MAX_STDERR_BYTES);
        assert_eq!(
            head,
            format!(
                "[{} bytes before this are not kept]",
                all - MAX_STDERR_BYTES
            )
        );
        assert_eq!(tail.take(), "");
    }

    #[test]
    fn repeated_refusals_are_counted() {
        let mut remains = PostMortem::new(ResourceLimits::default());
        for times in [1, 4] {
            let what = "to open a socket".into();
            remains.refused(vec![CageRefusal { what, times }]);
        }
        let told = ["tried to open a socket, 5 times: refused"];
        assert_eq!(remains.take_notes(), told);
        assert_eq!(remains.take_notes(), [] as [&str; 0]);
    }
}
