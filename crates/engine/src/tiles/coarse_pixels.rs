use crate::View;
use num_traits::ToPrimitive;
use std::ops::Range;

/// Counts of pixels that are as large as tiles or larger: a tile lies in one, or across
/// the borders of two or four.
pub(super) struct CoarsePixelCounter {
    scale: u32,
    column: i128,
    row: i128,
    width: u32,
    height: u32,
    counts: CoarsePixelCounts,
}

/// How many live cells the pixels have.
enum CoarsePixelCounts {
    /// All pixels, and which rows of them have any.
    All(Vec<u64>, Vec<bool>),
    /// Those found, by row and column, in parts.
    Found(Vec<(u32, u32, u64)>),
}

impl CoarsePixelCounter {
    /// For a view that has cells, of a world of so many tiles.
    pub(super) fn new(view: &View, tiles: usize) -> Self {
        let near = "a cell of 64 bits lies in the view";
        let pixels = view.width as usize * view.height as usize;
        Self {
            scale: view.scale.min(127),
            column: view.column.to_i128().expect(near),
            row: view.row.to_i128().expect(near),
            width: view.width,
            height: view.height,
            counts: if pixels / 32 <= tiles {
                CoarsePixelCounts::All(vec![0; pixels], vec![false; view.height as usize])
            } else {
                CoarsePixelCounts::Found(Vec::new())
            },
        }
    }

    /// Whether any pixel of the view may have cells of a tile.
    pub(super) fn sees(&self, x: i64, y: i64, (wide, tall): (i64, i64)) -> bool {
        let (from, to) = self.pixels(x, y);
        let (_, end) = (to, self.pixels(x + wide - 1, y + tall - 1));
        let inside = |first: i128, last: i128, most: u32| last >= 0 && first < most.into();
        inside(from, end.0, self.width) && inside(to, end.1, self.height)
    }

    /// Column and row of the pixel that has a cell.
    fn pixels(&self, x: i64, y: i64) -> (i128, i128) {
        (
            (i128::from(x) >> self.scale) - self.column,
            ((i128::from(y) - 1) >> self.scale) - self.row,
        )
    }

    /// Adds the cells of a tile, no larger than a pixel; `count` counts those of some
    /// columns and rows of it.
    pub(super) fn add(
        &mut self,
        x: i64,
        y: i64,
        (wide, tall): (i64, i64),
        mut count: impl FnMut(Range<usize>, Range<usize>) -> u64,
    ) {
        let first = self.pixels(x, y);
        let last = self.pixels(x + wide - 1, y + tall - 1);
        // Cells before the border of the two pixels, if there is one.
        let before = |first: i128, last: i128, sheet: i128, at: i64, side: i64| {
            if first == last {
                side
            } else {
                (((last + sheet) << self.scale) - i128::from(at)) as i64
            }
        };
        let left = before(first.0, last.0, self.column, x, wide);
        let top = before(first.1, last.1, self.row, y - 1, tall);
        for (row, rows) in [(first.1, 0..top), (last.1, top..tall)] {
            for (column, columns) in [(first.0, 0..left), (last.0, left..wide)] {
                let place = u32::try_from(column).ok().zip(u32::try_from(row).ok());
                let seen = place.filter(|(c, r)| *c < self.width && *r < self.height);
                let Some((column, row)) = seen else { continue };
                if rows.is_empty() || columns.is_empty() {
                    continue;
                }
                let usual = |range: &Range<i64>| range.start as usize..range.end as usize;
                let live = count(usual(&columns), usual(&rows));
                if live > 0 {
                    self.put(column, row, live);
                }
            }
        }
    }

    fn put(&mut self, column: u32, row: u32, live: u64) {
        match &mut self.counts {
            CoarsePixelCounts::All(counts, rows) => {
                counts[row as usize * self.width as usize + column as usize] += live;
                rows[row as usize] = true;
            }
            CoarsePixelCounts::Found(found) => found.push((row, column, live)),
        }
    }

    /// Tells what was counted.
    pub(super) fn finish(self, f: &mut dyn FnMut(u32, u32, f64)) {
        match self.counts {
            CoarsePixelCounts::All(counts, rows) => {
                let rows = rows.into_iter().enumerate().filter(|(_, live)| *live);
                for (row, _) in rows {
                    let width = self.width as usize;
                    let counts = &counts[row * width..(row + 1) * width];
                    for (column, &live) in counts.iter().enumerate() {
                        if live > 0 {
                            f(column as u32, row as u32, live as f64);
                        }
                    }
                }
            }
            CoarsePixelCounts::Found(mut found) => {
                found.sort_unstable();
                for parts in found.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                    let live: u64 = parts.iter().map(|part| part.2).sum();
                    f(parts[0].1, parts[0].0, live as f64);
                }
            }
        }
    }
}
