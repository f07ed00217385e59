//! Looks at cells, some at once: what a sum has more than the one that it runs on from.

use super::lane_layout::LaneLayout;
use super::lanes::{LANES, MOST, gather};
use super::plan::StencilOffset;
use crate::arch::{InstructionSet, SimdElement, SimdTask, Vector};
use std::collections::BTreeMap;
use std::ops::Range;

/// Looks whose sum is a signed byte.
#[derive(Clone, Debug)]
pub(super) struct StencilBatch {
    pub(super) factor: i32,
    groups: Vec<StencilGroup>,
}

/// Some looks at once.
#[derive(Clone, Debug)]
struct StencilGroup {
    /// The rows that are looked at: what is added first, then what is taken away.
    rows: Vec<i32>,
    come: usize,
    pieces: Vec<StencilSegment>,
}

/// Vectors, by their bytes, for which all looks of a group go to vectors side by side, and
/// where these begin, seen from their row.
#[derive(Clone, Debug)]
struct StencilSegment {
    bytes: Range<usize>,
    from: [isize; 2 * MOST],
}

impl StencilBatch {
    /// How many cells are looked at.
    pub(super) fn number(&self) -> usize {
        self.groups.iter().map(|group| group.rows.len()).sum()
    }

    /// The sum of all that is looked at, for each cell of the row `y`. `ring` holds the last
    /// `slots` rows, with a vector of zeros before the first and after the last.
    pub(super) fn gather(
        &self,
        set: InstructionSet,
        ring: &[u8],
        lanes: &LaneLayout,
        slots: usize,
        y: i64,
        to: &mut [u8],
    ) {
        let batch = self;
        u64::run_in(
            set,
            StencilGatherTask {
                batch,
                ring,
                lanes,
                slots,
                y,
                to,
            },
        );
    }
}

/// [`StencilBatch::gather`] as a task.
struct StencilGatherTask<'a> {
    batch: &'a StencilBatch,
    ring: &'a [u8],
    lanes: &'a LaneLayout,
    slots: usize,
    y: i64,
    to: &'a mut [u8],
}

impl SimdTask<u64> for StencilGatherTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let Self {
            batch,
            ring,
            lanes,
            slots,
            y,
            to,
        } = self;
        for (i, group) in batch.groups.iter().enumerate() {
            let mut starts = [0; 2 * MOST];
            for (start, dy) in starts.iter_mut().zip(&group.rows) {
                let slot = (y + i64::from(*dy)).rem_euclid(slots as i64) as usize;
                *start = LANES + slot * lanes.bytes();
            }
            let number = group.rows.len();
            for piece in &group.pieces {
                let length = piece.bytes.len();
                let mut looks = [&ring[..0]; 2 * MOST];
                for ((look, start), from) in
                    looks.iter_mut().zip(starts).zip(piece.from).take(number)
                {
                    *look = &ring[start.strict_add_signed(from)..][..length];
                }
                let (come, gone) = looks[..number].split_at(group.come);
                gather(come, gone, i == 0, &mut to[piece.bytes.clone()]);
            }
        }
    }
}

/// Looks in batches: those of one factor, as many as a signed byte can hold.
pub(super) fn batches(
    taps: &[StencilOffset],
    greatest: u8,
    lanes: &LaneLayout,
) -> Vec<StencilBatch> {
    // Those of one column go to vectors side by side alike.
    let mut taps = taps.to_vec();
    taps.sort_by_key(|tap| (tap.dx, tap.dy));
    let mut factors: BTreeMap<i32, [Vec<StencilOffset>; 2]> = BTreeMap::new();
    for tap in taps {
        let of_factor = factors.entry(tap.factor.abs()).or_default();
        of_factor[usize::from(tap.factor < 0)].push(tap);
    }
    let most = usize::from(i8::MAX as u8 / greatest.max(1)).max(1);
    let mut made = Vec::new();
    for (factor, [come, gone]) in factors {
        let number = come.len().max(gone.len()).div_ceil(most);
        for i in 0..number {
            let part = |taps: &[StencilOffset]| {
                let each = taps.len().div_ceil(number).max(1);
                taps.chunks(each).nth(i).unwrap_or_default().to_vec()
            };
            made.push(StencilBatch {
                factor,
                groups: groups(&part(&come), &part(&gone), lanes),
            });
        }
    }
    made
}

fn groups(come: &[StencilOffset], gone: &[StencilOffset], lanes: &LaneLayout) -> Vec<StencilGroup> {
    let number = come.len().max(gone.len()).div_ceil(MOST);
    let part =
        |taps: &[StencilOffset], i: usize| taps.chunks(MOST).nth(i).unwrap_or_default().to_vec();
    let group = |i: usize| {
        let (come, gone) = (part(come, i), part(gone, i));
        let taps: Vec<StencilOffset> = come.iter().chain(&gone).copied().collect();
        let mut ends: Vec<usize> = vec![0];
        for tap in &taps {
            ends.extend(lanes.looks(tap.dx).map(|(vectors, _)| vectors.end));
        }
        ends.push(lanes.vectors());
        ends.sort_unstable();
        ends.dedup();
        let pieces = ends.windows(2).map(|ends| {
            let mut from = [0; 2 * MOST];
            for (from, tap) in from.iter_mut().zip(&taps) {
                *from = lanes.look(ends[0], tap.dx).0;
            }
            StencilSegment {
                bytes: ends[0] * LANES..ends[1] * LANES,
                from,
            }
        });
        StencilGroup {
            rows: taps.iter().map(|tap| tap.dy).collect(),
            come: come.len(),
            pieces: pieces.collect(),
        }
    };
    (0..number).map(group).collect()
}
