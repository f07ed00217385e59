//! Points, rectangles, symmetries and the cell hash: the geometry of the infinite grid.
//!
//! All other crates build on this one, so it depends on nothing. The one decision that shapes
//! it: coordinates are `i64` and sizes `u64`, x to the right and y down. Big integers
//! everywhere were rejected: only a hashed quadtree can hold cells further out than that, and
//! it keeps its own big bounds.
//!
//! Main types: [`Point`], [`Rect`], [`Symmetry`] and [`CellHash`].
//!
//! ```
//! use grid::{Point, Rect};
//! let board = Rect::new(0, 0, 25, 25);
//! assert!(board.contains(Point::new(24, 24)));
//! assert!(!board.contains(Point::new(25, 0)));
//! ```
#![forbid(unsafe_code)]

mod hash;
mod point;
mod rect;
mod symmetry;

pub use hash::{CellHash, HashShift};
pub use point::Point;
pub use rect::Rect;
pub use symmetry::Symmetry;

/// The state of one cell, 0 to 255. State 0 is dead, or empty.
pub type State = u8;
