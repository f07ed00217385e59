//! When drafts are due, and writing them.

use crate::draft;
use session::{CommandRefusal, Session, Viewer};
use std::time::{Duration, Instant};

/// The least time between drafts; longer if a draft takes long to make.
const BETWEEN_DRAFTS: Duration = Duration::from_secs(2);

/// When drafts are due.
pub(super) struct DraftSchedule {
    pub(super) writer: draft::Writer,
    /// The revision that was kept last.
    pub(super) kept: Option<u64>,
    /// Not before.
    pub(super) due: Instant,
    /// Why the last one was not written.
    pub(super) problem: Option<String>,
}

impl DraftSchedule {
    /// With `is_due`, the session is not what the file holds.
    pub(super) fn new(writer: draft::Writer, session: &Session, is_due: bool) -> Self {
        let kept = (!is_due).then(|| session.revision());
        Self {
            writer,
            kept,
            due: Instant::now(),
            problem: None,
        }
    }

    pub(super) fn due(&self, session: &Session) -> Option<Instant> {
        (self.kept != Some(session.revision())).then_some(self.due)
    }

    pub(super) fn save(&mut self, session: &Session, viewer: &Viewer) {
        let begun = Instant::now();
        if self.due(session).is_none_or(|due| due > begun) {
            return;
        }
        let revision = session.revision();
        self.problem = self.writer.problem();
        match session.draft_interruptible(viewer) {
            Ok(draft) => {
                if self.writer.try_write(draft) {
                    self.kept = Some(revision);
                }
            }
            // there is another one after what stopped it
            Err(CommandRefusal::Stopped(_)) => return,
            Err(refusal) => {
                self.kept = Some(revision);
                self.problem = Some(refusal.to_string());
            }
        }
        // a large world may take a while: at most a fortieth of the time goes into drafts
        let pause = (begun.elapsed() * 40).max(BETWEEN_DRAFTS);
        self.due = Instant::now() + pause;
    }
}
