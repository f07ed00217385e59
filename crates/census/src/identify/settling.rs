//! Patterns that do not repeat as a whole: they are run until the population repeats, and cut
//! into objects then. The lifespan is that of methuselahs in apgsearch (its `methudetect`).

use super::ash::{self, AshTally, named_counts};
use super::figures::{common_multiple, of_death};
use super::{Identification, IdentifyOptions, METHUSELAH, PatternKind, RuleContext, growing};
use crate::{OrbitLimits, PeriodicOrbit, StateBox};
use engine::{Tiles, World};
use num_traits::ToPrimitive;

/// Generations over which the population has to repeat.
const QUIET: usize = 8000;

/// Its longest period.
const LONGEST_PERIOD: usize = 4000;

/// Generations between two looks at that.
const LOOK: usize = 1024;

/// Growth is looked for at this generation first, and then whenever it has doubled.
const FIRST_GROWTH_TEST: usize = 5000;

/// A population past which nothing is expected to settle.
const MAX_POPULATION: u64 = 1 << 18;

/// Envelopes that ash is cut by, until all clusters are periodic.
const ENVELOPES: [u64; 3] = [ash::ENVELOPE, 960, 3840];

/// Runs the world, which is at generation 0, until it is known what it becomes.
pub(super) fn identify(
    context: &mut RuleContext,
    world: &mut Tiles,
    options: &IdentifyOptions,
    control: &mut dyn FnMut(u64) -> bool,
) -> Identification {
    let start = world.cells();
    let mut populations: Vec<u64> = Vec::new();
    let mut next_growth_test = FIRST_GROWTH_TEST;
    let reached = loop {
        let age = populations.len();
        let population = world.population().to_u64().unwrap_or(u64::MAX);
        populations.push(population);
        if population == 0 {
            return of_death(age as u64, &populations);
        }
        if age >= QUIET
            && age.is_multiple_of(LOOK)
            && let Some((lifespan, _)) = settling_of(&populations)
        {
            return settled(context, world, lifespan, &populations);
        }
        if age == next_growth_test {
            next_growth_test *= 2;
            if let Some(found) = growing::identify(context, world, &start, &populations, control) {
                return found;
            }
        }
        if population > MAX_POPULATION {
            break "more cells than are expected to settle";
        }
        if age as u64 >= options.generations {
            break "the limit of generations";
        }
        if age.is_multiple_of(64) && !control(age as u64) {
            break "interrupted";
        }
        let advanced = world.advance(&1u8.into(), &mut |_| true);
        if advanced.is_err() {
            break "the limit of memory";
        }
    };
    growing::by_power(context, &start, &populations, reached, control)
}

/// The lifespan and the period of a population that has been periodic for long enough.
fn settling_of(populations: &[u64]) -> Option<(u64, usize)> {
    let quiet = &populations[populations.len() - QUIET..];
    let repeats = |&p: &usize| quiet[p..].iter().zip(quiet).all(|(a, b)| a == b);
    let period = (1..LONGEST_PERIOD).find(repeats)?;
    let mut lifespan = populations.len() - period;
    while lifespan > 0 && populations[lifespan - 1] == populations[lifespan - 1 + period] {
        lifespan -= 1;
    }
    Some((lifespan as u64, period))
}

/// What is left in a world at rest.
fn settled(
    context: &mut RuleContext,
    world: &mut Tiles,
    lifespan: u64,
    populations: &[u64],
) -> Identification {
    let mut tally = AshTally::default();
    for envelope in ENVELOPES {
        let clusters = ash::clusters(&context.rule, world, envelope);
        tally = ash::tally(context, clusters);
        if tally.restless.is_empty() {
            break;
        }
    }
    let kind = match lifespan {
        METHUSELAH.. => PatternKind::Methuselah,
        _ => PatternKind::Settling,
    };
    let mut found = Identification {
        kind,
        lifespan: Some(lifespan),
        final_population: populations.get(lifespan as usize).copied(),
        census: named_counts(&tally.objects),
        ..Identification::default()
    };
    if !tally.restless.is_empty() {
        let parts = tally.restless.len();
        found.reached = Some(format!(
            "{parts} parts of what is left are not periodic alone"
        ));
    } else if lifespan == 0 {
        set_common_period(&mut found, context, world);
    }
    found
}

/// Of objects that all stay, which have been what they are from the start: their common period.
fn set_common_period(found: &mut Identification, context: &mut RuleContext, world: &mut Tiles) {
    let limits = OrbitLimits::default();
    let mut period = Some(1);
    for cluster in ash::clusters(&context.rule, world, ash::ENVELOPE) {
        let cells = StateBox::from_cells(cluster.into_iter());
        let Ok(orbit) = PeriodicOrbit::find(&mut context.stepper, &cells, 0, &limits) else {
            return;
        };
        if orbit.is_moving() {
            return;
        }
        period = period.and_then(|period| common_multiple(period, orbit.period()));
    }
    found.kind = PatternKind::Oscillator;
    found.period = period;
    found.lifespan = None;
    found.strict = Some(false);
    found.pseudo_parts = std::mem::take(&mut found.census);
}
