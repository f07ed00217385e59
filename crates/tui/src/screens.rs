//! Common parts of the terminal's screens: key tables, help from these tables, game boards, and
//! lists.
//!
//! [`Menu`] is the screen to choose another screen from; its owner opens the chosen one and returns
//! to the menu.

pub(crate) mod board;
mod file_picker;
pub(crate) mod help;
mod menu;

pub use file_picker::FilePicker;
pub use menu::{Menu, MenuChoice};

use crate::event_loop::FullScreenApp;
use crate::keys::name;
use crate::screen_state::ScreenState;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A screen that is left with a choice, and can be shown again afterwards.
pub trait ChoiceScreen: FullScreenApp {
    /// What is chosen.
    type Choice;

    /// The choice and the state.
    fn parts(&mut self) -> (&mut Option<Self::Choice>, &mut ScreenState);

    /// Takes the choice, if there is one.
    fn take_choice(&mut self) -> Option<Self::Choice> {
        let (choice, state) = self.parts();
        state.is_leaving = false;
        state.is_stale = true;
        choice.take()
    }

    /// Shows a message in the status line: why the choice could not be opened.
    fn show_message(&mut self, words: &str) {
        self.parts().1.show_message(words, true);
    }
}

/// A key binding of a screen, with its help text.
pub struct ScreenKey<D: 'static> {
    pub(crate) keys: &'static str,
    pub(crate) action: D,
    /// Empty where the key before has the same action.
    pub(crate) help: &'static str,
}

/// A short constructor for tables.
pub(crate) const fn key<D>(keys: &'static str, action: D, help: &'static str) -> ScreenKey<D> {
    ScreenKey { keys, action, help }
}

/// The action of a key in a table, if any.
pub(crate) fn meaning<D: Copy>(table: &[ScreenKey<D>], event: &KeyEvent) -> Option<D> {
    let name = name(event)?;
    let key = table.iter().find(|key| key.keys == name)?;
    Some(key.action)
}

/// Checks a table: a terminal can send each of its keys, and each key has one action.
#[cfg(test)]
pub(crate) fn check_keys<D: Copy + PartialEq + std::fmt::Debug>(table: &[ScreenKey<D>]) {
    for key in table {
        let event = crate::key(key.keys);
        let event = event.unwrap_or_else(|| panic!("{} is no key", key.keys));
        assert_eq!(meaning(table, &event), Some(key.action), "{}", key.keys);
    }
}

/// Whether it is Ctrl-C, which closes an open panel, or else leaves the screen.
pub(crate) fn is_interrupt(event: &KeyEvent) -> bool {
    event.code == KeyCode::Char('c') && event.modifiers.contains(KeyModifiers::CONTROL)
}
