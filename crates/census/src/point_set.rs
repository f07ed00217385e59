//! Sets of cells: millions of them are put in, so that a quick hash counts.

use grid::Point;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Cells.
pub(crate) type PointSet = HashSet<Point, BuildHasherDefault<PointHasher>>;

/// Something for each of some cells.
pub(crate) type PointMap<V> = HashMap<Point, V, BuildHasherDefault<PointHasher>>;

/// Multiplies by the golden ratio, as in Knuth's "The Art of Computer Programming", section 6.4.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointHasher(u64);

impl Hasher for PointHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_i64(&mut self, word: i64) {
        self.write_u64(word as u64);
    }
}
