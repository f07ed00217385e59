//! The rooms of the terminal, and what they have in common: tables of keys, help made from
//! them, boards of games, lists to choose from.
//!
//! [`Menu`] is the screen from which one goes in; whoever shows it ([`run()`]) opens the room
//! that was chosen and comes back.

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

/// Shows the rooms in this terminal until the person has chosen or left, or `is_stopped` says
/// so.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn run(menu: &mut Menu, is_stopped: &dyn Fn() -> bool) -> Result<ScreenExit, TerminalError> {
    show(menu, is_stopped)
}

/// Shows a list of files in this terminal until the person has chosen or left, or
/// `is_stopped` says so.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn choose(
    shelf: &mut FilePicker,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    show(shelf, is_stopped)
}

/// A key of a room, what it does, and how help says so.
pub(crate) struct ScreenKey<D: 'static> {
    pub(crate) keys: &'static str,
    pub(crate) deed: D,
    /// Nothing where the key before does the same.
    pub(crate) help: &'static str,
}

/// For tables that can be read as such.
pub(crate) const fn key<D>(keys: &'static str, deed: D, help: &'static str) -> ScreenKey<D> {
    ScreenKey { keys, deed, help }
}

/// What a key does by a table, if it does anything.
pub(crate) fn meaning<D: Copy>(table: &[ScreenKey<D>], event: &KeyEvent) -> Option<D> {
    let name = name(event)?;
    let key = table.iter().find(|key| key.keys == name)?;
    Some(key.deed)
}

/// Holds a table to what it promises: each of its keys is one that a terminal sends, and does
/// one thing.
#[cfg(test)]
pub(crate) fn hold_keys<D: Copy + PartialEq + std::fmt::Debug>(table: &[ScreenKey<D>]) {
    for key in table {
        let event = crate::key(key.keys);
        let event = event.unwrap_or_else(|| panic!("{} is no key", key.keys));
        assert_eq!(meaning(table, &event), Some(key.deed), "{}", key.keys);
    }
}

/// Whether it is Ctrl-C, which closes what is open over a room, and leaves where nothing is.
pub(crate) fn is_interrupt(event: &KeyEvent) -> bool {
    event.code == KeyCode::Char('c') && event.modifiers.contains(KeyModifiers::CONTROL)
}

/// What a person is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScreenNotice {
    pub(crate) words: String,
    pub(crate) is_wrong: bool,
}

impl ScreenNotice {
    pub(crate) fn said(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            is_wrong: false,
        }
    }

    pub(crate) fn wrong(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            is_wrong: true,
        }
    }

    pub(crate) fn style(&self, ink: Ink) -> ratatui::style::Style {
        if self.is_wrong {
            ink.wrong()
        } else {
            ink.text()
        }
    }
}

/// The colours of a room.
pub(crate) fn ink(look: TerminalProfile) -> Ink {
    Ink {
        depth: look.depth,
        theme: match look.is_dark {
            true => Theme::BLUEPRINT,
            false => Theme::PAPER,
        },
    }
}

/// Clears a screen. Gives whether it is large enough; where it is not, it says what it needs.
pub(crate) fn begin(buffer: &mut Buffer, least: (u16, u16), ink: Ink) -> bool {
    let screen = buffer.area;
    buffer.reset();
    buffer.set_style(screen, ink.text());
    fits(buffer, least, ink)
}

/// Whether a screen is large enough; where it is not, it says what it needs, in as many lines
/// as that takes: the smaller the screen, the more it has to be read.
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

/// `1 turn`, `2 turns`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
