//! Patterns, and the file formats that hold them. Each format is one module that reads *and*
//! writes.
//!
//! The decision that shapes this crate: cells are held as the file gives them, either as runs
//! of equal cells row by row or as a shared quadtree, never as an array of cells, so that the
//! cost of a pattern depends on the size of its file and not on its area. A dense array fails
//! at the first `9999999999bo!`; a quadtree for everything reads and writes RLE too slowly.
//!
//! Main types: [`Pattern`], [`Cells`] and [`Format`]; [`read`] and [`write()`] convert between
//! them and bytes, and [`losses`] lists what a format cannot hold.
//!
//! ```
//! use pattern::{Format, Pattern};
//! let (glider, format) = pattern::read(b"#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n")?;
//! assert_eq!(format, Format::Life106);
//! assert_eq!(glider.cells, Pattern::from_text("bo$2bo$3o!")?.cells.translated(-1, -1));
//!
//! let mut rle = Vec::new();
//! pattern::write(&glider, Format::Rle, &mut rle)?;
//! assert_eq!(rle, b"#CXRLE Pos=-1,-1\nx = 3, y = 3\nbo$2bo$3o!\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod bounds;
mod budget;
mod cells;
mod error;
mod format;
pub mod interrupt;
pub mod library;
mod limit;
mod loss;
mod rows;
mod run;
pub mod soup;
mod text;
mod tree;

pub use bounds::Bounds;
pub use cells::Cells;
pub use error::{CellExtent, FoundText, PatternProblem, ReadError, TextPosition, WriteError};
pub use format::{
    Format, apgcode, classroom, detect, is_compressed, losses, read, read_as, read_as_with_limits,
    read_in_parts, read_with_limits, write, write_compressed, write_with_limits,
};
pub use limit::ReadLimits;
pub use loss::FormatLoss;
pub use run::Run;
pub use tree::{Node, Tree};

use grid::Point;
use num_bigint::BigInt;

/// Cells and all that a file says about them.
///
/// ```
/// use pattern::Pattern;
///
/// let toad = Pattern::from_text("#N Toad\n#O Simon Norton\nx = 4, y = 2, rule = B3/S23\nb3o$3o!")?;
/// assert_eq!(toad.name.as_deref(), Some("Toad"));
/// assert_eq!(toad.rule.as_deref(), Some("B3/S23"));
/// assert_eq!(toad.size, Some((4, 2)));
/// # Ok::<(), pattern::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The cells. Their coordinates are the file's own; a file without any has its
    /// top-left cell at (0, 0).
    pub cells: Cells,
    /// The rule as the file writes it, with its topology; not parsed here.
    pub rule: Option<String>,
    /// Width and height that the file's header claims; may be larger than the cells.
    pub size: Option<(u64, u64)>,
    /// Whether the coordinates were given by the file (`#CXRLE Pos`, macrocell, Life
    /// 1.06, …), and where its box's top-left cell lies.
    pub position: Option<Point>,
    /// The generation that the file says it is at.
    pub generation: BigInt,
    /// Its name.
    pub name: Option<String>,
    /// Who made or found it.
    pub author: Option<String>,
    /// Other comment lines, without their marks.
    pub comments: Vec<String>,
    /// An appended `@RULE` block, whole, with its first line.
    pub rule_block: Option<String>,
}
