//! The depth-first search, which branches on the line with the fewest choices.

use super::branching::{LightBounds, SearchNodeStatus};
use super::cell_contents::{KINDS, content};
use super::choice::SolverChoice;
use super::partial_board::{PartialBoard, TrailMark};
use super::reachability::are_mirrors;
use super::{Aim, Question, Solution, SolverAnswer, SolverProgress};
use crate::board::Board;
use crate::light::Light;
use crate::moves::route;
use dice::Dice;

/// The work, in words of cells, between two calls of `goes_on`: about a millisecond.
const WORK_PER_POLL: u64 = 1 << 19;

/// The nodes of one turn of the search for any solution, times the Luby sequence.
const NODES_PER_TURN: u64 = 500;
/// In a randomised walk, one decision in this many is shuffled.
const SHUFFLE_ONE_IN: u32 = 2;

/// Once this lower bound of the moves is proven, the search for the fewest moves tries to
/// enumerate all solutions instead,
const MOVES_BEFORE_ALL: u32 = 3;
/// with this many nodes: about a fifth of a second, and enough for each of 100 levels of 15 x
/// 15 with 6 pieces.
const NODES_FOR_ALL: u64 = 100_000;

pub(super) fn solve(
    board: &Board,
    question: Question,
    goes_on: &mut dyn FnMut(SolverProgress) -> bool,
) -> SolverAnswer {
    let mut search = SolutionSearch::of(question, goes_on);
    if board.sensors().next().is_some() {
        search.run(board);
    }
    search.into_answer(board)
}

struct SolutionSearch<'a> {
    aim: Aim,
    limit: u64,
    solutions: Vec<Solution>,
    /// Branches that take more moves are pruned, and postponed.
    max_moves: u32,
    /// The least lower bound of the postponed branches: the next value of `max_moves`.
    next_bound: Option<u32>,
    /// The moves to the solution found so far.
    best: Option<u32>,
    /// The node count at which to pause.
    pause_at: u64,
    /// No solution takes fewer moves than this.
    at_least: u32,
    /// The board is solved as it stands.
    is_solved: bool,
    nodes: u64,
    max_nodes: u64,
    work: u64,
    goes_on: &'a mut dyn FnMut(SolverProgress) -> bool,
    is_stopped: bool,
}

/// A decision with its choices: those from `next` on are still to be tried.
struct DecisionLevel {
    mark: TrailMark,
    choices: Vec<SolverChoice>,
    next: usize,
}

/// A depth-first walk through the search tree, which can pause and resume.
struct DepthFirstWalk {
    state: PartialBoard,
    bounds: LightBounds,
    /// The root, where everything is undecided.
    root: TrailMark,
    levels: Vec<DecisionLevel>,
    /// Whether the current node has not been examined yet.
    is_entering: bool,
    /// Unused lists, kept so that a node allocates no memory.
    lists: Vec<Vec<SolverChoice>>,
    spare: Vec<SolverChoice>,
    /// Shuffles some of the choices, in a randomised walk.
    dice: Option<Dice>,
}

impl DepthFirstWalk {
    fn new(board: &Board, aim: Aim) -> Self {
        let state = PartialBoard::of(board, aim == Aim::Fewest);
        let kinds = (1..KINDS).filter(|&kind| state.stock[kind] > 0);
        let has_mirrors_only = are_mirrors(kinds.map(content));
        Self {
            bounds: LightBounds::new(state.open.len(), has_mirrors_only),
            root: state.mark(),
            state,
            levels: Vec::new(),
            is_entering: true,
            lists: Vec::new(),
            spare: Vec::new(),
            dice: None,
        }
    }

    fn restart(&mut self) {
        self.state.undo(self.root);
        let levels = self.levels.drain(..);
        self.lists.extend(levels.map(|level| level.choices));
        self.is_entering = true;
    }

    /// Finds the next decision at this node, and pushes a level if there is one.
    fn look(&mut self) -> SearchNodeStatus {
        let mut choices = self.lists.pop().unwrap_or_default();
        let mark = self.state.mark();
        let next = self
            .bounds
            .find_branch(&mut self.state, &mut choices, &mut self.spare);
        if next != SearchNodeStatus::Branch {
            self.lists.push(choices);
            return next;
        }
        if let Some(dice) = &mut self.dice
            && dice.below(SHUFFLE_ONE_IN) == 0
        {
            dice.shuffle(&mut choices);
        }
        self.levels.push(DecisionLevel {
            mark,
            choices,
            next: 0,
        });
        next
    }
}

/// The Luby sequence 1, 1, 2, 1, 1, 2, 4, ..., the optimal universal restart strategy up to a
/// constant factor (M. Luby, A. Sinclair and D. Zuckerman, "Optimal speedup of Las Vegas
/// algorithms", 1993).
fn luby(turn: u64) -> u64 {
    let length = (turn + 1).next_power_of_two();
    match turn + 1 == length {
        true => length / 2,
        false => luby(turn + 1 - length / 2),
    }
}

impl<'a> SolutionSearch<'a> {
    fn of(question: Question, goes_on: &'a mut dyn FnMut(SolverProgress) -> bool) -> Self {
        Self {
            aim: question.aim,
            limit: match question.aim {
                Aim::Any => 1,
                Aim::All { up_to } => up_to.max(1),
                Aim::Fewest => u64::MAX,
            },
            solutions: Vec::new(),
            max_moves: u32::MAX,
            next_bound: None,
            best: None,
            pause_at: u64::MAX,
            at_least: 0,
            is_solved: false,
            nodes: 0,
            max_nodes: question.nodes,
            work: 0,
            goes_on,
            is_stopped: false,
        }
    }

    fn run(&mut self, board: &Board) {
        self.look(board);
        if !self.solutions.is_empty() {
            return;
        }
        let mut walk = DepthFirstWalk::new(board, self.aim);
        self.at_least = u32::from(!self.is_solved);
        match self.aim {
            Aim::Any => self.find_any(board, &mut walk),
            Aim::All { .. } => {
                self.descend(&mut walk);
            }
            Aim::Fewest => self.find_fewest(&mut walk),
        }
    }

    /// Finds any solution: a complete walk alternates with randomised restarts. A single walk
    /// may be unlucky early and stay in a part without solutions for very long; many short ones
    /// are not all unlucky (C. P. Gomes, B. Selman and H. Kautz, "Boosting combinatorial search
    /// through randomization", 1998). A proof that there is none takes up to twice as long.
    fn find_any(&mut self, board: &Board, walk: &mut DepthFirstWalk) {
        let mut other = None;
        for turn in 1.. {
            let nodes = luby(turn) * NODES_PER_TURN;
            self.pause_at = self.nodes + nodes;
            if self.descend(walk) || self.is_stopped {
                return;
            }
            let other = other.get_or_insert_with(|| DepthFirstWalk::new(board, self.aim));
            other.restart();
            other.dice = Some(Dice::new(turn));
            self.pause_at = self.nodes + nodes;
            if self.descend(other) || self.is_stopped {
                return;
            }
        }
    }

    /// Finds the solution with the fewest moves.
    fn find_fewest(&mut self, walk: &mut DepthFirstWalk) {
        // iterative deepening: with 1 move, then with 2 and so on, so that most longer branches
        // are pruned early, and the bound is proven even if the search stops. But each
        // iteration costs more than the one before, and where there are few solutions,
        // enumerating all of them costs no more; so that is tried as well, with a limit
        let mut has_tried_all = false;
        while !self.is_stopped && self.best.is_none_or(|best| best > self.at_least) {
            if self.at_least >= MOVES_BEFORE_ALL && !has_tried_all {
                has_tried_all = true;
                self.max_moves = u32::MAX;
                self.pause_at = self.nodes + NODES_FOR_ALL;
                if self.restart(walk) {
                    self.at_least = self.best.unwrap_or(0);
                    return;
                }
                self.pause_at = u64::MAX;
                if self.is_stopped || self.best == Some(self.at_least) {
                    return;
                }
            }
            self.next_bound = None;
            self.max_moves = self.at_least;
            if !self.restart(walk) {
                return;
            }
            if self.best == Some(self.at_least) {
                return;
            }
            match self.next_bound {
                Some(next_bound) => self.at_least = next_bound,
                None => return,
            }
        }
    }

    /// Searches the whole tree again; returns whether it was completed.
    fn restart(&mut self, walk: &mut DepthFirstWalk) -> bool {
        walk.restart();
        self.descend(walk)
    }

    /// Resumes a walk, to its end or to a pause; returns whether it was completed.
    fn descend(&mut self, walk: &mut DepthFirstWalk) -> bool {
        loop {
            if walk.is_entering {
                walk.is_entering = false;
                let next = walk.look();
                self.work += walk.bounds.work();
                if next == SearchNodeStatus::Leaf {
                    self.record_solution(&mut walk.state);
                    if self.is_stopped || self.best == Some(self.at_least) {
                        return false;
                    }
                }
            }
            let Some(level) = walk.levels.last_mut() else {
                return true;
            };
            walk.state.undo(level.mark);
            let Some(&choice) = level.choices.get(level.next) else {
                walk.lists
                    .extend(walk.levels.pop().map(|level| level.choices));
                continue;
            };
            if self.nodes >= self.pause_at {
                return false;
            }
            self.count_node();
            if self.is_stopped {
                return false;
            }
            level.next += 1;
            choice.apply(&mut walk.state);
            walk.is_entering = !walk.state.is_dead && !self.is_too_far(&mut walk.state);
        }
    }

    /// A board that is solved as it stands is a solution, and takes no moves.
    fn look(&mut self, board: &Board) {
        let light = Light::of(board);
        self.is_solved = light.status(board).is_solved();
        if !self.is_solved || matches!(self.aim, Aim::All { .. }) {
            return;
        }
        self.solutions.push(Solution::of(board, &light));
    }

    /// Counts a node, and stops the search at its limits.
    fn count_node(&mut self) {
        if self.nodes >= self.max_nodes {
            self.is_stopped = true;
        }
        if self.is_stopped {
            return;
        }
        self.nodes += 1;
        if self.work >= WORK_PER_POLL {
            self.work = 0;
            let progress = SolverProgress {
                nodes: self.nodes,
                solutions: self.solutions.len() as u64,
                at_least: self.at_least,
            };
            self.is_stopped |= !(self.goes_on)(progress);
        }
    }

    /// Whether the lower bound of the moves exceeds the current limit.
    fn is_too_far(&mut self, state: &mut PartialBoard) -> bool {
        if self.aim != Aim::Fewest || self.max_moves == u32::MAX {
            return false;
        }
        let moves = state.moves();
        if moves > self.max_moves {
            self.next_bound = Some(
                self.next_bound
                    .map_or(moves, |next_bound| next_bound.min(moves)),
            );
        }
        moves > self.max_moves
    }

    fn record_solution(&mut self, state: &mut PartialBoard) {
        let pieces = state.pieces();
        if self.aim == Aim::Fewest {
            // the bound lets only better ones through
            self.solutions.clear();
            let moves = state.moves();
            self.best = Some(moves);
            self.max_moves = moves.saturating_sub(1);
        }
        self.solutions.push(Solution { pieces });
        self.is_stopped |= self.solutions.len() as u64 >= self.limit;
    }

    fn into_answer(mut self, board: &Board) -> SolverAnswer {
        self.solutions.sort_unstable();
        let first = self.solutions.first();
        let moves = first.map(|solution| route(board, solution));
        let fewest = moves.as_ref().map(|moves| moves.len() as u32);
        let is_all = !self.is_stopped && matches!(self.aim, Aim::All { .. });
        let is_unsolvable = self.solutions.is_empty() && !self.is_stopped;
        SolverAnswer {
            solvable: match self.solutions.is_empty() {
                false => Some(true),
                // the board as it stands may be the only solution found
                true if self.is_solved => Some(true),
                true if self.is_stopped => None,
                true => Some(false),
            },
            is_complete: is_all || is_unsolvable,
            at_least: if is_unsolvable { 0 } else { self.at_least },
            is_fewest: fewest == Some(self.at_least),
            moves,
            nodes: self.nodes,
            solutions: self.solutions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level;
    use crate::solver::solve;
    use crate::tile::Tile;

    #[test]
    fn the_turns_are_as_long_as_they_should_be() {
        let turns: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(turns, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    /// Hard levels, and the same with a wall where the only solution has a piece: walks by
    /// chance begin, are broken off and come to an end, and none of them says what is not so.
    #[test]
    fn walks_by_chance_say_what_one_walk_says() {
        let mut by_chance = [0; 2];
        for number in 1..=8 {
            let board = level::find(&format!("very-hard-{number:02}"))
                .unwrap()
                .board();
            let all = |board: &Board| {
                let question = Question::new(Aim::All { up_to: 2 });
                solve(board, question, &mut |_| true)
            };
            let solution = all(&board).solutions.remove(0);
            let (cell, _) = solution.pieces[0];
            let mut closed = board.clone();
            if closed.tile(cell) == Tile::Empty {
                closed.put(cell, Tile::Wall);
            }
            for board in [board, closed] {
                let any = solve(&board, Question::new(Aim::Any), &mut |_| true);
                let all = all(&board);
                assert_eq!(any.solvable, all.solvable, "{board}");
                assert_eq!(any.is_complete, any.solvable == Some(false));
                assert!(any.solutions.iter().all(|one| all.solutions.contains(one)));
                if any.nodes > 2 * NODES_PER_TURN {
                    by_chance[usize::from(any.solvable == Some(true))] += 1;
                }
            }
        }
        assert!(by_chance.iter().all(|&boards| boards > 0), "{by_chance:?}");
    }
}
