//! The keys of the classroom screen, the same as on the web page.

use crate::screens::{ScreenKey, key};

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClassroomKeyAction {
    /// Move the cursor by a number of cells.
    Go(i32, i32),
    Step,
    Run,
    Draw,
    /// Go to the next or previous rule.
    Rule(isize),
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

/// An empty help text: the key before has the same action.
#[rustfmt::skip]
pub(super) const KEYS: &[ScreenKey<ClassroomKeyAction>] = &[
    key("Enter", ClassroomKeyAction::Step, "one round, for all five"),
    key("r", ClassroomKeyAction::Run, "run or stop"),
    key("Left", ClassroomKeyAction::Go(-1, 0), "move the cursor, and see why the cell lives, dies or is born"),
    key("Right", ClassroomKeyAction::Go(1, 0), ""),
    key("Up", ClassroomKeyAction::Go(0, -1), ""),
    key("Down", ClassroomKeyAction::Go(0, 1), ""),
    key("Space", ClassroomKeyAction::Draw, "draw at the cursor: the cell's next state"),
    key("Tab", ClassroomKeyAction::Rule(1), "the next rule"),
    key("Shift-Tab", ClassroomKeyAction::Rule(-1), "the rule before"),
    key("c", ClassroomKeyAction::Counts, "what the rule counts around each cell, or the cells"),
    key("t", ClassroomKeyAction::Restart, "back to round 0"),
    key("Ctrl-T", ClassroomKeyAction::Restart, ""),
    key("x", ClassroomKeyAction::Clear, "take all cells away"),
    key("+", ClassroomKeyAction::Speed(1), "faster"),
    key("=", ClassroomKeyAction::Speed(1), ""),
    key("-", ClassroomKeyAction::Speed(-1), "slower"),
    key("o", ClassroomKeyAction::Maps, "open a built-in map"),
    key(":", ClassroomKeyAction::File, "open a map from a file"),
    key("s", ClassroomKeyAction::Save, "save this rule's board"),
    key("?", ClassroomKeyAction::Help, "this help"),
    key("q", ClassroomKeyAction::Leave, "leave"),
    key("Escape", ClassroomKeyAction::Leave, ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        crate::screens::check_keys(KEYS);
    }
}
