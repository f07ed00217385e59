//! Records as text.

use super::checksum::ReplayChecksum;
use super::escape::{EscapeContext, escape};
use super::{TITLE, VERSION};
use crate::{Ending, Fault, ProcessReport, Record, RecordedTurn};
use games::Seat;
use std::io;
use std::time::Duration;

/// Maximum number of characters stored of a bot's stderr; the last ones are kept.
pub const MAX_STDERR_CHARS: usize = 1000;

/// Maximum width of a line of moves, unless a single move is longer.
const MAX_LINE_WIDTH: usize = 96;

/// Writes a game, with a blank line after it, in one call.
///
/// # Errors
/// Writing fails.
pub fn write(record: &Record, to: &mut dyn io::Write) -> io::Result<()> {
    to.write_all(text(record).as_bytes())
}

/// A game as text, with a blank line after it.
///
/// ```
/// use matches::replay::{BUNDLED, read_text, text};
///
/// let record = read_text(BUNDLED[0].text).next().expect("one game")?.record;
/// let again = read_text(&text(&record)).next().expect("one game")?.record;
/// assert_eq!(again, record);
/// # Ok::<(), matches::replay::ReplayError>(())
/// ```
#[must_use]
pub fn text(record: &Record) -> String {
    let mut output = ChecksummedText::default();
    output.write_line(TITLE, VERSION);
    output.write_text("game", &record.game);
    for (seat, player) in Seat::BOTH.into_iter().zip(&record.players) {
        output.write_text(seat_name(seat), player);
    }
    output.write_line("seed", &record.seed.to_string());
    output.write_line("pair", &record.pair.to_string());
    output.write_moves(
        "opening",
        record
            .opening
            .iter()
            .map(|m| escape(m, EscapeContext::Word)),
    );
    output.write_moves("moves", record.turns.iter().map(turn_text));
    let result = record.result();
    output.write_line("result", &result.map_or("none".into(), |o| o.to_string()));
    output.write_ending(&record.ending);
    for (seat, report) in Seat::BOTH.into_iter().zip(&record.reports) {
        output.write_report(seat, report);
    }
    output.write_line("hash", &format!("{:016x}", record.hash));
    let sum = output.sum.0;
    output.write_line("sum", &format!("{sum:016x}"));
    output.text.push('\n');
    output.text
}

#[derive(Default)]
struct ChecksummedText {
    text: String,
    sum: ReplayChecksum,
}

impl ChecksummedText {
    fn write_line(&mut self, key: &str, value: &str) {
        let start = self.text.len();
        self.text.push_str(key);
        if !value.is_empty() {
            self.text.push(' ');
            self.text.push_str(value);
        }
        self.text.push('\n');
        self.sum.add(&self.text[start..]);
    }

    fn write_text(&mut self, key: &str, value: &str) {
        self.write_line(key, &escape(value, EscapeContext::Rest));
    }

    fn write_moves(&mut self, key: &str, words: impl ExactSizeIterator<Item = String>) {
        self.write_line(key, &words.len().to_string());
        let mut line = String::new();
        let mut width = 0;
        for word in words {
            let length = 1 + word.chars().count();
            if width + length + " ~00".len() > MAX_LINE_WIDTH && !line.is_empty() {
                self.write_marked(&line);
                line.clear();
                width = 0;
            }
            line.push(' ');
            line.push_str(&word);
            width += length;
        }
        if !line.is_empty() {
            self.write_marked(&line);
        }
    }

    /// Writes a line of moves with its mark.
    fn write_marked(&mut self, line: &str) {
        self.sum.add(line);
        let mark = format!(" {}\n", self.sum.mark());
        self.sum.add(&mark);
        self.text.push_str(line);
        self.text.push_str(&mark);
    }

    fn write_ending(&mut self, ending: &Ending) {
        let words = match ending {
            Ending::Rules => "rules".into(),
            Ending::Settled => "settled".into(),
            Ending::Faults(_) => "faults".into(),
            Ending::Resigned(seat) => format!("resigned {seat}"),
            Ending::Unfinished => "unfinished".into(),
        };
        self.write_line("ending", &words);
        for seat in Seat::BOTH {
            if let Some(fault) = ending.of(seat) {
                let words = [fault.kind(), &fault_details(fault)].join(" ");
                self.write_line(
                    "fault",
                    &format!("{} {}", seat_name(seat), words.trim_end()),
                );
            }
        }
    }

    fn write_report(&mut self, seat: Seat, report: &ProcessReport) {
        let seat = seat_name(seat);
        let mut of_seat = |key, value: &str| {
            self.write_line(key, format!("{seat} {value}").trim_end());
        };
        for (key, value) in &report.about {
            let (key, value) = (
                escape(key, EscapeContext::Word),
                escape(value, EscapeContext::Rest),
            );
            of_seat("about", &format!("{key} {value}"));
        }
        for note in &report.notes {
            of_seat("note", &escape(note, EscapeContext::Rest));
        }
        let said = last_characters(&report.stderr);
        if !said.is_empty() {
            for line in said.split('\n') {
                of_seat("said", &escape(line, EscapeContext::Rest));
            }
        }
    }
}

fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

/// `d4`, `d4:812`, `d4:/97`, `00110/10000:812/97`.
fn turn_text(turn: &RecordedTurn) -> String {
    let text = escape(&turn.text, EscapeContext::Word);
    let [first, second] = turn.spent.map(|spent| spent.map(microseconds));
    match (first, second) {
        (None, None) => text,
        (Some(first), None) => format!("{text}:{first}"),
        (None, Some(second)) => format!("{text}:/{second}"),
        (Some(first), Some(second)) => format!("{text}:{first}/{second}"),
    }
}

/// `812`, or `812.5` for fractions.
fn microseconds(time: Duration) -> String {
    let (whole, part) = (time.as_micros(), time.as_nanos() % 1000);
    if part == 0 {
        return whole.to_string();
    }
    let text = format!("{whole}.{part:03}");
    text.trim_end_matches('0').into()
}

/// A fault's details besides its kind.
fn fault_details(fault: &Fault) -> String {
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

/// The last characters of a text.
fn last_characters(said: &str) -> String {
    let surplus = said.chars().count().saturating_sub(MAX_STDERR_CHARS);
    if surplus == 0 {
        return said.into();
    }
    // one more is replaced by the ellipsis
    let rest = said.chars().skip(surplus + 1);
    std::iter::once('…').chain(rest).collect()
}
