//! Finds patterns with a property, lists all of them in a box, or proves that there is none.
//!
//! A question ([`PeriodicQuestion`]) becomes a [`SearchProblem`]: unknown cells and what must hold
//! between them. Engines ([`ProblemSolver`]) solve problems and know nothing of boxes, symmetries
//! or velocities. (An engine that reads questions lost: each would have to get every symmetry and
//! every edge right by itself.) The crate starts no threads, opens no files and reads no clock.
#![forbid(unsafe_code)]

mod block_rule;
mod box_symmetry;
mod exhaustive;
mod fill;
mod orphan;
mod parent_count;
mod predecessor;
mod problem;
mod question;
mod sat;
mod solver;
mod torus;
mod verify;

pub use block_rule::{BLOCK_ARRANGEMENTS, BlockRule, BlockRuleError};
pub use box_symmetry::{BoxSymmetry, BoxSymmetryError, image_in_box, swaps_axes};
pub use exhaustive::Exhaustive;
pub use fill::{FillCell, FillError, FillPattern};
pub use orphan::{OrphanAnswer, OrphanError, OrphanSearch};
pub use parent_count::{MAX_COUNT_HEIGHT, ParentCountError, count_parents};
pub use predecessor::PredecessorQuestion;
pub use problem::{
    CellTable, CellTerm, PopulationLimits, SearchProblem, StateSet, TransitionConstraint,
};
pub use question::{
    FixedCell, MAX_PROBLEM_CELLS, PeriodicQuestion, QuestionError, keeps_symmetry, transform_name,
};
pub use sat::{SatBackend, SatEncoding, SatGuess, SatOptions, SatSearch};
pub use solver::{
    PartialAssignment, ProblemSolver, SearchControl, SearchFlow, SearchProgress, SolverAnswer,
};
pub use torus::AgarQuestion;
pub use verify::{ProofError, VerifiedProof, verify_proof};
