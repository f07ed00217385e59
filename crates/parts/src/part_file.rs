//! A part that is written.

use crate::{PartError, PartPlan, PartReader};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// A part that is being written. One program at a time appends to it.
#[derive(Debug)]
pub struct PartFile {
    path: PathBuf,
    file: File,
}

impl PartFile {
    /// Opens a part to append to, or makes it. A last line that was not written to its end is
    /// removed.
    ///
    /// # Errors
    /// It cannot be written, is of another plan, is damaged, or another program appends to it.
    pub fn open<P: PartPlan>(path: &Path, plan: &P) -> Result<Self, PartError> {
        let failed = PartError::of_file(path);
        let mut options = OpenOptions::new();
        let file = options.append(true).read(true).create(true).open(path);
        let mut file = file.map_err(&failed)?;
        // file systems without locks do without: there, a file has one writer by its name
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(PartError::Busy(path.into()));
        }
        let reader = PartReader::open(path, plan, "the plan")?;
        let reader = reader.visit(&mut |_| Ok::<_, PartError>(()))?;
        if file.metadata().map_err(&failed)?.len() > reader.bytes() {
            file.set_len(reader.bytes()).map_err(&failed)?;
        }
        file.seek(io::SeekFrom::End(0)).map_err(&failed)?;
        let mut part = Self {
            path: path.into(),
            file,
        };
        if !reader.has_plan() {
            part.append(&plan.plan_line())?;
        }
        Ok(part)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends the line of a unit or a fault, and returns once it is on the disk.
    ///
    /// # Errors
    /// The system cannot write it.
    pub fn append(&mut self, line: &str) -> Result<(), PartError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(PartError::of_file(&self.path))
    }
}

/// The parts of a folder, in the order of their names: the files that end in `.gpart`.
///
/// # Errors
/// The folder cannot be read.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("2-of-2.gpart"), "")?;
/// std::fs::write(folder.path().join("notes.txt"), "")?;
/// assert_eq!(parts::part_files(folder.path())?, [folder.path().join("2-of-2.gpart")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn part_files(folder: &Path) -> Result<Vec<PathBuf>, PartError> {
    let failed = PartError::of_file(folder);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(&failed)? {
        let path = entry.map_err(&failed)?.path();
        if path.extension().is_some_and(|end| end == "gpart") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
