//! Records from text.

use super::checksum::ReplayChecksum;
use super::escape::unescape;
use super::{Replay, ReplayError, ReplayLocations, ReplayProblem, TITLE, VERSION};
use crate::{Ending, Fault, ProcessReport, Record, RecordedTurn};
use games::{Outcome, Seat};
use std::io::{BufRead, Read as _};
use std::time::Duration;

/// No line is longer than this; what is longer is no replay, and memory is not endless.
const LONGEST: usize = 16 << 20;

/// The games in a file, one after the other.
///
/// After a game that cannot be read the next one is looked for, so one damaged game does
/// not cost the others.
#[must_use = "nothing is read before a game is asked for"]
pub fn read<R: BufRead>(from: R) -> Reader<R> {
    Reader {
        from,
        line: String::new(),
        number: 0,
        is_waiting: false,
        is_lost: false,
        is_over: false,
        sum: ReplayChecksum::default(),
        trusted: 0,
    }
}

/// The games in a text, as [`read()`] gives them.
#[must_use = "nothing is read before a game is asked for"]
pub fn read_text(text: &str) -> Reader<&[u8]> {
    read(text.as_bytes())
}

/// What [`read()`] gives: an iterator over the games of a file.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    /// The line that was read last, without its end.
    line: String,
    number: u64,
    /// Whether that line is still to be looked at.
    is_waiting: bool,
    /// Whether the next game has to be looked for.
    is_lost: bool,
    is_over: bool,
    sum: ReplayChecksum,
    /// Up to this line a mark has told that nothing was changed.
    trusted: u64,
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Replay, ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.find().transpose()?;
        let replay = found.and_then(|()| self.game());
        if replay.is_err() {
            self.is_lost = true;
            // the line that is wrong here may be where another game begins
            self.is_waiting = self.line.starts_with(TITLE) && self.number > self.trusted;
        }
        Some(replay)
    }
}

impl<R: BufRead> Reader<R> {
    /// Goes to the first line of the next game; `None` where there is none.
    fn find(&mut self) -> Result<Option<()>, ReplayError> {
        while self.advance()? {
            let is_title = self.line.starts_with(TITLE);
            if is_title || (!self.is_lost && !self.line.trim().is_empty()) {
                self.is_lost = false;
                return Ok(Some(()));
            }
        }
        Ok(None)
    }

    /// Reads a line. `false` at the end of the file.
    fn advance(&mut self) -> Result<bool, ReplayError> {
        if std::mem::take(&mut self.is_waiting) {
            return Ok(true);
        }
        self.line.clear();
        if self.is_over {
            return Ok(false);
        }
        self.number += 1;
        let mut bytes = Vec::new();
        let most = self.from.by_ref().take(LONGEST as u64 + 1);
        let read = { most }.read_until(b'\n', &mut bytes);
        if let Err(error) = read {
            self.is_over = true;
            return Err(self.wrong(0, error.into()));
        }
        if bytes.is_empty() {
            self.is_over = true;
            return Ok(false);
        }
        if bytes.len() > LONGEST {
            self.is_over = true;
            return Err(self.wrong(0, ReplayProblem::Long { most: LONGEST }));
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

    /// An error in the line that was read last, at a byte of it.
    fn wrong(&self, byte: usize, problem: ReplayProblem) -> ReplayError {
        let before = self.line.char_indices().take_while(|&(at, _)| at < byte);
        ReplayError {
            line: self.number,
            column: before.count() as u32 + 1,
            problem,
        }
    }

    /// A game whose first line was read.
    fn game(&mut self) -> Result<Replay, ReplayError> {
        self.sum = ReplayChecksum::default();
        // no later error may go back to this line
        self.trusted = self.number;
        let mut places = ReplayLocations {
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
        let game = self.field("game")?.rest(self)?;
        places.game = self.number;
        let players = [
            self.field("first")?.rest(self)?,
            self.field("second")?.rest(self)?,
        ];
        let seed = self.field("seed")?.number(self)?;
        let pair = self.field("pair")?.number(self)?;
        let mut opening = Vec::new();
        self.moves("opening", &mut |reader, word| {
            places.opening.push(word.place(reader));
            opening.push(word.rest(reader)?);
            Ok(())
        })?;
        let mut turns = Vec::new();
        self.moves("moves", &mut |reader, word| {
            places.turns.push(word.place(reader));
            turns.push(word.turn(reader)?);
            Ok(())
        })?;
        let outcome = self.field("result")?.outcome(self)?;
        places.result = self.number;
        let ending = self.field("ending")?;
        places.ending = self.number;
        let mut ending = ending.ending(self, outcome.is_some())?;
        // what there is to say of who won where nobody has
        let outcome = outcome.unwrap_or(Outcome::Draw);
        let mut aftermath: [ProcessReport; 2] = Default::default();
        let mut said: [Option<String>; 2] = [None, None];
        self.some_line("hash")?;
        while !self.line.starts_with("hash") {
            self.extra(&mut ending, &mut aftermath, &mut said)?;
            self.some_line("hash")?;
        }
        self.is_waiting = true;
        let hash = self.field("hash")?.hash(self)?;
        places.hash = self.number;
        for (aftermath, said) in aftermath.iter_mut().zip(said) {
            aftermath.complaints = said.unwrap_or_default();
        }
        let expected = self.sum.0;
        let sum = self.field("sum")?.hash(self)?;
        if sum != expected {
            return Err(self.changed());
        }
        self.trusted = self.number;
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
            aftermath,
        };
        Ok(Replay { record, places })
    }

    /// Reads a line that there has to be.
    fn some_line(&mut self, expected: &'static str) -> Result<(), ReplayError> {
        if !self.advance()? {
            return Err(self.wrong(0, ReplayProblem::End));
        }
        if self.line.is_empty() || self.line.starts_with(TITLE) {
            return Err(self.wrong(0, ReplayProblem::Line { expected }));
        }
        Ok(())
    }

    /// Reads the next line, which tells of `key`.
    fn field(&mut self, key: &'static str) -> Result<LineByteRange, ReplayError> {
        self.some_line(key)?;
        let span = self.after(0, key);
        let span = span.ok_or_else(|| self.wrong(0, ReplayProblem::Line { expected: key }))?;
        self.sum.add_line(&self.line);
        Ok(span)
    }

    /// What follows a word and a blank, where the line has that word at this byte.
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

    /// A number of moves, and as many words in the lines that follow.
    fn moves(
        &mut self,
        key: &'static str,
        take: &mut dyn FnMut(&Self, LineByteRange) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        let expected = self.field(key)?.number(self)?;
        let expected = usize::try_from(expected).unwrap_or(usize::MAX);
        let mut count = 0;
        while count < expected {
            let end = self.marked()?;
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

    /// Reads a line of moves and holds it against its mark; gives the byte at which the
    /// moves end.
    fn marked(&mut self) -> Result<usize, ReplayError> {
        let expected = "a blank and moves";
        self.some_line(expected)?;
        if !self.line.starts_with(' ') {
            return Err(self.wrong(0, ReplayProblem::Line { expected }));
        }
        let end = self.line.rfind(" ~").filter(|&end| end > 0);
        let end = end.ok_or_else(|| self.wrong(self.line.len(), word("", "a mark such as ~ae")))?;
        self.sum.add(&self.line[..end]);
        if self.line[end + 1..] != self.sum.mark() {
            return Err(self.changed());
        }
        let mark = &self.line[end..];
        self.sum.add_line(mark);
        self.trusted = self.number;
        Ok(end)
    }

    /// The lines since the last mark that was right are not as they were written.
    fn changed(&self) -> ReplayError {
        let line = self.trusted + 1;
        let to = (line < self.number).then_some(self.number);
        ReplayError {
            line: line.min(self.number),
            column: 1,
            problem: ReplayProblem::Changed { to },
        }
    }

    /// Takes what there may be about a seat: its fault, what is known of its bot.
    fn extra(
        &mut self,
        ending: &mut Ending,
        aftermath: &mut [ProcessReport; 2],
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
        let aftermath = &mut aftermath[seat.index()];
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
                aftermath.about.push((key.rest(self)?, value.rest(self)?));
            }
            "note" => aftermath.notes.push(span.rest(self)?),
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

/// A part of the line that was read last: bytes.
#[derive(Clone, Copy)]
struct LineByteRange {
    from: usize,
    to: usize,
}

impl LineByteRange {
    fn of<R>(self, reader: &Reader<R>) -> &str {
        &reader.line[self.from..self.to]
    }

    fn place<R: BufRead>(self, reader: &Reader<R>) -> (u64, u32) {
        let place = reader.wrong(self.from, ReplayProblem::Title);
        (place.line, place.column)
    }

    fn wrong<R: BufRead>(self, reader: &Reader<R>, expected: &'static str) -> ReplayError {
        reader.wrong(self.from, word(self.of(reader), expected))
    }

    /// What stands before the first blank, and after it.
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

    /// Who won; `None` where nobody has yet.
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

    /// How it ended; a game without a result did not.
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

/// What fits into a message.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The text, where it is digits and nothing else.
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
