//! Games as numbers and arrays: actions, planes of the board, facts. Own method.
//!
//! An action is the number of a cell, row by row from the top left as [`Game::diagram`] has it, or
//! the bits of a column, bit r for row r from the top. Planes are what a seat sees: its own
//! pieces, the other's, and goals.

use games::duel::{Duel, DuelBoard};
use games::mnk::Mnk;
use games::stones::{self, Stones};
use games::{DiagramMark, Game, Seat};
use players::{PlayerFactory, Roster};

/// The most actions that a mask lists.
pub(crate) const MOST_MASKED: u64 = 1 << 16;
/// Planes of an observation.
pub(crate) const PLANES: usize = 3;

/// A game whose positions and moves are numbers.
pub(crate) trait EncodedGame: Roster {
    /// Names of [`EncodedGame::facts`].
    const FACTS: &'static [&'static str];

    /// Rows and columns.
    fn board(&self) -> (usize, usize);

    /// Actions are 0 up to this.
    fn actions(&self) -> u64;

    /// The action of a move.
    fn action(&self, m: Self::Move) -> u64;

    /// The move of an action that is in range.
    fn decode(&self, action: u64) -> Self::Move;

    /// What stands there as the seat sees it: 1 its own, -1 the other's.
    fn mark(&self, state: &Self::State, seat: Seat, row: usize, column: usize) -> i32;

    /// Whether the cell is worth something.
    fn is_goal(&self, _: &Self::State, _: Seat, _row: usize, _column: usize) -> bool {
        false
    }

    /// What there is besides the board, the seat's own first.
    fn facts(&self, state: &Self::State, seat: Seat) -> Vec<f32>;

    /// Sets the byte of each legal action.
    fn write_mask(
        &self,
        state: &Self::State,
        seat: Seat,
        mask: &mut [u8],
        scratch: &mut Vec<Self::Move>,
    ) {
        mask.fill(0);
        self.moves(state, seat, scratch);
        for &m in &*scratch {
            mask[self.action(m) as usize] = 1;
        }
    }

    /// Writes the planes.
    fn write_planes(&self, state: &Self::State, seat: Seat, planes: &mut [u8]) {
        let (rows, columns) = self.board();
        let cells = rows * columns;
        planes.fill(0);
        for row in 0..rows {
            for column in 0..columns {
                let cell = row * columns + column;
                match self.mark(state, seat, row, column) {
                    1 => planes[cell] = 1,
                    -1 => planes[cells + cell] = 1,
                    _ => {}
                }
                planes[2 * cells + cell] = u8::from(self.is_goal(state, seat, row, column));
            }
        }
    }
}

fn sign(mark: DiagramMark, seat: Seat) -> i32 {
    match mark {
        DiagramMark::Empty => 0,
        mark if mark == DiagramMark::of(seat) => 1,
        _ => -1,
    }
}

impl<const WORDS: usize> EncodedGame for Mnk<WORDS>
where
    Self: PlayerFactory,
{
    const FACTS: &'static [&'static str] = &["stones"];

    fn board(&self) -> (usize, usize) {
        (self.rows() as usize, self.columns() as usize)
    }

    fn actions(&self) -> u64 {
        self.cells().into()
    }

    fn action(&self, cell: Self::Move) -> u64 {
        cell.into()
    }

    fn decode(&self, action: u64) -> Self::Move {
        action as Self::Move
    }

    fn mark(&self, state: &Self::State, seat: Seat, row: usize, column: usize) -> i32 {
        sign(state.mark(self.cell(column as u32, row as u32)), seat)
    }

    fn facts(&self, state: &Self::State, seat: Seat) -> Vec<f32> {
        let stones = self.cells() as u64 - self.breadth(state, seat);
        vec![stones as f32]
    }
}

impl EncodedGame for Stones {
    const FACTS: &'static [&'static str] = &["own stones", "other stones", "ply"];

    fn board(&self) -> (usize, usize) {
        (stones::SIDE as usize, stones::SIDE as usize)
    }

    fn actions(&self) -> u64 {
        u64::from(stones::SIDE * stones::SIDE)
    }

    fn action(&self, point: Self::Move) -> u64 {
        let (column, row) = stones::place(point);
        u64::from((stones::SIDE - 1 - row) * stones::SIDE + column)
    }

    fn decode(&self, action: u64) -> Self::Move {
        let (row, column) = (action as u32 / stones::SIDE, action as u32 % stones::SIDE);
        stones::point(column, stones::SIDE - 1 - row)
    }

    fn mark(&self, state: &Self::State, seat: Seat, row: usize, column: usize) -> i32 {
        let row = stones::SIDE - 1 - row as u32;
        sign(state.mark(stones::point(column as u32, row)), seat)
    }

    fn facts(&self, state: &Self::State, seat: Seat) -> Vec<f32> {
        let count = |seat| stones::count(state.board().stones(seat)) as f32;
        vec![count(seat), count(seat.other()), state.ply() as f32]
    }
}

impl<B: DuelBoard> EncodedGame for Duel<B>
where
    Self: PlayerFactory,
{
    const FACTS: &'static [&'static str] = &[
        "own mana",
        "other mana",
        "own score",
        "other score",
        "turns left",
    ];

    fn board(&self) -> (usize, usize) {
        (self.size().rows as usize, self.size().columns as usize)
    }

    fn actions(&self) -> u64 {
        1 << self.size().rows
    }

    fn action(&self, column: Self::Move) -> u64 {
        column.into()
    }

    fn decode(&self, action: u64) -> Self::Move {
        action as Self::Move
    }

    fn mark(&self, state: &Self::State, seat: Seat, row: usize, column: usize) -> i32 {
        self.sign(state, seat, column as u32, row as u32)
    }

    fn is_goal(&self, state: &Self::State, seat: Seat, row: usize, column: usize) -> bool {
        Duel::is_goal(self, state, seat, column as u32, row as u32)
    }

    fn facts(&self, state: &Self::State, seat: Seat) -> Vec<f32> {
        let other = seat.other();
        vec![
            state.mana(seat) as f32,
            state.mana(other) as f32,
            state.score(seat) as f32,
            state.score(other) as f32,
            self.turns_left(state) as f32,
        ]
    }
}
