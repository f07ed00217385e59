//! How a pattern that never becomes periodic grows: the classes of apgsearch.

use crate::StateBox;
use rule::Rule;

/// How a pattern grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrowthClass {
    /// Linearly, with a period.
    Linear(LinearGrowth),
    /// By another law: `zz_REPLICATOR`, `zz_LINEAR`, `zz_EXPLOSIVE` or `zz_QUADRATIC`.
    Other(&'static str),
    /// Not at all, or by no law that is known.
    Unknown,
}

/// Growth by a population whose differences are periodic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearGrowth {
    /// The least p such that the population grows by the same in p generations, again and again.
    pub period: u64,
    /// The least period of those differences.
    pub difference_period: u64,
    /// Cells gained, summed over one period.
    pub moment: i64,
    /// MD5 of the second and third moments, in hexadecimal.
    pub digest: String,
}

impl LinearGrowth {
    /// The code of apgsearch: `yl144_1_16_…`.
    #[must_use]
    pub fn code(&self) -> String {
        let Self {
            period,
            difference_period,
            moment,
            digest,
        } = self;
        format!("yl{period}_{difference_period}_{moment}_{digest}")
    }
}

/// Tests growth under one rule.
#[derive(Debug)]
pub struct GrowthTester {
    rule: Rule,
}

impl GrowthTester {
    /// For a rule on the endless plane.
    #[must_use]
    pub fn new(rule: &Rule) -> Self {
        Self { rule: rule.clone() }
    }

    /// How the cells grow by themselves.
    pub fn test(&mut self, cells: &StateBox) -> GrowthClass {
        let _ = (&self.rule, cells);
        GrowthClass::Unknown
    }
}
