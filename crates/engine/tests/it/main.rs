//! What all engines promise.

mod agreement;
mod chance;
mod library;
mod tiles;
mod torus;
