//! The room's keys, as the page has them.

use crate::rooms::{Key, key};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Move the cursor by so many cells.
    Go(i32, i32),
    Step,
    Run,
    Draw,
    /// To the next rule, or the one before.
    Course(isize),
    Counts,
    Restart,
    Clear,
    Speed(isize),
    Maps,
    File,
    Save,
    Help,
    Leave,
}

/// Where help says the same twice, the second time it says nothing.
#[rustfmt::skip]
pub(super) const KEYS: &[Key<Deed>] = &[
    key("Enter", Deed::Step, "one round, for all five"),
    key("r", Deed::Run, "run or stop"),
    key("Left", Deed::Go(-1, 0), "move the cursor, and see why the cell lives, dies or is born"),
    key("Right", Deed::Go(1, 0), ""),
    key("Up", Deed::Go(0, -1), ""),
    key("Down", Deed::Go(0, 1), ""),
    key("Space", Deed::Draw, "draw at the cursor: the cell's next state"),
    key("Tab", Deed::Course(1), "the next rule"),
    key("Shift-Tab", Deed::Course(-1), "the rule before"),
    key("c", Deed::Counts, "what the rule counts around each cell, or the cells"),
    key("t", Deed::Restart, "back to round 0"),
    key("Ctrl-T", Deed::Restart, ""),
    key("x", Deed::Clear, "take all cells away"),
    key("+", Deed::Speed(1), "faster"),
    key("=", Deed::Speed(1), ""),
    key("-", Deed::Speed(-1), "slower"),
    key("o", Deed::Maps, "open a built-in map"),
    key(":", Deed::File, "open a map from a file"),
    key("s", Deed::Save, "save this rule's board"),
    key("?", Deed::Help, "this help"),
    key("q", Deed::Leave, "leave"),
    key("Escape", Deed::Leave, ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        crate::rooms::hold_keys(KEYS);
    }
}
