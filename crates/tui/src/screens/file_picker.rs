//! A file picker: a list of files, and an input for another path.

use super::{ChoiceScreen, is_interrupt};
use crate::app::TerminalProfile;
use crate::bar::{self, BarPiece, cut};
use crate::event_loop::FullScreenApp;
use crate::input::TextInput;
use crate::panel::{ChoiceRows, field};
use crate::screen_state::ScreenState;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// A list of files by path with an input: part of a name, which filters the list, or a path. A
/// pure function of its events.
pub struct FilePicker {
    title: String,
    about: String,
    paths: Vec<String>,
    found: Vec<usize>,
    typed: TextInput,
    rows: ChoiceRows,
    went: Option<String>,
    state: ScreenState,
}

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (24, 8);

impl FilePicker {
    /// A list with a title; `about` describes where the files come from.
    #[must_use]
    pub fn new(title: &str, about: &str, paths: Vec<String>, profile: TerminalProfile) -> Self {
        Self {
            title: title.into(),
            about: about.into(),
            found: (0..paths.len()).collect(),
            paths,
            typed: TextInput::default(),
            rows: ChoiceRows::default(),
            went: None,
            state: ScreenState::new((80, 24), profile),
        }
    }

    fn search(&mut self) {
        let wanted = self.typed.text().trim().to_lowercase();
        let paths = self.paths.iter().enumerate();
        let found = paths.filter(|(_, path)| path.to_lowercase().contains(&wanted));
        self.found = found.map(|(at, _)| at).collect();
        self.rows = ChoiceRows::default();
    }

    fn go(&mut self) {
        let typed = self.typed.text().trim();
        self.went = match self.found.get(self.rows.chosen) {
            Some(&at) => Some(self.paths[at].clone()),
            None if typed.is_empty() => None,
            None => Some(typed.to_string()),
        };
        match self.went {
            Some(_) => self.state.is_leaving = true,
            None => self.state.refuse("type the path of a file"),
        }
    }
}

impl FullScreenApp for FilePicker {
    fn event(&mut self, event: &Event) {
        self.state.is_stale = true;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                self.state.note = None;
                match key.code {
                    _ if is_interrupt(key) => self.state.is_leaving = true,
                    KeyCode::Esc => self.state.is_leaving = true,
                    // With an empty input `q` leaves, as on every screen.
                    KeyCode::Char('q') if self.typed.text().is_empty() => {
                        self.state.is_leaving = true
                    }
                    KeyCode::Enter => self.go(),
                    _ if self.rows.key(key, self.found.len()) => {}
                    _ => {
                        self.typed.key(key);
                        self.search();
                    }
                }
            }
            Event::Paste(text) => {
                self.typed.insert(text);
                self.search();
            }
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollUp => self.rows.by(-1, self.found.len()),
                MouseEventKind::ScrollDown => self.rows.by(1, self.found.len()),
                MouseEventKind::Down(MouseButton::Left) => {
                    let at = Position::new(mouse.column, mouse.row);
                    if self.rows.click(at, self.found.len()) == Some(true) {
                        self.go();
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        let ink = self.state.begin(buffer, MIN_SIZE)?;
        let row = |y: u16| Rect::new(0, y, screen.width, 1);
        let top = vec![
            BarPiece::left(0, self.title.clone(), ink.accent()),
            BarPiece::left(1, self.about.clone(), ink.soft()),
        ];
        bar::draw(buffer, row(0), top, ink);
        let inner = Rect::new(1, 2, screen.width - 2, 1);
        let at = field(
            buffer,
            inner,
            "⌕ ",
            &self.typed,
            "a part of a name, or a path",
            ink,
        );
        let list = Rect::new(1, 4, screen.width - 2, screen.height.saturating_sub(7));
        if self.found.is_empty() {
            let words = match self.typed.text().is_empty() {
                true => "there is none here",
                false => "enter opens what is typed",
            };
            buffer.set_stringn(list.x, list.y, words, list.width.into(), ink.soft());
        }
        let first = self.rows.first(list, self.found.len());
        let found = self.found.iter().enumerate().skip(first);
        for ((place, &path), y) in found.zip(list.y..list.bottom()) {
            let columns = usize::from(list.width);
            let style = match place == self.rows.chosen {
                true => ink.chosen(),
                false => ink.strong(),
            };
            buffer.set_string(list.x, y, " ".repeat(columns), style);
            let path = cut(&self.paths[path], columns.saturating_sub(2));
            buffer.set_stringn(list.x + 1, y, path, columns - 1, style);
        }
        let found = models::counted(self.paths.len(), "file");
        let state = vec![BarPiece::left(0, found, ink.text())];
        bar::draw(buffer, row(screen.height - 2), state, ink);
        let hints = ["esc leaves", "enter opens it", "↑ ↓ choose"];
        let footer = self.state.footer(ink, hints);
        bar::draw(buffer, row(screen.height - 1), footer, ink);
        Some(at)
    }

    fn state(&self) -> &ScreenState {
        &self.state
    }
}

impl ChoiceScreen for FilePicker {
    type Choice = String;

    fn parts(&mut self) -> (&mut Option<String>, &mut ScreenState) {
        (&mut self.went, &mut self.state)
    }
}
