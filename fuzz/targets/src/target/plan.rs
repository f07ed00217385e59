//! A tournament's plan: what is read keeps its promises, and what is not is told with a place in
//! the text. No program is started.

use super::{bytes_of, words_of};
use crate::Target;
use std::collections::BTreeSet;
use std::path::Path;
use tournament::{Plan, PlanError, TournamentKind};

pub(super) const PLAN: Target = Target {
    name: "plan",
    check: |bytes| check(&String::from_utf8_lossy(bytes)),
    seeds: || bytes_of(SEEDS),
    words: || words_of(SEEDS.iter().copied()),
    gate_runs: 2000,
};

const SEEDS: &[&str] = &[
    include_str!("../../../../tournaments/duel-league.toml"),
    r#"name = "cup"
game = "stones:adjacency=off"
kind = "gauntlet"
champion = "deep"
pairs = 3
seed = 7
opening = "2..6"
settled = true
pace = "200"
cage = "strict"
jobs = 2
store = "../kept/cup.sqlite"
[bounds]
memory = "2G"
cpu = 60
processes = 4
file-size = "1M"
files = 12
read = ["data", "more"]
[[player]]
name = "deep"
player = "mcts:ms=50"
[[player]]
command = "./my-bot --quick"
protocol = "text"
memory = "4G"
[[player]]
name = "snake"
command = "python3 snake.py"
folder = "snakes"
processes = 3
read = ["x"]
"#,
    r#"game = "tictactoe"
kind = "swiss"
rounds = 2
opening = 4
pace = "1000,50"
cage = "off"
[[player]]
player = "random"
[[player]]
player = "heuristic"
[[player]]
player = "cmd[text]:./bot"
"#,
    r#"game = "duel:8x8"
kind = "round-robin"
champions = ["a", "b"]
player = [{ player = "random", name = "a" }, { player = "regret:playouts=300", name = "b" }]
"#,
];

fn check(text: &str) {
    // without a folder, so that nothing is looked for on the disk
    match Plan::parse(text, Path::new("plan.toml")) {
        Ok(plan) => {
            assert!(plan.players.len() >= 2 && plan.pairs > 0 && plan.jobs > 0);
            let names: BTreeSet<&str> = plan.players.iter().map(|p| p.name.as_str()).collect();
            assert_eq!(names.len(), plan.players.len(), "names are each one's own");
            if let TournamentKind::Gauntlet { champions } = &plan.kind {
                assert!(!champions.is_empty() && champions.len() < plan.players.len());
                assert!(champions.iter().all(|&place| place < plan.players.len()));
                assert!(champions.is_sorted());
            }
            let _ = plan.conditions();
        }
        Err(error) => {
            let words = error.to_string();
            assert!(!words.contains('\n'), "{words}");
            let _ = error.hint();
            let PlanError::Wrong { line, column, .. } = error else {
                panic!("no file is read: {words}");
            };
            let lines: Vec<&str> = text.split('\n').collect();
            assert!((1..=lines.len()).contains(&line), "{words}");
            let length = lines[line - 1].chars().count();
            assert!((1..=length + 1).contains(&column), "{words}");
        }
    }
}
