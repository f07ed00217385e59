//! The help of a screen, from its key table.

use super::ScreenKey;
use crate::ink::Ink;
use crate::panel::{ScrollRows, window, wrapped};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

/// The help panel and its scroll position.
#[derive(Debug)]
pub(crate) struct ScreenHelp {
    pub(crate) rows: ScrollRows,
    title: &'static str,
    content: HelpContent,
}

/// What the panel shows.
#[derive(Debug)]
enum HelpContent {
    Sections(Vec<HelpSection>),
    /// Lines as they are.
    Text(String),
}

/// A heading with rows of keys or symbols and their descriptions.
#[derive(Debug)]
pub(crate) struct HelpSection {
    title: String,
    rows: Vec<(String, String)>,
}

impl HelpSection {
    /// The keys of a table; those with the same action share a row.
    pub(crate) fn keys<D>(title: &str, table: &[ScreenKey<D>]) -> Self {
        let mut rows: Vec<(String, String)> = Vec::new();
        for key in table {
            match rows.last_mut() {
                Some((keys, _)) if key.help.is_empty() => {
                    keys.push(' ');
                    keys.push_str(key.keys);
                }
                _ => rows.push((key.keys.into(), key.help.into())),
            }
        }
        Self {
            title: title.into(),
            rows,
        }
    }

    /// The same section with further rows.
    pub(crate) fn with(mut self, rows: &[(&str, &str)]) -> Self {
        self.rows
            .extend(rows.iter().map(|&(a, b)| (a.into(), b.into())));
        self
    }

    /// Symbols, or mouse actions.
    pub(crate) fn words(title: &str, rows: &[(&str, &str)]) -> Self {
        let rows = rows.iter().map(|&(a, b)| (a.into(), b.into()));
        Self {
            title: title.into(),
            rows: rows.collect(),
        }
    }
}

/// The width of the column for keys and symbols.
const FIRST: usize = 19;

impl ScreenHelp {
    pub(crate) fn new(sections: Vec<HelpSection>) -> Self {
        Self {
            rows: ScrollRows::default(),
            title: "help",
            content: HelpContent::Sections(sections),
        }
    }

    /// A panel with a text that keeps its line breaks.
    pub(crate) fn from_text(title: &'static str, text: &str) -> Self {
        Self {
            rows: ScrollRows::default(),
            title,
            content: HelpContent::Text(text.into()),
        }
    }

    /// Handles a key. Returns whether help stays open: a key that does not scroll closes it.
    pub(crate) fn key(&mut self, event: &KeyEvent) -> bool {
        match event.code {
            KeyCode::Char(' ') => self.rows.by(self.rows.page()),
            _ => return self.rows.scroll_key(event),
        }
        true
    }

    /// All lines, as text.
    #[cfg(test)]
    pub(crate) fn text(&self, columns: usize) -> String {
        let lines = self.lines(columns).into_iter();
        let lines = lines.map(|(keys, words)| format!("{keys} {}\n", words.unwrap_or_default()));
        lines.collect()
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, ink: Ink) {
        let hint = "↑ ↓ scroll · esc closes";
        let inner = window(buffer, area, (78, 46), (self.title, hint), ink);
        let lines = self.lines(usize::from(inner.width));
        let first = self.rows.scrolled(inner, lines.len());
        for ((keys, words), y) in lines.iter().skip(first).zip(inner.y..inner.bottom()) {
            let style = match (words, &self.content) {
                (_, HelpContent::Text(_)) => ink.text(),
                (None, _) => ink.accent(),
                (Some(_), _) => ink.strong(),
            };
            buffer.set_stringn(inner.x, y, keys, inner.width.into(), style);
            let x = inner.x + FIRST as u16;
            let available = usize::from(inner.width).saturating_sub(FIRST);
            let words = words.as_deref().unwrap_or_default();
            buffer.set_stringn(x, y, words, available, ink.text());
        }
    }

    /// Keys or symbols with their descriptions; a heading has none.
    fn lines(&self, columns: usize) -> Vec<(String, Option<String>)> {
        let mut lines = Vec::new();
        let sections = match &self.content {
            HelpContent::Sections(sections) => sections,
            HelpContent::Text(text) => {
                return text.lines().map(|line| (line.into(), None)).collect();
            }
        };
        for section in sections {
            if !lines.is_empty() {
                lines.push((String::new(), None));
            }
            lines.push((section.title.clone(), None));
            for (first, words) in &section.rows {
                let mut firsts = wrapped(first, FIRST - 1).into_iter();
                let mut words = wrapped(words, columns.saturating_sub(FIRST)).into_iter();
                loop {
                    match (firsts.next(), words.next()) {
                        (None, None) => break,
                        (first, words) => {
                            lines.push((first.unwrap_or_default(), Some(words.unwrap_or_default())))
                        }
                    }
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screens::key;

    #[test]
    fn keys_that_do_the_same_share_a_row() {
        let table = [
            key("u", 1, "back"),
            key("Ctrl-Z", 1, ""),
            key("q", 2, "leave"),
        ];
        let help = ScreenHelp::new(vec![HelpSection::keys("keys", &table)]);
        let lines = help.lines(60);
        let row = |keys: &str, words: &str| (keys.to_string(), Some(words.to_string()));
        assert_eq!(lines[1..], [row("u Ctrl-Z", "back"), row("q", "leave")]);
    }
}
