//! `gridpaper laser hint`: the next move of a shortest solution.

use super::{LaserSourceArgs, SolverLimitArgs, describe_move, moved, unsolvable};
use crate::failure::CliFailure;
use crate::output;
use clap::Args;
use laser::solver::Aim;
use serde_json::json;

/// Tell the next move of a solution that takes the fewest moves
#[derive(Debug, Args)]
pub(crate) struct LaserHintArgs {
    #[command(flatten)]
    source: LaserSourceArgs,

    #[command(flatten)]
    patience: SolverLimitArgs,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl LaserHintArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let level = self.source.read()?;
        let asked = self.patience.ask(&level.board, Aim::Fewest);
        let answer = &asked.answer;
        if self.json {
            let step = answer.moves.as_ref().and_then(|moves| moves.first());
            output::line(json!({
                "level": level.name,
                "solvable": answer.solvable,
                "move": step.map(moved),
                "moves_left": answer.moves.as_ref().map(Vec::len),
                "proved_fewest": answer.is_fewest,
                "nodes": answer.nodes,
                "seconds": asked.seconds,
            }))?;
        }
        let moves = match (&answer.moves, answer.solvable) {
            (Some(moves), _) => moves,
            (None, Some(false)) => return Err(unsolvable(&level)),
            (None, _) => return Err(asked.not_known()),
        };
        if self.json {
            return asked.end();
        }
        match moves.split_first() {
            None => output::line("it is solved")?,
            Some((&step, rest)) => {
                let rest = match rest.len() {
                    0 => "it is solved with this".to_string(),
                    1 => "1 more after it".to_string(),
                    n => format!("{n} more after it"),
                };
                output::line(format_args!(
                    "{}; {rest}",
                    describe_move(&level.board, step)
                ))?;
            }
        }
        asked.end()
    }
}
