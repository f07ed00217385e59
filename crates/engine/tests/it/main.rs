//! What all engines promise.

mod agreement;
mod chance;
mod hashlife;
mod library;
mod tiles;
mod torus;
