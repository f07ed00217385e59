//! The README's pictures of the terminal, made anew by `cargo xtask pictures`.

use crate::drawing::press;
use crate::script::play;
use laser::solver::{Aim, Question, solve};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use session::Session;
use session::file_access::FileAccess;
use std::path::Path;
use std::time::Duration;
use tui::{App, ColourDepth, TerminalProfile, picture};

/// A picture: its file, and what is on the screen.
struct Shot {
    name: &'static str,
    size: (u16, u16),
    is_dark: bool,
    /// What is done, as in the screens' files; a number lets so many generations go by.
    commands: &'static [&'static str],
}

const SHOTS: [Shot; 2] = [
    Shot {
        name: "terminal.svg",
        size: (100, 30),
        is_dark: true,
        commands: &[
            "open gosper-glider-gun",
            "zoom 2",
            "dying on",
            "run",
            "240",
            "centre 22,11",
        ],
    },
    Shot {
        name: "terminal-library.svg",
        size: (80, 24),
        is_dark: false,
        commands: &[
            "open gosper-glider-gun",
            "library",
            "type spaceship",
            "key Down Down Down",
        ],
    },
];

#[test]
#[ignore = "writes docs/images and holds nothing against anything"]
fn pictures_of_the_terminal() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    for shot in SHOTS {
        std::fs::write(folder.join(shot.name), taken(&shot)).unwrap();
    }
    std::fs::write(folder.join("terminal-laser.svg"), puzzle()).unwrap();
    for (name, svg) in rooms() {
        std::fs::write(folder.join(name), svg).unwrap();
    }
}

#[test]
fn shots_are_svg_and_the_same_each_time() {
    for shot in SHOTS {
        let svg = taken(&shot);
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
            "{}",
            shot.name
        );
        assert!(svg.contains("Gosper"), "{}", shot.name);
        assert_eq!(svg, taken(&shot), "{}", shot.name);
    }
    let svg = puzzle();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("hard"));
    assert_eq!(svg, puzzle());
    let shots = rooms();
    for (name, svg) in &shots {
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
            "{name}"
        );
    }
    assert_eq!(shots, rooms());
}

/// The menu, a game of stones with what the next one would cause, and the classroom.
fn rooms() -> Vec<(&'static str, String)> {
    let profile = |is_dark| TerminalProfile {
        depth: ColourDepth::True,
        is_dark,
    };
    let shot = |size: (u16, u16), draw: &mut dyn FnMut(&mut Buffer)| {
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
        draw(&mut buffer);
        picture(&buffer)
    };
    let mut menu = tui::screens::Menu::new((80, 24), profile(false));
    tui::FullScreenApp::event(&mut menu, &press("Down"));
    let terms = tui::play::PlayScreenOptions {
        game: Some("stones".parse().unwrap()),
        players: Some([None, None]),
        ..Default::default()
    };
    let mut game = tui::play::PlayScreen::new(terms, (80, 24), profile(true)).unwrap();
    for name in [":", "d", "4", "Enter", "Left", "Left", "Down"] {
        game.event(&press(name));
    }
    let mut lesson = tui::classroom::ClassroomScreen::new(profile(false));
    lesson.read("pi", b"..OOO..\n..O.O..\n..O.O..\n.......\nOO...OO\n");
    for _ in 0..4 {
        lesson.event(&press("Enter"));
    }
    vec![
        (
            "terminal-rooms.svg",
            shot((80, 24), &mut |buffer| {
                tui::FullScreenApp::draw(&mut menu, buffer);
            }),
        ),
        (
            "terminal-play.svg",
            shot((80, 24), &mut |buffer| {
                game.draw(buffer);
            }),
        ),
        (
            "terminal-classroom.svg",
            shot((134, 24), &mut |buffer| {
                lesson.draw(buffer);
            }),
        ),
    ]
}

/// A hard level of the puzzle, some moves before its end, with a piece in hand.
fn puzzle() -> String {
    let profile = TerminalProfile {
        depth: ColourDepth::True,
        is_dark: true,
    };
    let (width, height) = (80, 24);
    let levels = models::laser::LaserLevel::built_in();
    let at = levels
        .iter()
        .position(|level| level.name == "hard")
        .unwrap();
    let board = levels[at].board.clone();
    let answer = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
    let mut app = tui::laser::LaserScreen::new(levels, at, (width, height), profile);
    app.receive_answer(&board, &answer);
    let moves = answer.moves.unwrap();
    let (last, first) = moves.split_last().unwrap();
    for step in first {
        assert!(app.send(&format!("move {step}")));
    }
    assert!(app.send(&format!("select {},{}", last.from.x, last.from.y)));
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    app.draw(&mut buffer);
    picture(&buffer)
}

fn taken(shot: &Shot) -> String {
    let profile = TerminalProfile {
        depth: ColourDepth::True,
        is_dark: shot.is_dark,
    };
    let session = Session::new(FileAccess::default(), 7);
    let mut app = App::new(session, shot.size, profile);
    for command in shot.commands {
        match command.parse::<u32>() {
            // at 30 a second, a little slower than due
            Ok(generations) => {
                for _ in 0..generations {
                    app.tick(Duration::from_micros(33_334), &mut || true);
                }
            }
            Err(_) if command.starts_with("type ") || command.starts_with("key ") => {
                play(&mut app, &mut shot.size.clone(), command);
            }
            Err(_) => assert!(app.send(command), "{command}"),
        }
    }
    let mut buffer = Buffer::empty(Rect::new(0, 0, shot.size.0, shot.size.1));
    app.draw(&mut buffer);
    picture(&buffer)
}
