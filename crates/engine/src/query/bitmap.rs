use super::{LiveRowVisitor, WordSegment, shifted};
use grid::Rect;
use kernel::simd::{SimdElement, SimdTask, Vector};

/// The bits of a rectangle, for [`World::bits_in`](crate::World::bits_in).
pub(crate) struct Bitmap<'a> {
    rect: Rect,
    /// Bytes of a row.
    stride: usize,
    bits: &'a mut [u8],
    /// The words that cover a row of the rectangle.
    span: WordSegment,
    segments: Vec<WordSegment>,
    /// A row, from the rectangle's first word on.
    line: Vec<u64>,
    /// The same from its first cell on.
    row: Vec<u64>,
}

impl<'a> Bitmap<'a> {
    /// A cleared bitmap for the rectangle.
    pub(crate) fn new(rect: Rect, bits: &'a mut Vec<u8>) -> Self {
        let stride = rect.width.div_ceil(8) as usize;
        bits.clear();
        bits.resize(stride * rect.height as usize, 0);
        let span = WordSegment::over(rect.x, rect.right());
        Self {
            rect,
            stride,
            bits,
            span,
            segments: Vec::new(),
            line: vec![0; span.words],
            row: vec![0; rect.width.div_ceil(64) as usize],
        }
    }
}

impl LiveRowVisitor for Bitmap<'_> {
    fn band(&mut self, segments: &[WordSegment]) {
        self.segments.clear();
        self.segments.extend_from_slice(segments);
        self.line.fill(0);
    }

    fn row(&mut self, y: i64, words: &[u64]) {
        if y < self.rect.y || y >= self.rect.bottom() || self.row.is_empty() {
            return;
        }
        let mut words = words;
        for segment in &self.segments {
            let (own, rest) = words.split_at(segment.words);
            words = rest;
            let from = segment.first.max(self.span.first);
            let to = segment.end().min(self.span.end());
            if from < to {
                let source = (from - segment.first) as usize..(to - segment.first) as usize;
                let target = (from - self.span.first) as usize..(to - self.span.first) as usize;
                self.line[target].copy_from_slice(&own[source]);
            }
        }
        let y = y.abs_diff(self.rect.y) as usize;
        u64::dispatch(BitmapRowCopy {
            line: &self.line,
            first: self.rect.x & 63,
            width: self.rect.width,
            row: &mut self.row,
            bytes: &mut self.bits[y * self.stride..(y + 1) * self.stride],
        });
    }
}

/// Converts words with the first cell in the lowest bit to bytes with the first cell in the
/// highest.
struct BitmapRowCopy<'a> {
    line: &'a [u64],
    first: i64,
    width: u64,
    row: &'a mut [u64],
    bytes: &'a mut [u8],
}

impl SimdTask<u64> for BitmapRowCopy<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        shifted(self.line, self.first, self.row);
        if let Some(last) = self.row.last_mut() {
            *last &= u64::MAX >> (self.width.wrapping_neg() % 64);
        }
        for (word, eight) in self.row.iter().zip(self.bytes.chunks_mut(8)) {
            let mut bits = *word;
            bits = (bits & 0x0f0f_0f0f_0f0f_0f0f) << 4 | bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
            bits = (bits & 0x3333_3333_3333_3333) << 2 | bits >> 2 & 0x3333_3333_3333_3333;
            bits = (bits & 0x5555_5555_5555_5555) << 1 | bits >> 1 & 0x5555_5555_5555_5555;
            let bytes = bits.to_le_bytes();
            eight.copy_from_slice(&bytes[..eight.len()]);
        }
    }
}
