//! Killed at any moment, again and again, a tournament comes to the same end.

use crate::{games, players};
use games::Dice;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tournament::Store;

/// Longer than anything takes that comes to an end.
const DEADLINE: Duration = Duration::from_secs(60);

fn probe() -> Command {
    let mut probe = Command::new(env!("CARGO_BIN_EXE_gridpaper-runner-probe"));
    probe.stdin(Stdio::null());
    probe
}

fn write_plan(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("cup.toml");
    std::fs::write(&path, text).unwrap();
    path
}

fn start(plan: &Path) -> Child {
    probe().arg("run").arg(plan).spawn().unwrap()
}

/// How many games there are; none where there is no store yet.
fn count(store: &Path) -> u64 {
    Store::open(store).map_or(0, |store| store.count().unwrap())
}

/// Runs a plan and kills it after `games` more games and `looks` more looks at the store, so it
/// dies at any moment between two games. Returns whether it ended before.
fn run_and_kill(plan: &Path, games: u64, mut looks: u32) -> bool {
    let store = plan.with_extension("sqlite");
    let goal = count(&store) + games;
    let mut run = start(plan);
    // one connection for all looks: a store that exists is complete
    let mut open = None;
    loop {
        if let Some(status) = run.try_wait().unwrap() {
            assert!(status.success());
            return true;
        }
        if open.is_none() {
            open = Store::open(&store).ok();
        }
        if open.as_ref().map_or(0, |store| store.count().unwrap()) >= goal {
            if looks == 0 {
                break;
            }
            looks -= 1;
            continue;
        }
        std::thread::yield_now();
    }
    run.kill().unwrap();
    run.wait().unwrap();
    false
}

/// Plays a plan whole, and again with kills in between, until there were enough of them: on a
/// machine that has much else to do, a run may have come far before it is seen and killed.
fn kill_again_and_again(text: &str, seed: u64) {
    let folder = TempDir::new().unwrap();
    let whole = write_plan(&folder, text);
    assert!(start(&whole).wait().unwrap().success());
    let whole = games(&whole.with_extension("sqlite"));
    let mut dice = Dice::new(seed);
    let mut kills = 0;
    while kills < 5 {
        let folder = TempDir::new().unwrap();
        let killed = write_plan(&folder, text);
        while !run_and_kill(&killed, dice.below(40).into(), dice.below(60)) {
            kills += 1;
            assert!(kills < 500, "it does not come to an end");
        }
        let killed = games(&killed.with_extension("sqlite"));
        assert_eq!(whole.len(), killed.len());
        assert!(whole == killed, "the games are others");
    }
}

const PLAYERS: &[(&str, &str)] = &[
    ("chance", "random"),
    ("alpha", "alphabeta:nodes=100"),
    ("tree", "mcts:playouts=150"),
    ("wide", "mcts:playouts=60"),
    ("deep", "alphabeta:nodes=400"),
];

#[test]
fn a_round_robin_that_is_killed_is_the_same_in_the_end() {
    let head = "game = \"mnk:5,5,4\"\nseed = 9\npairs = 25\njobs = 2\n";
    kill_again_and_again(&format!("{head}{}", players(PLAYERS)), 1);
}

#[test]
fn a_swiss_tournament_that_is_killed_is_the_same_in_the_end() {
    let head = "game = \"mnk:5,5,4\"\nseed = 9\nkind = \"swiss\"\nrounds = 5\npairs = 20\n";
    kill_again_and_again(&format!("{head}{}", players(PLAYERS)), 2);
}

/// The processes that were given this word.
fn processes(mark: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(mark)).collect()
}

#[test]
fn no_bot_outlives_a_run_that_is_killed() {
    let folder = TempDir::new().unwrap();
    let mark = format!("mark-{}-{:x}", std::process::id(), Dice::new(77).word());
    let bot = |name| crate::runner::bot(name, "random", &mark);
    let (one, two) = (bot("one"), bot("two"));
    let text = format!("game = \"mnk:5,5,4\"\npairs = 4000\npace = \"20000,10000\"\n{one}{two}");
    let plan = write_plan(&folder, &text);
    for games in [0, 6, 30] {
        assert!(!run_and_kill(&plan, games + 1, 60));
        let begun = Instant::now();
        while let left = processes(&mark)
            && !left.is_empty()
        {
            assert!(begun.elapsed() < DEADLINE, "left behind: {left:?}");
            std::thread::yield_now();
        }
    }
    let store = Store::open(&plan.with_extension("sqlite")).unwrap();
    assert!(store.count().unwrap() >= 37);
    let verdicts = store.faults().unwrap();
    assert!(verdicts.is_empty(), "{verdicts:?}");
}
