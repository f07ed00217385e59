//! Cores for jobs: so that nobody who thinks by the clock shares one.

use crate::Entrant;

/// The numbers of the cores that this process may run on.
#[must_use]
pub fn cores() -> Vec<usize> {
    system::cores()
}

/// Keeps the calling thread on one core from here on, where the system can do that.
pub fn stay_on(core: usize) {
    system::stay_on(core);
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    pub(super) fn cores() -> Vec<usize> {
        match sched_getaffinity(None) {
            Ok(set) => (0..CpuSet::MAX_CPU)
                .filter(|&core| set.is_set(core))
                .collect(),
            // one core at least there is
            Err(_) => vec![0],
        }
    }

    pub(super) fn stay_on(core: usize) {
        let mut set = CpuSet::new();
        set.set(core);
        // a thread that may run anywhere still runs
        let _ = sched_setaffinity(None, &set);
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn cores() -> Vec<usize> {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        (0..count).collect()
    }

    pub(super) fn stay_on(_: usize) {}
}

impl Entrant {
    /// Whether it matters to this player how much of a core it has: bots are held to a
    /// clock, and some players of this program (`ms=`) hold themselves to one.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        match self {
            Self::Bot(_) => true,
            Self::House(text) => text.contains("ms="),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_stays_where_it_is_put() {
        let all = cores();
        let last = *all.last().unwrap();
        let seen = std::thread::spawn(move || {
            stay_on(last);
            cores()
        });
        assert_eq!(seen.join().unwrap(), [last]);
        assert_eq!(cores(), all, "other threads are left alone");
    }

    #[test]
    fn who_is_timed() {
        for (text, expected) in [
            ("random", false),
            ("mcts:playouts=100", false),
            ("strong:ms=50", true),
            ("cmd:./bot", true),
        ] {
            assert_eq!(text.parse::<Entrant>().unwrap().is_timed(), expected);
        }
    }
}
