//! The table of the nodes above the leaves, in order of creation.
//!
//! Nodes created together are used together, so one cache line often serves two look-ups. A
//! line (64 bytes) holds three nodes:
//!
//! ```text
//! words 0 1   2 3   4 5    the children of each: north-west and north-east, then
//!                          south-west and south-east
//! halves 0  1  2           the memoised result of each: its centre, half as wide, later
//! bytes 0   1  2           a tag for each result
//! byte 3                   which of the three are in use
//! ```

use super::StoreCapacityError;
use crate::arch::{
    AtomicValue, MappedArray, NativePrimitives, NodeFields, NodeLine, NodeLineView, SyncPrimitives,
};
use std::ops::{Range, RangeFrom};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Nodes in a cache line.
pub(in crate::hashlife) const NODES_PER_LINE: usize = 3;

/// Ids of a line, the last of which is none of a node.
pub(in crate::hashlife) const SLOTS_PER_LINE: usize = 4;

/// In the state byte of a line: the lowest of the bits that mark the slots in use.
const USED: u8 = 1;

/// Tag of a node without a result.
pub(in crate::hashlife) const NO_RESULT: u8 = 0;
/// Tag of a node whose result is being computed.
const CLAIMED: u8 = u8::MAX;

/// The state of a node's result slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hashlife) enum ResultSlotState {
    /// The memoised result.
    Done(u32),
    /// There was no result; the caller has claimed it and must compute it.
    Empty,
    /// Another caller has claimed it and is computing it.
    Pending,
}

/// The result slot of a node.
///
/// A result is stored with release and loaded with acquire ordering. The tag's ordering alone
/// would not do: two workers that compute the same node may publish two equal nodes with
/// different ids (see `index`), so the reader of one's tag may read the other's result.
/// Whichever it reads, it sees that node's children.
///
/// The tag is released after the result and acquired before it, so a reader never takes the
/// result of an earlier step for the one that the tag announces. A later step's result cannot
/// be there: all workers that share a tag at one time want the same result (`workers::run`
/// ensures it), and between steps there is one thread. Claims publish nothing and are relaxed:
/// a lost claim costs time only. `model` checks all of this with loom.
pub(in crate::hashlife) struct ResultSlot<'a, P: SyncPrimitives = NativePrimitives> {
    result: &'a P::U32,
    tag: &'a P::U8,
}

impl<'a, P: SyncPrimitives> ResultSlot<'a, P> {
    #[inline(always)]
    pub(in crate::hashlife) fn of(fields: NodeFields<'a, P>) -> Self {
        Self {
            result: fields.half,
            tag: fields.byte,
        }
    }

    /// The result, and whether it has this tag.
    #[inline(always)]
    pub(in crate::hashlife) fn load(&self, tag: u8) -> (u32, bool) {
        let has = self.tag.load(Acquire);
        (self.result.load(Acquire), has == tag)
    }

    /// The result for this tag; the first caller that finds none claims it.
    #[inline(always)]
    pub(in crate::hashlife) fn claim(&self, tag: u8) -> ResultSlotState {
        let has = self.tag.load(Acquire);
        if has == tag {
            return ResultSlotState::Done(self.result.load(Acquire));
        }
        if has == CLAIMED {
            return ResultSlotState::Pending;
        }
        self.tag.store(CLAIMED, Relaxed);
        ResultSlotState::Empty
    }

    /// Memoises a result for this tag.
    #[inline(always)]
    pub(in crate::hashlife) fn publish(&self, tag: u8, result: u32) {
        self.result.store(result, Release);
        self.tag.store(tag, Release);
    }

    /// Releases a claim, if there is one.
    pub(in crate::hashlife) fn release_claim(&self) {
        if self.tag.load(Relaxed) == CLAIMED {
            self.tag.store(NO_RESULT, Relaxed);
        }
    }
}

/// Writes a new node without a result. No other thread sees it before it is in the index.
#[inline(always)]
pub(in crate::hashlife) fn write_node<P: SyncPrimitives>(
    fields: NodeFields<'_, P>,
    pairs: QuadrantPairs,
) {
    let [north, south] = fields.pair;
    north.store(pairs[0], Relaxed);
    south.store(pairs[1], Relaxed);
    fields.byte.store(NO_RESULT, Relaxed);
}

/// Reads the children of a node.
#[inline(always)]
pub(in crate::hashlife) fn read_pairs<P: SyncPrimitives>(
    [north, south]: &[P::U64; 2],
) -> QuadrantPairs {
    [north.load(Relaxed), south.load(Relaxed)]
}

/// Lines that a worker reserves together.
const LINES_PER_RESERVATION: usize = 8;

/// Free node slots in the lines that a worker has reserved.
#[derive(Debug, Default)]
pub(in crate::hashlife) struct NodeReservation {
    ids: [u32; NODES_PER_LINE * LINES_PER_RESERVATION],
    /// How many slots were reserved, and how many of them are used.
    count: usize,
    used: usize,
}

/// Keeps frequent writes off the cache lines of what is read often.
#[repr(align(128))]
pub(in crate::hashlife) struct CachePadded<T>(pub(in crate::hashlife) T);

/// The table. Id 0 is the empty node of any level.
pub(in crate::hashlife) struct NodeTable {
    lines: MappedArray<NodeLine>,
    /// The line in which the search for free slots continues.
    next: CachePadded<AtomicUsize>,
    /// Lines that have ever been used.
    touched: AtomicUsize,
}

/// The children of a node, north and south: the western one in the lower half of each word.
pub(in crate::hashlife) type QuadrantPairs = [u64; 2];

/// The children of the empty node.
pub(in crate::hashlife) const EMPTY: QuadrantPairs = [0, 0];

#[inline(always)]
pub(in crate::hashlife) fn pair(west: u32, east: u32) -> u64 {
    u64::from(west) | u64::from(east) << 32
}

#[inline(always)]
pub(in crate::hashlife) fn pairs([nw, ne, sw, se]: [u32; 4]) -> QuadrantPairs {
    [pair(nw, ne), pair(sw, se)]
}

#[inline(always)]
pub(in crate::hashlife) fn quadrants([north, south]: QuadrantPairs) -> [u32; 4] {
    let (nw, ne) = (north as u32, (north >> 32) as u32);
    [nw, ne, south as u32, (south >> 32) as u32]
}

impl NodeTable {
    /// A table of `lines` cache lines, which can grow to `most`.
    pub(in crate::hashlife) fn new(lines: usize, most: usize) -> Self {
        let nodes = Self {
            lines: MappedArray::new(lines, most),
            next: CachePadded(AtomicUsize::new(0)),
            touched: AtomicUsize::new(0),
        };
        nodes.lines[0].bytes[3].store(USED, Relaxed);
        nodes
    }

    /// Lines that the table has.
    pub(in crate::hashlife) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Whether no slot is free.
    pub(in crate::hashlife) fn is_full(&self) -> bool {
        self.next.0.load(Relaxed) >= self.lines.len()
    }

    /// Lines filled since the last collection.
    pub(in crate::hashlife) fn filled_lines(&self) -> usize {
        self.next.0.load(Relaxed).min(self.lines.len())
    }

    /// Grows the table to this many lines.
    pub(in crate::hashlife) fn grow(&mut self, lines: usize) {
        self.lines.grow(lines);
    }

    /// Ends the table at this line. None from there on may have been used.
    pub(in crate::hashlife) fn truncate(&mut self, lines: usize) {
        self.lines.shrink(lines);
    }

    /// Bytes that have ever been used.
    pub(in crate::hashlife) fn bytes(&self) -> u64 {
        64 * self.touched.load(Relaxed).max(self.filled_lines()) as u64
    }

    /// A view of all nodes, for loops that read many.
    #[inline(always)]
    pub(in crate::hashlife) fn view(&self) -> NodeTableRef<'_> {
        NodeTableRef(self.lines.lines())
    }

    #[inline(always)]
    fn slot(&self, node: u32) -> ResultSlot<'_> {
        self.view().slot(node)
    }

    /// Prefetches a node's cache line.
    #[inline(always)]
    pub(in crate::hashlife) fn prefetch(&self, node: u32) {
        self.view().prefetch(node);
    }

    /// The children of a node; all empty for the empty node.
    #[inline(always)]
    pub(in crate::hashlife) fn children(&self, node: u32) -> [u32; 4] {
        quadrants(self.pairs(node))
    }

    #[inline(always)]
    pub(in crate::hashlife) fn pairs(&self, node: u32) -> QuadrantPairs {
        self.view().pairs(node)
    }

    /// Allocates a node with these children.
    #[inline(always)]
    pub(in crate::hashlife) fn allocate(
        &self,
        pairs: QuadrantPairs,
        reservation: &mut NodeReservation,
    ) -> Result<u32, StoreCapacityError> {
        if reservation.used == reservation.count {
            self.reserve(reservation)?;
        }
        let node = reservation.ids[reservation.used];
        reservation.used += 1;
        let lines = self.lines.lines();
        write_node(lines.fields(node), pairs);
        let [.., state] = &lines.line(node).bytes;
        state.store(state.load(Relaxed) | USED << (node & 3), Relaxed);
        Ok(node)
    }

    /// Reserves the free slots of some lines. Adjacent lines are brought into the cache
    /// together. Those that were never used are not read: a new page that is read before it is
    /// written to costs two page faults.
    #[inline(never)]
    fn reserve(&self, reservation: &mut NodeReservation) -> Result<(), StoreCapacityError> {
        (reservation.count, reservation.used) = (0, 0);
        // The first line has the empty node.
        let touched = self.touched.load(Relaxed).max(1);
        while reservation.count == 0 {
            let first = self.next.0.fetch_add(LINES_PER_RESERVATION, Relaxed);
            if first >= self.lines.len() {
                self.next.0.store(self.lines.len(), Relaxed);
                return Err(StoreCapacityError);
            }
            for at in first..(first + LINES_PER_RESERVATION).min(self.lines.len()) {
                let state = if at < touched {
                    self.lines[at].bytes[NODES_PER_LINE].load(Relaxed)
                } else {
                    0
                };
                for slot in 0..NODES_PER_LINE {
                    reservation.ids[reservation.count] = (at << 2 | slot) as u32;
                    reservation.count += usize::from(state & USED << slot == 0);
                }
            }
        }
        Ok(())
    }

    /// The result that is memoised, and whether it is for this tag.
    #[inline(always)]
    pub(in crate::hashlife) fn peek(&self, node: u32, tag: u8) -> (u32, bool) {
        self.view().peek(node, tag)
    }

    /// The result for this tag; the first caller that finds none claims it.
    #[inline(always)]
    pub(in crate::hashlife) fn claim(&self, node: u32, tag: u8) -> ResultSlotState {
        self.slot(node).claim(tag)
    }

    /// Memoises a result. Its tag says which step it is for, so a change of step length neither
    /// clears nor walks the table.
    #[inline(always)]
    pub(in crate::hashlife) fn memoise(&self, node: u32, tag: u8, result: u32) {
        self.slot(node).publish(tag, result);
    }

    /// Releases a claim, if there is one.
    pub(in crate::hashlife) fn release_claim(&self, node: u32) {
        self.slot(node).release_claim();
    }

    /// Lines that have ever been used.
    pub(in crate::hashlife) fn used_lines(&self) -> usize {
        (self.bytes() / 64) as usize
    }

    /// The ids below which all nodes are that have ever been made.
    pub(in crate::hashlife) fn used_slots(&self) -> usize {
        SLOTS_PER_LINE * self.used_lines()
    }

    /// Clears all results with these tags.
    pub(in crate::hashlife) fn clear_results(&self, tags: RangeFrom<u8>) {
        let all = self.lines[..self.used_lines()].iter();
        for tag in all.flat_map(|line| &line.bytes[..NODES_PER_LINE]) {
            if tags.contains(&tag.load(Relaxed)) {
                tag.store(NO_RESULT, Relaxed);
            }
        }
    }

    /// The ids of all nodes.
    #[cfg(test)]
    pub(in crate::hashlife) fn all(&self) -> impl Iterator<Item = u32> {
        let lines = self.used_lines();
        let (mut nodes, mut pairs) = (
            vec![0; NODES_PER_LINE * lines],
            vec![EMPTY; NODES_PER_LINE * lines],
        );
        let count = self.list_nodes(0..lines, &mut nodes, &mut pairs);
        nodes.into_iter().take(count)
    }

    /// Lists the ids and the children of the nodes in some lines; returns how many there are.
    pub(in crate::hashlife) fn list_nodes(
        &self,
        lines: Range<usize>,
        nodes: &mut [u32],
        pairs: &mut [QuadrantPairs],
    ) -> usize {
        let mut count = 0;
        let table = self.view();
        for at in lines {
            let state = self.lines[at].bytes[3].load(Relaxed);
            for slot in 0..NODES_PER_LINE {
                let node = (at << 2 | slot) as u32;
                nodes[count] = node;
                pairs[count] = table.pairs(node);
                // Id 0 is the empty node.
                count += usize::from(state & USED << slot != 0 && node != 0);
            }
        }
        count
    }

    /// The ids of the nodes in a line, but for the empty node's.
    #[inline(always)]
    pub(in crate::hashlife) fn nodes_of_line(&self, at: usize) -> impl Iterator<Item = u32> {
        let state = self.lines[at].bytes[NODES_PER_LINE].load(Relaxed);
        let used = (0..NODES_PER_LINE).filter(move |slot| state & USED << slot != 0);
        used.map(move |slot| (at << 2 | slot) as u32)
            .filter(|&node| node != 0)
    }

    /// The result of the node in this slot, if there is a node and it has one.
    pub(in crate::hashlife) fn live_result(&self, node: u32) -> Option<u32> {
        let state = self.lines[(node >> 2) as usize].bytes[NODES_PER_LINE].load(Relaxed);
        let (tag, result) = self.result(node);
        (state & USED << (node & 3) != 0 && tag != NO_RESULT).then_some(result)
    }

    /// The tag and the result of a node.
    pub(in crate::hashlife) fn result(&self, node: u32) -> (u8, u32) {
        let slot = self.slot(node);
        let tag = slot.tag.load(Relaxed);
        let tag = if tag == CLAIMED { NO_RESULT } else { tag };
        (tag, slot.result.load(Relaxed))
    }

    /// Sweeps some lines: frees unmarked nodes, and clears results that are unmarked or were
    /// still being computed. Returns how many nodes are left. `kept` has a bit for each slot of a
    /// line; `left` is called with each line and a bit for each node that is left with a result.
    #[inline(always)]
    pub(in crate::hashlife) fn sweep(
        &self,
        lines: Range<usize>,
        kept: impl Fn(usize) -> u8,
        is_kept: impl Fn(u32) -> bool,
        mut left: impl FnMut(usize, u8),
    ) -> usize {
        let mut count = 0;
        // Without branches, which would mostly be predicted wrongly.
        for at in lines {
            let line = &self.lines[at];
            let [.., state_byte] = &line.bytes;
            let state = state_byte.load(Relaxed);
            let used = state & kept(at);
            let (mut known, mut changed) = (0, used ^ state);
            let mut tags = [NO_RESULT; NODES_PER_LINE];
            for (slot, left) in tags.iter_mut().enumerate() {
                let tag = line.bytes[slot].load(Relaxed);
                let has_result = used >> slot & USED == USED && tag != NO_RESULT && tag != CLAIMED;
                // A slot that is free may have the id of a leaf for which there is no room now.
                let result = line.halves[slot].load(Relaxed) * u32::from(has_result);
                let stays = u8::from(has_result & is_kept(result));
                *left = tag * stays;
                changed |= tag ^ *left;
                known |= stays << slot;
            }
            count += used.count_ones() as usize;
            if changed != 0 {
                for (byte, tag) in line.bytes.iter().zip(tags) {
                    byte.store(tag, Relaxed);
                }
                state_byte.store(used, Relaxed);
            }
            left(at, known);
        }
        count
    }

    /// Renames the children and the results of all nodes in some lines.
    pub(in crate::hashlife) fn rename(&self, lines: Range<usize>, renamed: impl Fn(u32) -> u32) {
        for line in &self.lines[lines] {
            for slot in 0..NODES_PER_LINE {
                let NodeFields {
                    pair: words, half, ..
                } = line.fields(slot);
                for word in words {
                    let two = word.load(Relaxed);
                    let (west, east) = (two as u32, (two >> 32) as u32);
                    word.store(pair(renamed(west), renamed(east)), Relaxed);
                }
                half.store(renamed(half.load(Relaxed)), Relaxed);
            }
        }
    }

    /// After the sweep of all lines: allocation starts again from the first.
    pub(in crate::hashlife) fn reset_allocation(&self) {
        self.touched.fetch_max(self.used_lines(), Relaxed);
        self.next.0.store(0, Relaxed);
    }
}

/// A read-only view of the table.
#[derive(Clone, Copy)]
pub(in crate::hashlife) struct NodeTableRef<'a>(NodeLineView<'a>);

impl<'a> NodeTableRef<'a> {
    /// The lines of the table.
    #[inline(always)]
    pub(in crate::hashlife) fn lines(self) -> NodeLineView<'a> {
        self.0
    }

    /// Prefetches a node's cache line.
    #[inline(always)]
    pub(in crate::hashlife) fn prefetch(self, node: u32) {
        self.0.fetch(node);
    }

    #[inline(always)]
    pub(in crate::hashlife) fn pairs(self, node: u32) -> QuadrantPairs {
        read_pairs::<NativePrimitives>(self.0.pair(node))
    }

    #[inline(always)]
    fn slot(self, node: u32) -> ResultSlot<'a> {
        ResultSlot::of(self.0.fields(node))
    }

    /// The children of a node, and [`NodeTable::peek`].
    #[inline(always)]
    pub(in crate::hashlife) fn read_node(self, node: u32, tag: u8) -> (QuadrantPairs, u32, bool) {
        let fields = self.0.fields(node);
        let pairs = read_pairs::<NativePrimitives>(fields.pair);
        let (result, is_known) = ResultSlot::of(fields).load(tag);
        (pairs, result, is_known | (node == 0))
    }

    /// Claims a node's result; whether nobody had claimed it before.
    #[inline(always)]
    pub(in crate::hashlife) fn claim(self, node: u32) -> bool {
        let slot = self.slot(node);
        let is_ours = slot.tag.load(Relaxed) != CLAIMED;
        slot.tag.store(CLAIMED, Relaxed);
        is_ours
    }

    /// [`NodeTable::peek`] for a node that is not empty.
    #[inline(always)]
    pub(in crate::hashlife) fn peek_nonempty(self, node: u32, tag: u8) -> (u32, bool) {
        self.slot(node).load(tag)
    }

    /// See [`NodeTable::peek`].
    #[inline(always)]
    pub(in crate::hashlife) fn peek(self, node: u32, tag: u8) -> (u32, bool) {
        // The empty node's result is the empty node.
        let (result, is_known) = self.slot(node).load(tag);
        (result, is_known | (node == 0))
    }
}
