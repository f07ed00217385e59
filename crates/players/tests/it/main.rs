//! The players, held against what they promise.

mod duel;
mod search;
mod mnk;
