//! The games, compared with reference implementations of their rules.

mod duel;
mod mnk;
mod stones;
