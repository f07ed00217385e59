//! The keys of the replay screen, the same as on the web page.

use crate::screens::{ScreenKey, key};

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplayKeyAction {
    /// Go a number of plies forward.
    By(isize),
    Start,
    End,
    Play,
    Speed(isize),
    GoTo,
    /// Show the other seat's view.
    Turn,
    /// Show both views, or one.
    Both,
    Game(isize),
    List,
    Said,
    Help,
    Leave,
}

/// An empty help text: the key before has the same action.
#[rustfmt::skip]
pub(super) const KEYS: &[ScreenKey<ReplayKeyAction>] = &[
    key("Left", ReplayKeyAction::By(-1), "a turn back"),
    key("Right", ReplayKeyAction::By(1), "a turn on"),
    key("Shift-Left", ReplayKeyAction::By(-10), "ten turns back"),
    key("PageUp", ReplayKeyAction::By(-10), ""),
    key("Shift-Right", ReplayKeyAction::By(10), "ten turns on"),
    key("PageDown", ReplayKeyAction::By(10), ""),
    key("Home", ReplayKeyAction::Start, "to the start"),
    key("End", ReplayKeyAction::End, "to the end"),
    key("Space", ReplayKeyAction::Play, "play, or pause"),
    key("Enter", ReplayKeyAction::Play, ""),
    key("+", ReplayKeyAction::Speed(1), "quicker"),
    key("=", ReplayKeyAction::Speed(1), ""),
    key("-", ReplayKeyAction::Speed(-1), "slower"),
    key("g", ReplayKeyAction::GoTo, "go to a turn"),
    key("v", ReplayKeyAction::Both, "both seats' views, or one"),
    key("t", ReplayKeyAction::Turn, "turn the board to the other seat's view"),
    key("n", ReplayKeyAction::Game(1), "the next game of the file"),
    key("p", ReplayKeyAction::Game(-1), "the one before"),
    key("o", ReplayKeyAction::List, "all games of the file"),
    key("e", ReplayKeyAction::Said, "what bots printed, and what is known of them"),
    key("?", ReplayKeyAction::Help, "this help"),
    key("q", ReplayKeyAction::Leave, "leave"),
    key("Escape", ReplayKeyAction::Leave, ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        crate::screens::check_keys(KEYS);
    }
}
