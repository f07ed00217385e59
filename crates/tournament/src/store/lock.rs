//! The lock that allows one run at a time.

use super::{Store, StoreError};
use std::fs::{File, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// A store's reservation for one run, until this is dropped or the process ends in any way: it
/// is a lock held by the operating system.
#[derive(Debug)]
pub struct StoreLock {
    path: PathBuf,
    /// Holds the lock.
    _file: File,
}

impl Store {
    /// Reserves the store for one run, by a lock on a file beside it. (A lock on the store
    /// itself would interfere with SQLite's POSIX locks, which belong to processes and not to
    /// open files.)
    ///
    /// # Errors
    /// Another run has it.
    ///
    /// ```
    /// use tournament::Store;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("cup.sqlite");
    /// let store = Store::open_or_create(&path)?;
    /// let lock = store.lock()?;
    /// assert!(Store::open(&path)?.lock().is_err());
    /// drop(lock);
    /// assert!(store.lock().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lock(&self) -> Result<StoreLock, StoreError> {
        // one lock, whichever link leads here
        let path = std::fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let path = super::sibling(&path, "-lock");
        let failed = |error| StoreError::File {
            path: path.clone(),
            error,
        };
        loop {
            let mut file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut process = String::new();
                    let _ = file.read_to_string(&mut process);
                    return Err(StoreError::Taken {
                        path: self.path.clone(),
                        process: process.trim().parse().ok(),
                    });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            // the previous holder may have removed the file between open and lock
            if !is_still(&path, &file) {
                continue;
            }
            file.set_len(0).map_err(failed)?;
            writeln!(file, "{}", std::process::id()).map_err(failed)?;
            return Ok(StoreLock { path, _file: file });
        }
    }
}

#[cfg(unix)]
fn is_still(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |meta: std::fs::Metadata| (meta.dev(), meta.ino());
    match (std::fs::metadata(path), file.metadata()) {
        (Ok(named), Ok(held)) => place(named) == place(held),
        _ => false,
    }
}

/// Where an open file cannot be removed, it is the one of that name.
#[cfg(not(unix))]
fn is_still(_: &Path, _: &File) -> bool {
    true
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        // still locked, so no other process has it
        let _ = std::fs::remove_file(&self.path);
    }
}
