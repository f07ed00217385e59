//! Parts: files to which one program each appends the units that it has finished. Own method.
//!
//! The first line of a part is the plan ([`CensusPlan::line`]), and each further one a unit: its
//! number, soups and counts as integers in one fixed form, and the SHA-256 of all that. So equal
//! results are equal lines. A line that was not written to its end is not there.

use crate::census_plan::digest;
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
        let mut line = counts_line(plan, number, &report);
        let digest = digest(line.as_bytes());
        line.pop();
        line += MARK;
        line += &digest;
        line += END;
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
        let (counts, kept) = line
            .len()
            .checked_sub(MARK.len() + DIGITS + END.len())
            .and_then(|at| line.split_at_checked(at))
            .and_then(|(counts, tail)| {
                let tail = tail.strip_prefix(MARK)?;
                Some((counts, tail.strip_suffix(END)?))
            })
            .ok_or("it has no digest")?;
        let written = format!("{counts}}}");
        if digest(written.as_bytes()) != kept {
            return Err("its digest is another");
        }
        let counts: UnitLine<'_> = serde_json::from_str(&written).map_err(|_| "it is no unit")?;
        if counts.version != plan.identity().version {
            return Err("it was counted by another version");
        }
        if counts.plan != plan.digest() {
            return Err("it is a unit of another plan");
        }
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
            digest: kept.into(),
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
    let number = plan.unit_of(report.first)?;
    let range = SoupRange::new(report.first, report.soups);
    (plan.unit(number)? == range).then_some(number)
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
        };
        let Some(line) = reader.line()? else {
            return Ok(reader);
        };
        let plan = CensusPlan::from_line(&line).ok_or_else(|| PartError::Foreign(path.into()))?;
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

    /// The next whole line without its end.
    fn line(&mut self) -> Result<Option<String>, PartError> {
        let mut line = Vec::new();
        let read = self.file.read_until(b'\n', &mut line);
        read.map_err(failure(&self.path))?;
        if line.last() != Some(&b'\n') {
            return Ok(None);
        }
        self.lines += 1;
        self.bytes += line.len() as u64;
        line.pop();
        let line = String::from_utf8(line);
        line.map(Some).map_err(|_| self.damaged("it is no text"))
    }

    fn damaged(&self, problem: &'static str) -> PartError {
        PartError::Damaged {
            path: self.path.clone(),
            line: self.lines,
            problem,
        }
    }
}

impl Iterator for PartReader {
    type Item = Result<UnitPart, PartError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.plan.as_ref()?;
        let part = self.line().transpose()?.and_then(|line| {
            let plan = self.plan.as_ref().expect("there is a plan");
            UnitPart::parse(&line, plan).map_err(|problem| self.damaged(problem))
        });
        Some(part)
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
        let mut reader = PartReader::open(path, Some((plan, "the plan")))?;
        for part in reader.by_ref() {
            part?;
        }
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
    let mut numbers = Vec::new();
    for path in part_files(folder)? {
        for part in PartReader::open(&path, Some((plan, "the plan")))? {
            numbers.push(part?.number());
        }
    }
    Ok(numbers.into_iter().collect())
}

fn failure(path: &Path) -> impl Fn(io::Error) -> PartError {
    let path = path.to_path_buf();
    move |error| PartError::File {
        path: path.clone(),
        error,
    }
}
