//! Tests of several parts of the puzzle together.
#![allow(clippy::unwrap_used)] // a test that cannot go on stops there

mod brute_force;
mod format;
mod formula;
mod generator;
mod levels;
mod light;
mod moves;
mod naive_search;
mod pack;
mod sat;
mod solver;
