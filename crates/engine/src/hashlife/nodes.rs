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
//! byte 3                   which are used, and which are marked
//! ```

use super::store::{Full, fold};
use crate::arch::{Line, Pages, prefetch};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicUsize};

/// Squares in a line.
pub(super) const ROOM: usize = 3;

/// In the state of a line: the first of the bits that tell which squares are there...
const USED: u8 = 1;
/// ...and which were reached by the collection under way.
const MARKED: u8 = 1 << 3;

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

/// Places for new squares: what is free in one line.
#[derive(Debug, Default)]
pub(super) struct Places {
    line: usize,
    free: u8,
}

/// All of them. Reference 0 is the empty square of any size.
pub(super) struct Nodes {
    lines: Pages<Line>,
    /// The line in which the next free place is looked for.
    next: AtomicUsize,
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
            next: AtomicUsize::new(0),
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
        self.next.load(Relaxed) >= self.lines.len()
    }

    /// Makes them more.
    pub(super) fn grow(&mut self, lines: usize) {
        self.lines.grow(lines);
    }

    /// Bytes that have ever been used.
    pub(super) fn bytes(&self) -> u64 {
        let next = self.next.load(Relaxed).min(self.lines.len());
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

    fn state(&self, node: u32) -> &AtomicU8 {
        &self.line(node).bytes[3]
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
        let (line, at) = (self.line(node), 2 * slot(node));
        [
            line.words[at].load(Relaxed),
            line.words[at + 1].load(Relaxed),
        ]
    }

    /// A new square with these quadrants.
    pub(super) fn make(&self, pairs: Pairs, places: &mut Places) -> Result<u32, Full> {
        while places.free == 0 {
            places.line = self.next.fetch_add(1, Relaxed);
            let Some(line) = self.lines.get(places.line) else {
                self.next.store(self.lines.len(), Relaxed);
                return Err(Full);
            };
            places.free = !line.bytes[3].load(Relaxed) & 7;
        }
        let slot = places.free.trailing_zeros() as usize;
        places.free &= places.free - 1;
        let line = &self.lines[places.line];
        line.words[2 * slot].store(pairs[0], Relaxed);
        line.words[2 * slot + 1].store(pairs[1], Relaxed);
        line.bytes[slot].store(NO_RESULT, Relaxed);
        let state = line.bytes[3].load(Relaxed);
        line.bytes[3].store(state | USED << slot, Relaxed);
        Ok((places.line << 2 | slot) as u32)
    }

    /// What is known of a square's future, as far as it is told at once: the result for the
    /// tag, and whether it is one.
    #[inline(always)]
    pub(super) fn peek(&self, node: u32, tag: u8) -> (u32, bool) {
        let (line, slot) = (self.line(node), slot(node));
        let has = line.bytes[slot].load(Relaxed);
        let result = line.halves[slot].load(Relaxed);
        // Nothing becomes nothing, and node 0 has no other result.
        (result, has == tag || node == 0)
    }

    /// The result that a square has for this tag; or else whoever asks first is to work it
    /// out.
    #[inline(always)]
    pub(super) fn claim(&self, node: u32, tag: u8) -> Claim {
        let (line, slot) = (self.line(node), slot(node));
        let has = line.bytes[slot].load(Relaxed);
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
        line.bytes[slot].store(tag, Relaxed);
    }

    /// Takes a claim back, if there is one.
    pub(super) fn disclaim(&self, node: u32) {
        let tag = self.tag(node);
        if tag.load(Relaxed) == CLAIMED {
            tag.store(NO_RESULT, Relaxed);
        }
    }

    /// Lines that have been used.
    fn used_lines(&self) -> &[Line] {
        &self.lines[..(self.bytes() / 64) as usize]
    }

    /// Forgets the results with these tags.
    pub(super) fn forget(&self, tags: std::ops::Range<u8>) {
        let all = self.used_lines().iter();
        for tag in all.flat_map(|line| &line.bytes[..ROOM]) {
            if tags.contains(&tag.load(Relaxed)) {
                tag.store(NO_RESULT, Relaxed);
            }
        }
    }

    /// All squares, by reference.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        let here = |(at, line): (usize, &Line)| {
            let state = line.bytes[3].load(Relaxed);
            let slots = (0..ROOM).filter(move |slot| state & USED << slot != 0);
            slots.map(move |slot| (at << 2 | slot) as u32)
        };
        // The first stands for the empty square.
        self.used_lines().iter().enumerate().flat_map(here).skip(1)
    }

    /// The tag and the result of a square.
    pub(super) fn result(&self, node: u32) -> (u8, u32) {
        let tag = self.tag(node).load(Relaxed);
        let tag = if tag == CLAIMED { NO_RESULT } else { tag };
        (tag, self.line(node).halves[slot(node)].load(Relaxed))
    }

    /// Marks a square. Whether it was not yet.
    pub(super) fn mark(&self, node: u32) -> bool {
        let (state, mark) = (self.state(node), MARKED << slot(node));
        let is = state.load(Relaxed);
        state.store(is | mark, Relaxed);
        is & mark == 0
    }

    pub(super) fn is_marked(&self, node: u32) -> bool {
        self.state(node).load(Relaxed) & MARKED << slot(node) != 0
    }

    /// Frees all that is not marked, and takes the marks away. Of the results of the rest,
    /// those stay that are `kept`. How many squares are left.
    pub(super) fn sweep(&self, kept: impl Fn(u32) -> bool) -> usize {
        let lines = self.used_lines();
        // Results first: what they name is told by its mark.
        for line in lines {
            for (tag, result) in line.bytes[..ROOM].iter().zip(&line.halves) {
                let (has, result) = (tag.load(Relaxed), result.load(Relaxed));
                if has == CLAIMED || has != NO_RESULT && result != 0 && !kept(result) {
                    tag.store(NO_RESULT, Relaxed);
                }
            }
        }
        let mut left = 0;
        for (at, line) in lines.iter().enumerate() {
            let state = line.bytes[3].load(Relaxed);
            let empty = if at == 0 { USED } else { 0 };
            let used = state & state >> 3 & 7 | empty;
            left += used.count_ones() as usize;
            line.bytes[3].store(used, Relaxed);
        }
        self.touched.fetch_max(lines.len(), Relaxed);
        self.next.store(0, Relaxed);
        left
    }
}

/// Which of a line's squares it is.
#[inline(always)]
fn slot(node: u32) -> usize {
    // No reference ends in 3; said so that no check is needed.
    ((node & 3) as usize).min(ROOM - 1)
}
