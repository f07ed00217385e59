//! Tests of the players' contract and strength.

mod duel;
mod mnk;
mod search;
mod simultaneous;
mod stones;
