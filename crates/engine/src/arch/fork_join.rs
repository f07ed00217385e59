//! A few threads that do short pieces of work together, again and again.
//!
//! [`std::thread::scope`] starts its threads each time, which takes as long as a pass over
//! a thousand tiles. A team's threads stay, and wait for the next piece: at first awake,
//! then asleep. What they are lent is theirs for the length of one call only; that is
//! what safe threads that stay cannot be told.

use super::sync::{
    AtomicCounter, AtomicValue, Lock, NativePrimitives, SyncPrimitives, ThreadHandle,
};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};

/// Threads that work for the one that made them.
pub(crate) struct ForkJoinPool {
    desk: Arc<ForkJoinState<NativePrimitives>>,
    helpers: Vec<JoinHandle<()>>,
}

/// Where work is handed out.
///
/// The caller writes the job, then counts the round up (release). A helper that sees the
/// new round (acquire) runs the job and counts itself out of `busy` (release); each of these
/// continues the release sequence of the one before. So the caller, once it has read zero
/// (acquire), sees what every helper did, and nobody reads the job any more. A thread parks
/// only after it has looked, and is unparked after what it looks at was written: no wake-up
/// is lost.
struct ForkJoinState<P: SyncPrimitives> {
    /// Counts pieces of work.
    round: P::Usize,
    work: P::Mutex<Option<ErasedJob>>,
    /// Helpers that have not done the present piece.
    busy: P::Usize,
    /// Whom to wake when all have.
    caller: P::Mutex<Option<P::Thread>>,
    /// What a helper panicked with.
    panic: P::Mutex<Option<Box<dyn Any + Send>>>,
    closes: P::Bool,
    /// Helpers that sleep at present.
    #[cfg(test)]
    asleep: std::sync::atomic::AtomicUsize,
}

/// A piece of work with its lifetime taken away.
#[derive(Clone, Copy)]
struct ErasedJob {
    job: *const (),
    call: unsafe fn(*const (), usize),
}

// SAFETY: `ForkJoinState::run` alone makes one, and the job that it points to is `Sync` there.
unsafe impl Send for ErasedJob {}

impl ForkJoinPool {
    /// A team of so many, the caller among them.
    pub(crate) fn new(threads: usize) -> Self {
        let desk = Arc::new(ForkJoinState::default());
        // Where the system gives no more threads, fewer do the work.
        let start = |k| {
            let desk = Arc::clone(&desk);
            let name = format!("worker {k}");
            let built = thread::Builder::new().name(name);
            built.spawn(move || desk.help(k)).ok()
        };
        let helpers = (1..threads).map_while(start).collect();
        Self { desk, helpers }
    }

    /// How many they are.
    pub(crate) fn len(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Has each of the team do the job once, told which of them it is: 0 is the caller.
    /// Returns when all have.
    ///
    /// # Panics
    /// When the job does, on any thread.
    pub(crate) fn run<J: Fn(usize) + Sync>(&mut self, job: &J) {
        if self.helpers.is_empty() {
            return job(0);
        }
        let helpers = self.helpers.iter().map(JoinHandle::thread);
        // SAFETY: the helpers are all threads that were started on this desk, and as `self`
        // is borrowed mutably, there is no other call.
        unsafe { self.desk.run(helpers, job) }
    }
}

impl Drop for ForkJoinPool {
    fn drop(&mut self) {
        self.desk.close(self.helpers.iter().map(JoinHandle::thread));
        for helper in self.helpers.drain(..) {
            // It has nothing to tell: what it panicked with was told by `run`.
            drop(helper.join());
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
            closes: P::Bool::default(),
            #[cfg(test)]
            asleep: std::sync::atomic::AtomicUsize::new(0),
        }
    }
}

impl<P: SyncPrimitives> ForkJoinState<P> {
    /// See [`ForkJoinPool::run`].
    ///
    /// # Safety
    /// The helpers are the handles of all threads that run [`ForkJoinState::help`], and one thread at
    /// a time calls this.
    unsafe fn run<'a, J: Fn(usize) + Sync>(
        &self,
        helpers: impl ExactSizeIterator<Item = &'a P::Thread>,
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
        self.busy.store(helpers.len(), Ordering::Relaxed);
        self.round.fetch_add(1, Ordering::Release);
        helpers.for_each(ThreadHandle::unpark);
        // Whatever happens here, the job is lent until all have done with it.
        let own = catch_unwind(AssertUnwindSafe(|| job(0)));
        wait_until::<P>(|| self.busy.load(Ordering::Acquire) == 0, P::Thread::park);
        self.work.with(|work| *work = None);
        let theirs = self.panic.with(Option::take);
        if let Some(panic) = own.err().or(theirs) {
            resume_unwind(panic);
        }
    }

    /// Has the helpers return.
    fn close<'a>(&self, helpers: impl Iterator<Item = &'a P::Thread>)
    where
        P::Thread: 'a,
    {
        self.closes.store(true, Ordering::Release);
        helpers.for_each(ThreadHandle::unpark);
    }

    /// What a helper does: all work that comes, until the team is given up.
    fn help(&self, k: usize) {
        let mut done = 0;
        loop {
            let has_news = || {
                self.round.load(Ordering::Acquire) != done || self.closes.load(Ordering::Acquire)
            };
            wait_until::<P>(has_news, || self.sleep());
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
            // The caller is asked for before it may go on, and start another round.
            let caller = self.caller.with(|caller| caller.clone());
            if self.busy.fetch_sub(1, Ordering::Release) == 1
                && let Some(caller) = caller
            {
                caller.unpark();
            }
        }
    }

    /// What a helper does that has looked for work in vain.
    fn sleep(&self) {
        #[cfg(test)]
        self.asleep.fetch_add(1, Ordering::Relaxed);
        P::Thread::park();
        #[cfg(test)]
        self.asleep.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits, awake at first, for what comes with an `unpark`; `sleep` returns when that comes.
fn wait_until<P: SyncPrimitives>(is_so: impl Fn() -> bool, sleep: impl Fn()) {
    for _ in 0..P::POLLS {
        if is_so() {
            return;
        }
        std::hint::spin_loop();
    }
    while !is_so() {
        sleep();
    }
}

#[cfg(test)]
mod tests {
    use super::super::sync::model::{LoomPrimitives, check};
    use super::*;
    use loom::cell::UnsafeCell;
    use std::sync::atomic::AtomicUsize;

    /// What jobs write to without atomics, each thread to its own.
    struct PlainCounters([UnsafeCell<usize>; 3]);

    // SAFETY: loom fails a model in which two threads use one at once.
    unsafe impl Sync for PlainCounters {}

    /// In two rounds, each of three threads does each job once, on data that is not atomic;
    /// then the caller reads it. Loom fails this where a job is done by nobody or twice, where
    /// one is read after `run` has returned, and where nobody is left to wake a thread.
    #[test]
    fn in_every_execution_each_job_is_done_once_before_its_caller_goes_on() {
        check(3, || {
            let desk = loom::sync::Arc::new(ForkJoinState::<LoomPrimitives>::default());
            let helpers = [1, 2].map(|k| {
                let desk = desk.clone();
                loom::thread::spawn(move || desk.help(k))
            });
            let threads = || helpers.iter().map(loom::thread::JoinHandle::thread);
            for round in 1..=2 {
                let counters = PlainCounters(std::array::from_fn(|_| UnsafeCell::new(0)));
                let job = |k: usize| {
                    let PlainCounters(counters) = &counters;
                    // SAFETY: loom fails the model where the pointer is not this thread's alone.
                    counters[k].with_mut(|cell| unsafe { *cell += round });
                };
                // SAFETY: these two threads run `help`, and this is the only one that calls.
                unsafe { desk.run(threads(), &job) };
                for cell in &counters.0 {
                    // SAFETY: loom fails the model where another thread writes meanwhile.
                    cell.with(|cell| assert_eq!(unsafe { *cell }, round));
                }
            }
            desk.close(threads());
            for helper in helpers {
                helper.join().unwrap();
            }
        });
    }

    #[test]
    fn all_of_a_team_work_and_are_waited_for() {
        for threads in [0, 1, 2, 5] {
            let mut team = ForkJoinPool::new(threads);
            assert_eq!(team.len(), threads.max(1));
            let counts: Vec<AtomicUsize> = (0..team.len()).map(|_| AtomicUsize::new(0)).collect();
            for round in 1..300 {
                if round % 100 == 0 {
                    // Without work they fall asleep, and are woken for the next piece.
                    while team.desk.asleep.load(Ordering::Relaxed) < team.helpers.len() {
                        thread::yield_now();
                    }
                }
                team.run(&|k| {
                    counts[k].fetch_add(1, Ordering::Relaxed);
                });
                for count in &counts {
                    assert_eq!(count.load(Ordering::Relaxed), round);
                }
            }
        }
    }

    #[test]
    fn a_panic_is_the_callers_and_the_team_goes_on() {
        let mut team = ForkJoinPool::new(3);
        for who in 0..3 {
            let done = AtomicUsize::new(0);
            let result = catch_unwind(AssertUnwindSafe(|| {
                team.run(&|k| {
                    assert!(k != who, "as it must");
                    done.fetch_add(1, Ordering::Relaxed);
                });
            }));
            assert!(result.is_err());
            assert_eq!(done.load(Ordering::Relaxed), 2);
        }
        let done = AtomicUsize::new(0);
        team.run(&|_| {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 3);
    }
}
