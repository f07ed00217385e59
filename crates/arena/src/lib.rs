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
//! use std::ops::ControlFlow;
//! use std::sync::atomic::AtomicBool;
//! let contest = Match {
//!     games: 20,
//!     ..Match::new("tictactoe".parse()?, ["random".parse()?, "random".parse()?])
//! };
//! let tally = contest.run(&AtomicBool::new(false), &mut |_, _| ControlFlow::Continue(()))?;
//! assert_eq!(tally.games(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod bot;
mod contest;
mod cores;
mod elo;
mod entrant;
mod hall;
mod opening;
mod pace;
mod pair;
mod record;
mod referee;
pub mod replay;
mod side;
mod sprt;
mod table;
mod tally;
mod turned;
mod verdict;

pub use contest::Match;
pub use cores::{Cores, cores, is_timed, stay_on};
pub use elo::Elo;
pub use entrant::{Conditions, Entrant, EntrantError, seat};
pub use hall::{Fixture, Hall, hall};
pub use opening::{Opened, Opening};
pub use pace::{Pace, PaceError};
pub use record::{Record, Turned};
pub use referee::{Bout, Referee, Until};
pub use side::{Aftermath, House, Reply, Side};
pub use sprt::{Sprt, SprtError, SprtState, Verdict};
pub use table::{Advice, Table, TableError, champion, sit};
pub use tally::{Score, Tally};
pub use turned::{parse_turn, write_turn};
pub use verdict::{Ending, Fault};
