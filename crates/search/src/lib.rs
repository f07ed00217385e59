//! Finds patterns with a property, lists all of them in a box, or proves that there is none.
//!
//! A question ([`PeriodicQuestion`]) becomes a [`SearchProblem`]: unknown cells and what must hold
//! between them. Engines ([`ProblemSolver`]) solve problems and know nothing of boxes, symmetries
//! or velocities. (An engine that reads questions lost: each would have to get every symmetry and
//! every edge right by itself.) Only ships of any height have an engine of their own, which goes
//! row by row ([`RowSearch`]). The crate starts no threads, opens no files and reads no clock.
#![forbid(unsafe_code)]

mod block_rule;
mod box_symmetry;
mod cells;
mod distinct;
mod exhaustive;
mod problem;
mod question;
mod rows;
mod solver;
mod still_life_count;
mod still_life_list;

pub use block_rule::{BLOCK_ARRANGEMENTS, BlockRule, BlockRuleError};
pub use box_symmetry::{BoxSymmetry, BoxSymmetryError, image_in_box, swaps_axes};
pub use cells::{
    CellGuess, CellOrder, CellSearch, CellSearchOptions, CellSearchState, CellSearchStateError,
    narrow_problem,
};
pub use distinct::{DistinctAnswer, DistinctSolution, DistinctSolutions};
pub use exhaustive::Exhaustive;
pub use problem::{
    CellTable, CellTerm, PopulationLimits, SearchProblem, StateSet, TransitionConstraint,
};
pub use question::{
    FixedCell, MAX_PROBLEM_CELLS, PeriodicQuestion, QuestionError, keeps_symmetry, transform_name,
};
pub use rows::{
    MAX_ROW_PERIOD, MAX_ROW_WIDTH, RowAnswer, RowQuestion, RowQuestionError, RowSearch,
    RowSearchControl, RowSearchState, RowSearchStateError, RowSymmetry, RowSymmetryError,
};
pub use solver::{
    PartialAssignment, ProblemSolver, SearchControl, SearchFlow, SearchProgress, SolverAnswer,
};
pub use still_life_count::{
    MAX_COUNTED_SIDE, RowControl, StillLifeCountError, count_still_lifes, densest_still_life,
};
pub use still_life_list::{
    ListedStillLife, MAX_LISTED_CELLS, StillLifeListError, list_still_lifes,
};
