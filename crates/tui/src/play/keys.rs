//! The room's keys.

use crate::rooms::{Key, key};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Move the cursor by so many cells.
    Go(isize, isize),
    /// Make the move, or send the column.
    Choose,
    /// Mark a cell of the column; where the cell is the move, make it.
    Mark,
    /// Type a move.
    Type,
    Hint,
    /// The same, with all that was thought.
    Analyse,
    Why,
    Back,
    Again,
    Setup,
    View,
    Preview,
    /// Look at the position so many turns on.
    Look(isize),
    Save,
    Resign,
    /// Away with what is not the game: a hint, a look back.
    Drop,
    Help,
    Leave,
}

/// Where help says the same twice, the second time it says nothing.
#[rustfmt::skip]
pub(super) const KEYS: &[Key<Deed>] = &[
    key("Left", Deed::Go(-1, 0), "move the cursor"),
    key("Right", Deed::Go(1, 0), ""),
    key("Up", Deed::Go(0, -1), ""),
    key("Down", Deed::Go(0, 1), ""),
    key("Enter", Deed::Choose, "make the move; send the column"),
    key("Space", Deed::Mark, "mark a cell of the column; without people, wait and go on"),
    key(":", Deed::Type, "type a move, such as B2 or 00110"),
    key("h", Deed::Hint, "what the strongest player would do in your place"),
    key("a", Deed::Analyse, "the same, with the value and the line"),
    key("w", Deed::Why, "what was thought: why, value, line; again hides it"),
    key("u", Deed::Back, "take your last move back"),
    key("Ctrl-Z", Deed::Back, ""),
    key("Backspace", Deed::Back, ""),
    key("n", Deed::Again, "a new game of the same players"),
    key("o", Deed::Setup, "another game, other players"),
    key("v", Deed::View, "the other's view, both, your own"),
    key("p", Deed::Preview, "show what a move brings about, or not"),
    key("[", Deed::Look(-1), "look at the positions before"),
    key("]", Deed::Look(1), ""),
    key("s", Deed::Save, "save the game as a replay"),
    key("Shift-R", Deed::Resign, "resign; taken back as a move is"),
    key("Escape", Deed::Drop, "back to the game from a hint or a look"),
    key("?", Deed::Help, "this help"),
    key("q", Deed::Leave, "leave"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        crate::rooms::hold_keys(KEYS);
    }
}
