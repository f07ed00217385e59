//! The room play: games by keys and mouse alone, against players and between people.

use crate::drawing::{buffer, press, text};
use crate::script::mouse;
use arena::Ending;
use games::{Outcome, Seat};
use ratatui::crossterm::event::{MouseButton, MouseEventKind};
use ratatui::style::Modifier;
use std::time::Duration;
use tui::play::{AdvisorTable, PlayScreen, PlayScreenOptions};
use tui::{ColourDepth, TerminalProfile};

const SIZE: (u16, u16) = (80, 24);

const PLAIN: TerminalProfile = TerminalProfile {
    depth: ColourDepth::None,
    is_dark: true,
};

/// A room in which a game has begun; a seat without a name is a person's.
fn room(game: &str, players: [&str; 2]) -> PlayScreen {
    let seat = |name: &str| match name {
        "" => None,
        name => Some(name.parse().unwrap()),
    };
    let terms = PlayScreenOptions {
        game: Some(game.parse().unwrap()),
        players: Some(players.map(seat)),
        seed: 1,
        ..PlayScreenOptions::default()
    };
    PlayScreen::new(terms, SIZE, PLAIN).unwrap()
}

fn screen(room: &mut PlayScreen) -> String {
    text(SIZE, |buffer| {
        room.draw(buffer);
    })
}

fn keys(room: &mut PlayScreen, names: &str) {
    for name in names.split(' ') {
        room.event(&press(name));
        // each is seen by a person
        screen(room);
    }
}

/// Lets those think who are asked, as the loop does in its thread.
fn think(room: &mut PlayScreen, mind: &mut Option<AdvisorTable>) {
    if let Some(new) = room.take_mind() {
        *mind = Some(new);
    }
    let mind = mind.as_mut().unwrap();
    while let Some(wanted) = room.wants() {
        let order = room.order(wanted.clone()).unwrap();
        let answer = mind.answer(&order, &mut || true);
        room.learn(&wanted, answer);
    }
}

/// Puts the cursor on a cell by the labels that stand on the screen, with keys.
fn go(room: &mut PlayScreen, from: (i32, i32), to: (i32, i32)) {
    let step = |by: i32, more: &str, less: &str| {
        vec![
            if by > 0 {
                more.to_string()
            } else {
                less.to_string()
            };
            by.unsigned_abs() as usize
        ]
    };
    let mut names = step(to.0 - from.0, "Right", "Left");
    names.extend(step(to.1 - from.1, "Down", "Up"));
    if !names.is_empty() {
        keys(room, &names.join(" "));
    }
}

#[test]
fn two_people_play_to_the_end_at_one_keyboard() {
    let mut room = room("tictactoe", ["", ""]);
    let before = screen(&mut room);
    for expected in ["play   tictactoe", "O to move", "? help", "moves", "┼───┼"] {
        assert!(before.contains(expected), "{expected}: {before}");
    }
    let cells = [
        (1, 1),
        (0, 0),
        (0, 2),
        (2, 0),
        (1, 0),
        (1, 2),
        (2, 1),
        (0, 1),
        (2, 2),
    ];
    let mut at = (1, 1);
    for cell in cells {
        go(&mut room, at, cell);
        keys(&mut room, "Enter");
        at = cell;
    }
    assert_eq!(room.history().len(), 9);
    let after = screen(&mut room);
    assert!(room.is_over() && after.contains("a draw"), "{after}");
    assert!(after.contains("n play again"), "{after}");
    keys(&mut room, "Enter");
    assert!(screen(&mut room).contains("the game is over"));
    keys(&mut room, "u");
    assert_eq!(room.history().len(), 8);
    keys(&mut room, "n");
    assert!(room.history().is_empty());
    keys(&mut room, "q");
    assert!(room.is_leaving());
}

#[test]
fn the_perfect_player_is_never_beaten_and_says_why() {
    let mut room = room("tictactoe", ["", "perfect"]);
    let mut mind = None;
    let mut at = (1, 1);
    let all: Vec<(i32, i32)> = (0..9).map(|i| (i % 3, i / 3)).collect();
    while !room.is_over() {
        let turns = room.history().len();
        for &cell in &all {
            go(&mut room, at, cell);
            at = cell;
            keys(&mut room, "Enter");
            if room.history().len() > turns {
                break;
            }
            let told = screen(&mut room);
            assert!(told.contains("is taken"), "{told}");
        }
        think(&mut room, &mut mind);
    }
    let end = screen(&mut room);
    assert!(!end.contains("you have won"), "{end}");
    keys(&mut room, "w");
    let why = screen(&mut room);
    assert!(why.contains("thought") && why.contains("proven:"), "{why}");
}

#[test]
fn a_hint_is_marked_and_a_move_is_taken_back_with_the_answer() {
    let mut room = room("tictactoe", ["", "perfect"]);
    let mut mind = None;
    keys(&mut room, "Enter");
    assert!(screen(&mut room).contains("perfect is thinking"));
    room.tick(Duration::from_secs(3));
    assert!(screen(&mut room).contains("perfect is thinking 3 s"));
    think(&mut room, &mut mind);
    assert_eq!(room.history().len(), 2);
    keys(&mut room, "h");
    assert!(screen(&mut room).contains("looking for a move"));
    think(&mut room, &mut mind);
    let hinted = screen(&mut room);
    assert!(hinted.contains("perfect would play "), "{hinted}");
    assert!(hinted.contains('{'), "{hinted}");
    keys(&mut room, "Escape");
    assert!(!screen(&mut room).contains('{'));
    keys(&mut room, "u");
    assert!(room.history().is_empty());
    keys(&mut room, "u");
    assert!(screen(&mut room).contains("there is no move of yours to take back"));
    // the player follows what was taken back
    keys(&mut room, "Left Enter");
    think(&mut room, &mut mind);
    assert_eq!(room.history()[0], "A2");
    assert_eq!(room.history().len(), 2);
}

#[test]
fn an_answer_about_another_position_is_left_aside() {
    let mut room = room("tictactoe", ["", "perfect"]);
    let mut mind = room.take_mind();
    keys(&mut room, "Enter");
    let wanted = room.wants().unwrap();
    let order = room.order(wanted.clone()).unwrap();
    let answer = mind.as_mut().unwrap().answer(&order, &mut || true);
    keys(&mut room, "u");
    room.learn(&wanted, answer);
    assert!(room.history().is_empty());
}

#[test]
fn a_stone_shows_what_it_would_cause() {
    let mut room = room("stones", ["", ""]);
    let start = screen(&mut room);
    assert!(start.contains('●') && start.contains('■'), "{start}");
    // far from all stones none may be put, so nothing is shown to come
    go(&mut room, (9, 9), (18, 18));
    let far = screen(&mut room);
    assert!(!far.contains('○') && !far.contains('□'), "{far}");
    // d4, in the middle of a ring
    let at = |name: &str| {
        (
            i32::from(name.as_bytes()[0]) - 97,
            19 - name[1..].parse::<i32>().unwrap(),
        )
    };
    go(&mut room, (18, 18), at("d4"));
    let shown = screen(&mut room);
    assert!(shown.contains('×') || shown.contains('○'), "{shown}");
    assert!(shown.contains("d4: "), "{shown}");
    keys(&mut room, "p");
    let plain = screen(&mut room);
    assert!(!plain.contains('×') && !plain.contains('○'), "{plain}");
    keys(&mut room, "p Enter");
    assert_eq!(room.history(), ["d4"]);
    let played = screen(&mut room);
    assert!(played.contains("■ to move"), "{played}");
    keys(&mut room, "[");
    let back = screen(&mut room);
    assert!(back.contains("turn 0 of 1"), "{back}");
    keys(&mut room, "]");
    assert!(!screen(&mut room).contains("turn 0 of 1"));
}

#[test]
fn columns_are_entered_hidden_one_after_the_other() {
    let mut room = room("duel", ["", ""]);
    let first = screen(&mut room);
    assert!(first.contains("O to move: column"), "{first}");
    assert!(first.contains("mana"), "{first}");
    // the spec's first turn: ones in the first three rows
    keys(&mut room, "Up Up Up Up Space Down Space Down Space");
    assert!(screen(&mut room).contains("3 marked"));
    keys(&mut room, "Enter");
    let second = screen(&mut room);
    assert!(second.contains("X to move: column"), "{second}");
    assert!(
        second.contains("0 marked") && second.contains("O has moved"),
        "{second}"
    );
    assert!(!second.contains("<O>"), "nobody sees it: {second}");
    keys(&mut room, "Enter");
    assert_eq!(room.history(), ["11100000/00000000"]);
    let both = screen(&mut room);
    assert!(both.contains("O's view"), "{both}");
    keys(&mut room, "v");
    assert!(screen(&mut room).contains("X's view"));
    keys(&mut room, "v");
    let both = screen(&mut room);
    assert!(
        both.contains("O's view") && both.contains("X's view"),
        "{both}"
    );
}

#[test]
fn a_column_that_costs_too_much_is_refused() {
    let mut room = room("duel", ["", "random"]);
    keys(&mut room, ":");
    for letter in "11111111".chars() {
        keys(&mut room, &letter.to_string());
    }
    keys(&mut room, "Enter");
    let told = screen(&mut room);
    assert!(told.contains("that costs 8 mana"), "{told}");
}

#[test]
fn the_mouse_plays_too() {
    let mut room = room("tictactoe", ["", ""]);
    let shown = buffer(SIZE, |buffer| {
        room.draw(buffer);
    });
    // the cursor is drawn where the middle cell is
    let middle = (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y)));
    let is_cursor = |&(x, y): &(u16, u16)| shown[(x, y)].modifier.contains(Modifier::REVERSED);
    let (x, y) = middle.clone().find(is_cursor).unwrap();
    let click = |room: &mut PlayScreen, x: u16, y: u16| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        room.event(&mouse(kind, &format!("{x},{y}")));
        screen(room);
    };
    click(&mut room, x, y);
    click(&mut room, x + 5, y);
    click(&mut room, x, y - 2);
    assert_eq!(room.history(), ["B2", "C2", "B1"]);
    // beside the board nothing happens
    click(&mut room, 0, 5);
    assert_eq!(room.history().len(), 3);
}

#[test]
fn a_game_and_its_players_are_chosen() {
    let mut room = PlayScreen::new(PlayScreenOptions::default(), SIZE, PLAIN).unwrap();
    let asked = screen(&mut room);
    for expected in [
        "who plays what",
        "game",
        "tictactoe",
        "first seat",
        "a person",
    ] {
        assert!(asked.contains(expected), "{expected}: {asked}");
    }
    // the second game, by an arrow; then the next player for the second seat
    keys(&mut room, "Right Down Down");
    let other = screen(&mut room);
    assert!(other.contains("duel"), "{other}");
    keys(&mut room, "Up Up e");
    for _ in 0..20 {
        keys(&mut room, "Backspace");
    }
    for letter in "mnk:4,4,3".chars() {
        keys(&mut room, &letter.to_string());
    }
    keys(&mut room, "Enter Enter");
    let begun = screen(&mut room);
    assert!(begun.contains("play   mnk:4,4,3"), "{begun}");
    keys(&mut room, "o q");
    assert!(!room.is_leaving());
    keys(&mut room, "q");
    assert!(room.is_leaving());
}

#[test]
fn a_game_that_there_is_not_is_told() {
    let mut room = PlayScreen::new(PlayScreenOptions::default(), SIZE, PLAIN).unwrap();
    keys(&mut room, "e x Enter");
    let told = screen(&mut room);
    assert!(told.contains("there is no game"), "{told}");
}

#[test]
fn players_play_each_other_and_wait() {
    let mut room = room("mnk:5,5,4", ["random", "random"]);
    keys(&mut room, "Space");
    assert!(room.wants().is_none());
    assert!(screen(&mut room).contains("waiting"));
    keys(&mut room, "Space");
    let mut mind = None;
    think(&mut room, &mut mind);
    assert!(room.is_over());
    // the same again is another game, and the players follow
    let first = room.history().to_vec();
    keys(&mut room, "n");
    think(&mut room, &mut mind);
    assert!(room.is_over() && room.history() != first);
}

#[test]
fn a_bot_that_fails_has_lost() {
    let mut room = room("stones", ["", "cmd:/nowhere/at/all"]);
    let mut mind = None;
    keys(&mut room, ":");
    for letter in ["d", "4", "Enter"] {
        keys(&mut room, letter);
    }
    think(&mut room, &mut mind);
    let told = screen(&mut room);
    assert!(room.is_over() && told.contains("you have won"), "{told}");
}

#[test]
fn every_size_shows_what_it_can() {
    for (game, players) in [
        ("tictactoe", ["", ""]),
        ("stones", ["", ""]),
        ("duel:16x16", ["", ""]),
    ] {
        let mut room = room(game, players);
        for size in [(120, 50), (80, 24), (60, 16), (40, 12), (40, 8)] {
            let shown = text(size, |buffer| {
                room.draw(buffer);
            });
            assert!(shown.contains("to move"), "{game} {size:?}: {shown}");
            assert!(shown.contains("? help"), "{game} {size:?}: {shown}");
        }
        let small = text((30, 6), |buffer| {
            room.draw(buffer);
        });
        assert!(small.contains("too small: 40x8"), "{small}");
    }
}

#[test]
fn nothing_depends_on_colour() {
    for depth in [ColourDepth::True, ColourDepth::Indexed, ColourDepth::None] {
        for is_dark in [false, true] {
            let terms = PlayScreenOptions {
                game: Some("stones".parse().unwrap()),
                players: Some([None, None]),
                ..PlayScreenOptions::default()
            };
            let mut coloured =
                PlayScreen::new(terms, SIZE, TerminalProfile { depth, is_dark }).unwrap();
            let mut plain = room("stones", ["", ""]);
            assert_eq!(screen(&mut coloured), screen(&mut plain));
        }
    }
}

#[test]
fn help_lists_what_can_be_done() {
    let mut room = room("duel", ["", ""]);
    keys(&mut room, "?");
    let mut all = String::new();
    for _ in 0..4 {
        all += &screen(&mut room);
        keys(&mut room, "PageDown");
    }
    for expected in [
        "make the move",
        "hint",
        "take your last move back",
        "an empty goal",
    ] {
        assert!(all.contains(expected), "{expected}: {all}");
    }
    keys(&mut room, "Escape");
    assert!(!screen(&mut room).contains("esc closes"));
}

#[test]
fn a_game_is_saved_and_can_be_checked() {
    for (names, ending) in [
        ("Enter Left Enter Right Right Enter", "unfinished"),
        ("Enter Left Enter Shift-R", "resigned"),
        (
            "Enter Left Enter Up Enter Right Enter Down Down Right Enter",
            "rules",
        ),
    ] {
        let mut room = room("tictactoe", ["", ""]);
        keys(&mut room, names);
        keys(&mut room, "s Enter");
        let saved = room.take_saved().unwrap();
        assert_eq!(saved.name, "game.replay");
        let mut games = arena::replay::read_text(&saved.text);
        let kept = games.next().unwrap().unwrap();
        kept.check().unwrap();
        assert_eq!(kept.record.ending.kind(), ending, "{}", saved.text);
        assert_eq!(kept.record.players, ["human", "human"]);
        // of two people whoever is to move gives up, and the other has won
        if ending == "resigned" {
            assert_eq!(kept.record.ending, Ending::Resigned(Seat::First));
            assert_eq!(kept.record.outcome, Outcome::Win(Seat::Second));
            let told = screen(&mut room);
            assert!(told.contains("O has resigned"), "{told}");
        }
    }
}

#[test]
fn whoever_resigns_can_think_again() {
    let mut room = room("tictactoe", ["", "perfect"]);
    keys(&mut room, "Shift-R");
    let told = screen(&mut room);
    assert!(told.contains("perfect has won · O has resigned"), "{told}");
    keys(&mut room, "u");
    assert!(!room.is_over());
}

#[test]
fn a_thought_about_a_hidden_move_is_hidden_too() {
    let mut room = room("duel", ["", "material"]);
    let mut mind = None;
    keys(&mut room, "w");
    think(&mut room, &mut mind);
    let before = screen(&mut room);
    assert!(before.contains("nothing yet"), "{before}");
    keys(&mut room, "Enter");
    assert_eq!(room.history().len(), 1);
    let after = screen(&mut room);
    assert!(after.contains("X at turn 1"), "{after}");
    // and so for the next one
    think(&mut room, &mut mind);
    let after = screen(&mut room);
    assert!(after.contains("X at turn 1"), "{after}");
}
