//! The queue of the solver and the generator: two searches at once for all pages, each limited to
//! ten seconds.

use crate::pages::page_socket::PageMessageQueue;
use crate::panic_containment::{ContainedPanic, contain};
use crate::reply;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// How many search at once.
const AT_ONCE: usize = 2;

/// How long each may, from when its turn comes.
pub(super) const LONGEST: Duration = Duration::from_secs(10);

/// The queue of searches.
#[derive(Clone)]
pub(super) struct SearchQueue {
    permits: Arc<Semaphore>,
    has_ended: Arc<AtomicBool>,
}

impl fmt::Debug for SearchQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searches").finish_non_exhaustive()
    }
}

impl SearchQueue {
    /// With a flag that is set when the server ends.
    pub(super) fn new(has_ended: Arc<AtomicBool>) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(AT_ONCE)),
            has_ended,
        }
    }

    /// Runs `work` when a slot is free. After a panic the page gets an error message.
    pub(super) fn begin(
        &self,
        queue: &Arc<PageMessageQueue>,
        work: impl FnOnce(&SearchPermit) + Send + 'static,
    ) -> SearchHandle {
        let queue = Arc::clone(queue);
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let search = SearchHandle(Arc::clone(&is_cancelled));
        let permits = Arc::clone(&self.permits);
        let has_ended = Arc::clone(&self.has_ended);
        tokio::spawn(async move {
            let Ok(slot) = permits.acquire_owned().await else {
                return;
            };
            if is_cancelled.load(Ordering::Relaxed) {
                return;
            }
            tokio::task::spawn_blocking(move || {
                let permit = SearchPermit {
                    is_cancelled,
                    has_ended,
                    begun: Instant::now(),
                };
                if let Err(ContainedPanic(words)) = contain(|| work(&permit)) {
                    let message = format!("this broke down, a fault of gridpaper's own: {words}");
                    queue.send(reply::to_malformed(message));
                }
                drop(slot);
            });
        });
        search
    }
}

/// A waiting or running search; dropping it cancels the search.
#[derive(Debug)]
pub(super) struct SearchHandle(Arc<AtomicBool>);

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Tells a running search whether to continue.
#[derive(Debug)]
pub(super) struct SearchPermit {
    is_cancelled: Arc<AtomicBool>,
    has_ended: Arc<AtomicBool>,
    begun: Instant,
}

impl SearchPermit {
    /// Whether there is time left and somebody who waits.
    pub(super) fn goes_on(&self) -> bool {
        self.goes_on_until(LONGEST)
    }

    /// The same for a part of the time, counted from when the whole search began.
    pub(super) fn goes_on_until(&self, part: Duration) -> bool {
        self.is_wanted() && self.begun.elapsed() < part.min(LONGEST)
    }

    /// Whether somebody waits for the answer.
    pub(super) fn is_wanted(&self) -> bool {
        !self.is_cancelled.load(Ordering::Relaxed) && !self.has_ended.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a search may do that is given up, or whose server ends: nothing more.
    #[tokio::test]
    async fn a_search_that_nobody_waits_for_ends() {
        let has_ended = Arc::new(AtomicBool::new(false));
        let searches = SearchQueue::new(Arc::clone(&has_ended));
        let (sender, mut received) = tokio::sync::mpsc::unbounded_channel();
        let begin = || {
            let sender = sender.clone();
            searches.begin(&Arc::default(), move |permit| {
                sender.send("begun").unwrap();
                while permit.is_wanted() {
                    std::thread::yield_now();
                }
                assert!(!permit.goes_on() && !permit.goes_on_until(LONGEST));
                sender.send("ended").unwrap();
            })
        };
        let [first, second] = [begin(), begin()];
        assert_eq!(received.recv().await, Some("begun"));
        assert_eq!(received.recv().await, Some("begun"));
        // it waits for a place, and never has one
        drop(begin());
        drop(first);
        assert_eq!(received.recv().await, Some("ended"));
        let third = begin();
        assert_eq!(received.recv().await, Some("begun"));
        has_ended.store(true, Ordering::Relaxed);
        assert_eq!(received.recv().await, Some("ended"));
        assert_eq!(received.recv().await, Some("ended"));
        drop((second, third));
    }
}
