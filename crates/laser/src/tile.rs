use crate::direction::{Direction, Directions};
use std::fmt;

/// Hardware: what a player can move. It is never turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Piece {
    /// `M\`: turns light that travels east to the south.
    MirrorFalling,
    /// `M/`: turns light that travels east to the north.
    MirrorRising,
    /// `B\`: lets light through and turns it as `M\` does, both at once.
    SplitterFalling,
    /// `B/`: lets light through and turns it as `M/` does.
    SplitterRising,
    /// `T^`: light onto its point, which is north, goes on to both sides; light from a side
    /// goes out at the point; its back takes light and gives none.
    TNorth,
    /// `T>`: the same, with the point in the east.
    TEast,
    /// `Tv`: the same, with the point in the south.
    TSouth,
    /// `T<`: the same, with the point in the west.
    TWest,
}

impl Piece {
    /// How many kinds there are.
    pub const COUNT: usize = 8;

    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [
        Self::MirrorFalling,
        Self::MirrorRising,
        Self::SplitterFalling,
        Self::SplitterRising,
        Self::TNorth,
        Self::TEast,
        Self::TSouth,
        Self::TWest,
    ];

    /// Its place in [`Piece::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Where light that enters travelling this way leaves it.
    ///
    /// ```
    /// use laser::{Direction, Piece};
    ///
    /// assert_eq!(Piece::MirrorRising.pass(Direction::East), Direction::North.into());
    /// ```
    #[inline]
    #[must_use]
    pub const fn pass(self, heading: Direction) -> Directions {
        Tile::Hardware(self).pass(heading)
    }
}

/// What stands on one cell of the board.
///
/// ```
/// use laser::{Direction, Directions, Piece, Tile};
///
/// let splitter = Tile::Hardware(Piece::SplitterRising);
/// let both = Directions::of(Direction::East) | Direction::North.into();
/// assert_eq!(splitter.pass(Direction::East), both);
/// assert_eq!(splitter.to_string(), "B/");
/// assert!(splitter.is_free() && !Tile::Wall.is_free());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tile {
    /// `.`: nothing; light goes through, hardware can be put here.
    Empty,
    /// `W`: takes all light.
    Wall,
    /// `L^` to `L<`: sends light the way it points, and takes all that hits it.
    Laser(Direction),
    /// `S^` to `S<`: lit by light that enters through its opening, that is, travelling
    /// against its arrow; takes all light.
    Sensor(Direction),
    /// What can be moved.
    Hardware(Piece),
}

impl Tile {
    /// How many kinds there are, each way of pointing counted.
    pub const COUNT: usize = 18;

    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Empty; Self::COUNT];
        all[1] = Self::Wall;
        let mut i = 0;
        while i < 4 {
            all[2 + i] = Self::Laser(Direction::ALL[i]);
            all[6 + i] = Self::Sensor(Direction::ALL[i]);
            i += 1;
        }
        let mut i = 0;
        while i < Piece::COUNT {
            all[10 + i] = Self::Hardware(Piece::ALL[i]);
            i += 1;
        }
        all
    };

    /// Its place in [`Tile::ALL`].
    ///
    /// ```
    /// use laser::Tile;
    ///
    /// assert!(Tile::ALL.iter().enumerate().all(|(place, tile)| tile.index() == place));
    /// ```
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Empty => 0,
            Self::Wall => 1,
            Self::Laser(way) => 2 + way.index(),
            Self::Sensor(way) => 6 + way.index(),
            Self::Hardware(piece) => 10 + piece.index(),
        }
    }

    /// Where light that enters travelling this way leaves: none, one or two directions.
    ///
    /// ```
    /// use laser::{Direction, Directions, Tile};
    ///
    /// assert_eq!(Tile::Empty.pass(Direction::East), Direction::East.into());
    /// assert_eq!(Tile::Wall.pass(Direction::East), Directions::NONE);
    /// ```
    #[must_use]
    pub const fn pass(self, heading: Direction) -> Directions {
        Directions::from_bits(PASS[self.index()][heading.index()])
    }

    /// Whether a sensor is lit by light that enters travelling this way.
    ///
    /// ```
    /// use laser::{Direction, Tile};
    ///
    /// assert!(Tile::Sensor(Direction::West).is_lit_by(Direction::East));
    /// assert!(!Tile::Sensor(Direction::West).is_lit_by(Direction::West));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_lit_by(self, heading: Direction) -> bool {
        self == Self::Sensor(heading.opposite())
    }

    /// Whether hardware may come here: the tile is empty or hardware itself.
    #[inline]
    #[must_use]
    pub const fn is_free(self) -> bool {
        matches!(self, Self::Empty | Self::Hardware(_))
    }

    /// The piece that stands here.
    ///
    /// ```
    /// use laser::{Piece, Tile};
    ///
    /// assert_eq!(Tile::Hardware(Piece::TSouth).piece(), Some(Piece::TSouth));
    /// assert_eq!(Tile::Wall.piece(), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn piece(self) -> Option<Piece> {
        match self {
            Self::Hardware(piece) => Some(piece),
            _ => None,
        }
    }

    /// As a level has it: one sign, or a letter and a sign.
    #[must_use]
    pub const fn text(self) -> &'static str {
        TEXTS[self.index()]
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Tile::Hardware(*self).fmt(f)
    }
}

/// How each tile is written, by [`Tile::index`].
const TEXTS: [&str; Tile::COUNT] = [
    ".", "W", "L^", "L>", "Lv", "L<", "S^", "S>", "Sv", "S<", "M\\", "M/", "B\\", "B/", "T^", "T>",
    "Tv", "T<",
];

const N: u8 = 1;
const E: u8 = 2;
const S: u8 = 4;
const W: u8 = 8;

/// Where light goes on, by [`Tile::index`] and by the direction in which it travels as it
/// enters (north, east, south, west): the puzzle's truth table.
pub(crate) const PASS: [[u8; 4]; Tile::COUNT] = [
    [N, E, S, W],
    [0; 4],
    [0; 4],
    [0; 4],
    [0; 4],
    [0; 4],
    [0; 4],
    [0; 4],
    [0; 4],
    [0; 4],
    [W, S, E, N],
    [E, N, W, S],
    [N | W, E | S, S | E, W | N],
    [N | E, E | N, S | W, W | S],
    [0, N, E | W, N],
    [E, 0, E, N | S],
    [E | W, S, 0, S],
    [W, N | S, W, 0],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_where_its_index_says() {
        for (index, tile) in Tile::ALL.into_iter().enumerate() {
            assert_eq!(tile.index(), index);
            assert_eq!(tile.piece().is_some(), index >= 10);
        }
    }
}
