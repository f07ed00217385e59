//! What all engines promise.
#![allow(clippy::unwrap_used)] // a test may panic wherever it likes

mod agreement;
mod auto;
mod bounded;
mod chance;
mod cycle;
mod data;
mod edges;
mod file;
mod hashlife;
mod interruption;
mod large_radius;
mod library;
mod query;
mod reversal;
mod ring;
mod tiles;
mod torus;
