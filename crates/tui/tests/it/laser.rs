//! The puzzle's room: screens before and after, and levels played to the end.
//!
//! A file of `rooms` is as one of `screens`, but for what it opens with: the levels are
//! [`LEVELS`], and `solve` lets the solver answer.

use crate::screen::{hold, parts, whole};
use crate::script::mouse;
use laser::Board;
use laser::play::Play;
use laser::solver::{Aim, Question, solve};
use models::laser::LaserLevel;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, MouseButton, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use tui::laser::LaserScreen;
use tui::{ColourDepth, TerminalProfile};

/// A name, what it is for, and the level.
const LEVELS: [(&str, &str, &str); 4] = [
    (
        "two beams",
        "a splitter stands where it should",
        r"6 5
        W W W W SvW
        L>. B\. . W
        W . . . . W
        W M\M/. . S<
        W W W W W W",
    ),
    (
        "wrong way",
        "no mirror turns the light",
        "4 2\nL<M/. S<\nW . . W",
    ),
    ("in the dark", "nothing to light", "3 2\nL>. M/\n. . W"),
    (
        "long way",
        "more than the screen holds",
        r"40 30
        L>",
    ),
];

fn levels() -> Vec<LaserLevel> {
    let levels = LEVELS.iter().map(|&(name, about, text)| LaserLevel {
        name: name.into(),
        about: about.into(),
        board: board(text),
        fewest: None,
    });
    levels.collect()
}

/// The level; what its rows lack is empty, but for a sensor in the last corner.
fn board(text: &str) -> Board {
    let (size, rows) = text.split_once('\n').unwrap();
    let (width, height) = size.trim().split_once(' ').unwrap();
    let (width, height): (u32, u32) = (width.parse().unwrap(), height.parse().unwrap());
    if let Ok(board) = text.parse() {
        return board;
    }
    let mut board = Board::new(width, height).unwrap();
    let first: Board = format!("1 1\n{}", rows.trim()).parse().unwrap();
    board.put(0, first.tile(0));
    let last = board.cells() - 1;
    board.put(last, laser::Tile::Sensor(laser::Direction::North));
    let middle = board.cells() / 2;
    board.put(middle, laser::Tile::Hardware(laser::Piece::MirrorFalling));
    board
}

fn app(size: (u16, u16), depth: ColourDepth, is_dark: bool) -> LaserScreen {
    LaserScreen::new(levels(), 0, size, TerminalProfile { depth, is_dark })
}

fn drawn(app: &mut LaserScreen, (columns, rows): (u16, u16)) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    app.draw(&mut buffer);
    buffer
}

/// What is on the screen, without the blanks at the ends of lines.
fn text(app: &mut LaserScreen, size: (u16, u16)) -> String {
    let buffer = drawn(app, size);
    let mut text = String::new();
    for row in 0..size.1 {
        let line: String = (0..size.0).map(|x| buffer[(x, row)].symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Does what a line says; `solve` and `do undo` beside what the other screens know.
fn play(app: &mut LaserScreen, size: &mut (u16, u16), line: &str) {
    let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
    let button = MouseButton::Left;
    match what {
        "key" => rest.split(' ').for_each(|name| press(app, name)),
        "press" => app.event(&mouse(MouseEventKind::Down(button), rest)),
        "drag" => app.event(&mouse(MouseEventKind::Drag(button), rest)),
        "release" => app.event(&mouse(MouseEventKind::Up(button), rest)),
        "wheel" => app.event(&mouse(MouseEventKind::ScrollDown, rest)),
        "resize" => {
            let (columns, rows) = rest.split_once('x').unwrap();
            *size = (columns.parse().unwrap(), rows.parse().unwrap());
            app.event(&Event::Resize(size.0, size.1));
        }
        "do" => {
            app.send(rest);
        }
        "solve" => think(app),
        _ => panic!("`{line}` is nothing that a person does"),
    }
}

fn press(app: &mut LaserScreen, name: &str) {
    let key = tui::key(name).unwrap_or_else(|| panic!("`{name}` is no key"));
    app.event(&Event::Key(key));
}

/// What the loop does in its thread, until there is nothing more to find out.
fn think(app: &mut LaserScreen) {
    while let Some(board) = app.query().cloned() {
        let answer = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
        app.receive_answer(&board, &answer);
    }
}

#[test]
fn rooms_become_what_their_files_say() {
    hold("rooms", |told| {
        let (head, keys) = parts(told);
        let mut size = (60, 16);
        let mut app = app(size, ColourDepth::None, true);
        let mut done = |lines: &str| {
            for line in lines.lines().filter(|line| !line.starts_with('#')) {
                play(&mut app, &mut size, line);
                // each is seen by a person
                text(&mut app, size);
            }
            text(&mut app, size)
        };
        let (before, after) = (done(head), done(keys));
        whole(head, &before, keys, &after)
    });
}

const SIZE: (u16, u16) = (80, 24);

#[test]
fn a_level_is_played_to_the_end_by_keys_alone() {
    let mut app = app(SIZE, ColourDepth::None, true);
    assert!(text(&mut app, SIZE).contains("0 of 2 sensors lit"));
    think(&mut app);
    assert!(text(&mut app, SIZE).contains("fewest 2"));
    // the upper mirror goes to the right end of its beam, the lower one to its place
    press(&mut app, "Tab");
    press(&mut app, "Tab");
    for name in ["Enter", "Right", "Right", "Up", "Up", "Enter"] {
        press(&mut app, name);
    }
    assert!(text(&mut app, SIZE).contains("1 move "));
    assert!(!app.play().is_solved());
    for name in [
        "Left", "Left", "Left", "Down", "Down", "Space", "Right", "Space",
    ] {
        press(&mut app, name);
    }
    let screen = text(&mut app, SIZE);
    assert!(
        screen.contains("★ solved in 2 moves, and none solves it in fewer"),
        "{screen}"
    );
    assert!(screen.contains("2 of 2 sensors lit"), "{screen}");
    // what was done can be taken back, and is not forgotten
    press(&mut app, "u");
    let screen = text(&mut app, SIZE);
    assert!(
        !screen.contains("★") && screen.contains("your best 2"),
        "{screen}"
    );
    press(&mut app, "r");
    assert!(app.play().is_solved());
    press(&mut app, "q");
    assert!(app.is_leaving());
}

/// The column and row of a tile's sign, found on the screen as a person finds it: by the
/// cursor's brackets.
fn found(app: &mut LaserScreen, x: i64, y: i64) -> String {
    while app.cursor().x != x || app.cursor().y != y {
        let (dx, dy) = (x - app.cursor().x, y - app.cursor().y);
        let name = match (dx.signum(), dy.signum()) {
            (1, _) => "Right",
            (-1, _) => "Left",
            (_, 1) => "Down",
            _ => "Up",
        };
        press(app, name);
    }
    let buffer = drawn(app, SIZE);
    for row in 0..SIZE.1 {
        for column in 0..SIZE.0 {
            if buffer[(column, row)].modifier.contains(Modifier::REVERSED) && row > 0 {
                return format!("{},{row}", column + 1);
            }
        }
    }
    panic!("no cursor on the screen");
}

#[test]
fn a_level_is_played_to_the_end_by_mouse_alone() {
    for is_dragged in [true, false] {
        let mut app = app(SIZE, ColourDepth::True, false);
        let mut size = SIZE;
        // where the tiles are is found with another room, whose cursor may move
        let mut other = self::app(SIZE, ColourDepth::True, false);
        for (from, to) in [((2, 3), (4, 1)), ((1, 3), (2, 3))] {
            let (from, to) = (
                found(&mut other, from.0, from.1),
                found(&mut other, to.0, to.1),
            );
            play(&mut app, &mut size, &format!("press {from}"));
            if is_dragged {
                play(&mut app, &mut size, &format!("drag {to}"));
                play(&mut app, &mut size, &format!("release {to}"));
            } else {
                play(&mut app, &mut size, &format!("release {from}"));
                play(&mut app, &mut size, &format!("press {to}"));
                play(&mut app, &mut size, &format!("release {to}"));
            }
        }
        let screen = text(&mut app, SIZE);
        assert!(screen.contains("★ solved in 2 moves"), "{screen}");
    }
}

#[test]
fn hints_are_followed_to_the_end() {
    let mut app = app(SIZE, ColourDepth::None, true);
    press(&mut app, "h");
    assert!(text(&mut app, SIZE).contains("looking for a way"));
    think(&mut app);
    let mut moves = 0;
    while !app.play().is_solved() {
        press(&mut app, "h");
        let hint = app.play().hint().expect("a way is known");
        assert!(text(&mut app, SIZE).contains('{'));
        found(&mut app, hint.from.x, hint.from.y);
        press(&mut app, "Enter");
        found(&mut app, hint.to.x, hint.to.y);
        press(&mut app, "Enter");
        moves += 1;
        assert!(moves <= 2);
    }
    assert_eq!(app.play().fewest().proven(), Some(moves));
}

#[test]
fn every_built_in_level_is_drawn() {
    let levels = LaserLevel::built_in();
    for (at, level) in levels.iter().enumerate() {
        let mut app = LaserScreen::new(levels.clone(), at, SIZE, TerminalProfile::default());
        let screen = text(&mut app, SIZE);
        assert!(screen.contains(&level.name), "{screen}");
        // one count in all faces: of the levels that can be solved
        let number = format!("level {} of {}", at + 1, laser::level::solvable().count());
        let is_numbered = screen.contains(&number);
        assert_eq!(is_numbered, level.fewest.is_some(), "{number}: {screen}");
        let tiles: Vec<&str> = level.board.tiles().map(|tile| tile.text()).collect();
        let is_seen = tiles.iter().all(|text| {
            *text == "." || *text == "W" || {
                // a sensor with light has a star for its letter
                screen.contains(text) || screen.contains(&text.replace('S', "*"))
            }
        });
        assert!(is_seen, "{} is\n{screen}", level.name);
    }
}

#[test]
fn what_is_left_is_found_again() {
    let mut app = app(SIZE, ColourDepth::None, true);
    app.send("move 1,3 2,2");
    for name in ["n", "n", "p", "p"] {
        press(&mut app, name);
    }
    assert_eq!(app.play().moves(), 1);
    assert_eq!(app.play().name(), LEVELS[0].0);
}

#[test]
fn an_answer_about_another_level_is_no_harm() {
    let mut app = app(SIZE, ColourDepth::None, true);
    press(&mut app, "h");
    let board = app.query().unwrap().clone();
    let answer = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
    press(&mut app, "n");
    app.receive_answer(&board, &answer);
    let alone = Play::new("", self::board(LEVELS[1].2));
    assert_eq!(app.play().fewest(), alone.fewest());
    assert_eq!(app.play().is_solvable(), alone.is_solvable());
}

#[test]
fn colours_are_those_of_the_theme_and_nothing_depends_on_them() {
    for depth in [ColourDepth::True, ColourDepth::Indexed, ColourDepth::None] {
        for is_dark in [false, true] {
            let mut coloured = app(SIZE, depth, is_dark);
            let mut plain = app(SIZE, ColourDepth::None, true);
            assert_eq!(text(&mut coloured, SIZE), text(&mut plain, SIZE));
        }
    }
    let paper = drawn(&mut app(SIZE, ColourDepth::True, false), SIZE);
    let blueprint = drawn(&mut app(SIZE, ColourDepth::True, true), SIZE);
    assert_ne!(paper[(40, 12)].bg, blueprint[(40, 12)].bg);
}

#[test]
fn the_end_is_told_as_far_as_it_is_known() {
    let mut app = app(SIZE, ColourDepth::None, true);
    let start = app.play().start().clone();
    app.receive_bound(&start, 1);
    assert!(text(&mut app, SIZE).contains("at least 1"));
    app.send("move 2,3 4,1");
    app.send("move 1,3 2,3");
    let screen = text(&mut app, SIZE);
    assert!(
        screen.contains("★ solved in 2 moves, the fewest are at least 1"),
        "{screen}"
    );
    let level = LaserLevel {
        name: "lit".into(),
        about: String::new(),
        board: "3 1\nL>. S<".parse().unwrap(),
        fewest: None,
    };
    let mut app = LaserScreen::new(vec![level], 0, SIZE, TerminalProfile::default());
    let screen = text(&mut app, SIZE);
    assert!(screen.contains("solved as it stands"), "{screen}");
    assert!(!screen.contains("next level"), "{screen}");
}

#[test]
fn a_search_keeps_the_level_that_was_chosen() {
    let mut app = app(SIZE, ColourDepth::None, true);
    for name in ["n", "n", "o", "n", "Enter"] {
        press(&mut app, name);
    }
    assert_eq!(app.play().name(), LEVELS[2].0);
}
