//! Light: which way it enters each tile, until there is no new place for it to go.

use crate::board::Board;
use crate::direction::{Direction, Directions};
use crate::tile::Tile;

/// The light on a board: for each cell, the directions in which light travels as it enters.
///
/// A beam that enters a cell in a direction in which light has entered it before is
/// dropped, so cycles end, and there are at most four heads for each cell. Kept, and used
/// for board after board, it needs no new memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Light {
    /// For each cell the bits of [`Directions`].
    entering: Vec<u8>,
}

/// Where all directions go on at once, by [`Tile::index`] and the bits of those that enter.
const PASS: [[u8; 16]; Tile::COUNT] = {
    let mut table = [[0; 16]; Tile::COUNT];
    let mut tile = 0;
    while tile < Tile::COUNT {
        let mut bits = 0;
        while bits < 16 {
            let mut way = 0;
            while way < 4 {
                if bits >> way & 1 != 0 {
                    table[tile][bits] |= Tile::ALL[tile].pass(Direction::ALL[way]).bits();
                }
                way += 1;
            }
            bits += 1;
        }
        tile += 1;
    }
    table
};

impl Light {
    /// The light on this board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let mut light = Self::default();
        light.trace(board);
        light
    }

    /// Follows the light of another board, and forgets what was here.
    pub fn trace(&mut self, board: &Board) {
        self.entering.clear();
        self.entering.resize(board.cells(), 0);
        let mut heads: Vec<(usize, Direction)> = board
            .lasers()
            .filter_map(|(laser, way)| Some((board.beside(laser, way)?, way)))
            .collect();
        while let Some((cell, heading)) = heads.pop() {
            let bit = Directions::of(heading).bits();
            if self.entering[cell] & bit != 0 {
                continue;
            }
            self.entering[cell] |= bit;
            for exit in board.tile(cell).pass(heading).iter() {
                heads.extend(board.beside(cell, exit).map(|next| (next, exit)));
            }
        }
    }

    /// The directions in which light travels as it enters a cell.
    #[inline]
    #[must_use]
    pub fn entering(&self, cell: usize) -> Directions {
        Directions::from_bits(self.entering[cell])
    }

    /// The directions in which light leaves a cell of the board that was traced, a laser's
    /// own beam among them.
    #[inline]
    #[must_use]
    pub fn leaving(&self, board: &Board, cell: usize) -> Directions {
        let tile = board.tile(cell);
        let own = match tile {
            Tile::Laser(way) => Directions::of(way),
            _ => Directions::NONE,
        };
        let passed = PASS[tile.index()][usize::from(self.entering[cell])];
        own | Directions::from_bits(passed)
    }

    /// The half-beams to draw in a cell, each from its middle to one side: where light comes
    /// in, and where it goes out. None in a wall, only its own in a laser, and in a sensor
    /// the one that lights it.
    #[must_use]
    pub fn halves(&self, board: &Board, cell: usize) -> Directions {
        let sides = self.entering(cell).opposite();
        match board.tile(cell) {
            Tile::Wall => Directions::NONE,
            Tile::Laser(way) => Directions::of(way),
            Tile::Sensor(way) => Directions::from_bits(sides.bits() & Directions::of(way).bits()),
            Tile::Empty | Tile::Hardware(_) => sides | self.leaving(board, cell),
        }
    }

    /// Whether a cell of the board that was traced is a sensor, and lit.
    #[inline]
    #[must_use]
    pub fn is_lit(&self, board: &Board, cell: usize) -> bool {
        match board.tile(cell) {
            Tile::Sensor(way) => self.entering(cell).contains(way.opposite()),
            _ => false,
        }
    }

    /// How many sensors there are, and how many of them are lit.
    #[must_use]
    pub fn status(&self, board: &Board) -> Status {
        let mut status = Status { sensors: 0, lit: 0 };
        for (sensor, _) in board.sensors() {
            status.sensors += 1;
            status.lit += u32::from(self.is_lit(board, sensor));
        }
        status
    }
}

/// How far a level is from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Sensors on the board.
    pub sensors: u32,
    /// Those that are lit.
    pub lit: u32,
}

impl Status {
    /// Whether all sensors are lit. A level without sensors is never solved.
    #[must_use]
    pub fn is_solved(self) -> bool {
        self.sensors > 0 && self.lit == self.sensors
    }
}
