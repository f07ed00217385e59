//! The crate from outside: rules as they are written, and what they do.
#![allow(clippy::unwrap_used)] // tests may, their functions that are no tests too

mod background;
mod custom_rule;
mod file;
mod golden;
mod hostile;
mod map;
mod random_custom_rule;
mod round_trip;
mod sheet;
mod topology;
