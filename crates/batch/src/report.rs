//! A store's report as one self-contained HTML page without scripts.
//!
//! [`CensusReport::from_store`] collects what the page shows, [`html`] writes it. Pictures are
//! SVG inside the page, so that it can be mailed, printed and read offline, and it follows the
//! reader's light or dark colours.

mod page;
mod picture;

pub use page::html;

use crate::{CensusStore, CensusStoreError, CensusTotals, RootedSoup, StoredCensus};
use census::LongLivedSoup;

/// How many objects the table of the commonest has.
const MAX_COMMON: usize = 150;
/// How many objects the table of the rarest has.
const MAX_RARE: usize = 100;
/// How many long-lived soups are listed.
const MAX_LONG_LIVED: usize = 50;
/// How many soups are drawn.
const MAX_SOUPS: usize = 24;
/// How many odd soups are listed.
const MAX_ODD: usize = 200;

/// What the page of a store shows.
#[derive(Clone, Debug, PartialEq)]
pub struct CensusReport {
    /// The store's file name.
    pub store: String,
    /// The censuses in it.
    pub censuses: Vec<StoredCensus>,
    /// The sums over all of them.
    pub totals: CensusTotals,
    /// The commonest objects, with a soup that has each.
    pub common: Vec<ReportedObject>,
    /// The rarest objects that are not among the commonest, the rarest first.
    pub rare: Vec<ReportedObject>,
    /// The soups that lived longest.
    pub long_lived: Vec<(RootedSoup, LongLivedSoup)>,
    /// The soups that did not settle as others do.
    pub odd: Vec<(RootedSoup, String)>,
}

/// An object in a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedObject {
    /// Its place in the order of counts, from 1.
    pub rank: usize,
    /// Its code.
    pub code: String,
    /// How often it was found.
    pub count: u64,
    /// A soup that has it, if one is kept.
    pub sample: Option<RootedSoup>,
}

impl CensusReport {
    /// Collects what a store has.
    ///
    /// # Errors
    /// The store is damaged.
    ///
    /// ```
    /// use batch::{CensusStore, report::CensusReport};
    ///
    /// let report = CensusReport::from_store(&CensusStore::in_memory()?)?;
    /// assert!(report.common.is_empty());
    /// # Ok::<(), batch::CensusStoreError>(())
    /// ```
    pub fn from_store(store: &CensusStore) -> Result<Self, CensusStoreError> {
        let totals = store.totals()?;
        let mut objects = Vec::new();
        let ranking = totals.ranking();
        let from_rare = ranking.len().saturating_sub(MAX_RARE).max(MAX_COMMON);
        for (i, (code, count)) in ranking.into_iter().enumerate() {
            if i < MAX_COMMON || i >= from_rare {
                objects.push(ReportedObject {
                    rank: i + 1,
                    code: code.into(),
                    count,
                    sample: store.samples(code)?.into_iter().next(),
                });
            }
        }
        let mut rare = objects.split_off(objects.len().min(MAX_COMMON));
        rare.reverse();
        let mut odd = store.odd()?;
        odd.truncate(MAX_ODD);
        let name = store.path().file_name().unwrap_or(store.path().as_os_str());
        Ok(Self {
            store: name.to_string_lossy().into(),
            censuses: store.censuses()?,
            totals,
            common: objects,
            rare,
            long_lived: store.long_lived(MAX_LONG_LIVED)?,
            odd,
        })
    }

    /// The rarest objects with a soup to show, one of each soup.
    fn soups(&self) -> Vec<(&ReportedObject, &RootedSoup)> {
        let mut shown: Vec<(&ReportedObject, &RootedSoup)> = Vec::new();
        for object in self.rare.iter().chain(self.common.iter().rev()) {
            if let Some(soup) = &object.sample
                && shown.len() < MAX_SOUPS
                && !shown.iter().any(|(_, other)| *other == soup)
            {
                shown.push((object, soup));
            }
        }
        shown
    }
}
