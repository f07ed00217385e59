//! The store of tables: one small file each.
//!
//! A file holds the game as a replay, which detects damage, and the seats. It contains the seats'
//! keys, so only the server's owner may read it. It is written to a temporary file and renamed, so
//! that it is never partial.

use super::seat::{SeatPerson, SeatPlayer, TableSeat};
use games::Seat;
use matches::replay::{self, ReplayError};
use matches::{Ending, Record};
use models::play::TableGameEnd;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file is no longer than this: 2000 turns are a tenth of it.
const LONGEST: u64 = 4 << 20;

/// A folder of tables, which no other server has.
#[derive(Debug)]
pub(super) struct TableStore {
    folder: PathBuf,
    /// Held for as long as it is this server's.
    _lock: File,
}

/// A table as it is kept.
#[derive(Debug)]
pub(super) struct StoredTable {
    pub(super) id: String,
    pub(super) number: u64,
    pub(super) seats: [StoredSeat; 2],
    pub(super) is_public: bool,
    pub(super) hints: bool,
    pub(super) seed: u64,
    pub(super) record: Record,
}

/// The occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StoredSeat {
    Open,
    Person {
        key: String,
        name: String,
    },
    /// Its text.
    Player(String),
}

/// What a file holds.
#[derive(Serialize, Deserialize)]
struct StoredTableFile {
    /// Of the format.
    version: u32,
    number: u64,
    seats: [StoredSeat; 2],
    public: bool,
    hints: bool,
    seed: u64,
    replay: String,
}

const VERSION: u32 = 1;

/// Why a file is no table.
#[derive(Debug, Error)]
pub(super) enum TableStoreError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is longer than {LONGEST} bytes")]
    Long,
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("it has the version {0}, and only {VERSION} is known")]
    Version(u32),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("there is no game in it")]
    Empty,
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
            match StoredTable::read(id, &path) {
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

impl StoredTable {
    /// What is written.
    pub(super) fn text(&self) -> String {
        let file = StoredTableFile {
            version: VERSION,
            number: self.number,
            seats: self.seats.clone(),
            public: self.is_public,
            hints: self.hints,
            seed: self.seed,
            replay: replay::text(&self.record),
        };
        serde_json::to_string(&file).expect("it has words and numbers, which JSON has too")
    }

    fn read(id: &str, path: &Path) -> Result<Self, TableStoreError> {
        if fs::metadata(path)?.len() > LONGEST {
            return Err(TableStoreError::Long);
        }
        let file: StoredTableFile = serde_json::from_str(&fs::read_to_string(path)?)?;
        if file.version != VERSION {
            return Err(TableStoreError::Version(file.version));
        }
        let replay = replay::read_text(&file.replay).next();
        let replay = replay.ok_or(TableStoreError::Empty)??;
        replay.check()?;
        Ok(Self {
            id: id.into(),
            number: file.number,
            seats: file.seats,
            is_public: file.public,
            hints: file.hints,
            seed: file.seed,
            record: replay.record,
        })
    }

    /// How the game ended, where its rules did not end it.
    pub(super) fn end(&self) -> Option<TableGameEnd> {
        let ending = &self.record.ending;
        let faults = Seat::BOTH.into_iter();
        let mut faults =
            faults.filter_map(|seat| Some(TableGameEnd::Fault(seat, ending.of(seat)?.clone())));
        match ending {
            Ending::Resigned(seat) => Some(TableGameEnd::Resigned(*seat)),
            _ => faults.next(),
        }
    }
}

impl StoredSeat {
    pub(super) fn of(occupant: &TableSeat) -> Self {
        match occupant {
            TableSeat::Open => Self::Open,
            TableSeat::Person(SeatPerson { key, name }) => Self::Person {
                key: key.clone(),
                name: name.clone(),
            },
            TableSeat::Player(SeatPlayer { text, .. }) => Self::Player(text.clone()),
        }
    }

    /// The name in the game record.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Open => "nobody".into(),
            Self::Person { name, .. } if name.is_empty() => "human".into(),
            Self::Person { name, .. } => format!("human:{name}"),
            Self::Player(text) => text.clone(),
        }
    }
}
