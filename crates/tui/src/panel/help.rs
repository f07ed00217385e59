//! The help panel, from the session's tables of commands and keys.

use super::{PanelRequest, ScrollRows, field, window};
use crate::bar::width;
use crate::ink::Ink;
use crate::input::TextInput;
use crate::keys::ACTION_KEYS;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};
use session::command::{ALL, Group, KEYS};

/// The scroll position and the filter.
#[derive(Debug, Default)]
pub(crate) struct CommandHelp {
    pub(crate) rows: ScrollRows,
    pub(crate) filter: TextInput,
}

/// A row of the help.
enum HelpRow {
    Heading(&'static str),
    Line {
        keys: String,
        what: String,
        help: String,
    },
    Blank,
}

/// What the mouse does.
const MOUSE: [(&str, &str); 4] = [
    ("click, drag", "draw, select, move or pick, as the tool is"),
    ("wheel", "zoom about the pointer"),
    ("right drag", "move the view"),
    ("click ▶ or ‖", "run or stop"),
];

/// The keys that a newcomer wants first. They are listed again with their commands.
const TEN_KEYS: [(&str, &str); 10] = [
    ("Enter", "run and stop"),
    ("Space", "one step"),
    ("Backspace", "one step back"),
    ("+ -", "faster, slower"),
    ("PageUp PageDown", "longer steps, shorter steps"),
    ("[ ]", "zoom out, zoom in"),
    ("f", "fit the whole pattern into the view"),
    ("Ctrl-Z", "undo"),
    ("o", "the library of patterns"),
    (":", "type a command"),
];

/// The width of the column of keys.
const KEYS_WIDTH: usize = 18;

impl CommandHelp {
    pub(crate) fn key(&mut self, event: &KeyEvent) -> PanelRequest {
        if self.rows.scroll_key(event) {
            return PanelRequest::Stay;
        }
        let is_empty = self.filter.text().is_empty();
        match event.code {
            KeyCode::Enter => return PanelRequest::Close,
            KeyCode::Char('?' | 'q') if is_empty => return PanelRequest::Close,
            KeyCode::Char(' ') if is_empty => self.rows.by(self.rows.page()),
            _ => {
                self.filter.key(event);
                self.rows = ScrollRows::default();
            }
        }
        PanelRequest::Stay
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, ink: Ink) -> Position {
        let hint = "type to search · ↑ ↓ scroll · esc closes";
        let inner = window(buffer, area, (78, 40), ("help", hint), ink);
        let at = field(buffer, inner, "⌕ ", &self.filter, "search", ink);
        let rows = rows(self.filter.text(), usize::from(inner.width));
        let list = Rect {
            y: inner.y + 2,
            height: inner.height.saturating_sub(2),
            ..inner
        };
        let first = self.rows.scrolled(list, rows.len());
        for (row, y) in rows.iter().skip(first).zip(list.y..list.bottom()) {
            let available = usize::from(inner.width);
            match row {
                HelpRow::Heading(title) => {
                    buffer.set_stringn(inner.x, y, title, available, ink.accent());
                }
                HelpRow::Line { keys, what, help } => {
                    buffer.set_stringn(inner.x, y, keys, KEYS_WIDTH - 1, ink.strong());
                    let x = inner.x + KEYS_WIDTH as u16;
                    let available = available.saturating_sub(KEYS_WIDTH);
                    let (x, _) = buffer.set_stringn(x, y, what, available, ink.text());
                    let gap = if what.is_empty() { 0 } else { 2 };
                    let available = usize::from(inner.right()).saturating_sub(usize::from(x) + gap);
                    buffer.set_stringn(x + gap as u16, y, help, available, ink.soft());
                }
                HelpRow::Blank => {}
            }
        }
        at
    }
}

/// The rows that contain the word.
fn rows(word: &str, columns: usize) -> Vec<HelpRow> {
    let wanted = word.trim().to_lowercase();
    let mut rows = Vec::new();
    let section = |rows: &mut Vec<HelpRow>, title: &'static str, lines: Vec<[String; 3]>| {
        let found = lines.into_iter().filter(|line| {
            let is_here = |part: &String| part.to_lowercase().contains(&wanted);
            title.contains(&wanted) || line.iter().any(is_here)
        });
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            return;
        }
        if !rows.is_empty() {
            rows.push(HelpRow::Blank);
        }
        rows.push(HelpRow::Heading(title));
        for [keys, what, help] in found {
            let is_short = KEYS_WIDTH + width(&what) + 2 + width(&help) <= columns;
            let line =
                |keys: String, what: String, help: String| HelpRow::Line { keys, what, help };
            if is_short && width(&keys) < KEYS_WIDTH {
                rows.push(line(keys, what, help));
                continue;
            }
            // Further keys continue below, beside the description.
            let mut keys = super::wrapped(&keys, KEYS_WIDTH - 1).into_iter();
            if !what.is_empty() {
                rows.push(line(keys.next().unwrap_or_default(), what, String::new()));
            }
            let mut helps = super::wrapped(&help, columns.saturating_sub(KEYS_WIDTH)).into_iter();
            loop {
                match (keys.next(), helps.next()) {
                    (None, None) => break,
                    (keys, help) => rows.push(line(
                        keys.unwrap_or_default(),
                        String::new(),
                        help.unwrap_or_default(),
                    )),
                }
            }
        }
    };
    for (title, lines) in [("the mouse", &MOUSE[..]), ("ten keys", &TEN_KEYS[..])] {
        let lines = lines.iter();
        let lines = lines.map(|(keys, help)| [(*keys).to_string(), String::new(), (*help).into()]);
        section(&mut rows, title, lines.collect());
    }
    let own = ACTION_KEYS.iter().map(|key| {
        let what = key.word.to_string();
        [key.keys.to_string(), what, key.help.to_string()]
    });
    section(&mut rows, "this screen", own.collect());
    for group in Group::ALL {
        let entries = ALL.iter().filter(|entry| entry.group == group);
        let lines = entries.map(|entry| {
            let what = format!("{} {}", entry.name, entry.usage);
            [
                keys_of(entry.name),
                what.trim_end().into(),
                entry.help.into(),
            ]
        });
        section(&mut rows, group.title(), lines.collect());
    }
    rows
}

/// The keys that send a command of this name.
fn keys_of(name: &str) -> String {
    let sends = |command: &str| command.split(' ').next() == Some(name);
    let keys: Vec<&str> = KEYS
        .iter()
        .filter(|key| sends(key.command))
        .map(|key| key.keys)
        .collect();
    keys.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_key_is_listed() {
        let all = rows("", 74);
        let text: String = all
            .iter()
            .map(|row| match row {
                HelpRow::Heading(title) => format!("{title}\n"),
                HelpRow::Line { keys, what, help } => format!("{keys} {what} {help}\n"),
                HelpRow::Blank => "\n".into(),
            })
            .collect();
        for entry in ALL {
            assert!(text.contains(entry.name), "{}", entry.name);
        }
        for key in KEYS {
            assert!(text.contains(key.keys), "{}", key.keys);
        }
        assert!(rows("no such word", 74).is_empty());
        // it begins with the mouse and with keys that there are
        assert!(text.starts_with("the mouse\n"));
        let is_key = |name: &str| {
            KEYS.iter().any(|key| key.keys == name)
                || ACTION_KEYS.iter().any(|key| key.keys == name)
        };
        let names = TEN_KEYS.iter().flat_map(|(keys, _)| keys.split(' '));
        assert_eq!(names.filter(|name| !is_key(name)).count(), 0);
        assert!(rows("rotate", 74).len() < 6);
    }
}
