//! How far a census has come.

use std::time::Duration;

/// How far a run of a census has come.
#[derive(Clone, Copy, Debug)]
pub struct CensusProgress<'a> {
    /// Soups counted by this run.
    pub soups: u64,
    /// Soups that this run is to count.
    pub planned: u64,
    /// Objects found by this run.
    pub objects: u64,
    /// Kinds of objects in the store.
    pub kinds: usize,
    /// The kind of object that was found last, of those that were not in the store before.
    pub newest: Option<&'a str>,
    /// Since the run began.
    pub elapsed: Duration,
}

impl CensusProgress<'_> {
    /// Soups a second, of all threads together.
    ///
    /// ```
    /// let progress = batch::CensusProgress {
    ///     soups: 300, planned: 900, objects: 0, kinds: 0, newest: None,
    ///     elapsed: std::time::Duration::from_secs(3),
    /// };
    /// assert_eq!(progress.soups_per_second(), 100.0);
    /// ```
    #[must_use]
    pub fn soups_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        match seconds > 0.0 {
            true => self.soups as f64 / seconds,
            false => 0.0,
        }
    }

    /// The time that the rest takes at the pace so far, once there is a pace.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let progress = batch::CensusProgress {
    ///     soups: 300, planned: 900, objects: 0, kinds: 0, newest: None,
    ///     elapsed: Duration::from_secs(3),
    /// };
    /// assert_eq!(progress.time_left(), Some(Duration::from_secs(6)));
    /// ```
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.planned.saturating_sub(self.soups) as f64 / self.soups_per_second();
        Duration::try_from_secs_f64(left).ok()
    }
}
