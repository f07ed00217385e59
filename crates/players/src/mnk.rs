//! Players made for tic-tac-toe and its family: [`PerfectPlayer`], who goes by an exact
//! [`MnkSolver`], and [`HeuristicPlayer`], who goes by a published list of rules for 3x3.
//! [`verify`] plays every line that an opponent can try against either.

mod attack;
mod exact;
mod heuristic;
mod lines;
mod perfect;
mod table;
mod verify;

pub use exact::{MnkSolution, MnkSolver};
pub use heuristic::{HeuristicAdvice, HeuristicPlayer};
pub use perfect::PerfectPlayer;
pub use verify::{Advisor, LineOutcomeTally, verify};
