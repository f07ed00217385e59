//! The store of a census: one SQLite file.
//!
//! A store holds the censuses of one rule, symmetry and way of settling, with any number of
//! roots. A unit is written in one transaction; readers do not block the writer, and several
//! processes may write different shards into one store.

mod reader;
mod schema;
mod writer;

pub use reader::{StoredCensus, StoredUnit};

use crate::SoupRange;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// An open store.
#[derive(Debug)]
pub struct CensusStore {
    path: PathBuf,
    connection: Connection,
    /// How many soups of each object are kept, of every root.
    max_samples: usize,
}

/// Why a store of a census cannot be used.
#[derive(Debug, Error)]
pub enum CensusStoreError {
    /// There is no such file.
    #[error("{}: there is no such file", .0.display())]
    Missing(PathBuf),
    /// The file is not a store.
    #[error("{}: this is no census's store, and is left alone", .0.display())]
    Foreign(PathBuf),
    /// Its version is another one.
    #[error("{}: it was written by another program (version {version}, and this one knows {known})", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
        /// The version that this program knows.
        known: i64,
    },
    /// SQLite cannot do something with it.
    #[error("{}: {error}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why.
        error: rusqlite::Error,
    },
    /// The system cannot make the file.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Its contents are corrupt.
    #[error("{}: the file is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The file is missing, but there is a write-ahead log of another one.
    #[error("{}: this belongs to a store that is gone", .0.display())]
    Leftover(PathBuf),
    /// It counts something else.
    #[error("{}: {what} of this store is {kept}, and not {wanted}", path.display())]
    OtherCensus {
        /// The file.
        path: PathBuf,
        /// What differs: `the rule`.
        what: &'static str,
        /// Its value in the store.
        kept: String,
        /// The other value.
        wanted: String,
    },
    /// One unit has two results.
    #[error("{}: two different results for {range} of {root}", path.display())]
    TwoResults {
        /// The file.
        path: PathBuf,
        /// The root of the unit's soups.
        root: String,
        /// The unit.
        range: SoupRange,
    },
    /// Some soups are in two units that are cut differently.
    #[error("{}: {range} of {root} overlap {other}, which are there already", path.display())]
    Overlap {
        /// The file.
        path: PathBuf,
        /// The root of the soups.
        root: String,
        /// The unit to be added.
        range: SoupRange,
        /// The unit in the store.
        other: SoupRange,
    },
    /// A number is larger than a store can hold.
    #[error("{}: a count is larger than 2^63 - 1", .0.display())]
    TooLarge(PathBuf),
}

impl CensusStoreError {
    /// A hint, if there is one.
    ///
    /// ```
    /// let error = batch::CensusStoreError::Foreign("notes.sqlite".into());
    /// assert_eq!(error.hint(), Some("give the census another store"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Foreign(_) | Self::Version { .. } | Self::OtherCensus { .. } => {
                Some("give the census another store")
            }
            Self::Leftover(_) => Some("put the store back beside it, or remove it too"),
            Self::Overlap { .. } => Some("cut both censuses into units of one length"),
            Self::Sqlite { error, .. } => match error.sqlite_error_code()? {
                ErrorCode::DiskFull => Some("make room, and the same command goes on"),
                _ => None,
            },
            Self::Damaged { .. } => {
                Some("take a copy from before, or see what sqlite3's `.recover` saves of it")
            }
            _ => None,
        }
    }
}

/// How long to wait for another process's transaction.
const PATIENCE: Duration = Duration::from_secs(10);

/// The path of a store that is no file, in messages.
const IN_MEMORY: &str = "memory";

impl CensusStore {
    /// Opens an existing store.
    ///
    /// # Errors
    /// It is missing, something else, or of another version.
    ///
    /// ```
    /// use batch::{CensusStore, CensusStoreError};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("life.sqlite");
    /// assert!(matches!(CensusStore::open(&path), Err(CensusStoreError::Missing(_))));
    /// std::fs::write(&path, "something else")?;
    /// assert!(matches!(CensusStore::open(&path), Err(CensusStoreError::Foreign(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path) -> Result<Self, CensusStoreError> {
        if !path.exists() {
            return Err(CensusStoreError::Missing(path.into()));
        }
        if !path.is_file() {
            return Err(CensusStoreError::Foreign(path.into()));
        }
        let failed = |error| failure(path, error);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        let (application, version) = schema::marks(&connection).map_err(failed)?;
        // a process that is killed while it makes a store leaves an empty one
        let is_new = application == 0 && version == 0;
        if is_new && schema::is_empty(&connection).map_err(failed)? {
            return Self::over(path.into(), connection);
        }
        if application != schema::APPLICATION {
            return Err(CensusStoreError::Foreign(path.into()));
        }
        if version != schema::VERSION {
            return Err(CensusStoreError::Version {
                path: path.into(),
                version,
                known: schema::VERSION,
            });
        }
        Self::over(path.into(), connection)
    }

    /// Opens a store, or makes an empty one where there is no such file.
    ///
    /// # Errors
    /// As for [`CensusStore::open`], or it cannot be made.
    ///
    /// ```
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("life.sqlite");
    /// batch::CensusStore::open_or_create(&path)?;
    /// assert_eq!(batch::CensusStore::open(&path)?.censuses()?, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_or_create(path: &Path) -> Result<Self, CensusStoreError> {
        if path.exists() {
            return Self::open(path);
        }
        // what SQLite keeps beside a store would be taken for the new one's
        let log = sibling(path, "-wal");
        if std::fs::metadata(&log).is_ok_and(|meta| meta.len() > 0) {
            return Err(CensusStoreError::Leftover(log));
        }
        create(path)?;
        Self::open(path)
    }

    /// An empty store that is no file.
    ///
    /// # Errors
    /// SQLite cannot make it.
    ///
    /// ```
    /// assert_eq!(batch::CensusStore::in_memory()?.totals()?.soups, 0);
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn in_memory() -> Result<Self, CensusStoreError> {
        let path = PathBuf::from(IN_MEMORY);
        let connection = Connection::open_in_memory().map_err(|error| failure(&path, error))?;
        Self::over(path, connection)
    }

    fn over(path: PathBuf, mut connection: Connection) -> Result<Self, CensusStoreError> {
        set_up(&mut connection).map_err(|error| failure(&path, error))?;
        Ok(Self {
            path,
            connection,
            max_samples: census::unit::MAX_SAMPLES,
        })
    }

    /// The same store, which keeps fewer samples of what is added to it.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusStore};
    /// use census::UnitReport;
    ///
    /// let mut store = CensusStore::in_memory()?.with_max_samples(1);
    /// let census = store.open_census(&CensusIdentity::new("b3s23", "C1", "seed", "exact"))?;
    /// let (tally, samples) = (("xs4_33".into(), 2), ("xs4_33".into(), vec![3, 5]));
    /// let (tally, samples) = ([tally].into(), [samples].into());
    /// store.insert(census, &UnitReport { soups: 10, tally, samples, ..UnitReport::default() }, 0.0)?;
    /// assert_eq!(store.samples("xs4_33")?.len(), 1);
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    #[must_use]
    pub fn with_max_samples(mut self, max_samples: usize) -> Self {
        self.max_samples = max_samples.min(census::unit::MAX_SAMPLES);
        self
    }

    /// Its path; `memory` of one that is no file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn failed(&self, error: rusqlite::Error) -> CensusStoreError {
        failure(&self.path, error)
    }

    fn damaged(&self, problem: impl Into<String>) -> CensusStoreError {
        CensusStoreError::Damaged {
            path: self.path.clone(),
            problem: problem.into(),
        }
    }
}

/// Sorts SQLite's errors. The questions that are asked of a store are right: where one makes no
/// sense to SQLite, the tables are others than those that were made.
fn failure(path: &Path, error: rusqlite::Error) -> CensusStoreError {
    use rusqlite::Error;
    let path: PathBuf = path.into();
    let problem = match &error {
        Error::SqliteFailure(failure, _) if failure.code == ErrorCode::NotADatabase => {
            return CensusStoreError::Foreign(path);
        }
        Error::SqliteFailure(failure, _)
            if failure.code == ErrorCode::DatabaseCorrupt
                || failure.extended_code == rusqlite::ffi::SQLITE_ERROR =>
        {
            error.to_string()
        }
        Error::ToSqlConversionFailure(_) => return CensusStoreError::TooLarge(path),
        Error::SqlInputError { msg, .. } => msg.clone(),
        Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::QueryReturnedNoRows
        | Error::Utf8Error(..) => error.to_string(),
        _ => return CensusStoreError::Sqlite { path, error },
    };
    let problem = problem.lines().next().unwrap_or_default().into();
    CensusStoreError::Damaged { path, problem }
}

/// The path of a file beside a store.
fn sibling(path: &Path, end: &str) -> PathBuf {
    let mut path = path.as_os_str().to_os_string();
    path.push(end);
    path.into()
}

/// Makes an empty store under another name, so that it appears whole: one that two programs set up
/// at a time is locked for one of them.
fn create(path: &Path) -> Result<(), CensusStoreError> {
    // its error names the other file
    let file = |error: io::Error| CensusStoreError::File {
        path: path.into(),
        error: error.kind().into(),
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".new-store-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // the umask takes away from this, as for any new file
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let new = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
    let new = new.map_err(file)?;
    let failed = |error| failure(path, error);
    let mut connection = Connection::open(new.path()).map_err(failed)?;
    let is_whole = set_up(&mut connection).and_then(|()| {
        // what did not fit onto the disk would be lost when the connection is closed
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    });
    let is_whole = is_whole.and(connection.close().map_err(|(_, error)| error));
    if let Err(error) = is_whole {
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(sibling(new.path(), end));
        }
        return Err(failed(error));
    }
    match new.persist_noclobber(path) {
        // another process was faster, and its store is as good
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(file(error.error)),
        Ok(_) => Ok(()),
    }
}

fn set_up(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // a crash of this program loses nothing; that of the machine may lose the last units,
    // which are then counted again
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.set_prepared_statement_cache_capacity(64);
    if schema::is_empty(connection)? {
        schema::create(connection)?;
    }
    Ok(())
}
