use crate::hashlife::hashlife_with;
use crate::race::{Race, RaceSetup};
use crate::{NaiveWorld, Tiles, Torus, UnsupportedError, World};
use grid::Point;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pattern::{Cells, Pattern};
use rule::{Rule, Topology};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::{borrow::Cow, fmt, str::FromStr};
use thiserror::Error;

/// Which engine is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The one that suits the rule, the pattern and the number of generations.
    #[default]
    Auto,
    /// The oracle, cell by cell.
    Naive,
    /// A bounded grid.
    Torus,
    /// Unbounded, stepping only what is active.
    Tiles,
    /// Unbounded, a hashed quadtree.
    Hashlife,
}

impl EngineChoice {
    /// All of them, `auto` first.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::Naive,
        Self::Torus,
        Self::Tiles,
        Self::Hashlife,
    ];

    /// The name that a person types.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Naive => "naive",
            Self::Torus => "torus",
            Self::Tiles => "tiles",
            Self::Hashlife => "hashlife",
        }
    }
}

impl fmt::Display for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no engine's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no engine: expected auto, naive, torus, tiles or hashlife")]
pub struct UnknownEngine(pub String);

impl FromStr for EngineChoice {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        let wanted = |c: &Self| c.name().eq_ignore_ascii_case(text);
        let known = Self::ALL.into_iter().find(wanted);
        known.ok_or_else(|| UnknownEngine(text.into()))
    }
}

/// How often hashed quadtrees have collected garbage since their memory was full: whoever waits
/// for a run can see by it that it has too little.
#[derive(Clone, Debug, Default)]
pub struct CollectionCounter(Arc<AtomicU64>);

impl CollectionCounter {
    /// How often.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.load(Relaxed)
    }

    pub(crate) fn add_one(&self) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// What an engine may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes that a world may take: one that outgrows them stops, see [`World::exhausted`];
    /// a grid that would take more is refused.
    pub memory: u64,
    /// Threads; the slow engine takes one.
    pub threads: usize,
    /// Where worlds that were opened with these options count their collections.
    pub collections: CollectionCounter,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory: 4 << 30,
            threads: 1,
            collections: CollectionCounter::default(),
        }
    }
}

/// A world that is ready to run, and why this engine runs it.
pub struct OpenedWorld {
    /// The world, with the pattern in it and its generation set.
    pub world: Box<dyn World>,
    /// Why this engine: a short clause.
    pub why: String,
}

impl fmt::Debug for OpenedWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedWorld")
            .field("engine", &self.world.engine())
            .field("why", &self.why)
            .finish()
    }
}

/// Makes a world of the wanted kind, places the pattern in it and sets its generation.
///
/// `generations` is how far it is going to be advanced, if that is known: `auto` looks
/// at it.
///
/// # Errors
/// When the engine (or with `auto`, every engine) does not take the rule, its topology,
/// or a cell of the pattern. Only hashing is done without where a topology does not allow
/// it: another engine gives the same answers then, and [`OpenedWorld::why`] tells.
pub fn open(
    choice: EngineChoice,
    rule: &Rule,
    pattern: &Pattern,
    generations: Option<&BigUint>,
    options: &Options,
) -> Result<OpenedWorld, UnsupportedError> {
    let ready = |kind: EngineChoice, why: &str| ready(kind, rule, pattern, options, why);
    if choice == EngineChoice::Hashlife
        && let Err(refusal) = empty(choice, rule, options)
    {
        return open_stepping_instead(rule, &refusal, &ready).ok_or(refusal);
    }
    if choice != EngineChoice::Auto {
        return ready(choice, "asked for");
    }
    let (first, why) = choose(rule, pattern, generations);
    first_that_accepts(first, rule.topology(), why, &ready)
}

/// [`open`] for a job that is known: so many generations from first to last. Where the engine is
/// left open, the run is watched, and goes over to another engine where that is quicker for what
/// is left: [`World::why`] tells.
///
/// # Errors
/// As [`open`].
pub fn open_job(
    choice: EngineChoice,
    rule: &Rule,
    pattern: &Pattern,
    generations: &BigUint,
    options: &Options,
) -> Result<OpenedWorld, UnsupportedError> {
    let is_few = *generations < MIN_WATCHED_GENERATIONS.into();
    if choice != EngineChoice::Auto
        || is_few
        || rule.radius() > MAX_HASHED_RADIUS
        || !Race::has_clock()
    {
        return open(choice, rule, pattern, Some(generations), options);
    }
    watched(None, rule, pattern, Some(generations), options)
}

/// [`open`] for a world that is moved on without an end in view, as [`World::expect`] tells.
/// Where the engine is left open, the run is watched, and goes over to another engine where that
/// is quicker: [`World::why`] tells. It begins with the engine `first`, where that is known.
///
/// # Errors
/// As [`open`].
pub fn open_endless(
    choice: EngineChoice,
    first: Option<EngineChoice>,
    rule: &Rule,
    pattern: &Pattern,
    options: &Options,
) -> Result<OpenedWorld, UnsupportedError> {
    match choice {
        EngineChoice::Auto if rule.radius() <= MAX_HASHED_RADIUS && Race::has_clock() => {
            watched(first, rule, pattern, None, options)
        }
        EngineChoice::Auto => open(first.unwrap_or_default(), rule, pattern, None, options),
        _ => open(choice, rule, pattern, None, options),
    }
}

fn watched(
    first: Option<EngineChoice>,
    rule: &Rule,
    pattern: &Pattern,
    generations: Option<&BigUint>,
    options: &Options,
) -> Result<OpenedWorld, UnsupportedError> {
    let (stepping, why) = choose_stepping(rule, pattern, generations);
    let is_plane = *rule.topology() == Topology::Unbounded;
    let (first, why) = match first {
        Some(first) => (first, why),
        None if is_plane && sharing(&pattern.cells) >= MIN_SHARING => {
            (EngineChoice::Hashlife, REPEATS)
        }
        None => (stepping, why),
    };
    let ready = |kind: EngineChoice, why: &str| ready(kind, rule, pattern, options, why);
    let opened = first_that_accepts(first, rule.topology(), why, &ready)?;
    let has_room = pattern.cells.bytes() < options.memory / 8;
    let tree = pattern.cells.as_tree().filter(|_| is_plane && has_room);
    let outset = RaceSetup {
        stepping,
        tree: tree.map(|_| pattern.cells.clone()),
        is_decided: certainly_hashes(&*opened.world, &pattern.cells),
        opened,
    };
    let world = Race::new(outset, options.clone());
    Ok(OpenedWorld {
        why: world.why().unwrap_or_default().to_string(),
        world: Box::new(world),
    })
}

/// Why hashing, in words.
const REPEATS: &str = "the pattern repeats itself";

/// Whether a world that is hashed is not worth watching, now that these cells have come into it.
pub(crate) fn certainly_hashes(world: &dyn World, cells: &Cells) -> bool {
    world.engine() == EngineChoice::Hashlife.name()
        && *world.rule().topology() == Topology::Unbounded
        && sharing(cells) >= MIN_SHARING
}

/// How often each square of a quadtree stands in it, in the mean: what is built by hand or by
/// machine repeats itself, and goes on doing so; soups do not. Few cells tell nothing.
fn sharing(cells: &Cells) -> f64 {
    let walk = cells.walk_length();
    match cells.as_tree() {
        Some(tree) if walk > MIN_LEAVES_TO_JUDGE => walk as f64 / tree.nodes.len() as f64,
        _ => 0.0,
    }
}

/// Squares of 8 x 8 cells that live; of fewer, both engines are tried soon.
const MIN_LEAVES_TO_JUDGE: u128 = 1 << 12;

/// [`sharing`] from which on it is hashed, and nothing else is tried. It is 0.8 for soups, 1.2 for
/// waterbear, 1.8 to 8 for demonoids, Gemini, caterpillar, von Neumann's machines and the computer
/// of primes, and hundreds for metapixels; the second and all those after it are hashed more
/// quickly, by two times or more, from 64 generations to 10,000.
const MIN_SHARING: f64 = 1.2;

/// Of fewer generations than this none is watched.
const MIN_WATCHED_GENERATIONS: u64 = 64;

fn ready(
    kind: EngineChoice,
    rule: &Rule,
    pattern: &Pattern,
    options: &Options,
    why: &str,
) -> Result<OpenedWorld, UnsupportedError> {
    let mut world = empty(kind, rule, options)?;
    world.load(&placed(pattern, rule.topology()))?;
    world.set_generation(pattern.generation.clone());
    Ok(OpenedWorld {
        world,
        why: why.to_string(),
    })
}

/// What is too much for one engine may be little for another.
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

/// The engines that may stand in for each other on a world of this shape, the likeliest
/// first.
fn fallback_engines(topology: &Topology) -> &'static [EngineChoice] {
    match (topology, topology.rect()) {
        (Topology::Unbounded, _) => &[EngineChoice::Tiles, EngineChoice::Hashlife],
        (_, Some(_)) => &[EngineChoice::Torus, EngineChoice::Tiles],
        // The oracle steps what is live; of a finite grid it would step every cell.
        (_, None) => &[EngineChoice::Tiles, EngineChoice::Naive],
    }
}

/// The quickest world that steps one generation at a time, where hashing was asked for and
/// cannot be had.
fn open_stepping_instead(
    rule: &Rule,
    refusal: &UnsupportedError,
    ready: &dyn Fn(EngineChoice, &str) -> Result<OpenedWorld, UnsupportedError>,
) -> Option<OpenedWorld> {
    let why = format!("{refusal}, so one generation goes at a time");
    let mut others = fallback_engines(rule.topology()).iter();
    others.find_map(|&kind| ready(kind, &why).ok())
}

/// A world of the kind, with nothing in it.
pub(crate) fn empty(
    kind: EngineChoice,
    rule: &Rule,
    options: &Options,
) -> Result<Box<dyn World>, UnsupportedError> {
    let rule = rule.clone();
    UnsupportedError::unless_empty_stays(kind.name(), &rule)?;
    Ok(match kind {
        EngineChoice::Auto | EngineChoice::Naive => {
            Box::new(NaiveWorld::new(rule).within(options.memory))
        }
        EngineChoice::Torus => {
            Box::new(Torus::within(rule, options.memory)?.with_threads(options.threads))
        }
        EngineChoice::Tiles => Box::new(
            Tiles::ready_soon(rule)?
                .within(options.memory)
                .with_threads(options.threads),
        ),
        EngineChoice::Hashlife => hashlife_with(rule, options)?,
    })
}

/// From this many generations on, and from as many as there are cells, hashing pays for most
/// patterns: guns and their like grow without end, while chaos has settled.
const MANY_GENERATIONS: u64 = 10_000;

/// Of fewer cells than these, what lasts is mostly a methuselah, whose chaos is better stepped,
/// to the end of all that are known well.
const FEW_CELLS: u64 = 24;

/// From this many generations on, hashing pays for a handful of cells too.
const MANY_GENERATIONS_FOR_FEW_CELLS: u64 = 30_000;

/// From this many generations on, hashing pays on a torus of which little lives: tiles go one
/// generation at a time there.
const MANY_GENERATIONS_ON_TORUS: u64 = 4096;

/// Cells times generations of a torus from which on hashing pays whatever lives there: minutes
/// of stepping each.
const MUCH_WORK: u64 = 1 << 44;

/// Cells times generations of a grid from which on it matters that most of it is empty: some
/// hundredths of a second of stepping each.
const SOME_WORK: u64 = 1 << 32;

/// Cells of a grid from which on stepping all of them costs more than to know where something
/// happens.
const LARGE_GRID: u64 = 1 << 18;

/// Cells of a grid from which on even a short run of all of them takes longer than one of those
/// that live.
const HUGE_GRID: u64 = 1 << 20;

/// Where nobody says how many generations there will be, a grid is chosen for so many.
const DEFAULT_GENERATIONS: u64 = 256;

/// A grid of which so small a part lives is stepped where something happens only.
const SPARSE: u64 = 64;

/// The greatest radius that is worth hashing.
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
            Some(_)
                if rule.radius() <= MAX_HASHED_RADIUS && sharing(&pattern.cells) >= MIN_SHARING =>
            {
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

/// The engine that goes one generation at a time.
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

/// The pattern's cells where they stand in a world of this topology.
///
/// In a bounded grid, a pattern without a position of its own stands in the middle if its
/// box fits, else at the top left of the grid (Golly's rule).
#[must_use]
pub fn placed<'a>(pattern: &'a Pattern, topology: &Topology) -> Cow<'a, Cells> {
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
