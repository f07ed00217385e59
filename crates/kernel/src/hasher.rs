//! Maps with a fast hash function, for the engine's internal tables: a 128-bit product whose halves
//! are mixed, as in V. Makarov's MUM hash (2016).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with [`MixHasher`].
pub type MixMap<K, V> = HashMap<K, V, BuildHasherDefault<MixHasher>>;

/// A fast hash function for keys that the engine itself makes (tile positions, node ids,
/// circuit parts) and that cannot be chosen by a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct MixHasher(u64);

impl Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        for byte in rest {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        let product = u128::from(self.0 ^ n ^ 0x51f2_a6d3_80c4_97eb) * 0xd1b5_4a32_d192_ed03;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write_i64(&mut self, n: i64) {
        self.write_u64(n as u64);
    }
}
