//! The end of a pattern as soon as it can be proven: what is left are periodic objects, each by
//! itself, that never touch. Then the first generation from which every cell is one of theirs is
//! looked for, backwards from there. Own method; the proof is that of the census.
//!
//! Waiting until the population has repeated for thousands of generations, as `methudetect` does,
//! takes longer and proves less. It remains for what is not periodic object by object.

use super::ash::{self, AshTally};
use super::ash_world::{AshCheckpoint, AshWorld};
use super::settled_ash::{set_common_period, with_lifespan};
use super::{Identification, RuleContext};
use crate::settle::proof::{SettlingProof, prove};
use crate::{OrbitLimits, PeriodicOrbit, StateBox, cluster_zone};
use grid::Point;
use std::collections::VecDeque;

/// Generations over which the population has to repeat before a proof is worth its time.
const QUIET: usize = 192;

/// The longest period of the population in them.
const LONGEST_PERIOD: usize = 60;

/// The longest that objects are watched to see that they do not touch.
const LONGEST_WATCH: u64 = 1 << 12;

/// When a proof is tried.
#[derive(Debug, Default)]
pub(super) struct ProofSchedule {
    /// Not before this generation.
    earliest: usize,
}

impl ProofSchedule {
    /// Whether it is time. After a failure it waits, the longer the later: a ship may be under way
    /// to something.
    pub(super) fn is_due(&mut self, populations: &[u64]) -> bool {
        let age = populations.len() - 1;
        if age < self.earliest || population_period(populations).is_none() {
            return false;
        }
        self.earliest = age + QUIET.max(age / 16);
        true
    }
}

/// The period of the last populations, if they have one.
fn population_period(populations: &[u64]) -> Option<usize> {
    let quiet = &populations[populations.len().checked_sub(QUIET)?..];
    (1..=LONGEST_PERIOD).find(|&period| quiet[period..] == quiet[..QUIET - period])
}

/// What is left, if it can be proven that it is all that is ever left. Else the world is as it
/// was.
pub(super) fn identify(
    context: &mut RuleContext,
    world: &mut AshWorld<'_>,
    populations: &[u64],
    checkpoints: &VecDeque<AshCheckpoint>,
) -> Option<Identification> {
    let before = world.checkpoint();
    let Some(ash) = prove_ash(context, world) else {
        world.resume(&before);
        return None;
    };
    let end = world.checkpoint();
    let settled = ash.first_generation(world, populations, checkpoints);
    world.resume(&end);
    let Some(settled) = settled else {
        world.resume(&before);
        return None;
    };
    let mut found = Identification {
        generation: Some(settled),
        final_population: Some(ash.population(settled)),
        ..with_lifespan(settled, &ash.tally)
    };
    if settled == 0 {
        set_common_period(&mut found, context, world);
    }
    Some(found)
}

/// Objects that never touch.
struct ProvenAsh {
    tally: AshTally,
    /// As they are at a generation.
    orbits: Vec<PeriodicOrbit>,
    generation: u64,
    /// For how many generations up to it they were watched, without touching.
    watched: u64,
    zone: Vec<(i64, i64)>,
}

fn prove_ash(context: &mut RuleContext, world: &mut AshWorld<'_>) -> Option<ProvenAsh> {
    let zone = cluster_zone(&context.rule);
    let limits = OrbitLimits::default();
    let mut watched = ash::ENVELOPE;
    loop {
        let clusters = world.clusters(&context.rule, watched, &mut || true);
        let mut orbits = Vec::new();
        for cluster in &clusters {
            let cells = StateBox::from_cells(cluster.iter().copied());
            orbits.push(PeriodicOrbit::find(&mut context.stepper, &cells, 0, &limits).ok()?);
        }
        match prove(&orbits, watched, &zone) {
            SettlingProof::Over => {
                let tally = ash::tally(context, clusters);
                return tally.restless.is_empty().then_some(ProvenAsh {
                    tally,
                    orbits,
                    generation: world.generation(),
                    watched,
                    zone,
                });
            }
            SettlingProof::Watch(longer) if longer <= LONGEST_WATCH => watched = longer,
            SettlingProof::Watch(_) | SettlingProof::Doubtful => return None,
        }
    }
}

impl ProvenAsh {
    fn age(&self, generation: u64) -> i64 {
        generation as i64 - self.generation as i64
    }

    fn population(&self, generation: u64) -> u64 {
        let age = self.age(generation);
        let phases = self.orbits.iter().map(|orbit| orbit.at(age).population());
        phases.sum()
    }

    /// All cells at a generation, row by row.
    fn points(&self, generation: u64) -> Vec<Point> {
        let age = self.age(generation);
        let phases = self.orbits.iter().map(|orbit| orbit.at(age).points());
        let mut points: Vec<Point> = phases.flatten().collect();
        points.sort_unstable_by_key(|p| (p.y, p.x));
        points
    }

    /// The first generation from which all cells are those of the objects, each in its own phase
    /// and place. No earlier one is, and from there on it is proven that all are.
    fn first_generation(
        &self,
        world: &mut AshWorld<'_>,
        populations: &[u64],
        checkpoints: &VecDeque<AshCheckpoint>,
    ) -> Option<u64> {
        // it cannot be before the population repeats
        let period = population_period(populations)?;
        let same = |&at: &usize| populations[at] == populations[at + period];
        let first = (0..populations.len() - period)
            .rev()
            .take_while(same)
            .last()?;
        let earliest = (first as u64).saturating_sub(1);
        let mut is_early = false;
        for checkpoint in checkpoints.iter().rev() {
            if checkpoint.generation() > earliest && !is_early {
                continue;
            }
            world.resume(checkpoint);
            if !is_early {
                world.advance(earliest - checkpoint.generation());
            }
            match self.is_reached(world)? {
                false => return self.first_after(world),
                true if world.generation() == 0 => return self.proven_from(world, 0),
                // the hint was wrong: all of an earlier stretch
                true => is_early = true,
            }
        }
        None
    }

    /// Whether the world's cells are those of the objects.
    fn is_reached(&self, world: &mut AshWorld<'_>) -> Option<bool> {
        let AshWorld::Plane(plane) = world else {
            return None;
        };
        if plane.is_escape_doubtful() {
            return None;
        }
        let now = plane.sorted_points();
        Some(now == self.points(world.generation()))
    }

    /// The first generation after that of the world, whose cells are others.
    fn first_after(&self, world: &mut AshWorld<'_>) -> Option<u64> {
        loop {
            world.advance(1);
            if self.is_reached(world)? {
                let found = world.generation();
                return self.proven_from(world, found);
            }
            if world.generation() >= self.generation {
                return None;
            }
        }
    }

    /// `found`, the generation of the world, or the first later one from which on the cells are
    /// those of the objects: the proof holds from there, or every generation is looked at.
    fn proven_from(&self, world: &mut AshWorld<'_>, mut found: u64) -> Option<u64> {
        let age = self.age(found);
        let then = |orbit: &PeriodicOrbit| PeriodicOrbit {
            phases: (0..orbit.period() as i64)
                .map(|phase| orbit.at(age + phase))
                .collect(),
            ..*orbit
        };
        let orbits: Vec<PeriodicOrbit> = self.orbits.iter().map(then).collect();
        if prove(&orbits, self.watched, &self.zone) == SettlingProof::Over {
            return Some(found);
        }
        let mut is_reached = true;
        while world.generation() < self.generation {
            world.advance(1);
            match (is_reached, self.is_reached(world)?) {
                (false, true) => {
                    found = world.generation();
                    is_reached = true;
                }
                (_, now) => is_reached = now,
            }
        }
        Some(found)
    }
}
