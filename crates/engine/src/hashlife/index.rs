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
const SLOTS: usize = NAMES;

/// A bit for each of them...
const ALL_SLOTS: u32 = (1 << SLOTS) - 1;

/// Where in a line's second word its state begins: the number of squares...
const STATE_SHIFT: u32 = 32;
/// ...and whether one that belongs here is named further on.
const OVERFLOWED: u64 = 1 << 40;

/// The index. It does not know what squares are: who looks up says whether one is right.
pub(super) struct BucketIndex {
    buckets: MappedArray<IndexBucket>,
}

impl BucketIndex {
    /// For so many squares at first, and so many at most.
    pub(super) fn new(entries: usize, most: usize) -> Self {
        Self {
            buckets: MappedArray::new(Self::buckets_for(entries), Self::buckets_for(most)),
        }
    }

    /// Makes room for so many squares. All names are wrong from then on: they are to be
    /// taken out, and put in anew.
    pub(super) fn grow(&mut self, entries: usize) {
        let buckets = Self::buckets_for(entries).max(self.buckets.len());
        self.buckets.grow(buckets);
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.buckets.len()
    }

    fn buckets_for(entries: usize) -> usize {
        // Up to four fifths full.
        (entries * 5).div_ceil(4 * SLOTS).max(2)
    }

    /// Bytes that an index for so many squares takes.
    pub(super) fn bytes_for(entries: usize) -> u64 {
        64 * Self::buckets_for(entries) as u64
    }

    /// How many squares it is for.
    pub(super) fn capacity(&self) -> usize {
        self.buckets.len() * SLOTS * 4 / 5
    }

    /// Takes the names out of some lines.
    pub(super) fn clear(&self, buckets: Range<usize>) {
        for bucket in &self.buckets[buckets] {
            bucket
                .prints
                .iter()
                .for_each(|fingerprint| fingerprint.store(0, Relaxed));
            bucket.squares.iter().for_each(|id| id.store(0, Relaxed));
        }
    }

    /// Where a hash is looked for, as long as the index does not grow.
    #[inline(always)]
    pub(super) fn probe(&self, hash: u64) -> BucketProbe {
        BucketProbe::new(hash, self.buckets.len())
    }

    /// [`BucketIndex::probe`] of many pairs, which are hashed. Their lines are asked for.
    #[inline(always)]
    pub(super) fn probe_all(&self, pairs: &[[u64; 2]], probes: &mut [BucketProbe]) {
        find_spots(&self.buckets, pairs, probes);
    }

    /// [`BucketIndex::guess`] for many spots; the squares are asked for. Which are 0 is told in
    /// `missing`, as so many.
    #[inline(always)]
    pub(super) fn find_candidates(
        &self,
        nodes: NodeTableRef<'_>,
        probes: &[BucketProbe],
        candidates: &mut [u32],
        missing: &mut [u32],
    ) -> usize {
        find_names(&self.buckets, nodes.lines(), probes, candidates, missing)
    }

    /// Asks for a spot's line.
    #[inline(always)]
    pub(super) fn prefetch_bucket(&self, probe: BucketProbe) {
        prefetch(self.buckets.as_ptr().wrapping_add(probe.line()));
    }

    /// Asks for the line after a spot's, where there is more to look at.
    #[inline(always)]
    pub(super) fn prefetch_overflow(&self, probe: BucketProbe) {
        if words(&self.buckets[probe.line()])[1] & OVERFLOWED != 0 {
            prefetch(
                self.buckets
                    .as_ptr()
                    .wrapping_add(next_bucket(&self.buckets, probe.line())),
            );
        }
    }

    /// The square that is most likely looked for at a spot; 0 if none.
    #[inline(always)]
    pub(super) fn candidate(&self, probe: BucketProbe) -> u32 {
        guess(&self.buckets[probe.line()], probe.print())
    }

    /// Whether, at a glance, no square is named for this spot.
    #[inline(always)]
    pub(super) fn definitely_lacks(&self, probe: BucketProbe) -> bool {
        let words = words(&self.buckets[probe.line()]);
        equal_bytes(words, probe.print()) & ALL_SLOTS == 0 && words[1] & OVERFLOWED == 0
    }

    /// The square at this spot that is right; or a new one, which is named from then on.
    #[inline(always)]
    pub(super) fn find_or_insert<E>(
        &self,
        probe: BucketProbe,
        matches: impl Fn(u32) -> bool,
        new: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        find_or_insert_in(&self.buckets, probe, matches, new)
    }

    /// Names a square that is not named yet.
    #[inline]
    pub(super) fn insert(&self, probe: BucketProbe, id: u32) {
        insert_from(&self.buckets, probe.line(), probe.print(), id);
    }
}

#[inline(always)]
fn next_bucket<P: SyncPrimitives>(buckets: &[IndexBucket<P>], bucket: usize) -> usize {
    if bucket + 1 == buckets.len() {
        0
    } else {
        bucket + 1
    }
}

/// [`BucketIndex::seek`] among these lines.
#[inline(always)]
pub(super) fn find_or_insert_in<P: SyncPrimitives, E>(
    buckets: &[IndexBucket<P>],
    probe: BucketProbe,
    matches: impl Fn(u32) -> bool,
    new: impl FnOnce() -> Result<u32, E>,
) -> Result<u32, E> {
    let mut at = probe.line();
    loop {
        let bucket = &buckets[at];
        let words = words(bucket);
        if let Some(found) = find_in(bucket, words, probe.print(), &matches) {
            return Ok(found);
        }
        if words[1] & OVERFLOWED == 0 {
            break;
        }
        at = next_bucket(buckets, at);
    }
    let id = new()?;
    insert_from(buckets, at, probe.print(), id);
    Ok(id)
}

#[inline]
fn insert_from<P: SyncPrimitives>(
    buckets: &[IndexBucket<P>],
    mut at: usize,
    fingerprint: u8,
    id: u32,
) {
    while !insert_in(&buckets[at], fingerprint, id) {
        at = next_bucket(buckets, at);
    }
}

/// Names a square in a line, if it has room; else the name is to be put in the next.
#[inline(always)]
fn insert_in<P: SyncPrimitives>(bucket: &IndexBucket<P>, fingerprint: u8, id: u32) -> bool {
    let state = bucket.prints[1].load(Relaxed);
    let slot = (state >> STATE_SHIFT) as usize & 0xff;
    if slot >= SLOTS {
        bucket.prints[1].store(state | OVERFLOWED, Relaxed);
        return false;
    }
    // Whoever sees the square sees what it is made of.
    bucket.squares[slot].store(id, Release);
    let fingerprint = u64::from(fingerprint) << (8 * (slot % 8));
    if slot < 8 {
        let before = bucket.prints[0].load(Relaxed);
        bucket.prints[0].store(before | fingerprint, Release);
        bucket.prints[1].store(state + (1 << STATE_SHIFT), Relaxed);
    } else {
        bucket.prints[1].store((state | fingerprint) + (1 << STATE_SHIFT), Release);
    }
    true
}

#[inline(always)]
fn words<P: SyncPrimitives>(bucket: &IndexBucket<P>) -> [u64; 2] {
    [
        bucket.prints[0].load(Acquire),
        bucket.prints[1].load(Acquire),
    ]
}

#[inline(always)]
fn find_in<P: SyncPrimitives>(
    bucket: &IndexBucket<P>,
    words: [u64; 2],
    fingerprint: u8,
    matches: &impl Fn(u32) -> bool,
) -> Option<u32> {
    let mut all = equal_bytes(words, fingerprint) & ALL_SLOTS;
    while all != 0 {
        let slot = (all.trailing_zeros() as usize).min(SLOTS - 1);
        let id = bucket.squares[slot].load(Acquire);
        if id != 0 && matches(id) {
            return Some(id);
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
            let matches = |id: u32| made[id as usize].load(Relaxed) == key;
            let new = || {
                let id = next.fetch_add(1, Relaxed);
                made[id].store(key, Relaxed);
                Ok::<u32, ()>(id as u32)
            };
            index.find_or_insert(index.probe(mix([key, key])), matches, new)
        };
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for key in 0..KEYS {
                        let id = find(key).unwrap();
                        assert_eq!(made[id as usize].load(Relaxed), key);
                        assert_eq!(made[find(key).unwrap() as usize].load(Relaxed), key);
                    }
                });
            }
        });
        // One alone loses none: what it makes the first time, it finds the second.
        let look_for_all = || {
            for key in 0..KEYS {
                let id = find(key).unwrap();
                assert_eq!(made[id as usize].load(Relaxed), key);
            }
            next.load(Relaxed)
        };
        let known = look_for_all();
        assert!(known > KEYS as usize);
        assert_eq!(look_for_all(), known);
    }
}
