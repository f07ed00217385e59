//! A level of the laser puzzle: a board or an error with a place in the text. What is read
//! comes back when it is written, and its light comes to an end.

use super::owned;
use crate::Target;
use laser::{Board, Light, level};

pub(super) const LEVEL: Target = Target {
    name: "level",
    check,
    seeds: || {
        let boards = level::all().iter().map(|entry| entry.text.as_bytes());
        let short = boards.filter(|text| text.len() <= crate::LONGEST_INPUT / 2);
        short.map(<[u8]>::to_vec).collect()
    },
    words: || {
        owned(&[
            "W ", ". ", "L>", "L^", "S<", "Sv", "M/", "M\\", "B/", "B\\", "T>", "T^", "\n", "1 1",
            "64 64",
        ])
    },
    gate_runs: 1500,
};

fn check(bytes: &[u8]) {
    let board = match Board::read(bytes) {
        Ok(board) => board,
        Err(error) => {
            let lines: Vec<_> = bytes.split(|&byte| byte == b'\n').collect();
            let line = lines[error.line - 1];
            assert!((1..=line.len() + 1).contains(&error.column), "{error}");
            return;
        }
    };
    assert_eq!(
        Board::read(board.to_string().as_bytes()).as_ref(),
        Ok(&board)
    );
    if board.cells() <= 4096 {
        let light = Light::of(&board);
        assert!(light.beam_fronts() <= 4 * board.cells() as u64);
        let status = light.status(&board);
        assert!(status.lit <= status.sensors);
    }
}
