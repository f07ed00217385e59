//! Cells as bit planes in words of 32, with a margin all around: what a shader reads and writes,
//! and what this side holds of it.
//!
//! ```text
//! . . . . . . . . .     rows of the margin, as many as a cell sees far
//! . m w w w w m . .     a row: words of margin, words of cells, words of margin
//! . m w w w w m . .
//! . . . . . . . . .     rows of the margin, and some that threads may read and nobody uses
//! ```
//!
//! Cell x of a row is bit x % 32 of word x / 32. Where the width is no multiple of 32, the margin
//! begins in the last word of cells. Own method.

use grid::{CellHash, HashShift, Point, Rect, State};
use pattern::Run;

/// Where the words of a grid lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridLayout {
    /// The grid's cells.
    pub rect: Rect,
    /// Bits of a state.
    pub planes: usize,
    /// How far a cell sees.
    pub radius: usize,
    /// Rows below the lower margin that threads may read.
    pub spare_rows: usize,
}

impl GridLayout {
    /// Words of cells in a row.
    pub fn words(&self) -> usize {
        self.rect.width.div_ceil(32) as usize
    }

    /// Words of margin at either end of a row.
    pub fn margin_words(&self) -> usize {
        self.radius.div_ceil(32).max(1)
    }

    /// Words of a row, margins included.
    pub fn stride(&self) -> usize {
        self.words() + 2 * self.margin_words()
    }

    /// Words of a plane.
    ///
    /// ```
    /// use gpu::GridLayout;
    /// use grid::Rect;
    ///
    /// let layout = GridLayout { rect: Rect::new(0, 0, 70, 10), planes: 1, radius: 1, spare_rows: 3 };
    /// assert_eq!((layout.words(), layout.stride()), (3, 5));
    /// assert_eq!(layout.plane_words(), 5 * (1 + 10 + 1 + 3));
    /// ```
    pub fn plane_words(&self) -> usize {
        self.stride() * (self.rect.height as usize + 2 * self.radius + self.spare_rows)
    }

    /// Words of all planes.
    pub fn all_words(&self) -> usize {
        self.planes * self.plane_words()
    }

    /// The index of the first word of cells.
    pub fn first_word(&self) -> usize {
        self.radius * self.stride() + self.margin_words()
    }

    /// The word in plane 0 and the bit of a cell of the grid or its margin, by its column and row
    /// counted from the grid's corner.
    pub(crate) fn place(&self, column: i64, row: i64) -> (usize, u32) {
        let margin = self.margin_words() as i64;
        let word = column.div_euclid(32) + margin;
        let row = row + self.radius as i64;
        let index = row as usize * self.stride() + word as usize;
        (index, column.rem_euclid(32) as u32)
    }

    /// The bits of the last word of cells that are cells.
    pub(crate) fn last_mask(&self) -> u32 {
        match self.rect.width % 32 {
            0 => u32::MAX,
            used => (1 << used) - 1,
        }
    }
}

/// The cells of a grid, in the words of a [`GridLayout`].
#[derive(Clone, Debug)]
pub struct PaddedPlanes {
    layout: GridLayout,
    words: Vec<u32>,
}

impl PaddedPlanes {
    /// Empty cells.
    ///
    /// ```
    /// use gpu::{GridLayout, PaddedPlanes};
    /// use grid::{Point, Rect};
    ///
    /// let layout = GridLayout { rect: Rect::new(-5, -5, 10, 10), planes: 2, radius: 1, spare_rows: 0 };
    /// let mut cells = PaddedPlanes::new(layout);
    /// cells.set(Point::new(-5, 4), 3);
    /// assert_eq!((cells.get(Point::new(-5, 4)), cells.population()), (3, 1));
    /// ```
    pub fn new(layout: GridLayout) -> Self {
        let words = vec![0; layout.all_words()];
        Self { layout, words }
    }

    /// Where the words lie.
    pub fn layout(&self) -> &GridLayout {
        &self.layout
    }

    /// All words, margins included.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// All words, to be written.
    pub fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }

    fn place(&self, p: Point) -> Option<(usize, u32)> {
        let rect = &self.layout.rect;
        rect.contains(p)
            .then(|| self.layout.place(p.x - rect.x, p.y - rect.y))
    }

    /// The state of a cell; 0 outside the grid.
    pub fn get(&self, p: Point) -> State {
        let Some((word, bit)) = self.place(p) else {
            return 0;
        };
        let plane_words = self.layout.plane_words();
        let bit_of = |plane| self.words[word + plane * plane_words] >> bit & 1;
        (0..self.layout.planes).fold(0, |state, plane| state | (bit_of(plane) << plane) as State)
    }

    /// Sets a cell; whether it is in the grid.
    pub fn set(&mut self, p: Point, state: State) -> bool {
        let Some((word, bit)) = self.place(p) else {
            return false;
        };
        let plane_words = self.layout.plane_words();
        for plane in 0..self.layout.planes {
            let word = &mut self.words[word + plane * plane_words];
            *word = *word & !(1 << bit) | u32::from(state >> plane & 1) << bit;
        }
        true
    }

    /// Empties all cells.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The bits of some cells of a row that are in any state but 0, and the first of these cells:
    /// word by word, those words that are not empty.
    fn live_words(&self, row: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let layout = self.layout;
        let first = layout.first_word() + row * layout.stride();
        let last = layout.words() - 1;
        (0..=last).filter_map(move |word| {
            let plane_words = layout.plane_words();
            let bits = (0..layout.planes)
                .map(|plane| self.words[first + word + plane * plane_words])
                .fold(0, |all, bits| all | bits);
            let mask = if word == last {
                layout.last_mask()
            } else {
                u32::MAX
            };
            (bits & mask != 0).then_some((word, bits & mask))
        })
    }

    /// The number of cells that are not in state 0.
    pub fn population(&self) -> u64 {
        let rows = 0..self.layout.rect.height as usize;
        let words = rows.flat_map(|row| self.live_words(row));
        words.map(|(_, bits)| u64::from(bits.count_ones())).sum()
    }

    /// The live cells inside `rect` as runs, row by row.
    pub fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run)) {
        let grid = self.layout.rect;
        let inside = rect.intersection(&grid);
        for y in inside.y..inside.bottom() {
            let mut open: Option<Run> = None;
            for (word, bits) in self.live_words((y - grid.y) as usize) {
                let mut left = bits;
                while left != 0 {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    let x = grid.x + (32 * word) as i64 + i64::from(bit);
                    if x < inside.x || x >= inside.right() {
                        continue;
                    }
                    let state = match self.layout.planes {
                        1 => 1,
                        _ => self.get(Point::new(x, y)),
                    };
                    match &mut open {
                        Some(run) if run.x + run.length as i64 == x && run.state == state => {
                            run.length += 1;
                        }
                        _ => {
                            let next = Run {
                                y,
                                x,
                                length: 1,
                                state,
                            };
                            open.replace(next).into_iter().for_each(&mut *f);
                        }
                    }
                }
            }
            open.into_iter().for_each(&mut *f);
        }
    }

    /// The smallest rectangle that holds all live cells.
    pub fn bounds(&self) -> Option<Rect> {
        let grid = self.layout.rect;
        let (mut left, mut right) = (i64::MAX, i64::MIN);
        let mut rows = None;
        for row in 0..grid.height as usize {
            for (word, bits) in self.live_words(row) {
                let x = (32 * word) as i64;
                left = left.min(x + i64::from(bits.trailing_zeros()));
                right = right.max(x + 32 - i64::from(bits.leading_zeros()));
                let (top, _) = rows.unwrap_or((row, row));
                rows = Some((top, row));
            }
        }
        let (top, bottom) = rows?;
        let (width, height) = (right.abs_diff(left), (bottom - top + 1) as u64);
        Some(Rect::new(grid.x + left, grid.y + top as i64, width, height))
    }

    /// The hash of the live cells, relative to the corner of their bounds.
    pub fn hash(&self) -> CellHash {
        let Some(bounds) = self.bounds() else {
            return CellHash::EMPTY;
        };
        let mut hash = CellHash::EMPTY;
        if self.layout.planes == 1 {
            let grid = self.layout.rect;
            for row in 0..grid.height as usize {
                for (word, bits) in self.live_words(row) {
                    let (x, y) = (grid.x + (32 * word) as i64, grid.y + row as i64);
                    hash += CellHash::word(bits.into()).moved(HashShift::new(x, y));
                }
            }
        } else {
            self.runs_in(self.layout.rect, &mut |run| {
                hash += CellHash::run(run.x, run.y, run.length, run.state);
            });
        }
        hash.relative_to(bounds.x, bounds.y)
    }
}
