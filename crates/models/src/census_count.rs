//! A census without threads and files: what is asked for, how far it is, the table of the objects
//! found so far, and counting by its owner in slices of time, or in shares by several who count at
//! once.

use census::haul::haul_rule;
use census::probe::{ProbeVerdict, probe_soups};
use census::{
    CensusSettings, CensusUnitRunner, ObjectKind, SettlingMethod, UnitReport, object_name,
};
use std::collections::BTreeMap;
use thiserror::Error;

/// The most soups of a census that nothing is kept of.
pub const MOST_SOUPS: u64 = 100_000_000;

/// The longest root.
const LONGEST_ROOT: usize = 60;

/// What a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CensusRequest {
    /// The rule, in any notation.
    pub rule: String,
    /// How the cells of a soup are made: `C1`, `D8_4`.
    pub symmetry: String,
    /// The text that the soups are made of.
    pub root: String,
    /// How many.
    pub soups: u64,
}

/// Why a census is not begun.
#[derive(Debug, Error)]
pub enum CensusRequestError {
    /// The rule does not parse.
    #[error(transparent)]
    Rule(#[from] rule::RuleError),
    /// There is no such symmetry.
    #[error(transparent)]
    Symmetry(#[from] census::HashSoupSymmetryError),
    /// Soups of the rule are not counted.
    #[error(transparent)]
    Census(#[from] census::CensusError),
    /// The root is empty or long.
    #[error("the root is a text of 1 to {LONGEST_ROOT} letters, digits, - and _")]
    Root,
    /// None, or more than a page can run.
    #[error("1 to {MOST_SOUPS} soups; `gridpaper census run` takes more")]
    Soups,
}

impl CensusRequest {
    /// The settings that it means.
    ///
    /// # Errors
    /// When a part of it means nothing.
    ///
    /// ```
    /// use models::census_count::CensusRequest;
    ///
    /// let request = CensusRequest {
    ///     rule: "B3/S23".into(),
    ///     symmetry: "C1".into(),
    ///     root: "mine".into(),
    ///     soups: 1000,
    /// };
    /// assert!(request.settings().is_ok());
    /// assert!(CensusRequest { soups: 0, ..request }.settings().is_err());
    /// ```
    pub fn settings(&self) -> Result<CensusSettings, CensusRequestError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let is_root = (1..=LONGEST_ROOT).contains(&self.root.len());
        if !is_root || !self.root.chars().all(is_plain) {
            return Err(CensusRequestError::Root);
        }
        if !(1..=MOST_SOUPS).contains(&self.soups) {
            return Err(CensusRequestError::Soups);
        }
        let settings = CensusSettings {
            rule: self.rule.parse()?,
            symmetry: self.symmetry.parse()?,
            root: self.root.clone(),
            settling: SettlingMethod::Exact,
        };
        CensusUnitRunner::new(settings.clone())?;
        Ok(settings)
    }

    /// Counts every `of`-th piece of it, from piece number `share` on, and reports each for as long as
    /// `report` says so. All shares together are the census, in whatever order their pieces are
    /// added up.
    ///
    /// # Errors
    /// When a part of the request means nothing.
    ///
    /// ```
    /// use models::census_count::{CensusCount, CensusRequest};
    ///
    /// let [rule, symmetry, root] = ["B3/S23", "C1", "mine"].map(String::from);
    /// let request = CensusRequest { rule, symmetry, root, soups: 35 };
    /// let mut alone = CensusCount::begin(request.clone())?;
    /// alone.go_on(&mut || true);
    /// let mut shared = CensusCount::begin(request.clone())?;
    /// for share in [1, 2, 0] {
    ///     request.count_share(share, 3, &mut |part| { shared.add(part); true })?;
    /// }
    /// assert_eq!(shared.view(0.0), alone.view(0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_share(
        &self,
        share: u64,
        of: u64,
        report: &mut dyn FnMut(CensusPart) -> bool,
    ) -> Result<(), CensusRequestError> {
        let mut runner = CensusUnitRunner::new(self.settings()?)?;
        let mut first = share * AT_A_TIME;
        while first < self.soups {
            let soups = AT_A_TIME.min(self.soups - first);
            let found = runner.run(first, soups, &mut |_| true);
            if found.is_some_and(|found| !report(found.into())) {
                break;
            }
            first += of.max(1) * AT_A_TIME;
        }
        Ok(())
    }

    /// Refuses a rule whose soups do not settle. It takes a moment: some are run.
    ///
    /// # Errors
    /// Says why they are not counted.
    ///
    /// ```
    /// use models::census_count::CensusRequest;
    ///
    /// let [rule, symmetry, root] = ["B2/S", "C1", "mine"].map(String::from);
    /// let request = CensusRequest { rule, symmetry, root, soups: 20 };
    /// assert!(request.probe().is_err_and(|words| words.contains("explosive")));
    /// ```
    pub fn probe(&self) -> Result<(), String> {
        probe(&self.settings().map_err(|error| error.to_string())?)
    }
}

/// What some soups have left. Parts are added up in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CensusPart {
    /// Soups.
    pub soups: u64,
    /// How often each object was found, by its code, and the first soup that leaves it.
    pub tally: BTreeMap<String, (u64, Option<u64>)>,
    /// Soups that settled.
    pub settled: u64,
    /// The sum of their lifespans.
    pub lifespan_sum: u64,
    /// The longest one.
    pub longest: u64,
}

impl From<UnitReport> for CensusPart {
    fn from(report: UnitReport) -> Self {
        let UnitReport { samples, .. } = report;
        let tally = report.tally.into_iter().map(|(code, count)| {
            let sample = samples.get(&code).and_then(|samples| samples.first());
            let sample = sample.copied();
            (code, (count, sample))
        });
        Self {
            soups: report.soups,
            tally: tally.collect(),
            settled: report.lifespans.values().sum(),
            lifespan_sum: report.lifespan_sum,
            longest: report.long_lived.first().map_or(0, |soup| soup.lifespan),
        }
    }
}

impl CensusPart {
    /// Adds another part of the same census.
    ///
    /// ```
    /// use models::census_count::CensusPart;
    ///
    /// let part = |soup: u64| CensusPart {
    ///     soups: 1,
    ///     tally: [("xs4_33".to_string(), (2, Some(soup)))].into(),
    ///     ..CensusPart::default()
    /// };
    /// let (mut one, mut other) = (part(7), part(3));
    /// one.add(part(3));
    /// other.add(part(7));
    /// assert_eq!((one.tally["xs4_33"], &one), ((4, Some(3)), &other));
    /// ```
    pub fn add(&mut self, other: Self) {
        self.soups += other.soups;
        self.settled += other.settled;
        self.lifespan_sum += other.lifespan_sum;
        self.longest = self.longest.max(other.longest);
        for (code, (count, sample)) in other.tally {
            let row = self.tally.entry(code).or_default();
            row.0 += count;
            row.1 = [row.1, sample].into_iter().flatten().min();
        }
    }
}

/// An object of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CensusRow {
    /// The apgcode.
    pub code: String,
    /// The name, where one is known.
    pub name: Option<&'static str>,
    /// What kind of thing it is, in a word.
    pub kind: String,
    /// How often it was found.
    pub count: u64,
    /// A soup that leaves it, as a pattern is named.
    pub soup: Option<String>,
}

/// How far a census is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CensusView {
    /// The rule as hauls write it.
    pub rule: String,
    /// Soups counted.
    pub soups: u64,
    /// Soups wanted.
    pub planned: u64,
    /// Objects found.
    pub objects: u64,
    /// Soups a second.
    pub soups_per_second: f64,
    /// The mean and the longest lifespan.
    pub lifespans: Option<(f64, u64)>,
    /// The objects, the most frequent first.
    pub rows: Vec<CensusRow>,
    /// Whether no more is counted.
    pub is_over: bool,
    /// Why not, where something went wrong.
    pub error: Option<String>,
}

/// Refuses rules whose soups do not settle.
pub(crate) fn probe(settings: &CensusSettings) -> Result<(), String> {
    match probe_soups(settings, 0).map_err(|error| error.to_string())? {
        ProbeVerdict::Countable => Ok(()),
        ProbeVerdict::Explosive { soups, unsettled } => Err(format!(
            "the rule is explosive: {unsettled} of {soups} soups grow without an end"
        )),
    }
}

/// A soup as a pattern is named.
pub(crate) fn soup_name(symmetry: &str, root: &str, index: u64) -> String {
    format!("{symmetry}/{root}{index}")
}

/// A row of the table.
pub(crate) fn census_row(code: &str, count: u64, soup: Option<String>) -> CensusRow {
    CensusRow {
        code: code.into(),
        name: object_name(code),
        kind: ObjectKind::of(code).class.to_string(),
        count,
        soup,
    }
}

/// Soups that are run without asking whether to go on.
const AT_A_TIME: u64 = 10;

/// A census that its owner counts, a while at a time; nothing of it is kept.
///
/// ```
/// use models::census_count::{CensusCount, CensusRequest};
///
/// let mut count = CensusCount::begin(CensusRequest {
///     rule: "B3/S23".into(),
///     symmetry: "C1".into(),
///     root: "mine".into(),
///     soups: 20,
/// })?;
/// count.go_on(&mut || true);
/// let view = count.view(0.0);
/// assert_eq!((view.soups, view.is_over, view.error), (20, true, None));
/// assert!(view.rows.iter().any(|row| row.name == Some("block")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CensusCount {
    request: CensusRequest,
    settings: CensusSettings,
    runner: CensusUnitRunner,
    /// What is counted.
    sum: CensusPart,
    is_over: bool,
    error: Option<String>,
}

impl CensusCount {
    /// A census of which nothing is counted yet.
    ///
    /// # Errors
    /// When a part of the request means nothing.
    ///
    /// ```
    /// use models::census_count::{CensusCount, CensusRequest};
    ///
    /// let [rule, symmetry, root] = ["B3/S23", "C1", "mine"].map(String::from);
    /// let request = CensusRequest { rule, symmetry, root, soups: 20 };
    /// assert!(!CensusCount::begin(request)?.is_over());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin(request: CensusRequest) -> Result<Self, CensusRequestError> {
        let settings = request.settings()?;
        Ok(Self {
            request,
            runner: CensusUnitRunner::new(settings.clone())?,
            settings,
            sum: CensusPart::default(),
            is_over: false,
            error: None,
        })
    }

    /// What was asked for.
    #[must_use]
    pub fn request(&self) -> &CensusRequest {
        &self.request
    }

    /// Whether no more is counted.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Ends it.
    pub fn stop(&mut self) {
        self.is_over = true;
    }

    /// Runs soups for as long as `goes_on` says so; some in any case, unless it is over.
    ///
    /// ```
    /// use models::census_count::{CensusCount, CensusRequest};
    ///
    /// let [rule, symmetry, root] = ["B3/S23", "C1", "mine"].map(String::from);
    /// let request = CensusRequest { rule, symmetry, root, soups: 20 };
    /// let mut count = CensusCount::begin(request)?;
    /// count.go_on(&mut || false);
    /// assert_eq!(count.view(0.0).soups, 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn go_on(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        if self.sum.soups == 0
            && !self.is_over
            && let Err(words) = probe(&self.settings)
        {
            self.fail(words);
        }
        while !self.is_over {
            let soups = AT_A_TIME.min(self.request.soups - self.sum.soups);
            if let Some(report) = self.runner.run(self.sum.soups, soups, &mut |_| true) {
                self.add(report.into());
            }
            if !goes_on() {
                return;
            }
        }
    }

    /// Adds what somebody else has counted of it.
    ///
    /// ```
    /// use models::census_count::{CensusCount, CensusPart, CensusRequest};
    ///
    /// let [rule, symmetry, root] = ["B3/S23", "C1", "mine"].map(String::from);
    /// let request = CensusRequest { rule, symmetry, root, soups: 20 };
    /// let mut count = CensusCount::begin(request)?;
    /// count.add(CensusPart { soups: 20, ..CensusPart::default() });
    /// assert!(count.is_over());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, part: CensusPart) {
        self.sum.add(part);
        self.is_over |= self.sum.soups >= self.request.soups;
    }

    /// Ends it, since something went wrong.
    ///
    /// ```
    /// use models::census_count::{CensusCount, CensusRequest};
    ///
    /// let [rule, symmetry, root] = ["B3/S23", "C1", "mine"].map(String::from);
    /// let request = CensusRequest { rule, symmetry, root, soups: 20 };
    /// let mut count = CensusCount::begin(request)?;
    /// count.fail("a worker broke down".into());
    /// assert_eq!(count.view(0.0).error.as_deref(), Some("a worker broke down"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fail(&mut self, words: String) {
        self.error = Some(words);
        self.is_over = true;
    }

    /// How far it is, with the pace that its owner has measured.
    ///
    /// ```
    /// use models::census_count::{CensusCount, CensusRequest};
    ///
    /// let [rule, symmetry, root] = ["B3/S23", "C1", "mine"].map(String::from);
    /// let request = CensusRequest { rule, symmetry, root, soups: 20 };
    /// let view = CensusCount::begin(request)?.view(0.0);
    /// assert_eq!((view.soups, view.planned, view.rule.as_str()), (0, 20, "b3s23"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn view(&self, soups_per_second: f64) -> CensusView {
        let symmetry = self.settings.symmetry.to_string();
        let rows = self.sum.tally.iter().map(|(code, &(count, sample))| {
            let soup = sample.map(|index| soup_name(&symmetry, &self.settings.root, index));
            census_row(code, count, soup)
        });
        let mut rows: Vec<CensusRow> = rows.collect();
        // as hauls do it: of equally frequent ones the last code first
        rows.sort_by(|a, b| (b.count, &b.code).cmp(&(a.count, &a.code)));
        let mean = self.sum.lifespan_sum as f64 / self.sum.settled as f64;
        CensusView {
            rule: haul_rule(&self.settings.rule.to_string()),
            soups: self.sum.soups,
            planned: self.request.soups,
            objects: rows.iter().map(|row| row.count).sum(),
            soups_per_second,
            lifespans: (self.sum.settled > 0).then_some((mean, self.sum.longest)),
            rows,
            is_over: self.is_over,
            error: self.error.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_census_counts_no_more_and_an_explosive_one_nothing() {
        let begin = |rule: &str| {
            let [symmetry, root] = ["C1", "mine"].map(String::from);
            let (rule, soups) = (rule.into(), 100);
            CensusCount::begin(CensusRequest {
                rule,
                symmetry,
                root,
                soups,
            })
            .unwrap()
        };
        let mut count = begin("B3/S23");
        count.go_on(&mut || false);
        assert_eq!((count.view(0.0).soups, count.is_over()), (AT_A_TIME, false));
        count.stop();
        count.go_on(&mut || true);
        assert_eq!(count.view(0.0).soups, AT_A_TIME);
        let mut count = begin("B2/S");
        count.go_on(&mut || true);
        let view = count.view(0.0);
        assert!(view.error.unwrap().contains("explosive"));
        assert_eq!((view.soups, view.is_over), (0, true));
    }
}
