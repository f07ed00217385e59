//! The exact solver of m,n,k games. (Own method, from the facts that [`MnkSolver`] names.)

use super::attack::{AttackResult, AttackSearch};
use super::lines::{MnkCellSet, MnkLineTable, bits};
use super::table::AttackTable;
use crate::{PlayerLimits, SearchBudget, SearchObserver};
use games::mnk::{Cell, Mnk, MnkPosition};
use games::{Outcome, Seat};
use std::collections::HashMap;

/// Solves positions of one m,n,k game with at most 64 cells.
///
/// Two questions give the value of a position: does the seat to move win, and if not, does the
/// other? Each is a search of its own in which "draw" and "lost" are the same, so that one good
/// answer cuts a branch (`AttackSearch`). The tables are kept: the next position of the same
/// game is quick.
///
/// Everything that cuts is proven, so the answer is too: own wins and blocks are forced; a
/// position and its images are worth the same; a line with stones of both seats is dead; a
/// second mover holds a position that pairs off, or whose lines weigh less than one half
/// (Erdős and Selfridge); and the empty board is never lost for the first seat, since a
/// stone more never harms: if the second seat had a plan that wins, the first could put a
/// stone anywhere and follow that plan itself (where the plan asks for a cell that it
/// already has, it puts another stone anywhere).
#[derive(Clone, Debug)]
pub struct MnkSolver {
    lines: MnkLineTable,
    /// What is known of each seat's attack.
    tables: [AttackTable; 2],
    /// Scores of positions with few empty cells.
    scores: HashMap<MnkBoard, i8>,
}

/// The result of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MnkSolution {
    /// How the position ends with best play; `None` where the search was stopped before it
    /// was known.
    pub value: Option<Outcome>,
    /// Best play of both seats, as far as it was looked for.
    pub line: Vec<Cell>,
    /// How many positions were looked at.
    pub nodes: u64,
}

/// Entries of each of the two tables, at most: 24 bytes each.
const MAX_ENTRIES: usize = 1 << 22;

/// Stones of the seats, and whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MnkBoard {
    pub(super) stones: [MnkCellSet; 2],
    pub(super) to_move: Seat,
}

impl MnkBoard {
    pub(super) fn of<const WORDS: usize>(state: &MnkPosition<WORDS>) -> Self {
        Self {
            stones: Seat::BOTH.map(|seat| state.stones(seat)[0]),
            to_move: state.to_move(),
        }
    }

    pub(super) fn after(&self, cell: u32) -> Self {
        let mut next = *self;
        next.stones[self.to_move.index()] |= 1 << cell;
        next.to_move = self.to_move.other();
        next
    }
}

impl MnkSolver {
    /// A solver with empty tables; `None` for a board of more than 64 cells.
    ///
    /// ```
    /// use games::mnk::Mnk;
    /// use players::mnk::MnkSolver;
    ///
    /// assert!(MnkSolver::new(&Mnk::<1>::new(4, 4, 4).unwrap()).is_some());
    /// assert!(MnkSolver::new(&Mnk::<6>::new(9, 9, 5).unwrap()).is_none());
    /// ```
    #[must_use]
    pub fn new<const WORDS: usize>(game: &Mnk<WORDS>) -> Option<Self> {
        let lines = MnkLineTable::new(game)?;
        Some(Self {
            lines,
            tables: [AttackTable::new(MAX_ENTRIES), AttackTable::new(MAX_ENTRIES)],
            scores: HashMap::new(),
        })
    }

    /// Solves a position: its value, and a line of best play.
    ///
    /// The line of best play is looked for after the value is known, with a tenth of the
    /// work more at most, so it may end early; the limits hold for both together.
    ///
    /// ```
    /// use games::{Game as _, Outcome, Seat, mnk::Mnk};
    /// use players::mnk::MnkSolver;
    /// use players::{NullObserver, PlayerLimits};
    ///
    /// let game = Mnk::<1>::new(4, 3, 3).expect("it fits");
    /// let mut solver = MnkSolver::new(&game).expect("few cells");
    /// let solution = solver.solve(&game.start(), PlayerLimits::default(), &mut NullObserver);
    /// assert_eq!(solution.value, Some(Outcome::Win(Seat::First)));
    /// ```
    pub fn solve<const WORDS: usize>(
        &mut self,
        state: &MnkPosition<WORDS>,
        limits: PlayerLimits,
        observer: &mut dyn SearchObserver<Cell>,
    ) -> MnkSolution {
        let mut board = MnkBoard::of(state);
        let mut budget = SearchBudget::start(&limits);
        let value = self.value(&board, &mut budget, observer);
        let nodes = budget.nodes();
        let mut line = Vec::new();
        if let Some(value) = value {
            let mut rest = SearchBudget::start(&PlayerLimits {
                time: budget.time_left(),
                nodes: Some(nodes / 10 + 100_000),
                depth: None,
            });
            while self.ended(&board).is_none() {
                let Some(cell) = self.find_best(&board, value, &mut rest, observer) else {
                    break;
                };
                line.push(cell as Cell);
                board = board.after(cell);
            }
        }
        MnkSolution { value, line, nodes }
    }

    /// How a position ends with best play; `None` where the search was stopped.
    pub(super) fn value(
        &mut self,
        board: &MnkBoard,
        budget: &mut SearchBudget,
        observer: &mut dyn SearchObserver<Cell>,
    ) -> Option<Outcome> {
        if let Some(outcome) = self.ended(board) {
            return Some(outcome);
        }
        let mover = board.to_move;
        if self.wins(board, mover, budget, observer)? {
            return Some(Outcome::Win(mover));
        }
        // nobody loses from the empty board
        let is_start = board.stones == [0, 0];
        if !is_start && self.wins(board, mover.other(), budget, observer)? {
            return Some(Outcome::Win(mover.other()));
        }
        Some(Outcome::Draw)
    }

    /// Whether a seat wins from here, where nobody has won yet; `None` where the search was
    /// stopped.
    pub(super) fn wins(
        &mut self,
        board: &MnkBoard,
        attacker: Seat,
        budget: &mut SearchBudget,
        observer: &mut dyn SearchObserver<Cell>,
    ) -> Option<bool> {
        let own = board.stones[attacker.index()];
        let other = board.stones[attacker.other().index()];
        let images = self.lines.view(own, other);
        let mut attack = AttackSearch {
            lines: &self.lines,
            table: &mut self.tables[attacker.index()],
            budget,
            observer,
        };
        match attack.run(&images, board.to_move == attacker) {
            AttackResult::Wins => Some(true),
            AttackResult::Never => Some(false),
            AttackResult::NotYet | AttackResult::Stopped => None,
        }
    }

    /// How the game has ended, if it has.
    pub(super) fn ended(&self, board: &MnkBoard) -> Option<Outcome> {
        let last = board.to_move.other();
        for seat in [last, board.to_move] {
            if self.lines.has_line(board.stones[seat.index()]) {
                return Some(Outcome::Win(seat));
            }
        }
        (self.empty(board) == 0).then_some(Outcome::Draw)
    }

    /// The empty cells.
    pub(super) fn empty(&self, board: &MnkBoard) -> MnkCellSet {
        self.lines.all() & !(board.stones[0] | board.stones[1])
    }

    /// The empty cells, the one that matters most first: own wins, blocks, then what lies on
    /// the most lines.
    pub(super) fn by_weight(&self, board: &MnkBoard) -> Vec<u32> {
        let own = board.stones[board.to_move.index()];
        let other = board.stones[board.to_move.other().index()];
        let weights = self.lines.cell_weights(own, other);
        let statistics = self.lines.statistics(own, other);
        let mut cells: Vec<u32> = bits(self.empty(board)).collect();
        cells.sort_by_key(|&cell| {
            let wins = statistics.attacker_wins >> cell & 1;
            let blocks = statistics.defender_wins >> cell & 1;
            std::cmp::Reverse((wins, blocks, weights[cell as usize]))
        });
        cells
    }

    /// Whether a move keeps the value that the position has; `None` where the search was
    /// stopped.
    pub(super) fn keeps_value(
        &mut self,
        board: &MnkBoard,
        cell: u32,
        value: Outcome,
        budget: &mut SearchBudget,
        observer: &mut dyn SearchObserver<Cell>,
    ) -> Option<bool> {
        let mover = board.to_move;
        let next = board.after(cell);
        if let Some(outcome) = self.ended(&next) {
            return Some(outcome == value);
        }
        match value {
            Outcome::Win(seat) if seat == mover => self.wins(&next, mover, budget, observer),
            // a seat cannot do better than its position, so not to lose is enough
            Outcome::Draw => self
                .wins(&next, mover.other(), budget, observer)
                .map(|loses| !loses),
            Outcome::Win(_) => Some(true),
        }
    }

    /// A move that keeps the value; `None` where the search was stopped.
    pub(super) fn find_best(
        &mut self,
        board: &MnkBoard,
        value: Outcome,
        budget: &mut SearchBudget,
        observer: &mut dyn SearchObserver<Cell>,
    ) -> Option<u32> {
        let mut cells = self.by_weight(board);
        if let Some(found) = self.table_move(board, value, budget, observer) {
            cells.insert(0, found);
        }
        for cell in cells {
            if self.keeps_value(board, cell, value, budget, observer)? {
                return Some(cell);
            }
        }
        unreachable!("some move keeps the value of a position")
    }

    /// The winning move from the table, so that it is not searched again.
    fn table_move(
        &mut self,
        board: &MnkBoard,
        value: Outcome,
        budget: &mut SearchBudget,
        observer: &mut dyn SearchObserver<Cell>,
    ) -> Option<u32> {
        let mover = board.to_move;
        if value != Outcome::Win(mover) {
            return None;
        }
        let (own, other) = (
            board.stones[mover.index()],
            board.stones[mover.other().index()],
        );
        let images = self.lines.view(own, other);
        let attack = AttackSearch {
            lines: &self.lines,
            table: &mut self.tables[mover.index()],
            budget,
            observer,
        };
        let cell = attack.best(&images)?;
        // after forced moves there may be none, or one that was only looked at
        (self.empty(board) >> cell & 1 == 1).then_some(cell)
    }

    /// The value of a position for the seat to move, with its distance: 0 for a draw,
    /// [`WIN_SCORE`] minus one a ply for a win, and the negative for a loss. Searches every
    /// position that can follow, so it is for few empty cells.
    pub(super) fn score(&mut self, board: &MnkBoard) -> i8 {
        match self.ended(board) {
            Some(Outcome::Draw) => return 0,
            Some(Outcome::Win(seat)) if seat == board.to_move => return WIN_SCORE,
            Some(Outcome::Win(_)) => return -WIN_SCORE,
            None => {}
        }
        if let Some(&score) = self.scores.get(board) {
            return score;
        }
        let scores = bits(self.empty(board)).map(|cell| {
            let score = -self.score(&board.after(cell));
            score - score.signum()
        });
        let best = scores.max().expect("a game that goes on has a move");
        self.scores.insert(*board, best);
        best
    }

    /// Clears the scores of [`MnkSolver::score`], which would fill the memory in a long match.
    pub(super) fn clear_scores(&mut self) {
        self.scores.clear();
    }
}

/// The score of a win on the board.
pub(super) const WIN_SCORE: i8 = 100;
