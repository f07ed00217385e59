//! A tournament's report as one self-contained HTML page without scripts.
//!
//! [`Report::from_store`] collects a store's data; [`html`] renders the page. The data in between is
//! plain, so a report can be made of anything. Plots are SVG whose x coordinates are shares of
//! the width, so that text keeps its size on any screen, and their values are also given as
//! numbers. Drawing by a script was rejected: it would not print everywhere, and bots' names
//! are untrusted input.

mod board;
mod page;
mod plot;
mod query;
mod text;

pub use page::html;

use crate::rating::{Meeting, Standings};
use crate::store::{StoredGame, StoredPlayer, StoredRun};
use std::time::Duration;

/// The data of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The tournament's name.
    pub title: String,
    /// Settings in display order: `game`, `duel:16x16`.
    pub settings: Vec<(String, String)>,
    /// The runs.
    pub runs: Vec<StoredRun>,
    /// The players, by their numbers.
    pub players: Vec<StoredPlayer>,
    /// The standings.
    pub standings: Standings,
    /// The meetings; each two players at most once, in either order.
    pub meetings: Vec<Meeting>,
    /// The live ratings over time.
    pub rating_history: Vec<RatingSnapshot>,
    /// Time control of bots: first move, and each after it.
    pub limits: Option<[Duration; 2]>,
    /// Faults, by player and kind.
    pub faults: Vec<FaultSummary>,
    /// The games that are shown in full.
    pub games: Vec<StoredGame>,
    /// Number of games.
    pub count: u64,
    /// The store's file name.
    pub store: String,
}

/// The live ratings at one point in time.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingSnapshot {
    /// Number of pairs of games so far.
    pub pairs: u64,
    /// Glicko-2 ratings by player number; `None` before a player's first game.
    pub ratings: Vec<Option<f64>>,
}

/// Faults of one kind by one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultSummary {
    /// The player's number.
    pub player: usize,
    /// One word: [`matches::Fault::kind`].
    pub kind: String,
    /// Number of games.
    pub count: u64,
    /// One of the faults as text.
    pub example: String,
    /// The number of that game in the store.
    pub game: i64,
}
