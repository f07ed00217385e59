//! Key names: maps terminal events to the key names of the session's table.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use session::command::KEYS;

/// An action of a key that only the terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TerminalAction {
    /// Open the command line.
    Line,
    /// Flip the cell under the cursor.
    FlipHere,
    /// Begin or end a selection at the cursor.
    Mark,
    /// Choose the next state for drawing.
    NextPen,
    /// Choose the previous state for drawing.
    PreviousPen,
    /// Show the library.
    Library,
    /// Show the settings.
    Settings,
    /// Show the population plot.
    Plot,
    /// Show facts about the pattern.
    About,
    /// Show the history of commands.
    History,
    /// Type what to search for with the selection.
    Search,
    /// Count soups under the rule.
    Census,
    /// Type the name of a picture or a film to write.
    Picture,
    /// Open an empty world beside this one.
    NewWorld,
    /// Show the list of open worlds.
    Worlds,
    /// Show the next world.
    NextWorld,
    /// Show the previous world.
    PreviousWorld,
    /// Leave.
    Leave,
}

impl TerminalAction {
    /// The command-line word with the same effect; empty where there is none.
    pub(crate) fn word(self) -> &'static str {
        let key = ACTION_KEYS.iter().find(|key| key.action == self);
        key.map_or("", |key| key.word)
    }
}

/// A key binding of the terminal's own, with its help text.
pub(crate) struct TerminalKey {
    pub(crate) keys: &'static str,
    pub(crate) action: TerminalAction,
    /// The command-line word with the same effect, if there is one.
    pub(crate) word: &'static str,
    pub(crate) help: &'static str,
}

const fn action(
    keys: &'static str,
    action: TerminalAction,
    word: &'static str,
    help: &'static str,
) -> TerminalKey {
    TerminalKey {
        keys,
        action,
        word,
        help,
    }
}

/// Key bindings that the session's table leaves free.
#[rustfmt::skip]
pub(crate) const ACTION_KEYS: &[TerminalKey] = &[
    action(":", TerminalAction::Line, "", "type a command; Tab completes it"),
    action("/", TerminalAction::Line, "", "the same"),
    action(".", TerminalAction::FlipHere, "", "toggle the cell at the cursor; Shift and arrows move it"),
    action("v", TerminalAction::Mark, "", "select from the cursor on; again ends it"),
    action("e", TerminalAction::NextPen, "", "draw with the next state"),
    action("Shift-E", TerminalAction::PreviousPen, "", "draw with the state before"),
    action("o", TerminalAction::Library, "library", "the built-in patterns"),
    action(",", TerminalAction::Settings, "settings", "switches and values"),
    action("p", TerminalAction::Plot, "plot", "population, births, deaths and size over time"),
    action("i", TerminalAction::About, "about", "about the pattern and its rule"),
    action("Shift-S", TerminalAction::Search, "search", "search with the selection: predecessor, orphan, or osc PERIOD"),
    action("Shift-I", TerminalAction::Census, "census", "count what soups leave under this rule"),
    action("Shift-P", TerminalAction::Picture, "picture", "write a picture or a film: picture a.gif 0..60 every 2 whole zoom 8 fps 10"),
    action("u", TerminalAction::History, "past", "the commands so far, and undo"),
    action("Shift-N", TerminalAction::NewWorld, "new", "an empty world beside this one; new PATTERN opens it there"),
    action("Shift-W", TerminalAction::Worlds, "worlds", "the open worlds; world N shows one, clone copies this one, close ends it, reopen brings it back"),
    action("Ctrl-PageDown", TerminalAction::NextWorld, "next-world", "the next world"),
    action("Ctrl-PageUp", TerminalAction::PreviousWorld, "previous-world", "the world before"),
    action("q", TerminalAction::Leave, "leave", "leave; asks before unsaved work is discarded"),
];

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TerminalKeyMeaning {
    /// Send a command.
    Command(&'static str),
    /// Perform an action of the terminal.
    Action(TerminalAction),
}

/// What a key means on the plane, if anything.
pub(crate) fn meaning(event: &KeyEvent) -> Option<TerminalKeyMeaning> {
    let name = name(event)?;
    if let Some(key) = KEYS.iter().find(|key| key.keys == name) {
        return Some(TerminalKeyMeaning::Command(key.command));
    }
    let action = ACTION_KEYS.iter().find(|key| key.keys == name)?;
    Some(TerminalKeyMeaning::Action(action.action))
}

/// The key's name in the session's table: `Ctrl-Z`, `Shift-Left`, `a`, `+`.
pub(crate) fn name(event: &KeyEvent) -> Option<String> {
    let has = |modifier| event.modifiers.contains(modifier);
    if has(KeyModifiers::ALT) || has(KeyModifiers::SUPER) {
        return None;
    }
    let (mut is_shifted, is_control) = (has(KeyModifiers::SHIFT), has(KeyModifiers::CONTROL));
    let key = match event.code {
        KeyCode::Enter => "Enter".into(),
        KeyCode::Backspace => "Backspace".into(),
        KeyCode::Tab => "Tab".into(),
        KeyCode::BackTab => {
            is_shifted = true;
            "Tab".into()
        }
        KeyCode::Esc => "Escape".into(),
        KeyCode::Delete => "Delete".into(),
        KeyCode::Left => "Left".into(),
        KeyCode::Right => "Right".into(),
        KeyCode::Up => "Up".into(),
        KeyCode::Down => "Down".into(),
        KeyCode::Home => "Home".into(),
        KeyCode::End => "End".into(),
        KeyCode::PageUp => "PageUp".into(),
        KeyCode::PageDown => "PageDown".into(),
        KeyCode::F(n) => format!("F{n}"),
        KeyCode::Char(' ') => "Space".into(),
        KeyCode::Char(c) if c.is_alphabetic() => {
            // Terminals send capitals with or without Shift.
            is_shifted |= c.is_uppercase();
            if is_shifted || is_control {
                c.to_uppercase().to_string()
            } else {
                c.to_string()
            }
        }
        // The typed character includes Shift already.
        KeyCode::Char(c) => {
            is_shifted = false;
            c.to_string()
        }
        _ => return None,
    };
    let shift = if is_shifted { "Shift-" } else { "" };
    let control = if is_control { "Ctrl-" } else { "" };
    Some(format!("{shift}{control}{key}"))
}

/// The terminal event for a key's name.
#[must_use]
pub fn event(name: &str) -> Option<KeyEvent> {
    let mut modifiers = KeyModifiers::NONE;
    let mut rest = name;
    loop {
        let (modifier, after) = if let Some(after) = rest.strip_prefix("Shift-") {
            (KeyModifiers::SHIFT, after)
        } else if let Some(after) = rest.strip_prefix("Ctrl-") {
            (KeyModifiers::CONTROL, after)
        } else {
            break;
        };
        if after.is_empty() {
            break;
        }
        modifiers |= modifier;
        rest = after;
    }
    let code = match rest {
        "Enter" => KeyCode::Enter,
        "Backspace" => KeyCode::Backspace,
        "Tab" if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        "Tab" => KeyCode::Tab,
        "Escape" => KeyCode::Esc,
        "Delete" => KeyCode::Delete,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PageUp" => KeyCode::PageUp,
        "PageDown" => KeyCode::PageDown,
        "Space" => KeyCode::Char(' '),
        _ => {
            let number = rest.strip_prefix('F').and_then(|n| n.parse().ok());
            match number {
                Some(n) => KeyCode::F(n),
                None => {
                    let mut signs = rest.chars();
                    let (Some(sign), None) = (signs.next(), signs.next()) else {
                        return None;
                    };
                    let is_plain = !modifiers.contains(KeyModifiers::CONTROL)
                        && modifiers.contains(KeyModifiers::SHIFT);
                    KeyCode::Char(match is_plain {
                        true => sign.to_ascii_uppercase(),
                        false => sign.to_ascii_lowercase(),
                    })
                }
            }
        }
    };
    Some(KeyEvent::new(code, modifiers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_table_arrives() {
        for key in KEYS {
            let event = event(key.keys).unwrap_or_else(|| panic!("{} is no key", key.keys));
            assert_eq!(name(&event).as_deref(), Some(key.keys));
            assert_eq!(
                meaning(&event),
                Some(TerminalKeyMeaning::Command(key.command))
            );
        }
    }

    #[test]
    fn own_keys_are_free_and_arrive() {
        for key in ACTION_KEYS {
            assert!(
                KEYS.iter().all(|k| k.keys != key.keys),
                "{} is taken",
                key.keys
            );
            let event = event(key.keys).unwrap_or_else(|| panic!("{} is no key", key.keys));
            assert_eq!(
                meaning(&event),
                Some(TerminalKeyMeaning::Action(key.action))
            );
        }
    }

    #[test]
    fn capitals_come_with_and_without_shift() {
        for modifiers in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
            let event = KeyEvent::new(KeyCode::Char('A'), modifiers);
            assert_eq!(
                meaning(&event),
                Some(TerminalKeyMeaning::Command("age toggle"))
            );
        }
        let plus = KeyEvent::new(KeyCode::Char('+'), KeyModifiers::SHIFT);
        assert_eq!(
            meaning(&plus),
            Some(TerminalKeyMeaning::Command("speed faster"))
        );
        let with_alt = KeyEvent::new(KeyCode::Char('a'), KeyModifiers::ALT);
        assert_eq!(meaning(&with_alt), None);
    }
}
