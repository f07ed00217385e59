//! Matches with external programs: bots as processes, and many games at once.
//!
//! The decision that shapes this crate: a bot is one more [`Side`](matches::Side) of a game, so
//! the referee in the crate `matches` plays it like a built-in player, and knows no process.
//! What a bot does wrong is a [`Fault`](matches::Fault): a result, not an error.
//!
//! An [`Entrant`] names a player, built-in or an external program ([`bot`]). [`Match`] plays
//! many games between two of them, on several threads if asked, and returns a
//! [`Tally`](matches::Tally). A [`GameRunner`] plays single pairs for tournaments; [`open_table`] opens
//! a [`Table`](matches::Table). All of them work for any game by name.
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
mod entrant;
mod runner;
mod table;

pub use contest::Match;
pub use cores::{Cores, cores, is_timed, pin_to_core};
pub(crate) use entrant::open_side;
pub use entrant::{Entrant, EntrantError, MatchConditions, check_entrant};
pub use runner::{GamePairing, GameRunner, new_runner};
pub use table::open_table;
