//! The play page's API: games between people, players of the program and spectators.

mod game;
mod limit;
mod load;
mod page;
mod person;
mod restart;
mod seat;

use page::{TableTestPage, make, post, replay};
