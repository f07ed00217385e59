//! The engines beside each other and beside the oracle.

mod cells;
mod distinct;
mod orphan;
mod row_ends;
mod rows;
