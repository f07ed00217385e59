//! Keys: the puzzle's table, and a few for what only a screen has.

use crate::keys::name;
use ::laser::play::command::KEYS;
use ratatui::crossterm::event::KeyEvent;

/// What a key does that is the screen's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// Move the cursor by so many tiles.
    Go(i64, i64),
    /// Take the piece at the cursor, or put it there.
    Choose,
    /// Go to the next piece, or the one before.
    Piece(i64),
    /// Go to the next level, or the one before.
    Level(i64),
    /// Show all levels.
    List,
}

/// A key of the screen's own, what it does, and how help says so.
pub(super) struct OwnKey {
    pub(super) keys: &'static str,
    pub(super) own: Own,
    pub(super) help: &'static str,
}

const fn own(keys: &'static str, own: Own, help: &'static str) -> OwnKey {
    OwnKey { keys, own, help }
}

/// Where help says the same twice, the second time it says nothing.
#[rustfmt::skip]
pub(super) const OWN: &[OwnKey] = &[
    own("Left", Own::Go(-1, 0), "move the cursor"),
    own("Right", Own::Go(1, 0), ""),
    own("Up", Own::Go(0, -1), ""),
    own("Down", Own::Go(0, 1), ""),
    own("Enter", Own::Choose, "take the piece at the cursor, or put the one in hand there"),
    own("Space", Own::Choose, ""),
    own("Tab", Own::Piece(1), "to the next piece"),
    own("Shift-Tab", Own::Piece(-1), "to the piece before"),
    own("n", Own::Level(1), "the next level; this one stays as it is"),
    own("p", Own::Level(-1), "the level before"),
    own("o", Own::List, "all levels"),
];

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Sends a command.
    Command(&'static str),
    /// Is the screen's own.
    Own(Own),
}

/// What a key does on the board, if it does anything.
pub(super) fn meaning(event: &KeyEvent) -> Option<Meaning> {
    let name = name(event)?;
    if let Some(key) = KEYS.iter().find(|key| key.keys == name) {
        return Some(Meaning::Command(key.command));
    }
    let own = OWN.iter().find(|key| key.keys == name)?;
    Some(Meaning::Own(own.own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::event;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        for key in KEYS {
            let event = event(key.keys).unwrap_or_else(|| panic!("{} is no key", key.keys));
            assert_eq!(meaning(&event), Some(Meaning::Command(key.command)));
        }
        for key in OWN {
            let event = event(key.keys).unwrap_or_else(|| panic!("{} is no key", key.keys));
            assert_eq!(meaning(&event), Some(Meaning::Own(key.own)));
        }
    }
}
