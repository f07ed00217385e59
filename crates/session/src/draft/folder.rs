//! A folder that one program has to itself.

use super::file::private;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// A lock on a folder, for as long as it lives. It is the system's (`flock`(2) on Unix), which
/// lets go of it however the program ends, so that nothing stale has to be found out.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Locks a folder for one kind of program, such as `server`; `None` where another one has
    /// it. The folder is made if need be.
    ///
    /// # Errors
    /// When the folder cannot be made or written, or has a file system without locks.
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
        // programs of another kind are not in its way
        assert!(FolderLock::acquire(&folder, "other").unwrap().is_some());
        drop(first);
        assert!(FolderLock::acquire(&folder, "server").unwrap().is_some());
    }
}
