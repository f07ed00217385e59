//! The games, held against their rules.

mod mnk;
mod stones;
