//! A unit of a census: a number of soups, and what is left of them.

mod cluster_book;

use crate::settle::proof::{SettlingProof, prove};
use crate::settle::soup_world::SoupWorld;
use crate::settle::{ATTEMPTS, MOST_CELLS, PopulationReader, QUIET};
use crate::soup::{for_each_cell, hash_soup, square_rows};
use crate::{GrowthClass, GrowthTester, HashSoupSymmetry, StateBox, cluster_zone};
use cluster_book::{ClusterBook, FoundCluster};
use engine::{Tiles, World};
use pattern::{Bounds, Cells};
use rule::Rule;
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// What is counted: the soups of a root string in a symmetry, under a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CensusSettings {
    /// The rule that the soups are run in.
    pub rule: Rule,
    /// How a soup's cells are made of its seed.
    pub symmetry: HashSoupSymmetry,
    /// The seed string of soup `n` is this, followed by `n` in decimal.
    pub root: String,
    /// When a soup counts as settled.
    pub settling: SettlingMethod,
}

/// When a soup counts as settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SettlingMethod {
    /// When it is proven that nothing but periodic parts and ships on free lanes is left.
    #[default]
    Exact,
    /// By apgsearch's schedule of population readings, which can stop too early.
    Apgsearch,
}

/// The soups that leave the most samples of an object.
pub const MAX_SAMPLES: usize = 10;

/// What one unit has counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitReport {
    /// The first soup, and how many there are.
    pub first: u64,
    /// How many soups were run.
    pub soups: u64,
    /// How often each object was found, by its code.
    pub tally: BTreeMap<String, u64>,
    /// The soups in which an object was found: the smallest indices, [`MAX_SAMPLES`] at most.
    pub samples: BTreeMap<String, Vec<u64>>,
    /// How many soups settled within each hundred generations: `lifespans[k]` counts those from
    /// `100 * k` on.
    pub lifespans: BTreeMap<u64, u64>,
    /// The sum of all lifespans.
    pub lifespan_sum: u64,
    /// The soups that lived longest, the longest first, 1000 at most.
    pub long_lived: Vec<LongLivedSoup>,
    /// What did not settle as soups do.
    pub odd: Vec<OddSoup>,
}

/// A soup that took long to settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongLivedSoup {
    /// The soup.
    pub index: u64,
    /// Generations until it had settled.
    pub lifespan: u64,
    /// Its population then.
    pub population: u64,
}

/// A soup that did not settle as others do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddSoup {
    /// The soup.
    pub index: u64,
    /// What of it: `growing` for ever by a law that is known, `pathological` where a part never
    /// repeats, `unsettled` in 100,000 generations or too wide to be cut, `explosive` beyond 262,144 cells; then
    /// nothing is counted.
    pub what: String,
}

/// A census cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CensusError {
    /// The soups of this rule cannot be run.
    #[error(
        "no census of {0}: it needs a rule on the endless plane that is the same for every cell, \
         alternates between two tables at most and leaves empty cells empty"
    )]
    Rule(String),
    /// They have no seeds.
    #[error("soups of {0} are given to `census run`, and not made of a seed")]
    Given(String),
    /// A soup that is given cannot be run.
    #[error("soup {0}: it has cells in other states than 1, or is larger than 65536 x 65536")]
    Cells(usize),
}

/// The longest side of a soup that is given.
const MOST_SIDE: u64 = 1 << 16;

/// What became of one soup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoupExplanation {
    /// The generation at which it had settled, as units know it.
    pub lifespan: u64,
    /// The generation that the objects are those of.
    pub generation: u64,
    /// Its population then.
    pub population: u64,
    /// The period of all that does not move.
    pub period: u64,
    /// The objects, clusters of them together, from the top.
    pub objects: Vec<PlacedObject>,
    /// Why it is odd, as in [`OddSoup`].
    pub odd: Option<String>,
}

/// A cluster of ash in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedObject {
    /// The codes of its objects with their number.
    pub codes: Vec<(String, u64)>,
    /// The live cells where they were.
    pub cells: StateBox,
    /// Generations until it is as it was, and how far it moves; 0 when it never is.
    pub period: u64,
    /// Columns to the right in one period.
    pub dx: i64,
    /// Rows down in one period.
    pub dy: i64,
}

/// Runs units of a census. It keeps what it has learned of clusters from unit to unit; what it
/// reports does not depend on that.
///
/// ```
/// use census::{CensusSettings, CensusUnitRunner, SettlingMethod};
///
/// let settings = CensusSettings {
///     rule: "B3/S23".parse()?,
///     symmetry: "C1".parse()?,
///     root: "census_seed_a".into(),
///     settling: SettlingMethod::Exact,
/// };
/// let mut runner = CensusUnitRunner::new(settings)?;
/// let report = runner.run(0, 3, &mut |_| true).expect("nobody stops it");
/// assert_eq!(report.tally["xs4_33"], 8);
/// assert_eq!(report.samples["xq4_153"], [0, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CensusUnitRunner {
    settings: CensusSettings,
    plane: SoupWorld,
    reader: PopulationReader,
    book: ClusterBook,
    growth: GrowthTester,
    /// What clusters are within: offsets of cells that touch.
    zone: Vec<(i64, i64)>,
    found: Vec<FoundCluster>,
    seed: String,
    is_life: bool,
    /// Soups that are given.
    given: Arc<[Cells]>,
}

/// A soup that lives this long is a methuselah.
const LONG_LIFE: u64 = 25_000;

/// A soup that lives this long and leaves nothing is counted.
const CLEAN_LIFE: u64 = 500;

/// For how many generations something that grows is watched before it is cut.
const GROWTH_WATCH: u64 = 960;

/// A soup that is not understood by then stays so.
const LAST_GENERATION: u64 = 100_000;

/// What one soup came to; its clusters are in [`CensusUnitRunner::found`].
#[derive(Clone, Debug, Default)]
struct SoupOutcome {
    lifespan: u64,
    generation: u64,
    population: u64,
    escaped: u64,
    odd: Option<&'static str>,
}

impl CensusUnitRunner {
    /// Compiles the rule.
    ///
    /// # Errors
    /// When its soups cannot be run.
    pub fn new(settings: CensusSettings) -> Result<Self, CensusError> {
        match settings.symmetry.is_given() {
            true => Err(CensusError::Given(settings.symmetry.to_string())),
            false => Self::on_tiles(settings),
        }
    }

    /// One whose soups are given, for a symmetry that [is](HashSoupSymmetry::is_given): soup `n` is
    /// that of the list, and the root says nothing.
    ///
    /// # Errors
    /// When the soups of the rule cannot be run, or one has cells of other states than 1 or is
    /// very large.
    ///
    /// ```
    /// use census::{CensusSettings, CensusUnitRunner, SettlingMethod};
    ///
    /// let settings = CensusSettings {
    ///     rule: "B3/S23".parse()?,
    ///     symmetry: "my_stdin".parse()?,
    ///     root: "mine".into(),
    ///     settling: SettlingMethod::Exact,
    /// };
    /// let soups = ["bo$2bo$3o!", "3o!", "2o$b2o!"].map(pattern::Pattern::from_text);
    /// let soups: Result<Vec<_>, _> = soups.into_iter().collect();
    /// let soups = soups?.into_iter().map(|soup| soup.cells).collect();
    /// let mut runner = CensusUnitRunner::of_given(settings, soups)?;
    /// let report = runner.run(0, 2, &mut |_| true).expect("nobody stops it");
    /// assert_eq!(report.tally, [("xp2_7".into(), 1), ("xq4_153".into(), 1)].into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_given(settings: CensusSettings, soups: Arc<[Cells]>) -> Result<Self, CensusError> {
        let is_run = |cells: &Cells| {
            let rect = cells.bounds().as_ref().and_then(Bounds::to_rect);
            let fits = rect.is_some_and(|rect| rect.width.max(rect.height) <= MOST_SIDE);
            let mut is_plain = true;
            if fits {
                cells.for_each_run(&mut |run| is_plain &= run.state == 1);
            }
            is_plain && fits || cells.is_empty()
        };
        if let Some(wrong) = soups.iter().position(|soup| !is_run(soup)) {
            return Err(CensusError::Cells(wrong));
        }
        Ok(Self {
            given: soups,
            ..Self::on_tiles(settings)?
        })
    }

    fn on_tiles(settings: CensusSettings) -> Result<Self, CensusError> {
        let zone = cluster_zone(&settings.rule);
        let plane = SoupWorld::new(&settings.rule, &zone);
        Self::on_plane(settings, plane, zone)
    }

    /// One that runs each soup in a plain world, and cuts clusters by their
    /// definition: slow, and what the quick one is held against.
    ///
    /// # Errors
    /// When the soups of the rule cannot be run.
    ///
    /// ```
    /// use census::{CensusSettings, CensusUnitRunner, SettlingMethod};
    ///
    /// let settings = CensusSettings {
    ///     rule: "B3/S23".parse()?,
    ///     symmetry: "C1".parse()?,
    ///     root: "census_seed_a".into(),
    ///     settling: SettlingMethod::Exact,
    /// };
    /// let quick = CensusUnitRunner::new(settings.clone())?.run(0, 1, &mut |_| true);
    /// assert_eq!(CensusUnitRunner::by_definition(settings)?.run(0, 1, &mut |_| true), quick);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_definition(settings: CensusSettings) -> Result<Self, CensusError> {
        let zone = cluster_zone(&settings.rule);
        let plane = SoupWorld::by_definition(&settings.rule, &zone);
        Self::on_plane(settings, plane, zone)
    }

    fn on_plane(
        settings: CensusSettings,
        plane: Option<SoupWorld>,
        zone: Vec<(i64, i64)>,
    ) -> Result<Self, CensusError> {
        let rule = &settings.rule;
        let Some(plane) = plane else {
            return Err(CensusError::Rule(rule.to_string()));
        };
        Ok(Self {
            plane,
            reader: PopulationReader::default(),
            book: ClusterBook::new(rule),
            growth: GrowthTester::new(rule),
            zone,
            found: Vec::new(),
            seed: String::new(),
            given: Arc::default(),
            is_life: rule.to_string() == "B3/S23",
            settings,
        })
    }

    /// What is counted.
    #[must_use]
    pub fn settings(&self) -> &CensusSettings {
        &self.settings
    }

    /// Runs the soups from `first` on, and counts what is left of them. `control` is told after
    /// each soup how many are done; when it returns false there is no report.
    pub fn run(
        &mut self,
        first: u64,
        soups: u64,
        control: &mut dyn FnMut(u64) -> bool,
    ) -> Option<UnitReport> {
        self.book.forget_if_full();
        let mut counter = UnitCounter::new(first, soups);
        for index in first..first + soups {
            let outcome = self.run_soup(index);
            counter.add(index, &outcome, &self.found, &self.book, self.is_life);
            if !control(index - first + 1) {
                return None;
            }
        }
        Some(counter.into_report(&self.book))
    }

    /// What became of one soup.
    pub fn explain(&mut self, index: u64) -> SoupExplanation {
        let outcome = self.settle_soup(index, false);
        let mut objects = Vec::new();
        let mut period = 1;
        for found in &self.found {
            let entry = &self.book.entries[found.entry as usize];
            if entry.dx == 0 && entry.dy == 0 && entry.period > 0 {
                period = least_common_multiple(period, entry.period);
            }
            let name = |&(id, count): &(u32, u64)| (self.book.codes[id as usize].clone(), count);
            objects.push(PlacedObject {
                codes: entry.objects.iter().map(name).collect(),
                cells: entry.cells.translated(found.x.into(), found.y.into()),
                period: entry.period,
                dx: entry.dx,
                dy: entry.dy,
            });
        }
        SoupExplanation {
            lifespan: outcome.lifespan,
            generation: outcome.generation,
            population: outcome.population,
            period,
            objects,
            odd: outcome.odd.map(str::to_owned),
        }
    }

    /// With the gliders that fly away taken out, if that changes nothing.
    fn run_soup(&mut self, index: u64) -> SoupOutcome {
        let outcome = self.settle_soup(index, true);
        if self.plane.is_escape_doubtful() {
            return self.settle_soup(index, false);
        }
        outcome
    }

    /// A soup that is given, with its corner at the origin.
    fn given_soup(&self, index: u64) -> Option<Cells> {
        let soup = self.given.get(usize::try_from(index).ok()?)?;
        let corner = soup.bounds().as_ref().and_then(Bounds::to_rect)?;
        Some(soup.translated(-corner.x, -corner.y))
    }

    fn settle_soup(&mut self, index: u64, takes_gliders: bool) -> SoupOutcome {
        use std::fmt::Write;
        self.seed.clear();
        // writing to a string cannot fail
        let _ = write!(self.seed, "{}{index}", self.settings.root);
        self.plane.clear();
        self.plane.take_gliders(takes_gliders);
        if self.settings.symmetry.is_plain_square() {
            self.plane.load_square(&square_rows(&self.seed));
        } else {
            let mut cells = Vec::new();
            for_each_cell(&self.settings.symmetry, &self.seed, |x, y| {
                cells.push((x, y))
            });
            if let Some(soup) = self.given_soup(index) {
                soup.for_each_run(&mut |run| {
                    let columns = run.x..run.x + run.length as i64;
                    cells.extend(columns.map(|x| (x as i32, run.y as i32)));
                });
            }
            self.plane.load(&cells);
        }
        let mut outcome = SoupOutcome::default();
        self.reader.clear();
        loop {
            let duration = self.reader.read_until_settled(&mut self.plane);
            outcome.lifespan = self.reader.changed;
            let is_over = match duration {
                None => self.find_growth(&mut outcome),
                Some(duration) => {
                    let watched = self.cut(duration, &mut outcome);
                    duration == QUIET
                        || outcome.odd.is_some()
                        || self.settings.settling == SettlingMethod::Apgsearch
                        || self.is_over(watched)
                }
            };
            let is_too_long = self.plane.generation() >= LAST_GENERATION;
            if is_over || is_too_long {
                // the objects are those of the end of the watch
                outcome.generation = self.plane.generation();
                if !is_over {
                    outcome.odd = Some("unsettled");
                }
                break;
            }
        }
        let may_be_named = outcome.lifespan >= LONG_LIFE
            || outcome.lifespan >= CLEAN_LIFE && outcome.population == 0;
        if self.is_life && may_be_named && outcome.odd.is_none() {
            outcome.lifespan = self.exact_lifespan(index, outcome.lifespan);
        }
        outcome
    }

    /// Cuts what has not settled after many readings, and tests how the rest of it grows. What
    /// grows is counted once, and the ash as it is in this generation. Whether that is the last
    /// word: it is when all is periodic or grows by a known law, or when too many generations
    /// passed.
    fn find_growth(&mut self, outcome: &mut SoupOutcome) -> bool {
        outcome.population = self.plane.population();
        if outcome.population > MOST_CELLS {
            self.found.clear();
            outcome.odd = Some("explosive");
            return true;
        }
        if self.look(GROWTH_WATCH, 1024).is_none() {
            outcome.odd = Some("unsettled");
            return true;
        }
        outcome.escaped = self.plane.escaped();
        let mut is_known = true;
        for found in &mut self.found {
            let entry = &self.book.entries[found.entry as usize];
            if entry.period > 0 {
                continue;
            }
            let cells = entry.cells.clone();
            let code = match self.growth.test(&cells.to_pattern(), &mut || true) {
                GrowthClass::Linear(growth) => growth.to_string(),
                GrowthClass::Other { code, .. } => code.to_owned(),
                GrowthClass::Unknown => {
                    is_known = false;
                    break;
                }
            };
            found.entry = self.book.add_growing(cells, &code);
        }
        let is_over = is_known || self.plane.generation() >= LAST_GENERATION;
        outcome.odd = match (is_known, is_over) {
            (true, _) => Some("growing"),
            (false, true) => Some("unsettled"),
            (false, false) => None,
        };
        is_over
    }

    /// The lifespan of a soup to the generation: the least one from which on the populations
    /// repeat, with the least period below 4000 that fits the last 8000 generations. It is at most
    /// `settled`, the generation at which the soup is known to have settled; units have that, which
    /// is up to thirty generations later, and seldom much more.
    ///
    /// ```
    /// use census::{CensusSettings, CensusUnitRunner, SettlingMethod};
    ///
    /// let runner = CensusUnitRunner::new(CensusSettings {
    ///     rule: "B3/S23".parse()?,
    ///     symmetry: "C1".parse()?,
    ///     root: "census_seed_a".into(),
    ///     settling: SettlingMethod::Exact,
    /// })?;
    /// assert_eq!(runner.exact_lifespan(0, 1000), 194);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn exact_lifespan(&self, index: u64, settled: u64) -> u64 {
        let symmetry = &self.settings.symmetry;
        let seed = format!("{}{index}", self.settings.root);
        let mut populations = Vec::new();
        let one = 1_u8.into();
        let Ok(mut world) = Tiles::new(self.settings.rule.clone()) else {
            return settled;
        };
        let cells = self.given_soup(index);
        let cells = cells.unwrap_or_else(|| hash_soup(symmetry, &seed));
        if world.load(&cells).is_err() {
            return settled;
        }
        // short periods show soon, and only where there is none it takes the whole watch
        for (watched, compared, longest) in [(1000, 800, 120), (12_000, 8000, 4000)] {
            while (populations.len() as u64) < settled.saturating_add(watched) {
                populations.push(world.population());
                if world.advance(&one, &mut |_| true).is_err() {
                    return settled;
                }
            }
            let same = |t: usize, period: usize| populations[t] == populations[t + period];
            let last = populations.len() - compared;
            let repeats =
                |&period: &usize| (last..populations.len() - period).all(|t| same(t, period));
            if let Some(period) = (1..longest).find(repeats) {
                let before = (0..last).rev().find(|&t| !same(t, period));
                return before.map_or(0, |t| t as u64 + 1);
            }
        }
        settled
    }

    /// Whether nothing that was found will ever touch anything.
    fn is_over(&mut self, mut watched: u64) -> bool {
        loop {
            let clusters = self.found.iter();
            let objects: Option<Vec<_>> = clusters.map(|found| self.book.orbit(found)).collect();
            let Some(objects) = objects else {
                return false;
            };
            match prove(&objects, watched, &self.zone) {
                SettlingProof::Over => return true,
                SettlingProof::Doubtful => return false,
                SettlingProof::Watch(longer) => {
                    watched = longer;
                    if self.look(longer, longer.max(1024)) != Some(true) {
                        return false;
                    }
                }
            }
        }
    }

    /// Cuts what is left into clusters, again after a while where some of it is not periodic.
    /// For how many generations it was watched.
    fn cut(&mut self, duration: u64, outcome: &mut SoupOutcome) -> u64 {
        let mut watched = duration;
        for (attempt, (advance, watch)) in ATTEMPTS.into_iter().enumerate() {
            self.plane.advance(advance);
            outcome.population = self.plane.population();
            outcome.generation = self.plane.generation();
            let period = 1024 << (2 * attempt.min(3));
            watched = watch.unwrap_or(duration);
            let is_periodic = self.look(watched, period) == Some(true);
            if is_periodic || outcome.odd.is_some() {
                break;
            }
            if attempt + 1 == ATTEMPTS.len() {
                outcome.odd = Some("pathological");
            }
        }
        outcome.escaped = self.plane.escaped();
        watched
    }

    /// Watches the plane and finds its clusters: whether all are periodic. None when one is too
    /// large to be looked at; then there are none.
    fn look(&mut self, duration: u64, period: u64) -> Option<bool> {
        self.plane.advance_with_envelope(duration);
        self.found.clear();
        self.book.forget_large();
        let mut is_periodic = true;
        let (book, found) = (&mut self.book, &mut self.found);
        let is_cut = self.plane.cut(|cells| {
            let cluster = book.find(cells, period);
            is_periodic &= book.entries[cluster.entry as usize].period > 0;
            found.push(cluster);
        });
        if !is_cut {
            self.found.clear();
        }
        is_cut.then_some(is_periodic)
    }
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// Adds soups up. Codes are numbers until the unit is done.
#[derive(Debug)]
struct UnitCounter {
    report: UnitReport,
    counts: Vec<u64>,
    samples: Vec<Vec<u64>>,
    /// Objects that only the report knows: megasized soups and the like.
    extra: BTreeMap<String, Vec<u64>>,
}

/// The longest-lived soups that a unit reports.
const MAX_LONG_LIVED: usize = 1000;

impl UnitCounter {
    fn new(first: u64, soups: u64) -> Self {
        Self {
            report: UnitReport {
                first,
                soups,
                ..UnitReport::default()
            },
            counts: Vec::new(),
            samples: Vec::new(),
            extra: BTreeMap::new(),
        }
    }

    fn add(
        &mut self,
        index: u64,
        outcome: &SoupOutcome,
        found: &[FoundCluster],
        book: &ClusterBook,
        is_life: bool,
    ) {
        if self.counts.len() < book.codes.len() {
            self.counts.resize(book.codes.len(), 0);
            self.samples.resize(book.codes.len(), Vec::new());
        }
        for cluster in found {
            for &(code, count) in &book.entries[cluster.entry as usize].objects {
                self.count(index, code, count);
            }
        }
        if outcome.escaped > 0 {
            self.count(index, book.glider, outcome.escaped);
        }
        if is_life && outcome.odd.is_none() {
            let is_empty = outcome.population == 0;
            for code in meta_codes(outcome.lifespan, outcome.population, is_empty) {
                self.extra.entry(code).or_default().push(index);
            }
        }
        *self
            .report
            .lifespans
            .entry(outcome.lifespan / 100)
            .or_default() += 1;
        self.report.lifespan_sum += outcome.lifespan;
        self.report.long_lived.push(LongLivedSoup {
            index,
            lifespan: outcome.lifespan,
            population: outcome.population,
        });
        if self.report.long_lived.len() >= 4 * MAX_LONG_LIVED {
            self.keep_longest();
        }
        if let Some(what) = outcome.odd {
            let what = what.to_owned();
            self.report.odd.push(OddSoup { index, what });
        }
    }

    #[inline]
    fn count(&mut self, index: u64, code: u32, count: u64) {
        self.counts[code as usize] += count;
        let samples = &mut self.samples[code as usize];
        if samples.len() < MAX_SAMPLES && samples.last() != Some(&index) {
            samples.push(index);
        }
    }

    fn keep_longest(&mut self) {
        let soups = &mut self.report.long_lived;
        soups.sort_unstable_by_key(|soup| (std::cmp::Reverse(soup.lifespan), soup.index));
        soups.truncate(MAX_LONG_LIVED);
    }

    fn into_report(mut self, book: &ClusterBook) -> UnitReport {
        self.keep_longest();
        let mut report = self.report;
        for ((code, &count), samples) in book.codes.iter().zip(&self.counts).zip(self.samples) {
            if count > 0 {
                report.tally.insert(code.clone(), count);
                report.samples.insert(code.clone(), samples);
            }
        }
        for (code, mut soups) in self.extra {
            report.tally.insert(code.clone(), soups.len() as u64);
            soups.truncate(MAX_SAMPLES);
            report.samples.insert(code, soups);
        }
        report
    }
}

/// What apgsearch counts besides objects: soups that live long, that leave nothing, and that
/// leave much.
fn meta_codes(lifespan: u64, population: u64, is_empty: bool) -> impl Iterator<Item = String> {
    let long = (lifespan >= LONG_LIFE).then(|| format!("methuselah_{}k", lifespan / 1000));
    let none =
        (is_empty && lifespan >= CLEAN_LIFE).then(|| format!("messless_{}h", lifespan / 100));
    let large = (population >= 3000).then(|| format!("megasized_{}h", population / 100));
    [long, none, large].into_iter().flatten()
}
