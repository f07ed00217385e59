//! Fills the margin around the rows, so that kernels are independent of the topology.

use super::buffer::{BitPosition, RowBuffer};
use super::{BitSheet, FURTHEST};
use crate::query::{deinterleave, interleave, shifted};
use grid::{Point, Rect};
use rule::Topology;
use std::ops::Range;

/// What the margin is filled with.
pub(super) enum MarginFill {
    /// Dead cells.
    Dead,
    /// The opposite edge.
    Joined,
    /// Precomputed sources.
    Listed(Box<MarginSources>),
}

/// The source of each cell of the margin; none for dead cells.
pub(super) struct MarginSources {
    /// The rows above and below the grid.
    above: Vec<MarginRowSource>,
    below: Vec<MarginRowSource>,
    /// The columns before and after the grid, nearest first, in each row from the first
    /// above it to the last below.
    west: Vec<Option<BitPosition>>,
    east: Vec<Option<BitPosition>>,
    /// Whether each row of the grid continues at its own other end.
    own_ends: bool,
    /// Whether rows see only themselves and the row as far from the other edge, and the margin
    /// sees only the rows next to the edges.
    pub(super) folds: bool,
}

/// The source of a row beyond an edge.
enum MarginRowSource {
    /// A row of memory from the cell `first` on, wrapping around, forwards or backwards.
    Line {
        row: usize,
        first: usize,
        backwards: bool,
    },
    /// Single cells.
    Cells(Vec<Option<BitPosition>>),
}

/// Cells beyond the end of a row, the nearest first.
type RowEndCells = [u64; FURTHEST];

impl BitSheet {
    /// Computes the sources of the margin, which is as deep as a cell sees.
    pub(super) fn list(&self, topology: Topology, rect: Rect) -> MarginSources {
        let (r, height) = (self.radius as i64, self.height);
        let at = |x: i64, y: i64| {
            let seen = topology.resolve(Point::new(x, y))?;
            Some(self.bit((seen.x - rect.x) as usize, (seen.y - rect.y) as usize))
        };
        let rows = |first: i64| -> Vec<MarginRowSource> {
            let row = |y: i64| {
                let seen = (rect.x..rect.right()).map(|x| topology.resolve(Point::new(x, y)));
                let seen: Option<Vec<Point>> = seen.collect();
                seen.and_then(|seen| self.line_of(&seen, rect))
                    .unwrap_or_else(|| {
                        MarginRowSource::Cells((rect.x..rect.right()).map(|x| at(x, y)).collect())
                    })
            };
            (first..first + r).map(row).collect()
        };
        let columns = |x: &dyn Fn(i64) -> i64| {
            let mut column = Vec::new();
            for y in rect.y - r..rect.bottom() + r {
                column.extend((0..r).map(|k| at(x(k), y)));
            }
            column
        };
        let (above, below) = (rows(rect.y - r), rows(rect.bottom()));
        let west = columns(&|k| rect.x - 1 - k);
        let east = columns(&|k| rect.right() + k);
        let grid = self.radius * self.radius..self.radius * (self.radius + height);
        let opposite = |i: usize, east: bool| {
            let (y, k) = (i / self.radius - self.radius, i % self.radius % self.width);
            let x = if east { k } else { self.width - 1 - k };
            Some(self.bit(x, y))
        };
        let own_ends = grid
            .clone()
            .all(|i| west[i] == opposite(i, false) && east[i] == opposite(i, true));
        let row_of = |bit: &Option<BitPosition>| bit.map(|bit| bit.word / self.row() - self.margin);
        let beside = |row: usize| row < self.radius || row + self.radius >= height;
        let ends = west.iter().zip(&east).enumerate().all(|(i, (west, east))| {
            let y = i / self.radius;
            [row_of(west), row_of(east)].into_iter().all(|row| {
                row.is_some_and(|row| match grid.contains(&i) {
                    true => [y - self.radius, height - 1 + self.radius - y].contains(&row),
                    false => beside(row),
                })
            })
        });
        let lines = above.iter().chain(&below).all(|seen| match seen {
            MarginRowSource::Line { row, .. } => beside(row - self.margin),
            MarginRowSource::Cells(_) => false,
        });
        MarginSources {
            above,
            below,
            west,
            east,
            own_ends,
            folds: ends && lines,
        }
    }

    /// The cells as a line of a row, if they are one.
    fn line_of(&self, seen: &[Point], rect: Rect) -> Option<MarginRowSource> {
        let start = *seen.first()?;
        let width = self.width as i64;
        let along = |step: i64| {
            (0..).zip(seen).all(|(i, p)| {
                p.y == start.y && p.x - rect.x == (start.x - rect.x + step * i).rem_euclid(width)
            })
        };
        let forwards = along(1);
        (forwards || along(-1)).then(|| MarginRowSource::Line {
            row: (start.y - rect.y) as usize + self.margin,
            first: (start.x - rect.x) as usize,
            backwards: !forwards,
        })
    }

    /// Fills what lies west and east of a line from the cells there.
    #[inline]
    fn close(&self, line: &mut [u64], west: &RowEndCells, east: &RowEndCells) {
        let (r, words) = (self.radius, self.words);
        // The cells east of the last take the next free places...
        for (k, cell) in east[..r].iter().enumerate() {
            let (word, bit) = ((self.width + k) % words, (self.width + k) / words);
            if bit < 64 {
                line[r + word] = line[r + word] & !(1 << bit) | cell << bit;
            }
        }
        // ...and the words beyond an end are those at the other, a bit further.
        for k in 0..r {
            let east_end = line[r + k] >> 1;
            let past = (64 * words + k).checked_sub(self.width);
            let last = past.filter(|&past| past < r).map_or(0, |past| east[past]);
            line[r + words + k] = east_end | last << 63;
            line[r - 1 - k] = line[r + words - 1 - k] << 1 | west[k];
        }
    }

    /// Fills the ends of some rows of memory, where each needs no other.
    pub(super) fn close_rows(&self, rows: &mut [u64]) {
        if matches!(&self.edges, MarginFill::Listed(margin) if !margin.own_ends) {
            return;
        }
        let dead = matches!(self.edges, MarginFill::Dead);
        let (r, words) = (self.radius, self.words);
        if let Some((used, top)) = self.even() {
            // An end is the other one, turned by a bit.
            let live = u64::from(!dead);
            for line in rows.chunks_exact_mut(self.stride) {
                let line = &mut line[..words + 2 * r];
                for k in 0..r {
                    let (first, last) = (line[r + k] & used, line[r + words - 1 - k]);
                    line[r + words + k] = first >> 1 | (first & live) << top;
                    line[r - 1 - k] = last << 1 | last >> top & live;
                }
            }
            return;
        }
        // Where the cells seen there are in a line, as word and bit.
        let place = |x: usize| (r + x % words, x / words);
        let mut places = [((0, 0), (0, 0)); FURTHEST];
        for (k, place_of) in places[..r].iter_mut().enumerate() {
            let back = self.width - 1 - k % self.width;
            *place_of = (place(back), place(k % self.width));
        }
        let (mut west, mut east) = (RowEndCells::default(), RowEndCells::default());
        for line in rows.chunks_exact_mut(self.stride) {
            if !dead {
                for k in 0..r {
                    let ((a, i), (b, j)) = places[k];
                    west[k] = line[a] >> i & 1;
                    east[k] = line[b] >> j & 1;
                }
            }
            self.close(line, &west, &east);
        }
    }

    /// If all words of a row hold as many cells: the bits that do, and the number of the last.
    fn even(&self) -> Option<(u64, usize)> {
        let top = self.depth - 1;
        (self.width == self.words * self.depth).then(|| (u64::MAX >> (63 - top), top))
    }

    /// Fills the rows above and below the grid, and all ends that are listed.
    pub(super) fn close_sheet(&self, buffer: &mut RowBuffer) {
        match &self.edges {
            MarginFill::Dead => {}
            MarginFill::Joined => {
                // A grid may have fewer rows than the margin.
                let (margin, height) = (self.margin, self.height);
                for y in 0..margin {
                    let above = (y + height - margin % height) % height;
                    buffer.copy_row(margin + above, y);
                    buffer.copy_row(margin + y % height, margin + height + y);
                }
            }
            MarginFill::Listed(margin) => {
                self.close_listed(margin, buffer, self.margin..self.margin + self.height);
                self.close_margin(margin, buffer);
            }
        }
    }

    /// Fills the rows above and below the grid, and their ends.
    pub(super) fn close_margin(&self, margin: &MarginSources, buffer: &mut RowBuffer) {
        let below = self.margin + self.height;
        let mut cells = [const { Vec::new() }; 3];
        for (first, seen) in [(0, &margin.above), (below, &margin.below)] {
            for (y, seen) in seen.iter().enumerate() {
                match seen {
                    &MarginRowSource::Line {
                        row,
                        first: from,
                        backwards,
                    } => self.copy_line(buffer, row, from, backwards, first + y, &mut cells),
                    MarginRowSource::Cells(cells) => self.copy_cells(buffer, cells, first + y),
                }
            }
            self.end_rows(margin, buffer, first..first + self.radius);
        }
    }

    /// A row beyond an edge from cells in a line.
    fn copy_line(
        &self,
        buffer: &mut RowBuffer,
        row: usize,
        first: usize,
        backwards: bool,
        to: usize,
        [cells, turned, part]: &mut [Vec<u64>; 3],
    ) {
        let (words, width) = (self.words, self.width as i64);
        for all in [&mut *cells, turned, part] {
            all.resize(words, 0);
        }
        for plane in 0..self.planes {
            let start = plane * self.stride + self.radius;
            deinterleave(&buffer.row(row)[start..start + words], cells);
            for (k, word) in cells.iter_mut().enumerate() {
                *word &= crate::query::mask(k, 0, self.width);
            }
            // From one cell on to the end, and what is left from the other end.
            let mut first = first as i64;
            if backwards {
                cells.reverse();
                for word in cells.iter_mut() {
                    *word = word.reverse_bits();
                }
                first = 64 * words as i64 - 1 - first;
            }
            shifted(cells, first, turned);
            shifted(cells, first - width, part);
            for (turned, part) in turned.iter_mut().zip(part.iter()) {
                *turned |= part;
            }
            interleave(turned, &mut buffer.row_mut(to)[start..start + words]);
        }
    }

    /// A row beyond an edge from cells anywhere.
    fn copy_cells(&self, buffer: &mut RowBuffer, cells: &[Option<BitPosition>], to: usize) {
        buffer.row_mut(to).fill(0);
        for (x, bit) in cells.iter().enumerate() {
            for plane in 0..self.planes {
                let start = plane * self.stride;
                let live = buffer.bit(*bit, start);
                let word = start + self.radius + x % self.words;
                buffer.row_mut(to)[word] |= live << (x / self.words);
            }
        }
    }

    /// Fills the ends of some rows of the grid that are listed.
    pub(super) fn close_listed(
        &self,
        margin: &MarginSources,
        buffer: &mut RowBuffer,
        rows: Range<usize>,
    ) {
        if !margin.own_ends {
            self.end_rows(margin, buffer, rows);
        }
    }

    fn end_rows(&self, margin: &MarginSources, buffer: &mut RowBuffer, rows: Range<usize>) {
        let (r, words) = (self.radius, self.words);
        let even = self.even();
        let (mut west, mut east) = (RowEndCells::default(), RowEndCells::default());
        for y in rows {
            let ends = y * r..(y + 1) * r;
            let (before, after) = (&margin.west[ends.clone()], &margin.east[ends]);
            for plane in 0..self.planes {
                let start = plane * self.stride;
                for k in 0..r {
                    west[k] = buffer.bit(before[k], start);
                    east[k] = buffer.bit(after[k], start);
                }
                let line = &mut buffer.row_mut(y)[start..start + self.stride];
                let Some((used, top)) = even else {
                    self.close(line, &west, &east);
                    continue;
                };
                for k in 0..r {
                    line[r + words + k] = (line[r + k] & used) >> 1 | east[k] << top;
                    line[r - 1 - k] = line[r + words - 1 - k] << 1 | west[k];
                }
            }
        }
    }
}
