//! The store's schema and its migrations.

use rusqlite::{Connection, Transaction};

/// Marks a file as a store of tournaments: `gpTR` in the header of every SQLite file.
pub(super) const APPLICATION: i32 = i32::from_be_bytes(*b"gpTR");

/// The migrations between versions; a new store runs all of them. A released migration is never
/// changed.
const STEPS: &[&str] = &[FIRST];

/// The version that this program writes.
pub(super) const VERSION: i64 = STEPS.len() as i64;

/// Seats are 0 and 1, moments are milliseconds since 1970, `seed` and `hash` are the bits of
/// an unsigned number.
///
/// A game is one row, with all of its moves: a full duel of timed players is 1.1 kB so, and
/// 6.0 kB with a row a move, and nobody asks for a move without its game. `moves` has the
/// turns as text with blanks between them, deflated (a blob) where that is shorter; `times`
/// has a number a turn and seat, 0 for none, else microseconds and one, seven bits a byte,
/// the lowest first.
const FIRST: &str = "
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    seed INTEGER NOT NULL,
    kind TEXT NOT NULL,
    pairs INTEGER NOT NULL,
    rounds INTEGER,
    opening TEXT NOT NULL,
    settled INTEGER NOT NULL,
    pace TEXT NOT NULL
) STRICT;

CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE machines (
    id INTEGER PRIMARY KEY,
    cpu TEXT NOT NULL,
    cores INTEGER NOT NULL,
    os TEXT NOT NULL,
    UNIQUE (cpu, cores, os)
) STRICT;

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    machine INTEGER NOT NULL REFERENCES machines,
    program TEXT NOT NULL,
    jobs INTEGER NOT NULL,
    cage TEXT NOT NULL,
    started INTEGER NOT NULL
) STRICT;

CREATE TABLE pairings (
    round INTEGER NOT NULL,
    place INTEGER NOT NULL,
    first INTEGER NOT NULL REFERENCES players,
    second INTEGER REFERENCES players,
    PRIMARY KEY (round, place),
    CHECK (first <> second)
) STRICT, WITHOUT ROWID;

CREATE TABLE pairs (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs,
    first INTEGER NOT NULL REFERENCES players,
    second INTEGER NOT NULL REFERENCES players,
    number INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    opening TEXT NOT NULL,
    started INTEGER NOT NULL,
    microseconds INTEGER NOT NULL,
    UNIQUE (first, second, number),
    CHECK (first <> second)
) STRICT;

CREATE TABLE abouts (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    pair INTEGER NOT NULL REFERENCES pairs,
    leg INTEGER NOT NULL CHECK (leg IN (0, 1)),
    outcome TEXT NOT NULL CHECK (outcome IN ('first', 'second', 'draw')),
    ending TEXT NOT NULL,
    hash INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    first_about INTEGER REFERENCES abouts,
    second_about INTEGER REFERENCES abouts,
    moves ANY NOT NULL,
    times BLOB NOT NULL,
    UNIQUE (pair, leg)
) STRICT;

CREATE TABLE verdicts (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL CHECK (seat IN (0, 1)),
    kind TEXT NOT NULL,
    words TEXT NOT NULL,
    detail TEXT,
    problem TEXT,
    number INTEGER,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL CHECK (seat IN (0, 1)),
    place INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (game, seat, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE complaints (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL CHECK (seat IN (0, 1)),
    text TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;
";

/// The schema version; 0 for an empty file.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Runs the outstanding migrations in one transaction.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    take(connection, STEPS)
}

fn take(connection: &mut Connection, steps: &[&str]) -> rusqlite::Result<()> {
    if version(connection)? as usize >= steps.len() {
        return Ok(());
    }
    let behaviour = rusqlite::TransactionBehavior::Immediate;
    let transaction = Transaction::new(connection, behaviour)?;
    // another process may have run them meanwhile
    let done = version(&transaction)? as usize;
    for step in steps.iter().skip(done) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", steps.len() as i64)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_steps_are_applied_once_and_whole() {
        let mut connection = Connection::open_in_memory().unwrap();
        let first = "CREATE TABLE a (x INTEGER) STRICT";
        let second = "ALTER TABLE a ADD COLUMN y INTEGER; INSERT INTO a VALUES (1, 2)";
        take(&mut connection, &[first]).unwrap();
        assert_eq!(version(&connection).unwrap(), 1);
        let broken = "INSERT INTO a VALUES (3, 4); CREATE TABLE a (x INTEGER)";
        take(&mut connection, &[first, second, broken]).unwrap_err();
        assert_eq!(version(&connection).unwrap(), 1);
        take(&mut connection, &[first, second]).unwrap();
        take(&mut connection, &[first, second]).unwrap();
        assert_eq!(version(&connection).unwrap(), 2);
        let rows: i64 = connection
            .query_row("SELECT count(*) FROM a", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
    }

    #[test]
    fn the_tables_can_be_made() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(version(&connection).unwrap(), VERSION);
        let problems: Vec<String> = connection
            .prepare("PRAGMA integrity_check")
            .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
            .unwrap();
        assert_eq!(problems, ["ok"]);
    }
}
