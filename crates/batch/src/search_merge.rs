//! The sum of a search in parts: all patterns of all cubes, each once. It knows no order. Own method.

use crate::{CubeEnd, CubeFind, CubeResult, SearchPlan};
use parts::{PartError, PartPlan as _, UnitIndex, UnitSet, first_line, part_files};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Parts of one search, added up.
#[derive(Debug, Default)]
pub struct SearchMerge {
    plan: Option<SearchPlan>,
    index: UnitIndex,
    results: HashMap<u64, CubeResult>,
}

/// What a walk through the tree of cubes found.
#[derive(Debug, Default)]
struct CubeWalk<'a> {
    missing: Vec<u64>,
    found: BTreeMap<&'a str, &'a CubeFind>,
}

impl SearchMerge {
    /// No part.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No part, for a plan.
    ///
    /// ```
    /// let text = "search = 'still'\nsize = '3x3'\ncubes = 1".parse()?;
    /// let merge = batch::SearchMerge::of_plan(&batch::SearchPlan::new(text)?);
    /// assert_eq!(merge.missing().to_string(), "0-1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_plan(plan: &SearchPlan) -> Self {
        Self {
            plan: Some(plan.clone()),
            ..Self::default()
        }
    }

    /// The parts of a folder, which must be of this plan.
    ///
    /// # Errors
    /// A part cannot be read, is damaged or of another plan, or has another result for a unit.
    ///
    /// ```
    /// let text = "search = 'still'\nsize = '3x3'\ncubes = 1".parse()?;
    /// let plan = batch::SearchPlan::new(text)?;
    /// let folder = tempfile::tempdir()?;
    /// let merge = batch::SearchMerge::of_folder(folder.path(), &plan)?;
    /// assert_eq!(merge.missing().to_string(), "0-1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_folder(folder: &Path, plan: &SearchPlan) -> Result<Self, PartError> {
        let mut merge = Self::of_plan(plan);
        for path in part_files(folder)? {
            merge.add(&path)?;
        }
        Ok(merge)
    }

    /// Adds the units of a file. A unit that was there is compared, and taken once. Returns how many
    /// units are new.
    ///
    /// # Errors
    /// The file cannot be read, is damaged or of another plan, or has another result for a unit.
    ///
    /// ```
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("1-of-1.gpart");
    /// let plan = batch::SearchPlan::new("search = 'osc'\nperiod = 2\nsize = '3x3'\ncubes = 1".parse()?)?;
    /// let mut part = parts::PartFile::open(&path, &plan)?;
    /// for unit in 0..2 {
    ///     let result = plan.run(unit, &mut || true)?.expect("nothing stops it");
    ///     part.append(&plan.line_of(unit, &result))?;
    /// }
    /// let mut merge = batch::SearchMerge::new();
    /// assert_eq!((merge.add(&path)?, merge.add(&path)?), (2, 0));
    /// assert_eq!(merge.found()[0].key, "xp2_7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, path: &Path) -> Result<usize, PartError> {
        if self.plan.is_none() {
            let Some(line) = first_line(path)? else {
                return Ok(0);
            };
            let plan = SearchPlan::from_line(&line);
            self.plan = Some(plan.ok_or_else(|| match SearchPlan::version_of(&line) {
                Some(version) if version != SearchPlan::VERSION => PartError::OtherPlan {
                    path: path.into(),
                    what: "version".into(),
                    kept: version,
                    wanted: SearchPlan::VERSION.into(),
                    other: "this program".into(),
                },
                _ => PartError::Foreign {
                    path: path.into(),
                    work: SearchPlan::WORK,
                },
            })?);
        }
        let Self {
            plan,
            index,
            results,
        } = self;
        let Some(plan) = plan else { return Ok(0) };
        index.add(path, plan, &mut |number, result| {
            results.insert(number, result);
            Ok(())
        })
    }

    /// The plan of the parts; `None` while there is none.
    #[must_use]
    pub fn plan(&self) -> Option<&SearchPlan> {
        self.plan.as_ref()
    }

    /// The units that are there.
    #[must_use]
    pub fn units(&self) -> UnitSet {
        self.index.units()
    }

    /// The units that no part has, of those that could not be searched, and why.
    pub fn faults(&self) -> impl Iterator<Item = (u64, &str)> {
        self.index.faults()
    }

    /// The units that are needed and not there: cubes, and children of those that reached the limit.
    /// Where one pattern is enough, none behind the first that was found.
    #[must_use]
    pub fn missing(&self) -> UnitSet {
        self.walk().missing.into_iter().collect()
    }

    /// The patterns that were found, each once, in the order of their keys; where one is enough, that
    /// of the first cube that has one.
    #[must_use]
    pub fn found(&self) -> Vec<&CubeFind> {
        self.walk().found.into_values().collect()
    }

    /// Compares a unit that was searched again with the part that has it.
    ///
    /// # Errors
    /// The results differ; the second file is called `this run`.
    ///
    /// ```
    /// use batch::{CubeEnd, CubeResult};
    ///
    /// let nothing = CubeResult { end: CubeEnd::Exhausted, found: Vec::new() };
    /// // no part has the unit
    /// assert!(batch::SearchMerge::new().compare(3, &nothing).is_ok());
    /// ```
    pub fn compare(&self, number: u64, again: &CubeResult) -> Result<(), PartError> {
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let line = plan.line_of(number, again);
        match plan.read_line(&line) {
            Ok(read) => self.index.compare(plan, number, &read.digest),
            Err(_) => Ok(()),
        }
    }

    /// The result as one JSON object in a fixed form, with the end of its line: the same bytes for
    /// the same plan, once nothing is missing.
    ///
    /// ```
    /// assert_eq!(batch::SearchMerge::new().result(), "{\"plan\":null,\n\"digest\":null,\n\"found\":[]}\n");
    /// ```
    #[must_use]
    pub fn result(&self) -> String {
        let plan = self.plan.as_ref();
        let rows = [
            ("digest", json!(plan.map(SearchPlan::digest)).to_string()),
            // in the order of the fields
            (
                "found",
                serde_json::to_string(&self.found()).expect("texts and integers are JSON"),
            ),
        ];
        let rows = rows.map(|(key, value)| format!("\"{key}\":{value}"));
        let words = plan.map_or("null", SearchPlan::line);
        format!("{{\"plan\":{words},\n{}}}\n", rows.join(",\n"))
    }

    /// Goes through the tree, children behind the children of earlier cubes.
    fn walk(&self) -> CubeWalk<'_> {
        let mut walk = CubeWalk::default();
        let Some(plan) = &self.plan else {
            return walk;
        };
        // the numbers to come, the next one last
        let mut runs = vec![(0, plan.cubes() - 1)];
        while let Some((number, last)) = runs.pop() {
            if number < last {
                runs.push((number + 1, last));
            }
            let Some(result) = self.results.get(&number) else {
                walk.missing.push(number);
                continue;
            };
            if result.end == CubeEnd::Limit {
                runs.extend(plan.children(number));
                continue;
            }
            for find in &result.found {
                let kept = walk.found.entry(&find.key).or_insert(find);
                *kept = (*kept).min(find);
            }
            if plan.text().first && !walk.found.is_empty() {
                break;
            }
        }
        walk
    }
}
