//! `gridpaper tournament`.

use crate::{CliTestFolder, json, out, text, with_input};
use serde_json::Value;

const CUP: &str = "\
name = \"cup\"
game = \"tictactoe\"
kind = \"round-robin\"
pairs = 4
seed = 5

[[player]]
name = \"chance\"
player = \"random\"

[[player]]
name = \"rules\"
player = \"heuristic\"

[[player]]
name = \"proof\"
player = \"perfect\"
";

#[test]
fn a_tournament_is_played_goes_on_and_is_reported() {
    let folder = CliTestFolder::new();
    let plan = folder.write("cup.toml", CUP);
    let page = folder.path("cup.html");
    let half = json(&["tournament", &plan, "--games", "10", "--json"]);
    assert_eq!(half["pairs"], 5);
    let whole = json(&["tournament", &plan, "--json", "--report", &page]);
    assert_eq!(
        (&whole["pairs"], &whole["game"]),
        (&12.into(), &"tictactoe".into())
    );
    let players = whole["players"].as_array().unwrap();
    assert_eq!(players.len(), 3);
    assert_eq!(players[2]["name"], "chance");
    assert!(players[2]["rating"].as_f64() < players[0]["rating"].as_f64());
    for player in players {
        assert_eq!(player["games"], 16, "{player}");
    }

    // the same in one go: the same games
    let other = CliTestFolder::new();
    let plan = other.write("cup.toml", CUP);
    assert_eq!(
        json(&["tournament", &plan, "--json", "--jobs", "2"])["players"][0]["points"],
        players[0]["points"]
    );
    let exported = |plan: &str, name: &str| {
        let into = other.path(name);
        out(&["tournament", "export", plan, "--csv", &into]);
        let games = std::fs::read_to_string(format!("{into}/games.csv")).unwrap();
        assert_eq!(games.lines().count(), 1 + 24);
        // the hashes of the last positions, whenever they were played
        let hash = |line: &str| line.split(',').nth(9).unwrap().to_string();
        games.lines().map(hash).collect::<Vec<_>>()
    };
    let first = exported(&folder.path("cup.toml"), "a");
    assert_eq!(first, exported(&plan, "b"));
    assert_eq!(first[0], "hash");

    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<title>") && page.contains("proof"));
    let replays = other.path("all.replay");
    out(&["tournament", "export", &plan, "--replays", &replays]);
    let checked = out(&["replay", &replays, "--check"]);
    assert_eq!(checked, "24 games: as they are said to be\n");
    let everything = out(&["tournament", "export", &plan, "--json"]);
    let everything: Value = serde_json::from_str(&everything).unwrap();
    assert_eq!(everything["games"].as_array().unwrap().len(), 24);
}

#[test]
fn nothing_is_left_to_play_twice() {
    let folder = CliTestFolder::new();
    let plan = folder.write("cup.toml", CUP);
    let table = out(&["tournament", &plan]);
    assert!(table.contains("chance") && table.contains('±'), "{table}");
    assert_eq!(out(&["tournament", &plan]), table, "it is over");
    // more pairs go on, another game does not
    let longer = folder.write("cup.toml", CUP.replace("pairs = 4", "pairs = 6"));
    assert_eq!(json(&["tournament", &longer, "--json"])["pairs"], 18);
    let other = folder.write("cup.toml", CUP.replace("seed = 5", "seed = 6"));
    let output = with_input(&["tournament", &other], b"");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("seed"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_place() {
    let folder = CliTestFolder::new();
    let rows = [
        (CUP.replace("tictactoe", "chess"), "cup.toml:2:"),
        (CUP.replace("round-robin", "square"), "cup.toml:3:"),
        (CUP.replace("pairs = 4", "pears = 4"), "cup.toml:4:"),
        (
            CUP.replace("heuristic", "deep-thought"),
            "rules: tictactoe has no player",
        ),
        (CUP.replace("rules", "chance"), "chance"),
        (CUP.replace("[[player]]", "[player]"), "cup.toml:"),
    ];
    for (plan, expected) in rows {
        let path = folder.write("cup.toml", plan);
        let output = with_input(&["tournament", &path], b"");
        let talk = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{expected}: {talk}");
        assert!(talk.contains(expected), "{expected}: {talk}");
    }
    let names = folder.names();
    assert!(
        !names.iter().any(|name| name.contains("sqlite")),
        "{names:?}"
    );
}

/// The exit code, what is printed, and what is said.
fn with_status(line: &[&str]) -> (i32, String, String) {
    let output = with_input(line, b"");
    let code = output.status.code().unwrap();
    (code, text(&output.stdout), text(&output.stderr))
}

/// Shares, in any order, with one lost and played by its units: the store of one run.
#[test]
fn a_tournament_is_played_in_parts_and_merged() {
    let folder = CliTestFolder::new();
    let plan = folder.write("cup.toml", CUP);
    let parts = folder.path("parts");
    for share in ["3/3", "1/3"] {
        let said = out(&["tournament", &plan, "--shard", share, "--out", &parts]);
        assert!(said.ends_with(".gpart: 4 new units\n"), "{said}");
    }
    let (status, missing, said) = with_status(&["tournament", "merge", &plan, &parts]);
    assert_eq!((status, missing.as_str()), (1, "1,4,7,10\n"));
    assert!(said.contains("no: 4 of 12 units are missing"), "{said}");
    let arguments = ["tournament", &plan, "--units", "1,4,7,10", "--out", &parts];
    assert!(out(&arguments).contains("units-1,4,7,10.gpart: 4 new units"));
    // a share of the pairs is played again before they are added
    let line = ["tournament", "merge", &plan, &parts, "--check", "25%"];
    let (status, table, said) = with_status(&line);
    assert!(status == 0 && table.contains("proof"), "{said}");
    assert!(
        said.contains("3 units played again, with equal results"),
        "{said}"
    );

    let other = CliTestFolder::new();
    let whole = other.write("cup.toml", CUP);
    let table = |plan: &str| json(&["tournament", plan, "--json"]);
    let (merged, whole) = (table(&plan), table(&whole));
    let scores = |table: &Value| {
        let players = table["players"].as_array().unwrap().iter();
        players
            .map(|player| ["name", "games", "points", "rating"].map(|key| player[key].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(scores(&merged), scores(&whole));

    let refused = |arguments: &[&str], words: &str| {
        let (status, _, said) = with_status(arguments);
        assert!(status == 2 && said.contains(words), "{status} {said}");
    };
    let timed = folder.write("timed.toml", CUP.replace("heuristic", "mcts:ms=1"));
    refused(
        &["tournament", &timed, "--out", &parts],
        "write `timed = true` in the plan",
    );
    refused(&["tournament", &plan, "--shard", "1/3"], "--out");
    let by_clock = folder.write(
        "clock.toml",
        format!("timed = true\n{}", CUP.replace("heuristic", "mcts:ms=1")),
    );
    refused(
        &["tournament", "merge", &by_clock, &parts, "--check", "1%"],
        "players by the clock do not play the same games again",
    );
    refused(
        &["tournament", &plan, "--out", &parts, "--units", "12"],
        "12 units, from 0 on",
    );
    refused(&["merge", &parts], "gridpaper tournament merge");
}
