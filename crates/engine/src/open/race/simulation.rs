//! Races between engines whose costs are written down: what counts is their work, and the clock
//! may say something else.

use super::clock::RaceClock;
use super::{Race, RaceSetup};
use crate::{
    AdvanceCallback, AdvanceInterruption, AdvancePlan, EngineChoice, OpenedWorld, Options,
    Snapshot, UnsupportedError, World,
};
use dice::Dice;
use grid::{Point, State};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use pattern::{Bounds, Cells, Run};
use rule::Rule;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Nanoseconds between two calls of the callback.
const SLICE: u64 = 50_000;

/// Nanoseconds that HashLife takes to be made.
const SETUP: u64 = 2_500_000;

/// A job as it was measured: the milliseconds of each engine for 16 generations, then for as many
/// again as were done, to the end. The last takes what is left. HashLife takes some for each step that
/// it is asked for, however short.
struct MeasuredJob {
    name: &'static str,
    generations: u64,
    tiles: &'static [f64],
    hashlife: &'static [f64],
    hashlife_a_step: f64,
    /// Whether tiles take as long from where they begin as from the start: they have to find out what
    /// rests.
    tiles_begin_anew: bool,
}

/// Of one run each (2026-11-28, machine 2). The best engine of the second is the one that steps.
const JOBS: [MeasuredJob; 3] = [
    MeasuredJob {
        name: "slide-breeder",
        generations: 5000,
        tiles: &[
            0.38, 0.32, 0.64, 1.32, 2.69, 5.76, 11.61, 25.12, 59.29, 30.25,
        ],
        hashlife: &[1.49, 1.03, 1.64, 2.45, 4.82, 2.18, 2.15, 2.7, 1.7, 2.0],
        hashlife_a_step: 0.0,
        tiles_begin_anew: false,
    },
    MeasuredJob {
        name: "52513m",
        generations: 60_000,
        tiles: &[
            0.07, 0.01, 0.01, 0.01, 0.04, 0.14, 0.17, 0.46, 1.69, 3.03, 8.4, 20.01, 31.64,
        ],
        hashlife: &[
            0.05, 0.02, 0.02, 0.03, 0.09, 0.28, 0.41, 1.31, 4.75, 6.24, 18.47, 30.76, 34.55,
        ],
        hashlife_a_step: 0.0,
        tiles_begin_anew: false,
    },
    MeasuredJob {
        name: "20-cell-quadratic-growth",
        generations: 100_000,
        tiles: &[
            0.05, 0.01, 0.01, 0.02, 0.07, 0.12, 0.27, 0.6, 1.98, 6.16, 11.13, 26.09, 64.54, 87.66,
        ],
        hashlife: &[
            0.05, 0.02, 0.03, 0.06, 0.13, 0.25, 0.65, 1.92, 4.97, 18.08, 23.43, 2.91, 2.38, 2.07,
        ],
        hashlife_a_step: 0.0,
        tiles_begin_anew: false,
    },
];

/// Doublings of what is done: the first ones as they are given, and then ones in which the time
/// doubles too.
const fn doublings<const N: usize>(first: &[f64]) -> [f64; N] {
    let mut took = [0.0; N];
    let mut i = 0;
    while i < N {
        took[i] = match i < first.len() {
            true => first[i],
            false => 2.0 * took[i - 1],
        };
        i += 1;
    }
    took
}

/// What is left of a soup: tiles step each generation, and to HashLife all are alike.
const SETTLED: MeasuredJob = MeasuredJob {
    name: "a soup that has settled",
    generations: 1 << 39,
    tiles: &doublings::<36>(&[0.16, 0.16]),
    hashlife: &[0.3; 36],
    hashlife_a_step: 0.2,
    tiles_begin_anew: false,
};

/// The same where tiles take less and less for a while, as they find out what rests.
const RESTING: MeasuredJob = MeasuredJob {
    generations: 1 << 52,
    tiles: &doublings::<49>(&[0.25, 0.15, 0.3, 0.6, 0.4, 0.4]),
    hashlife: &[0.3; 49],
    tiles_begin_anew: true,
    ..SETTLED
};

/// What both engines of a race share.
#[derive(Clone)]
struct Machine {
    /// Nanoseconds of work, of all engines.
    work: Arc<AtomicU64>,
    /// Nanoseconds that passed besides.
    lost: Arc<AtomicU64>,
    dice: Arc<Mutex<Dice>>,
    /// One slice in so many is disturbed for some milliseconds; 0 for none.
    disturbed: u32,
}

impl Machine {
    fn new(seed: u64, disturbed: u32) -> Self {
        Self {
            work: Arc::default(),
            lost: Arc::default(),
            dice: Arc::new(Mutex::new(Dice::new(seed))),
            disturbed,
        }
    }

    fn run(&self, nanoseconds: u64) {
        self.work.fetch_add(nanoseconds, Relaxed);
        let mut dice = self.dice.lock().unwrap();
        if self.disturbed > 0 && dice.below(self.disturbed) == 0 {
            let lost = 1_000_000 + 100 * u64::from(dice.below(1 << 16));
            self.lost.fetch_add(lost, Relaxed);
        }
    }
}

/// An engine that computes nothing and takes as long as was measured.
struct ScriptedWorld {
    engine: EngineChoice,
    rule: Rule,
    generation: BigInt,
    /// Generations, and nanoseconds until then.
    marks: Vec<(u64, u64)>,
    /// Nanoseconds that a step takes besides.
    a_step: u64,
    /// Nanoseconds of the script that HashLife has done and remembers.
    learnt: u64,
    /// The generation from which on the script is counted, which restoring sets where `begins_anew`.
    origin: u64,
    begins_anew: bool,
    own_work: u64,
    machine: Machine,
}

impl ScriptedWorld {
    fn new(job: &MeasuredJob, engine: EngineChoice, machine: &Machine) -> Self {
        let (costs, a_step) = match engine {
            EngineChoice::Hashlife => (job.hashlife, job.hashlife_a_step),
            _ => (job.tiles, 0.0),
        };
        let mut marks = vec![(0, 0)];
        for cost in costs {
            let (done, took) = marks[marks.len() - 1];
            let next = (2 * done).max(16).min(job.generations);
            marks.push((next, took + (1e6 * cost) as u64));
        }
        Self {
            engine,
            rule: "B3/S23".parse().unwrap(),
            generation: BigInt::ZERO,
            marks,
            a_step: (1e6 * a_step) as u64,
            learnt: 0,
            origin: 0,
            begins_anew: job.tiles_begin_anew && engine != EngineChoice::Hashlife,
            own_work: 0,
            machine: machine.clone(),
        }
    }

    /// Nanoseconds up to a generation.
    fn cost_at(&self, generation: u64) -> u64 {
        let generation = generation - self.origin;
        let after = self.marks.partition_point(|mark| mark.0 < generation);
        let ((x0, t0), (x1, t1)) = match after {
            0 => return 0,
            after => (self.marks[after - 1], self.marks[after]),
        };
        let beyond = u128::from(t1 - t0) * u128::from(generation - x0) / u128::from(x1 - x0);
        t0 + beyond as u64
    }

    fn total(&self) -> u64 {
        self.marks[self.marks.len() - 1].1
    }

    fn now(&self) -> u64 {
        self.generation.to_u64().unwrap()
    }
}

impl World for ScriptedWorld {
    fn engine(&self) -> &'static str {
        self.engine.name()
    }

    fn kernel(&self) -> String {
        String::new()
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn generation(&self) -> &BigInt {
        &self.generation
    }

    fn set_generation(&mut self, generation: BigInt) {
        self.generation = generation;
    }

    fn get(&self, _: Point) -> State {
        0
    }

    fn set(&mut self, _: Point, _: State) -> Result<(), UnsupportedError> {
        Ok(())
    }

    fn load(&mut self, _: &Cells) -> Result<(), UnsupportedError> {
        Ok(())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), UnsupportedError> {
        self.generation = snapshot.generation().clone();
        if self.begins_anew {
            self.origin = self.now();
        }
        Ok(())
    }

    fn cells(&self) -> Cells {
        Cells::default()
    }

    fn runs_in(&self, _: grid::Rect, _: &mut dyn FnMut(Run)) {}

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        let goal = self.now() + n.to_u64().unwrap();
        let end = self.cost_at(goal);
        let is_hashed = self.engine == EngineChoice::Hashlife;
        let mut at = self.cost_at(self.now());
        if is_hashed {
            at = at.max(self.learnt.min(end));
        }
        if self.a_step > 0 {
            self.own_work += self.a_step;
            self.machine.run(self.a_step);
        }
        let mut goes_on = true;
        while at < end && goes_on {
            let slice = SLICE.min(end - at);
            at += slice;
            self.own_work += slice;
            self.machine.run(slice);
            if is_hashed {
                self.learnt = self.learnt.max(at);
            } else {
                // the last generation that is done by now
                let (mut low, mut high) = (self.now(), goal);
                while low < high {
                    let middle = (low + high).div_ceil(2);
                    match self.cost_at(middle) <= at {
                        true => low = middle,
                        false => high = middle - 1,
                    }
                }
                self.generation = low.into();
            }
            goes_on = control(&BigUint::ZERO);
        }
        if at < end {
            return Err(AdvanceInterruption);
        }
        self.generation = goal.into();
        Ok(())
    }

    fn work(&self) -> Option<u64> {
        Some(self.own_work / 100)
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn population(&self) -> BigUint {
        100_u8.into()
    }

    fn bounds(&self) -> Option<Bounds> {
        None
    }
}

/// A race of the two engines.
fn race(job: &MeasuredJob, machine: &Machine) -> Race {
    let tiles = ScriptedWorld::new(job, EngineChoice::Tiles, machine);
    let setup = RaceSetup {
        opened: OpenedWorld {
            world: Box::new(tiles),
            engine_reason: "it is the first".into(),
        },
        stepping: EngineChoice::Tiles,
        tree: None,
        is_decided: false,
    };
    let (work, lost) = (machine.work.clone(), machine.lost.clone());
    let clock =
        RaceClock::new(move || Duration::from_nanos(work.load(Relaxed) + lost.load(Relaxed)));
    let mut race = Race::with_clock(setup, Options::default(), clock);
    let others = machine.clone();
    let copy = MeasuredJob { ..*job };
    race.open = Box::new(move |engine, _: &Rule, _: &Options| {
        others.run(SETUP);
        Ok(Box::new(ScriptedWorld::new(&copy, engine, &others)))
    });
    race
}

/// Runs a job, and tells how many milliseconds of work it was, of all engines.
fn raced(job: &MeasuredJob, machine: &Machine) -> f64 {
    let mut race = race(job, machine);
    let n = BigUint::from(job.generations);
    race.advance(&n, &mut |_| true).unwrap();
    assert_eq!(*race.generation(), job.generations.into());
    machine.work.load(Relaxed) as f64 / 1e6
}

/// The work of a race is bounded by that of the best engine. Where time is lost now and then, as on a
/// machine that lends memory slowly, it may be somewhat more, and a trial may end in vain that lost
/// most of its time: of thirty races, one may take the wrong engine.
#[test]
fn a_race_takes_little_more_work_than_the_best_engine() {
    let (mut complaints, mut disturbed_races) = (Vec::new(), 0);
    for job in &JOBS {
        let still = Machine::new(0, 0);
        let total = |engine| ScriptedWorld::new(job, engine, &still).total() as f64 / 1e6;
        let hashed = total(EngineChoice::Hashlife) + SETUP as f64 / 1e6;
        let best = hashed.min(total(EngineChoice::Tiles));
        let took = raced(job, &still);
        assert!(
            took <= 1.3 * best + 5.0,
            "{}: {took:.1} ms of work, and the best takes {best:.1}",
            job.name
        );
        for disturbed in [400, 200, 100] {
            for seed in 0..20 {
                disturbed_races += 1;
                let took = raced(job, &Machine::new(seed, disturbed));
                if took > 1.6 * best + 5.0 {
                    complaints.push(format!(
                        "{}, one in {disturbed} disturbed, seed {seed}: {took:.1} ms of work, and the best takes {best:.1}",
                        job.name
                    ));
                }
            }
        }
    }
    assert!(
        30 * complaints.len() <= disturbed_races,
        "{}",
        complaints.join("\n")
    );
}

/// The engines that a viewer sees who wants to get as far as possible, one after the other, in so many
/// frames of 12 ms, up to a generation of so many bits: with ever longer steps, and the shortest again
/// when the engine is another.
fn engines_seen(race: &mut Race, machine: &Machine, frames: u64, bits: u64) -> Vec<&'static str> {
    race.set_plan(&AdvancePlan::Endless);
    let (mut power, mut seen) = (0, vec![race.engine()]);
    for frame in 1..frames {
        let done = || (machine.work.load(Relaxed) + machine.lost.load(Relaxed)) / 12_000_000;
        while done() < frame && race.generation().bits() < bits {
            let _ = race.advance(&(1_u64 << power).into(), &mut |_| done() < frame);
        }
        if race.engine() == seen[seen.len() - 1] {
            power = 32.min(power + 1);
        } else {
            power = 0;
            seen.push(race.engine());
        }
    }
    seen
}

/// In short steps HashLife is the slower one, in long ones nothing is as quick.
#[test]
fn who_tries_longer_steps_comes_to_the_quick_ones() {
    for disturbed in [0, 400, 100] {
        for seed in 0..10 {
            let machine = Machine::new(seed, disturbed);
            let mut race = race(&SETTLED, &machine);
            let seen = engines_seen(&mut race, &machine, 250, 38);
            assert_eq!(
                (race.engine(), race.generation().bits()),
                ("hashlife", 38),
                "one in {disturbed} disturbed, seed {seed}: {seen:?}"
            );
        }
    }
}

/// What tiles take less and less for says nothing of a thousand million times as far.
#[test]
fn who_has_come_far_by_hashing_does_not_step_again() {
    for disturbed in [0, 400, 100] {
        for seed in 0..10 {
            let machine = Machine::new(seed, disturbed);
            let mut race = race(&RESTING, &machine);
            let seen = engines_seen(&mut race, &machine, 500, 51);
            assert!(race.generation().bits() > 40, "{}", race.generation());
            assert_eq!(
                seen,
                ["tiles", "hashlife"],
                "one in {disturbed} disturbed, seed {seed}"
            );
        }
    }
}
