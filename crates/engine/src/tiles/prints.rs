//! The fingerprint of a plane of tiles, of which only those that changed are read again.

/// The sum of the tiles' fingerprints in each of the two buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct TilePrints {
    sums: [u64; 2],
    tiles: Vec<TilePrint>,
    /// Tiles whose fingerprint in a buffer is not known.
    unknown: [Vec<u32>; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct TilePrint {
    prints: [u64; 2],
    is_unknown: [bool; 2],
}

impl TilePrints {
    /// A tile's cells have changed, in one of the buffers or in both.
    pub(super) fn invalidate(&mut self, tile: u32) {
        let at = tile as usize;
        if at >= self.tiles.len() {
            self.tiles.resize(at + 1, TilePrint::default());
        }
        let TilePrint { prints, is_unknown } = &mut self.tiles[at];
        for buffer in 0..2 {
            if !is_unknown[buffer] {
                is_unknown[buffer] = true;
                self.sums[buffer] = self.sums[buffer].wrapping_sub(prints[buffer]);
                self.unknown[buffer].push(tile);
            }
        }
    }

    /// The sum for a buffer; `print` gives the fingerprint of a tile in it, 0 if it is empty.
    pub(super) fn sum(&mut self, buffer: usize, mut print: impl FnMut(u32) -> u64) -> u64 {
        for tile in std::mem::take(&mut self.unknown[buffer]) {
            let known = &mut self.tiles[tile as usize];
            known.is_unknown[buffer] = false;
            known.prints[buffer] = print(tile);
            self.sums[buffer] = self.sums[buffer].wrapping_add(known.prints[buffer]);
        }
        self.sums[buffer]
    }

    /// Memory use in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let unknown = self.unknown.iter().map(|tiles| 4 * tiles.capacity());
        let all = size_of::<TilePrint>() * self.tiles.capacity() + unknown.sum::<usize>();
        all as u64
    }
}
