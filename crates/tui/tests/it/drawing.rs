//! What a room draws, as text.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::Event;
use ratatui::layout::Rect;
use std::time::Duration;
use tui::FullScreenApp;

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

/// What a screen shows, in letters.
pub(crate) fn shown(screen: &mut dyn FullScreenApp) -> String {
    text((110, 24), |buffer| {
        screen.draw(buffer);
    })
}

/// Presses keys, by names with blanks between them.
pub(crate) fn keys(screen: &mut dyn FullScreenApp, names: &str) {
    for name in names.split(' ') {
        screen.event(&press(name));
    }
}

/// Looks until the screen has these words.
pub(crate) fn wait(screen: &mut dyn FullScreenApp, words: &str) -> String {
    loop {
        screen.update(Duration::ZERO).unwrap();
        let now = shown(screen);
        if now.contains(words) {
            return now;
        }
        std::thread::yield_now();
    }
}
