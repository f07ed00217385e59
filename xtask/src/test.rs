//! `cargo xtask test`: every check, in order, stopping at the first that fails.

use crate::absence::{self, AbsenceRecord};
use crate::cargo::has_nextest;
use crate::step::{BUILD, FORMAT, NEXTEST, PLAIN_TEST, XtaskStep, run_step, run_step_aside};
use crate::{browser, code_size, engine_sources, instructions, league, tidy};
use prerequisite::Prerequisite;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The documentation is written along with it: see [`crate::compiler`].
const DOCTESTS: XtaskStep = XtaskStep::new(
    "documentation and its examples",
    &["test", "--workspace", "--doc"],
);

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

/// Still lifes of up to 14 cells as published, oscillators of 8 x 8 by two engines.
const LONG_SEARCH: XtaskStep = XtaskStep {
    name: "long search",
    arguments: &[
        "test",
        "--release",
        "--package",
        "gridpaper-search",
        "--",
        "--ignored",
        "--nocapture",
    ],
    environment: &[],
};

/// Censuses of 20,000 soups under a rule of each family, by the quick way and by the definition.
const LONG_CENSUS: XtaskStep = XtaskStep {
    name: "long census",
    arguments: &[
        "test",
        "--release",
        "--package",
        "gridpaper-census",
        "--test",
        "soup_it",
        "many_soups",
        "--",
        "--ignored",
        "--nocapture",
    ],
    environment: &[],
};

/// Worlds on a graphics processor, or on a driver that stands in for one. Not part of the gate: what
/// opens devices takes a minute to compile.
const GPU: XtaskStep = XtaskStep::new(
    "worlds on a graphics processor",
    &[
        "test",
        "--package",
        "gridpaper-gpu",
        "--features",
        "device",
        "--",
        "--nocapture",
    ],
);

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

/// Runs the longer checks against the data folder.
pub(crate) fn run_data(root: &Path) -> ExitCode {
    run_alone(root, &[DATA])
}

/// Runs what takes too long elsewhere: levels, searches, tournaments, bots, games, and random rules.
pub(crate) fn run_long(root: &Path) -> ExitCode {
    run_alone(
        root,
        &[
            LONG_PACK,
            LONG_SEARCH,
            LONG_RATINGS,
            LONG_BOTS,
            LONG_GAMES,
            LONG_CENSUS,
            LONG,
        ],
    )
}

/// Runs the long censuses alone.
pub(crate) fn run_long_census(root: &Path) -> ExitCode {
    run_alone(root, &[LONG_CENSUS])
}

/// Runs the tests that need a device; what is missing is told at the end.
pub(crate) fn run_gpu(root: &Path) -> ExitCode {
    run_alone(root, &[GPU])
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
    run_step(root, &FORMAT, &[], &record)?;
    // What the page's tests need may have to be fetched, which is waiting and no work.
    let (has_browser, built) = std::thread::scope(|scope| {
        let page = scope.spawn(|| look_at_page(root, &record));
        let built = run_step(root, &BUILD, &[], &record);
        let has_browser = page
            .join()
            .map_err(|_| "page: the check failed".to_string());
        (has_browser, built)
    });
    built?;
    let has_browser = has_browser??;
    let is_measured = engine_sources::are_recorded(root, &[code_size::FILE, instructions::FILE])?;
    // Tests leave the processor idle now and then, and rustdoc compiles on one core: they run at
    // once. What is measured at the end is compiled meanwhile; whether that went well is seen
    // there.
    std::thread::scope(|scope| {
        if !is_measured {
            scope.spawn(|| code_size::build_in_idle_time(root));
        }
        let examples = scope.spawn(|| run_step_aside(root, &DOCTESTS, &record));
        let tested = run_tests(root, has_browser, &record);
        let documented = examples
            .join()
            .map_err(|_| format!("{}: it cannot be followed", DOCTESTS.name))?;
        tested.and(documented)?;
        println!("==> tidy: cargo xtask tidy");
        match tidy::run(root) == ExitCode::SUCCESS {
            true => Ok(()),
            false => Err("tidy: see above".to_string()),
        }
    })?;
    match is_measured {
        true => println!(
            "==> code size, instructions: recorded for just what the engine is compiled from"
        ),
        false => {
            println!("==> code size: cargo xtask code-size");
            code_size::check(root, &record).map_err(|why| format!("code size: {why}"))?;
            println!("==> instructions: cargo xtask instructions");
            instructions::check(root, &record).map_err(|why| format!("instructions: {why}"))?;
        }
    }
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
    let threads = format!("--test-threads={}", 3 * cores);
    match (has_nextest(root), has_browser) {
        (true, true) => run_step(root, &NEXTEST, &[threads], record),
        (true, false) => {
            let more = [owned(ALL_BUT_PAGE), vec![threads]].concat();
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
