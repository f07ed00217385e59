use super::lanes::LANES;
use super::plan::SPILL;
use std::ops::Range;

/// The layout of a row of cells in interleaved lanes.
#[derive(Clone, Copy, Debug)]
pub struct LaneLayout {
    /// Vectors in a row, an even number.
    vectors: usize,
    /// Cells before the grid's first one, an even number.
    first: usize,
    /// Width of the grid in cells.
    width: usize,
    /// The horizontal radius of the rule.
    pub across: usize,
    /// The vertical radius of the rule.
    pub down: usize,
}

impl LaneLayout {
    pub(super) fn new(width: usize, across: usize, down: usize) -> Self {
        // Sums of the padding spread as far again, and a little further where
        // they run on; beyond that a lane of zeros.
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

    /// The approximate number of bytes of a row.
    pub(super) fn bytes_about(width: u64, radius: u64) -> u64 {
        let lanes = LANES as u64;
        (width + 4 * radius + 2 * SPILL as u64 + 4).div_ceil(lanes - 2) * lanes + lanes
    }

    /// Bytes of a row.
    pub fn bytes(&self) -> usize {
        self.vectors * LANES
    }

    /// Vectors of a row.
    pub(crate) fn vectors(&self) -> usize {
        self.vectors
    }

    /// The index in its row of a cell of the grid or of the padding.
    ///
    /// ```
    /// let bugs = "R5,C0,M1,S34..58,B34..45,NM".parse()?;
    /// let kernel = kernel::LargeRadiusKernel::compile(&bugs, 100).expect("a sum");
    /// let lanes = kernel.lanes();
    /// let last = lanes.place(99);
    /// assert_eq!((lanes.mask()[last], lanes.mask()[lanes.place(100)]), (u8::MAX, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place(&self, x: isize) -> usize {
        let cell = self.first.strict_add_signed(x);
        cell % self.vectors * LANES + cell / self.vectors
    }

    /// The index of the cell to the right.
    ///
    /// ```
    /// let bugs = "R5,C0,M1,S34..58,B34..45,NM".parse()?;
    /// let kernel = kernel::LargeRadiusKernel::compile(&bugs, 100).expect("a sum");
    /// let lanes = kernel.lanes();
    /// assert!((0..99).all(|x| lanes.right(lanes.place(x)) == lanes.place(x + 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn right(&self, place: usize) -> usize {
        let next = place + LANES;
        if next < self.bytes() {
            next
        } else {
            next - self.bytes() + 1
        }
    }

    /// The index of the cell to the left.
    ///
    /// ```
    /// let bugs = "R5,C0,M1,S34..58,B34..45,NM".parse()?;
    /// let kernel = kernel::LargeRadiusKernel::compile(&bugs, 100).expect("a sum");
    /// let lanes = kernel.lanes();
    /// assert!((0..99).all(|x| lanes.left(lanes.place(x + 1)) == lanes.place(x)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn left(&self, place: usize) -> usize {
        match place.checked_sub(LANES) {
            Some(before) => before,
            None => place + self.bytes() - LANES - 1,
        }
    }

    /// A row with all ones in the cells of the grid, zeros elsewhere.
    ///
    /// ```
    /// let bugs = "R5,C0,M1,S34..58,B34..45,NM".parse()?;
    /// let kernel = kernel::LargeRadiusKernel::compile(&bugs, 100).expect("a sum");
    /// let mask = kernel.lanes().mask();
    /// assert_eq!(mask.iter().filter(|&&bits| bits == u8::MAX).count(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mask(&self) -> Vec<u8> {
        let mut mask = vec![0; self.bytes()];
        let mut place = self.place(0);
        for _ in 0..self.width {
            mask[place] = u8::MAX;
            place = self.right(place);
        }
        mask
    }

    /// Where the vectors begin that hold, from `vector` on, the cells at a horizontal distance,
    /// and up to which vector these are contiguous.
    pub(super) fn source(&self, vector: usize, distance: i32) -> (isize, usize) {
        let n = self.vectors as isize;
        let at = vector as isize + distance as isize;
        let there = at.rem_euclid(n);
        let from = there * LANES as isize + at.div_euclid(n);
        (from, vector + (n - there) as usize)
    }

    /// The same for a whole row: contiguous ranges of vectors, and where their sources begin.
    pub(super) fn sources(&self, distance: i32) -> impl Iterator<Item = (Range<usize>, isize)> {
        let lanes = *self;
        let mut vector = 0;
        std::iter::from_fn(move || {
            (vector < lanes.vectors).then(|| {
                let (from, until) = lanes.source(vector, distance);
                let range = vector..until.min(lanes.vectors);
                vector = range.end;
                (range, from)
            })
        })
    }
}
