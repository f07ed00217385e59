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

use crate::app::TerminalProfile;
use crate::event_loop::{ScreenExit, TerminalError, show};
use crate::ink::Ink;
use crate::keys::name;
use crate::panel::wrapped;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use render::Theme;

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

/// A message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScreenNotice {
    pub(crate) words: String,
    pub(crate) is_error: bool,
}

impl ScreenNotice {
    pub(crate) fn info(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            is_error: false,
        }
    }

    pub(crate) fn error(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            is_error: true,
        }
    }

    pub(crate) fn style(&self, ink: Ink) -> ratatui::style::Style {
        if self.is_error {
            ink.wrong()
        } else {
            ink.text()
        }
    }
}

/// The colours of a screen.
pub(crate) fn ink(profile: TerminalProfile) -> Ink {
    Ink {
        depth: profile.depth,
        theme: match profile.is_dark {
            true => Theme::BLUEPRINT,
            false => Theme::PAPER,
        },
    }
}

/// Clears the screen. Returns whether it is large enough; else it shows the required size.
pub(crate) fn begin(buffer: &mut Buffer, least: (u16, u16), ink: Ink) -> bool {
    let screen = buffer.area;
    buffer.reset();
    buffer.set_style(screen, ink.text());
    fits(buffer, least, ink)
}

/// Returns whether the screen is large enough; else shows the required size, wrapped to as many
/// lines as needed.
pub(crate) fn fits(buffer: &mut Buffer, least: (u16, u16), ink: Ink) -> bool {
    let screen = buffer.area;
    if screen.width >= least.0 && screen.height >= least.1 {
        return true;
    }
    buffer.set_style(screen, ink.text());
    let words = format!("too small: {}x{} at least", least.0, least.1);
    let lines = wrapped(&words, screen.width.into());
    let above = (screen.height + 1).saturating_sub(lines.len() as u16) / 2;
    for (line, y) in lines.iter().zip(screen.y + above..screen.bottom()) {
        buffer.set_stringn(screen.x, y, line, screen.width.into(), ink.text());
    }
    false
}
