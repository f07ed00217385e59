//! Games at a table: what was played, how it ended, and the players that think about it.
//!
//! A [`GameTable`] has a person in both seats, so that it never waits and never thinks. A player
//! that is no person is a [`Thinker`] at a table of its own, which follows the game and answers
//! with text; its move is entered as a person's is. So a slow player delays nobody, and sees no
//! person's unfinished move. (A player inside the table was rejected: every query of the board
//! would have waited for its thinking.)

mod game_table;
mod thinker;

pub use game_table::{GameTable, SeatThought, TableGameEnd, TableTurn};
pub use thinker::{Thinker, ThoughtRequest};
