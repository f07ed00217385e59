//! How a pattern that never becomes periodic grows: the classes and codes of apgsearch (Adam P.
//! Goucher; its file `detection.h` of version 5.2).
//!
//! Linear growth is told by differences of the population that are periodic: `yl…`. What else
//! grows is sorted by the slope of its growth in a plot with logarithmic axes: `zz_…`.

mod population_memo;
pub(crate) mod steady;

use crate::settle::plane::SoupPlane;
use crate::settle::plane::escape::TOUCHING;
use crate::settle::watched_plane::{plane_bytes, plane_cells, watched_plane};
use engine::{EngineChoice, Options, Tiles, World};
use md5::{Digest, Md5};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pattern::{Cells, Pattern};
use population_memo::{LONGEST_LOG, PopulationMemo};
use rule::{Rule, Topology};
use std::fmt;
use steady::add_steady;

/// Readings of the population that are compared, and longest period of the differences.
const READINGS: usize = 4800;

/// Generations that are read: the longest sum of three of those.
const GENERATIONS: usize = 3 * READINGS;

/// Readings after which each period but a few has shown whether it is one.
const PARTIAL_READINGS: usize = 2 * READINGS + 128;

/// Generations between two readings of the slow test.
const SLOW_STEP: u32 = 128;

/// Readings of the slow test.
const SLOW_READINGS: usize = 8000;

/// Fewer of those say nothing, where memory has run out.
const LEAST_READINGS: usize = 64;

/// Memory of each test in bytes: a census is to stay below 200 MiB.
const TEST_MEMORY: u64 = 64 << 20;

/// A world that had more cells than this is not kept for the next test, since it keeps its memory.
const KEPT_POPULATION: u64 = 1 << 16;

/// Nor is a plane that takes more than so many bytes.
const KEPT_BYTES: u64 = 8 << 20;

/// Generations that a plane is run on at a time.
const PLANE_CHUNK: usize = 64;

/// From this reading on, and then at twice that and so on, a proof is tried of what is to be read.
const FIRST_PROOF: usize = 512;

/// All readings of the quick test are before 2^14 generations, and those of the slow one are at
/// generations that 2^6 divides.
const QUICK_LOG: usize = 14;
const SLOW_LOG: usize = 6;

/// A population that has repeated for as many generations as it took to get there, with a period
/// of at most this, is at rest.
const REST_PERIOD: usize = 480;

/// How a pattern grows.
#[derive(Clone, Debug, PartialEq)]
pub enum GrowthClass {
    /// Linearly, with a period.
    Linear(LinearGrowth),
    /// By another law: `zz_REPLICATOR`, `zz_LINEAR`, `zz_EXPLOSIVE` or `zz_QUADRATIC`.
    Other {
        /// The code.
        code: &'static str,
        /// The power of time that the population grows with.
        slope: f64,
    },
    /// Not at all, or not by a law that is known.
    Unknown,
}

/// Growth by a population whose differences are periodic.
///
/// ```
/// use census::{GrowthClass, GrowthTester};
///
/// let gun = pattern::library::find("gosper-glider-gun").ok_or("no gun")?.pattern();
/// let class = GrowthTester::new(&"B3/S23".parse()?).test(&gun.cells, &mut || true);
/// let GrowthClass::Linear(growth) = class else { return Err("not linear".into()) };
/// assert_eq!((growth.period, growth.moment), (30, 5)); // a glider in 30 generations
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearGrowth {
    /// The least p such that the population grows by the same in each p generations.
    pub period: u64,
    /// The least period of those differences.
    pub difference_period: u64,
    /// The differences over the difference's period, summed over one period.
    pub moment: i64,
    /// MD5 of the sums of their squares and cubes.
    pub digest: [u8; 16],
}

impl fmt::Display for LinearGrowth {
    /// The code of apgsearch: `yl144_1_16_…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            period,
            difference_period,
            moment,
            digest,
        } = self;
        write!(f, "yl{period}_{difference_period}_{moment}_")?;
        digest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Tests growth under one rule. It keeps what was compiled for the rule.
pub struct GrowthTester {
    rule: Rule,
    world: Option<Tiles>,
    plane: Option<SoupPlane>,
    /// Whether planes may be used, where there can be one.
    uses_planes: bool,
}

impl fmt::Debug for GrowthTester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GrowthTester")
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}

impl GrowthTester {
    /// For a rule on the endless plane; its topology is not looked at.
    #[must_use]
    pub fn new(rule: &Rule) -> Self {
        Self {
            rule: rule.with_topology(Topology::Unbounded),
            world: None,
            plane: None,
            uses_planes: true,
        }
    }

    /// How the cells grow by themselves. `keep_going` is asked now and then; after `false` the
    /// class is unknown.
    pub fn test(&mut self, cells: &Cells, keep_going: &mut dyn FnMut() -> bool) -> GrowthClass {
        match self.test_linear(cells, keep_going) {
            Some(class) => class,
            None => self.test_slope(cells, keep_going),
        }
    }

    /// Only whether they grow linearly from the first generation on, or are at rest before the
    /// last; `None` where neither is so.
    pub fn test_linear(
        &mut self,
        cells: &Cells,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Option<GrowthClass> {
        match self.read(cells, keep_going) {
            GrowthReading::Populations(populations) => {
                linear_growth(&populations).map(GrowthClass::Linear)
            }
            GrowthReading::Unfinished => None,
            GrowthReading::Ended => Some(GrowthClass::Unknown),
        }
    }

    /// The same as [`GrowthTester::test`], quicker for replicators.
    pub(crate) fn test_replicator(
        &mut self,
        cells: &Cells,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> GrowthClass {
        match self.slope_of_replicator(cells, keep_going) {
            Some(class) => class,
            None => self.test(cells, keep_going),
        }
    }

    /// Where its populations repeat in space and time, all readings of both tests are had at once.
    /// None where they do not, or where it may grow linearly. (In soups such growth comes with other
    /// things, so that too little repeats: there HashLife itself is quicker.)
    fn slope_of_replicator(
        &mut self,
        cells: &Cells,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Option<GrowthClass> {
        let points = plane_cells(cells)?;
        // a memo knows the rules that planes do
        self.plane = Some(self.plane.take().or_else(|| watched_plane(&self.rule))?);
        let mut memo = PopulationMemo::new(&self.rule);
        let readings = memo.populations(&points, 0, QUICK_LOG, keep_going)?;
        if is_at_rest(&readings) || linear_growth(&readings).is_some() {
            return None;
        }
        let readings = memo.populations(&points, SLOW_LOG, LONGEST_LOG, keep_going)?;
        let mut slope = SlopeTest::default();
        for reading in 0..SLOW_READINGS {
            let generation = GENERATIONS + reading * SLOW_STEP as usize;
            slope.read(*readings.get(generation >> SLOW_LOG)? as f64);
        }
        Some(slope.class())
    }

    /// The cells in HashLife.
    fn open_hashlife(&self, cells: &Cells) -> Option<Box<dyn World>> {
        let pattern = Pattern {
            cells: cells.clone(),
            ..Pattern::default()
        };
        let options = Options {
            memory: TEST_MEMORY,
            ..Options::default()
        };
        let opened = engine::open(EngineChoice::Hashlife, &self.rule, &pattern, None, &options);
        Some(opened.ok()?.world)
    }

    /// Runs the cells: on a plane of the census where there can be one, which tells the
    /// populations in passing, or else in the engine's world.
    fn read(&mut self, cells: &Cells, keep_going: &mut dyn FnMut() -> bool) -> GrowthReading {
        let points = match self.uses_planes {
            true => plane_cells(cells),
            false => None,
        };
        if let Some(points) = points {
            let kept = self.plane.take().or_else(|| watched_plane(&self.rule));
            if let Some(mut plane) = kept {
                let reading = read_on_plane(&mut plane, &points, keep_going);
                if plane_bytes(&plane) < KEPT_BYTES {
                    self.plane = Some(plane);
                }
                return reading;
            }
            self.uses_planes = false;
        }
        self.read_in_engine(cells, keep_going)
    }

    fn read_in_engine(
        &mut self,
        cells: &Cells,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> GrowthReading {
        let kept = self.world.take();
        let made = || {
            Some(
                Tiles::new(self.rule.clone())
                    .ok()?
                    .with_memory_limit(TEST_MEMORY),
            )
        };
        let Some(mut world) = kept.or_else(made) else {
            return GrowthReading::Ended;
        };
        if world.replace_cells(cells, &0.into()).is_err() {
            return GrowthReading::Ended;
        }
        let one = BigUint::from(1u8);
        let mut populations = Vec::with_capacity(GENERATIONS);
        while populations.len() < GENERATIONS {
            let count = populations.len();
            if count.is_multiple_of(64) && !keep_going() {
                return GrowthReading::Ended;
            }
            if count >= 1024 && count.is_multiple_of(1024) && is_at_rest(&populations) {
                return GrowthReading::Ended;
            }
            let Some(population) = world.population().to_u64() else {
                return GrowthReading::Unfinished;
            };
            populations.push(population);
            let advanced = world.advance(&one, &mut |_| true);
            if advanced.is_err() || world.memory_limit_error().is_some() {
                return GrowthReading::Unfinished;
            }
        }
        if populations
            .iter()
            .all(|&population| population < KEPT_POPULATION)
        {
            self.world = Some(world);
        }
        GrowthReading::Populations(populations)
    }

    /// The slope of the growth over a million generations.
    fn test_slope(&self, cells: &Cells, keep_going: &mut dyn FnMut() -> bool) -> GrowthClass {
        let Some(mut world) = self.open_hashlife(cells) else {
            return GrowthClass::Unknown;
        };
        let step = BigUint::from(SLOW_STEP);
        let mut slope = SlopeTest::default();
        // On from where the quick test has ended.
        let mut ahead = BigUint::from(GENERATIONS);
        for _ in 0..SLOW_READINGS {
            let advanced = world.advance(&ahead, &mut |_| keep_going());
            ahead.clone_from(&step);
            if advanced.is_err() && world.memory_limit_error().is_none() {
                return GrowthClass::Unknown;
            }
            if advanced.is_err() || world.memory_limit_error().is_some() {
                break;
            }
            slope.read(world.population().to_f64().unwrap_or(f64::MAX));
        }
        slope.class()
    }
}

/// What comes of reading populations.
enum GrowthReading {
    /// All of them.
    Populations(Vec<u64>),
    /// It came to rest, or was not wanted any longer.
    Ended,
    /// It has outgrown its memory, or is not linear.
    Unfinished,
}

/// The populations of cells on a plane.
fn read_on_plane(
    plane: &mut SoupPlane,
    cells: &[(i32, i32)],
    keep_going: &mut dyn FnMut() -> bool,
) -> GrowthReading {
    for takes_gliders in [true, false] {
        plane.clear();
        plane.take_gliders(takes_gliders);
        plane.load(cells);
        let mut populations = Vec::with_capacity(GENERATIONS + PLANE_CHUNK);
        populations.push(cells.len() as u64);
        let reading = loop {
            // as often as in the engine's world
            let count = populations.len() - 1;
            if !keep_going() {
                break GrowthReading::Ended;
            }
            let is_looked_at = count >= 1024 && count.is_multiple_of(1024);
            if is_looked_at && is_at_rest(&populations[..count]) {
                break GrowthReading::Ended;
            }
            if plane_bytes(plane) > TEST_MEMORY {
                break GrowthReading::Unfinished;
            }
            if count == PARTIAL_READINGS && !may_be_linear(&populations) {
                break GrowthReading::Unfinished;
            }
            let is_proof_tried = count >= FIRST_PROOF && count.is_power_of_two();
            if is_proof_tried {
                let _ = add_steady(plane, &mut populations, GENERATIONS);
            }
            if populations.len() >= GENERATIONS {
                populations.truncate(GENERATIONS);
                break GrowthReading::Populations(populations);
            }
            plane.advance_with_populations(PLANE_CHUNK as u64, &mut populations);
            plane.let_streams_escape(TOUCHING);
            if plane.is_escape_doubtful() {
                break GrowthReading::Ended;
            }
        };
        if !plane.is_escape_doubtful() {
            return reading;
        }
    }
    GrowthReading::Ended
}

/// Whether the population has been periodic for half of the time.
fn is_at_rest(populations: &[u64]) -> bool {
    let half = &populations[populations.len() / 2..];
    (1..=REST_PERIOD.min(half.len() / 2)).any(|period| {
        let again = &half[period..];
        again.iter().zip(half).all(|(a, b)| a == b)
    })
}

/// Whether the growth that populations show so far fits some period: else no more of them do.
fn may_be_linear(populations: &[u64]) -> bool {
    let at = |at: usize| populations[at] as i64;
    let fits = |p: usize| {
        let known = (populations.len() - 2 * p).min(READINGS);
        (0..known).all(|i| at(i + p) - at(i) == at(i + 2 * p) - at(i + p))
    };
    (1..READINGS).any(fits)
}

/// The growth that the first [`GENERATIONS`] populations show, if it is linear.
fn linear_growth(populations: &[u64]) -> Option<LinearGrowth> {
    let gain = |at: usize, period: usize| populations[at + period] as i64 - populations[at] as i64;
    let is_period = |&p: &usize| (0..READINGS).all(|at| gain(at, p) == gain(at + p, p));
    let period = (1..READINGS).find(is_period)?;
    let has_period = |&q: &usize| (0..READINGS).all(|at| gain(at, period) == gain(at + q, period));
    let difference_period = (1..READINGS).find(has_period)?;
    // The moments are numbers of 32 bits in apgsearch, and wrap.
    let mut moments = [0i32; 3];
    for at in 0..period {
        let gain = gain(at, difference_period) as i32;
        let mut power = 1i32;
        for moment in &mut moments {
            power = power.wrapping_mul(gain);
            *moment = moment.wrapping_add(power);
        }
    }
    let [moment, squares, cubes] = moments;
    (moment != 0).then(|| LinearGrowth {
        period: period as u64,
        difference_period: difference_period as u64,
        moment: moment.into(),
        digest: Md5::digest(format!("{squares}#{cubes}")).into(),
    })
}

/// The slow test: populations that are [`SLOW_STEP`] generations apart are summed up.
#[derive(Clone, Copy, Debug, Default)]
struct SlopeTest {
    readings: usize,
    sum: f64,
    later: LogSlope,
    early: LogSlope,
}

impl SlopeTest {
    fn read(&mut self, population: f64) {
        self.sum += population;
        let sum = 1.0 + self.sum;
        let time = (self.readings * SLOW_STEP as usize + READINGS) as f64;
        self.later.add(time.ln(), sum.ln());
        self.early.add((self.readings as f64 + 1.0).ln(), sum.ln());
        self.readings += 1;
    }

    fn class(&self) -> GrowthClass {
        if self.readings < LEAST_READINGS || self.early.slope() < 1.15 {
            return GrowthClass::Unknown;
        }
        let slope = self.later.slope();
        let code = match slope {
            _ if slope < 1.65 => "zz_REPLICATOR",
            _ if slope < 2.1 => "zz_LINEAR",
            _ if slope < 2.9 => "zz_EXPLOSIVE",
            _ => "zz_QUADRATIC",
        };
        GrowthClass::Other {
            code,
            slope: slope - 1.0,
        }
    }
}

/// The slope of the line through points, by least squares.
#[derive(Clone, Copy, Debug, Default)]
struct LogSlope {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
}

impl LogSlope {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
    }

    fn slope(&self) -> f64 {
        let Self {
            count,
            x,
            y,
            xx,
            xy,
        } = self;
        (count * xy - x * y) / (count * xx - x * x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells_of(name: &str) -> Cells {
        match pattern::library::find(name) {
            Some(entry) => entry.pattern().cells,
            None => Pattern::from_text(name).expect("RLE").cells,
        }
    }

    fn plane_with(cells: &Cells) -> (SoupPlane, Vec<u64>) {
        let points = plane_cells(cells).expect("cells near the origin");
        let mut plane = watched_plane(&"B3/S23".parse().expect("a rule")).expect("a plane");
        plane.clear();
        plane.load(&points);
        (plane, vec![points.len() as u64])
    }

    /// Whatever is proven is what is read generation by generation.
    #[test]
    fn steady_growth_is_what_is_read() {
        let block_beside = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$\
                            10bo5bo7bo$11bo3bo$12b2o21$30b2o$30b2o!";
        // the gliders come there a thousand generations later
        let block_ahead = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$\
                           10bo5bo7bo$11bo3bo$12b2o292$314b2o$314b2o!";
        for (name, is_proven) in [
            ("gosper-glider-gun", true),
            (block_beside, true),
            (block_ahead, false),
            ("6bo$4bob2o$4bobo$4bo$2bo$obo!", false),
            ("b2o$2o$bo!", false),
        ] {
            let cells = cells_of(name);
            let (mut plane, mut populations) = plane_with(&cells);
            for _ in 0..FIRST_PROOF / PLANE_CHUNK {
                plane.advance_with_populations(PLANE_CHUNK as u64, &mut populations);
                plane.let_streams_escape(TOUCHING);
            }
            let found = add_steady(&plane, &mut populations, GENERATIONS);
            assert_eq!(found, is_proven, "{name}");
            let mut tester = GrowthTester::new(&"B3/S23".parse().expect("a rule"));
            let slow = tester.read_in_engine(&cells, &mut || true);
            if let (true, GrowthReading::Populations(slow)) = (found, &slow) {
                assert_eq!(populations[..GENERATIONS], slow[..], "{name}");
            }
            match (tester.read(&cells, &mut || true), slow) {
                (GrowthReading::Populations(quick), GrowthReading::Populations(slow)) => {
                    assert_eq!(quick, slow, "{name}");
                }
                (GrowthReading::Ended, GrowthReading::Ended) => {}
                // it is not linear from the first generation on
                (GrowthReading::Unfinished, GrowthReading::Populations(slow)) => {
                    assert_eq!(linear_growth(&slow), None, "{name}");
                }
                _ => panic!("{name}"),
            }
        }
    }

    const REPLICATOR: &str = "3o$o2bo$o3bo$bo2bo$2b3o!";

    #[test]
    fn only_what_replicates_takes_the_memo() {
        for (rule, name) in [
            ("B36/S23", REPLICATOR),
            ("B3/S23", "gosper-glider-gun"),
            ("B3/S23", "3o!"),
        ] {
            let mut tester = GrowthTester::new(&rule.parse().expect("a rule"));
            let memo = tester.slope_of_replicator(&cells_of(name), &mut || true);
            let (code, slope) = match memo {
                Some(GrowthClass::Other { code, slope }) => (code, slope),
                Some(other) => panic!("{name}: {other:?}"),
                None => ("", 0.0),
            };
            // as the slow test says, whose readings the memo's are held against in its own tests
            let replicates = name == REPLICATOR;
            assert_eq!(
                code,
                ["", "zz_REPLICATOR"][usize::from(replicates)],
                "{name}"
            );
            let wanted = [0.0, 0.558_610_162_262_871][usize::from(replicates)];
            assert!((slope - wanted).abs() < 1e-12, "{name}: {slope}");
        }
    }
}
