use std::collections::HashMap;

/// A cell of a neighbourhood: where it stands, seen from the centre, and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Columns to the right.
    pub dx: i32,
    /// Rows below.
    pub dy: i32,
    /// What the cell counts for; never 0.
    pub weight: i32,
}

/// The shape of a neighbourhood, for engines that sum some shapes faster than cell by cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All cells with |dx|, |dy| <= radius have weight 1, the centre perhaps too.
    Square {
        /// Whether the cell itself counts.
        centre: bool,
    },
    /// Anything else.
    Other,
}

/// Which cells count towards a sum, and with what weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbourhood {
    radius: u32,
    shape: Shape,
    cells: Vec<Weight>,
}

impl Neighbourhood {
    /// From the weight of each cell with |dx|, |dy| <= `radius`; weight 0 leaves it out.
    ///
    /// ```
    /// use rule::{Neighbourhood, Shape};
    ///
    /// let moore = Neighbourhood::from_weights(1, |dx, dy| i32::from((dx, dy) != (0, 0)));
    /// assert_eq!(moore.cells().len(), 8);
    /// assert_eq!(moore.shape(), Shape::Square { centre: false });
    /// let cross = Neighbourhood::from_weights(2, |dx, dy| i32::from((dx == 0) != (dy == 0)));
    /// assert_eq!((cross.cells().len(), cross.radius()), (8, 2));
    /// ```
    #[must_use]
    pub fn from_weights(radius: u32, weight: impl Fn(i32, i32) -> i32) -> Self {
        let r = radius as i32;
        let mut cells = Vec::new();
        for dy in -r..=r {
            for dx in -r..=r {
                let w = weight(dx, dy);
                if w != 0 {
                    cells.push(Weight { dx, dy, weight: w });
                }
            }
        }
        let side = 2 * radius as usize + 1;
        let ones = cells.iter().all(|c| c.weight == 1);
        let centre = cells.iter().any(|c| c.dx == 0 && c.dy == 0);
        let square = ones && cells.len() + usize::from(!centre) == side * side;
        Self {
            radius,
            shape: if square {
                Shape::Square { centre }
            } else {
                Shape::Other
            },
            cells,
        }
    }

    /// All cells of a square but the one in its middle, each of weight 1.
    pub(crate) fn moore(radius: u32) -> Self {
        Self::from_weights(radius, |dx, dy| i32::from((dx, dy) != (0, 0)))
    }

    /// Whether each cell that counts counts as much where it is moved to.
    pub(crate) fn is_symmetric(&self, moved: impl Fn((i32, i32)) -> (i64, i64)) -> bool {
        let weights = self.cells.iter();
        let weights = weights.map(|c| ((i64::from(c.dx), i64::from(c.dy)), c.weight));
        let weights: HashMap<(i64, i64), i32> = weights.collect();
        let mut cells = self.cells.iter();
        cells.all(|c| weights.get(&moved((c.dx, c.dy))) == Some(&c.weight))
    }

    /// The cells, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Weight] {
        &self.cells
    }

    /// The greatest |dx| or |dy| that the notation gives.
    #[must_use]
    pub fn radius(&self) -> u32 {
        self.radius
    }

    /// The shape's kind.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }
}
