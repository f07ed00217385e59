//! The room replays: games scrubbed through by keys and mouse.

use crate::drawing::{press, text};
use crate::script::mouse;
use arena::Match;
use matches::replay::{Replay, positions, read_text};
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
            file += &matches::replay::text(record);
        }
        ControlFlow::Continue(())
    });
    ran.unwrap();
    read_text(&file).map(|kept| kept.unwrap()).collect()
}

fn app(game: &str, number: u64) -> ReplayScreen {
    let profile = TerminalProfile {
        depth: ColourDepth::None,
        is_dark: true,
    };
    ReplayScreen::new("games.replay", games(game, number), 0, profile)
}

fn screen(app: &mut ReplayScreen) -> String {
    text(SIZE, |buffer| {
        app.draw(buffer);
    })
}

fn keys(app: &mut ReplayScreen, names: &str) {
    for name in names.split(' ') {
        app.event(&press(name));
        screen(app);
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
    let mut app = app("duel", 2);
    let shown = screen(&mut app);
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
        keys(&mut app, names);
        assert_eq!(app.ply(), ply, "{names}");
        assert_eq!(app.frame(), Some(&frames[ply]), "{names}");
    }
    keys(&mut app, "End");
    let end = screen(&mut app);
    assert!(end.contains(&format!("turn {last} of {last}")), "{end}");
    let verdict = matches::replay::result(&replay.record);
    assert!(end.contains(&verdict[..20]), "{verdict}: {end}");
}

#[test]
fn it_plays_by_the_clock_and_faster() {
    let mut app = app("duel", 2);
    keys(&mut app, "Space");
    app.tick(Duration::from_millis(400));
    assert_eq!(app.ply(), 0);
    app.tick(Duration::from_millis(700));
    assert_eq!(app.ply(), 2);
    keys(&mut app, "+ +");
    app.tick(Duration::from_secs(2));
    assert_eq!(app.ply(), 22);
    keys(&mut app, "Space");
    app.tick(Duration::from_secs(2));
    assert_eq!(app.ply(), 22);
    keys(&mut app, "- - - Space");
    app.tick(Duration::from_secs(1));
    assert_eq!(app.ply(), 23);
    // at the end it stops, and then begins anew
    app.tick(Duration::from_secs(1000));
    let last = app.ply();
    assert!(last > 120);
    keys(&mut app, "Space");
    assert_eq!(app.ply(), 0);
}

#[test]
fn both_views_of_a_duel_are_seen() {
    let mut app = app("duel", 2);
    keys(&mut app, "End");
    let own = screen(&mut app);
    assert!(
        own.contains("O's view") && !own.contains("X's view"),
        "{own}"
    );
    keys(&mut app, "t");
    let turned = screen(&mut app);
    assert!(
        turned.contains("X's view") && !turned.contains("O's view"),
        "{turned}"
    );
    keys(&mut app, "v");
    let both = screen(&mut app);
    assert!(
        both.contains("X's view") && both.contains("O's view"),
        "{both}"
    );
}

#[test]
fn every_game_of_a_file_can_be_chosen() {
    let mut app = app("tictactoe", 4);
    keys(&mut app, "p");
    assert!(screen(&mut app).contains("this is the first game"));
    keys(&mut app, "n n");
    assert!(screen(&mut app).contains("game 3 of 4"));
    keys(&mut app, "o");
    let list = screen(&mut app);
    for expected in ["games", "1  tictactoe: ", "4  tictactoe: "] {
        assert!(list.contains(expected), "{expected}: {list}");
    }
    keys(&mut app, "End Enter");
    assert!(screen(&mut app).contains("game 4 of 4"));
    keys(&mut app, "t");
    assert!(screen(&mut app).contains("both see the same board"));
    keys(&mut app, "q");
    assert!(app.is_leaving());
}

#[test]
fn the_line_below_is_the_whole_game() {
    let mut app = app("duel", 2);
    screen(&mut app);
    let at = |app: &mut ReplayScreen, x: u16| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        app.event(&mouse(kind, &format!("{x},{}", SIZE.1 - 2)));
        screen(app);
        app.ply()
    };
    let middle = at(&mut app, 45);
    let later = at(&mut app, 60);
    assert!(0 < middle && middle < later, "{middle} {later}");
    // from end to end, and no turn is out of reach
    let plies = (0..SIZE.0).map(|x| at(&mut app, x)).max().unwrap();
    assert_eq!(plies, 200);
    assert_eq!(at(&mut app, 0), 0);
    app.event(&mouse(MouseEventKind::ScrollDown, "10,10"));
    assert_eq!(app.ply(), 1);
}

#[test]
fn what_bots_printed_stands_beside_it() {
    let mut games = games("tictactoe", 2);
    games[0].record.reports[1].stderr = "depth 3\nno idea\u{1b}[2J".into();
    games[0].record.reports[0].notes = vec!["left 2 processes behind".into()];
    let mut app = ReplayScreen::new("x", games, 0, TerminalProfile::default());
    assert!(screen(&mut app).contains("e what bots said"));
    keys(&mut app, "e");
    let said = screen(&mut app);
    for expected in [
        "depth 3",
        "no idea[2J",
        "left 2 processes behind",
        "printed nothing",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    keys(&mut app, "Escape");
    assert!(!screen(&mut app).contains("depth 3"));
}

#[test]
fn a_turn_that_cannot_be_played_is_told_where_it_is() {
    let mut games = games("tictactoe", 2);
    games[0].record.turns[2].text = "Z9".into();
    let mut app = ReplayScreen::new("x", games, 0, TerminalProfile::default());
    keys(&mut app, "End");
    let told = screen(&mut app);
    assert!(told.contains("`Z9`"), "{told}");
    let mut games = self::games("tictactoe", 2);
    games[0].record.game = "chess".into();
    let mut app = ReplayScreen::new("x", games, 0, TerminalProfile::default());
    keys(&mut app, "Right End Space");
    let told = screen(&mut app);
    assert!(told.contains("there is no game `chess`"), "{told}");
}

#[test]
fn every_size_shows_what_it_can() {
    for game in ["tictactoe", "stones", "duel:16x16"] {
        let mut app = app(game, 2);
        keys(&mut app, "Right Right");
        for size in [(120, 50), (80, 24), (60, 16), (40, 12), (40, 8)] {
            let shown = text(size, |buffer| {
                app.draw(buffer);
            });
            assert!(shown.contains("turn 2 of "), "{game} {size:?}: {shown}");
            assert!(shown.contains("? help"), "{game} {size:?}: {shown}");
        }
    }
}
