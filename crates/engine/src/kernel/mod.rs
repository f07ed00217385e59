//! Kernels: a rule turned into something that moves many cells at once.
//!
//! A [`BitKernel`] takes two-state rules of radius 1, a cell a bit; a [`CellKernel`]
//! takes every rule, a cell a byte. Both are compiled from the tables alone and know no
//! family, and both are held against [`rule::Rule::next`].

mod bit;
mod cell;
mod choice;
mod column;
mod count;
mod diagram;
mod run;
mod sum;
mod walk;
mod word;

pub(crate) use bit::BitKernel;
pub(crate) use cell::CellKernel;
pub(crate) use word::{Bits, Word};
