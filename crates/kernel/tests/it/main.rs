//! Kernels against the rules they are compiled from, cell by cell.
#![allow(clippy::unwrap_used)] // a test may panic wherever it likes

mod bit;
mod cell;
mod column;
mod direct_table;
mod leaf_result;
mod plane_leaf;
