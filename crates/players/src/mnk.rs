//! Players made for tic-tac-toe and its family: [`PerfectPlayer`], who goes by an exact
//! [`MnkSolver`], and [`HeuristicPlayer`], who goes by a published list of rules for 3x3.
//! [`verify`] plays every line that an opponent can try against either.

mod attack;
mod heuristic;
mod lines;
mod perfect_player;
mod solver;
mod table;
mod verification;

pub use heuristic::{HeuristicAdvice, HeuristicPlayer};
pub use perfect_player::PerfectPlayer;
pub use solver::{MnkSolution, MnkSolver};
pub use verification::{Advisor, LineOutcomeTally, verify};
