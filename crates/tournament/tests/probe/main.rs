//! Plays a plan, for the tests that end it with `kill -9`; and a bot in such a plan.
#![allow(clippy::unwrap_used, reason = "a test's program may crash")]

use arena::bot::{ExternalPlayer, serve};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use tournament::{Plan, TournamentRunner};

fn main() -> ExitCode {
    if let Some(code) = cage::run_supervisor_if_requested() {
        return code;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["run", plan] => {
            let plan = Plan::read(Path::new(plan)).unwrap();
            let mut runner = TournamentRunner::open(plan).unwrap();
            let is_over = runner.run(None, &AtomicBool::new(false), &mut |_| ());
            assert!(is_over.unwrap());
        }
        ["bot", player, _mark] => {
            eprintln!("cores {:?}", arena::cores().all);
            let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
            serve(&ExternalPlayer::new(player), input, output).unwrap();
        }
        _ => panic!("unknown words: {words:?}"),
    }
    ExitCode::SUCCESS
}
