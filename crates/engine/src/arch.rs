//! What depends on the processor or the system: gathers, mapped memory, threads, and atomics
//! that a model can check. SIMD is in [`kernel::simd`], machine code in the crate `jit`.

mod cost;
#[allow(unsafe_code)]
mod fork_join;
#[allow(unsafe_code)]
mod gather;
#[allow(unsafe_code)]
mod mapped_memory;
mod sync;
#[cfg(any(test, target_arch = "wasm32"))]
mod wasm_pages;

pub(crate) use cost::{HAS_WIDE_PRODUCTS, READS_AHEAD, read_ahead, run_apart};
pub(crate) use fork_join::ForkJoinPool;
pub(crate) use gather::{
    BUCKET_IDS, BucketProbe, compute_probes, find_ids, find_mismatches, first_candidate, hash_key,
    touch_children,
};
pub(crate) use mapped_memory::{
    IndexBucket, MappedArray, NodeFields, NodeLine, NodeLineView, WordLine, equal_bytes,
};
#[cfg(test)]
pub(crate) use sync::model;
pub(crate) use sync::{AtomicValue, NativePrimitives, SyncPrimitives};
