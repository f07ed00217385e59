//! Players: whatever chooses a move.
//!
//! The decision that shapes this crate: a [`Player`] is asked for a [`Thought`], not for a
//! move. A thought holds the move and why: what the player expects to follow, what it holds
//! the position to be worth, how far it looked. It can be cut short at any moment through
//! the [`SearchObserver`] that it is given, and gives its best so far. A bare function from position
//! to move lost: nothing could be shown of it, and nobody could stop it.
//!
//! Most players play any [`Game`](games::Game); some are made for one. [`open`] makes a
//! player from text such as `mcts:ms=50`; [`Roster`] says which players a game has for itself
//! alone. A new player passes [`conformance`].
//!
//! ```
//! use games::{Game as _, Seat, mnk::Mnk};
//! use players::{NullObserver, open};
//! let game = Mnk::TICTACTOE;
//! let mut player = open(&game, "random")?;
//! player.begin(7);
//! let thought = player.think(&game, &game.start(), Seat::First, &mut NullObserver);
//! assert!(game.is_legal(&game.start(), Seat::First, thought.choice));
//! # Ok::<(), players::PlayerError>(())
//! ```
#![forbid(unsafe_code)]

mod alphabeta;
pub mod conformance;
mod decoupled_uct;
pub mod duel;
mod hasher;
mod limit;
mod material;
mod mcts;
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
pub use limit::{Clock, PlayerLimits};
pub use material::MaterialPlayer;
pub use mcts::{Mcts, MctsSettings};
pub use player::{NullObserver, Player, SearchObserver, Thought, Value};
pub use random_player::RandomPlayer;
pub use regret::RegretMatchingPlayer;
pub use roster::{PlayerFactory, Roster, able_players, check, names, open, players_of};
pub use spec::{PlayerError, PlayerSpec};
