//! The inputs that mutations start from: seeds made by code, and files that are kept.
//!
//! A file is kept for what it once found, and its name says what that was. Everything else is
//! made from the examples and the library that the program has anyway, so that it is up to date
//! and costs the repository nothing.

use crate::Target;
use std::path::{Path, PathBuf};
use std::{fs, io};
use thiserror::Error;

/// The corpus cannot be read or written.
#[derive(Debug, Error)]
#[error("{}: {error}", path.display())]
pub struct CorpusError {
    /// The file or folder.
    pub path: PathBuf,
    /// Why not.
    pub error: io::Error,
}

impl CorpusError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self {
            path: path.into(),
            error,
        }
    }
}

impl Target {
    /// The files that are kept for this target, by name.
    ///
    /// # Errors
    /// When its folder is there and cannot be read.
    pub fn kept(&self) -> Result<Vec<(String, Vec<u8>)>, CorpusError> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("corpus")
            .join(self.name);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(CorpusError::at(&folder)(error)),
        };
        let mut kept = Vec::new();
        for entry in entries {
            let path = entry.map_err(CorpusError::at(&folder))?.path();
            let bytes = fs::read(&path).map_err(CorpusError::at(&path))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            kept.push((name.into_owned(), bytes));
        }
        kept.sort();
        Ok(kept)
    }

    /// All inputs that mutations start from: the seeds, then the files.
    ///
    /// # Errors
    /// As [`Target::kept`].
    pub fn corpus(&self) -> Result<Vec<Vec<u8>>, CorpusError> {
        let kept = self.kept()?.into_iter().map(|(_, bytes)| bytes);
        Ok((self.seeds)().into_iter().chain(kept).collect())
    }
}

/// Writes what libFuzzer starts from: for each target a folder with its corpus, and beside it
/// its words as a dictionary, `NAME.dict`. Other files that lie there stay.
///
/// # Errors
/// When something cannot be read or written.
pub fn write_corpus(folder: &Path) -> Result<(), CorpusError> {
    for target in crate::TARGETS {
        let own = folder.join(target.name);
        fs::create_dir_all(&own).map_err(CorpusError::at(&own))?;
        for (number, bytes) in target.corpus()?.iter().enumerate() {
            let path = own.join(format!("seed-{number:03}"));
            fs::write(&path, bytes).map_err(CorpusError::at(&path))?;
        }
        let mut dictionary = String::new();
        for word in (target.words)() {
            dictionary.push('"');
            for byte in word.bytes() {
                dictionary.push_str(&format!("\\x{byte:02x}"));
            }
            dictionary.push_str("\"\n");
        }
        let path = folder.join(format!("{}.dict", target.name));
        fs::write(&path, dictionary).map_err(CorpusError::at(&path))?;
    }
    Ok(())
}
