//! The sum of parts. It knows no order: sums, the smallest soup numbers and sorted lists come out
//! the same however the units were shared out. Own method.

use crate::part::{PartDigest, ReadUnit, odd_rows, soup_rows};
use crate::unit_line::UnitLineView;
use crate::{
    CensusPlan, CensusTotals, LifespanHistogram, PartError, PartReader, UnitPart, UnitSet,
};
use census::unit::MAX_SAMPLES;
use census::{LongLivedSoup, OddSoup};
use serde_json::json;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Parts of one plan, added up.
#[derive(Debug, Default)]
pub struct PartMerge {
    plan: Option<CensusPlan>,
    files: Vec<PathBuf>,
    /// The file and the digest of each unit.
    units: HashMap<u64, (u32, PartDigest)>,
    /// Why units could not be counted.
    faults: BTreeMap<u64, String>,
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
    /// use batch::{CensusIdentity, CensusPlan, PartFile, PartMerge, SoupRange, UnitPart};
    /// use census::UnitReport;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("1-of-1.gpart");
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// let mut report = UnitReport { first: 10, soups: 10, ..UnitReport::default() };
    /// report.tally.insert("xs4_33".into(), 7);
    /// PartFile::open(&path, &plan)?.append(&UnitPart::new(&plan, report).expect("it is a unit"))?;
    /// let mut merge = PartMerge::new();
    /// assert_eq!((merge.add(&path)?, merge.add(&path)?), (1, 0));
    /// assert_eq!(merge.totals().objects(), 7);
    /// assert_eq!(merge.missing().to_string(), "0,2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, path: &Path) -> Result<usize, PartError> {
        let first = self.files.first().map(|path| path.display().to_string());
        let other = self.plan.as_ref().zip(first.as_deref());
        let parts = PartReader::open(path, other)?;
        let Some(plan) = parts.plan().cloned() else {
            return Ok(0);
        };
        self.plan.get_or_insert_with(|| plan.clone());
        self.files.push(path.into());
        let file = self.files.len() - 1;
        let mut added = 0;
        let parts = parts.visit(&mut |number, digest, unit| {
            match self.units.entry(number) {
                Entry::Occupied(there) if there.get().1 != *digest => {
                    return Err(PartError::TwoPartResults {
                        unit: number,
                        range: plan.unit(number).expect("a part's unit is one of its plan"),
                        path: self.files[there.get().0 as usize].clone(),
                        other: path.into(),
                    });
                }
                Entry::Occupied(_) => return Ok(()),
                Entry::Vacant(place) => {
                    let file = u32::try_from(file).expect("there are fewer files");
                    place.insert((file, *digest));
                }
            }
            added += 1;
            match unit {
                ReadUnit::View(view) => self.sum(view),
                ReadUnit::Part(part) => self.sum_part(part),
            }
            Ok(())
        })?;
        for fault in parts.faults() {
            self.faults.insert(fault.number(), fault.problem().into());
        }
        Ok(added)
    }

    fn sum(&mut self, unit: &UnitLineView<'_>) {
        self.sum_soups(unit.soups, unit.lifespan_sum);
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

    fn sum_part(&mut self, part: &UnitPart) {
        let report = part.report();
        self.sum_soups(report.soups, report.lifespan_sum);
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

    fn sum_soups(&mut self, soups: u64, lifespan_sum: u64) {
        add(&mut self.totals.soups, soups);
        add(&mut self.totals.lifespans.sum, lifespan_sum);
    }

    fn keep_long_lived(&mut self, soups: impl Iterator<Item = LongLivedSoup>) {
        self.long_lived.extend(soups);
        if self.long_lived.len() > 4 * MOST_LONG_LIVED {
            keep_longest(&mut self.long_lived);
        }
    }

    /// The units that no part has, of those that could not be counted, and why.
    ///
    /// ```
    /// assert_eq!(batch::PartMerge::new().faults().count(), 0);
    /// ```
    pub fn faults(&self) -> impl Iterator<Item = (u64, &str)> {
        let faults = self.faults.iter();
        let faults = faults.filter(|(number, _)| !self.units.contains_key(number));
        faults.map(|(number, problem)| (*number, problem.as_str()))
    }

    /// The soups in which each object comes: the smallest numbers.
    #[must_use]
    pub fn samples(&self) -> &BTreeMap<String, Vec<u64>> {
        &self.samples
    }

    /// The plan of the parts; `None` while there is none.
    #[must_use]
    pub fn plan(&self) -> Option<&CensusPlan> {
        self.plan.as_ref()
    }

    /// The units that are there.
    #[must_use]
    pub fn units(&self) -> UnitSet {
        self.units.keys().copied().collect()
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
        let mut totals = self.totals.clone();
        let longest = self.long_lived.iter().map(|soup| soup.lifespan).max();
        totals.lifespans = LifespanHistogram {
            longest: longest.unwrap_or(0),
            ..totals.lifespans
        };
        let unsettled = self.odd.iter().map(|soup| soup.index);
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
        match self.units.get(&again.number()) {
            Some((file, digest)) if !again.has_digest(digest) => Err(PartError::TwoPartResults {
                unit: again.number(),
                range: crate::SoupRange::new(again.report().first, again.report().soups),
                path: self.files[*file as usize].clone(),
                other: "this run".into(),
            }),
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
        let mut long_lived = self.long_lived.clone();
        keep_longest(&mut long_lived);
        let mut odd = odd_rows(&self.odd);
        odd.sort();
        let plan = self.plan.as_ref();
        // as it stands in the parts: keys of a JSON value have another order in another build
        let words = plan.map_or_else(|| "null".into(), CensusPlan::line);
        let lifespans = &self.totals.lifespans;
        let rows = [
            ("digest", json!(plan.map(CensusPlan::digest))),
            ("units", json!(self.units.len())),
            ("soups", json!(self.totals.soups)),
            ("tally", json!(self.totals.tally)),
            ("samples", json!(self.samples)),
            ("lifespans", json!(Vec::from_iter(&lifespans.bins))),
            ("lifespan_sum", json!(lifespans.sum)),
            ("long_lived", json!(soup_rows(&long_lived))),
            ("odd", json!(odd)),
        ];
        let rows = rows.map(|(key, value)| format!("\"{key}\":{value}"));
        format!("{{\"plan\":{words},\n{}}}\n", rows.join(",\n"))
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
