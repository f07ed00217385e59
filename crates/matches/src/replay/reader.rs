//! Records from text.

use super::checksum::ReplayChecksum;
use super::escape::unescape;
use super::{Replay, ReplayError, ReplayLocations, ReplayProblem, TITLE, VERSION};
use crate::{Ending, Fault, ProcessReport, Record, RecordedTurn};
use games::{Outcome, Seat};
use std::io::{BufRead, Read as _};
use std::time::Duration;

/// Maximum line length in bytes; bounds memory.
const MAX_LINE_LENGTH: usize = 16 << 20;

/// Reads the games of a file, one after the other.
///
/// After an unreadable game the next one is searched for, so one damaged game does not lose the
/// others.
///
/// ```
/// use matches::replay::{BUNDLED, read};
///
/// // the second copy is damaged, the third is found all the same
/// let text = BUNDLED[0].text;
/// let file = format!("{text}{}{text}", text.replacen("seed", "sead", 1));
/// let good: Vec<bool> = read(file.as_bytes()).map(|game| game.is_ok()).collect();
/// assert_eq!(good, [true, false, true]);
/// ```
#[must_use = "nothing is read before a game is asked for"]
pub fn read<R: BufRead>(from: R) -> Reader<R> {
    Reader {
        from,
        line: String::new(),
        number: 0,
        is_line_pending: false,
        must_resync: false,
        is_at_end: false,
        sum: ReplayChecksum::default(),
        verified_line: 0,
    }
}

/// Reads the games of a text, as [`read()`] does.
#[must_use = "nothing is read before a game is asked for"]
pub fn read_text(text: &str) -> Reader<&[u8]> {
    read(text.as_bytes())
}

/// The iterator over a file's games, returned by [`read()`].
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    /// The last line read, without its line ending.
    line: String,
    number: u64,
    /// Whether that line is still to be processed.
    is_line_pending: bool,
    /// Whether to skip to the next game's first line.
    must_resync: bool,
    is_at_end: bool,
    sum: ReplayChecksum,
    /// The last line verified by a mark.
    verified_line: u64,
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Replay, ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.find_game().transpose()?;
        let replay = found.and_then(|()| self.read_game());
        if replay.is_err() {
            self.must_resync = true;
            // the wrong line may be the next game's first line
            self.is_line_pending = self.line.starts_with(TITLE) && self.number > self.verified_line;
        }
        Some(replay)
    }
}

impl<R: BufRead> Reader<R> {
    /// Advances to the first line of the next game; `None` if there is none.
    fn find_game(&mut self) -> Result<Option<()>, ReplayError> {
        while self.advance()? {
            let is_title = self.line.starts_with(TITLE);
            if is_title || (!self.must_resync && !self.line.trim().is_empty()) {
                self.must_resync = false;
                return Ok(Some(()));
            }
        }
        Ok(None)
    }

    /// Reads a line; `false` at the end of the file.
    fn advance(&mut self) -> Result<bool, ReplayError> {
        if std::mem::take(&mut self.is_line_pending) {
            return Ok(true);
        }
        self.line.clear();
        if self.is_at_end {
            return Ok(false);
        }
        self.number += 1;
        let mut bytes = Vec::new();
        let most = self.from.by_ref().take(MAX_LINE_LENGTH as u64 + 1);
        let read = { most }.read_until(b'\n', &mut bytes);
        if let Err(error) = read {
            self.is_at_end = true;
            return Err(self.wrong(0, error.into()));
        }
        if bytes.is_empty() {
            self.is_at_end = true;
            return Ok(false);
        }
        if bytes.len() > MAX_LINE_LENGTH {
            self.is_at_end = true;
            return Err(self.wrong(
                0,
                ReplayProblem::Long {
                    most: MAX_LINE_LENGTH,
                },
            ));
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
        }
        match String::from_utf8(bytes) {
            Ok(line) => {
                self.line = line;
                Ok(true)
            }
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                self.line = String::from_utf8_lossy(&error.into_bytes()).into_owned();
                Err(self.wrong(valid, ReplayProblem::Encoding))
            }
        }
    }

    /// An error at a byte of the last line.
    fn wrong(&self, byte: usize, problem: ReplayProblem) -> ReplayError {
        let before = self.line.char_indices().take_while(|&(at, _)| at < byte);
        ReplayError {
            line: self.number,
            column: before.count() as u32 + 1,
            problem,
        }
    }

    /// Reads a game whose first line has been read.
    fn read_game(&mut self) -> Result<Replay, ReplayError> {
        self.sum = ReplayChecksum::default();
        // resynchronisation must not return to this line
        self.verified_line = self.number;
        let mut locations = ReplayLocations {
            title: self.number,
            ..ReplayLocations::default()
        };
        match self.line.strip_prefix(TITLE).map(str::trim) {
            Some(VERSION) => self.sum.add_line(&self.line),
            Some(version) if version.bytes().all(|b| b.is_ascii_digit()) => {
                let problem = ReplayProblem::Version(short(version));
                return Err(self.wrong(TITLE.len() + 1, problem));
            }
            _ => return Err(self.wrong(0, ReplayProblem::Title)),
        }
        let game = self.read_field("game")?.rest(self)?;
        locations.game = self.number;
        let players = [
            self.read_field("first")?.rest(self)?,
            self.read_field("second")?.rest(self)?,
        ];
        let seed = self.read_field("seed")?.number(self)?;
        let pair = self.read_field("pair")?.number(self)?;
        let mut opening = Vec::new();
        self.read_moves("opening", &mut |reader, word| {
            locations.opening.push(word.location(reader));
            opening.push(word.rest(reader)?);
            Ok(())
        })?;
        let mut turns = Vec::new();
        self.read_moves("moves", &mut |reader, word| {
            locations.turns.push(word.location(reader));
            turns.push(word.turn(reader)?);
            Ok(())
        })?;
        let outcome = self.read_field("result")?.outcome(self)?;
        locations.result = self.number;
        let ending = self.read_field("ending")?;
        locations.ending = self.number;
        let mut ending = ending.ending(self, outcome.is_some())?;
        // placeholder for an unfinished game
        let outcome = outcome.unwrap_or(Outcome::Draw);
        let mut report: [ProcessReport; 2] = Default::default();
        let mut said: [Option<String>; 2] = [None, None];
        self.require_line("hash")?;
        while !self.line.starts_with("hash") {
            self.read_extra(&mut ending, &mut report, &mut said)?;
            self.require_line("hash")?;
        }
        self.is_line_pending = true;
        let hash = self.read_field("hash")?.hash(self)?;
        locations.hash = self.number;
        for (report, said) in report.iter_mut().zip(said) {
            report.stderr = said.unwrap_or_default();
        }
        let expected = self.sum.0;
        let sum = self.read_field("sum")?.hash(self)?;
        if sum != expected {
            return Err(self.changed_error());
        }
        self.verified_line = self.number;
        let record = Record {
            game,
            players,
            seed,
            pair,
            opening,
            turns,
            outcome,
            ending,
            hash,
            reports: report,
        };
        Ok(Replay { record, locations })
    }

    /// Reads a line, which has to exist.
    fn require_line(&mut self, expected: &'static str) -> Result<(), ReplayError> {
        if !self.advance()? {
            return Err(self.wrong(0, ReplayProblem::End));
        }
        if self.line.is_empty() || self.line.starts_with(TITLE) {
            return Err(self.wrong(0, ReplayProblem::Line { expected }));
        }
        Ok(())
    }

    /// Reads the next line, which begins with `key`.
    fn read_field(&mut self, key: &'static str) -> Result<LineByteRange, ReplayError> {
        self.require_line(key)?;
        let span = self.after(0, key);
        let span = span.ok_or_else(|| self.wrong(0, ReplayProblem::Line { expected: key }))?;
        self.sum.add_line(&self.line);
        Ok(span)
    }

    /// The rest of the line after this keyword at byte `start`, if it is there.
    fn after(&self, start: usize, key: &str) -> Option<LineByteRange> {
        let rest = self.line.get(start..)?.strip_prefix(key)?;
        let blank = match rest.as_bytes().first() {
            None => 0,
            Some(b' ') => 1,
            Some(_) => return None,
        };
        Some(LineByteRange {
            from: start + key.len() + blank,
            to: self.line.len(),
        })
    }

    /// Reads a number of moves and as many words in the lines that follow.
    fn read_moves(
        &mut self,
        key: &'static str,
        take: &mut dyn FnMut(&Self, LineByteRange) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        let expected = self.read_field(key)?.number(self)?;
        let expected = usize::try_from(expected).unwrap_or(usize::MAX);
        let mut count = 0;
        while count < expected {
            let end = self.read_marked_line()?;
            let mut start = 1;
            for word in self.line[1..end].split(' ').map(str::len) {
                let word = LineByteRange {
                    from: start,
                    to: start + word,
                };
                if count == expected {
                    return Err(self.wrong(start, ReplayProblem::Surplus { expected }));
                }
                take(self, word)?;
                count += 1;
                start = word.to + 1;
            }
        }
        Ok(())
    }

    /// Reads a line of moves and verifies its mark; returns the byte where the moves end.
    fn read_marked_line(&mut self) -> Result<usize, ReplayError> {
        let expected = "a blank and moves";
        self.require_line(expected)?;
        if !self.line.starts_with(' ') {
            return Err(self.wrong(0, ReplayProblem::Line { expected }));
        }
        let end = self.line.rfind(" ~").filter(|&end| end > 0);
        let end = end.ok_or_else(|| self.wrong(self.line.len(), word("", "a mark such as ~ae")))?;
        self.sum.add(&self.line[..end]);
        if self.line[end + 1..] != self.sum.mark() {
            return Err(self.changed_error());
        }
        let mark = &self.line[end..];
        self.sum.add_line(mark);
        self.verified_line = self.number;
        Ok(end)
    }

    /// The error for lines that fail their checksum since the last mark.
    fn changed_error(&self) -> ReplayError {
        let line = self.verified_line + 1;
        let to = (line < self.number).then_some(self.number);
        ReplayError {
            line: line.min(self.number),
            column: 1,
            problem: ReplayProblem::Changed { to },
        }
    }

    /// Reads an optional line about a seat: its fault, its bot's report.
    fn read_extra(
        &mut self,
        ending: &mut Ending,
        report: &mut [ProcessReport; 2],
        said: &mut [Option<String>; 2],
    ) -> Result<(), ReplayError> {
        let expected = ReplayProblem::Line { expected: "hash" };
        let keys = ["fault", "about", "note", "said"];
        let found = keys
            .into_iter()
            .find_map(|key| Some((key, self.after(0, key)?)));
        let (key, span) = found.ok_or_else(|| self.wrong(0, expected))?;
        let seats = Seat::BOTH.into_iter();
        let found = { seats }.find_map(|s| Some((s, self.after(span.from, &s.to_string())?)));
        let expected = "first or second";
        let (seat, span) = found.ok_or_else(|| span.wrong(self, expected))?;
        self.sum.add_line(&self.line);
        let report = &mut report[seat.index()];
        match key {
            "fault" => {
                let Ending::Faults(faults) = ending else {
                    return Err(self.wrong(0, ReplayProblem::Line { expected: "hash" }));
                };
                let fault = span.fault(self)?;
                if faults[seat.index()].replace(fault).is_some() {
                    return Err(self.wrong(0, ReplayProblem::Twice(seat)));
                }
            }
            "about" => {
                let (key, value) = span.split(self);
                report.about.push((key.rest(self)?, value.rest(self)?));
            }
            "note" => report.notes.push(span.rest(self)?),
            _ => {
                let line = span.rest(self)?;
                let said = &mut said[seat.index()];
                *said = Some(match said.take() {
                    None => line,
                    Some(before) => before + "\n" + &line,
                });
            }
        }
        Ok(())
    }
}

/// A byte range of the last line.
#[derive(Clone, Copy)]
struct LineByteRange {
    from: usize,
    to: usize,
}

impl LineByteRange {
    fn of<R>(self, reader: &Reader<R>) -> &str {
        &reader.line[self.from..self.to]
    }

    fn location<R: BufRead>(self, reader: &Reader<R>) -> (u64, u32) {
        let place = reader.wrong(self.from, ReplayProblem::Title);
        (place.line, place.column)
    }

    fn wrong<R: BufRead>(self, reader: &Reader<R>, expected: &'static str) -> ReplayError {
        reader.wrong(self.from, word(self.of(reader), expected))
    }

    /// The parts before and after the first blank.
    fn split<R>(self, reader: &Reader<R>) -> (Self, Self) {
        let length = self.to - self.from;
        let at = self.of(reader).find(' ').unwrap_or(length);
        let first = Self {
            to: self.from + at,
            ..self
        };
        let second = Self {
            from: (first.to + 1).min(self.to),
            ..self
        };
        (first, second)
    }

    fn rest<R: BufRead>(self, reader: &Reader<R>) -> Result<String, ReplayError> {
        unescape(self.of(reader)).map_err(|at| reader.wrong(self.from + at, ReplayProblem::Escape))
    }

    fn number<R: BufRead>(self, reader: &Reader<R>) -> Result<u64, ReplayError> {
        let number = digits(self.of(reader)).and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.wrong(reader, "a whole number"))
    }

    fn hash<R: BufRead>(self, reader: &Reader<R>) -> Result<u64, ReplayError> {
        let text = self.of(reader);
        let is_hex = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let number = is_hex.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        number.ok_or_else(|| self.wrong(reader, "16 hexadecimal digits"))
    }

    /// Parses the outcome; `None` for an unfinished game.
    fn outcome<R: BufRead>(self, reader: &Reader<R>) -> Result<Option<Outcome>, ReplayError> {
        let outcomes = [
            Outcome::Win(Seat::First),
            Outcome::Win(Seat::Second),
            Outcome::Draw,
        ];
        let text = self.of(reader);
        if text == "none" {
            return Ok(None);
        }
        let outcome = outcomes.into_iter().find(|o| o.to_string() == text);
        let expected = "first wins, second wins, draw or none";
        outcome
            .map(Some)
            .ok_or_else(|| self.wrong(reader, expected))
    }

    /// Parses the ending; a game without a result is unfinished.
    fn ending<R: BufRead>(
        self,
        reader: &Reader<R>,
        has_result: bool,
    ) -> Result<Ending, ReplayError> {
        match (self.of(reader), has_result) {
            ("unfinished", false) => Ok(Ending::Unfinished),
            (_, false) => Err(self.wrong(reader, "unfinished, since there is no result")),
            ("rules", true) => Ok(Ending::Rules),
            ("settled", true) => Ok(Ending::Settled),
            ("faults", true) => Ok(Ending::Faults([None, None])),
            ("resigned first", true) => Ok(Ending::Resigned(Seat::First)),
            ("resigned second", true) => Ok(Ending::Resigned(Seat::Second)),
            _ => Err(self.wrong(reader, "rules, settled, faults or resigned SEAT")),
        }
    }

    fn fault<R: BufRead>(self, reader: &Reader<R>) -> Result<Fault, ReplayError> {
        let (kind, rest) = self.split(reader);
        let (text, problem) = rest.split(reader);
        Ok(match kind.of(reader) {
            "not-started" => Fault::NotStarted(rest.rest(reader)?),
            "late" => Fault::Late {
                limit: rest.time(reader)?,
            },
            "crashed" => Fault::Crashed(rest.rest(reader)?),
            "closed" if rest.of(reader).is_empty() => Fault::Closed,
            "deaf" if rest.of(reader).is_empty() => Fault::Deaf,
            "flood" => Fault::Flood {
                bytes: rest.number(reader)?,
            },
            "malformed" => Fault::Malformed {
                line: text.rest(reader)?,
                problem: problem.rest(reader)?,
            },
            "illegal" => Fault::Illegal {
                text: text.rest(reader)?,
                problem: problem.rest(reader)?,
            },
            "caged" => Fault::Caged(rest.rest(reader)?),
            _ => return Err(kind.wrong(reader, "a kind of fault")),
        })
    }

    /// `d4`, `d4:812`, `d4:/97`, `d4:812/97`.
    fn turn<R: BufRead>(self, reader: &Reader<R>) -> Result<RecordedTurn, ReplayError> {
        let Some(at) = self.of(reader).find(':') else {
            let text = self.rest(reader)?;
            let spent = [None; 2];
            return Ok(RecordedTurn { text, spent });
        };
        let (to, from) = (self.from + at, self.from + at + 1);
        let text = Self { to, ..self }.rest(reader)?;
        let times = Self { from, ..self };
        let spent = match times.of(reader).find('/') {
            None => [Some(times.time(reader)?), None],
            Some(at) => {
                let (to, from) = (from + at, from + at + 1);
                let first = Self { to, ..times };
                let second = Self { from, ..times };
                let has_first = !first.of(reader).is_empty();
                let first = has_first.then(|| first.time(reader)).transpose()?;
                [first, Some(second.time(reader)?)]
            }
        };
        Ok(RecordedTurn { text, spent })
    }

    fn time<R: BufRead>(self, reader: &Reader<R>) -> Result<Duration, ReplayError> {
        let time = microseconds(self.of(reader));
        time.ok_or_else(|| self.wrong(reader, "a time in microseconds"))
    }
}

fn word(given: &str, expected: &'static str) -> ReplayProblem {
    ReplayProblem::Word {
        given: short(given),
        expected,
    }
}

/// Truncates a text for a message.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The text if it consists of digits.
fn digits(text: &str) -> Option<&str> {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some(text)
}

/// `812`, `812.5`.
fn microseconds(text: &str) -> Option<Duration> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let whole: u128 = digits(whole)?.parse().ok()?;
    let part = digits(part).filter(|part| part.len() <= 3)?;
    let seconds = u64::try_from(whole / 1_000_000).ok()?;
    let part: u32 = format!("{part:0<3}").parse().ok()?;
    let nanoseconds = (whole % 1_000_000) as u32 * 1000 + part;
    Some(Duration::new(seconds, nanoseconds))
}
