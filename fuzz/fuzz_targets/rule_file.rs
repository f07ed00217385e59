#![no_main]
//! A `.rule` file: what is read has a next state for whatever is seen.

use libfuzzer_sys::fuzz_target;
use rule::{Look, Rule};

#[path = "../meaning.rs"]
mod meaning;

fuzz_target!(|text: &str| {
    let _ = Look::read(text);
    match Rule::from_file(text) {
        Ok(rule) => meaning::look(&rule),
        Err(error) => meaning::place(text, error.line, error.column, &error.to_string()),
    }
});
