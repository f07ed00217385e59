//! Tables for other programs.

use crate::{plan, players};
use serde_json::Value;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;
use tournament::TournamentRunner;
use tournament::export::{ExportTable, csv, json};

fn runner(folder: &TempDir) -> TournamentRunner {
    let names = [
        ("a, \"b\"", "random"),
        ("<b>", "alphabeta:nodes=50"),
        ("c", "random"),
    ];
    let text = format!("game = \"mnk:4,4,3\"\npairs = 3\n{}", players(&names));
    TournamentRunner::open(plan(folder, &text)).unwrap()
}

fn sheet(runner: &TournamentRunner, sheet: ExportTable) -> String {
    let mut bytes = Vec::new();
    csv(runner.store(), sheet, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn all_tables_can_be_exported() {
    let folder = TempDir::new().unwrap();
    let mut runner = runner(&folder);
    runner
        .run(None, &AtomicBool::new(false), &mut |_| ())
        .unwrap();
    let players = sheet(&runner, ExportTable::Players);
    let lines: Vec<_> = players.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 4);
    assert!(
        lines[0].starts_with("place,name,player,games,wins,draws,losses,points,faults,rating,")
    );
    assert!(
        lines[1].starts_with("1,<b>,alphabeta:nodes=50,12,"),
        "{players}"
    );
    assert!(players.contains("\"a, \"\"b\"\"\",random,12,"), "{players}");
    let games = sheet(&runner, ExportTable::Games);
    assert_eq!(games.split_terminator("\r\n").count(), 19);
    assert!(games.starts_with("game,first,second,pair,leg,outcome,ending,plies,seed,hash,run,"));

    let mut bytes = Vec::new();
    json(runner.store(), &mut bytes).unwrap();
    let all: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(all["tournament"]["game"], "mnk:4,4,3");
    assert_eq!(all["players"].as_array().unwrap().len(), 3);
    assert_eq!(all["players"][0]["name"], "<b>");
    assert_eq!(all["meetings"].as_array().unwrap().len(), 3);
    assert_eq!(all["runs"][0]["pairs"], 9);
    let games = all["games"].as_array().unwrap();
    assert_eq!(games.len(), 18);
    for game in games {
        let turns = game["turns"].as_array().unwrap().len();
        assert_eq!(game["plies"], turns);
        assert_eq!(game["faults"], serde_json::json!([null, null]));
    }
}

#[test]
fn a_tournament_that_has_not_begun_has_tables_too() {
    let folder = TempDir::new().unwrap();
    let runner = runner(&folder);
    assert_eq!(sheet(&runner, ExportTable::Games).lines().count(), 1);
    let players = sheet(&runner, ExportTable::Players);
    assert_eq!(players.lines().count(), 4);
    assert!(players.contains("random,0,0,0,0,0.0,0,,,"), "{players}");
    let mut bytes = Vec::new();
    json(runner.store(), &mut bytes).unwrap();
    let all: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(all["games"], serde_json::json!([]));
}
