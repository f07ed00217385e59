//! What is this pattern? Its kind, period, speed, symmetry and numbers; for what settles, what is
//! left of it.
//!
//! Periods are found by comparing cells, never by hashes or populations alone. The words are those
//! of LifeWiki; heat and volatility as its articles of these names define them. Own method, but
//! for the growth classes.
//!
//! ```
//! use census::{IdentifyOptions, PatternKind, identify};
//!
//! let rule = "B3/S23".parse()?;
//! let glider = pattern::Pattern::from_text("bo$2bo$3o!")?.cells;
//! let found = identify(&rule, &glider, &IdentifyOptions::default(), &mut |_| true)?;
//! assert_eq!(found.kind, PatternKind::Spaceship);
//! assert_eq!(found.speed.as_deref(), Some("c/4 diagonal"));
//! assert_eq!(found.name.as_deref(), Some("glider"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ash;
mod ash_world;
mod eventual;
mod figures;
mod flight_map;
mod growing;
mod motion;
mod parts;
mod period_map;
mod proven;
mod settled_ash;
mod settling;
mod symmetry;

pub use flight_map::FlightMap;
pub use motion::{direction_text, speed_text};
pub use period_map::PeriodMap;
pub use symmetry::{KineticSymmetry, SymmetryClass};

use crate::{
    BoxStepper, LatticeIsometry, ObjectClassifier, StateBox, rule_isometries, rule_repeats,
};
use engine::{Tiles, UnsupportedError, World};
use eventual::{PatternEnd, find_end};
use grid::Rect;
use pattern::Cells;
use rule::{Rule, Topology};
use std::collections::BTreeMap;
use std::fmt;

/// A pattern is called a methuselah from this lifespan on.
const METHUSELAH: u64 = 100;

/// Larger boxes are not looked at as a whole.
const MAX_AREA: u64 = 1 << 20;

/// How far is looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentifyOptions {
    /// Generations that are run at most.
    pub generations: u64,
    /// The longest period that is looked for.
    pub period: u64,
    /// Whether what it settles into is cut into objects, each identified by itself.
    pub parts: bool,
    /// The most memory that worlds and kept generations may take, in bytes.
    pub memory: u64,
}

impl Default for IdentifyOptions {
    fn default() -> Self {
        Self {
            generations: 100_000,
            period: 65_536,
            parts: false,
            memory: 1 << 30,
        }
    }
}

/// What kind of pattern it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatternKind {
    /// No cell is live.
    Empty,
    /// It never changes.
    StillLife,
    /// It repeats in its place.
    Oscillator,
    /// It repeats in another place.
    Spaceship,
    /// It grows: a part moves and leaves more than ships behind.
    Puffer,
    /// It grows: a part moves and sends out ships only.
    Rake,
    /// It grows: a part stays and sends out ships only.
    Gun,
    /// It grows faster than linearly, as the square of time.
    Breeder,
    /// It grows otherwise.
    Growing,
    /// It settles after 100 generations or more.
    Methuselah,
    /// It settles before, into more than one object.
    Settling,
    /// Nothing of it is left in the end.
    Dies,
    /// None of these within the limits.
    #[default]
    Unknown,
}

impl PatternKind {
    /// The word for it: `still_life`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::StillLife => "still_life",
            Self::Oscillator => "oscillator",
            Self::Spaceship => "spaceship",
            Self::Puffer => "puffer",
            Self::Rake => "rake",
            Self::Gun => "gun",
            Self::Breeder => "breeder",
            Self::Growing => "growing",
            Self::Methuselah => "methuselah",
            Self::Settling => "settling",
            Self::Dies => "dies",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for PatternKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Numbers of cells over one period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PopulationRange {
    /// The least.
    pub min: u64,
    /// The greatest.
    pub max: u64,
    /// The mean.
    pub mean: f64,
}

/// Equal objects, and how many of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectCount {
    /// The apgcode.
    pub code: String,
    /// The name, where it has one.
    pub name: Option<String>,
    /// Where it goes, of ships whose direction is known.
    pub direction: Option<String>,
    /// How many.
    pub count: u64,
}

/// One object of a pattern that was cut.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternPart {
    /// The box of its cells.
    pub rect: Rect,
    /// The generation at which it is that.
    pub generation: u64,
    /// What it is.
    pub identification: Identification,
}

/// What a pattern is. Where a number has no meaning for its kind, there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identification {
    /// The kind.
    pub kind: PatternKind,
    /// The rule, with its topology.
    pub rule: String,
    /// The first generation from which it repeats as a whole, by its cells.
    pub generation: Option<u64>,
    /// Generations until it repeats; of a gun or puffer, until its engine and what it sends out do,
    /// perhaps reflected: then `mod_transform` says how.
    pub period: Option<u64>,
    /// Columns to the right in one period; of a puffer its engine's.
    pub dx: Option<i64>,
    /// Rows down in one period.
    pub dy: Option<i64>,
    /// The speed: `2c/4 = c/2`.
    pub speed: Option<String>,
    /// Where it goes: `SE`, or the vector.
    pub direction: Option<String>,
    /// The least number of generations after which it is as it was, turned or reflected.
    pub modulus: Option<u64>,
    /// By which map: the first of `id`, `rot180`, `flip-x`, `flip-y`, `diag`, `antidiag`, `rot90`
    /// and `rot270` that does it.
    pub mod_transform: Option<&'static str>,
    /// The symmetry class of each phase.
    pub static_symmetry: Option<String>,
    /// The symmetry of each phase as a search names it, with the direction of its axis: `D2-`.
    pub search_symmetry: Option<&'static str>,
    /// With the symmetry in time: `D4_+1/D8_1`; of a ship, with the generations of its glide.
    pub kinetic_symmetry: Option<String>,
    /// Cells not in state 0.
    pub population: Option<PopulationRange>,
    /// Cells in state 1, for rules with more than two states.
    pub alive: Option<PopulationRange>,
    /// Cells that change in a generation, on average.
    pub heat: Option<f64>,
    /// Heat by cell of the rotor.
    pub temperature: Option<f64>,
    /// The part of its cells that change.
    pub volatility: Option<f64>,
    /// The part of its cells that have the whole period.
    pub strict_volatility: Option<f64>,
    /// How many cells change.
    pub rotor: Option<u64>,
    /// How many are live and never change.
    pub stator: Option<u64>,
    /// Width and height around all phases; of a ship, of the smallest phase.
    pub bounding_box: Option<(u64, u64)>,
    /// Width and height of each phase.
    pub phase_boxes: Vec<(u64, u64)>,
    /// Mean population by cell of the box.
    pub density: Option<f64>,
    /// How many cells have each local period.
    pub period_counts: BTreeMap<u64, u64>,
    /// The local period of each cell.
    pub period_map: Option<PeriodMap>,
    /// The phases of a spaceship.
    pub flight_map: Option<FlightMap>,
    /// Every live cell dies in each generation.
    pub phoenix: Option<bool>,
    /// The apgcode: of the whole, at the end where it settles into what repeats as a whole; also of
    /// what grows.
    pub apgcode: Option<String>,
    /// The name, where one is known.
    pub name: Option<String>,
    /// Whether it is one object: no part of it goes on the same alone.
    pub strict: Option<bool>,
    /// The objects that it consists of, where it is not strict.
    pub pseudo_parts: Vec<ObjectCount>,
    /// The generation at which it has settled: the first from which it repeats as a whole, or
    /// else from which the population does.
    pub lifespan: Option<u64>,
    /// The population then.
    pub final_population: Option<u64>,
    /// The objects that are left.
    pub census: Vec<ObjectCount>,
    /// What a gun or puffer makes in one period.
    pub emission: Vec<ObjectCount>,
    /// The cells that are gained in one period, on average.
    pub growth_per_period: Option<f64>,
    /// The power of time that the population grows with.
    pub growth_power: Option<f64>,
    /// The limit that was reached first, and what is known then.
    pub reached: Option<String>,
    /// How far was looked.
    pub limits: String,
    /// The objects of it, each by itself, where they were wanted.
    pub parts: Vec<PatternPart>,
}

/// What the parts of this module share about a rule.
struct RuleContext {
    rule: Rule,
    isometries: Vec<LatticeIsometry>,
    stepper: BoxStepper,
    classifier: ObjectClassifier,
    /// Whether planes of the census are used where they can be, and what settles is proven; else
    /// all is done in the engine's world, and watched for long.
    uses_planes: bool,
}

/// Says what the cells are under the rule.
///
/// `control` is given the number of generations done, every so often, and ends the work when it
/// returns false: what is known then is reported, with the kind [`PatternKind::Unknown`] or
/// [`PatternKind::Growing`].
///
/// # Errors
/// When no engine takes the rule or the cells.
pub fn identify(
    rule: &Rule,
    cells: &Cells,
    options: &IdentifyOptions,
    control: &mut dyn FnMut(u64) -> bool,
) -> Result<Identification, UnsupportedError> {
    identify_with(rule, cells, options, control, true)
}

/// See [`RuleContext::uses_planes`].
fn identify_with(
    rule: &Rule,
    cells: &Cells,
    options: &IdentifyOptions,
    control: &mut dyn FnMut(u64) -> bool,
    uses_planes: bool,
) -> Result<Identification, UnsupportedError> {
    let mut world = Tiles::new(rule.clone())?.with_memory_limit(options.memory);
    world.load(cells)?;
    let plane = rule.with_topology(Topology::Unbounded);
    let mut context = RuleContext {
        rule: rule.clone(),
        isometries: rule_isometries(&plane),
        stepper: BoxStepper::new(&plane),
        classifier: ObjectClassifier::new(&plane),
        uses_planes,
    };
    // What lies outside a grid is no part of the pattern.
    let cells = world.cells();
    let mut found = identify_cells(&mut context, &cells, options, &mut world, control);
    found.rule = rule.to_string();
    found.limits = format!(
        "{} generations, periods up to {}",
        options.generations, options.period
    );
    if rule.background(0) != rule.background(1) {
        found.limits += "; with B0, periods are generations, and phases those of one background";
    }
    if options.parts && !cells.is_empty() {
        let _ = world.replace_cells(&cells, &0.into());
        let settled = found.lifespan.or(found.generation).unwrap_or(0);
        found.parts = parts::identify(&mut context, options, &mut world, settled, control);
    }
    Ok(found)
}

fn identify_cells(
    context: &mut RuleContext,
    cells: &Cells,
    options: &IdentifyOptions,
    world: &mut Tiles,
    control: &mut dyn FnMut(u64) -> bool,
) -> Identification {
    if cells.is_empty() {
        return Identification {
            kind: PatternKind::Empty,
            apgcode: Some("xs0_0".into()),
            ..Identification::default()
        };
    }
    if let Some(cells) = StateBox::from_pattern(cells, MAX_AREA) {
        let end = match context.rule.topology() {
            Topology::Unbounded => end_on_plane(context, &cells, options, control),
            _ => end_on_grid(context, &cells, options, world, control),
        };
        match end {
            PatternEnd::Orbit { orbit, populations } => {
                return figures::of_orbit(context, &orbit, &populations);
            }
            PatternEnd::Death { generation } => return figures::of_death(generation),
            PatternEnd::Interruption => {
                return Identification {
                    reached: Some("interrupted before anything was found".into()),
                    ..Identification::default()
                };
            }
            PatternEnd::Limit => {}
        }
    }
    let _ = world.replace_cells(cells, &0.into());
    settling::identify(context, world, options, control)
}

fn end_on_plane(
    context: &mut RuleContext,
    cells: &StateBox,
    options: &IdentifyOptions,
    control: &mut dyn FnMut(u64) -> bool,
) -> PatternEnd {
    let rule = &context.rule;
    let repeats = |a: &StateBox, b: &StateBox, ages: u64| {
        a.is_congruent(b) && rule_repeats(rule, ages, b.x - a.x, b.y - a.y)
    };
    let stepper = &mut context.stepper;
    let cost = stepper.cost();
    let mut other = stepper.clone();
    let mut swells = |area: usize| context.uses_planes && other.swells(cells, area);
    let mut step = |cells: &StateBox, age: u64| Some(stepper.step(cells, age));
    find_end(
        cells,
        options,
        cost,
        &mut step,
        &repeats,
        &mut swells,
        control,
    )
}

/// On a grid with edges nothing moves for ever: what comes back is in its old place.
fn end_on_grid(
    context: &RuleContext,
    cells: &StateBox,
    options: &IdentifyOptions,
    world: &mut Tiles,
    control: &mut dyn FnMut(u64) -> bool,
) -> PatternEnd {
    let rule = &context.rule;
    let repeats = |a: &StateBox, b: &StateBox, ages: u64| a == b && rule_repeats(rule, ages, 0, 0);
    let mut step = |_: &StateBox, _: u64| {
        let _ = world.advance(&1u8.into(), &mut |_| true);
        StateBox::from_pattern(&world.cells(), MAX_AREA)
    };
    let mut swells = |_: usize| false;
    find_end(cells, options, 4, &mut step, &repeats, &mut swells, control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soup::hash_soup;

    /// What is found on planes is what is found by waiting in the engine's world.
    fn check(rule: &str, name: &str, cells: &Cells) {
        let rule: Rule = rule.parse().expect("a rule");
        let options = IdentifyOptions::default();
        let by = |uses_planes| {
            identify_with(&rule, cells, &options, &mut |_| true, uses_planes).expect("cells fit")
        };
        assert_eq!(by(true), by(false), "{rule} {name}");
    }

    fn check_built_in(name: &str) {
        let entry = pattern::library::find(name).expect("a built-in pattern");
        let rule = entry.rule().unwrap_or("B3/S23");
        check(rule, name, &entry.pattern().cells);
    }

    #[test]
    #[ignore = "waiting takes minutes; run it with --release"]
    fn planes_find_what_waiting_does_of_long_lives() {
        let switch_engine = pattern::Pattern::from_text("6bo$4bob2o$4bobo$4bo$2bo$obo!");
        check("B3/S23", "switch", &switch_engine.expect("RLE").cells);
        for name in ["acorn", "rabbits", "lidka", "gosper-glider-gun"] {
            check_built_in(name);
        }
        // guns whose gliders meet a block when they have long seemed to fly freely
        for ahead in [150, 700, 1400] {
            let gun = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$\
                       10bo5bo7bo$11bo3bo$12b2o";
            let (rows, columns) = (ahead - 8, ahead + 14);
            let text = format!("{gun}{rows}${columns}b2o${columns}b2o!");
            let cells = pattern::Pattern::from_text(&text).expect("RLE").cells;
            check("B3/S23", &text, &cells);
        }
        let replicator = pattern::Pattern::from_text("3o$o2bo$o3bo$bo2bo$2b3o!");
        check("B36/S23", "replicator", &replicator.expect("RLE").cells);
    }

    #[test]
    fn planes_find_what_waiting_does() {
        for name in ["r-pentomino", "b-heptomino", "thunderbird", "diehard"] {
            check_built_in(name);
        }
        let rows = [
            // gliders that part, one that is eaten, and two that meet late
            ("B3/S23", "bo$2bo$3o10$20bo$19bo$19b3o!"),
            ("B3/S23", "bo$2bo$3o20$27b2o$27bobo$29bo$29b2o!"),
            ("B3/S23", "bo$2bo$3o80$90b3o$90bo$91bo!"),
            // a spaceship after a glider
            ("B3/S23", "3o$2bo$bo30$60b2o$58b2ob2o$58b4o$59b2o!"),
        ];
        for (rule, text) in rows {
            let cells = pattern::Pattern::from_text(text).expect("RLE").cells;
            check(rule, text, &cells);
        }
    }

    #[test]
    fn planes_find_what_waiting_does_of_soups() {
        for (rule, root, soups) in [
            ("B3/S23", "census_seed_a", 0..12),
            ("B36/S23", "census_seed_a", 0..4),
            ("B2n3/S23-q", "census_seed_a", 0..4),
            ("B3678/S34678", "census_seed_a", 0..2),
        ] {
            for index in soups {
                let seed = format!("{root}{index}");
                check(
                    rule,
                    &seed,
                    &hash_soup(&"C1".parse().expect("a symmetry"), &seed),
                );
            }
        }
    }
}
