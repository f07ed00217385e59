//! A puzzle on a board of tiles: lasers, mirrors, splitters and sensors. A player moves the
//! hardware until every sensor is lit.
//!
//! The crate contains [`Board`]s and their file format, [`Light`], [`moves`], the [`solver`]
//! that proves whether a level is solvable, in how many ways and in how few moves; the
//! [`generator`] of new levels, the built-in ones ([`level`]), and [`play`], the state of a
//! level being played. It draws nothing, and has no clock and no threads: long computations
//! call back to ask whether to continue.
//!
//! The one decision that shapes it: light is a set of beam fronts, each a cell and a direction,
//! and a tile is a table from directions to sets of directions. So light can be traced one
//! front at a time, by the tracer over a whole board and by the solver over a board of which it
//! knows only the tiles that light has entered. (Beams as segments from piece to piece were
//! rejected: each move would split and join them, and cycles would need special treatment.)
//!
//! Main items: [`Board`], [`Light`] and [`solver::solve`].
//!
//! ```
//! use laser::{Board, Light};
//! let board: Board = "5 4\nW W SvW W\nW . . . W\nL>. M/. W\nW W W W W\n".parse()?;
//! assert!(Light::of(&board).status(&board).is_solved());
//! # Ok::<(), laser::LevelFileError>(())
//! ```
#![forbid(unsafe_code)]

mod board;
mod direction;
mod format;
pub mod generator;
pub mod level;
mod light;
pub mod moves;
pub mod play;
pub mod solver;
mod tile;

pub use board::{Board, SizeError};
pub use direction::{Direction, Directions};
pub use format::{LevelFileError, LevelProblem};
pub use light::{Light, SensorStatus};
pub use moves::{LaserMoveError, Move};
pub use tile::{Piece, Tile};
