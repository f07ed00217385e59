//! What all engines promise.

mod tiles;
mod agreement;
mod chance;
mod torus;
