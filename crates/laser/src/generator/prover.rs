//! The solver within a budget of work.

use super::grade::ProofEffort;
use crate::board::Board;
use crate::solver::{self, Aim, Question, SolverAnswer};

/// The work of one solver node. The unit is one traced board: half a microsecond to two, by its
/// size.
const NODE_WORK: u64 = 4;

/// Runs the solver, counts the questions it could not answer, and adds up the work of the whole
/// search: so the search ends at the same point on every machine.
pub(super) struct Prover<'a> {
    /// Called regularly, with `reached`; false ends the search.
    pub(super) goes_on: &'a mut dyn FnMut(u32) -> bool,
    /// The most pieces that a grown board with one solution has had so far.
    pub(super) reached: u32,
    /// Questions given up.
    pub(super) unknown: u32,
    /// Work done, in traced boards; a node counts as [`NODE_WORK`].
    pub(super) work: u64,
    /// The work at which the search ends.
    pub(super) most_work: u64,
}

/// The number of solutions, as far as the solver knows it.
pub(super) enum SolutionCount {
    /// These are all.
    All(SolverAnswer),
    /// More than were asked for.
    More,
    /// It would take too long.
    Unknown,
}

impl Prover<'_> {
    /// Counts work that was done; says whether the search may go on.
    pub(super) fn spend(&mut self, work: u64) -> bool {
        self.work += work;
        !self.is_spent() && (self.goes_on)(self.reached)
    }

    /// Whether all the work that is allowed was done.
    pub(super) fn is_spent(&self) -> bool {
        self.work >= self.most_work
    }

    /// Solves for up to `up_to` solutions, within `nodes` nodes.
    pub(super) fn solve(&mut self, board: &Board, up_to: u64, nodes: u64) -> SolverAnswer {
        let left = self.most_work.saturating_sub(self.work) / NODE_WORK;
        let question = Question {
            aim: Aim::All { up_to },
            nodes: nodes.min(left + 1),
        };
        let answer = solver::solve(board, question, &mut |_| (self.goes_on)(self.reached));
        self.work += answer.nodes * NODE_WORK;
        answer
    }

    /// Solves for all solutions, if there are at most `most`.
    pub(super) fn count(&mut self, board: &Board, most: u64, nodes: u64) -> SolutionCount {
        let answer = self.solve(board, most + 1, nodes);
        if answer.solutions.len() as u64 > most {
            SolutionCount::More
        } else if answer.is_complete {
            SolutionCount::All(answer)
        } else {
            self.unknown += 1;
            SolutionCount::Unknown
        }
    }

    /// The effort of the proof that the solution is unique; `None` if it is not, or takes more
    /// than `nodes`.
    pub(super) fn prove(&mut self, board: &Board, nodes: u64) -> Option<ProofEffort> {
        match self.count(board, 1, nodes) {
            SolutionCount::All(answer) if answer.solutions.len() == 1 => Some(ProofEffort {
                nodes: answer.nodes,
                pieces: board.pieces().count() as u32,
            }),
            _ => None,
        }
    }
}
