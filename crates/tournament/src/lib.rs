//! Tournaments: many players, who meets whom, and what is kept of it.
//!
//! The decision that shapes this crate: a tournament is a file, and the only truth about it
//! is in there. A pair of games is written in one transaction when it has ended; what is
//! left to play is asked of the file again. So it can be stopped at any moment, with no
//! words or with `kill -9`, and goes on with nothing played twice. Keeping a plan in memory
//! and a journal beside it lost: they could disagree.
#![forbid(unsafe_code)]

pub mod export;
mod plan;
pub mod report;
mod results;
mod runner;
pub mod schedule;
pub mod store;

pub use plan::{Contender, Kind, Plan, PlanError, Problem};
pub use results::Results;
pub use runner::{Progress, RunError, Runner};
pub use store::{Store, StoreError};

pub mod rating;
