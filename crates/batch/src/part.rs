//! Parts: files to which one program each appends the units that it has finished. Own method.
//!
//! The first line of a part is the plan ([`CensusPlan::line`]), and each further one a unit: its
//! number, soups and counts as integers in one fixed form, and the SHA-256 of all that. So equal
//! results are equal lines. A line that was not written to its end is not there. A unit that cannot
//! be counted has a line that says why ([`UnitFault`]), so that nobody tries it for ever.

use crate::census_plan::{digest, digest_bytes};
use crate::unit_line::UnitLineView;
use crate::{CensusPlan, SoupRange, UnitSet};
use census::{LongLivedSoup, OddSoup, UnitReport};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why parts cannot be read, written or added.
#[derive(Debug, Error)]
pub enum PartError {
    /// The system refuses something.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The first line is no plan.
    #[error("{}: this is no part: its first line is not a plan", .0.display())]
    Foreign(PathBuf),
    /// A line is not as it was written.
    #[error("{}: line {line} is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The part is one of another plan, program or rule.
    #[error("{}: the {what} of this part is {kept}, and not {wanted} as in {other}", path.display())]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// What differs: `rule`.
        what: &'static str,
        /// Its value in the file.
        kept: String,
        /// The other value.
        wanted: String,
        /// Where that is from.
        other: String,
    },
    /// One unit has two results.
    #[error("unit {unit} ({range}) has two different results: in {} and in {}", path.display(), other.display())]
    TwoPartResults {
        /// The unit.
        unit: u64,
        /// Its soups.
        range: SoupRange,
        /// The first file.
        path: PathBuf,
        /// The second file.
        other: PathBuf,
    },
    /// Another program appends to the part.
    #[error("{}: another program is writing this part", .0.display())]
    Busy(PathBuf),
}

impl PartError {
    /// A hint, if there is one.
    ///
    /// ```
    /// let error = batch::PartError::Busy("1-of-2.gpart".into());
    /// assert_eq!(error.hint(), Some("give each process a share of its own with --shard"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Busy(_) => Some("give each process a share of its own with --shard"),
            Self::OtherPlan { .. } => {
                Some("keep the parts of each census in a folder of their own")
            }
            Self::Foreign(_) => {
                Some("parts of a tournament are added by `gridpaper tournament merge`")
            }
            Self::Damaged { .. } => Some("remove the line; what is missing can be counted again"),
            Self::TwoPartResults { .. } => {
                Some("one of the machines is faulty: `merge --check` of each file tells which")
            }
            _ => None,
        }
    }
}

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
struct UnitLine<'a> {
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

/// What stands before the digest of a line.
const MARK: &str = ",\"digest\":\"";
/// What stands behind it.
const END: &str = "\"}";
/// The length of a digest.
const DIGITS: usize = 64;

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
        let (line, digest) = close(counts_line(plan, number, &report));
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
        let (counts, kept) = digested(line)?;
        let written = format!("{counts}}}");
        let counts: UnitLine<'_> = serde_json::from_str(&written).map_err(|_| "it is no unit")?;
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

    /// Whether the SHA-256 of its counts is this one.
    pub(crate) fn has_digest(&self, digest: &PartDigest) -> bool {
        is_hexadecimal(digest, self.digest.as_bytes())
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

/// A SHA-256.
pub(crate) type PartDigest = [u8; 32];

/// What stands in a line before its digest, where that is the right one, and the digest.
fn digested(line: &str) -> Result<(&str, PartDigest), &'static str> {
    let (counts, kept) = line
        .len()
        .checked_sub(MARK.len() + DIGITS + END.len())
        .and_then(|at| line.split_at_checked(at))
        .and_then(|(counts, tail)| {
            let tail = tail.strip_prefix(MARK)?;
            Some((counts, tail.strip_suffix(END)?))
        })
        .ok_or("it has no digest")?;
    let digest = digest_bytes(&[counts.as_bytes(), b"}"]);
    match is_hexadecimal(&digest, kept.as_bytes()) {
        true => Ok((counts, digest)),
        false => Err("its digest is another"),
    }
}

const HEXADECIMAL: &[u8; 16] = b"0123456789abcdef";

fn is_hexadecimal(digest: &PartDigest, text: &[u8]) -> bool {
    let mut pairs = digest.iter().zip(text.chunks_exact(2));
    text.len() == DIGITS
        && pairs.all(|(byte, pair)| {
            let digits = [byte >> 4, byte & 15].map(|digit| HEXADECIMAL[usize::from(digit)]);
            pair == digits
        })
}

fn hexadecimal(digest: &PartDigest) -> String {
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(HEXADECIMAL[usize::from(digit)]))
        .collect()
}

/// Closes a line with its digest.
fn close(mut line: String) -> (String, String) {
    let digest = digest(line.as_bytes());
    line.pop();
    line += MARK;
    line += &digest;
    line += END;
    (line, digest)
}

/// The number of the unit that a report is of.
fn number_of(plan: &CensusPlan, report: &UnitReport) -> Option<u64> {
    number_of_soups(plan, report.first, report.soups)
}

fn number_of_soups(plan: &CensusPlan, first: u64, soups: u64) -> Option<u64> {
    let number = plan.unit_of(first)?;
    (plan.unit(number)? == SoupRange::new(first, soups)).then_some(number)
}

/// A unit that could not be counted, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFault {
    number: u64,
    problem: String,
    line: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultLine<'a> {
    fault: Cow<'a, str>,
    unit: u64,
    plan: Cow<'a, str>,
    version: Cow<'a, str>,
}

/// What a line of a fault begins with.
const FAULT: &str = "{\"fault\":";

impl UnitFault {
    /// Why a unit of a plan could not be counted; `None` where the plan has no such unit.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange, UnitFault};
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// let fault = UnitFault::new(&plan, 2, "out of memory").expect("it is a unit");
    /// assert!(fault.line().starts_with(r#"{"fault":"out of memory","unit":2,"#));
    /// assert_eq!(UnitFault::parse(fault.line(), &plan)?, fault);
    /// assert_eq!(UnitFault::new(&plan, 3, "out of memory"), None);
    /// # Ok::<(), &'static str>(())
    /// ```
    #[must_use]
    pub fn new(plan: &CensusPlan, number: u64, problem: &str) -> Option<Self> {
        plan.unit(number)?;
        let (line, _) = close(fault_line(plan, number, problem));
        Some(Self {
            number,
            problem: problem.into(),
            line,
        })
    }

    /// Reads a line of a part, without its end.
    ///
    /// # Errors
    /// The line is not exactly one that [`UnitFault::line`] gives for a unit of this plan.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, SoupRange, UnitFault};
    ///
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// assert_eq!(UnitFault::parse("{\"fault\":2}", &plan), Err("it has no digest"));
    /// ```
    pub fn parse(line: &str, plan: &CensusPlan) -> Result<Self, &'static str> {
        let (counts, _) = digested(line)?;
        let written = format!("{counts}}}");
        let fault: FaultLine<'_> = serde_json::from_str(&written).map_err(|_| "it is no fault")?;
        check_origin(&fault.plan, &fault.version, plan)?;
        plan.unit(fault.unit)
            .ok_or("its number is none of the plan")?;
        if fault_line(plan, fault.unit, &fault.fault) != written {
            return Err("it is not in the form in which faults are written");
        }
        Ok(Self {
            number: fault.unit,
            problem: fault.fault.into_owned(),
            line: line.into(),
        })
    }

    /// The unit's number in the plan.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Why it could not be counted.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// It as one line, without the line's end.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }
}

fn fault_line(plan: &CensusPlan, number: u64, problem: &str) -> String {
    let line = FaultLine {
        fault: Cow::Borrowed(problem),
        unit: number,
        plan: Cow::Borrowed(plan.digest()),
        version: Cow::Borrowed(&plan.identity().version),
    };
    serde_json::to_string(&line).expect("texts and integers are JSON")
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
    let line = UnitLine {
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

/// Reads the units of a part, one after the other.
#[derive(Debug)]
pub struct PartReader {
    path: PathBuf,
    file: BufReader<File>,
    plan: Option<CensusPlan>,
    /// Lines read.
    lines: usize,
    /// The bytes of the whole lines read.
    bytes: u64,
    faults: Vec<UnitFault>,
    /// The line read last, with its end.
    line: Vec<u8>,
}

/// A unit as its line says it.
pub(crate) enum ReadUnit<'a> {
    /// In the usual form, read where it stands.
    View(&'a UnitLineView<'a>),
    /// In any form.
    Part(UnitPart),
}

impl PartReader {
    /// Opens a part and reads its plan. `other` is the plan that it must be of, and where that is
    /// from.
    ///
    /// # Errors
    /// The file cannot be read, is no part, or is one of another plan.
    ///
    /// ```
    /// use batch::{PartError, PartReader};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("notes.gpart");
    /// std::fs::write(&path, "notes\n")?;
    /// assert!(matches!(PartReader::open(&path, None), Err(PartError::Foreign(_))));
    /// std::fs::write(&path, "{\"gpa")?;
    /// assert_eq!(PartReader::open(&path, None)?.plan(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path, other: Option<(&CensusPlan, &str)>) -> Result<Self, PartError> {
        let file = File::open(path).map_err(failure(path))?;
        let mut reader = Self {
            path: path.into(),
            file: BufReader::new(file),
            plan: None,
            lines: 0,
            bytes: 0,
            faults: Vec::new(),
            line: Vec::new(),
        };
        if !reader.advance()? {
            return Ok(reader);
        }
        let plan = line_text(&reader.line).and_then(CensusPlan::from_line);
        let plan = plan.ok_or_else(|| PartError::Foreign(path.into()))?;
        if let Some((wanted, other)) = other
            && let Some((what, kept, wanted)) = plan.difference(wanted)
        {
            return Err(PartError::OtherPlan {
                path: path.into(),
                what,
                kept,
                wanted,
                other: other.into(),
            });
        }
        reader.plan = Some(plan);
        Ok(reader)
    }

    /// The plan; `None` where the program was stopped before it had written it.
    #[must_use]
    pub fn plan(&self) -> Option<&CensusPlan> {
        self.plan.as_ref()
    }

    /// The units that could not be counted, of the lines read so far.
    #[must_use]
    pub fn faults(&self) -> &[UnitFault] {
        &self.faults
    }

    /// Goes to the next whole line, where there is one.
    fn advance(&mut self) -> Result<bool, PartError> {
        self.line.clear();
        let read = self.file.read_until(b'\n', &mut self.line);
        read.map_err(failure(&self.path))?;
        if self.line.last() != Some(&b'\n') {
            return Ok(false);
        }
        self.lines += 1;
        self.bytes += self.line.len() as u64;
        Ok(true)
    }

    /// Goes to the next line that is a unit, where there is one.
    fn advance_to_unit(&mut self) -> Result<bool, PartError> {
        while self.plan.is_some() && self.advance()? {
            let text = line_text(&self.line).ok_or_else(|| self.damaged("it is no text"))?;
            let Some(plan) = self.plan.as_ref().filter(|_| text.starts_with(FAULT)) else {
                return Ok(true);
            };
            let fault = UnitFault::parse(text, plan);
            let fault = fault.map_err(|problem| self.damaged(problem))?;
            self.faults.push(fault);
        }
        Ok(false)
    }

    /// Hands over each unit with its number and digest.
    pub(crate) fn visit(
        mut self,
        visitor: &mut dyn FnMut(u64, &PartDigest, &ReadUnit<'_>) -> Result<(), PartError>,
    ) -> Result<Self, PartError> {
        let Some(plan) = self.plan.clone() else {
            return Ok(self);
        };
        while self.advance_to_unit()? {
            let text = line_text(&self.line).ok_or_else(|| self.damaged("it is no text"))?;
            let read = || {
                let (counts, digest) = digested(text)?;
                let Some(view) = UnitLineView::parse(counts) else {
                    let part = UnitPart::parse(text, &plan)?;
                    return Ok((part.number(), digest, Err(part)));
                };
                check_origin(view.plan, view.version, &plan)?;
                let number = number_of_soups(&plan, view.first, view.soups);
                match number.filter(|number| *number == view.unit) {
                    Some(number) => Ok((number, digest, Ok(view))),
                    None => Err("its soups are no unit of the plan"),
                }
            };
            let (number, digest, unit) = read().map_err(|problem| self.damaged(problem))?;
            match unit {
                Ok(view) => visitor(number, &digest, &ReadUnit::View(&view))?,
                Err(part) => visitor(number, &digest, &ReadUnit::Part(part))?,
            }
        }
        Ok(self)
    }

    fn damaged(&self, problem: &'static str) -> PartError {
        PartError::Damaged {
            path: self.path.clone(),
            line: self.lines,
            problem,
        }
    }
}

fn line_text(line: &[u8]) -> Option<&str> {
    std::str::from_utf8(line.strip_suffix(b"\n")?).ok()
}

impl Iterator for PartReader {
    type Item = Result<UnitPart, PartError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance_to_unit() {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        let plan = self.plan.as_ref()?;
        let text = line_text(&self.line).ok_or("it is no text");
        let part = text.and_then(|text| UnitPart::parse(text, plan));
        Some(part.map_err(|problem| self.damaged(problem)))
    }
}

/// A part that is being written. One program at a time appends to it.
#[derive(Debug)]
pub struct PartFile {
    path: PathBuf,
    file: File,
}

impl PartFile {
    /// Opens a part to append to, or makes it. A last line that was not written to its end is
    /// removed.
    ///
    /// # Errors
    /// It cannot be written, is of another plan, is damaged, or another program appends to it.
    ///
    /// ```
    /// use batch::{CensusIdentity, CensusPlan, PartFile, SoupRange, UnitPart, finished_units};
    /// use census::UnitReport;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("1-of-1.gpart");
    /// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
    /// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
    /// let report = UnitReport { first: 20, soups: 10, ..UnitReport::default() };
    /// let mut file = PartFile::open(&path, &plan)?;
    /// file.append(&UnitPart::new(&plan, report).expect("it is a unit"))?;
    /// assert!(PartFile::open(&path, &plan).is_err());
    /// assert_eq!(finished_units(folder.path(), &plan)?.to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path, plan: &CensusPlan) -> Result<Self, PartError> {
        let failed = failure(path);
        let mut options = OpenOptions::new();
        let file = options.append(true).read(true).create(true).open(path);
        let mut file = file.map_err(&failed)?;
        // file systems without locks do without: there, a file has one writer by its name
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(PartError::Busy(path.into()));
        }
        let reader = PartReader::open(path, Some((plan, "the plan")))?;
        let reader = reader.visit(&mut |_, _, _| Ok(()))?;
        if file.metadata().map_err(&failed)?.len() > reader.bytes {
            file.set_len(reader.bytes).map_err(&failed)?;
        }
        file.seek(io::SeekFrom::End(0)).map_err(&failed)?;
        let mut part = Self {
            path: path.into(),
            file,
        };
        if reader.plan.is_none() {
            part.write(&plan.line())?;
        }
        Ok(part)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a unit, and returns once it is on the disk.
    ///
    /// # Errors
    /// The system cannot write it.
    pub fn append(&mut self, unit: &UnitPart) -> Result<(), PartError> {
        self.write(unit.line())
    }

    /// Appends why a unit could not be counted, and returns once it is on the disk.
    ///
    /// # Errors
    /// The system cannot write it.
    pub fn append_fault(&mut self, fault: &UnitFault) -> Result<(), PartError> {
        self.write(fault.line())
    }

    fn write(&mut self, line: &str) -> Result<(), PartError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(failure(&self.path))
    }
}

/// The parts of a folder, in the order of their names: the files that end in `.gpart`.
///
/// # Errors
/// The folder cannot be read.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("2-of-2.gpart"), "")?;
/// std::fs::write(folder.path().join("notes.txt"), "")?;
/// assert_eq!(batch::part_files(folder.path())?, [folder.path().join("2-of-2.gpart")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn part_files(folder: &Path) -> Result<Vec<PathBuf>, PartError> {
    let failed = failure(folder);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(&failed)? {
        let path = entry.map_err(&failed)?.path();
        if path.extension().is_some_and(|end| end == "gpart") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The units that the parts of a folder have.
///
/// # Errors
/// A part cannot be read, is damaged, or is one of another plan.
///
/// ```
/// use batch::{CensusIdentity, CensusPlan, SoupRange};
///
/// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
/// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
/// let folder = tempfile::tempdir()?;
/// assert!(batch::finished_units(folder.path(), &plan)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn finished_units(folder: &Path, plan: &CensusPlan) -> Result<UnitSet, PartError> {
    Ok(unit_states(folder, plan)?.0)
}

/// The units of a folder that could not be counted, and why; what was counted since is not among
/// them.
///
/// # Errors
/// A part cannot be read, is damaged, or is one of another plan.
///
/// ```
/// use batch::{CensusIdentity, CensusPlan, PartFile, SoupRange, UnitFault, faulty_units};
///
/// let identity = CensusIdentity::new("b3s23", "C1", "seed", "exact");
/// let plan = CensusPlan::new(identity, SoupRange::new(0, 30), 10);
/// let folder = tempfile::tempdir()?;
/// let mut file = PartFile::open(&folder.path().join("1-of-1.gpart"), &plan)?;
/// file.append_fault(&UnitFault::new(&plan, 2, "out of memory").expect("it is a unit"))?;
/// assert_eq!(faulty_units(folder.path(), &plan)?[&2], "out of memory");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn faulty_units(folder: &Path, plan: &CensusPlan) -> Result<BTreeMap<u64, String>, PartError> {
    let (finished, mut faults) = unit_states(folder, plan)?;
    faults.retain(|number, _| !finished.contains(*number));
    Ok(faults)
}

fn unit_states(
    folder: &Path,
    plan: &CensusPlan,
) -> Result<(UnitSet, BTreeMap<u64, String>), PartError> {
    let (mut numbers, mut faults) = (Vec::new(), BTreeMap::new());
    for path in part_files(folder)? {
        let reader = PartReader::open(&path, Some((plan, "the plan")))?;
        let reader = reader.visit(&mut |number, _, _| {
            numbers.push(number);
            Ok(())
        })?;
        for fault in reader.faults {
            faults.insert(fault.number, fault.problem);
        }
    }
    Ok((numbers.into_iter().collect(), faults))
}

fn failure(path: &Path) -> impl Fn(io::Error) -> PartError {
    let path = path.to_path_buf();
    move |error| PartError::File {
        path: path.clone(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CensusIdentity;
    use dice::Dice;

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

    /// What the quick reader takes, the slow one takes, as the same unit.
    #[test]
    fn both_readers_read_the_same() {
        let plan = plan();
        let (mut quick, mut slow) = (0, 0);
        for seed in 0..600 {
            let mut dice = Dice::new(seed);
            let part = UnitPart::new(&plan, report(&mut dice)).expect("it is a unit");
            assert_eq!(UnitPart::parse(part.line(), &plan), Ok(part.clone()));
            let (counts, digest) = digested(part.line()).expect("it was written");
            assert!(part.has_digest(&digest));
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
            let (line, _) = close(text.clone() + "}");
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
        let (line, _) = close(fault_line(&plan, 7, "x").replace(":7", ": 7"));
        let refused = UnitFault::parse(&line, &plan);
        assert_eq!(
            refused,
            Err("it is not in the form in which faults are written")
        );
    }
}
