//! CPU cores for jobs, so that players with a time limit do not share one.

use crate::Entrant;
use games::{AnyGame, with_game};
use players::Clock;
use std::collections::BTreeMap;

/// The cores that this process may run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cores {
    /// By number; the first hardware thread of each core comes before the second of any.
    pub all: Vec<usize>,
    /// Number of physical cores, 1 or more.
    pub physical: usize,
}

/// Detects the available cores.
///
/// ```
/// let cores = arena::cores();
/// assert!(cores.physical >= 1 && cores.all.len() >= cores.physical);
/// ```
#[must_use]
pub fn cores() -> Cores {
    let siblings = |core: usize| {
        let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        std::fs::read_to_string(path).unwrap_or_else(|_| core.to_string())
    };
    let threads = system::cores().into_iter();
    spread(threads.map(|core| (core, siblings(core))))
}

fn spread(threads: impl Iterator<Item = (usize, String)>) -> Cores {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut ranked = Vec::new();
    for (core, siblings) in threads {
        let before = seen.entry(siblings).or_default();
        ranked.push((*before, core));
        *before += 1;
    }
    ranked.sort_unstable();
    Cores {
        all: ranked.into_iter().map(|(_, core)| core).collect(),
        physical: seen.len().max(1),
    }
}

/// Pins the calling thread to a core, where the system supports it.
pub fn pin_to_core(core: usize) {
    system::pin_to_core(core);
}

/// Whether a player has a time limit, so that it needs a core for itself: a bot, or a built-in
/// player with `ms=`.
///
/// ```
/// let game = "tictactoe".parse()?;
/// assert!(arena::is_timed(&game, &"mcts:ms=50".parse()?));
/// assert!(arena::is_timed(&game, &"cmd:./my-bot".parse()?));
/// assert!(!arena::is_timed(&game, &"perfect".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn is_timed(game: &AnyGame, entrant: &Entrant) -> bool {
    match entrant {
        Entrant::Bot(_) => true,
        // a player's full name includes its default limits
        Entrant::Builtin(text) => with_game!(game, |game| {
            players::open(game, text, &Clock::stopped())
                .is_ok_and(|player| player.name().contains("ms="))
        }),
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    pub(super) fn cores() -> Vec<usize> {
        match sched_getaffinity(None) {
            Ok(set) => (0..CpuSet::MAX_CPU)
                .filter(|&core| set.is_set(core))
                .collect(),
            // there is at least one core
            Err(_) => vec![0],
        }
    }

    pub(super) fn pin_to_core(core: usize) {
        let mut set = CpuSet::new();
        set.set(core);
        // failure is harmless: the thread runs unpinned
        let _ = sched_setaffinity(None, &set);
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn cores() -> Vec<usize> {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        (0..count).collect()
    }

    pub(super) fn pin_to_core(_: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_stays_where_it_is_put() {
        let all = cores().all;
        let last = *all.last().unwrap();
        let seen = std::thread::spawn(move || {
            pin_to_core(last);
            cores().all
        });
        assert_eq!(seen.join().unwrap(), [last]);
        assert_eq!(cores().all, all, "other threads are left alone");
    }

    #[test]
    fn a_core_is_used_once_before_any_is_used_twice() {
        let threads = [(0, "0-1"), (1, "0-1"), (4, "4,6"), (6, "4,6"), (7, "7")];
        let cores = spread(threads.into_iter().map(|(core, s)| (core, s.to_string())));
        assert_eq!(cores.all, [0, 4, 7, 1, 6]);
        assert_eq!(cores.physical, 3);
    }

    #[test]
    fn players_with_a_time_limit_are_recognised() {
        let rows = [
            ("tictactoe", "random", false),
            ("tictactoe", "mcts", true),
            ("tictactoe", "mcts:playouts=10", false),
            ("tictactoe", "cmd:./bot", true),
            ("duel", "strong", true),
            ("duel", "strong:turns=400", false),
        ];
        for (game, player, expected) in rows {
            let game: AnyGame = game.parse().unwrap();
            let entrant: Entrant = player.parse().unwrap();
            let timed = is_timed(&game, &entrant);
            assert_eq!(timed, expected, "{player}");
        }
    }
}
