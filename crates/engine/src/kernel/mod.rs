//! Kernels: a rule turned into something that moves many cells at once.
//!
//! A [`BitKernel`] takes two-state rules of radius 1, a cell a bit; a [`PlaneKernel`]
//! takes rules that make a circuit of reasonable size, a cell a bit in each of some planes;
//! a [`CellKernel`] takes every rule, a cell a byte. For the leaves of hashed trees there are
//! a [`SquareKernel`], planes of small squares, and a [`DirectTableKernel`], tables that are looked up in
//! one go. All are compiled from the tables alone and know no family, and all are held against
//! [`rule::Rule::next`].

mod bit;
mod cell;
mod choice;
mod circuit;
mod column;
mod count;
mod diagram;
mod direct;
#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
mod machine;
mod middle;
mod plane;
mod rows;
mod run;
mod square;
mod steps;
mod sum;
mod synthesis;
mod walk;
mod wide;
mod word;

pub(crate) use bit::BitKernel;
pub(crate) use cell::CellKernel;
pub(crate) use column::{BitColumn, ColumnStep, PhasePairTask, STEP, word_of_row};
pub(crate) use direct::{DirectTableKernel, StateBlock};
pub(crate) use middle::Leaf;
pub(crate) use plane::{PlaneKernel, PlaneLayout};
pub(crate) use square::{STACK, SquareKernel};
pub(crate) use wide::{GridSweep, LaneLayout, LaneRow, LargeRadiusKernel};
pub(crate) use word::{BitVector, CellWord};
