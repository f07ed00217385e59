//! The transposition table (Greenblatt, Eastlake and Crocker, *The Greenblatt Chess Program*, 1967).

/// Whether a stored value is exact or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TranspositionBound {
    Exact,
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TranspositionEntry<M> {
    pub(super) hash: u64,
    pub(super) value: i64,
    pub(super) best: Option<M>,
    /// How many turns ahead the search looked; [`COMPLETE`] where it cut nothing off.
    pub(super) depth: u8,
    pub(super) bound: TranspositionBound,
    /// In which search it was stored.
    age: u8,
}

/// The depth of a search that saw every game to its end.
pub(super) const COMPLETE: u8 = u8::MAX;

const MIN_SIZE: usize = 1 << 10;
/// 32 bytes each, 32 MiB in all, where a move takes up to 4 bytes.
const MAX_SIZE: usize = 1 << 20;

/// A table that grows with its use up to [`MAX_SIZE`] entries and then forgets the least.
///
/// The whole 64-bit hash is stored and compared; the rare collision of two positions is
/// tolerated.
#[derive(Clone, Debug)]
pub(super) struct TranspositionTable<M> {
    slots: Vec<Option<TranspositionEntry<M>>>,
    used: usize,
    age: u8,
}

impl<M: Copy> TranspositionTable<M> {
    pub(super) fn new() -> Self {
        Self {
            slots: vec![None; MIN_SIZE],
            used: 0,
            age: 0,
        }
    }

    /// What was stored before is old from now on.
    pub(super) fn next_generation(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The two places where a hash may be.
    #[inline]
    fn slots_of(&self, hash: u64) -> [usize; 2] {
        let place = hash as usize & (self.slots.len() - 1);
        [place, place ^ 1]
    }

    #[inline]
    pub(super) fn find(&self, hash: u64) -> Option<&TranspositionEntry<M>> {
        let both = self.slots_of(hash).into_iter();
        let mut found = both.filter_map(|place| self.slots[place].as_ref());
        found.find(|entry| entry.hash == hash)
    }

    pub(super) fn store(
        &mut self,
        hash: u64,
        value: i64,
        best: Option<M>,
        depth: u8,
        bound: TranspositionBound,
    ) {
        if self.used * 2 > self.slots.len() && self.slots.len() < MAX_SIZE {
            self.double();
        }
        let [one, two] = self.slots_of(hash);
        let is_ours = |place: usize| self.slots[place].is_some_and(|known| known.hash == hash);
        // an old entry goes before a new one, a shallow one before a deep one
        let worth = |place: usize| match &self.slots[place] {
            None => (false, 0),
            Some(known) => (known.age == self.age, 1 + u32::from(known.depth)),
        };
        let place = match (is_ours(one), is_ours(two)) {
            (true, _) => one,
            (_, true) => two,
            _ if worth(one) <= worth(two) => one,
            _ => two,
        };
        let known = self.slots[place].as_ref();
        self.used += usize::from(known.is_none());
        let kept = known
            .filter(|known| known.hash == hash)
            .and_then(|known| known.best);
        self.slots[place] = Some(TranspositionEntry {
            hash,
            value,
            best: best.or(kept),
            depth,
            bound,
            age: self.age,
        });
    }

    fn double(&mut self) {
        let larger = vec![None; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        for entry in old.into_iter().flatten() {
            let [one, two] = self.slots_of(entry.hash);
            let place = if self.slots[one].is_none() { one } else { two };
            self.used += usize::from(self.slots[place].is_none());
            self.slots[place] = Some(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_grows_with_it() {
        let mut table = TranspositionTable::new();
        let hash = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for n in 0..5000 {
            table.store(hash(n), n as i64, Some(n), 3, TranspositionBound::Exact);
        }
        let found = (0..5000).filter(|&n| {
            let entry = table.find(hash(n));
            assert!(entry.is_none_or(|entry| entry.best == Some(n) && entry.value == n as i64));
            entry.is_some()
        });
        assert!(found.count() > 3500);
        assert!(table.slots.len() >= 8192);
        assert!(table.find(hash(5000)).is_none());
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let mut table = TranspositionTable::new();
        table.store(0, 1, None::<u8>, 9, TranspositionBound::Exact);
        table.store(1, 2, None, 3, TranspositionBound::Exact);
        table.store(2048, 3, None, 1, TranspositionBound::Exact);
        assert_eq!(table.find(0).map(|e| e.value), Some(1));
        assert_eq!(table.find(1).map(|e| e.value), None);
        table.next_generation();
        table.store(4096, 4, None, 1, TranspositionBound::Exact);
        table.store(2048, 5, None, 1, TranspositionBound::Lower);
        assert_eq!(table.find(0).map(|e| e.value), None, "deep but old");
        assert_eq!(table.find(2048).map(|e| e.value), Some(5));
    }

    #[test]
    fn a_best_move_outlives_a_bound_without_one() {
        let mut table = TranspositionTable::new();
        table.store(7, 1, Some('a'), 2, TranspositionBound::Exact);
        table.store(7, 0, None, 3, TranspositionBound::Upper);
        assert_eq!(table.find(7).and_then(|e| e.best), Some('a'));
    }
}
