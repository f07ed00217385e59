//! Where squares are found by what they hold.
//!
//! A line of memory names up to twelve squares, with a byte of each one's hash, so that a
//! look-up touches one line of the index and, nearly always, no square but the right one.
//!
//! An index can be read while others write: see [`Index::add`].

use crate::arch::{Pages, Slots, prefetch};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Squares that a line names.
const ROOM: usize = 12;

/// In the state of a line, above the number of squares: one that belongs here is named
/// further on.
const WENT_ON: u32 = 1 << 8;
/// In the state: somebody is writing.
const LOCKED: u32 = 1 << 9;

/// The index. It does not know what squares are: who looks up says whether one is right.
pub(super) struct Index {
    lines: Pages<Slots>,
    /// Whether others write at the same time.
    pub(super) is_shared: bool,
}

/// The byte by which a square is known. 0 is nobody's.
#[inline(always)]
fn print(hash: u64) -> u8 {
    (hash as u8).max(1)
}

impl Index {
    /// For so many squares.
    pub(super) fn new(squares: usize) -> Self {
        let lines = Self::lines_for(squares);
        Self {
            lines: Pages::new(lines, lines),
            is_shared: false,
        }
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
            line.prints.store(0, Relaxed);
            line.last_prints.store(0, Relaxed);
            line.state.store(0, Relaxed);
        }
    }

    #[inline(always)]
    fn start(&self, hash: u64) -> usize {
        ((hash >> 32) * self.lines.len() as u64 >> 32) as usize
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
        let (first, last) = alike(line, print(hash));
        // Eight bytes, then four: the place of the lowest that is set, if one is.
        let slot = if first != 0 {
            first.trailing_zeros() / 8
        } else {
            8 + last.trailing_zeros() / 8
        };
        let square = line.squares[(slot as usize).min(ROOM - 1)].load(Relaxed);
        if first | u64::from(last) != 0 { square } else { 0 }
    }

    /// The first named square with this hash that is right.
    pub(super) fn find(&self, hash: u64, is_right: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.start(hash);
        loop {
            let line = &self.lines[at];
            let state = line.state.load(Acquire);
            if let Some(found) = find_in(line, hash, &is_right) {
                return Some(found);
            }
            if state & WENT_ON == 0 {
                return None;
            }
            at = self.after(at);
        }
    }

    /// Names a square that is not named yet, as `new` makes it. Where several write, another
    /// may have named it by now: that one is given then.
    pub(super) fn add<E>(
        &self,
        hash: u64,
        is_right: impl Fn(u32) -> bool,
        new: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        if self.is_shared {
            return self.add_shared(hash, is_right, new);
        }
        let square = new()?;
        self.put(hash, square);
        Ok(square)
    }

    /// Names a square that is not named yet, while nobody else writes.
    pub(super) fn put(&self, hash: u64, square: u32) {
        let mut at = self.start(hash);
        loop {
            let line = &self.lines[at];
            let state = line.state.load(Relaxed);
            let slot = (state & 0xff) as usize;
            if slot < ROOM {
                write(line, slot, square, print(hash));
                return line.state.store(state + 1, Relaxed);
            }
            line.state.store(state | WENT_ON, Relaxed);
            at = self.after(at);
        }
    }

    /// [`Index::add`], while others do. Who names a square holds the line of its hash until
    /// it is done, so that nobody else can name the same.
    fn add_shared<E>(
        &self,
        hash: u64,
        is_right: impl Fn(u32) -> bool,
        new: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let start = self.start(hash);
        let home = &self.lines[start];
        let _home = Lock::of(home);
        let mut last = start;
        loop {
            let line = &self.lines[last];
            if let Some(found) = find_in(line, hash, &is_right) {
                return Ok(found);
            }
            if line.state.load(Acquire) & WENT_ON == 0 {
                break;
            }
            last = self.after(last);
        }
        let square = new()?;
        loop {
            let line = &self.lines[last];
            let _line = (last != start).then(|| Lock::of(line));
            let slot = (line.state.load(Relaxed) & 0xff) as usize;
            if slot < ROOM {
                write(line, slot, square, print(hash));
                line.state.fetch_add(1, Release);
                return Ok(square);
            }
            line.state.fetch_or(WENT_ON, Release);
            last = self.after(last);
        }
    }
}

#[inline(always)]
fn write(line: &Slots, slot: usize, square: u32, print: u8) {
    line.squares[slot].store(square, Relaxed);
    // The byte last: with it, the name is seen.
    if slot < 8 {
        let prints = line.prints.load(Relaxed) | u64::from(print) << (8 * slot);
        line.prints.store(prints, Release);
    } else {
        let prints = line.last_prints.load(Relaxed) | u32::from(print) << (8 * (slot - 8));
        line.last_prints.store(prints, Release);
    }
}

/// Where a line's bytes are this one: the highest bit of each; above the first, of others too.
#[inline(always)]
fn alike(line: &Slots, print: u8) -> (u64, u32) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let first = line.prints.load(Acquire) ^ ONES * u64::from(print);
    let last = line.last_prints.load(Acquire) ^ ONES as u32 * u32::from(print);
    (
        first.wrapping_sub(ONES) & !first & HIGH,
        last.wrapping_sub(ONES as u32) & !last & HIGH as u32,
    )
}

fn find_in(line: &Slots, hash: u64, is_right: &impl Fn(u32) -> bool) -> Option<u32> {
    let (first, last) = alike(line, print(hash));
    let mut all = u128::from(first) | u128::from(last) << 64;
    while all != 0 {
        let square = line.squares[(all.trailing_zeros() / 8) as usize].load(Relaxed);
        if square != 0 && is_right(square) {
            return Some(square);
        }
        all &= all - 1;
    }
    None
}

/// A line that nobody else writes.
struct Lock<'a>(&'a Slots);

impl<'a> Lock<'a> {
    fn of(line: &'a Slots) -> Self {
        while line.state.fetch_or(LOCKED, Acquire) & LOCKED != 0 {
            std::hint::spin_loop();
        }
        Self(line)
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        self.0.state.fetch_and(!LOCKED, Release);
    }
}
