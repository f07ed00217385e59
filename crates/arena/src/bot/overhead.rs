//! The overhead of the arena's communication: the time charged to a bot that answers at once.

use super::LineTransport;
use super::process::BotProcess;
use cage::{Cage, CageMode, Program};
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// Number of measured round trips.
const ROUNDS: usize = 200;

/// Round-trip time of one line, with pipes and the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overhead {
    /// The median.
    pub median: Duration,
    /// The 99th percentile.
    pub most: Duration,
}

impl fmt::Display for Overhead {
    /// `median 11.2 µs, 99 % 40.0 µs`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, most] = [self.median, self.most].map(|time| time.as_secs_f64() * 1e6);
        write!(f, "median {median:.1} µs, 99 % {most:.1} µs")
    }
}

/// The overhead of this machine, measured on first use with an echo process (`cat`); `None` if
/// there is none.
///
/// ```no_run
/// // 200 round trips to a process
/// if let Some(overhead) = arena::bot::overhead() {
///     assert!(overhead.median <= overhead.most);
/// }
/// ```
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
        let mut transport = process.transport(Duration::from_secs(1), &mut goes_on);
        transport.send("0 0 1 1 1 0 0 0\n").ok()?;
        transport.receive().ok()?;
        Some(transport.spent())
    };
    // the first round includes process start
    round()?;
    let mut times: Vec<_> = (0..ROUNDS).map_while(|_| round()).collect();
    process.end(Duration::from_millis(100));
    times.sort_unstable();
    Some(Overhead {
        median: *times.get(ROUNDS / 2)?,
        most: *times.get(ROUNDS - ROUNDS / 100)?,
    })
}
