//! `cargo xtask test`: every check, in order, stopping at the first that fails.

use crate::absence::{self, AbsenceRecord};
use crate::{browser, code_size, instructions, league, tidy};
use prerequisite::Prerequisite;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// One check: what it is called, and the command.
pub(crate) struct XtaskStep {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

impl XtaskStep {
    const fn new(name: &'static str, arguments: &'static [&'static str]) -> Self {
        Self {
            name,
            arguments,
            environment: &[],
        }
    }
}

pub(crate) const FORMAT: XtaskStep = XtaskStep::new("fmt", &["fmt", "--all", "--check"]);
/// This and all that follows is of the whole workspace, with the features that it has by itself
/// and in cargo's profile `dev`: so each crate is compiled once, for whatever comes first.
pub(crate) const CLIPPY: XtaskStep = XtaskStep::new(
    "clippy",
    &[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ],
);
/// Examples are named so that dependencies have the features that tests give them, and are there
/// from clippy's step; with them, what else there is has to be named too.
const DOC: XtaskStep = XtaskStep {
    name: "doc",
    arguments: &[
        "doc",
        "--workspace",
        "--no-deps",
        "--lib",
        "--examples",
        "--bin",
        "xtask",
    ],
    environment: &[("RUSTDOCFLAGS", "-D warnings")],
};
/// Examples and benches are not compiled to run: clippy has looked at them.
pub(crate) const NEXTEST: XtaskStep = XtaskStep::new(
    "test",
    &[
        "nextest",
        "run",
        "--workspace",
        "--lib",
        "--bins",
        "--tests",
    ],
);
/// Where nextest is not installed. Unit and integration tests only: doctests come next.
pub(crate) const PLAIN_TEST: XtaskStep = XtaskStep::new(
    "test",
    &["test", "--workspace", "--lib", "--bins", "--tests"],
);
/// The same, for a list of packages to follow.
pub(crate) const SOME_TESTS: XtaskStep =
    XtaskStep::new("test", &["test", "--lib", "--bins", "--tests"]);
const DOCTESTS: XtaskStep = XtaskStep::new("doctests", &["test", "--workspace", "--doc"]);

/// The filter by which nextest runs the tests of some packages.
pub(crate) fn of_packages(names: &[&str]) -> String {
    let filters = names.iter().map(|name| format!("package(={name})"));
    filters.collect::<Vec<_>>().join(" | ")
}

/// The page's tests, which need a browser: left out by nextest where there is none.
const ALL_BUT_PAGE: &[&str] = &["-E", "not binary_id(=gridpaper-web::page)"];
/// The same in the words of plain cargo: all but their package, and then the rest of that.
const PLAIN_ALL_BUT_WEB: &[&str] = &["--exclude", "gridpaper-web"];
const PLAIN_WEB_BUT_PAGE: XtaskStep = XtaskStep::new(
    "test",
    &[
        "test",
        "--package",
        "gridpaper-web",
        "--lib",
        "--test",
        "it",
        "--test",
        "bots",
    ],
);

/// In release mode and one after the other: some of these runs are deep, and large.
const DATA: XtaskStep = XtaskStep::new(
    "data",
    &[
        "test",
        "--release",
        "--package",
        "gridpaper-engine",
        "--test",
        "it",
        "data::",
        "--",
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ],
);

/// Ten thousand random rules on the plane and as many on grids, each in every engine.
const LONG: XtaskStep = XtaskStep {
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
const LONG_GAMES: XtaskStep = XtaskStep {
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
const LONG_BOTS: XtaskStep = XtaskStep {
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
const LONG_RATINGS: XtaskStep = XtaskStep {
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
const LONG_PACK: XtaskStep = XtaskStep {
    name: "long pack",
    arguments: &[
        "test",
        "--release",
        "--package",
        "gridpaper-laser",
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
const PAGE_PICTURES: XtaskStep = XtaskStep::new(
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
const SCREEN_PICTURES: XtaskStep = XtaskStep::new(
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

/// Runs one step, with some arguments more; tells why it failed. What is missing for it is
/// recorded.
pub(crate) fn run_step(
    root: &Path,
    step: &XtaskStep,
    more: &[String],
    record: &AbsenceRecord,
) -> Result<(), String> {
    let arguments = || {
        let more = more.iter().map(String::as_str);
        step.arguments.iter().copied().chain(more)
    };
    let words: Vec<&str> = arguments().collect();
    println!("==> {}: cargo {}", step.name, words.join(" "));
    // What the step prints is not caught: a runner's closing lines are for whoever
    // reads the log.
    let status = cargo(root)
        .args(arguments())
        .envs(step.environment.iter().copied())
        .envs([record.variable()])
        .envs(record.is_fresh().then_some(("CARGO_INCREMENTAL", "0")))
        .status();
    let why = match status {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    Err(format!("{}: {why}", step.name))
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
        return failed(&format!("browser: {why}"));
    }
    println!("==> picture of a league");
    if let Err(why) = league::take_picture(root) {
        return failed(&format!("picture of a league: {why}"));
    }
    run_alone(root, &[PAGE_PICTURES, SCREEN_PICTURES])
}

fn run_alone(root: &Path, steps: &[XtaskStep]) -> ExitCode {
    let run = || -> Result<(), String> {
        let record = AbsenceRecord::begin(root)?;
        for step in steps {
            run_step(root, step, &[], &record)?;
        }
        print!("{}", absence::report(&record.read()?));
        Ok(())
    };
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => failed(&why),
    }
}

/// Runs everything.
pub(crate) fn run(root: &Path) -> ExitCode {
    let begun = Instant::now();
    if let Err(why) = run_all(root) {
        return failed(&why);
    }
    let seconds = begun.elapsed().as_secs();
    println!("==> all checks passed in {seconds} s");
    ExitCode::SUCCESS
}

fn run_all(root: &Path) -> Result<(), String> {
    let record = AbsenceRecord::begin(root)?;
    let has_browser = look_at_page(root, &record)?;
    for step in [FORMAT, CLIPPY, DOC] {
        run_step(root, &step, &[], &record)?;
    }
    run_tests(root, has_browser, &record)?;
    run_step(root, &DOCTESTS, &[], &record)?;
    println!("==> tidy: cargo xtask tidy");
    if tidy::run(root) != ExitCode::SUCCESS {
        return Err("tidy: see above".into());
    }
    println!("==> code size: cargo xtask code-size");
    code_size::check(root, &record).map_err(|why| format!("code size: {why}"))?;
    println!("==> instructions: cargo xtask instructions");
    instructions::check(root, &record).map_err(|why| format!("instructions: {why}"))?;
    print!("{}", absence::report_ignored(&tidy::texts(root)?));
    print!("{}", absence::report(&record.read()?));
    Ok(())
}

/// Holds the page against its types and fetches what its tests need; whether there is a browser
/// for them.
fn look_at_page(root: &Path, record: &AbsenceRecord) -> Result<bool, String> {
    println!("==> page: browser and types");
    if let Err(why) = browser::ensure() {
        record.missing(Prerequisite::Browser, &why, "crates/web/tests/page")?;
        return Ok(false);
    }
    browser::check_types(root)
        .and_then(|()| browser::fetch_axe(root))
        .map_err(|why| format!("page: {why}"))?;
    Ok(true)
}

/// Runs the unit and integration tests; without a browser, all but the page's.
fn run_tests(root: &Path, has_browser: bool, record: &AbsenceRecord) -> Result<(), String> {
    let owned = |words: &[&str]| -> Vec<String> { words.iter().map(|&word| word.into()).collect() };
    // Tests of servers, browsers and bots wait for each other's processes most of their time.
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    let instant_move = format!("--test-threads={}", 2 * cores);
    match (has_nextest(root), has_browser) {
        (true, true) => run_step(root, &NEXTEST, &[instant_move], record),
        (true, false) => {
            let more = [owned(ALL_BUT_PAGE), vec![instant_move]].concat();
            run_step(root, &NEXTEST, &more, record)
        }
        (false, true) => run_step(root, &PLAIN_TEST, &[], record),
        (false, false) => {
            run_step(root, &PLAIN_TEST, &owned(PLAIN_ALL_BUT_WEB), record)?;
            run_step(root, &PLAIN_WEB_BUT_PAGE, &[], record)
        }
    }
}

fn failed(why: &str) -> ExitCode {
    println!("==> failed: {why}");
    ExitCode::FAILURE
}

/// The cargo that runs this program.
pub(crate) fn cargo(root: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root);
    command
}

/// Whether nextest is installed.
pub(crate) fn has_nextest(root: &Path) -> bool {
    cargo(root)
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
