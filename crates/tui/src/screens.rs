//! Common parts of the terminal's screens: key tables, help from these tables, game boards, and
//! lists.
//!
//! [`Menu`] is the screen to choose another screen from; its owner ([`run()`]) opens the chosen
//! one and returns to the menu.

pub(crate) mod board;
mod file_picker;
pub(crate) mod help;
mod menu;

pub use file_picker::FilePicker;
pub use menu::{Menu, MenuChoice};

use crate::event_loop::{ScreenExit, TerminalError, show};
use crate::keys::name;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Runs the menu in this terminal until the user has chosen or left, or `is_stopped` returns
/// true.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn run(menu: &mut Menu, is_stopped: &dyn Fn() -> bool) -> Result<ScreenExit, TerminalError> {
    show(menu, is_stopped)
}

/// Runs a file picker in this terminal until the user has chosen or left, or `is_stopped` returns
/// true.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn choose(
    shelf: &mut FilePicker,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    show(shelf, is_stopped)
}

/// A key binding of a screen, with its help text.
pub(crate) struct ScreenKey<D: 'static> {
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
