//! Generates levels with exactly one solution. (Own method.)
//!
//! A level begins as its solution: random walls, lasers in the border, pieces put into the
//! light one after the other so that all of them are lit, a sensor wherever a beam ends. Then
//! the other solutions are searched, close ones by direct trial and the rest by the solver, and
//! walls are put where their light goes and that of the wanted one does not. Unneeded sensors
//! are removed, and at last the pieces are scattered over the board. (Rejecting all boards with
//! several solutions is simpler, but slower: for 10 x 10 with 6 pieces it begins 25 boards for
//! each level, and this method 10.)
//!
//! On large boards with many pieces hardly any draft can be repaired like that. After some
//! work, or at once on the largest, levels grow instead (`growing_board`): piece by piece, each
//! proven unique before the next. Work is counted in nodes and in traced boards, never in
//! seconds, so a search ends at the same point on every machine.
//!
//! The same recipe gives the same level: its seed determines the random numbers, and each try
//! has a stream of its own. The results of the solver are facts, independent of its search
//! order. Its speed matters only where it gives up or levels grow ([`GeneratedLevel::unknown`]
//! says so), and where a difficulty is requested, which is measured in its nodes.
//!
//! Grades, by 100 levels of a shape with 20 percent walls, seeds 0 to 99:
//!
//! | size, pieces | easy | medium | hard | very hard | boards begun for each |
//! |---|---|---|---|---|---|
//! | 6 x 6, 2 | 100 | 0 | 0 | 0 | 2.2 |
//! | 7 x 7, 3 | 97 | 3 | 0 | 0 | 2.9 |
//! | 8 x 8, 4 | 38 | 61 | 1 | 0 | 4.3 |
//! | 9 x 9, 5 | 5 | 56 | 36 | 3 | 6.8 |
//! | 10 x 10, 6 | 2 | 23 | 51 | 24 | 10.4 |
//! | 12 x 12, 7 | 0 | 6 | 38 | 56 | 16.9 |
//! | 15 x 15, 6 | 0 | 9 | 42 | 49 | 8.1 |
//!
//! Main items: [`LevelRecipe`], [`generate`] and [`Grade`].
//!
//! ```
//! use laser::generator::{Grade, Pieces, LevelRecipe, generate};
//! let recipe = LevelRecipe {
//!     width: 7,
//!     height: 6,
//!     pieces: Pieces::Number(3),
//!     walls: 20,
//!     seed: 2026,
//!     difficulty: Some(Grade::Easy),
//! };
//! let made = generate(&recipe, &mut |_| true)?;
//! assert_eq!(made.grade, Grade::Easy);
//! assert_eq!(made.solution.pieces.len(), 3);
//! # Ok::<(), laser::generator::GenerateError>(())
//! ```

mod grade;
mod growing_board;
mod neighbourhood;
mod prover;
mod recipe;
mod refinement;
mod scramble;
mod solved_draft;

pub use grade::{Grade, GradeError, ProofEffort};
pub use recipe::{LevelRecipe, Pieces, PiecesError};

use crate::board::Board;
use crate::format::counted;
use crate::light::Light;
use crate::solver::Solution;
use dice::Dice;
use prover::Prover;
use thiserror::Error;

/// The most boards begun for a recipe.
const MAX_TRIES: u32 = 5000;

/// The work for drafts before boards are grown instead, in traced boards (a solver node counts
/// as four): about two seconds. All levels of the pack take less.
const REPAIR_WORK: u64 = 3_000_000;
/// The same where a difficulty is requested: few small boards come out very hard, and fewer of
/// those that grow.
const GRADED_REPAIR_WORK: u64 = 12_000_000;
/// With more inner cells times pieces than this, hardly any draft can be repaired: they are not
/// tried. (The largest level of the pack has 1690.)
const MAX_REPAIR_SIZE: u32 = 2000;
/// The work for grown boards: about nine seconds.
const GROWTH_WORK: u64 = 15_000_000;
/// After this much of it a recipe is out of reach if no board has come near it.
const REACH_WORK: u64 = 1_200_000;
/// The most nodes of a proof for a grown board that loses sensors.
const THIN_NODES: u64 = 5000;

/// A new level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedLevel {
    /// As the player gets it: not solved.
    pub board: Board,
    /// Its only solution; all pieces are in it.
    pub solution: Solution,
    /// How hard it is.
    pub grade: Grade,
    /// The effort from which the grade is computed.
    pub effort: ProofEffort,
    /// The fewest moves in which it can be solved: those that lead to the only solution.
    pub moves: u32,
    /// Boards that were begun, this one among them.
    pub tries: u32,
    /// The number of questions on which the solver gave up, plus one where the level grew piece
    /// by piece. If it is 0, and no difficulty was requested, a better solver would produce the
    /// same level.
    pub unknown: u32,
}

/// The progress of a search for a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratorProgress {
    /// Boards begun so far.
    pub tries: u32,
    /// Of the levels with one solution among them, the difficulty nearest to the requested one.
    pub nearest: Option<Grade>,
    /// The most pieces on a board with one solution so far, where boards grow piece by piece.
    pub reached: u32,
}

/// No level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// Too small or too large.
    #[error(
        "a level is made with {} to {} columns and rows, and not {width} x {height}",
        LevelRecipe::SIDES.start(), LevelRecipe::SIDES.end()
    )]
    Size {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// Too many walls.
    #[error(
        "walls can take 0 to {} percent of the inner cells, and not {walls}",
        LevelRecipe::MOST_WALLS
    )]
    Walls {
        /// Percent asked for.
        walls: u32,
    },
    /// Nothing to move.
    #[error("a level needs at least one piece to move")]
    NoPieces,
    /// Too many pieces.
    #[error(
        "{} no room on {width} x {height} with {walls} percent walls: {room} at most",
        have_words(*pieces)
    )]
    Room {
        /// Pieces asked for.
        pieces: u32,
        /// The most that would do.
        room: u32,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Walls, in percent.
        walls: u32,
    },
    /// More pieces than a level that is so easy has.
    #[error(
        "a level with {} is never {difficulty}, which takes {} at most",
        counted(*pieces, "piece"), counted(*most, "piece")
    )]
    TooEasy {
        /// Pieces asked for.
        pieces: u32,
        /// The difficulty asked for.
        difficulty: Grade,
        /// The most pieces with which it can be had.
        most: u32,
    },
    /// No board came near the number of pieces.
    #[error(
        "{pieces} pieces are out of reach on {width} x {height} with {walls} percent walls: \
         boards with one solution had {reached} at most"
    )]
    OutOfReach {
        /// Pieces asked for.
        pieces: u32,
        /// The most pieces on a board with one solution.
        reached: u32,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Walls, in percent.
        walls: u32,
    },
    /// No such level was found among this many boards.
    #[error("no such level among {tries} boards{}", nearest_words(*nearest))]
    GivenUp {
        /// Boards begun.
        tries: u32,
        /// The difficulty nearest to what was asked for among the levels that came out.
        nearest: Option<Grade>,
    },
    /// `goes_on` returned false.
    #[error("stopped after {tries} boards")]
    Stopped {
        /// Boards begun.
        tries: u32,
    },
}

/// The beginning of the sentence about too many pieces.
fn have_words(pieces: u32) -> String {
    match pieces {
        1 => "1 piece has".to_string(),
        _ => format!("{pieces} pieces have"),
    }
}

/// The end of the sentence about giving up.
fn nearest_words(nearest: Option<Grade>) -> String {
    match nearest {
        Some(grade) => format!("; the nearest was {grade}"),
        None => "; none of them had one solution only".to_string(),
    }
}

/// The methods of generation, tried one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GeneratorMethod {
    /// A complete board is drafted, and its other solutions are blocked.
    Repair,
    /// A board grows piece by piece.
    Growth,
}

impl GeneratorMethod {
    /// The work after which the next method is tried.
    fn max_work(self, recipe: &LevelRecipe) -> u64 {
        match self {
            Self::Repair if recipe.inner() * recipe.pieces.number() > MAX_REPAIR_SIZE => 0,
            Self::Repair if recipe.difficulty.is_some() => GRADED_REPAIR_WORK,
            Self::Repair => REPAIR_WORK,
            Self::Growth => GROWTH_WORK,
        }
    }

    /// One try: a level with a unique solution, of any difficulty.
    fn attempt(
        self,
        recipe: &LevelRecipe,
        dice: &mut Dice,
        prover: &mut Prover<'_>,
    ) -> Option<GeneratedLevel> {
        let (mut board, nodes) = match self {
            Self::Repair => {
                let mut board = solved_draft::draft(recipe, dice)?;
                refinement::make_unique(&mut board, recipe, dice, prover)?;
                (board, refinement::MAX_NODES)
            }
            Self::Growth => {
                let board = growing_board::grow(recipe, dice, prover)?;
                if solved_draft::is_dull(&board, &Light::of(&board)) {
                    return None;
                }
                let most = |grade| {
                    let pieces = recipe.pieces.number();
                    // a very hard level with few pieces takes a long proof
                    let limit = match grade {
                        Grade::VeryHard => {
                            2 * ProofEffort::most_nodes(Grade::Hard, pieces, u64::MAX / 2)
                        }
                        _ => THIN_NODES,
                    };
                    let limit = limit.clamp(THIN_NODES, refinement::MAX_NODES);
                    ProofEffort::most_nodes(grade, pieces, limit)
                };
                (board, recipe.difficulty.map_or(THIN_NODES, most))
            }
        };
        let percent = match recipe.difficulty {
            None => dice.below(101),
            Some(Grade::Easy) => 0,
            Some(Grade::Medium) => dice.below(51),
            Some(Grade::Hard) => 50 + dice.below(51),
            Some(Grade::VeryHard) => 100,
        };
        refinement::remove_sensors(&mut board, percent, nodes, dice, prover);
        let mut effort = prover.prove(&board, nodes)?;
        if let (Self::Growth, Some(difficulty)) = (self, recipe.difficulty)
            && effort.grade() < difficulty
        {
            growing_board::remove_walls(&mut board, difficulty, nodes, dice, prover);
            effort = prover.prove(&board, nodes)?;
        }
        let solution = Solution {
            pieces: board.pieces().collect(),
        };
        let (board, moves) = scramble::start(&board, &solution, dice)?;
        Some(GeneratedLevel {
            board,
            solution,
            grade: effort.grade(),
            effort,
            moves,
            tries: 0,
            unknown: 0,
        })
    }
}

/// Generates the level of a recipe, deterministically.
///
/// `goes_on` is called regularly; when it returns false, the search ends.
///
/// # Errors
/// When the recipe is impossible, no such level is found, or `goes_on` returns false.
///
/// ```
/// use laser::generator::{GenerateError, LevelRecipe, Pieces, generate};
///
/// let recipe = LevelRecipe {
///     width: 6,
///     height: 6,
///     pieces: Pieces::Number(2),
///     walls: 20,
///     seed: 7,
///     difficulty: None,
/// };
/// assert_eq!(generate(&recipe, &mut |_| true), generate(&recipe, &mut |_| true));
/// assert_eq!(generate(&recipe, &mut |_| false), Err(GenerateError::Stopped { tries: 0 }));
/// ```
pub fn generate(
    recipe: &LevelRecipe,
    goes_on: &mut dyn FnMut(GeneratorProgress) -> bool,
) -> Result<GeneratedLevel, GenerateError> {
    recipe.check()?;
    let mut progress = GeneratorProgress {
        tries: 0,
        nearest: None,
        reached: 0,
    };
    let mut unknown = 0;
    for method in [GeneratorMethod::Repair, GeneratorMethod::Growth] {
        let mut work = 0;
        while work < method.max_work(recipe) {
            if progress.tries == MAX_TRIES {
                return Err(given_up(progress));
            }
            if !goes_on(progress) {
                let tries = progress.tries;
                return Err(GenerateError::Stopped { tries });
            }
            progress.tries += 1;
            let mut dice = Dice::of_part(recipe.seed, u64::from(progress.tries - 1));
            let mut is_stopped = false;
            let mut prover = Prover {
                goes_on: &mut |reached| {
                    is_stopped |= !goes_on(GeneratorProgress {
                        reached,
                        ..progress
                    });
                    !is_stopped
                },
                reached: progress.reached,
                unknown: 0,
                work,
                most_work: method.max_work(recipe),
            };
            let made = method.attempt(recipe, &mut dice, &mut prover);
            work = prover.work;
            progress.reached = prover.reached;
            unknown += prover.unknown;
            if is_stopped {
                let tries = progress.tries;
                return Err(GenerateError::Stopped { tries });
            }
            let Some(made) = made else {
                if method == GeneratorMethod::Growth {
                    check_reach(recipe, progress, work)?;
                }
                continue;
            };
            let wanted = recipe.difficulty.unwrap_or(made.grade);
            if made.grade == wanted {
                let tries = progress.tries;
                return Ok(GeneratedLevel {
                    tries,
                    unknown,
                    ..made
                });
            }
            let far = |grade: Grade| (grade as i32 - wanted as i32).abs();
            let is_nearer = |nearest: Grade| far(made.grade) < far(nearest);
            if progress.nearest.is_none_or(is_nearer) {
                progress.nearest = Some(made.grade);
            }
        }
        // a faster solver would have tried more drafts with the same work
        unknown += 1;
    }
    Err(given_up(progress))
}

/// Fails where boards do not grow near enough to the number of pieces to go on.
fn check_reach(
    recipe: &LevelRecipe,
    progress: GeneratorProgress,
    work: u64,
) -> Result<(), GenerateError> {
    let (pieces, reached) = (recipe.pieces.number(), progress.reached);
    if progress.nearest.is_some() || work < REACH_WORK || reached * 3 >= pieces * 2 {
        return Ok(());
    }
    Err(GenerateError::OutOfReach {
        pieces,
        reached,
        width: recipe.width,
        height: recipe.height,
        walls: recipe.walls,
    })
}

fn given_up(progress: GeneratorProgress) -> GenerateError {
    GenerateError::GivenUp {
        tries: progress.tries,
        nearest: progress.nearest,
    }
}
