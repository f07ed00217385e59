//! What a census counts, and how.

use census::haul::haul_rule;
use census::{CensusSettings, SettlingMethod};
use std::fmt;

/// The version of counting: raised when the same soups may give another result.
pub const COUNTING_VERSION: &str = "gridpaper-2";

/// The word for settling by apgsearch's schedule.
pub(crate) const APGSEARCH: &str = "apgsearch";

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
    /// assert_eq!(identity.to_string(), "b3s23/C1/seed, settled by exact, counted by gridpaper-2");
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

    /// The census of these settings.
    ///
    /// ```
    /// use batch::CensusIdentity;
    /// use census::{CensusSettings, SettlingMethod};
    ///
    /// let settings = CensusSettings {
    ///     rule: "B36/S23".parse()?,
    ///     symmetry: "D8_4".parse()?,
    ///     root: "seed".into(),
    ///     settling: SettlingMethod::Apgsearch,
    /// };
    /// let identity = CensusIdentity::new("b36s23", "D8_4", "seed", "apgsearch");
    /// assert_eq!(CensusIdentity::of(&settings), identity);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(settings: &CensusSettings) -> Self {
        let rule = haul_rule(&settings.rule.to_string());
        let settling = match settings.settling {
            SettlingMethod::Exact => "exact",
            SettlingMethod::Apgsearch => APGSEARCH,
        };
        Self::new(
            &rule,
            &settings.symmetry.to_string(),
            &settings.root,
            settling,
        )
    }

    /// The settings that count as this census was counted; `None` for one of another program.
    ///
    /// ```
    /// use batch::CensusIdentity;
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let settings = identity.settings().expect("it is ours");
    /// assert_eq!(CensusIdentity::of(&settings), identity);
    /// ```
    #[must_use]
    pub fn settings(&self) -> Option<CensusSettings> {
        let settings = CensusSettings {
            rule: self.rule.parse().ok()?,
            symmetry: self.symmetry.parse().ok()?,
            root: self.root.clone(),
            settling: match self.settling == APGSEARCH {
                true => SettlingMethod::Apgsearch,
                false => SettlingMethod::Exact,
            },
        };
        self.is_ours().then_some(settings)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_census_in_any_family_of_rules_can_be_counted_again() {
        for rule in [
            "B36/S23",
            "B2n3/S23-q",
            "B2/S34H",
            "B3/S023V",
            "345/2/4",
            "R5,C2,M1,S34..58,B34..45,NM",
            "WireWorld",
        ] {
            let settings = CensusSettings {
                rule: rule.parse().unwrap(),
                symmetry: "ours_24x24_0.3".parse().unwrap(),
                root: "seed".into(),
                settling: SettlingMethod::Exact,
            };
            let identity = CensusIdentity::of(&settings);
            assert_eq!(identity.settings(), Some(settings), "{identity}");
        }
    }
}
