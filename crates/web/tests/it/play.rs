//! The room play: games between people, players of the program and those who watch.

mod game;
mod limit;
mod load;
mod page;
mod person;
mod restart;
mod seat;

use page::{TableTestPage, make, post, replay};
