//! What all engines promise.
#![allow(clippy::unwrap_used)] // a test may panic wherever it likes

mod agreement;
mod auto;
mod backward;
mod chance;
mod cycle;
mod data;
mod edges;
mod file;
mod hashlife;
mod library;
mod ring;
mod sight;
mod sliced;
mod tiles;
mod torus;
mod wide;
