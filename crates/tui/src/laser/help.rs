//! Help: the symbols of the board, and the tables of keys and commands.

use super::keys::ACTION_KEYS;
use super::list::LevelListRequest;
use crate::ink::Ink;
use crate::panel::{ScrollRows, window};
use ::laser::play::command::{ALL, KEYS};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

/// The help panel and its scroll position.
#[derive(Debug, Default)]
pub(super) struct LaserHelp {
    pub(super) rows: ScrollRows,
}

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

/// The width of the column for keys and symbols.
const FIRST: usize = 19;

impl LaserHelp {
    /// Handles a key: one that does not scroll closes the panel.
    pub(super) fn key(&mut self, event: &KeyEvent) -> LevelListRequest {
        match event.code {
            KeyCode::Char(' ') => self.rows.by(self.rows.page()),
            _ if self.rows.scroll_key(event) => {}
            _ => return LevelListRequest::Close,
        }
        LevelListRequest::Stay
    }

    pub(super) fn draw(&mut self, buffer: &mut Buffer, area: Rect, ink: Ink) {
        let hint = "↑ ↓ scroll · esc closes";
        let inner = window(buffer, area, (78, 46), ("help", hint), ink);
        let lines = lines(usize::from(inner.width));
        let first = self.rows.scrolled(inner, lines.len());
        for ((keys, words), y) in lines.iter().skip(first).zip(inner.y..inner.bottom()) {
            let is_heading = words.is_empty();
            let style = if is_heading {
                ink.accent()
            } else {
                ink.strong()
            };
            buffer.set_stringn(inner.x, y, keys, inner.width.into(), style);
            let x = inner.x + FIRST as u16;
            let available = usize::from(inner.width).saturating_sub(FIRST);
            buffer.set_stringn(x, y, words, available, ink.text());
        }
    }
}

/// Keys or symbols with their descriptions; a heading has no description.
fn lines(columns: usize) -> Vec<(String, String)> {
    let mut lines = vec![(
        "move the hardware until every sensor is lit".to_string(),
        String::new(),
    )];
    let mut section = |title: &str, rows: Vec<(String, String)>| {
        lines.push((String::new(), String::new()));
        lines.push((title.to_string(), String::new()));
        for (first, words) in rows {
            let mut firsts = crate::panel::wrapped(&first, FIRST - 1).into_iter();
            let mut words =
                crate::panel::wrapped(&words, columns.saturating_sub(FIRST)).into_iter();
            loop {
                match (firsts.next(), words.next()) {
                    (None, None) => break,
                    // A space distinguishes the row from a heading.
                    (first, words) => lines.push((
                        first.unwrap_or_default(),
                        words.unwrap_or_else(|| " ".into()),
                    )),
                }
            }
        }
    };
    let mut own: Vec<(String, String)> = Vec::new();
    for key in ACTION_KEYS {
        match own.last_mut() {
            Some((keys, _)) if key.help.is_empty() => {
                keys.push(' ');
                keys.push_str(key.keys);
            }
            _ => own.push((key.keys.into(), key.help.into())),
        }
    }
    own.push(("click, drag".into(), "take a piece and put it down".into()));
    own.push(("right click".into(), "let go of the piece in hand".into()));
    section("this screen", own);
    let entries = ALL.iter().map(|entry| {
        let keys = KEYS.iter().filter(|key| key.command == entry.name);
        let keys: Vec<&str> = keys.map(|key| key.keys).collect();
        (keys.join(" "), entry.help.to_string())
    });
    section(
        "the game",
        entries.filter(|(keys, _)| !keys.is_empty()).collect(),
    );
    let signs = SIGNS
        .iter()
        .map(|&(signs, words)| (signs.into(), words.into()));
    section("the board", signs.collect());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_listed() {
        for columns in [40, 74] {
            let text: String = lines(columns)
                .iter()
                .map(|(keys, words)| format!("{keys} {words}\n"))
                .collect();
            for key in KEYS
                .iter()
                .map(|key| key.keys)
                .chain(ACTION_KEYS.iter().map(|key| key.keys))
            {
                assert!(text.contains(key), "{key} in {text}");
            }
        }
    }
}
