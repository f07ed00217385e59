//! The classroom: five rules on one map, stepped and drawn by keys and mouse.

use crate::drawing::{press, text};
use crate::script::mouse;
use models::classroom::ClassroomRule;
use ratatui::crossterm::event::{MouseButton, MouseEventKind};
use std::time::Duration;
use tui::classroom::{ClassroomScreen, MapFileRequest};
use tui::{ColourDepth, TerminalProfile};

const WIDE: (u16, u16) = (140, 40);
const SIZE: (u16, u16) = (80, 24);

fn app(depth: ColourDepth) -> ClassroomScreen {
    ClassroomScreen::new(TerminalProfile {
        depth,
        is_dark: true,
    })
}

fn screen(app: &mut ClassroomScreen, size: (u16, u16)) -> String {
    text(size, |buffer| {
        app.draw(buffer);
    })
}

fn keys(app: &mut ClassroomScreen, names: &str) {
    for name in names.split(' ') {
        app.event(&press(name));
        screen(app, SIZE);
    }
}

/// A blinker of three cells in the middle of an empty board.
fn blinker() -> ClassroomScreen {
    let mut app = app(ColourDepth::None);
    keys(&mut app, "x Left Space Right Space Right Space Left");
    app
}

#[test]
fn five_rules_stand_side_by_side_where_there_is_room() {
    for depth in [ColourDepth::None, ColourDepth::True] {
        let mut app = app(depth);
        let shown = screen(&mut app, WIDE);
        let line = shown.lines().nth(1).unwrap();
        for rule in ClassroomRule::ALL {
            assert!(line.contains(rule.name()), "{shown}");
        }
        let narrow = screen(&mut app, SIZE);
        assert!(narrow.contains("›base"), "{narrow}");
        keys(&mut app, "Shift-Tab");
        let narrow = screen(&mut app, SIZE);
        assert!(narrow.contains("›generations"), "{narrow}");
        assert_eq!(app.rule(), ClassroomRule::Generations);
    }
}

#[test]
fn all_of_them_step_together_and_go_back() {
    let mut app = blinker();
    let (x, y) = app.cursor();
    assert_eq!(app.boards().state(ClassroomRule::Base, x + 1, y), 1);
    keys(&mut app, "Enter");
    assert_eq!(app.boards().round(), 1);
    // the blinker has turned, and the old cells of the last rule age
    assert_eq!(app.boards().state(ClassroomRule::Base, x, y + 1), 1);
    assert_eq!(app.boards().state(ClassroomRule::Base, x + 1, y), 0);
    assert_eq!(app.boards().state(ClassroomRule::Generations, x + 1, y), 2);
    assert!(screen(&mut app, SIZE).contains("round 1"));
    keys(&mut app, "t");
    assert_eq!(app.boards().round(), 0);
    assert_eq!(app.boards().state(ClassroomRule::Base, x + 1, y), 1);
    keys(&mut app, "r");
    app.tick(Duration::from_secs(2));
    assert_eq!(app.boards().round(), 10);
    keys(&mut app, "r");
    app.tick(Duration::from_secs(2));
    assert_eq!(app.boards().round(), 10);
}

#[test]
fn the_reason_and_the_counts_are_told() {
    let mut app = blinker();
    keys(&mut app, "Up");
    let (x, y) = app.cursor();
    let shown = screen(&mut app, SIZE);
    for rule in ClassroomRule::ALL {
        let words = app.boards().explain(rule, x, y).words;
        let start: String = words.chars().take(30).collect();
        assert!(shown.contains(&start), "{words}: {shown}");
    }
    assert!(shown.contains("n = 3"), "{shown}");
    keys(&mut app, "c");
    let counts = screen(&mut app, SIZE);
    assert!(counts.contains("12321"), "{counts}");
    keys(&mut app, "c");
    assert!(!screen(&mut app, SIZE).contains("12321"));
}

#[test]
fn cells_are_drawn_by_clicks() {
    for depth in [ColourDepth::None, ColourDepth::True] {
        let mut app = app(depth);
        keys(&mut app, "x");
        screen(&mut app, SIZE);
        let kind = MouseEventKind::Down(MouseButton::Left);
        app.event(&mouse(kind, "12,6"));
        let (x, y) = app.cursor();
        assert_eq!(app.boards().state(ClassroomRule::Base, x, y), 1);
        app.event(&mouse(kind, "12,6"));
        assert_eq!(app.boards().state(ClassroomRule::Base, x, y), 0);
    }
}

#[test]
fn maps_are_opened_read_and_saved() {
    let mut app = app(ColourDepth::None);
    keys(&mut app, "o");
    assert!(screen(&mut app, SIZE).contains("enter opens it"));
    keys(&mut app, "Down Enter");
    let alive = app
        .boards()
        .states(ClassroomRule::Base)
        .iter()
        .filter(|&&s| s != 0)
        .count();
    assert!(alive > 0);
    keys(&mut app, ": a Enter");
    assert_eq!(
        app.take_file_request(),
        Some(MapFileRequest::Read { name: "a".into() })
    );
    app.read("a", b"OO\nOO\n");
    let text = app.boards().text(ClassroomRule::Base);
    assert_eq!(text.matches('O').count(), 4, "{text}");
    app.read("b", b"O?O\n");
    assert!(screen(&mut app, SIZE).contains('?'));
    keys(&mut app, "s Enter");
    let name = "base.cells".to_string();
    assert_eq!(
        app.take_file_request(),
        Some(MapFileRequest::Write { name, text })
    );
}

#[test]
fn every_size_shows_what_it_can() {
    for depth in [ColourDepth::None, ColourDepth::True] {
        let mut app = app(depth);
        for size in [(140, 40), (80, 24), (60, 16), (40, 12), (40, 10)] {
            let shown = screen(&mut app, size);
            assert!(
                shown.contains("round 0") && shown.contains("base"),
                "{size:?}: {shown}"
            );
            assert!(shown.contains("? help"), "{size:?}: {shown}");
        }
        assert!(screen(&mut app, (30, 6)).contains("too small: 40x10"));
    }
}
