//! `gridpaper`: worlds on squared paper, from the command line.
//!
//! The decision that shapes this crate: it is glue. Arguments become checked types at the edge,
//! a library does the work, and one file per subcommand prints the result; exit codes are
//! decided in one place ([`failure`]). Knowledge about cells in a command was rejected: the
//! page and the terminal would have to duplicate it.
//!
//! Data goes to standard output, messages to standard error. Exit codes: 0 success, 1 the
//! answer is no, 2 wrong arguments or unreadable input, 130 stopped by Ctrl-C.
#![forbid(unsafe_code)]

mod argument;
mod checked_share;
mod command;
mod contest;
mod destination;
mod failure;
mod input;
mod interrupt;
mod output;
mod plot;
mod progress;
mod prompt;
mod rule_file;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    // started as a bot's supervisor process
    if let Some(code) = cage::run_supervisor_if_requested() {
        return code;
    }
    interrupt::listen();
    #[cfg(feature = "gpu")]
    engine::register_gpu(gpu::open_world);
    match command::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
