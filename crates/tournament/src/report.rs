//! A tournament as one page: HTML with its pictures in it, that needs nothing from outside
//! and runs nothing.
//!
//! [`Report::of`] gathers what a store knows; [`html`] makes the page. In between everything
//! is plain, so a report can be made of anything. Pictures are SVG whose places are shares
//! of the width, so that their words stay as large as all others on a screen of any size;
//! and each says in numbers, near by, what it shows. A page that draws itself by a script
//! from data lost: it would not print everywhere, and names of bots are nothing to run
//! beside a script.

mod board;
mod page;
mod plot;
mod query;
mod text;

pub use page::html;

use crate::rating::{Meeting, Standings};
use crate::store::{StoredGame, StoredPlayer, StoredRun};
use std::time::Duration;

/// All that a report tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What people call the tournament.
    pub title: String,
    /// What was played and how: `game`, `duel:16x16`; in the order in which it is told.
    pub terms: Vec<(String, String)>,
    /// When and where games were played.
    pub runs: Vec<StoredRun>,
    /// The players, by their numbers.
    pub players: Vec<StoredPlayer>,
    /// The table.
    pub standings: Standings,
    /// Who made what of whom. Each two at most once, in either order.
    pub meetings: Vec<Meeting>,
    /// How the live ratings went, from the first pair to the last.
    pub course: Vec<RatingSnapshot>,
    /// How long a bot may think about its first move, and about each after it.
    pub limits: Option<[Duration; 2]>,
    /// What went wrong, by player and kind.
    pub faults: Vec<FaultSummary>,
    /// The games that are told whole.
    pub games: Vec<StoredGame>,
    /// How many games there were.
    pub count: u64,
    /// Where all of them are, in words: the store's name.
    pub store: String,
}

/// The live ratings at some moment.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingSnapshot {
    /// After so many pairs of games.
    pub pairs: u64,
    /// Glicko-2 by the numbers of the players; `None` for who had not played.
    pub ratings: Vec<Option<f64>>,
}

/// Faults of one kind by one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultSummary {
    /// The player's number.
    pub player: usize,
    /// One word: [`arena::Fault::kind`].
    pub kind: String,
    /// In how many games.
    pub count: u64,
    /// What happened in one of them, in words.
    pub example: String,
    /// The number of that game in the store.
    pub game: i64,
}
