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
    pub(super) own: LaserKeyAction,
    pub(super) help: &'static str,
}

const fn own(keys: &'static str, own: LaserKeyAction, help: &'static str) -> LaserKey {
    LaserKey { keys, own, help }
}

/// An empty help text: the key before has the same action.
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

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaserKeyMeaning {
    /// Send a command.
    Command(&'static str),
    /// Perform an action of the screen.
    Own(LaserKeyAction),
}

/// What a key means on the board, if anything.
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
