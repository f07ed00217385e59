//! Bots: external programs that play over stdin and stdout.
//!
//! A bot speaks one of three line-based text protocols ([`Protocol`]). A violation is a
//! [`Fault`](matches::Fault), which loses it the game; the next game starts a new process.

mod conformance;
mod contest;
mod external_player;
mod game_protocols;
mod gomocup;
mod overhead;
mod post_mortem;
mod process;
mod protocol;
mod seated_bot;
mod spec;
mod text;

pub use conformance::{CheckStep, Finding, FindingSeverity, check};
pub use external_player::{ExternalPlayer, ServeError, ServeProblem, serve};
pub use overhead::{Overhead, overhead};
pub use post_mortem::MAX_STDERR_BYTES;
pub use process::MAX_LINE_BYTES;
pub use protocol::{BotGame, BotGameSetup, Language, LineTransport};
pub use spec::{BotSpec, BotSpecError, Protocol};

/// The fault for a line that is not a legal move: malformed or illegal.
fn refused(line: &str, error: games::MoveError) -> matches::Fault {
    // the problem quotes parts of the line
    let (line, problem) = (
        post_mortem::cut(line),
        post_mortem::clean(&error.to_string()),
    );
    match error {
        games::MoveError::Unreadable { .. } => matches::Fault::Malformed { line, problem },
        _ => matches::Fault::Illegal {
            text: line,
            problem,
        },
    }
}
