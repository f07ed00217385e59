//! A file of replays, without its marks and sums: nobody would guess them, so they are put
//! where they belong. What is read comes back when it is written, and playing it again may
//! fail but not panic.

use super::owned;
use crate::Target;
use matches::replay::{BUNDLED, positions, read, read_text, text};

pub(super) const REPLAY: Target = Target {
    name: "replay",
    check,
    seeds: || BUNDLED.iter().map(|game| bare(game.text)).collect(),
    words: || {
        owned(&[
            "gridpaper replay 1",
            "game duel",
            "game tictactoe",
            "first random",
            "second random",
            "seed 7",
            "pair 1",
            "opening 0",
            "moves 3",
            "sum",
            "time",
            "result",
            "fault late",
            "fault crashed",
            " d4:35/32",
            " a1",
        ])
    },
    gate_runs: 150,
};

/// A replay without the marks at the ends of its lines, and without its sum.
fn bare(replay: &str) -> Vec<u8> {
    let lines = replay.lines().map(|line| match line.rsplit_once(" ~") {
        Some((moves, _)) if line.starts_with(' ') => moves,
        _ if line.starts_with("sum ") => "sum",
        _ => line,
    });
    lines
        .flat_map(|line| [line.as_bytes(), b"\n"].concat())
        .collect()
}

fn check(bytes: &[u8]) {
    let _ = read(bytes).count();
    for replay in read_text(&summed(&String::from_utf8_lossy(bytes))).flatten() {
        let written = text(&replay.record);
        let again: Vec<_> = read_text(&written).collect();
        let [Ok(again)] = &again[..] else {
            panic!("what is written is one game:\n{written}");
        };
        // of what a bot said only the end is written
        let mut wanted = replay.record.clone();
        for (wanted, again) in wanted.reports.iter_mut().zip(&again.record.reports) {
            wanted.stderr.clone_from(&again.stderr);
        }
        assert_eq!(again.record, wanted);
        let _ = replay.check();
        if let Ok(frames) = positions(&replay.record) {
            let _ = frames.count();
        }
    }
}

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
