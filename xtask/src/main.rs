//! The project's own chores, as `cargo xtask NAME`: what a check is lives here, once, and
//! everybody (a person, the gate, a hook) runs the same.
//!
//! The alternative, a shell script or a make file, lost: it would not run everywhere that
//! the project builds, and the rules that it checks could have no tests of their own.
//!
//! - `cargo xtask test` runs every check, in order, and stops at the first that fails; it ends
//!   with a list of what was not run here, and why: see [`absence`];
//! - `cargo xtask check` runs those checks that a change needs most, on what it concerns: see
//!   [`check`];
//! - `cargo xtask data` runs the longer checks against real patterns and other programs'
//!   results, from the folder that `GRIDPAPER_DATA` names, and fails where that is missing;
//! - `cargo xtask long` runs ten thousand random rules on the plane and as many on grids, and
//!   holds every engine against the oracle; and ten thousand games of tree search at 3x3
//!   against each of four opponents, of which it may lose none; ten thousand games of bots
//!   over pipes, of which nothing may be left; simulated tournaments of every size; every
//!   level of the laser puzzle's pack, made and proven anew; still lifes of up to 14 cells and
//!   oscillators of 8 x 8; and 20,000 soups under a rule of each family, counted by the definition
//!   too, which `cargo xtask long census` runs alone;
//! - `cargo xtask long fuzz` runs every fuzz target for an hour, or for as many seconds as are
//!   said, and those that are named: see [`fuzz`];
//! - `cargo xtask tidy` runs the rules of the project alone: see [`tidy`];
//! - `cargo xtask pictures` takes the pictures of the README anew: the page in a browser,
//!   the terminal's screen, and the report of a league;
//! - `cargo xtask peers` measures this program beside Golly and lifelib, where these are
//!   installed, and writes the book's page about it; names of workloads may follow, or
//!   `--page`, which makes the page of the figures that are kept: see [`peers`];
//! - `cargo xtask instructions` counts the instructions of small workloads and holds them
//!   against what is written down; with `--record` it writes them down: see [`instructions`];
//! - `cargo xtask code-size` measures the machine code that the engine is compiled to and holds
//!   it against what is recorded; with `--record` it records it: see [`code_size`];
//! - `cargo xtask auto` measures anew what each engine takes for the cases that the choice
//!   among them is held to: see [`auto`];
//! - `cargo xtask memory` measures what hashing takes with less memory than it would take: see
//!   [`memory`];
//! - `cargo xtask maps` holds random MAP rules against Golly, and fails where it is not
//!   installed; `--record` keeps some for the gate: see [`maps`];
//! - `cargo xtask reference` writes the book's pages that are made from the code: see
//!   [`mod@reference`];
//! - `cargo xtask book` builds the book, where mdBook is installed: see [`book`];
//! - `cargo xtask deb` makes a Debian package: see [`deb`];
//! - `cargo xtask wasm` compiles the library for a page without a server: see [`wasm`];
//! - `cargo xtask gpu` runs the tests of the engine on graphics processors: see [`test`];
//! - `cargo xtask site OUT` makes the page without a server, as files for any web host: see [`site`];
//! - `cargo xtask python` builds the Python wheel and runs its tests: see [`python`].
#![forbid(unsafe_code)]

mod absence;
mod auto;
mod book;
mod browser;
mod cargo;
mod check;
mod code_size;
mod compiler;
mod deb;
mod engine_sources;
mod fuzz;
mod instructions;
mod league;
mod maps;
mod memory;
mod package;
mod peers;
mod python;
mod reference;
mod site;
mod step;
mod test;
mod tidy;
mod wasm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(ended) = compiler::run_in_place() {
        return ended;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = root();
    match arguments[..] {
        ["test"] => test::run(&root),
        ["check"] => check::run(&root, "HEAD"),
        ["check", commit] => check::run(&root, commit),
        ["data"] => test::run_data(&root),
        ["long"] => test::run_long(&root),
        ["long", "census"] => test::run_long_census(&root),
        ["long", "fuzz", ref words @ ..] => fuzz::run(&root, words),
        ["tidy"] => tidy::run(&root),
        ["pictures"] => test::run_pictures(&root),
        ["peers", "--page"] => told(peers::write_page(&root)),
        ["peers", ref names @ ..] => peers::run(&root, names),
        ["auto", ref words @ ..] => auto::run(&root, words),
        ["memory", ref jobs @ ..] => told(memory::run(&root, jobs)),
        ["instructions"] => instructions::run(&root, false),
        ["instructions", "--record"] => instructions::run(&root, true),
        ["code-size"] => code_size::run(&root, false),
        ["code-size", "--record"] => code_size::run(&root, true),
        // what `peers` runs its programs through
        ["measured", ref command @ ..] => peers::measured(command),
        ["maps"] => maps::run(&root, false),
        ["maps", "--record"] => maps::run(&root, true),
        ["reference"] => reference::run(&root),
        ["book"] => book::run(&root),
        ["deb"] => deb::run(&root),
        ["gpu"] => test::run_gpu(&root),
        ["wasm", ref words @ ..] => told(wasm::run(&root, words)),
        ["site", ref words @ ..] => told(site::run(&root, words)),
        ["python", ref words @ ..] => told(python::run(&root, words)),
        _ => {
            eprintln!(
                "usage: cargo xtask test | check [COMMIT] | data | \
                 long [census | fuzz [SECONDS] [TARGET]...] | tidy | pictures | \
                 peers [WORKLOAD|search]... | instructions [--record] | code-size [--record] | \
                 auto [WORD]... | memory [PATTERN GENERATIONS]... | maps [--record] | \
                 reference | book | deb | gpu | wasm [OPTION]... | \
                 site OUT [OPTION]... | python [lint | wheel | WORD...]"
            );
            ExitCode::from(2)
        }
    }
}

/// The end of a chore that has nothing to say unless it fails.
fn told(outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's root: the folder above this crate's.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .expect("this crate lies in the workspace's folder")
        .to_path_buf()
}
