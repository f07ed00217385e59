//! What is cheap on one machine and dear on another.

use std::hint::black_box;

/// Whether the product of two words, of 128 bits, is a single instruction.
pub(crate) const HAS_WIDE_PRODUCTS: bool = !cfg!(target_arch = "wasm32");

/// Whether lines of memory are read before they are used, in loops of their own.
///
/// WebAssembly has no prefetch, and what a large loop does with one look-up leaves no room for the
/// loads of the next ones. A loop that does little else than to read has two dozen of them under way.
pub(crate) const READS_AHEAD: bool = cfg!(target_arch = "wasm32");

/// Reads all of these words where [`READS_AHEAD`], so that their lines are in the cache.
#[inline(always)]
pub(crate) fn read_ahead(words: impl Iterator<Item = u64>) {
    if READS_AHEAD {
        black_box(words.fold(0, |all, word| all ^ word));
    }
}

/// Runs a loop: as a function of its own in WebAssembly, since browsers compile it to a better one
/// than as a part of a large function.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(crate) fn run_apart<R>(work: impl FnOnce() -> R) -> R {
    work()
}
