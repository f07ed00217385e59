//! Keys: the puzzle's table, and a few for what only a screen has.

use crate::keys::name;
use ::laser::play::command::KEYS;
use ratatui::crossterm::event::KeyEvent;

/// What a key does that is the screen's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaserKeyAction {
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
pub(super) struct LaserKey {
    pub(super) keys: &'static str,
    pub(super) own: LaserKeyAction,
    pub(super) help: &'static str,
}

const fn own(keys: &'static str, own: LaserKeyAction, help: &'static str) -> LaserKey {
    LaserKey { keys, own, help }
}

/// Where help says the same twice, the second time it says nothing.
#[rustfmt::skip]
pub(super) const OWN: &[LaserKey] = &[
    own("Left", LaserKeyAction::Go(-1, 0), "move the cursor"),
    own("Right", LaserKeyAction::Go(1, 0), ""),
    own("Up", LaserKeyAction::Go(0, -1), ""),
    own("Down", LaserKeyAction::Go(0, 1), ""),
    own("Enter", LaserKeyAction::Choose, "take the piece at the cursor, or put the one in hand there"),
    own("Space", LaserKeyAction::Choose, ""),
    own("Tab", LaserKeyAction::Piece(1), "to the next piece"),
    own("Shift-Tab", LaserKeyAction::Piece(-1), "to the piece before"),
    own("n", LaserKeyAction::Level(1), "the next level; this one stays as it is"),
    own("p", LaserKeyAction::Level(-1), "the level before"),
    own("o", LaserKeyAction::List, "all levels"),
];

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaserKeyMeaning {
    /// Sends a command.
    Command(&'static str),
    /// Is the screen's own.
    Own(LaserKeyAction),
}

/// What a key does on the board, if it does anything.
pub(super) fn meaning(event: &KeyEvent) -> Option<LaserKeyMeaning> {
    let name = name(event)?;
    if let Some(key) = KEYS.iter().find(|key| key.keys == name) {
        return Some(LaserKeyMeaning::Command(key.command));
    }
    let own = OWN.iter().find(|key| key.keys == name)?;
    Some(LaserKeyMeaning::Own(own.own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::event;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        for key in KEYS {
            let event = event(key.keys).unwrap_or_else(|| panic!("{} is no key", key.keys));
            assert_eq!(meaning(&event), Some(LaserKeyMeaning::Command(key.command)));
        }
        for key in OWN {
            let event = event(key.keys).unwrap_or_else(|| panic!("{} is no key", key.keys));
            assert_eq!(meaning(&event), Some(LaserKeyMeaning::Own(key.own)));
        }
    }
}
