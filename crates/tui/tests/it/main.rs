//! The screen as a person meets it: keys and mouse in, characters out.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

mod census;
mod classroom;
mod colouring;
mod command;
mod drawing;
mod laser;
mod menu;
mod picture_export;
mod pictures;
mod play;
mod replay;
mod screen;
mod script;
mod search;
mod tournament;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use session::Session;
use session::file_access::FileAccess;
use tui::{App, ColourDepth, TerminalProfile};

/// A screen without colour, so that all there is to see is in its characters.
fn app(columns: u16, rows: u16) -> App {
    let profile = TerminalProfile {
        depth: ColourDepth::None,
        is_dark: true,
    };
    App::new(
        Session::new(FileAccess::default(), 7),
        (columns, rows),
        profile,
    )
}

/// What is on the screen, without the blanks at the ends of lines.
fn text(app: &mut App, columns: u16, rows: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    app.draw(&mut buffer);
    let mut text = String::new();
    for row in 0..rows {
        let line: String = (0..columns).map(|x| buffer[(x, row)].symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
