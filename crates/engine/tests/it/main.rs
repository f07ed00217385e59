//! What all engines promise.

mod agreement;
mod chance;
mod tiles;
mod torus;
