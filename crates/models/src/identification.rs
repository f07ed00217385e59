//! What a pattern is, looked for while a face goes on.
//!
//! The facts, and the card that shows them, are the crate `census`'s.

use crate::worker_pool::{JobHandle, WorkerPool};
pub use census::IdentificationCard;
use census::{IdentifyOptions, identify};
use pattern::Cells;
use rule::Rule;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is to be identified.
#[derive(Clone, Debug)]
pub struct IdentificationSubject {
    /// The rule that the cells live under.
    pub rule: Rule,
    /// The cells, where they lie.
    pub cells: Cells,
}

/// How long a face looks before it says what is known by then.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A search on a thread that the face lends. Dropped, it ends.
#[derive(Debug)]
pub struct IdentificationJob {
    state: Arc<Mutex<IdentificationState>>,
    _handle: JobHandle,
}

/// How far a search has come.
#[derive(Clone, Debug, PartialEq)]
pub enum IdentificationState {
    /// It has run the pattern up to this generation.
    Looking(u64),
    /// It is over.
    Found(Box<IdentificationCard>),
    /// No engine takes the pattern.
    Failed(String),
}

impl IdentificationJob {
    /// Begins to look, on a thread of the pool.
    ///
    /// ```
    /// use models::identification::{IdentificationJob, IdentificationState, IdentificationSubject};
    /// use models::worker_pool::WorkerPool;
    ///
    /// let pool = WorkerPool::new(Default::default());
    /// pool.spawn("identify", 1)?;
    /// let cells = pattern::Pattern::from_text("3o!")?.cells;
    /// let subject = IdentificationSubject { rule: "B3/S23".parse()?, cells };
    /// let job = IdentificationJob::start(&pool, subject);
    /// let card = loop {
    ///     match job.state() {
    ///         IdentificationState::Looking(_) => std::thread::yield_now(),
    ///         IdentificationState::Found(card) => break card,
    ///         IdentificationState::Failed(error) => return Err(error.into()),
    ///     }
    /// };
    /// assert_eq!(card.title, "blinker");
    /// assert_eq!(card.rows.last(), Some(&("in the library", "blinker".to_string())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(pool: &WorkerPool, subject: IdentificationSubject) -> Self {
        let state = Arc::new(Mutex::new(IdentificationState::Looking(0)));
        let writer = Arc::clone(&state);
        let handle = pool.begin(Some(PATIENCE), move |permit| {
            let set = |state| *writer.lock().unwrap_or_else(PoisonError::into_inner) = state;
            let mut control = |generation| {
                set(IdentificationState::Looking(generation));
                permit.goes_on()
            };
            let options = IdentifyOptions::default();
            let found = identify(&subject.rule, &subject.cells, &options, &mut control);
            set(match found {
                Ok(found) => {
                    let card =
                        IdentificationCard::in_library(&found, &subject.rule, &subject.cells);
                    IdentificationState::Found(card.into())
                }
                Err(error) => IdentificationState::Failed(error.to_string()),
            });
        });
        Self {
            state,
            _handle: handle,
        }
    }

    /// How far it is.
    ///
    /// ```
    /// use models::identification::{IdentificationJob, IdentificationState, IdentificationSubject};
    ///
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// let cells = pattern::Pattern::from_text("3o!")?.cells;
    /// let subject = IdentificationSubject { rule: "B3/S23".parse()?, cells };
    /// let job = IdentificationJob::start(&pool, subject);
    /// assert_eq!(job.state(), IdentificationState::Looking(0), "the pool has no thread");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> IdentificationState {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clone()
    }
}
