//! A tournament's store: one SQLite file.
//!
//! A pair of games is written in one transaction. Readers do not block the writer: a report can
//! be made during a run. Only one run may write at a time ([`Store::lock`]).
//!
//! Players are numbered from 0 in the order in which plans first named them, and are never
//! removed; [`crate::rating::Meeting`] uses the same numbers.

mod columns;
mod list;
mod lock;
mod packing;
mod reader;
mod schema;
mod writer;

pub use crate::played_pair::PlayedPair;
pub(crate) use columns::outcome_word;
pub use list::{StoredGameFilter, StoredGameSummary};
pub use lock::StoreLock;
pub use packing::StoredGameError;
pub use reader::{
    StoredFault, StoredGame, StoredGameIter, StoredPlayer, StoredRun, StoredTournament,
    SwissPairing,
};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// An open store.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

/// Why a store cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("{}: there is no such file", .0.display())]
    Missing(PathBuf),
    /// The file is not a store.
    #[error("{}: this is no tournament's store, and is left alone", .0.display())]
    Foreign(PathBuf),
    /// Its version is newer than this program.
    #[error("{}: it was written by a later program (version {version}, and this one knows {known})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
        /// The latest that this program knows.
        known: i64,
    },
    /// Another run writes to it.
    #[error("{}: another run has it{}", path.display(), process.as_ref().map_or(String::new(), |p| format!(", process {p}")))]
    Taken {
        /// The file.
        path: PathBuf,
        /// The other process's id, if known.
        process: Option<u32>,
    },
    /// The file cannot be made or opened.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// SQLite cannot do something with it.
    #[error("{}: {error}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why.
        error: rusqlite::Error,
    },
    /// Its contents are corrupt.
    #[error("{}: the file is damaged: {}", path.display(), first_line(error))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        error: rusqlite::Error,
    },
    /// A stored game cannot be decoded.
    #[error("{}: game {game}: {problem}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The game's number in its table.
        game: i64,
        /// What is wrong with it.
        problem: StoredGameError,
    },
    /// The file is missing, but there is a write-ahead log of another one, with games that had
    /// not been merged.
    #[error("{}: this belongs to a store that is gone", .0.display())]
    Leftover(PathBuf),
    /// A player or a round is missing: the file was edited.
    #[error("{}: it was changed by hand: players or rounds are missing", .0.display())]
    Gap(PathBuf),
    /// The plan has changed where games were already played.
    #[error("{}: games were played with {what} {kept}, and the plan says {planned}", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The changed property.
        what: &'static str,
        /// Its stored value.
        kept: String,
        /// Its value in the plan.
        planned: String,
    },
    /// A name that has games is another player now.
    #[error("{}: `{name}` has played as {kept}, and the plan says {planned}", path.display())]
    OtherPlayer {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The player as it was.
        kept: String,
        /// The player as it is now.
        planned: String,
    },
    /// A Swiss tournament has begun with a player that the plan no longer has.
    #[error("{}: `{name}` has been paired and is missing in the plan: nobody leaves a swiss tournament that has begun", path.display())]
    Left {
        /// The file.
        path: PathBuf,
        /// Who is missing.
        name: String,
    },
}

impl StoreError {
    /// A hint, if there is one.
    ///
    /// ```
    /// let error = tournament::StoreError::Foreign("notes.sqlite".into());
    /// assert_eq!(error.hint(), Some("give the plan another `store`"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Changed { .. } => {
                Some("put the old value back, or give the plan another `store`")
            }
            Self::OtherPlayer { .. } => Some("give the new player another name"),
            Self::Foreign(_) => Some("give the plan another `store`"),
            Self::Leftover(_) => Some("put the store back beside it, or remove it too"),
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

impl Store {
    /// Opens an existing store. On read-only media it can only be read.
    ///
    /// # Errors
    /// It is missing, something else, or of a later program.
    ///
    /// ```
    /// use tournament::{Store, StoreError};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("cup.sqlite");
    /// assert!(matches!(Store::open(&path), Err(StoreError::Missing(_))));
    /// std::fs::write(&path, "something else")?;
    /// assert!(matches!(Store::open(&path), Err(StoreError::Foreign(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.into()));
        }
        if !path.is_file() {
            return Err(StoreError::Foreign(path.into()));
        }
        let foreign = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::Foreign(path.into()),
            _ => sqlite(path, error),
        };
        // a look that changes nothing, whatever the file is
        let look = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let look = look.and_then(|look| Ok((application(&look)?, look)));
        let (application, look, is_still) = match look {
            Ok((application, look)) => (application, look, false),
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
                    && !sibling(path, "-wal").exists() =>
            {
                let look = open_immutable(path).map_err(foreign)?;
                (self::application(&look).map_err(foreign)?, look, true)
            }
            Err(error) => return Err(foreign(error)),
        };
        if application != schema::APPLICATION {
            return Err(StoreError::Foreign(path.into()));
        }
        let version = schema::version(&look).map_err(foreign)?;
        if version > schema::VERSION {
            return Err(StoreError::Newer {
                path: path.into(),
                version,
                known: schema::VERSION,
            });
        }
        if is_still {
            return Ok(Self {
                path: path.into(),
                connection: look,
            });
        }
        drop(look);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let mut connection = Connection::open_with_flags(path, flags).map_err(foreign)?;
        set_up(&mut connection).map_err(foreign)?;
        schema::migrate(&mut connection).map_err(foreign)?;
        Ok(Self {
            path: path.into(),
            connection,
        })
    }

    /// Opens a store, or makes an empty one where there is no such file.
    ///
    /// # Errors
    /// As for [`Store::open`], or it cannot be made.
    ///
    /// ```
    /// use tournament::Store;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("cup.sqlite");
    /// Store::open_or_create(&path)?;
    /// assert_eq!(Store::open(&path)?.plan()?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_or_create(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            // what SQLite keeps beside a store would be taken for the new one's
            for end in ["-wal", "-journal"] {
                let left = sibling(path, end);
                let is_full = std::fs::metadata(&left).is_ok_and(|meta| meta.len() > 0);
                if is_full && !path.exists() {
                    return Err(StoreError::Leftover(left));
                }
            }
            create(path)?;
        }
        Self::open(path)
    }

    /// An empty store that is no file.
    pub(crate) fn in_memory() -> Result<Self, StoreError> {
        let path = PathBuf::from(":memory:");
        let open = || {
            let mut connection = Connection::open_in_memory()?;
            set_up(&mut connection)?;
            schema::migrate(&mut connection)?;
            Ok(connection)
        };
        match open() {
            Ok(connection) => Ok(Self { path, connection }),
            Err(error) => Err(sqlite(&path, error)),
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads in one transaction, so that all values are consistent.
    pub(crate) fn read_snapshot<T, E: From<StoreError>>(
        &self,
        read: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if !self.connection.is_autocommit() {
            return read();
        }
        let moment = self.connection.unchecked_transaction();
        let moment = moment.map_err(|error| self.failed(error))?;
        let read = read();
        drop(moment);
        read
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        sqlite(&self.path, error)
    }

    fn broken_game(&self, game: i64, problem: StoredGameError) -> StoreError {
        StoreError::Broken {
            path: self.path.clone(),
            game,
            problem,
        }
    }
}

fn sqlite(path: &Path, error: rusqlite::Error) -> StoreError {
    use rusqlite::Error;
    let path = path.into();
    // the questions that are asked of a store are right: where one makes no sense to SQLite,
    // the tables are others than those that were made
    let is_damaged = match &error {
        Error::SqliteFailure(failure, _) => failure.code == ErrorCode::DatabaseCorrupt,
        Error::SqlInputError { .. }
        | Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::QueryReturnedNoRows
        | Error::Utf8Error(..) => true,
        _ => false,
    };
    match is_damaged {
        true => StoreError::Damaged { path, error },
        false => StoreError::Sqlite { path, error },
    }
}

/// The error without the SQL text.
fn first_line(error: &rusqlite::Error) -> String {
    let text = match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        error => error.to_string(),
    };
    text.lines().next().unwrap_or_default().into()
}

/// The path of a file beside a store.
fn sibling(path: &Path, end: &str) -> PathBuf {
    let mut path = path.as_os_str().to_os_string();
    path.push(end);
    path.into()
}

fn application(connection: &Connection) -> rusqlite::Result<i32> {
    connection.busy_timeout(PATIENCE)?;
    connection.query_row("PRAGMA application_id", [], |row| row.get(0))
}

/// Opens a file on read-only media, without SQLite's locks and log (`immutable`).
fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    let mut name = String::from("file:");
    // an address begins with two strokes where a path may begin with one
    if path.is_absolute() {
        name.push_str("//");
    }
    for sign in path.to_string_lossy().chars() {
        match sign {
            '%' => name.push_str("%25"),
            '?' => name.push_str("%3f"),
            '#' => name.push_str("%23"),
            _ => name.push(sign),
        }
    }
    name.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(name, flags)
}

fn set_up(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // a crash of this program loses nothing; that of the machine may lose the last games,
    // which are then played again
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// Creates a store under a temporary name, so that it appears atomically.
fn create(path: &Path) -> Result<(), StoreError> {
    let file = |error| StoreError::File {
        path: path.into(),
        error,
    };
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".new-store-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // the umask takes away from this, as for any new file; the crate's own default is
        // for secrets
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    std::fs::metadata(folder).map_err(file)?;
    // its error names the temporary file
    let bare = |error: io::Error| file(error.kind().into());
    let new = builder.tempfile_in(folder).map_err(bare)?;
    let failed = |error| sqlite(path, error);
    let mut connection = Connection::open(new.path()).map_err(failed)?;
    schema::migrate(&mut connection).map_err(failed)?;
    connection
        .pragma_update(None, "journal_mode", "wal")
        .map_err(failed)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    match new.persist_noclobber(path) {
        // another process was faster; its store is just as good
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(file(error.error)),
        Ok(_) => Ok(()),
    }
}
