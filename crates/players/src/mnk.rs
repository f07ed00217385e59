//! Players made for tic-tac-toe and its family: [`Perfect`], who goes by an exact
//! [`Solver`], and [`Heuristic`], who goes by a published list of rules for 3x3.
//! [`verify`] plays every line that an opponent can try against either.

mod attack;
mod exact;
mod heuristic;
mod lines;
mod perfect;
mod table;
mod verify;

pub use exact::{Solution, Solver};
pub use heuristic::{Advice, Heuristic};
pub use perfect::Perfect;
pub use verify::{Advisor, Tally, verify};
