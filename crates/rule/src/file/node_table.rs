//! The nodes of a lookup tree that is being built: equal ones are one. And a hash function for
//! the keys of builders.

use std::hash::{BuildHasherDefault, Hasher};

/// Nodes of `states` entries each in one vector, with an index of them by their contents:
/// linear probing, of which no place is freed.
pub(super) struct TreeNodeTable {
    states: usize,
    entries: Vec<u32>,
    /// Where nodes start; a power of two places, at least half of them [`FREE`].
    index: Vec<u32>,
}

const FREE: u32 = u32::MAX;

/// Entries of a tree: 256 MiB.
const MAX_ENTRIES: usize = 1 << 26;

impl TreeNodeTable {
    pub(super) fn new(states: u16) -> Self {
        Self {
            states: states.into(),
            entries: Vec::new(),
            index: vec![FREE; 64],
        }
    }

    /// Interns a node and returns the index of its first entry; `None` if there are too many.
    pub(super) fn intern(&mut self, node: &[u32]) -> Option<u32> {
        let mut place = hash(node) as usize & (self.index.len() - 1);
        while self.index[place] != FREE {
            let start = self.index[place] as usize;
            if self.entries[start..start + self.states] == *node {
                return Some(start as u32);
            }
            place = (place + 1) & (self.index.len() - 1);
        }
        let start = self.entries.len();
        if start + node.len() > MAX_ENTRIES {
            return None;
        }
        self.entries.extend_from_slice(node);
        self.index[place] = start as u32;
        if 2 * self.entries.len() > self.index.len() * self.states {
            self.grow_index();
        }
        Some(start as u32)
    }

    pub(super) fn into_entries(self) -> Vec<u32> {
        self.entries
    }

    fn grow_index(&mut self) {
        let mut index = vec![FREE; 4 * self.index.len()];
        for (i, node) in self.entries.chunks_exact(self.states).enumerate() {
            let mut place = hash(node) as usize & (index.len() - 1);
            while index[place] != FREE {
                place = (place + 1) & (index.len() - 1);
            }
            index[place] = (i * self.states) as u32;
        }
        self.index = index;
    }
}

fn hash(node: &[u32]) -> u64 {
    let mut hasher = WordMixHasher::default();
    let (pairs, rest) = node.as_chunks::<2>();
    for &[first, second] in pairs {
        hasher.add(u64::from(first) << 32 | u64::from(second));
    }
    for &entry in rest {
        hasher.add(entry.into());
    }
    hasher.finish()
}

pub(super) type WordMixState = BuildHasherDefault<WordMixHasher>;

/// A hash that is quick on the long keys here. It need not resist collision attacks: only the
/// user's own file determines the keys.
#[derive(Default)]
pub(super) struct WordMixHasher(u64);

impl WordMixHasher {
    fn add(&mut self, word: u64) {
        // an odd number without a pattern in its bits
        let mixed = (self.0 ^ word).wrapping_mul(0x9e6d_51a3_c27f_48b5);
        self.0 = mixed ^ (mixed >> 29);
    }
}

impl Hasher for WordMixHasher {
    fn finish(&self) -> u64 {
        // the map takes the top bits and the bottom ones
        self.0.wrapping_mul(0xd3a5_1f0b_7c96_e84d).rotate_left(23)
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.add(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.add(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_nodes_are_one_while_the_index_grows() {
        let mut table = TreeNodeTable::new(3);
        let node = |i: u32| [i % 7, i / 7 % 7, i / 49];
        for round in 0..2 {
            for i in 0..1000 {
                assert_eq!(table.intern(&node(i)), Some(3 * i), "round {round}");
            }
        }
        let entries = table.into_entries();
        assert!(entries.chunks(3).zip(0..).all(|(n, i)| n == node(i)));
    }
}
