//! What a census promises, held against counts of other programs.
#![allow(clippy::unwrap_used)] // a test may panic wherever it likes

mod soup;
