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

mod world;

pub use world::{Control, Interrupted, Unsupported, World};
