//! Advances many bit tiles by four generations: gathers what a tile sees, steps it four times,
//! and writes the result to the other buffer.

use super::super::links::TileLinks;
use super::super::map::AROUND;
use super::super::wake_flags::WakeFlags;
use super::{OWN, RING, TALL};
use kernel::simd::{SimdTask, Vector};
use kernel::{BitColumn, BitKernel, ColumnAdvance, ColumnTask, MAX_COLUMNS, STEP, word_of_row};
use std::sync::atomic::Ordering;

/// The directions as bits, as [`AROUND`] orders them.
const NORTH: u8 = 0b0000_0111;
const SOUTH: u8 = 0b1110_0000;
const WEST: u8 = 0b0010_1001;
const EAST: u8 = 0b1001_0100;
const UPRIGHT: u8 = 1 << 1 | 1 << 6;
const LEVEL: u8 = 1 << 3 | 1 << 4;
const CORNERS: u8 = !(UPRIGHT | LEVEL);

/// Advances some tiles by up to four generations, alongside threads that do the same for
/// others.
///
/// It has no unpredictable branches: whether and where a tile changes cannot be predicted, and
/// each misprediction would cost a fifth of a tile's time. So everything is gathered from all
/// sides each time, and instead of not waking a neighbour it wakes a sink.
pub(in crate::tiles) struct FrontierPass<'a> {
    pub(in crate::tiles) kernel: &'a BitKernel,
    pub(in crate::tiles) phases: [usize; 2],
    /// The neighbours of each tile, by slot.
    pub(in crate::tiles) links: &'a [TileLinks],
    pub(in crate::tiles) awake: &'a WakeFlags,
    /// What the tiles hold, by slot.
    pub(in crate::tiles) now: &'a [BitColumn],
    /// Whether to report tiles that may hold a ship.
    pub(in crate::tiles) looks: bool,
    /// Generations to advance: a whole round, or fewer for a query between rounds.
    pub(in crate::tiles) generations: usize,
}

/// The work of one thread.
pub(in crate::tiles) struct FrontierPassSlice<'a> {
    /// The slots to step, in order.
    pub(in crate::tiles) slots: &'a [u32],
    /// The flag that it sets instead of a tile's.
    pub(in crate::tiles) sink: usize,
    /// The output cells, from this slot on.
    pub(in crate::tiles) start: usize,
    pub(in crate::tiles) next: &'a mut [BitColumn],
    pub(in crate::tiles) found: &'a mut PassFollowUp,
}

/// Work left for after a pass, since it changes the set of tiles.
#[derive(Clone, Debug, Default)]
pub(in crate::tiles) struct PassFollowUp {
    /// Slots that changed, and the sides where a neighbour would see it but is missing.
    pub(in crate::tiles) lacking: Vec<(u32, u8)>,
    /// Slots that did not change, and see no live cell.
    pub(in crate::tiles) fallen: Vec<u32>,
    /// Slots that changed where no neighbour sees it: they may hold a ship.
    pub(in crate::tiles) inside: Vec<u32>,
}

/// A part of a pass, as a task.
pub(in crate::tiles) struct FrontierPassTask<'a, 'b>(
    pub(in crate::tiles) &'a FrontierPass<'b>,
    pub(in crate::tiles) FrontierPassSlice<'a>,
);

impl SimdTask<u64> for FrontierPassTask<'_, '_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let FrontierPass { kernel, phases, .. } = *self.0;
        kernel.with_columns::<V>(phases, self);
    }
}

impl<V: Vector<u64>> ColumnTask<V> for FrontierPassTask<'_, '_> {
    #[inline(always)]
    fn run<A: ColumnAdvance<V>>(self, advance: &mut A) {
        let Self(round, part) = self;
        let sink = part.sink;
        let mut columns = A::columns();
        let seen = columns.as_mut();
        let mut seen_alive = [V::ZERO; MAX_COLUMNS];
        let FrontierPass { links, now, .. } = *round;
        let flags = round.awake.flags();
        for slots in part.slots.chunks(seen.len()) {
            for (k, &slot) in slots.iter().enumerate() {
                let near = &links[slot as usize].near;
                seen_alive[k] = gather::<V>(now, slot as usize, near, &mut seen[k]);
                advance.take_in(k, &seen[k]);
            }
            advance.advance(slots.len(), round.generations);
            for (k, &slot) in slots.iter().enumerate() {
                let own = slot as usize;
                let next = &mut part.next[own - part.start];
                advance.give_back(k, &seen[k], next);
                if round.generations < RING {
                    continue;
                }
                let around = &links[own];
                let (all, sides) = compare::<V>(&seen[k], next);
                let changed = !all.is_zero();
                flags[if changed { own } else { sink }].store(1, Ordering::Relaxed);
                round.awake.wake_group(own);
                if sides == 0 {
                    if (seen_alive[k] | all).is_zero() {
                        part.found.fallen.push(slot);
                    } else if round.looks && changed {
                        part.found.inside.push(slot);
                    }
                    continue;
                }
                for d in 0..8 {
                    let there = around.near[d] as usize;
                    let told = if sides >> d & 1 == 1 { there } else { sink };
                    flags[told].store(1, Ordering::Relaxed);
                }
                if sides & around.abroad != 0 {
                    for near in around.near {
                        round.awake.wake_group(near as usize);
                    }
                }
                let lacking = sides & around.lacking;
                if lacking != 0 {
                    part.found.lacking.push((slot, lacking));
                }
            }
        }
    }
}

/// Combines a tile with what it sees around it. Returns the union of all of its rows.
#[inline(always)]
fn gather<V: Vector<u64>>(
    now: &[BitColumn],
    own: usize,
    near: &[u32; 8],
    seen: &mut BitColumn,
) -> V {
    let west = &now[near[3] as usize].0;
    let east = &now[near[4] as usize].0;
    let edges = outer_rows(now, near);
    let own = &now[own].0;
    let mut all = V::ZERO;
    let mut at = 0;
    while at < STEP {
        for j in 0..STEP {
            let word = j * STEP + at;
            let outside = V::load(&west[word..]).last_byte() | V::load(&east[word..]).first_byte();
            let mut cells = V::all_words(OWN).choose(V::load(&own[word..]), outside);
            if at == 0 && j < RING {
                cells = cells.with_first(edges[j]);
            }
            if at + V::LANES == STEP && j >= STEP - RING {
                cells = cells.with_last(edges[j + 2 * RING - STEP]);
            }
            all = all | cells;
            cells.store(&mut seen.0[word..]);
        }
        at += V::LANES;
    }
    all
}

/// The rows that a tile sees above it, and those below.
#[inline(always)]
pub(in crate::tiles) fn outer_rows(now: &[BitColumn], near: &[u32; 8]) -> [u64; 2 * RING] {
    let mut rows = [0; 2 * RING];
    for half in 0..2 {
        let west = &now[near[5 * half] as usize].0;
        let middle = &now[near[5 * half + 1] as usize].0;
        let east = &now[near[5 * half + 2] as usize].0;
        for k in 0..RING {
            // The last of the tiles above, the first of those below.
            let word = word_of_row(if half == 0 { TALL + k } else { RING + k });
            let outside = west[word] >> (64 - 2 * RING) | east[word] << (64 - 2 * RING);
            rows[RING * half + k] = middle[word] & OWN | outside & !OWN;
        }
    }
    rows
}

/// The tile's own cells that changed, all rows combined, and the directions in which neighbours
/// see it.
#[allow(clippy::needless_range_loop, reason = "vectors, so no closures")]
#[inline(always)]
fn compare<V: Vector<u64>>(before: &BitColumn, after: &BitColumn) -> (V, u8) {
    let mut all = V::ZERO;
    let (mut top, mut bottom) = (0, 0);
    let mut at = 0;
    while at < STEP {
        let mut changed = [V::ZERO; STEP];
        for j in 0..STEP {
            let word = j * STEP + at;
            changed[j] = V::load(&before.0[word..]) ^ V::load(&after.0[word..]);
        }
        // The first half of a run of rows, and the last.
        let mut first = changed[0] | changed[1] | changed[2] | changed[3];
        let mut last = changed[4] | changed[5] | changed[6] | changed[7];
        if at == 0 {
            top = last.first_word() & OWN;
            first = first.with_first(0);
        }
        if at + V::LANES == STEP {
            bottom = first.last_word() & OWN;
            last = last.with_last(0);
        }
        all = all | first | last;
        at += V::LANES;
    }
    let all = all & V::all_words(OWN);
    let is_west = !(all & V::all_words(FIRST)).is_zero();
    let is_east = !(all & V::all_words(LAST)).is_zero();
    let sides = (side(is_west, WEST) | side(is_east, EAST)) & LEVEL
        | (side(top != 0, NORTH) | side(bottom != 0, SOUTH)) & UPRIGHT
        | columns(top) & NORTH & CORNERS
        | columns(bottom) & SOUTH & CORNERS;
    (all, sides)
}

/// The bits of the columns that neighbours see: the first, and the last.
const FIRST: u64 = 0xf << RING;
const LAST: u64 = 0xf << TALL;

#[inline(always)]
fn side(is_seen: bool, mask: u8) -> u8 {
    if is_seen { mask } else { 0 }
}

#[inline(always)]
fn columns(bits: u64) -> u8 {
    side(bits & FIRST != 0, WEST) | side(bits & LAST != 0, EAST)
}

/// Whether the neighbour in a direction would see a live cell.
pub(in crate::tiles) fn is_seen(rows: &BitColumn, d: usize) -> bool {
    let (dx, dy) = AROUND[d];
    let rows_seen = match dy {
        -1 => RING..2 * RING,
        1 => TALL..TALL + RING,
        _ => RING..TALL + RING,
    };
    let bits_seen = match dx {
        -1 => FIRST,
        1 => LAST,
        _ => OWN,
    };
    rows_seen.into_iter().any(|y| rows.row(y) & bits_seen != 0)
}
