//! What a cube of a search came to, and its line in a part. Own method.
//!
//! A cube is searched by one engine from the beginning, so its result depends on the plan alone:
//! all patterns in it, each once; or the first one, where that is enough; or that its limit was
//! reached, and nothing else, since its children will tell.

use crate::SearchPlan;
use grid::State;
use parts::{PartPlan, PlanMismatch, UnitLine, close_line, read_digested};
use pattern::{Format, Pattern};
use search::{FoundPattern, SearchAnswer, SearchCase, SearchFlow};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a cube came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubeResult {
    /// How the search of it ended.
    pub end: CubeEnd,
    /// What was found, in the order of the keys.
    pub found: Vec<CubeFind>,
}

/// How the search of a cube ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CubeEnd {
    /// There is nothing else in it.
    Exhausted,
    /// One was found, and is enough.
    First,
    /// So many guesses were taken that it is to be cut further.
    Limit,
}

/// A pattern that was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CubeFind {
    /// Equal for patterns that are the same.
    pub key: String,
    /// Its cells, in one line.
    pub rle: String,
    /// Its apgcode, where it has one.
    pub apgcode: Option<String>,
    /// Its period, where it has one.
    pub period: Option<u64>,
    /// Columns to the right in a period.
    pub dx: i64,
    /// Rows down in a period.
    pub dy: i64,
    /// The least number of live cells in any generation of a period.
    pub population: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CubeLine {
    unit: u64,
    plan: String,
    version: String,
    end: CubeEnd,
    found: Vec<CubeFind>,
}

impl SearchPlan {
    /// Searches a unit. `goes_on` is asked now and then; `None` where it says no, or there is no such
    /// unit.
    ///
    /// # Errors
    /// A solution that is none when an engine runs it: an error in the program.
    ///
    /// ```
    /// use batch::{CubeEnd, SearchPlan};
    ///
    /// let text = "search = 'ship'\nvelocity = 'c/4 diagonal'\nsize = '4x4'\ncubes = 0";
    /// let result = SearchPlan::new(text.parse()?)?.run(0, &mut || true)?.expect("nothing stops it");
    /// assert_eq!((result.end, &result.found[0].key[..]), (CubeEnd::Exhausted, "xq4_153"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(
        &self,
        number: u64,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<CubeResult>, String> {
        let Some((limit, case)) = self.cube(number) else {
            return Ok(None);
        };
        let (engine, options) = self.engine();
        let mut solver = engine.solver(case.problem_for(engine, options.order), options);
        let mut found: BTreeMap<String, CubeFind> = BTreeMap::new();
        let mut is_limited = false;
        loop {
            let answer = solver.solve(&mut |progress, _| {
                is_limited = limit.is_some_and(|limit| progress.nodes >= limit);
                match goes_on() && !is_limited {
                    true => SearchFlow::Continue,
                    false => SearchFlow::Stop,
                }
            });
            let end = match answer {
                SearchAnswer::Stopped if is_limited => {
                    found.clear();
                    CubeEnd::Limit
                }
                SearchAnswer::Stopped => return Ok(None),
                SearchAnswer::Exhausted => CubeEnd::Exhausted,
                SearchAnswer::Found(solution) => {
                    let pattern = case
                        .pattern_of(&solution)
                        .map_err(|fault| fault.to_string())?;
                    let images = case.exclusions(&solution);
                    let key = key_of(&*case, &pattern, &images);
                    for image in images {
                        solver.exclude(&image);
                    }
                    let find = self.find(key.clone(), &pattern)?;
                    found.entry(key).or_insert(find);
                    if !self.text().first {
                        continue;
                    }
                    CubeEnd::First
                }
            };
            let found = found.into_values().collect();
            return Ok(Some(CubeResult { end, found }));
        }
    }

    fn find(&self, key: String, found: &FoundPattern) -> Result<CubeFind, String> {
        // what has a code is known without its place
        let corner = match found.apgcode.is_some() {
            true => (found.cells.x, found.cells.y),
            false => (0, 0),
        };
        let pattern = Pattern {
            cells: found.pattern().translated(-corner.0, -corner.1),
            rule: Some(self.rule().to_string()),
            ..Pattern::default()
        };
        let mut text = Vec::new();
        let written = pattern::write(&pattern, Format::Rle, &mut text);
        written.map_err(|fault| fault.to_string())?;
        Ok(CubeFind {
            key,
            rle: String::from_utf8_lossy(&text).into_owned(),
            apgcode: found.apgcode.clone(),
            period: found.period,
            dx: found.dx,
            dy: found.dy,
            population: found.population,
        })
    }

    /// The line of a unit, without its end.
    ///
    /// ```
    /// use batch::{CubeEnd, CubeResult, SearchPlan};
    /// use parts::PartPlan as _;
    ///
    /// let text = "search = 'still'\nsize = '4x4'\ncubes = 3".parse()?;
    /// let plan = SearchPlan::new(text)?;
    /// let result = CubeResult { end: CubeEnd::Exhausted, found: Vec::new() };
    /// let line = plan.line_of(5, &result);
    /// let read = plan.read_line(&line)?;
    /// assert_eq!((read.number, read.unit), (5, result));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn line_of(&self, number: u64, result: &CubeResult) -> String {
        close_line(self.open_line(number, result)).0
    }

    fn open_line(&self, unit: u64, result: &CubeResult) -> String {
        let line = CubeLine {
            unit,
            plan: self.digest().into(),
            version: Self::VERSION.into(),
            end: result.end,
            found: result.found.clone(),
        };
        serde_json::to_string(&line).expect("texts and integers are JSON")
    }
}

/// Equal for images of one pattern, whichever cube they lie in: its code, else the least of its
/// images.
fn key_of(case: &dyn SearchCase, found: &FoundPattern, images: &[Vec<(u32, State)>]) -> String {
    let least = images.iter().min().filter(|_| found.apgcode.is_none());
    least.map_or_else(
        || case.key(found),
        |image| {
            let words = image.iter().map(|(cell, state)| format!("{cell}={state}"));
            words.collect::<Vec<_>>().join(" ")
        },
    )
}

impl PartPlan for SearchPlan {
    type Unit<'a> = CubeResult;
    const WORK: &'static str = "search";

    fn plan_line(&self) -> String {
        self.line().into()
    }

    fn plan_digest(&self) -> String {
        self.digest().into()
    }

    fn plan_version(&self) -> &str {
        Self::VERSION
    }

    fn compare_line(&self, line: &str) -> Result<(), PlanMismatch> {
        if line == self.line() {
            return Ok(());
        }
        let read = |text: &str| serde_json::from_str::<Value>(text).ok();
        let (kept, planned) = read(line)
            .zip(read(self.line()))
            .ok_or(PlanMismatch::Foreign)?;
        if kept.get("searchpart").is_none() {
            return Err(PlanMismatch::Foreign);
        }
        if kept["version"] != planned["version"] {
            let (kept, planned) = (&kept["version"], &planned["version"]);
            return Err(PlanMismatch::differs("version", kept, planned));
        }
        let keys = planned["plan"]
            .as_object()
            .ok_or(PlanMismatch::Foreign)?
            .keys();
        let differs = |key: &&String| kept["plan"].get(*key) != planned["plan"].get(*key);
        let key = keys.filter(differs).min().ok_or(PlanMismatch::Foreign)?;
        let value = |plan: &Value| plan["plan"].get(key).unwrap_or(&Value::Null).to_string();
        Err(PlanMismatch::differs(key, value(&kept), value(&planned)))
    }

    fn unit_name(&self, number: u64) -> Option<String> {
        let path = self.path(number)?.into_iter().map(|step| step.to_string());
        Some(format!("cube {}", path.collect::<Vec<_>>().join(".")))
    }

    fn read_line(&self, line: &str) -> Result<UnitLine<CubeResult>, &'static str> {
        let (text, digest) = read_digested(line)?;
        let written = format!("{text}}}");
        let read: CubeLine = serde_json::from_str(&written).map_err(|_| "it is no unit")?;
        if read.version != Self::VERSION {
            return Err("it was searched by another version");
        }
        if read.plan != self.digest() {
            return Err("it is a unit of another plan");
        }
        self.path(read.unit)
            .ok_or("its number is none of the plan")?;
        let unit = CubeResult {
            end: read.end,
            found: read.found,
        };
        let are_in_order = unit.found.is_sorted_by(|a, b| a.key < b.key);
        if !are_in_order || self.open_line(read.unit, &unit) != written {
            return Err("it is not in the form in which units are written");
        }
        Ok(UnitLine {
            number: read.unit,
            digest,
            unit,
        })
    }
}
