//! What a person does, as lines of text.

use ratatui::crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use std::time::Duration;
use tui::App;

/// Does what a line says:
///
/// ```text
/// key Space Shift-Left      keys by their names
/// type goto 10              letter by letter
/// press left 10,5           a button at a column and a row; also: release, drag
/// wheel up 10,5             also: down
/// move 10,5                 the mouse without a button
/// paste bo$2bo$3o!          a bracketed paste; \n begins a line
/// tick 100                  so many thousandths of a second go by
/// resize 60x20
/// do open glider            a command, as if typed on the line
/// ```
pub(crate) fn play(app: &mut App, size: &mut (u16, u16), line: &str) {
    let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
    match what {
        "key" => {
            for name in rest.split(' ') {
                let key = tui::key(name).unwrap_or_else(|| panic!("`{name}` is no key"));
                app.event(&Event::Key(key));
                arrive(app);
            }
        }
        "type" => {
            for letter in rest.chars() {
                let name = if letter == ' ' {
                    "Space".into()
                } else {
                    letter.to_string()
                };
                let mut key = tui::key(&name).unwrap();
                if letter.is_uppercase() {
                    key.code = ratatui::crossterm::event::KeyCode::Char(letter);
                }
                app.event(&Event::Key(key));
            }
        }
        "press" | "release" | "drag" | "wheel" => {
            let (which, place) = rest.split_once(' ').unwrap();
            let button = match which {
                "right" => MouseButton::Right,
                "middle" => MouseButton::Middle,
                _ => MouseButton::Left,
            };
            let kind = match (what, which) {
                ("press", _) => MouseEventKind::Down(button),
                ("release", _) => MouseEventKind::Up(button),
                ("drag", _) => MouseEventKind::Drag(button),
                (_, "up") => MouseEventKind::ScrollUp,
                _ => MouseEventKind::ScrollDown,
            };
            app.event(&mouse(kind, place));
        }
        "move" => app.event(&mouse(MouseEventKind::Moved, rest)),
        "paste" => app.event(&Event::Paste(rest.replace("\\n", "\n"))),
        "tick" => {
            let mut left: u64 = rest.parse().unwrap();
            while left > 0 {
                let part = left.min(30);
                app.tick(Duration::from_millis(part), &mut || true);
                left -= part;
            }
        }
        "resize" => {
            let (columns, rows) = rest.split_once('x').unwrap();
            *size = (columns.parse().unwrap(), rows.parse().unwrap());
            app.event(&Event::Resize(size.0, size.1));
        }
        "do" => {
            app.send(rest);
            arrive(app);
        }
        _ => panic!("`{line}` is nothing that a person does"),
    }
}

/// Small steps are done at once, as they are before a person's next key.
fn arrive(app: &mut App) {
    if app.is_going() {
        app.tick(Duration::ZERO, &mut patience());
    }
}

/// Asked so many times, it has enough.
pub(crate) fn patience() -> impl FnMut() -> bool {
    let mut asked = 0;
    move || {
        asked += 1;
        asked < 1000
    }
}

pub(crate) fn mouse(kind: MouseEventKind, place: &str) -> Event {
    let (column, row) = place.split_once(',').unwrap();
    Event::Mouse(MouseEvent {
        kind,
        column: column.parse().unwrap(),
        row: row.parse().unwrap(),
        modifiers: KeyModifiers::NONE,
    })
}
