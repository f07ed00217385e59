//! The room arena: a tournament that runs, and what is seen of it.

use crate::drawing::{press, text};
use arena::Broadcast;
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
fn room() -> TournamentScreen {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::parse(PLAN, &folder.path().join("cup.toml")).unwrap();
    let mut runner = TournamentRunner::open(plan).unwrap();
    let look = TerminalProfile {
        depth: ColourDepth::None,
        is_dark: true,
    };
    let mut room = TournamentScreen::new("cup", "duel", look);
    let broadcasts: Vec<Arc<Broadcast>> = runner.broadcasts().to_vec();
    let ran = runner.run(None, &AtomicBool::new(false), &mut |progress| {
        for (game, broadcast) in broadcasts.iter().enumerate() {
            if let Some(scene) = broadcast.look() {
                room.see(game, scene);
            }
        }
        room.learn(TournamentScreenModel::of(progress));
    });
    assert!(ran.unwrap());
    room
}

fn screen(room: &mut TournamentScreen, size: (u16, u16)) -> String {
    text(size, |buffer| room.draw(buffer))
}

#[test]
fn the_table_and_a_board_are_seen() {
    let mut room = room();
    let shown = screen(&mut room, SIZE);
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
    room.event(&press("b"));
    let board = screen(&mut room, SIZE);
    assert!(
        board.contains("mana") && !board.contains("rating"),
        "{board}"
    );
    room.event(&press("?"));
    let help = screen(&mut room, SIZE);
    assert!(help.contains("the same command goes on"), "{help}");
    room.event(&press("Escape"));
    room.event(&press("q"));
    assert!(room.is_leaving());
}

#[test]
fn every_size_shows_what_it_can() {
    let mut room = room();
    for size in [(120, 50), (80, 24), (60, 16), (40, 12), (40, 8)] {
        let shown = screen(&mut room, size);
        assert!(shown.contains("12 of 12 games"), "{size:?}: {shown}");
        assert!(
            shown.contains("q stop") && shown.contains("greedy"),
            "{size:?}: {shown}"
        );
    }
    assert!(screen(&mut room, (30, 6)).contains("too small: 40x8"));
}

#[test]
fn before_anything_is_told_it_says_so() {
    let mut room = TournamentScreen::new("cup", "duel", TerminalProfile::default());
    assert!(screen(&mut room, SIZE).contains("the first games begin"));
    room.event(&press("Ctrl-C"));
    assert!(room.is_leaving());
}
