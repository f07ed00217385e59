use crate::direction::Direction;
use crate::moves::{LaserMoveError, Move};
use crate::tile::{Piece, Tile};
use grid::Point;
use thiserror::Error;

/// A rectangle of tiles. A cell is given by its position, a [`Point`] with (0, 0) in the
/// north-west, or by its index, which counts cells row by row.
///
/// ```
/// use laser::{Board, Piece, Tile};
///
/// let board: Board = "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?;
/// assert_eq!((board.width(), board.height()), (4, 3));
/// assert_eq!(board.tile(9), Tile::Hardware(Piece::MirrorRising));
/// # Ok::<(), laser::LevelFileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    width: u32,
    height: u32,
    /// Each cell's [`Tile::index`], row by row.
    codes: Vec<u8>,
}

/// A board that is too small or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a board has 1 to {} columns and rows, and not {width} x {height}",
    Board::LARGEST
)]
pub struct SizeError {
    /// Columns asked for.
    pub width: u32,
    /// Rows asked for.
    pub height: u32,
}

impl Board {
    /// The most columns, and the most rows.
    pub const LARGEST: u32 = 4096;

    /// A board with nothing on it.
    ///
    /// # Errors
    /// When either side is 0 or above [`Board::LARGEST`].
    ///
    /// ```
    /// use laser::{Board, Tile};
    ///
    /// let board = Board::new(25, 20)?;
    /// assert!(board.tiles().all(|tile| tile == Tile::Empty));
    /// assert!(Board::new(0, 20).is_err());
    /// # Ok::<(), laser::SizeError>(())
    /// ```
    pub fn new(width: u32, height: u32) -> Result<Self, SizeError> {
        let sides = 1..=Self::LARGEST;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(SizeError { width, height });
        }
        let cells = width as usize * height as usize;
        Ok(Self {
            width,
            height,
            codes: vec![Tile::Empty.index() as u8; cells],
        })
    }

    /// A board whose size and tiles were checked: each is a [`Tile::index`].
    #[must_use]
    pub(crate) fn of_codes(width: u32, height: u32, codes: Vec<u8>) -> Self {
        debug_assert_eq!(codes.len(), width as usize * height as usize);
        Self {
            width,
            height,
            codes,
        }
    }

    /// Columns.
    #[inline]
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[inline]
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// How many cells it has.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> usize {
        self.codes.len()
    }

    /// The index of a place; `None` outside the board.
    ///
    /// ```
    /// use grid::Point;
    ///
    /// let board = laser::Board::new(5, 4)?;
    /// assert_eq!(board.index(Point::new(2, 1)), Some(7));
    /// assert_eq!(board.index(Point::new(5, 1)), None);
    /// # Ok::<(), laser::SizeError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn index(&self, place: Point) -> Option<usize> {
        let x = u32::try_from(place.x).ok().filter(|&x| x < self.width)?;
        let y = u32::try_from(place.y).ok().filter(|&y| y < self.height)?;
        Some(y as usize * self.width as usize + x as usize)
    }

    /// The place of a cell.
    ///
    /// ```
    /// use grid::Point;
    ///
    /// assert_eq!(laser::Board::new(5, 4)?.place(7), Point::new(2, 1));
    /// # Ok::<(), laser::SizeError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn place(&self, index: usize) -> Point {
        let width = self.width as usize;
        Point::new((index % width) as i64, (index / width) as i64)
    }

    /// The cell beside this one; `None` where that is off the board.
    ///
    /// ```
    /// use laser::{Board, Direction};
    ///
    /// let board = Board::new(5, 4)?;
    /// assert_eq!(board.beside(7, Direction::South), Some(12));
    /// assert_eq!(board.beside(4, Direction::East), None);
    /// # Ok::<(), laser::SizeError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn beside(&self, index: usize, way: Direction) -> Option<usize> {
        let width = self.width as usize;
        match way {
            Direction::North => index.checked_sub(width),
            Direction::East => Some(index + 1).filter(|next| next % width != 0),
            Direction::South => Some(index + width).filter(|&next| next < self.codes.len()),
            Direction::West => index
                .checked_sub(1)
                .filter(|_| !index.is_multiple_of(width)),
        }
    }

    /// The tile of a cell. Panics where there is no such cell.
    ///
    /// ```
    /// use laser::{Board, Tile};
    ///
    /// let board: Board = "2 1\n. W".parse()?;
    /// assert_eq!(board.tile(1), Tile::Wall);
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn tile(&self, index: usize) -> Tile {
        Tile::ALL[usize::from(self.codes[index])]
    }

    /// The tile at a place; `None` outside the board.
    ///
    /// ```
    /// use grid::Point;
    /// use laser::{Board, Tile};
    ///
    /// let board: Board = "2 1\n. W".parse()?;
    /// assert_eq!(board.at(Point::new(1, 0)), Some(Tile::Wall));
    /// assert_eq!(board.at(Point::new(2, 0)), None);
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn at(&self, place: Point) -> Option<Tile> {
        self.index(place).map(|index| self.tile(index))
    }

    /// Puts a tile on a cell, whatever was there. Panics where there is no such cell.
    ///
    /// ```
    /// use laser::{Board, Direction, Tile};
    ///
    /// let mut board = Board::new(2, 1)?;
    /// board.put(0, Tile::Laser(Direction::East));
    /// assert_eq!(board.to_string(), "2 1\nL>. \n");
    /// # Ok::<(), laser::SizeError>(())
    /// ```
    #[inline]
    pub fn put(&mut self, index: usize, tile: Tile) {
        self.codes[index] = tile.index() as u8;
    }

    /// Each cell's [`Tile::index`], row by row.
    #[inline]
    #[must_use]
    pub(crate) fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// All tiles, row by row.
    ///
    /// ```
    /// use laser::{Board, Tile};
    ///
    /// let board: Board = "2 1\n. W".parse()?;
    /// assert!(board.tiles().eq([Tile::Empty, Tile::Wall]));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = Tile> {
        self.codes.iter().map(|&code| Tile::ALL[usize::from(code)])
    }

    /// The cells that have a laser, and the way that each points.
    ///
    /// ```
    /// use laser::{Board, Direction};
    ///
    /// let board: Board = "3 1\nL>. L<".parse()?;
    /// assert!(board.lasers().eq([(0, Direction::East), (2, Direction::West)]));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    pub fn lasers(&self) -> impl Iterator<Item = (usize, Direction)> {
        self.tiles()
            .enumerate()
            .filter_map(|(index, tile)| match tile {
                Tile::Laser(way) => Some((index, way)),
                _ => None,
            })
    }

    /// The cells that have a sensor, and the way that each opens.
    ///
    /// ```
    /// use laser::{Board, Direction};
    ///
    /// let board: Board = "3 1\nL>. S<".parse()?;
    /// assert!(board.sensors().eq([(2, Direction::West)]));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    pub fn sensors(&self) -> impl Iterator<Item = (usize, Direction)> {
        self.tiles()
            .enumerate()
            .filter_map(|(index, tile)| match tile {
                Tile::Sensor(way) => Some((index, way)),
                _ => None,
            })
    }

    /// The cells that have hardware, and what it is.
    ///
    /// ```
    /// use laser::{Board, Piece};
    ///
    /// let board: Board = "3 1\nM/. T^".parse()?;
    /// assert!(board.pieces().eq([(0, Piece::MirrorRising), (2, Piece::TNorth)]));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = (usize, Piece)> {
        self.tiles()
            .enumerate()
            .filter_map(|(index, tile)| Some((index, tile.piece()?)))
    }

    /// The same board without its hardware: what is free is empty.
    ///
    /// ```
    /// use laser::Board;
    ///
    /// let board: Board = "3 1\nM/W T^".parse()?;
    /// assert_eq!(board.without_hardware().to_string(), "3 1\n. W . \n");
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn without_hardware(&self) -> Self {
        let mut bare = self.clone();
        for (cell, _) in self.pieces() {
            bare.put(cell, Tile::Empty);
        }
        bare
    }

    /// How many there are of each kind of piece, by [`Piece::index`].
    ///
    /// ```
    /// use laser::{Board, Piece};
    ///
    /// let board: Board = "3 1\nM/M/T^".parse()?;
    /// assert_eq!(board.stock()[Piece::MirrorRising.index()], 2);
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn stock(&self) -> [u32; Piece::COUNT] {
        let mut stock = [0; Piece::COUNT];
        self.pieces()
            .for_each(|(_, piece)| stock[piece.index()] += 1);
        stock
    }

    /// Moves a piece to an empty tile, or swaps it with another.
    ///
    /// # Errors
    /// When a place is outside, there is no hardware to move, what lies at the other end
    /// cannot be moved, or both are the same place. The board is then as it was.
    ///
    /// ```
    /// use grid::Point;
    /// use laser::{Board, LaserMoveError, Move};
    ///
    /// let mut board: Board = "3 1\nM/. W".parse()?;
    /// let step = |from, to| Move { from: Point::new(from, 0), to: Point::new(to, 0) };
    /// board.apply(step(0, 1))?;
    /// assert_eq!(board.to_string(), "3 1\n. M/W \n");
    /// assert!(matches!(board.apply(step(1, 2)), Err(LaserMoveError::Fixed(..))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, step: Move) -> Result<(), LaserMoveError> {
        let cell = |place| self.index(place).ok_or(LaserMoveError::Outside(place));
        let (from, to) = (cell(step.from)?, cell(step.to)?);
        if self.tile(from).piece().is_none() {
            return Err(LaserMoveError::NotHardware(step.from, self.tile(from)));
        }
        if from == to {
            return Err(LaserMoveError::SamePlace(step.from));
        }
        if !self.tile(to).is_free() {
            return Err(LaserMoveError::Fixed(step.to, self.tile(to)));
        }
        self.codes.swap(from, to);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_bounds() {
        for (width, height, is_fine) in [
            (1, 1, true),
            (4096, 1, true),
            (0, 1, false),
            (1, 0, false),
            (4097, 1, false),
            (1, 4097, false),
        ] {
            assert_eq!(Board::new(width, height).is_ok(), is_fine);
        }
    }

    #[test]
    fn a_step_ends_at_the_edge() {
        let board = Board::new(3, 2).unwrap();
        for index in 0..board.cells() {
            let place = board.place(index);
            assert_eq!(board.index(place), Some(index));
            for way in Direction::ALL {
                let (dx, dy) = way.step();
                let next = board.index(place.offset(dx, dy));
                assert_eq!(board.beside(index, way), next, "{place:?} {way}");
            }
        }
    }
}
