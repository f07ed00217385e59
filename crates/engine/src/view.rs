use grid::Rect;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use pattern::{Bounds, Run};

/// A part of a world seen from far off: pixels, each a square of 2^`scale` cells a side.
///
/// Pixels lie on one sheet for each scale, whose corner is the top-left corner of the cell
/// (0, 1), where quadtrees have their middle (see [`pattern::Tree`]): pixel (c, r) of the
/// sheet covers the columns from `c * 2^scale` and the rows from `r * 2^scale + 1`. So the
/// cell (x, y) lies in pixel (x >> scale, (y - 1) >> scale).
///
/// ```
/// use engine::View;
/// use num_bigint::BigInt;
/// let far = BigInt::from(10).pow(100);
/// let view = View::over(&far, &BigInt::from(1), 640, 480, 3);
/// assert_eq!(view.column, &far / 8);
/// assert_eq!(view.row, BigInt::ZERO);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Pixels from the origin of the pixel grid to the view's left edge; negative to the west.
    pub column: BigInt,
    /// Pixels from the origin of the pixel grid to the view's top edge; negative to the north.
    pub row: BigInt,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Each pixel is 2 to this power cells wide and high.
    pub scale: u32,
}

impl View {
    /// The view whose top-left pixel contains the cell (`x`, `y`).
    ///
    /// ```
    /// # use engine::View;
    /// let view = View::over(&16.into(), &(-7).into(), 4, 4, 3); // eight cells a pixel
    /// assert_eq!((view.column, view.row), (2.into(), (-1).into()));
    /// ```
    #[must_use]
    pub fn over(x: &BigInt, y: &BigInt, width: u32, height: u32, scale: u32) -> Self {
        Self {
            column: x >> scale,
            row: (y - 1) >> scale,
            width,
            height,
            scale,
        }
    }

    /// The view that shows `bounds` whole, in its middle, within so many pixels, at the
    /// smallest scale that will do. At least two pixels each way: a box may lie across the
    /// border of two pixels at every scale.
    ///
    /// ```
    /// # use engine::View;
    /// # use grid::Rect;
    /// let view = View::fitting(&Rect::new(-500, -500, 1000, 1000).into(), 640, 480);
    /// assert_eq!((view.scale, view.width, view.height), (2, 640, 480));
    /// ```
    #[must_use]
    pub fn fitting(bounds: &Bounds, width: u32, height: u32) -> Self {
        let (width, height) = (width.max(2), height.max(2));
        let right = &bounds.x + BigInt::from(bounds.width.clone()) - 1;
        let bottom = &bounds.y + BigInt::from(bounds.height.clone()) - 1;
        let mut scale = 0;
        loop {
            let view = Self::over(&bounds.x, &bounds.y, width, height, scale);
            let across = (&right >> scale) - &view.column + 1;
            let down = ((&bottom - 1) >> scale) - &view.row + 1;
            if across <= width.into() && down <= height.into() {
                let before = |room: u32, taken: BigInt| (BigInt::from(room) - taken) >> 1;
                return Self {
                    column: &view.column - before(width, across),
                    row: &view.row - before(height, down),
                    ..view
                };
            }
            scale += 1;
        }
    }

    /// The cells that the view shows, as far out as `i64` reaches.
    pub(crate) fn cells(&self) -> Option<Rect> {
        let side = |first: &BigInt, pixels: u32, offset: i64| {
            let low = (first << self.scale) + offset;
            let high = ((first + pixels) << self.scale) + offset;
            let reach = |c: BigInt| {
                let (least, most) = (BigInt::from(-i64::MAX), BigInt::from(i64::MAX));
                c.clamp(least, most).to_i64().expect("clamped to what fits")
            };
            let (low, high) = (reach(low), reach(high));
            (low < high).then(|| (low, high.abs_diff(low)))
        };
        let (x, width) = side(&self.column, self.width, 0)?;
        let (y, height) = side(&self.row, self.height, 1)?;
        Some(Rect::new(x, y, width, height))
    }

    /// [`World::density`](crate::World::density) for any world, through its runs.
    /// `runs_in` gives those of a rectangle, row by row.
    pub(crate) fn by_runs(
        &self,
        runs_in: impl FnOnce(Rect, &mut dyn FnMut(Run)),
        f: &mut dyn FnMut(u32, u32, f64),
    ) {
        let Some(seen) = self.cells() else { return };
        let mut counts = ViewCounter::new(self, f);
        runs_in(seen, &mut |run| counts.add(run));
        counts.finish();
    }
}

/// Counts one row of pixels after another.
struct ViewCounter<'a> {
    view: &'a View,
    /// The row of pixels that is being counted.
    row: Option<u32>,
    live: Vec<u64>,
    f: &'a mut dyn FnMut(u32, u32, f64),
}

impl<'a> ViewCounter<'a> {
    fn new(view: &'a View, f: &'a mut dyn FnMut(u32, u32, f64)) -> Self {
        Self {
            view,
            row: None,
            live: vec![0; view.width as usize],
            f,
        }
    }

    /// Adds a run. Runs come row by row, and lie in the view.
    fn add(&mut self, run: Run) {
        let scale = self.view.scale.min(127);
        let within = |cell: i128, first: &BigInt| {
            let first = first.to_i128().expect("a cell of 64 bits lies in the view");
            (cell >> scale) - first
        };
        let row = within(i128::from(run.y) - 1, &self.view.row) as u32;
        if self.row != Some(row) {
            self.finish();
            self.row = Some(row);
        }
        let mut x = i128::from(run.x);
        let end = x + i128::from(run.length);
        while x < end {
            let next = (((x >> scale) + 1) << scale).min(end);
            let next = if next <= x { end } else { next };
            let column = within(x, &self.view.column) as usize;
            self.live[column] += (next - x) as u64;
            x = next;
        }
    }

    fn finish(&mut self) {
        let Some(row) = self.row.take() else { return };
        for (column, live) in self.live.iter_mut().enumerate() {
            if *live > 0 {
                (self.f)(column as u32, row, *live as f64);
                *live = 0;
            }
        }
    }
}
