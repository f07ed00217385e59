//! Several generations through the caches together: a wave of bands down the sheet, each
//! generation behind the one before, as many rows as a cell sees far.
//!
//! Threads take parts of the sheet, and of each generation fewer rows than of the one
//! before, so that no part needs anything of another; what is left between two parts then
//! grows by as many rows with each generation.
//!
//! ```text
//! generation 1   a a a a a a a . . b b b b b b b         a, b: parts
//! generation 2   . a a a a a . . . . b b b b b .         .: what is done after them
//! generation 3   . . a a a . . . . . . b b b . .
//! ```
//!
//! Where an edge is joined with a twist, a row sees the one that is as far from the other
//! edge: two waves go from both edges to the middle, side by side. They begin where the
//! edges meet, so that the rows beyond these can be filled for each generation.
//!
//! This is time skewing (D. Wonnacott, "Using time skewing to eliminate idle time due to memory
//! bandwidth and network limitations", 2000), and the parts of threads are the trapezoids of
//! M. Frigo and V. Strumpen, "Cache oblivious stencil computations" (2005).

use super::edges::{MarginFill, MarginSources};
use super::sheet_part::{BufferRows, SheetPart};
use super::{BitSheet, RowBuffer};
use crate::arch::ForkJoinPool;
use kernel::PlaneLayout;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The least work that is worth a thread of its own: starting one takes as long as some
/// thousand instructions.
const WORTH: usize = 1 << 18;

impl BitSheet {
    /// Advances by some generations in one pass over the buffers, at most
    /// `generations_per_pass`.
    pub(super) fn pass(
        &self,
        partial_step: u64,
        generations_per_pass: usize,
        ring: &mut [RowBuffer],
    ) {
        if let (MarginFill::Listed(margin), [now, next]) = (&self.edges, &mut *ring) {
            return self.both_ways(margin, partial_step, generations_per_pass, now, next);
        }
        let r = self.radius;
        let (top, bottom) = (self.margin, self.margin + self.height);
        let deep = |generation: usize| match self.edges {
            MarginFill::Joined => r * (generations_per_pass - 1 - generation),
            MarginFill::Dead | MarginFill::Listed(_) => 0,
        };
        let stride = self.row();
        let all = SheetPart::all(ring);
        let least = 4 * r * (generations_per_pass + 1);
        let worth = self.work(self.height) * generations_per_pass / WORTH;
        let parts = self.threads.min(self.height / least).min(worth).max(1);
        if parts == 1 {
            let mut all = all;
            let rows = |generation| top - deep(generation)..bottom + deep(generation);
            return self.wave(partial_step, generations_per_pass, &mut all, &rows);
        }
        let border = |part: usize| top + self.height * part / parts;
        let mut left = Some(all);
        let mut slabs = Vec::new();
        for part in 1..=parts {
            let Some(rest) = left.take() else { break };
            if part == parts {
                slabs.push(rest);
            } else {
                let (slab, rest) = rest.split(border(part), stride);
                slabs.push(slab);
                left = Some(rest);
            }
        }
        self.each(slabs, &|part, slab: &mut SheetPart<'_>| {
            self.wave(partial_step, generations_per_pass, slab, &|generation| {
                let aside = r * (generation + 1);
                let from = match part {
                    0 => top - deep(generation),
                    _ => border(part) + aside,
                };
                let to = match part + 1 == parts {
                    true => bottom + deep(generation),
                    false => border(part + 1) - aside,
                };
                from..to
            });
        });
        let mut left = SheetPart::all(ring);
        let mut seams = Vec::new();
        for part in 1..parts {
            let far = r * (generations_per_pass + 1);
            let (_, rest) = left.split(border(part) - far, stride);
            let (seam, rest) = rest.split(border(part) + far, stride);
            seams.push(seam);
            left = rest;
        }
        self.each(seams, &|seam, rows: &mut SheetPart<'_>| {
            let middle = border(seam + 1);
            self.wave(partial_step, generations_per_pass, rows, &|generation| {
                let aside = r * (generation + 1);
                middle - aside..middle + aside
            });
        });
    }

    /// Runs a task for each part, in a thread each; the first in this one.
    fn each<T: Send>(&self, parts: Vec<T>, task: &(dyn Fn(usize, &mut T) + Sync)) {
        let parts: Vec<Mutex<T>> = parts.into_iter().map(Mutex::new).collect();
        let part = |i: usize| parts[i].lock().unwrap_or_else(PoisonError::into_inner);
        if parts.len() <= 1 {
            return (0..parts.len()).for_each(|i| task(i, &mut *part(i)));
        }
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = pool.get_or_insert_with(|| ForkJoinPool::new(self.threads));
        let workers = pool.len();
        pool.run(&|worker: usize| {
            for i in (worker..parts.len()).step_by(workers) {
                task(i, &mut *part(i));
            }
        });
    }

    /// Advances the rows from the given one on by one generation, from the first buffer to the
    /// second, and polls now and then. Returns the row at which it was interrupted, or the one
    /// after the last; the margin has to be filled then.
    pub(super) fn single(
        &self,
        phase: u64,
        from: usize,
        ring: &mut [RowBuffer],
        keep_going: &mut dyn FnMut() -> bool,
    ) -> usize {
        let [now, next, ..] = ring else { return from };
        let stride = self.row();
        let parts = self
            .threads
            .min(self.work(self.height) / WORTH)
            .min(self.height / (4 * self.radius))
            .max(1);
        let instant_move = parts * (super::QUANTUM / self.work(1)).max(1);
        let bottom = self.margin + self.height;
        let mut top = from;
        while top < bottom {
            let rows = top..bottom.min(top + instant_move);
            let (out, next_rest) = next.parts_mut();
            let out = &mut out[rows.start * stride..rows.end * stride];
            let each = rows.len().div_ceil(parts);
            let task = |part: usize, slab: &mut &mut [u64]| {
                let first = rows.start + part * each;
                let last = first + slab.len() / stride;
                let band = self.band(stride);
                for from in (first..last).step_by(band) {
                    let seen = BufferRows {
                        words: now.words(),
                        first: 0,
                        rest: &now.rest,
                    };
                    let out = BufferRows {
                        words: &mut **slab,
                        first,
                        rest: next_rest,
                    };
                    let rows = from..last.min(from + band);
                    self.step(phase, rows, self.followed(0), seen, out);
                }
            };
            match parts {
                // Without a list of parts, which small grids would allocate each generation.
                1 => task(0, &mut &mut *out),
                _ => self.each(out.chunks_mut(each * stride).collect(), &task),
            }
            top = rows.end;
            if top < bottom && !keep_going() {
                break;
            }
        }
        top
    }

    /// Rows of a band.
    fn band(&self, stride: usize) -> usize {
        let r = self.radius;
        let band = (self.kernel.band() / stride).max(16).max(2 * r);
        band.next_multiple_of(self.kernel.0.block())
    }

    /// Steps some rows, and fills their ends if they need no other rows. `followed` says
    /// whether the buffer to be overwritten is as many generations old as there are buffers.
    fn step(
        &self,
        phase: u64,
        rows: Range<usize>,
        followed: bool,
        now: BufferRows<'_, &[u64]>,
        next: BufferRows<'_, &mut [u64]>,
    ) {
        let (r, stride) = (self.radius, self.row());
        let phase = phase as usize % self.kernel.0.time_period();
        let fill = |rows: Range<usize>, out: &mut [u64]| {
            let down = (rows.start ^ self.margin) & 1 == 1;
            let layout = PlaneLayout {
                stride: self.stride,
                margin: r,
                words: self.words,
                corner: (self.corner.0, self.corner.1 ^ down),
            };
            let (from, to) = (rows.start - r - now.first, rows.end + r - now.first);
            let seen = &now.words[from * stride..to * stride];
            self.kernel.rows(phase, layout, seen, out);
            self.close_rows(out);
        };
        let out = |rows: &Range<usize>| {
            (rows.start - next.first) * stride..(rows.end - next.first) * stride
        };
        if !next.rest.is_kept() {
            let out = out(&rows);
            return fill(rows, &mut next.words[out]);
        }
        let mut before = Vec::new();
        let mut done = rows.start;
        let awake = match followed {
            true => now.rest.awake(rows.clone(), r, self.kernel.0.block()),
            false => vec![rows.clone()],
        };
        for segment in awake {
            (done..segment.start).for_each(|row| next.rest.set(row, true));
            done = segment.end;
            let out = &mut next.words[out(&segment)];
            before.clear();
            before.extend_from_slice(out);
            fill(segment.clone(), out);
            let rows = out.chunks_exact(stride).zip(before.chunks_exact(stride));
            for (row, (after, before)) in segment.zip(rows) {
                next.rest.set(row, followed && after == before);
            }
        }
        (done..rows.end).for_each(|row| next.rest.set(row, true));
    }

    /// Advances by some generations in a wave; `rows` gives the rows of each generation.
    fn wave(
        &self,
        partial_step: u64,
        generations: usize,
        part: &mut SheetPart<'_>,
        rows: &dyn Fn(usize) -> Range<usize>,
    ) {
        let r = self.radius;
        let band = self.band(self.row());
        // The last generation is the furthest behind.
        let ends = (0..generations).map(|generation| rows(generation).end + r * generation);
        let end = ends.max().unwrap_or(0);
        let mut top = rows(0).start;
        while top < end {
            for generation in 0..generations {
                let rows = rows(generation);
                let from = rows.start.max(top.saturating_sub(r * generation));
                let to = rows.end.min((top + band).saturating_sub(r * generation));
                if from < to {
                    let (now, next) = part.step(generation);
                    let phase = partial_step + generation as u64;
                    self.step(phase, from..to, self.followed(generation), now, next);
                }
            }
            top += band;
        }
    }

    /// Advances by some generations in two waves, from both edges to the middle. The whole
    /// margin has to be filled before.
    fn both_ways(
        &self,
        margin: &MarginSources,
        partial_step: u64,
        generations: usize,
        now: &mut RowBuffer,
        next: &mut RowBuffer,
    ) {
        let (r, height) = (self.radius, self.height);
        let half = height.div_ceil(2);
        // The first rows of a generation are at least those that are seen beyond an edge.
        let band = self.band(now.stride).next_multiple_of(r);
        let mut top = 0;
        while top < half + r * (generations - 1) {
            for generation in 0..generations {
                let from = top.saturating_sub(r * generation);
                let to = half.min((top + band).saturating_sub(r * generation));
                if from >= to {
                    continue;
                }
                let (now, next) = match generation % 2 {
                    0 => (&*now, &mut *next),
                    _ => (&*next, &mut *now),
                };
                let phase = partial_step + generation as u64;
                let down = from + self.margin..to + self.margin;
                // An odd row in the middle is of the first wave.
                let up = (height - to).max(half) + self.margin..height - from + self.margin;
                for rows in [down.clone(), up.clone()] {
                    if !rows.is_empty() {
                        let (words, rest) = next.parts_mut();
                        let next = BufferRows {
                            words,
                            first: 0,
                            rest,
                        };
                        let now = BufferRows {
                            words: now.words(),
                            first: 0,
                            rest: &now.rest,
                        };
                        self.step(phase, rows, false, now, next);
                    }
                }
                for rows in [down, up] {
                    self.close_listed(margin, next, rows);
                }
                if from == 0 {
                    self.close_margin(margin, next);
                }
            }
            top += band;
        }
    }
}
