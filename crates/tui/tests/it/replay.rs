//! The room replays: games scrubbed through by keys and mouse.

use crate::drawing::{press, text};
use crate::script::mouse;
use arena::Match;
use arena::replay::{Replay, positions, read_text};
use ratatui::crossterm::event::{MouseButton, MouseEventKind};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tui::replay::ReplayScreen;
use tui::{ColourDepth, TerminalProfile};

const SIZE: (u16, u16) = (80, 24);

/// Games of players by chance, written and read again.
fn games(game: &str, number: u64) -> Vec<Replay> {
    let contest = Match {
        games: number,
        seed: 5,
        is_recorded: true,
        ..Match::new(
            game.parse().unwrap(),
            ["random".parse().unwrap(), "random".parse().unwrap()],
        )
    };
    let mut file = String::new();
    let never = AtomicBool::new(false);
    let ran = contest.run(&never, &mut |_, records| {
        for record in records {
            file += &arena::replay::text(record);
        }
        ControlFlow::Continue(())
    });
    ran.unwrap();
    read_text(&file).map(|kept| kept.unwrap()).collect()
}

fn room(game: &str, number: u64) -> ReplayScreen {
    let look = TerminalProfile {
        depth: ColourDepth::None,
        is_dark: true,
    };
    ReplayScreen::new("games.replay", games(game, number), 0, look)
}

fn screen(room: &mut ReplayScreen) -> String {
    text(SIZE, |buffer| {
        room.draw(buffer);
    })
}

fn keys(room: &mut ReplayScreen, names: &str) {
    for name in names.split(' ') {
        room.event(&press(name));
        screen(room);
    }
}

#[test]
fn a_duel_is_scrubbed_to_the_right_board() {
    let replay = games("duel", 2).remove(0);
    let frames: Vec<_> = positions(&replay.record)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let last = frames.len() - 1;
    assert!(last > 120, "{last}");
    let mut room = room("duel", 2);
    let shown = screen(&mut room);
    for expected in [
        "replays",
        "duel",
        "game 1 of 2",
        "turn 0 of ",
        "mana",
        "random",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    for (names, ply) in [
        ("Right", 1),
        ("Shift-Right PageDown Left", 20),
        ("g 1 0 0 Enter", 100),
        ("End", last),
        ("Home", 0),
        ("Left", 0),
        ("g 9 9 9 9 Enter", 0),
        ("g x Enter", 0),
        ("g 7 Escape", 0),
    ] {
        keys(&mut room, names);
        assert_eq!(room.ply(), ply, "{names}");
        assert_eq!(room.frame(), Some(&frames[ply]), "{names}");
    }
    keys(&mut room, "End");
    let end = screen(&mut room);
    assert!(end.contains(&format!("turn {last} of {last}")), "{end}");
    let verdict = arena::replay::result(&replay.record);
    assert!(end.contains(&verdict[..20]), "{verdict}: {end}");
}

#[test]
fn it_plays_by_the_clock_and_faster() {
    let mut room = room("duel", 2);
    keys(&mut room, "Space");
    room.tick(Duration::from_millis(400));
    assert_eq!(room.ply(), 0);
    room.tick(Duration::from_millis(700));
    assert_eq!(room.ply(), 2);
    keys(&mut room, "+ +");
    room.tick(Duration::from_secs(2));
    assert_eq!(room.ply(), 22);
    keys(&mut room, "Space");
    room.tick(Duration::from_secs(2));
    assert_eq!(room.ply(), 22);
    keys(&mut room, "- - - Space");
    room.tick(Duration::from_secs(1));
    assert_eq!(room.ply(), 23);
    // at the end it stops, and then begins anew
    room.tick(Duration::from_secs(1000));
    let last = room.ply();
    assert!(last > 120);
    keys(&mut room, "Space");
    assert_eq!(room.ply(), 0);
}

#[test]
fn both_views_of_a_duel_are_seen() {
    let mut room = room("duel", 2);
    keys(&mut room, "End");
    let own = screen(&mut room);
    assert!(
        own.contains("O's view") && !own.contains("X's view"),
        "{own}"
    );
    keys(&mut room, "t");
    let turned = screen(&mut room);
    assert!(
        turned.contains("X's view") && !turned.contains("O's view"),
        "{turned}"
    );
    keys(&mut room, "v");
    let both = screen(&mut room);
    assert!(
        both.contains("X's view") && both.contains("O's view"),
        "{both}"
    );
}

#[test]
fn every_game_of_a_file_can_be_chosen() {
    let mut room = room("tictactoe", 4);
    keys(&mut room, "p");
    assert!(screen(&mut room).contains("this is the first game"));
    keys(&mut room, "n n");
    assert!(screen(&mut room).contains("game 3 of 4"));
    keys(&mut room, "o");
    let list = screen(&mut room);
    for expected in ["games", "1  tictactoe: ", "4  tictactoe: "] {
        assert!(list.contains(expected), "{expected}: {list}");
    }
    keys(&mut room, "End Enter");
    assert!(screen(&mut room).contains("game 4 of 4"));
    keys(&mut room, "t");
    assert!(screen(&mut room).contains("both see the same board"));
    keys(&mut room, "q");
    assert!(room.is_leaving());
}

#[test]
fn the_line_below_is_the_whole_game() {
    let mut room = room("duel", 2);
    screen(&mut room);
    let at = |room: &mut ReplayScreen, x: u16| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        room.event(&mouse(kind, &format!("{x},{}", SIZE.1 - 2)));
        screen(room);
        room.ply()
    };
    let middle = at(&mut room, 45);
    let later = at(&mut room, 60);
    assert!(0 < middle && middle < later, "{middle} {later}");
    // from end to end, and no turn is out of reach
    let plies = (0..SIZE.0).map(|x| at(&mut room, x)).max().unwrap();
    assert_eq!(plies, 200);
    assert_eq!(at(&mut room, 0), 0);
    room.event(&mouse(MouseEventKind::ScrollDown, "10,10"));
    assert_eq!(room.ply(), 1);
}

#[test]
fn what_bots_printed_stands_beside_it() {
    let mut games = games("tictactoe", 2);
    games[0].record.aftermath[1].complaints = "depth 3\nno idea\u{1b}[2J".into();
    games[0].record.aftermath[0].notes = vec!["left 2 processes behind".into()];
    let mut room = ReplayScreen::new("x", games, 0, TerminalProfile::default());
    assert!(screen(&mut room).contains("e what bots said"));
    keys(&mut room, "e");
    let said = screen(&mut room);
    for expected in [
        "depth 3",
        "no idea[2J",
        "left 2 processes behind",
        "printed nothing",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    keys(&mut room, "Escape");
    assert!(!screen(&mut room).contains("depth 3"));
}

#[test]
fn a_turn_that_cannot_be_played_is_told_where_it_is() {
    let mut games = games("tictactoe", 2);
    games[0].record.turns[2].text = "Z9".into();
    let mut room = ReplayScreen::new("x", games, 0, TerminalProfile::default());
    keys(&mut room, "End");
    let told = screen(&mut room);
    assert!(told.contains("`Z9`"), "{told}");
    let mut games = self::games("tictactoe", 2);
    games[0].record.game = "chess".into();
    let mut room = ReplayScreen::new("x", games, 0, TerminalProfile::default());
    keys(&mut room, "Right End Space");
    let told = screen(&mut room);
    assert!(told.contains("there is no game `chess`"), "{told}");
}

#[test]
fn every_size_shows_what_it_can() {
    for game in ["tictactoe", "stones", "duel:16x16"] {
        let mut room = room(game, 2);
        keys(&mut room, "Right Right");
        for size in [(120, 50), (80, 24), (60, 16), (40, 12), (40, 8)] {
            let shown = text(size, |buffer| {
                room.draw(buffer);
            });
            assert!(shown.contains("turn 2 of "), "{game} {size:?}: {shown}");
            assert!(shown.contains("? help"), "{game} {size:?}: {shown}");
        }
    }
}
