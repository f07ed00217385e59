//! The three birth and survival rules, bit-parallel, a word of cells at a time.

use super::board::{DuelNeighbourCounts, SeatWordPair};

/// The birth and survival rule.
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
#[inline(always)]
fn add(a: SeatWordPair, b: SeatWordPair, c: SeatWordPair) -> (SeatWordPair, SeatWordPair) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

/// The ones of a count, and where what is left is exactly one two: 2 or 3 neighbours.
#[inline(always)]
fn two_or_three(near: &DuelNeighbourCounts) -> (SeatWordPair, SeatWordPair) {
    let (ones, carry) = add(near.before[0], near.beside[0], near.after[0]);
    let (a, b) = (near.before[1] ^ near.beside[1], near.after[1] ^ carry);
    let both = near.before[1] & near.beside[1] | near.after[1] & carry;
    (ones, (a ^ b) & !both)
}

/// The four bits of a count of up to 8 neighbours.
#[inline(always)]
fn count(near: &DuelNeighbourCounts) -> [SeatWordPair; 4] {
    let (ones, carry) = add(near.before[0], near.beside[0], near.after[0]);
    let (half, four) = add(near.before[1], near.beside[1], near.after[1]);
    let more = half & carry;
    [ones, half ^ carry, four ^ more, four & more]
}

/// [`Life::Duel`].
#[inline(always)]
pub(super) fn duel(cells: SeatWordPair, near: DuelNeighbourCounts) -> [SeatWordPair; 1] {
    let (ones, few) = two_or_three(&near);
    let lives = few & (ones | cells);
    [lives & !lives.exchanged()]
}

/// [`Life::ColourLife`].
#[inline(always)]
pub(super) fn colour_life(cells: SeatWordPair, near: DuelNeighbourCounts) -> [SeatWordPair; 1] {
    let any = |line: [SeatWordPair; 2]| line[0] | line[1];
    let enemies = (any(near.before) | any(near.beside) | any(near.after)).exchanged();
    let (ones, few) = two_or_three(&near);
    let lives = few & (ones & !enemies | cells);
    [lives & !lives.exchanged()]
}

/// [`Life::P2Life`], and the cells for which a coin is thrown (twice the same).
#[inline(always)]
pub(super) fn p2life(cells: SeatWordPair, near: DuelNeighbourCounts) -> [SeatWordPair; 2] {
    let own = count(&near);
    let three = own[0] & own[1] & !own[2];
    let empty = !(cells | cells.exchanged());
    // own - other, a bit at a time
    let mut borrow = SeatWordPair([0; 2]);
    let mut more = own;
    for bit in 0..4 {
        let other = own[bit].exchanged();
        let half = own[bit] ^ other;
        more[bit] = half ^ borrow;
        borrow = !own[bit] & other | !half & borrow;
    }
    let under_four = !(borrow | more[3] | more[2]);
    let at_least_two = own[1] | own[2] | own[3];
    let lives = under_four & (more[1] | more[0] & at_least_two);
    let born = empty & three & !three.exchanged();
    [cells & lives | born, empty & three & three.exchanged()]
}
