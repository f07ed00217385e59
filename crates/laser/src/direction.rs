use std::fmt;
use std::ops::BitOr;

/// A direction on the board, in which light travels or something points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// Up: y grows downward.
    North,
    /// To the right.
    East,
    /// Down.
    South,
    /// To the left.
    West,
}

impl Direction {
    /// All four, clockwise from north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The other way.
    ///
    /// ```
    /// use laser::Direction;
    ///
    /// assert_eq!(Direction::North.opposite(), Direction::South);
    /// ```
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// One step that way: how x and y change.
    ///
    /// ```
    /// use laser::Direction;
    ///
    /// assert_eq!(Direction::South.step(), (0, 1)); // y grows downward
    /// ```
    #[inline]
    #[must_use]
    pub const fn step(self) -> (i64, i64) {
        match self {
            Self::North => (0, -1),
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::West => (-1, 0),
        }
    }

    /// The direction that an arrow of a level's file stands for: `^`, `>`, `v` or `<`.
    ///
    /// ```
    /// use laser::Direction;
    ///
    /// assert_eq!(Direction::from_arrow(b'>'), Some(Direction::East));
    /// assert_eq!(Direction::from_arrow(b'x'), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_arrow(arrow: u8) -> Option<Self> {
        match arrow {
            b'^' => Some(Self::North),
            b'>' => Some(Self::East),
            b'v' => Some(Self::South),
            b'<' => Some(Self::West),
            _ => None,
        }
    }

    /// Its place in [`Direction::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        })
    }
}

/// A set of directions, in four bits: north is the lowest, then clockwise.
///
/// ```
/// use laser::{Direction, Directions};
///
/// let across: Directions = [Direction::East, Direction::West].into_iter().collect();
/// assert!(across.contains(Direction::East));
/// assert_eq!(across.without(Direction::East.into()), Direction::West.into());
/// assert_eq!((across.len(), across.opposite()), (2, across));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Directions(u8);

impl Directions {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// All four.
    pub const ALL: Self = Self(15);

    /// The set whose bits these are; the upper four are ignored.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// Its four bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set of one direction.
    #[inline]
    #[must_use]
    pub const fn of(direction: Direction) -> Self {
        Self(1 << direction as u8)
    }

    /// Whether the direction is among them.
    #[inline]
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & Self::of(direction).0 != 0
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The opposite of each.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self((self.0 << 2 | self.0 >> 2) & 15)
    }

    /// Those that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// One after the other, clockwise from north.
    ///
    /// ```
    /// use laser::{Direction, Directions};
    ///
    /// let set = Directions::from_bits(0b0011);
    /// assert!(set.iter().eq([Direction::North, Direction::East]));
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL
            .into_iter()
            .filter(move |&direction| self.contains(direction))
    }
}

impl BitOr for Directions {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl From<Direction> for Directions {
    fn from(direction: Direction) -> Self {
        Self::of(direction)
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        directions
            .into_iter()
            .fold(Self::NONE, |set, direction| set | Self::of(direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_do_as_their_members_do() {
        for bits in 0..16 {
            let set = Directions::from_bits(bits);
            assert_eq!(set.iter().collect::<Directions>(), set);
            assert_eq!(set.iter().count(), set.len() as usize);
            let opposite: Directions = set.iter().map(Direction::opposite).collect();
            assert_eq!(set.opposite(), opposite);
        }
    }

    #[test]
    fn the_opposite_leads_back() {
        for direction in Direction::ALL {
            let (dx, dy) = direction.step();
            let (back_x, back_y) = direction.opposite().step();
            assert_eq!((dx + back_x, dy + back_y), (0, 0));
            assert_eq!(direction.opposite().opposite(), direction);
        }
    }
}
