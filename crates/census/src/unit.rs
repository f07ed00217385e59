//! A unit of a census: a number of soups, and what is left of them.

use crate::SoupSymmetry;
use rule::Rule;
use std::collections::BTreeMap;

/// What is counted: the soups of a root string in a symmetry, under a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CensusSettings {
    /// The rule that the soups are run in.
    pub rule: Rule,
    /// How a soup's cells are made of its seed.
    pub symmetry: SoupSymmetry,
    /// The seed string of soup `n` is this, followed by `n` in decimal.
    pub root: String,
    /// When a soup counts as settled.
    pub settling: SettlingMethod,
}

/// When a soup counts as settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SettlingMethod {
    /// When it is proven that nothing but periodic parts and ships on free lanes is left.
    #[default]
    Exact,
    /// By apgsearch's schedule of population readings, which can stop too early.
    Apgsearch,
}

/// The soups that leave the most samples of an object.
pub const MAX_SAMPLES: usize = 10;

/// What one unit has counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitReport {
    /// The first soup, and how many there are.
    pub first: u64,
    /// How many soups were run.
    pub soups: u64,
    /// How often each object was found, by its code.
    pub tally: BTreeMap<String, u64>,
    /// The soups in which an object was found: the smallest indices, [`MAX_SAMPLES`] at most.
    pub samples: BTreeMap<String, Vec<u64>>,
    /// How many soups settled within each hundred generations: `lifespans[k]` counts those from
    /// `100 * k` on.
    pub lifespans: BTreeMap<u64, u64>,
    /// The sum of all lifespans.
    pub lifespan_sum: u64,
    /// The soups that lived longest, the longest first, 100 at most.
    pub long_lived: Vec<LongLivedSoup>,
    /// What did not settle as soups do.
    pub odd: Vec<OddSoup>,
}

/// A soup that took long to settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongLivedSoup {
    /// The soup.
    pub index: u64,
    /// Generations until it had settled.
    pub lifespan: u64,
    /// Its population then.
    pub population: u64,
}

/// A soup that did not settle as others do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddSoup {
    /// The soup.
    pub index: u64,
    /// What of it: `growing`, `pathological`, `unsettled`.
    pub what: String,
}
