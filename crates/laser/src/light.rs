//! Traces light: the directions in which it enters each tile, up to the fixed point, with a work
//! list (own method).
//!
//! Each cell is processed as a whole: all light that has entered it since its last visit is
//! propagated by one table lookup. Light along rows is traced first, and light that leaves them
//! waits in a work list, so that the cells of one row are processed one after the other; down a
//! column of a large board each cell is another cache line. The largest boards, in seconds on
//! one idle core (`benches/light.rs`; a loaded machine takes two or three times as long):
//!
//! ```text
//! 4096 x 4096                              rows first  one list  one head at a time
//! only beams that cross                          0.10      0.38                0.41
//! splitters of one kind, lasers all round        0.10      0.25                0.26
//! splitters of both kinds, lasers all round      0.24      0.36                0.72
//! splitters of both kinds, one laser             0.45      0.37                0.73
//! ```

use crate::board::Board;
use crate::direction::{Direction, Directions};
use crate::tile::Tile;

/// The light on a board: for each cell, the directions in which light travels as it enters.
///
/// A beam that enters a cell in a direction in which light has entered it before is dropped, so
/// cycles terminate, and there are at most four beam fronts for each cell. A `Light` that is
/// reused for many boards allocates no further memory.
///
/// ```
/// use laser::{Board, Direction, Light};
///
/// let board: Board = "3 2\nL>. M\\\nW W Sv".parse()?;
/// let light = Light::of(&board);
/// assert!(light.entering(2).contains(Direction::East));
/// assert!(light.leaving(&board, 2).contains(Direction::South));
/// assert!(!light.is_lit(&board, 5), "it opens downwards");
/// # Ok::<(), laser::LevelFileError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Light {
    /// For each cell the bits of [`Directions`]; during a trace the upper half has those that
    /// have not been propagated yet.
    entering: Vec<u8>,
    /// Work list of cells entered along their row.
    along: Vec<u32>,
    /// Work list of cells entered from another row.
    across: Vec<u32>,
}

impl PartialEq for Light {
    fn eq(&self, other: &Self) -> bool {
        self.entering == other.entering
    }
}

impl Eq for Light {}

const NORTH: u8 = Directions::of(Direction::North).bits();
const EAST: u8 = Directions::of(Direction::East).bits();
const SOUTH: u8 = Directions::of(Direction::South).bits();
const WEST: u8 = Directions::of(Direction::West).bits();

/// The number of cells scanned at once for lasers.
const AT_ONCE: usize = 64;

/// The exits for a set of entry directions, by [`Tile::index`] and the bits of that set.
static PASS: [[u8; 16]; Tile::COUNT] = {
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
    ///
    /// ```
    /// use laser::{Board, Light};
    ///
    /// let board: Board = "3 1\nL>. S<".parse()?;
    /// assert!(Light::of(&board).is_lit(&board, 2));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let mut light = Self::default();
        light.trace(board);
        light
    }

    /// Traces the light of another board, and replaces the previous result.
    ///
    /// ```
    /// use laser::{Board, Light, Tile};
    ///
    /// let mut board: Board = "3 1\nL>. S<".parse()?;
    /// let mut light = Light::of(&board);
    /// board.put(1, Tile::Wall);
    /// light.trace(&board);
    /// assert!(!light.is_lit(&board, 2));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    pub fn trace(&mut self, board: &Board) {
        let codes = board.codes();
        self.entering.clear();
        self.entering.resize(codes.len(), 0);
        let mut front = LightTrace {
            entering: &mut self.entering,
            width: board.width() as usize,
            along: &mut self.along,
            across: &mut self.across,
        };
        for (chunk, start) in codes.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE)) {
            // without a branch for each cell, so that the scan is vectorised
            if !chunk.iter().fold(false, |any, &code| any | is_laser(code)) {
                continue;
            }
            for (cell, &code) in (start..).zip(chunk) {
                if let Tile::Laser(way) = Tile::ALL[usize::from(code)] {
                    front.leave(cell, Directions::of(way).bits());
                }
            }
        }
        loop {
            while let Some(cell) = front.along.pop() {
                let cell = cell as usize;
                let waiting = front.entering[cell] >> 4;
                front.entering[cell] &= 15;
                front.leave(cell, PASS[usize::from(codes[cell])][usize::from(waiting)]);
            }
            if front.across.is_empty() {
                break;
            }
            std::mem::swap(front.along, front.across);
        }
    }

    /// The directions in which light travels as it enters a cell.
    #[inline]
    #[must_use]
    pub fn entering(&self, cell: usize) -> Directions {
        Directions::from_bits(self.entering[cell])
    }

    /// The number of beam fronts: cells, each counted once for every direction in which light
    /// enters it.
    ///
    /// ```
    /// use laser::{Board, Light};
    ///
    /// let board: Board = "3 1\nL>. S<".parse()?;
    /// assert_eq!(Light::of(&board).beam_fronts(), 2); // into the empty cell and the sensor
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn beam_fronts(&self) -> u64 {
        let fronts = self
            .entering
            .iter()
            .map(|bits| u64::from(bits.count_ones()));
        fronts.sum()
    }

    /// The directions in which light leaves a cell of the board that was traced, a laser's
    /// own beam among them.
    ///
    /// ```
    /// use laser::{Board, Direction, Directions, Light};
    ///
    /// let board: Board = "2 2\nL>B\\\n. . ".parse()?;
    /// let split = Light::of(&board).leaving(&board, 1);
    /// assert_eq!(split, Directions::of(Direction::East) | Direction::South.into());
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
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
    ///
    /// ```
    /// use laser::{Board, Direction, Directions, Light};
    ///
    /// let board: Board = "2 2\nL>M\\\n. . ".parse()?;
    /// let corner = Light::of(&board).half_beams(&board, 1);
    /// assert_eq!(corner, Directions::of(Direction::West) | Direction::South.into());
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn half_beams(&self, board: &Board, cell: usize) -> Directions {
        let sides = self.entering(cell).opposite();
        match board.tile(cell) {
            Tile::Wall => Directions::NONE,
            Tile::Laser(way) => Directions::of(way),
            Tile::Sensor(way) => Directions::from_bits(sides.bits() & Directions::of(way).bits()),
            Tile::Empty | Tile::Hardware(_) => sides | self.leaving(board, cell),
        }
    }

    /// Whether a cell of the board that was traced is a sensor, and lit.
    ///
    /// ```
    /// use laser::{Board, Light};
    ///
    /// let board: Board = "3 1\nL>. S<".parse()?;
    /// let light = Light::of(&board);
    /// assert!(light.is_lit(&board, 2) && !light.is_lit(&board, 1));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn is_lit(&self, board: &Board, cell: usize) -> bool {
        match board.tile(cell) {
            Tile::Sensor(way) => self.entering(cell).contains(way.opposite()),
            _ => false,
        }
    }

    /// How many sensors there are, and how many of them are lit.
    ///
    /// ```
    /// use laser::{Board, Light, SensorStatus};
    ///
    /// let board: Board = "3 2\nL>. S<\n. . Sv".parse()?;
    /// assert_eq!(Light::of(&board).status(&board), SensorStatus { sensors: 2, lit: 1 });
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn status(&self, board: &Board) -> SensorStatus {
        let mut status = SensorStatus { sensors: 0, lit: 0 };
        for (sensor, _) in board.sensors() {
            status.sensors += 1;
            status.lit += u32::from(self.is_lit(board, sensor));
        }
        status
    }
}

/// How many sensors are lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorStatus {
    /// Sensors on the board.
    pub sensors: u32,
    /// Those that are lit.
    pub lit: u32,
}

impl SensorStatus {
    /// Whether all sensors are lit. A level without sensors is never solved.
    ///
    /// ```
    /// use laser::SensorStatus;
    ///
    /// assert!(SensorStatus { sensors: 2, lit: 2 }.is_solved());
    /// assert!(!SensorStatus { sensors: 0, lit: 0 }.is_solved());
    /// ```
    #[must_use]
    pub fn is_solved(self) -> bool {
        self.sensors > 0 && self.lit == self.sensors
    }
}

#[inline]
fn is_laser(code: u8) -> bool {
    const FIRST: usize = Tile::Laser(Direction::North).index();
    const LAST: usize = Tile::Laser(Direction::West).index();
    (FIRST as u8..=LAST as u8).contains(&code)
}

/// A trace in progress.
struct LightTrace<'a> {
    entering: &'a mut [u8],
    width: usize,
    along: &'a mut Vec<u32>,
    across: &'a mut Vec<u32>,
}

impl LightTrace<'_> {
    /// Light leaves a cell in these directions and enters those beside it.
    #[inline(always)]
    fn leave(&mut self, cell: usize, exits: u8) {
        let width = self.width;
        if exits & NORTH != 0 && cell >= width {
            enter(self.entering, cell - width, NORTH, self.across);
        }
        if exits & SOUTH != 0 && cell + width < self.entering.len() {
            enter(self.entering, cell + width, SOUTH, self.across);
        }
        if exits & (EAST | WEST) == 0 {
            return;
        }
        let column = cell % width;
        if exits & EAST != 0 && column + 1 < width {
            enter(self.entering, cell + 1, EAST, self.along);
        }
        if exits & WEST != 0 && column > 0 {
            enter(self.entering, cell - 1, WEST, self.along);
        }
    }
}

/// Light enters a cell, which is added to the work list unless it is in one already.
#[inline(always)]
fn enter(entering: &mut [u8], cell: usize, bit: u8, list: &mut Vec<u32>) {
    let before = entering[cell];
    if before & bit == 0 {
        entering[cell] = before | bit | bit << 4;
        if before >> 4 == 0 {
            list.push(cell as u32);
        }
    }
}
