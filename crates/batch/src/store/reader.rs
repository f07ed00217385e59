//! Reading from a store.

use super::{CensusStore, CensusStoreError};
use crate::{CensusIdentity, CensusTotals, LifespanHistogram, RootedSoup, SoupRange};
use census::{LongLivedSoup, OddSoup};
use rusqlite::{Params, Row, params};
use std::collections::BTreeMap;

/// A census in a store.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredCensus {
    /// Its number in the store.
    pub id: i64,
    /// What it counts.
    pub identity: CensusIdentity,
    /// How many soups were run.
    pub soups: u64,
    /// How many units there are.
    pub units: u64,
    /// The time that the units took, added up over all threads, in seconds.
    pub seconds: f64,
}

/// A unit in a store.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredUnit {
    /// Its soups.
    pub range: SoupRange,
    /// How many objects were found.
    pub objects: u64,
    /// The sum of the soups' lifespans.
    pub lifespan_sum: u64,
    /// The time that it took in seconds.
    pub seconds: f64,
    /// A fingerprint of its result.
    pub(super) soups_hash: i64,
}

impl CensusStore {
    /// The censuses in the store, in the order of their roots.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusStore};
    ///
    /// let mut store = CensusStore::in_memory()?;
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// store.open_census(&identity)?;
    /// assert_eq!(store.censuses()?[0].identity, identity);
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn censuses(&self) -> Result<Vec<StoredCensus>, CensusStoreError> {
        let sql = "SELECT id, rule, symmetry, root, settle, version,
                 (SELECT coalesce(sum(soups), 0) FROM unit WHERE run = id),
                 (SELECT count(*) FROM unit WHERE run = id),
                 (SELECT coalesce(sum(seconds), 0.0) FROM unit WHERE run = id)
             FROM run ORDER BY root, version, id";
        self.rows(sql, [], |row| {
            Ok(StoredCensus {
                id: row.get(0)?,
                identity: CensusIdentity {
                    rule: row.get(1)?,
                    symmetry: row.get(2)?,
                    root: row.get(3)?,
                    settling: row.get(4)?,
                    version: row.get(5)?,
                },
                soups: row.get(6)?,
                units: row.get(7)?,
                seconds: row.get(8)?,
            })
        })
    }

    /// The units of a census, in order.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusStore};
    ///
    /// let mut store = CensusStore::in_memory()?;
    /// let census = store.open_census(&CensusIdentity::new("b3s23", "C1", "seed", "exact"))?;
    /// assert_eq!(store.units(census)?, []);
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn units(&self, census: i64) -> Result<Vec<StoredUnit>, CensusStoreError> {
        let sql = "SELECT first, soups, objects, lifespan_sum, seconds, soups_hash FROM unit
             WHERE run = ? ORDER BY first";
        self.rows(sql, [census], |row| {
            Ok(StoredUnit {
                range: SoupRange::new(row.get(0)?, row.get(1)?),
                objects: row.get(2)?,
                lifespan_sum: row.get(3)?,
                seconds: row.get(4)?,
                soups_hash: row.get(5)?,
            })
        })
    }

    /// The soups of a range that are in no unit yet, in order.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusStore, SoupRange};
    ///
    /// let mut store = CensusStore::in_memory()?;
    /// let census = store.open_census(&CensusIdentity::new("b3s23", "C1", "seed", "exact"))?;
    /// let range = SoupRange::new(5, 10);
    /// assert_eq!(store.missing(census, range)?, [range]);
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn missing(
        &self,
        census: i64,
        range: SoupRange,
    ) -> Result<Vec<SoupRange>, CensusStoreError> {
        let there: Vec<SoupRange> = self.units(census)?.iter().map(|unit| unit.range).collect();
        Ok(range.without(&there))
    }

    /// The sums over all units.
    ///
    /// # Errors
    /// The store is damaged: also where the counts of a unit do not add up to its objects.
    ///
    /// ```
    /// let totals = batch::CensusStore::in_memory()?.totals()?;
    /// assert_eq!((totals.soups, totals.objects()), (0, 0));
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn totals(&self) -> Result<CensusTotals, CensusStoreError> {
        // one transaction, so that all values are of one moment
        let moment = self.connection.unchecked_transaction();
        let moment = moment.map_err(|error| self.failed(error))?;
        let sql = "SELECT apgcode, sum(n) FROM tally JOIN code ON code.id = code_id
             GROUP BY code_id";
        let tally = self.map(sql, [])?;
        let bins = self.map("SELECT bin, sum(n) FROM lifespan GROUP BY bin", [])?;
        let sql = "SELECT coalesce(sum(soups), 0), coalesce(sum(objects), 0),
                 coalesce(sum(lifespan_sum), 0),
                 (SELECT coalesce(max(lifespan), 0) FROM long_lived),
                 (SELECT count(DISTINCT run || ' ' || soup_index) FROM odd)
             FROM unit";
        let sums = self.rows(sql, [], |row| {
            let numbers: [u64; 5] = [
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            ];
            Ok(numbers)
        })?;
        drop(moment);
        let [soups, objects, sum, longest, unsettled] = sums.first().copied().unwrap_or_default();
        let totals = CensusTotals {
            soups,
            tally,
            lifespans: LifespanHistogram { bins, sum, longest },
            unsettled,
        };
        if totals.objects() != objects {
            let found = totals.objects();
            return Err(self.damaged(format!(
                "its units have {objects} objects, its counts {found}"
            )));
        }
        Ok(totals)
    }

    /// The soups that an object was found in, of those that are kept: the smallest indices of
    /// each root.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// assert_eq!(batch::CensusStore::in_memory()?.samples("xs4_33")?, []);
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn samples(&self, code: &str) -> Result<Vec<RootedSoup>, CensusStoreError> {
        let sql = "SELECT root, soup_index FROM sample JOIN code ON code.id = code_id
             JOIN run ON run.id = run WHERE apgcode = ? ORDER BY root, soup_index";
        self.rows(sql, [code], rooted)
    }

    /// The soups that lived longest, the longest first.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// assert_eq!(batch::CensusStore::in_memory()?.long_lived(50)?, []);
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn long_lived(
        &self,
        most: usize,
    ) -> Result<Vec<(RootedSoup, LongLivedSoup)>, CensusStoreError> {
        let sql = "SELECT root, soup_index, lifespan, population FROM long_lived
             JOIN run ON run.id = run ORDER BY lifespan DESC, root, soup_index LIMIT ?";
        self.rows(sql, [most as i64], |row| {
            let soup = LongLivedSoup {
                index: row.get(1)?,
                lifespan: row.get(2)?,
                population: row.get(3)?,
            };
            Ok((rooted(row)?, soup))
        })
    }

    /// The soups that did not settle as others do, and what they did.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// assert_eq!(batch::CensusStore::in_memory()?.odd()?, []);
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn odd(&self) -> Result<Vec<(RootedSoup, String)>, CensusStoreError> {
        let sql = "SELECT root, soup_index, what FROM odd JOIN run ON run.id = run
             ORDER BY root, soup_index, what";
        self.rows(sql, [], |row| Ok((rooted(row)?, row.get(2)?)))
    }

    /// The smallest samples of each object of one census.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// let store = batch::CensusStore::in_memory()?;
    /// assert!(store.census_samples(1)?.is_empty());
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn census_samples(
        &self,
        census: i64,
    ) -> Result<BTreeMap<String, Vec<u64>>, CensusStoreError> {
        let sql = "SELECT apgcode, soup_index FROM sample JOIN code ON code.id = code_id
             WHERE run = ? ORDER BY apgcode, soup_index";
        let rows = self.rows(sql, [census], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?))
        })?;
        let mut samples: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for (code, index) in rows {
            samples.entry(code).or_default().push(index);
        }
        Ok(samples)
    }

    /// The counts of one census.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// let store = batch::CensusStore::in_memory()?;
    /// assert!(store.census_tally(1)?.is_empty());
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn census_tally(&self, census: i64) -> Result<BTreeMap<String, u64>, CensusStoreError> {
        let sql = "SELECT apgcode, sum(n) FROM tally JOIN code ON code.id = code_id
             WHERE run = ? GROUP BY code_id";
        self.map(sql, [census])
    }

    pub(super) fn census_long_lived(
        &self,
        census: i64,
    ) -> Result<Vec<LongLivedSoup>, CensusStoreError> {
        let sql = "SELECT soup_index, lifespan, population FROM long_lived WHERE run = ?
             ORDER BY lifespan DESC, soup_index";
        self.rows(sql, [census], |row| {
            Ok(LongLivedSoup {
                index: row.get(0)?,
                lifespan: row.get(1)?,
                population: row.get(2)?,
            })
        })
    }

    pub(super) fn census_odd(&self, census: i64) -> Result<Vec<OddSoup>, CensusStoreError> {
        let sql = "SELECT soup_index, what FROM odd WHERE run = ? ORDER BY soup_index, what";
        self.rows(sql, [census], |row| {
            Ok(OddSoup {
                index: row.get(0)?,
                what: row.get(1)?,
            })
        })
    }

    pub(super) fn unit_tally(
        &self,
        census: i64,
        first: u64,
    ) -> Result<BTreeMap<String, u64>, CensusStoreError> {
        let sql = "SELECT apgcode, n FROM tally JOIN code ON code.id = code_id
             WHERE run = ? AND unit_first = ?";
        self.map(sql, params![census, first])
    }

    pub(super) fn unit_lifespans(
        &self,
        census: i64,
        first: u64,
    ) -> Result<BTreeMap<u64, u64>, CensusStoreError> {
        let sql = "SELECT bin, n FROM lifespan WHERE run = ? AND unit_first = ?";
        self.map(sql, params![census, first])
    }

    /// The answer of two columns as a map.
    fn map<K: rusqlite::types::FromSql + Ord>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> Result<BTreeMap<K, u64>, CensusStoreError> {
        let rows = self.rows(sql, parameters, |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.into_iter().collect())
    }

    /// The rows of an answer.
    fn rows<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, CensusStoreError> {
        let statement = self.connection.prepare_cached(sql);
        let mut statement = statement.map_err(|error| self.failed(error))?;
        let rows = statement.query_map(parameters, read);
        let rows = rows.and_then(Iterator::collect);
        rows.map_err(|error| self.failed(error))
    }
}

/// A row that begins with a root and an index.
fn rooted(row: &Row<'_>) -> rusqlite::Result<RootedSoup> {
    Ok(RootedSoup {
        root: row.get(0)?,
        index: row.get(1)?,
    })
}
