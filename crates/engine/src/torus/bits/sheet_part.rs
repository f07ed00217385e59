//! Disjoint parts of the rows of all buffers, for threads that share a sheet.

use super::RowBuffer;
use super::rest_flags::RowRestFlags;

/// Some rows of all buffers, the first of which holds the starting generation of a pass.
pub(super) struct SheetPart<'a> {
    buffers: Vec<BufferRows<'a, &'a mut [u64]>>,
}

/// Some rows of a buffer, from row `first` on, and the rest flags of all rows.
pub(super) struct BufferRows<'a, W> {
    pub(super) words: W,
    pub(super) first: usize,
    pub(super) rest: &'a RowRestFlags,
}

impl BufferRows<'_, &mut [u64]> {
    fn seen(&self) -> BufferRows<'_, &[u64]> {
        BufferRows {
            words: self.words,
            first: self.first,
            rest: self.rest,
        }
    }

    fn written(&mut self) -> BufferRows<'_, &mut [u64]> {
        BufferRows {
            words: self.words,
            first: self.first,
            rest: self.rest,
        }
    }
}

impl<'a> SheetPart<'a> {
    /// All rows.
    pub(super) fn all(ring: &'a mut [RowBuffer]) -> Self {
        let rows = |buffer: &'a mut RowBuffer| {
            let (words, rest) = buffer.parts_mut();
            BufferRows {
                words,
                first: 0,
                rest,
            }
        };
        Self {
            buffers: ring.iter_mut().map(rows).collect(),
        }
    }

    /// The source and the destination of a generation of a pass.
    pub(super) fn step(
        &mut self,
        generation: usize,
    ) -> (BufferRows<'_, &[u64]>, BufferRows<'_, &mut [u64]>) {
        let from = generation % self.buffers.len();
        if from + 1 < self.buffers.len() {
            let (before, after) = self.buffers.split_at_mut(from + 1);
            (before[from].seen(), after[0].written())
        } else {
            let (first, others) = self.buffers.split_at_mut(1);
            (others[from - 1].seen(), first[0].written())
        }
    }

    /// Splits before a row; `words` is the length of a row.
    pub(super) fn split(self, row: usize, words: usize) -> (Self, Self) {
        let halves = self.buffers.into_iter().map(|rows| {
            let (before, after) = rows.words.split_at_mut((row - rows.first) * words);
            let part = |words, first| BufferRows {
                words,
                first,
                rest: rows.rest,
            };
            (part(before, rows.first), part(after, row))
        });
        let (before, after) = halves.unzip();
        (Self { buffers: before }, Self { buffers: after })
    }
}
