//! Merging: units are added, never totals.

use crate::census_identity::APGSEARCH;
use crate::runner::CensusRunError;
use crate::{CensusIdentity, CensusPlan, CensusStore, CensusStoreError, StoredCensus};
use census::UnitReport;
use census::haul::Haul;
use parts::{PartError, PartPlan as _, PartReader, first_line};
use std::path::Path;

/// Adds the units of a store to another. A unit that is in both is counted once. Returns how
/// many units are new.
///
/// # Errors
/// The stores count different things, or have different results for a unit. What was added
/// before the census with the error stays.
///
/// ```
/// use batch::{CensusIdentity, CensusStore, merge_store};
/// use census::UnitReport;
///
/// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
/// let mut part = CensusStore::in_memory()?;
/// let census = part.open_census(&identity)?;
/// part.insert(census, &UnitReport { soups: 10, ..UnitReport::default() }, 0.0)?;
/// let mut whole = CensusStore::in_memory()?;
/// assert_eq!(merge_store(&mut whole, &part)?, 1);
/// assert_eq!(merge_store(&mut whole, &part)?, 0);
/// assert_eq!(whole.totals()?.soups, 10);
/// # Ok::<(), batch::CensusStoreError>(())
/// ```
pub fn merge_store(into: &mut CensusStore, from: &CensusStore) -> Result<usize, CensusStoreError> {
    let mut added = 0;
    for census in from.censuses()? {
        let id = into.open_census(&census.identity)?;
        added += into.insert_from(from, census.id, id)?;
    }
    Ok(added)
}

/// Adds the units of a part to a store; the time that they took is not in it. Returns how many are
/// new.
///
/// # Errors
/// The part cannot be read or is damaged, or the store has other results.
///
/// ```
/// use batch::{CensusIdentity, CensusPlan, CensusStore, SoupRange, UnitPart, merge_part};
/// use census::UnitReport;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("1-of-1.gpart");
/// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
/// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
/// let report = UnitReport { first: 20, soups: 10, ..UnitReport::default() };
/// let unit = UnitPart::new(&plan, report).expect("it is a unit");
/// parts::PartFile::open(&path, &plan)?.append(unit.line())?;
/// let mut store = CensusStore::in_memory()?;
/// assert_eq!((merge_part(&mut store, &path)?, merge_part(&mut store, &path)?), (1, 0));
/// assert_eq!(store.totals()?.soups, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge_part(into: &mut CensusStore, path: &Path) -> Result<usize, CensusRunError> {
    let Some(line) = first_line(path)? else {
        return Ok(0);
    };
    let plan = CensusPlan::from_line(&line).ok_or_else(|| PartError::Foreign {
        path: path.into(),
        work: CensusPlan::WORK,
    })?;
    let census = into.open_census(plan.identity())?;
    let mut added = 0;
    PartReader::open(path, &plan, "the plan")?.visit(&mut |line| {
        let is_new = into.insert(census, &line.unit.report(), 0.0)?;
        added += usize::from(is_new);
        Ok::<_, CensusRunError>(())
    })?;
    Ok(added)
}

/// The end of the version of our hauls whose soups were settled exactly.
const EXACT_MARK: &str = "-exact";

/// The haul of one census of a store. Its version says where the soups were settled exactly,
/// since others count by apgsearch's schedule.
///
/// # Errors
/// The store is damaged.
///
/// ```
/// use batch::{CensusIdentity, CensusStore, haul_of, merge_haul};
/// use census::UnitReport;
///
/// let mut store = CensusStore::in_memory()?;
/// let census = store.open_census(&CensusIdentity::new("b3s23", "C1", "seed", "exact"))?;
/// let tally = [("xs4_33".to_string(), 7)].into();
/// store.insert(census, &UnitReport { soups: 10, tally, ..UnitReport::default() }, 0.0)?;
/// let haul = haul_of(&store, &store.censuses()?[0])?;
/// assert_eq!((haul.soups, haul.tally["xs4_33"]), (10, 7));
/// let mut other = CensusStore::in_memory()?;
/// assert!(merge_haul(&mut other, &haul)?);
/// assert!(!merge_haul(&mut other, &haul)?);
/// assert_eq!(other.totals()?.tally, store.totals()?.tally);
/// # Ok::<(), batch::CensusStoreError>(())
/// ```
pub fn haul_of(store: &CensusStore, census: &StoredCensus) -> Result<Haul, CensusStoreError> {
    let identity = &census.identity;
    let version = match (identity.is_ours(), identity.settling == APGSEARCH) {
        (true, true) => concat!("gridpaper-", env!("CARGO_PKG_VERSION")).to_string(),
        (true, false) => format!(
            concat!("gridpaper-", env!("CARGO_PKG_VERSION"), "{}"),
            EXACT_MARK
        ),
        (false, _) => identity.version.clone(),
    };
    Ok(Haul {
        version,
        root: identity.root.clone(),
        rule: identity.rule.clone(),
        symmetry: identity.symmetry.clone(),
        soups: census.soups,
        tally: store.census_tally(census.id)?,
        samples: store.census_samples(census.id)?,
    })
}

/// Adds a haul to a store as one unit of its soups. Returns whether it is new.
///
/// # Errors
/// The store counts something else, has the soups of this root by another program, or has
/// another result for them.
///
/// ```
/// use batch::{CensusStore, merge_haul};
/// use census::haul::Haul;
///
/// let haul = Haul {
///     version: "v5.2-ll2.5.6".into(),
///     root: "a".into(),
///     rule: "b3s23".into(),
///     symmetry: "C1".into(),
///     soups: 10,
///     tally: [("xs4_33".to_string(), 7)].into(),
///     ..Haul::default()
/// };
/// let mut store = CensusStore::in_memory()?;
/// assert!(merge_haul(&mut store, &haul)?);
/// assert_eq!(store.censuses()?[0].identity.settling, "apgsearch");
/// # Ok::<(), batch::CensusStoreError>(())
/// ```
pub fn merge_haul(store: &mut CensusStore, haul: &Haul) -> Result<bool, CensusStoreError> {
    let settling =
        match haul.version.starts_with("gridpaper-") && haul.version.ends_with(EXACT_MARK) {
            true => "exact",
            false => APGSEARCH,
        };
    let census = store.open_census(&CensusIdentity {
        version: haul.version.clone(),
        ..CensusIdentity::new(&haul.rule, &haul.symmetry, &haul.root, settling)
    })?;
    let unit = UnitReport {
        first: 0,
        soups: haul.soups,
        tally: haul.tally.clone(),
        samples: haul.samples.clone(),
        ..UnitReport::default()
    };
    store.insert(census, &unit, 0.0)
}
