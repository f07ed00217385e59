//! Where the solver and the generator work: on two threads for all pages, one page's question
//! after the other's, for ten seconds each at most.

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

/// The line in which questions wait.
#[derive(Clone)]
pub(super) struct SearchQueue {
    places: Arc<Semaphore>,
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
            places: Arc::new(Semaphore::new(AT_ONCE)),
            has_ended,
        }
    }

    /// Lets `work` be done as soon as it is its turn. A page whose question breaks it down is
    /// told so.
    pub(super) fn begin(
        &self,
        letters: &Arc<PageMessageQueue>,
        work: impl FnOnce(&SearchPermit) + Send + 'static,
    ) -> SearchHandle {
        let letters = Arc::clone(letters);
        let is_given_up = Arc::new(AtomicBool::new(false));
        let search = SearchHandle(Arc::clone(&is_given_up));
        let places = Arc::clone(&self.places);
        let has_ended = Arc::clone(&self.has_ended);
        tokio::spawn(async move {
            let Ok(place) = places.acquire_owned().await else {
                return;
            };
            if is_given_up.load(Ordering::Relaxed) {
                return;
            }
            tokio::task::spawn_blocking(move || {
                let leave = SearchPermit {
                    is_given_up,
                    has_ended,
                    begun: Instant::now(),
                };
                if let Err(ContainedPanic(words)) = contain(|| work(&leave)) {
                    let told = format!("this broke down, a fault of gridpaper's own: {words}");
                    letters.send(reply::to_malformed(told));
                }
                drop(place);
            });
        });
        search
    }
}

/// A question that waits or is being searched. It is given up when this is dropped.
#[derive(Debug)]
pub(super) struct SearchHandle(Arc<AtomicBool>);

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whether a search may go on.
#[derive(Debug)]
pub(super) struct SearchPermit {
    is_given_up: Arc<AtomicBool>,
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
        !self.is_given_up.load(Ordering::Relaxed) && !self.has_ended.load(Ordering::Relaxed)
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
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let begin = || {
            let tell = tell.clone();
            searches.begin(&Arc::default(), move |leave| {
                tell.send("begun").unwrap();
                while leave.is_wanted() {
                    std::thread::yield_now();
                }
                assert!(!leave.goes_on() && !leave.goes_on_until(LONGEST));
                tell.send("ended").unwrap();
            })
        };
        let [first, second] = [begin(), begin()];
        assert_eq!(told.recv().await, Some("begun"));
        assert_eq!(told.recv().await, Some("begun"));
        // it waits for a place, and never has one
        drop(begin());
        drop(first);
        assert_eq!(told.recv().await, Some("ended"));
        let third = begin();
        assert_eq!(told.recv().await, Some("begun"));
        has_ended.store(true, Ordering::Relaxed);
        assert_eq!(told.recv().await, Some("ended"));
        assert_eq!(told.recv().await, Some("ended"));
        drop((second, third));
    }
}
