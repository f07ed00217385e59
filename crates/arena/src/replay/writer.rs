//! Records as text.

use super::checksum::ReplayChecksum;
use super::escape::{EscapeContext, escape};
use super::{TITLE, VERSION};
use crate::{Ending, Fault, ProcessReport, Record, RecordedTurn};
use games::Seat;
use std::io;
use std::time::Duration;

/// So many characters of what a bot printed to standard error are kept, the last ones.
pub const MOST_SAID: usize = 1000;

/// Lines of moves are no longer than this, unless a single move is.
const WIDTH: usize = 96;

/// Writes a game, with a blank line after it, in one piece.
///
/// # Errors
/// What is written to fails.
pub fn write(record: &Record, to: &mut dyn io::Write) -> io::Result<()> {
    to.write_all(text(record).as_bytes())
}

/// A game as text, with a blank line after it.
#[must_use]
pub fn text(record: &Record) -> String {
    let mut page = ChecksummedText::default();
    page.line(TITLE, VERSION);
    page.rest("game", &record.game);
    for (seat, player) in Seat::BOTH.into_iter().zip(&record.players) {
        page.rest(name(seat), player);
    }
    page.line("seed", &record.seed.to_string());
    page.line("pair", &record.pair.to_string());
    page.moves(
        "opening",
        record
            .opening
            .iter()
            .map(|m| escape(m, EscapeContext::Word)),
    );
    page.moves("moves", record.turns.iter().map(turn));
    let result = record.result();
    page.line("result", &result.map_or("none".into(), |o| o.to_string()));
    page.ending(&record.ending);
    for (seat, aftermath) in Seat::BOTH.into_iter().zip(&record.aftermath) {
        page.aftermath(seat, aftermath);
    }
    page.line("hash", &format!("{:016x}", record.hash));
    let sum = page.sum.0;
    page.line("sum", &format!("{sum:016x}"));
    page.text.push('\n');
    page.text
}

#[derive(Default)]
struct ChecksummedText {
    text: String,
    sum: ReplayChecksum,
}

impl ChecksummedText {
    fn line(&mut self, key: &str, value: &str) {
        let start = self.text.len();
        self.text.push_str(key);
        if !value.is_empty() {
            self.text.push(' ');
            self.text.push_str(value);
        }
        self.text.push('\n');
        self.sum.add(&self.text[start..]);
    }

    fn rest(&mut self, key: &str, value: &str) {
        self.line(key, &escape(value, EscapeContext::Rest));
    }

    fn moves(&mut self, key: &str, words: impl ExactSizeIterator<Item = String>) {
        self.line(key, &words.len().to_string());
        let mut line = String::new();
        let mut width = 0;
        for word in words {
            let length = 1 + word.chars().count();
            if width + length + " ~00".len() > WIDTH && !line.is_empty() {
                self.marked(&line);
                line.clear();
                width = 0;
            }
            line.push(' ');
            line.push_str(&word);
            width += length;
        }
        if !line.is_empty() {
            self.marked(&line);
        }
    }

    /// A line of moves, and the sum's last byte after it.
    fn marked(&mut self, line: &str) {
        self.sum.add(line);
        let mark = format!(" {}\n", self.sum.mark());
        self.sum.add(&mark);
        self.text.push_str(line);
        self.text.push_str(&mark);
    }

    fn ending(&mut self, ending: &Ending) {
        let words = match ending {
            Ending::Rules => "rules".into(),
            Ending::Settled => "settled".into(),
            Ending::Faults(_) => "faults".into(),
            Ending::Resigned(seat) => format!("resigned {seat}"),
            Ending::Unfinished => "unfinished".into(),
        };
        self.line("ending", &words);
        for seat in Seat::BOTH {
            if let Some(fault) = ending.of(seat) {
                let words = [fault.kind(), &details(fault)].join(" ");
                self.line("fault", &format!("{} {}", name(seat), words.trim_end()));
            }
        }
    }

    fn aftermath(&mut self, seat: Seat, aftermath: &ProcessReport) {
        let seat = name(seat);
        let mut of_seat = |key, value: &str| {
            self.line(key, format!("{seat} {value}").trim_end());
        };
        for (key, value) in &aftermath.about {
            let (key, value) = (
                escape(key, EscapeContext::Word),
                escape(value, EscapeContext::Rest),
            );
            of_seat("about", &format!("{key} {value}"));
        }
        for note in &aftermath.notes {
            of_seat("note", &escape(note, EscapeContext::Rest));
        }
        let said = cut(&aftermath.complaints);
        if !said.is_empty() {
            for line in said.split('\n') {
                of_seat("said", &escape(line, EscapeContext::Rest));
            }
        }
    }
}

fn name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

/// `d4`, `d4:812`, `d4:/97`, `00110/10000:812/97`.
fn turn(turn: &RecordedTurn) -> String {
    let text = escape(&turn.text, EscapeContext::Word);
    let [first, second] = turn.spent.map(|spent| spent.map(microseconds));
    match (first, second) {
        (None, None) => text,
        (Some(first), None) => format!("{text}:{first}"),
        (None, Some(second)) => format!("{text}:/{second}"),
        (Some(first), Some(second)) => format!("{text}:{first}/{second}"),
    }
}

/// `812`, and `812.5` where it is no whole number of them.
fn microseconds(time: Duration) -> String {
    let (whole, part) = (time.as_micros(), time.as_nanos() % 1000);
    if part == 0 {
        return whole.to_string();
    }
    let text = format!("{whole}.{part:03}");
    text.trim_end_matches('0').into()
}

/// What there is to say of a fault besides its kind.
fn details(fault: &Fault) -> String {
    match fault {
        Fault::Closed | Fault::Deaf => String::new(),
        Fault::NotStarted(why) | Fault::Crashed(why) | Fault::Caged(why) => {
            escape(why, EscapeContext::Rest)
        }
        Fault::Late { limit } => microseconds(*limit),
        Fault::Flood { bytes } => bytes.to_string(),
        Fault::Malformed {
            line: text,
            problem,
        }
        | Fault::Illegal { text, problem } => {
            let (text, problem) = (
                escape(text, EscapeContext::Word),
                escape(problem, EscapeContext::Rest),
            );
            format!("{text} {problem}")
        }
    }
}

/// The end of what was said.
fn cut(said: &str) -> String {
    let surplus = said.chars().count().saturating_sub(MOST_SAID);
    if surplus == 0 {
        return said.into();
    }
    // one more gives its place to the sign that something is missing
    let rest = said.chars().skip(surplus + 1);
    std::iter::once('…').chain(rest).collect()
}
