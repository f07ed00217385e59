use crate::Point;

/// One of the eight symmetries of the square, acting about the origin cell.
///
/// ```text
/// F   identity     rotate: clockwise on the page     mirror: left and right swapped
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symmetry {
    /// Everything stays.
    Identity,
    /// A quarter turn clockwise: (x, y) goes to (-y, x).
    Rotate90,
    /// A half turn.
    Rotate180,
    /// A quarter turn anticlockwise.
    Rotate270,
    /// Left and right swapped.
    MirrorX,
    /// Top and bottom swapped.
    MirrorY,
    /// Reflected in the diagonal that falls to the right: x and y swapped.
    Transpose,
    /// Reflected in the diagonal that rises to the right.
    AntiTranspose,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::Rotate90,
        Self::Rotate180,
        Self::Rotate270,
        Self::MirrorX,
        Self::MirrorY,
        Self::Transpose,
        Self::AntiTranspose,
    ];

    /// Where the symmetry takes a cell.
    ///
    /// ```
    /// use grid::{Point, Symmetry};
    ///
    /// let right = Point::new(1, 0);
    /// assert_eq!(Symmetry::Rotate90.apply(right), Point::new(0, 1)); // clockwise: y goes down
    /// ```
    #[must_use]
    pub const fn apply(self, p: Point) -> Point {
        let Point { x, y } = p;
        match self {
            Self::Identity => Point::new(x, y),
            Self::Rotate90 => Point::new(-y, x),
            Self::Rotate180 => Point::new(-x, -y),
            Self::Rotate270 => Point::new(y, -x),
            Self::MirrorX => Point::new(-x, y),
            Self::MirrorY => Point::new(x, -y),
            Self::Transpose => Point::new(y, x),
            Self::AntiTranspose => Point::new(-y, -x),
        }
    }

    /// The symmetry that undoes this one.
    ///
    /// ```
    /// use grid::{Point, Symmetry};
    ///
    /// let p = Point::new(3, -7);
    /// for symmetry in Symmetry::ALL {
    ///     assert_eq!(symmetry.inverse().apply(symmetry.apply(p)), p);
    /// }
    /// ```
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Rotate90 => Self::Rotate270,
            Self::Rotate270 => Self::Rotate90,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_undone_by_its_inverse() {
        let p = Point::new(3, -7);
        for s in Symmetry::ALL {
            assert_eq!(s.inverse().apply(s.apply(p)), p, "{s:?}");
        }
    }

    #[test]
    fn all_eight_differ() {
        let mut images: Vec<_> = Symmetry::ALL
            .iter()
            .map(|s| s.apply(Point::new(1, 2)))
            .collect();
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
