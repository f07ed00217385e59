#![no_main]

use libfuzzer_sys::fuzz_target;

// Whatever its content looks like, and compressed too.
fuzz_target!(|bytes: &[u8]| {
    let limits = pattern::Limits { unpacked: 1 << 20 };
    if let Ok((pattern, format)) = pattern::read_within(bytes, limits) {
        assert!(pattern::is_compressed(bytes) || pattern::detect(bytes) == Some(format));
        let _ = (pattern.cells.population(), pattern.cells.bounds());
    }
});
