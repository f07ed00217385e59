//! The arena: matches, pairs of games, single tables and replays between built-in players and
//! external bots.
//!
//! The decision that shapes this crate: games are played in pairs. Each opening, drawn from a
//! seed, is played twice with the seats exchanged, and statistics count pairs, so that neither
//! the first move nor a lucky opening counts as strength. Counting single games was rejected:
//! their results are not independent, so an error bar computed from them is wrong.
//!
//! An [`Entrant`] names a player, built-in or an external program ([`bot`]); in a game both are
//! a [`Side`], and a bot's violation is a [`Fault`]: a result, not an error. [`Match`] plays
//! many games between two of them and returns a [`Tally`], with its [`Elo`]; [`Sprt`] stops as
//! soon as the result is significant. A [`GameRunner`] plays single pairs for tournaments; a
//! [`Table`] is one interactive game in a terminal or on a page. A game is stored as a
//! [`Record`], and [`replay`] writes, reads and verifies it as text. All of them work for any
//! game by name.
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
mod broadcast;
mod contest;
mod cores;
mod elo;
mod entrant;
mod fault;
mod opening;
mod pair;
mod record;
mod referee;
pub mod replay;
mod runner;
mod side;
mod sprt;
mod table;
mod tally;
mod time_control;
mod turn;

pub use broadcast::{Broadcast, Scene};
pub use contest::Match;
pub use cores::{Cores, cores, is_timed, pin_to_core};
pub use elo::Elo;
pub use entrant::{Entrant, EntrantError, MatchConditions, admit, seat};
pub use fault::{Ending, Fault};
pub use opening::{Opening, OpeningLine};
pub use record::{Record, RecordedTurn};
pub use referee::{PlayedGame, Referee, StopCondition};
pub use runner::{GamePairing, GameRunner, hall};
pub use side::{BuiltinPlayer, MoveReply, ProcessReport, Side};
pub use sprt::{Sprt, SprtError, SprtState, SprtVerdict};
pub use table::{Advice, Table, TableError, champion, sit};
pub use tally::{Score, Tally};
pub use time_control::{TimeControl, TimeControlError};
pub use turn::{parse_turn, write_turn};
