//! Games between two players: the referee, pairs of games, single tables, records and replays,
//! and what results tell of strength.
//!
//! The decision that shapes this crate: games are played in pairs. Each opening, drawn from a
//! seed, is played twice with the seats exchanged, and statistics count pairs, so that neither
//! the first move nor a lucky opening counts as strength. Counting single games was rejected:
//! their results are not independent, so an error bar computed from them is wrong.
//!
//! To the [`Referee`] both players are a [`Side`]. A built-in player is one here
//! ([`BuiltinPlayer`]); a program that plays over pipes is one in the crate `arena`, which has
//! processes and threads. This crate has neither, nor files. A violation is a [`Fault`]: a
//! result, not an error. A [`GamePairSetup`] plays an opening twice and counts it in a
//! [`Tally`], with its [`Elo`]; an [`Sprt`] says when a result is significant. A [`Table`] is
//! one interactive game in a terminal or on a page. A game is stored as a [`Record`], and
//! [`replay`] writes, reads and verifies it as text.
//!
//! ```
//! use games::mnk::Mnk;
//! use matches::{BuiltinPlayer, GamePairSetup, Opening, Side, StopCondition, Tally};
//! use players::{Clock, PlayerError};
//!
//! let game = Mnk::TICTACTOE;
//! let clock = Clock::system();
//! let open = |text| -> Result<Box<dyn Side<_>>, PlayerError> {
//!     let player = players::open(&game, text, &clock)?;
//!     Ok(Box::new(BuiltinPlayer::new(player, clock.clone())))
//! };
//! let mut tally = Tally::default();
//! let mut sides = [open("perfect")?, open("random")?];
//! for number in 0..10 {
//!     let pair = GamePairSetup {
//!         opening: &Opening::OfGame,
//!         stop_condition: StopCondition::End,
//!         seed: 7,
//!         number,
//!         is_whole: true,
//!         broadcast: None,
//!     };
//!     if let Some(played) = pair.play(&game, &mut sides, &[]) {
//!         tally += &played.tally();
//!     }
//! }
//! assert_eq!(tally.games(), 20);
//! # Ok::<(), PlayerError>(())
//! ```
#![forbid(unsafe_code)]

mod broadcast;
mod elo;
mod fault;
mod opening;
mod pair;
mod record;
mod referee;
pub mod replay;
mod side;
mod sprt;
mod table;
mod tally;
mod time_control;
mod turn;

pub use broadcast::{Broadcast, LivePosition};
pub use elo::Elo;
pub use fault::{Ending, Fault};
pub use opening::{Opening, OpeningLine};
pub use pair::{GamePairResult, GamePairSetup};
pub use record::{Record, RecordedTurn};
pub use referee::{PlayedGame, Referee, StopCondition};
pub use side::{BuiltinPlayer, MoveReply, ProcessReport, Side, TimeLimitedPlayer};
pub use sprt::{Sprt, SprtError, SprtState, SprtVerdict};
pub use table::{Advice, Table, TableError, champion, new_table};
pub use tally::{Score, Tally};
pub use time_control::{TimeControl, TimeControlError};
pub use turn::{parse_turn, write_turn};
