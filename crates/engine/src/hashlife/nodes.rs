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

use super::store::{Full, fold};
use crate::arch::{Line, Pages, prefetch};
use std::ops::{Range, RangeFrom};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicUsize};

/// Squares in a line.
pub(super) const ROOM: usize = 3;

/// In the state of a line: the first of the bits that tell which squares are there.
const USED: u8 = 1;

/// A tag: there is no result.
pub(super) const NO_RESULT: u8 = 0;
/// A tag: somebody is working the result out.
const CLAIMED: u8 = u8::MAX;

/// What is known of a square's future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// The result.
    Known(u32),
    /// Nothing; who asked has to work it out.
    Ours,
    /// Nothing; who asked before works it out.
    Others,
}

/// Lines that one of several workers takes at once.
const MANY: usize = 16;

/// Places for new squares: what is free in one line, and the lines to look at next.
#[derive(Debug, Default)]
pub(super) struct Places {
    line: usize,
    free: u8,
    next: Range<usize>,
}

/// What is written often, apart from what is read often.
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

/// All of them. Reference 0 is the empty square of any size.
pub(super) struct Nodes {
    lines: Pages<Line>,
    /// The line in which the next free place is looked for.
    next: Apart<AtomicUsize>,
    /// How many lines have ever been used.
    touched: AtomicUsize,
}

/// The northern and the southern quadrants of a square: the western one in the lower half.
pub(super) type Pairs = [u64; 2];

/// The empty square's.
pub(super) const EMPTY: Pairs = [0, 0];

#[inline(always)]
pub(super) fn mix([north, south]: Pairs) -> u64 {
    fold(north, south.rotate_left(19))
}

#[inline(always)]
pub(super) fn pair(west: u32, east: u32) -> u64 {
    u64::from(west) | u64::from(east) << 32
}

#[inline(always)]
pub(super) fn pairs([nw, ne, sw, se]: [u32; 4]) -> Pairs {
    [pair(nw, ne), pair(sw, se)]
}

#[inline(always)]
pub(super) fn quadrants([north, south]: Pairs) -> [u32; 4] {
    let (nw, ne) = (north as u32, (north >> 32) as u32);
    [nw, ne, south as u32, (south >> 32) as u32]
}

impl Nodes {
    /// So many lines at first, and so many at most.
    pub(super) fn new(lines: usize, most: usize) -> Self {
        let nodes = Self {
            lines: Pages::new(lines, most),
            next: Apart(AtomicUsize::new(0)),
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

    /// Makes them more.
    pub(super) fn grow(&mut self, lines: usize) {
        self.lines.grow(lines);
    }

    /// Bytes that have ever been used.
    pub(super) fn bytes(&self) -> u64 {
        let next = self.next.0.load(Relaxed).min(self.lines.len());
        64 * self.touched.load(Relaxed).max(next) as u64
    }

    #[inline(always)]
    fn line(&self, node: u32) -> &Line {
        &self.lines[(node >> 2) as usize]
    }

    #[inline(always)]
    fn tag(&self, node: u32) -> &AtomicU8 {
        &self.line(node).bytes[slot(node)]
    }

    /// Asks for a square's line.
    #[inline(always)]
    pub(super) fn fetch(&self, node: u32) {
        prefetch(self.line(node));
    }

    /// The quadrants of a square; all empty for the empty one.
    #[inline(always)]
    pub(super) fn children(&self, node: u32) -> [u32; 4] {
        quadrants(self.pairs(node))
    }

    #[inline(always)]
    pub(super) fn pairs(&self, node: u32) -> Pairs {
        let [north, south] = self.lines.pair(node as usize);
        [north.load(Relaxed), south.load(Relaxed)]
    }

    /// A new square with these quadrants.
    pub(super) fn make(
        &self,
        pairs: Pairs,
        places: &mut Places,
        is_shared: bool,
    ) -> Result<u32, Full> {
        while places.free == 0 {
            if places.next.is_empty() {
                let many = if is_shared { MANY } else { 1 };
                let next = self.next.0.fetch_add(many, Relaxed);
                places.next = next..next + many;
            }
            places.line = places.next.start;
            places.next.start += 1;
            let Some(line) = self.lines.get(places.line) else {
                self.next.0.store(self.lines.len(), Relaxed);
                places.next = 0..0;
                return Err(Full);
            };
            places.free = !line.bytes[3].load(Relaxed) & 7;
        }
        let slot = places.free.trailing_zeros() as usize;
        places.free &= places.free - 1;
        let node = places.line << 2 | slot;
        let line = &self.lines[places.line];
        let [north, south] = self.lines.pair(node);
        north.store(pairs[0], Relaxed);
        south.store(pairs[1], Relaxed);
        line.bytes[slot].store(NO_RESULT, Relaxed);
        let state = line.bytes[3].load(Relaxed);
        line.bytes[3].store(state | USED << slot, Relaxed);
        Ok(node as u32)
    }

    /// What is known of a square's future, as far as it is told at once: the result for the
    /// tag, and whether it is one.
    #[inline(always)]
    pub(super) fn peek(&self, node: u32, tag: u8) -> (u32, bool) {
        let (line, slot) = (self.line(node), slot(node));
        let has = line.bytes[slot].load(Acquire);
        let result = line.halves[slot].load(Relaxed);
        // Nothing becomes nothing, and node 0 has no other result.
        (result, has == tag || node == 0)
    }

    /// The result that a square has for this tag; or else whoever asks first is to work it
    /// out.
    #[inline(always)]
    pub(super) fn claim(&self, node: u32, tag: u8) -> Claim {
        let (line, slot) = (self.line(node), slot(node));
        let has = line.bytes[slot].load(Acquire);
        if has == tag {
            return Claim::Known(line.halves[slot].load(Relaxed));
        }
        if has == CLAIMED {
            return Claim::Others;
        }
        line.bytes[slot].store(CLAIMED, Relaxed);
        Claim::Ours
    }

    /// Keeps a result. The tag says which step it is of, so that a change of step neither
    /// clears nor walks the table: a square whose last result was for another step simply
    /// does not answer.
    #[inline(always)]
    pub(super) fn remember(&self, node: u32, tag: u8, result: u32) {
        let (line, slot) = (self.line(node), slot(node));
        line.halves[slot].store(result, Relaxed);
        line.bytes[slot].store(tag, Release);
    }

    /// Takes a claim back, if there is one.
    pub(super) fn disclaim(&self, node: u32) {
        let tag = self.tag(node);
        if tag.load(Relaxed) == CLAIMED {
            tag.store(NO_RESULT, Relaxed);
        }
    }

    /// How many lines have been used.
    pub(super) fn used_lines(&self) -> usize {
        (self.bytes() / 64) as usize
    }

    /// Forgets the results with these tags.
    pub(super) fn forget(&self, tags: RangeFrom<u8>) {
        let all = self.lines[..self.used_lines()].iter();
        for tag in all.flat_map(|line| &line.bytes[..ROOM]) {
            if tags.contains(&tag.load(Relaxed)) {
                tag.store(NO_RESULT, Relaxed);
            }
        }
    }

    /// All squares, by reference.
    #[cfg(test)]
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        self.of_lines(0..self.used_lines())
    }

    /// The squares of some lines, by reference.
    #[inline(always)]
    pub(super) fn of_lines(&self, lines: Range<usize>) -> impl Iterator<Item = u32> {
        let first = lines.start;
        let slots = self.lines[lines]
            .iter()
            .enumerate()
            .flat_map(move |(at, line)| {
                let state = line.bytes[3].load(Relaxed);
                (0..ROOM).map(move |slot| (state & USED << slot != 0, (first + at) << 2 | slot))
            });
        // The first stands for the empty square.
        slots.filter_map(|(is_used, node)| (is_used && node != 0).then_some(node as u32))
    }

    /// The tag and the result of a square.
    pub(super) fn result(&self, node: u32) -> (u8, u32) {
        let tag = self.tag(node).load(Relaxed);
        let tag = if tag == CLAIMED { NO_RESULT } else { tag };
        (tag, self.line(node).halves[slot(node)].load(Relaxed))
    }

    /// Of some lines, frees the squares that are not kept, and forgets results that are not,
    /// or that somebody was still working out. How many squares are left.
    pub(super) fn sweep(&self, lines: Range<usize>, kept: impl Fn(u32) -> bool) -> usize {
        let mut left = 0;
        for at in lines {
            let line = &self.lines[at];
            let state = line.bytes[3].load(Relaxed);
            let mut used = 0;
            for slot in 0..ROOM {
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
    pub(super) fn begin_anew(&self) {
        self.touched.fetch_max(self.used_lines(), Relaxed);
        self.next.0.store(0, Relaxed);
    }
}

/// Which of a line's squares it is.
#[inline(always)]
fn slot(node: u32) -> usize {
    // No reference ends in 3; said so that no check is needed.
    ((node & 3) as usize).min(ROOM - 1)
}
