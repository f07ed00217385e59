use super::{LiveRowVisitor, WordSegment};
use grid::{CellHash, HashShift};
use pattern::interrupt::Checkpoints;

/// The hash of all visited live cells, if all of them are in state 1.
///
/// Each segment of a row is summed by Horner's rule, from its last word to its first.
pub(crate) struct LiveHash {
    sum: CellHash,
    /// The words of each segment, and the shift to its first column.
    segments: Vec<(usize, HashShift)>,
    /// The shift by 64 columns.
    word: HashShift,
    checkpoints: Checkpoints,
}

impl LiveHash {
    pub(crate) fn new() -> Self {
        Self {
            sum: CellHash::EMPTY,
            segments: Vec::new(),
            word: HashShift::new(64, 0),
            checkpoints: Checkpoints::new(),
        }
    }

    /// The hash, relative to the origin.
    pub(crate) fn sum(&self) -> CellHash {
        self.sum
    }
}

impl LiveRowVisitor for LiveHash {
    fn band(&mut self, segments: &[WordSegment]) {
        let shift = |segment: &WordSegment| (segment.words, HashShift::new(64 * segment.first, 0));
        self.segments.clear();
        self.segments.extend(segments.iter().map(shift));
    }

    fn row(&mut self, y: i64, mut words: &[u64]) {
        let mut row = CellHash::EMPTY;
        for (count, shift) in &self.segments {
            let (segment, rest) = words.split_at(*count);
            words = rest;
            self.checkpoints.step();
            let Some(last) = segment.iter().rposition(|word| *word != 0) else {
                continue;
            };
            let words = segment[..=last].iter().rev();
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
