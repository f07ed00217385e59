//! Whether the soups of a rule settle at all: a few are run before a census begins. Own method.

use crate::soup::hash_soup;
use crate::{CensusError, CensusSettings};
use engine::{Tiles, World};
use num_traits::ToPrimitive as _;

/// What a probe of soups has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeVerdict {
    /// Most soups settle.
    Countable,
    /// Most soups grow without an end, or do not settle.
    Explosive {
        /// How many soups were run.
        soups: u64,
        /// How many of them did not settle.
        unsettled: u64,
    },
}

/// The most soups that are run.
const MAX_SOUPS: u64 = 200;
/// A soup with more cells than this explodes. What grows in a line stays far below it for as long
/// as it is run; what fills the plane takes eleven times as long to a million.
const MAX_POPULATION: u64 = 200_000;
/// A soup that changes its population for longer than this does not settle.
const MAX_GENERATION: u64 = 50_000;
/// Nor does one whose populations add up to more than this, over all generations: what is sent out
/// for ever grows slowly, and costs more with each generation.
const MAX_CELLS: u64 = 10_000_000;
/// What all soups together may cost, in the same measure; then those that were run decide.
const MAX_TOTAL_CELLS: u64 = 100_000_000;
/// Generations between two readings of the population: a multiple of all common periods.
const PACE: u64 = 120;
/// A soup is settled when so many readings in a row are equal.
const EQUAL_READINGS: u64 = 5;
/// The probe ends when the soups of one kind lead by this number. Where just half of the soups
/// settle, that happens by chance in some of the probes; where nine in ten do, never.
const LEAD: u64 = 15;

/// Runs soups from the first one on, up to 200 of them, until it is clear whether most settle.
///
/// # Errors
/// No engine runs the rule on an endless plane.
///
/// ```
/// use census::probe::{ProbeVerdict, probe_soups};
/// use census::{CensusSettings, SettlingMethod};
///
/// let mut settings = CensusSettings {
///     rule: "B3/S23".parse()?,
///     symmetry: "C1".parse()?,
///     root: "a".into(),
///     settling: SettlingMethod::Exact,
/// };
/// assert_eq!(probe_soups(&settings, 0)?, ProbeVerdict::Countable);
/// settings.rule = "B2/S".parse()?;
/// assert!(matches!(probe_soups(&settings, 0)?, ProbeVerdict::Explosive { unsettled: 1.., .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn probe_soups(settings: &CensusSettings, first: u64) -> Result<ProbeVerdict, CensusError> {
    let refusal = || CensusError::Rule(settings.rule.to_string());
    let (mut settled, mut unsettled) = (0_u64, 0_u64);
    let mut total = 0;
    for index in first..first.saturating_add(MAX_SOUPS) {
        let mut world = Tiles::new(settings.rule.clone()).map_err(|_| refusal())?;
        let seed = format!("{}{index}", settings.root);
        let cells = hash_soup(&settings.symmetry, &seed);
        world.load(&cells).map_err(|_| refusal())?;
        let (is_settled, cells) = settles(&mut world);
        match is_settled {
            true => settled += 1,
            false => unsettled += 1,
        }
        total += cells;
        if settled.abs_diff(unsettled) >= LEAD || total > MAX_TOTAL_CELLS {
            break;
        }
    }
    let soups = settled + unsettled;
    Ok(match unsettled > settled {
        true => ProbeVerdict::Explosive { soups, unsettled },
        false => ProbeVerdict::Countable,
    })
}

/// Whether the population of a soup stands still before it is too large or too old, and the sum of
/// its populations.
fn settles(world: &mut Tiles) -> (bool, u64) {
    let mut last = world.population();
    let mut equal = 0;
    let mut cells = 0_u64;
    for _ in 0..MAX_GENERATION / PACE {
        if world.advance(&PACE.into(), &mut |_| true).is_err() {
            return (false, cells);
        }
        let population = world.population();
        let size = population.to_u64().unwrap_or(u64::MAX);
        cells = cells.saturating_add(size.saturating_mul(PACE));
        if size > MAX_POPULATION || cells > MAX_CELLS {
            return (false, cells);
        }
        equal = if population == last { equal + 1 } else { 0 };
        if equal == EQUAL_READINGS {
            return (true, cells);
        }
        last = population;
    }
    (false, cells)
}
