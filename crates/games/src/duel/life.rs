//! How cells live, are born and die: three rules, a word of cells at a time.

use super::board::Near;

/// Which rule the cells live by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Life {
    /// Each colour lives by Conway's rule as if the other's cells were empty; where both
    /// would live there is nothing.
    #[default]
    Duel,
    /// Two-player Life (Levene and Roussos, "A Two-Player Game of Life", 2003).
    /// An empty cell becomes a player's where exactly 3 neighbours are his and not exactly
    /// 3 the other's; 3 and 3 is decided by a coin. A cell lives on where its owner has 2
    /// or 3 neighbours more than the other, or 1 more and at least 2. No cell changes its
    /// owner in one turn.
    P2Life {
        /// Where the coin comes from.
        seed: u64,
    },
    /// As [`Life::Duel`], but a cell is born only where none of its neighbours is the
    /// enemy's.
    ColourLife,
}

/// Adds three bits: ones and twos.
#[inline]
fn add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

/// The ones of a count, and where what is left is exactly one two: 2 or 3 neighbours.
#[inline]
fn two_or_three(near: &Near) -> (u64, u64) {
    let (ones, carry) = add(near.above[0], near.beside[0], near.below[0]);
    let (a, b) = (near.above[1] ^ near.beside[1], near.below[1] ^ carry);
    let both = near.above[1] & near.beside[1] | near.below[1] & carry;
    (ones, (a ^ b) & !both)
}

/// The four bits of a count of up to 8 neighbours.
#[inline]
fn count(near: &Near) -> [u64; 4] {
    let (ones, carry) = add(near.above[0], near.beside[0], near.below[0]);
    let (half, four) = add(near.above[1], near.beside[1], near.below[1]);
    let more = half & carry;
    [ones, half ^ carry, four ^ more, four & more]
}

/// [`Life::Duel`].
#[inline]
pub(super) fn duel(cells: [u64; 2], near: [Near; 2]) -> [u64; 2] {
    let [first, second] = [0, 1].map(|seat: usize| {
        let (ones, few) = two_or_three(&near[seat]);
        few & (ones | cells[seat])
    });
    [first & !second, second & !first]
}

/// [`Life::ColourLife`].
#[inline]
pub(super) fn colour_life(cells: [u64; 2], near: [Near; 2]) -> [u64; 2] {
    let free = near.map(|near| {
        let [above, beside, below] = [near.above, near.beside, near.below];
        !(above[0] | above[1] | beside[0] | beside[1] | below[0] | below[1])
    });
    let [first, second] = [0, 1].map(|seat: usize| {
        let (ones, few) = two_or_three(&near[seat]);
        few & (ones & free[1 - seat] | cells[seat])
    });
    [first & !second, second & !first]
}

/// [`Life::P2Life`], and the cells for which a coin is thrown.
#[inline]
pub(super) fn p2life(cells: [u64; 2], near: [Near; 2]) -> [u64; 3] {
    let counts = [count(&near[0]), count(&near[1])];
    let three = counts.map(|n| n[0] & n[1] & !n[2]);
    let empty = !(cells[0] | cells[1]);
    let [first, second] = [0, 1].map(|seat: usize| {
        let (own, other) = (counts[seat], counts[1 - seat]);
        // own - other, a bit at a time
        let mut borrow = 0;
        let mut more = [0; 4];
        for bit in 0..4 {
            let half = own[bit] ^ other[bit];
            more[bit] = half ^ borrow;
            borrow = !own[bit] & other[bit] | !half & borrow;
        }
        let under_four = !borrow & !more[3] & !more[2];
        let at_least_two = own[1] | own[2] | own[3];
        let lives = under_four & (more[1] | more[0] & at_least_two);
        let born = empty & three[seat] & !three[1 - seat];
        cells[seat] & lives | born
    });
    [first, second, empty & three[0] & three[1]]
}
