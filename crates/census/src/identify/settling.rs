//! Patterns that do not repeat as a whole: they are run until the population repeats, and cut
//! into objects then. The lifespan is that of methuselahs in apgsearch (its `methudetect`).

use super::ash::{self, AshTally, ClusterStates, named_counts};
use super::figures::{common_multiple, of_death};
use super::{Identification, IdentifyOptions, METHUSELAH, PatternKind, RuleContext, growing};
use crate::{OrbitLimits, PeriodicOrbit, StateBox};
use engine::{Snapshot, Tiles, World};
use num_traits::ToPrimitive;
use std::collections::VecDeque;

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

/// Of a pattern that begins with more: cells of all generations together, which is some seconds.
const LARGE_WORK: u64 = 1 << 26;

/// Generations around the end of the population's changes that are looked at cell by cell.
const SEARCHED: u64 = 40;

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
    let mut snapshots = VecDeque::new();
    let mut next_growth_test = FIRST_GROWTH_TEST;
    let is_large = world.population() > MAX_POPULATION.into();
    let mut work = 0_u64;
    let reached = loop {
        let age = populations.len();
        let population = world.population().to_u64().unwrap_or(u64::MAX);
        populations.push(population);
        if population == 0 {
            return of_death(age as u64);
        }
        if age.is_multiple_of(LOOK) {
            if age >= QUIET
                && let Some((lifespan, _)) = settling_of(&populations)
            {
                return settled(context, world, lifespan, &populations, &snapshots);
            }
            snapshots.push_back(world.snapshot());
            if snapshots.len() > QUIET / LOOK + 3 {
                snapshots.pop_front();
            }
        }
        if age == next_growth_test {
            next_growth_test *= 2;
            if let Some(found) = growing::identify(context, world, &start, &populations, control) {
                return found;
            }
        }
        work = work.saturating_add(population);
        if is_large && work > LARGE_WORK {
            break "the limit of work for so many cells";
        }
        if !is_large && population > MAX_POPULATION {
            break "more cells than are expected to settle";
        }
        if age as u64 >= options.generations {
            break "the limit of generations";
        }
        if (is_large || age.is_multiple_of(64)) && !control(age as u64) {
            break "interrupted";
        }
        let advanced = world.advance(&1u8.into(), &mut |_| true);
        if advanced.is_err() {
            break "the limit of memory";
        }
    };
    // the test of growth takes long where there is much
    if is_large || reached == "interrupted" {
        return growing::by_trend(&populations, reached);
    }
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
    snapshots: &VecDeque<Snapshot>,
) -> Identification {
    let mut tally = AshTally::default();
    let mut clusters = Vec::new();
    for envelope in ENVELOPES {
        clusters = ash::clusters(&context.rule, world, envelope, &mut || true);
        tally = ash::tally(context, clusters.clone());
        if tally.restless.is_empty() {
            break;
        }
    }
    let by_cells = match tally.restless.is_empty() {
        true => settling_by_cells(context, world, &clusters, lifespan, snapshots),
        false => None,
    };
    let lifespan = by_cells.unwrap_or(lifespan);
    let kind = match lifespan {
        METHUSELAH.. => PatternKind::Methuselah,
        _ => PatternKind::Settling,
    };
    let mut found = Identification {
        kind,
        generation: by_cells,
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

/// The first generation from which every cell is one of the objects that `clusters` are now, each
/// in its own phase and place: exact, where the population can repeat a little sooner.
fn settling_by_cells(
    context: &mut RuleContext,
    world: &mut Tiles,
    clusters: &[ClusterStates],
    lifespan: u64,
    snapshots: &VecDeque<Snapshot>,
) -> Option<u64> {
    let now = world.generation().to_i64()?;
    let limits = OrbitLimits::default();
    let mut orbits = Vec::new();
    for cluster in clusters {
        let cells = StateBox::from_cells(cluster.iter().copied());
        orbits.push(PeriodicOrbit::find(&mut context.stepper, &cells, 0, &limits).ok()?);
    }
    let expected = |generation: i64| {
        let phases = orbits.iter().map(|orbit| orbit.at(generation - now));
        let phases: Vec<StateBox> = phases.collect();
        StateBox::union(&phases)
    };
    let before = |snapshot: &&Snapshot| {
        snapshot.generation().to_u64() <= Some(lifespan.saturating_sub(SEARCHED))
    };
    let snapshot = snapshots.iter().rev().find(before).or(snapshots.front())?;
    world.restore(snapshot).ok()?;
    let mut first = None;
    let end = (lifespan + SEARCHED) as i64;
    while let Some(generation) = world.generation().to_i64().filter(|&g| g <= end) {
        let is_settled = world.cells() == expected(generation);
        first = match is_settled {
            true => first.or(Some(generation as u64)),
            false => None,
        };
        world.advance(&1u8.into(), &mut |_| true).ok()?;
    }
    let _ = world.restore(&Snapshot::from_cells(now.into(), expected(now)));
    first
}

/// Of objects that all stay, which have been what they are from the start: their common period.
fn set_common_period(found: &mut Identification, context: &mut RuleContext, world: &mut Tiles) {
    let limits = OrbitLimits::default();
    let mut period = Some(1);
    for cluster in ash::clusters(&context.rule, world, ash::ENVELOPE, &mut || true) {
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
