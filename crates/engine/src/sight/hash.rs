use super::{Sight, Stretch};
use grid::{CellHash, Shift};
use pattern::interrupt::Checkpoints;

/// The hash of all live cells that are shown, if all of them are in state 1.
///
/// Each stretch of a row is summed by Horner's rule, from its last word to its first.
pub(crate) struct LiveHash {
    sum: CellHash,
    /// A stretch's words, and how far right it begins.
    stretches: Vec<(usize, Shift)>,
    /// 64 columns to the right.
    word: Shift,
    checkpoints: Checkpoints,
}

impl LiveHash {
    pub(crate) fn new() -> Self {
        Self {
            sum: CellHash::EMPTY,
            stretches: Vec::new(),
            word: Shift::new(64, 0),
            checkpoints: Checkpoints::new(),
        }
    }

    /// The hash, with cells where they stand.
    pub(crate) fn sum(&self) -> CellHash {
        self.sum
    }
}

impl Sight for LiveHash {
    fn band(&mut self, stretches: &[Stretch]) {
        let shift = |stretch: &Stretch| (stretch.words, Shift::new(64 * stretch.first, 0));
        self.stretches.clear();
        self.stretches.extend(stretches.iter().map(shift));
    }

    fn row(&mut self, y: i64, mut words: &[u64]) {
        let mut row = CellHash::EMPTY;
        for (count, shift) in &self.stretches {
            let (stretch, rest) = words.split_at(*count);
            words = rest;
            self.checkpoints.step();
            let Some(last) = stretch.iter().rposition(|word| *word != 0) else {
                continue;
            };
            let words = stretch[..=last].iter().rev();
            let sum = words.fold(CellHash::EMPTY, |sum, word| {
                sum.moved(self.word) + CellHash::word(*word)
            });
            row += sum.moved(*shift);
        }
        if row != CellHash::EMPTY {
            self.sum += row.shifted(0, y);
        }
    }
}
