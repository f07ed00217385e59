//! Writing to a store.

use super::{CensusStore, CensusStoreError, failure};
use crate::{CensusIdentity, ObjectKind, SoupRange};
use census::{LongLivedSoup, OddSoup, UnitReport, object_name};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

/// The most long-lived soups that are kept of a root. A unit reports as many, so that the
/// longest of a census are the same however it was cut.
const MAX_LONG_LIVED: u64 = 1000;

impl CensusStore {
    /// The number of a census in the store, which is added if it is not there.
    ///
    /// # Errors
    /// The store is of another rule, symmetry or way of settling, or its root was counted by
    /// another version.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusStore};
    ///
    /// let mut store = CensusStore::in_memory()?;
    /// let life = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// assert_eq!(store.open_census(&life)?, store.open_census(&life)?);
    /// let other = CensusIdentity::new("b36s23", "C1", "seed", "exact");
    /// let refusal = store.open_census(&other).unwrap_err().to_string();
    /// assert_eq!(refusal, "memory: the rule of this store is b3s23, and not b36s23");
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn open_census(&mut self, identity: &CensusIdentity) -> Result<i64, CensusStoreError> {
        let path = self.path.clone();
        let stored = self.censuses()?;
        for census in &stored {
            let kept = &census.identity;
            let is_same_root = kept.root == identity.root;
            let rows = [
                ("the rule", &kept.rule, &identity.rule),
                ("the symmetry", &kept.symmetry, &identity.symmetry),
                ("the settling", &kept.settling, &identity.settling),
                ("the version", &kept.version, &identity.version),
            ];
            // hauls of several versions may stand side by side, but not with the same soups
            let compared = if is_same_root { 4 } else { 3 };
            for (what, kept, wanted) in &rows[..compared] {
                if kept != wanted {
                    return Err(CensusStoreError::OtherCensus {
                        path,
                        what,
                        kept: kept.to_string(),
                        wanted: wanted.to_string(),
                    });
                }
            }
            if is_same_root {
                return Ok(census.id);
            }
        }
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let created = since.map_or(0, |since| since.as_millis() as i64);
        let columns = params![
            identity.rule,
            identity.symmetry,
            identity.root,
            identity.settling,
            identity.version,
            created
        ];
        // another process may add the same census at this moment
        let sql = "INSERT OR IGNORE INTO run (rule, symmetry, root, settle, version, created)
             VALUES (?, ?, ?, ?, ?, ?)";
        let added = self.connection.execute(sql, columns);
        added.map_err(|error| failure(&path, error))?;
        let id = self.connection.query_row(
            "SELECT id FROM run WHERE rule = ? AND symmetry = ? AND root = ? AND settle = ?
             AND version = ?",
            &columns[..5],
            |row| row.get(0),
        );
        id.map_err(|error| failure(&path, error))
    }

    /// Writes a unit in one transaction. Returns whether it is new: one that is there already
    /// is compared and not counted again.
    ///
    /// # Errors
    /// The store has another result for these soups, has some of them in a unit that is cut
    /// differently, or cannot be written.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusStore, CensusStoreError};
    /// use census::UnitReport;
    ///
    /// let mut store = CensusStore::in_memory()?;
    /// let census = store.open_census(&CensusIdentity::new("b3s23", "C1", "seed", "exact"))?;
    /// let mut unit = UnitReport { soups: 10, ..UnitReport::default() };
    /// assert!(store.insert(census, &unit, 0.5)?);
    /// assert!(!store.insert(census, &unit, 0.5)?);
    /// unit.tally.insert("xs4_33".into(), 1);
    /// let refusal = store.insert(census, &unit, 0.5).unwrap_err().to_string();
    /// assert_eq!(refusal, "memory: two different results for soups 0 to 9 of seed");
    /// # Ok::<(), CensusStoreError>(())
    /// ```
    pub fn insert(
        &mut self,
        census: i64,
        unit: &UnitReport,
        seconds: f64,
    ) -> Result<bool, CensusStoreError> {
        let path = self.path.clone();
        let max_samples = self.max_samples;
        let failed = |error| failure(&path, error);
        let behaviour = TransactionBehavior::Immediate;
        let transaction = Transaction::new(&mut self.connection, behaviour).map_err(failed)?;
        let header = UnitHeader::of(unit, seconds);
        let is_new = insert_header(&transaction, &path, census, &header)?;
        if is_new {
            let rows = UnitRows::of(unit);
            insert_rows(&transaction, &path, census, header.range.first, &rows)?;
            let kept = KeptSoups {
                samples: unit.samples.clone(),
                long_lived: unit.long_lived.clone(),
                odd: unit.odd.clone(),
            };
            insert_kept(&transaction, &path, census, &kept, max_samples)?;
        }
        transaction.commit().map_err(failed)?;
        Ok(is_new)
    }

    /// Whether the store has exactly this result for the soups of a unit.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusStore};
    /// use census::UnitReport;
    ///
    /// let mut store = CensusStore::in_memory()?;
    /// let census = store.open_census(&CensusIdentity::new("b3s23", "C1", "seed", "exact"))?;
    /// let mut unit = UnitReport { soups: 10, ..UnitReport::default() };
    /// store.insert(census, &unit, 0.5)?;
    /// assert!(store.has_result(census, &unit)?);
    /// unit.lifespan_sum = 9;
    /// assert!(!store.has_result(census, &unit)?);
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn has_result(&self, census: i64, unit: &UnitReport) -> Result<bool, CensusStoreError> {
        let wanted = UnitHeader::of(unit, 0.0);
        let units = self.units(census)?;
        let stored = units.iter().find(|stored| stored.range == wanted.range);
        Ok(
            stored.is_some_and(|stored| stored.soups_hash == wanted.soups_hash)
                && self.unit_tally(census, unit.first)? == unit.tally
                && self.unit_lifespans(census, unit.first)? == unit.lifespans,
        )
    }

    /// Adds the units of one census of another store to one of this, in one transaction.
    /// Returns how many of them are new.
    pub(crate) fn insert_from(
        &mut self,
        other: &Self,
        from: i64,
        census: i64,
    ) -> Result<usize, CensusStoreError> {
        let path = self.path.clone();
        let max_samples = self.max_samples;
        let behaviour = TransactionBehavior::Immediate;
        let failed = |error| failure(&path, error);
        let transaction = Transaction::new(&mut self.connection, behaviour).map_err(failed)?;
        let mut added = 0;
        for stored in other.units(from)? {
            let header = UnitHeader {
                range: stored.range,
                objects: stored.objects,
                lifespan_sum: stored.lifespan_sum,
                seconds: stored.seconds,
                soups_hash: stored.soups_hash,
            };
            if insert_header(&transaction, &path, census, &header)? {
                let rows = UnitRows {
                    tally: other.unit_tally(from, stored.range.first)?,
                    lifespans: other.unit_lifespans(from, stored.range.first)?,
                };
                insert_rows(&transaction, &path, census, header.range.first, &rows)?;
                added += 1;
            }
        }
        if added > 0 {
            let kept = KeptSoups {
                samples: other.census_samples(from)?,
                long_lived: other.census_long_lived(from)?,
                odd: other.census_odd(from)?,
            };
            insert_kept(&transaction, &path, census, &kept, max_samples)?;
        }
        transaction.commit().map_err(failed)?;
        Ok(added)
    }
}

/// The row of a unit.
struct UnitHeader {
    range: SoupRange,
    objects: u64,
    lifespan_sum: u64,
    seconds: f64,
    soups_hash: i64,
}

impl UnitHeader {
    fn of(unit: &UnitReport, seconds: f64) -> Self {
        Self {
            range: SoupRange::new(unit.first, unit.soups),
            objects: unit.tally.values().sum(),
            lifespan_sum: unit.lifespan_sum,
            seconds,
            soups_hash: soups_hash(unit).cast_signed(),
        }
    }
}

/// What belongs to a unit alone.
struct UnitRows {
    tally: BTreeMap<String, u64>,
    lifespans: BTreeMap<u64, u64>,
}

impl UnitRows {
    fn of(unit: &UnitReport) -> Self {
        Self {
            tally: unit.tally.clone(),
            lifespans: unit.lifespans.clone(),
        }
    }
}

/// The soups that are named, of a unit or of a census.
struct KeptSoups {
    samples: BTreeMap<String, Vec<u64>>,
    long_lived: Vec<LongLivedSoup>,
    odd: Vec<OddSoup>,
}

/// A fingerprint of a unit's result: FNV-1a of 64 bits (Fowler, Noll and Vo) over its text.
///
/// Two results of one unit are told apart by it; it is no protection against somebody who
/// wants them to look equal.
fn soups_hash(unit: &UnitReport) -> u64 {
    let UnitReport {
        tally,
        lifespans,
        lifespan_sum,
        odd,
        ..
    } = unit;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |text: &str| {
        for byte in text.bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for (code, count) in tally {
        take(&format!("{code} {count}"));
    }
    for (bin, count) in lifespans {
        take(&format!("{bin} {count}"));
    }
    take(&lifespan_sum.to_string());
    let mut odd: Vec<String> = odd
        .iter()
        .map(|o| format!("{} {}", o.index, o.what))
        .collect();
    odd.sort();
    odd.iter().for_each(|line| take(line));
    hash
}

/// Adds the row of a unit, unless it is there.
fn insert_header(
    transaction: &Transaction<'_>,
    path: &Path,
    census: i64,
    unit: &UnitHeader,
) -> Result<bool, CensusStoreError> {
    let failed = |error| failure(path, error);
    let range = unit.range;
    // the unit before the end of this one is the only one that can overlap it
    let sql = "SELECT first, soups, soups_hash FROM unit WHERE run = ? AND first < ?
         ORDER BY first DESC LIMIT 1";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    let before = statement.query_row(params![census, range.end()], |row| {
        let range = SoupRange::new(row.get(0)?, row.get(1)?);
        Ok((range, row.get::<_, i64>(2)?))
    });
    let root = || {
        let sql = "SELECT root FROM run WHERE id = ?";
        transaction.query_row(sql, [census], |row| row.get::<_, String>(0))
    };
    if let Some((other, hash)) = before.optional().map_err(failed)? {
        if other == range && hash == unit.soups_hash {
            return Ok(false);
        }
        if other == range {
            return Err(CensusStoreError::TwoResults {
                path: path.into(),
                root: root().map_err(failed)?,
                range,
            });
        }
        if other.end() > range.first {
            return Err(CensusStoreError::Overlap {
                path: path.into(),
                root: root().map_err(failed)?,
                range,
                other,
            });
        }
    }
    let sql = "INSERT INTO unit (run, first, soups, objects, lifespan_sum, seconds, soups_hash)
         VALUES (?, ?, ?, ?, ?, ?, ?)";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    let columns = params![
        census,
        range.first,
        range.soups,
        unit.objects,
        unit.lifespan_sum,
        unit.seconds,
        unit.soups_hash,
    ];
    statement.execute(columns).map_err(failed)?;
    Ok(true)
}

fn insert_rows(
    transaction: &Transaction<'_>,
    path: &Path,
    census: i64,
    first: u64,
    unit: &UnitRows,
) -> Result<(), CensusStoreError> {
    let failed = |error| failure(path, error);
    let sql = "INSERT INTO tally (run, unit_first, code_id, n) VALUES (?, ?, ?, ?)";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    for (code, &count) in &unit.tally {
        let code = code_id(transaction, path, census, code)?;
        let columns = params![census, first, code, count];
        statement.execute(columns).map_err(failed)?;
    }
    let sql = "INSERT INTO lifespan (run, unit_first, bin, n) VALUES (?, ?, ?, ?)";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    for (&bin, &count) in &unit.lifespans {
        let columns = params![census, first, bin, count];
        statement.execute(columns).map_err(failed)?;
    }
    Ok(())
}

fn insert_kept(
    transaction: &Transaction<'_>,
    path: &Path,
    census: i64,
    kept: &KeptSoups,
    max_samples: usize,
) -> Result<(), CensusStoreError> {
    let failed = |error| failure(path, error);
    for (code, indices) in &kept.samples {
        insert_samples(transaction, path, census, code, indices, max_samples)?;
    }
    let sql = "INSERT OR IGNORE INTO long_lived (run, soup_index, lifespan, population)
         VALUES (?, ?, ?, ?)";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    for soup in &kept.long_lived {
        let columns = params![census, soup.index, soup.lifespan, soup.population];
        statement.execute(columns).map_err(failed)?;
    }
    let sql = "DELETE FROM long_lived WHERE run = ?1 AND soup_index IN (
             SELECT soup_index FROM long_lived WHERE run = ?1
             ORDER BY lifespan DESC, soup_index LIMIT -1 OFFSET ?2)";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    let columns = params![census, MAX_LONG_LIVED as i64];
    statement.execute(columns).map_err(failed)?;
    let sql = "INSERT OR IGNORE INTO odd (run, soup_index, what) VALUES (?, ?, ?)";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    for odd in &kept.odd {
        let columns = params![census, odd.index, odd.what];
        statement.execute(columns).map_err(failed)?;
    }
    Ok(())
}

/// Keeps the smallest of the indices in the store and the new ones.
fn insert_samples(
    transaction: &Transaction<'_>,
    path: &Path,
    census: i64,
    code: &str,
    indices: &[u64],
    max_samples: usize,
) -> Result<(), CensusStoreError> {
    let failed = |error| failure(path, error);
    let code = code_id(transaction, path, census, code)?;
    let sql = "SELECT soup_index FROM sample WHERE run = ? AND code_id = ? ORDER BY soup_index";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    let kept = statement.query_map([census, code], |row| row.get(0));
    let kept: Vec<u64> = kept.and_then(Iterator::collect).map_err(failed)?;
    let mut all: Vec<u64> = kept.iter().chain(indices).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(max_samples.max(kept.len()));
    let sql = "DELETE FROM sample WHERE run = ? AND code_id = ? AND soup_index = ?";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    for &index in kept.iter().filter(|index| !all.contains(index)) {
        let columns = params![census, code, index];
        statement.execute(columns).map_err(failed)?;
    }
    let sql = "INSERT INTO sample (run, code_id, soup_index) VALUES (?, ?, ?)";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    for &index in all.iter().filter(|index| !kept.contains(index)) {
        let columns = params![census, code, index];
        statement.execute(columns).map_err(failed)?;
    }
    Ok(())
}

/// The number of a code of the census's rule, which is added if it is not there.
fn code_id(
    transaction: &Transaction<'_>,
    path: &Path,
    census: i64,
    code: &str,
) -> Result<i64, CensusStoreError> {
    let failed = |error| failure(path, error);
    let sql = "SELECT code.id FROM code JOIN run ON run.rule = code.rule
         WHERE run.id = ? AND code.apgcode = ?";
    let mut statement = transaction.prepare_cached(sql).map_err(failed)?;
    let found = statement.query_row(params![census, code], |row| row.get(0));
    if let Some(id) = found.optional().map_err(failed)? {
        return Ok(id);
    }
    let kind = ObjectKind::of(code);
    let columns = params![
        code,
        kind.class.word(),
        kind.period,
        kind.cells,
        object_name(code),
        census
    ];
    let sql = "INSERT INTO code (rule, apgcode, kind, period, cells, name)
         SELECT rule, ?, ?, ?, ?, ? FROM run WHERE id = ?";
    transaction.execute(sql, columns).map_err(failed)?;
    Ok(transaction.last_insert_rowid())
}
