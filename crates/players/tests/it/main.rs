//! The players, held against what they promise.

mod duel;
mod mnk;
mod search;
mod simultaneous;
mod stones;
