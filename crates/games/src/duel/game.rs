//! The implementation of [`Game`] for the duel.

use super::{Column, Duel, DuelBoard, DuelPosition, column};
use crate::{
    Diagram, DiagramFact, DiagramMark, Dice, Game, Input, JointMove, MoveError, Outcome, Seat,
    StateError, StateProblem, Turn,
};
use dice::mix;
use std::cmp::Ordering;
use std::ops::RangeInclusive;

impl<B: DuelBoard> Duel<B> {
    /// The outcome if the game ended now.
    fn verdict(state: &DuelPosition<B>) -> Outcome {
        let [first, second] = state.score;
        let by_cells = || state.cells[0].count().cmp(&state.cells[1].count());
        match first.cmp(&second).then_with(by_cells) {
            Ordering::Greater => Outcome::Win(Seat::First),
            Ordering::Less => Outcome::Win(Seat::Second),
            Ordering::Equal => Outcome::Draw,
        }
    }
}

impl<B: DuelBoard> Game for Duel<B> {
    type State = DuelPosition<B>;
    type Move = Column;

    fn name(&self) -> String {
        self.rules.to_string()
    }

    fn start(&self) -> DuelPosition<B> {
        DuelPosition::new([B::NONE; 2], [self.rules.mana; 2], [0; 2], 0)
    }

    #[inline]
    fn turn(&self, state: &DuelPosition<B>) -> Turn {
        if state.turn < self.rules.turns {
            Turn::Both
        } else {
            Turn::Over(Self::verdict(state))
        }
    }

    /// The columns that the seat can pay, the cheapest first.
    fn moves(&self, state: &DuelPosition<B>, seat: Seat, into: &mut Vec<Column>) {
        column::list(self.rules.size.rows, state.mana(seat), into);
    }

    #[inline]
    fn breadth(&self, state: &DuelPosition<B>, seat: Seat) -> u64 {
        column::count(self.size().rows, state.mana(seat))
    }

    #[inline]
    fn is_legal(&self, state: &DuelPosition<B>, seat: Seat, column: Column) -> bool {
        column.count_ones() <= state.mana(seat) && column <= u32::MAX >> (32 - self.size().rows)
    }

    #[inline]
    fn random_move(&self, state: &DuelPosition<B>, seat: Seat, dice: &mut Dice) -> Column {
        column::random(self.size().rows, state.mana(seat), dice)
    }

    #[inline]
    fn apply(&self, state: &mut DuelPosition<B>, joint: JointMove<Column>) {
        let JointMove::Both(first, second) = joint else {
            unreachable!("both seats move at once")
        };
        self.play(state, first, second);
    }

    fn playout(&self, state: &mut DuelPosition<B>, dice: &mut Dice) -> Outcome {
        // a copy, so that it may stay in registers
        let mut now = *state;
        for _ in 0..self.turns_left(state) {
            let first = self.random_move(&now, Seat::First, dice);
            let second = self.random_move(&now, Seat::Second, dice);
            self.play(&mut now, first, second);
        }
        *state = now;
        Self::verdict(state)
    }

    fn longest(&self) -> u32 {
        self.rules.turns
    }

    fn opening(&self) -> RangeInclusive<u32> {
        let half = self.rules.turns / 2;
        4.min(half)..=12.min(half)
    }

    /// The difference in points times the number of the board's cells and one, plus the
    /// difference in cells: ahead is who would win if it ended now.
    #[inline]
    fn lead(&self, state: &DuelPosition<B>) -> i64 {
        let points = i64::from(state.score[0]) - i64::from(state.score[1]);
        let cells = i64::from(state.cells[0].count()) - i64::from(state.cells[1].count());
        points * i64::from(self.size().cells() + 1) + cells
    }

    /// Won when the other can no longer draw level in points, though it owned every goal
    /// in each turn to come.
    #[inline]
    fn settled(&self, state: &DuelPosition<B>) -> Option<Outcome> {
        let [first, second] = state.score;
        let left = self.turns_left(state);
        if left == 0 {
            return Some(Self::verdict(state));
        }
        let is_lost =
            u64::from(first.abs_diff(second)) > u64::from(left) * u64::from(self.goal_count);
        is_lost.then(|| Self::verdict(state))
    }

    fn view(&self, state: &DuelPosition<B>, seat: Seat) -> DuelPosition<B> {
        if seat == Seat::First {
            return *state;
        }
        let size = self.size();
        let [first, second] = state.cells;
        DuelPosition {
            cells: [second.turned(size), first.turned(size)],
            score: [state.score[1], state.score[0]],
            mana: [state.mana[1], state.mana[0]],
            turn: state.turn,
            is_turned: state.is_turned != self.is_lopsided,
        }
    }

    /// The move itself: both seats write it in their own view.
    fn view_move(&self, column: Column, _: Seat) -> Column {
        column
    }

    /// 2 where the goals are the same when top and bottom change places, and there is no
    /// coin.
    fn symmetries(&self) -> usize {
        1 + usize::from(self.is_mirrored)
    }

    fn image(&self, state: &DuelPosition<B>, symmetry: usize) -> DuelPosition<B> {
        if symmetry == 0 {
            return *state;
        }
        let size = self.size();
        DuelPosition {
            cells: state.cells.map(|cells| cells.mirrored(size)),
            ..*state
        }
    }

    fn image_move(&self, column: Column, symmetry: usize) -> Column {
        match symmetry {
            0 => column,
            _ => column::mirrored(self.size().rows, column),
        }
    }

    #[inline]
    fn hash(&self, state: &DuelPosition<B>) -> u64 {
        let facts = [
            u64::from(state.score[0]) << 32 | u64::from(state.score[1]),
            u64::from(state.mana[0]) << 33
                | u64::from(state.mana[1]) << 17
                | u64::from(state.turn) << 1
                | u64::from(state.is_turned),
        ];
        let [first, second] = &state.cells;
        let words = first.words().iter().chain(second.words()).chain(&facts);
        words.fold(1, |hash: u64, &word| mix(hash.rotate_left(23) ^ word))
    }

    /// The seat's own column from the top down: `00111110`.
    fn write_move(&self, column: Column, _: Seat) -> String {
        column::write(self.rules.size.rows, column)
    }

    /// Digits in one word, or as a bot writes them, with blanks between them.
    fn parse_move(
        &self,
        state: &DuelPosition<B>,
        seat: Seat,
        text: &str,
    ) -> Result<Column, MoveError> {
        if self.turns_left(state) == 0 {
            return Err(MoveError::Over);
        }
        self.affordable_column(state, seat, column::parse(self.rules.size.rows, text)?)
    }

    /// The board as the first seat sees it, and a line each for turns played, mana and
    /// scores; one more, `turned`, where [`DuelPosition::is_turned`].
    fn write_state(&self, state: &DuelPosition<B>) -> String {
        let mut text = String::new();
        for y in 0..self.rules.size.rows {
            for x in 0..self.rules.size.columns {
                text.push(match self.sign(state, Seat::First, x, y) {
                    1 => 'O',
                    -1 => 'X',
                    _ => '.',
                });
            }
            text.push('\n');
        }
        let ([first, second], [a, b]) = (state.mana, state.score);
        let turn = state.turn;
        text += &format!("turn {turn}\nmana {first} {second}\nscore {a} {b}\n");
        if state.is_turned {
            text += "turned\n";
        }
        text
    }

    fn parse_state(&self, text: &str) -> Result<DuelPosition<B>, StateError> {
        let (rows, columns) = (self.rules.size.rows, self.rules.size.columns as usize);
        let mut lines = DuelStateReader::new(text);
        let mut cells = [[0; 2]; super::MOST_ROWS as usize];
        for row in cells.iter_mut().take(rows as usize) {
            let line = lines.next("a row of the board")?;
            for (column, sign) in line.chars().enumerate().take(columns) {
                match sign {
                    '.' => {}
                    'O' | 'o' => row[0] |= 1 << column,
                    'X' | 'x' => row[1] |= 1 << column,
                    _ => return Err(lines.error(column, StateProblem::Cell(sign))),
                }
            }
            let given = line.chars().count();
            if given != columns {
                let expected = columns;
                let problem = StateProblem::Length { given, expected };
                return Err(lines.error(given.min(expected), problem));
            }
        }
        let [turn] = lines.numbers("turn", self.rules.turns)?;
        let mana = lines.numbers("mana", self.rules.mana)?;
        let score = lines.numbers("score", MAX_SCORE)?;
        let of_seat = |seat| B::from_rows(self.rules.size, |row| cells[row as usize][seat]);
        let cells = [of_seat(0), of_seat(1)];
        let mut state = DuelPosition::new(cells, mana, score, turn);
        state.is_turned = self.is_lopsided && lines.skip("turned");
        lines.finish()?;
        Ok(state)
    }

    fn input(&self) -> Input {
        Input::Column(0)
    }

    fn reason(&self, state: &DuelPosition<B>) -> Option<String> {
        if self.turns_left(state) > 0 {
            return None;
        }
        let higher_first = |[a, b]: [u32; 2]| format!("{} to {}", a.max(b), a.min(b));
        let cells = Seat::BOTH.map(|seat| state.cells(seat).count());
        let [first, second] = state.score;
        Some(if first != second {
            format!("{} points", higher_first(state.score))
        } else if cells[0] != cells[1] {
            format!("{first} points each, and {} cells", higher_first(cells))
        } else {
            format!("{first} points and {} cells each", cells[0])
        })
    }

    fn diagram(&self, state: &DuelPosition<B>, seat: Seat) -> Diagram {
        let (rows, columns) = (self.rules.size.rows, self.rules.size.columns);
        let places = || (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        let mark = |(x, y)| match self.sign(state, seat, x, y) {
            1 => DiagramMark::of(seat),
            -1 => DiagramMark::of(seat.other()),
            _ => DiagramMark::Empty,
        };
        let fact = |name, value: &dyn Fn(Seat) -> u32| DiagramFact {
            name,
            values: Seat::BOTH.map(|seat| value(seat).to_string()),
        };
        Diagram {
            columns: (0..columns).map(|x| x.to_string()).collect(),
            rows: (0..rows).map(|y| y.to_string()).collect(),
            cells: places().map(mark).collect(),
            goals: places()
                .map(|(x, y)| self.is_goal(state, seat, x, y))
                .collect(),
            winning: Vec::new(),
            signs: ['O', 'X'],
            names: ["O", "X"],
            facts: vec![
                fact("mana", &|seat| state.mana(seat)),
                fact("score", &|seat| state.score(seat)),
                fact("cells", &|seat| state.cells(seat).count()),
            ],
        }
    }
}

/// The highest score that a position's text may have: more than any game leads to, and far
/// from where numbers end.
const MAX_SCORE: u32 = 100_000_000;

/// The lines of a position's text, and where one is in it.
struct DuelStateReader<'a> {
    rest: std::iter::Peekable<std::str::Lines<'a>>,
    number: u32,
}

impl<'a> DuelStateReader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text.lines().peekable(),
            number: 0,
        }
    }

    fn error(&self, column: usize, problem: StateProblem) -> StateError {
        StateError {
            line: self.number,
            column: column as u32 + 1,
            problem,
        }
    }

    fn next(&mut self, what: &'static str) -> Result<&'a str, StateError> {
        self.number += 1;
        let line = self.rest.next().map(str::trim_end);
        line.ok_or_else(|| self.error(0, StateProblem::Missing(what)))
    }

    /// A line of a word and numbers up to `most`.
    fn numbers<const N: usize>(
        &mut self,
        what: &'static str,
        most: u32,
    ) -> Result<[u32; N], StateError> {
        let line = self.next(what)?;
        let mut words = line.split_ascii_whitespace();
        let is_named = words.next() == Some(what);
        let numbers: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
        let numbers = numbers.and_then(|numbers| <[u32; N]>::try_from(numbers).ok());
        match numbers {
            Some(numbers) if is_named && numbers.iter().all(|&n| n <= most) => Ok(numbers),
            _ => {
                let example = [" 1"; N].concat();
                let problem = StateProblem::Word {
                    what,
                    given: line.chars().take(40).collect(),
                    expected: format!("write `{what}{example}`, with numbers up to {most}"),
                };
                Err(self.error(0, problem))
            }
        }
    }

    /// Whether the next line is this; it is taken then.
    fn skip(&mut self, word: &str) -> bool {
        let is_next = self.rest.next_if(|line| line.trim_end() == word).is_some();
        self.number += u32::from(is_next);
        is_next
    }

    /// Nothing but blanks may follow.
    fn finish(mut self) -> Result<(), StateError> {
        for line in self.rest.by_ref() {
            self.number += 1;
            if !line.trim().is_empty() {
                return Err(self.error(0, StateProblem::Surplus));
            }
        }
        Ok(())
    }
}
