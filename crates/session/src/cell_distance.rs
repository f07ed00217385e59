//! How far two cells are apart, in words.
//!
//! Own method. A path of king's moves takes the larger of the two distances, so that is how
//! many generations light takes from one cell to the other.

use grid::Point;
use std::fmt;

/// The distance between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellDistance {
    /// Cells to the right.
    dx: i128,
    /// Cells down.
    dy: i128,
}

impl CellDistance {
    pub(crate) fn between(from: Point, to: Point) -> Self {
        Self {
            dx: i128::from(to.x) - i128::from(from.x),
            dy: i128::from(to.y) - i128::from(from.y),
        }
    }
}

impl fmt::Display for CellDistance {
    /// `3 right, 4 up: box 4 x 5, straight 5, light 4 generations`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dx, dy } = *self;
        let across = if dx < 0 { "left" } else { "right" };
        let down = if dy < 0 { "up" } else { "down" };
        let (wide, high) = (dx.unsigned_abs(), dy.unsigned_abs());
        let straight = (dx as f64).hypot(dy as f64);
        let straight = (straight * 10.0).round() / 10.0;
        write!(
            f,
            "{wide} {across}, {high} {down}: box {} x {}, straight {straight}, light {} generations",
            wide + 1,
            high + 1,
            wide.max(high)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_told_in_words() {
        for (from, to, words) in [
            (
                (0, 0),
                (3, -4),
                "3 right, 4 up: box 4 x 5, straight 5, light 4 generations",
            ),
            (
                (2, 2),
                (2, 2),
                "0 right, 0 down: box 1 x 1, straight 0, light 0 generations",
            ),
            (
                (5, 0),
                (-5, 1),
                "10 left, 1 down: box 11 x 2, straight 10, light 10 generations",
            ),
        ] {
            let point = |(x, y)| Point::new(x, y);
            assert_eq!(
                CellDistance::between(point(from), point(to)).to_string(),
                words
            );
        }
        let far = CellDistance::between(Point::new(i64::MIN, 0), Point::new(i64::MAX, 0));
        assert!(
            far.to_string().starts_with("18446744073709551615 right"),
            "{far}"
        );
    }
}
