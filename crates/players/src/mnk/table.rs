//! The solver's transposition table.

use super::lines::MnkCellSet;

/// A table from positions to proven bounds.
///
/// The whole position is stored, not a hash of it, so that a lookup is never wrong. The table
/// grows as it fills, up to a limit, and then replaces the entries that took the least work.
#[derive(Clone, Debug)]
pub(super) struct AttackTable {
    entries: Vec<AttackTableEntry>,
    filled: usize,
    most: usize,
}

/// The proven bounds of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AttackBounds {
    /// The least number of quiet moves with which the attacker is known to win;
    /// [`AttackBounds::NONE`] if unknown.
    pub(super) wins_with: u8,
    /// The attacker does not win with fewer quiet moves than this; [`AttackBounds::NEVER`] if not
    /// with any number of them.
    pub(super) fails_below: u8,
    /// The move to look at first; [`AttackBounds::NO_MOVE`] if none was found.
    pub(super) best: u8,
}

impl AttackBounds {
    /// No number of quiet moves.
    pub(super) const NONE: u8 = u8::MAX;
    /// More quiet moves than a board has room for.
    pub(super) const NEVER: u8 = u8::MAX;

    /// No cell.
    pub(super) const NO_MOVE: u8 = u8::MAX;

    /// Nothing.
    pub(super) const NOTHING: Self = Self {
        wins_with: Self::NONE,
        fails_below: 0,
        best: Self::NO_MOVE,
    };
}

#[derive(Clone, Copy, Debug)]
struct AttackTableEntry {
    key: (MnkCellSet, MnkCellSet),
    known: AttackBounds,
    /// 0 free, 1 attacker to move, 2 defender to move.
    mover: u8,
    /// How much work went into it, as a power of two.
    effort: u8,
}

const FREE: AttackTableEntry = AttackTableEntry {
    key: (0, 0),
    known: AttackBounds::NOTHING,
    mover: 0,
    effort: 0,
};

/// The number of slots of a bucket.
const BUCKET: usize = 4;

impl AttackTable {
    /// An empty table that grows to at most `most` entries (a power of two) of 24 bytes.
    pub(super) fn new(most: usize) -> Self {
        Self {
            entries: vec![FREE; 1 << 10],
            filled: 0,
            most,
        }
    }

    fn bucket(&self, key: (MnkCellSet, MnkCellSet), mover: u8) -> usize {
        let mixed = (key.0 ^ key.1.rotate_left(32) ^ u64::from(mover) << 63)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29 ^ key.1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 24) as usize & (self.entries.len() - 1) & !(BUCKET - 1)
    }

    /// What is known of a position; `mover` is 1 for the attacker, 2 for the defender.
    #[inline]
    pub(super) fn get(&self, key: (MnkCellSet, MnkCellSet), mover: u8) -> AttackBounds {
        let at = self.bucket(key, mover);
        let bucket = &self.entries[at..at + BUCKET];
        let found = bucket.iter().find(|e| e.key == key && e.mover == mover);
        found.map_or(AttackBounds::NOTHING, |entry| entry.known)
    }

    /// Stores the bounds that a search of `work` positions has proven.
    pub(super) fn put(
        &mut self,
        key: (MnkCellSet, MnkCellSet),
        mover: u8,
        known: AttackBounds,
        work: u64,
    ) {
        let entry = AttackTableEntry {
            key,
            known,
            mover,
            effort: work.max(1).ilog2() as u8,
        };
        if self.filled * 2 > self.entries.len() && self.entries.len() < self.most {
            self.grow();
        }
        self.place(entry);
    }

    fn place(&mut self, entry: AttackTableEntry) {
        let at = self.bucket(entry.key, entry.mover);
        let bucket = &mut self.entries[at..at + BUCKET];
        let same = |e: &AttackTableEntry| e.mover == entry.mover && e.key == entry.key;
        let place = bucket
            .iter()
            .position(|e| e.mover == 0 || same(e))
            .unwrap_or_else(|| {
                let cheapest = (0..BUCKET).min_by_key(|&i| bucket[i].effort);
                cheapest.expect("a bucket has room for more than none")
            });
        self.filled += usize::from(bucket[place].mover == 0);
        bucket[place] = entry;
    }

    fn grow(&mut self) {
        let larger = vec![FREE; self.entries.len() * 2];
        self.filled = 0;
        for entry in std::mem::replace(&mut self.entries, larger) {
            if entry.mover != 0 {
                self.place(entry);
            }
        }
    }
}
