//! The rooms to choose from, and the list of files.

use crate::drawing::{keys, press, text};
use crate::script::mouse;
use ratatui::crossterm::event::{MouseButton, MouseEventKind};
use tui::screens::{ChoiceScreen, FilePicker, Menu, MenuChoice};
use tui::{ColourDepth, FullScreenApp, TerminalProfile};

const SIZE: (u16, u16) = (80, 24);

const PLAIN: TerminalProfile = TerminalProfile {
    depth: ColourDepth::None,
    is_dark: true,
};

fn screen(menu: &mut Menu) -> String {
    text(SIZE, |buffer| {
        menu.draw(buffer);
    })
}

#[test]
fn every_room_can_be_entered() {
    for (names, choice) in [
        ("Enter", MenuChoice::Worlds),
        ("Down Enter", MenuChoice::Play),
        ("Up Enter", MenuChoice::Classroom),
        ("End Up Space", MenuChoice::Laser),
        ("w", MenuChoice::Worlds),
        ("p", MenuChoice::Play),
        ("r", MenuChoice::Replays),
        ("a", MenuChoice::Arena),
        ("s", MenuChoice::Census),
        ("f", MenuChoice::Search),
        ("l", MenuChoice::Laser),
        ("c", MenuChoice::Classroom),
    ] {
        let mut menu = Menu::new(SIZE, PLAIN);
        keys(&mut menu, names);
        assert!(menu.is_leaving(), "{names}");
        assert_eq!(menu.take_choice(), Some(choice), "{names}");
        assert!(!menu.is_leaving(), "it can be shown again");
    }
}

#[test]
fn one_leaves_without_a_choice() {
    for name in ["q", "Escape", "Ctrl-C"] {
        let mut menu = Menu::new(SIZE, PLAIN);
        keys(&mut menu, name);
        assert!(menu.is_leaving());
        assert_eq!(menu.take_choice(), None);
    }
}

#[test]
fn all_rooms_are_named_and_the_mouse_enters_them() {
    let mut menu = Menu::new(SIZE, PLAIN);
    let shown = screen(&mut menu);
    for entry in MenuChoice::ALL {
        assert!(shown.contains(entry.name()), "{shown}");
    }
    let row = shown
        .lines()
        .position(|line| line.contains("laser"))
        .unwrap();
    let kind = MouseEventKind::Down(MouseButton::Left);
    menu.event(&mouse(kind, &format!("30,{row}")));
    assert_eq!(menu.take_choice(), Some(MenuChoice::Laser));
}

#[test]
fn every_size_shows_all_rooms() {
    let mut menu = Menu::new(SIZE, PLAIN);
    for size in [(120, 50), (80, 24), (40, 12), (24, 11)] {
        let shown = text(size, |buffer| {
            menu.draw(buffer);
        });
        for entry in MenuChoice::ALL {
            assert!(shown.contains(entry.name()), "{size:?}: {shown}");
        }
    }
    let small = text((20, 6), |buffer| {
        menu.draw(buffer);
    });
    assert!(small.contains("too small: 24x11"), "{small}");
    // it is read where there is the least room for it
    let least = text((12, 5), |buffer| {
        menu.draw(buffer);
    });
    let words: Vec<&str> = least.split_whitespace().collect();
    assert_eq!(words, ["too", "small:", "24x11", "at", "least"], "{least}");
}

#[test]
fn what_went_wrong_in_a_room_is_told_and_help_lists_the_keys() {
    let mut menu = Menu::new(SIZE, PLAIN);
    menu.show_message("the store is in use");
    assert!(screen(&mut menu).contains("the store is in use"));
    keys(&mut menu, "?");
    let help = screen(&mut menu);
    assert!(help.contains("open; a screen's first letter"), "{help}");
    keys(&mut menu, "x");
    assert!(!screen(&mut menu).contains("open; a screen's"));
}

#[test]
fn a_file_is_searched_chosen_or_typed() {
    let paths = ["a.replay", "long/duel.replay", "stones.replay"];
    let shelf = || {
        let paths = paths.iter().map(|path| path.to_string()).collect();
        FilePicker::new("replays", "games that were kept", paths, PLAIN)
    };
    for (names, path) in [
        ("Enter", Some("a.replay")),
        ("Down Down Down Enter", Some("stones.replay")),
        ("d u Enter", Some("long/duel.replay")),
        ("/ t m p / x Enter", Some("/tmp/x")),
        ("q", None),
        ("Escape", None),
    ] {
        let mut shelf = shelf();
        for name in names.split(' ') {
            shelf.event(&press(name));
            text(SIZE, |buffer| {
                shelf.draw(buffer);
            });
        }
        assert_eq!(shelf.take_choice().as_deref(), path, "{names}");
    }
    let mut empty = FilePicker::new("replays", "", Vec::new(), PLAIN);
    empty.event(&press("Enter"));
    let told = text(SIZE, |buffer| {
        empty.draw(buffer);
    });
    assert!(
        told.contains("there is none here") && told.contains("type the path"),
        "{told}"
    );
}

#[test]
fn the_wheel_moves_help_and_not_the_rooms_below_it() {
    let mut menu = Menu::new(SIZE, PLAIN);
    menu.event(&mouse(MouseEventKind::ScrollDown, "30,10"));
    keys(&mut menu, "? Enter");
    assert_eq!(menu.take_choice(), None, "the key closes help");
    keys(&mut menu, "?");
    menu.event(&mouse(MouseEventKind::ScrollDown, "30,10"));
    menu.event(&mouse(MouseEventKind::Moved, "30,16"));
    keys(&mut menu, "Escape Enter");
    assert_eq!(menu.take_choice(), Some(MenuChoice::Play));
}
