//! The draft: what the session holds, on disk, so that it outlives a crash.
//!
//! It is written by a thread of its own: a slow disk does not hold the world up.

use session::draft::DraftFile;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

/// Writes drafts, one after the other, in a thread of its own.
#[derive(Debug)]
pub(crate) struct Writer {
    place: Arc<DraftFile>,
    drafts: SyncSender<Vec<u8>>,
    /// What went wrong, once for each time that it begins to.
    problems: Receiver<String>,
    thread: JoinHandle<()>,
}

impl Writer {
    pub(crate) fn start(place: DraftFile) -> io::Result<Self> {
        let place = Arc::new(place);
        let written = Arc::clone(&place);
        let (drafts, wanted) = sync_channel::<Vec<u8>>(1);
        let (tell, problems) = sync_channel(1);
        let write = move || {
            let mut failed = false;
            for draft in wanted {
                let outcome = written.write(&draft);
                if let (Err(error), false) = (&outcome, failed) {
                    // one problem waits to be told already: that will do
                    let _ = tell.try_send(format!("{}: {error}", written.path().display()));
                }
                failed = outcome.is_err();
            }
        };
        let thread = std::thread::Builder::new()
            .name("draft".into())
            .spawn(write)?;
        Ok(Self {
            place,
            drafts,
            problems,
            thread,
        })
    }

    /// Takes a draft to be written; not while the one before is waiting. Whether it did.
    pub(crate) fn take(&self, draft: Vec<u8>) -> bool {
        match self.drafts.try_send(draft) {
            Ok(()) => true,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
        }
    }

    /// Where they are written.
    pub(crate) fn place(&self) -> &DraftFile {
        &self.place
    }

    /// What went wrong since this was asked last.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problems.try_recv().ok()
    }

    /// Writes a last draft, and waits until it is on disk.
    pub(crate) fn finish(self, draft: Option<Vec<u8>>) {
        if let Some(draft) = draft {
            // The thread is there until its channel is closed.
            let _ = self.drafts.send(draft);
        }
        drop(self.drafts);
        // It does not panic; if it did, there would be nobody left to tell.
        let _ = self.thread.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_written_and_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let place = DraftFile::find(folder.path(), "serve", true).unwrap();
        assert!(place.read().unwrap().is_none());
        let writer = Writer::start(place).unwrap();
        assert!(writer.take(b"one".to_vec()));
        writer.finish(Some(b"two".to_vec()));
        let place = DraftFile::find(folder.path(), "serve", true).unwrap();
        assert_eq!(place.read().unwrap().unwrap(), b"two");
    }
}
