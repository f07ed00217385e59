//! The plan of a census that several machines share: what is counted, and how it is cut. Own method.
//!
//! Units have numbers from 0 on, and what unit `k` is depends on the plan alone.

use crate::{CensusIdentity, SoupRange};
use census::SettlingMethod;
use parts::text_digest;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A census and the units that it is cut into.
///
/// ```
/// use batch::{CensusIdentity, CensusPlan, SoupRange};
///
/// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
/// let plan = CensusPlan::new(identity, SoupRange::new(5, 20), 10);
/// assert_eq!(plan.units(), 3);
/// assert_eq!(plan.unit(0), Some(SoupRange::new(5, 5)));
/// assert_eq!(plan.unit(2), Some(SoupRange::new(20, 5)));
/// assert_eq!(plan.unit(3), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CensusPlan {
    identity: CensusIdentity,
    range: SoupRange,
    unit: u64,
    digest: String,
}

/// A plan as it is written in the first line of a part.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanLine {
    /// The version of the format.
    gpart: u64,
    version: String,
    rule: String,
    symmetry: String,
    seed: String,
    settle: String,
    from: u64,
    soups: u64,
    unit: u64,
}

/// The version of the format of parts.
const FORMAT: u64 = 1;

impl CensusPlan {
    /// A census of a range of soups, cut at the multiples of `unit`, which is at least 1.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange};
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// assert_eq!(plan.range().soups, 30);
    /// ```
    #[must_use]
    pub fn new(identity: CensusIdentity, range: SoupRange, unit: u64) -> Self {
        let mut plan = Self {
            identity,
            range,
            unit: unit.max(1),
            digest: String::new(),
        };
        plan.digest = text_digest(&plan.line());
        plan
    }

    /// What is counted.
    #[must_use]
    pub fn identity(&self) -> &CensusIdentity {
        &self.identity
    }

    /// The soups.
    #[must_use]
    pub fn range(&self) -> SoupRange {
        self.range
    }

    /// How many soups a unit has, but for the first and the last one.
    #[must_use]
    pub fn unit_length(&self) -> u64 {
        self.unit
    }

    /// How many units there are.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange};
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// assert_eq!(plan.units(), 3);
    /// ```
    #[must_use]
    pub fn units(&self) -> u64 {
        match self.range.soups {
            0 => 0,
            _ => (self.range.end() - 1) / self.unit - self.range.first / self.unit + 1,
        }
    }

    /// The soups of a unit, where there is such a one.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange};
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// assert_eq!(plan.unit(2), Some(SoupRange::new(20, 10)));
    /// ```
    #[must_use]
    pub fn unit(&self, number: u64) -> Option<SoupRange> {
        if number >= self.units() {
            return None;
        }
        let cut = self.range.first / self.unit + number;
        let first = (cut * self.unit).max(self.range.first);
        let end = (cut + 1).saturating_mul(self.unit).min(self.range.end());
        Some(SoupRange::new(first, end - first))
    }

    /// The number of the unit that a soup is in, where the census has that soup.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange};
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(5, 20), 10);
    /// assert_eq!([4, 5, 10, 24, 25].map(|soup| plan.unit_of(soup)), [None, Some(0), Some(1), Some(2), None]);
    /// ```
    #[must_use]
    pub fn unit_of(&self, soup: u64) -> Option<u64> {
        let is_there = self.range.first <= soup && soup < self.range.end();
        is_there.then(|| soup / self.unit - self.range.first / self.unit)
    }

    /// The plan as one line, without its end: the first one of a part.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange};
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(5, 20), 10);
    /// assert!(plan.line().starts_with(r#"{"gpart":1,"version":"gridpaper-2","rule":"b3s23","#));
    /// assert_eq!(CensusPlan::from_line(&plan.line()), Some(plan));
    /// ```
    #[must_use]
    pub fn line(&self) -> String {
        let CensusIdentity {
            rule,
            symmetry,
            root,
            settling,
            version,
        } = self.identity.clone();
        let line = PlanLine {
            gpart: FORMAT,
            version,
            rule,
            symmetry,
            seed: root,
            settle: settling,
            from: self.range.first,
            soups: self.range.soups,
            unit: self.unit,
        };
        serde_json::to_string(&line).expect("texts and integers are JSON")
    }

    /// The plan of a line; `None` where it is not one that [`CensusPlan::line`] writes.
    ///
    /// ```
    /// assert_eq!(batch::CensusPlan::from_line("{\"gpart\":1}"), None);
    /// ```
    #[must_use]
    pub fn from_line(text: &str) -> Option<Self> {
        let line: PlanLine = serde_json::from_str(text).ok()?;
        let identity = CensusIdentity {
            rule: line.rule,
            symmetry: line.symmetry,
            root: line.seed,
            settling: line.settle,
            version: line.version,
        };
        let plan = Self::new(identity, SoupRange::new(line.from, line.soups), line.unit);
        (plan.line() == text).then_some(plan)
    }

    /// The SHA-256 of the plan's line, in hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The first thing in which another plan differs: what it is, its value here and there.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange};
    ///
    /// let plan = |rule, soups| {
    ///     let identity = CensusIdentity::new(rule, "C1", "seed", "exact");
    ///     CensusPlan::new(identity, SoupRange::new(0, soups), 10)
    /// };
    /// let (what, here, there) = plan("b3s23", 10).difference(&plan("b36s23", 20)).unwrap();
    /// assert_eq!((what, &here[..], &there[..]), ("rule", "b3s23", "b36s23"));
    /// assert_eq!(plan("b3s23", 10).difference(&plan("b3s23", 20)).unwrap().0, "number of soups");
    /// assert_eq!(plan("b3s23", 10).difference(&plan("b3s23", 10)), None);
    /// ```
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let texts = |plan: &Self| {
            let CensusIdentity {
                rule,
                symmetry,
                root,
                settling,
                version,
            } = plan.identity.clone();
            [
                ("version", version),
                ("rule", rule),
                ("symmetry", symmetry),
                ("seed", root),
                ("settling", settling),
                ("first soup", plan.range.first.to_string()),
                ("number of soups", plan.range.soups.to_string()),
                ("length of a unit", plan.unit.to_string()),
            ]
        };
        let mut pairs = texts(self).into_iter().zip(texts(other));
        pairs.find_map(|((what, here), (_, there))| (here != there).then_some((what, here, there)))
    }
}

/// A plan as people write it: a TOML file in which everything but `soups` may be left out.
///
/// ```
/// let plan: batch::CensusPlanText = "rule = 'B36/S23'\nsoups = 1_000_000".parse()?;
/// assert_eq!((&plan.rule[..], plan.soups, plan.unit), ("B36/S23", 1_000_000, 10_000));
/// let refused = "sops = 3".parse::<batch::CensusPlanText>().unwrap_err().to_string();
/// assert!(refused.contains("line 1") && refused.contains("unknown field `sops`"));
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CensusPlanText {
    /// The rule, in any notation.
    #[serde(default = "life")]
    pub rule: String,
    /// How the cells of a soup are made: `C1`, `D8_4`, `ours_24x24_0.3`.
    #[serde(default = "square")]
    pub symmetry: String,
    /// The root of the soups.
    #[serde(default = "own_root")]
    pub seed: String,
    /// `exact` or `apgsearch`.
    #[serde(default, with = "SettlingWord")]
    pub settle: SettlingMethod,
    /// The number of the first soup.
    #[serde(default)]
    pub from: u64,
    /// How many soups there are.
    pub soups: u64,
    /// How many soups are counted as one unit.
    #[serde(default = "usual_unit")]
    pub unit: u64,
}

/// The words of a plan for the ways of settling.
#[derive(Deserialize)]
#[serde(remote = "SettlingMethod", rename_all = "lowercase")]
enum SettlingWord {
    Exact,
    Apgsearch,
}

impl FromStr for CensusPlanText {
    type Err = toml::de::Error;

    fn from_str(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}

fn life() -> String {
    "B3/S23".into()
}

fn square() -> String {
    "C1".into()
}

fn own_root() -> String {
    "gridpaper".into()
}

fn usual_unit() -> u64 {
    10_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UnitPlan;

    #[test]
    fn units_are_those_that_threads_take() {
        for (first, soups, unit) in [(0, 100, 10), (5, 20, 10), (9, 1, 10), (3, 0, 7), (7, 50, 1)] {
            let identity = CensusIdentity::new("b3s23", "C1", "a", "exact");
            let plan = CensusPlan::new(identity, SoupRange::new(first, soups), unit);
            let units: Vec<SoupRange> = UnitPlan::new(vec![plan.range()], unit).collect();
            let own: Vec<SoupRange> = (0..plan.units()).filter_map(|k| plan.unit(k)).collect();
            assert_eq!(own, units);
            for (k, range) in own.iter().enumerate() {
                assert_eq!(plan.unit_of(range.first), Some(k as u64));
                assert_eq!(plan.unit_of(range.end() - 1), Some(k as u64));
            }
        }
    }

    #[test]
    fn the_largest_plan_has_units() {
        let identity = CensusIdentity::new("b3s23", "C1", "a", "exact");
        let plan = CensusPlan::new(identity, SoupRange::new(0, u64::MAX), u64::MAX);
        assert_eq!((plan.units(), plan.unit(0)), (1, Some(plan.range())));
    }
}
