//! Which tiles are due after a round: those that changed, and the neighbours that see it. With few
//! tiles by bits, with many by lists. Own method.

use super::{SoupPlane, WATCHED};
use crate::settle::tile::{
    ABSENT, CHANGED, EAST, NORTH, NORTH_EAST, NORTH_WEST, NearTiles, SOUTH, SOUTH_EAST, SOUTH_WEST,
    WEST,
};

/// So many tiles have a bit each in a word.
pub(super) const WORD_TILES: usize = 64;

/// So many tiles, and no more, have one in two words.
pub(super) const FEW_TILES: usize = 2 * WORD_TILES;

/// A bit for each of the few tiles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TileBits(pub(super) [u64; 2]);

impl TileBits {
    /// Nothing for a tile that is not one of the few.
    pub(super) fn put(&mut self, tile: u32) {
        if let Some(word) = self.0.get_mut(tile as usize / WORD_TILES) {
            *word |= 1 << (tile % 64);
        }
    }

    pub(super) fn remove(&mut self, tile: u32) {
        if let Some(word) = self.0.get_mut(tile as usize / WORD_TILES) {
            *word &= !(1 << (tile % 64));
        }
    }

    /// The tiles, which are removed.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = u32> + use<> {
        let mut words = std::mem::take(&mut self.0);
        std::iter::from_fn(move || {
            let word = words.iter().position(|&word| word != 0)?;
            let tile = (WORD_TILES * word) as u32 + words[word].trailing_zeros();
            words[word] &= words[word] - 1;
            Some(tile)
        })
    }
}

/// For the few tiles, and one word: the bits of the neighbours that see a change, by the sides that
/// it is seen from: four sides, and the other four.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct NearBits([u64; 32]);

impl NearBits {
    pub(super) const NONE: Self = Self([0; 32]);

    /// A tile is on this side.
    pub(super) fn put(&mut self, side: usize, tile: u32) {
        let half = &mut self.0[side / 4 * 16..][..16];
        for (sides, bits) in half.iter_mut().enumerate() {
            *bits |= ((sides >> (side % 4) & 1) as u64) << (tile % 64);
        }
    }

    /// The neighbours that see a change.
    #[inline(always)]
    fn that_see(&self, change: u32) -> u64 {
        self.0[change as usize % 16] | self.0[16 + change as usize / 16 % 16]
    }
}

/// The bits of the neighbours that touch a tile at a corner.
const CORNERS: u32 = 1 << NORTH_EAST | 1 << SOUTH_EAST | 1 << SOUTH_WEST | 1 << NORTH_WEST;

/// The tiles that are due in the next round.
struct DueList<'a> {
    /// The last round that each tile was due in.
    rounds: &'a mut [u32],
    /// There is room for one more than all tiles.
    list: &'a mut [u32],
    round: u32,
    count: usize,
}

impl DueList<'_> {
    /// Adds a tile when `is_due` is 1 and it is not there yet. Without a branch, which would
    /// depend on cells: the list is written past its end, and lengthened where it matters.
    #[inline(always)]
    fn add(&mut self, tile: u32, is_due: u32) {
        let round = &mut self.rounds[tile as usize];
        let is_new = is_due & u32::from(*round != self.round);
        *round = if is_due == 1 { self.round } else { *round };
        self.list[self.count] = tile;
        self.count += is_new as usize;
    }
}

impl SoupPlane {
    /// The bits of a new tile's neighbours.
    pub(super) fn push_bits(&mut self, near: &NearTiles) {
        let tile = self.places.len();
        let words = match tile {
            tile if tile >= FEW_TILES => 0,
            tile if tile >= WORD_TILES => 2,
            _ => 1,
        };
        for (word, known) in self.near_bits.iter_mut().enumerate().take(words) {
            let mut bits = NearBits::NONE;
            for (side, &other) in near.iter().enumerate() {
                if other != ABSENT && other as usize / WORD_TILES == word {
                    bits.put(side, other);
                }
            }
            known.push(bits);
        }
    }

    /// What changed is due in the next round, and the neighbours that see it.
    pub(super) fn wake_changed(&mut self) {
        self.round = self.round.wrapping_add(1);
        self.special.clear();
        match self.places.len() {
            tiles if tiles <= WORD_TILES => self.wake_few::<1>(),
            tiles if tiles <= FEW_TILES => self.wake_few::<2>(),
            _ => self.wake_many(),
        }
        for i in 0..self.special.len() {
            let (tile, change) = self.special[i];
            self.wake_special(tile, change);
        }
    }

    /// [`SoupPlane::wake_changed`] for so few tiles that so many words have a bit for each: one in
    /// nineteen of twenty rounds of soups.
    fn wake_few<const WORDS: usize>(&mut self) {
        let (mut changed, mut seen, mut lacking) = ([0_u64; WORDS], [0; WORDS], 0);
        for (&tile, &change) in self.due[..self.due_count].iter().zip(&self.changes) {
            for (seen, near) in seen.iter_mut().zip(&self.near_bits) {
                *seen |= near[tile as usize].that_see(change);
            }
            lacking |= change as u8 & self.lacking[tile as usize];
            let has_changed = u64::from(change / CHANGED) << (tile % 64);
            changed[tile as usize / WORD_TILES % WORDS] |= has_changed;
        }
        if lacking != 0 {
            for (&tile, &change) in self.due[..self.due_count].iter().zip(&self.changes) {
                if change as u8 & self.lacking[tile as usize] != 0 {
                    self.special.push((tile, change));
                }
            }
        }
        self.due_count = 0;
        for word in 0..WORDS {
            let first = (WORD_TILES * word) as u32;
            self.uncounted_few.0[word] |= changed[word];
            let mut watched = changed[word] & self.watched_few.0[word];
            while watched != 0 {
                self.watch(first + watched.trailing_zeros());
                watched &= watched - 1;
            }
            let mut due = changed[word] | seen[word];
            if word == 0 {
                // the absent tile is never due
                due &= !(1 << ABSENT);
            }
            let count = due.count_ones() as usize;
            for next in &mut self.next_due[self.due_count..][..count] {
                *next = first + due.trailing_zeros();
                due &= due - 1;
            }
            self.due_count += count;
        }
    }

    /// [`SoupPlane::wake_changed`] for any number of tiles.
    fn wake_many(&mut self) {
        // the absent tile is never due
        self.due_rounds[ABSENT as usize] = self.round;
        let mut due = DueList {
            rounds: &mut self.due_rounds,
            list: &mut self.next_due,
            round: self.round,
            count: 0,
        };
        let (near, flags, uncounted) =
            (&self.near[..], &mut self.flags[..], &mut self.uncounted[..]);
        let mut uncounted_count = self.uncounted_count;
        for (&tile, &change) in self.due[..self.due_count].iter().zip(&self.changes) {
            let has_changed = change / CHANGED;
            uncounted[uncounted_count] = tile;
            let flags = &mut flags[tile as usize];
            uncounted_count += (u32::from(*flags) & has_changed) as usize;
            let is_watched = *flags & WATCHED != 0;
            *flags &= !(has_changed as u8);
            due.add(tile, has_changed);
            let near = &near[tile as usize];
            let mut lacks = 0;
            for side in [NORTH, EAST, SOUTH, WEST] {
                let sees = change >> side & 1;
                lacks |= sees & u32::from(near[side] == ABSENT);
                due.add(near[side], sees);
            }
            if change & CORNERS != 0 {
                for side in [NORTH_EAST, SOUTH_EAST, SOUTH_WEST, NORTH_WEST] {
                    let sees = change >> side & 1;
                    lacks |= sees & u32::from(near[side] == ABSENT);
                    due.add(near[side], sees);
                }
            }
            if lacks != 0 || is_watched && change != 0 {
                self.special.push((tile, change));
            }
        }
        self.due_count = due.count;
        self.uncounted_count = uncounted_count;
    }

    /// Makes the neighbours that see something and are not there, and watches over a tile that is
    /// to be watched.
    fn wake_special(&mut self, tile: u32, change: u32) {
        for side in (0..8).filter(|side| change >> side & 1 == 1) {
            if self.near[tile as usize][side] == ABSENT {
                let made = self.make_neighbour(tile, side);
                self.due_rounds[made as usize] = self.round;
                self.next_due[self.due_count] = made;
                self.due_count += 1;
            }
        }
        if self.flags[tile as usize] & WATCHED != 0 {
            self.watch(tile);
        }
    }
}
