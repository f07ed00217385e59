//! A part that is read, line by line.

use crate::{PartError, PartPlan, PlanMismatch, UnitFault, UnitLine};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// The first line of a part, its plan; `None` where the program was stopped before it had written
/// it.
///
/// # Errors
/// The file cannot be read.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("1-of-1.gpart");
/// std::fs::write(&path, "{\"gpa")?;
/// assert_eq!(parts::first_line(&path)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_line(path: &Path) -> Result<Option<String>, PartError> {
    let mut lines = PartLines::open(path)?;
    let line = lines.next_line()?;
    // what is no text is no plan either, and is told as such
    Ok(line.map(|line| String::from_utf8_lossy(line).into_owned()))
}

/// The whole lines of a file.
#[derive(Debug)]
struct PartLines {
    path: PathBuf,
    file: BufReader<File>,
    /// Lines read.
    lines: usize,
    /// The bytes of the whole lines read.
    bytes: u64,
    /// The line read last, with its end.
    line: Vec<u8>,
}

impl PartLines {
    fn open(path: &Path) -> Result<Self, PartError> {
        let file = File::open(path).map_err(PartError::of_file(path))?;
        Ok(Self {
            path: path.into(),
            file: BufReader::new(file),
            lines: 0,
            bytes: 0,
            line: Vec::new(),
        })
    }

    /// The next whole line without its end, where there is one.
    fn next_line(&mut self) -> Result<Option<&[u8]>, PartError> {
        self.line.clear();
        let read = self.file.read_until(b'\n', &mut self.line);
        read.map_err(PartError::of_file(&self.path))?;
        let Some(line) = self.line.strip_suffix(b"\n") else {
            return Ok(None);
        };
        self.lines += 1;
        self.bytes += self.line.len() as u64;
        Ok(Some(line))
    }

    fn damaged(&self, problem: &'static str) -> PartError {
        PartError::Damaged {
            path: self.path.clone(),
            line: self.lines,
            problem,
        }
    }
}

/// What takes each unit of a part.
pub type UnitLineVisitor<'v, P, E> =
    dyn for<'a> FnMut(UnitLine<<P as PartPlan>::Unit<'a>>) -> Result<(), E> + 'v;

/// Reads the units of a part of a plan.
#[derive(Debug)]
pub struct PartReader<'p, P> {
    lines: PartLines,
    plan: &'p P,
    has_plan: bool,
    faults: Vec<UnitFault>,
}

impl<'p, P: PartPlan> PartReader<'p, P> {
    /// Opens a part, which must be of this plan; `origin` is where that is from, for messages.
    ///
    /// # Errors
    /// The file cannot be read, is no part, or is one of another plan.
    pub fn open(path: &Path, plan: &'p P, origin: &str) -> Result<Self, PartError> {
        let mut lines = PartLines::open(path)?;
        let has_plan = match lines.next_line()? {
            None => false,
            Some(line) => {
                let text = std::str::from_utf8(line).map_err(|_| PlanMismatch::Foreign);
                let compared = text.and_then(|text| plan.compare_line(text));
                compared.map_err(|mismatch| match mismatch {
                    PlanMismatch::Foreign => PartError::Foreign {
                        path: path.into(),
                        work: P::WORK,
                    },
                    PlanMismatch::Differs { what, kept, wanted } => PartError::OtherPlan {
                        path: path.into(),
                        what,
                        kept,
                        wanted,
                        other: origin.into(),
                    },
                })?;
                true
            }
        };
        Ok(Self {
            lines,
            plan,
            has_plan,
            faults: Vec::new(),
        })
    }

    /// Whether the plan is there: not where the program was stopped before it had written it.
    #[must_use]
    pub fn has_plan(&self) -> bool {
        self.has_plan
    }

    /// The bytes of the whole lines read.
    #[must_use]
    pub(crate) fn bytes(&self) -> u64 {
        self.lines.bytes
    }

    /// The units that could not be done, of the lines read so far.
    #[must_use]
    pub fn faults(&self) -> &[UnitFault] {
        &self.faults
    }

    /// Hands over each unit, in the order of the lines, and gives the reader back at the end.
    ///
    /// # Errors
    /// A line is damaged, or what the visitor says.
    pub fn visit<E: From<PartError>>(
        mut self,
        visitor: &mut UnitLineVisitor<'_, P, E>,
    ) -> Result<Self, E> {
        while self.has_plan && self.lines.next_line()?.is_some() {
            let line = self.lines.line.strip_suffix(b"\n").unwrap_or_default();
            let damaged = |problem| self.lines.damaged(problem);
            let line = std::str::from_utf8(line).map_err(|_| damaged("it is no text"))?;
            if UnitFault::is_fault(line) {
                let fault = UnitFault::parse(line, self.plan).map_err(damaged)?;
                self.faults.push(fault);
                continue;
            }
            visitor(self.plan.read_line(line).map_err(damaged)?)?;
        }
        Ok(self)
    }
}
