//! What holds of cells and files from the outside.

mod cells;
mod data;
mod formats;
mod noise;
