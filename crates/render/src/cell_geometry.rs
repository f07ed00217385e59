//! Where cells lie on the sheet of pixels: from a cell to its polygon, from a pixel to its cell.
//!
//! Squares are as wide as they are high. Hexagons stand on a corner: a row is as far from the
//! next as is right for the width, rounded to whole pixels, and each row is shifted by half a
//! cell to the left of the one above, so that (x, y + 1) and (x + 1, y + 1) touch it from below.
//! Triangles overlap with half of each neighbour in their row: a column is half a side.
//!
//! ```text
//!   / \ / \ / \          ---------
//!  |0,0|1,0|2,0|         \0,0/ \2,
//!   \ / \ / \ / \         \ /1,0\
//!    |1,1|2,1|3,1|         -------
//! ```
//!
//! Where cells are too small for a shape they are blocks in the same places, so that what
//! touches is right at every zoom. All of it is in whole numbers, so that the page's script
//! (`page/lattice.js`), which has the same formulas, draws the same pixels. (Own method.)

use grid::Point;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rule::Lattice;

/// Pixels a square cell from which there are lines and gaps.
pub(crate) const MIN_RULED_PIXELS: u32 = 4;

/// The places of cells at a zoom of whole pixels a cell.
///
/// ```
/// use render::CellGeometry;
/// use rule::Lattice;
///
/// let hexagons = CellGeometry::new(Lattice::Hexagonal, 20);
/// assert_eq!(hexagons.row_pixels(), 17);
/// assert_eq!(hexagons.cell_of_pixel(10, 8), (0, 0));
/// assert_eq!(hexagons.cell_of_pixel(20, 25), (1, 1)); // to the right below (0, 0)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellGeometry {
    lattice: Lattice,
    pixels: u32,
    row_pixels: u32,
}

impl CellGeometry {
    /// Cells that are this many pixels wide, counted from one to the next in a row.
    ///
    /// # Panics
    /// When they are no pixel wide.
    ///
    /// ```
    /// use render::CellGeometry;
    /// use rule::Lattice;
    ///
    /// assert_eq!(CellGeometry::new(Lattice::Triangular, 10).row_pixels(), 17);
    /// ```
    #[must_use]
    pub fn new(lattice: Lattice, pixels: u32) -> Self {
        assert!(pixels > 0, "a cell is at least one pixel wide");
        // A hexagon's row is sqrt(3)/2 of its width high, and a triangle sqrt(3)/2 of its side,
        // which is two columns.
        let row_pixels = match lattice {
            Lattice::Square => pixels,
            Lattice::Hexagonal => (pixels * 866 + 500) / 1000,
            Lattice::Triangular => (pixels * 1732 + 500) / 1000,
        };
        Self {
            lattice,
            pixels,
            row_pixels,
        }
    }

    /// The tiling.
    #[must_use]
    pub fn lattice(self) -> Lattice {
        self.lattice
    }

    /// Pixels from a cell to the next one in its row.
    #[must_use]
    pub fn pixels(self) -> u32 {
        self.pixels
    }

    /// Pixels from a row of cells to the next.
    #[must_use]
    pub fn row_pixels(self) -> u32 {
        self.row_pixels
    }

    /// Whether cells have their own shape; else they are blocks of pixels.
    ///
    /// ```
    /// use render::CellGeometry;
    /// use rule::Lattice;
    ///
    /// assert!(CellGeometry::new(Lattice::Hexagonal, 6).is_shaped());
    /// assert!(!CellGeometry::new(Lattice::Hexagonal, 5).is_shaped());
    /// ```
    #[must_use]
    pub fn is_shaped(self) -> bool {
        match self.lattice {
            Lattice::Square => false,
            Lattice::Hexagonal => self.pixels >= 6,
            Lattice::Triangular => self.pixels >= 2,
        }
    }

    /// Whether there are lines between cells.
    pub(crate) fn is_ruled(self) -> bool {
        match self.lattice {
            Lattice::Square => self.pixels >= MIN_RULED_PIXELS,
            _ => self.pixels >= 6,
        }
    }

    /// The cell under a pixel of the sheet: the one that has the pixel's middle.
    ///
    /// Coordinates of pixels are below 2^50.
    ///
    /// ```
    /// use render::CellGeometry;
    /// use rule::Lattice;
    ///
    /// let triangles = CellGeometry::new(Lattice::Triangular, 10);
    /// assert_eq!(triangles.cell_of_pixel(5, 1), (0, 0)); // its point is below
    /// assert_eq!(triangles.cell_of_pixel(1, 16), (-1, 0));
    /// ```
    #[must_use]
    pub fn cell_of_pixel(self, u: i64, v: i64) -> (i64, i64) {
        let (wide, high) = (i64::from(self.pixels), i64::from(self.row_pixels));
        let row = v.div_euclid(high);
        // Twice the distance of the pixel's middle from the top of the row.
        let down = 2 * v.rem_euclid(high) + 1;
        match self.lattice {
            Lattice::Square => (u.div_euclid(wide), row),
            Lattice::Hexagonal => {
                // Twice the distance from the left side of cell 0 of the row.
                let right = 2 * u + 1 + row * wide;
                let (column, right) = (right.div_euclid(2 * wide), right.rem_euclid(2 * wide));
                if !self.is_shaped() {
                    return (column, row);
                }
                // The upper corners are a sixth of a row down at the sides, and as much above
                // the row in the middle. This is where the edge is here, times 6 * wide.
                let edge = high * (wide - 2 * right.min(2 * wide - right));
                let is_left = right < wide;
                if 3 * wide * down < edge {
                    (column - i64::from(is_left), row - 1)
                } else if 3 * wide * down >= 6 * wide * high - edge {
                    (column + i64::from(!is_left), row + 1)
                } else {
                    (column, row)
                }
            }
            Lattice::Triangular => {
                let (column, right) = (u.div_euclid(wide), 2 * u.rem_euclid(wide) + 1);
                if !self.is_shaped() {
                    return (column, row);
                }
                let has_point_above = (column ^ row) & 1 == 1;
                let from_point = if has_point_above {
                    down
                } else {
                    2 * high - down
                };
                // Half the triangle's width here, against the distance from its middle.
                if (right - wide).abs() * high <= wide * from_point {
                    (column, row)
                } else if right < wide {
                    (column - 1, row)
                } else {
                    (column + 1, row)
                }
            }
        }
    }

    /// The corners of a cell on the sheet, clockwise. Those of a cell that is a block are the
    /// block's, where its pixels are whole.
    ///
    /// ```
    /// use grid::Point;
    /// use render::CellGeometry;
    /// use rule::Lattice;
    ///
    /// let triangles = CellGeometry::new(Lattice::Triangular, 4);
    /// let corners = triangles.polygon(Point::new(1, 0));
    /// assert_eq!(corners, [(6.0, 0.0), (10.0, 7.0), (2.0, 7.0)]);
    /// ```
    #[must_use]
    pub fn polygon(self, p: Point) -> Vec<(f64, f64)> {
        let (wide, high) = (f64::from(self.pixels), f64::from(self.row_pixels));
        let (x, y) = (p.x as f64, p.y as f64);
        let (mut left, top) = (x * wide, y * high);
        if self.lattice == Lattice::Hexagonal {
            left -= y * wide / 2.0;
        }
        let corners: &[(f64, f64)] = match self.lattice {
            Lattice::Hexagonal if self.is_shaped() => &[
                (0.5, -1.0 / 6.0),
                (1.0, 1.0 / 6.0),
                (1.0, 5.0 / 6.0),
                (0.5, 7.0 / 6.0),
                (0.0, 5.0 / 6.0),
                (0.0, 1.0 / 6.0),
            ],
            Lattice::Triangular if self.is_shaped() => match (p.x ^ p.y) & 1 {
                0 => &[(-0.5, 0.0), (1.5, 0.0), (0.5, 1.0)],
                _ => &[(0.5, 0.0), (1.5, 1.0), (-0.5, 1.0)],
            },
            _ => &[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
        };
        let corners = corners.iter();
        corners
            .map(|(right, down)| (left + right * wide, top + down * high))
            .collect()
    }

    /// How far shapes reach beyond the boxes of their cells: across and down.
    pub(crate) fn overhang(self) -> (u32, u32) {
        match self.lattice {
            _ if !self.is_shaped() => (0, 0),
            Lattice::Square => (0, 0),
            Lattice::Hexagonal => (0, self.row_pixels.div_ceil(6)),
            Lattice::Triangular => (self.pixels.div_ceil(2), 0),
        }
    }

    /// The top-left pixel of a cell's box on the sheet.
    pub(crate) fn corner(self, x: &BigInt, y: &BigInt) -> (BigInt, BigInt) {
        let left = match self.lattice {
            Lattice::Hexagonal => ((x * 2_u32 - y) * self.pixels) >> 1,
            _ => x * self.pixels,
        };
        (left, y * self.row_pixels)
    }

    /// The cell of a pixel of the whole sheet.
    pub(crate) fn cell_at(self, px: &BigInt, py: &BigInt) -> (BigInt, BigInt) {
        let (ax, ay) = self.anchor(px, py);
        let (left, top) = self.corner(&ax, &ay);
        let near = "an anchor is less than two cells from its pixel";
        let (u, v) = (px - left, py - top);
        let (dx, dy) = self.cell_of_pixel(u.to_i64().expect(near), v.to_i64().expect(near));
        (ax + dx, ay + dy)
    }

    /// A cell near a pixel from which all cells can be counted as from (0, 0): an even one.
    pub(crate) fn anchor(self, px: &BigInt, py: &BigInt) -> (BigInt, BigInt) {
        let even = |n: BigInt| (n >> 1) << 1;
        let y = even(floor(py.clone(), self.row_pixels));
        let left: BigInt = match self.lattice {
            Lattice::Hexagonal => px + (&y >> 1) * self.pixels,
            _ => px.clone(),
        };
        (even(floor(left, self.pixels)), y)
    }
}

/// The quotient, rounded down.
pub(crate) fn floor(a: BigInt, b: u32) -> BigInt {
    if b == 1 {
        return a;
    }
    let b = BigInt::from(b);
    let rest = ((&a % &b) + &b) % &b;
    (a - rest) / b
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATTICES: [Lattice; 3] = [Lattice::Square, Lattice::Hexagonal, Lattice::Triangular];

    /// The sides of a polygon, each with its lower end first, in thousandths of a pixel.
    fn sides(geometry: CellGeometry, p: Point) -> Vec<[(i64, i64); 2]> {
        let corners = geometry.polygon(p);
        let thousandth = |(x, y): (f64, f64)| ((x * 1e3).round() as i64, (y * 1e3).round() as i64);
        let corners: Vec<_> = corners.into_iter().map(thousandth).collect();
        let next = corners.iter().cycle().skip(1);
        let sides = corners.iter().zip(next);
        sides.map(|(&a, &b)| [a.min(b), a.max(b)]).collect()
    }

    /// Whether a point lies in a polygon with its corners clockwise, or on its border.
    fn holds(corners: &[(f64, f64)], (x, y): (f64, f64)) -> bool {
        let next = corners.iter().cycle().skip(1);
        corners
            .iter()
            .zip(next)
            .all(|(a, b)| (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0) >= -1e-6)
    }

    #[test]
    fn neighbours_share_an_edge_and_no_others_do() {
        for lattice in LATTICES {
            let geometry = CellGeometry::new(lattice, 24);
            for home in [Point::new(0, 0), Point::new(3, -2), Point::new(-4, -7)] {
                let own = sides(geometry, home);
                let mut found = Vec::new();
                for (dx, dy) in (-4..=4).flat_map(|dy| (-4..=4).map(move |dx| (dx, dy))) {
                    let other = sides(geometry, home.offset(dx, dy));
                    if (dx, dy) != (0, 0) && other.iter().any(|side| own.contains(side)) {
                        found.push((dx, dy));
                    }
                }
                let mut wanted = lattice.edge_neighbours(home.x, home.y).to_vec();
                wanted.sort_by_key(|&(dx, dy)| (dy, dx));
                assert_eq!(found, wanted, "{lattice:?} {home:?}");
            }
        }
    }

    #[test]
    fn a_pixel_lies_in_the_polygon_of_its_cell() {
        for lattice in LATTICES {
            for pixels in [1, 2, 3, 4, 5, 6, 7, 8, 13, 20, 64] {
                let geometry = CellGeometry::new(lattice, pixels);
                for (u, v) in (-70..70).flat_map(|v| (-90..90).map(move |u| (u, v))) {
                    let (x, y) = geometry.cell_of_pixel(u, v);
                    let corners = geometry.polygon(Point::new(x, y));
                    let middle = (u as f64 + 0.5, v as f64 + 0.5);
                    assert!(
                        holds(&corners, middle),
                        "{lattice:?} {pixels}: ({u}, {v}) is not in ({x}, {y})"
                    );
                    let (x, y) = (BigInt::from(x), BigInt::from(y));
                    assert_eq!(geometry.cell_at(&u.into(), &v.into()), (x, y));
                }
            }
        }
    }

    #[test]
    fn the_middle_of_a_polygon_is_in_its_cell_also_far_away() {
        for lattice in LATTICES {
            for pixels in [2, 3, 6, 9, 24, 64] {
                let geometry = CellGeometry::new(lattice, pixels);
                for (x, y) in [(0, 0), (1, 0), (5, 8), (-3, 4), (-7, -9), (40, -33)] {
                    let corners = geometry.polygon(Point::new(x, y));
                    let count = corners.len() as f64;
                    let middle = |of: fn(&(f64, f64)) -> f64| {
                        (corners.iter().map(of).sum::<f64>() / count).floor() as i64
                    };
                    let pixel = (middle(|c| c.0), middle(|c| c.1));
                    assert_eq!(geometry.cell_of_pixel(pixel.0, pixel.1), (x, y));
                    // The same 2^200 cells further on.
                    let far = BigInt::from(1) << 200;
                    let (x, y) = (BigInt::from(x) + &far, BigInt::from(y) + &far);
                    let (left, top) = geometry.corner(&far, &far);
                    let found = geometry.cell_at(&(left + pixel.0), &(top + pixel.1));
                    assert_eq!(found, (x, y), "{lattice:?} {pixels}");
                }
            }
        }
    }
}
