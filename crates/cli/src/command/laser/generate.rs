//! `gridpaper laser generate`: a new level with one solution.

use super::{SolverProgressLine, counted, moved, placement};
use crate::argument::SizeArgument;
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use laser::generator::{self, GenerateError, GeneratedLevel, Grade, LevelRecipe, Pieces};
use laser::moves;
use serde_json::json;
use std::path::PathBuf;

/// Make a new level with one solution, proven
///
/// The same options and seed make the same level on every machine. The level goes to standard
/// output; how hard it is, to standard error.
#[derive(Debug, Args)]
pub(crate) struct LaserGenerateArgs {
    /// Columns and rows, the walls around it counted; without it what suits the difficulty,
    /// or 9x9
    #[arg(long, value_name = "WxH")]
    size: Option<SizeArgument>,

    /// How many pieces, of any kinds, or which: `2M/,B\,T^`; without it what suits the
    /// difficulty, or 4
    #[arg(long, value_name = "PIECES")]
    pieces: Option<Pieces>,

    /// How many of the inner cells may be walls, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 15)]
    walls: u32,

    /// What the level is drawn from: the same seed gives the same level
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// How hard it has to be; any will do, without it
    #[arg(long, value_name = "GRADE", value_parser = grade())]
    difficulty: Option<Grade>,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,

    /// Print one JSON object, with the level in it
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

/// The grades by their names, which completions then know.
fn grade() -> impl TypedValueParser<Value = Grade> {
    let names = Grade::ALL.map(Grade::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Grade>())
}

/// How long the sides are and how many pieces there are where nobody says it: such that most
/// boards, or many, come out as hard as they should (the figures are in the generator's docs).
fn usual(difficulty: Option<Grade>) -> (u32, u32) {
    match difficulty {
        Some(Grade::Easy) => (7, 3),
        None => (9, 4),
        Some(Grade::Medium) => (9, 5),
        Some(Grade::Hard) => (10, 6),
        Some(Grade::VeryHard) => (12, 7),
    }
}

impl LaserGenerateArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        output::check_place(&self.out)?;
        let recipe = self.recipe();
        let made = self.make(&recipe)?;
        if self.json {
            return self.report(&made);
        }
        let GeneratedLevel { grade, effort, .. } = made;
        let moves = counted(made.moves, "move");
        note(format_args!(
            "seed {}: {grade}, one solution, {moves}, proven in {}",
            recipe.seed,
            counted(effort.nodes, "node")
        ));
        output::to_file(&self.out, |out| {
            let name = self.out.display();
            write!(out, "{}", made.board).map_err(|error| CliFailure::io(name, &error))
        })
    }

    fn recipe(&self) -> LevelRecipe {
        let (side, pieces) = usual(self.difficulty);
        // what does not fit is far beyond what a recipe takes, and told there
        let long = |side: u64| u32::try_from(side).unwrap_or(u32::MAX);
        LevelRecipe {
            width: self.size.map_or(side, |size| long(size.width)),
            height: self.size.map_or(side, |size| long(size.height)),
            pieces: self.pieces.unwrap_or(Pieces::Number(pieces)),
            walls: self.walls,
            seed: self.seed,
            difficulty: self.difficulty,
        }
    }

    fn make(&self, recipe: &LevelRecipe) -> Result<GeneratedLevel, CliFailure> {
        let heed = InterruptGuard::new();
        let mut waiting = SolverProgressLine::new();
        let made = generator::generate(recipe, &mut |progress| {
            waiting.show(|| {
                let nearest = progress.nearest;
                let nearest = nearest.map(|grade| format!(", the nearest is {grade}"));
                let nearest = nearest.unwrap_or_default();
                let reached = match progress.reached {
                    0 => String::new(),
                    reached => format!(", {reached} of {} pieces placed", recipe.pieces.number()),
                };
                let boards = counted(progress.tries, "board");
                format!("{boards} tried{reached}{nearest}")
            });
            !heed.asked_to_stop()
        });
        drop(waiting);
        made.map_err(|error| match error {
            GenerateError::Stopped { .. } => CliFailure::interrupted(error),
            GenerateError::GivenUp { .. } => CliFailure::No {
                message: error.to_string(),
                hint: Some(match self.difficulty {
                    Some(Grade::Hard | Grade::VeryHard) => {
                        "more --pieces on a larger --size make harder levels".into()
                    }
                    Some(Grade::Easy | Grade::Medium) => {
                        "fewer --pieces on a smaller --size make easier levels".into()
                    }
                    None => "another --seed, --size, --pieces or --walls may do".into(),
                }),
            },
            GenerateError::OutOfReach { .. } => CliFailure::No {
                message: error.to_string(),
                hint: Some("fewer --pieces or more --walls may do".into()),
            },
            GenerateError::TooEasy { .. } => CliFailure::wrong(error)
                .with_hint(Some("fewer --pieces, or a harder --difficulty".into())),
            _ => CliFailure::wrong(error),
        })
    }

    fn report(&self, made: &GeneratedLevel) -> Result<(), CliFailure> {
        let GeneratedLevel { board, .. } = made;
        let route = moves::route(board, &made.solution);
        output::line(json!({
            "level": board.to_string(),
            "width": board.width(),
            "height": board.height(),
            "pieces": board.stock().iter().sum::<u32>(),
            "seed": self.seed,
            "grade": made.grade.to_string(),
            "solution": placement(board, &made.solution),
            "fewest_moves": made.moves,
            "moves": route.iter().map(moved).collect::<Vec<_>>(),
            "nodes": made.effort.nodes,
            "tries": made.tries,
        }))
    }
}
