//! The hash index of nodes and leaves: open addressing over buckets of one cache line.
//!
//! A bucket holds up to twelve ids with a one-byte fingerprint of each one's hash, so a look-up
//! touches one cache line of the index and, nearly always, no node but the right one.
//!
//! Several threads may insert at the same time without waiting for each other. If two write to
//! one bucket at once, entries may be lost. A node whose entry is lost is made again by the
//! next look-up, and its result computed again; what was found before stays correct. Locks,
//! which every new node would pay for, took about a tenth of the time of two threads.
//!
//! An id is stored with release and loaded with acquire ordering, so a thread that finds a node
//! sees its children and that it has no result yet, whatever was in its slot before. By
//! induction the same holds for its descendants, which its maker had found or made.
//! Fingerprints and counts are hints only. `model` checks this with loom.
//!
//! Fingerprints beside the slots are those of M. Kulukundis, "Designing a fast, efficient,
//! cache-friendly hash table, step by step" (CppCon 2017); that entries may be lost is our own
//! method.

use super::nodes::NodeTableRef;
pub(in crate::hashlife) use crate::arch::BucketProbe;
use crate::arch::{
    AtomicValue, BUCKET_IDS, IndexBucket, MappedArray, READS_AHEAD, SyncPrimitives, compute_probes,
    equal_bytes, find_ids, first_candidate, read_ahead,
};
use kernel::simd::prefetch;
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Ids in a bucket.
const SLOTS: usize = BUCKET_IDS;

/// A bit for each slot.
const ALL_SLOTS: u32 = (1 << SLOTS) - 1;

/// Bits of the second word from which on the number of used slots stands.
const STATE_SHIFT: u32 = 32;
/// Whether an entry of this bucket is in the next one.
const OVERFLOWED: u64 = 1 << 40;

/// The index. It does not know what its ids stand for: callers say whether one matches.
pub(in crate::hashlife) struct BucketIndex {
    buckets: MappedArray<IndexBucket>,
}

impl BucketIndex {
    /// An index for `entries` ids, which can grow to `most`.
    pub(in crate::hashlife) fn new(entries: usize, most: usize) -> Self {
        Self {
            buckets: MappedArray::new(Self::buckets_for(entries), Self::buckets_for(most)),
        }
    }

    /// Grows to `entries` ids. All entries are misplaced afterwards: the index has to be
    /// cleared and filled again.
    pub(in crate::hashlife) fn grow(&mut self, entries: usize) {
        let buckets = Self::buckets_for(entries).max(self.buckets.len());
        self.buckets.grow_anew(buckets);
    }

    /// Shrinks to `entries` ids. As after growth, it has to be cleared and filled again.
    pub(in crate::hashlife) fn shrink(&mut self, entries: usize) {
        self.buckets.shrink(Self::buckets_for(entries));
    }

    /// The number of buckets.
    pub(in crate::hashlife) fn len(&self) -> usize {
        self.buckets.len()
    }

    fn buckets_for(entries: usize) -> usize {
        // A load factor of at most four fifths.
        (entries * 5).div_ceil(4 * SLOTS).max(2)
    }

    /// Bytes of an index for this many entries.
    pub(in crate::hashlife) fn bytes_for(entries: usize) -> u64 {
        64 * Self::buckets_for(entries) as u64
    }

    /// Entries that fit.
    pub(in crate::hashlife) fn capacity(&self) -> usize {
        self.buckets.len() * SLOTS * 4 / 5
    }

    /// Clears some buckets.
    pub(in crate::hashlife) fn clear(&self, buckets: Range<usize>) {
        self.buckets.clear(buckets);
    }

    /// The bucket and fingerprint for a hash; valid until the index grows.
    #[inline(always)]
    pub(in crate::hashlife) fn probe(&self, hash: u64) -> BucketProbe {
        BucketProbe::new(hash, self.buckets.len())
    }

    /// Hashes many pairs of children to their [`BucketIndex::probe`]s, and prefetches the
    /// buckets.
    #[inline(always)]
    pub(in crate::hashlife) fn probe_all(&self, pairs: &[[u64; 2]], probes: &mut [BucketProbe]) {
        compute_probes(&self.buckets, pairs, probes);
    }

    /// The [`BucketIndex::candidate`] of many probes, prefetched. The positions of those
    /// without one go to `missing`; returns their number.
    #[inline(always)]
    pub(in crate::hashlife) fn find_candidates(
        &self,
        nodes: NodeTableRef<'_>,
        probes: &[BucketProbe],
        candidates: &mut [u32],
        missing: &mut [u32],
    ) -> usize {
        find_ids(&self.buckets, nodes.lines(), probes, candidates, missing)
    }

    /// Prefetches a probe's bucket.
    #[inline(always)]
    pub(in crate::hashlife) fn prefetch_bucket(&self, probe: BucketProbe) {
        prefetch(self.buckets.as_ptr().wrapping_add(probe.bucket()));
    }

    /// Prefetches the buckets that those of some of the probes have overflowed into.
    #[inline(always)]
    pub(in crate::hashlife) fn prefetch_overflows(&self, probes: &[BucketProbe], some: &[u32]) {
        let state = |bucket: usize| words(&self.buckets[bucket])[1];
        if READS_AHEAD {
            return read_ahead(some.iter().map(|&i| {
                let bucket = probes[i as usize].bucket();
                let is_next = state(bucket) & OVERFLOWED != 0;
                state(if is_next {
                    next_bucket(&self.buckets, bucket)
                } else {
                    bucket
                })
            }));
        }
        for &i in some {
            let bucket = probes[i as usize].bucket();
            if state(bucket) & OVERFLOWED != 0 {
                let next = next_bucket(&self.buckets, bucket);
                prefetch(self.buckets.as_ptr().wrapping_add(next));
            }
        }
    }

    /// The first id whose fingerprint matches; 0 if there is none.
    #[inline(always)]
    pub(in crate::hashlife) fn candidate(&self, probe: BucketProbe) -> u32 {
        first_candidate(&self.buckets[probe.bucket()], probe.fingerprint())
    }

    /// Whether the bucket alone shows that no entry matches.
    #[inline(always)]
    pub(in crate::hashlife) fn definitely_lacks(&self, probe: BucketProbe) -> bool {
        let words = words(&self.buckets[probe.bucket()]);
        equal_bytes(words, probe.fingerprint()) & ALL_SLOTS == 0 && words[1] & OVERFLOWED == 0
    }

    /// The id at this probe that matches, or else a new one, which is inserted.
    #[inline(always)]
    pub(in crate::hashlife) fn find_or_insert<E>(
        &self,
        probe: BucketProbe,
        matches: impl Fn(u32) -> bool,
        new: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        find_or_insert_in(&self.buckets, probe, matches, new)
    }

    /// Inserts many ids that are not in the index yet.
    ///
    /// Where there is no prefetch, all buckets are read before the first insertion branches by
    /// what one holds: in tables of 64 MB an insertion takes 24 ns for 53.
    pub(in crate::hashlife) fn insert_all(&self, probes: &[BucketProbe], ids: &[u32]) {
        let state = |probe: &BucketProbe| words(&self.buckets[probe.bucket()])[1];
        read_ahead(probes.iter().map(state));
        for (&probe, &id) in probes.iter().zip(ids) {
            self.insert(probe, id);
        }
    }

    /// Inserts an id that is not in the index yet.
    #[inline]
    pub(in crate::hashlife) fn insert(&self, probe: BucketProbe, id: u32) {
        insert_from(&self.buckets, probe.bucket(), probe.fingerprint(), id);
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

/// [`BucketIndex::find_or_insert`] among these buckets.
#[inline(always)]
pub(in crate::hashlife) fn find_or_insert_in<P: SyncPrimitives, E>(
    buckets: &[IndexBucket<P>],
    probe: BucketProbe,
    matches: impl Fn(u32) -> bool,
    new: impl FnOnce() -> Result<u32, E>,
) -> Result<u32, E> {
    let mut at = probe.bucket();
    loop {
        let bucket = &buckets[at];
        let words = words(bucket);
        if let Some(found) = find_in(bucket, words, probe.fingerprint(), &matches) {
            return Ok(found);
        }
        if words[1] & OVERFLOWED == 0 {
            break;
        }
        at = next_bucket(buckets, at);
    }
    let id = new()?;
    insert_from(buckets, at, probe.fingerprint(), id);
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

/// Inserts an id in a bucket; returns false if the bucket is full and the next must take it.
#[inline(always)]
fn insert_in<P: SyncPrimitives>(bucket: &IndexBucket<P>, fingerprint: u8, id: u32) -> bool {
    let state = bucket.fingerprints[1].load(Relaxed);
    let slot = (state >> STATE_SHIFT) as usize & 0xff;
    if slot >= SLOTS {
        bucket.fingerprints[1].store(state | OVERFLOWED, Relaxed);
        return false;
    }
    // A thread that sees the id sees the node's children.
    bucket.ids[slot].store(id, Release);
    let fingerprint = u64::from(fingerprint) << (8 * (slot % 8));
    if slot < 8 {
        let before = bucket.fingerprints[0].load(Relaxed);
        bucket.fingerprints[0].store(before | fingerprint, Release);
        bucket.fingerprints[1].store(state + (1 << STATE_SHIFT), Relaxed);
    } else {
        bucket.fingerprints[1].store((state | fingerprint) + (1 << STATE_SHIFT), Release);
    }
    true
}

#[inline(always)]
fn words<P: SyncPrimitives>(bucket: &IndexBucket<P>) -> [u64; 2] {
    [
        bucket.fingerprints[0].load(Acquire),
        bucket.fingerprints[1].load(Acquire),
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
        let id = bucket.ids[slot].load(Acquire);
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
    use crate::arch::hash_key;
    use std::sync::atomic::{AtomicU64, AtomicUsize};
    use std::thread;

    /// Threads that look for the same keys in a small index, at once and in the same order, and
    /// insert the missing ones: whatever entries they lose, each finds the right id.
    #[test]
    fn what_threads_that_add_names_at_once_find_is_right() {
        const KEYS: u64 = 3000;
        const THREADS: u64 = 4;
        // Each thread looks twice for each key, and misses each time at worst; one more pass
        // follows.
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
            index.find_or_insert(index.probe(hash_key([key, key])), matches, new)
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
        // A single thread loses no entries: its second pass finds all that its first one
        // inserted.
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
