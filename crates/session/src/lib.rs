//! The live workbench, with no screen in it.
#![forbid(unsafe_code)]

pub mod desk;
pub mod rule_file;
pub mod settings;
pub mod source;
