//! The arena: players meet here, and what came of it is counted.
//!
//! The decision that shapes this crate: games are played in pairs. Each opening, drawn by a
//! seed, is played twice with the seats exchanged, and the pair is what statistics count,
//! so that neither the first move nor a lucky opening passes for strength. Counting single
//! games lost: their results are not independent, and an error bar made from them is wrong.
//!
//! [`Match`] plays many games between two players and gives a [`Tally`]; [`Table`] is one
//! game that people sit at, for a terminal or a page. Both take any game and any player by
//! name and know none of them.
//!
//! ```
//! use arena::Match;
//! use std::sync::atomic::AtomicBool;
//! let contest = Match {
//!     games: 20,
//!     ..Match::new("tictactoe".parse()?, ["random", "random"])
//! };
//! let tally = contest.run(&AtomicBool::new(false), &mut |_| ())?;
//! assert_eq!(tally.games(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod contest;
mod elo;
mod opening;
mod referee;
mod table;
mod tally;

pub use contest::{Match, Until};
pub use elo::Elo;
pub use opening::Opening;
pub use referee::{Bout, referee};
pub use table::{Advice, Table, TableError, champion, sit};
pub use tally::{Score, Tally};
