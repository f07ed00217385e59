//! SIMD vectors, and runtime dispatch among instruction sets.
//!
//! A [`SimdTask`] is written once, in safe code, over any [`Vector`], and compiled for each
//! instruction set. [`SimdElement::dispatch`] detects the sets that the processor has and runs
//! the task in the widest. Callers with many small tasks detect once
//! ([`InstructionSet::widest`]) and pass the result to [`SimdElement::run_in`]. The vector types
//! are private to this module, so that no code can name one without that check.
//!
//! Everything that a task calls is inlined into it, once per instruction set. So a task is one
//! loop over one row, and the control flow around it is ordinary code. When a whole sweep over a
//! grid was one task, LLVM took 170 of the engine's 300 seconds for nine copies.

#[cfg(any(
    test,
    feature = "each-width",
    not(any(
        target_arch = "x86_64",
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
mod portable_vector;
#[allow(unsafe_code)]
mod prefetch;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
mod wasm;
mod word;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86;

pub use prefetch::prefetch;
#[cfg(target_arch = "x86_64")]
pub use x86::InstructionSet;

use crate::BitVector;
#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A SIMD vector of words `W`, with bitwise logic on all of them.
pub trait Vector<W>: BitVector + 'static {
    /// The number of words.
    const LANES: usize;

    /// Loads the first words of a slice.
    ///
    /// # Panics
    /// When the slice has fewer.
    fn load(from: &[W]) -> Self;

    /// Loads the first sixteen bytes of a slice, or as many as the vector holds, to the vector's
    /// first words, and clears the others.
    ///
    /// # Panics
    /// When the slice has fewer.
    fn load_front(from: &[W]) -> Self;

    /// The same, to the vector's last words.
    ///
    /// # Panics
    /// When the slice has fewer.
    fn load_back(from: &[W]) -> Self;

    /// Broadcasts a word.
    fn all_words(word: W) -> Self;

    /// Stores to the first words of a slice.
    ///
    /// # Panics
    /// When the slice has fewer.
    fn store(self, to: &mut [W]);

    /// Shifts every word left by one bit, so that each bit position holds its western
    /// neighbour: the next less significant bit.
    fn west(self) -> Self;

    /// Shifts every word right by one bit: each position holds its eastern neighbour.
    fn east(self) -> Self;

    /// Shifts the words by one lane: each becomes the one before it, the first becomes the
    /// last of `before`.
    fn above(self, before: Self) -> Self;

    /// Shifts the words by one lane: each becomes the one after it, the last becomes the
    /// first of `after`.
    fn below(self, after: Self) -> Self;

    /// Moves the eight highest bits of every word to its lowest, and clears the others.
    fn last_byte(self) -> Self;

    /// Moves the eight lowest bits of every word to its highest, and clears the others.
    fn first_byte(self) -> Self;

    /// Moves the highest bit of every word to its lowest, and clears the others.
    fn last_bit(self) -> Self;

    /// Moves the lowest bit of every word to its highest, and clears the others.
    fn first_bit(self) -> Self;

    /// The first word.
    fn first_word(self) -> W;

    /// The last word.
    fn last_word(self) -> W;

    /// Replaces the first word.
    fn with_first(self, word: W) -> Self;

    /// Replaces the last word.
    fn with_last(self, word: W) -> Self;

    /// Whether no bit is set.
    fn is_zero(self) -> bool;
}

/// A computation that is generic over the vector type. Implementations are
/// `#[inline(always)]` all the way down, or they are not compiled for the instruction set.
/// Closures are not always inlined; `cargo xtask code-size` fails where a vector intrinsic was
/// not.
pub trait SimdTask<W> {
    /// Runs the task.
    fn run<V: Vector<W>>(self);
}

/// A word type that tasks can be dispatched for.
pub trait SimdElement: Vector<Self> + Sized {
    /// Runs the task with the vectors of an instruction set.
    fn run_in(set: InstructionSet, task: impl SimdTask<Self>);

    /// Runs the task with the widest vectors of this processor.
    #[inline]
    fn dispatch(task: impl SimdTask<Self>) {
        Self::run_in(InstructionSet::widest(), task);
    }
}

/// The number of bits in the widest vectors of this processor.
///
/// ```
/// assert!(kernel::simd::vector_bits() >= 128);
/// ```
pub fn vector_bits() -> usize {
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

/// An instruction set; on this architecture none is detected.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub struct InstructionSet;

#[cfg(not(target_arch = "x86_64"))]
impl InstructionSet {
    /// The widest set of this processor.
    pub fn widest() -> Self {
        Self
    }
}

#[cfg(not(target_arch = "x86_64"))]
macro_rules! element {
    ($word:ty, $lanes:literal) => {
        impl SimdElement for $word {
            #[inline]
            fn run_in(_set: InstructionSet, task: impl SimdTask<Self>) {
                #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                task.run::<wasm::WasmVector>();
                #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
                task.run::<portable_vector::PortableVector<Self, $lanes>>();
            }
        }
    };
}

#[cfg(not(target_arch = "x86_64"))]
element!(u32, 4);
#[cfg(not(target_arch = "x86_64"))]
element!(u64, 2);

/// Limits vectors to `bits` bits from now on; 128 leaves only the baseline of the architecture.
///
/// For programs that measure kernels which this processor would not choose. The limit is read
/// when a rule is compiled and whenever a kernel runs, so call this before the first world is
/// made.
///
/// ```
/// kernel::simd::limit_vector_width(128);
/// assert_eq!(kernel::simd::vector_bits(), 128);
/// ```
pub fn limit_vector_width(bits: u32) {
    #[cfg(target_arch = "x86_64")]
    LIMIT.store(bits, Relaxed);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bits;
}

#[cfg(target_arch = "x86_64")]
static LIMIT: AtomicU32 = AtomicU32::new(u32::MAX);

/// Whether vectors of `bits` bits may be used. Tests lower the limit too, each for its own
/// thread, to try all instruction sets.
///
/// ```
/// use kernel::simd::{is_width_allowed, limit_vector_width};
///
/// limit_vector_width(256);
/// assert!(is_width_allowed(256) && !is_width_allowed(512));
/// ```
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn is_width_allowed(bits: u32) -> bool {
    #[cfg(any(test, feature = "each-width"))]
    if bits > WIDEST.get() {
        return false;
    }
    bits <= LIMIT.load(Relaxed)
}

#[cfg(any(test, feature = "each-width"))]
thread_local! {
    static WIDEST: std::cell::Cell<u32> = const { std::cell::Cell::new(u32::MAX) };
}

/// Runs a test with every vector width of this processor.
///
/// ```
/// use kernel::simd::{vector_bits, with_each_width};
///
/// let mut widths = Vec::new();
/// with_each_width(|| widths.push(vector_bits()));
/// assert!(widths.is_sorted() && widths.len() == 4);
/// ```
#[cfg(any(test, feature = "each-width"))]
#[track_caller]
pub fn with_each_width(mut test: impl FnMut()) {
    use prerequisite::{Prerequisite, is_met};
    for bits in [64, 128, 256, 512] {
        WIDEST.set(bits);
        test();
    }
    // Where wide vectors are missing, narrower ones were tried again instead.
    for vectors in [Prerequisite::Avx2, Prerequisite::Avx512] {
        let _ = is_met(vectors);
    }
    WIDEST.set(u32::MAX);
}
