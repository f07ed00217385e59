//! Parts: files to which one process each appends the units of shared work that it has done, on
//! machines that share no more than a folder.
//!
//! Work is cut into units by a plan ([`PartPlan`]): what a unit is depends on the plan alone, and
//! never on who does it. The first line of a part is the plan, and each further one a unit with its
//! result, or why there is none ([`UnitFault`]). One process appends to a part ([`PartFile`]), any
//! process reads it ([`PartReader`]), and [`UnitIndex`] takes units from parts in any order, each
//! once. A line that was not written to its end is not there.
//!
//! The decision that shapes this crate: equal results are equal lines, so that a unit that was done
//! twice is compared without knowing what it is about. A census, a search and a tournament say
//! what their lines are, and share all else.
#![forbid(unsafe_code)]

mod digested_line;
mod part_error;
mod part_file;
mod part_name;
mod part_plan;
mod part_reader;
mod unit_fault;
mod unit_index;
mod unit_set;
mod unit_shard;

pub use digested_line::{
    UnitDigest, close_line, hexadecimal, is_hexadecimal, read_digested, text_digest,
};
pub use part_error::PartError;
pub use part_file::{PartFile, part_files};
pub use part_name::part_name;
pub use part_plan::{PartPlan, PlanMismatch, UnitLine};
pub use part_reader::{PartReader, UnitLineVisitor, first_line};
pub use unit_fault::UnitFault;
pub use unit_index::{NewUnitVisitor, UnitIndex};
pub use unit_set::{UnitSet, UnitSetError};
pub use unit_shard::{UnitShard, UnitShardError};
