#![no_main]
//! A rule of one's own: what is read has a next state for whatever is seen.

use libfuzzer_sys::fuzz_target;
use rule::Rule;

#[path = "../meaning.rs"]
mod meaning;

fuzz_target!(|text: &str| {
    if meaning::is_wide(text) {
        return;
    }
    match Rule::from_source(text) {
        Ok(rule) => meaning::look(&rule),
        Err(error) => meaning::place(text, error.line, error.column, &error.to_string()),
    }
});
