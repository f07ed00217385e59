//! Worlds: cells, a rule and a generation, and the engines that move them on.
//!
//! The decision that shapes this crate: one object-safe trait, [`World`], and several
//! kinds behind it that give the same answers at very different prices. What an engine
//! cannot take (a topology, a radius) it refuses when it is made, with a reason, and never
//! halfway. The alternative, one engine that switches inside, lost: its oracle could not
//! be told from what it should be held against.
//!
//! This crate knows no files, no clock and no serialisation, and starts no thread
//! unless asked to.
#![deny(unsafe_code)]

mod arch;
mod hasher;
mod hashlife;
mod kernel;
mod naive;
mod open;
mod query;
mod race;
mod reversal;
mod snapshot;
mod tiles;
mod torus;
mod view;
mod world;

#[doc(hidden)]
pub use arch::narrow;
pub use hashlife::hashlife;
pub use naive::NaiveWorld;
pub use open::{
    CollectionCounter, EngineChoice, OpenedWorld, Options, UnknownEngine, open, open_endless,
    open_job, placed,
};
pub use reversal::{BackwardError, open_backward};
pub use snapshot::Snapshot;
pub use tiles::Tiles;
pub use torus::Torus;
pub use view::View;
pub use world::{
    AdvanceCallback, AdvanceInterruption, AdvancePlan, MemoryLimitError, UnsupportedError, World,
};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A generation modulo a small period: which of a rule's tables is in force.
fn phase(generation: &BigInt, period: u32) -> u64 {
    let period = BigInt::from(period);
    let rest = ((generation % &period) + &period) % &period;
    rest.to_u64().expect("a rest is smaller than its divisor")
}
