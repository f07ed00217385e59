//! Tournaments: many players, who meets whom, and what is kept of it.
//!
//! The decision that shapes this crate: a tournament is a file, and the only truth about it
//! is in there. A pair of games is written in one transaction when it has ended; what is
//! left to play is asked of the file again. So it can be stopped at any moment, with no
//! words or with `kill -9`, and goes on with nothing played twice. Keeping a plan in memory
//! and a journal beside it lost: they could disagree.
//!
//! A [`Plan`] says what is to be played, a [`TournamentRunner`] plays it and goes on with it, a
//! [`Store`] has what was played.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use tournament::{Plan, TournamentRunner};
//! let folder = tempfile::tempdir()?;
//! let text = r#"
//!     game = "tictactoe"
//!     pairs = 5
//!     player = [{ player = "random" }, { player = "heuristic" }]
//! "#;
//! let plan = Plan::parse(text, &folder.path().join("cup.toml"))?;
//! let mut runner = TournamentRunner::open(plan)?;
//! let is_over = runner.run(None, &AtomicBool::new(false), &mut |_| ())?;
//! assert!(is_over);
//! assert_eq!(runner.store().count()?, 10);
//! assert_eq!(runner.results().standings().rows[0].name, "heuristic");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod export;
mod plan;
pub mod report;
mod results;
mod runner;
pub mod schedule;
pub mod store;

pub use plan::{Participant, Plan, PlanError, PlanProblem, TournamentKind};
pub use results::TournamentResults;
pub use runner::{TournamentProgress, TournamentRunError, TournamentRunner};
pub use store::{Store, StoreError};

pub mod rating;
