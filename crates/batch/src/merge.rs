//! Merging: units are added, never totals.

use crate::{CensusStore, CensusStoreError};

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
