//! Which pattern of the built-in library something is: in any of its phases, turned or reflected.
//! Own method.

use crate::{BoxStepper, StateBox, rule_isometries};
use pattern::Cells;
use pattern::library::{self, LibraryPattern};
use rule::{Rule, Topology};

/// Larger boxes are not compared.
const MAX_AREA: u64 = 1 << 20;

/// Later phases are not compared.
const MAX_PHASES: u64 = 1024;

/// The name of the library's pattern that these cells are or become within a period, moved, turned
/// or reflected; 1 for what does not repeat.
///
/// ```
/// use census::find_in_library;
///
/// let life = "B3/S23".parse()?;
/// let glider = pattern::Pattern::from_text("3o$o$bo!")?.cells;
/// assert_eq!(find_in_library(&life, &glider, 4), Some("glider"));
/// assert_eq!(find_in_library(&"B36/S23".parse()?, &glider, 4), None, "of another rule");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn find_in_library(rule: &Rule, cells: &Cells, period: u64) -> Option<&'static str> {
    let mut now = StateBox::from_pattern(cells, MAX_AREA)?;
    let rule = &rule.with_topology(Topology::Unbounded);
    let text = rule.to_string();
    let is_of_rule = |entry: &&LibraryPattern| {
        let parsed = entry.rule().unwrap_or("B3/S23").parse();
        parsed.is_ok_and(|rule: Rule| rule.to_string() == text)
    };
    let entries = library::all().iter().filter(is_of_rule);
    let entries: Vec<_> = entries
        .filter_map(|entry| {
            let cells = StateBox::from_pattern(&entry.pattern().cells, MAX_AREA)?;
            (!cells.is_empty()).then(|| (entry.name, cells.population(), cells))
        })
        .collect();
    let maps = rule_isometries(rule);
    let mut stepper = BoxStepper::new(rule);
    for age in 0..period.clamp(1, MAX_PHASES) {
        if age > 0 {
            now = stepper.step(&now, age - 1);
        }
        let population = now.population();
        let mut alike = entries.iter().filter(|entry| entry.1 == population);
        let is_image = |entry: &&(&str, u64, StateBox)| {
            maps.iter()
                .any(|map| map.image(&now).is_congruent(&entry.2))
        };
        if let Some((name, ..)) = alike.find(is_image) {
            return Some(name);
        }
    }
    None
}
