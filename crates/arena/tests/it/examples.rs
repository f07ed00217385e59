//! The bots of `examples/bots`, built and played, where there is what builds them.

use arena::bot::FindingSeverity;
use arena::{Match, MatchConditions};
use games::{Outcome, Seat};
use matches::{Ending, Record};
use prerequisite::{Prerequisite, is_met};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    folder.canonicalize().unwrap()
}

/// The player that a compiler makes of an example; `None` where there is no such compiler.
#[track_caller]
fn built(compiler: Prerequisite, options: &[&str], source: &str) -> Option<String> {
    if !is_met(compiler) {
        return None;
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(source.replace('.', "-"));
    let built = Command::new(compiler.name())
        .args(options)
        .arg("-o")
        .arg(&target)
        .arg(folder().join(source))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{source}: {stderr}");
    assert_eq!(stderr, "", "{source}");
    Some(target.display().to_string())
}

/// A cage, and time enough for any machine.
fn conditions() -> MatchConditions {
    cage::use_supervisor_program(Path::new(env!("CARGO_BIN_EXE_gridpaper-zoo")));
    MatchConditions {
        time_control: Some("20000,10000".parse().unwrap()),
        ..MatchConditions::default()
    }
}

/// Games against chance.
fn play(game: &str, bot: &str, games: u64) -> Vec<Record> {
    let contest = Match {
        games,
        conditions: conditions(),
        is_recorded: true,
        ..Match::new(
            game.parse().unwrap(),
            [bot.parse().unwrap(), "random".parse().unwrap()],
        )
    };
    let mut records = Vec::new();
    let told = contest.run(&AtomicBool::new(false), &mut |_, new| {
        records.extend_from_slice(new);
        ControlFlow::Continue(())
    });
    told.unwrap();
    records
}

/// Nothing is wrong with it, and nothing to mind.
fn check_protocol(game: &str, bot: &str) {
    let mut findings = Vec::new();
    let verdict = arena::bot::check(
        &game.parse().unwrap(),
        &bot.parse().unwrap(),
        &conditions(),
        &mut |step| findings.extend(step.findings.clone()),
    );
    assert_eq!(
        verdict,
        Ok(FindingSeverity::Ok),
        "{bot} in {game}: {findings:?}"
    );
}

fn check_chance(bot: &str) {
    let games = [
        "tictactoe",
        "mnk:19,19,5",
        "stones:plies=60",
        "duel:turns=30",
        "duel:16x16,turns=20",
        "duel:32x5,turns=10",
    ];
    for game in games {
        let folder = folder();
        let bot = format!("cmd[text,folder={}]:{bot}", folder.display());
        for record in play(game, &bot, 4) {
            assert_eq!(record.ending, Ending::Rules, "{bot} in {game}");
            assert_eq!(record.reports[0].notes, [""; 0], "{bot} in {game}");
        }
        if game.starts_with("tic") {
            check_protocol(game, &bot);
        }
    }
}

const C: &[&str] = &["-std=c99", "-pedantic", "-Wall", "-Wextra", "-O2"];

#[test]
fn the_random_bot_in_python_plays_every_game() {
    if is_met(Prerequisite::Python3) {
        check_chance("python3 chance.py");
    }
}

#[test]
fn the_random_bot_in_rust_plays_every_game() {
    if let Some(bot) = built(Prerequisite::Rustc, &["-O"], "chance.rs") {
        check_chance(&bot);
    }
}

#[test]
fn the_random_bot_in_c_plays_every_game() {
    if let Some(bot) = built(Prerequisite::Cc, C, "chance.c") {
        check_chance(&bot);
    }
}

#[test]
fn the_planner_beats_chance() {
    let Some(bot) = built(Prerequisite::Cc, C, "planner.c") else {
        return;
    };
    check_protocol("duel:turns=10", &format!("cmd:{bot}"));
    for game in ["duel:turns=60", "duel:7x9,turns=10,goals=4.3/4.4"] {
        let records = play(game, &format!("cmd:{bot}"), 2);
        let seats = [Seat::First, Seat::Second];
        for (record, seat) in records.iter().zip(seats) {
            assert_eq!(record.ending, Ending::Rules, "{game}");
            // a short game, or a board of odd sides, may be anybody's
            if game == "duel:turns=60" {
                assert_eq!(record.outcome, Outcome::Win(seat), "{game}");
            }
        }
    }
}
