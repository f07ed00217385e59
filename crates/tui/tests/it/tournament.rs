//! The room arena: a tournament that runs, and what is seen of it.

use crate::drawing::{press, text};
use matches::Broadcast;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tournament::{Plan, TournamentRunner};
use tui::tournament::{TournamentScreen, TournamentScreenModel};
use tui::{ColourDepth, TerminalProfile};

const SIZE: (u16, u16) = (80, 24);

const PLAN: &str = r#"
game = "duel"
pairs = 2

[[player]]
name = "dice"
player = "random"

[[player]]
name = "greedy"
player = "material"

[[player]]
name = "other dice"
player = "random"
"#;

/// A room that was told all that a runner tells.
fn app() -> TournamentScreen {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::parse(PLAN, &folder.path().join("cup.toml")).unwrap();
    let mut runner = TournamentRunner::open(plan).unwrap();
    let profile = TerminalProfile {
        depth: ColourDepth::None,
        is_dark: true,
    };
    let mut app = TournamentScreen::new("cup", "duel", profile);
    let broadcasts: Vec<Arc<Broadcast>> = runner.broadcasts().to_vec();
    let ran = runner.run(None, &AtomicBool::new(false), &mut |progress| {
        for (game, broadcast) in broadcasts.iter().enumerate() {
            if let Some(position) = broadcast.take_position() {
                app.receive_position(game, position);
            }
        }
        app.receive_model(TournamentScreenModel::of(progress));
    });
    assert!(ran.unwrap());
    app
}

fn screen(app: &mut TournamentScreen, size: (u16, u16)) -> String {
    text(size, |buffer| app.draw(buffer))
}

#[test]
fn the_table_and_a_board_are_seen() {
    let mut app = app();
    let shown = screen(&mut app, SIZE);
    for expected in [
        "arena",
        "cup",
        "dice",
        "greedy",
        "12 of 12 games",
        "? help",
        "q stop",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert!(shown.contains("mana"), "a game beside the table: {shown}");
    app.event(&press("b"));
    let board = screen(&mut app, SIZE);
    assert!(
        board.contains("mana") && !board.contains("rating"),
        "{board}"
    );
    app.event(&press("?"));
    let help = screen(&mut app, SIZE);
    assert!(help.contains("the same command goes on"), "{help}");
    app.event(&press("Escape"));
    app.event(&press("q"));
    assert!(app.is_leaving());
}

#[test]
fn every_size_shows_what_it_can() {
    let mut app = app();
    for size in [(120, 50), (80, 24), (60, 16), (40, 12), (40, 8)] {
        let shown = screen(&mut app, size);
        assert!(shown.contains("12 of 12 games"), "{size:?}: {shown}");
        assert!(
            shown.contains("q stop") && shown.contains("greedy"),
            "{size:?}: {shown}"
        );
    }
    assert!(screen(&mut app, (30, 6)).contains("too small: 40x8"));
}

#[test]
fn before_anything_is_told_it_says_so() {
    let mut app = TournamentScreen::new("cup", "duel", TerminalProfile::default());
    assert!(screen(&mut app, SIZE).contains("the first games begin"));
    app.event(&press("Ctrl-C"));
    assert!(app.is_leaving());
}
