//! The synchronisation primitives of the crate's concurrent protocols.
//!
//! The protocols of the worker pool, the node index and the result slots are generic over
//! [`SyncPrimitives`]. Outside tests these are [`NativePrimitives`], the standard library's,
//! and every call is inlined. Tests run the same code on those of the model checker loom, which
//! tries every interleaving, and for each load every store that it may read from under the
//! C11 memory model, up to a bound.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};

/// An atomic value.
pub(crate) trait AtomicValue<T>: Default + Send + Sync {
    /// See [`AtomicU64::load`].
    fn load(&self, order: Ordering) -> T;

    /// See [`AtomicU64::store`].
    fn store(&self, value: T, order: Ordering);
}

/// An atomic counter.
pub(crate) trait AtomicCounter: AtomicValue<usize> {
    /// See [`AtomicUsize::fetch_add`].
    fn fetch_add(&self, value: usize, order: Ordering) -> usize;

    /// See [`AtomicUsize::fetch_sub`].
    fn fetch_sub(&self, value: usize, order: Ordering) -> usize;
}

/// A mutex. No critical section of this crate leaves its value inconsistent when it panics, so
/// a poisoned mutex is used like any other.
pub(crate) trait Lock<T>: Default + Send + Sync {
    /// Runs a critical section.
    fn with<R>(&self, section: impl FnOnce(&mut T) -> R) -> R;
}

/// The handle of a thread that can be parked.
pub(crate) trait ThreadHandle: Clone + Send {
    /// The calling thread's handle.
    fn current() -> Self;

    /// See [`thread::park`]: it may return early.
    fn park();

    /// See [`Thread::unpark`].
    fn unpark(&self);
}

/// An implementation of all these primitives.
pub(crate) trait SyncPrimitives {
    type U8: AtomicValue<u8>;
    type U32: AtomicValue<u32>;
    type U64: AtomicValue<u64>;
    type Bool: AtomicValue<bool>;
    type Usize: AtomicCounter;
    type Mutex<T: Default + Send>: Lock<T>;
    type Thread: ThreadHandle;

    /// How often a waiting thread polls before it parks.
    const POLLS: u32;
}

/// The standard library's.
pub(crate) struct NativePrimitives;

impl SyncPrimitives for NativePrimitives {
    type U8 = AtomicU8;
    type U32 = AtomicU32;
    type U64 = AtomicU64;
    type Bool = AtomicBool;
    type Usize = AtomicUsize;
    type Mutex<T: Default + Send> = Mutex<T>;
    type Thread = Thread;

    // Some ten microseconds.
    const POLLS: u32 = 2000;
}

/// Implements the traits for atomic types by their methods of the same names.
macro_rules! forward {
    ($counter:ty; $($value:ty => $atomic:ty),*) => {
        $(
            impl AtomicValue<$value> for $atomic {
                #[inline(always)]
                fn load(&self, order: Ordering) -> $value {
                    <$atomic>::load(self, order)
                }

                #[inline(always)]
                fn store(&self, value: $value, order: Ordering) {
                    <$atomic>::store(self, value, order);
                }
            }
        )*

        impl AtomicCounter for $counter {
            #[inline(always)]
            fn fetch_add(&self, value: usize, order: Ordering) -> usize {
                <$counter>::fetch_add(self, value, order)
            }

            #[inline(always)]
            fn fetch_sub(&self, value: usize, order: Ordering) -> usize {
                <$counter>::fetch_sub(self, value, order)
            }
        }
    };
}

forward!(AtomicUsize; u8 => AtomicU8, u32 => AtomicU32, u64 => AtomicU64, bool => AtomicBool,
    usize => AtomicUsize);

impl<T: Default + Send> Lock<T> for Mutex<T> {
    fn with<R>(&self, section: impl FnOnce(&mut T) -> R) -> R {
        section(&mut self.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ThreadHandle for Thread {
    fn current() -> Self {
        thread::current()
    }

    fn park() {
        thread::park();
    }

    fn unpark(&self) {
        Thread::unpark(self);
    }
}

/// The model checker, for tests.
#[cfg(test)]
pub(crate) mod model {
    use super::{
        AtomicCounter, AtomicValue, Lock, Ordering, PoisonError, SyncPrimitives, ThreadHandle,
    };
    use loom::model::Builder;
    use loom::sync::Mutex;
    use loom::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize};
    use loom::thread::{self, Thread};

    /// Loom's primitives. They work inside [`check`] only.
    pub(crate) struct LoomPrimitives;

    impl SyncPrimitives for LoomPrimitives {
        type U8 = AtomicU8;
        type U32 = AtomicU32;
        type U64 = AtomicU64;
        type Bool = AtomicBool;
        type Usize = AtomicUsize;
        type Mutex<T: Default + Send> = Mutex<T>;
        type Thread = Thread;

        // More polls would only repeat states.
        const POLLS: u32 = 1;
    }

    forward!(AtomicUsize; u8 => AtomicU8, u32 => AtomicU32, u64 => AtomicU64,
        bool => AtomicBool, usize => AtomicUsize);

    impl<T: Default + Send> Lock<T> for Mutex<T> {
        fn with<R>(&self, section: impl FnOnce(&mut T) -> R) -> R {
            section(&mut self.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }

    impl ThreadHandle for Thread {
        fn current() -> Self {
            thread::current()
        }

        fn park() {
            thread::park();
        }

        fn unpark(&self) {
            Thread::unpark(self);
        }
    }

    /// Runs a model in every execution with at most `preemptions` preemptions (interruptions of a
    /// thread that could go on). Two or three nearly always find what an unbounded search finds
    /// (Musuvathi and Qadeer, "Iterative context bounding", PLDI 2007).
    pub(crate) fn check(preemptions: usize, model: impl Fn() + Send + Sync + 'static) {
        let mut builder = Builder::new();
        builder.preemption_bound = Some(preemptions);
        builder.check(model);
    }
}
