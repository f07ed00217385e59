//! Visitors and processes: that an allowed bot plays, and that nothing else is ever started.
//!
//! A bot's cage runs the program itself again as its supervisor, so this test has a `main` of its
//! own, which is the supervisor, the bot and the test.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and this has none"
)]

#[cfg(target_os = "linux")]
#[path = "../it/client.rs"]
#[allow(
    dead_code,
    reason = "it is shared with the other tests, which use more of it"
)]
mod client;
#[cfg(target_os = "linux")]
#[path = "../it/play/page.rs"]
#[allow(
    dead_code,
    reason = "it is shared with the other tests, which use more of it"
)]
mod page;
#[cfg(target_os = "linux")]
mod permissions;

use std::process::ExitCode;

/// What makes this program a bot.
const BOT: &str = "--as-bot";

/// What test runners call all that is held here.
const TEST: &str = "visitors_start_nothing_but_what_the_owner_allowed";

fn main() -> ExitCode {
    if let Some(code) = cage::run_supervisor_if_requested() {
        return code;
    }
    if std::env::args().nth(1).as_deref() == Some(BOT) {
        bot();
        return ExitCode::SUCCESS;
    }
    // test runners ask first what there is, and then for what none ignores
    let asked = |what: &str| std::env::args().any(|argument| argument == what);
    if asked("--list") {
        if !asked("--ignored") {
            println!("{TEST}: test");
        }
        return ExitCode::SUCCESS;
    }
    #[cfg(target_os = "linux")]
    permissions::run();
    #[cfg(not(target_os = "linux"))]
    prerequisite::missing(
        prerequisite::Prerequisite::Cage,
        "what belongs to a server is looked up as Linux tells it",
    );
    ExitCode::SUCCESS
}

/// Plays any game in the text protocol: the first legal move, always.
fn bot() {
    let mut first = String::new();
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "gridpaper" => println!("name first again moves"),
            "moves" => first = rest.split(' ').next().unwrap().into(),
            "go" => println!("{first}"),
            _ => {}
        }
    }
}
