//! A value that several threads of Python may ask for. Own method: a lock is waited for only while
//! detached from Python, since its holder may be waiting for Python itself.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// One value behind a lock, of the process that made it.
pub(crate) struct GuardedValue<T> {
    value: Mutex<T>,
    /// The number of the thread that holds it while Python may run; 0 for none.
    holder: AtomicU64,
    process: u32,
    /// Whether it has threads of its own, which a forked process lacks.
    has_threads: bool,
    what: &'static str,
}

/// Numbers of threads, from 1.
fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|number| *number)
}

/// Gives the value back as nobody's, also when a panic unwinds.
struct HolderMark<'a>(&'a AtomicU64);

impl Drop for HolderMark<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}

impl<T: Send> GuardedValue<T> {
    pub(crate) fn new(value: T, what: &'static str, has_threads: bool) -> Self {
        Self {
            value: Mutex::new(value),
            holder: AtomicU64::new(0),
            process: std::process::id(),
            has_threads,
            what,
        }
    }

    /// Short work, that never calls Python: done at once where nobody else has the value.
    pub(crate) fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> R + Send,
    ) -> PyResult<R> {
        self.check_process()?;
        match self.value.try_lock() {
            Ok(mut value) => Ok(work(&mut value)),
            Err(TryLockError::Poisoned(poisoned)) => Ok(work(&mut poisoned.into_inner())),
            Err(TryLockError::WouldBlock) => self.with_detached(py, work),
        }
    }

    /// Long work, which may attach to Python again: other threads of Python run meanwhile.
    pub(crate) fn with_detached<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> R + Send,
    ) -> PyResult<R> {
        self.check_process()?;
        let own = thread_number();
        if self.holder.load(Ordering::Acquire) == own {
            let message = format!(
                "the {} is in use by the call that this one is made from",
                self.what
            );
            return Err(PyRuntimeError::new_err(message));
        }
        Ok(py.detach(|| {
            let mut value = self.lock();
            self.holder.store(own, Ordering::Release);
            let _mark = HolderMark(&self.holder);
            work(&mut value)
        }))
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// After `fork` there are no threads but one: what another one held is held for ever.
    fn check_process(&self) -> PyResult<()> {
        if std::process::id() == self.process {
            return Ok(());
        }
        let is_held = || matches!(self.value.try_lock(), Err(TryLockError::WouldBlock));
        if !self.has_threads && !is_held() {
            return Ok(());
        }
        let message = format!(
            "the {} was made before this process was forked, and its threads are not here: \
             start processes with \"spawn\" or \"forkserver\"",
            self.what
        );
        Err(PyRuntimeError::new_err(message))
    }
}
