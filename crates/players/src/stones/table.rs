//! The transposition table.

use games::Seat;
use games::stones::{StonesBoard, StonesPoint};

/// Whether a value is exact or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StonesTableBound {
    Exact,
    Least,
    Most,
}

/// The entry of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct StonesTableEntry {
    key: u64,
    pub(super) value: i32,
    pub(super) best: StonesPoint,
    pub(super) depth: i8,
    pub(super) bound: StonesTableBound,
}

/// Positions by key; a newer one takes an older one's place.
#[derive(Debug, Default)]
pub(super) struct StonesTable {
    entries: Vec<StonesTableEntry>,
}

const NOTHING: StonesTableEntry = StonesTableEntry {
    key: 0,
    value: 0,
    best: 0,
    depth: -1,
    bound: StonesTableBound::Least,
};

impl StonesTable {
    /// Clears the table, with a capacity that is a power of two.
    pub(super) fn clear(&mut self, capacity: usize) {
        debug_assert!(capacity.is_power_of_two());
        self.entries.clear();
        self.entries.resize(capacity, NOTHING);
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<StonesTableEntry> {
        let entry = self.entries[self.slot(key)];
        (entry.key == key && entry.depth >= 0).then_some(entry)
    }

    #[inline]
    pub(super) fn put(
        &mut self,
        key: u64,
        value: i32,
        best: StonesPoint,
        depth: u32,
        bound: StonesTableBound,
    ) {
        let slot = self.slot(key);
        self.entries[slot] = StonesTableEntry {
            key,
            value,
            best,
            depth: depth.min(100) as i8,
            bound,
        };
    }
}

/// The key of a board with the seat to move, and the number of plies left if that is small.
///
/// A row of both colours is 38 bits; each is multiplied by a number of its own and both
/// halves of the product are folded together, so that the rows do not wait for each other.
#[inline]
pub(super) fn key(board: &StonesBoard, to_move: Seat, plies_left: u32) -> u64 {
    let [black, white] = Seat::BOTH.map(|seat| board.stones(seat));
    let rows = black.iter().zip(white).zip(&FACTORS);
    let mut key = u64::from(plies_left.min(COUNTED_PLIES)) << 1 | to_move.index() as u64;
    key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for ((&b, &w), &[add, factor]) in rows {
        let word = (u64::from(b) | u64::from(w) << 32) ^ add;
        let product = u128::from(word) * u128::from(factor);
        key = key.wrapping_add((product >> 64) as u64 ^ product as u64);
    }
    key
}

/// The number of plies left below which it is part of the key.
const COUNTED_PLIES: u32 = 64;

/// Two numbers for each row, without a pattern: the words of SplitMix64 (Steele, Lea and
/// Flood, 2014) that begin at 0.
const FACTORS: [[u64; 2]; 20] = {
    let mut factors = [[0; 2]; 20];
    let mut state = 0u64;
    let mut i = 0;
    while i < 40 {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        factors[i / 2][i % 2] = (word ^ (word >> 31)) | 1;
        i += 1;
    }
    factors
};

#[cfg(test)]
mod tests {
    use super::*;
    use games::stones::Stones;
    use games::{Dice, Game as _};
    use std::collections::HashMap;

    #[test]
    fn keys_tell_positions_apart() {
        let game = Stones::default();
        let mut seen: HashMap<u64, (StonesBoard, Seat)> = HashMap::new();
        let mut dice = Dice::new(3);
        while seen.len() < 20_000 {
            let mut state = game.start();
            while let Ok(joint) = game.random_joint(&state, &mut dice) {
                for to_move in Seat::BOTH {
                    let known = seen
                        .entry(key(state.board(), to_move, 500))
                        .or_insert((*state.board(), to_move));
                    assert_eq!(known, &(*state.board(), to_move));
                }
                game.apply(&mut state, joint);
            }
        }
        let board = *game.start().board();
        let near = [1, 2, 63].map(|left| key(&board, Seat::First, left));
        let far = [64, 65, 1000].map(|left| key(&board, Seat::First, left));
        assert!(near.iter().all(|key| !far.contains(key)));
        assert!(
            far.iter().all(|key| key == &far[0]),
            "far off it matters not"
        );
    }
}
