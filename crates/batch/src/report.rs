//! A store's report as one self-contained HTML page without scripts.
//!
//! [`CensusReport::from_store`] collects what the page shows, [`html`] writes it. Pictures are
//! SVG inside the page, so that it can be mailed, printed and read offline, and it follows the
//! reader's light or dark colours.

mod page;
mod picture;

pub use page::html;

use crate::{CensusStore, CensusStoreError, CensusTotals, RootedSoup, StoredCensus};
use census::{CensusUnitRunner, LongLivedSoup};
use std::cmp::Reverse;

/// How many objects the table of the commonest has.
const MAX_COMMON: usize = 150;
/// How many objects the table of the rarest has.
const MAX_RARE: usize = 100;
/// How many long-lived soups are listed.
const MAX_LONG_LIVED: usize = 50;
/// How many more are run again, since some of those are not as old as they seemed.
const SPARE_SOUPS: usize = 10;
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

    /// The report with the lifespans of the longest lived soups to the generation, for which each of
    /// them is run again: units know them to thirty generations, and take some soups for older whose
    /// population repeats long before they are seen to have settled.
    ///
    /// # Errors
    /// The store, which is the one that the report was made of, is damaged.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusStore, report::CensusReport};
    /// use census::{CensusSettings, CensusUnitRunner, SettlingMethod};
    ///
    /// let settings = CensusSettings {
    ///     rule: "B3/S23".parse()?,
    ///     symmetry: "C1".parse()?,
    ///     root: "census_seed_a".into(),
    ///     settling: SettlingMethod::Exact,
    /// };
    /// let mut store = CensusStore::in_memory()?;
    /// let census = store.open_census(&CensusIdentity::of(&settings))?;
    /// let unit = CensusUnitRunner::new(settings)?.run(0, 1, &mut |_| true).expect("not stopped");
    /// store.insert(census, &unit, 0.0)?;
    /// let report = CensusReport::from_store(&store)?.with_exact_lifespans(&store)?;
    /// assert_eq!(report.long_lived[0].1.lifespan, 194);
    /// assert!(unit.long_lived[0].lifespan >= 194);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_exact_lifespans(mut self, store: &CensusStore) -> Result<Self, CensusStoreError> {
        self.long_lived = store.long_lived(MAX_LONG_LIVED + SPARE_SOUPS)?;
        for census in &self.censuses {
            // what another program counted is left as it is
            let Some(Ok(runner)) = census.identity.settings().map(CensusUnitRunner::new) else {
                continue;
            };
            let soups = self.long_lived.iter_mut();
            for (soup, lived) in soups.filter(|(soup, _)| soup.root == census.identity.root) {
                let odd = self.odd.iter().any(|(other, _)| other == soup);
                if !odd {
                    lived.lifespan = runner.exact_lifespan(soup.index, lived.lifespan);
                }
            }
        }
        self.long_lived
            .sort_by_key(|(_, lived)| Reverse(lived.lifespan));
        self.long_lived.truncate(MAX_LONG_LIVED);
        Ok(self)
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
