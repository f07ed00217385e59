//! Kernels: a rule compiled to code that steps many cells at once.
//!
//! | kernel | rules | layout |
//! |---|---|---|
//! | [`BitKernel`] | two states, radius 1; for tiles and hashed trees | a bit per cell, a row in a word |
//! | [`PlaneKernel`] | those with a circuit of reasonable size | a bit per cell in each bit plane |
//! | [`LargeRadiusKernel`] | sums over large neighbourhoods | a byte per cell, in lanes |
//! | [`CellKernel`] | all | a byte per cell |
//! | [`SquareKernel`] | radius 1; for the leaves of hashed trees | bit planes of small squares |
//! | [`DirectTableKernel`] | radius 1, few states; for the same leaves | a byte per cell, one lookup |
//!
//! All are compiled from the transition tables alone, not from the rule's family, and all are
//! tested against [`rule::Rule::next`].

mod bit;
mod cell;
mod circuit;
mod column;
mod direct_table;
mod interpreter;
#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
mod jit;
mod large_radius;
mod leaf_result;
mod life;
mod life_rows;
mod plane;
mod row_tree;
mod shifted_rows;
mod square;
mod sum;
mod sum_transition;
mod synthesis;
mod tree_walk;
mod word;

pub(crate) use bit::BitKernel;
pub(crate) use cell::CellKernel;
pub(crate) use column::{BitColumn, ColumnAdvance, ColumnTask, MAX_COLUMNS, STEP, word_of_row};
pub(crate) use direct_table::{DirectTableKernel, StateBlock};
pub(crate) use large_radius::{GridSweep, LaneLayout, LaneRow, LargeRadiusKernel};
pub(crate) use leaf_result::Leaf;
pub(crate) use plane::{PlaneKernel, PlaneLayout, ROW_UNIT};
pub(crate) use square::{STACK, SquareKernel};
pub(crate) use word::BitVector;
