//! A few threads that do short pieces of work together, again and again.
//!
//! [`std::thread::scope`] starts its threads each time, which takes as long as a pass over
//! a thousand tiles. A team's threads stay, and wait for the next piece: at first awake,
//! then asleep. What they are lent is theirs for the length of one call only; that is
//! what safe threads that stay cannot be told.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, Thread};

/// How often a thread looks for work before it goes to sleep: some ten microseconds.
const LOOKS: u32 = 2000;

/// Threads that work for the one that made them.
#[derive(Debug)]
pub(crate) struct Team {
    desk: Arc<Desk>,
    helpers: Vec<JoinHandle<()>>,
}

/// Where work is handed out.
#[derive(Debug)]
struct Desk {
    /// Counts pieces of work.
    round: AtomicUsize,
    work: Mutex<Option<Work>>,
    /// Helpers that have not done the present piece.
    busy: AtomicUsize,
    /// Whom to wake when all have.
    caller: Mutex<Option<Thread>>,
    /// What a helper panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    closes: AtomicBool,
    /// Helpers that sleep at present.
    #[cfg(test)]
    asleep: AtomicUsize,
}

/// A piece of work with its lifetime taken away.
#[derive(Clone, Copy, Debug)]
struct Work {
    job: *const (),
    call: unsafe fn(*const (), usize),
}

// SAFETY: the pointer is to a job that is `Sync`, see `Team::run`.
unsafe impl Send for Work {}

impl Team {
    /// A team of so many, the caller among them.
    pub(crate) fn new(threads: usize) -> Self {
        let desk = Arc::new(Desk {
            round: AtomicUsize::new(0),
            work: Mutex::new(None),
            busy: AtomicUsize::new(0),
            caller: Mutex::new(None),
            panic: Mutex::new(None),
            closes: AtomicBool::new(false),
            #[cfg(test)]
            asleep: AtomicUsize::new(0),
        });
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
        /// # Safety
        /// `job` points to a `J` that lives and may be shared.
        unsafe fn call<J: Fn(usize) + Sync>(job: *const (), k: usize) {
            // SAFETY: as the caller promises.
            let job = unsafe { &*job.cast::<J>() };
            job(k);
        }
        if self.helpers.is_empty() {
            return job(0);
        }
        let desk = &*self.desk;
        *lock(&desk.caller) = Some(thread::current());
        *lock(&desk.work) = Some(Work {
            job: std::ptr::from_ref(job).cast(),
            call: call::<J>,
        });
        desk.busy.store(self.helpers.len(), Ordering::Relaxed);
        desk.round.fetch_add(1, Ordering::Release);
        for helper in &self.helpers {
            helper.thread().unpark();
        }
        // Whatever happens here, the job is lent until all have done with it.
        let own = catch_unwind(AssertUnwindSafe(|| job(0)));
        wait_until(|| desk.busy.load(Ordering::Acquire) == 0, thread::park);
        *lock(&desk.work) = None;
        let theirs = lock(&desk.panic).take();
        if let Some(panic) = own.err().or(theirs) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.desk.closes.store(true, Ordering::Release);
        for helper in self.helpers.drain(..) {
            helper.thread().unpark();
            // It has nothing to tell: what it panicked with was told by `run`.
            drop(helper.join());
        }
    }
}

impl Desk {
    /// What a helper does: all work that comes, until the team is given up.
    fn help(&self, k: usize) {
        let mut done = 0;
        loop {
            let has_news = || {
                self.round.load(Ordering::Acquire) != done || self.closes.load(Ordering::Acquire)
            };
            wait_until(has_news, || self.sleep());
            if self.round.load(Ordering::Acquire) == done {
                return;
            }
            done += 1;
            let work = *lock(&self.work);
            if let Some(Work { job, call }) = work {
                // SAFETY: the job is lent by `Team::run`, which waits, whatever happens,
                // until each helper has counted itself out below, and puts no other job
                // in its place before; it is `Sync`, and of the type that `call` is for.
                let result = catch_unwind(AssertUnwindSafe(|| unsafe { call(job, k) }));
                if let Err(panic) = result {
                    *lock(&self.panic) = Some(panic);
                }
            }
            // The caller is asked for before it may go on, and start another round.
            let caller = lock(&self.caller).clone();
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
        thread::park();
        #[cfg(test)]
        self.asleep.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits, awake at first, for what comes with an `unpark`; `sleep` returns when that comes.
fn wait_until(is_so: impl Fn() -> bool, sleep: impl Fn()) {
    for _ in 0..LOOKS {
        if is_so() {
            return;
        }
        std::hint::spin_loop();
    }
    while !is_so() {
        sleep();
    }
}

/// What is behind a lock. Nothing here is left half done by who panics.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_team_work_and_are_waited_for() {
        for threads in [0, 1, 2, 5] {
            let mut team = Team::new(threads);
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
        let mut team = Team::new(3);
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
