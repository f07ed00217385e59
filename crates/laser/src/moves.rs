//! Moves: one piece to an empty tile, or two pieces swapped; and the fewest of them that
//! lead from one placement to another.
//!
//! A placement is a word over nine contents, nothing and eight pieces, and a move swaps two
//! letters that differ. The least number of swaps between two words depends on how many cycles
//! the multigraph with an edge from the present to the wanted content of each cell can be
//! decomposed into, as for permutations (Cayley 1849). [`SwapDistance`] computes that number,
//! [`route`] the moves. (Searching through placements move by move is hopeless for more than a
//! handful of pieces, and serves as the reference in the tests.)

mod cycle_packing;
mod route;
mod swap_distance;

pub use route::{distance, route};
pub use swap_distance::SwapDistance;

use crate::tile::Tile;
use grid::Point;
use std::fmt;
use thiserror::Error;

/// A move: the piece at `from` goes to `to`; a piece that stood there comes to `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where there is a piece.
    pub from: Point,
    /// An empty tile or another piece.
    pub to: Point,
}

/// A move that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LaserMoveError {
    /// There is no such cell.
    #[error("there is no cell {},{} on the board", .0.x, .0.y)]
    Outside(Point),
    /// Only hardware can be moved.
    #[error("at {},{} is {}, which cannot be moved", .0.x, .0.y, words(*.1))]
    NotHardware(Point, Tile),
    /// What is there stays there.
    #[error("at {},{} is {}, which stays where it is", .0.x, .0.y, words(*.1))]
    Fixed(Point, Tile),
    /// From a place to itself.
    #[error("from {},{} to itself is no move", .0.x, .0.y)]
    SamePlace(Point),
}

/// The name of a tile in a message.
fn words(tile: Tile) -> &'static str {
    match tile {
        Tile::Empty => "nothing",
        Tile::Wall => "a wall",
        Tile::Laser(_) => "a laser",
        Tile::Sensor(_) => "a sensor",
        Tile::Hardware(_) => "hardware",
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to } = self;
        write!(f, "{},{} {},{}", from.x, from.y, to.x, to.y)
    }
}
