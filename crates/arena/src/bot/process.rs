//! A bot's process, and talking with it: one loop over its three pipes, with a deadline.
//!
//! No thread reads or writes beside the game's own, and nothing sleeps: one `poll` waits for
//! the bot's line, takes what it complains, and hands on what it has not yet read of what it
//! is told. So a bot that is slow to read, or complains by the megabyte, stops nothing.
//!
//! Lines are judged in the order in which they were printed, one when one is due, and never
//! by how many have arrived: what a bot prints in advance waits here and in its pipe, and
//! then the bot waits. So the same lines have the same verdict, in whatever parts they come
//! and whenever they are read. (To read all that is there and to call much of it a flood is
//! simpler, and lost: whether an answer in advance was a flood, a wrong move or the right
//! one then depended on who was quicker.)

use super::LineTransport;
use super::post_mortem::{PostMortem, cut};
use crate::Fault;
use cage::{Cage, ExitReport, Layer, LayerState, Program, SandboxedProcess};
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// The longest line, in bytes before its line feed.
pub const LONGEST_LINE: usize = 64 << 10;
/// The lines of one answer, those that are passed over and the answer itself, may have so
/// many bytes in all.
pub const MOST_BYTES: usize = 1 << 20;
/// So many lines may be passed over in one answer.
pub const MOST_LINES: usize = 10_000;
/// So many bytes at most wait here, beyond the part that is read at a time, while the bot has
/// not read what it is told.
const MOST_WAITING: usize = 1 << 20;
/// How often is asked whether the game goes on, and whether the process still does.
const TICK: Duration = Duration::from_millis(50);
/// How long a process that has closed its output has to end, for its end to be known.
const LAST_MOMENTS: Duration = Duration::from_millis(200);
/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// A bot's process, with what it has said and not been heard, and what it has been told and
/// has not read.
#[derive(Debug)]
pub struct BotProcess {
    /// `None` when it has ended.
    caged: Option<SandboxedProcess>,
    heard: BotOutputBuffer,
    said: BotInputBuffer,
    /// Whether the bot still can print errors.
    complains: bool,
    pub(super) remains: PostMortem,
    /// Why there is nothing more to be heard.
    gone: Option<Fault>,
}

/// What the bot has printed.
#[derive(Debug, Default)]
struct BotOutputBuffer {
    bytes: Vec<u8>,
    /// Where the unread part begins.
    from: usize,
    /// How far there is no line feed in the unread part's first line.
    scanned: usize,
    /// Line feeds in the unread part.
    lines: usize,
    /// The bytes of the last line, with its end.
    length: usize,
    /// Whether the last line ended with a carriage return too.
    had_return: bool,
}

/// What the bot has been told and has not read.
#[derive(Debug, Default)]
struct BotInputBuffer {
    bytes: Vec<u8>,
    from: usize,
}

/// What one look at the pipes came to.
enum PipePoll {
    /// Something was read or written.
    Moved,
    /// Nothing was there in time.
    Still,
    /// The bot has closed its output.
    End,
}

impl BotProcess {
    /// Starts a bot in its cage.
    ///
    /// # Errors
    /// It cannot be started, or the cage lacks what was asked for.
    pub fn start(cage: &Cage, program: &Program) -> Result<Self, Fault> {
        let caged = cage
            .start(program)
            .map_err(|error| Fault::NotStarted(error.to_string()))?;
        Ok(Self {
            caged: Some(caged),
            heard: BotOutputBuffer::default(),
            said: BotInputBuffer::default(),
            complains: true,
            remains: PostMortem::new(cage.bounds.clone()),
            gone: None,
        })
    }

    /// Talks with it. It has until `limit` after the first thing that it is told, or is to
    /// say; `goes_on` is asked now and then, and when it says no, so is what is heard.
    pub fn talk<'a>(
        &'a mut self,
        limit: Duration,
        goes_on: &'a mut dyn FnMut() -> bool,
    ) -> ProcessTransport<'a> {
        ProcessTransport {
            process: self,
            limit,
            started: None,
            heard: None,
            bytes: 0,
            lines: 0,
            goes_on,
        }
    }

    /// What became of each layer of its cage; nothing once it has ended.
    #[must_use]
    pub fn layers(&self) -> &[(Layer, LayerState)] {
        self.caged.as_ref().map_or(&[], SandboxedProcess::layers)
    }

    /// Tells it no more: its input ends.
    pub fn close(&mut self) {
        self.said = BotInputBuffer::default();
        if let Some(caged) = &mut self.caged {
            caged.close();
        }
    }

    /// Closes its input, gives it some time to end by itself, then ends it and all that it
    /// has started. How it ended; `None` where that has been told before.
    pub fn end(&mut self, grace: Duration) -> Option<ExitReport> {
        let until = Instant::now() + grace;
        self.close();
        // a bot that complains much at its end must be able to
        while let now = Instant::now()
            && now < until
        {
            let wait = (until - now).min(Duration::from_millis(10));
            match self.look(wait) {
                PipePoll::End => break,
                PipePoll::Moved => {}
                PipePoll::Still => {
                    let caged = self.caged.as_mut()?;
                    if caged.has_ended().is_some() {
                        break;
                    }
                }
            }
            // what it prints now is not heard by anyone
            self.heard = BotOutputBuffer::default();
        }
        let mut caged = self.caged.take()?;
        let errors = caged.stderr().try_clone();
        self.remains.refused(caged.refusals());
        let ended = caged.end(until.saturating_duration_since(Instant::now()));
        if let Ok(errors) = errors
            && self.complains
        {
            while let Ok(1..) = self.remains.complaints.read(&errors) {}
        }
        self.remains.refused(ended.refusals.clone());
        Some(ended)
    }

    /// Takes what it has complained by now, and what it was refused.
    pub(super) fn refresh(&mut self) {
        if let Some(caged) = &mut self.caged {
            self.remains.refused(caged.refusals());
            while let Ok(1..) = self.remains.complaints.read(caged.stderr()) {}
        }
    }

    /// Its output has ended: so has the game for it.
    fn crash(&mut self) -> Fault {
        let fault = match self.end(LAST_MOMENTS) {
            Some(ended) => self.remains.fault(&ended),
            None => Fault::Closed,
        };
        if let Some(start) = self.heard.unfinished() {
            self.remains.notes.push(format!(
                "ended in the middle of a line, `{}`",
                cut(&String::from_utf8_lossy(start))
            ));
        }
        self.gone = Some(fault.clone());
        fault
    }

    /// Waits until something can be read or written, and does it.
    fn look(&mut self, wait: Duration) -> PipePoll {
        let Some(caged) = &self.caged else {
            return PipePoll::End;
        };
        let (output, errors) = (caged.stdout(), caged.stderr());
        let input = caged.stdin().filter(|_| !self.said.is_empty());
        let any = PollFd::new(output, PollFlags::IN);
        let mut places = [any.clone(), any.clone(), any];
        let mut count = 0;
        let mut add = |file, what| {
            places[count] = PollFd::new(file, what);
            count += 1;
            count - 1
        };
        // much can wait only while the bot has not read what it is told
        let has_room = self.heard.unread() < MOST_WAITING;
        let output_at = has_room.then(|| add(output, PollFlags::IN));
        let errors_at = self.complains.then(|| add(errors, PollFlags::IN));
        let input_at = input.map(|input| add(input, PollFlags::OUT));
        let wait = Timespec {
            tv_sec: wait.as_secs() as _,
            tv_nsec: wait.subsec_nanos() as _,
        };
        if !matches!(poll(&mut places[..count], Some(&wait)), Ok(1..)) {
            // nothing, or a signal for us
            return PipePoll::Still;
        }
        let has = |at: Option<usize>| at.is_some_and(|at| !places[at].revents().is_empty());
        let (has_output, has_errors) = (has(output_at), has(errors_at));
        let mut is_closed = false;
        if let Some(input) = input
            && has(input_at)
        {
            is_closed = !self.said.write(input);
        }
        if has_errors {
            self.complains = !matches!(self.remains.complaints.read(errors), Ok(0));
        }
        let look = match has_output.then(|| self.heard.read(output)) {
            Some(Ok(0)) => PipePoll::End,
            _ => PipePoll::Moved,
        };
        if is_closed {
            self.deaf();
        }
        look
    }

    /// It has closed its input. It may still know what to say.
    fn deaf(&mut self) {
        self.close();
        self.remains.note("closed its input");
    }
}

impl BotOutputBuffer {
    /// Takes what is there; 0 where nothing will come any more.
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

    /// The first line, without its end.
    fn line(&mut self) -> Option<String> {
        if self.lines == 0 {
            return None;
        }
        let unread = &self.bytes[self.from..];
        let length = unread[self.scanned..].iter().position(|&b| b == b'\n')? + self.scanned;
        let line = &unread[..length];
        let bare = line.strip_suffix(b"\r");
        self.had_return = bare.is_some();
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

    fn unread(&self) -> usize {
        self.bytes.len() - self.from
    }

    /// A line that has begun and not ended.
    fn unfinished(&self) -> Option<&[u8]> {
        let unread = &self.bytes[self.from..];
        let end = unread.iter().rposition(|&byte| byte == b'\n');
        let rest = &unread[end.map_or(0, |end| end + 1)..];
        (!rest.is_empty()).then_some(rest)
    }

    /// Whether the first line, be it there as a whole or not, is longer than any answer.
    fn is_endless(&mut self) -> bool {
        let unread = &self.bytes[self.from..];
        let rest = &unread[self.scanned..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.scanned += end.unwrap_or(rest.len());
        self.scanned > LONGEST_LINE
    }
}

impl BotInputBuffer {
    fn is_empty(&self) -> bool {
        self.from == self.bytes.len()
    }

    /// Writes what there is room for; whether there still is somebody to read it.
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

/// A talk with a bot, which has to be over at some time.
pub struct ProcessTransport<'a> {
    process: &'a mut BotProcess,
    limit: Duration,
    started: Option<Instant>,
    /// When the last line had been read.
    heard: Option<Instant>,
    /// What was heard so far.
    bytes: usize,
    lines: usize,
    goes_on: &'a mut dyn FnMut() -> bool,
}

impl ProcessTransport<'_> {
    /// Its clock runs since then, and not from the first word on.
    #[must_use]
    pub fn since(mut self, started: Instant) -> Self {
        self.started = Some(started);
        self
    }

    /// How long the bot took, from the first thing that it was told to the last line that
    /// was heard; to now, where none was heard.
    #[must_use]
    pub fn spent(&self) -> Duration {
        let Some(started) = self.started else {
            return Duration::ZERO;
        };
        self.heard.unwrap_or_else(Instant::now) - started
    }

    /// Whether the last line that was heard ended with a carriage return, which [`LineTransport`]
    /// leaves out.
    #[must_use]
    pub fn had_return(&self) -> bool {
        self.process.heard.had_return
    }

    fn deadline(&mut self) -> Instant {
        *self.started.get_or_insert_with(Instant::now) + self.limit
    }

    /// Reads what is there, without waiting.
    fn glance(&mut self) {
        if let Some(caged) = &self.process.caged
            && self.process.heard.lines == 0
        {
            // its end is found when there is need for another line
            let _ = self.process.heard.read(caged.stdout());
        }
    }

    /// The next line, where it is there as a whole.
    fn line(&mut self) -> Result<Option<String>, Fault> {
        let heard = &mut self.process.heard;
        if heard.is_endless() {
            let bytes = (self.bytes + LONGEST_LINE + 1) as u64;
            return Err(Fault::Flood { bytes });
        }
        let Some(line) = heard.line() else {
            return Ok(None);
        };
        self.bytes += heard.length;
        self.lines += 1;
        if self.bytes > MOST_BYTES || self.lines > MOST_LINES {
            let bytes = self.bytes as u64;
            return Err(Fault::Flood { bytes });
        }
        Ok(Some(line))
    }

    /// A line that it has said already, before it was asked; does not wait for one.
    pub(super) fn unasked(&mut self) -> Result<Option<String>, Fault> {
        self.glance();
        self.line()
    }
}

impl LineTransport for ProcessTransport<'_> {
    fn say(&mut self, lines: &str) -> Result<(), Fault> {
        self.deadline();
        if let Some(fault) = &self.process.gone {
            return Err(fault.clone());
        }
        let BotProcess { caged, said, .. } = &mut *self.process;
        if let Some(caged) = caged
            && let Some(input) = caged.stdin()
        {
            let was_empty = said.is_empty();
            said.bytes.extend_from_slice(lines.as_bytes());
            if was_empty && !said.write(input) {
                self.process.deaf();
            }
        }
        Ok(())
    }

    fn hear(&mut self) -> Result<String, Fault> {
        let deadline = self.deadline();
        let limit = self.limit;
        // where none comes, the clock runs on
        self.heard = None;
        if let Some(fault) = &self.process.gone {
            return Err(fault.clone());
        }
        loop {
            // a line counts as an answer once the bot has been handed the whole question
            if self.process.said.is_empty()
                && let Some(line) = self.line()?
            {
                let now = Instant::now();
                self.heard = Some(now);
                if now > deadline {
                    return Err(Fault::Late { limit });
                }
                return Ok(line);
            }
            let now = Instant::now();
            if now >= deadline || !(self.goes_on)() {
                if !self.process.said.is_empty() {
                    return Err(Fault::Deaf);
                }
                if let Some(start) = self.process.heard.unfinished() {
                    let start = cut(&String::from_utf8_lossy(start));
                    let note = format!("its last line, `{start}`, had no line feed");
                    self.process.remains.note(&note);
                }
                return Err(Fault::Late { limit });
            }
            let is_over = match self.process.look((deadline - now).min(TICK)) {
                PipePoll::Moved => false,
                PipePoll::End => true,
                // what it has started may hold its output open
                PipePoll::Still => {
                    let caged = self.process.caged.as_mut();
                    caged.is_none_or(|caged| caged.has_ended().is_some())
                }
            };
            if is_over {
                return Err(self.process.crash());
            }
        }
    }

    fn remark(&mut self, line: &str) {
        let complaints = &mut self.process.remains.complaints;
        complaints.push(line.as_bytes());
        complaints.push(b"\n");
    }

    fn note(&mut self, key: &str, value: &str) {
        self.process.remains.about(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is heard of bytes that come in these parts.
    fn heard(parts: &[&[u8]]) -> Vec<String> {
        let (from, to) = rustix::pipe::pipe().unwrap();
        let mut heard = BotOutputBuffer::default();
        let mut lines = Vec::new();
        for part in parts {
            rustix::io::write(&to, part).unwrap();
            assert_eq!(heard.read(&from), Ok(part.len()));
            heard.is_endless();
            lines.extend(std::iter::from_fn(|| heard.line()));
        }
        assert_eq!(heard.lines, 0);
        if let Some(rest) = heard.unfinished() {
            lines.push(format!("+{}", String::from_utf8_lossy(rest)));
        }
        lines
    }

    #[test]
    fn lines_are_heard_however_they_come() {
        type LineFramingCase<'a> = (&'a [&'a [u8]], &'a [&'a str]);
        let rows: [LineFramingCase<'_>; 9] = [
            (&[b"a\n"], &["a"]),
            (&[b"a b", b" c", b"\n"], &["a b c"]),
            (&[b"a\nb\nc\n"], &["a", "b", "c"]),
            (&[b"a\nb", b"c\nd"], &["a", "bc", "+d"]),
            (&[b"a\r\n\r\nb\r", b"\nc\rd\n"], &["a", "", "b", "c\rd"]),
            (&[b"\n\n"], &["", ""]),
            (&[b"\xff\xfe\n", b"a\0b\n"], &["\u{fffd}\u{fffd}", "a\0b"]),
            // a letter of two bytes in two parts
            (&[b"\xc3", b"\xa9\n"], &["\u{e9}"]),
            (&[b"a"], &["+a"]),
        ];
        for (parts, lines) in rows {
            assert_eq!(heard(parts), lines, "{parts:?}");
        }
    }

    #[test]
    fn an_endless_line_is_noticed_at_its_length() {
        let (from, to) = rustix::pipe::pipe().unwrap();
        let mut heard = BotOutputBuffer::default();
        let part = [b'0'; 1 << 14];
        for _ in 0..LONGEST_LINE / part.len() {
            rustix::io::write(&to, &part).unwrap();
            heard.read(&from).unwrap();
            assert!(!heard.is_endless());
        }
        rustix::io::write(&to, b"0").unwrap();
        heard.read(&from).unwrap();
        assert!(heard.is_endless());
    }

    /// Lines of the greatest length and a byte longer, with and without an end, in parts of
    /// many sizes: it is the line that decides, and nothing else.
    #[test]
    fn a_line_is_too_long_in_whatever_parts_it_comes() {
        for (length, is_too_long) in [(LONGEST_LINE, false), (LONGEST_LINE + 1, true)] {
            for end in ["", "\n", "\nand more\n"] {
                let bytes = format!("{}{end}", "0".repeat(length)).into_bytes();
                for size in [1 << 10, 1 << 16, bytes.len() - 1, bytes.len()] {
                    let (from, to) = rustix::pipe::pipe().unwrap();
                    let mut heard = BotOutputBuffer::default();
                    let mut was_endless = false;
                    for part in bytes.chunks(size) {
                        // as much as the pipe holds at a time
                        for part in part.chunks(1 << 12) {
                            rustix::io::write(&to, part).unwrap();
                            heard.read(&from).unwrap();
                        }
                        was_endless |= heard.is_endless();
                    }
                    assert_eq!(was_endless, is_too_long, "{length} {end:?} {size}");
                }
            }
        }
    }
}
