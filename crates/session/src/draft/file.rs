//! The file of a draft of unsaved work. Several programs may share a folder: each has its own
//! draft, locked as long as the program lives.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The most programs of a kind with a draft in one folder.
const MAX_FILES: u32 = 100;

/// A draft file that no other program writes to.
#[derive(Debug)]
pub struct DraftFile {
    path: PathBuf,
    /// The lock; the system releases it, however this program ends.
    _lock: File,
}

impl DraftFile {
    /// Claims a draft file that no other program of this kind, such as `view`, holds. With
    /// `wants_draft`, one with an earlier draft is preferred; otherwise only one without, so that
    /// an earlier draft stays. The folder is created when missing.
    ///
    /// # Errors
    /// When the folder cannot be created or written.
    ///
    /// ```
    /// use session::draft::DraftFile;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let first = DraftFile::claim(folder.path(), "view", true)?;
    /// let second = DraftFile::claim(folder.path(), "view", true)?;
    /// assert_ne!(first.path(), second.path(), "the first is locked");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn claim(folder: &Path, kind: &str, wants_draft: bool) -> io::Result<Self> {
        private(folder)?;
        let mut blank = None;
        for number in 1..=MAX_FILES {
            let name = match number {
                1 => kind.to_string(),
                _ => format!("{kind}-{number}"),
            };
            let path = folder.join(format!("{name}.draft"));
            let has_draft = path.exists();
            if (has_draft && !wants_draft) || (!has_draft && blank.is_some()) {
                continue;
            }
            let lock = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(folder.join(format!("{name}.lock")))?;
            match lock.try_lock() {
                Ok(()) if has_draft => return Ok(Self { path, _lock: lock }),
                Ok(()) => blank = Some(Self { path, _lock: lock }),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            if !wants_draft && let Some(place) = blank {
                return Ok(place);
            }
        }
        blank.ok_or_else(|| io::Error::other(format!("{MAX_FILES} drafts are kept there already")))
    }

    /// Removes a draft and its lock, unless a program holds it.
    ///
    /// # Errors
    /// When one of them exists and cannot be removed.
    ///
    /// ```
    /// use session::draft::DraftFile;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = DraftFile::claim(folder.path(), "view", true)?;
    /// file.write(b"a draft")?;
    /// DraftFile::discard(folder.path(), "view")?;
    /// assert!(file.read()?.is_some(), "it is held");
    /// drop(file);
    /// DraftFile::discard(folder.path(), "view")?;
    /// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn discard(folder: &Path, kind: &str) -> io::Result<()> {
        let lock_path = folder.join(format!("{kind}.lock"));
        let held = match File::options().write(true).open(&lock_path) {
            Ok(lock) => match lock.try_lock() {
                Ok(()) => Some(lock),
                Err(TryLockError::WouldBlock) => return Ok(()),
                Err(TryLockError::Error(error)) => return Err(error),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        remove_if_there(&folder.join(format!("{kind}.draft")))?;
        remove_if_there(&lock_path)?;
        drop(held);
        Ok(())
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The earlier draft, if any.
    ///
    /// # Errors
    /// When it cannot be read.
    ///
    /// ```
    /// use session::draft::DraftFile;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = DraftFile::claim(folder.path(), "view", true)?;
    /// assert_eq!(file.read()?, None);
    /// file.write(b"a draft")?;
    /// assert_eq!(file.read()?.as_deref(), Some(&b"a draft"[..]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn read(&self) -> io::Result<Option<Vec<u8>>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Moves the earlier draft out of the way, and returns its new path.
    ///
    /// # Errors
    /// When it cannot be moved.
    ///
    /// ```
    /// use session::draft::DraftFile;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = DraftFile::claim(folder.path(), "view", true)?;
    /// file.write(b"a draft")?;
    /// let kept = file.set_aside()?;
    /// assert_eq!((std::fs::read(kept)?, file.read()?), (b"a draft".to_vec(), None));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn set_aside(&self) -> io::Result<PathBuf> {
        for number in 1.. {
            let kept = self.path.with_extension(format!("kept-{number}.draft"));
            if !kept.exists() {
                fs::rename(&self.path, &kept)?;
                return Ok(kept);
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Writes the draft atomically.
    ///
    /// # Errors
    /// When it cannot be written. The previous draft is kept.
    ///
    /// ```
    /// use session::draft::DraftFile;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = DraftFile::claim(folder.path(), "view", true)?;
    /// file.write(b"older")?;
    /// file.write(b"newer")?;
    /// assert_eq!(file.read()?.as_deref(), Some(&b"newer"[..]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let beside = self.path.with_extension("new");
        let mut options = File::options();
        options.create(true).write(true).truncate(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let mut file = options.open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, &self.path)
    }

    /// Removes the draft.
    ///
    /// # Errors
    /// When it exists and cannot be removed.
    ///
    /// ```
    /// use session::draft::DraftFile;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = DraftFile::claim(folder.path(), "view", true)?;
    /// file.write(b"a draft")?;
    /// file.remove()?;
    /// assert_eq!(file.read()?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn remove(&self) -> io::Result<()> {
        remove_if_there(&self.path)
    }
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Creates a folder that only its owner can read.
pub(super) fn private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_found_again_and_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("deep/down");
        let first = DraftFile::claim(&folder, "view", true).unwrap();
        assert_eq!(first.read().unwrap(), None);
        first.write(b"one").unwrap();
        // While the first file is locked, a second one is claimed.
        let second = DraftFile::claim(&folder, "view", true).unwrap();
        assert_ne!(second.path(), first.path());
        second.write(b"two").unwrap();
        drop((first, second));
        // With a pattern to open, an earlier draft is left alone.
        let fresh = DraftFile::claim(&folder, "view", false).unwrap();
        assert_eq!(fresh.read().unwrap(), None);
        let again = DraftFile::claim(&folder, "view", true).unwrap();
        assert_eq!(again.read().unwrap().as_deref(), Some(b"one".as_slice()));
        again.remove().unwrap();
        again.remove().unwrap();
        drop(again);
        let other = DraftFile::claim(&folder, "view", true).unwrap();
        assert_eq!(other.read().unwrap().as_deref(), Some(b"two".as_slice()));
        let kept = other.set_aside().unwrap();
        assert_eq!(fs::read(kept).unwrap(), b"two");
        assert_eq!(other.read().unwrap(), None);
        // Programs of another kind have their own files.
        let page = DraftFile::claim(&folder, "serve", true).unwrap();
        assert_eq!(page.path(), folder.join("serve.draft"));
    }
}
