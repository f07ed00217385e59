use super::{LiveRowVisitor, WordSegment};
use grid::{Point, Rect};
use kernel::simd::{SimdElement, SimdTask, Vector};

/// The bounding box of the live cells in one band.
#[derive(Default)]
pub(crate) struct LiveExtent {
    /// The first word.
    first: i64,
    /// The union of all rows.
    all: Vec<u64>,
    /// The first and the last row with a live cell.
    rows: Option<(i64, i64)>,
}

impl LiveExtent {
    /// The bounding box, if there are live cells.
    pub(crate) fn rect(&self) -> Option<Rect> {
        let (top, bottom) = self.rows?;
        let live = |word: &u64| *word != 0;
        let (left, right) = (
            self.all.iter().position(live)?,
            self.all.iter().rposition(live)?,
        );
        let column = |word: usize, bit: u32| 64 * (self.first + word as i64) + i64::from(bit);
        let corner = Point::new(column(left, self.all[left].trailing_zeros()), top);
        let last = column(right, 63 - self.all[right].leading_zeros());
        Some(Rect::from_corners(corner, Point::new(last, bottom)))
    }
}

impl LiveRowVisitor for LiveExtent {
    fn band(&mut self, segments: &[WordSegment]) {
        let only = segments.first().copied();
        debug_assert!(
            segments.len() < 2 && self.all.is_empty(),
            "one band of one stretch"
        );
        self.first = only.map_or(0, |segment| segment.first);
        self.all = vec![0; only.map_or(0, |segment| segment.words)];
    }

    fn row(&mut self, y: i64, words: &[u64]) {
        let mut lives = false;
        u64::dispatch(ExtentRowUnion {
            words,
            all: &mut self.all,
            lives: &mut lives,
        });
        if lives {
            let top = self.rows.map_or(y, |(top, _)| top);
            self.rows = Some((top, y));
        }
    }
}

struct ExtentRowUnion<'a> {
    words: &'a [u64],
    all: &'a mut [u64],
    lives: &'a mut bool,
}

impl SimdTask<u64> for ExtentRowUnion<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let mut any = 0;
        for (all, word) in self.all.iter_mut().zip(self.words) {
            *all |= word;
            any |= word;
        }
        *self.lives = any != 0;
    }
}
