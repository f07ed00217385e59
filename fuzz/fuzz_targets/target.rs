#![no_main]
//! libFuzzer's way in to a target: each binary is this file, and is named after its target.

use fuzz_targets::{LONGEST_INPUT, Mutator};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|bytes: &[u8]| fuzz_targets::check(env!("CARGO_BIN_NAME"), bytes));

// Half of the mutations are ours, which know lines, words and numbers, and half libFuzzer's.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let target = fuzz_targets::find(env!("CARGO_BIN_NAME"));
    let words = target.map(|target| (target.words)()).unwrap_or_default();
    let mut input = data[..size].to_vec();
    let own = input.clone();
    Mutator::new(seed.into(), words).mutate(&mut input, &[own]);
    let length = input.len().min(max_size).min(LONGEST_INPUT);
    data[..length].copy_from_slice(&input[..length]);
    length
});
