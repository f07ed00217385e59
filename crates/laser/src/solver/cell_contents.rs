//! The contents of a cell in the search, and how light passes them, as tables.

use crate::direction::Direction;
use crate::tile::{PASS, Piece, Tile};

/// A tile's [`Tile::index`], or [`OPEN`].
pub(super) type LaserCellContents = u8;

/// Free for hardware, and not decided yet.
pub(super) const OPEN: LaserCellContents = Tile::COUNT as u8;
pub(super) const EMPTY: LaserCellContents = Tile::Empty.index() as u8;
pub(super) const WALL: LaserCellContents = Tile::Wall.index() as u8;

/// What a free cell can hold: nothing, or one of the pieces. The search counts nothing as
/// one more kind, of which there are as many as there are free cells without a piece.
pub(super) const KINDS: usize = Piece::COUNT + 1;

/// The content that a kind stands for.
#[inline]
pub(super) const fn content(kind: usize) -> LaserCellContents {
    match kind {
        0 => EMPTY,
        _ => Tile::Hardware(Piece::ALL[kind - 1]).index() as u8,
    }
}

/// The kind of a content that a free cell can hold.
#[inline]
pub(super) const fn kind(content: LaserCellContents) -> usize {
    if content == EMPTY {
        0
    } else {
        content as usize + 1 - Tile::Hardware(Piece::ALL[0]).index()
    }
}

/// The piece of a content.
#[inline]
pub(super) fn piece(content: LaserCellContents) -> Option<Piece> {
    Tile::ALL[usize::from(content)].piece()
}

/// Whether light goes straight through, whichever way it comes: nothing and splitters.
#[inline]
pub(super) fn is_clear(content: LaserCellContents) -> bool {
    STRAIGHT >> content & 1 != 0
}

const STRAIGHT: u32 = {
    let mut set = 0;
    let mut tile = 0;
    while tile < Tile::COUNT {
        let mut all = Tile::ALL[tile].is_free();
        let mut way = 0;
        while way < 4 {
            all &= PASS[tile][way] >> way & 1 != 0;
            way += 1;
        }
        set |= (all as u32) << tile;
        tile += 1;
    }
    set
};

/// The exits, as bits, of light that enters in this direction.
#[inline]
pub(super) fn pass(content: LaserCellContents, heading: Direction) -> u8 {
    PASS[usize::from(content)][heading.index()]
}

/// The ways, as bits, in which light can have entered that leaves in this direction.
#[inline]
pub(super) fn sources(content: LaserCellContents, exit: Direction) -> u8 {
    SOURCES[usize::from(content)][exit.index()]
}

const SOURCES: [[u8; 4]; Tile::COUNT] = {
    let mut table = [[0; 4]; Tile::COUNT];
    let mut tile = 0;
    while tile < Tile::COUNT {
        let mut heading = 0;
        while heading < 4 {
            let mut exit = 0;
            while exit < 4 {
                if PASS[tile][heading] >> exit & 1 != 0 {
                    table[tile][exit] |= 1 << heading;
                }
                exit += 1;
            }
            heading += 1;
        }
        tile += 1;
    }
    table
};

/// The exits, as bits, of light that is turned, for all light that enters, as bits.
#[inline]
pub(super) fn turned(content: LaserCellContents, entered: u8) -> u8 {
    TURNED[usize::from(content)][usize::from(entered)]
}

const TURNED: [[u8; 16]; Tile::COUNT] = {
    let mut table = [[0; 16]; Tile::COUNT];
    let mut tile = 0;
    while tile < Tile::COUNT {
        let mut entered = 0;
        while entered < 16 {
            let mut way = 0;
            while way < 4 {
                if entered >> way & 1 != 0 {
                    table[tile][entered] |= PASS[tile][way] & !(1 << way);
                }
                way += 1;
            }
            entered += 1;
        }
        tile += 1;
    }
    table
};

/// The most additional beams that can leave a piece minus those that enter it, when light has
/// entered it by these directions and enters by more.
///
/// Beams that enter are distinct fronts and so are those that leave, so the balance of a piece
/// follows from its table: 2 at most for a splitter (entered from one side, or from two that
/// give different exits), 1 at most for a T (onto its point), 0 for a mirror.
#[inline]
pub(super) fn max_gain(content: LaserCellContents, entered: u8) -> i32 {
    i32::from(GAIN[usize::from(content)][usize::from(entered)])
}

const GAIN: [[i8; 16]; Tile::COUNT] = {
    let mut table = [[0; 16]; Tile::COUNT];
    let mut tile = 0;
    while tile < Tile::COUNT {
        let mut now = 0;
        while now < 16 {
            let mut later = 0;
            while later < 16 {
                let more = balance(tile, later) - balance(tile, now);
                if later & now == now && more > table[tile][now] {
                    table[tile][now] = more;
                }
                later += 1;
            }
            now += 1;
        }
        tile += 1;
    }
    table
};

/// Beams out less beams in.
const fn balance(tile: usize, entered: usize) -> i8 {
    let mut exits = 0u8;
    let mut way = 0;
    while way < 4 {
        if entered >> way & 1 != 0 {
            exits |= PASS[tile][way];
        }
        way += 1;
    }
    exits.count_ones() as i8 - entered.count_ones() as i8
}

/// The directions of a set of bits, clockwise from north.
#[inline]
pub(super) fn ways(bits: u8) -> impl Iterator<Item = Direction> {
    Direction::ALL
        .into_iter()
        .filter(move |way| bits >> way.index() & 1 != 0)
}

#[inline]
pub(super) const fn bit(way: Direction) -> u8 {
    1 << way.index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_contents() {
        for number in 0..KINDS {
            assert_eq!(kind(content(number)), number);
        }
        assert!(is_clear(EMPTY) && !is_clear(WALL));
        for piece in Piece::ALL {
            let content = content(piece.index() + 1);
            let is_splitter = matches!(piece, Piece::SplitterFalling | Piece::SplitterRising);
            assert_eq!(is_clear(content), is_splitter);
        }
    }

    #[test]
    fn a_splitter_gains_two_a_t_one_and_a_mirror_none() {
        for piece in Piece::ALL {
            let most = match piece {
                Piece::MirrorFalling | Piece::MirrorRising => 0,
                Piece::SplitterFalling | Piece::SplitterRising => 2,
                _ => 1,
            };
            assert_eq!(max_gain(content(piece.index() + 1), 0), most, "{piece}");
            assert_eq!(max_gain(content(piece.index() + 1), 15), 0, "{piece}");
        }
    }
}
