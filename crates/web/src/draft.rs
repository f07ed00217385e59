//! The draft: the session on disk, so that it survives a crash.
//!
//! A thread writes it, so that a slow disk does not stop the world.

use session::draft::DraftFile;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

/// A thread that writes drafts one after the other.
#[derive(Debug)]
pub(crate) struct Writer {
    file: Arc<DraftFile>,
    drafts: SyncSender<Vec<u8>>,
    /// Write errors, one for each series of failures.
    problems: Receiver<String>,
    /// Returns the last draft, where it could not be written.
    thread: JoinHandle<Option<Vec<u8>>>,
}

impl Writer {
    pub(crate) fn start(file: DraftFile) -> io::Result<Self> {
        let file = Arc::new(file);
        let written = Arc::clone(&file);
        let (drafts, queued) = sync_channel::<Vec<u8>>(1);
        let (report, problems) = sync_channel(1);
        let write = move || {
            let mut unwritten = None;
            for draft in queued {
                let outcome = written.write(&draft);
                if let (Err(error), None) = (&outcome, &unwritten) {
                    // one unread problem is enough
                    let _ = report.try_send(format!("{}: {error}", written.path().display()));
                }
                unwritten = outcome.is_err().then_some(draft);
            }
            unwritten
        };
        let thread = std::thread::Builder::new()
            .name("draft".into())
            .spawn(write)?;
        Ok(Self {
            file,
            drafts,
            problems,
            thread,
        })
    }

    /// Hands over a draft to be written; `false` while the previous one is pending.
    pub(crate) fn try_write(&self, draft: Vec<u8>) -> bool {
        match self.drafts.try_send(draft) {
            Ok(()) => true,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
        }
    }

    /// Where they are written.
    pub(crate) fn file(&self) -> &DraftFile {
        &self.file
    }

    /// The error since the last call, if any.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problems.try_recv().ok()
    }

    /// Writes a last draft and waits until it is on disk. Returns the last one of all, where it
    /// could not be written.
    pub(crate) fn finish(self, draft: Option<Vec<u8>>) -> Option<Vec<u8>> {
        if let Some(draft) = draft {
            // The thread is there until its channel is closed.
            let _ = self.drafts.send(draft);
        }
        drop(self.drafts);
        // nothing can be done about a panic at shutdown
        self.thread.join().ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_written_and_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = DraftFile::claim(folder.path(), "serve", true).unwrap();
        assert!(file.read().unwrap().is_none());
        let writer = Writer::start(file).unwrap();
        assert!(writer.try_write(b"one".to_vec()));
        assert_eq!(writer.finish(Some(b"two".to_vec())), None);
        let file = DraftFile::claim(folder.path(), "serve", true).unwrap();
        assert_eq!(file.read().unwrap().unwrap(), b"two");
    }

    #[test]
    fn a_draft_that_the_disk_does_not_take_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = DraftFile::claim(folder.path(), "serve", true).unwrap();
        // a folder stands where the new draft would be written
        let beside = file.path().with_extension("new");
        std::fs::create_dir(&beside).unwrap();
        let writer = Writer::start(file).unwrap();
        assert_eq!(writer.finish(Some(b"one".to_vec())).unwrap(), b"one");
        std::fs::remove_dir(&beside).unwrap();
        let file = DraftFile::claim(folder.path(), "serve", true).unwrap();
        let writer = Writer::start(file).unwrap();
        assert_eq!(writer.finish(Some(b"one".to_vec())), None);
    }
}
