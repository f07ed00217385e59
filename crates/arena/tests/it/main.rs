//! Matches and tables, played.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

mod bot;
mod check;
mod contest;
mod dialogues;
mod examples;
mod gomocup;
mod replay;
mod sit;
mod table;
