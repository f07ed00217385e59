//! The server as browsers meet it, good ones and bad ones.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

mod arena;
mod classroom;
mod client;
mod command;
mod crowd;
mod draft;
mod file;
mod guard;
mod laser;
mod play;
mod replays;
mod socket;
mod translation;
mod words;
mod worlds;
