//! The session, as a face has it: commands in, frames and status out.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

mod bench;
mod command;
mod edit;
mod file;
mod memory;
mod run;
mod settings;
mod shape;
mod view;
mod watchdog;
