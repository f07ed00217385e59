//! The games, held against their rules.

mod duel;
mod mnk;
mod stones;
