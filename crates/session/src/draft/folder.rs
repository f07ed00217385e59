//! An exclusive lock on a folder.

use super::file::private;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// A lock on a folder, held until it is dropped. It is an advisory lock of the system (`flock`(2)
/// on Unix), which is released however the program ends, so that there are no stale locks.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Locks a folder for one kind of program, such as `server`; `None` where another process
    /// holds the lock. The folder is created when missing.
    ///
    /// # Errors
    /// When the folder cannot be created or written, or its file system has no locks.
    ///
    /// ```
    /// use session::draft::FolderLock;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let lock = FolderLock::acquire(folder.path(), "server")?;
    /// assert!(lock.is_some() && FolderLock::acquire(folder.path(), "server")?.is_none());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn acquire(folder: &Path, kind: &str) -> io::Result<Option<Self>> {
        private(folder)?;
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join(format!("{kind}.lock")))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_until_its_lock_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("deep/down");
        let first = FolderLock::acquire(&folder, "server").unwrap();
        assert!(first.is_some());
        assert!(FolderLock::acquire(&folder, "server").unwrap().is_none());
        // Programs of another kind have their own lock.
        assert!(FolderLock::acquire(&folder, "other").unwrap().is_some());
        drop(first);
        assert!(FolderLock::acquire(&folder, "server").unwrap().is_some());
    }
}
