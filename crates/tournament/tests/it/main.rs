//! Tournaments from a plan to an export.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod export;
mod list;
mod part;
mod report;
mod resumption;
mod runner;
mod store;

use std::path::Path;
use tempfile::TempDir;
use tournament::store::StoredGame;
use tournament::{Plan, Store};

/// A plan in a folder of its own.
fn plan(folder: &TempDir, text: &str) -> Plan {
    Plan::parse(text, &folder.path().join("cup.toml")).unwrap()
}

/// Players that need no clock, as a plan has them.
fn players(names: &[(&str, &str)]) -> String {
    let player = |(name, player)| format!("[[player]]\nname = {name:?}\nplayer = {player:?}\n");
    names.iter().copied().map(player).collect()
}

/// All games of a store, without what no two runs share.
fn games(path: &Path) -> Vec<StoredGame> {
    let store = Store::open(path).unwrap();
    let games = store.games().map(|game| timeless(game.unwrap()));
    games.collect()
}

fn timeless(mut game: StoredGame) -> StoredGame {
    game.id = 0;
    game.run = 0;
    game.started = std::time::UNIX_EPOCH;
    game.spent = std::time::Duration::ZERO;
    for turn in &mut game.record.turns {
        turn.spent = [None; 2];
    }
    game
}
