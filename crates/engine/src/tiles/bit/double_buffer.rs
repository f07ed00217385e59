//! Double-buffered cells of tiles, spaced to avoid false dependencies between the buffers.

use kernel::BitColumn;

/// Addresses that are equal modulo this many bytes are taken for the same by a processor, until
/// it has checked the rest (4K aliasing).
const ALIKE: usize = 4096;

/// The cells of all slots at one generation, and at another two generations from it.
///
/// The two places of a slot lie about half of [`ALIKE`] apart, counted modulo that, as a
/// tile that is read just after its other place was written may have to wait for the write.
/// No gain was seen where this was measured alone.
#[derive(Debug, Default)]
pub(in crate::tiles) struct TileDoubleBuffer {
    rows: [Vec<BitColumn>; 2],
    /// How many there are before slot 0 in the second of the two, for that distance.
    before: usize,
}

impl Clone for TileDoubleBuffer {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.lay(self, self.len());
        copy
    }
}

impl TileDoubleBuffer {
    pub(in crate::tiles) fn len(&self) -> usize {
        self.rows[0].len()
    }

    /// Memory use in bytes, including spare capacity.
    pub(in crate::tiles) fn bytes(&self) -> u64 {
        let places: usize = self.rows.iter().map(Vec::capacity).sum();
        (places * size_of::<BitColumn>()) as u64
    }

    /// The cells at one of the two generations, by slot.
    #[inline]
    pub(in crate::tiles) fn at(&self, which: usize) -> &[BitColumn] {
        &self.rows[which][which * self.before..]
    }

    #[inline]
    pub(in crate::tiles) fn at_mut(&mut self, which: usize) -> &mut [BitColumn] {
        &mut self.rows[which][which * self.before..]
    }

    /// The buffer to read, and the buffer to write.
    pub(in crate::tiles) fn split(&mut self, now: usize) -> (&[BitColumn], &mut [BitColumn]) {
        let [first, second] = &mut self.rows;
        let second = &mut second[self.before..];
        if now == 0 {
            (first, second)
        } else {
            (second, first)
        }
    }

    /// Reserves capacity for this many more slots.
    pub(in crate::tiles) fn reserve(&mut self, more: usize) {
        let wanted = self.len() + more;
        let [first, second] = &self.rows;
        let there = first.capacity().min(second.capacity() - self.before);
        if wanted > there {
            let old = std::mem::take(self);
            // some come beside those that are known of
            self.lay(&old, wanted + wanted / 16);
        }
    }

    /// Removes all slots, and keeps the memory of so many.
    pub(in crate::tiles) fn clear(&mut self, kept: usize) {
        if self.rows[0].capacity() > kept {
            *self = Self::default();
        }
        self.rows[0].clear();
        self.rows[1].truncate(self.before);
    }

    /// Appends a blank slot.
    pub(in crate::tiles) fn push(&mut self) {
        let [first, second] = &self.rows;
        if first.len() == first.capacity() || second.len() == second.capacity() {
            let old = std::mem::take(self);
            self.lay(&old, 2 * old.len() + 8);
        }
        self.rows[0].push(BitColumn::BLANK);
        self.rows[1].push(BitColumn::BLANK);
    }

    /// Takes over another's cells, with capacity for this many slots.
    fn lay(&mut self, from: &Self, slots: usize) {
        let size = size_of::<BitColumn>();
        let beside = ALIKE / size;
        self.rows = [
            Vec::with_capacity(slots),
            Vec::with_capacity(slots + beside),
        ];
        let [first, second] = &self.rows;
        let apart = second.as_ptr().addr().wrapping_sub(first.as_ptr().addr());
        let missing = (ALIKE / 2).wrapping_sub(apart) % ALIKE;
        self.before = (missing + size / 2) / size % beside;
        self.rows[1].resize(self.before, BitColumn::BLANK);
        for which in 0..2 {
            self.rows[which].extend_from_slice(from.at(which));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_keep_their_cells_and_their_distance() {
        let mut twice = TileDoubleBuffer::default();
        for slot in 0..200 {
            twice.push();
            for which in 0..2 {
                assert_eq!(twice.at(which).len(), slot + 1);
                assert_eq!(twice.at(which)[slot].0, [0; 64]);
                twice.at_mut(which)[slot].0[slot % 64] = (2 * slot + which) as u64;
            }
            let mut copy = twice.clone();
            copy.reserve(slot);
            for twice in [&twice, &copy] {
                let address = |which: usize| twice.at(which).as_ptr().addr();
                let apart = address(1).wrapping_sub(address(0)) % ALIKE;
                assert!(apart.abs_diff(ALIKE / 2) <= 256, "{apart}");
                for slot in 0..=slot {
                    for which in 0..2 {
                        let found = twice.at(which)[slot].0[slot % 64];
                        assert_eq!(found, (2 * slot + which) as u64);
                    }
                }
            }
        }
        let (now, next) = twice.split(1);
        assert_eq!((now[3].0[3], next[3].0[3]), (7, 6));
        assert_eq!((now.len(), next.len()), (200, 200));
    }
}
