//! What holds of cells and files from the outside.
#![allow(clippy::unwrap_used)] // a test that cannot go on stops there

mod cells;
mod data;
mod formats;
mod hostile;
mod noise;
