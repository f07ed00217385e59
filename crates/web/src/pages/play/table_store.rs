//! The store of tables: one small file each.
//!
//! A file holds the game as a replay, which detects damage, and the seats. It contains the seats'
//! keys, so only the server's owner may read it. It is written to a temporary file and renamed, so
//! that it is never partial.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use thiserror::Error;
use wire::{StoredTable, StoredTableError};

/// A file is no longer than this: 2000 turns are a tenth of it.
const LONGEST: u64 = 4 << 20;

/// A folder of tables, which no other server has.
#[derive(Debug)]
pub(super) struct TableStore {
    folder: PathBuf,
    /// Held for as long as it is this server's.
    _lock: File,
}

/// Why a file is no table.
#[derive(Debug, Error)]
pub(super) enum TableStoreError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is longer than {LONGEST} bytes")]
    Long,
    #[error(transparent)]
    Table(#[from] StoredTableError),
}

impl TableStore {
    /// The folder below the server's own, made where there is none; `None` where another
    /// server has it.
    pub(super) fn find(state: &Path) -> io::Result<Option<Self>> {
        let folder = state.join("play");
        fs::create_dir_all(&folder)?;
        let lock = open_private().open(folder.join("lock"))?;
        Ok(match lock.try_lock() {
            Ok(()) => Some(Self {
                folder,
                _lock: lock,
            }),
            Err(fs::TryLockError::WouldBlock) => None,
            Err(fs::TryLockError::Error(error)) => return Err(error),
        })
    }

    /// All tables by number. Unreadable files are set aside, with a note for each.
    pub(super) fn read(&self) -> io::Result<(Vec<StoredTable>, Vec<String>)> {
        let (mut tables, mut notes) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let Some(id) = name.and_then(|name| name.strip_suffix(".json")) else {
                continue;
            };
            match read(id, &path) {
                Ok(table) => tables.push(table),
                Err(error) => {
                    let aside = path.with_extension("damaged");
                    let moved = fs::rename(&path, &aside);
                    let place = if moved.is_ok() { &aside } else { &path };
                    notes.push(format!("{} is no table: {error}", place.display()));
                }
            }
        }
        tables.sort_by_key(|table| table.number);
        Ok((tables, notes))
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    pub(super) fn write(&self, id: &str, text: &str) -> io::Result<()> {
        let path = self.path(id);
        let aside = path.with_extension("part");
        let mut file = open_private().truncate(true).open(&aside)?;
        file.write_all(text.as_bytes())?;
        // no fsync: what a broken-down machine loses is a second of a game
        drop(file);
        fs::rename(&aside, &path)
    }

    /// Removes a table's file.
    pub(super) fn remove(&self, id: &str) {
        // it may never have been written
        let _ = fs::remove_file(self.path(id));
    }
}

/// Opens a file that only its owner reads.
fn open_private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn read(id: &str, path: &Path) -> Result<StoredTable, TableStoreError> {
    if fs::metadata(path)?.len() > LONGEST {
        return Err(TableStoreError::Long);
    }
    Ok(StoredTable::read(id, &fs::read_to_string(path)?)?)
}
