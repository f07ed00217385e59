//! Running: speed, steps, and going to a generation.

use crate::cell_change::LiveSegments;
use crate::command::{SpeedChange, StrideChange, Switch};
use crate::macro_step::MacroStepTuner;
use crate::refusal::CommandRefusal;
use crate::session::{CommandReply, Session};
use crate::trails::{self, Trails};
use crate::undo::{UndoContents, UndoStep};
use engine::AdvancePlan;
use engine::World;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One as _, ToPrimitive as _};
use pattern::interrupt::with_check;
use std::sync::Arc;
use std::time::Duration;

/// The scale of speeds for `faster` and `slower`, in generations per second.
const SPEEDS: [f64; 13] = [
    0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 1000.0,
];

/// Steps before hyperspeed doubles the stride.
const STEPS_PER_DOUBLING: u32 = 16;

/// A jump of at most this many generations runs as a step; a longer one is shown as a job with a
/// target.
const MAX_STEP_JUMP: u64 = 1 << 10;

/// Frames show about this many generations per second, whatever the speed.
const DRAWN_GENERATIONS_PER_SECOND: f64 = 60.0;

/// Seconds of backlog after which a slow world stops catching up.
const MAX_OWED_SECONDS: f64 = 0.25;

/// How a world is being run.
#[derive(Clone, Debug)]
pub(crate) struct WorldPlayback {
    activity: PlaybackActivity,
    /// Generations per second; infinite for no limit.
    pub(crate) speed: f64,
    /// Generations per step.
    pub(crate) stride: BigUint,
    pub(crate) is_hyper: bool,
    /// Steps since hyperspeed last doubled the stride.
    steps: u32,
    macro_step: MacroStepTuner,
    /// The measured speed in generations per second, smoothed.
    pub(crate) measured: f64,
}

#[derive(Clone, Debug)]
enum PlaybackActivity {
    Idle,
    Running {
        /// Steps that are due, with a fraction.
        owed: f64,
        /// Generations left of the current step.
        rest: BigUint,
    },
    Going {
        from: BigInt,
        to: BigInt,
        /// Whether this repeats generations that ran before, and so is not a change of its own.
        is_return: bool,
    },
}

/// The speed of a pattern that names none, in steps per second.
pub(crate) const USUAL_SPEED: f64 = 30.0;

impl Default for WorldPlayback {
    fn default() -> Self {
        Self {
            activity: PlaybackActivity::Idle,
            speed: USUAL_SPEED,
            stride: BigUint::one(),
            is_hyper: false,
            steps: 0,
            macro_step: MacroStepTuner::default(),
            measured: 0.0,
        }
    }
}

impl WorldPlayback {
    pub(crate) fn is_busy(&self) -> bool {
        !matches!(self.activity, PlaybackActivity::Idle)
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(self.activity, PlaybackActivity::Running { .. })
    }

    pub(crate) fn is_going(&self) -> bool {
        matches!(self.activity, PlaybackActivity::Going { .. })
    }

    /// The first and the last generation of the way.
    pub(crate) fn span(&self) -> Option<(&BigInt, &BigInt)> {
        match &self.activity {
            PlaybackActivity::Going { from, to, .. } => Some((from, to)),
            _ => None,
        }
    }

    /// Stops all activity.
    pub(crate) fn halt(&mut self) {
        self.activity = PlaybackActivity::Idle;
        self.measured = 0.0;
    }

    fn measure(&mut self, generations: f64, elapsed: Duration) {
        let seconds = elapsed.as_secs_f64();
        if seconds <= 0.0 || !generations.is_finite() {
            return;
        }
        // Smoothed over about half a second.
        let weight = 1.0 - (-seconds / 0.5).exp();
        self.measured += weight * (generations / seconds - self.measured);
    }
}

impl Session {
    pub(crate) fn run(&mut self) -> Result<CommandReply, CommandRefusal> {
        if !self.playback.is_running() {
            self.playback.halt();
            self.playback.activity = PlaybackActivity::Running {
                owed: 0.0,
                rest: BigUint::ZERO,
            };
            self.playback.macro_step = MacroStepTuner::default();
            self.message = None;
        }
        self.revision += 1;
        Ok(CommandReply::default())
    }

    pub(crate) fn stop(&mut self) -> Result<CommandReply, CommandRefusal> {
        self.playback.halt();
        self.revision += 1;
        Ok(CommandReply::default())
    }

    pub(crate) fn step(&mut self, n: Option<&BigUint>) -> Result<CommandReply, CommandRefusal> {
        let n = BigInt::from(n.unwrap_or(&self.playback.stride).clone());
        let to = self.planned_generation(false) + n;
        self.playback.halt();
        self.start_going(to, false)
    }

    pub(crate) fn back(&mut self, n: Option<&BigUint>) -> Result<CommandReply, CommandRefusal> {
        let n = BigInt::from(n.unwrap_or(&self.playback.stride).clone());
        let from = self.planned_generation(true);
        self.playback.halt();
        let to = &from - n;
        let start = self.start();
        if from <= start {
            return Err(CommandRefusal::BeforeStart(to));
        }
        self.return_to(to.max(start), "back")
    }

    pub(crate) fn reset(&mut self) -> Result<CommandReply, CommandRefusal> {
        self.playback.halt();
        self.revision += 1;
        let start = self.start();
        if *self.world.generation() == start {
            return Ok(CommandReply::note("it is at the start already"));
        }
        self.return_to(start, "reset")
    }

    pub(crate) fn go_to(&mut self, generation: &BigInt) -> Result<CommandReply, CommandRefusal> {
        self.playback.halt();
        if generation >= self.world.generation() {
            return self.start_going(generation.clone(), false);
        }
        if *generation < self.start() {
            return Err(CommandRefusal::BeforeStart(generation.clone()));
        }
        self.return_to(generation.clone(), "go to")
    }

    /// Goes to a generation that another world has reached, or to the start where that is later.
    /// A world that is there already is left as it is.
    ///
    /// # Errors
    /// When there is no way back to it.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let mut session = Session::new(FileAccess::default(), 0);
    /// session.go_along(&7.into())?;
    /// assert!(session.is_going());
    /// session.finish_going();
    /// session.go_along(&(-7).into())?;
    /// session.finish_going();
    /// assert_eq!(*session.world().generation(), 0.into());
    /// # Ok::<(), session::CommandRefusal>(())
    /// ```
    pub fn go_along(&mut self, generation: &BigInt) -> Result<(), CommandRefusal> {
        let generation = generation.max(&self.start()).clone();
        if generation != *self.world.generation() || self.is_going() {
            self.go_to(&generation)?;
        }
        Ok(())
    }

    /// Whether it is on its way to a generation.
    #[must_use]
    pub fn is_going(&self) -> bool {
        self.playback.is_going()
    }

    pub(crate) fn cancel(&mut self) -> Result<CommandReply, CommandRefusal> {
        if self.playback.is_going() {
            self.playback.halt();
            self.revision += 1;
            let generation = self.world.generation();
            return Ok(CommandReply::note(format!(
                "stopped at generation {generation}"
            )));
        }
        Ok(CommandReply::default())
    }

    pub(crate) fn set_speed(
        &mut self,
        change: SpeedChange,
    ) -> Result<CommandReply, CommandRefusal> {
        let speed = self.playback.speed;
        // With a tolerance: a slider's value need not be exact.
        let above = |s: &&f64| **s > speed * 1.000_001;
        let below = |s: &&f64| **s < speed * 0.999_999;
        self.playback.speed = match change {
            SpeedChange::To(speed) => speed,
            SpeedChange::Most => f64::INFINITY,
            SpeedChange::Faster => SPEEDS.iter().find(above).copied().unwrap_or(f64::INFINITY),
            SpeedChange::Slower => SPEEDS
                .iter()
                .rev()
                .find(below)
                .copied()
                .unwrap_or(SPEEDS[0]),
        };
        self.playback.macro_step = MacroStepTuner::default();
        if let PlaybackActivity::Running { owed, .. } = &mut self.playback.activity {
            *owed = owed.min(1.0);
        }
        self.revision += 1;
        Ok(CommandReply::default())
    }

    pub(crate) fn set_stride(
        &mut self,
        change: &StrideChange,
    ) -> Result<CommandReply, CommandRefusal> {
        let one = BigUint::one();
        let bits = self.playback.stride.bits();
        let is_power = self.playback.stride == &one << (bits - 1);
        self.playback.stride = match change {
            StrideChange::To(n) => n.clone(),
            StrideChange::Up => one << bits,
            StrideChange::Down if is_power => one << bits.saturating_sub(2),
            StrideChange::Down => one << (bits - 1),
        };
        self.playback.macro_step = MacroStepTuner::default();
        self.revision += 1;
        Ok(CommandReply::default())
    }

    pub(crate) fn set_hyper(&mut self, switch: Switch) -> Result<CommandReply, CommandRefusal> {
        self.playback.is_hyper = switch.of(self.playback.is_hyper);
        self.playback.steps = 0;
        self.revision += 1;
        Ok(CommandReply::default())
    }

    /// Runs what is due after the elapsed time. `go_on` is called now and then; where it returns
    /// false the work stops and continues in the next tick. Returns whether anything changed.
    ///
    /// The caller passes the time: a session has no clock.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    /// use std::time::Duration;
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// for text in ["open glider", "speed 10", "run"] {
    ///     session.apply(&mut viewer, &text.parse()?)?;
    /// }
    /// assert!(session.tick(Duration::from_millis(200), &mut || true));
    /// assert_eq!(session.status(&viewer).generation, "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick(&mut self, elapsed: Duration, go_on: &mut dyn FnMut() -> bool) -> bool {
        let before = self.world.generation().clone();
        match self.playback.activity.clone() {
            PlaybackActivity::Idle => return false,
            PlaybackActivity::Going { to, is_return, .. } => self.tick_going(&to, is_return, go_on),
            PlaybackActivity::Running { owed, rest } => {
                self.tick_running(elapsed, owed, rest, go_on)
            }
        }
        let done = self.world.generation() - &before;
        let has_moved = done.sign() != Sign::NoSign;
        if has_moved && self.playback.is_running() {
            self.reach_mark(&before);
        }
        self.playback
            .measure(done.to_f64().unwrap_or(f64::INFINITY), elapsed);
        if has_moved {
            self.revision += 1;
            if let Ok(population) = self.run_interruptible("run", || self.world.population()) {
                let generation = self.world.generation().clone();
                self.run_series.push_population(generation, population);
                if let Some(counter) = &mut self.change_counter {
                    counter.record(self.world.as_ref(), &mut self.run_series);
                }
            }
            if self.timeline.add_running_time(elapsed) {
                self.keep_checkpoint();
            }
        }
        if !self.playback.is_busy() {
            self.playback.measured = 0.0;
            self.revision += 1;
            self.refresh_periods();
        }
        has_moved || !self.playback.is_busy()
    }

    /// Goes all the way to the target generation.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// session.apply(&mut viewer, &"goto 1000".parse()?)?;
    /// session.finish_going();
    /// assert_eq!(session.status(&viewer).generation, "1000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish_going(&mut self) {
        while self.playback.is_going() {
            self.tick(Duration::ZERO, &mut || true);
        }
    }

    fn tick_going(&mut self, to: &BigInt, is_return: bool, go_on: &mut dyn FnMut() -> bool) {
        if !is_return && !self.prepare_to_run() {
            return;
        }
        let left = to - self.world.generation();
        let left = left.to_biguint().unwrap_or_default();
        if self.advance(&left, go_on) {
            self.playback.halt();
            self.end_step();
        }
    }

    fn tick_running(
        &mut self,
        elapsed: Duration,
        mut owed: f64,
        mut rest: BigUint,
        go_on: &mut dyn FnMut() -> bool,
    ) {
        let stride = self.playback.stride.to_f64().unwrap_or(f64::INFINITY);
        let steps_per_second = self.playback.speed / stride;
        if steps_per_second.is_infinite() {
            return self.tick_flat_out(elapsed, rest, go_on);
        }
        let drawn = (steps_per_second / DRAWN_GENERATIONS_PER_SECOND).max(1.0) as u64;
        self.world
            .set_plan(&AdvancePlan::Steps(&self.playback.stride * drawn));
        owed += elapsed.as_secs_f64() * steps_per_second;
        owed = owed.min((steps_per_second * MAX_OWED_SECONDS).max(1.0));
        while rest > BigUint::ZERO || owed >= 1.0 {
            if !self.prepare_to_run() {
                break;
            }
            // Steps between frames run at once, up to the next doubling of hyperspeed.
            let mut steps = 0;
            if rest == BigUint::ZERO {
                let most = match self.playback.is_hyper {
                    true => STEPS_PER_DOUBLING - self.playback.steps,
                    false => u32::MAX,
                };
                // No more than ages and trails are recorded of.
                let most = match self.trails {
                    Some(_) => most.min((trails::MAX_RECORDED as f64 / stride).max(1.0) as u32),
                    None => most,
                };
                steps = (owed as u32).clamp(1, most);
                owed -= f64::from(steps);
                rest = &self.playback.stride * steps;
            }
            rest = self.up_to_mark(rest);
            let from = self.world.generation().clone();
            let is_there = self.advance(&rest, go_on);
            self.double_if_hyper(steps);
            if !is_there {
                let done = (self.world.generation() - from).to_biguint();
                rest -= done.unwrap_or_default().min(rest.clone());
                break;
            }
            rest = BigUint::ZERO;
            if !go_on() || self.is_at_mark() {
                break;
            }
        }
        if let PlaybackActivity::Running { owed: o, rest: r } = &mut self.playback.activity {
            (*o, *r) = (owed, rest);
        }
    }

    /// Runs without a speed limit.
    fn tick_flat_out(
        &mut self,
        elapsed: Duration,
        mut rest: BigUint,
        go_on: &mut dyn FnMut() -> bool,
    ) {
        let before = self.playback.macro_step.power();
        // Ages and trails need every generation.
        let power = match self.trails {
            Some(_) => {
                let stride = self.playback.stride.clone();
                self.world.set_plan(&AdvancePlan::Steps(stride));
                self.playback.macro_step = MacroStepTuner::default();
                0
            }
            None => {
                self.world.set_plan(&AdvancePlan::Endless);
                let (seconds, engine) = (elapsed.as_secs_f64(), self.world.engine());
                self.playback.macro_step.next(seconds, engine)
            }
        };
        if power != before {
            rest %= &self.playback.stride;
        }
        while self.prepare_to_run() {
            if rest == BigUint::ZERO {
                rest = &self.playback.stride << power;
            }
            rest = self.up_to_mark(rest);
            let from = self.world.generation().clone();
            let is_there = self.advance(&rest, go_on);
            let done = (self.world.generation() - from).to_biguint();
            rest -= done.unwrap_or_default().min(rest.clone());
            if !is_there {
                break;
            }
            self.playback.macro_step.record_step();
            self.double_if_hyper(1);
            if !go_on() || self.is_at_mark() {
                break;
            }
        }
        if let PlaybackActivity::Running { owed: o, rest: r } = &mut self.playback.activity {
            (*o, *r) = (0.0, rest);
        }
    }

    fn double_if_hyper(&mut self, steps: u32) {
        self.playback.steps += steps;
        if self.playback.steps >= STEPS_PER_DOUBLING {
            self.playback.steps = 0;
            if self.playback.is_hyper {
                self.playback.stride <<= 1;
            }
        }
    }

    /// Advances the world; returns whether it went all the way. Where ages and trails are shown,
    /// each generation is recorded as long as that is quick enough.
    fn advance(&mut self, n: &BigUint, go_on: &mut dyn FnMut() -> bool) -> bool {
        let wanted = Arc::clone(&self.go_on);
        let (world, trails) = (&mut *self.world, &mut self.trails);
        let mut advance = |world: &mut dyn World, n: &BigUint| match trails {
            Some(trails) => trails.advance(world, n, go_on),
            None => world.advance(n, &mut |_| go_on()),
        };
        let outcome = with_check(&wanted, || match &mut self.change_counter {
            Some(counter) => counter.advance(world, n, &mut advance),
            None => advance(world, n),
        });
        if self.trails.as_ref().is_some_and(Trails::is_skipping) {
            self.message = Some(trails::SKIPPED.to_string());
        }
        if let Some(exhausted) = self.world.memory_limit_error() {
            self.playback.halt();
            self.message = Some(exhausted.to_string());
        }
        outcome.is_ok()
    }

    /// Prepares for the world to advance: keeps a checkpoint to return to. Returns false where it
    /// was stopped meanwhile.
    fn prepare_to_run(&mut self) -> bool {
        let is_new = self.undo_history.last_mut("run").is_none();
        if !is_new && self.has_checkpoint {
            return true;
        }
        let Ok(checkpoint) = self.run_interruptible("run", || Arc::new(self.checkpoint())) else {
            return false;
        };
        if !self.has_checkpoint {
            if !self.timeline.has(self.world.generation()) {
                self.timeline.push(Arc::clone(&checkpoint));
            }
            self.has_checkpoint = true;
        }
        if self.plot().points().is_empty() {
            let (generation, population) =
                (self.world.generation().clone(), self.world.population());
            self.run_series.push_population(generation, population);
        }
        if is_new {
            let (contents, selection) = (UndoContents::Checkpoint(checkpoint), self.selection);
            let start = self.world.generation().clone();
            self.undo_history.push(UndoStep::new(
                "run",
                contents,
                start,
                selection,
                self.content,
            ));
        }
        true
    }

    /// The generation at the end of the current way, if that leads in this direction: quick
    /// repeated steps add up.
    fn planned_generation(&self, is_return: bool) -> BigInt {
        match &self.playback.activity {
            PlaybackActivity::Going {
                to, is_return: r, ..
            } if *r == is_return => to.clone(),
            _ => self.world.generation().clone(),
        }
    }

    /// The first generation of the timeline.
    pub(super) fn start(&self) -> BigInt {
        let start = self
            .timeline
            .start()
            .map(|checkpoint| checkpoint.cells.generation());
        let now = self.world.generation();
        start.filter(|start| *start < now).unwrap_or(now).clone()
    }

    /// Notes the live cells before a step.
    fn begin_step(&mut self) {
        let before = self.interruptible_read(|session| LiveSegments::of(session.world.as_ref()));
        self.before_step = before.flatten();
    }

    /// Finds out what a step has changed.
    fn end_step(&mut self) {
        let before = self.before_step.take();
        let change = before.and_then(|before| {
            self.interruptible_read(|session| before.change_to(session.world.as_ref()))
        });
        self.last_change = change.flatten();
        self.revision += 1;
    }

    fn start_going(&mut self, to: BigInt, is_return: bool) -> Result<CommandReply, CommandRefusal> {
        let from = self.world.generation().clone();
        let far = &to - &from;
        if !is_return {
            self.begin_step();
        }
        if far.sign() == Sign::NoSign {
            self.end_step();
            return Ok(CommandReply::default());
        }
        self.message = None;
        let steps = far.to_biguint().filter(|far| *far < MAX_STEP_JUMP.into());
        self.world
            .set_plan(&steps.map_or(AdvancePlan::Job, AdvancePlan::Steps));
        self.playback.activity = PlaybackActivity::Going {
            from,
            to,
            is_return,
        };
        self.revision += 1;
        Ok(CommandReply::default())
    }

    /// Returns to an earlier generation from the last checkpoint before it.
    fn return_to(
        &mut self,
        to: BigInt,
        what: &'static str,
    ) -> Result<CommandReply, CommandRefusal> {
        let Some(checkpoint) = self.timeline.before(&to).cloned() else {
            return Err(CommandRefusal::BeforeStart(to));
        };
        let now = self.run_interruptible(what, || self.checkpoint())?;
        self.begin_step();
        let selection = self.selection;
        self.restore(what, &checkpoint)?;
        self.selection = selection;
        // Several returns in a row are undone as one.
        if self.undo_history.last_mut(what).is_none() {
            let start = now.cells.generation().clone();
            let contents = UndoContents::Checkpoint(Arc::new(now));
            self.undo_history.push(UndoStep::new(
                what,
                contents,
                start,
                selection,
                self.content,
            ));
        }
        self.has_checkpoint = true;
        self.start_going(to, true)
    }
}
