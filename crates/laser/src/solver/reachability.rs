//! Reachability of light with a number of further pieces: a relaxation, and so an admissible
//! bound.
//!
//! In the relaxation each open cell may hold any content, each kind that is left may be used
//! any number of times, and each beam is considered alone. What cannot be reached even so, with
//! the number of pieces that are left, cannot be reached at all.
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
//! have met the piece first travelling in direction a, now b, and leave in c. It went round
//! in between, and a way round turns light at four pieces or more: twice on its topmost row
//! and twice on its lowest. So besides this piece it turned at three, each decided or met
//! since (for the first piece that is met again; call them decided and new). The new ones
//! cost a round each. The decided ones got light only now: had light been there without new
//! pieces, the beam could be taken from there, without the way round. So in round r a piece
//! is met again only where at least 3 - (r - 1) decided pieces turned light that came with
//! the rounds, and it was entered in direction a in an earlier round.
//!
//! Where that cannot be ruled out, the round is made a generous one: light that came to a
//! cell before this round leaves it in each way in which any kind lets out light that also
//! lets this light in. That holds all ways round, since a beam that meets a piece again has
//! met it before this round. Generous rounds cost much of the bound, so round 2, with only
//! two decided pieces in play, looks closer: the beam met one new piece besides, so that it
//! came to the first when no round was over, and those cells are few. (Such a way round is a
//! rectangle with these four at its corners; light that has come round leaves it outward,
//! and with no other piece in play it meets none of the four once more.)
//!
//! With mirrors only, a beam cannot meet itself the other way round (light can be sent back
//! the way it came, so the beam would have turned round in a single cell, which no mirror
//! does), so it meets a mirror twice at most, once on each side; where a kind that is left
//! could turn a to c at once, or c is a, doing that instead costs no more and skips the way
//! round.
//!
//! Without all this the bound would be wrong: a mirror used on both sides by one beam would
//! be paid twice.

use super::cell_contents::{LaserCellContents, bit, is_clear, pass, turned, ways};
use super::partial_board::{BeamFront, PartialBoard};
use super::search_grid::{CellBitset, has, insert};
use crate::direction::Direction;

/// The reachable beam fronts, for light from the lasers or, backwards, for light that comes out
/// of the sensors: each tile that hardware can stand on sends light back the way it came, so
/// the same rules serve both.
#[derive(Debug)]
pub(super) struct LightReachability {
    /// By direction: the cells that light can enter with the pieces that are left.
    now: [CellBitset; 4],
    /// The same with one piece less.
    before: [CellBitset; 4],
    /// With none at all.
    first: [CellBitset; 4],
    /// The cells that light can leave.
    out: [CellBitset; 4],
    /// For each decided piece, the ways in which it sends light that it turned.
    sent: Vec<u8>,
    /// The set of decided pieces that turn light of the rounds, by number.
    active: u64,
    /// Light may meet one of the pieces that are left twice.
    has_ways_round: bool,
    has_mirrors_only: bool,
}

/// Which turns can be made.
pub(super) struct TurnTable {
    /// By direction of entry, the exits as bits.
    fresh: [u8; 4],
    /// The same for generous rounds.
    generous: [u8; 4],
    /// For a turn from b (first index) to c (second): the bits of each a.
    again: [[u8; 4]; 4],
}

impl TurnTable {
    pub(super) fn of(state: &PartialBoard, has_mirrors_only: bool) -> Self {
        let mut fresh = [0; 4];
        for kind in state.kinds_left() {
            for heading in Direction::ALL {
                fresh[heading.index()] |= pass(kind, heading) & !bit(heading);
            }
        }
        let mut turns = Self {
            fresh,
            generous: fresh,
            again: [[0; 4]; 4],
        };
        if state.left as usize + state.placed.len() < 4 {
            return turns;
        }
        for kind in state.kinds_left() {
            for second in Direction::ALL {
                for exit in ways(pass(kind, second) & !bit(second)) {
                    for first in Direction::ALL {
                        let is_needed = !has_mirrors_only || first != exit.opposite();
                        if first != second
                            && first != exit
                            && pass(kind, first) != 0
                            && is_needed
                            && fresh[first.index()] & bit(exit) == 0
                        {
                            turns.again[second.index()][exit.index()] |= bit(first);
                            turns.generous[first.index()] |= bit(exit);
                        }
                    }
                }
            }
        }
        turns
    }
}

impl LightReachability {
    pub(super) fn new(words: usize, has_mirrors_only: bool) -> Self {
        let cells = || [(); 4].map(|()| vec![0; words]);
        Self {
            now: cells(),
            before: cells(),
            first: cells(),
            out: cells(),
            sent: Vec::new(),
            active: 0,
            has_ways_round: false,
            has_mirrors_only,
        }
    }

    /// Whether light can enter a cell with the pieces that are left.
    #[inline]
    pub(super) fn can_enter(&self, (cell, heading): BeamFront) -> bool {
        has(&self.now[heading.index()], cell)
    }

    /// Whether light can enter a cell without any piece, where pieces are left.
    #[inline]
    pub(super) fn can_enter_at_once(&self, (cell, heading): BeamFront) -> bool {
        has(&self.first[heading.index()], cell)
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
        content: LaserCellContents,
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

    /// Computes the reachable fronts, from light that leaves these cells.
    pub(super) fn compute(
        &mut self,
        state: &PartialBoard,
        turns: &TurnTable,
        seeds: impl Iterator<Item = BeamFront>,
    ) {
        for set in [&mut self.before, &mut self.out] {
            set.iter_mut().for_each(|cells| cells.fill(0));
        }
        self.sent.clear();
        self.sent.resize(state.placed.len(), 0);
        let can_go_round = state.left as usize + state.placed.len() >= 4;
        for (cell, exit) in seeds {
            insert(&mut self.out[exit.index()], cell);
        }
        self.sweep_all(state);
        self.pass_decided(state);
        self.active = 0;
        for round in 1..=state.left {
            std::mem::swap(&mut self.before, &mut self.now);
            if round == 1 {
                self.first.clone_from(&self.before);
            }
            self.apply_turns(state, &turns.fresh);
            self.sweep_all(state);
            self.pass_decided(state);
            if can_go_round && self.may_go_round(round, state, turns) {
                self.apply_turns(state, &turns.generous);
                self.sweep_all(state);
                self.pass_decided(state);
            }
            if self.now == self.before && (!can_go_round || round > 3) {
                break;
            }
        }
        self.has_ways_round = can_go_round && self.active.count_ones() + state.left > 3;
    }

    /// Whether this round has to be a generous one.
    fn may_go_round(&self, round: u32, state: &PartialBoard, turns: &TurnTable) -> bool {
        let active = self.active.count_ones();
        turns.generous != turns.fresh
            && active + round > 3
            && (round != 2 || active != 2 || self.meets_again(state, turns))
    }

    /// Light that was in an open cell before this round leaves it by these turns.
    fn apply_turns(&mut self, state: &PartialBoard, turns: &[u8; 4]) {
        for (heading, &exits) in turns.iter().enumerate() {
            for exit in ways(exits) {
                let from = self.before[heading].iter().zip(&state.open);
                for (out, (before, open)) in self.out[exit.index()].iter_mut().zip(from) {
                    *out |= before & open;
                }
            }
        }
    }

    fn sweep_all(&mut self, state: &PartialBoard) {
        for way in Direction::ALL {
            sweep(
                state,
                way,
                &self.out[way.index()],
                &mut self.now[way.index()],
            );
        }
    }

    /// Propagates light through decided pieces to the fixed point.
    fn pass_decided(&mut self, state: &PartialBoard) {
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (number, &cell) in state.placed.iter().enumerate() {
                let mut entered = 0;
                for (heading, now) in self.now.iter().enumerate() {
                    entered |= u8::from(has(now, cell)) << heading;
                }
                let turned = turned(state.contents[cell as usize], entered);
                let exits = turned & !self.sent[number];
                if exits == 0 {
                    continue;
                }
                self.sent[number] |= exits;
                // with more pieces than bits all of them count as awake
                self.active |= if number < 64 { 1 << number } else { u64::MAX };
                is_new = true;
                for exit in ways(exits) {
                    insert(&mut self.out[exit.index()], cell);
                    follow_beam(state, (cell, exit), &mut self.now[exit.index()]);
                }
            }
        }
    }

    /// Whether light in round 2 meets a piece again that it met before the first round.
    fn meets_again(&self, state: &PartialBoard, turns: &TurnTable) -> bool {
        for b in Direction::ALL {
            for c in Direction::ALL {
                for a in ways(turns.again[b.index()][c.index()]) {
                    let (a, b, c) = (a.index(), b.index(), c.index());
                    for i in 0..state.open.len() {
                        let met = self.first[a][i] & self.now[b][i] & state.open[i];
                        if met & !self.out[c][i] != 0 {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }
}

/// Marks the cells that a beam enters which leaves a cell and goes straight on.
fn follow_beam(state: &PartialBoard, (cell, way): BeamFront, entered: &mut CellBitset) {
    let mut cell = state.grid.step(cell, way);
    while !has(entered, cell) {
        insert(entered, cell);
        if !has(&state.clear, cell) {
            return;
        }
        cell = state.grid.step(cell, way);
    }
}

/// The cells that light enters that leaves any of these cells and goes straight on, all at
/// once.
fn sweep(state: &PartialBoard, way: Direction, out: &CellBitset, entered: &mut CellBitset) {
    let words = state.grid.words;
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
        Direction::East if words == 1 => {
            for (entered, (out, clear)) in entered.iter_mut().zip(out.iter().zip(clear)) {
                let first = out << 1;
                *entered = first | flood_up(first, *clear).0 << 1;
            }
        }
        Direction::West if words == 1 => {
            for (entered, (out, clear)) in entered.iter_mut().zip(out.iter().zip(clear)) {
                let first = out >> 1;
                *entered = first | flood_down(first, *clear) >> 1;
            }
        }
        Direction::East => {
            let rows = out.chunks_exact(words).zip(clear.chunks_exact(words));
            for (entered, (out, clear)) in entered.chunks_exact_mut(words).zip(rows) {
                let mut carry = 0;
                for i in 0..words {
                    let first = out[i] << 1 | carry;
                    let (all, over) = flood_up(first, clear[i]);
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
                    let first = out[i] >> 1 | carry << 63;
                    let all = flood_down(first, clear[i]);
                    entered[i] = first | all >> 1;
                    carry = (out[i] | all) & 1;
                }
            }
        }
    }
}

/// The clear bits reachable from the starts upwards without a gap, and whether the uppermost is
/// one of them. An addition carries through each run of clear bits from its lowest start; the
/// bits that remain set there are starts themselves.
#[inline]
fn flood_up(starts: u64, clear: u64) -> (u64, bool) {
    let starts = starts & clear;
    let all = (clear.wrapping_add(starts) ^ clear | starts) & clear;
    (all, all >> 63 != 0)
}

/// The same downwards, where no carry helps: by parallel-prefix steps of 1, 2, 4 and so on.
#[inline]
fn flood_down(starts: u64, clear: u64) -> u64 {
    let (mut all, mut through) = (starts & clear, clear);
    for step in [1, 2, 4, 8, 16, 32] {
        all |= through & all >> step;
        through &= through >> step;
    }
    all
}

/// Whether there are only mirrors among these.
pub(super) fn are_mirrors(mut pieces: impl Iterator<Item = LaserCellContents>) -> bool {
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
            (0b0000_0001_u64, 0b0000_1111_u64, 0b0000_1111),
            (0b0000_0101, 0b0000_1111, 0b0000_1111),
            (0b0001_0110, 0b0110_1110, 0b0000_1110),
            (0b0010_0010, 0b0110_1110, 0b0110_1110),
            (0b1001_0000, 0b0110_1111, 0b0000_0000),
            (1 << 63, 3 << 62, 1 << 63),
            (1 << 62, 3 << 62, 3 << 62),
            (1, u64::MAX, u64::MAX),
        ] {
            let turned = flood_down(starts.reverse_bits(), clear.reverse_bits());
            assert_eq!(turned.reverse_bits(), all, "{starts:b} {clear:b}");
            assert_eq!(
                flood_up(starts, clear),
                (all, all >> 63 != 0),
                "{starts:b} {clear:b}"
            );
        }
    }
}
