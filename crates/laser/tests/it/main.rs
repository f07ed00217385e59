//! What several parts of the puzzle promise together.
#![allow(clippy::unwrap_used)] // a test that cannot go on stops there

mod brute;
mod format;
mod formula;
mod generator;
mod levels;
mod light;
mod moves;
mod naive;
mod pack;
mod sat;
mod solver;
