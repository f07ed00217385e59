//! The bounding box in which a pattern is written.

use crate::Pattern;
use crate::error::{CellExtent, WriteError};
use grid::Rect;

/// The box: where the pattern's own one lies if it has one, and all cells inside. A
/// pattern without a position keeps its empty first rows and columns.
///
/// The cells must be within reach of `i64`.
pub(super) fn of(pattern: &Pattern) -> Rect {
    let cells = pattern.cells.bounds().and_then(|bounds| bounds.to_rect());
    let corner = pattern.position.unwrap_or_default();
    let (width, height) = pattern.size.unwrap_or((0, 0));
    let claimed = Rect::new(corner.x, corner.y, width, height);
    let Some(cells) = cells else {
        return claimed;
    };
    let side = |corner: i64, length: u64, from: i64, cells: u64| {
        if from < corner {
            // The cells do not begin in the box: it does not describe them.
            return (from, cells);
        }
        let skipped = from.abs_diff(corner);
        (corner, length.max(skipped.saturating_add(cells)))
    };
    let (x, width) = side(claimed.x, claimed.width, cells.x, cells.width);
    let (y, height) = side(claimed.y, claimed.height, cells.y, cells.height);
    Rect::new(x, y, width, height)
}

/// Refuses a box that needs more than `most` bytes when it is written cell by cell, with a line
/// ending for each row.
pub(super) fn check(format: &'static str, frame: &Rect, most: u64) -> Result<(), WriteError> {
    let bytes = (u128::from(frame.width) + 1) * u128::from(frame.height);
    if bytes <= most.into() {
        return Ok(());
    }
    Err(WriteError::TooManyCells {
        format,
        extent: CellExtent::Area {
            width: frame.width,
            height: frame.height,
        },
        bytes,
        most,
    })
}
