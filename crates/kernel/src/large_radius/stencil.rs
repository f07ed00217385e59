//! Stencils: the cells by which a sum differs from the one that it runs on from, read several
//! at a time.

use super::lane_layout::LaneLayout;
use super::lanes::{LANES, MAX_ROWS, gather};
use super::plan::StencilOffset;
use crate::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use std::collections::BTreeMap;
use std::ops::Range;

/// Stencil offsets of one factor, few enough that their sum is a signed byte.
#[derive(Clone, Debug)]
pub(super) struct StencilBatch {
    pub(super) factor: i32,
    groups: Vec<StencilGroup>,
}

/// Offsets that are read in one pass.
#[derive(Clone, Debug)]
struct StencilGroup {
    /// The rows that are read: those added first, then those subtracted.
    rows: Vec<i32>,
    added: usize,
    segments: Vec<StencilSegment>,
}

/// A range of vectors, in bytes, for which the sources of all offsets of a group are
/// contiguous, and where these begin relative to their row.
#[derive(Clone, Debug)]
struct StencilSegment {
    bytes: Range<usize>,
    from: [isize; 2 * MAX_ROWS],
}

impl StencilBatch {
    /// The number of offsets.
    pub(super) fn number(&self) -> usize {
        self.groups.iter().map(|group| group.rows.len()).sum()
    }

    /// Computes the sum over all offsets for each cell of row `y`. `ring` holds the last
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
            let mut starts = [0; 2 * MAX_ROWS];
            for (start, dy) in starts.iter_mut().zip(&group.rows) {
                let slot = (y + i64::from(*dy)).rem_euclid(slots as i64) as usize;
                *start = LANES + slot * lanes.bytes();
            }
            let number = group.rows.len();
            for segment in &group.segments {
                let length = segment.bytes.len();
                let mut sources = [&ring[..0]; 2 * MAX_ROWS];
                for ((source, start), from) in sources
                    .iter_mut()
                    .zip(starts)
                    .zip(segment.from)
                    .take(number)
                {
                    *source = &ring[start.strict_add_signed(from)..][..length];
                }
                let (added, subtracted) = sources[..number].split_at(group.added);
                gather(added, subtracted, i == 0, &mut to[segment.bytes.clone()]);
            }
        }
    }
}

/// Groups offsets into batches: those of one factor, as many as a signed byte can hold.
pub(super) fn batches(
    offsets: &[StencilOffset],
    greatest: u8,
    lanes: &LaneLayout,
) -> Vec<StencilBatch> {
    // Offsets of one column have the same contiguous ranges.
    let mut offsets = offsets.to_vec();
    offsets.sort_by_key(|offset| (offset.dx, offset.dy));
    let mut factors: BTreeMap<i32, [Vec<StencilOffset>; 2]> = BTreeMap::new();
    for offset in offsets {
        let of_factor = factors.entry(offset.factor.abs()).or_default();
        of_factor[usize::from(offset.factor < 0)].push(offset);
    }
    let most = usize::from(i8::MAX as u8 / greatest.max(1)).max(1);
    let mut batches = Vec::new();
    for (factor, [added, subtracted]) in factors {
        let number = added.len().max(subtracted.len()).div_ceil(most);
        for i in 0..number {
            let part = |offsets: &[StencilOffset]| {
                let each = offsets.len().div_ceil(number).max(1);
                offsets.chunks(each).nth(i).unwrap_or_default().to_vec()
            };
            batches.push(StencilBatch {
                factor,
                groups: groups(&part(&added), &part(&subtracted), lanes),
            });
        }
    }
    batches
}

fn groups(
    added: &[StencilOffset],
    subtracted: &[StencilOffset],
    lanes: &LaneLayout,
) -> Vec<StencilGroup> {
    let number = added.len().max(subtracted.len()).div_ceil(MAX_ROWS);
    let part = |offsets: &[StencilOffset], i: usize| {
        offsets.chunks(MAX_ROWS).nth(i).unwrap_or_default().to_vec()
    };
    let group = |i: usize| {
        let (added, subtracted) = (part(added, i), part(subtracted, i));
        let offsets: Vec<StencilOffset> = added.iter().chain(&subtracted).copied().collect();
        let mut ends: Vec<usize> = vec![0];
        for offset in &offsets {
            ends.extend(lanes.sources(offset.dx).map(|(vectors, _)| vectors.end));
        }
        ends.push(lanes.vectors());
        ends.sort_unstable();
        ends.dedup();
        let segments = ends.windows(2).map(|ends| {
            let mut from = [0; 2 * MAX_ROWS];
            for (from, offset) in from.iter_mut().zip(&offsets) {
                *from = lanes.source(ends[0], offset.dx).0;
            }
            StencilSegment {
                bytes: ends[0] * LANES..ends[1] * LANES,
                from,
            }
        });
        StencilGroup {
            rows: offsets.iter().map(|offset| offset.dy).collect(),
            added: added.len(),
            segments: segments.collect(),
        }
    };
    (0..number).map(group).collect()
}
