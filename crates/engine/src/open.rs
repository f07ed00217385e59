//! Opening a world: the engine that is asked for, or the one that suits the job.

mod race;
mod repetition;

use crate::cycle::{CyclicWorld, FingerprintedWorld};
use crate::gpu_maker::open_on_gpu;
use crate::hashlife::open_hashlife_with;
use crate::{
    EngineChoice, NaiveWorld, OpenedWorld, Options, Tiles, Torus, UnsupportedError, World,
};
use grid::Point;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pattern::{Cells, Pattern};
pub use race::lend_clock;
use race::{Race, RaceSetup, has_clock};
use repetition::{JudgedTree, judged_tree, repeats};
use rule::{Rule, Topology};
use std::borrow::Cow;

/// Creates a world with the given engine, places the pattern in it and sets its generation.
///
/// `generations` is how far it is going to be advanced, if that is known; `auto` takes it into
/// account.
///
/// # Errors
/// When the engine (or with `auto`, every engine) does not support the rule, its topology, or a
/// cell of the pattern. If HashLife does not support the topology, another engine with the same
/// results replaces it, and [`OpenedWorld::engine_reason`] says so.
///
/// ```
/// use engine::{EngineChoice, Options, open};
///
/// let (rule, options) = ("B3/S23".parse()?, Options::default());
/// let acorn = pattern::library::find("acorn").unwrap().pattern();
/// let mut opened = open(EngineChoice::Tiles, &rule, &acorn, None, &options)?;
/// opened.world.advance(&5206u32.into(), &mut |_| true)?;
/// assert_eq!(opened.world.population(), 633u32.into());
/// assert_eq!(opened.engine_reason, "asked for");
/// assert!(open(EngineChoice::Torus, &rule, &acorn, None, &options).is_err()); // no edges
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open(
    choice: EngineChoice,
    rule: &Rule,
    pattern: &Pattern,
    generations: Option<&BigUint>,
    options: &Options,
) -> Result<OpenedWorld, UnsupportedError> {
    let ready = |kind: EngineChoice, why: &str| ready(kind, rule, pattern, options, why);
    if choice == EngineChoice::Hashlife {
        return match empty(choice, rule, options) {
            Ok(world) => loaded(world, pattern, "asked for"),
            Err(refusal) => open_stepping_instead(rule, &refusal, &ready).ok_or(refusal),
        };
    }
    if choice != EngineChoice::Auto {
        return ready(choice, "asked for");
    }
    let (first, why) = choose(rule, pattern, generations);
    first_that_accepts(first, rule.topology(), why, &ready)
}

/// [`open`] for a job of a known number of generations. With `auto` the run is monitored, and
/// moves to another engine if that is quicker for the rest: [`World::engine_reason`] gives the
/// reason.
///
/// # Errors
/// As [`open`].
///
/// ```
/// use engine::{EngineChoice, Options, open_job};
///
/// let gun = pattern::library::find("gosper-glider-gun").unwrap().pattern();
/// let (rule, far) = ("B3/S23".parse()?, 1_000_000_000_020u64.into());
/// let mut world = open_job(EngineChoice::Auto, &rule, &gun, &far, &Options::default())?.world;
/// world.advance(&far, &mut |_| true)?;
/// assert_eq!(world.engine(), "hashlife"); // chosen during the run
/// println!("{}", world.engine_reason().unwrap_or_default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_job(
    choice: EngineChoice,
    rule: &Rule,
    pattern: &Pattern,
    generations: &BigUint,
    options: &Options,
) -> Result<OpenedWorld, UnsupportedError> {
    let is_few = *generations < MIN_WATCHED_GENERATIONS.into();
    if choice != EngineChoice::Auto || is_few || rule.radius() > MAX_HASHED_RADIUS || !has_clock() {
        return open(choice, rule, pattern, Some(generations), options);
    }
    // On the plane, nothing but the cells of a pattern matters.
    match *rule.topology() {
        Topology::Unbounded => match judged_tree(&pattern.cells) {
            Some(JudgedTree {
                cells,
                repeats: true,
            }) => {
                let pattern = Pattern {
                    cells,
                    generation: pattern.generation.clone(),
                    ..Pattern::default()
                };
                watched(None, rule, &pattern, None, Some(generations), options)
            }
            judged => {
                let tree = judged.map(|judged| judged.cells);
                watched(None, rule, pattern, tree, Some(generations), options)
            }
        },
        _ => watched(None, rule, pattern, None, Some(generations), options),
    }
}

/// [`open`] for a world without a known end, see [`World::set_plan`]. With `auto` the run is
/// monitored, and moves to another engine if that is quicker: [`World::engine_reason`] gives the
/// reason. It begins with the engine `first`, if there is one.
///
/// # Errors
/// As [`open`].
///
/// ```
/// use engine::{AdvancePlan, EngineChoice, Options, open_endless};
///
/// let glider = pattern::library::find("glider").unwrap().pattern();
/// let rule = "B3/S23".parse()?;
/// let mut world =
///     open_endless(EngineChoice::Auto, None, &rule, &glider, &Options::default())?.world;
/// world.set_plan(&AdvancePlan::Steps(4u32.into())); // for a viewer, 4 generations a picture
/// for _ in 0..3 {
///     world.advance(&4u32.into(), &mut |_| true)?;
/// }
/// assert_eq!(*world.generation(), 12.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_endless(
    choice: EngineChoice,
    first: Option<EngineChoice>,
    rule: &Rule,
    pattern: &Pattern,
    options: &Options,
) -> Result<OpenedWorld, UnsupportedError> {
    match choice {
        EngineChoice::Auto if rule.radius() <= MAX_HASHED_RADIUS && has_clock() => {
            watched(first, rule, pattern, None, None, options)
        }
        EngineChoice::Auto => open(first.unwrap_or_default(), rule, pattern, None, options),
        _ => open(choice, rule, pattern, None, options),
    }
}

/// `tree` holds the cells of the pattern as a quadtree, where that was made.
fn watched(
    first: Option<EngineChoice>,
    rule: &Rule,
    pattern: &Pattern,
    tree: Option<Cells>,
    generations: Option<&BigUint>,
    options: &Options,
) -> Result<OpenedWorld, UnsupportedError> {
    let (stepping, why) = choose_stepping(rule, pattern, generations);
    let is_plane = *rule.topology() == Topology::Unbounded;
    let (first, why) = match first {
        Some(first) => (first, why),
        None if is_plane && repeats(&pattern.cells) => (EngineChoice::Hashlife, REPEATS),
        None => (stepping, why),
    };
    let ready = |kind: EngineChoice, why: &str| ready(kind, rule, pattern, options, why);
    let opened = first_that_accepts(first, rule.topology(), why, &ready)?;
    let has_room = pattern.cells.bytes() < options.memory / 8;
    let held = pattern.cells.as_tree().map(|_| pattern.cells.clone());
    let outset = RaceSetup {
        stepping,
        tree: tree.or(held).filter(|_| is_plane && has_room),
        is_decided: certainly_hashes(&*opened.world, &pattern.cells),
        opened,
    };
    let world = Race::new(outset, options.clone());
    Ok(OpenedWorld {
        engine_reason: world.engine_reason().unwrap_or_default().to_string(),
        world: Box::new(world),
    })
}

/// The reason for choosing HashLife.
const REPEATS: &str = "the pattern repeats itself";

/// Whether HashLife is certain to be the better engine for these cells, so that the run need
/// not be monitored.
pub(crate) fn certainly_hashes(world: &dyn World, cells: &Cells) -> bool {
    world.engine() == EngineChoice::Hashlife.name()
        && *world.rule().topology() == Topology::Unbounded
        && repeats(cells)
}

/// Shorter runs are not monitored.
const MIN_WATCHED_GENERATIONS: u64 = 64;

fn ready(
    kind: EngineChoice,
    rule: &Rule,
    pattern: &Pattern,
    options: &Options,
    why: &str,
) -> Result<OpenedWorld, UnsupportedError> {
    loaded(empty(kind, rule, options)?, pattern, why)
}

/// An empty world with a pattern.
fn loaded(
    mut world: Box<dyn World>,
    pattern: &Pattern,
    why: &str,
) -> Result<OpenedWorld, UnsupportedError> {
    let cells = place_pattern(pattern, world.rule().topology());
    world.load(&cells)?;
    world.set_generation(pattern.generation.clone());
    Ok(OpenedWorld {
        world,
        engine_reason: why.to_string(),
    })
}

/// The first of the engines that supports the world.
fn first_that_accepts(
    first: EngineChoice,
    topology: &Topology,
    why: &str,
    ready: &dyn Fn(EngineChoice, &str) -> Result<OpenedWorld, UnsupportedError>,
) -> Result<OpenedWorld, UnsupportedError> {
    ready(first, why).or_else(|refusal| {
        let why = refusal.to_string();
        let others = fallback_engines(topology).iter();
        let mut others = others.filter(|&&kind| kind != first);
        let stood_in = others.find_map(|&kind| ready(kind, &why).ok());
        stood_in.ok_or(refusal)
    })
}

/// The engines that can replace each other for this topology, the best first.
fn fallback_engines(topology: &Topology) -> &'static [EngineChoice] {
    match (topology, topology.rect()) {
        (Topology::Unbounded, _) => &[EngineChoice::Tiles, EngineChoice::Hashlife],
        (_, Some(_)) => &[EngineChoice::Torus, EngineChoice::Tiles],
        // The naive engine steps live cells on a plane, but all cells of a bounded grid.
        (_, None) => &[EngineChoice::Tiles, EngineChoice::Naive],
    }
}

/// Opens the quickest engine that steps single generations, where HashLife was asked for and is
/// not possible.
fn open_stepping_instead(
    rule: &Rule,
    refusal: &UnsupportedError,
    ready: &dyn Fn(EngineChoice, &str) -> Result<OpenedWorld, UnsupportedError>,
) -> Option<OpenedWorld> {
    let why = format!("{refusal}, so one generation goes at a time");
    let mut others = fallback_engines(rule.topology()).iter();
    others.find_map(|&kind| ready(kind, &why).ok())
}

/// An empty world of this engine.
pub(crate) fn empty(
    kind: EngineChoice,
    rule: &Rule,
    options: &Options,
) -> Result<Box<dyn World>, UnsupportedError> {
    let rule = rule.clone();
    UnsupportedError::check_background(kind.name(), &rule)?;
    Ok(match kind {
        EngineChoice::Auto | EngineChoice::Naive => {
            Box::new(NaiveWorld::new(rule).with_memory_limit(options.memory))
        }
        EngineChoice::Torus => {
            let torus = Torus::with_memory_limit(rule, options.memory)?;
            stepping(torus.with_threads(options.threads), options)
        }
        EngineChoice::Tiles => {
            let tiles = Tiles::with_deferred_circuit(rule)?.with_memory_limit(options.memory);
            stepping(tiles.with_threads(options.threads), options)
        }
        EngineChoice::Hashlife => open_hashlife_with(rule, options)?,
        EngineChoice::Gpu => open_on_gpu(&rule, options.memory)?,
    })
}

/// A world that steps single generations: on a grid of finite size it skips the rounds of its
/// cycle.
fn stepping(world: impl FingerprintedWorld + 'static, options: &Options) -> Box<dyn World> {
    match world.rule().topology().rect() {
        Some(_) => Box::new(CyclicWorld::around(Box::new(world), options.memory)),
        None => Box::new(world),
    }
}

/// From this many generations on, and from as many as there are cells, HashLife pays for most
/// patterns: guns and the like grow for ever, while chaos has settled.
const MANY_GENERATIONS: u64 = 10_000;

/// A pattern of fewer cells that lasts is mostly a methuselah, whose chaos is better stepped
/// until all well-known ones have stabilised.
const FEW_CELLS: u64 = 24;

/// From this many generations on, HashLife pays for few cells too.
const MANY_GENERATIONS_FOR_FEW_CELLS: u64 = 30_000;

/// From this many generations on, HashLife pays on a sparse torus, where tiles are stepped one
/// generation at a time.
const MANY_GENERATIONS_ON_TORUS: u64 = 4096;

/// Cells times generations of a torus from which on HashLife pays for any pattern: minutes of
/// stepping.
const MUCH_WORK: u64 = 1 << 44;

/// Cells times generations of a grid from which on it matters whether most of it is empty: some
/// hundredths of a second of stepping.
const SOME_WORK: u64 = 1 << 32;

/// Cells of a grid from which on stepping all of them costs more than tracking activity.
const LARGE_GRID: u64 = 1 << 18;

/// Cells of a grid from which on even a short run of all of them takes longer than one of the
/// live ones.
const HUGE_GRID: u64 = 1 << 20;

/// The number of generations assumed if it is not known.
const DEFAULT_GENERATIONS: u64 = 256;

/// A grid of which at most one cell in this many is live is stepped by tiles.
const SPARSE: u64 = 64;

/// The largest radius for which HashLife is worthwhile.
const MAX_HASHED_RADIUS: u32 = 7;

fn choose(
    rule: &Rule,
    pattern: &Pattern,
    generations: Option<&BigUint>,
) -> (EngineChoice, &'static str) {
    let population = pattern.cells.population();
    let least = match population < FEW_CELLS.into() {
        true => MANY_GENERATIONS_FOR_FEW_CELLS,
        false => MANY_GENERATIONS,
    };
    let many = generations.is_some_and(|n| *n >= least.into() && *n >= population);
    let many = many && rule.radius() <= MAX_HASHED_RADIUS;
    let (width, height) = rule.topology().size();
    if *rule.topology() == Topology::Unbounded {
        return match pattern.cells.as_tree() {
            Some(_) if rule.radius() <= MAX_HASHED_RADIUS && repeats(&pattern.cells) => {
                (EngineChoice::Hashlife, REPEATS)
            }
            _ if many => (EngineChoice::Hashlife, "the generations are many"),
            _ if rule.radius() > MAX_HASHED_RADIUS => (EngineChoice::Tiles, "the rule sees far"),
            _ => (
                EngineChoice::Tiles,
                "the plane is unbounded and the run short",
            ),
        };
    }
    let cells = BigUint::from(width) * height;
    let work = &cells * generations.unwrap_or(&DEFAULT_GENERATIONS.into());
    let sparse = population * SPARSE < cells;
    let joined = matches!(rule.topology(), Topology::Torus { .. }) && width > 0 && height > 0;
    let many = many
        || rule.radius() <= MAX_HASHED_RADIUS
            && generations.is_some_and(|n| *n >= MANY_GENERATIONS_ON_TORUS.into());
    match joined {
        true if sparse && many => (EngineChoice::Hashlife, "the generations are many"),
        true if work >= MUCH_WORK.into() => (EngineChoice::Hashlife, "the generations are many"),
        _ => choose_stepping(rule, pattern, generations),
    }
}

/// The best engine that steps single generations.
fn choose_stepping(
    rule: &Rule,
    pattern: &Pattern,
    generations: Option<&BigUint>,
) -> (EngineChoice, &'static str) {
    let (width, height) = rule.topology().size();
    if *rule.topology() == Topology::Unbounded {
        return (EngineChoice::Tiles, "the plane is unbounded");
    }
    if width == 0 || height == 0 {
        return (EngineChoice::Tiles, "one side of the grid is infinite");
    }
    let cells = BigUint::from(width) * height;
    let work = &cells * generations.unwrap_or(&DEFAULT_GENERATIONS.into());
    let sparse = pattern.cells.population() * SPARSE < cells;
    let is_wide =
        cells >= LARGE_GRID.into() && work >= SOME_WORK.into() || cells >= HUGE_GRID.into();
    match sparse && is_wide {
        true => (EngineChoice::Tiles, "the grid is large and nearly empty"),
        false => (EngineChoice::Torus, "the grid is bounded"),
    }
}

/// The pattern's cells at their positions in a world of this topology.
///
/// On a bounded grid, a pattern without a position of its own is centred if its bounding box
/// fits, else it starts at the top left of the grid (Golly's rule).
///
/// ```
/// use engine::place_pattern;
///
/// let block = pattern::read(b"x = 2, y = 2\n2o$2o!")?.0;
/// let corner = |topology: &str| {
///     let cells = place_pattern(&block, &topology.parse().unwrap()).into_owned();
///     cells.bounds().unwrap().to_rect().map(|rect| (rect.x, rect.y))
/// };
/// assert_eq!(corner("T20,10"), Some((-1, -1))); // the grid has its middle at (0, 0)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn place_pattern<'a>(pattern: &'a Pattern, topology: &Topology) -> Cow<'a, Cells> {
    if *topology == Topology::Unbounded || pattern.position.is_some() {
        return Cow::Borrowed(&pattern.cells);
    }
    let Some((width, height)) = pattern.size.or_else(|| far_corner(&pattern.cells)) else {
        return Cow::Borrowed(&pattern.cells);
    };
    let half = |side: u64| -((side / 2) as i64);
    let (grid_width, grid_height) = topology.size();
    let fits = |side: u64, room: u64| room == 0 || side <= room;
    let corner = if fits(width, grid_width) && fits(height, grid_height) {
        Point::new(half(width), half(height))
    } else {
        Point::new(half(grid_width), half(grid_height))
    };
    Cow::Owned(pattern.cells.translated(corner.x, corner.y))
}

/// Width and height of the box from (0, 0) to the last live cell.
fn far_corner(cells: &Cells) -> Option<(u64, u64)> {
    let bounds = cells.bounds()?;
    let width = bounds.x + num_bigint::BigInt::from(bounds.width);
    let height = bounds.y + num_bigint::BigInt::from(bounds.height);
    Some((width.to_u64()?, height.to_u64()?))
}
