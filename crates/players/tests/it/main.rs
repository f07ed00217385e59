//! The players, held against what they promise.

mod search;
mod mnk;
