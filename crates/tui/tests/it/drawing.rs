//! What a room draws, as text.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::Event;
use ratatui::layout::Rect;

/// What a room draws on a screen of this size.
pub(crate) fn buffer((columns, rows): (u16, u16), draw: impl FnOnce(&mut Buffer)) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    draw(&mut buffer);
    buffer
}

/// The same in letters, without the blanks at the ends of lines.
pub(crate) fn text(size: (u16, u16), draw: impl FnOnce(&mut Buffer)) -> String {
    let buffer = buffer(size, draw);
    let mut text = String::new();
    for row in 0..size.1 {
        let line: String = (0..size.0).map(|x| buffer[(x, row)].symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The event of a key by its name.
pub(crate) fn press(name: &str) -> Event {
    Event::Key(tui::key(name).unwrap_or_else(|| panic!("`{name}` is no key")))
}
