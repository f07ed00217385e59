use crate::Point;

/// A rectangle of cells: its top-left cell and its size. May be empty.
///
/// ```
/// use grid::Rect;
///
/// let board = Rect::new(-2, 0, 4, 3);
/// assert_eq!((board.right(), board.bottom()), (2, 3)); // the first column and row beyond
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Leftmost column.
    pub x: i64,
    /// Topmost row.
    pub y: i64,
    /// Columns.
    pub width: u64,
    /// Rows.
    pub height: u64,
}

impl Rect {
    /// The rectangle whose top-left cell is (`x`, `y`).
    ///
    /// ```
    /// use grid::Rect;
    ///
    /// let rect = Rect::new(-2, 5, 4, 3);
    /// assert_eq!((rect.x, rect.y, rect.width, rect.height), (-2, 5, 4, 3));
    /// ```
    #[must_use]
    pub const fn new(x: i64, y: i64, width: u64, height: u64) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    /// The smallest rectangle that holds both corner cells, each inclusive.
    ///
    /// ```
    /// use grid::{Point, Rect};
    ///
    /// let rect = Rect::from_corners(Point::new(3, 0), Point::new(1, 5));
    /// assert_eq!(rect, Rect::new(1, 0, 3, 6));
    /// ```
    #[must_use]
    pub fn from_corners(a: Point, b: Point) -> Self {
        let (left, right) = (a.x.min(b.x), a.x.max(b.x));
        let (top, bottom) = (a.y.min(b.y), a.y.max(b.y));
        Self::new(
            left,
            top,
            right.abs_diff(left) + 1,
            bottom.abs_diff(top) + 1,
        )
    }

    /// Whether no cell lies inside.
    ///
    /// ```
    /// use grid::Rect;
    ///
    /// assert!(Rect::new(0, 0, 0, 9).is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// One past the rightmost column.
    #[must_use]
    pub const fn right(&self) -> i64 {
        self.x.saturating_add_unsigned(self.width)
    }

    /// One past the bottom row.
    #[must_use]
    pub const fn bottom(&self) -> i64 {
        self.y.saturating_add_unsigned(self.height)
    }

    /// Whether the cell lies inside.
    ///
    /// ```
    /// use grid::{Point, Rect};
    ///
    /// let rect = Rect::new(0, 0, 2, 2);
    /// assert!(rect.contains(Point::new(1, 1)) && !rect.contains(Point::new(2, 1)));
    /// ```
    #[must_use]
    pub const fn contains(&self, p: Point) -> bool {
        p.x >= self.x && p.x < self.right() && p.y >= self.y && p.y < self.bottom()
    }

    /// The cells that lie in both; empty when none do.
    ///
    /// ```
    /// use grid::Rect;
    ///
    /// let overlap = Rect::new(0, 0, 5, 5).intersection(&Rect::new(3, 4, 5, 5));
    /// assert_eq!(overlap, Rect::new(3, 4, 2, 1));
    /// ```
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (left, top) = (self.x.max(other.x), self.y.max(other.y));
        let (right, bottom) = (
            self.right().min(other.right()),
            self.bottom().min(other.bottom()),
        );
        if right <= left || bottom <= top {
            return Self::new(left, top, 0, 0);
        }
        Self::new(left, top, right.abs_diff(left), bottom.abs_diff(top))
    }

    /// The smallest rectangle that holds both. An empty one adds nothing.
    ///
    /// ```
    /// use grid::Rect;
    ///
    /// let around = Rect::new(0, 0, 1, 1).union(&Rect::new(3, 4, 2, 1));
    /// assert_eq!(around, Rect::new(0, 0, 5, 5));
    /// ```
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if self.is_empty() {
            return *other;
        }
        if other.is_empty() {
            return *self;
        }
        let (left, top) = (self.x.min(other.x), self.y.min(other.y));
        let (right, bottom) = (
            self.right().max(other.right()),
            self.bottom().max(other.bottom()),
        );
        Self::new(left, top, right.abs_diff(left), bottom.abs_diff(top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intersection_and_union() {
        let a = Rect::new(-2, -2, 4, 4);
        let b = Rect::new(1, 0, 5, 1);
        assert_eq!(a.intersection(&b), Rect::new(1, 0, 1, 1));
        assert_eq!(a.union(&b), Rect::new(-2, -2, 8, 4));
        assert!(a.intersection(&Rect::new(2, 2, 9, 9)).is_empty());
        assert_eq!(a.union(&Rect::default()), a);
    }

    #[test]
    fn corners_are_inclusive() {
        let r = Rect::from_corners(Point::new(3, -1), Point::new(-3, 1));
        assert_eq!(r, Rect::new(-3, -1, 7, 3));
        assert!(r.contains(Point::new(3, 1)));
        assert!(!r.contains(Point::new(4, 1)));
    }
}
