//! The room's keys, as the page has them.

use crate::rooms::{Key, key};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// So many plies on.
    By(isize),
    Start,
    End,
    Play,
    Speed(isize),
    GoTo,
    /// To the other seat's view.
    Turn,
    /// Both views, or one.
    Both,
    Game(isize),
    List,
    Said,
    Help,
    Leave,
}

/// Where help says the same twice, the second time it says nothing.
#[rustfmt::skip]
pub(super) const KEYS: &[Key<Deed>] = &[
    key("Left", Deed::By(-1), "a turn back"),
    key("Right", Deed::By(1), "a turn on"),
    key("Shift-Left", Deed::By(-10), "ten turns back"),
    key("PageUp", Deed::By(-10), ""),
    key("Shift-Right", Deed::By(10), "ten turns on"),
    key("PageDown", Deed::By(10), ""),
    key("Home", Deed::Start, "to the start"),
    key("End", Deed::End, "to the end"),
    key("Space", Deed::Play, "play, or pause"),
    key("Enter", Deed::Play, ""),
    key("+", Deed::Speed(1), "quicker"),
    key("=", Deed::Speed(1), ""),
    key("-", Deed::Speed(-1), "slower"),
    key("g", Deed::GoTo, "go to a turn"),
    key("v", Deed::Both, "both seats' views, or one"),
    key("t", Deed::Turn, "turn the board to the other seat's view"),
    key("n", Deed::Game(1), "the next game of the file"),
    key("p", Deed::Game(-1), "the one before"),
    key("o", Deed::List, "all games of the file"),
    key("e", Deed::Said, "what bots printed, and what is known of them"),
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
