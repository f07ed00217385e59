//! `gridpaper mnk`: exact values of boards, and all lines against a player.

use crate::argument::seconds;
use crate::failure::CliFailure;
use crate::interrupt::InterruptGuard;
use crate::{output, table};
use clap::{Args, Subcommand, ValueEnum};
use games::mnk::Mnk as Rules;
use games::{AnyGame, Game as _, Outcome, Seat};
use players::mnk::{
    Advisor, HeuristicPlayer, LineOutcomeTally, MnkSolution, MnkSolver, PerfectPlayer, verify,
};
use players::{Clock, PlayerLimits, TimeLimit};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Solve boards of tic-tac-toe's family, and try every line against a player
#[derive(Debug, Args)]
pub(crate) struct MnkArgs {
    #[command(subcommand)]
    task: MnkSubcommand,
}

#[derive(Debug, Subcommand)]
enum MnkSubcommand {
    Solve(MnkSolveArgs),
    Verify(MnkVerifyArgs),
}

impl MnkArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        match self.task {
            MnkSubcommand::Solve(solve) => solve.run(),
            MnkSubcommand::Verify(verify) => verify.run(),
        }
    }
}

/// The exact value of an empty board
///
/// The value is proven: who wins if both play as well as can be, or that nobody does. Ctrl-C
/// and the limit end the search early; then the value is not known.
#[derive(Debug, Args)]
#[command(
    after_help = "M is the number of columns, N of rows, K of stones in a row that win; \
                        at most 64 cells"
)]
struct MnkSolveArgs {
    /// The board
    #[arg(value_name = "M,N,K", value_parser = board)]
    board: Rules<1>,

    /// Give up after so many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    limit: Option<Duration>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `4,3,3`, or a game's name that means such a board.
fn board(text: &str) -> Result<Rules<1>, String> {
    let is_bare = text.trim().starts_with(|sign: char| sign.is_ascii_digit());
    let name = if is_bare {
        format!("mnk:{}", text.trim())
    } else {
        text.into()
    };
    match name.parse() {
        Ok(AnyGame::Mnk(game)) => Ok(game),
        Ok(AnyGame::WideMnk(_)) => Err("the board has more than 64 cells".into()),
        Ok(_) => Err("write M,N,K".into()),
        Err(error) => Err(error.to_string()),
    }
}

impl MnkSolveArgs {
    fn run(self) -> Result<(), CliFailure> {
        let game = self.board;
        let heed = InterruptGuard::new();
        let limits = PlayerLimits {
            time: self.limit.map(|duration| TimeLimit {
                duration,
                clock: Clock::system(),
            }),
            ..PlayerLimits::default()
        };
        let started = Instant::now();
        let mut solver = MnkSolver::new(&game).expect("a board of one word has at most 64 cells");
        let mut going = InterruptWatch(&heed);
        let solution = solver.solve(&game.start(), limits, &mut going);
        let elapsed = started.elapsed();
        if solution.value.is_some() || self.json {
            let text = if self.json {
                format!("{}\n", self.json(&solution, elapsed))
            } else {
                self.text(&solution, elapsed)
            };
            output::to_stdout(|out| out.write_all(text.as_bytes()))?;
        }
        if solution.value.is_some() {
            return Ok(());
        }
        let message = format!("not known after {} positions", solution.nodes);
        if heed.asked_to_stop() {
            return Err(CliFailure::interrupted(message));
        }
        Err(CliFailure::No {
            message,
            hint: Some("a larger --limit may do".into()),
        })
    }

    fn json(&self, solution: &MnkSolution, elapsed: Duration) -> Value {
        let line = solution.line.iter();
        json!({
            "game": self.board.name(),
            "value": solution.value.map(|value| match value {
                Outcome::Win(Seat::First) => "first",
                Outcome::Win(Seat::Second) => "second",
                Outcome::Draw => "draw",
            }),
            "line": line.map(|&cell| self.board.cell_name(cell)).collect::<Vec<_>>(),
            "nodes": solution.nodes,
            "seconds": elapsed.as_secs_f64(),
        })
    }

    fn text(&self, solution: &MnkSolution, elapsed: Duration) -> String {
        let value = match solution.value {
            Some(Outcome::Win(Seat::First)) => "the first player wins",
            Some(Outcome::Win(Seat::Second)) => "the second player wins",
            Some(Outcome::Draw) => "a draw",
            None => "not known",
        };
        let line = solution.line.iter();
        let line: Vec<_> = line.map(|&cell| self.board.cell_name(cell)).collect();
        table::aligned([
            ["game".into(), self.board.name()],
            ["value".into(), value.into()],
            ["line".into(), line.join(" ")],
            ["nodes".into(), solution.nodes.to_string()],
            ["seconds".into(), format!("{:.6}", elapsed.as_secs_f64())],
        ])
    }
}

/// Goes on until Ctrl-C.
struct InterruptWatch<'a>(&'a InterruptGuard);

impl<M> players::SearchObserver<M> for InterruptWatch<'_> {
    fn goes_on(&mut self) -> bool {
        !self.0.asked_to_stop()
    }
}

/// Count the lines of tic-tac-toe that a player wins, draws and loses
///
/// Every line that an opponent can try is played, and every choice of the player's among
/// moves that it holds equal. The answer is no if any line is lost.
#[derive(Debug, Args)]
struct MnkVerifyArgs {
    /// The player
    #[arg(long, value_name = "PLAYER", value_enum, default_value_t = MnkPlayerArgument::Heuristic)]
    player: MnkPlayerArgument,

    /// The heuristic's list of rules as it was published, without the two that mend it
    #[arg(long)]
    as_published: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MnkPlayerArgument {
    /// Goes by a list of rules
    Heuristic,
    /// The list as it was published
    #[value(name = "heuristic:as-published")]
    AsPublished,
    /// Goes by the exact value
    Perfect,
}

impl MnkVerifyArgs {
    fn run(self) -> Result<(), CliFailure> {
        let game = Rules::TICTACTOE;
        let who = match (self.player, self.as_published) {
            (MnkPlayerArgument::Heuristic, true) => MnkPlayerArgument::AsPublished,
            (MnkPlayerArgument::Perfect, true) => {
                let message = "--as-published is for the heuristic, and perfect has no list";
                return Err(CliFailure::wrong(message));
            }
            (who, _) => who,
        };
        let mut player: Box<dyn Advisor> = match who {
            MnkPlayerArgument::Perfect => Box::new(
                PerfectPlayer::new(&game, PlayerLimits::default()).map_err(CliFailure::wrong)?,
            ),
            _ => {
                let is_as_published = who == MnkPlayerArgument::AsPublished;
                Box::new(HeuristicPlayer::new(&game, is_as_published).map_err(CliFailure::wrong)?)
            }
        };
        let name = who.to_possible_value().expect("none is skipped");
        let name = name.get_name();
        let tallies = Seat::BOTH.map(|seat| verify(&game, player.as_mut(), seat));
        let lost: u64 = tallies.iter().map(|tally| tally.lost).sum();
        let text = if self.json {
            let report = |tally: LineOutcomeTally| {
                json!({
                    "won": tally.won,
                    "drawn": tally.drawn,
                    "lost": tally.lost,
                })
            };
            let report = json!({
                "game": game.name(),
                "player": name,
                "moving_first": report(tallies[0]),
                "moving_second": report(tallies[1]),
                "lost": lost,
            });
            format!("{report}\n")
        } else {
            let row = |seat: &str, tally: LineOutcomeTally| {
                [
                    format!("{name} moving {seat}"),
                    format!("{} lines won", tally.won),
                    format!("{} drawn", tally.drawn),
                    format!("{} lost", tally.lost),
                ]
            };
            table::aligned([row("first", tallies[0]), row("second", tallies[1])])
        };
        output::to_stdout(|out| out.write_all(text.as_bytes()))?;
        match lost {
            0 => Ok(()),
            _ => Err(CliFailure::No {
                message: format!("{name} loses {lost} lines"),
                hint: None,
            }),
        }
    }
}
