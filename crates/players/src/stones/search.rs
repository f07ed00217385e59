//! Alpha-beta search with iterative deepening.

use super::evaluation::EvaluationWeights;
use super::table::{StonesTable, StonesTableBound, key};
use crate::{SearchBudget, SearchObserver};
use games::stones::{Children, Stones, StonesBoard, StonesPoint, StonesPointSet, each};
use games::{Outcome, Seat};

/// The value of a win, minus the plies to it.
const WIN: i32 = 1_000_000;

/// Values from here on are wins that are proven.
pub(super) const PROVEN: i32 = 900_000;

/// The greatest value of the evaluation.
const MAX_EVALUATION: i32 = 800_000;

/// The bonus of a killer move in the ordering, in hundredths of a stone.
const KILLER: i32 = 100;

/// The most plies of a search.
const MAX_PLY: usize = 64;

/// The parameters of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StonesSearchParameters {
    /// The weights of the static evaluation.
    pub weights: EvaluationWeights,
    /// The number of moves searched at the root.
    pub root_width: u32,
    /// The number of moves searched where two plies or more are left: those with the best
    /// evaluation of the board after them.
    pub width: u32,
    /// The number of moves evaluated where one ply is left: those with the best immediate lead,
    /// which is known without evaluating the board.
    pub last_width: u32,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub(super) struct StonesSearchResult {
    pub(super) line: Vec<StonesPoint>,
    pub(super) value: i32,
    pub(super) depth: u32,
}

/// One search from one position.
pub(super) struct StonesSearch<'a> {
    pub(super) game: &'a Stones,
    pub(super) search: &'a StonesSearchParameters,
    pub(super) table: &'a mut StonesTable,
    pub(super) budget: SearchBudget,
    pub(super) observer: &'a mut dyn SearchObserver<StonesPoint>,
    /// Moves made before the position.
    pub(super) ply: u32,
    /// The moves that cut last at each ply.
    killers: [[StonesPoint; 2]; MAX_PLY + 1],
    lines: Vec<Vec<StonesPoint>>,
}

/// A move with its ordering score; higher ones are searched first.
type ScoredPoint = (i32, StonesPoint);

impl<'a> StonesSearch<'a> {
    pub(super) fn new(
        game: &'a Stones,
        search: &'a StonesSearchParameters,
        table: &'a mut StonesTable,
        budget: SearchBudget,
        observer: &'a mut dyn SearchObserver<StonesPoint>,
        ply: u32,
    ) -> Self {
        Self {
            game,
            search,
            table,
            budget,
            observer,
            ply,
            killers: [[StonesPoint::MAX; 2]; MAX_PLY + 1],
            lines: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Iterative deepening until `deepest`, until the budget stops it, or until a win or a loss
    /// is proven. Calls `on_iteration` after each depth.
    pub(super) fn deepen(
        &mut self,
        board: &StonesBoard,
        seat: Seat,
        deepest: u32,
        mut on_iteration: impl FnMut(
            &StonesSearchResult,
            &SearchBudget,
            &mut dyn SearchObserver<StonesPoint>,
        ),
    ) -> StonesSearchResult {
        let children = self.children(board, seat);
        let mut moves = self.ordered_moves(&children, [StonesPoint::MAX; 3], 0);
        let mut found = StonesSearchResult {
            line: vec![moves[0].1],
            value: 0,
            depth: 0,
        };
        for depth in 1..=deepest.min(MAX_PLY as u32) {
            let before = found.clone();
            let mut best = -WIN - 1;
            for i in 0..moves.len() {
                if i >= self.search.root_width as usize && best > -PROVEN {
                    break;
                }
                let m = moves[i].1;
                let child = children.board(m);
                let Some(value) = self.move_value(&child, seat, depth, best, WIN + 1, 0, i) else {
                    if best <= -PROVEN && i > 0 {
                        // all moves searched so far lose: this one may not, and nothing is
                        // proven
                        found = before;
                        found.line = vec![m];
                    }
                    break;
                };
                if value > best {
                    best = value;
                    found.line.clear();
                    found.line.push(m);
                    found.line.extend_from_slice(&self.lines[1]);
                    found.value = value;
                    // the best move is searched first in the next iteration, the others keep
                    // their order
                    moves[..=i].rotate_right(1);
                }
            }
            if self.budget.is_stopped() {
                break;
            }
            found.depth = depth;
            on_iteration(&found, &self.budget, self.observer);
            if best.abs() >= PROVEN || moves.len() == 1 {
                break;
            }
        }
        found
    }

    fn children(&self, board: &StonesBoard, seat: Seat) -> Children {
        Children::of(board, seat, &self.game.legal(board))
    }

    /// The value to `seat` of the board after its move, the `i`th that is looked at.
    #[allow(
        clippy::too_many_arguments,
        reason = "the search's own state is in self"
    )]
    fn move_value(
        &mut self,
        child: &StonesBoard,
        seat: Seat,
        depth: u32,
        best: i32,
        beta: i32,
        ply: usize,
        i: usize,
    ) -> Option<i32> {
        self.lines[ply + 1].clear();
        if let Some(end) = self.game.end(child, self.ply + ply as u32 + 1) {
            return Some(outcome_value(end, seat, ply + 1));
        }
        let other = seat.other();
        if i > 0 {
            // most moves are no better than the first: a null-window search shows that
            let value = -self.node(child, other, depth - 1, -best - 1, -best, ply + 1)?;
            if value <= best || value >= beta {
                return Some(value);
            }
        }
        Some(-self.node(child, other, depth - 1, -beta, -best, ply + 1)?)
    }

    /// The value to the seat that is to move, if it lies between `alpha` and `beta`; a bound
    /// of it otherwise. `None` when the time is up.
    fn node(
        &mut self,
        board: &StonesBoard,
        seat: Seat,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Option<i32> {
        if !self.budget.goes_on(1, self.observer) {
            return None;
        }
        if depth == 0 || ply >= MAX_PLY {
            return Some(self.evaluate_leaf(board, seat, ply));
        }
        let left = self.game.plies.saturating_sub(self.ply + ply as u32);
        let key = key(board, seat, left);
        let known = self.table.get(key);
        if let Some(known) = known {
            let value = from_table(known.value, ply);
            // a proven win or loss is one at any depth
            let is_deep = known.depth as u32 >= depth || value.abs() >= PROVEN;
            let decides = match known.bound {
                StonesTableBound::Exact => true,
                StonesTableBound::Least => value >= beta,
                StonesTableBound::Most => value <= alpha,
            };
            if is_deep && decides {
                return Some(value);
            }
        }
        let children = self.children(board, seat);
        let first = known.map_or(StonesPoint::MAX, |known| known.best);
        let [killer, older] = self.killers[ply];
        let (moves, width) = if depth == 1 {
            let leads = children.leads();
            let moves = rank_moves(&children, |m| {
                let lead = leads.at(m) * 4;
                match m {
                    _ if m == first => 1000,
                    _ if m == killer => lead + 9,
                    _ if m == older => lead + 5,
                    _ => lead,
                }
            });
            (moves, self.search.last_width as usize)
        } else {
            let moves = self.ordered_moves(&children, [first, killer, older], ply);
            (moves, self.search.width as usize)
        };
        let mut best = -WIN;
        let mut choice = moves[0].1;
        let mut low = alpha;
        for (i, &(_, m)) in moves.iter().enumerate() {
            if i >= width && best > -PROVEN {
                break;
            }
            let child = children.board(m);
            let value = self.move_value(&child, seat, depth, low, beta, ply, i)?;
            if value > best {
                best = value;
                choice = m;
            }
            if value > low {
                low = value;
                let [line, after] = self
                    .lines
                    .get_disjoint_mut([ply, ply + 1])
                    .expect("two places");
                line.clear();
                line.push(m);
                line.append(after);
                if value >= beta {
                    if self.killers[ply][0] != m {
                        self.killers[ply] = [m, self.killers[ply][0]];
                    }
                    break;
                }
            }
        }
        let bound = match best {
            _ if best >= beta => StonesTableBound::Least,
            _ if best > alpha => StonesTableBound::Exact,
            _ => StonesTableBound::Most,
        };
        self.table
            .put(key, to_table(best, ply), choice, depth, bound);
        Some(best)
    }

    /// The moves ordered by the evaluation of the boards after them; the first of the preferred
    /// moves before all, and a bonus for the others of them.
    fn ordered_moves(
        &mut self,
        children: &Children,
        first: [StonesPoint; 3],
        ply: usize,
    ) -> Vec<ScoredPoint> {
        let seat = children.seat();
        let moves = rank_moves(children, |m| {
            let child = children.board(m);
            let worth = match self.game.end(&child, self.ply + ply as u32 + 1) {
                Some(end) => outcome_value(end, seat, ply + 1),
                None => -self.evaluate_leaf(&child, seat.other(), ply + 1),
            };
            match m {
                _ if m == first[0] => worth + 2 * MAX_EVALUATION,
                _ if first.contains(&m) => worth + KILLER,
                _ => worth,
            }
        });
        // a stop takes effect at the next position
        self.budget.goes_on(moves.len() as u64, self.observer);
        moves
    }

    /// The static value at the horizon.
    fn evaluate_leaf(&mut self, board: &StonesBoard, seat: Seat, ply: usize) -> i32 {
        self.lines[ply].clear();
        let value = self.search.weights.of(board, seat);
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// The distinct moves, the highest score first: those that change the outcome of the tick, and
/// one of those that do not.
fn rank_moves(children: &Children, mut score: impl FnMut(StonesPoint) -> i32) -> Vec<ScoredPoint> {
    let mut moves: Vec<ScoredPoint> = Vec::with_capacity(160);
    let idle: StonesPointSet = children.idle();
    let all = each(children.effective()).chain(each(&idle).take(1));
    moves.extend(all.map(|m| (score(m), m)));
    moves.sort_unstable_by_key(|&(worth, m)| (-worth, m));
    moves
}

/// The value of an end after `ply` plies for a seat: sooner wins and later losses are better.
fn outcome_value(end: Outcome, seat: Seat, ply: usize) -> i32 {
    match end {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == seat => WIN - ply as i32,
        Outcome::Win(_) => ply as i32 - WIN,
    }
}

/// Converts a value for the table, where wins are counted from the stored position.
fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        _ if value >= PROVEN => value + ply as i32,
        _ if value <= -PROVEN => value - ply as i32,
        _ => value,
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        _ if value >= PROVEN => value - ply as i32,
        _ if value <= -PROVEN => value + ply as i32,
        _ => value,
    }
}
