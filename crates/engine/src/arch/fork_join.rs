//! A fork-join pool: a few threads that run short jobs together, again and again.
//!
//! [`std::thread::scope`] starts its threads each time, which takes as long as a pass over
//! a thousand tiles. The workers of this pool stay, and wait for the next job: spinning at
//! first, then parked. A pool of rayon's, with its broadcast, was measured in place of this one: on
//! two threads, a soup of 1024 x 1024 in tiles took 2.9 times as long, tori 1 to 1.3 times.
//! A job is borrowed for the length of one call only, which safe Rust
//! cannot express for threads that outlive the call; hence the unsafe code.

use super::sync::{
    AtomicCounter, AtomicValue, Lock, NativePrimitives, SyncPrimitives, ThreadHandle,
};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};

/// A pool of worker threads. The thread that calls [`ForkJoinPool::run`] works too.
pub(crate) struct ForkJoinPool {
    state: Arc<ForkJoinState<NativePrimitives>>,
    workers: Vec<JoinHandle<()>>,
}

/// The state that the caller and the workers share.
///
/// The caller writes the job, then increments `round` (release). A worker that sees the
/// new round (acquire) runs the job and decrements `busy` (release); each decrement
/// continues the release sequence of the one before. So once the caller has read zero
/// (acquire), it sees every write of the workers, and none of them reads the job any more. A
/// thread parks only after it has checked its condition, and is unparked after the condition
/// was written: no wake-up is lost.
struct ForkJoinState<P: SyncPrimitives> {
    /// The number of jobs started so far.
    round: P::Usize,
    work: P::Mutex<Option<ErasedJob>>,
    /// Workers that have not finished the current job.
    busy: P::Usize,
    /// The thread to unpark when all have.
    caller: P::Mutex<Option<P::Thread>>,
    /// The payload of a worker's panic.
    panic: P::Mutex<Option<Box<dyn Any + Send>>>,
    is_closed: P::Bool,
    /// Workers that are parked.
    #[cfg(test)]
    parked: std::sync::atomic::AtomicUsize,
}

/// A job with its type and lifetime erased.
#[derive(Clone, Copy)]
struct ErasedJob {
    job: *const (),
    call: unsafe fn(*const (), usize),
}

// SAFETY: `ForkJoinState::run` alone makes one, and the job that it points to is `Sync` there.
unsafe impl Send for ErasedJob {}

impl ForkJoinPool {
    /// A pool of `threads` threads, the caller included.
    pub(crate) fn new(threads: usize) -> Self {
        let state = Arc::new(ForkJoinState::default());
        // If the system refuses more threads, fewer do the work.
        let start = |k| {
            let state = Arc::clone(&state);
            let name = format!("worker {k}");
            let built = thread::Builder::new().name(name);
            built.spawn(move || state.run_worker(k)).ok()
        };
        let workers = (1..threads).map_while(start).collect();
        Self { state, workers }
    }

    /// The number of threads, the caller included.
    pub(crate) fn len(&self) -> usize {
        self.workers.len() + 1
    }

    /// Runs the job once on each thread with that thread's index, 0 for the caller, and returns
    /// when all have finished.
    ///
    /// # Panics
    /// When the job does, on any thread.
    pub(crate) fn run<J: Fn(usize) + Sync>(&mut self, job: &J) {
        if self.workers.is_empty() {
            return job(0);
        }
        let workers = self.workers.iter().map(JoinHandle::thread);
        // SAFETY: the workers are all threads that were started with this state, and as `self`
        // is borrowed mutably, there is no other call.
        unsafe { self.state.run(workers, job) }
    }
}

impl Drop for ForkJoinPool {
    fn drop(&mut self) {
        self.state
            .shut_down(self.workers.iter().map(JoinHandle::thread));
        for worker in self.workers.drain(..) {
            // `run` has already reported its panic.
            drop(worker.join());
        }
    }
}

impl<P: SyncPrimitives> Default for ForkJoinState<P> {
    fn default() -> Self {
        Self {
            round: P::Usize::default(),
            work: P::Mutex::default(),
            busy: P::Usize::default(),
            caller: P::Mutex::default(),
            panic: P::Mutex::default(),
            is_closed: P::Bool::default(),
            #[cfg(test)]
            parked: std::sync::atomic::AtomicUsize::new(0),
        }
    }
}

impl<P: SyncPrimitives> ForkJoinState<P> {
    /// See [`ForkJoinPool::run`].
    ///
    /// # Safety
    /// The workers are the handles of all threads that run [`ForkJoinState::run_worker`], and
    /// only one thread at a time calls this.
    unsafe fn run<'a, J: Fn(usize) + Sync>(
        &self,
        workers: impl ExactSizeIterator<Item = &'a P::Thread>,
        job: &J,
    ) where
        P::Thread: 'a,
    {
        /// # Safety
        /// `job` points to a `J` that lives and may be shared.
        unsafe fn call<J: Fn(usize) + Sync>(job: *const (), k: usize) {
            // SAFETY: the caller promises that it points to a live `J`.
            let job = unsafe { &*job.cast::<J>() };
            job(k);
        }
        self.caller
            .with(|caller| *caller = Some(P::Thread::current()));
        self.work.with(|work| {
            *work = Some(ErasedJob {
                job: std::ptr::from_ref(job).cast(),
                call: call::<J>,
            });
        });
        self.busy.store(workers.len(), Ordering::Relaxed);
        self.round.fetch_add(1, Ordering::Release);
        workers.for_each(ThreadHandle::unpark);
        // Even if the job panics here, it stays borrowed until all workers have finished.
        let own = catch_unwind(AssertUnwindSafe(|| job(0)));
        wait_until::<P>(|| self.busy.load(Ordering::Acquire) == 0, P::Thread::park);
        self.work.with(|work| *work = None);
        let worker_panic = self.panic.with(Option::take);
        if let Some(panic) = own.err().or(worker_panic) {
            resume_unwind(panic);
        }
    }

    /// Tells the workers to return.
    fn shut_down<'a>(&self, workers: impl Iterator<Item = &'a P::Thread>)
    where
        P::Thread: 'a,
    {
        self.is_closed.store(true, Ordering::Release);
        workers.for_each(ThreadHandle::unpark);
    }

    /// The loop of a worker: runs every job until the pool shuts down.
    fn run_worker(&self, k: usize) {
        let mut done = 0;
        loop {
            let is_signalled = || {
                self.round.load(Ordering::Acquire) != done || self.is_closed.load(Ordering::Acquire)
            };
            wait_until::<P>(is_signalled, || self.park());
            if self.round.load(Ordering::Acquire) == done {
                return;
            }
            done += 1;
            let work = self.work.with(|work| *work);
            if let Some(ErasedJob { job, call }) = work {
                // SAFETY: `ForkJoinState::run` put both here, the job as a `J` that is `Sync` and the
                // `call` for that `J`. It returns, whatever happens, only after `busy` is
                // zero, which it is not before this thread has counted itself out below;
                // and no other call puts a job in this one's place before.
                let result = catch_unwind(AssertUnwindSafe(|| unsafe { call(job, k) }));
                if let Err(payload) = result {
                    self.panic.with(|panic| *panic = Some(payload));
                }
            }
            // The handle is read first: after the decrement the caller may start another round.
            let caller = self.caller.with(|caller| caller.clone());
            if self.busy.fetch_sub(1, Ordering::Release) == 1
                && let Some(caller) = caller
            {
                caller.unpark();
            }
        }
    }

    /// Parks a worker that has spun in vain.
    fn park(&self) {
        #[cfg(test)]
        self.parked.fetch_add(1, Ordering::Relaxed);
        P::Thread::park();
        #[cfg(test)]
        self.parked.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits for a condition: spins at first, then parks. Whoever makes the condition true
/// unparks the thread.
fn wait_until<P: SyncPrimitives>(condition: impl Fn() -> bool, park: impl Fn()) {
    for _ in 0..P::POLLS {
        if condition() {
            return;
        }
        std::hint::spin_loop();
    }
    while !condition() {
        park();
    }
}

#[cfg(test)]
mod tests {
    use super::super::sync::model::{LoomPrimitives, check};
    use super::*;
    use loom::cell::UnsafeCell;
    use std::sync::atomic::AtomicUsize;

    /// Counters that jobs write without atomics, each thread its own.
    struct PlainCounters([UnsafeCell<usize>; 3]);

    // SAFETY: loom fails a model in which two threads use one at once.
    unsafe impl Sync for PlainCounters {}

    /// In two rounds, each of three threads runs each job once, on data that is not atomic;
    /// then the caller reads it. Loom fails this where a job is not run or run twice, where
    /// one is read after `run` has returned, and where a wake-up is lost.
    #[test]
    fn in_every_execution_each_job_is_done_once_before_its_caller_goes_on() {
        check(3, || {
            let state = loom::sync::Arc::new(ForkJoinState::<LoomPrimitives>::default());
            let workers = [1, 2].map(|k| {
                let state = state.clone();
                loom::thread::spawn(move || state.run_worker(k))
            });
            let threads = || workers.iter().map(loom::thread::JoinHandle::thread);
            for round in 1..=2 {
                let counters = PlainCounters(std::array::from_fn(|_| UnsafeCell::new(0)));
                let job = |k: usize| {
                    let PlainCounters(counters) = &counters;
                    // SAFETY: loom fails the model where the pointer is not this thread's alone.
                    counters[k].with_mut(|cell| unsafe { *cell += round });
                };
                // SAFETY: these two threads run `run_worker`, and this is the only one that calls.
                unsafe { state.run(threads(), &job) };
                for cell in &counters.0 {
                    // SAFETY: loom fails the model where another thread writes meanwhile.
                    cell.with(|cell| assert_eq!(unsafe { *cell }, round));
                }
            }
            state.shut_down(threads());
            for worker in workers {
                worker.join().unwrap();
            }
        });
    }

    #[test]
    fn all_threads_of_a_pool_run_the_job_and_are_waited_for() {
        for threads in [0, 1, 2, 5] {
            let mut pool = ForkJoinPool::new(threads);
            assert_eq!(pool.len(), threads.max(1));
            let counts: Vec<AtomicUsize> = (0..pool.len()).map(|_| AtomicUsize::new(0)).collect();
            for round in 1..300 {
                if round % 100 == 0 {
                    // Idle workers park, and are woken for the next job.
                    while pool.state.parked.load(Ordering::Relaxed) < pool.workers.len() {
                        thread::yield_now();
                    }
                }
                pool.run(&|k| {
                    counts[k].fetch_add(1, Ordering::Relaxed);
                });
                for count in &counts {
                    assert_eq!(count.load(Ordering::Relaxed), round);
                }
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_goes_on() {
        let mut pool = ForkJoinPool::new(3);
        for who in 0..3 {
            let done = AtomicUsize::new(0);
            let result = catch_unwind(AssertUnwindSafe(|| {
                pool.run(&|k| {
                    assert!(k != who, "as it must");
                    done.fetch_add(1, Ordering::Relaxed);
                });
            }));
            assert!(result.is_err());
            assert_eq!(done.load(Ordering::Relaxed), 2);
        }
        let done = AtomicUsize::new(0);
        pool.run(&|_| {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 3);
    }
}
