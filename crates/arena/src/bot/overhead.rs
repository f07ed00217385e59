//! What the arena's own side of a talk costs: the time that a bot is charged for which
//! answers at once.

use super::LineTransport;
use super::process::BotProcess;
use cage::{Cage, CageMode, Program};
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// How often it is measured.
const ROUNDS: usize = 200;

/// The time of one line to a process and one back, pipes and the machine's scheduler
/// included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overhead {
    /// In half of the cases it was less.
    pub median: Duration,
    /// In 99 of 100 cases it was less.
    pub most: Duration,
}

impl fmt::Display for Overhead {
    /// `median 11.2 µs, 99 % 40.0 µs`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, most] = [self.median, self.most].map(|time| time.as_secs_f64() * 1e6);
        write!(f, "median {median:.1} µs, 99 % {most:.1} µs")
    }
}

/// The overhead of this machine, measured when it is first asked for, with a process that
/// gives back what it is told (`cat`); `None` where there is no such program.
pub fn overhead() -> Option<Overhead> {
    static MEASURED: OnceLock<Option<Overhead>> = OnceLock::new();
    *MEASURED.get_or_init(measure)
}

fn measure() -> Option<Overhead> {
    let cage = Cage {
        mode: CageMode::Off,
        ..Cage::default()
    };
    let program = Program {
        program: "cat".into(),
        arguments: Vec::new(),
        folder: PathBuf::from("/"),
        cores: Vec::new(),
    };
    let mut process = BotProcess::start(&cage, &program).ok()?;
    let mut round = || {
        let mut goes_on = || true;
        let mut talk = process.talk(Duration::from_secs(1), &mut goes_on);
        talk.say("0 0 1 1 1 0 0 0\n").ok()?;
        talk.hear().ok()?;
        Some(talk.spent())
    };
    // the first is its start
    round()?;
    let mut times: Vec<_> = (0..ROUNDS).map_while(|_| round()).collect();
    process.end(Duration::from_millis(100));
    times.sort_unstable();
    Some(Overhead {
        median: *times.get(ROUNDS / 2)?,
        most: *times.get(ROUNDS - ROUNDS / 100)?,
    })
}
