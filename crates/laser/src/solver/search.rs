//! The search itself: depth first, with the line that leaves the fewest choices first.

use super::choice::{Choice, Next, Outlook};
use super::content::{KINDS, content};
use super::reach::are_mirrors;
use super::state::{Mark, State};
use super::{Aim, Answer, Progress, Question, Solution};
use crate::board::Board;
use crate::light::Light;
use crate::moves::route;

/// Words of cells looked at between two questions whether to go on: a millisecond or so.
const WORK_BETWEEN: u64 = 1 << 19;

/// Once it is known that it takes at least so many moves, the search for the fewest tries to
/// look at all solutions instead,
const MOVES_BEFORE_ALL: u32 = 3;
/// with so many nodes: a fifth of a second or so, and enough for each of 100 levels of 15 x 15
/// with 6 pieces.
const NODES_FOR_ALL: u64 = 100_000;

pub(super) fn solve(
    board: &Board,
    question: Question,
    goes_on: &mut dyn FnMut(Progress) -> bool,
) -> Answer {
    let mut search = Search::of(board, question, goes_on);
    if board.sensors().next().is_some() {
        search.run(board);
    }
    search.answer(board)
}

struct Search<'a> {
    state: State,
    aim: Aim,
    limit: u64,
    solutions: Vec<Solution>,
    /// What takes more moves than this is left for later.
    most_moves: u32,
    /// The fewest moves of what was left for later.
    later: Option<u32>,
    /// The moves to the solution found so far.
    best: Option<u32>,
    /// Come back after so many nodes.
    pause: u64,
    /// No solution takes fewer moves than this.
    at_least: u32,
    /// The board is solved as it stands.
    is_solved: bool,
    nodes: u64,
    most_nodes: u64,
    work: u64,
    goes_on: &'a mut dyn FnMut(Progress) -> bool,
    is_stopped: bool,
}

/// A decision with its choices: those from `next` on are still to be tried.
struct Level {
    mark: Mark,
    choices: Vec<Choice>,
    next: usize,
}

impl<'a> Search<'a> {
    fn of(board: &Board, question: Question, goes_on: &'a mut dyn FnMut(Progress) -> bool) -> Self {
        Self {
            state: State::of(board, question.aim == Aim::Fewest),
            aim: question.aim,
            limit: match question.aim {
                Aim::Any => 1,
                Aim::All { up_to } => up_to.max(1),
                Aim::Fewest => u64::MAX,
            },
            solutions: Vec::new(),
            most_moves: u32::MAX,
            later: None,
            best: None,
            pause: u64::MAX,
            at_least: 0,
            is_solved: false,
            nodes: 0,
            most_nodes: question.nodes,
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
        let words = self.state.open.len();
        let kinds = (1..KINDS).filter(|&kind| self.state.stock[kind] > 0);
        let mut outlook = Outlook::new(words, are_mirrors(kinds.map(content)));
        self.at_least = u32::from(!self.is_solved);
        if self.aim != Aim::Fewest {
            self.descend(&mut outlook);
            return;
        }
        // with 1 move, then with 2 and so on: most of what is found with more is cut off
        // early, and what is left open is proven even when the search stops. But each time
        // costs more than the time before, and where there are few solutions it costs no
        // more to look at all of them; so that is tried as well, for a while
        let mut has_tried_all = false;
        while !self.is_stopped && self.best.is_none_or(|best| best > self.at_least) {
            if self.at_least >= MOVES_BEFORE_ALL && !has_tried_all {
                has_tried_all = true;
                self.most_moves = u32::MAX;
                self.pause = self.nodes + NODES_FOR_ALL;
                if self.begin_again(&mut outlook) {
                    self.at_least = self.best.unwrap_or(0);
                    return;
                }
                self.pause = u64::MAX;
                if self.is_stopped || self.best == Some(self.at_least) {
                    return;
                }
            }
            self.later = None;
            self.most_moves = self.at_least;
            if !self.begin_again(&mut outlook) {
                return;
            }
            if self.best == Some(self.at_least) {
                return;
            }
            match self.later {
                Some(later) => self.at_least = later,
                None => return,
            }
        }
    }

    /// Looks through everything; says whether it came to the end.
    fn begin_again(&mut self, outlook: &mut Outlook) -> bool {
        let root = self.state.mark();
        self.descend(outlook);
        self.state.undo(root);
        !self.is_stopped && self.nodes < self.pause
    }

    /// Looks through all that is below this point.
    fn descend(&mut self, outlook: &mut Outlook) {
        // lists that are out of use, so that a node needs no new memory
        let mut lists: Vec<Vec<Choice>> = Vec::new();
        let mut spare = Vec::new();
        let mut levels: Vec<Level> = Vec::new();
        let mut is_entering = true;
        loop {
            if is_entering {
                let mut choices = lists.pop().unwrap_or_default();
                let mark = self.state.mark();
                let next = outlook.next(&mut self.state, &mut choices, &mut spare);
                self.work += outlook.work();
                if next == Next::Branch {
                    levels.push(Level {
                        mark,
                        choices,
                        next: 0,
                    });
                } else {
                    lists.push(choices);
                    if next == Next::Leaf {
                        self.arrive();
                        if self.is_stopped || self.best == Some(self.at_least) {
                            return;
                        }
                    }
                }
            }
            let Some(level) = levels.last_mut() else {
                return;
            };
            self.state.undo(level.mark);
            let Some(&choice) = level.choices.get(level.next) else {
                lists.extend(levels.pop().map(|level| level.choices));
                is_entering = false;
                continue;
            };
            level.next += 1;
            self.count();
            if self.is_stopped || self.nodes >= self.pause {
                return;
            }
            choice.apply(&mut self.state);
            is_entering = !self.state.is_dead && !self.is_too_far();
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

    /// One more choice is tried, if it may be.
    fn count(&mut self) {
        if self.nodes >= self.most_nodes {
            self.is_stopped = true;
        }
        if self.is_stopped {
            return;
        }
        self.nodes += 1;
        if self.work >= WORK_BETWEEN {
            self.work = 0;
            let progress = Progress {
                nodes: self.nodes,
                solutions: self.solutions.len() as u64,
                at_least: self.at_least,
            };
            self.is_stopped |= !(self.goes_on)(progress);
        }
    }

    /// Whether it takes more moves than are looked for now.
    fn is_too_far(&mut self) -> bool {
        if self.aim != Aim::Fewest || self.most_moves == u32::MAX {
            return false;
        }
        let moves = self.state.moves();
        if moves > self.most_moves {
            self.later = Some(self.later.map_or(moves, |later| later.min(moves)));
        }
        moves > self.most_moves
    }

    fn arrive(&mut self) {
        let pieces = self.state.pieces();
        if self.aim == Aim::Fewest {
            // the bound lets only better ones through
            self.solutions.clear();
            let moves = self.state.moves();
            self.best = Some(moves);
            self.most_moves = moves.saturating_sub(1);
        }
        self.solutions.push(Solution { pieces });
        self.is_stopped |= self.solutions.len() as u64 >= self.limit;
    }

    fn answer(mut self, board: &Board) -> Answer {
        self.solutions.sort_unstable();
        let first = self.solutions.first();
        let moves = first.map(|solution| route(board, solution));
        let fewest = moves.as_ref().map(|moves| moves.len() as u32);
        let is_all = !self.is_stopped && matches!(self.aim, Aim::All { .. });
        let is_unsolvable = self.solutions.is_empty() && !self.is_stopped;
        Answer {
            solvable: match self.solutions.is_empty() {
                false => Some(true),
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
