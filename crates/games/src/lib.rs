//! The rules of board games.
//!
//! The decision that shapes this crate: one trait, [`Game`], for games with alternating moves
//! and for games with simultaneous moves. A position says whose move it is ([`Turn`]), and a
//! [`JointMove`], one move or two, leads to the next position. Players, viewers and referees
//! use only that and know no game by name. Two traits, one for each kind of game, were
//! rejected: every player and every screen would exist twice.
//!
//! A [`Game`] value is a set of rules with options; a `State` is a position: small, plain, and
//! copied rather than undone. There are no players here, and no clocks.
//!
//! Each game is one module with its description, code and tests: [`mnk`] (tic-tac-toe and its
//! family), [`stones`], [`duel`]. [`AnyGame`] is an enum of all of them, parsed by name. A new
//! game implements the trait, passes [`conformance`], and gets an entry in [`AnyGame`].
//!
//! ```
//! use games::{AnyGame, Dice, Game, Outcome, with_game};
//! let game: AnyGame = "mnk:4,3,3".parse()?;
//! let end = with_game!(game, |game| {
//!     let mut state = game.start();
//!     game.playout(&mut state, &mut Dice::new(7))
//! });
//! assert!(matches!(end, Outcome::Win(_) | Outcome::Draw));
//! # Ok::<(), games::GameNameError>(())
//! ```
#![forbid(unsafe_code)]

mod any_game;
pub mod conformance;
mod diagram;
pub mod duel;
mod error;
mod game;
pub mod mnk;
mod options;
mod rulebook;
mod seat;
pub mod stones;

pub use any_game::{AnyGame, GameNameError};
pub use diagram::{Diagram, DiagramFact, DiagramMark, Input};
pub use dice::Dice;
pub use error::{MoveError, StateError, StateProblem};
pub use game::{Game, JointMove, Turn};
pub use rulebook::{RulePicture, RuleSheet};
pub use seat::{Outcome, Seat};
