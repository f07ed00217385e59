//! A bot's process and the line transport to it: one loop over its three pipes, with a
//! deadline.
//!
//! There is no reader or writer thread and no sleep: one `poll` waits for the bot's line,
//! collects its stderr and writes what its stdin pipe has not taken yet. So a bot that reads
//! slowly, or writes megabytes to stderr, blocks nothing.
//!
//! Lines are consumed in order, one per answer that is due, whatever number has arrived: output
//! in advance waits in this buffer and in the pipe, and then the bot blocks. So the same lines
//! have the same result, however they are split and whenever they are read. (Reading
//! everything and calling much of it a flood was simpler and was rejected: the result then
//! depended on timing.)

use super::LineTransport;
use super::post_mortem::{PostMortem, cut};
use cage::{Cage, ExitReport, Layer, LayerState, Program, SandboxedProcess};
use matches::Fault;
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// Longest line in bytes, without its line feed.
pub const MAX_LINE_BYTES: usize = 64 << 10;
/// Maximum bytes of one answer, skipped lines included.
pub(crate) const MAX_ANSWER_BYTES: usize = 1 << 20;
/// Maximum number of lines that are skipped in one answer.
pub(crate) const MAX_ANSWER_LINES: usize = 10_000;
/// Output that is buffered, besides one chunk, while the bot has not read its input.
const MAX_BUFFERED: usize = 1 << 20;
/// Interval at which the stop callback and the process's state are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long to wait for the exit status of a process that has closed its output.
const EXIT_WAIT: Duration = Duration::from_millis(200);
/// Bytes read at a time.
const CHUNK: usize = 64 << 10;

/// A bot's process with the buffers of its input and output.
#[derive(Debug)]
pub(crate) struct BotProcess {
    /// `None` when it has ended.
    sandbox: Option<SandboxedProcess>,
    output: BotOutputBuffer,
    input: BotInputBuffer,
    /// Whether stderr is open.
    stderr_is_open: bool,
    pub(super) post_mortem: PostMortem,
    /// The fault that ended the conversation.
    fault_seen: Option<Fault>,
}

/// Output of the bot that has not been consumed.
#[derive(Debug, Default)]
struct BotOutputBuffer {
    bytes: Vec<u8>,
    /// Start of the unread part.
    from: usize,
    /// Length of the unread part that is known to have no line feed.
    scanned: usize,
    /// Line feeds in the unread part.
    lines: usize,
    /// Length of the last line in bytes, with its end.
    length: usize,
    /// Whether the last line ended with a carriage return.
    had_carriage_return: bool,
}

/// Input for the bot that has not been written to the pipe yet.
#[derive(Debug, Default)]
struct BotInputBuffer {
    bytes: Vec<u8>,
    from: usize,
}

/// The result of polling the pipes.
enum PipePoll {
    /// Something was read or written.
    Transferred,
    /// The wait timed out.
    Idle,
    /// The bot has closed its output.
    Closed,
}

impl BotProcess {
    /// Starts a bot in a sandbox.
    ///
    /// # Errors
    /// It cannot be started, or a required sandbox layer is missing.
    pub(crate) fn start(cage: &Cage, program: &Program) -> Result<Self, Fault> {
        let sandbox = cage
            .start(program)
            .map_err(|error| Fault::NotStarted(error.to_string()))?;
        Ok(Self {
            sandbox: Some(sandbox),
            output: BotOutputBuffer::default(),
            input: BotInputBuffer::default(),
            stderr_is_open: true,
            post_mortem: PostMortem::new(cage.limits.clone()),
            fault_seen: None,
        })
    }

    /// A transport whose deadline is `limit` after the first line is sent or awaited. `goes_on`
    /// is polled; when it returns false, waiting ends with a fault that means nothing.
    pub(crate) fn transport<'a>(
        &'a mut self,
        limit: Duration,
        goes_on: &'a mut dyn FnMut() -> bool,
    ) -> ProcessTransport<'a> {
        ProcessTransport {
            process: self,
            limit,
            started: None,
            last_line_at: None,
            bytes: 0,
            lines: 0,
            goes_on,
        }
    }

    /// The state of each sandbox layer; empty once the process has ended.
    #[must_use]
    pub(crate) fn layers(&self) -> &[(Layer, LayerState)] {
        self.sandbox.as_ref().map_or(&[], SandboxedProcess::layers)
    }

    /// Closes its stdin.
    pub(crate) fn close(&mut self) {
        self.input = BotInputBuffer::default();
        if let Some(sandbox) = &mut self.sandbox {
            sandbox.close_stdin();
        }
    }

    /// Closes its stdin, waits up to `grace` for it to end, and kills it with all its
    /// descendants. Returns how it ended; `None` if that was returned before.
    pub(crate) fn end(&mut self, grace: Duration) -> Option<ExitReport> {
        let until = Instant::now() + grace;
        self.close();
        // its stderr is drained so that it does not block
        while let now = Instant::now()
            && now < until
        {
            let wait = (until - now).min(Duration::from_millis(10));
            match self.poll_pipes(wait) {
                PipePoll::Closed => break,
                PipePoll::Transferred => {}
                PipePoll::Idle => {
                    let sandbox = self.sandbox.as_mut()?;
                    if sandbox.try_wait().is_some() {
                        break;
                    }
                }
            }
            // its output is discarded from now on
            self.output = BotOutputBuffer::default();
        }
        let mut sandbox = self.sandbox.take()?;
        let errors = sandbox.stderr().try_clone();
        self.post_mortem.refused(sandbox.take_refusals());
        let ended = sandbox.end(until.saturating_duration_since(Instant::now()));
        if let Ok(errors) = errors
            && self.stderr_is_open
        {
            while let Ok(1..) = self.post_mortem.stderr.read(&errors) {}
        }
        self.post_mortem.refused(ended.refusals.clone());
        Some(ended)
    }

    /// Collects its stderr and refusals so far.
    pub(super) fn refresh(&mut self) {
        if let Some(sandbox) = &mut self.sandbox {
            self.post_mortem.refused(sandbox.take_refusals());
            while let Ok(1..) = self.post_mortem.stderr.read(sandbox.stderr()) {}
        }
    }

    /// Ends the process after its output was closed, and returns the fault.
    fn crash(&mut self) -> Fault {
        let fault = match self.end(EXIT_WAIT) {
            Some(ended) => self.post_mortem.fault(&ended),
            None => Fault::Closed,
        };
        if let Some(start) = self.output.partial_line() {
            self.post_mortem.notes.push(format!(
                "ended in the middle of a line, `{}`",
                cut(&String::from_utf8_lossy(start))
            ));
        }
        self.fault_seen = Some(fault.clone());
        fault
    }

    /// Polls the pipes, and reads or writes what is possible.
    fn poll_pipes(&mut self, wait: Duration) -> PipePoll {
        let Some(sandbox) = &self.sandbox else {
            return PipePoll::Closed;
        };
        let (output, errors) = (sandbox.stdout(), sandbox.stderr());
        let input = sandbox.stdin().filter(|_| !self.input.is_empty());
        let any = PollFd::new(output, PollFlags::IN);
        let mut places = [any.clone(), any.clone(), any];
        let mut count = 0;
        let mut add = |file, what| {
            places[count] = PollFd::new(file, what);
            count += 1;
            count - 1
        };
        // much output is buffered only while the bot does not read its input
        let has_room = self.output.unread_length() < MAX_BUFFERED;
        let output_at = has_room.then(|| add(output, PollFlags::IN));
        let errors_at = self.stderr_is_open.then(|| add(errors, PollFlags::IN));
        let input_at = input.map(|input| add(input, PollFlags::OUT));
        let wait = Timespec {
            tv_sec: wait.as_secs() as _,
            tv_nsec: wait.subsec_nanos() as _,
        };
        if !matches!(poll(&mut places[..count], Some(&wait)), Ok(1..)) {
            // timeout or interrupted
            return PipePoll::Idle;
        }
        let has = |at: Option<usize>| at.is_some_and(|at| !places[at].revents().is_empty());
        let (has_output, has_errors) = (has(output_at), has(errors_at));
        let mut is_closed = false;
        if let Some(input) = input
            && has(input_at)
        {
            is_closed = !self.input.write(input);
        }
        if has_errors {
            self.stderr_is_open = !matches!(self.post_mortem.stderr.read(errors), Ok(0));
        }
        let outcome = match has_output.then(|| self.output.read(output)) {
            Some(Ok(0)) => PipePoll::Closed,
            _ => PipePoll::Transferred,
        };
        if is_closed {
            self.note_closed_input();
        }
        outcome
    }

    /// Handles a closed stdin: the bot may still answer.
    fn note_closed_input(&mut self) {
        self.close();
        self.post_mortem.note("closed its input");
    }
}

impl BotOutputBuffer {
    /// Reads what is available; 0 at end of file.
    fn read(&mut self, from: &OwnedFd) -> Result<usize, Errno> {
        if self.from > 0 {
            self.bytes.drain(..self.from);
            self.from = 0;
        }
        self.bytes.reserve(CHUNK);
        let before = self.bytes.len();
        let count = rustix::io::read(from, spare_capacity(&mut self.bytes))?;
        let new = &self.bytes[before..];
        self.lines += new.iter().filter(|&&byte| byte == b'\n').count();
        Ok(count)
    }

    /// Takes the first complete line, without its end.
    fn take_line(&mut self) -> Option<String> {
        if self.lines == 0 {
            return None;
        }
        let unread_length = &self.bytes[self.from..];
        let length = unread_length[self.scanned..]
            .iter()
            .position(|&b| b == b'\n')?
            + self.scanned;
        let line = &unread_length[..length];
        let bare = line.strip_suffix(b"\r");
        self.had_carriage_return = bare.is_some();
        let line = String::from_utf8_lossy(bare.unwrap_or(line)).into_owned();
        self.length = length + 1;
        self.from += self.length;
        self.scanned = 0;
        self.lines -= 1;
        if self.from == self.bytes.len() {
            self.bytes.clear();
            self.from = 0;
        }
        Some(line)
    }

    fn unread_length(&self) -> usize {
        self.bytes.len() - self.from
    }

    /// The incomplete last line.
    fn partial_line(&self) -> Option<&[u8]> {
        let unread_length = &self.bytes[self.from..];
        let end = unread_length.iter().rposition(|&byte| byte == b'\n');
        let rest = &unread_length[end.map_or(0, |end| end + 1)..];
        (!rest.is_empty()).then_some(rest)
    }

    /// Whether the first line, complete or not, is too long.
    fn is_too_long(&mut self) -> bool {
        let unread_length = &self.bytes[self.from..];
        let rest = &unread_length[self.scanned..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.scanned += end.unwrap_or(rest.len());
        self.scanned > MAX_LINE_BYTES
    }
}

impl BotInputBuffer {
    fn is_empty(&self) -> bool {
        self.from == self.bytes.len()
    }

    /// Writes as much as the pipe takes; returns false if the reader is gone.
    fn write(&mut self, to: &OwnedFd) -> bool {
        match rustix::io::write(to, &self.bytes[self.from..]) {
            Ok(count) => self.from += count,
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => return false,
        }
        if self.is_empty() {
            self.bytes.clear();
            self.from = 0;
        }
        true
    }
}

/// A line transport to a bot's process, with a deadline.
pub(crate) struct ProcessTransport<'a> {
    process: &'a mut BotProcess,
    limit: Duration,
    started: Option<Instant>,
    /// When the last line was received.
    last_line_at: Option<Instant>,
    /// Bytes and lines of this answer so far.
    bytes: usize,
    lines: usize,
    goes_on: &'a mut dyn FnMut() -> bool,
}

impl ProcessTransport<'_> {
    /// Starts the clock at this moment instead of at the first line.
    #[must_use]
    pub(crate) fn with_start(mut self, started: Instant) -> Self {
        self.started = Some(started);
        self
    }

    /// Time from the first line that was sent to the last line received; until now if none was
    /// received.
    #[must_use]
    pub(crate) fn spent(&self) -> Duration {
        let Some(started) = self.started else {
            return Duration::ZERO;
        };
        self.last_line_at.unwrap_or_else(Instant::now) - started
    }

    /// Whether the last received line ended with a carriage return, which [`LineTransport`]
    /// removes.
    #[must_use]
    pub(crate) fn had_carriage_return(&self) -> bool {
        self.process.output.had_carriage_return
    }

    fn deadline(&mut self) -> Instant {
        *self.started.get_or_insert_with(Instant::now) + self.limit
    }

    /// Reads available output without waiting.
    fn read_available(&mut self) {
        if let Some(sandbox) = &self.process.sandbox
            && self.process.output.lines == 0
        {
            // end of file is handled when the next line is needed
            let _ = self.process.output.read(sandbox.stdout());
        }
    }

    /// The next complete line, if there is one.
    fn next_line(&mut self) -> Result<Option<String>, Fault> {
        let output = &mut self.process.output;
        if output.is_too_long() {
            let bytes = (self.bytes + MAX_LINE_BYTES + 1) as u64;
            return Err(Fault::Flood { bytes });
        }
        let Some(line) = output.take_line() else {
            return Ok(None);
        };
        self.bytes += output.length;
        self.lines += 1;
        if self.bytes > MAX_ANSWER_BYTES || self.lines > MAX_ANSWER_LINES {
            let bytes = self.bytes as u64;
            return Err(Fault::Flood { bytes });
        }
        Ok(Some(line))
    }

    /// A line that was sent unrequested; does not wait.
    pub(super) fn try_receive(&mut self) -> Result<Option<String>, Fault> {
        self.read_available();
        self.next_line()
    }
}

impl LineTransport for ProcessTransport<'_> {
    fn send(&mut self, lines: &str) -> Result<(), Fault> {
        self.deadline();
        if let Some(fault) = &self.process.fault_seen {
            return Err(fault.clone());
        }
        let BotProcess {
            sandbox,
            input: pending,
            ..
        } = &mut *self.process;
        if let Some(sandbox) = sandbox
            && let Some(input) = sandbox.stdin()
        {
            let was_empty = pending.is_empty();
            pending.bytes.extend_from_slice(lines.as_bytes());
            if was_empty && !pending.write(input) {
                self.process.note_closed_input();
            }
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<String, Fault> {
        let deadline = self.deadline();
        let limit = self.limit;
        // if no line comes, the clock continues
        self.last_line_at = None;
        if let Some(fault) = &self.process.fault_seen {
            return Err(fault.clone());
        }
        loop {
            // a line counts as an answer only after the whole question was written
            if self.process.input.is_empty()
                && let Some(line) = self.next_line()?
            {
                let now = Instant::now();
                self.last_line_at = Some(now);
                if now > deadline {
                    return Err(Fault::Late { limit });
                }
                return Ok(line);
            }
            let now = Instant::now();
            if now >= deadline || !(self.goes_on)() {
                if !self.process.input.is_empty() {
                    return Err(Fault::Deaf);
                }
                if let Some(start) = self.process.output.partial_line() {
                    let start = cut(&String::from_utf8_lossy(start));
                    let note = format!("its last line, `{start}`, had no line feed");
                    self.process.post_mortem.note(&note);
                }
                return Err(Fault::Late { limit });
            }
            let is_over = match self.process.poll_pipes((deadline - now).min(POLL_INTERVAL)) {
                PipePoll::Transferred => false,
                PipePoll::Closed => true,
                // a descendant may hold its output open
                PipePoll::Idle => {
                    let sandbox = self.process.sandbox.as_mut();
                    sandbox.is_none_or(|sandbox| sandbox.try_wait().is_some())
                }
            };
            if is_over {
                return Err(self.process.crash());
            }
        }
    }

    fn comment(&mut self, line: &str) {
        let stderr = &mut self.process.post_mortem.stderr;
        stderr.push(line.as_bytes());
        stderr.push(b"\n");
    }

    fn set_property(&mut self, key: &str, value: &str) {
        self.process.post_mortem.about(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of bytes that arrive in these parts.
    fn lines_of(parts: &[&[u8]]) -> Vec<String> {
        let (from, to) = rustix::pipe::pipe().unwrap();
        let mut buffer = BotOutputBuffer::default();
        let mut lines = Vec::new();
        for part in parts {
            rustix::io::write(&to, part).unwrap();
            assert_eq!(buffer.read(&from), Ok(part.len()));
            buffer.is_too_long();
            lines.extend(std::iter::from_fn(|| buffer.take_line()));
        }
        assert_eq!(buffer.lines, 0);
        if let Some(rest) = buffer.partial_line() {
            lines.push(format!("+{}", String::from_utf8_lossy(rest)));
        }
        lines
    }

    #[test]
    fn lines_are_received_in_any_parts() {
        type LineFramingCase<'a> = (&'a [&'a [u8]], &'a [&'a str]);
        let rows: [LineFramingCase<'_>; 9] = [
            (&[b"a\n"], &["a"]),
            (&[b"a b", b" c", b"\n"], &["a b c"]),
            (&[b"a\nb\nc\n"], &["a", "b", "c"]),
            (&[b"a\nb", b"c\nd"], &["a", "bc", "+d"]),
            (&[b"a\r\n\r\nb\r", b"\nc\rd\n"], &["a", "", "b", "c\rd"]),
            (&[b"\n\n"], &["", ""]),
            (&[b"\xff\xfe\n", b"a\0b\n"], &["\u{fffd}\u{fffd}", "a\0b"]),
            // a two-byte character in two parts
            (&[b"\xc3", b"\xa9\n"], &["\u{e9}"]),
            (&[b"a"], &["+a"]),
        ];
        for (parts, lines) in rows {
            assert_eq!(lines_of(parts), lines, "{parts:?}");
        }
    }

    #[test]
    fn an_endless_line_is_noticed_at_its_length() {
        let (from, to) = rustix::pipe::pipe().unwrap();
        let mut buffer = BotOutputBuffer::default();
        let part = [b'0'; 1 << 14];
        for _ in 0..MAX_LINE_BYTES / part.len() {
            rustix::io::write(&to, &part).unwrap();
            buffer.read(&from).unwrap();
            assert!(!buffer.is_too_long());
        }
        rustix::io::write(&to, b"0").unwrap();
        buffer.read(&from).unwrap();
        assert!(buffer.is_too_long());
    }

    /// Lines of the maximum length and one byte longer, with and without an end, in chunks of
    /// many sizes: only the line decides.
    #[test]
    fn a_line_is_too_long_in_any_parts() {
        for (length, is_too_long) in [(MAX_LINE_BYTES, false), (MAX_LINE_BYTES + 1, true)] {
            for end in ["", "\n", "\nand more\n"] {
                let bytes = format!("{}{end}", "0".repeat(length)).into_bytes();
                for size in [1 << 10, 1 << 16, bytes.len() - 1, bytes.len()] {
                    let (from, to) = rustix::pipe::pipe().unwrap();
                    let mut buffer = BotOutputBuffer::default();
                    let mut was_endless = false;
                    for part in bytes.chunks(size) {
                        // at most what the pipe holds
                        for part in part.chunks(1 << 12) {
                            rustix::io::write(&to, part).unwrap();
                            buffer.read(&from).unwrap();
                        }
                        was_endless |= buffer.is_too_long();
                    }
                    assert_eq!(was_endless, is_too_long, "{length} {end:?} {size}");
                }
            }
        }
    }
}
