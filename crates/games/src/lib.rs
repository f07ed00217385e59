//! Games on squared paper: their rules, and nothing else.
//!
//! The decision that shapes this crate: one trait, [`Game`], for games where the seats take
//! turns and for games where both move at once. A position says whose move it is
//! ([`Turn`]), and what moves it on is a [`JointMove`]: one move, or two. Whoever plays, watches
//! or referees goes by that and needs to know no game by name. Two traits, one a kind of
//! game, lost: every player and every screen would have been written twice.
//!
//! A [`Game`] is the rules with their options, a `State` is a position: small, plain, and
//! copied rather than undone. There are no players here, and no clocks.
//!
//! Each game is one module with its story, its code and its tests: [`mnk`] (tic-tac-toe and
//! its family), [`stones`], [`duel`].
//! [`AnyGame`] is all of them by name. A new game implements the trait, passes
//! [`conformance`], and gets a line in [`AnyGame`].
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
mod seat;
pub mod stones;

pub use any_game::{AnyGame, GameNameError, Options};
pub use diagram::{Diagram, DiagramFact, DiagramMark, Input};
pub use dice::Dice;
pub use error::{MoveError, StateError, StateProblem};
pub use game::{Game, JointMove, Turn};
pub use seat::{Outcome, Seat};
