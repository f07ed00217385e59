/// A cell's place: x to the right, y down.
///
/// ```
/// use grid::Point;
///
/// let mut cells = [Point::new(5, 1), Point::new(-3, 2), Point::new(0, 1)];
/// cells.sort(); // row by row
/// assert_eq!(cells, [Point::new(0, 1), Point::new(5, 1), Point::new(-3, 2)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Row. Compared first, so that sorted points read like a page.
    pub y: i64,
    /// Column.
    pub x: i64,
}

impl Point {
    /// The cell in column `x` of row `y`.
    #[inline]
    #[must_use]
    pub const fn new(x: i64, y: i64) -> Self {
        Self { y, x }
    }

    /// The cell `dx` to the right and `dy` below this one.
    ///
    /// ```
    /// use grid::Point;
    ///
    /// assert_eq!(Point::new(3, 4).offset(1, -1), Point::new(4, 3));
    /// ```
    #[inline]
    #[must_use]
    pub const fn offset(self, dx: i64, dy: i64) -> Self {
        Self::new(self.x + dx, self.y + dy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_points_read_like_a_page() {
        let mut points = [Point::new(5, 1), Point::new(-3, 2), Point::new(0, 1)];
        points.sort();
        assert_eq!(
            points,
            [Point::new(0, 1), Point::new(5, 1), Point::new(-3, 2)]
        );
    }
}
