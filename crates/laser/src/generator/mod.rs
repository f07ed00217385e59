//! New levels, each with one solution and no other.
//!
//! A level begins as its solution: walls by chance, lasers in the ring, pieces put into the
//! light one after the other so that all of them shine, a sensor wherever a beam ends. Then
//! the other solutions are looked for, the near ones by trying and the rest by the solver,
//! and walls are put where they pass and the wanted one does not. Sensors that are not
//! needed go away, and at last the pieces are spread over the board. (Throwing away all
//! boards that have several solutions is simpler, and lost: on 10 x 10 with 6 pieces it
//! begins 25 boards for each level, and this 10.)
//!
//! The same recipe makes the same level: chance comes from its seed, and each try has dice
//! of its own. What the solver is asked are facts, and in which order it searches does not
//! matter. How good it is does, but only where it gives up ([`Made::unknown`] says so) and
//! where a difficulty is asked for, which counts what it had to try.
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
//! Meet [`Recipe`], [`generate`] and [`Grade`].
//!
//! ```
//! use laser::generator::{Grade, Pieces, Recipe, generate};
//! let recipe = Recipe {
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

mod draft;
mod grade;
mod hone;
mod near;
mod recipe;
mod start;

pub use grade::{Effort, Grade, GradeError};
pub use recipe::{Pieces, PiecesError, Recipe};

use crate::board::Board;
use crate::solver::Solution;
use dice::Dice;
use hone::Prover;
use thiserror::Error;

/// Boards that are begun before a recipe is given up.
const MOST_TRIES: u32 = 5000;

/// A new level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// As the player gets it: not solved.
    pub board: Board,
    /// Its only solution; all pieces are in it.
    pub solution: Solution,
    /// How hard it is.
    pub grade: Grade,
    /// What the grade is taken from.
    pub effort: Effort,
    /// The fewest moves in which it can be solved: those that lead to the only solution.
    pub moves: u32,
    /// Boards that were begun, this one among them.
    pub tries: u32,
    /// Questions about them that were too long for the solver. With none, and where no
    /// difficulty was asked for, a better solver would make the same level.
    pub unknown: u32,
}

/// How far a search for a level has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Boards begun so far.
    pub tries: u32,
    /// Of the levels with one solution among them, the difficulty nearest to what is asked for.
    pub nearest: Option<Grade>,
}

/// No level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// Too small or too large.
    #[error(
        "a level is made with {} to {} columns and rows, and not {width} x {height}",
        Recipe::SIDES.start(), Recipe::SIDES.end()
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
        Recipe::MOST_WALLS
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
    /// No such level among so many.
    #[error("no such level among {tries} boards{}", nearest_words(*nearest))]
    GivenUp {
        /// Boards begun.
        tries: u32,
        /// The difficulty nearest to what was asked for among the levels that came out.
        nearest: Option<Grade>,
    },
    /// `goes_on` said no.
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

/// Makes the level of a recipe: the same one each time.
///
/// `goes_on` is asked now and then; when it says no, the search ends.
///
/// # Errors
/// When the recipe cannot be followed, no such level is found, or `goes_on` says no.
pub fn generate(
    recipe: &Recipe,
    goes_on: &mut dyn FnMut(Progress) -> bool,
) -> Result<Made, GenerateError> {
    recipe.check()?;
    let mut progress = Progress {
        tries: 0,
        nearest: None,
    };
    let mut unknown = 0;
    while progress.tries < MOST_TRIES {
        if !goes_on(progress) {
            let tries = progress.tries;
            return Err(GenerateError::Stopped { tries });
        }
        progress.tries += 1;
        let mut dice = Dice::of_part(recipe.seed, u64::from(progress.tries - 1));
        let mut is_stopped = false;
        let mut prover = Prover {
            goes_on: &mut || {
                is_stopped |= !goes_on(progress);
                !is_stopped
            },
            unknown: 0,
        };
        let made = attempt(recipe, &mut dice, &mut prover);
        unknown += prover.unknown;
        if is_stopped {
            let tries = progress.tries;
            return Err(GenerateError::Stopped { tries });
        }
        let Some(made) = made else { continue };
        let wanted = recipe.difficulty.unwrap_or(made.grade);
        if made.grade == wanted {
            let tries = progress.tries;
            return Ok(Made {
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
    Err(GenerateError::GivenUp {
        tries: progress.tries,
        nearest: progress.nearest,
    })
}

/// One try: a level with one solution, of whatever difficulty.
fn attempt(recipe: &Recipe, dice: &mut Dice, prover: &mut Prover<'_>) -> Option<Made> {
    let mut board = draft::draft(recipe, dice)?;
    hone::repair(&mut board, recipe, dice, prover)?;
    let percent = match recipe.difficulty {
        None => dice.below(101),
        Some(Grade::Easy) => 0,
        Some(Grade::Medium) => dice.below(51),
        Some(Grade::Hard) => 50 + dice.below(51),
        Some(Grade::VeryHard) => 100,
    };
    hone::thin_out(&mut board, percent, dice, prover);
    let effort = prover.prove(&board)?;
    let solution = Solution {
        pieces: board.pieces().collect(),
    };
    let (board, moves) = start::start(&board, &solution, dice)?;
    Some(Made {
        board,
        solution,
        grade: effort.grade(),
        effort,
        moves,
        tries: 0,
        unknown: 0,
    })
}
