//! Tic-tac-toe and its family: m columns, n rows, k in a row (*mnk-games* in van den Herik,
//! Uiterwijk and van Rijswijck, *Games Solved: Now and in the Future*, 2002).
//!
//! The seats alternate in putting a stone on an empty cell of a board with `m` columns and `n`
//! rows. The first to have `k` or more stones in a row, a column or a diagonal wins; a full
//! board without such a line is a draw. `mnk:3,3,3` is tic-tac-toe.
//!
//! ```text
//!    A B C
//!  1 O . X      the first seat plays O, the second X;
//!  2 . O .      cells are named by column letter and row number: O stands on A1 and B2
//!  3 . . X
//! ```
//!
//! A position is two bitboards. A board of up to 64 cells takes one word for each, a larger one
//! six: the size is a const parameter of the type, so that small boards are as fast as
//! possible. In one word all lines of a direction are found at once by shifts; on larger boards
//! only lines through the last stone are checked, cell by cell outwards. The reference in the
//! tests checks every line on the board.

use crate::options::{OptionError, Options};
use crate::{
    Diagram, DiagramMark, Dice, Game, JointMove, MoveError, Outcome, Seat, StateError,
    StateProblem, Turn,
};
use dice::mix;
use std::ops::RangeInclusive;

/// The most columns, and the most rows.
pub const LARGEST: u32 = 19;

/// The rules, for a board of at most 64 cells times `WORDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mnk<const WORDS: usize> {
    columns: u32,
    rows: u32,
    line: u32,
    /// The cells at which a line may begin that goes right, down, down and right, down and
    /// left: shifts alone would wrap lines from one row to the next. Only on boards of one
    /// word.
    starts: [u64; 4],
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MnkPosition<const WORDS: usize> {
    stones: [[u64; WORDS]; 2],
    to_move: Seat,
    /// How many stones there are.
    count: u16,
    winner: Option<Seat>,
}

/// A cell by its number: its row times the columns, plus its column, both from 0.
pub type Cell = u16;

/// Reads what follows `mnk:`: columns, rows, and stones in a row.
pub(crate) fn read(options: &mut Options<'_>) -> Result<(u32, u32, u32), OptionError> {
    let mut number = |what: &str, most: u32| {
        let Some(word) = options.word() else {
            return Err(options.missing(format!("the {what} are missing: write mnk:M,N,K")));
        };
        match word.parse() {
            Ok(n) if (1..=most).contains(&n) => Ok(n),
            _ => Err(options.wrong(word, format!("the {what} are a number from 1 to {most}"))),
        }
    };
    let columns = number("columns", LARGEST)?;
    let rows = number("rows", LARGEST)?;
    let line = number("stones in a row", columns.max(rows))?;
    Ok((columns, rows, line))
}

impl Mnk<1> {
    /// Three by three, three in a row.
    pub const TICTACTOE: Self = Self::checked(3, 3, 3);
}

impl<const WORDS: usize> Mnk<WORDS> {
    /// The rules for a board of `columns` times `rows` cells (each 1 to [`LARGEST`]) and
    /// `line` in a row (1 to the larger side). `None` where one of them is out of range or
    /// the board has more cells than this type holds.
    ///
    /// ```
    /// use games::mnk::Mnk;
    ///
    /// assert!(Mnk::<1>::new(7, 6, 4).is_some());
    /// assert!(Mnk::<1>::new(15, 15, 5).is_none(), "225 cells are more than 64");
    /// assert!(Mnk::<6>::new(15, 15, 5).is_some());
    /// ```
    #[must_use]
    pub fn new(columns: u32, rows: u32, line: u32) -> Option<Self> {
        let sides = 1..=LARGEST;
        let fits = sides.contains(&columns)
            && sides.contains(&rows)
            && (1..=columns.max(rows)).contains(&line)
            && columns * rows <= 64 * WORDS as u32;
        fits.then(|| Self::checked(columns, rows, line))
    }

    /// The rules, once the numbers are known to be in range.
    const fn checked(columns: u32, rows: u32, line: u32) -> Self {
        let mut starts = [0; 4];
        let mut cell = 0;
        while WORDS == 1 && cell < columns * rows {
            let (column, row) = (cell % columns, cell / columns);
            let right = column + line <= columns;
            let down = row + line <= rows;
            let left = column + 1 >= line;
            let fits = [right, down, down && right, down && left];
            let mut way = 0;
            while way < 4 {
                starts[way] |= (fits[way] as u64) << cell;
                way += 1;
            }
            cell += 1;
        }
        Self {
            columns,
            rows,
            line,
            starts,
        }
    }

    /// How many columns the board has.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// How many rows the board has.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// How many in a row win.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// How many cells the board has.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.columns * self.rows
    }

    /// A cell by its column and row, from 0.
    ///
    /// ```
    /// use games::mnk::Mnk;
    ///
    /// assert_eq!(Mnk::TICTACTOE.cell(2, 1), 5);
    /// ```
    #[must_use]
    pub fn cell(&self, column: u32, row: u32) -> Cell {
        (row * self.columns + column) as Cell
    }

    /// A cell's name: `B2`.
    ///
    /// ```
    /// use games::mnk::Mnk;
    ///
    /// assert_eq!(Mnk::TICTACTOE.cell_name(5), "C2");
    /// ```
    #[must_use]
    pub fn cell_name(&self, cell: Cell) -> String {
        let (column, row) = (
            u32::from(cell) % self.columns,
            u32::from(cell) / self.columns,
        );
        format!("{}{}", letter(column), row + 1)
    }

    /// How far it is from a cell to the next one of a line that goes right, down, down and
    /// right, down and left.
    #[inline]
    fn steps(&self) -> [u32; 4] {
        [1, self.columns, self.columns + 1, self.columns - 1]
    }

    /// Whether these stones have a line, where there was none before the stone on `cell`.
    #[inline]
    fn completes(&self, stones: &[u64; WORDS], cell: Cell) -> bool {
        if WORDS == 1 {
            self.has_line_in_word(stones[0])
        } else {
            self.has_line_through(stones, cell)
        }
    }

    /// Whether these have a line, on a board of one word.
    #[inline]
    fn has_line_in_word(&self, stones: u64) -> bool {
        let mut runs = [stones; 4];
        for _ in 1..self.line {
            for (run, step) in runs.iter_mut().zip(self.steps()) {
                // a run goes on where the next cell begins one that is a stone shorter
                *run = stones & *run >> step;
            }
        }
        let begun = runs.iter().zip(self.starts);
        begun.fold(0, |lines, (run, starts)| lines | run & starts) != 0
    }

    /// Whether there is a line through the stone of these on `cell`.
    fn has_line_through(&self, stones: &[u64; WORDS], cell: Cell) -> bool {
        let (column, row) = (
            u32::from(cell) % self.columns,
            u32::from(cell) / self.columns,
        );
        let has = |place: u32| stones[place as usize / 64] >> (place % 64) & 1 == 1;
        // how far one can go: to the left, right, up and down
        let (left, right) = (column, self.columns - 1 - column);
        let (up, down) = (row, self.rows - 1 - row);
        let ways = [
            (left, right),
            (up, down),
            (left.min(up), right.min(down)),
            (right.min(up), left.min(down)),
        ];
        let here = u32::from(cell);
        let mut ways = self.steps().into_iter().zip(ways);
        ways.any(|(step, (back, ahead))| {
            let mut length = 1;
            let mut place = here;
            for _ in 0..back.min(self.line - 1) {
                place -= step;
                if !has(place) {
                    break;
                }
                length += 1;
            }
            place = here;
            for _ in 0..ahead.min(self.line - 1) {
                place += step;
                if !has(place) {
                    break;
                }
                length += 1;
            }
            length >= self.line
        })
    }

    /// The empty cells as bits.
    fn empty(&self, state: &MnkPosition<WORDS>) -> [u64; WORDS] {
        let mut left = self.cells();
        std::array::from_fn(|word| {
            let here = left.min(64);
            left -= here;
            let all = if here == 64 { !0 } else { (1 << here) - 1 };
            all & !(state.stones[0][word] | state.stones[1][word])
        })
    }

    /// Whether there is a line anywhere: for positions that come as text.
    fn has_line(&self, stones: &[u64; WORDS]) -> bool {
        let cells = 0..self.cells();
        let mut own = cells.filter(|&c| stones[c as usize / 64] >> (c % 64) & 1 == 1);
        own.any(|cell| self.completes(stones, cell as Cell))
    }

    /// The cells of all lines of the winner, in the order of the board; none while nobody has
    /// won.
    fn winning_cells(&self, state: &MnkPosition<WORDS>) -> Vec<usize> {
        let Some(winner) = state.winner else {
            return Vec::new();
        };
        let (columns, rows, line) = (self.columns as i32, self.rows as i32, self.line as i32);
        let stones = &state.stones[winner.index()];
        let has = |x: i32, y: i32| {
            let place = (y * columns + x) as usize;
            (0..columns).contains(&x)
                && (0..rows).contains(&y)
                && stones[place / 64] >> (place % 64) & 1 == 1
        };
        let mut cells = Vec::new();
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            let in_line = [(1, 0), (0, 1), (1, 1), (-1, 1)].iter().any(|&(dx, dy)| {
                let run = |side: i32| {
                    let goes_on = |n: &i32| has(x + side * n * dx, y + side * n * dy);
                    (1..line).take_while(goes_on).count() as i32
                };
                has(x, y) && 1 + run(1) + run(-1) >= line
            });
            if in_line {
                cells.push((y * columns + x) as usize);
            }
        }
        cells
    }

    /// A cell under one of the symmetries.
    fn turned(&self, cell: Cell, symmetry: usize) -> Cell {
        let (mut x, mut y) = (
            u32::from(cell) % self.columns,
            u32::from(cell) / self.columns,
        );
        if symmetry & 1 != 0 {
            x = self.columns - 1 - x;
        }
        if symmetry & 2 != 0 {
            y = self.rows - 1 - y;
        }
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        self.cell(x, y)
    }
}

impl<const WORDS: usize> MnkPosition<WORDS> {
    /// Whose move it is, or would be if the game went on.
    #[must_use]
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// A seat's cells, a bit a cell, the first cell in the lowest bit of the first word.
    ///
    /// ```
    /// use games::{Game as _, JointMove, Seat, mnk::Mnk};
    ///
    /// let game = Mnk::TICTACTOE;
    /// let mut position = game.start();
    /// game.apply(&mut position, JointMove::One(4));
    /// assert_eq!(position.stones(Seat::First), &[1 << 4]);
    /// ```
    #[must_use]
    pub fn stones(&self, seat: Seat) -> &[u64; WORDS] {
        &self.stones[seat.index()]
    }

    /// What stands in a cell.
    ///
    /// ```
    /// use games::{DiagramMark, Game as _, JointMove, mnk::Mnk};
    ///
    /// let game = Mnk::TICTACTOE;
    /// let mut position = game.start();
    /// game.apply(&mut position, JointMove::One(4));
    /// assert_eq!(position.mark(4), DiagramMark::First);
    /// assert_eq!(position.mark(0), DiagramMark::Empty);
    /// ```
    #[must_use]
    pub fn mark(&self, cell: Cell) -> DiagramMark {
        let (word, bit) = (usize::from(cell) / 64, cell % 64);
        match (
            self.stones[0][word] >> bit & 1,
            self.stones[1][word] >> bit & 1,
        ) {
            (1, _) => DiagramMark::First,
            (_, 1) => DiagramMark::Second,
            _ => DiagramMark::Empty,
        }
    }

    /// How many stones there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::from(self.count)
    }
}

/// The letter of a column: A to S.
fn letter(column: u32) -> char {
    char::from(b'A' + column as u8)
}

/// The place of the set bit that has `n` set bits below it.
#[inline]
fn nth_bit(mut word: u64, mut n: u32) -> u32 {
    let mut place = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        let below = (word & ((1 << width) - 1)).count_ones();
        if n >= below {
            n -= below;
            word >>= width;
            place += width;
        }
    }
    place
}

impl<const WORDS: usize> Game for Mnk<WORDS> {
    type State = MnkPosition<WORDS>;
    type Move = Cell;

    fn name(&self) -> String {
        match (self.columns, self.rows, self.line) {
            (3, 3, 3) => "tictactoe".into(),
            (columns, rows, line) => format!("mnk:{columns},{rows},{line}"),
        }
    }

    fn start(&self) -> MnkPosition<WORDS> {
        MnkPosition {
            stones: [[0; WORDS]; 2],
            to_move: Seat::First,
            count: 0,
            winner: None,
        }
    }

    #[inline]
    fn turn(&self, state: &MnkPosition<WORDS>) -> Turn {
        match state.winner {
            Some(winner) => Turn::Over(Outcome::Win(winner)),
            None if u32::from(state.count) == self.cells() => Turn::Over(Outcome::Draw),
            None => Turn::One(state.to_move),
        }
    }

    fn moves(&self, state: &MnkPosition<WORDS>, _: Seat, into: &mut Vec<Cell>) {
        into.clear();
        for (i, mut word) in self.empty(state).into_iter().enumerate() {
            while word != 0 {
                into.push((i as u32 * 64 + word.trailing_zeros()) as Cell);
                word &= word - 1;
            }
        }
    }

    fn breadth(&self, state: &MnkPosition<WORDS>, _: Seat) -> u64 {
        u64::from(self.cells() - u32::from(state.count))
    }

    fn is_legal(&self, state: &MnkPosition<WORDS>, _: Seat, cell: Cell) -> bool {
        u32::from(cell) < self.cells() && state.mark(cell) == DiagramMark::Empty
    }

    #[inline]
    fn random_move(&self, state: &MnkPosition<WORDS>, _: Seat, dice: &mut Dice) -> Cell {
        let mut n = dice.below(self.cells() - u32::from(state.count));
        for (i, word) in self.empty(state).into_iter().enumerate() {
            let here = word.count_ones();
            if n < here {
                return (i as u32 * 64 + nth_bit(word, n)) as Cell;
            }
            n -= here;
        }
        unreachable!("n is less than the number of empty cells")
    }

    #[inline]
    fn apply(&self, state: &mut MnkPosition<WORDS>, joint: JointMove<Cell>) {
        let JointMove::One(cell) = joint else {
            unreachable!("the seats take turns")
        };
        if state.winner.is_some() {
            return;
        }
        let seat = state.to_move;
        let stones = &mut state.stones[seat.index()];
        stones[usize::from(cell) / 64] |= 1 << (cell % 64);
        if self.completes(stones, cell) {
            state.winner = Some(seat);
        }
        state.count += 1;
        state.to_move = seat.other();
    }

    /// Keeps the empty cells in a list, from which one is drawn at a time. To find the n-th
    /// empty cell of a position each time is the dominant cost otherwise: 2 million games of
    /// tic-tac-toe a second instead of 7.
    fn playout(&self, state: &mut MnkPosition<WORDS>, dice: &mut Dice) -> Outcome {
        let mut empty = [0; (LARGEST * LARGEST) as usize];
        let mut left = 0;
        for (i, mut word) in self.empty(state).into_iter().enumerate() {
            while word != 0 {
                empty[left] = (i as u32 * 64 + word.trailing_zeros()) as Cell;
                left += 1;
                word &= word - 1;
            }
        }
        while state.winner.is_none() && left > 0 {
            let place = dice.below(left as u32) as usize;
            let cell = empty[place];
            left -= 1;
            empty[place] = empty[left];
            self.apply(state, JointMove::One(cell));
        }
        state.winner.map_or(Outcome::Draw, Outcome::Win)
    }

    fn longest(&self) -> u32 {
        self.cells()
    }

    fn opening(&self) -> RangeInclusive<u32> {
        match self.cells() {
            0..=9 => 0..=1,
            10..=36 => 1..=2,
            _ => 2..=4,
        }
    }

    fn lead(&self, _: &MnkPosition<WORDS>) -> i64 {
        0
    }

    fn view(&self, state: &MnkPosition<WORDS>, seat: Seat) -> MnkPosition<WORDS> {
        match seat {
            Seat::First => *state,
            Seat::Second => MnkPosition {
                stones: [state.stones[1], state.stones[0]],
                to_move: state.to_move.other(),
                count: state.count,
                winner: state.winner.map(Seat::other),
            },
        }
    }

    fn view_move(&self, cell: Cell, _: Seat) -> Cell {
        cell
    }

    fn symmetries(&self) -> usize {
        if self.columns == self.rows { 8 } else { 4 }
    }

    fn image(&self, state: &MnkPosition<WORDS>, symmetry: usize) -> MnkPosition<WORDS> {
        let stones = state.stones.map(|stones| {
            let mut image = [0; WORDS];
            for (i, mut word) in stones.into_iter().enumerate() {
                while word != 0 {
                    let cell = (i as u32 * 64 + word.trailing_zeros()) as Cell;
                    let cell = self.turned(cell, symmetry);
                    image[usize::from(cell) / 64] |= 1 << (cell % 64);
                    word &= word - 1;
                }
            }
            image
        });
        MnkPosition { stones, ..*state }
    }

    fn image_move(&self, cell: Cell, symmetry: usize) -> Cell {
        self.turned(cell, symmetry)
    }

    fn hash(&self, state: &MnkPosition<WORDS>) -> u64 {
        let words = state.stones.as_flattened().iter();
        words.fold(mix(state.to_move.index() as u64 + 1), |hash, &word| {
            mix(hash.rotate_left(23) ^ word)
        })
    }

    fn write_move(&self, cell: Cell, _: Seat) -> String {
        self.cell_name(cell)
    }

    fn parse_move(
        &self,
        state: &MnkPosition<WORDS>,
        seat: Seat,
        text: &str,
    ) -> Result<Cell, MoveError> {
        match self.turn(state) {
            Turn::Over(_) => return Err(MoveError::Over),
            turn if !turn.asks(seat) => return Err(MoveError::NotToMove),
            _ => {}
        }
        let unreadable =
            || MoveError::unreadable(text, "give a column letter and a row number, such as B2");
        let mut signs = text.trim().chars();
        let column = signs.next().ok_or_else(unreadable)?.to_ascii_uppercase();
        let row = signs.as_str();
        if !column.is_ascii_uppercase() || row.is_empty() || row.len() > 4 {
            return Err(unreadable());
        }
        if !row.bytes().all(|b| b.is_ascii_digit()) {
            return Err(unreadable());
        }
        let place = format!("{column}{row}");
        let column = u32::from(column) - u32::from('A');
        let row: u32 = row.parse().map_err(|_| unreadable())?;
        if column >= self.columns || row < 1 || row > self.rows {
            return Err(MoveError::OffBoard {
                place,
                from: self.cell_name(0),
                to: self.cell_name((self.cells() - 1) as Cell),
            });
        }
        let cell = self.cell(column, row - 1);
        if state.mark(cell) != DiagramMark::Empty {
            return Err(MoveError::Taken { place });
        }
        Ok(cell)
    }

    fn write_state(&self, state: &MnkPosition<WORDS>) -> String {
        let mut text = String::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                text.push(match state.mark(self.cell(column, row)) {
                    DiagramMark::First => 'O',
                    DiagramMark::Second => 'X',
                    DiagramMark::Empty => '.',
                });
            }
            text.push('\n');
        }
        text.push_str(match state.to_move {
            Seat::First => "O to move\n",
            Seat::Second => "X to move\n",
        });
        text
    }

    fn parse_state(&self, text: &str) -> Result<MnkPosition<WORDS>, StateError> {
        let error = |line: u32, column: usize, problem| StateError {
            line,
            column: column as u32 + 1,
            problem,
        };
        let mut state = self.start();
        let mut lines = text.lines();
        for row in 0..self.rows {
            let missing = || error(row + 1, 0, StateProblem::Missing("a row of the board"));
            let line = lines.next().ok_or_else(missing)?.trim_end();
            for (column, sign) in line.chars().enumerate() {
                let seat = match sign {
                    '.' => None,
                    'O' | 'o' => Some(Seat::First),
                    'X' | 'x' => Some(Seat::Second),
                    _ => return Err(error(row + 1, column, StateProblem::Cell(sign))),
                };
                if column >= self.columns as usize {
                    break;
                }
                if let Some(seat) = seat {
                    let cell = self.cell(column as u32, row);
                    state.stones[seat.index()][usize::from(cell) / 64] |= 1 << (cell % 64);
                    state.count += 1;
                }
            }
            let given = line.chars().count();
            let expected = self.columns as usize;
            if given != expected {
                let problem = StateProblem::Length { given, expected };
                return Err(error(row + 1, given.min(expected), problem));
            }
        }
        let last = self.rows + 1;
        let line = lines.next().map(str::trim_end);
        state.to_move = match line {
            Some("O to move") => Seat::First,
            Some("X to move") => Seat::Second,
            None => return Err(error(last, 0, StateProblem::Missing("the seat to move"))),
            Some(other) => {
                let problem = StateProblem::Word {
                    what: "the seat to move",
                    given: other.chars().take(40).collect(),
                    expected: "write `O to move` or `X to move`".into(),
                };
                return Err(error(last, 0, problem));
            }
        };
        if lines.any(|line| !line.trim().is_empty()) {
            return Err(error(last + 1, 0, StateProblem::Surplus));
        }
        // the seat that moved last is looked at first: it has won if both have a line
        for seat in [state.to_move.other(), state.to_move] {
            if state.winner.is_none() && self.has_line(&state.stones[seat.index()]) {
                state.winner = Some(seat);
            }
        }
        Ok(state)
    }

    fn reason(&self, state: &MnkPosition<WORDS>) -> Option<String> {
        match self.turn(state) {
            Turn::Over(Outcome::Win(_)) => Some(format!("{} in a row", self.line)),
            Turn::Over(Outcome::Draw) => Some("the board is full".into()),
            _ => None,
        }
    }

    fn diagram(&self, state: &MnkPosition<WORDS>, _: Seat) -> Diagram {
        Diagram {
            columns: (0..self.columns).map(|c| letter(c).to_string()).collect(),
            rows: (1..=self.rows).map(|row| row.to_string()).collect(),
            cells: (0..self.cells()).map(|c| state.mark(c as Cell)).collect(),
            goals: Vec::new(),
            winning: self.winning_cells(state),
            signs: ['O', 'X'],
            names: ["O", "X"],
            facts: Vec::new(),
        }
    }
}
