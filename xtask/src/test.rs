//! `cargo xtask test`: every check, in order, stopping at the first that fails.

use crate::{browser, instructions, league, tidy};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// One check: what it is called, and the command.
struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

impl Step {
    const fn new(name: &'static str, arguments: &'static [&'static str]) -> Self {
        Self {
            name,
            arguments,
            environment: &[],
        }
    }
}

const FORMAT: Step = Step::new("fmt", &["fmt", "--all", "--check"]);
const CLIPPY: Step = Step::new(
    "clippy",
    &[
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ],
);
const DOC: Step = Step {
    name: "doc",
    arguments: &["doc", "--workspace", "--no-deps"],
    environment: &[("RUSTDOCFLAGS", "-D warnings")],
};
/// With what only tests need: a second opinion on the laser puzzle.
const NEXTEST: Step = Step::new(
    "test",
    &[
        "nextest",
        "run",
        "--workspace",
        "--features",
        "gridpaper-laser/sat",
    ],
);
/// Where nextest is not installed. Unit and integration tests only: doctests come next.
const PLAIN_TEST: Step = Step::new(
    "test",
    &[
        "test",
        "--workspace",
        "--lib",
        "--bins",
        "--tests",
        "--features",
        "gridpaper-laser/sat",
    ],
);
const DOCTESTS: Step = Step::new("doctests", &["test", "--workspace", "--doc"]);

/// In release mode and one after the other: some of these runs are deep, and large.
const DATA: Step = Step::new(
    "data",
    &[
        "test",
        "--release",
        "--package",
        "gridpaper-engine",
        "--features",
        "data",
        "--test",
        "data",
        "--",
        "--nocapture",
        "--test-threads=1",
    ],
);

/// Ten thousand random rules on the plane and as many on grids, each in every engine.
const LONG: Step = Step {
    name: "long",
    arguments: &[
        "test",
        "--release",
        "--package",
        "gridpaper-engine",
        "--test",
        "it",
        "agreement::",
        "--",
        "--nocapture",
    ],
    environment: &[("GRIDPAPER_CASES", "10000")],
};

/// Ten thousand games of tree search at 3x3 against each of four opponents.
const LONG_GAMES: Step = Step {
    name: "long games",
    arguments: &[
        "test",
        "--release",
        "--package",
        "gridpaper-players",
        "--test",
        "it",
        "--",
        "--ignored",
        "--nocapture",
    ],
    environment: &[],
};

/// Ten thousand games of bots over pipes, three times: nothing may be left of them.
const LONG_BOTS: Step = Step {
    name: "long bots",
    arguments: &[
        "test",
        "--release",
        "--package",
        "gridpaper-arena",
        "--test",
        "it",
        "thousands_of_games",
        "--",
        "--ignored",
        "--nocapture",
    ],
    environment: &[],
};

/// Simulated tournaments of every size: the ratings' intervals hold the truth as often as
/// they say.
const LONG_RATINGS: Step = Step {
    name: "long ratings",
    arguments: &[
        "test",
        "--release",
        "--package",
        "gridpaper-tournament",
        "--lib",
        "each_size",
        "--",
        "--ignored",
        "--nocapture",
    ],
    environment: &[],
};

/// Every level of the laser puzzle's pack: made again by its recipe, and proven again, by the
/// solver and by the second opinion.
const LONG_PACK: Step = Step {
    name: "long pack",
    arguments: &[
        "test",
        "--release",
        "--package",
        "gridpaper-laser",
        "--features",
        "sat",
        "--test",
        "it",
        "pack",
        "--",
        "--ignored",
        "--nocapture",
    ],
    environment: &[],
};

/// Takes the page's pictures. The tests are left out where tests are run: they hold nothing
/// against anything.
const PAGE_PICTURES: Step = Step::new(
    "pictures of the page",
    &[
        "test",
        "--package",
        "gridpaper-web",
        "--test",
        "page",
        "pictures",
        "--",
        "--ignored",
        "--test-threads=1",
    ],
);
const SCREEN_PICTURES: Step = Step::new(
    "pictures of the terminal",
    &[
        "test",
        "--package",
        "gridpaper-tui",
        "--test",
        "it",
        "pictures",
        "--",
        "--ignored",
    ],
);

/// Runs one step; tells why it failed.
fn run_step(root: &Path, step: &Step) -> Result<(), String> {
    println!("==> {}: cargo {}", step.name, step.arguments.join(" "));
    // What the step prints is not caught: a runner's closing lines are for whoever
    // reads the log.
    let status = cargo(root)
        .args(step.arguments)
        .envs(step.environment.iter().copied())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs the longer checks against the data folder.
pub(crate) fn run_data(root: &Path) -> ExitCode {
    run_alone(root, &[DATA])
}

/// Runs what takes too long elsewhere: levels, tournaments, bots, games, and random rules.
pub(crate) fn run_long(root: &Path) -> ExitCode {
    run_alone(
        root,
        &[LONG_PACK, LONG_RATINGS, LONG_BOTS, LONG_GAMES, LONG],
    )
}

/// Takes the README's pictures anew, into `docs/images`.
pub(crate) fn run_pictures(root: &Path) -> ExitCode {
    if let Err(why) = browser::ensure() {
        return failed("browser", &why);
    }
    println!("==> picture of a league");
    if let Err(why) = league::take_picture(root) {
        return failed("picture of a league", &why);
    }
    run_alone(root, &[PAGE_PICTURES, SCREEN_PICTURES])
}

fn run_alone(root: &Path, steps: &[Step]) -> ExitCode {
    for step in steps {
        if let Err(why) = run_step(root, step) {
            return failed(step.name, &why);
        }
    }
    ExitCode::SUCCESS
}

/// Runs everything.
pub(crate) fn run(root: &Path) -> ExitCode {
    let tests = if has_nextest(root) {
        NEXTEST
    } else {
        PLAIN_TEST
    };
    let begun = Instant::now();
    println!("==> page: browser and types");
    let page = browser::ensure()
        .and_then(|()| browser::check_types(root))
        .and_then(|()| browser::fetch_axe(root));
    if let Err(why) = page {
        return failed("page", &why);
    }
    for step in [FORMAT, CLIPPY, DOC, tests, DOCTESTS] {
        if let Err(why) = run_step(root, &step) {
            return failed(step.name, &why);
        }
    }
    println!("==> tidy: cargo xtask tidy");
    let tidy = tidy::run(root);
    if tidy != ExitCode::SUCCESS {
        return failed("tidy", "see above");
    }
    println!("==> instructions: cargo xtask instructions");
    if let Err(why) = instructions::check(root) {
        return failed("instructions", &why);
    }
    let seconds = begun.elapsed().as_secs();
    println!("==> all checks passed in {seconds} s");
    ExitCode::SUCCESS
}

fn failed(step: &str, why: &str) -> ExitCode {
    println!("==> {step} failed: {why}");
    ExitCode::FAILURE
}

/// The cargo that runs this program.
pub(crate) fn cargo(root: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root);
    command
}

fn has_nextest(root: &Path) -> bool {
    cargo(root)
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
