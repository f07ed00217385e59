//! Patterns that do not repeat as a whole: they are run until the population repeats, and cut
//! into objects then. The lifespan is that of methuselahs in apgsearch (its `methudetect`).

use super::ash::{self, AshTally, ClusterStates};
use super::ash_world::{AshCheckpoint, AshPlane, AshWorld};
use super::figures::of_death;
use super::proven::{self, ProofSchedule};
use super::settled_ash::{set_common_period, with_lifespan};
use super::{Identification, IdentifyOptions, RuleContext, growing};
use crate::{OrbitLimits, PeriodicOrbit, StateBox};
use engine::{Tiles, World};
use num_traits::ToPrimitive;
use pattern::Cells;
use std::collections::VecDeque;

/// Generations over which the population has to repeat.
const QUIET: usize = 8000;

/// Its longest period.
const LONGEST_PERIOD: usize = 4000;

/// Generations between two looks at that.
const LOOK: usize = 1024;

/// Generations that a plane is run on at a time.
const PLANE_CHUNK: usize = 128;

/// Growth is looked for at this generation first, and then whenever it has doubled.
const FIRST_GROWTH_TEST: usize = 5000;

/// Of what is proven to grow steadily it is looked for at this generation, or at twice that and so
/// on.
const FIRST_STEADY_TEST: usize = 512;

/// Until here a test of growth that is not linear may be put off.
const LAST_DELAY: usize = 20_000;

/// A population past which nothing is expected to settle.
const MAX_POPULATION: u64 = 1 << 18;

/// Of a pattern that begins with more: cells of all generations together, which is some seconds.
const LARGE_WORK: u64 = 1 << 25;

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
    if context.uses_planes
        && world.population() <= MAX_POPULATION.into()
        && let Some(plane) = AshPlane::new(&context.rule, &start)
    {
        let mut plane = AshWorld::Plane(Box::new(plane));
        if let Some(found) = follow(context, &mut plane, &start, options, control) {
            return found;
        }
    }
    let mut world = AshWorld::Engine(world);
    follow(context, &mut world, &start, options, control).unwrap_or_default()
}

/// None where a plane takes too much memory, or is in doubt.
fn follow(
    context: &mut RuleContext,
    world: &mut AshWorld<'_>,
    start: &Cells,
    options: &IdentifyOptions,
    control: &mut dyn FnMut(u64) -> bool,
) -> Option<Identification> {
    let mut checkpoints = VecDeque::from([world.checkpoint()]);
    let mut populations = vec![start.population().to_u64().unwrap_or(u64::MAX)];
    let mut next_growth_test = FIRST_GROWTH_TEST;
    let mut proof = ProofSchedule::default();
    let mut activity = Vec::new();
    let is_large = populations[0] > MAX_POPULATION;
    let chunk = match (&world, is_large) {
        (AshWorld::Plane(_), _) => PLANE_CHUNK,
        (_, true) => 1,
        _ => 64,
    };
    let mut work = populations[0];
    let reached = loop {
        let age = populations.len() - 1;
        if is_large && work > LARGE_WORK {
            break "the limit of work for so many cells";
        }
        if !is_large && populations[age] > MAX_POPULATION {
            break "more cells than are expected to settle";
        }
        let left = options.generations.saturating_sub(age as u64) as usize;
        if left == 0 {
            break "the limit of generations";
        }
        if !control(age as u64) {
            break "interrupted";
        }
        let to_look = LOOK - age % LOOK;
        let to_test = next_growth_test.saturating_sub(age).max(1);
        let steps = chunk.min(to_look).min(to_test).min(left);
        let can_go_on = world.advance_with_populations(steps as u64, &mut populations);
        populations.truncate(age + steps + 1);
        if let Some(at) = (age + 1..populations.len()).find(|&at| populations[at] == 0) {
            return Some(of_death(at as u64));
        }
        let is_too_much = |&at: &usize| !is_large && populations[at] > MAX_POPULATION;
        if let Some(at) = (age + 1..populations.len()).find(is_too_much) {
            populations.truncate(at + 1);
        }
        for population in &populations[age + 1..] {
            work = work.saturating_add(*population);
        }
        if !can_go_on {
            break "the limit of memory";
        }
        if let AshWorld::Plane(plane) = world {
            if plane.bytes() > options.memory {
                return None;
            }
            // gliders that fly away are most of what is alive late, and seldom met again
            plane.let_gliders_escape();
            if plane.is_escape_doubtful() {
                return None;
            }
            activity.push(plane.active_tiles());
            let age = populations.len() - 1;
            if (FIRST_STEADY_TEST..FIRST_GROWTH_TEST).contains(&age) && age.is_power_of_two() {
                // populations as they will be when growth is looked for
                let mut populations = populations.clone();
                if plane.add_steady(&mut populations, FIRST_GROWTH_TEST + 1) {
                    let found =
                        growing::identify(context, world, start, &populations, false, control);
                    if found.is_some() {
                        return found;
                    }
                }
            }
            if proof.is_due(&populations) {
                let found = proven::identify(context, world, &populations, &checkpoints);
                if found.is_some() {
                    return found;
                }
            }
        }
        let age = populations.len() - 1;
        if age.is_multiple_of(LOOK) {
            if age >= QUIET
                && let Some((lifespan, _)) = settling_of(&populations)
            {
                return Some(settled(
                    context,
                    world,
                    lifespan,
                    &populations,
                    &checkpoints,
                ));
            }
            if age == LOOK && context.uses_planes && growing::seems_to_replicate(&populations) {
                let found = growing::by_replication(context, start, age as u64, control);
                if found.is_some() {
                    return found;
                }
            }
            checkpoints.push_back(world.checkpoint());
            if checkpoints.len() > QUIET / LOOK + 3 {
                checkpoints.pop_front();
            }
        }
        if age == next_growth_test {
            next_growth_test *= 2;
            let found = growing::identify(
                context,
                world,
                start,
                &populations,
                is_ever_more(&activity, age),
                control,
            );
            if found.is_some() {
                return found;
            }
        }
    };
    // the test of growth takes long where there is much
    if is_large || reached == "interrupted" {
        return Some(growing::by_trend(&populations, reached));
    }
    Some(growing::by_power(
        context,
        start,
        &populations,
        reached,
        control,
    ))
}

/// Whether ever more of the world is active, as far as that is known: so it is of all that grows
/// faster than linearly, of replicators too. Else a test for that is put off, since it takes longer
/// than to wait whether it settles.
fn is_ever_more(activity: &[u64], age: usize) -> bool {
    let half = activity.len() / 2;
    let mean = |part: &[u64]| part.iter().sum::<u64>() as f64 / part.len() as f64;
    half == 0 || age > LAST_DELAY || mean(&activity[half..]) > 1.25 * mean(&activity[..half])
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
    world: &mut AshWorld<'_>,
    lifespan: u64,
    populations: &[u64],
    checkpoints: &VecDeque<AshCheckpoint>,
) -> Identification {
    let mut tally = AshTally::default();
    let mut clusters = Vec::new();
    for envelope in ENVELOPES {
        clusters = world.clusters(&context.rule, envelope, &mut || true);
        tally = ash::tally(context, clusters.clone());
        if tally.restless.is_empty() {
            break;
        }
    }
    let by_cells = match tally.restless.is_empty() {
        true => settling_by_cells(context, world, &clusters, lifespan, checkpoints),
        false => None,
    };
    let lifespan = by_cells.unwrap_or(lifespan);
    let mut found = Identification {
        generation: by_cells,
        final_population: populations.get(lifespan as usize).copied(),
        ..with_lifespan(lifespan, &tally)
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
    world: &mut AshWorld<'_>,
    clusters: &[ClusterStates],
    lifespan: u64,
    checkpoints: &VecDeque<AshCheckpoint>,
) -> Option<u64> {
    let now = world.checkpoint();
    let limits = OrbitLimits::default();
    let mut orbits = Vec::new();
    for cluster in clusters {
        let cells = StateBox::from_cells(cluster.iter().copied());
        orbits.push(PeriodicOrbit::find(&mut context.stepper, &cells, 0, &limits).ok()?);
    }
    let expected = |generation: u64| {
        let age = generation as i64 - now.generation() as i64;
        let phases: Vec<StateBox> = orbits.iter().map(|orbit| orbit.at(age)).collect();
        StateBox::union(&phases)
    };
    let earliest = lifespan.saturating_sub(SEARCHED);
    let is_before = |checkpoint: &&AshCheckpoint| checkpoint.generation() <= earliest;
    let checkpoint = checkpoints.iter().rev().find(is_before);
    world.restore(checkpoint.or(checkpoints.front())?);
    let mut first = None;
    while world.generation() <= lifespan + SEARCHED {
        let is_settled = world.cells() == expected(world.generation());
        first = match is_settled {
            true => first.or(Some(world.generation())),
            false => None,
        };
        world.advance(1);
    }
    world.restore(&now);
    first
}
