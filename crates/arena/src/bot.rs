//! Bots: programs of their own, that play over their standard input and output.
//!
//! A bot is told about the game and answers in one of three protocols ([`Protocol`]); all
//! of them are lines of text. What a bot may do wrong is a [`Fault`](crate::Fault), which
//! loses it the game; the next game goes on with a new process.

mod conformance;
mod contest;
mod external_player;
mod gomocup;
mod overhead;
mod post_mortem;
mod process;
mod protocol;
mod seated_bot;
mod spec;
mod text;

pub use conformance::{CheckStep, Finding, FindingSeverity, check};
pub use external_player::{ExternalPlayer, SitError, SitProblem, sit};
pub use gomocup::LINE_KEY;
pub use overhead::{Overhead, overhead};
pub use post_mortem::KEPT;
pub use process::{BotProcess, LONGEST_LINE, MOST_BYTES, MOST_LINES, ProcessTransport};
pub use protocol::{BotGame, Language, LineTransport, Setting};
pub use seated_bot::SeatedBot;
pub use spec::{BotSpec, BotSpecError, Protocol};

/// A line that is no legal move: whether it is none at all, or one that is not legal.
fn refused(line: &str, error: games::MoveError) -> crate::Fault {
    // what is wrong names parts of the line
    let (line, problem) = (
        post_mortem::cut(line),
        post_mortem::clean(&error.to_string()),
    );
    match error {
        games::MoveError::Unreadable { .. } => crate::Fault::Malformed { line, problem },
        _ => crate::Fault::Illegal {
            text: line,
            problem,
        },
    }
}
