use super::{LiveRowVisitor, WordSegment};
use grid::{CellHash, HashShift};
use pattern::interrupt::Checkpoints;

/// The hash of all live cells that are shown, if all of them are in state 1.
///
/// Each stretch of a row is summed by Horner's rule, from its last word to its first.
pub(crate) struct LiveHash {
    sum: CellHash,
    /// A stretch's words, and how far right it begins.
    stretches: Vec<(usize, HashShift)>,
    /// 64 columns to the right.
    word: HashShift,
    checkpoints: Checkpoints,
}

impl LiveHash {
    pub(crate) fn new() -> Self {
        Self {
            sum: CellHash::EMPTY,
            stretches: Vec::new(),
            word: HashShift::new(64, 0),
            checkpoints: Checkpoints::new(),
        }
    }

    /// The hash, with cells where they stand.
    pub(crate) fn sum(&self) -> CellHash {
        self.sum
    }
}

impl LiveRowVisitor for LiveHash {
    fn band(&mut self, stretches: &[WordSegment]) {
        let shift = |stretch: &WordSegment| (stretch.words, HashShift::new(64 * stretch.first, 0));
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
