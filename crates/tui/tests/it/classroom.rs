//! The classroom: five rules on one map, stepped and drawn by keys and mouse.

use crate::drawing::{press, text};
use crate::script::mouse;
use ratatui::crossterm::event::{MouseButton, MouseEventKind};
use session::classroom::ClassroomRule;
use std::time::Duration;
use tui::classroom::{ClassroomScreen, MapFileRequest};
use tui::{ColourDepth, TerminalProfile};

const WIDE: (u16, u16) = (140, 40);
const SIZE: (u16, u16) = (80, 24);

fn room(depth: ColourDepth) -> ClassroomScreen {
    ClassroomScreen::new(TerminalProfile {
        depth,
        is_dark: true,
    })
}

fn screen(room: &mut ClassroomScreen, size: (u16, u16)) -> String {
    text(size, |buffer| {
        room.draw(buffer);
    })
}

fn keys(room: &mut ClassroomScreen, names: &str) {
    for name in names.split(' ') {
        room.event(&press(name));
        screen(room, SIZE);
    }
}

/// A blinker of three cells in the middle of an empty board.
fn blinker() -> ClassroomScreen {
    let mut room = room(ColourDepth::None);
    keys(&mut room, "x Left Space Right Space Right Space Left");
    room
}

#[test]
fn five_rules_stand_side_by_side_where_there_is_room() {
    for depth in [ColourDepth::None, ColourDepth::True] {
        let mut room = room(depth);
        let shown = screen(&mut room, WIDE);
        let line = shown.lines().nth(1).unwrap();
        for course in ClassroomRule::ALL {
            assert!(line.contains(course.name()), "{shown}");
        }
        let narrow = screen(&mut room, SIZE);
        assert!(narrow.contains("›base"), "{narrow}");
        keys(&mut room, "Shift-Tab");
        let narrow = screen(&mut room, SIZE);
        assert!(narrow.contains("›generations"), "{narrow}");
        assert_eq!(room.course(), ClassroomRule::Generations);
    }
}

#[test]
fn all_of_them_step_together_and_go_back() {
    let mut room = blinker();
    let (x, y) = room.cursor();
    assert_eq!(room.lesson().state(ClassroomRule::Base, x + 1, y), 1);
    keys(&mut room, "Enter");
    assert_eq!(room.lesson().round(), 1);
    // the blinker has turned, and the old cells of the last rule age
    assert_eq!(room.lesson().state(ClassroomRule::Base, x, y + 1), 1);
    assert_eq!(room.lesson().state(ClassroomRule::Base, x + 1, y), 0);
    assert_eq!(room.lesson().state(ClassroomRule::Generations, x + 1, y), 2);
    assert!(screen(&mut room, SIZE).contains("round 1"));
    keys(&mut room, "t");
    assert_eq!(room.lesson().round(), 0);
    assert_eq!(room.lesson().state(ClassroomRule::Base, x + 1, y), 1);
    keys(&mut room, "r");
    room.tick(Duration::from_secs(2));
    assert_eq!(room.lesson().round(), 10);
    keys(&mut room, "r");
    room.tick(Duration::from_secs(2));
    assert_eq!(room.lesson().round(), 10);
}

#[test]
fn the_reason_and_the_counts_are_told() {
    let mut room = blinker();
    keys(&mut room, "Up");
    let (x, y) = room.cursor();
    let shown = screen(&mut room, SIZE);
    for course in ClassroomRule::ALL {
        let words = room.lesson().reason(course, x, y).words;
        let start: String = words.chars().take(30).collect();
        assert!(shown.contains(&start), "{words}: {shown}");
    }
    assert!(shown.contains("n = 3"), "{shown}");
    keys(&mut room, "c");
    let counts = screen(&mut room, SIZE);
    assert!(counts.contains("12321"), "{counts}");
    keys(&mut room, "c");
    assert!(!screen(&mut room, SIZE).contains("12321"));
}

#[test]
fn cells_are_drawn_by_clicks() {
    for depth in [ColourDepth::None, ColourDepth::True] {
        let mut room = room(depth);
        keys(&mut room, "x");
        screen(&mut room, SIZE);
        let kind = MouseEventKind::Down(MouseButton::Left);
        room.event(&mouse(kind, "12,6"));
        let (x, y) = room.cursor();
        assert_eq!(room.lesson().state(ClassroomRule::Base, x, y), 1);
        room.event(&mouse(kind, "12,6"));
        assert_eq!(room.lesson().state(ClassroomRule::Base, x, y), 0);
    }
}

#[test]
fn maps_are_opened_read_and_saved() {
    let mut room = room(ColourDepth::None);
    keys(&mut room, "o");
    assert!(screen(&mut room, SIZE).contains("enter opens it"));
    keys(&mut room, "Down Enter");
    let alive = room
        .lesson()
        .states(ClassroomRule::Base)
        .iter()
        .filter(|&&s| s != 0)
        .count();
    assert!(alive > 0);
    keys(&mut room, ": a Enter");
    assert_eq!(
        room.take_errand(),
        Some(MapFileRequest::Read { name: "a".into() })
    );
    room.read("a", b"OO\nOO\n");
    let text = room.lesson().text(ClassroomRule::Base);
    assert_eq!(text.matches('O').count(), 4, "{text}");
    room.read("b", b"O?O\n");
    assert!(screen(&mut room, SIZE).contains('?'));
    keys(&mut room, "s Enter");
    let name = "base.cells".to_string();
    assert_eq!(
        room.take_errand(),
        Some(MapFileRequest::Write { name, text })
    );
}

#[test]
fn every_size_shows_what_it_can() {
    for depth in [ColourDepth::None, ColourDepth::True] {
        let mut room = room(depth);
        for size in [(140, 40), (80, 24), (60, 16), (40, 12), (40, 10)] {
            let shown = screen(&mut room, size);
            assert!(
                shown.contains("round 0") && shown.contains("base"),
                "{size:?}: {shown}"
            );
            assert!(shown.contains("? help"), "{size:?}: {shown}");
        }
        assert!(screen(&mut room, (30, 6)).contains("too small: 40x10"));
    }
}
