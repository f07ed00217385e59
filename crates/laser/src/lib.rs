//! A puzzle on a board of tiles: lasers, mirrors, splitters and sensors. A player moves the
//! hardware until every sensor is lit.
//!
//! The crate holds the whole of it: [`Board`]s and the files they come in, [`Light`], [`moves`],
//! the [`solver`] that says whether a level can be solved, in how many ways and with how few
//! moves, and proves it; the [`generator`] of new levels, the built-in ones ([`level`]), and
//! [`play`], what a person can do. It draws nothing, and has no clock and no threads: whoever
//! asks what takes long is asked back whether to go on.
//!
//! The one decision that shapes it: light is a set of heads, a cell and a direction each, and
//! a tile is a table from directions to sets of directions. So light can be followed one head
//! at a time, by the tracer over a whole board and by the solver over a board of which it
//! knows nothing but the tiles that light has entered. (Beams as lines from piece to piece
//! lost: each move would cut and join them, and cycles would need care of their own.)
//!
//! Meet [`Board`], [`Light`] and [`solver::solve`].
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
