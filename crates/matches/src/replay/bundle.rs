//! Bundled replays, to have something to look at. Each is a file under `replays/`, made by
//! `gridpaper match` with the players and the seed in it.

/// A bundled replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledReplay {
    /// Its name.
    pub name: &'static str,
    /// The replay's text.
    pub text: &'static str,
}

/// All bundled replays.
pub const BUNDLED: &[BundledReplay] = &[
    BundledReplay {
        name: "stones",
        text: include_str!("../../replays/stones.replay"),
    },
    BundledReplay {
        name: "duel",
        text: include_str!("../../replays/duel.replay"),
    },
];

/// Finds one by name.
#[must_use]
pub fn bundled(name: &str) -> Option<&'static BundledReplay> {
    BUNDLED.iter().find(|game| game.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_one_game_that_is_as_it_says() {
        for game in BUNDLED {
            assert_eq!(bundled(game.name), Some(game));
            let replays: Vec<_> = crate::replay::read_text(game.text).collect();
            let [Ok(replay)] = &replays[..] else {
                panic!("{}: {replays:?}", game.name);
            };
            if let Err(error) = replay.check() {
                panic!("{}: {error}", game.name);
            }
            assert!(replay.record.turns.len() > 100);
        }
    }
}
