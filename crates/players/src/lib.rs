//! Players: programs that choose moves.
//!
//! The decision that shapes this crate: a [`Player`] returns a [`Thought`], not a bare move. A
//! thought holds the move with its reasons: the expected line, the value of the position, the
//! depth of the search. A search can be stopped at any moment through its [`SearchObserver`],
//! and returns its best move so far. A bare function from position to move was rejected: its
//! reasons could not be shown, and it could not be stopped.
//!
//! Most players play any [`Game`](games::Game); some are made for one. [`open`] creates a
//! player from text such as `mcts:ms=50`; [`Roster`] lists the players made for one game alone.
//! A new player must pass [`conformance`]. Time is read from the [`Clock`] that the caller gives.
//!
//! ```
//! use games::{Game as _, Seat, mnk::Mnk};
//! use players::{Clock, NullObserver, open};
//! let game = Mnk::TICTACTOE;
//! let mut player = open(&game, "random", &Clock::system())?;
//! player.begin(7);
//! let thought = player.think(&game, &game.start(), Seat::First, &mut NullObserver);
//! assert!(game.is_legal(&game.start(), Seat::First, thought.choice));
//! # Ok::<(), players::PlayerError>(())
//! ```
#![forbid(unsafe_code)]

mod alphabeta;
mod clock;
pub mod conformance;
mod decoupled_uct;
pub mod duel;
mod hasher;
mod limit;
mod material;
mod mcts;
mod mcts_settings;
pub mod mnk;
mod player;
mod playout;
mod random_player;
mod regret;
mod roster;
mod simultaneous_tree;
mod spec;
pub mod stones;

pub use alphabeta::AlphaBeta;
pub use clock::Clock;
pub use limit::{PlayerLimits, SearchBudget, TimeLimit};
pub use material::MaterialPlayer;
pub use mcts::Mcts;
pub use mcts_settings::MctsSettings;
pub use player::{NullObserver, Player, SearchObserver, Thought, Value};
pub use random_player::RandomPlayer;
pub use regret::RegretMatchingPlayer;
pub use roster::{PlayerFactory, Roster, able_players, check, names, open, players_of};
pub use spec::{PlayerError, PlayerSpec};
