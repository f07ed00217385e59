//! `perfect`: plays moves that are proven optimal.

use super::solver::{MnkBoard, MnkSolver};
use super::verification::Advisor;
use crate::{
    Player, PlayerError, PlayerLimits, PlayerSpec, SearchBudget, SearchObserver, Thought, Value,
};
use games::mnk::{Cell, Mnk, MnkPosition};
use games::{Game as _, JointMove, Outcome, Seat};

/// Plays a move that keeps the exact value of the position.
///
/// Among such moves: with nine empty cells or fewer it takes the quickest win and puts a
/// loss off for as long as it can; with a draw it leaves the opponent the most replies that
/// lose. What is equal after that is decided by the order of the cells, so the same position
/// gets the same move. With more empty cells it takes the first move that it proves.
///
/// A limit (`perfect:ms=1000`) may end the search before anything is proven: then the move
/// is an own win, a block, or the cell on the most lines, and the thought says so.
#[derive(Clone, Debug)]
pub struct PerfectPlayer {
    solver: MnkSolver,
    limits: PlayerLimits,
}

/// With up to this many empty cells every move is searched to the end.
const EXHAUSTIVE_CELLS: u32 = 9;

/// The nodes, about half a second, within which a board must be solved from its start for a
/// player without a limit.
const MAX_TRIAL_NODES: u64 = 1_000_000;

impl PerfectPlayer {
    /// A perfect player of this game.
    ///
    /// # Errors
    /// The board has more than 64 cells; or it is not solved soon and there is no limit.
    ///
    /// ```
    /// use games::{Game as _, Seat, mnk::Mnk};
    /// use players::mnk::PerfectPlayer;
    /// use players::{NullObserver, Player as _, PlayerLimits, Value};
    ///
    /// let game = Mnk::TICTACTOE;
    /// let mut player = PerfectPlayer::new(&game, PlayerLimits::default())?;
    /// let thought = player.think(&game, &game.start(), Seat::First, &mut NullObserver);
    /// assert_eq!(thought.value, Some(Value::Proven(games::Outcome::Draw)));
    /// # Ok::<(), players::PlayerError>(())
    /// ```
    pub fn new<const WORDS: usize>(
        game: &Mnk<WORDS>,
        limits: PlayerLimits,
    ) -> Result<Self, PlayerError> {
        let unfit = |problem: &str| PlayerError::Unfit {
            player: "perfect".into(),
            game: game.name(),
            problem: problem.into(),
        };
        let mut solver =
            MnkSolver::new(game).ok_or_else(|| unfit("the board has more than 64 cells"))?;
        if limits == PlayerLimits::default() {
            let trial = PlayerLimits {
                nodes: Some(MAX_TRIAL_NODES),
                ..PlayerLimits::default()
            };
            let solution = solver.solve(&game.start(), trial, &mut crate::NullObserver);
            if solution.value.is_none() {
                return Err(unfit(
                    "the board is not solved soon; give it a limit, such as perfect:ms=1000",
                ));
            }
        }
        Ok(Self { solver, limits })
    }

    /// Reads `perfect` with its limits: `ms`, `nodes`.
    pub(crate) fn read<const WORDS: usize>(
        game: &Mnk<WORDS>,
        spec: &mut PlayerSpec<'_>,
    ) -> Result<Self, PlayerError> {
        let limits = PlayerLimits::read(spec, PlayerLimits::default())?;
        if limits.depth.is_some() {
            return Err(spec.wrong("depth", "an exact player has no depth"));
        }
        Self::new(game, limits)
    }

    /// The best moves by the standard of this player, equal to it, and what the position is
    /// worth; `None` where it was stopped. With many empty cells only one of them.
    fn best_moves(
        &mut self,
        board: &MnkBoard,
        budget: &mut SearchBudget,
        observer: &mut dyn SearchObserver<Cell>,
    ) -> Option<(Outcome, Vec<u32>)> {
        let empty = self.solver.empty(board);
        if empty.count_ones() > EXHAUSTIVE_CELLS {
            let value = self.solver.value(board, budget, observer)?;
            let cell = self.solver.find_best(board, value, budget, observer)?;
            return Some((value, vec![cell]));
        }
        let mut best = (i8::MIN, 0);
        let mut cells = Vec::new();
        for cell in super::lines::bits(empty) {
            budget.goes_on(1, observer);
            let next = board.after(cell);
            let score = -self.solver.score(&next);
            let traps = if score == 0 {
                self.losing_replies(&next)
            } else {
                0
            };
            if (score, traps) > best {
                best = (score, traps);
                cells.clear();
            }
            if (score, traps) == best {
                cells.push(cell);
            }
        }
        let value = match best.0 {
            0 => Outcome::Draw,
            1.. => Outcome::Win(board.to_move),
            _ => Outcome::Win(board.to_move.other()),
        };
        Some((value, cells))
    }

    /// The number of replies that lose.
    fn losing_replies(&mut self, board: &MnkBoard) -> usize {
        if self.solver.ended(board).is_some() {
            return 0;
        }
        let replies = super::lines::bits(self.solver.empty(board));
        let scores = replies.map(|cell| self.solver.score(&board.after(cell)));
        scores.filter(|&score| score > 0).count()
    }

    /// How best play goes on after the first move, as far as the budget lets it.
    fn best_line(
        &mut self,
        board: &MnkBoard,
        first: u32,
        value: Outcome,
        budget: &mut SearchBudget,
        observer: &mut dyn SearchObserver<Cell>,
    ) -> Vec<JointMove<Cell>> {
        let mut line = vec![JointMove::One(first as Cell)];
        let mut board = board.after(first);
        while self.solver.ended(&board).is_none() {
            let next = if self.solver.empty(&board).count_ones() > EXHAUSTIVE_CELLS {
                self.solver.find_best(&board, value, budget, observer)
            } else {
                self.best_moves(&board, budget, observer)
                    .map(|(_, cells)| cells[0])
            };
            let Some(cell) = next else {
                break;
            };
            line.push(JointMove::One(cell as Cell));
            board = board.after(cell);
        }
        line
    }
}

impl<const WORDS: usize> Player<Mnk<WORDS>> for PerfectPlayer {
    fn name(&self) -> String {
        match self.limits.text("nodes") {
            limits if limits.is_empty() => "perfect".into(),
            limits => format!("perfect:{limits}"),
        }
    }

    fn begin(&mut self, _: u64) {
        // what was proven stays true
        self.solver.clear_scores();
    }

    fn think(
        &mut self,
        _: &Mnk<WORDS>,
        state: &MnkPosition<WORDS>,
        seat: Seat,
        observer: &mut dyn SearchObserver<Cell>,
    ) -> Thought<Cell> {
        let board = MnkBoard::of(state);
        debug_assert_eq!(board.to_move, seat, "a seat is asked when it is to move");
        let mut budget = SearchBudget::start(&self.limits);
        let Some((value, cells)) = self.best_moves(&board, &mut budget, observer) else {
            let cell = self.solver.by_weight(&board)[0] as Cell;
            return Thought {
                line: vec![JointMove::One(cell)],
                nodes: budget.nodes(),
                reason: Some("not solved in time: takes what lies on the most lines".into()),
                ..Thought::plain(cell)
            };
        };
        // the line is optional: it may cost as much again, or a little
        let nodes = budget.nodes();
        let mut rest = SearchBudget::start(&PlayerLimits {
            time: budget.time_left(),
            nodes: Some(nodes + 10_000),
            depth: None,
        });
        let line = self.best_line(&board, cells[0], value, &mut rest, observer);
        Thought {
            choice: cells[0] as Cell,
            line,
            value: Some(Value::Proven(value)),
            nodes,
            depth: 0,
            reason: None,
        }
    }
}

impl Advisor for PerfectPlayer {
    fn choices(
        &mut self,
        _: &Mnk<1>,
        state: &MnkPosition<1>,
        _: Seat,
        _: Option<Cell>,
    ) -> Vec<Cell> {
        let mut budget = SearchBudget::start(&PlayerLimits::default());
        let best = self.best_moves(&MnkBoard::of(state), &mut budget, &mut crate::NullObserver);
        let (_, cells) = best.expect("a search without a limit is not stopped");
        cells.into_iter().map(|cell| cell as Cell).collect()
    }
}
