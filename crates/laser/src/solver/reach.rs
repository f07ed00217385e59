//! Where light could get to with so many more pieces: a bound that is never too high.
//!
//! Each open cell may hold whatever suits, each kind that is left may be used as often as
//! one likes, and each beam is looked at alone. What cannot be reached even so, with the
//! pieces that are left, cannot be reached at all.
//!
//! # Why the bound holds
//!
//! The claim: in every placement of the remaining kinds on open cells, light that enters a
//! cell and has met m open cells with pieces on its way has been found by round m. Straight
//! on costs nothing, since the cell may be empty (or hold a splitter, which costs the
//! placement a piece and us none). A turn at a piece met for the first time costs a round,
//! and every turn that a kind that is left can make is made.
//!
//! A beam may meet a piece again, on its other side, and then a turn costs nothing. Let it
//! have met the piece first travelling in direction a, now b, and leave in c. Between the
//! two it turned at other pieces, and last at one that is (1) decided, or (2) met for the
//! first time since, or (3) met again. In (2) the cell was entered in direction a two
//! rounds ago. In (1) and (3) one round ago, and the beam now comes straight from a decided
//! piece or from one met again: such beams are marked. So [`Reach::again`] turns b to c
//! where a was entered two rounds ago, or one round ago if b is marked, and marks c.
//!
//! To meet a piece again the beam must go round: on the topmost and on the lowest row of
//! its way it turns twice, so it needs four pieces or more, counting decided ones. With
//! mirrors only, a beam cannot meet itself the other way round (light can be sent back the
//! way it came, so the beam would have turned round in a single cell, which no mirror does),
//! so it meets a mirror twice at most, once on each side; where a kind that is left could
//! turn a to c at once, or c is a, doing that instead costs no more and skips the way
//! round, so only other cases need the rule.

use super::content::{Content, bit, is_clear, pass, ways};
use super::frame::{Cells, has, insert};
use super::state::{Head, State};
use crate::direction::Direction;

/// The heads that light can get to, for light from the lasers or, backwards, for light
/// that comes out of the sensors: each tile that hardware can stand on sends light back the
/// way it came, so the same rules serve both.
#[derive(Debug)]
pub(super) struct Reach {
    /// By direction: the cells that light can enter with the pieces that are left.
    pub(super) now: [Cells; 4],
    /// The same with one piece less.
    pub(super) before: [Cells; 4],
    /// With two less, for [`Reach::again`].
    earlier: [Cells; 4],
    /// The cells that light can leave.
    out: [Cells; 4],
    /// The cells that marked light can leave, and enter.
    marked_out: [Cells; 4],
    marked: [Cells; 4],
    /// There are enough pieces for light to meet one of them twice.
    has_ways_round: bool,
    has_mirrors_only: bool,
}

/// Which turns can be made: by direction of entry, the exits as bits.
struct Turns {
    fresh: [u8; 4],
    /// For a turn from b (first index) to c (second): the bits of each a.
    again: [[u8; 4]; 4],
    has_again: bool,
}

impl Turns {
    fn of(state: &State, has_mirrors_only: bool) -> Self {
        let mut fresh = [0; 4];
        for kind in state.kinds_left() {
            for heading in Direction::ALL {
                fresh[heading.index()] |= pass(kind, heading) & !bit(heading);
            }
        }
        let mut turns = Self {
            fresh,
            again: [[0; 4]; 4],
            has_again: false,
        };
        if !has_ways_round(state) {
            return turns;
        }
        for kind in state.kinds_left() {
            for second in Direction::ALL {
                for exit in ways(pass(kind, second) & !bit(second)) {
                    for first in Direction::ALL {
                        let is_needed = !has_mirrors_only
                            || first != exit
                                && first != exit.opposite()
                                && fresh[first.index()] & bit(exit) == 0;
                        if first != second && pass(kind, first) != 0 && is_needed {
                            turns.again[second.index()][exit.index()] |= bit(first);
                            turns.has_again = true;
                        }
                    }
                }
            }
        }
        turns
    }
}

/// A way round needs four pieces that turn light.
fn has_ways_round(state: &State) -> bool {
    state.left as usize + state.placed.len() >= 4
}

impl Reach {
    pub(super) fn new(words: usize, has_mirrors_only: bool) -> Self {
        let cells = || [(); 4].map(|()| vec![0; words]);
        Self {
            now: cells(),
            before: cells(),
            earlier: cells(),
            out: cells(),
            marked_out: cells(),
            marked: cells(),
            has_ways_round: false,
            has_mirrors_only,
        }
    }

    /// Whether light can enter a cell with the pieces that are left.
    #[inline]
    pub(super) fn can_enter(&self, (cell, heading): Head) -> bool {
        has(&self.now[heading.index()], cell)
    }

    /// Whether light can enter an open cell this way and leave it that way, with this piece
    /// in it, which is one of those that are left.
    ///
    /// Light has met one piece less until it gets there, or it met this very piece before,
    /// coming another way. (That some other piece would have sent it on at once the first
    /// time is no reason to leave that out: here it is this piece that is asked about.)
    pub(super) fn can_turn(
        &self,
        cell: u32,
        content: Content,
        heading: Direction,
        exit: Direction,
    ) -> bool {
        if has(&self.before[heading.index()], cell) {
            return true;
        }
        self.has_ways_round
            && has(&self.now[heading.index()], cell)
            && Direction::ALL.into_iter().any(|first| {
                first != heading
                    && !(self.has_mirrors_only && first == exit.opposite())
                    && pass(content, first) != 0
                    && has(&self.before[first.index()], cell)
            })
    }

    /// Finds them, from light that leaves these cells.
    pub(super) fn find(&mut self, state: &State, seeds: impl Iterator<Item = Head>) {
        for set in [
            &mut self.now,
            &mut self.before,
            &mut self.earlier,
            &mut self.out,
        ] {
            set.iter_mut().for_each(|cells| cells.fill(0));
        }
        let turns = Turns::of(state, self.has_mirrors_only);
        self.has_ways_round = has_ways_round(state);
        if turns.has_again {
            for set in [&mut self.marked_out, &mut self.marked] {
                set.iter_mut().for_each(|cells| cells.fill(0));
            }
        }
        for (cell, exit) in seeds {
            insert(&mut self.out[exit.index()], cell);
        }
        for way in Direction::ALL {
            sweep(
                state,
                way,
                &self.out[way.index()],
                &mut self.now[way.index()],
            );
        }
        self.close(state, &turns);
        for _ in 0..state.left {
            for way in 0..4 {
                if turns.has_again {
                    let (earlier, before) = (&mut self.earlier[way], &self.before[way]);
                    earlier.copy_from_slice(before);
                }
                self.before[way].copy_from_slice(&self.now[way]);
            }
            for heading in 0..4 {
                for exit in ways(turns.fresh[heading]) {
                    let from = self.before[heading].iter().zip(&state.open);
                    for (out, (before, open)) in self.out[exit.index()].iter_mut().zip(from) {
                        *out |= before & open;
                    }
                }
            }
            for way in Direction::ALL {
                sweep(
                    state,
                    way,
                    &self.out[way.index()],
                    &mut self.now[way.index()],
                );
            }
            self.close(state, &turns);
            if self.now == self.before && (!turns.has_again || self.before == self.earlier) {
                return;
            }
        }
    }

    /// Lets light through decided pieces, and through pieces met again, until nothing new
    /// comes of it.
    fn close(&mut self, state: &State, turns: &Turns) {
        loop {
            self.pass_decided(state, turns.has_again);
            if !turns.has_again || !self.again(state, turns) {
                return;
            }
        }
    }

    fn pass_decided(&mut self, state: &State, marks: bool) {
        let mut is_new = true;
        while is_new {
            is_new = false;
            for &cell in &state.placed {
                let content = state.contents[cell as usize];
                for heading in Direction::ALL {
                    if !has(&self.now[heading.index()], cell) {
                        continue;
                    }
                    for exit in ways(pass(content, heading) & !bit(heading)) {
                        if !has(&self.out[exit.index()], cell) {
                            insert(&mut self.out[exit.index()], cell);
                            walk(state, (cell, exit), &mut self.now[exit.index()]);
                            is_new = true;
                        }
                        if marks && !has(&self.marked_out[exit.index()], cell) {
                            insert(&mut self.marked_out[exit.index()], cell);
                            walk(state, (cell, exit), &mut self.marked[exit.index()]);
                            is_new = true;
                        }
                    }
                }
            }
        }
    }

    /// The turns of pieces met again; says whether there are new ones.
    fn again(&mut self, state: &State, turns: &Turns) -> bool {
        let mut is_any_new = false;
        for exit in Direction::ALL {
            let c = exit.index();
            let mut is_new = false;
            for b in 0..4 {
                for first in ways(turns.again[b][c]) {
                    let a = first.index();
                    for i in 0..state.open.len() {
                        let entered = self.earlier[a][i] & self.now[b][i]
                            | self.before[a][i] & self.marked[b][i];
                        let found = entered & state.open[i] & !self.marked_out[c][i];
                        if found != 0 {
                            self.marked_out[c][i] |= found;
                            self.out[c][i] |= found;
                            is_new = true;
                        }
                    }
                }
            }
            if is_new {
                sweep(state, exit, &self.out[c], &mut self.now[c]);
                sweep(state, exit, &self.marked_out[c], &mut self.marked[c]);
                is_any_new = true;
            }
        }
        is_any_new
    }
}

/// The cells that light enters that leaves a cell and goes straight on.
fn walk(state: &State, (cell, way): Head, entered: &mut Cells) {
    let mut cell = state.frame.step(cell, way);
    while !has(entered, cell) {
        insert(entered, cell);
        if !has(&state.clear, cell) {
            return;
        }
        cell = state.frame.step(cell, way);
    }
}

/// The cells that light enters that leaves any of these cells and goes straight on, all at
/// once.
fn sweep(state: &State, way: Direction, out: &Cells, entered: &mut Cells) {
    let words = state.frame.words;
    let clear = &state.clear;
    match way {
        Direction::South => {
            for i in words..out.len() {
                let above = i - words;
                entered[i] = out[above] | entered[above] & clear[above];
            }
        }
        Direction::North => {
            for i in (0..out.len() - words).rev() {
                let below = i + words;
                entered[i] = out[below] | entered[below] & clear[below];
            }
        }
        Direction::East => {
            let rows = out.chunks_exact(words).zip(clear.chunks_exact(words));
            for (entered, (out, clear)) in entered.chunks_exact_mut(words).zip(rows) {
                let mut carry = 0;
                for i in 0..words {
                    let first = out[i] << 1 | carry;
                    let (all, over) = flood(first, clear[i]);
                    entered[i] = first | all << 1;
                    carry = out[i] >> 63 | u64::from(over);
                }
            }
        }
        Direction::West => {
            let rows = out.chunks_exact(words).zip(clear.chunks_exact(words));
            for (entered, (out, clear)) in entered.chunks_exact_mut(words).zip(rows) {
                let mut carry = 0;
                for i in (0..words).rev() {
                    // the same from right to left
                    let (out, clear) = (out[i].reverse_bits(), clear[i].reverse_bits());
                    let first = out << 1 | carry;
                    let (all, over) = flood(first, clear);
                    entered[i] = (first | all << 1).reverse_bits();
                    carry = out >> 63 | u64::from(over);
                }
            }
        }
    }
}

/// The clear bits that can be come to from these upwards without a gap, and whether the
/// uppermost is one of them. An addition carries through each run of clear bits from its
/// lowest start; what it leaves standing there are starts themselves.
#[inline]
fn flood(starts: u64, clear: u64) -> (u64, bool) {
    let starts = starts & clear;
    let all = (clear.wrapping_add(starts) ^ clear | starts) & clear;
    (all, all >> 63 != 0)
}

/// Whether there are only mirrors among these.
pub(super) fn are_mirrors(mut pieces: impl Iterator<Item = Content>) -> bool {
    pieces.all(|content| {
        Direction::ALL
            .iter()
            .all(|&way| pass(content, way).count_ones() == 1 && !is_clear(content))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_goes_up_to_the_next_gap() {
        for (starts, clear, all) in [
            (0b0000_0001, 0b0000_1111, 0b0000_1111),
            (0b0000_0101, 0b0000_1111, 0b0000_1111),
            (0b0001_0110, 0b0110_1110, 0b0000_1110),
            (0b0010_0010, 0b0110_1110, 0b0110_1110),
            (0b1001_0000, 0b0110_1111, 0b0000_0000),
            (1 << 63, 3 << 62, 1 << 63),
            (1 << 62, 3 << 62, 3 << 62),
            (1, u64::MAX, u64::MAX),
        ] {
            assert_eq!(
                flood(starts, clear),
                (all, all >> 63 != 0),
                "{starts:b} {clear:b}"
            );
        }
    }
}
