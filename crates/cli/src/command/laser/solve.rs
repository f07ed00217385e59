//! `gridpaper laser solve`: whether, in how many ways, with how few moves.

use super::{
    LaserSourceArgs, LoadedLaserLevel, SolverLimitArgs, TimedSolverAnswer, counted, describe_move,
    moved, placement, unsolvable,
};
use crate::failure::{CliFailure, note};
use crate::{output, table};
use clap::Args;
use laser::solver::{Aim, Solution};
use laser::{Board, Move};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Solve a level, or prove that it cannot be solved
///
/// A solution is what light touches: equal pieces may change places, and pieces that stay in
/// the dark may lie anywhere. Moves lead from the level as it stands to the solution. Ctrl-C
/// and the limits end the search early; then it tells what is known, and no more.
#[derive(Debug, Args)]
pub(crate) struct LaserSolveArgs {
    #[command(flatten)]
    source: LaserSourceArgs,

    /// Find every solution
    #[arg(long)]
    all: bool,

    /// With --all, stop after so many solutions
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "all",
          value_parser = clap::value_parser!(u64).range(1..))]
    up_to: u64,

    /// Find a solution that takes the fewest moves, with a proof
    #[arg(long)]
    fewest_moves: bool,

    #[command(flatten)]
    patience: SolverLimitArgs,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl LaserSolveArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let level = self.source.read()?;
        // where both are asked for, the moves are those of the shortest, and all are counted
        let all = self.all.then(|| {
            let up_to = self.up_to;
            self.patience.ask(&level.board, Aim::All { up_to })
        });
        let one = match &all {
            Some(all) if !self.fewest_moves || all.is_interrupted => None,
            Some(all) if all.answer.solvable == Some(false) => None,
            _ => {
                let aim = match self.fewest_moves {
                    true => Aim::Fewest,
                    false => Aim::Any,
                };
                let left = all.as_ref().map(|all| self.patience.after(all));
                let patience = left.as_ref().unwrap_or(&self.patience);
                Some(patience.ask(&level.board, aim))
            }
        };
        let found = LaserSolveResult { level, all, one };
        let (solvable, is_interrupted) = (found.solvable(), found.is_interrupted());
        if self.json {
            let report = found.report();
            output::to_stdout(|out| {
                serde_json::to_writer(&mut *out, &report)?;
                writeln!(out)
            })?;
        } else if solvable == Some(true) {
            let text = found.text();
            output::to_stdout(|out| out.write_all(text.as_bytes()))?;
        }
        match solvable {
            Some(false) => Err(unsolvable(&found.level)),
            None => Err(found.main().not_known()),
            Some(true) if is_interrupted => {
                Err(CliFailure::interrupted(found.open().unwrap_or_default()))
            }
            Some(true) => {
                found.open().iter().for_each(note);
                Ok(())
            }
        }
    }
}

/// What was found, by one question or by two.
struct LaserSolveResult {
    level: LoadedLaserLevel,
    /// The answer to the question for all solutions.
    all: Option<TimedSolverAnswer>,
    /// The answer to the question for one, or for the shortest.
    one: Option<TimedSolverAnswer>,
}

impl LaserSolveResult {
    fn asked(&self) -> impl Iterator<Item = &TimedSolverAnswer> {
        self.one.iter().chain(&self.all)
    }

    /// The answer that has the moves.
    fn main(&self) -> &TimedSolverAnswer {
        self.asked().next().expect("one question at least is asked")
    }

    fn solvable(&self) -> Option<bool> {
        self.asked().find_map(|asked| asked.answer.solvable)
    }

    fn is_interrupted(&self) -> bool {
        self.asked().any(|asked| asked.is_interrupted)
    }

    fn nodes(&self) -> u64 {
        self.asked().map(|asked| asked.answer.nodes).sum()
    }

    fn seconds(&self) -> f64 {
        self.asked().map(|asked| asked.seconds).sum()
    }

    fn moves(&self) -> Option<(&[Move], bool)> {
        let with_moves = self.asked().find(|asked| asked.answer.moves.is_some())?;
        let answer = &with_moves.answer;
        Some((answer.moves.as_deref()?, answer.is_fewest))
    }

    /// What a search that ended early leaves open.
    fn open(&self) -> Option<String> {
        let mut words = Vec::new();
        if let Some(all) = self.all.as_ref().filter(|all| !all.answer.is_complete) {
            let count = counted(all.answer.solutions.len(), "solution");
            words.push(format!("there may be more than {count}"));
        }
        let one = self.one.as_ref().map(|one| &one.answer);
        if let Some(answer) = one.filter(|one| !one.is_fewest && one.at_least > 0) {
            let unproven = "it is not proven that fewer moves will not do";
            words.push(match answer.at_least {
                // that it is not solved as it stands is plain to see
                1 => unproven.to_string(),
                least => format!("{unproven}, but {least} are needed at least"),
            });
        }
        (!words.is_empty()).then(|| words.join("; "))
    }

    fn report(&self) -> LaserSolveReport<'_> {
        let all = self.all.as_ref().map(|all| &all.answer);
        let moves = self.moves();
        LaserSolveReport {
            level: &self.level.name,
            solvable: self.solvable(),
            solutions: all.map(|all| all.solutions.len()),
            all_found: all.map(|all| all.is_complete),
            placements: all.map(|all| SolutionPlacements {
                board: &self.level.board,
                solutions: &all.solutions,
            }),
            moves: moves.map(|(moves, _)| moves.iter().map(moved).collect()),
            proved_fewest: moves.is_some_and(|(_, is_fewest)| is_fewest),
            at_least: self.one.as_ref().map(|one| one.answer.at_least),
            nodes: self.nodes(),
            seconds: self.seconds(),
        }
    }

    fn text(&self) -> String {
        let mut rows = vec![["level".into(), self.level.name.clone()]];
        if let Some(all) = &self.all {
            let count = all.answer.solutions.len();
            let words = match all.answer.is_complete {
                true => count.to_string(),
                false => format!("{count} at least"),
            };
            rows.push(["solutions".into(), words]);
        }
        let moves = self.moves();
        if let Some((moves, is_fewest)) = moves {
            let words = match is_fewest {
                true => format!("{}, the fewest there are", moves.len()),
                false => moves.len().to_string(),
            };
            rows.push(["moves".into(), words]);
        }
        rows.push(["nodes".into(), self.nodes().to_string()]);
        rows.push(["seconds".into(), format!("{:.6}", self.seconds())]);
        let mut text = table::aligned(rows);
        if let Some((moves, _)) = moves.filter(|(moves, _)| !moves.is_empty()) {
            text.push('\n');
            let mut board = self.level.board.clone();
            let lines = moves.iter().enumerate().map(|(number, &step)| {
                let line = [format!("{}.", number + 1), describe_move(&board, step)];
                board
                    .apply(step)
                    .expect("the solver makes moves that can be made");
                line
            });
            text.push_str(&table::aligned(lines));
        }
        if let Some(all) = self
            .all
            .as_ref()
            .filter(|all| all.answer.solutions.len() > 1)
        {
            text.push_str("\nthe pieces that light touches, solution by solution\n");
            let lines = all.answer.solutions.iter().enumerate();
            let lines = lines.map(|(number, solution)| {
                let pieces = solution.pieces.iter().map(|&(cell, piece)| {
                    let place = self.level.board.place(cell);
                    format!("{piece} {},{}", place.x, place.y)
                });
                let pieces: Vec<String> = pieces.collect();
                [format!("{}.", number + 1), pieces.join("  ")]
            });
            text.push_str(&table::aligned(lines));
        }
        text
    }
}

/// What `--json` prints. What was not asked for is left out.
#[derive(Serialize)]
struct LaserSolveReport<'a> {
    level: &'a str,
    solvable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_found: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    placements: Option<SolutionPlacements<'a>>,
    moves: Option<Vec<Value>>,
    proved_fewest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<u32>,
    nodes: u64,
    seconds: f64,
}

/// All solutions, written one by one: as one value, 100 000 with twelve pieces each took
/// 950 MB.
struct SolutionPlacements<'a> {
    board: &'a Board,
    solutions: &'a [Solution],
}

impl Serialize for SolutionPlacements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let solutions = self.solutions.iter();
        serializer.collect_seq(solutions.map(|one| placement(self.board, one)))
    }
}
