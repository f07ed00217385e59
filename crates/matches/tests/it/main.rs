//! Tables, pairs of games and replays.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

mod replay;
mod table;
