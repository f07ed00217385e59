//! Kernels: a rule compiled to code that steps many cells at once.
//!
//! | kernel | rules | layout |
//! |---|---|---|
//! | [`BitKernel`] | two states, radius 1; for tiles and hashed trees | a bit per cell, a row in a word |
//! | [`PlaneKernel`] | those with a circuit of reasonable size | a bit per cell in each bit plane |
//! | [`LargeRadiusKernel`] | sums over large neighbourhoods | a byte per cell, in lanes |
//! | [`CellKernel`] | all | a byte per cell |
//! | [`PlaneLeafKernel`] | a few states, radius 1; for hashed trees | bit planes of small squares |
//! | [`DirectTableKernel`] | radius 1, few states; for the same leaves | a byte per cell, one lookup |
//!
//! All are compiled from the transition tables alone, not from the rule's family, and all are
//! tested against [`rule::Rule::next`].

#![deny(unsafe_code)]

mod backend;
mod bit;
mod bit_vector;
mod cell;
pub mod circuit;
mod column;
mod direct_table;
pub mod hasher;
mod interpreter;
mod large_radius;
mod leaf_result;
mod life;
mod life_rows;
mod plane;
mod plane_leaf;
mod row_tree;
mod rule_circuit;
mod shifted_rows;
pub mod simd;
mod sum;
mod sum_integer;
mod sum_transition;
mod synthesis;
mod tree_leaf;
mod tree_walk;

pub use backend::{
    CircuitBackend, CircuitShape, CompiledCircuit, InterpreterOnly, PlaneLayout, ROW_UNIT,
};
pub use bit::BitKernel;
pub use bit_vector::BitVector;
pub use cell::CellKernel;
pub use column::{BitColumn, ColumnAdvance, ColumnTask, MAX_COLUMNS, STEP, word_of_row};
pub use direct_table::{DirectTableKernel, StateBlock};
pub use interpreter::CircuitProgram;
pub use large_radius::{GridSweep, LaneLayout, LaneRow, LargeRadiusKernel};
pub use leaf_result::Leaf;
pub use plane::PlaneKernel;
pub use plane_leaf::{PlaneLeaf, PlaneLeafKernel};
pub use rule_circuit::RuleCircuit;
pub use tree_leaf::TreeLeafKernel;
