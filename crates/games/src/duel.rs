//! The two-colour Life duel: cells against cells, and mana to make them with.
//!
//! Two players sit at the left and the right edge of one board and see it each from their own
//! side: the second sees it rotated by 180 degrees with the colours exchanged, so that both
//! have their own column at the left. Each turn both simultaneously write zeros and ones into
//! their own column, one for each row. A one makes a cell there and costs one mana. Then the
//! whole board evolves by one generation, and every goal cell that a player then owns gives a
//! point, and one mana.
//!
//! ```text
//!     0 1 2 3 4 5 6 7
//!  0  O . . . . . . .     the first seat's cells are O, the second's are X;
//!  1  O . . . . . . X     the first writes column 0 from the top down,
//!  2  . O . . . . . X     the second column 7 from the bottom up;
//!  3  . . . O O . . .     the four goals are the cells 3 and 4 of rows 3 and 4, where
//!  4  . . . O O . X .     O has a block now: 4 points a turn as long as it stands
//!  5  . . . . . . X .
//!  6  . . . . . . . .
//!  7  O . . . . . . .
//! ```
//!
//! A cell survives with 2 or 3 neighbours of its own colour and is born with 3; the enemy's
//! cells count as empty, also as the place of a birth. A cell that would live in both colours
//! is empty. The rows wrap around (on a board of one or two rows a cell thus meets the same
//! neighbour twice, or itself); the columns do not. After the board has evolved, each seat gets
//! 2 mana and 1 more for each goal it owns, up to what it had at the start. After the last turn
//! the higher score wins, then the larger number of cells.
//!
//! ## Options
//!
//! `duel` is a board of 8x8; others come after a colon, `duel:16x16,column=or`.
//!
//! | option | what it sets | where it is left out |
//! |---|---|---|
//! | `RxC` | rows (to 32) and columns (to 64) | `8x8` |
//! | `mana=` | mana at the start, and at most | three quarters of the rows: 6, 12 |
//! | `goals=` | the goal cells as `x.y` from 0, `3.3/4.3` | the centre: 2x2 of 8x8, 4 rows of 2 of 16x16; [`DuelRules::standard`] |
//! | `turns=` | how long a game is | 200 |
//! | `column=` | what a column does to the cells that stand in it: `replace`, `keep-capture`, `keep-cancel`, `or`; [`ColumnMode`] | `replace` |
//! | `overspend=` | a column that costs too much: `lose`, `truncate`; [`Overspend`] | `lose` |
//! | `rules=` | how cells live: `duel`, `p2life`, `colour-life`; [`Life`] | `duel` |
//! | `seed=` | the coin of `p2life` | 0 |
//!
//! ## How it is held
//!
//! A position is one set of cells for each seat, as bits: a word for 8x8, four for 16x16, a
//! word for each row for any other size ([`DuelBoard`]). The words of 8x8 and 16x16 hold the
//! board column by column: the players' columns are then contiguous, no bit enters at the edges
//! when a word is shifted by a column, and a turn needs no rotation of a whole word, for which
//! processors have scalar but mostly no vector instructions. The same operations are applied to
//! the words of both seats ([`SeatWordPair`]) side by side: about 100 instructions for a turn
//! on 8x8, 330 on 16x16. A move ([`Column`]) is in its own seat's view, so both seats write and
//! read moves alike.
//!
//! With asymmetric goals, with the coin of `p2life`, and on a board of one column (where the
//! second seat writes last), the rules look different from the second seat. A position then has
//! a flag that it is seen from there ([`DuelPosition::is_turned`]): so a view is a position
//! like any other, and evolves as the original does.
//!
//! ```
//! use games::duel::{Board8, Duel};
//! use games::{Game, Seat};
//! let game = Duel::<Board8>::standard(8, 8)?;
//! let mut state = game.start();
//! let column = game.parse_move(&state, Seat::First, "11100000")?;
//! game.play(&mut state, column, 0);
//! // three in the column have become two in row 1
//! assert_eq!(game.signs(&state, Seat::First)[1], [1, 1, 0, 0, 0, 0, 0, 0]);
//! assert_eq!(game.signs(&state, Seat::Second)[6], [0, 0, 0, 0, 0, 0, -1, -1]);
//! assert_eq!(state.mana(Seat::First), 6 - 3 + 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod column;
mod game;
mod life;
mod rules;

pub use board::{
    Board8, Board16, BoardAny, DuelBoard, DuelNeighbourCounts, DuelSize, SeatWordPair,
};
pub use column::Column;
pub use life::Life;
pub(crate) use rules::read;
pub use rules::{
    ColumnMode, DuelRules, DuelRulesError, MOST_COLUMNS, MOST_MANA, MOST_ROWS, MOST_TURNS,
    Overspend,
};

use crate::{MoveError, Seat};
use dice::mix;

/// The rules on one type of board.
#[derive(Clone, Debug, PartialEq)]
pub struct Duel<B> {
    rules: DuelRules,
    /// The goals as the first seat sees them, and as the second does.
    goals: [B; 2],
    goal_count: u32,
    /// Whether the rules look different from the second seat.
    is_lopsided: bool,
    /// Whether the board may be mirrored, top to bottom.
    is_mirrored: bool,
    /// Whether columns replace what stands there, and cells live by [`Life::Duel`].
    is_plain: bool,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DuelPosition<B> {
    cells: [B; 2],
    score: [u32; 2],
    mana: [u32; 2],
    /// Turns played.
    turn: u32,
    is_turned: bool,
}

impl<B: DuelBoard> Duel<B> {
    /// A game with these options.
    ///
    /// # Errors
    /// Something is out of range, or the size is not one of this type of board.
    ///
    /// ```
    /// use games::duel::{Board8, Board16, Duel, DuelRules, DuelRulesError};
    ///
    /// let rules = DuelRules { turns: 50, ..DuelRules::standard(16, 16) };
    /// assert!(Duel::<Board16>::new(rules.clone()).is_ok());
    /// assert_eq!(Duel::<Board8>::new(rules), Err(DuelRulesError::OtherSize));
    /// ```
    pub fn new(mut rules: DuelRules) -> Result<Self, DuelRulesError> {
        rules.check()?;
        if !B::holds(rules.size) {
            return Err(DuelRulesError::OtherSize);
        }
        rules.goals.sort_unstable_by_key(|&(x, y)| (y, x));
        let size = rules.size;
        let in_row = |row| rules.goals.iter().filter(move |&&(_, y)| y == row);
        let goals = B::from_rows(size, |row| in_row(row).map(|&(x, _)| 1 << x).sum());
        let turned = goals.turned(size);
        let has_coin = matches!(rules.life, Life::P2Life { .. });
        Ok(Self {
            goals: [goals, turned],
            goal_count: goals.count(),
            is_lopsided: has_coin || goals != turned || size.columns == 1,
            is_mirrored: !has_coin && goals == goals.mirrored(size),
            is_plain: rules.life == Life::Duel
                && rules.column == ColumnMode::Replace
                && size.columns > 1,
            rules,
        })
    }

    /// The standard rules for a size: [`DuelRules::standard`].
    ///
    /// # Errors
    /// The size is out of range, or not one of this type of board.
    ///
    /// ```
    /// use games::duel::{Board16, Duel};
    ///
    /// assert_eq!(Duel::<Board16>::standard(16, 16)?.rules().mana, 12);
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    pub fn standard(rows: u32, columns: u32) -> Result<Self, DuelRulesError> {
        Self::new(DuelRules::standard(rows, columns))
    }

    /// The options.
    #[must_use]
    pub fn rules(&self) -> &DuelRules {
        &self.rules
    }

    /// Rows and columns.
    #[inline]
    #[must_use]
    pub fn size(&self) -> DuelSize {
        B::sized(self.rules.size)
    }

    /// The goals in a position, which may be one seen from the second seat.
    ///
    /// ```
    /// use games::Game as _;
    /// use games::duel::{Board8, Duel, DuelBoard as _};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let goals = game.goals(&game.start());
    /// assert_eq!((goals.count(), goals.row(3)), (4, 0b11000));
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn goals(&self, state: &DuelPosition<B>) -> &B {
        &self.goals[usize::from(state.is_turned)]
    }

    /// How many turns are left.
    ///
    /// ```
    /// use games::Game as _;
    /// use games::duel::{Board8, Duel};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let mut position = game.start();
    /// game.play(&mut position, 0, 0);
    /// assert_eq!(game.turns_left(&position), 199);
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn turns_left(&self, state: &DuelPosition<B>) -> u32 {
        self.rules.turns.saturating_sub(state.turn)
    }

    /// Plays one turn: each seat's column in its own view, which it must be able to pay.
    /// A position that has ended stays as it is.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let mut position = game.start();
    /// game.play(&mut position, 0b111, 0); // three cells for the first seat
    /// assert_eq!((position.turn(), position.mana(Seat::First)), (1, 6 - 3 + 2));
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[inline]
    pub fn play(&self, state: &mut DuelPosition<B>, first: Column, second: Column) {
        if state.turn >= self.rules.turns {
            return;
        }
        if self.is_plain {
            self.play_plain(state, first, second);
        } else {
            self.play_otherwise(state, first, second);
        }
    }

    /// A turn by the standard rules of columns and of life, the most frequent ones: specialised
    /// so that nothing is looked up and everything may stay in registers.
    #[inline(always)]
    fn play_plain(&self, state: &mut DuelPosition<B>, first: Column, second: Column) {
        let [own, other] = state.cells;
        let [left, right] = self.edges();
        let size = self.size();
        let written = [
            own.without(left | right) | B::first_column(size, first),
            other.without(left | right) | B::last_column(size, second),
        ];
        let [cells] = B::map(&written, size, life::duel);
        self.score(state, cells, [first, second]);
    }

    #[inline(never)]
    fn play_otherwise(&self, state: &mut DuelPosition<B>, first: Column, second: Column) {
        let written = self.write(state.cells, first, second, state.is_turned);
        let cells = self.evolve(written, state.turn, state.is_turned);
        self.score(state, cells, [first, second]);
    }

    /// The end of a turn: the cells as they are now, points for them, and mana.
    #[inline(always)]
    fn score(&self, state: &mut DuelPosition<B>, cells: [B; 2], columns: [Column; 2]) {
        state.cells = cells;
        state.turn += 1;
        let points = B::counts(&cells, self.goals(state));
        let costs = [self.cost(columns[0]), self.cost(columns[1])];
        for seat in 0..2 {
            state.score[seat] += points[seat];
            let mana = state.mana[seat] + 2 + points[seat] - costs[seat];
            state.mana[seat] = mana.min(self.rules.mana);
        }
    }

    /// The first column and the last, whole.
    #[inline]
    fn edges(&self) -> [B; 2] {
        let size = self.size();
        let every = u32::MAX >> (32 - size.rows);
        [B::first_column(size, every), B::last_column(size, every)]
    }

    /// What a column costs.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    ///
    /// assert_eq!(Duel::<Board8>::standard(8, 8)?.cost(0b1011), 3);
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn cost(&self, column: Column) -> u32 {
        column::cost(self.size().rows, column)
    }

    /// The cells after both columns have been written, before the board lives on.
    ///
    /// ```
    /// use games::duel::{Board8, Duel, DuelBoard as _};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let [own, other] = game.write([Board8::NONE; 2], 0b1, 0b1, false);
    /// assert_eq!((own.row(0), other.row(7)), (1, 1 << 7)); // opposite corners
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn write(&self, cells: [B; 2], first: Column, second: Column, is_turned: bool) -> [B; 2] {
        let size = self.size();
        let [left, right] = self.edges();
        let left = [left, B::first_column(size, first)];
        let right = [right, B::last_column(size, second)];
        let [mut own, mut other] = cells;
        if size.columns == 1 && is_turned {
            [other, own] = self.written(other, own, right);
            [own, other] = self.written(own, other, left);
        } else {
            [own, other] = self.written(own, other, left);
            [other, own] = self.written(other, own, right);
        }
        [own, other]
    }

    /// The effect of one column on a seat's own cells and the other's.
    #[inline]
    fn written(&self, own: B, other: B, [edge, ones]: [B; 2]) -> [B; 2] {
        match self.rules.column {
            ColumnMode::Replace => [own.without(edge) | ones, other.without(edge)],
            ColumnMode::KeepCapture => [own | ones, other.without(ones)],
            ColumnMode::KeepCancel => [own | ones.without(other), other.without(ones)],
            ColumnMode::Or => [own | ones.without(other), other],
        }
    }

    /// The cells after one generation, without columns and scores. `turn` and `is_turned`
    /// ([`DuelPosition::is_turned`]) matter for the coin of `p2life` alone.
    ///
    /// ```
    /// use games::duel::{Board8, Duel, DuelBoard as _};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let blinker = Board8::from_rows(game.size(), |row| if row == 3 { 0b11100 } else { 0 });
    /// let [turned, _] = game.evolve([blinker, Board8::NONE], 0, false);
    /// assert_eq!([2, 3, 4].map(|row| turned.row(row)), [0b01000; 3]);
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn evolve(&self, cells: [B; 2], turn: u32, is_turned: bool) -> [B; 2] {
        let size = self.size();
        match self.rules.life {
            Life::Duel => {
                let [cells] = B::map(&cells, size, life::duel);
                cells
            }
            Life::ColourLife => {
                let [cells] = B::map(&cells, size, life::colour_life);
                cells
            }
            Life::P2Life { .. } => {
                let [[first, second], [ties, _]] = B::map(&cells, size, life::p2life);
                if ties.is_empty() {
                    return [first, second];
                }
                let heads = self.coins(turn, is_turned);
                [first | ties & heads, second | ties.without(heads)]
            }
        }
    }

    /// The owner of each cell by the coin of this turn.
    #[cold]
    fn coins(&self, turn: u32, is_turned: bool) -> B {
        let size = self.size();
        let every = B::from_rows(size, |_| !0);
        let heads = B::from_rows(size, |row| self.coin_row(turn, row));
        if is_turned {
            every.without(heads.turned(size))
        } else {
            heads
        }
    }

    /// The coins of one row, 1 for the first seat.
    fn coin_row(&self, turn: u32, row: u32) -> u64 {
        let seed = match self.rules.life {
            Life::P2Life { seed } => seed,
            _ => 0,
        };
        let throw = u64::from(turn) << 32 | u64::from(row);
        mix(seed ^ mix(throw.wrapping_add(0x9e37_79b9_7f4a_7c15)))
    }

    /// The owner of a cell by the coin of `p2life`, should it be thrown there: column and row
    /// as the first seat sees them, after `turn` turns.
    ///
    /// ```
    /// use games::duel::{Board8, Duel, DuelRules, Life};
    ///
    /// let rules = |seed| DuelRules { life: Life::P2Life { seed }, ..DuelRules::standard(8, 8) };
    /// let throws = |seed| {
    ///     let game = Duel::<Board8>::new(rules(seed)).expect("in range");
    ///     (0..64).map(|turn| game.coin(turn, 0, 0)).collect::<Vec<_>>()
    /// };
    /// assert_eq!(throws(1), throws(1));
    /// assert_ne!(throws(1), throws(2));
    /// ```
    #[must_use]
    pub fn coin(&self, turn: u32, x: u32, y: u32) -> Seat {
        match self.coin_row(turn, y) >> x & 1 {
            1 => Seat::First,
            _ => Seat::Second,
        }
    }

    /// What stands in a cell as a seat sees it, column `x` and row `y` of its own view:
    /// +1 its own, -1 the other's, 0 nothing.
    ///
    /// ```
    /// use games::duel::{Board8, Duel, DuelBoard as _, DuelPosition};
    /// use games::Seat;
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let corner = Board8::from_rows(game.size(), |row| u64::from(row == 0));
    /// let position = DuelPosition::new([corner, Board8::NONE], [6; 2], [0; 2], 0);
    /// assert_eq!(game.sign(&position, Seat::First, 0, 0), 1);
    /// assert_eq!(game.sign(&position, Seat::Second, 7, 7), -1); // the board is turned for it
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn sign(&self, state: &DuelPosition<B>, seat: Seat, x: u32, y: u32) -> i32 {
        let (x, y) = self.place(seat, x, y);
        let sign = |seat| (state.cells(seat).row(y) >> x & 1) as i32;
        sign(seat) - sign(seat.other())
    }

    /// Whether a cell is a goal as a seat sees it, column `x` and row `y` of its own view.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// assert!(game.is_goal(&game.start(), Seat::Second, 4, 3));
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn is_goal(&self, state: &DuelPosition<B>, seat: Seat, x: u32, y: u32) -> bool {
        let (x, y) = self.place(seat, x, y);
        self.goals(state).row(y) >> x & 1 == 1
    }

    /// The whole board in the view of a seat, row by row: [`Duel::sign`] of each cell. This is
    /// what bots receive.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// assert_eq!(game.signs(&game.start(), Seat::First), vec![vec![0; 8]; 8]);
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn signs(&self, state: &DuelPosition<B>, seat: Seat) -> Vec<Vec<i32>> {
        let DuelSize { rows, columns } = self.size();
        let row = |y| (0..columns).map(|x| self.sign(state, seat, x, y)).collect();
        (0..rows).map(row).collect()
    }

    /// The goals as a seat sees them: column and row of each in its own view, row by row.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let goals = game.goal_places(&game.start(), Seat::First);
    /// assert_eq!(goals, [(3, 3), (4, 3), (3, 4), (4, 4)]);
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn goal_places(&self, state: &DuelPosition<B>, seat: Seat) -> Vec<(u32, u32)> {
        let DuelSize { rows, columns } = self.size();
        let places = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        places
            .filter(|&(x, y)| self.is_goal(state, seat, x, y))
            .collect()
    }

    /// A place in a seat's view as the first seat sees it.
    fn place(&self, seat: Seat, x: u32, y: u32) -> (u32, u32) {
        let DuelSize { rows, columns } = self.size();
        match seat {
            Seat::First => (x, y),
            Seat::Second => (columns - 1 - x, rows - 1 - y),
        }
    }

    /// Reads the answer of a bot: a word for each row, exactly `0` or `1`, and blanks
    /// between them. [`Game::parse_move`](crate::Game::parse_move) takes this too, and
    /// more.
    ///
    /// # Errors
    /// It is something else, or costs more than the seat has (and the options do not drop
    /// what is too dear).
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let position = game.start();
    /// let column = game.parse_answer(&position, Seat::First, "1 1 0 0 0 0 0 1");
    /// assert_eq!(column, Ok(0b1000_0011)); // the top row is bit 0
    /// let dear = game.parse_answer(&position, Seat::First, "1 1 1 1 1 1 1 0");
    /// assert!(dear.is_err(), "seven cells, and six mana");
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    pub fn parse_answer(
        &self,
        state: &DuelPosition<B>,
        seat: Seat,
        line: &str,
    ) -> Result<Column, MoveError> {
        let column = column::parse_words(self.rules.size.rows, line)?;
        self.affordable_column(state, seat, column)
    }

    /// A column if the seat can pay for it, or the affordable part of it where the options say
    /// so.
    fn affordable_column(
        &self,
        state: &DuelPosition<B>,
        seat: Seat,
        column: Column,
    ) -> Result<Column, MoveError> {
        let (cost, mana) = (self.cost(column), state.mana(seat));
        match self.rules.overspend {
            _ if cost <= mana => Ok(column),
            Overspend::Lose => Err(MoveError::TooDear { cost, mana }),
            Overspend::Truncate => Ok(column::truncated(column, mana)),
        }
    }
}

impl<B: DuelBoard> DuelPosition<B> {
    /// A position from its parts, each for the first seat and the second: cells (no cell is
    /// in both sets), mana (to [`MOST_MANA`]), scores; and how many turns have been played
    /// (to [`MOST_TURNS`]).
    ///
    /// ```
    /// use games::Seat;
    /// use games::duel::{Board8, DuelBoard as _, DuelPosition};
    ///
    /// let position = DuelPosition::new([Board8::NONE; 2], [6, 2], [0, 10], 40);
    /// assert_eq!((position.mana(Seat::Second), position.score(Seat::Second)), (2, 10));
    /// ```
    #[must_use]
    pub fn new(cells: [B; 2], mana: [u32; 2], score: [u32; 2], turn: u32) -> Self {
        Self {
            cells,
            score,
            mana: mana.map(|mana| mana.min(MOST_MANA)),
            turn: turn.min(MOST_TURNS),
            is_turned: false,
        }
    }

    /// A seat's cells, as the first seat sees the board.
    #[inline]
    #[must_use]
    pub fn cells(&self, seat: Seat) -> &B {
        &self.cells[seat.index()]
    }

    /// What a seat has to spend.
    #[inline]
    #[must_use]
    pub fn mana(&self, seat: Seat) -> u32 {
        self.mana[seat.index()]
    }

    /// A seat's points.
    #[inline]
    #[must_use]
    pub fn score(&self, seat: Seat) -> u32 {
        self.score[seat.index()]
    }

    /// How many turns have been played.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Whether this is a position as the second seat sees it, with rules that look
    /// different from there.
    #[inline]
    #[must_use]
    pub fn is_turned(&self) -> bool {
        self.is_turned
    }
}
