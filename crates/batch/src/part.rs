//! The lines of a census in parts. Own method.
//!
//! The first line of a part is the plan ([`CensusPlan::line`]), and each further one a unit: its
//! number, soups and counts as integers in one fixed form, and the SHA-256 of all that. So equal
//! results are equal lines.

use crate::unit_line::UnitLineView;
use crate::{CensusPlan, SoupRange};
use census::{LongLivedSoup, OddSoup, UnitReport};
use parts::{PartPlan, PlanMismatch, UnitLine, close_line, hexadecimal, read_digested};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A finished unit of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitPart {
    number: u64,
    digest: String,
    line: String,
    report: UnitReport,
}

/// The counts of a unit as they are written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountsLine<'a> {
    unit: u64,
    plan: Cow<'a, str>,
    version: Cow<'a, str>,
    first: u64,
    soups: u64,
    tally: Cow<'a, BTreeMap<String, u64>>,
    samples: Cow<'a, BTreeMap<String, Vec<u64>>>,
    lifespans: Cow<'a, BTreeMap<u64, u64>>,
    lifespan_sum: u64,
    /// Index, lifespan and population.
    long_lived: Vec<(u64, u64, u64)>,
    odd: Vec<(u64, String)>,
}

impl UnitPart {
    /// A unit of a plan; `None` where the report is not of exactly one unit.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange, UnitPart};
    /// use census::UnitReport;
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// let report = UnitReport { first: 20, soups: 10, ..UnitReport::default() };
    /// let part = UnitPart::new(&plan, report.clone()).expect("it is a unit");
    /// assert_eq!(part.number(), 2);
    /// assert!(part.line().starts_with(r#"{"unit":2,"plan":""#));
    /// assert_eq!(UnitPart::parse(part.line(), &plan)?, part);
    /// assert_eq!(UnitPart::new(&plan, UnitReport { first: 21, ..report }), None);
    /// # Ok::<(), &'static str>(())
    /// ```
    #[must_use]
    pub fn new(plan: &CensusPlan, report: UnitReport) -> Option<Self> {
        let number = number_of(plan, &report)?;
        let (line, digest) = close_line(counts_line(plan, number, &report));
        Some(Self {
            number,
            digest,
            line,
            report,
        })
    }

    /// Reads a line of a part, without its end.
    ///
    /// # Errors
    /// The line is not exactly one that [`UnitPart::line`] gives for a unit of this plan.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange, UnitPart};
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// let refused = UnitPart::parse("{\"unit\":2}", &plan);
    /// assert_eq!(refused, Err("it has no digest"));
    /// ```
    pub fn parse(line: &str, plan: &CensusPlan) -> Result<Self, &'static str> {
        let (counts, kept) = read_digested(line)?;
        let written = format!("{counts}}}");
        let counts: CountsLine<'_> = serde_json::from_str(&written).map_err(|_| "it is no unit")?;
        check_origin(&counts.plan, &counts.version, plan)?;
        let report = UnitReport {
            first: counts.first,
            soups: counts.soups,
            tally: counts.tally.into_owned(),
            samples: counts.samples.into_owned(),
            lifespans: counts.lifespans.into_owned(),
            lifespan_sum: counts.lifespan_sum,
            long_lived: counts.long_lived.into_iter().map(long_lived_soup).collect(),
            odd: counts.odd.into_iter().map(odd_soup).collect(),
        };
        let number = number_of(plan, &report).ok_or("its soups are no unit of the plan")?;
        if counts_line(plan, number, &report) != written {
            return Err("it is not in the form in which units are written");
        }
        Ok(Self {
            number,
            digest: hexadecimal(&kept),
            line: line.into(),
            report,
        })
    }

    /// Its number in the plan.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The SHA-256 of its counts, in hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// It as one line, without the line's end.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }

    /// What was counted.
    #[must_use]
    pub fn report(&self) -> &UnitReport {
        &self.report
    }
}

/// The number of the unit that a report is of.
fn number_of(plan: &CensusPlan, report: &UnitReport) -> Option<u64> {
    number_of_soups(plan, report.first, report.soups)
}

fn number_of_soups(plan: &CensusPlan, first: u64, soups: u64) -> Option<u64> {
    let number = plan.unit_of(first)?;
    (plan.unit(number)? == SoupRange::new(first, soups)).then_some(number)
}

/// Whether a line is of this plan and program.
fn check_origin(digest: &str, version: &str, plan: &CensusPlan) -> Result<(), &'static str> {
    if version != plan.identity().version {
        return Err("it was counted by another version");
    }
    if digest != plan.digest() {
        return Err("it is a unit of another plan");
    }
    Ok(())
}

/// The counts of a unit as they are written, without the digest.
fn counts_line(plan: &CensusPlan, number: u64, report: &UnitReport) -> String {
    let line = CountsLine {
        unit: number,
        plan: Cow::Borrowed(plan.digest()),
        version: Cow::Borrowed(&plan.identity().version),
        first: report.first,
        soups: report.soups,
        tally: Cow::Borrowed(&report.tally),
        samples: Cow::Borrowed(&report.samples),
        lifespans: Cow::Borrowed(&report.lifespans),
        lifespan_sum: report.lifespan_sum,
        long_lived: soup_rows(&report.long_lived),
        odd: odd_rows(&report.odd),
    };
    serde_json::to_string(&line).expect("texts and integers are JSON")
}

/// Index, lifespan and population of each soup.
pub(crate) fn soup_rows(soups: &[LongLivedSoup]) -> Vec<(u64, u64, u64)> {
    let rows = soups.iter();
    rows.map(|soup| (soup.index, soup.lifespan, soup.population))
        .collect()
}

fn long_lived_soup((index, lifespan, population): (u64, u64, u64)) -> LongLivedSoup {
    LongLivedSoup {
        index,
        lifespan,
        population,
    }
}

/// Index of each soup, and what is odd.
pub(crate) fn odd_rows(soups: &[OddSoup]) -> Vec<(u64, String)> {
    let rows = soups.iter();
    rows.map(|soup| (soup.index, soup.what.clone())).collect()
}

fn odd_soup((index, what): (u64, String)) -> OddSoup {
    OddSoup { index, what }
}

/// A unit as its line says it.
#[derive(Debug)]
pub struct CensusUnit<'a>(ReadCounts<'a>);

#[derive(Debug)]
pub(crate) enum ReadCounts<'a> {
    /// In the usual form, read where it stands.
    View(UnitLineView<'a>),
    /// In any form.
    Part(UnitPart),
}

impl<'a> CensusUnit<'a> {
    pub(crate) fn counts(&self) -> &ReadCounts<'a> {
        &self.0
    }

    /// What was counted.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange, UnitPart};
    /// use census::UnitReport;
    /// use parts::PartPlan as _;
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// let report = UnitReport { first: 20, soups: 10, ..UnitReport::default() };
    /// let part = UnitPart::new(&plan, report.clone()).expect("it is a unit");
    /// let read = plan.read_line(part.line())?;
    /// assert_eq!((read.number, read.unit.report()), (2, report));
    /// # Ok::<(), &'static str>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> UnitReport {
        match &self.0 {
            ReadCounts::View(view) => report_of(view),
            ReadCounts::Part(part) => part.report.clone(),
        }
    }
}

impl PartPlan for CensusPlan {
    type Unit<'a> = CensusUnit<'a>;
    const WORK: &'static str = "census";

    fn plan_line(&self) -> String {
        self.line()
    }

    fn plan_digest(&self) -> String {
        self.digest().into()
    }

    fn plan_version(&self) -> &str {
        &self.identity().version
    }

    fn compare_line(&self, line: &str) -> Result<(), PlanMismatch> {
        let plan = Self::from_line(line).ok_or(PlanMismatch::Foreign)?;
        match plan.difference(self) {
            None => Ok(()),
            Some((what, kept, wanted)) => Err(PlanMismatch::differs(what, kept, wanted)),
        }
    }

    fn unit_name(&self, number: u64) -> Option<String> {
        self.unit(number).map(|range| range.to_string())
    }

    fn read_line<'a>(&self, line: &'a str) -> Result<UnitLine<CensusUnit<'a>>, &'static str> {
        let (counts, digest) = read_digested(line)?;
        let (number, counts) = match UnitLineView::parse(counts) {
            None => {
                let part = UnitPart::parse(line, self)?;
                (part.number, ReadCounts::Part(part))
            }
            Some(view) => {
                check_origin(view.plan, view.version, self)?;
                let number = number_of_soups(self, view.first, view.soups);
                let number = number.filter(|number| *number == view.unit);
                let number = number.ok_or("its soups are no unit of the plan")?;
                (number, ReadCounts::View(view))
            }
        };
        let unit = CensusUnit(counts);
        Ok(UnitLine {
            number,
            digest,
            unit,
        })
    }
}

/// The view as a report.
fn report_of(view: &UnitLineView<'_>) -> UnitReport {
    let tally = view.tally.iter();
    let samples = view.samples();
    let odd = view.odd.iter().map(|&(index, what)| (index, what.into()));
    UnitReport {
        first: view.first,
        soups: view.soups,
        tally: tally.map(|&(code, count)| (code.into(), count)).collect(),
        samples: samples
            .map(|(code, soups)| (code.into(), soups.into()))
            .collect(),
        lifespans: view.lifespans.iter().copied().collect(),
        lifespan_sum: view.lifespan_sum,
        long_lived: view
            .long_lived
            .iter()
            .copied()
            .map(long_lived_soup)
            .collect(),
        odd: odd.map(odd_soup).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CensusIdentity;
    use dice::Dice;
    use parts::UnitFault;

    fn plan() -> CensusPlan {
        let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
        CensusPlan::new(identity, SoupRange::new(0, 1000), 10)
    }

    fn report(dice: &mut Dice) -> UnitReport {
        let first = u64::from(dice.below(100)) * 10;
        let mut report = UnitReport {
            first,
            soups: 10,
            ..UnitReport::default()
        };
        // a text with what JSON escapes is left to the slow reader
        let codes = [
            "xs4_33",
            "xp2_7",
            "yl144_1_16_\u{e9}",
            "xs\"1",
            "a\\b",
            "tab\t",
        ];
        for _ in 0..dice.below(6) {
            let code = codes[dice.below(6) as usize].to_string();
            report.tally.insert(code.clone(), dice.word());
            let soups = (0..dice.below(4)).map(|_| dice.word()).collect();
            report.samples.insert(code, soups);
            report.lifespans.insert(dice.below(12).into(), dice.word());
            report.long_lived.push(LongLivedSoup {
                index: dice.below(9).into(),
                lifespan: dice.word(),
                population: 0,
            });
            let what = codes[dice.below(6) as usize].into();
            report.odd.push(OddSoup { index: 0, what });
        }
        report.lifespan_sum = dice.below(3).into();
        report
    }

    /// What the quick reader takes, the slow one takes, as the same unit.
    #[test]
    fn both_readers_read_the_same() {
        let plan = plan();
        let (mut quick, mut slow) = (0, 0);
        for seed in 0..600 {
            let mut dice = Dice::new(seed);
            let part = UnitPart::new(&plan, report(&mut dice)).expect("it is a unit");
            assert_eq!(UnitPart::parse(part.line(), &plan), Ok(part.clone()));
            let (counts, digest) = read_digested(part.line()).expect("it was written");
            assert_eq!(part.digest(), hexadecimal(&digest));
            match UnitLineView::parse(counts) {
                Some(view) => {
                    assert_eq!(report_of(&view), *part.report(), "{counts}");
                    quick += 1;
                }
                None => {
                    assert!(counts.contains('\\'), "{counts}");
                    slow += 1;
                }
            }
            // one byte is another, with the digest that belongs to it
            let mut bytes = counts.as_bytes().to_vec();
            let at = dice.below(bytes.len() as u32) as usize;
            let signs = b"0129,:\"[]{}ax-. ";
            match dice.below(3) {
                0 => bytes[at] = signs[dice.below(signs.len() as u32) as usize],
                1 => bytes.insert(at, signs[dice.below(signs.len() as u32) as usize]),
                _ => _ = bytes.remove(at),
            }
            let Ok(text) = String::from_utf8(bytes) else {
                continue;
            };
            let (line, _) = close_line(text.clone() + "}");
            let parsed = UnitPart::parse(&line, &plan);
            if let Some(view) = UnitLineView::parse(&text)
                && number_of_soups(&plan, view.first, view.soups) == Some(view.unit)
                && check_origin(view.plan, view.version, &plan).is_ok()
            {
                let parsed = parsed.expect("the quick reader takes it");
                assert_eq!(report_of(&view), *parsed.report(), "{text}");
            } else if parsed.is_ok() {
                assert!(text.contains('\\'), "{text}");
            }
        }
        assert!(quick > 50 && slow > 50, "{quick} {slow}");
    }

    #[test]
    fn a_fault_is_read_as_it_was_written_and_in_no_other_form() {
        let plan = plan();
        for problem in ["", "out of memory", "a \"quoted\"\nline"] {
            let fault = UnitFault::new(&plan, 7, problem).expect("it is a unit");
            assert_eq!(UnitFault::parse(fault.line(), &plan), Ok(fault.clone()));
            assert_eq!(fault.problem(), problem);
        }
        let other = CensusPlan::new(plan.identity().clone(), SoupRange::new(0, 90), 10);
        let fault = UnitFault::new(&other, 7, "x").expect("it is a unit");
        let refused = UnitFault::parse(fault.line(), &plan);
        assert_eq!(refused, Err("it is a unit of another plan"));
        let (text, _) = read_digested(UnitFault::new(&plan, 7, "x").expect("it is a unit").line())
            .map(|(text, digest)| (text.to_string(), digest))
            .expect("it was written");
        let (line, _) = close_line(text.replace(":7", ": 7") + "}");
        let refused = UnitFault::parse(&line, &plan);
        assert_eq!(
            refused,
            Err("it is not in the form in which faults are written")
        );
    }
}
