//! The effects of all moves of a position, computed together. (Own method.)
//!
//! A stone changes the coming tick in two ways. The eight points around it have one more
//! neighbour of its colour: one tick in which *every* point has one more neighbour gives their
//! next states for every stone. And its own point is occupied: one tick in which every empty
//! point is occupied gives its next state. With the tick without a stone these are three ticks
//! for all moves together. The board after a move is the unchanged one with 3 x 3 points
//! replaced from the other two; the lead after each move is a sum over these nine points,
//! computed for all points at once in bit planes.
//!
//! Most stones have no effect: they die in the tick and neither cause nor save any other. All
//! these moves lead to the same board, the base.

use super::board::{
    SIDE, StonesBoard, StonesNeighbourCounts, StonesPoint, StonesPointSet, WORDS, has, is_empty,
    place,
};
use crate::Seat;

/// The moves of a position with their effects.
#[derive(Clone, Debug)]
pub struct Children {
    seat: Seat,
    legal: StonesPointSet,
    effective: StonesPointSet,
    /// The tick with no stone put.
    base: StonesBoard,
    /// The tick if each point had one more neighbour of the seat's.
    beside: StonesBoard,
    /// The next state of a stone put on each empty point.
    put: StonesBoard,
}

impl Children {
    /// The effects of this seat's stone on each of the `legal` points, which must be empty.
    ///
    /// ```
    /// use games::stones::{Children, Stones};
    /// use games::{Game as _, Seat};
    ///
    /// let game = Stones::default();
    /// let start = game.start();
    /// let white = Children::of(start.board(), Seat::Second, &game.legal(start.board()));
    /// assert_eq!(white.base(), &start.board().ticked());
    /// ```
    #[inline]
    #[must_use]
    pub fn of(board: &StonesBoard, seat: Seat, legal: &StonesPointSet) -> Self {
        let [black, white] = &board.stones;
        let mut counts = [
            StonesNeighbourCounts::of(black),
            StonesNeighbourCounts::of(white),
        ];
        let base = board.next(&counts);
        let put = board.next_of_put(seat, &counts);
        let more = &mut counts[seat.index()];
        *more = more.with_one_more();
        let beside = board.next(&counts);
        let mut children = Self {
            seat,
            legal: *legal,
            effective: [0; WORDS],
            base,
            beside,
            put,
        };
        children.find_effective();
        children
    }

    fn find_effective(&mut self) {
        let differ = |a: &StonesBoard, row: usize| {
            (a.stones[0][row] ^ self.base.stones[0][row])
                | (a.stones[1][row] ^ self.base.stones[1][row])
        };
        let mut three = [0; WORDS + 2];
        let mut here = [0; WORDS];
        for row in 0..WORDS {
            let beside = differ(&self.beside, row);
            let sides = beside << 1 | beside >> 1;
            here[row] = sides | differ(&self.put, row);
            three[row + 1] = sides | beside;
        }
        for row in 0..WORDS {
            let any = three[row] | three[row + 2] | here[row];
            self.effective[row] = any & self.legal[row];
        }
    }

    /// Whose moves they are.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// All legal moves.
    #[must_use]
    pub fn legal(&self) -> &StonesPointSet {
        &self.legal
    }

    /// The legal moves that lead to another board than [`Children::base`]: stones that
    /// change the outcome of the tick.
    #[must_use]
    pub fn effective(&self) -> &StonesPointSet {
        &self.effective
    }

    /// The legal moves that change nothing, all alike.
    ///
    /// ```
    /// use games::Game as _;
    /// use games::stones::{Stones, count, each};
    ///
    /// let game = Stones::default();
    /// let children = game.children(&game.start());
    /// assert!(each(&children.idle()).all(|point| children.board(point) == *children.base()));
    /// assert_eq!(count(&children.idle()) + count(children.effective()), count(children.legal()));
    /// ```
    #[must_use]
    pub fn idle(&self) -> StonesPointSet {
        std::array::from_fn(|row| self.legal[row] & !self.effective[row])
    }

    /// The board after a move that changes nothing.
    #[must_use]
    pub fn base(&self) -> &StonesBoard {
        &self.base
    }

    /// The board after a move.
    ///
    /// ```
    /// use games::stones::{Stones, point};
    /// use games::{Game as _, JointMove};
    ///
    /// let game = Stones::default();
    /// let mut position = game.start();
    /// let after = game.children(&position).board(point(3, 3));
    /// game.apply(&mut position, JointMove::One(point(3, 3)));
    /// assert_eq!(position.board(), &after);
    /// ```
    #[inline]
    #[must_use]
    pub fn board(&self, point: StonesPoint) -> StonesBoard {
        let (column, row) = place(point);
        let row = row as usize;
        let own = 1 << column;
        let three = 7 << column >> 1;
        let mut child = self.base;
        for seat in 0..2 {
            let (base, beside) = (&self.base.stones[seat], &self.beside.stones[seat]);
            let patch = |row: usize, from: u32, mask: u32| (base[row] & !mask) | (from & mask);
            let stones = &mut child.stones[seat];
            if row > 0 {
                stones[row - 1] = patch(row - 1, beside[row - 1], three);
            }
            // the last row is followed by the empty word, which stays empty
            stones[row + 1] = patch(row + 1, beside[row + 1], three);
            let middle = (beside[row] & !own) | (self.put.stones[seat][row] & own);
            stones[row] = patch(row, middle, three);
        }
        child
    }

    /// How far the seat leads in stones after each of the moves.
    ///
    /// ```
    /// use games::Game as _;
    /// use games::stones::{Stones, each};
    ///
    /// let game = Stones::default();
    /// let children = game.children(&game.start());
    /// let leads = children.leads();
    /// assert!(each(children.legal()).all(|point| leads.at(point) == children.board(point).lead()));
    /// ```
    #[inline]
    #[must_use]
    pub fn leads(&self) -> Leads {
        let mut three = [[0; WORDS + 2]; 4];
        let mut middle = [[0; WORDS]; 4];
        // beyond the board nothing changes
        three[1][0] = !0;
        three[2][0] = !0;
        for row in 0..WORDS {
            let change = self.change(&self.beside, row);
            let west = [change[0] << 1, change[1] << 1 | 1, change[2] << 1];
            let east = change.map(|plane| plane >> 1);
            let sums = [
                sum_of_three(west, change, east),
                sum_of_three(west, self.change(&self.put, row), east),
            ];
            for plane in 0..4 {
                three[plane][row + 1] = sums[0][plane];
                middle[plane][row] = sums[1][plane];
            }
        }
        let mut gains = [[0; WORDS]; 6];
        for row in 0..WORDS {
            let of = |row: usize| three.map(|plane| plane[row]);
            let sum = sum_of_rows(of(row), middle.map(|plane| plane[row]), of(row + 2));
            for plane in 0..6 {
                gains[plane][row] = sum[plane];
            }
        }
        let lead = self.base.lead();
        Leads {
            base: match self.seat {
                Seat::First => lead,
                Seat::Second => -lead,
            },
            gains,
        }
    }

    /// By how much each point of a row counts for more than in the base tick, plus 2: three
    /// planes that hold 0 to 4.
    #[inline(always)]
    fn change(&self, board: &StonesBoard, row: usize) -> [u32; 3] {
        let (own, other) = (self.seat.index(), self.seat.other().index());
        let (now, then) = (board.stones[own][row], self.base.stones[own][row]);
        let (now_other, then_other) = (board.stones[other][row], self.base.stones[other][row]);
        let by_one = (now | now_other) ^ (then | then_other);
        let won = now & then_other;
        let lost = now_other & then;
        let up_or_same = (by_one & (now | then_other)) | !(by_one | won | lost);
        [by_one, up_or_same, won]
    }
}

/// The lead after each move, in bit planes.
#[derive(Clone, Debug)]
pub struct Leads {
    /// The lead after a move that changes nothing.
    base: i32,
    /// What each move gains over that, plus [`ZERO`].
    gains: [StonesPointSet; 6],
}

/// Nine changes of 0, each held as 2.
const ZERO: i32 = 18;

impl Leads {
    /// The seat's lead after a move that changes nothing.
    #[must_use]
    pub fn base(&self) -> i32 {
        self.base
    }

    /// The seat's lead after a stone on this point, which must be empty.
    ///
    /// ```
    /// use games::Game as _;
    /// use games::stones::{Stones, point};
    ///
    /// let game = Stones::default();
    /// assert_eq!(game.children(&game.start()).leads().at(point(3, 3)), 2); // d4
    /// ```
    #[inline]
    #[must_use]
    pub fn at(&self, point: StonesPoint) -> i32 {
        let bits = self.gains.iter().enumerate();
        let gain: i32 = bits
            .map(|(i, plane)| i32::from(has(plane, point)) << i)
            .sum();
        self.base + gain - ZERO
    }

    /// The best lead among some moves, and the moves that reach it; `None` of no moves.
    ///
    /// ```
    /// use games::Game as _;
    /// use games::stones::{Stones, each};
    ///
    /// let game = Stones::default();
    /// let children = game.children(&game.start());
    /// let leads = children.leads();
    /// let (most, moves) = leads.best(children.legal()).expect("there are moves");
    /// assert!(each(children.legal()).all(|point| leads.at(point) <= most));
    /// assert!(each(&moves).all(|point| leads.at(point) == most));
    /// ```
    #[inline]
    #[must_use]
    pub fn best(&self, among: &StonesPointSet) -> Option<(i32, StonesPointSet)> {
        if is_empty(among) {
            return None;
        }
        let mut left = *among;
        let mut gain = 0;
        for (i, plane) in self.gains.iter().enumerate().rev() {
            let high: StonesPointSet = std::array::from_fn(|row| left[row] & plane[row]);
            if !is_empty(&high) {
                left = high;
                gain |= 1 << i;
            }
        }
        Some((self.base + gain - ZERO, left))
    }
}

#[inline(always)]
fn full(a: u32, b: u32, c: u32) -> (u32, u32) {
    let half = a ^ b;
    (half ^ c, (a & b) | (half & c))
}

/// Adds three numbers of 0 to 4.
#[inline(always)]
fn sum_of_three(a: [u32; 3], b: [u32; 3], c: [u32; 3]) -> [u32; 4] {
    let (ones, two) = full(a[0], b[0], c[0]);
    let (twos, four) = full(a[1], b[1], c[1]);
    let (fours, eight) = full(a[2], b[2], c[2]);
    let (fours, more) = full(fours, four, twos & two);
    [ones, twos ^ two, fours, eight ^ more]
}

/// Adds three numbers of 0 to 12.
#[inline(always)]
fn sum_of_rows(a: [u32; 4], b: [u32; 4], c: [u32; 4]) -> [u32; 6] {
    let (ones, two) = full(a[0], b[0], c[0]);
    let (twos, four) = full(a[1], b[1], c[1]);
    let (fours, eight) = full(a[2], b[2], c[2]);
    let (eights, sixteen) = full(a[3], b[3], c[3]);
    let (fours, eight_more) = full(fours, four, twos & two);
    let (eights, sixteen_more) = full(eights, eight, eight_more);
    [
        ones,
        twos ^ two,
        fours,
        eights,
        sixteen ^ sixteen_more,
        sixteen & sixteen_more,
    ]
}

const _: () = assert!(
    WORDS == SIDE as usize + 1,
    "one empty word follows the rows"
);
