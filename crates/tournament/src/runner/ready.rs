//! What this machine has for a tournament: programs and cores.

use arena::Entrant;
use games::{AnyGame, with_game};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

/// Whether a player thinks by the clock, so that it needs a core for itself.
pub(super) fn is_timed(game: &AnyGame, entrant: &Entrant) -> bool {
    match entrant {
        Entrant::Bot(_) => true,
        // the full text of a player tells its limits, those that it has by itself too
        Entrant::House(text) => with_game!(game, |game| {
            players::open(game, text).is_ok_and(|player| player.name().contains("ms="))
        }),
    }
}

/// Whether a program can be found: a path, or a name in `PATH`.
pub(super) fn is_there(program: &OsStr) -> bool {
    let path = Path::new(program);
    if path.components().count() != 1 || path.is_absolute() {
        return path.exists();
    }
    let places = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    std::env::split_paths(&places).any(|place| place.join(path).exists())
}

/// The cores that this process may use.
pub(super) struct Cores {
    /// By number, one thread of each core before the second threads of any.
    pub(super) all: Vec<usize>,
    /// How many there are, threads that share one counted once.
    pub(super) physical: usize,
}

pub(super) fn cores() -> Cores {
    let siblings = |core: usize| {
        let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        std::fs::read_to_string(path).unwrap_or_else(|_| core.to_string())
    };
    let threads = arena::cores().into_iter();
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
        physical: seen.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_used_once_before_any_is_used_twice() {
        let threads = [(0, "0-1"), (1, "0-1"), (4, "4,6"), (6, "4,6"), (7, "7")];
        let cores = spread(threads.into_iter().map(|(core, s)| (core, s.to_string())));
        assert_eq!(cores.all, [0, 4, 7, 1, 6]);
        assert_eq!(cores.physical, 3);
    }

    #[test]
    fn who_thinks_by_the_clock_is_known() {
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
