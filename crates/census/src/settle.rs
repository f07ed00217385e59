//! When a soup has settled.
//!
//! The readings are apgsearch's (its `stabilise.h`, facts only): the population of the whole
//! plane is read every so many generations, until it has stayed the same long enough. Most soups
//! end before: nothing but period 2 and gliders that fly away is left, which is certain.

pub(crate) mod circuit_step;
pub(crate) mod cluster;
pub(crate) mod plain_grid;
pub(crate) mod plane;
pub(crate) mod proof;
pub(crate) mod soup_world;
pub(crate) mod step;
pub(crate) mod tile;
pub(crate) mod watched_plane;

use soup_world::SoupWorld;

/// Readings before a soup counts as growing, or as something of a very long period.
const READINGS: u32 = 1000;

/// The generation at which growth is first looked for; then at twice that, and so on.
const GROWTH_CHECK: u64 = 5000;

/// A soup with more cells than this at such a generation may grow for ever.
const LARGE_POPULATION: u64 = 1 << 13;

/// The most readings between two of which a growing soup gains always the same.
const GAIN_LAG: usize = 192;

/// Reads the population of a plane.
#[derive(Clone, Debug)]
pub(crate) struct PopulationReader {
    /// The last reading.
    population: u64,
    /// The last generation at which a reading differed from the one before.
    pub(crate) changed: u64,
    /// All readings.
    readings: Vec<u64>,
    /// The generation from which on growth is looked for again.
    growth_check: u64,
}

impl Default for PopulationReader {
    fn default() -> Self {
        Self {
            population: 0,
            changed: 0,
            readings: Vec::new(),
            growth_check: GROWTH_CHECK,
        }
    }
}

impl PopulationReader {
    /// Forgets all readings.
    pub(crate) fn clear(&mut self) {
        self.readings.clear();
        (self.population, self.changed, self.growth_check) = (0, 0, GROWTH_CHECK);
    }

    /// Reads the population until it stays the same: for how many generations the plane is to
    /// be watched then. None when it does not, to the last reading, or when the soup seems to
    /// grow for ever.
    pub(crate) fn read_until_settled(&mut self, plane: &mut SoupWorld) -> Option<u64> {
        let (mut period, mut equal) = (12, 0);
        for i in 0..READINGS {
            let needed = match i {
                0..40 => 15,
                40..60 => 20,
                60..80 => 25,
                _ => 30,
            };
            period = match i {
                400 => 18,
                500 => 24,
                600 => 30,
                _ => period,
            };
            plane.advance(period);
            let population = plane.population();
            self.readings.push(population);
            if population == self.population {
                equal += 1;
            } else {
                equal = 0;
                self.population = population;
                self.changed = plane.generation();
                period ^= 4;
            }
            if plane.is_quiet() {
                return Some(QUIET);
            }
            if population > MOST_CELLS {
                return None;
            }
            if equal == needed {
                return Some(period);
            }
            if plane.generation() >= self.growth_check {
                self.growth_check *= 2;
                if self.seems_to_grow() {
                    return None;
                }
            }
        }
        None
    }

    /// Whether the population is large, or has lately grown by the same between any two readings
    /// that lie so many apart. This is no proof, and finds out what is worth a test.
    fn seems_to_grow(&self) -> bool {
        let lately = &self.readings[self.readings.len().saturating_sub(2 * GAIN_LAG)..];
        let grows_by = |lag: usize| {
            let gain = |at: usize| lately[at + lag].checked_sub(lately[at]);
            let first = gain(0).filter(|&first| first > 0);
            first.is_some() && (1..lately.len() - lag).all(|at| gain(at) == first)
        };
        self.population > LARGE_POPULATION
            || lately.len() == 2 * GAIN_LAG && (1..=GAIN_LAG).any(grows_by)
    }
}

/// A soup with more cells than this explodes, and is not looked at further.
pub(crate) const MOST_CELLS: u64 = 1 << 18;

/// For how many generations a plane is watched in which nothing is left but period 2, and gliders
/// that have been taken out.
pub(crate) const QUIET: u64 = 2;

/// Before each attempt to cut the ash: generations to advance, and to watch. The first watches
/// for as long as the readings said.
pub(crate) const ATTEMPTS: [(u64, Option<u64>); 6] = [
    (0, None),
    (120, Some(960)),
    (480, Some(3840)),
    (1920, Some(7680)),
    (7680, Some(7680)),
    (30720, Some(7680)),
];
