//! The squares above the leaves, in the order in which they were first met.
//!
//! What is met together is needed together, so that one line of memory often answers for
//! two. A line has room for three:
//!
//! ```text
//! words 0 1   2 3   4 5    the quadrants of each: north-west and north-east, then
//!                          south-west and south-east
//! halves 0  1  2           the result of each: its middle, half as wide, later
//! bytes 0   1  2           a tag for each result
//! byte 3                   which are used
//! ```

use super::store::StoreCapacityError;
use crate::arch::{
    AtomicValue, MappedArray, NativePrimitives, NodeFields, NodeLine, NodeLineView, SyncPrimitives,
};
use std::ops::{Range, RangeFrom};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Squares in a line.
pub(super) const NODES_PER_LINE: usize = 3;

/// In the state of a line: the first of the bits that tell which squares are there.
const USED: u8 = 1;

/// A tag: there is no result.
pub(super) const NO_RESULT: u8 = 0;
/// A tag: somebody is working the result out.
const CLAIMED: u8 = u8::MAX;

/// What is known of a square's future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultSlotState {
    /// The result.
    Done(u32),
    /// Nothing; who asked has to work it out.
    Empty,
    /// Nothing; who asked before works it out.
    Pending,
}

/// What a square's line holds of its result.
///
/// A result is released when it is written, and acquired when it is read. The tag alone would
/// not do: where two workers finish a square, they may come to results that are equal and are
/// two squares (see the index), and who reads the tag of one may read the result of the other.
/// Whichever it is, its reader sees what it is made of.
///
/// The tag is released after the result, and acquired before it, so that nobody takes a result
/// of an earlier step for what the tag tells of. A result of a later one is not there: all who
/// share a square's tag at one time ask for the same (`crew::take` sees to it), and between
/// steps there is one thread. Claims publish nothing, and are relaxed: one that is lost to
/// another costs time. `model` tries all of it.
pub(super) struct ResultSlot<'a, P: SyncPrimitives = NativePrimitives> {
    result: &'a P::U32,
    tag: &'a P::U8,
}

impl<'a, P: SyncPrimitives> ResultSlot<'a, P> {
    #[inline(always)]
    pub(super) fn of(fields: NodeFields<'a, P>) -> Self {
        Self {
            result: fields.half,
            tag: fields.byte,
        }
    }

    /// The result, and whether it is for this tag.
    #[inline(always)]
    pub(super) fn load(&self, tag: u8) -> (u32, bool) {
        let has = self.tag.load(Acquire);
        (self.result.load(Acquire), has == tag)
    }

    /// The result for this tag; or else whoever asks first is to work it out.
    #[inline(always)]
    pub(super) fn claim(&self, tag: u8) -> ResultSlotState {
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

    /// Keeps a result for this tag.
    #[inline(always)]
    pub(super) fn publish(&self, tag: u8, result: u32) {
        self.result.store(result, Release);
        self.tag.store(tag, Release);
    }

    /// Takes a claim back, if there is one.
    pub(super) fn release_claim(&self) {
        if self.tag.load(Relaxed) == CLAIMED {
            self.tag.store(NO_RESULT, Relaxed);
        }
    }
}

/// Writes a new square: what it is made of, and that it has no result. It is for its maker
/// alone until the index names it.
#[inline(always)]
pub(super) fn write_node<P: SyncPrimitives>(fields: NodeFields<'_, P>, pairs: QuadrantPairs) {
    let [north, south] = fields.pair;
    north.store(pairs[0], Relaxed);
    south.store(pairs[1], Relaxed);
    fields.byte.store(NO_RESULT, Relaxed);
}

/// What a square is made of.
#[inline(always)]
pub(super) fn read_pairs<P: SyncPrimitives>([north, south]: &[P::U64; 2]) -> QuadrantPairs {
    [north.load(Relaxed), south.load(Relaxed)]
}

/// Lines that are taken at once.
const LINES_PER_RESERVATION: usize = 8;

/// Places for new squares, in lines that were taken.
#[derive(Debug, Default)]
pub(super) struct NodeReservation {
    ids: [u32; NODES_PER_LINE * LINES_PER_RESERVATION],
    /// How many of them there were, and how many are used by now.
    count: usize,
    used: usize,
}

/// What is written often, apart from what is read often.
#[repr(align(128))]
pub(super) struct CachePadded<T>(pub(super) T);

/// All of them. Reference 0 is the empty square of any size.
pub(super) struct NodeTable {
    lines: MappedArray<NodeLine>,
    /// The line in which the next free place is looked for.
    next: CachePadded<AtomicUsize>,
    /// How many lines have ever been used.
    touched: AtomicUsize,
}

/// The northern and the southern quadrants of a square: the western one in the lower half.
pub(super) type QuadrantPairs = [u64; 2];

/// The empty square's.
pub(super) const EMPTY: QuadrantPairs = [0, 0];

#[inline(always)]
pub(super) fn pair(west: u32, east: u32) -> u64 {
    u64::from(west) | u64::from(east) << 32
}

#[inline(always)]
pub(super) fn pairs([nw, ne, sw, se]: [u32; 4]) -> QuadrantPairs {
    [pair(nw, ne), pair(sw, se)]
}

#[inline(always)]
pub(super) fn quadrants([north, south]: QuadrantPairs) -> [u32; 4] {
    let (nw, ne) = (north as u32, (north >> 32) as u32);
    [nw, ne, south as u32, (south >> 32) as u32]
}

impl NodeTable {
    /// So many lines at first, and so many at most.
    pub(super) fn new(lines: usize, most: usize) -> Self {
        let nodes = Self {
            lines: MappedArray::new(lines, most),
            next: CachePadded(AtomicUsize::new(0)),
            touched: AtomicUsize::new(0),
        };
        nodes.lines[0].bytes[3].store(USED, Relaxed);
        nodes
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is no free place in the lines that there are.
    pub(super) fn is_full(&self) -> bool {
        self.next.0.load(Relaxed) >= self.lines.len()
    }

    /// How many lines have been filled since the last collection.
    pub(super) fn filled_lines(&self) -> usize {
        self.next.0.load(Relaxed).min(self.lines.len())
    }

    /// Makes them more.
    pub(super) fn grow(&mut self, lines: usize) {
        self.lines.grow(lines);
    }

    /// Bytes that have ever been used.
    pub(super) fn bytes(&self) -> u64 {
        64 * self.touched.load(Relaxed).max(self.filled_lines()) as u64
    }

    /// All of them, for a loop that looks at many.
    #[inline(always)]
    pub(super) fn view(&self) -> NodeTableRef<'_> {
        NodeTableRef(self.lines.lines())
    }

    #[inline(always)]
    fn slot(&self, node: u32) -> ResultSlot<'_> {
        self.view().slot(node)
    }

    /// Asks for a square's line.
    #[inline(always)]
    pub(super) fn prefetch(&self, node: u32) {
        self.view().prefetch(node);
    }

    /// The quadrants of a square; all empty for the empty one.
    #[inline(always)]
    pub(super) fn children(&self, node: u32) -> [u32; 4] {
        quadrants(self.pairs(node))
    }

    #[inline(always)]
    pub(super) fn pairs(&self, node: u32) -> QuadrantPairs {
        self.view().pairs(node)
    }

    /// A new square with these quadrants.
    #[inline(always)]
    pub(super) fn allocate(
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

    /// Takes some lines, and what is free there. Side by side they are there sooner than one
    /// after the other.
    #[inline(never)]
    fn reserve(&self, reservation: &mut NodeReservation) -> Result<(), StoreCapacityError> {
        (reservation.count, reservation.used) = (0, 0);
        while reservation.count == 0 {
            let first = self.next.0.fetch_add(LINES_PER_RESERVATION, Relaxed);
            if first >= self.lines.len() {
                self.next.0.store(self.lines.len(), Relaxed);
                return Err(StoreCapacityError);
            }
            for at in first..(first + LINES_PER_RESERVATION).min(self.lines.len()) {
                let state = self.lines[at].bytes[NODES_PER_LINE].load(Relaxed);
                for slot in 0..NODES_PER_LINE {
                    reservation.ids[reservation.count] = (at << 2 | slot) as u32;
                    reservation.count += usize::from(state & USED << slot == 0);
                }
            }
        }
        Ok(())
    }

    /// What is known of a square's future, as far as it is told at once: the result for the
    /// tag, and whether it is one.
    #[inline(always)]
    pub(super) fn peek(&self, node: u32, tag: u8) -> (u32, bool) {
        self.view().peek(node, tag)
    }

    /// The result that a square has for this tag; or else whoever asks first is to work it
    /// out.
    #[inline(always)]
    pub(super) fn claim(&self, node: u32, tag: u8) -> ResultSlotState {
        self.slot(node).claim(tag)
    }

    /// Keeps a result. The tag says which step it is of, so that a change of step neither
    /// clears nor walks the table: a square whose last result was for another step simply
    /// does not answer.
    #[inline(always)]
    pub(super) fn memoise(&self, node: u32, tag: u8, result: u32) {
        self.slot(node).publish(tag, result);
    }

    /// Takes a claim back, if there is one.
    pub(super) fn release_claim(&self, node: u32) {
        self.slot(node).release_claim();
    }

    /// How many lines have been used.
    pub(super) fn used_lines(&self) -> usize {
        (self.bytes() / 64) as usize
    }

    /// Forgets the results with these tags.
    pub(super) fn clear_results(&self, tags: RangeFrom<u8>) {
        let all = self.lines[..self.used_lines()].iter();
        for tag in all.flat_map(|line| &line.bytes[..NODES_PER_LINE]) {
            if tags.contains(&tag.load(Relaxed)) {
                tag.store(NO_RESULT, Relaxed);
            }
        }
    }

    /// All squares, by reference.
    #[cfg(test)]
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        let lines = self.used_lines();
        let (mut nodes, mut pairs) = (
            vec![0; NODES_PER_LINE * lines],
            vec![EMPTY; NODES_PER_LINE * lines],
        );
        let count = self.list_nodes(0..lines, &mut nodes, &mut pairs);
        nodes.into_iter().take(count)
    }

    /// Lists the squares of some lines, by reference, and what they are made of: so many.
    pub(super) fn list_nodes(
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
                // The first stands for the empty square.
                count += usize::from(state & USED << slot != 0 && node != 0);
            }
        }
        count
    }

    /// The result of a place's square, if there is a square, and it has one.
    pub(super) fn live_result(&self, node: u32) -> Option<u32> {
        let state = self.lines[(node >> 2) as usize].bytes[NODES_PER_LINE].load(Relaxed);
        let (tag, result) = self.result(node);
        (state & USED << (node & 3) != 0 && tag != NO_RESULT).then_some(result)
    }

    /// The tag and the result of a square.
    pub(super) fn result(&self, node: u32) -> (u8, u32) {
        let slot = self.slot(node);
        let tag = slot.tag.load(Relaxed);
        let tag = if tag == CLAIMED { NO_RESULT } else { tag };
        (tag, slot.result.load(Relaxed))
    }

    /// Of some lines, frees the squares that are not kept, and forgets results that are not,
    /// or that somebody was still working out. How many squares are left.
    pub(super) fn sweep(&self, lines: Range<usize>, kept: impl Fn(u32) -> bool) -> usize {
        let mut left = 0;
        for at in lines {
            let line = &self.lines[at];
            let state = line.bytes[3].load(Relaxed);
            let mut used = 0;
            for slot in 0..NODES_PER_LINE {
                let node = (at << 2 | slot) as u32;
                if state & USED << slot == 0 || node != 0 && !kept(node) {
                    continue;
                }
                used |= USED << slot;
                left += 1;
                let (tag, result) = (&line.bytes[slot], line.halves[slot].load(Relaxed));
                let has = tag.load(Relaxed);
                if has == CLAIMED || has != NO_RESULT && result != 0 && !kept(result) {
                    tag.store(NO_RESULT, Relaxed);
                }
            }
            line.bytes[3].store(used, Relaxed);
        }
        left
    }

    /// After all lines were swept: new squares take the places that are free now.
    pub(super) fn reset_allocation(&self) {
        self.touched.fetch_max(self.used_lines(), Relaxed);
        self.next.0.store(0, Relaxed);
    }
}

/// All squares, to be looked at.
#[derive(Clone, Copy)]
pub(super) struct NodeTableRef<'a>(NodeLineView<'a>);

impl<'a> NodeTableRef<'a> {
    /// The lines that they are in.
    #[inline(always)]
    pub(super) fn lines(self) -> NodeLineView<'a> {
        self.0
    }

    /// Asks for a square's line.
    #[inline(always)]
    pub(super) fn prefetch(self, node: u32) {
        self.0.fetch(node);
    }

    #[inline(always)]
    pub(super) fn pairs(self, node: u32) -> QuadrantPairs {
        read_pairs::<NativePrimitives>(self.0.pair(node))
    }

    #[inline(always)]
    fn slot(self, node: u32) -> ResultSlot<'a> {
        ResultSlot::of(self.0.fields(node))
    }

    /// What a square is made of, and what [`NodeTable::peek`] tells.
    #[inline(always)]
    pub(super) fn read_node(self, node: u32, tag: u8) -> (QuadrantPairs, u32, bool) {
        let fields = self.0.fields(node);
        let pairs = read_pairs::<NativePrimitives>(fields.pair);
        let (result, is_known) = ResultSlot::of(fields).load(tag);
        (pairs, result, is_known | (node == 0))
    }

    /// Whether nobody works a square's future out yet; from now on, somebody does.
    #[inline(always)]
    pub(super) fn claim(self, node: u32) -> bool {
        let slot = self.slot(node);
        let is_ours = slot.tag.load(Relaxed) != CLAIMED;
        slot.tag.store(CLAIMED, Relaxed);
        is_ours
    }

    /// [`NodeTable::peek`] at a square that is not empty.
    #[inline(always)]
    pub(super) fn peek_nonempty(self, node: u32, tag: u8) -> (u32, bool) {
        self.slot(node).load(tag)
    }

    /// See [`NodeTable::peek`].
    #[inline(always)]
    pub(super) fn peek(self, node: u32, tag: u8) -> (u32, bool) {
        // Nothing becomes nothing, and node 0 has no other result.
        let (result, is_known) = self.slot(node).load(tag);
        (result, is_known | (node == 0))
    }
}
