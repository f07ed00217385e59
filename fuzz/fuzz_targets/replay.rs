#![no_main]
//! A file of replays, without its marks and sums: nobody would guess them, so they are put
//! where they belong. What is read comes back when it is written, and playing it again may
//! fail but not panic.

use arena::replay::{positions, read, read_text, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read(bytes).count();
    for replay in read_text(&summed(&String::from_utf8_lossy(bytes))).flatten() {
        let written = text(&replay.record);
        let again: Vec<_> = read_text(&written).collect();
        let [Ok(again)] = &again[..] else {
            panic!("what is written is one game:\n{written}");
        };
        // of what a bot said only the end is written
        let mut wanted = replay.record.clone();
        for (wanted, again) in wanted.aftermath.iter_mut().zip(&again.record.aftermath) {
            wanted.complaints.clone_from(&again.complaints);
        }
        assert_eq!(again.record, wanted);
        let _ = replay.check();
        if let Ok(frames) = positions(&replay.record) {
            let _ = frames.count();
        }
    }
});

/// The text with a mark after each line of moves, and the sum in a line `sum`.
fn summed(text: &str) -> String {
    let start = 0xcbf2_9ce4_8422_2325;
    let add = |sum, text: &str| {
        text.bytes().fold(sum, |sum: u64, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let mut sum = start;
    let mut whole = String::new();
    for line in text.split('\n') {
        if line.starts_with("gridpaper") {
            sum = start;
        }
        let line = match line {
            "sum" => format!("sum {sum:016x}\n"),
            _ if line.starts_with(' ') => format!("{line} ~{:02x}\n", add(sum, line) as u8),
            _ => format!("{line}\n"),
        };
        sum = add(sum, &line);
        whole += &line;
    }
    whole
}
