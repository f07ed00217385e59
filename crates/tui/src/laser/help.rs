//! Help: the symbols of the board, and the tables of keys and commands.

use super::keys;
use crate::screens::help::{HelpSection, ScreenHelp};
use ::laser::play::command;

/// The symbols of a board.
const SIGNS: &[(&str, &str)] = &[
    ("L> L^ L< Lv", "a laser, and the way it shines"),
    (
        "S> S^ S< Sv",
        "a sensor without light, and the side it opens to",
    ),
    ("*> *^ *< *v", "the same with light: all must be so"),
    ("M/ M\\", "a mirror; it turns light on both of its sides"),
    (
        "B/ B\\",
        "a splitter; light goes through and is turned, both at once",
    ),
    (
        "T> T^ T< Tv",
        "a T-mirror; light onto its point goes to both sides, light from a side goes out at the point",
    ),
    ("─ │ ┼", "light; beams cross freely"),
    ("▒", "a wall"),
    (
        "[ ]  ( )  { }",
        "the cursor; the piece in hand; what a hint moves, and to where",
    ),
];

/// The help panel.
pub(super) fn help() -> ScreenHelp {
    let mouse = [
        ("click, drag", "take a piece and put it down"),
        ("right click", "let go of the piece in hand"),
    ];
    let commands = command::ALL.iter().filter_map(|entry| {
        let keys = command::KEYS.iter().filter(|key| key.command == entry.name);
        let keys: Vec<&str> = keys.map(|key| key.keys).collect();
        (!keys.is_empty()).then(|| (keys.join(" "), entry.help))
    });
    let commands: Vec<(String, &str)> = commands.collect();
    let commands: Vec<(&str, &str)> = commands.iter().map(|(k, h)| (k.as_str(), *h)).collect();
    ScreenHelp::new(vec![
        HelpSection::words("move the hardware until every sensor is lit", &[]),
        HelpSection::keys("this screen", keys::KEYS).with(&mouse),
        HelpSection::words("the game", &commands),
        HelpSection::words("the board", SIGNS),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_listed() {
        for columns in [40, 74] {
            let text = help().text(columns);
            for key in command::KEYS
                .iter()
                .map(|key| key.keys)
                .chain(keys::KEYS.iter().map(|key| key.keys))
            {
                assert!(text.contains(key), "{key} in {text}");
            }
        }
    }
}
