//! The play page: games between people, players of the program, and other players that the keeper of
//! a table allows.
//!
//! A game is a [`PlayTable`]: a table with a person in both seats, so that it never waits and never
//! thinks. A player that is no person is asked by the table's keeper ([`TableHost`]) elsewhere, and
//! its move comes back as text. So a slow player delays nobody, and a late move, after a take-back,
//! is dropped. (A player inside the table was rejected: every query of the board would have waited
//! for its thinking.)
//!
//! After each change every page at a table gets the same text, the whole table with its version, so
//! that no page has to merge changes. A page without a server has one table, a [`PlayRoom`].

mod action;
mod host;
mod menu;
mod message;
mod problem;
mod refusal;
mod request;
mod room;
mod seat;
mod state;
mod stored_table;
mod table;
mod thought;
mod view_model;
mod visitor;

pub use host::{AdviceQuestion, TableHost, TablePageSink};
pub use menu::{rules as game_rules, to_json as game_menu};
pub use message::{TableAction, TableActionError, TableMessage};
pub use request::{RequestedTable, TableRequest, TableRequestError};
pub use room::PlayRoom;
pub use seat::{SeatPerson, SeatPlayer, TableSeat, TableSeatError};
pub use state::equal_secrets;
pub use stored_table::{StoredSeat, StoredTable, StoredTableError};
pub use table::{PlayTable, PlayTableSetup};
pub(crate) use thought::PlayThought;
pub use visitor::{
    HousePlayerError, LONGEST_THOUGHT, VisitorPlayerError, check_house_player, check_pace,
    is_unseen, refuse_program,
};
