//! What several parts of the puzzle promise together.

mod format;
mod solver;
