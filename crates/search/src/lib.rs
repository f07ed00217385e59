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
mod case;
mod cells;
mod cube;
mod cycle_count;
mod distinct;
mod exhaustive;
mod fill;
mod found_pattern;
mod orphan;
mod parent_count;
mod predecessor;
mod problem;
mod question;
mod rows;
mod sat;
mod search_engine;
mod search_run;
mod solver;
mod still_life_count;
mod still_life_list;
mod torus;
mod velocity;
mod verify;

pub use block_rule::{BLOCK_ARRANGEMENTS, BlockRule, BlockRuleError};
pub use box_symmetry::{BoxSymmetry, BoxSymmetryError, image_in_box, swaps_axes};
pub use case::{AgarCase, HistoryCase, PeriodicCase, SearchCase};
pub use cells::{
    CellGuess, CellOrder, CellSearch, CellSearchOptions, CellSearchState, CellSearchStateError,
    narrow_problem,
};
pub use cube::{count_cubes, cut_cube};
pub use cycle_count::{CycleCountError, count_cycles};
pub use exhaustive::Exhaustive;
pub use fill::{FillCell, FillError, FillPattern};
pub use found_pattern::{FoundPattern, FoundPatternError};
pub use orphan::{OrphanAnswer, OrphanError, OrphanSearch};
pub use parent_count::{MAX_COUNT_HEIGHT, ParentCountError, count_parents, count_parents_while};
pub use predecessor::PredecessorQuestion;
pub use problem::{
    AllowedStates, CellTable, CellTerm, PopulationLimits, SearchProblem, TransitionConstraint,
};
pub use question::{
    FixedCell, MAX_PROBLEM_CELLS, PeriodicQuestion, QuestionError, box_isometries, keeps_symmetry,
    transform_name,
};
pub use rows::{
    MAX_ROW_PERIOD, MAX_ROW_WIDTH, RowAnswer, RowJobRunner, RowQuestion, RowQuestionError,
    RowSearch, RowSearchControl, RowSearchState, RowSearchStateError, RowSymmetry,
    RowSymmetryError,
};
pub use sat::{SatBackend, SatEncoding, SatGuess, SatOptions, SatSearch};
pub use search_engine::{SearchEngine, SearchEngineError};
pub use search_run::{SavedRun, SavedRunError, SearchOutcome, SearchRun};
pub use solver::{
    PartialAssignment, ProblemSolver, SearchAnswer, SearchControl, SearchFlow, SearchProgress,
};
pub use still_life_count::{
    MAX_COUNTED_SIDE, RowControl, StillLifeCountError, count_still_lifes, densest_still_life,
};
pub use still_life_list::{
    ListedStillLife, MAX_LISTED_CELLS, StillLifeListError, list_still_lifes,
};
pub use torus::AgarQuestion;
pub use velocity::{Velocity, VelocityError};
pub use verify::{ProofError, VerifiedProof, verify_proof};
