//! The tables of a store.

use rusqlite::{Connection, Transaction, TransactionBehavior};

/// Marks a file as a store of censuses: `gpCS` in the header of every SQLite file.
pub(super) const APPLICATION: i32 = i32::from_be_bytes(*b"gpCS");

/// The version of the tables.
pub(super) const VERSION: i64 = 1;

/// Counts and indices are at most 2^63 - 1; `soups_hash` has the bits of an unsigned number;
/// `created` is in milliseconds since 1970.
///
/// A unit is there whole or not at all, so it has no state. Samples, long-lived and odd soups
/// belong to the run: which of them are kept does not depend on how it was cut into units.
const TABLES: &str = "
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    rule TEXT NOT NULL,
    symmetry TEXT NOT NULL,
    root TEXT NOT NULL,
    settle TEXT NOT NULL,
    version TEXT NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (rule, symmetry, root, settle, version)
) STRICT;

CREATE TABLE unit (
    run INTEGER NOT NULL REFERENCES run,
    first INTEGER NOT NULL,
    soups INTEGER NOT NULL,
    objects INTEGER NOT NULL,
    lifespan_sum INTEGER NOT NULL,
    seconds REAL NOT NULL,
    soups_hash INTEGER NOT NULL,
    PRIMARY KEY (run, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE code (
    id INTEGER PRIMARY KEY,
    rule TEXT NOT NULL,
    apgcode TEXT NOT NULL,
    kind TEXT NOT NULL,
    period INTEGER,
    cells INTEGER,
    name TEXT,
    UNIQUE (rule, apgcode)
) STRICT;

CREATE TABLE tally (
    run INTEGER NOT NULL,
    unit_first INTEGER NOT NULL,
    code_id INTEGER NOT NULL REFERENCES code,
    n INTEGER NOT NULL,
    PRIMARY KEY (run, unit_first, code_id),
    FOREIGN KEY (run, unit_first) REFERENCES unit
) STRICT, WITHOUT ROWID;

CREATE TABLE lifespan (
    run INTEGER NOT NULL,
    unit_first INTEGER NOT NULL,
    bin INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (run, unit_first, bin),
    FOREIGN KEY (run, unit_first) REFERENCES unit
) STRICT, WITHOUT ROWID;

CREATE TABLE sample (
    run INTEGER NOT NULL REFERENCES run,
    code_id INTEGER NOT NULL REFERENCES code,
    soup_index INTEGER NOT NULL,
    PRIMARY KEY (run, code_id, soup_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE long_lived (
    run INTEGER NOT NULL REFERENCES run,
    soup_index INTEGER NOT NULL,
    lifespan INTEGER NOT NULL,
    population INTEGER NOT NULL,
    PRIMARY KEY (run, soup_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE odd (
    run INTEGER NOT NULL REFERENCES run,
    soup_index INTEGER NOT NULL,
    what TEXT NOT NULL,
    PRIMARY KEY (run, soup_index, what)
) STRICT, WITHOUT ROWID;
";

/// The mark and the version of a database; both are 0 of an empty one.
pub(super) fn marks(connection: &Connection) -> rusqlite::Result<(i32, i64)> {
    let application = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let version = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok((application, version))
}

/// Whether a database has no tables at all.
pub(super) fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)";
    connection.query_row(sql, [], |row| row.get(0))
}

/// Makes the tables of an empty database, if no other process has made them meanwhile.
pub(super) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
    if is_empty(&transaction)? {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}
