//! Where squares are found by what they hold.
//!
//! A line of memory names up to twelve squares, with a byte of each one's hash, so that a
//! look-up touches one line of the index and, nearly always, no square but the right one.
//!
//! Several threads may add names at the same time, and none waits for another: if two write
//! to one line at once, names may be lost. A square whose name is lost is made again by who
//! looks for it, and its future worked out again; whatever has been found before is as right
//! as it was. Locks, which every new square would have to pay for, took about a tenth of the
//! time of two threads.
//!
//! A name is released when it is written, and acquired when it is read. So who finds a square
//! sees what it is made of and that it has no result yet, whatever lay in its place before;
//! and by the same argument all below it, which its maker had found or made. The bytes of
//! hashes and the counts are hints, and nothing rests on them. `model` tries this.

use super::nodes::NodeTableRef;
pub(super) use crate::arch::BucketProbe;
use crate::arch::{
    AtomicValue, IndexBucket, MappedArray, NAMES, SyncPrimitives, equal_bytes, find_names,
    find_spots, guess, prefetch,
};
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Squares that a line names.
const ROOM: usize = NAMES;

/// A bit for each of them...
const ALL: u32 = (1 << ROOM) - 1;

/// Where in a line's second word its state begins: the number of squares...
const STATE: u32 = 32;
/// ...and whether one that belongs here is named further on.
const WENT_ON: u64 = 1 << 40;

/// The index. It does not know what squares are: who looks up says whether one is right.
pub(super) struct BucketIndex {
    lines: MappedArray<IndexBucket>,
}

impl BucketIndex {
    /// For so many squares at first, and so many at most.
    pub(super) fn new(squares: usize, most: usize) -> Self {
        Self {
            lines: MappedArray::new(Self::lines_for(squares), Self::lines_for(most)),
        }
    }

    /// Makes room for so many squares. All names are wrong from then on: they are to be
    /// taken out, and put in anew.
    pub(super) fn grow(&mut self, squares: usize) {
        let lines = Self::lines_for(squares).max(self.lines.len());
        self.lines.grow(lines);
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> usize {
        self.lines.len()
    }

    fn lines_for(squares: usize) -> usize {
        // Up to four fifths full.
        (squares * 5).div_ceil(4 * ROOM).max(2)
    }

    /// Bytes that an index for so many squares takes.
    pub(super) fn bytes_for(squares: usize) -> u64 {
        64 * Self::lines_for(squares) as u64
    }

    /// How many squares it is for.
    pub(super) fn most(&self) -> usize {
        self.lines.len() * ROOM * 4 / 5
    }

    /// Takes the names out of some lines.
    pub(super) fn clear(&self, lines: Range<usize>) {
        for line in &self.lines[lines] {
            line.prints.iter().for_each(|print| print.store(0, Relaxed));
            line.squares
                .iter()
                .for_each(|square| square.store(0, Relaxed));
        }
    }

    /// Where a hash is looked for, as long as the index does not grow.
    #[inline(always)]
    pub(super) fn spot(&self, hash: u64) -> BucketProbe {
        BucketProbe::new(hash, self.lines.len())
    }

    /// [`BucketIndex::spot`] of many pairs, which are hashed. Their lines are asked for.
    #[inline(always)]
    pub(super) fn find_spots(&self, pairs: &[[u64; 2]], spots: &mut [BucketProbe]) {
        find_spots(&self.lines, pairs, spots);
    }

    /// [`BucketIndex::guess`] for many spots; the squares are asked for. Which are 0 is told in
    /// `missing`, as so many.
    #[inline(always)]
    pub(super) fn find_names(
        &self,
        squares: NodeTableRef<'_>,
        spots: &[BucketProbe],
        names: &mut [u32],
        missing: &mut [u32],
    ) -> usize {
        find_names(&self.lines, squares.lines(), spots, names, missing)
    }

    /// Asks for a spot's line.
    #[inline(always)]
    pub(super) fn expect(&self, spot: BucketProbe) {
        prefetch(self.lines.as_ptr().wrapping_add(spot.line()));
    }

    /// Asks for the line after a spot's, where there is more to look at.
    #[inline(always)]
    pub(super) fn expect_more(&self, spot: BucketProbe) {
        if words(&self.lines[spot.line()])[1] & WENT_ON != 0 {
            prefetch(
                self.lines
                    .as_ptr()
                    .wrapping_add(after(&self.lines, spot.line())),
            );
        }
    }

    /// The square that is most likely looked for at a spot; 0 if none.
    #[inline(always)]
    pub(super) fn guess(&self, spot: BucketProbe) -> u32 {
        guess(&self.lines[spot.line()], spot.print())
    }

    /// Whether, at a glance, no square is named for this spot.
    #[inline(always)]
    pub(super) fn is_sure_to_lack(&self, spot: BucketProbe) -> bool {
        let words = words(&self.lines[spot.line()]);
        equal_bytes(words, spot.print()) & ALL == 0 && words[1] & WENT_ON == 0
    }

    /// The square at this spot that is right; or a new one, which is named from then on.
    #[inline(always)]
    pub(super) fn seek<E>(
        &self,
        spot: BucketProbe,
        is_right: impl Fn(u32) -> bool,
        new: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        seek_in(&self.lines, spot, is_right, new)
    }

    /// Names a square that is not named yet.
    #[inline]
    pub(super) fn put(&self, spot: BucketProbe, square: u32) {
        put_from(&self.lines, spot.line(), spot.print(), square);
    }
}

#[inline(always)]
fn after<P: SyncPrimitives>(lines: &[IndexBucket<P>], line: usize) -> usize {
    if line + 1 == lines.len() { 0 } else { line + 1 }
}

/// [`BucketIndex::seek`] among these lines.
#[inline(always)]
pub(super) fn seek_in<P: SyncPrimitives, E>(
    lines: &[IndexBucket<P>],
    spot: BucketProbe,
    is_right: impl Fn(u32) -> bool,
    new: impl FnOnce() -> Result<u32, E>,
) -> Result<u32, E> {
    let mut at = spot.line();
    loop {
        let line = &lines[at];
        let words = words(line);
        if let Some(found) = find_in(line, words, spot.print(), &is_right) {
            return Ok(found);
        }
        if words[1] & WENT_ON == 0 {
            break;
        }
        at = after(lines, at);
    }
    let square = new()?;
    put_from(lines, at, spot.print(), square);
    Ok(square)
}

#[inline]
fn put_from<P: SyncPrimitives>(lines: &[IndexBucket<P>], mut at: usize, print: u8, square: u32) {
    while !put_in(&lines[at], print, square) {
        at = after(lines, at);
    }
}

/// Names a square in a line, if it has room; else the name is to be put in the next.
#[inline(always)]
fn put_in<P: SyncPrimitives>(line: &IndexBucket<P>, print: u8, square: u32) -> bool {
    let state = line.prints[1].load(Relaxed);
    let slot = (state >> STATE) as usize & 0xff;
    if slot >= ROOM {
        line.prints[1].store(state | WENT_ON, Relaxed);
        return false;
    }
    // Whoever sees the square sees what it is made of.
    line.squares[slot].store(square, Release);
    let print = u64::from(print) << (8 * (slot % 8));
    if slot < 8 {
        let before = line.prints[0].load(Relaxed);
        line.prints[0].store(before | print, Release);
        line.prints[1].store(state + (1 << STATE), Relaxed);
    } else {
        line.prints[1].store((state | print) + (1 << STATE), Release);
    }
    true
}

#[inline(always)]
fn words<P: SyncPrimitives>(line: &IndexBucket<P>) -> [u64; 2] {
    [line.prints[0].load(Acquire), line.prints[1].load(Acquire)]
}

#[inline(always)]
fn find_in<P: SyncPrimitives>(
    line: &IndexBucket<P>,
    words: [u64; 2],
    print: u8,
    is_right: &impl Fn(u32) -> bool,
) -> Option<u32> {
    let mut all = equal_bytes(words, print) & ALL;
    while all != 0 {
        let slot = (all.trailing_zeros() as usize).min(ROOM - 1);
        let square = line.squares[slot].load(Acquire);
        if square != 0 && is_right(square) {
            return Some(square);
        }
        all &= all - 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::mix;
    use std::sync::atomic::{AtomicU64, AtomicUsize};
    use std::thread;

    /// Some threads look for the same squares in a small index, at once and in the same order,
    /// and make those that they do not find: whatever they lose to each other, what is found
    /// is what was looked for.
    #[test]
    fn what_threads_that_add_names_at_once_find_is_right() {
        const KEYS: u64 = 3000;
        const THREADS: u64 = 4;
        // Each looks twice for each, and finds none at worst; and once more at the end.
        let all = ((2 * THREADS + 1) * KEYS) as usize;
        let index = BucketIndex::new(all + 1, all + 1);
        let made: Vec<AtomicU64> = (0..=all).map(|_| AtomicU64::new(u64::MAX)).collect();
        let next = AtomicUsize::new(1);
        let find = |key: u64| {
            let is_right = |square: u32| made[square as usize].load(Relaxed) == key;
            let new = || {
                let square = next.fetch_add(1, Relaxed);
                made[square].store(key, Relaxed);
                Ok::<u32, ()>(square as u32)
            };
            index.seek(index.spot(mix([key, key])), is_right, new)
        };
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for key in 0..KEYS {
                        let square = find(key).unwrap();
                        assert_eq!(made[square as usize].load(Relaxed), key);
                        assert_eq!(made[find(key).unwrap() as usize].load(Relaxed), key);
                    }
                });
            }
        });
        // One alone loses none: what it makes the first time, it finds the second.
        let look_for_all = || {
            for key in 0..KEYS {
                let square = find(key).unwrap();
                assert_eq!(made[square as usize].load(Relaxed), key);
            }
            next.load(Relaxed)
        };
        let known = look_for_all();
        assert!(known > KEYS as usize);
        assert_eq!(look_for_all(), known);
    }
}
