//! The symmetries that a pattern in a box can have, in the notation of the field: `C1`, `C2`,
//! `C4`, `D2|`, `D2-`, `D2\`, `D2/`, `D4+`, `D4X`, `D8`.

use grid::{Point, Symmetry};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A group of symmetries about the middle of a box.
///
/// Whether the middle is a cell or an edge follows from the box: an odd side has a middle cell.
///
/// ```
/// use search::BoxSymmetry;
///
/// let mirror: BoxSymmetry = "D2|".parse()?;
/// assert_eq!(mirror.elements().len(), 2);
/// assert!(!mirror.needs_square());
/// # Ok::<(), search::BoxSymmetryError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoxSymmetry {
    /// None.
    #[default]
    C1,
    /// By half a turn.
    C2,
    /// By a quarter turn.
    C4,
    /// Left and right are mirror images.
    D2Vertical,
    /// Top and bottom are mirror images.
    D2Horizontal,
    /// Mirrored in the diagonal that falls to the right.
    D2Diagonal,
    /// Mirrored in the diagonal that rises to the right.
    D2Antidiagonal,
    /// Mirrored in both middle lines.
    D4Plus,
    /// Mirrored in both diagonals.
    D4Cross,
    /// All of the square.
    D8,
}

/// The text names no symmetry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no symmetry: C1, C2, C4, D2|, D2-, D2\\, D2/, D4+, D4X or D8")]
pub struct BoxSymmetryError(pub String);

impl BoxSymmetry {
    /// All ten, the least first.
    pub const ALL: [Self; 10] = [
        Self::C1,
        Self::C2,
        Self::C4,
        Self::D2Vertical,
        Self::D2Horizontal,
        Self::D2Diagonal,
        Self::D2Antidiagonal,
        Self::D4Plus,
        Self::D4Cross,
        Self::D8,
    ];

    /// The elements of the group, the identity first.
    #[must_use]
    pub const fn elements(self) -> &'static [Symmetry] {
        use Symmetry::{
            AntiTranspose, Identity, MirrorX, MirrorY, Rotate90, Rotate180, Rotate270, Transpose,
        };
        match self {
            Self::C1 => &[Identity],
            Self::C2 => &[Identity, Rotate180],
            Self::C4 => &[Identity, Rotate90, Rotate180, Rotate270],
            Self::D2Vertical => &[Identity, MirrorX],
            Self::D2Horizontal => &[Identity, MirrorY],
            Self::D2Diagonal => &[Identity, Transpose],
            Self::D2Antidiagonal => &[Identity, AntiTranspose],
            Self::D4Plus => &[Identity, MirrorX, MirrorY, Rotate180],
            Self::D4Cross => &[Identity, Transpose, AntiTranspose, Rotate180],
            Self::D8 => &Symmetry::ALL,
        }
    }

    /// Whether only a square box can have it.
    #[must_use]
    pub fn needs_square(self) -> bool {
        self.elements().iter().any(|&element| swaps_axes(element))
    }
}

impl FromStr for BoxSymmetry {
    type Err = BoxSymmetryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|symmetry| symmetry.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| BoxSymmetryError(text.to_owned()))
    }
}

impl fmt::Display for BoxSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::C1 => "C1",
            Self::C2 => "C2",
            Self::C4 => "C4",
            Self::D2Vertical => "D2|",
            Self::D2Horizontal => "D2-",
            Self::D2Diagonal => "D2\\",
            Self::D2Antidiagonal => "D2/",
            Self::D4Plus => "D4+",
            Self::D4Cross => "D4X",
            Self::D8 => "D8",
        })
    }
}

/// Whether a symmetry exchanges rows and columns.
#[must_use]
pub fn swaps_axes(symmetry: Symmetry) -> bool {
    symmetry.apply(Point::new(1, 0)).y != 0
}

/// Where a symmetry about the middle of a `width` x `height` box takes a cell.
///
/// ```
/// use grid::{Point, Symmetry};
///
/// let corner = search::image_in_box(Symmetry::MirrorX, 5, 3, Point::new(0, 1));
/// assert_eq!(corner, Point::new(4, 1));
/// ```
#[must_use]
pub fn image_in_box(symmetry: Symmetry, width: u32, height: u32, cell: Point) -> Point {
    let (right, bottom) = (i64::from(width) - 1, i64::from(height) - 1);
    // twice the distance from the middle, so that a middle between two cells is a whole number too
    let image = symmetry.apply(Point::new(2 * cell.x - right, 2 * cell.y - bottom));
    let (right, bottom) = if swaps_axes(symmetry) {
        (bottom, right)
    } else {
        (right, bottom)
    };
    Point::new((image.x + right) / 2, (image.y + bottom) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_group_and_is_read_as_it_is_written() {
        for symmetry in BoxSymmetry::ALL {
            assert_eq!(symmetry.to_string().parse(), Ok(symmetry));
            let p = Point::new(1, 3);
            for &a in symmetry.elements() {
                for &b in symmetry.elements() {
                    let image = a.apply(b.apply(p));
                    assert!(
                        symmetry.elements().iter().any(|c| c.apply(p) == image),
                        "{symmetry}"
                    );
                }
            }
        }
    }

    #[test]
    fn images_stay_in_the_box() {
        for symmetry in Symmetry::ALL {
            for (width, height) in [(4, 4), (5, 5), (4, 7)] {
                if width != height && swaps_axes(symmetry) {
                    continue;
                }
                for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                    let cell = Point::new(i64::from(x), i64::from(y));
                    let image = image_in_box(symmetry, width, height, cell);
                    assert!(
                        (0..i64::from(width)).contains(&image.x),
                        "{symmetry:?} {cell:?}"
                    );
                    assert!(
                        (0..i64::from(height)).contains(&image.y),
                        "{symmetry:?} {cell:?}"
                    );
                    let back = image_in_box(symmetry.inverse(), width, height, image);
                    assert_eq!(back, cell);
                }
            }
        }
    }
}
