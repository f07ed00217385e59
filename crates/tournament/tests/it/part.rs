//! Tournaments in parts: any sharing out gives the games of one run.

use crate::{games, plan, players};
use games::Dice;
use parts::{PartError, UnitIndex, part_files};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;
use tournament::store::StoredGame;
use tournament::{PairPartError, PairUnits, Plan, Store, TournamentRunError, TournamentRunner};

const FOUR: &[(&str, &str)] = &[
    ("chance", "random"),
    ("alpha", "alphabeta:nodes=60"),
    ("tree", "mcts:playouts=30"),
    ("greedy", "material"),
];

fn four(folder: &TempDir, more: &str) -> Plan {
    let text = format!(
        "game = \"mnk:4,4,3\"\nseed = 5\npairs = 3\n{more}\n{}",
        players(FOUR)
    );
    plan(folder, &text)
}

/// Plays the units of a share into a part.
fn play(plan: &Plan, folder: &Path, name: &str, is_own: &dyn Fn(u64) -> bool) -> u64 {
    let runner = TournamentRunner::open_part(plan.clone(), folder, name, is_own);
    let mut runner = runner.unwrap();
    assert!(
        runner
            .run(None, &AtomicBool::new(false), &mut |_| ())
            .unwrap()
    );
    runner.results().pairs()
}

/// The games of parts, added in this order.
fn merged(plan: &Plan, parts: &[PathBuf]) -> (Vec<StoredGame>, Vec<u64>) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("merged.sqlite");
    let mut store = Store::open_or_create(&path).unwrap();
    let units = PairUnits::new(plan).unwrap();
    let (_, missing) = units.merge(parts, &mut store).unwrap();
    // what is there is left as it is
    assert_eq!(
        units.merge(parts, &mut store).unwrap(),
        (0, missing.clone())
    );
    drop(store);
    (sorted(games(&path)), missing)
}

fn sorted(mut games: Vec<StoredGame>) -> Vec<StoredGame> {
    games.sort_by_key(|game| (game.players, game.record.pair, game.leg));
    games
}

/// What one run plays.
fn whole(plan: &Plan) -> Vec<StoredGame> {
    let mut runner = TournamentRunner::open(plan.clone()).unwrap();
    assert!(
        runner
            .run(None, &AtomicBool::new(false), &mut |_| ())
            .unwrap()
    );
    drop(runner);
    sorted(games(&plan.store))
}

#[test]
fn any_shares_in_any_order_play_the_games_of_one_run() {
    let folder = TempDir::new().unwrap();
    let kinds = [
        "",
        "kind = \"gauntlet\"\nchampion = \"tree\"\nsettled = true",
    ];
    for (shares, more) in [(1, kinds[0]), (3, kinds[0]), (5, kinds[1])] {
        let parts = TempDir::new().unwrap();
        let plan = four(&folder, more);
        for share in (0..shares).rev() {
            let name = format!("{share}.gpart");
            play(&plan, parts.path(), &name, &|unit| unit % shares == share);
        }
        let mut files = part_files(parts.path()).unwrap();
        assert_eq!(files.len() as u64, shares);
        files.rotate_left(1);
        let (games, missing) = merged(&plan, &files);
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(games, whole(&plan));
        fs::remove_file(&plan.store).unwrap();
        // all is there, and another share plays nothing again
        assert_eq!(play(&plan, parts.path(), "more.gpart", &|_| true), 0);
    }
}

/// A part that is cut at any byte, as by `kill -9`, has the units before, and goes on to the same
/// bytes.
#[test]
fn a_torn_line_is_not_there_and_a_stopped_run_goes_on() {
    let (folder, parts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let plan = four(&folder, "");
    let path = parts.path().join("1.gpart");
    assert_eq!(play(&plan, parts.path(), "1.gpart", &|_| true), 18);
    let bytes = fs::read(&path).unwrap();
    let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
    let units = PairUnits::new(&plan).unwrap();
    let mut dice = Dice::new(3);
    for _ in 0..6 {
        let length = dice.below(bytes.len() as u32) as usize;
        fs::write(&path, &bytes[..length]).unwrap();
        let kept = lines(&bytes[..length]).saturating_sub(1);
        let index = UnitIndex::of_folder(parts.path(), &units).unwrap();
        assert_eq!(index.units().count() as usize, kept);
        play(&plan, parts.path(), "1.gpart", &|_| true);
        assert_eq!(fs::read(&path).unwrap(), bytes, "{length}");
    }
    fs::remove_file(&path).unwrap();
    // stopped in the middle
    let runner = TournamentRunner::open_part(plan.clone(), parts.path(), "1.gpart", &|_| true);
    let mut runner = runner.unwrap();
    let stop = AtomicBool::new(false);
    let is_over = runner.run(None, &stop, &mut |progress| {
        stop.store(progress.games > 0, Ordering::Relaxed);
    });
    is_over.unwrap();
    drop(runner);
    play(&plan, parts.path(), "1.gpart", &|_| true);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn missing_pairs_are_told_and_others_refused() {
    let (folder, parts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let plan = four(&folder, "");
    let file = |name: &str| parts.path().join(name);
    play(&plan, parts.path(), "a.gpart", &|unit| {
        unit != 4 && unit != 17
    });
    let (games, missing) = merged(&plan, &[file("a.gpart")]);
    assert_eq!((games.len(), missing), (32, vec![4, 17]));
    let refused = |plan: &Plan, name: &str| {
        let mut store = Store::open_or_create(&folder.path().join("other.sqlite")).unwrap();
        let units = PairUnits::new(plan).unwrap();
        let merged = units.merge(&[file("a.gpart"), file(name)], &mut store);
        let refused = merged.unwrap_err().to_string();
        assert_eq!(store.count().unwrap(), 0);
        refused
    };
    let text = fs::read_to_string(file("a.gpart")).unwrap();
    let other = four(&folder, "opening = 2");
    assert!(refused(&other, "a.gpart").ends_with(
        "a.gpart: the opening of this part is \"game\", and not \"2..2\" as in the plan"
    ));
    fs::write(
        file("b.gpart"),
        text.replacen("\"unit\":0", "\"unit\":1", 1),
    )
    .unwrap();
    let words = refused(&plan, "b.gpart");
    assert!(
        words.contains("line 2 is damaged: its games are not those of the unit"),
        "{words}"
    );
    fs::write(
        file("b.gpart"),
        text.replacen("result first wins", "result second wins", 1),
    )
    .unwrap();
    assert!(refused(&plan, "b.gpart").contains("a game in it is none"));
    fs::write(file("b.gpart"), "notes\n").unwrap();
    assert!(refused(&plan, "b.gpart").contains("this is no part of a tournament"));
}

#[test]
fn two_results_for_a_pair_are_refused_and_both_files_named() {
    let (folder, parts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    // the same plan, played by a program in which a player is another
    let plan = four(&folder, "");
    let mut faulty = plan.clone();
    faulty.players[1].entrant = "alphabeta:nodes=1".parse().unwrap();
    play(&plan, parts.path(), "a.gpart", &|unit| unit < 6);
    let elsewhere = TempDir::new().unwrap();
    play(&faulty, elsewhere.path(), "b.gpart", &|unit| unit < 6);
    let files = [
        parts.path().join("a.gpart"),
        elsewhere.path().join("b.gpart"),
    ];
    let mut store = Store::open_or_create(&plan.store).unwrap();
    let refused = PairUnits::new(&plan).unwrap().merge(&files, &mut store);
    let words = refused.unwrap_err().to_string();
    assert!(words.contains("has two different results: in "), "{words}");
    assert!(
        words.contains("a.gpart") && words.contains("b.gpart"),
        "{words}"
    );
    // playing again tells which of the two is wrong
    let (units, stop) = (PairUnits::new(&plan).unwrap(), AtomicBool::new(false));
    let all = |units: &parts::UnitSet| units.runs().iter().flat_map(|&(a, b)| a..=b).collect();
    assert_eq!(units.check(&files[..1], &all, &stop).unwrap(), 6);
    let words = units.check(&files[1..], &all, &stop).unwrap_err();
    assert!(
        words.to_string().ends_with("b.gpart and in this run"),
        "{words}"
    );
}

#[test]
fn what_depends_on_results_or_clocks_is_refused() {
    let folder = TempDir::new().unwrap();
    let open = |text: &str| {
        let plan = plan(&folder, text);
        TournamentRunner::open_part(plan, folder.path(), "1.gpart", &|_| true)
    };
    let timed = "[[player]]\nplayer = \"random\"\n[[player]]\nplayer = \"mcts:ms=1\"\n";
    let rows = [
        (
            format!("game = \"tictactoe\"\nkind = \"swiss\"\n{}", players(FOUR)),
            "a swiss is",
        ),
        (
            format!("game = \"tictactoe\"\nkind = \"league\"\n{}", players(FOUR)),
            "a league is",
        ),
        (
            format!("game = \"tictactoe\"\n{timed}"),
            "`mcts:ms=1` plays by the clock",
        ),
    ];
    for (text, words) in rows {
        let refused = open(&text.replace("\"mnk:4,4,3\"", "\"tictactoe\"")).unwrap_err();
        assert!(refused.to_string().starts_with(words), "{refused}");
        assert!(refused.hint().is_some());
    }
    let text = format!("game = \"tictactoe\"\npairs = 1\ntimed = true\n{timed}");
    let mut runner = open(&text).unwrap();
    assert!(
        runner
            .run(None, &AtomicBool::new(false), &mut |_| ())
            .unwrap()
    );
    // of two results the first file's is taken
    let other = TempDir::new().unwrap();
    let plan = plan(&folder, &text);
    play(&plan, other.path(), "2.gpart", &|_| true);
    let files = [folder.path().join("1.gpart"), other.path().join("2.gpart")];
    assert_eq!(merged(&plan, &files).0.len(), 2);
    let busy = open(&text).unwrap_err();
    assert!(
        matches!(
            busy,
            TournamentRunError::Part(PairPartError::Part(PartError::Busy(_)))
        ),
        "{busy}"
    );
}
