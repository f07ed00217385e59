//! The one place that knows processors: vectors of words, and the choice among them.
//!
//! A [`SimdTask`] is written once, safely, over any [`Vector`], and compiled for each instruction
//! set. [`SimdElement::dispatch`] looks which sets the processor has and runs the task in the
//! widest; who has many small tasks to run looks once ([`InstructionSet::widest`]) and hands
//! the result to [`SimdElement::run_in`]. The vector types are private to this module, so that no
//! code can name one without that check.
//!
//! All that a task calls is inlined into it, three times over, so a task is one loop over one
//! row, and the code that decides which loops to run is ordinary code around it. Where a whole
//! sweep over a grid was one task, LLVM took 170 of the crate's 300 seconds for nine copies.

#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
mod assembler;
#[allow(unsafe_code)]
mod fork_join;
#[allow(unsafe_code)]
mod gather;
#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
#[allow(unsafe_code)]
mod jit;
#[allow(unsafe_code)]
mod mapped_memory;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable_vector;
mod sync;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86;

#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
pub(crate) use assembler::{BitwiseOp, VectorWidth};
#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
pub(crate) use jit::{
    CodeListing, Instruction, InstructionBlock, JitProgram, MemoryOperand, Operand, RowLayout, has,
};

pub(crate) use fork_join::ForkJoinPool;
pub(crate) use gather::{BucketProbe, NAMES, find_names, find_spots, find_wrong, guess, mix};
pub(crate) use mapped_memory::{
    IndexBucket, MappedArray, NodeFields, NodeLine, NodeLineView, WordLine, equal_bytes, prefetch,
};
#[cfg(test)]
pub(crate) use sync::model;
pub(crate) use sync::{AtomicValue, NativePrimitives, SyncPrimitives};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::InstructionSet;

use crate::kernel::BitVector;
#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Some words `W`, side by side, that logic works on all at once.
pub(crate) trait Vector<W>: BitVector {
    /// How many words.
    const LANES: usize;

    /// The first words of a slice.
    ///
    /// # Panics
    /// When it has fewer.
    fn load(from: &[W]) -> Self;

    /// The same word everywhere.
    fn all_words(word: W) -> Self;

    /// Writes over the first words of a slice.
    ///
    /// # Panics
    /// When it has fewer.
    fn store(self, to: &mut [W]);

    /// Every word moved by a bit, so that each bit shows its western neighbour: the one
    /// below it in worth.
    fn west(self) -> Self;

    /// Every word moved by a bit the other way.
    fn east(self) -> Self;

    /// Every word replaced by the one before it; the first by the last of `before`.
    fn above(self, before: Self) -> Self;

    /// Every word replaced by the one after it; the last by the first of `after`.
    fn below(self, after: Self) -> Self;

    /// The eight highest bits of every word, as its lowest.
    fn last_byte(self) -> Self;

    /// The eight lowest bits of every word, as its highest.
    fn first_byte(self) -> Self;

    /// The first word.
    fn first_word(self) -> W;

    /// The last word.
    fn last_word(self) -> W;

    /// The same with another first word.
    fn with_first(self, word: W) -> Self;

    /// The same with another last word.
    fn with_last(self, word: W) -> Self;

    /// Whether no bit is set.
    fn is_zero(self) -> bool;
}

/// Work that is the same for vectors of every width. Implementations are
/// `#[inline(always)]` all the way down, or they are not compiled for the vectors. Closures
/// are not always inlined; `cargo xtask code-size` fails where a vector instruction was not.
pub(crate) trait SimdTask<W> {
    /// Does it.
    fn run<V: Vector<W>>(self);
}

/// A word that tasks can be done on.
pub(crate) trait SimdElement: Vector<Self> + Sized {
    /// Does the task in the vectors of an instruction set.
    fn run_in(set: InstructionSet, task: impl SimdTask<Self>);

    /// Does the task in the widest vectors that this processor has.
    #[inline]
    fn dispatch(task: impl SimdTask<Self>) {
        Self::run_in(InstructionSet::widest(), task);
    }
}

/// Bits of the widest vectors that this processor has.
pub(crate) fn vector_bits() -> usize {
    struct VectorBitsTask<'a>(&'a mut usize);

    impl SimdTask<u64> for VectorBitsTask<'_> {
        #[inline(always)]
        fn run<V: Vector<u64>>(self) {
            *self.0 = 64 * V::LANES;
        }
    }

    let mut bits = 0;
    u64::dispatch(VectorBitsTask(&mut bits));
    bits
}

/// What vectors the processor has: here, nothing is known of it.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct InstructionSet;

#[cfg(not(target_arch = "x86_64"))]
impl InstructionSet {
    /// The widest that this processor has.
    pub(crate) fn widest() -> Self {
        Self
    }
}

#[cfg(not(target_arch = "x86_64"))]
macro_rules! element {
    ($word:ty, $lanes:literal) => {
        impl SimdElement for $word {
            #[inline]
            fn run_in(_set: InstructionSet, task: impl SimdTask<Self>) {
                task.run::<portable_vector::PortableVector<Self, $lanes>>();
            }
        }
    };
}

#[cfg(not(target_arch = "x86_64"))]
element!(u32, 4);
#[cfg(not(target_arch = "x86_64"))]
element!(u64, 2);

/// Allows vectors of at most so many bits from here on: 128 leaves those that every
/// processor of the kind has.
///
/// For programs that measure kernels which this processor would not choose. It is asked when a
/// rule is compiled and whenever a kernel runs, so it comes before the first world is made.
pub fn narrow(bits: u32) {
    #[cfg(target_arch = "x86_64")]
    LIMIT.store(bits, Relaxed);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bits;
}

#[cfg(target_arch = "x86_64")]
static LIMIT: AtomicU32 = AtomicU32::new(u32::MAX);

/// Whether vectors of so many bits may be used: tests narrow it too, each for its own
/// thread, to try all kinds.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn allowed(bits: u32) -> bool {
    #[cfg(test)]
    if bits > WIDEST.get() {
        return false;
    }
    bits <= LIMIT.load(Relaxed)
}

#[cfg(test)]
thread_local! {
    static WIDEST: std::cell::Cell<u32> = const { std::cell::Cell::new(u32::MAX) };
}

/// Does it with every kind of vectors that this processor has.
#[cfg(test)]
#[track_caller]
pub(crate) fn with_each_width(mut test: impl FnMut()) {
    use prerequisite::{Prerequisite, is_met};
    for bits in [64, 128, 256, 512] {
        WIDEST.set(bits);
        test();
    }
    // Where vectors are missing, narrower ones were tried again in their place.
    for vectors in [Prerequisite::Avx2, Prerequisite::Avx512] {
        let _ = is_met(vectors);
    }
    WIDEST.set(u32::MAX);
}
