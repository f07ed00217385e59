//! Games that come with the program: something to look through before one has a file of
//! one's own. Each is a file under `replays/`, made by `gridpaper match` with the players and
//! the seed that stand in it.

/// A game that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledReplay {
    /// What one asks for it by.
    pub name: &'static str,
    /// The replay.
    pub text: &'static str,
}

/// All of them.
pub const OURS: &[BundledReplay] = &[
    BundledReplay {
        name: "stones",
        text: include_str!("../../../../replays/stones.replay"),
    },
    BundledReplay {
        name: "duel",
        text: include_str!("../../../../replays/duel.replay"),
    },
];

/// The one of that name.
#[must_use]
pub fn ours(name: &str) -> Option<&'static BundledReplay> {
    OURS.iter().find(|game| game.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_one_game_that_is_as_it_says() {
        for game in OURS {
            assert_eq!(ours(game.name), Some(game));
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
