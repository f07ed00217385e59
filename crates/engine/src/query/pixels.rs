use super::{LiveRowVisitor, WordSegment};
use crate::View;
use kernel::simd::{SimdElement, SimdTask, Vector};
use num_traits::ToPrimitive;

/// The number of live cells in each pixel of a row.
#[derive(Clone, Copy)]
pub(crate) enum PixelRowCounts<'a> {
    /// Exact: a pixel has no more than 2^24 cells.
    Small(&'a [f32]),
    /// Exact up to 2^53.
    Large(&'a [f64]),
}

/// The greatest scale whose counts single-precision floats hold exactly.
const MAX_EXACT_SCALE: u32 = 12;

/// Counts the live cells in the pixels of a view, one row of pixels at a time.
pub(crate) struct PixelCounter<'a> {
    scale: u32,
    /// The first pixel of the view in the grid of pixels.
    column: i128,
    row: i128,
    height: u32,
    f: &'a mut dyn FnMut(u32, PixelRowCounts<'_>),
    segments: Vec<WordSegment>,
    /// The row of pixels that is being counted.
    current: Option<u32>,
    /// Counts of words that are not yet in `small` or `large`; up to scale 2, those of odd
    /// pixels are in `odd`.
    sums: Vec<u64>,
    odd: Vec<u64>,
    /// The counts of the current row, in one of the two.
    small: Vec<f32>,
    large: Vec<f64>,
}

impl<'a> PixelCounter<'a> {
    /// A counter for a view that has cells.
    pub(crate) fn new(view: &View, f: &'a mut dyn FnMut(u32, PixelRowCounts<'_>)) -> Self {
        let near = "a cell of 64 bits lies in the view";
        let width = view.width as usize;
        let (small, large) = if view.scale <= MAX_EXACT_SCALE {
            (width, 0)
        } else {
            (0, width)
        };
        Self {
            scale: view.scale.min(127),
            column: view.column.to_i128().expect(near),
            row: view.row.to_i128().expect(near),
            height: view.height,
            f,
            segments: Vec::new(),
            current: None,
            sums: Vec::new(),
            odd: Vec::new(),
            small: vec![0.0; small],
            large: vec![0.0; large],
        }
    }

    /// To be called after the last row.
    pub(crate) fn finish(mut self) {
        self.flush();
        self.emit_row();
    }

    /// Adds the words' counts to their pixels.
    fn flush(&mut self) {
        if self.current.is_none() {
            return;
        }
        match self.scale {
            0 => self.settle_by::<64>(bits),
            1 => self.settle_by::<32>(|low, high| interleaved(nibbles(low), nibbles(high))),
            2 => {
                self.settle_by::<16>(|low, high| interleaved(low.to_le_bytes(), high.to_le_bytes()))
            }
            3 => self.settle_by::<8>(|sum, _| sum.to_le_bytes().map(f32::from)),
            4 => self.settle_by::<4>(|sum, _| [0, 16, 32, 48].map(|by| (sum >> by) as u16 as f32)),
            5 => self.settle_by::<2>(|sum, _| [sum as u32 as f32, (sum >> 32) as f32]),
            _ => self.flush_words(),
        }
        self.sums.fill(0);
        self.odd.fill(0);
    }

    #[inline]
    fn settle_by<const N: usize>(&mut self, counts: impl Fn(u64, u64) -> [f32; N]) {
        u64::dispatch(PixelCountReduction {
            pixels: self,
            counts,
        });
    }

    /// For pixels as wide as a word or wider.
    fn flush_words(&mut self) {
        let mut sums = self.sums.iter();
        for segment in &self.segments {
            for (word, sum) in (segment.first..segment.end()).zip(&mut sums) {
                let pixel = (i128::from(word) >> (self.scale - 6)) - self.column;
                let Ok(pixel) = usize::try_from(pixel) else {
                    continue;
                };
                if let Some(count) = self.small.get_mut(pixel) {
                    *count += *sum as f32;
                } else if let Some(count) = self.large.get_mut(pixel) {
                    *count += *sum as f64;
                }
            }
        }
    }

    /// Reports the current row.
    fn emit_row(&mut self) {
        let Some(row) = self.current.take() else {
            return;
        };
        if self.scale <= MAX_EXACT_SCALE {
            (self.f)(row, PixelRowCounts::Small(&self.small));
            self.small.fill(0.0);
        } else {
            (self.f)(row, PixelRowCounts::Large(&self.large));
            self.large.fill(0.0);
        }
    }
}

impl LiveRowVisitor for PixelCounter<'_> {
    fn band(&mut self, segments: &[WordSegment]) {
        self.flush();
        self.segments.clear();
        self.segments.extend_from_slice(segments);
        let words = segments.iter().map(|segment| segment.words).sum();
        self.sums.clear();
        self.sums.resize(words, 0);
        self.odd.clear();
        self.odd.resize(if self.scale <= 2 { words } else { 0 }, 0);
    }

    fn row(&mut self, y: i64, words: &[u64]) {
        let row = ((i128::from(y) - 1) >> self.scale) - self.row;
        let Some(row) = u32::try_from(row).ok().filter(|&row| row < self.height) else {
            return;
        };
        if self.current != Some(row) {
            self.flush();
            self.emit_row();
            self.current = Some(row);
        }
        u64::dispatch(PixelRowAdder {
            scale: self.scale,
            words,
            sums: &mut self.sums,
            odd: &mut self.odd,
        });
    }
}

/// Adds the counts of a row, in fields wide enough for all rows of a pixel.
struct PixelRowAdder<'a> {
    scale: u32,
    words: &'a [u64],
    sums: &'a mut [u64],
    odd: &'a mut [u64],
}

impl SimdTask<u64> for PixelRowAdder<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let Self {
            scale,
            words,
            sums,
            odd,
        } = self;
        // Counts of 2, 4, 8, 16 and 32 adjacent cells.
        let of_2 = |x: u64| x - (x >> 1 & 0x5555_5555_5555_5555);
        let of_4 = |x: u64| {
            let x = of_2(x);
            (x & 0x3333_3333_3333_3333) + (x >> 2 & 0x3333_3333_3333_3333)
        };
        let of_8 = |x: u64| {
            let x = of_4(x);
            (x + (x >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
        };
        let of_16 = |x: u64| {
            let x = of_8(x);
            (x + (x >> 8)) & 0x00ff_00ff_00ff_00ff
        };
        let of_32 = |x: u64| {
            let x = of_16(x);
            (x + (x >> 16)) & 0x0000_ffff_0000_ffff
        };
        match scale {
            0 => sums.copy_from_slice(words),
            1 => {
                for ((sum, odd), word) in sums.iter_mut().zip(odd).zip(words) {
                    let counts = of_2(*word);
                    *sum += counts & 0x3333_3333_3333_3333;
                    *odd += counts >> 2 & 0x3333_3333_3333_3333;
                }
            }
            2 => {
                for ((sum, odd), word) in sums.iter_mut().zip(odd).zip(words) {
                    let counts = of_4(*word);
                    *sum += counts & 0x0f0f_0f0f_0f0f_0f0f;
                    *odd += counts >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
                }
            }
            3 => add(sums, words, of_8),
            4 => add(sums, words, of_16),
            5 => add(sums, words, of_32),
            _ => add(sums, words, |word| u64::from(word.count_ones())),
        }
    }
}

#[inline(always)]
fn add(sums: &mut [u64], words: &[u64], count: impl Fn(u64) -> u64) {
    for (sum, word) in sums.iter_mut().zip(words) {
        *sum += count(*word);
    }
}

/// Adds the counts of words to pixels, `N` to a word.
struct PixelCountReduction<'p, 'a, C> {
    pixels: &'p mut PixelCounter<'a>,
    /// The counts in a word's sums.
    counts: C,
}

impl<const N: usize, C: Fn(u64, u64) -> [f32; N]> SimdTask<u64> for PixelCountReduction<'_, '_, C> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let PixelCounter {
            segments,
            sums,
            odd,
            small,
            column,
            ..
        } = self.pixels;
        let mut at = 0;
        for segment in segments {
            for word in segment.first..segment.end() {
                let counts = (self.counts)(sums[at], odd.get(at).copied().unwrap_or(0));
                at += 1;
                let first = i128::from(word) * N as i128 - *column;
                let whole = usize::try_from(first).ok();
                if let Some(to) = whole.and_then(|first| small.get_mut(first..first + N)) {
                    for (to, count) in to.iter_mut().zip(counts) {
                        *to += count;
                    }
                    continue;
                }
                for (i, count) in counts.into_iter().enumerate() {
                    let pixel = usize::try_from(first + i as i128).ok();
                    if let Some(to) = pixel.and_then(|pixel| small.get_mut(pixel)) {
                        *to += count;
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn bits(word: u64, _odd: u64) -> [f32; 64] {
    std::array::from_fn(|i| (word >> i & 1) as u8 as f32)
}

#[inline(always)]
fn nibbles(word: u64) -> [u8; 16] {
    let bytes = word.to_le_bytes();
    std::array::from_fn(|i| bytes[i / 2] >> (4 * (i % 2)) & 0xf)
}

#[inline(always)]
fn interleaved<const N: usize, const M: usize>(even: [u8; N], odd: [u8; N]) -> [f32; M] {
    std::array::from_fn(|i| f32::from(if i % 2 == 0 { even[i / 2] } else { odd[i / 2] }))
}

/// [`World::density`](crate::World::density) from rows of pixels.
pub(crate) fn for_each_pixel(
    row: u32,
    counted: PixelRowCounts<'_>,
    f: &mut dyn FnMut(u32, u32, f64),
) {
    let mut emit = |column: usize, live: f64| {
        if live > 0.0 {
            f(column as u32, row, live);
        }
    };
    match counted {
        PixelRowCounts::Small(counts) => {
            for (column, &live) in counts.iter().enumerate() {
                emit(column, live.into());
            }
        }
        PixelRowCounts::Large(counts) => {
            for (column, &live) in counts.iter().enumerate() {
                emit(column, live);
            }
        }
    }
}

/// [`World::density_rows`](crate::World::density_rows) from pixels in any order.
pub(crate) fn rows_of_pixels(
    view: &View,
    density: impl FnOnce(&mut dyn FnMut(u32, u32, f64)),
    f: &mut dyn FnMut(u32, &[f32]),
) {
    let width = view.width as usize;
    let mut counts = vec![0.0; width * view.height as usize];
    let mut live_rows = vec![false; view.height as usize];
    density(&mut |column, row, live| {
        counts[row as usize * width + column as usize] = single(live);
        live_rows[row as usize] = true;
    });
    for (row, live) in live_rows.into_iter().enumerate() {
        if live {
            f(row as u32, &counts[row * width..(row + 1) * width]);
        }
    }
}

/// Converted to single precision, at most its greatest value.
pub(crate) fn single(live: f64) -> f32 {
    live.min(f32::MAX.into()) as f32
}

impl PixelRowCounts<'_> {
    /// Converted to single precision; `scratch` may hold the result.
    pub(crate) fn single<'s>(self, scratch: &'s mut Vec<f32>) -> &'s [f32]
    where
        Self: 's,
    {
        match self {
            Self::Small(counts) => counts,
            Self::Large(counts) => {
                scratch.clear();
                scratch.extend(counts.iter().map(|&live| single(live)));
                scratch
            }
        }
    }
}
