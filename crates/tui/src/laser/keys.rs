//! The keys of the laser screen: the puzzle's table, and the screen's own.

use crate::keys::name;
use crate::screens::{self, ScreenKey, key};
use ::laser::play::command;
use ratatui::crossterm::event::KeyEvent;

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaserKeyAction {
    /// Send a command.
    Command(&'static str),
    /// Move the cursor by a number of tiles.
    Go(i64, i64),
    /// Pick up the piece at the cursor, or put it down there.
    Choose,
    /// Go to the next or previous piece.
    Piece(i64),
    /// Go to the next or previous level.
    Level(i64),
    /// Show the list of levels.
    List,
}

/// An empty help text: the key before has the same action.
#[rustfmt::skip]
pub(super) const KEYS: &[ScreenKey<LaserKeyAction>] = &[
    key("Left", LaserKeyAction::Go(-1, 0), "move the cursor"),
    key("Right", LaserKeyAction::Go(1, 0), ""),
    key("Up", LaserKeyAction::Go(0, -1), ""),
    key("Down", LaserKeyAction::Go(0, 1), ""),
    key("Enter", LaserKeyAction::Choose, "take the piece at the cursor, or put the one in hand there"),
    key("Space", LaserKeyAction::Choose, ""),
    key("Tab", LaserKeyAction::Piece(1), "to the next piece"),
    key("Shift-Tab", LaserKeyAction::Piece(-1), "to the piece before"),
    key("n", LaserKeyAction::Level(1), "the next level; this one stays as it is"),
    key("p", LaserKeyAction::Level(-1), "the level before"),
    key("o", LaserKeyAction::List, "all levels"),
];

/// The action of a key on the board, if any.
pub(super) fn meaning(event: &KeyEvent) -> Option<LaserKeyAction> {
    let name = name(event)?;
    let command = command::KEYS.iter().find(|key| key.keys == name);
    match command {
        Some(key) => Some(LaserKeyAction::Command(key.command)),
        None => screens::meaning(KEYS, event),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::event;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        screens::check_keys(KEYS);
        for key in command::KEYS {
            let event = event(key.keys).unwrap_or_else(|| panic!("{} is no key", key.keys));
            assert_eq!(meaning(&event), Some(LaserKeyAction::Command(key.command)));
        }
        for key in KEYS {
            let event = event(key.keys).unwrap_or_else(|| panic!("{} is no key", key.keys));
            assert_eq!(meaning(&event), Some(key.action));
        }
    }
}
