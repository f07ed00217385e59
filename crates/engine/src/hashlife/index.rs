//! Where squares are found by what they hold.
//!
//! A line of memory names up to twelve squares, with a byte of each one's hash, so that a
//! look-up touches one line of the index and, nearly always, no square but the right one.

use crate::arch::{Pages, Slots, equal_bytes, prefetch};
use std::sync::atomic::Ordering::Relaxed;

/// Squares that a line names.
const ROOM: usize = 12;

/// Where in a line's second word its state begins: the number of squares...
const STATE: u32 = 32;
/// ...and whether one that belongs here is named further on.
const WENT_ON: u64 = 1 << 40;

/// The index. It does not know what squares are: who looks up says whether one is right.
pub(super) struct Index {
    lines: Pages<Slots>,
}

/// The byte by which a square is known. 0 is nobody's.
#[inline(always)]
fn print(hash: u64) -> u8 {
    (hash as u8).max(1)
}

impl Index {
    /// For so many squares at first, and so many at most.
    pub(super) fn new(squares: usize, most: usize) -> Self {
        Self {
            lines: Pages::new(Self::lines_for(squares), Self::lines_for(most)),
        }
    }

    /// Takes all names out, and makes room for so many.
    pub(super) fn grow(&mut self, squares: usize) {
        self.clear();
        self.lines
            .grow(Self::lines_for(squares).max(self.lines.len()));
    }

    fn lines_for(squares: usize) -> usize {
        // Up to four fifths full.
        (squares * 5).div_ceil(4 * ROOM).max(2)
    }

    /// Bytes that an index for so many squares takes.
    pub(super) fn bytes_for(squares: usize) -> u64 {
        64 * Self::lines_for(squares) as u64
    }

    /// How many squares it is for.
    pub(super) fn most(&self) -> usize {
        self.lines.len() * ROOM * 4 / 5
    }

    /// Takes all names out.
    pub(super) fn clear(&self) {
        for line in self.lines.iter() {
            line.prints[0].store(0, Relaxed);
            line.prints[1].store(0, Relaxed);
        }
    }

    #[inline(always)]
    fn start(&self, hash: u64) -> usize {
        (((hash >> 32) * self.lines.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn after(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() {
            0
        } else {
            line + 1
        }
    }

    /// Asks for the line of a hash.
    #[inline(always)]
    pub(super) fn expect(&self, hash: u64) {
        prefetch(&self.lines[self.start(hash)]);
    }

    /// The square that a hash is most likely of; 0 if none.
    #[inline(always)]
    pub(super) fn guess(&self, hash: u64) -> u32 {
        let line = &self.lines[self.start(hash)];
        let alike = alike(words(line), hash);
        let slot = (alike.trailing_zeros() as usize).min(ROOM - 1);
        let square = line.squares[slot].load(Relaxed);
        if alike == 0 { 0 } else { square }
    }

    /// The square with this hash that is right; or a new one, which is named from then on.
    #[inline]
    pub(super) fn seek<E>(
        &self,
        hash: u64,
        is_right: impl Fn(u32) -> bool,
        new: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let mut at = self.start(hash);
        loop {
            let line = &self.lines[at];
            let words = words(line);
            if let Some(found) = find_in(line, words, hash, &is_right) {
                return Ok(found);
            }
            if words[1] & WENT_ON == 0 {
                break;
            }
            at = self.after(at);
        }
        let square = new()?;
        self.put_from(at, hash, square);
        Ok(square)
    }

    /// Names a square that is not named yet, while nobody else writes.
    #[inline]
    pub(super) fn put(&self, hash: u64, square: u32) {
        self.put_from(self.start(hash), hash, square);
    }

    #[inline]
    fn put_from(&self, mut at: usize, hash: u64, square: u32) {
        loop {
            let line = &self.lines[at];
            let state = line.prints[1].load(Relaxed);
            let slot = (state >> STATE) as usize & 0xff;
            if slot < ROOM {
                line.squares[slot].store(square, Relaxed);
                let print = u64::from(print(hash)) << (8 * (slot % 8));
                let before = line.prints[slot / 8].load(Relaxed);
                line.prints[slot / 8].store(before | print, Relaxed);
                let state = line.prints[1].load(Relaxed);
                return line.prints[1].store(state + (1 << STATE), Relaxed);
            }
            line.prints[1].store(state | WENT_ON, Relaxed);
            at = self.after(at);
        }
    }
}

#[inline(always)]
fn words(line: &Slots) -> [u64; 2] {
    [line.prints[0].load(Relaxed), line.prints[1].load(Relaxed)]
}

/// Which of a line's squares have the byte of this hash.
#[inline(always)]
fn alike(words: [u64; 2], hash: u64) -> u32 {
    equal_bytes(words, print(hash)) & ((1 << ROOM) - 1)
}

#[inline(always)]
fn find_in(
    line: &Slots,
    words: [u64; 2],
    hash: u64,
    is_right: &impl Fn(u32) -> bool,
) -> Option<u32> {
    let mut all = alike(words, hash);
    while all != 0 {
        let slot = (all.trailing_zeros() as usize).min(ROOM - 1);
        let square = line.squares[slot].load(Relaxed);
        if is_right(square) {
            return Some(square);
        }
        all &= all - 1;
    }
    None
}
