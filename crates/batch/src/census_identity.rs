//! What a census counts, and how.

use std::fmt;

/// The version of counting: raised when the same soups may give another result.
pub const COUNTING_VERSION: &str = "gridpaper-1";

/// What a census counts, as text: two of them with equal words give equal units.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CensusIdentity {
    /// The rule in lifelib's form: `b3s23`.
    pub rule: String,
    /// The symmetry of the soups: `C1`.
    pub symmetry: String,
    /// The root of the seeds: soup `n` has the seed string root and `n` in decimal.
    pub root: String,
    /// When a soup counts as settled: `exact` or `apgsearch`.
    pub settling: String,
    /// Which program counted: [`COUNTING_VERSION`], or the version that a haul names.
    pub version: String,
}

impl CensusIdentity {
    /// A census that this program counts.
    ///
    /// ```
    /// let identity = batch::CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// assert_eq!(identity.to_string(), "b3s23/C1/seed, settled by exact, counted by gridpaper-1");
    /// assert!(identity.is_ours());
    /// ```
    #[must_use]
    pub fn new(rule: &str, symmetry: &str, root: &str, settling: &str) -> Self {
        Self {
            rule: rule.into(),
            symmetry: symmetry.into(),
            root: root.into(),
            settling: settling.into(),
            version: COUNTING_VERSION.into(),
        }
    }

    /// Whether this program counts as the census was counted.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.version == COUNTING_VERSION
    }
}

impl fmt::Display for CensusIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}/{}/{}, settled by {}, counted by {}",
            self.rule, self.symmetry, self.root, self.settling, self.version
        )
    }
}
