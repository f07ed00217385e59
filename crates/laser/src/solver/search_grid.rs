//! The cell layout of the search: rows of whole words, with a border of walls.

use crate::board::Board;
use crate::direction::Direction;

/// A board with a ring of walls round it, each row a whole number of 64-bit words, so that
/// no step needs a look at the edge and a set of cells is one bit for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchGrid {
    /// Words in a row.
    pub(super) words: usize,
    /// Rows, the two of the ring among them.
    pub(super) rows: usize,
    /// The board's columns.
    width: usize,
}

impl SearchGrid {
    pub(super) fn of(board: &Board) -> Self {
        Self {
            words: (board.width() as usize + 2).div_ceil(64),
            rows: board.height() as usize + 2,
            width: board.width() as usize,
        }
    }

    /// How many cells it has, those to the right of the ring among them.
    pub(super) fn cells(self) -> usize {
        self.words * 64 * self.rows
    }

    /// The cell of the frame for a cell of the board.
    pub(super) fn to_grid(self, cell: usize) -> u32 {
        let (x, y) = (cell % self.width, cell / self.width);
        ((y + 1) * self.words * 64 + x + 1) as u32
    }

    /// The cell of the board for a cell of the frame that is not in the ring.
    pub(super) fn to_board(self, cell: u32) -> usize {
        let row = self.words * 64;
        let (x, y) = (cell as usize % row, cell as usize / row);
        (y - 1) * self.width + x - 1
    }

    /// The next cell.
    #[inline]
    pub(super) fn step(self, cell: u32, way: Direction) -> u32 {
        let row = (self.words * 64) as u32;
        match way {
            Direction::North => cell - row,
            Direction::East => cell + 1,
            Direction::South => cell + row,
            Direction::West => cell - 1,
        }
    }
}

/// A set of cells, one bit for each.
pub(super) type CellBitset = Vec<u64>;

#[inline]
pub(super) fn has(cells: &[u64], cell: u32) -> bool {
    cells[cell as usize / 64] >> (cell % 64) & 1 != 0
}

#[inline]
pub(super) fn insert(cells: &mut [u64], cell: u32) {
    cells[cell as usize / 64] |= 1 << (cell % 64);
}

#[inline]
pub(super) fn remove(cells: &mut [u64], cell: u32) {
    cells[cell as usize / 64] &= !(1 << (cell % 64));
}
