//! How much was begun of late, over all visitors.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// When each thing of the last minute was begun.
#[derive(Debug, Default)]
pub(crate) struct RateLimit(VecDeque<Instant>);

impl RateLimit {
    /// How many were begun in the last minute.
    pub(crate) fn last_minute(&mut self, now: Instant) -> usize {
        let minute = Duration::from_secs(60);
        self.0.retain(|&begun| now.duration_since(begun) < minute);
        self.0.len()
    }

    /// Counts one that is begun now.
    pub(crate) fn count(&mut self, now: Instant) {
        self.0.push_back(now);
    }
}
