//! What the colours of cells say, in the terminal.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use session::file_access::FileAccess;
use session::{Session, Viewer};
use tui::{App, ColourDepth, TerminalProfile};

/// Issue 31: the terminal's cells have the colours of their heat and period, in every theme.
#[test]
fn cells_are_coloured_by_what_they_do() {
    let (grey, red) = (Color::Rgb(0x87, 0x8b, 0x93), Color::Rgb(0xb8, 0x32, 0x2a));
    let (ink, orange) = (Color::Rgb(0x1d, 0x24, 0x33), Color::Rgb(0xe6, 0x9f, 0x00));
    let white = Color::Rgb(0xf1, 0xf4, 0xf2);
    for (commands, colours) in [
        ("theme paper; colouring heat", [grey, red]),
        ("theme paper; colouring period", [ink, orange]),
        ("theme night; colouring period", [white, orange]),
    ] {
        let mut session = Session::new(FileAccess::default(), 7);
        let mut viewer = Viewer::new(80, 40);
        for text in ["open blinker"].into_iter().chain(commands.split("; ")) {
            session.apply(&mut viewer, &text.parse().unwrap()).unwrap();
        }
        let profile = TerminalProfile {
            depth: ColourDepth::True,
            is_dark: false,
        };
        let mut app = App::new(session, (80, 24), profile);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
        app.draw(&mut buffer);
        // between the bars
        let sheet = (1..22).flat_map(|row| (0..80).map(move |column| (column, row)));
        let cells: Vec<_> = sheet.map(|place: (u16, u16)| &buffer[place]).collect();
        for colour in colours {
            let has = cells
                .iter()
                .any(|cell| cell.fg == colour || cell.bg == colour);
            assert!(has, "{commands}: {colour:?}");
        }
    }
}
