use super::rest_flags::RowRestFlags;

/// The position of a cell: its bit in plane 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct BitPosition {
    pub(super) word: usize,
    pub(super) bit: u32,
}

/// Rows of words, their cells aligned to a cache line.
#[derive(Default)]
pub(super) struct RowBuffer {
    all: Vec<u64>,
    start: usize,
    pub(super) stride: usize,
    length: usize,
    /// Which rows rest, if that is watched.
    pub(super) rest: RowRestFlags,
}

impl RowBuffer {
    /// Cells begin after `lead` words of a row.
    pub(super) fn new(stride: usize, rows: usize, lead: usize) -> Self {
        /// Words in a cache line.
        const LINE: usize = 8;
        let length = stride * rows;
        let all = vec![0; length + LINE];
        // Where alignment cannot be known (in an interpreter) any start is right.
        let aligned = all.as_ptr().align_offset(size_of::<u64>() * LINE);
        let start = if aligned == usize::MAX {
            0
        } else {
            (aligned + LINE - lead % LINE) % LINE
        };
        Self {
            all,
            start,
            stride,
            length,
            rest: RowRestFlags::default(),
        }
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.all[self.start..self.start + self.length]
    }

    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.all[self.start..self.start + self.length]
    }

    /// The words, and which rows rest.
    pub(super) fn parts_mut(&mut self) -> (&mut [u64], &RowRestFlags) {
        let words = self.start..self.start + self.length;
        (&mut self.all[words], &self.rest)
    }

    pub(super) fn row(&self, y: usize) -> &[u64] {
        &self.words()[y * self.stride..(y + 1) * self.stride]
    }

    pub(super) fn row_mut(&mut self, y: usize) -> &mut [u64] {
        let stride = self.stride;
        &mut self.words_mut()[y * stride..(y + 1) * stride]
    }

    pub(super) fn copy_row(&mut self, from: usize, to: usize) {
        let stride = self.stride;
        let words = from * stride..(from + 1) * stride;
        self.words_mut().copy_within(words, to * stride);
        if self.rest.is_kept() {
            self.rest.set(to, self.rest.get(from));
        }
    }

    /// The bit of a cell, in the line that begins `start` words after that of plane 0.
    pub(super) fn bit(&self, at: Option<BitPosition>, start: usize) -> u64 {
        at.map_or(0, |BitPosition { word, bit }| {
            self.words()[word + start] >> bit & 1
        })
    }
}
