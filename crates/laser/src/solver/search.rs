//! The search itself: depth first, with the line that leaves the fewest choices first.

use super::choice::{Choice, Next, Outlook};
use super::content::content;
use super::cover::Cover;
use super::reach::{Reach, are_mirrors};
use super::state::{Mark, State};
use super::{Aim, Answer, Progress, Question, Solution};
use crate::board::Board;
use crate::light::Light;
use crate::moves::{distance, route};

/// Words of cells looked at between two questions whether to go on: a millisecond or so.
const WORK_BETWEEN: u64 = 1 << 19;

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
    /// The moves to the best solution so far, for the fewest moves.
    best: Option<u32>,
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
            best: None,
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
        let kinds = (1..super::content::KINDS).filter(|&kind| self.state.stock[kind] > 0);
        let has_mirrors_only = are_mirrors(kinds.map(content));
        let mut outlook = Outlook {
            forward: Reach::new(words, has_mirrors_only),
            backward: Reach::new(words, has_mirrors_only),
            cover: Cover::new(words * 64),
            has_mirrors_only,
        };
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
                self.work += words as u64 * 64;
                match next {
                    Next::Dead => lists.push(choices),
                    Next::Leaf => {
                        lists.push(choices);
                        self.arrive();
                    }
                    Next::Branch => levels.push(Level {
                        mark,
                        choices,
                        next: 0,
                    }),
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
            if self.is_stopped {
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
        let pieces = board.pieces();
        let pieces = pieces.filter(|&(cell, _)| !light.entering(cell).is_empty());
        let pieces = pieces.collect();
        self.solutions.push(Solution { pieces });
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            self.nodes = self.most_nodes;
            self.is_stopped = true;
        } else if self.work >= WORK_BETWEEN {
            self.work = 0;
            let progress = Progress {
                nodes: self.nodes,
                solutions: self.solutions.len() as u64,
                at_least: 1,
            };
            self.is_stopped |= !(self.goes_on)(progress);
        }
    }

    /// Whether a better solution is known than any that takes as many moves.
    fn is_too_far(&self) -> bool {
        self.best.is_some_and(|best| self.state.moves() >= best)
    }

    fn arrive(&mut self) {
        let pieces = self.state.pieces();
        if self.aim == Aim::Fewest {
            self.best = Some(self.state.moves());
            self.solutions.clear();
        }
        self.solutions.push(Solution { pieces });
        self.is_stopped |= self.solutions.len() as u64 >= self.limit;
    }

    fn answer(mut self, board: &Board) -> Answer {
        self.solutions.sort_unstable();
        let first = self.solutions.first();
        let moves = first.map(|solution| route(board, solution));
        debug_assert!(self.best.is_none() || self.best == first.map(|one| distance(board, one)));
        let fewest = moves.as_ref().map(|moves| moves.len() as u32);
        let is_through = !self.is_stopped;
        let lowest = match self.aim {
            Aim::Fewest if is_through => fewest.unwrap_or(0),
            _ => u32::from(!self.is_solved),
        };
        Answer {
            solvable: match self.solutions.is_empty() {
                false => Some(true),
                true if is_through => Some(false),
                true => None,
            },
            is_complete: is_through
                && (matches!(self.aim, Aim::All { .. }) || self.solutions.is_empty()),
            at_least: lowest,
            moves,
            is_fewest: fewest == Some(lowest),
            nodes: self.nodes,
            solutions: self.solutions,
        }
    }
}
