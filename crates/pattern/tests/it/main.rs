//! Tests of cells and file formats through the public interface.
#![allow(clippy::unwrap_used)] // a test that cannot go on stops there

mod cells;
mod data;
mod formats;
mod hostile;
mod noise;
