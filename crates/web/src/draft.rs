//! The draft: what the session holds, on disk, so that it outlives a crash.
//!
//! It is written under a temporary name and renamed, by a thread of its own: a slow disk
//! does not hold the world up. Several servers may share a folder; each has a draft of its
//! own, and holds a lock on it as long as it lives.

use crate::BindError;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

/// How many servers may share a folder.
const MOST: u32 = 100;

/// A place for a draft that nobody else writes to.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    /// Locked; the system unlocks it, however this program ends.
    _lock: File,
}

impl Place {
    /// The first place in the folder that is free. The folder is made if need be.
    pub(crate) fn find(folder: &Path) -> Result<Self, BindError> {
        let failed = |error| BindError::State {
            folder: folder.to_path_buf(),
            error,
        };
        private(folder).map_err(failed)?;
        for number in 1..=MOST {
            let name = match number {
                1 => "draft".to_string(),
                _ => format!("draft-{number}"),
            };
            let lock = folder.join(format!("{name}.lock"));
            let lock = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(lock);
            let lock = lock.map_err(failed)?;
            match lock.try_lock() {
                Ok(()) => {
                    let path = folder.join(format!("{name}.gridpaper"));
                    return Ok(Self { path, _lock: lock });
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Err(failed(io::Error::other(format!(
            "{MOST} servers use it already"
        ))))
    }

    /// The draft of last time, if there is one.
    pub(crate) fn read(&self) -> io::Result<Option<Vec<u8>>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Moves the draft of last time out of the way, and says where to.
    pub(crate) fn set_aside(&self) -> io::Result<PathBuf> {
        for number in 1.. {
            let kept = self.path.with_extension(format!("kept-{number}.gridpaper"));
            if !kept.exists() {
                fs::rename(&self.path, &kept)?;
                return Ok(kept);
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let temporary = self.path.with_extension("new");
        let mut options = File::options();
        options.create(true).write(true).truncate(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let mut file = options.open(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, &self.path)
    }
}

/// Makes a folder that only its owner looks into.
fn private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Writes drafts, one after the other, in a thread of its own.
#[derive(Debug)]
pub(crate) struct Writer {
    drafts: SyncSender<Vec<u8>>,
    /// What went wrong, once for each time that it begins to.
    problems: Receiver<String>,
    thread: JoinHandle<()>,
}

impl Writer {
    pub(crate) fn start(place: Place) -> io::Result<Self> {
        let (drafts, wanted) = sync_channel::<Vec<u8>>(1);
        let (tell, problems) = sync_channel(1);
        let write = move || {
            let mut failed = false;
            for draft in wanted {
                let outcome = place.write(&draft);
                if let (Err(error), false) = (&outcome, failed) {
                    // one problem waits to be told already: that will do
                    let _ = tell.try_send(format!("{}: {error}", place.path.display()));
                }
                failed = outcome.is_err();
            }
        };
        let thread = std::thread::Builder::new()
            .name("draft".into())
            .spawn(write)?;
        Ok(Self {
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
    fn two_servers_have_two_drafts() {
        let folder = tempfile::tempdir().unwrap();
        let one = Place::find(&folder.path().join("new")).unwrap();
        let two = Place::find(&folder.path().join("new")).unwrap();
        assert_ne!(one.path, two.path);
        let path = one.path.clone();
        drop(one);
        assert_eq!(Place::find(&folder.path().join("new")).unwrap().path, path);
    }

    #[test]
    fn drafts_are_written_and_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::find(folder.path()).unwrap();
        assert!(place.read().unwrap().is_none());
        let writer = Writer::start(place).unwrap();
        assert!(writer.take(b"one".to_vec()));
        writer.finish(Some(b"two".to_vec()));
        let place = Place::find(folder.path()).unwrap();
        assert_eq!(place.read().unwrap().unwrap(), b"two");
        let kept = place.set_aside().unwrap();
        assert_eq!(fs::read(kept).unwrap(), b"two");
        assert!(place.read().unwrap().is_none());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        assert!(matches!(Place::find(&file), Err(BindError::State { .. })));
    }
}
