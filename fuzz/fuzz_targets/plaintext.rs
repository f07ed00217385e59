#![no_main]

use libfuzzer_sys::fuzz_target;
use pattern::Format;

#[path = "../check.rs"]
mod check;

fuzz_target!(|bytes: &[u8]| check::reader(bytes, Format::Plaintext));
