//! The `auto` engine during a run: it measures the engines, and continues with the one
//! predicted to be quicker for the rest.
//!
//! A pattern does not show how it will run: of two that look alike, one fills the plane with
//! nodes that are new to HashLife, and one with nodes that it knows. So the run is monitored.
//! Both engines run in steps of doubling length, from two of which the time for the rest can be
//! extrapolated. The stepping engine begins. After a few milliseconds HashLife is tried for
//! about as long, from the same start, where it learns at the least cost; from then on trials
//! take a fifth of the time at most, on the current state, so that little is lost if the
//! first choice was right. A trial that may still win goes on for up to a third of the time that
//! is predicted for the current engine. That prediction is often far too high, since a pattern
//! that grows may rest soon: so a trial that has come further wins only after the current
//! engine has gone on a little too, and was measured there. HashLife that wins a job leaps: it
//! does all of it in one step from the start, with what it has learnt, for twice the time that
//! was predicted at most. Engines are compared by processor time; where an engine counts its work,
//! the growth of its time is that of its work, and time that the system took is no part of it.
//!
//! For a viewer there is no known end: as much again is expected as was done. The engine on
//! trial then runs ahead on its own, in steps like those that are asked for, or as far as it
//! gets, while the current one waits. If it wins, it takes the world over where that stands.
//!
//! The results are the same in all cases; the clock only decides which engine computes them.
//!
//! Own method.

mod clock;
mod pace;
#[cfg(test)]
mod simulation;
mod trial;

use crate::world::forward_queries;
use crate::{
    AdvanceCallback, AdvanceInterruption, AdvancePlan, EngineChoice, OpenedWorld, Options,
    Snapshot, StateCycle, UnsupportedError, World,
};
use clock::RaceClock;
pub(crate) use clock::has_clock;
pub use clock::lend_clock;
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pace::EnginePace;
use pattern::Cells;
use rule::Rule;
use trial::{EngineTrial, MIN_TRIAL};

/// Seconds that an engine runs before another is tried.
const HEAD_START: f64 = 0.0015;

/// Steps that differ in length by this factor are not comparable.
const MAX_STEP_RATIO: u32 = 4;

/// Where a viewer wants to get as far as possible, it tries ever longer steps, and in short ones
/// HashLife does what it is not good at: so many seconds of steps of one length until another engine
/// is tried.
const SETTLING: f64 = 0.5;

/// Seconds to list a cell and insert it into another engine's tables.
const SECONDS_PER_CELL: f64 = 1e-7;

/// Seconds to insert a byte of a snapshot.
const SECONDS_PER_BYTE: f64 = 1e-8;

/// A world that may move from one engine to another.
pub(crate) struct Race {
    world: Box<dyn World>,
    pace: EnginePace,
    /// Seconds of running after which the next trial starts.
    next_trial_at: f64,
    /// The initial state, until another engine was tried on it.
    start: Option<Snapshot>,
    /// The engine that is being tried, on a snapshot of the world.
    trial: Option<EngineTrial>,
    /// The last trial, which may be resumed.
    paused: Option<EngineTrial>,
    /// Seconds of all trials, and of all runs.
    tried: f64,
    ran: f64,
    /// How the world is going to be advanced.
    plan: AdvancePlan,
    /// The longest step that the current engine was asked for.
    longest: BigUint,
    /// The engine that steps single generations.
    stepping: EngineChoice,
    options: Options,
    clock: RaceClock,
    /// Makes an empty world of an engine.
    open: WorldOpener,
    engine_reason: String,
}

/// Makes an empty world of an engine.
type WorldOpener =
    Box<dyn Fn(EngineChoice, &Rule, &Options) -> Result<Box<dyn World>, UnsupportedError> + Send>;

/// What is known of a world that is going to be monitored.
pub(crate) struct RaceSetup {
    pub(crate) opened: OpenedWorld,
    /// The engine to use where HashLife does not pay.
    pub(crate) stepping: EngineChoice,
    /// The cells as a quadtree, if they are one: HashLife can be tried on it at no cost.
    pub(crate) tree: Option<Cells>,
    /// Whether no trial is needed.
    pub(crate) is_decided: bool,
}

/// Why a run ended.
enum RaceStopReason {
    /// It is complete.
    Completed,
    /// The caller cancelled it.
    Cancelled,
    /// Its time is up: another engine may be better.
    TimedOut,
    /// Memory is exhausted.
    OutOfMemory,
}

impl Race {
    /// Starts with a world that an engine has opened.
    pub(crate) fn new(setup: RaceSetup, options: Options) -> Self {
        let clock = clock::race_clock(&options);
        Self::with_clock(setup, options, clock)
    }

    fn with_clock(setup: RaceSetup, options: Options, clock: RaceClock) -> Self {
        let RaceSetup {
            opened,
            stepping,
            tree,
            is_decided,
        } = setup;
        let most = (2.0 * MIN_TRIAL / SECONDS_PER_CELL) as u64;
        let small = || (opened.world.population() < most.into()).then(|| opened.world.snapshot());
        let tree = tree.map(|cells| Snapshot::from_cells(opened.world.generation().clone(), cells));
        Self {
            start: tree.or_else(small),
            world: opened.world,
            pace: EnginePace::default(),
            next_trial_at: if is_decided {
                f64::INFINITY
            } else {
                HEAD_START
            },
            plan: AdvancePlan::Job,
            longest: BigUint::ZERO,
            trial: None,
            paused: None,
            tried: 0.0,
            ran: 0.0,
            stepping,
            options,
            clock,
            open: Box::new(crate::open::empty),
            engine_reason: opened.engine_reason,
        }
    }

    /// To be called after the cells were edited: earlier measurements no longer apply.
    fn reset(&mut self) {
        self.pace.clear();
        self.longest = BigUint::ZERO;
        if self.next_trial_at.is_finite() {
            self.next_trial_at = HEAD_START;
        }
        self.forget_trials();
    }

    /// Takes note of a step that is asked for. In ever longer ones HashLife gets ever quicker, and
    /// what it took for shorter ones is nothing to compare another engine with.
    fn note_step(&mut self, n: &BigUint) {
        if *n <= self.longest {
            return;
        }
        let is_far_longer = *n >= 2_u8 * &self.longest;
        self.longest = n.clone();
        let is_hashed = self.other() != EngineChoice::Hashlife;
        if is_far_longer && is_hashed && self.plan == AdvancePlan::Endless {
            self.pace.clear();
            self.paused = self.trial.take().or(self.paused.take());
            self.next_trial_at = self.next_trial_at.max(SETTLING);
        }
    }

    /// Starts anew with other cells.
    fn start_watching(&mut self, cells: &Cells) {
        self.next_trial_at = match crate::open::certainly_hashes(&*self.world, cells) {
            true => f64::INFINITY,
            false => HEAD_START,
        };
    }

    /// Before the cells are replaced: goes back to the engine that steps, unless hashing is
    /// certain to be better. What was learnt about the old cells says nothing about the new ones,
    /// and cells that run for less than a trial would never come back by themselves.
    fn resume_stepping(&mut self, cells: &Cells) {
        let engine = self.world.engine();
        if engine != EngineChoice::Hashlife.name()
            || crate::open::certainly_hashes(&*self.world, cells)
        {
            return;
        }
        if let Ok(world) = crate::open::empty(self.stepping, self.world.rule(), &self.options) {
            self.world = world;
            self.engine_reason = format!("the cells are new, and {engine} was chosen for others");
        }
    }

    fn forget_trials(&mut self) {
        (self.trial, self.paused, self.start) = (None, None, None);
    }

    fn other(&self) -> EngineChoice {
        match self.world.engine() == EngineChoice::Hashlife.name() {
            true => self.stepping,
            false => EngineChoice::Hashlife,
        }
    }

    /// Whether the end of the run is known.
    fn has_end(&self) -> bool {
        self.plan == AdvancePlan::Job
    }

    /// The expected total number of generations, given those that are asked for now.
    fn expected_generations(&self, left: BigUint) -> BigUint {
        match self.has_end() {
            true => left,
            false => left.max(self.pace.done().clone()),
        }
    }

    /// The predicted seconds for this many generations.
    fn predicted_seconds(&self, left: &BigUint) -> Option<f64> {
        match self.plan {
            AdvancePlan::Steps(_) => self.pace.predicted_steady_seconds(left),
            _ => self.pace.predicted_seconds(left),
        }
    }

    /// Advances the world by up to this many generations, for a limited number of seconds.
    fn step(&mut self, n: &BigUint, most: f64, asked: &mut dyn FnMut() -> bool) -> RaceStopReason {
        let before = self.pace.seconds();
        let (world, pace) = (&mut *self.world, &mut self.pace);
        let end = run_for(world, pace, n, most, &mut self.clock, asked);
        self.ran += self.pace.seconds() - before;
        end
    }

    /// When memory is exhausted: moves to the other engine, if the cells fit there.
    fn rescue(&mut self) -> bool {
        let options = &self.options;
        let Ok(mut world) = crate::open::empty(self.other(), self.world.rule(), options) else {
            return false;
        };
        let snapshot = self.world.snapshot();
        if snapshot.cells().walk_length() > 1 << 24 || world.restore(&snapshot).is_err() {
            return false;
        }
        self.engine_reason = format!(
            "{}, after {} had no room for more",
            world.engine(),
            self.world.engine()
        );
        self.world = world;
        self.reset();
        self.next_trial_at = f64::INFINITY;
        true
    }
}

/// Advances a world by up to this many generations, for a limited number of seconds.
fn run_for(
    world: &mut dyn World,
    pace: &mut EnginePace,
    n: &BigUint,
    most: f64,
    clock: &mut RaceClock,
    asked: &mut dyn FnMut() -> bool,
) -> RaceStopReason {
    let (begun, before) = (clock.begin(), world.generation().clone());
    let worked = world.work();
    let mut end = RaceStopReason::Completed;
    let outcome = world.advance(n, &mut |_| {
        if !asked() {
            end = RaceStopReason::Cancelled;
        } else if clock.exceeds(&begun, most) {
            end = RaceStopReason::TimedOut;
        }
        matches!(end, RaceStopReason::Completed)
    });
    let done = (world.generation() - before)
        .to_biguint()
        .unwrap_or_default();
    let work = world.work().zip(worked).map(|(now, then)| now - then);
    pace.record(&done, clock.seconds_since(&begun), work);
    match (outcome, end) {
        (Ok(()), RaceStopReason::TimedOut) => RaceStopReason::Completed,
        (Err(AdvanceInterruption), RaceStopReason::Completed) => RaceStopReason::OutOfMemory,
        (_, end) => end,
    }
}

impl World for Race {
    forward_queries!(world);

    fn engine_reason(&self) -> Option<&str> {
        Some(&self.engine_reason)
    }

    fn cycle(&self) -> Option<&StateCycle> {
        self.world.cycle()
    }

    fn set_plan(&mut self, plan: &AdvancePlan) {
        let is_alike = match (&self.plan, plan) {
            (AdvancePlan::Steps(was), AdvancePlan::Steps(n)) => {
                *n <= was * MAX_STEP_RATIO && n * MAX_STEP_RATIO >= *was
            }
            (was, plan) => was == plan,
        };
        if !is_alike {
            self.plan = plan.clone();
            self.reset();
        }
    }

    fn rule(&self) -> &Rule {
        self.world.rule()
    }

    fn generation(&self) -> &BigInt {
        self.world.generation()
    }

    fn set_generation(&mut self, generation: BigInt) {
        self.reset();
        self.world.set_generation(generation);
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError> {
        self.forget_trials();
        self.world.set(p, state)
    }

    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError> {
        self.reset();
        self.world.load(cells)
    }

    fn write_bits(&mut self, rect: Rect, bits: &[u64]) -> Result<(), UnsupportedError> {
        self.reset();
        self.world.write_bits(rect, bits)
    }

    fn replace_cells(
        &mut self,
        cells: &Cells,
        generation: &BigInt,
    ) -> Result<(), UnsupportedError> {
        self.reset();
        self.resume_stepping(cells);
        self.world.replace_cells(cells, generation)?;
        self.start_watching(cells);
        Ok(())
    }

    fn erase(&mut self, rect: Rect) {
        self.forget_trials();
        self.world.erase(rect);
    }

    fn keep_only(&mut self, rect: Rect) {
        self.reset();
        self.world.keep_only(rect);
    }

    fn snapshot(&self) -> Snapshot {
        self.world.snapshot()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), UnsupportedError> {
        self.reset();
        self.world.restore(snapshot)?;
        if let Some(cells) = snapshot.held::<Cells>() {
            self.start_watching(cells);
        }
        Ok(())
    }

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        self.note_step(n);
        let start = self.world.generation().clone();
        let goal = &start + BigInt::from(n.clone());
        let mut was_rescued = false;
        loop {
            let left = &goal - self.world.generation();
            let Some(left) = left.to_biguint().filter(|left| *left > BigUint::ZERO) else {
                return Ok(());
            };
            if self.bytes() > self.options.memory {
                // trials must not take memory that the world itself needs
                self.forget_trials();
            }
            let done = n - &left;
            let mut asked = || control(&done);
            if self.trial.is_some() && !self.continue_trial(&goal, &mut asked) {
                return Err(AdvanceInterruption);
            }
            let left = (&goal - self.world.generation())
                .to_biguint()
                .unwrap_or_default();
            let most = self.next_trial_at - self.pace.seconds();
            // On a known cycle the rest is at most one round.
            let is_cyclic = self.world.cycle().is_some();
            if left > BigUint::ZERO && most <= 0.0 && !is_cyclic {
                let far = self.expected_generations(left);
                self.start_trial(&far);
                continue;
            }
            // what is not compared with anything runs to its end at once
            let n = match self.has_end() && most.is_finite() && !is_cyclic {
                true => self.pace.next().min(left),
                false => left,
            };
            let end = self.step(&n, most, &mut asked);
            match end {
                RaceStopReason::Completed => {
                    if *self.world.generation() < goal && !asked() {
                        return Err(AdvanceInterruption);
                    }
                }
                RaceStopReason::TimedOut => {}
                RaceStopReason::Cancelled => return Err(AdvanceInterruption),
                RaceStopReason::OutOfMemory => {
                    if was_rescued || !self.rescue() {
                        return Err(AdvanceInterruption);
                    }
                    was_rescued = true;
                }
            }
        }
    }

    fn set_memory_limit(&mut self, bytes: u64) {
        self.options.memory = bytes;
        self.world.set_memory_limit(bytes);
    }

    fn bytes(&self) -> u64 {
        let trials = [&self.trial, &self.paused].into_iter().flatten();
        self.world.bytes() + trials.map(|trial| trial.world.bytes()).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tiles, Torus, open_job};
    use dice::Dice;
    use pattern::Pattern;
    use std::time::Duration;

    /// A clock by which now the one and now the other engine seems to be quick.
    fn any_clock(seed: u64) -> RaceClock {
        let mut dice = Dice::new(seed);
        let mut now = Duration::ZERO;
        RaceClock::new(move || {
            // most calls take almost no time, and some take long
            now += Duration::from_nanos(match dice.below(3) {
                0 => u64::from(40 * dice.below(1 << 16)),
                _ => 50,
            });
            now
        })
    }

    fn soup(rule: &Rule, side: u64) -> Pattern {
        let recipe = pattern::soup::SoupRecipe {
            states: rule.states(),
            seed: side,
            ..pattern::soup::SoupRecipe::new(side, side)
        };
        recipe.pattern().unwrap()
    }

    fn setup(world: Box<dyn World>, stepping: EngineChoice) -> RaceSetup {
        RaceSetup {
            opened: OpenedWorld {
                world,
                engine_reason: "it is the first".into(),
            },
            stepping,
            tree: None,
            is_decided: false,
        }
    }

    /// Whatever the clock says and whenever the run is interrupted, the result is that of a
    /// single engine.
    #[test]
    fn whoever_moves_it_on_the_world_is_the_same() {
        let mut engines = Vec::new();
        for (seed, text) in [
            "B3/S23",
            "B36/S23",
            "345/2/4",
            "B3/S23:T64,48",
            "B1357/S1357",
        ]
        .into_iter()
        .cycle()
        .take(15)
        .enumerate()
        {
            let rule: Rule = text.parse().unwrap();
            let cells = soup(&rule, 30).cells;
            let (mut plain, stepping): (Box<dyn World>, _) = match rule.topology().rect() {
                Some(_) => (
                    Box::new(Torus::new(rule.clone()).unwrap()),
                    EngineChoice::Torus,
                ),
                None => (
                    Box::new(Tiles::new(rule.clone()).unwrap()),
                    EngineChoice::Tiles,
                ),
            };
            plain.load(&cells).unwrap();
            let mut first = crate::open::empty(stepping, &rule, &Options::default()).unwrap();
            first.load(&cells).unwrap();
            let clock = any_clock(seed as u64);
            let setup = setup(first, stepping);
            let mut race = Race::with_clock(setup, Options::default(), clock);
            for (n, plan) in [
                (1_u32, AdvancePlan::Job),
                (60, AdvancePlan::Steps(1_u32.into())),
                (700, AdvancePlan::Endless),
                (333, AdvancePlan::Job),
            ] {
                race.set_plan(&plan);
                let goal = plain.generation() + BigInt::from(n);
                plain.advance(&n.into(), &mut |_| true).unwrap();
                let mut patience = 1 + seed;
                while *race.generation() < goal {
                    let before = race.generation().clone();
                    let left = (&goal - &before).to_biguint().unwrap();
                    let left = match plan {
                        AdvancePlan::Steps(_) => 1_u32.into(),
                        _ => left,
                    };
                    let mut asked = 0;
                    let _ = race.advance(&left, &mut |_| {
                        asked += 1;
                        asked < patience
                    });
                    assert!(
                        *race.generation() >= before,
                        "{text}: it goes on, never back"
                    );
                    patience += 1;
                }
                engines.push(race.engine());
                assert_eq!(*race.generation(), goal, "{text}");
                assert_eq!(race.hash(), plain.hash(), "{text} at {goal}, seed {seed}");
                let p = Point::new(3, -2);
                let state = 1 - plain.get(p).min(1);
                plain.set(p, state).unwrap();
                race.set(p, state).unwrap();
            }
        }
        for engine in ["tiles", "torus", "hashlife"] {
            assert!(engines.contains(&engine), "{engine} was never taken");
        }
    }

    /// A world that has left what tiles can hold never moves there, however slow HashLife seems.
    #[test]
    fn what_has_gone_too_far_for_one_engine_stays_in_the_other() {
        let rule: Rule = "B3/S23".parse().unwrap();
        let glider = pattern::library::find("glider").unwrap().pattern();
        let mut far = crate::open_hashlife(rule.clone(), 1 << 26).unwrap();
        far.load(&glider.cells).unwrap();
        far.advance(&BigUint::from(10_u8).pow(30), &mut |_| true)
            .unwrap();
        let options = Options::default();
        for seed in 0..40 {
            let hashlife = EngineChoice::Hashlife;
            let mut first = crate::open::empty(hashlife, &rule, &options).unwrap();
            first.restore(&far.snapshot()).unwrap();
            let setup = setup(first, EngineChoice::Tiles);
            let mut race = Race::with_clock(setup, options.clone(), any_clock(seed));
            race.advance(&1_000_000_u32.into(), &mut |_| true).unwrap();
            assert_eq!(race.population(), 5_u8.into(), "seed {seed}");
            let moved = race.bounds().unwrap().x - far.bounds().unwrap().x;
            assert_eq!(moved, 250_000.into(), "seed {seed}");
        }
    }

    /// A world that fits in one engine only moves to that engine.
    #[test]
    fn where_one_has_no_room_the_other_goes_on() {
        let rule: Rule = "B3/S23".parse().unwrap();
        // a gun: each glider takes tiles of its own
        let gun = Pattern::from_text(
            "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!",
        );
        let options = Options {
            memory: 1 << 19,
            ..Options::default()
        };
        let cells = gun.unwrap().cells;
        let mut hashed = crate::open_hashlife(rule.clone(), 1 << 30).unwrap();
        hashed.load(&cells).unwrap();
        let mut tiles = Tiles::new(rule).unwrap().with_memory_limit(options.memory);
        tiles.load(&cells).unwrap();
        let still = RaceClock::new(|| Duration::ZERO);
        let setup = setup(Box::new(tiles), EngineChoice::Tiles);
        let mut race = Race::with_clock(setup, options, still);
        let n = BigUint::from(200_000_u32);
        race.advance(&n, &mut |_| true).unwrap();
        assert_eq!(race.engine(), "hashlife");
        assert!(
            race.engine_reason().unwrap().contains("had no room"),
            "{:?}",
            race.engine_reason()
        );
        hashed.advance(&n, &mut |_| true).unwrap();
        assert_eq!(race.hash(), hashed.hash());
    }

    #[test]
    fn short_jobs_and_named_engines_are_not_watched() {
        let rule: Rule = "B3/S23".parse().unwrap();
        let pattern = soup(&rule, 20);
        let job = |choice, n: u32| {
            let options = Options::default();
            open_job(choice, &rule, &pattern, &n.into(), &options).unwrap()
        };
        assert_eq!(job(EngineChoice::Auto, 10).world.engine_reason(), None);
        assert_eq!(job(EngineChoice::Tiles, 10_000).world.engine_reason(), None);
        let watched = job(EngineChoice::Auto, 10_000);
        assert_eq!(
            watched.world.engine_reason(),
            Some("the plane is unbounded")
        );
        assert_eq!(watched.world.engine(), "tiles");
    }

    #[test]
    fn other_cells_are_stepped_again() {
        let rule: Rule = "B3/S23".parse().unwrap();
        let first = Some(EngineChoice::Hashlife);
        let (pattern, options) = (Pattern::default(), Options::default());
        let opened = crate::open_endless(EngineChoice::Auto, first, &rule, &pattern, &options);
        let mut world = opened.unwrap().world;
        assert_eq!(world.engine(), "hashlife");
        let row = Cells::from_runs(vec![pattern::Run {
            y: 0,
            x: 0,
            length: 3,
            state: 1,
        }]);
        world.replace_cells(&row, &4.into()).unwrap();
        assert_eq!(world.engine(), "tiles");
        assert_eq!(*world.generation(), 4.into());
        assert_eq!(world.cells(), row);
    }
}
