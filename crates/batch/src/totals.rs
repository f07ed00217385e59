//! The sums over the units of a store.

use std::collections::BTreeMap;

/// The sums over all units of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CensusTotals {
    /// How many soups were run.
    pub soups: u64,
    /// How often each object was found, by its code.
    pub tally: BTreeMap<String, u64>,
    /// How long the soups lived.
    pub lifespans: LifespanHistogram,
    /// How many soups did not settle.
    pub unsettled: u64,
}

impl CensusTotals {
    /// How many objects were found.
    #[must_use]
    pub fn objects(&self) -> u64 {
        self.tally.values().sum()
    }

    /// The codes and their counts in the order of hauls: the most frequent first, and of equally
    /// frequent ones the last code first.
    ///
    /// ```
    /// let tally = [("a", 1), ("b", 2), ("c", 1)].map(|(code, n)| (code.to_string(), n));
    /// let totals = batch::CensusTotals { tally: tally.into(), ..Default::default() };
    /// assert_eq!(totals.ranking(), [("b", 2), ("c", 1), ("a", 1)]);
    /// ```
    #[must_use]
    pub fn ranking(&self) -> Vec<(&str, u64)> {
        let rows = self
            .tally
            .iter()
            .map(|(code, &count)| (code.as_str(), count));
        let mut rows: Vec<(&str, u64)> = rows.collect();
        rows.sort_by(|a, b| (b.1, b.0).cmp(&(a.1, a.0)));
        rows
    }
}

/// How many soups settled within each hundred generations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LifespanHistogram {
    /// `bins[k]` counts the lifespans from `100 * k` generations on.
    pub bins: BTreeMap<u64, u64>,
    /// The sum of all lifespans.
    pub sum: u64,
    /// The longest of them.
    pub longest: u64,
}

impl LifespanHistogram {
    /// The width of a bin in generations.
    pub const BIN: u64 = 100;

    /// How many soups are in it.
    #[must_use]
    pub fn soups(&self) -> u64 {
        self.bins.values().sum()
    }

    /// The mean lifespan; `None` without soups.
    ///
    /// ```
    /// let bins = [(0, 3), (1, 1)].into();
    /// let lifespans = batch::LifespanHistogram { bins, sum: 200, longest: 120 };
    /// assert_eq!(lifespans.mean(), Some(50.0));
    /// ```
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let soups = self.soups();
        (soups > 0).then(|| self.sum as f64 / soups as f64)
    }

    /// The lifespan that a share of the soups does not pass, to the nearest generation within its
    /// bin as if the lifespans in a bin were spread evenly; `None` without soups.
    ///
    /// ```
    /// let bins = [(0, 50), (1, 40), (20, 10)].into();
    /// let lifespans = batch::LifespanHistogram { bins, sum: 0, longest: 2050 };
    /// assert_eq!(lifespans.quantile(0.5), Some(100));
    /// assert_eq!(lifespans.quantile(0.95), Some(2050));
    /// ```
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let wanted = share * self.soups() as f64;
        let mut below = 0.0;
        for (&bin, &count) in &self.bins {
            let count = count as f64;
            if below + count >= wanted && count > 0.0 {
                let within = (wanted - below) / count * Self::BIN as f64;
                let lifespan = bin * Self::BIN + within.round() as u64;
                return Some(lifespan.min(self.longest.max(bin * Self::BIN)));
            }
            below += count;
        }
        None
    }
}

/// A soup of a store, by the root of its seed and its index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RootedSoup {
    /// The root of the seed.
    pub root: String,
    /// The index.
    pub index: u64,
}
