//! Bots: programs of their own, that play over their standard input and output.
//!
//! A bot is told about the game and answers in one of three protocols ([`Protocol`]); all
//! of them are lines of text. What a bot may do wrong is a [`Fault`], which loses it the
//! game; the next game goes on with a new process.

mod gomocup;
mod host;
mod spec;

pub use gomocup::LINE_KEY;
pub use host::{Bot, Hosted, Language, Setting, Talk};
pub use spec::{BotSpec, BotSpecError, Protocol};
