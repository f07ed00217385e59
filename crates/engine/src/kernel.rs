//! Kernels: a rule turned into something that moves many cells at once.
//!
//! A [`BitKernel`] takes two-state rules of radius 1, a cell a bit; a [`PlaneKernel`]
//! takes rules that make a circuit of reasonable size, a cell a bit in each of some planes;
//! a [`CellKernel`] takes every rule, a cell a byte. For the leaves of hashed trees there are
//! a [`SquareKernel`], planes of small squares, and a [`DirectTableKernel`], tables that are looked up in
//! one go. All are compiled from the tables alone and know no family, and all are held against
//! [`rule::Rule::next`].

mod bit;
mod bit_program;
mod cell;
mod circuit;
mod column;
mod count;
mod diagram;
mod direct_table;
mod interpreter;
#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
mod jit;
mod large_radius;
mod leaf_result;
mod plane;
mod row_tree;
mod square;
mod sum;
mod sum_transition;
mod synthesis;
mod tree_walk;
mod word;

pub(crate) use bit::BitKernel;
pub(crate) use cell::CellKernel;
pub(crate) use column::{BitColumn, ColumnStep, PhasePairTask, STEP, word_of_row};
pub(crate) use direct_table::{DirectTableKernel, StateBlock};
pub(crate) use large_radius::{GridSweep, LaneLayout, LaneRow, LargeRadiusKernel};
pub(crate) use leaf_result::Leaf;
pub(crate) use plane::{PlaneKernel, PlaneLayout};
pub(crate) use square::{STACK, SquareKernel};
pub(crate) use word::{BitVector, CellWord};
