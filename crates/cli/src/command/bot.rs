//! `gridpaper bot`: for authors of bots, and our players as bots of somebody else's.

use crate::contest::PLAYERS;
use crate::failure::Failure;
use arena::bot::{Guest, Protocol, SitError, sit};
use clap::{Args, Subcommand};
use games::AnyGame;
use std::io::{self, LineWriter};

/// Check a bot of your own, or seat a player of this program in somebody else's arena
#[derive(Debug, Args)]
pub(crate) struct Bot {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Sit(Sit),
}

impl Bot {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.task {
            Task::Sit(task) => task.run(),
        }
    }
}

/// Let a player of this program be a bot
///
/// It reads what the other arena says on standard input, and answers on standard output. The
/// protocol shows in the first line: this program's own, the duel contest's, or Gomocup's.
#[derive(Debug, Args)]
#[command(after_help = PLAYERS)]
struct Sit {
    /// The player
    #[arg(value_name = "PLAYER")]
    player: String,

    /// The game, where the protocol does not tell all of its rules: column= and rules= of a
    /// duel, how many in a row win
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,

    /// What is spoken: text, contest or gomocup
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol)]
    protocol: Option<Protocol>,

    /// Where chance starts from, where the protocol does not tell
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

fn protocol(text: &str) -> Result<Protocol, String> {
    let known = Protocol::ALL.into_iter();
    let found = known.clone().find(|protocol| protocol.name() == text);
    found.ok_or_else(|| {
        let names: Vec<_> = known.map(Protocol::name).collect();
        format!("take {}", names.join(" or "))
    })
}

impl Sit {
    fn run(self) -> Result<(), Failure> {
        let guest = Guest {
            player: self.player,
            game: self.game,
            protocol: self.protocol,
            seed: self.seed,
        };
        let output = LineWriter::new(io::stdout().lock());
        sit(&guest, io::stdin().lock(), output).map_err(|error| match error {
            SitError::Io(error) => Failure::io("the other arena", &error),
            SitError::Said { .. } => Failure::wrong(format_args!("standard input:{error}")),
            error => Failure::wrong(error),
        })
    }
}
