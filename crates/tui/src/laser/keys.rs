//! The keys of the laser screen: the puzzle's table, and the screen's own.

use crate::keys::name;
use ::laser::play::command::KEYS;
use ratatui::crossterm::event::KeyEvent;

/// An action of the screen's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaserKeyAction {
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

/// A key binding of the screen's own, with its help text.
pub(super) struct LaserKey {
    pub(super) keys: &'static str,
    pub(super) action: LaserKeyAction,
    pub(super) help: &'static str,
}

const fn action(keys: &'static str, action: LaserKeyAction, help: &'static str) -> LaserKey {
    LaserKey { keys, action, help }
}

/// An empty help text: the key before has the same action.
#[rustfmt::skip]
pub(super) const ACTION_KEYS: &[LaserKey] = &[
    action("Left", LaserKeyAction::Go(-1, 0), "move the cursor"),
    action("Right", LaserKeyAction::Go(1, 0), ""),
    action("Up", LaserKeyAction::Go(0, -1), ""),
    action("Down", LaserKeyAction::Go(0, 1), ""),
    action("Enter", LaserKeyAction::Choose, "take the piece at the cursor, or put the one in hand there"),
    action("Space", LaserKeyAction::Choose, ""),
    action("Tab", LaserKeyAction::Piece(1), "to the next piece"),
    action("Shift-Tab", LaserKeyAction::Piece(-1), "to the piece before"),
    action("n", LaserKeyAction::Level(1), "the next level; this one stays as it is"),
    action("p", LaserKeyAction::Level(-1), "the level before"),
    action("o", LaserKeyAction::List, "all levels"),
];

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaserKeyMeaning {
    /// Send a command.
    Command(&'static str),
    /// Perform an action of the screen.
    Action(LaserKeyAction),
}

/// What a key means on the board, if anything.
pub(super) fn meaning(event: &KeyEvent) -> Option<LaserKeyMeaning> {
    let name = name(event)?;
    if let Some(key) = KEYS.iter().find(|key| key.keys == name) {
        return Some(LaserKeyMeaning::Command(key.command));
    }
    let action = ACTION_KEYS.iter().find(|key| key.keys == name)?;
    Some(LaserKeyMeaning::Action(action.action))
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
        for key in ACTION_KEYS {
            let event = event(key.keys).unwrap_or_else(|| panic!("{} is no key", key.keys));
            assert_eq!(meaning(&event), Some(LaserKeyMeaning::Action(key.action)));
        }
    }
}
