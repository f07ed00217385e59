//! Cellular automaton engines: worlds of cells that advance under a rule.
//!
//! All engines implement one object-safe trait, [`World`], and give the same results at very
//! different costs. An engine rejects what it does not support (a topology, a radius) when it
//! is created, with a reason, and never later. A single engine that switches algorithms inside
//! was tried and rejected: it leaves no independent oracle to test against.
//!
//! This crate does no I/O and no serialisation, and starts threads only on request.
#![deny(unsafe_code)]

mod arch;
mod cycle;
mod fingerprint;
mod gpu_maker;
mod hashlife;
mod naive;
mod open;
mod options;
mod query;
mod reversal;
mod snapshot;
mod tiles;
mod torus;
mod view;
mod world;

pub use gpu_maker::{GpuWorldMaker, has_gpu, register_gpu};
pub use hashlife::open_hashlife;
#[doc(hidden)]
pub use kernel::simd::limit_vector_width;
pub use naive::NaiveWorld;
pub use open::{lend_clock, open, open_endless, open_job, place_pattern};
pub use options::{CollectionCounter, EngineChoice, OpenedWorld, Options, UnknownEngine};
pub use reversal::{BackwardError, open_backward};
pub use snapshot::Snapshot;
pub use tiles::Tiles;
pub use torus::Torus;
pub use view::View;
pub use world::{
    AdvanceCallback, AdvanceInterruption, AdvancePlan, MemoryLimitError, StateCycle,
    UnsupportedError, World,
};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A generation modulo a small period: selects the rule's table for this generation.
fn phase(generation: &BigInt, period: u32) -> u64 {
    let period = BigInt::from(period);
    let rest = ((generation % &period) + &period) % &period;
    rest.to_u64().expect("a rest is smaller than its divisor")
}
