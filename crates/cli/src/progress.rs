//! Progress of long runs: on standard error, if that is a terminal, and only after the first
//! second. On any standard error, a warning if there is too little memory.

use crate::argument::MemoryArgument;
use crate::failure::note;
use console::Term;
use engine::{CollectionCounter, Options};
use indicatif::{ProgressBar, ProgressStyle};
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

/// Runs shorter than this get no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// The bar's update interval.
const PACE: Duration = Duration::from_millis(100);
/// The time between two lines where there is no terminal.
const LINE_PACE: Duration = Duration::from_secs(5);
/// The bar's internal length: generations may exceed its counter.
const PARTS: u64 = 10_000;
/// Number of garbage collections after which memory is considered too small; and how many are
/// enough where one follows the other within a second.
const MANY_COLLECTIONS: u64 = 10;
const FREQUENT_COLLECTIONS: u64 = 2;
/// Recommended memory is rounded up to a multiple of this.
const MEBIBYTE: u64 = 1 << 20;

/// A progress bar for a known number of generations or games.
#[derive(Debug)]
pub(crate) struct ProgressMeter {
    total: BigUint,
    what: &'static str,
    look_again: Instant,
    bar: Option<ProgressBar>,
    strain: Option<MemoryPressure>,
    /// When the next line is due where there is no terminal; `None` for no lines.
    next_line: Option<Instant>,
}

impl ProgressMeter {
    pub(crate) fn new(total: BigUint) -> Self {
        Self::of(total, "generation +")
    }

    /// A bar with another unit, which is printed after `what`: `games `.
    pub(crate) fn of(total: BigUint, what: &'static str) -> Self {
        Self {
            total,
            what,
            look_again: Instant::now() + PATIENCE,
            bar: None,
            strain: None,
            next_line: None,
        }
    }

    /// Prints a line now and then where standard error is no terminal, as in a log.
    pub(crate) fn with_lines(mut self) -> Self {
        let is_piped = !Term::stderr().features().is_attended();
        self.next_line = is_piped.then(|| Instant::now() + PATIENCE);
        self
    }

    /// Enables a warning, printed once, if the run lacks memory.
    pub(crate) fn noting_strain(mut self, options: &Options) -> Self {
        self.strain = Some(MemoryPressure {
            collections: options.collections.clone(),
            memory: options.memory,
            begun: Instant::now(),
        });
        self
    }

    /// Sets the total progress.
    pub(crate) fn reach(&mut self, done: &BigUint) {
        self.reach_saying(done, "");
    }

    /// The same, with a status text.
    pub(crate) fn reach_saying(&mut self, done: &BigUint, word: impl std::fmt::Display) {
        let now = Instant::now();
        if now < self.look_again || self.total == BigUint::ZERO {
            return;
        }
        self.look_again = now + PACE;
        self.note_strain(now);
        if self.next_line.is_some_and(|next| now >= next) {
            self.next_line = Some(now + LINE_PACE);
            // An unwritable standard error cannot be reported.
            let _ = writeln!(io::stderr(), "{}{done} of {}{word}", self.what, self.total);
        }
        let bar = self.bar.get_or_insert_with(bar);
        let parts = (done * PARTS / &self.total).to_u64().unwrap_or(PARTS);
        bar.set_position(parts.min(PARTS));
        bar.set_message(format!("{}{done}{word}", self.what));
    }

    /// Prints the warning if it is due.
    fn note_strain(&mut self, now: Instant) {
        let strain = self.strain.as_ref();
        if let Some(line) = strain.and_then(|strain| strain.line(now)) {
            self.strain = None;
            self.clear();
            note(line);
        }
    }

    /// Removes the bar at the end; a run that was too short for one may have lacked memory too.
    pub(crate) fn finish(&mut self) {
        self.clear();
        self.note_strain(Instant::now());
    }

    /// Removes the bar before other output.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// A run whose hashed quadtree may lack memory.
#[derive(Debug)]
struct MemoryPressure {
    collections: CollectionCounter,
    /// Its memory limit.
    memory: u64,
    begun: Instant,
}

impl MemoryPressure {
    /// The warning, if it is due.
    fn line(&self, now: Instant) -> Option<String> {
        let (count, time) = (self.collections.count(), now - self.begun);
        is_strained(count, time).then(|| strained(count, time, self.memory))
    }
}

/// Whether so many garbage collections in this time mean that there is too little memory.
fn is_strained(count: u64, time: Duration) -> bool {
    count >= MANY_COLLECTIONS || count >= FREQUENT_COLLECTIONS && count as f64 >= time.as_secs_f64()
}

/// The warning for this number of garbage collections in this time with this memory limit.
fn strained(count: u64, time: Duration, memory: u64) -> String {
    let a_second = count as f64 / time.as_secs_f64();
    let often = if a_second >= 1.5 {
        format!("{a_second:.0} times a second")
    } else if a_second > 0.7 {
        "once a second".to_string()
    } else {
        format!("every {:.0} seconds", 1.0 / a_second)
    };
    let more = MemoryArgument(memory.saturating_mul(2).next_multiple_of(MEBIBYTE));
    format!("collecting garbage {often}: give it --memory {more} or more, and it runs quicker")
}

/// Lines that are redrawn in place on standard error, if that is a terminal.
#[derive(Debug)]
pub(crate) struct LiveTerminalLines {
    bar: ProgressBar,
}

impl LiveTerminalLines {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// The terminal's width and height; `None` without one.
    pub(crate) fn size() -> Option<(usize, usize)> {
        let terminal = Term::stderr();
        let size = terminal.features().is_attended().then(|| terminal.size());
        size.map(|(rows, columns)| (usize::from(columns), usize::from(rows)))
    }

    /// Shows the result of `lines` for the terminal's width, cut to its height: the first lines
    /// and the last one. `lines` is not called without a terminal.
    pub(crate) fn show(&mut self, lines: impl FnOnce(usize) -> String) {
        if let Some((width, height)) = Self::size() {
            self.bar.set_message(fitting(&lines(width), height));
            self.bar.tick();
        }
    }

    /// Removes the lines before other output.
    pub(crate) fn clear(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The first lines of a text and its last one, leaving one terminal row free.
fn fitting(text: &str, height: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let available = height.saturating_sub(1).max(1);
    match lines.split_last() {
        Some((last, first)) if lines.len() > available => {
            let mut kept = first[..available - 1].to_vec();
            kept.push(last);
            kept.join("\n")
        }
        _ => text.to_string(),
    }
}

fn bar() -> ProgressBar {
    // It draws to standard error, and nothing at all where that is no terminal.
    let bar = ProgressBar::new(PARTS);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {percent:>3}% {elapsed} {wide_msg}") {
        bar.set_style(style.progress_chars("#> "));
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_memory_says_how_often_it_collects() {
        let second = Duration::from_secs(1);
        for (count, time, memory, expected) in [
            (
                36,
                3 * second,
                16 << 20,
                "12 times a second: give it --memory 32M",
            ),
            (
                20,
                20 * second,
                1_500_000,
                "once a second: give it --memory 3M",
            ),
            (
                20,
                150 * second,
                4 << 30,
                "every 8 seconds: give it --memory 8G",
            ),
        ] {
            let said = strained(count, time, memory);
            let expected = format!("collecting garbage {expected} or more, and it runs quicker");
            assert_eq!(said, expected);
        }
        let is_said = |count, ms| is_strained(count, Duration::from_millis(ms));
        assert!(is_said(10, 100_000) && !is_said(9, 100_000));
        assert!(is_said(2, 400) && !is_said(2, 2_100) && !is_said(1, 400));
    }

    #[test]
    fn a_small_terminal_shows_the_first_lines_and_the_last() {
        let text = "head\n1\n2\n3\nfoot";
        for (height, expected) in [
            (24, text),
            (6, text),
            (5, "head\n1\n2\nfoot"),
            (3, "head\nfoot"),
            (1, "foot"),
            (0, "foot"),
        ] {
            assert_eq!(fitting(text, height), expected, "{height}");
        }
    }
}
