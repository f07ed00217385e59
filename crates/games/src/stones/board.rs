//! The bitboard and its evolution. (Own method, from full adders as in every bit-parallel Life.)
//!
//! A colour is 19 words, one a row, the leftmost column in the lowest bit. What is done to
//! one row is done to all in the same loop, so that the compiler turns each step into a few
//! vector instructions: neighbours of both colours are counted in bit planes, the whole
//! board at once, and no point is looked at by itself.

use crate::Seat;

/// Rows, and columns.
pub const SIDE: u32 = 19;

/// The words of a colour: a row each, and an empty one that makes whole vectors of them.
pub(super) const WORDS: usize = 20;

/// A set of points: a word a row from the bottom, the leftmost column in the lowest bit.
/// The last word, and all bits from [`SIDE`] upwards, are 0.
pub type StonesPointSet = [u32; WORDS];

/// A row that is full.
const FULL: u32 = (1 << SIDE) - 1;

/// Every point.
pub(super) const ALL: StonesPointSet = {
    let mut all = [FULL; WORDS];
    all[SIDE as usize] = 0;
    all
};

/// A point by its number: 32 times its row (from the bottom, from 0), plus its column.
pub type StonesPoint = u16;

/// The point in a column and a row, both from 0, the row from the bottom.
///
/// ```
/// use games::stones::point;
///
/// assert_eq!(point(3, 2), 32 * 2 + 3); // d3
/// ```
#[must_use]
pub const fn point(column: u32, row: u32) -> StonesPoint {
    (row * 32 + column) as StonesPoint
}

/// A point's column and row.
///
/// ```
/// use games::stones::{place, point};
///
/// assert_eq!(place(point(3, 2)), (3, 2));
/// ```
#[must_use]
pub const fn place(point: StonesPoint) -> (u32, u32) {
    (point as u32 % 32, point as u32 / 32)
}

/// Whether a point is in a set.
///
/// ```
/// use games::Seat;
/// use games::stones::{StonesBoard, has, point};
///
/// let mut board = StonesBoard::default();
/// board.put(Seat::First, point(3, 2));
/// assert!(has(&board.all(), point(3, 2)) && !has(&board.all(), point(2, 3)));
/// ```
#[inline]
#[must_use]
pub fn has(points: &StonesPointSet, point: StonesPoint) -> bool {
    let (column, row) = place(point);
    points[row as usize] >> column & 1 == 1
}

/// The points of a set, row by row from the bottom.
///
/// ```
/// use games::Seat;
/// use games::stones::{StonesBoard, each, point};
///
/// let mut board = StonesBoard::default();
/// board.put(Seat::Second, point(5, 7));
/// board.put(Seat::First, point(8, 1));
/// assert!(each(&board.all()).eq([point(8, 1), point(5, 7)]));
/// ```
pub fn each(points: &StonesPointSet) -> impl Iterator<Item = StonesPoint> {
    points.iter().enumerate().flat_map(|(row, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            let column = word.trailing_zeros();
            word &= word.wrapping_sub(1);
            (column < 32).then(|| point(column, row as u32))
        })
    })
}

/// How many points there are in a set.
///
/// ```
/// use games::stones::{StonesBoard, count};
///
/// assert_eq!(count(&StonesBoard::default().empty()), 19 * 19);
/// ```
#[inline]
#[must_use]
pub fn count(points: &StonesPointSet) -> u32 {
    // by hand, since the plainest processors have no instruction for it, and this way it is
    // done to four rows at once
    let mut pairs = [0; WORDS];
    for (sum, &word) in pairs.iter_mut().zip(points) {
        let twos = word - (word >> 1 & 0x5555_5555);
        let fours = (twos & 0x3333_3333) + (twos >> 2 & 0x3333_3333);
        *sum = (fours + (fours >> 4)) & 0x0f0f_0f0f;
    }
    // each byte holds sums of at most 8, and twenty of them stay below 256
    let bytes = pairs.iter().sum::<u32>();
    let halves = (bytes & 0x00ff_00ff) + (bytes >> 8 & 0x00ff_00ff);
    (halves & 0xffff) + (halves >> 16)
}

/// Whether a set has no point.
#[inline]
#[must_use]
pub fn is_empty(points: &StonesPointSet) -> bool {
    points.iter().fold(0, |any, &word| any | word) == 0
}

/// The points that lie next to a point of the set or in it.
///
/// ```
/// use games::Seat;
/// use games::stones::{StonesBoard, around, count, point};
///
/// let mut board = StonesBoard::default();
/// board.put(Seat::First, point(0, 0));
/// assert_eq!(count(&around(&board.all())), 4); // a corner
/// ```
#[inline]
#[must_use]
pub fn around(points: &StonesPointSet) -> StonesPointSet {
    let mut wide = [0; WORDS + 2];
    for (sum, &word) in wide[1..=WORDS].iter_mut().zip(points) {
        *sum = word | word << 1 | word >> 1;
    }
    std::array::from_fn(|row| (wide[row] | wide[row + 1] | wide[row + 2]) & ALL[row])
}

/// How many neighbours each point has in a set, in bits: ones, twos, and whether there are
/// four or more (which the rules never tell apart).
#[derive(Clone, Copy)]
pub(super) struct StonesNeighbourCounts {
    ones: StonesPointSet,
    twos: StonesPointSet,
    many: StonesPointSet,
}

impl StonesNeighbourCounts {
    /// Counts the neighbours in a set.
    #[inline]
    pub(super) fn of(points: &StonesPointSet) -> Self {
        // of each row the sums of three side by side, and of the two without the middle
        let mut three = [[0; WORDS + 2]; 2];
        let mut two = [[0; WORDS]; 2];
        for row in 0..WORDS {
            let word = points[row];
            // bits that leave the board on the left lie beyond it, and are ignored
            let (west, east) = (word << 1, word >> 1);
            two[0][row] = west ^ east;
            two[1][row] = west & east;
            three[0][row + 1] = two[0][row] ^ word;
            three[1][row + 1] = two[1][row] | (two[0][row] & word);
        }
        let mut counts = Self {
            ones: [0; WORDS],
            twos: [0; WORDS],
            many: [0; WORDS],
        };
        for row in 0..WORDS {
            let (below, above) = (three[0][row], three[0][row + 2]);
            let half = below ^ above;
            let carry = (below & above) | (half & two[0][row]);
            counts.ones[row] = half ^ two[0][row];
            let (below, above) = (three[1][row], three[1][row + 2]);
            let half = below ^ above;
            let four = (below & above) | (half & two[1][row]);
            let half = half ^ two[1][row];
            counts.twos[row] = half ^ carry;
            counts.many[row] = four | (half & carry);
        }
        counts
    }

    /// The counts if every point had one neighbour more.
    #[inline]
    pub(super) fn with_one_more(&self) -> Self {
        let mut counts = *self;
        for row in 0..WORDS {
            let (ones, twos) = (self.ones[row], self.twos[row]);
            counts.ones[row] = !ones;
            counts.twos[row] = twos ^ ones;
            counts.many[row] |= ones & twos;
        }
        counts
    }
}

/// The stones of both colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StonesBoard {
    /// The first seat's, black, and the second's, white. No point is in both.
    pub(super) stones: [StonesPointSet; 2],
}

impl StonesBoard {
    /// A seat's stones.
    #[inline]
    #[must_use]
    pub fn stones(&self, seat: Seat) -> &StonesPointSet {
        &self.stones[seat.index()]
    }

    /// All stones.
    ///
    /// ```
    /// use games::Seat;
    /// use games::stones::{StonesBoard, count, point};
    ///
    /// let mut board = StonesBoard::default();
    /// board.put(Seat::First, point(0, 0));
    /// board.put(Seat::Second, point(1, 0));
    /// assert_eq!(count(&board.all()), 2);
    /// ```
    #[inline]
    #[must_use]
    pub fn all(&self) -> StonesPointSet {
        std::array::from_fn(|row| self.stones[0][row] | self.stones[1][row])
    }

    /// The points without a stone.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> StonesPointSet {
        std::array::from_fn(|row| ALL[row] & !(self.stones[0][row] | self.stones[1][row]))
    }

    /// Puts a stone on an empty point.
    ///
    /// ```
    /// use games::Seat;
    /// use games::stones::{StonesBoard, has, point};
    ///
    /// let mut board = StonesBoard::default();
    /// board.put(Seat::Second, point(4, 4));
    /// assert!(has(board.stones(Seat::Second), point(4, 4)));
    /// assert!(!has(&board.empty(), point(4, 4)));
    /// ```
    #[inline]
    pub fn put(&mut self, seat: Seat, point: StonesPoint) {
        let (column, row) = place(point);
        self.stones[seat.index()][row as usize] |= 1 << column;
    }

    /// The first seat's stones less the second's.
    ///
    /// ```
    /// use games::Game as _;
    ///
    /// let start = games::stones::Stones::default().start();
    /// assert_eq!(start.board().lead(), 0); // eleven stones each
    /// ```
    #[inline]
    #[must_use]
    pub fn lead(&self) -> i32 {
        count(&self.stones[0]) as i32 - count(&self.stones[1]) as i32
    }

    /// The board after one tick, with no stone put.
    ///
    /// ```
    /// use games::Seat;
    /// use games::stones::{StonesBoard, has, point};
    ///
    /// let mut board = StonesBoard::default();
    /// board.put(Seat::First, point(4, 5));
    /// board.put(Seat::First, point(5, 5));
    /// board.put(Seat::Second, point(6, 5));
    /// let next = board.ticked(); // two of the three parents are black
    /// assert!(has(next.stones(Seat::First), point(5, 4)));
    /// assert!(has(next.stones(Seat::First), point(5, 6)));
    /// ```
    #[inline]
    #[must_use]
    pub fn ticked(&self) -> Self {
        let [black, white] = &self.stones;
        self.next(&[
            StonesNeighbourCounts::of(black),
            StonesNeighbourCounts::of(white),
        ])
    }

    /// The next state of all points, if they have these neighbour counts.
    #[inline]
    pub(super) fn next(&self, [black, white]: &[StonesNeighbourCounts; 2]) -> Self {
        let mut next = Self::default();
        for (row, &all) in ALL.iter().enumerate() {
            let stones = [self.stones[0][row], self.stones[1][row]];
            let black = [black.ones[row], black.twos[row], black.many[row]];
            let white = [white.ones[row], white.twos[row], white.many[row]];
            let [b, w] = rule(stones, black, white);
            next.stones[0][row] = b & all;
            next.stones[1][row] = w & all;
        }
        next
    }

    /// The next state of each empty point that gets a stone of this seat, if it has these
    /// neighbour counts.
    #[inline]
    pub(super) fn next_of_put(
        &self,
        seat: Seat,
        [black, white]: &[StonesNeighbourCounts; 2],
    ) -> Self {
        let mut next = Self::default();
        for (row, &all) in ALL.iter().enumerate() {
            let mut stones = [0, 0];
            stones[seat.index()] = !0;
            let black = [black.ones[row], black.twos[row], black.many[row]];
            let white = [white.ones[row], white.twos[row], white.many[row]];
            let [b, w] = rule(stones, black, white);
            let empty = all & !(self.stones[0][row] | self.stones[1][row]);
            next.stones[0][row] = b & empty;
            next.stones[1][row] = w & empty;
        }
        next
    }
}

/// The rule for a row of points: what stands there, and the neighbours' counts as ones,
/// twos and four or more.
#[inline(always)]
fn rule([black, white]: [u32; 2], b: [u32; 3], w: [u32; 3]) -> [u32; 2] {
    // two or three neighbours in all: the twos of the sum, and nothing above
    let ones = b[0] ^ w[0];
    let carry = b[0] & w[0];
    let twos = b[1] ^ w[1] ^ carry;
    let four = (b[1] & w[1]) | (carry & (b[1] | w[1]));
    let lives = twos & !(four | b[2] | w[2]);
    // among so few, two of a colour are the majority, and one of each is neither's
    let filled = ones | black | white;
    [
        lives & ((b[1] & filled) | (black & !w[1])),
        lives & ((w[1] & filled) | (white & !b[1])),
    ]
}
