//! Matches, bots and protocols, played.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

mod bot;
mod conformance;
mod contest;
mod dialogues;
mod examples;
mod external_player;
mod gomocup;
mod replay;
