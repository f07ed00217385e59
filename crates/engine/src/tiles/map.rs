use crate::query::WordSegment;
use kernel::hasher::MixMap;
use smallvec::SmallVec;

/// Tiles that were looked for: a few of them without an allocation.
pub(super) type FoundTiles = SmallVec<[u32; 32]>;

/// No tile there.
pub(super) const NONE: u32 = u32::MAX;

/// The eight directions, row by row: north-west first, south-east last.
pub(super) const AROUND: [(i64, i64); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// What a [`TileMap`] needs of a tile.
pub(super) trait LinkedTile {
    /// The neighbours, in the order of [`AROUND`].
    fn near(&mut self) -> &mut [u32; 8];
    /// The position in the plane, in tiles.
    fn place(&self) -> (i64, i64);
}

/// The tiles of an unbounded plane: found by position, and linked to their eight neighbours, so
/// that stepping needs no look-ups.
#[derive(Clone, Debug)]
pub(super) struct TileMap<T> {
    /// The tiles by index. Those in `free` are no part of the plane.
    pub(super) tiles: Vec<T>,
    index: MixMap<(i64, i64), u32>,
    free: Vec<u32>,
    /// Whether a tile is part of the plane, by index.
    is_placed: Vec<bool>,
}

impl<T> Default for TileMap<T> {
    fn default() -> Self {
        Self {
            tiles: Vec::new(),
            index: MixMap::default(),
            free: Vec::new(),
            is_placed: Vec::new(),
        }
    }
}

impl<T: LinkedTile> TileMap<T> {
    /// The number of tiles.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Memory use in bytes, including spare capacity, without the tiles' cells.
    pub(super) fn bytes(&self) -> u64 {
        // Of a hash map's slots an eighth is free, and each has a control byte.
        let each = size_of::<((i64, i64), u32)>() + 1;
        let index = self.index.capacity() * each * 8 / 7;
        let lists = 4 * self.free.capacity() + self.is_placed.capacity();
        (self.tiles.capacity() * size_of::<T>() + index + lists) as u64
    }

    /// The tile at a position.
    pub(super) fn find(&self, place: (i64, i64)) -> Option<u32> {
        self.index.get(&place).copied()
    }

    /// Every tile, in no particular order.
    pub(super) fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.index.values().copied()
    }

    /// Every tile in memory order, the quickest for a walk over all.
    pub(super) fn in_order(&self) -> impl Iterator<Item = u32> + '_ {
        let all = (0..).zip(&self.is_placed);
        all.filter_map(|(i, is_placed)| is_placed.then_some(i))
    }

    /// Adds a tile at a free position, and links it.
    pub(super) fn add(&mut self, mut tile: T) -> u32 {
        let (x, y) = tile.place();
        let i = self.free.pop().unwrap_or_else(|| {
            u32::try_from(self.tiles.len()).expect("memory ends before 2^32 tiles do")
        });
        for (d, (dx, dy)) in AROUND.into_iter().enumerate() {
            let there = self.find((x + dx, y + dy)).unwrap_or(NONE);
            tile.near()[d] = there;
            if there != NONE {
                self.tiles[there as usize].near()[7 - d] = i;
            }
        }
        let was = self.index.insert((x, y), i);
        debug_assert!(was.is_none(), "two tiles at ({x}, {y})");
        if let Some(slot) = self.tiles.get_mut(i as usize) {
            *slot = tile;
            self.is_placed[i as usize] = true;
        } else {
            self.tiles.push(tile);
            self.is_placed.push(true);
        }
        i
    }

    /// Removes a tile. Its index may be reused.
    pub(super) fn remove(&mut self, i: u32) {
        let tile = &mut self.tiles[i as usize];
        let place = tile.place();
        let near = std::mem::replace(tile.near(), [NONE; 8]);
        for (d, there) in near.into_iter().enumerate() {
            if there != NONE {
                self.tiles[there as usize].near()[7 - d] = NONE;
            }
        }
        self.index.remove(&place);
        self.free.push(i);
        self.is_placed[i as usize] = false;
    }

    /// Removes all tiles, and keeps the memory of so many.
    pub(super) fn clear(&mut self, kept: usize) {
        if self.index.capacity().max(self.tiles.capacity()) > kept {
            *self = Self::default();
        }
        self.tiles.clear();
        self.index.clear();
        self.free.clear();
        self.is_placed.clear();
    }

    /// The tiles whose positions lie in a range (inclusive), sorted row by row.
    pub(super) fn within(&self, x: (i64, i64), y: (i64, i64)) -> FoundTiles {
        let side = |(from, to): (i64, i64)| (i128::from(to) - i128::from(from) + 1).max(0);
        let mut found: SmallVec<[((i64, i64), u32); 32]> = if side(x) * side(y) < self.len() as i128
        {
            let places = (y.0..=y.1).flat_map(|ty| (x.0..=x.1).map(move |tx| (tx, ty)));
            places
                .filter_map(|p| Some(((p.1, p.0), self.find(p)?)))
                .collect()
        } else {
            let holds =
                |(tx, ty): (i64, i64)| (x.0..=x.1).contains(&tx) && (y.0..=y.1).contains(&ty);
            let all = self.index.iter().filter(|(place, _)| holds(**place));
            all.map(|(place, i)| ((place.1, place.0), *i)).collect()
        };
        found.sort_unstable();
        found.into_iter().map(|(_, i)| i).collect()
    }
}

/// Arranges the tiles of a band, given by their first columns from left to right, in segments
/// of words. Returns the first word and bit of each tile.
pub(super) fn lay(
    columns: impl Iterator<Item = i64>,
    wide: i64,
    segments: &mut Vec<WordSegment>,
) -> Vec<(usize, u32)> {
    segments.clear();
    let mut before = 0;
    let lay = |x: i64| {
        let own = WordSegment::over(x, x + wide);
        match segments.last_mut() {
            Some(last) if own.first <= last.end() => {
                last.words = (own.end() - last.first) as usize;
            }
            last => {
                before += last.map_or(0, |last| last.words);
                segments.push(own);
            }
        }
        let first = segments.last().map_or(0, |last| last.first);
        (before + (own.first - first) as usize, (x & 63) as u32)
    };
    columns.map(lay).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct PlainTestTile([u32; 8], (i64, i64));

    impl LinkedTile for PlainTestTile {
        fn near(&mut self) -> &mut [u32; 8] {
            &mut self.0
        }

        fn place(&self) -> (i64, i64) {
            self.1
        }
    }

    #[test]
    fn links_come_and_go() {
        let mut sheet = TileMap::default();
        for y in -1..=1 {
            for x in -1..=1 {
                sheet.add(PlainTestTile([0; 8], (x, y)));
            }
        }
        let middle = sheet.find((0, 0)).unwrap();
        assert_eq!(sheet.tiles[middle as usize].0, [0, 1, 2, 3, 5, 6, 7, 8]);
        assert_eq!(sheet.tiles[0].0, [NONE, NONE, NONE, NONE, 1, NONE, 3, 4]);
        sheet.remove(middle);
        assert_eq!(sheet.tiles[0].0, [NONE, NONE, NONE, NONE, 1, NONE, 3, NONE]);
        assert_eq!(sheet.len(), 8);
        let order: Vec<u32> = sheet.in_order().collect();
        assert_eq!(order, [0, 1, 2, 3, 5, 6, 7, 8]);
        assert_eq!(sheet.add(PlainTestTile([0; 8], (2, 2))), middle);
        assert_eq!(sheet.tiles[8].0[7], middle);
        assert_eq!(sheet.within((-1, 0), (0, 2)).to_vec(), [3, 6, 7]);
        assert_eq!(
            sheet.within((i64::MIN, i64::MAX), (2, 2)).to_vec(),
            [middle]
        );
    }
}
