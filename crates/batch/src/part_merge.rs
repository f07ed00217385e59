//! The sum of parts. It knows no order: sums, the smallest soup numbers and sorted lists come out
//! the same however the units were shared out. Own method.

use crate::part::{CensusUnit, ReadCounts, UnitPart, odd_rows, soup_rows};
use crate::unit_line::UnitLineView;
use crate::{CensusPlan, CensusTotals, LifespanHistogram};
use census::unit::MAX_SAMPLES;
use census::{LongLivedSoup, OddSoup};
use parts::{PartError, PartPlan as _, UnitIndex, UnitSet, first_line};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// Parts of one plan, added up.
#[derive(Debug, Default)]
pub struct PartMerge {
    plan: Option<CensusPlan>,
    index: UnitIndex,
    sum: CensusSum,
}

/// The sum of units.
#[derive(Debug, Default)]
struct CensusSum {
    totals: CensusTotals,
    samples: BTreeMap<String, Vec<u64>>,
    long_lived: Vec<LongLivedSoup>,
    odd: Vec<OddSoup>,
}

/// The soups that lived longest which are kept.
const MOST_LONG_LIVED: usize = 1000;

impl PartMerge {
    /// No part.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the units of a file. A unit that was there is compared, and counted once. Returns how
    /// many units are new.
    ///
    /// # Errors
    /// The file cannot be read, is damaged or of another plan, or has another result for a unit.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, PartMerge, SoupRange, UnitPart};
    /// use census::UnitReport;
    /// use parts::PartFile;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("1-of-1.gpart");
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// let mut report = UnitReport { first: 10, soups: 10, ..UnitReport::default() };
    /// report.tally.insert("xs4_33".into(), 7);
    /// let unit = UnitPart::new(&plan, report).expect("it is a unit");
    /// PartFile::open(&path, &plan)?.append(unit.line())?;
    /// let mut merge = PartMerge::new();
    /// assert_eq!((merge.add(&path)?, merge.add(&path)?), (1, 0));
    /// assert_eq!(merge.totals().objects(), 7);
    /// assert_eq!(merge.missing().to_string(), "0,2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, path: &Path) -> Result<usize, PartError> {
        if self.plan.is_none() {
            let Some(line) = first_line(path)? else {
                return Ok(0);
            };
            let foreign = || PartError::Foreign {
                path: path.into(),
                work: CensusPlan::WORK,
            };
            self.plan = Some(CensusPlan::from_line(&line).ok_or_else(foreign)?);
        }
        let Self { plan, index, sum } = self;
        let Some(plan) = plan else { return Ok(0) };
        index.add(path, plan, &mut |_, unit| {
            sum.add(&unit);
            Ok(())
        })
    }

    /// The units that no part has, of those that could not be counted, and why.
    ///
    /// ```
    /// assert_eq!(batch::PartMerge::new().faults().count(), 0);
    /// ```
    pub fn faults(&self) -> impl Iterator<Item = (u64, &str)> {
        self.index.faults()
    }

    /// The soups in which each object comes: the smallest numbers.
    #[must_use]
    pub fn samples(&self) -> &BTreeMap<String, Vec<u64>> {
        &self.sum.samples
    }

    /// The plan of the parts; `None` while there is none.
    #[must_use]
    pub fn plan(&self) -> Option<&CensusPlan> {
        self.plan.as_ref()
    }

    /// The units that are there.
    #[must_use]
    pub fn units(&self) -> UnitSet {
        self.index.units()
    }

    /// The units of the plan that are not there.
    ///
    /// ```
    /// assert!(batch::PartMerge::new().missing().is_empty());
    /// ```
    #[must_use]
    pub fn missing(&self) -> UnitSet {
        let units = self.plan.as_ref().map_or(0, CensusPlan::units);
        self.units().missing(units)
    }

    /// The sums so far.
    ///
    /// ```
    /// assert_eq!(batch::PartMerge::new().totals().soups, 0);
    /// ```
    #[must_use]
    pub fn totals(&self) -> CensusTotals {
        let mut totals = self.sum.totals.clone();
        let longest = self.sum.long_lived.iter().map(|soup| soup.lifespan).max();
        totals.lifespans = LifespanHistogram {
            longest: longest.unwrap_or(0),
            ..totals.lifespans
        };
        let unsettled = self.sum.odd.iter().map(|soup| soup.index);
        let mut unsettled: Vec<u64> = unsettled.collect();
        unsettled.sort_unstable();
        unsettled.dedup();
        totals.unsettled = unsettled.len() as u64;
        totals
    }

    /// Compares a unit that was counted again with the part that has it.
    ///
    /// # Errors
    /// The results differ; the second file is called `counted again`.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, PartMerge, SoupRange, UnitPart};
    /// use census::UnitReport;
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// let report = UnitReport { first: 20, soups: 10, ..UnitReport::default() };
    /// let part = UnitPart::new(&plan, report).expect("it is a unit");
    /// // no part has the unit
    /// assert!(PartMerge::new().compare(&part).is_ok());
    /// ```
    pub fn compare(&self, again: &UnitPart) -> Result<(), PartError> {
        let digest = |plan: &CensusPlan| plan.read_line(again.line()).map(|line| line.digest);
        match self.plan.as_ref().map(|plan| (plan, digest(plan))) {
            Some((plan, Ok(digest))) => self.index.compare(plan, again.number(), &digest),
            _ => Ok(()),
        }
    }

    /// The result as one JSON object in a fixed form, with the end of its line: the same bytes for
    /// the same units.
    ///
    /// ```
    /// let empty = batch::PartMerge::new().result();
    /// assert!(empty.starts_with("{\"plan\":null,\n") && empty.ends_with("\"odd\":[]}\n"));
    /// ```
    #[must_use]
    pub fn result(&self) -> String {
        let sum = &self.sum;
        let mut long_lived = sum.long_lived.clone();
        keep_longest(&mut long_lived);
        let mut odd = odd_rows(&sum.odd);
        odd.sort();
        let plan = self.plan.as_ref();
        // as it stands in the parts: keys of a JSON value have another order in another build
        let words = plan.map_or_else(|| "null".into(), CensusPlan::line);
        let lifespans = &sum.totals.lifespans;
        let rows = [
            ("digest", json!(plan.map(CensusPlan::digest))),
            ("units", json!(self.units().count())),
            ("soups", json!(sum.totals.soups)),
            ("tally", json!(sum.totals.tally)),
            ("samples", json!(sum.samples)),
            ("lifespans", json!(Vec::from_iter(&lifespans.bins))),
            ("lifespan_sum", json!(lifespans.sum)),
            ("long_lived", json!(soup_rows(&long_lived))),
            ("odd", json!(odd)),
        ];
        let rows = rows.map(|(key, value)| format!("\"{key}\":{value}"));
        format!("{{\"plan\":{words},\n{}}}\n", rows.join(",\n"))
    }
}

impl CensusSum {
    fn add(&mut self, unit: &CensusUnit<'_>) {
        match unit.counts() {
            ReadCounts::View(view) => self.add_view(view),
            ReadCounts::Part(part) => self.add_part(part),
        }
    }

    fn add_view(&mut self, unit: &UnitLineView<'_>) {
        self.add_soups(unit.soups, unit.lifespan_sum);
        for &(code, count) in &unit.tally {
            match self.totals.tally.get_mut(code) {
                Some(sum) => add(sum, count),
                None => _ = self.totals.tally.insert(code.into(), count),
            }
        }
        for &(bin, count) in &unit.lifespans {
            add(self.totals.lifespans.bins.entry(bin).or_default(), count);
        }
        for (code, soups) in unit.samples() {
            match self.samples.get_mut(code) {
                Some(kept) => keep_samples(kept, soups),
                None => keep_samples(self.samples.entry(code.into()).or_default(), soups),
            }
        }
        let long_lived = unit.long_lived.iter();
        self.keep_long_lived(
            long_lived.map(|&(index, lifespan, population)| LongLivedSoup {
                index,
                lifespan,
                population,
            }),
        );
        let odd = unit.odd.iter().map(|&(index, what)| OddSoup {
            index,
            what: what.into(),
        });
        self.odd.extend(odd);
    }

    fn add_part(&mut self, part: &UnitPart) {
        let report = part.report();
        self.add_soups(report.soups, report.lifespan_sum);
        let totals = &mut self.totals;
        for (code, count) in &report.tally {
            add(totals.tally.entry(code.clone()).or_default(), *count);
        }
        for (bin, count) in &report.lifespans {
            add(totals.lifespans.bins.entry(*bin).or_default(), *count);
        }
        for (code, soups) in &report.samples {
            keep_samples(self.samples.entry(code.clone()).or_default(), soups);
        }
        self.keep_long_lived(report.long_lived.iter().copied());
        self.odd.extend(report.odd.iter().cloned());
    }

    fn add_soups(&mut self, soups: u64, lifespan_sum: u64) {
        add(&mut self.totals.soups, soups);
        add(&mut self.totals.lifespans.sum, lifespan_sum);
    }

    fn keep_long_lived(&mut self, soups: impl Iterator<Item = LongLivedSoup>) {
        self.long_lived.extend(soups);
        if self.long_lived.len() > 4 * MOST_LONG_LIVED {
            keep_longest(&mut self.long_lived);
        }
    }
}

/// The smallest soup numbers.
fn keep_samples(kept: &mut Vec<u64>, soups: &[u64]) {
    for &soup in soups {
        if kept.len() == MAX_SAMPLES && kept.last().is_some_and(|last| *last <= soup) {
            continue;
        }
        if let Err(place) = kept.binary_search(&soup) {
            kept.insert(place, soup);
            kept.truncate(MAX_SAMPLES);
        }
    }
}

/// Sums that no file can make overflow.
fn add(sum: &mut u64, count: u64) {
    *sum = sum.saturating_add(count);
}

fn keep_longest(soups: &mut Vec<LongLivedSoup>) {
    soups.sort_unstable_by_key(|soup| (u64::MAX - soup.lifespan, soup.index, soup.population));
    soups.truncate(MOST_LONG_LIVED);
}
