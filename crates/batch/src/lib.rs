//! Work that is cut into units, and the store in which their results merge.
//!
//! A census ([`CensusIdentity`]) is cut into units: ranges of soups ([`SoupRange`]). Threads take
//! units from one plan ([`UnitPlan`], [`run_units`]), and each unit is written into a [`CensusStore`], an SQLite
//! file, in one transaction. So a census that is killed loses the units under way and nothing
//! else, the next run counts what is missing, and neither the number of threads nor the order of
//! merging changes a result.
//!
//! Where machines share no more than a folder, each appends its units to a file of its own
//! ([`parts`]), and [`PartMerge`] adds such files in any order.
//!
//! A search is cut into cubes by a plan ([`SearchPlan`]), and [`SearchMerge`] adds its parts.
//!
//! The decision that shapes this crate: totals are never stored, only units, and a total is their
//! sum. (Adding totals lost: nobody could see that a soup is in two of them.) The crate does not
//! know how a unit is counted: its caller hands over a [`UnitWorker`].
//!
//! ```
//! use batch::{CensusIdentity, CensusStore, SoupRange};
//! use census::UnitReport;
//!
//! let mut store = CensusStore::in_memory()?;
//! let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
//! let census = store.open_census(&identity)?;
//! let mut unit = UnitReport { first: 0, soups: 10, ..UnitReport::default() };
//! unit.tally.insert("xs4_33".into(), 7);
//! store.insert(census, &unit, 0.01)?;
//! assert_eq!(store.missing(census, SoupRange::new(0, 30))?, [SoupRange::new(10, 20)]);
//! assert_eq!(store.totals()?.objects(), 7);
//! # Ok::<(), batch::CensusStoreError>(())
//! ```
#![forbid(unsafe_code)]

mod census_identity;
mod census_plan;
mod cube_result;
mod merge;
mod part;
mod part_merge;
mod progress;

pub mod report;
mod runner;
mod search_merge;
mod search_plan;
mod soup_range;
mod store;
mod totals;
mod unit_line;
mod unit_plan;

pub use census::{ObjectClass, ObjectKind};
pub use census_identity::{COUNTING_VERSION, CensusIdentity};
pub use census_plan::{CensusPlan, CensusPlanText};
pub use cube_result::{CubeEnd, CubeFind, CubeResult};
pub use merge::{haul_of, merge_haul, merge_part, merge_store};
pub use part::{CensusUnit, UnitPart};
pub use part_merge::PartMerge;
pub use progress::CensusProgress;
pub use runner::{CensusRunError, UnitKeeper, UnitWorker, WorkerFactory, keep_units, run_units};
pub use search_merge::SearchMerge;
pub use search_plan::{PlannedTask, SearchPlan, SearchPlanError, SearchPlanText};
pub use soup_range::SoupRange;
pub use store::{CensusStore, CensusStoreError, StoredCensus, StoredUnit};
pub use totals::{CensusTotals, LifespanHistogram, RootedSoup};
pub use unit_plan::UnitPlan;
