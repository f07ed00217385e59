//! A pool of threads for what takes long: the laser puzzle's solver and generator, and players
//! that think.
//!
//! Jobs wait in a queue. Patient jobs, such as advice, wait in a second one, which comes first
//! every few jobs. A job that was begun with [`WorkerPool::begin`] is told by its [`JobPermit`]
//! when to end: its [`JobHandle`] was dropped, its time is up, or the owner of the pool has ended.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The interval at which an idle thread checks for the end.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// A patient job comes first after this many others.
const JOBS_BEFORE_PATIENT: u32 = 4;

type PoolJob = Box<dyn FnOnce() + Send>;

/// The pool; its threads end after it is dropped.
pub struct WorkerPool(Arc<PoolState>);

struct PoolState {
    queue: Mutex<PoolQueue>,
    available: Condvar,
    has_ended: Arc<AtomicBool>,
    is_dropped: AtomicBool,
    threads: AtomicUsize,
    /// The number of jobs in the queue, readable without the lock.
    waiting: AtomicUsize,
}

#[derive(Default)]
struct PoolQueue {
    jobs: VecDeque<PoolJob>,
    patient: VecDeque<PoolJob>,
    /// Jobs since a patient one came last, or there was none.
    jobs_since: u32,
}

impl PoolQueue {
    fn pop(&mut self) -> Option<PoolJob> {
        if self.patient.is_empty() {
            self.jobs_since = 0;
        }
        if self.jobs_since < JOBS_BEFORE_PATIENT
            && let Some(job) = self.jobs.pop_front()
        {
            self.jobs_since += 1;
            return Some(job);
        }
        self.jobs_since = 0;
        self.patient.pop_front()
    }

    fn len(&self) -> usize {
        self.jobs.len() + self.patient.len()
    }
}

impl fmt::Debug for WorkerPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerPool").finish_non_exhaustive()
    }
}

impl WorkerPool {
    /// A pool without threads, and the flag that is set when its owner ends.
    ///
    /// ```
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// pool.queue(|| ());
    /// assert_eq!((pool.threads(), pool.waiting()), (0, 1));
    /// ```
    #[must_use]
    pub fn new(has_ended: Arc<AtomicBool>) -> Self {
        Self(Arc::new(PoolState {
            queue: Mutex::default(),
            available: Condvar::new(),
            has_ended,
            is_dropped: AtomicBool::new(false),
            threads: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
        }))
    }

    /// Starts threads.
    ///
    /// # Errors
    /// The system has no more of them.
    ///
    /// ```
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// pool.spawn("solver", 2)?;
    /// assert_eq!(pool.threads(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn(&self, name: &str, threads: usize) -> io::Result<()> {
        for _ in 0..threads {
            let state = Arc::clone(&self.0);
            let thread = std::thread::Builder::new().name(name.into());
            thread.spawn(move || state.work())?;
            self.0.threads.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.0.threads.load(Ordering::Relaxed)
    }

    /// The number of jobs that wait for a thread.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.0.waiting.load(Ordering::Relaxed)
    }

    /// Whether the owner has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.0.has_ended.load(Ordering::Relaxed)
    }

    /// Queues a job.
    ///
    /// ```
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// pool.spawn("worker", 1)?;
    /// let (sender, results) = std::sync::mpsc::channel();
    /// pool.queue(move || { let _ = sender.send(6 * 7); });
    /// assert_eq!(results.recv()?, 42);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn queue(&self, job: impl FnOnce() + Send + 'static) {
        let mut queue = self.0.lock();
        queue.jobs.push_back(Box::new(job));
        self.0.announce(&queue);
    }

    /// Queues a job that can wait, unless `most` of them wait already: returns whether it is
    /// queued.
    ///
    /// ```
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// assert!(pool.queue_patient(1, || ()));
    /// assert!(!pool.queue_patient(1, || ()), "one waits already");
    /// ```
    pub fn queue_patient(&self, most: usize, job: impl FnOnce() + Send + 'static) -> bool {
        let mut queue = self.0.lock();
        if queue.patient.len() >= most {
            return false;
        }
        queue.patient.push_back(Box::new(job));
        self.0.announce(&queue);
        true
    }

    /// Queues a job that can be cancelled; `longest` is its time limit from when its turn comes.
    ///
    /// ```
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// let (sender, results) = std::sync::mpsc::channel();
    /// drop(pool.begin(None, move |_| { let _ = sender.send("it ran"); }));
    /// pool.spawn("worker", 1)?;
    /// assert!(results.recv().is_err(), "it was cancelled before its turn came");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn begin(
        &self,
        longest: Option<Duration>,
        job: impl FnOnce(&JobPermit) + Send + 'static,
    ) -> JobHandle {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let handle = JobHandle(Arc::clone(&is_cancelled));
        let has_ended = Arc::clone(&self.0.has_ended);
        self.queue(move || {
            let started = Instant::now();
            let permit = JobPermit {
                is_cancelled,
                has_ended,
                elapsed: Box::new(move || started.elapsed()),
                longest,
            };
            if permit.is_wanted() {
                job(&permit);
            }
        });
        handle
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.0.is_dropped.store(true, Ordering::Relaxed);
        self.0.available.notify_all();
    }
}

impl PoolState {
    fn is_over(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed) || self.is_dropped.load(Ordering::Relaxed)
    }

    fn announce(&self, queue: &PoolQueue) {
        self.waiting.store(queue.len(), Ordering::Relaxed);
        self.available.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, PoolQueue> {
        // jobs are put in and taken out whole
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while !self.is_over() {
            let is_idle = |queue: &mut PoolQueue| queue.len() == 0 && !self.is_over();
            let waited = self
                .available
                .wait_timeout_while(self.lock(), POLL_INTERVAL, is_idle);
            let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let job = queue.pop();
            self.waiting.store(queue.len(), Ordering::Relaxed);
            drop(queue);
            if let Some(job) = job {
                // a panic costs one job, not a thread
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        }
        // what a job holds, such as a bot, ends with it
        let left = std::mem::take(&mut *self.lock());
        drop(left);
    }
}

/// A waiting or running job; dropping it cancels the job.
#[derive(Debug)]
pub struct JobHandle(Arc<AtomicBool>);

impl Drop for JobHandle {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Tells a running job whether to go on.
pub struct JobPermit {
    is_cancelled: Arc<AtomicBool>,
    has_ended: Arc<AtomicBool>,
    /// The time since it began.
    elapsed: Box<dyn Fn() -> Duration + Send + Sync>,
    longest: Option<Duration>,
}

impl fmt::Debug for JobPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobPermit")
            .field("longest", &self.longest)
            .finish_non_exhaustive()
    }
}

impl JobPermit {
    /// The permit of a job outside any pool, which only its time ends; `elapsed` tells the time
    /// since it began.
    ///
    /// ```
    /// use models::worker_pool::JobPermit;
    /// use std::time::Duration;
    ///
    /// let second = Duration::from_secs(1);
    /// assert!(JobPermit::timed(second, || Duration::ZERO).goes_on());
    /// assert!(!JobPermit::timed(second, move || second).goes_on());
    /// ```
    #[must_use]
    pub fn timed(
        longest: Duration,
        elapsed: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> Self {
        Self {
            is_cancelled: Arc::default(),
            has_ended: Arc::default(),
            elapsed: Box::new(elapsed),
            longest: Some(longest),
        }
    }

    /// The time since the job began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        (self.elapsed)()
    }

    /// Whether somebody waits for the result.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        !self.is_cancelled.load(Ordering::Relaxed) && !self.has_ended.load(Ordering::Relaxed)
    }

    /// Whether somebody waits, and there is time left.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// pool.spawn("worker", 1)?;
    /// let (sender, results) = std::sync::mpsc::channel();
    /// let _job = pool.begin(Some(Duration::ZERO), move |permit| {
    ///     let _ = sender.send((permit.is_wanted(), permit.goes_on()));
    /// });
    /// assert_eq!(results.recv()?, (true, false), "its time is up");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn goes_on(&self) -> bool {
        let is_late = self
            .longest
            .is_some_and(|longest| self.elapsed() >= longest);
        self.is_wanted() && !is_late
    }

    /// The same for a part of the time, counted from when the job began.
    #[must_use]
    pub(crate) fn goes_on_until(&self, part: Duration) -> bool {
        self.goes_on() && self.elapsed() < part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn patient_jobs_come_in_between_and_others_first() {
        let pool = WorkerPool::new(Arc::default());
        let (sender, received) = channel();
        let job = |what: char| {
            let sender = sender.clone();
            move || sender.send(what).unwrap()
        };
        for _ in 0..7 {
            pool.queue(job('m'));
        }
        for _ in 0..2 {
            assert!(pool.queue_patient(2, job('a')));
        }
        assert!(!pool.queue_patient(2, job('a')));
        assert_eq!(pool.waiting(), 9);
        pool.spawn("test", 1).unwrap();
        let order: String = received.iter().take(9).collect();
        assert_eq!(order, "mmmmammma");
    }

    /// What a job may do that is cancelled, or whose owner ends: nothing more.
    #[test]
    fn a_job_that_nobody_waits_for_ends() {
        let has_ended = Arc::new(AtomicBool::new(false));
        let pool = WorkerPool::new(Arc::clone(&has_ended));
        pool.spawn("test", 2).unwrap();
        let (sender, received) = channel();
        let hour = Duration::from_secs(3600);
        let begin = || {
            let sender = sender.clone();
            pool.begin(Some(hour), move |permit| {
                sender.send("begun").unwrap();
                while permit.is_wanted() {
                    std::thread::yield_now();
                }
                assert!(!permit.goes_on() && !permit.goes_on_until(hour));
                sender.send("ended").unwrap();
            })
        };
        let [first, second] = [begin(), begin()];
        assert_eq!(received.recv(), Ok("begun"));
        assert_eq!(received.recv(), Ok("begun"));
        // it waits for a thread, and never has one
        drop(begin());
        drop(first);
        assert_eq!(received.recv(), Ok("ended"));
        let third = begin();
        assert_eq!(received.recv(), Ok("begun"));
        has_ended.store(true, Ordering::Relaxed);
        assert_eq!(received.recv(), Ok("ended"));
        assert_eq!(received.recv(), Ok("ended"));
        drop((second, third));
    }

    #[test]
    fn a_panic_costs_one_job() {
        let pool = WorkerPool::new(Arc::default());
        pool.spawn("test", 1).unwrap();
        let (sender, received) = channel();
        pool.queue(|| panic!("on purpose"));
        pool.queue(move || sender.send(1).unwrap());
        assert_eq!(received.recv(), Ok(1));
    }

    #[test]
    fn a_time_limit_ends_a_job() {
        let pool = WorkerPool::new(Arc::default());
        pool.spawn("test", 1).unwrap();
        let (sender, received) = channel();
        let _handle = pool.begin(Some(Duration::ZERO), move |permit| {
            sender.send((permit.is_wanted(), permit.goes_on())).unwrap();
        });
        assert_eq!(received.recv(), Ok((true, false)));
    }
}
