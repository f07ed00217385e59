//! The keys of the play screen.

use crate::screens::{ScreenKey, key};

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayKeyAction {
    /// Move the cursor by a number of cells.
    Go(isize, isize),
    /// Make the move, or send the column.
    Choose,
    /// Mark a cell of the column; where the cell is the move, make it.
    Mark,
    /// Type a move.
    Type,
    Hint,
    /// Ask for a hint with the full analysis.
    Analyse,
    Why,
    Back,
    Again,
    Setup,
    View,
    Preview,
    /// Look at the position a number of turns on.
    Look(isize),
    Save,
    Resign,
    /// Drop what is not part of the game: a hint, or looking back.
    Drop,
    Rules,
    Help,
    Leave,
}

/// An empty help text: the key before has the same action.
#[rustfmt::skip]
pub(super) const KEYS: &[ScreenKey<PlayKeyAction>] = &[
    key("Left", PlayKeyAction::Go(-1, 0), "move the cursor"),
    key("Right", PlayKeyAction::Go(1, 0), ""),
    key("Up", PlayKeyAction::Go(0, -1), ""),
    key("Down", PlayKeyAction::Go(0, 1), ""),
    key("Enter", PlayKeyAction::Choose, "make the move; send the column"),
    key("Space", PlayKeyAction::Mark, "mark a cell of the column; without people, wait and go on"),
    key(":", PlayKeyAction::Type, "type a move, such as B2 or 00110"),
    key("h", PlayKeyAction::Hint, "what the strongest player would do in your place"),
    key("a", PlayKeyAction::Analyse, "the same, with the value and the line"),
    key("w", PlayKeyAction::Why, "what was thought: why, value, line; again hides it"),
    key("u", PlayKeyAction::Back, "take your last move back"),
    key("Ctrl-Z", PlayKeyAction::Back, ""),
    key("Backspace", PlayKeyAction::Back, ""),
    key("n", PlayKeyAction::Again, "a new game of the same players"),
    key("o", PlayKeyAction::Setup, "another game, other players"),
    key("v", PlayKeyAction::View, "the other's view, both, your own"),
    key("p", PlayKeyAction::Preview, "show what a move brings about, or not"),
    key("[", PlayKeyAction::Look(-1), "look at the positions before"),
    key("]", PlayKeyAction::Look(1), ""),
    key("s", PlayKeyAction::Save, "save the game as a replay"),
    key("Shift-R", PlayKeyAction::Resign, "resign; taken back as a move is"),
    key("Escape", PlayKeyAction::Drop, "back to the game from a hint or a look"),
    key("i", PlayKeyAction::Rules, "the rules of the game"),
    key("?", PlayKeyAction::Help, "this help"),
    key("q", PlayKeyAction::Leave, "leave"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        crate::screens::check_keys(KEYS);
    }
}
