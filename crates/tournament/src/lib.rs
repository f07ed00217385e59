//! Tournaments between many players: schedules, runs, storage, ratings and reports.
//!
//! The decision that shapes this crate: a tournament is a file, which holds its whole state. A
//! pair of games is written in one transaction when it has ended; the remaining schedule is
//! recomputed from the file. So a run can be stopped at any moment, even by `kill -9`, and
//! resumes without playing anything twice. A plan in memory with a journal beside it was
//! rejected: they could disagree.
//!
//! A [`Plan`] says what is to be played, a [`TournamentRunner`] plays or resumes it, and a
//! [`Store`] holds what was played.
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
mod part;
mod plan;
mod played_pair;
pub mod report;
mod results;
mod runner;
mod schedule;
pub mod store;

pub use part::{PairPartError, PairUnits};
pub use plan::{Participant, Plan, PlanError, PlanProblem, TournamentKind};
pub use results::TournamentResults;
pub use runner::{TournamentProgress, TournamentRunError, TournamentRunner};
pub use schedule::ScheduledPair;
pub use store::{Store, StoreError};

pub mod rating;
