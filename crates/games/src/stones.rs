//! Stones: Life on a go board, for two.
//!
//! Black and white take turns on 19 times 19 points; black begins. A move puts a stone of
//! one's colour on an empty point, and then the whole board ticks once, all points at the
//! same time, with that stone in place:
//!
//! - an empty point with three neighbours (of eight, of both colours together) gets a stone
//!   of the colour that most of them have;
//! - a stone with fewer than two or more than three neighbours dies; one that lives takes
//!   the colour that most of its neighbours have, and keeps its own where they are even.
//!
//! A seat without stones after a tick has lost; if both have none it is a draw, and so it is
//! where there is no legal move, or after a thousand plies. There is no passing.
//!
//! ```text
//! 19 . . . .        rows are counted from the bottom, as on a go board; columns are a to s,
//!    ⋮              the i among them; the left and lower corner is a1, and B stands on d3
//!  3 . . . B
//!  2 . . . .
//!  1 . . . .
//!    a b c d
//! ```
//!
//! | option | |
//! |---|---|
//! | `adjacency=on` | (default) a stone may only be put next to one that is there |
//! | `adjacency=off` | on any empty point |
//! | `plies=1000` | after so many it is a draw (1 to 1000000) |
//!
//! The board is a bitboard ([`StonesBoard`]), evolved bit-parallel; [`Children`] computes the
//! effect of every move of a position for the price of three ticks.
//!
//! ```
//! use games::stones::Stones;
//! use games::{Game as _, JointMove};
//! let game = Stones::default();
//! let mut position = game.start();
//! let m = game.parse_move(&position, games::Seat::First, "d4")?;
//! game.apply(&mut position, JointMove::One(m));
//! assert_eq!(game.lead(&position), 2); // black has two stones more after the tick
//! # Ok::<(), games::MoveError>(())
//! ```

mod board;
mod children;

pub use board::{
    SIDE, StonesBoard, StonesPoint, StonesPointSet, around, count, each, has, is_empty, place,
    point,
};
pub use children::{Children, Leads};

use crate::options::{OptionError, Options};
use crate::{
    Diagram, DiagramMark, Dice, Game, JointMove, MoveError, Outcome, Seat, StateError,
    StateProblem, Turn,
};
use dice::mix;
use std::ops::RangeInclusive;

/// The default limit of plies.
const PLIES: u32 = 1000;

/// The greatest limit that may be set.
const MAX_PLIES: u32 = 1_000_000;

/// Where the stones stand at the start, black's and white's.
const START: [&str; 2] = [
    "d3 c5 e5 i10 k10 o4 p4 q4 o15 p17 q15",
    "c4 e4 d6 d15 d16 d17 j9 j11 p14 o16 q16",
];

/// The rules with their options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones {
    /// Whether a stone may only be put next to one that is there.
    pub adjacency: bool,
    /// The number of plies after which it is a draw.
    pub plies: u32,
}

impl Default for Stones {
    fn default() -> Self {
        Self {
            adjacency: true,
            plies: PLIES,
        }
    }
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StonesPosition {
    board: StonesBoard,
    to_move: Seat,
    /// How many moves were made.
    ply: u32,
    ended: Option<Outcome>,
}

/// Reads what follows `stones:`.
pub(crate) fn read(options: &mut Options<'_>) -> Result<Stones, OptionError> {
    let mut game = Stones::default();
    if let Some(choice) = options.choice("adjacency", &["on", "off"])? {
        game.adjacency = choice == 0;
    }
    if let Some(value) = options.value("plies") {
        game.plies = match value.parse() {
            Ok(plies) if (1..=MAX_PLIES).contains(&plies) => plies,
            _ => {
                let problem = format!("give a number of turns from 1 to {MAX_PLIES}");
                return Err(options.wrong(&format!("plies={value}"), problem));
            }
        };
    }
    Ok(game)
}

impl StonesPosition {
    /// The stones.
    #[must_use]
    pub fn board(&self) -> &StonesBoard {
        &self.board
    }

    /// Whose move it is, or would be if the game went on.
    #[must_use]
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// How many moves were made.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// What stands on a point.
    ///
    /// ```
    /// use games::stones::{Stones, point};
    /// use games::{DiagramMark, Game as _};
    ///
    /// let position = Stones::default().start();
    /// assert_eq!(position.mark(point(3, 2)), DiagramMark::First); // d3
    /// ```
    #[must_use]
    pub fn mark(&self, point: StonesPoint) -> DiagramMark {
        let on = |seat| has(self.board.stones(seat), point);
        match (on(Seat::First), on(Seat::Second)) {
            (true, _) => DiagramMark::First,
            (_, true) => DiagramMark::Second,
            _ => DiagramMark::Empty,
        }
    }
}

impl Stones {
    /// The position with these stones. Its game is over if a colour is missing, no point is
    /// left or there were plies enough.
    ///
    /// ```
    /// use games::stones::{Stones, StonesBoard, point};
    /// use games::{Game as _, Outcome, Seat, Turn};
    ///
    /// let mut board = StonesBoard::default();
    /// board.put(Seat::First, point(9, 9));
    /// let position = Stones::default().position(board, Seat::Second, 10);
    /// assert_eq!(Stones::default().turn(&position), Turn::Over(Outcome::Win(Seat::First)));
    /// ```
    #[must_use]
    pub fn position(&self, board: StonesBoard, to_move: Seat, ply: u32) -> StonesPosition {
        StonesPosition {
            board,
            to_move,
            ply,
            ended: self.end(&board, ply),
        }
    }

    /// The points where a stone may be put.
    ///
    /// ```
    /// use games::Seat;
    /// use games::stones::{Stones, StonesBoard, count, point};
    ///
    /// let mut board = StonesBoard::default();
    /// board.put(Seat::First, point(9, 9));
    /// assert_eq!(count(&Stones::default().legal(&board)), 8);
    /// let free = Stones { adjacency: false, ..Stones::default() };
    /// assert_eq!(count(&free.legal(&board)), 19 * 19 - 1);
    /// ```
    #[inline]
    #[must_use]
    pub fn legal(&self, board: &StonesBoard) -> StonesPointSet {
        let empty = board.empty();
        if !self.adjacency {
            return empty;
        }
        let around = around(&board.all());
        std::array::from_fn(|row| empty[row] & around[row])
    }

    /// All moves of a position at once.
    ///
    /// ```
    /// use games::stones::{Stones, each};
    /// use games::{Game as _, JointMove};
    ///
    /// let game = Stones::default();
    /// let start = game.start();
    /// let children = game.children(&start);
    /// for point in each(children.legal()) {
    ///     let mut after = start;
    ///     game.apply(&mut after, JointMove::One(point));
    ///     assert_eq!(children.board(point), *after.board());
    /// }
    /// ```
    #[inline]
    #[must_use]
    pub fn children(&self, state: &StonesPosition) -> Children {
        Children::of(&state.board, state.to_move, &self.legal(&state.board))
    }

    /// The outcome with this board after `ply` plies, if the game has ended.
    ///
    /// ```
    /// use games::Outcome;
    /// use games::stones::{Stones, StonesBoard};
    ///
    /// assert_eq!(Stones::default().end(&StonesBoard::default(), 1), Some(Outcome::Draw));
    /// ```
    #[inline]
    #[must_use]
    pub fn end(&self, board: &StonesBoard, ply: u32) -> Option<Outcome> {
        let [black, white] = Seat::BOTH.map(|seat| !is_empty(board.stones(seat)));
        match (black, white) {
            (true, false) => Some(Outcome::Win(Seat::First)),
            (false, true) => Some(Outcome::Win(Seat::Second)),
            (false, false) => Some(Outcome::Draw),
            // where there are stones and empty points, some of them are adjacent
            _ if ply >= self.plies || is_empty(&board.empty()) => Some(Outcome::Draw),
            _ => None,
        }
    }
}

/// What people call the two sides.
const NAMES: [&str; 2] = ["black", "white"];

/// The board at the start.
fn start() -> StonesBoard {
    let mut board = StonesBoard::default();
    for (seat, stones) in Seat::BOTH.into_iter().zip(START) {
        for text in stones.split(' ') {
            board.put(seat, read_point(text).expect("the start is on the board"));
        }
    }
    board
}

/// The letter of a column: a to s.
fn letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

/// A point's name: `d4`.
fn name(point: StonesPoint) -> String {
    let (column, row) = place(point);
    format!("{}{}", letter(column), row + 1)
}

/// Reads a point's name.
fn read_point(text: &str) -> Result<StonesPoint, MoveError> {
    let unreadable =
        || MoveError::unreadable(text, "give a column letter and a row number, such as d4");
    let mut signs = text.trim().chars();
    let column = signs.next().ok_or_else(unreadable)?.to_ascii_lowercase();
    let digits = signs.as_str();
    let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if !column.is_ascii_lowercase() || !is_number {
        return Err(unreadable());
    }
    let row: u32 = digits.parse().map_err(|_| unreadable())?;
    let place = u32::from(column) - u32::from('a');
    if place >= SIDE || !(1..=SIDE).contains(&row) {
        return Err(MoveError::OffBoard {
            place: format!("{column}{row}"),
            from: name(0),
            to: name(point(SIDE - 1, SIDE - 1)),
        });
    }
    Ok(point(place, row - 1))
}

/// A point under one of the symmetries: 1 mirrors the columns, 2 the rows, 4 exchanges
/// columns and rows after that.
fn turned(at: StonesPoint, symmetry: usize) -> StonesPoint {
    let (mut column, mut row) = place(at);
    if symmetry & 1 != 0 {
        column = SIDE - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = SIDE - 1 - row;
    }
    if symmetry & 4 != 0 {
        (column, row) = (row, column);
    }
    point(column, row)
}

/// The set point that has `n` points of the set before it.
#[inline]
fn nth(points: &StonesPointSet, mut n: u32) -> StonesPoint {
    for (row, &word) in points.iter().enumerate() {
        let here = word.count_ones();
        if n < here {
            let mut word = word;
            for _ in 0..n {
                word &= word - 1;
            }
            return point(word.trailing_zeros(), row as u32);
        }
        n -= here;
    }
    unreachable!("n is less than the number of points")
}

impl Game for Stones {
    type State = StonesPosition;
    type Move = StonesPoint;

    fn name(&self) -> String {
        let adjacency = (!self.adjacency).then(|| "adjacency=off".to_owned());
        let plies = (self.plies != PLIES).then(|| format!("plies={}", self.plies));
        let options: Vec<String> = adjacency.into_iter().chain(plies).collect();
        match options.is_empty() {
            true => "stones".into(),
            false => format!("stones:{}", options.join(",")),
        }
    }

    fn start(&self) -> StonesPosition {
        self.position(start(), Seat::First, 0)
    }

    #[inline]
    fn turn(&self, state: &StonesPosition) -> Turn {
        state.ended.map_or(Turn::One(state.to_move), Turn::Over)
    }

    fn moves(&self, state: &StonesPosition, _: Seat, into: &mut Vec<StonesPoint>) {
        into.clear();
        into.extend(each(&self.legal(&state.board)));
    }

    fn breadth(&self, state: &StonesPosition, _: Seat) -> u64 {
        u64::from(count(&self.legal(&state.board)))
    }

    fn is_legal(&self, state: &StonesPosition, _: Seat, m: StonesPoint) -> bool {
        let (column, row) = place(m);
        column < SIDE && row < SIDE && has(&self.legal(&state.board), m)
    }

    #[inline]
    fn random_move(&self, state: &StonesPosition, _: Seat, dice: &mut Dice) -> StonesPoint {
        let legal = self.legal(&state.board);
        nth(&legal, dice.below(count(&legal)))
    }

    #[inline]
    fn apply(&self, state: &mut StonesPosition, joint: JointMove<StonesPoint>) {
        let JointMove::One(m) = joint else {
            unreachable!("the seats take turns")
        };
        if state.ended.is_some() {
            return;
        }
        state.board.put(state.to_move, m);
        state.board = state.board.ticked();
        state.ply += 1;
        state.to_move = state.to_move.other();
        state.ended = self.end(&state.board, state.ply);
    }

    fn longest(&self) -> u32 {
        self.plies
    }

    fn opening(&self) -> RangeInclusive<u32> {
        2..=6
    }

    fn lead(&self, state: &StonesPosition) -> i64 {
        i64::from(state.board.lead())
    }

    fn view(&self, state: &StonesPosition, seat: Seat) -> StonesPosition {
        match seat {
            Seat::First => *state,
            Seat::Second => {
                let [black, white] = state.board.stones;
                StonesPosition {
                    board: StonesBoard {
                        stones: [white, black],
                    },
                    to_move: state.to_move.other(),
                    ply: state.ply,
                    ended: state.ended.map(Outcome::exchanged),
                }
            }
        }
    }

    fn view_move(&self, m: StonesPoint, _: Seat) -> StonesPoint {
        m
    }

    fn symmetries(&self) -> usize {
        8
    }

    fn image(&self, state: &StonesPosition, symmetry: usize) -> StonesPosition {
        let mut board = StonesBoard::default();
        for seat in Seat::BOTH {
            for at in each(state.board.stones(seat)) {
                board.put(seat, turned(at, symmetry));
            }
        }
        StonesPosition { board, ..*state }
    }

    fn image_move(&self, m: StonesPoint, symmetry: usize) -> StonesPoint {
        turned(m, symmetry)
    }

    fn hash(&self, state: &StonesPosition) -> u64 {
        let seed = u64::from(state.ply) << 1 | state.to_move.index() as u64;
        state.board.stones.iter().fold(mix(seed), |hash, stones| {
            // three rows of 19 bits fit in a word
            stones.chunks(3).fold(hash, |hash, rows| {
                let word = rows
                    .iter()
                    .fold(0, |word, &row| word << SIDE | u64::from(row));
                mix(hash.rotate_left(23) ^ word)
            })
        })
    }

    fn write_move(&self, m: StonesPoint, _: Seat) -> String {
        name(m)
    }

    fn parse_move(
        &self,
        state: &StonesPosition,
        seat: Seat,
        text: &str,
    ) -> Result<StonesPoint, MoveError> {
        match self.turn(state) {
            Turn::Over(_) => return Err(MoveError::Over),
            turn if !turn.asks(seat) => return Err(MoveError::NotToMove),
            _ => {}
        }
        let m = read_point(text)?;
        if state.mark(m) != DiagramMark::Empty {
            return Err(MoveError::Taken { place: name(m) });
        }
        if !has(&self.legal(&state.board), m) {
            return Err(MoveError::NoNeighbour { place: name(m) });
        }
        Ok(m)
    }

    fn write_state(&self, state: &StonesPosition) -> String {
        let mut text = String::new();
        for row in (0..SIDE).rev() {
            for column in 0..SIDE {
                text.push(match state.mark(point(column, row)) {
                    DiagramMark::First => 'B',
                    DiagramMark::Second => 'W',
                    DiagramMark::Empty => '.',
                });
            }
            text.push('\n');
        }
        let mover = match state.to_move {
            Seat::First => 'B',
            Seat::Second => 'W',
        };
        text + &format!("{mover} to move, ply {}\n", state.ply)
    }

    fn parse_state(&self, text: &str) -> Result<StonesPosition, StateError> {
        let error = |line: u32, column: usize, problem| StateError {
            line,
            column: column as u32 + 1,
            problem,
        };
        let mut board = StonesBoard::default();
        let mut lines = text.lines();
        for line_number in 1..=SIDE {
            let missing = || error(line_number, 0, StateProblem::Missing("a row of the board"));
            let line = lines.next().ok_or_else(missing)?.trim_end();
            let given = line.chars().count();
            let expected = SIDE as usize;
            for (column, sign) in line.chars().take(expected).enumerate() {
                let at = point(column as u32, SIDE - line_number);
                match sign {
                    '.' => {}
                    'B' | 'b' => board.put(Seat::First, at),
                    'W' | 'w' => board.put(Seat::Second, at),
                    _ => return Err(error(line_number, column, StateProblem::Cell(sign))),
                }
            }
            if given != expected {
                let problem = StateProblem::Length { given, expected };
                return Err(error(line_number, given.min(expected), problem));
            }
        }
        let last = SIDE + 1;
        let missing = || error(last, 0, StateProblem::Missing("whose move it is"));
        let line = lines.next().ok_or_else(missing)?.trim_end();
        let (mover, ply) = line.split_once(", ply ").unwrap_or((line, ""));
        let wrong = |column, what, given: &str, expected: String| {
            let given = given.chars().take(40).collect();
            let problem = StateProblem::Word {
                what,
                given,
                expected,
            };
            error(last, column, problem)
        };
        let to_move = match mover {
            "B to move" => Seat::First,
            "W to move" => Seat::Second,
            _ => {
                let expected = "write `B to move, ply 0` or `W to move, ply 1`".into();
                return Err(wrong(0, "whose move it is", line, expected));
            }
        };
        let Some(ply) = ply.parse().ok().filter(|&ply| ply <= MAX_PLIES) else {
            let expected = format!("give a number from 0 to {MAX_PLIES}");
            let column = (mover.len() + ", ply ".len()).min(line.len());
            return Err(wrong(column, "the ply", ply, expected));
        };
        if let Some(at) = lines.position(|line| !line.trim().is_empty()) {
            return Err(error(last + 1 + at as u32, 0, StateProblem::Surplus));
        }
        Ok(self.position(board, to_move, ply))
    }

    fn reason(&self, state: &StonesPosition) -> Option<String> {
        let outcome = state.ended?;
        let is_gone = |seat| is_empty(state.board.stones(seat));
        Some(match outcome {
            Outcome::Win(seat) => format!("{} has no stone left", NAMES[seat.other().index()]),
            Outcome::Draw if Seat::BOTH.into_iter().all(is_gone) => "no stone is left".into(),
            Outcome::Draw if state.ply >= self.plies => match self.plies {
                1 => "one turn is over".into(),
                turns => format!("{turns} turns are over"),
            },
            Outcome::Draw => "the board is full".into(),
        })
    }

    fn diagram(&self, state: &StonesPosition, _: Seat) -> Diagram {
        let rows = (0..SIDE).rev();
        let points = rows.flat_map(|row| (0..SIDE).map(move |column| point(column, row)));
        let stones = Seat::BOTH.map(|seat| count(state.board.stones(seat)).to_string());
        Diagram {
            columns: (0..SIDE).map(|column| letter(column).to_string()).collect(),
            rows: (1..=SIDE).rev().map(|row| row.to_string()).collect(),
            cells: points.map(|at| state.mark(at)).collect(),
            goals: Vec::new(),
            winning: Vec::new(),
            signs: ['B', 'W'],
            names: NAMES,
            facts: vec![crate::DiagramFact {
                name: "stones",
                values: stones,
            }],
        }
    }
}
