use super::lanes::LANES;
use super::plan::SPILL;
use std::ops::Range;

/// Where the cells of a row stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneLayout {
    /// Vectors in a row, an even number.
    vectors: usize,
    /// Cells before the grid's first one, an even number.
    first: usize,
    /// Cells of the grid.
    width: usize,
    /// How far a cell sees, to either side, and up or down.
    pub(crate) across: usize,
    pub(crate) down: usize,
}

impl LaneLayout {
    pub(super) fn new(width: usize, across: usize, down: usize) -> Self {
        // Sums of what is beside the grid spread as far again, and a little further where
        // they run; beyond that a lane of zeros.
        let spread = 2 * across + SPILL + 2;
        let vectors = (width + 2 * spread).div_ceil(LANES - 2).next_multiple_of(2);
        Self {
            vectors,
            first: (spread + vectors) & !1,
            width,
            across,
            down,
        }
    }

    /// What a row takes, about.
    pub(super) fn bytes_about(width: u64, radius: u64) -> u64 {
        let lanes = LANES as u64;
        (width + 4 * radius + 2 * SPILL as u64 + 4).div_ceil(lanes - 2) * lanes + lanes
    }

    /// Bytes of a row.
    pub(crate) fn bytes(&self) -> usize {
        self.vectors * LANES
    }

    /// Vectors of a row.
    pub(crate) fn vectors(&self) -> usize {
        self.vectors
    }

    /// Where in its row a cell of the grid stands, or one that is seen beside it.
    pub(crate) fn place(&self, x: isize) -> usize {
        let cell = self.first.strict_add_signed(x);
        cell % self.vectors * LANES + cell / self.vectors
    }

    /// The place of the cell to the right of one.
    #[inline]
    pub(crate) fn right(&self, place: usize) -> usize {
        let next = place + LANES;
        if next < self.bytes() {
            next
        } else {
            next - self.bytes() + 1
        }
    }

    /// The place of the cell to the left of one.
    #[inline]
    pub(crate) fn left(&self, place: usize) -> usize {
        match place.checked_sub(LANES) {
            Some(before) => before,
            None => place + self.bytes() - LANES - 1,
        }
    }

    /// All ones where cells of the grid stand, and zeros.
    pub(crate) fn mask(&self) -> Vec<u8> {
        let mut mask = vec![0; self.bytes()];
        let mut place = self.place(0);
        for _ in 0..self.width {
            mask[place] = u8::MAX;
            place = self.right(place);
        }
        mask
    }

    /// Where vectors begin that show, from `vector` on, cells at a distance; and up to which
    /// vector these lie side by side.
    pub(super) fn look(&self, vector: usize, distance: i32) -> (isize, usize) {
        let n = self.vectors as isize;
        let at = vector as isize + distance as isize;
        let there = at.rem_euclid(n);
        let from = there * LANES as isize + at.div_euclid(n);
        (from, vector + (n - there) as usize)
    }

    /// The same for a whole row: vectors, and where what they show begins.
    pub(super) fn looks(&self, distance: i32) -> impl Iterator<Item = (Range<usize>, isize)> {
        let lanes = *self;
        let mut vector = 0;
        std::iter::from_fn(move || {
            (vector < lanes.vectors).then(|| {
                let (from, until) = lanes.look(vector, distance);
                let range = vector..until.min(lanes.vectors);
                vector = range.end;
                (range, from)
            })
        })
    }
}
