//! What every screen holds: its size, its colours, a message, and whether the user has left.

use crate::app::TerminalProfile;
use crate::bar::BarPiece;
use crate::ink::Ink;
use crate::panel::wrapped;
use crate::screens::help::ScreenHelp;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use render::Theme;

/// What every screen holds.
#[derive(Debug)]
pub struct ScreenState {
    /// Columns and rows.
    pub(crate) size: (u16, u16),
    pub(crate) profile: TerminalProfile,
    pub(crate) note: Option<ScreenNotice>,
    pub(crate) help: Option<ScreenHelp>,
    pub(crate) is_leaving: bool,
    pub(crate) is_stale: bool,
}

impl ScreenState {
    pub(crate) fn new(size: (u16, u16), profile: TerminalProfile) -> Self {
        Self {
            size,
            profile,
            note: None,
            help: None,
            is_leaving: false,
            is_stale: true,
        }
    }

    /// Puts a message into the status line.
    pub(crate) fn inform(&mut self, words: impl Into<String>) {
        self.note = Some(ScreenNotice::info(words));
    }

    /// Puts an error into the status line.
    pub(crate) fn refuse(&mut self, words: impl Into<String>) {
        self.note = Some(ScreenNotice::error(words));
    }

    /// Shows a message in the status line.
    pub(crate) fn show_message(&mut self, words: impl Into<String>, is_error: bool) {
        let words = words.into();
        self.note = Some(ScreenNotice { words, is_error });
        self.is_stale = true;
    }

    /// Handles a key where help is open. Returns whether it was.
    pub(crate) fn help_key(&mut self, event: &KeyEvent) -> bool {
        let Some(help) = &mut self.help else {
            return false;
        };
        if !help.key(event) {
            self.help = None;
        }
        true
    }

    /// Scrolls help that is open by some rows, or closes it. Returns whether it was open.
    pub(crate) fn help_mouse(&mut self, rows: i32, is_press: bool) -> bool {
        let Some(help) = &mut self.help else {
            return false;
        };
        help.rows.by(rows);
        if is_press {
            self.help = None;
        }
        true
    }

    /// Draws help that is open, between the first row and the last two. Returns whether it is.
    pub(crate) fn draw_help(&mut self, buffer: &mut Buffer, ink: Ink) -> bool {
        let Some(help) = &mut self.help else {
            return false;
        };
        let screen = buffer.area;
        let area = Rect::new(0, 1, screen.width, screen.height.saturating_sub(3));
        help.draw(buffer, area, ink);
        true
    }

    /// The last row: the message, and hints at the right, the most important one first.
    pub(crate) fn footer<const N: usize>(&self, ink: Ink, hints: [&str; N]) -> Vec<BarPiece> {
        let note = self.note.iter();
        let note = note.map(|note| BarPiece::left(0, note.words.clone(), note.style(ink)));
        let hints = (1..).zip(hints);
        let hints = hints.map(|(rank, hint)| BarPiece::right(rank, hint, ink.soft()));
        note.chain(hints).collect()
    }

    /// Begins to draw: clears the screen, and returns its colours. Where it is smaller than
    /// `least`, it shows that instead.
    pub(crate) fn begin(&mut self, buffer: &mut Buffer, least: (u16, u16)) -> Option<Ink> {
        let screen = buffer.area;
        self.size = (screen.width, screen.height);
        self.is_stale = false;
        let ink = ink(self.profile);
        buffer.reset();
        buffer.set_style(screen, ink.text());
        fits(buffer, least, ink).then_some(ink)
    }
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
