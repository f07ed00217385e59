//! The models that pages and screens show: what they have in common, and nothing that is drawn.
//!
//! A face, the web page or the terminal, turns what a person does into calls of a model, and shows
//! what the model then says. So a level ends with the same words in both, and a rule of play is
//! tested once. The world has its model in the crate `session`; the others are here, one module
//! each: [`laser`], [`classroom`], [`play`], [`identification`], [`census_count`], [`census_run`],
//! [`search_race`], [`search_job`].
//!
//! A model draws nothing and opens no file and no socket. Where a solver or a player thinks, the
//! face lends it a [`worker_pool::WorkerPool`]; without one nothing here starts a thread, but for a
//! race of searches, which is asked for by its engines, and [`parallel_jobs`]. (A model
//! with threads of its own was rejected: a server has one pool for all its pages, and a terminal
//! one thread for its only screen.)
//!
//! ```
//! use models::laser::{LaserLevel, LaserReport};
//! let mut play = LaserLevel::built_in()[0].play();
//! let report = LaserReport::of_command(&mut play, "undo");
//! assert_eq!(report.words, "there is no move to take back");
//! ```
//!
//! Without the feature `machine` there is what needs no files and processes: a page without a server
//! has that, where a search runs with one engine on the thread that it is given.
#![forbid(unsafe_code)]

pub mod census_count;
#[cfg(feature = "machine")]
pub mod census_run;
pub mod classroom;
pub mod identification;
pub mod laser;
#[cfg(feature = "machine")]
pub mod parallel_jobs;
pub mod play;
pub mod search_job;
pub mod search_race;
pub mod worker_pool;

/// `1 turn`, `2 turns`.
///
/// ```
/// assert_eq!(models::counted(1u8, "turn"), "1 turn");
/// assert_eq!(models::counted(2u8, "turn"), "2 turns");
/// ```
#[must_use]
pub fn counted(number: impl TryInto<u64>, what: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
