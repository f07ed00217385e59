//! The arena: players meet here, and what came of it is counted.
//!
//! The decision that shapes this crate: games are played in pairs. Each opening, drawn by a
//! seed, is played twice with the seats exchanged, and the pair is what statistics count,
//! so that neither the first move nor a lucky opening passes for strength. Counting single
//! games lost: their results are not independent, and an error bar made from them is wrong.
//!
//! An [`Entrant`] is a player by name, one of this program or a program of its own ([`bot`]);
//! at the board both are a [`Side`], and what a bot does wrong is a [`Fault`]: a result, and
//! no error. [`Match`] plays many games between two of them and gives a [`Tally`], with its
//! [`Elo`], and [`Sprt`] says when that is sure enough; a [`GameRunner`] plays pair by pair, for
//! tournaments; a [`Table`] is one game that people sit at, in a terminal or on a page. A
//! game is kept as a [`Record`], and [`replay`] writes, reads and checks it as text. All of
//! them take any game by name and know none.
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
pub use cores::{Cores, cores, is_timed, stay_on};
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
