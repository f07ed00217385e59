//! Trying the other engine: how much of the time that may take, and when it has won.

use super::pace::EnginePace;
use super::{HEAD_START, Race, RaceStopReason, SECONDS_PER_BYTE, SECONDS_PER_CELL, run_for};
use crate::{AdvancePlan, EngineChoice, Options, Snapshot, World};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// Seconds that a trial takes at least, once it has begun.
pub(super) const MIN_TRIAL: f64 = 0.002;

/// Jobs predicted to take fewer seconds are not worth a trial.
const NOT_WORTH_A_TRIAL: f64 = 0.004;

/// The same where a trial was made before, in vain.
const NOT_WORTH_ANOTHER: f64 = 0.010;

/// The share of the time spent so far that a trial may take.
const MAX_SHARE_OF_SPENT: f64 = 0.15;

/// The share of all time that trials may take together: of 1.3 times what the best engine takes, they
/// get nearly all that is over.
const MAX_SHARE_OF_ALL: f64 = 0.2;

/// The share of the predicted remaining time that a trial may take.
const MAX_SHARE_OF_REMAINING: f64 = 0.03;

/// The other engine's prediction must be below this share of the current one's; both are
/// estimates.
const MARGIN: f64 = 0.85;

/// Predictions over more than this many doublings of what was done are weak.
const MAX_DOUBLINGS: f64 = 5.0;

/// Predictions over more than this many doublings decide nothing for a viewer, who knows how far the
/// current engine has come: a soup that had settled took tiles less and less for a while, which,
/// continued to a thousand million times as far, was quicker than any hashing.
const MAX_VIEWER_DOUBLINGS: f64 = 10.0;

/// An engine that steps learns nothing: for a viewer, its trial ends where it is predicted to take so
/// many times as long.
const HOPELESS: f64 = 100.0;

/// Of a prediction from so far off, no more than so many times what was spent counts.
const FAR_REMAINDER: f64 = 110.0;

/// The share of the predicted total that trials may take together with one that is resumed.
const MAX_SHARE_WITH_RESUMED: f64 = 0.25;

/// A trial whose prediction is at most this many times the current engine's is resumed at the
/// next opportunity, where each generation takes the current engine as long as the last. Where they
/// take longer and longer, what grows is likely to be hashed in the end: twice as many for
/// each power of time above the first.
const PROMISING: f64 = 3.3;
const PROMISING_A_POWER: f64 = 2.0;

/// The share of the predicted total that a trial may take, its set-up included, that is promising, or
/// of which too little is known.
const MAX_SHARE_OF_TOTAL: f64 = 0.35;

/// The same in times of what the current engine has taken, and seconds more: early predictions
/// of the current engine's time can be far too high.
const EXTENSION_OF_SPENT: f64 = 2.5;
const MIN_EXTENSION: f64 = 0.005;

/// A trial that the current engine has been compared with may take so many times what it took.
const MAX_EXTENSION: f64 = 3.0;

/// Before a trial wins that has come further than the current engine, that one goes on for this
/// share of what the trial took.
const CATCH_UP_SHARE: f64 = 0.1;

/// Seconds that a trial may take at once when a viewer waits.
const MAX_WAIT: f64 = 0.1;

/// The share of the time spent so far that a trial may take at once on a grid of finite size
/// where the end is predicted to be far: the world may be seen to repeat long before.
const MAX_SHARE_ON_GRID: f64 = 0.5;

/// From how many times the time spent on that is.
const FAR_ON_GRID: f64 = 100.0;

/// Predictions of more than this many times the time spent are nothing to go by on such a grid.
const TOO_FAR_ON_GRID: f64 = 1000.0;

pub(super) struct EngineTrial {
    pub(super) world: Box<dyn World>,
    pace: EnginePace,
    budget: f64,
    /// The initial state of a job, if that is where the trial began.
    start: Option<Snapshot>,
    leap: Leap,
    /// Up to this generation the current engine was asked to come too.
    compared: BigInt,
}

/// The whole job at once, in which HashLife takes larger steps than in parts that double.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leap {
    /// The trial has not won yet.
    Later,
    Now,
    /// It took longer than was predicted, or the engine steps single generations.
    No,
}

impl Race {
    /// Seconds that a trial may take at once where the rest is predicted to take so many.
    fn max_trial(&self, rest: f64) -> f64 {
        match self.is_far_on_grid(rest, FAR_ON_GRID) {
            true => MIN_TRIAL.max(MAX_SHARE_ON_GRID * self.pace.seconds()),
            false => f64::INFINITY,
        }
    }

    /// Whether the end of a job on a grid of finite size is predicted to take more than so many times
    /// what was spent.
    fn is_far_on_grid(&self, rest: f64, times: f64) -> bool {
        let is_grid = self.world.rule().topology().rect().is_some();
        is_grid && self.has_end() && rest > times * self.pace.seconds()
    }

    /// Starts a trial of the other engine if what is left takes long enough.
    pub(super) fn start_trial(&mut self, left: &BigUint) {
        let spent = self.pace.seconds();
        let rest = self.predicted_seconds(left);
        self.next_trial_at = 2.0 * spent.max(HEAD_START);
        let least = match self.tried > 0.0 && self.has_end() {
            true => NOT_WORTH_ANOTHER,
            false => NOT_WORTH_A_TRIAL,
        };
        let Some(rest) = rest.filter(|rest| *rest >= least) else {
            return;
        };
        let share_of_rest = (MAX_SHARE_OF_REMAINING * rest).min(0.5 * self.max_trial(rest));
        let mut budget = MIN_TRIAL
            .max(MAX_SHARE_OF_SPENT * spent)
            .max(share_of_rest.min(MIN_EXTENSION + EXTENSION_OF_SPENT * spent));
        if !self.has_end() {
            budget = budget.min(MAX_WAIT);
        }
        // All kinds of trials together stay within their share; the first trial does not count. What
        // is predicted from far off allows another one later.
        let is_far = self.pace.doublings(left) > MAX_DOUBLINGS;
        let near = match is_far {
            true => MAX_SHARE_OF_REMAINING * FAR_REMAINDER * spent,
            false => share_of_rest,
        };
        let (part, of_rest) = match self.paused.is_some() {
            true => (4.0 * MAX_SHARE_OF_SPENT, 4.0 * share_of_rest),
            false if self.tried > 0.0 => (MAX_SHARE_OF_ALL, 2.0 * share_of_rest.min(near)),
            false => (MAX_SHARE_OF_ALL, 2.0 * share_of_rest),
        };
        let allowed = 2.0 * MIN_TRIAL + part * (self.ran + self.tried);
        let mut over = self.tried + budget - allowed.max(of_rest);
        if self.paused.is_some() && self.has_end() {
            let of_total = 0.5 * MIN_TRIAL + MAX_SHARE_WITH_RESUMED * (spent + rest);
            over = over.max(self.tried + budget - of_total);
        }
        if over > 0.0 {
            // from far off, what is allowed grows with what was spent
            let wait = if is_far { spent } else { f64::INFINITY };
            self.next_trial_at = spent + wait.min(over / part);
            return;
        }
        if let Some(mut paused) = self.paused.take() {
            paused.budget = paused.pace.running() + budget;
            self.trial = Some(paused);
            return;
        }
        let start = self.start.as_ref().filter(|_| self.has_end());
        let taking = match start {
            Some(start) => start.bytes() as f64 * SECONDS_PER_BYTE,
            None => self.world.population().to_f64().unwrap_or(f64::MAX) * SECONDS_PER_CELL,
        };
        // a shorter trial teaches nothing
        if taking > MIN_TRIAL.max(MAX_SHARE_OF_SPENT * spent) {
            // once this much time has been spent, the trial is affordable
            self.next_trial_at = self.next_trial_at.max(taking / MAX_SHARE_OF_SPENT);
            return;
        }
        let start = self.start.take().filter(|_| self.has_end());
        let begun = self.clock.begin();
        let memory = self.options.memory.saturating_sub(self.world.bytes());
        let options = Options {
            memory,
            ..self.options.clone()
        };
        let Ok(mut world) = (self.open)(self.other(), self.world.rule(), &options) else {
            self.next_trial_at = f64::INFINITY;
            return;
        };
        let is_from_start = start.is_some();
        let start = start.unwrap_or_else(|| self.world.snapshot());
        if world.restore(&start).is_err() {
            return;
        }
        let mut pace = EnginePace::default();
        let seconds = self.clock.seconds_since(&begun);
        if !is_from_start {
            self.tried += seconds;
        }
        pace.record_setup(seconds);
        self.trial = Some(EngineTrial {
            leap: match self.has_end() && self.other() == EngineChoice::Hashlife {
                true => Leap::Later,
                false => Leap::No,
            },
            start: is_from_start.then_some(start),
            compared: self.world.generation().clone(),
            world,
            pace,
            budget,
        });
    }

    /// Continues a trial until it is decided. Returns false if it was cancelled before.
    pub(super) fn continue_trial(
        &mut self,
        goal: &BigInt,
        asked: &mut dyn FnMut() -> bool,
    ) -> bool {
        let before = self
            .trial
            .as_ref()
            .map_or(0.0, |trial| trial.pace.running());
        while let Some(mut trial) = self.trial.take() {
            let here = (goal - self.world.generation())
                .to_biguint()
                .unwrap_or_default();
            let here = self.expected_generations(here);
            let left = match self.has_end() {
                true => (goal - trial.world.generation()).to_biguint(),
                false => Some(here.clone()),
            };
            let Some(left) = left else { return true };
            if self.has_end() && *self.world.generation() >= *goal {
                // the current engine has done it all in the meantime
                return true;
            }
            let rest_here = self.predicted_seconds(&here).unwrap_or(f64::INFINITY);
            let most_running = before + self.max_trial(rest_here);
            let rest = match self.plan {
                AdvancePlan::Steps(_) => trial.pace.predicted_steady_seconds(&left),
                _ if left == BigUint::ZERO => Some(0.0),
                _ => trial.pace.worst_case_seconds(&left),
            };
            // the further a prediction reaches, the less reliable it is
            let doublings = match self.plan {
                AdvancePlan::Steps(_) => 0.0,
                _ => trial.pace.doublings(&left),
            };
            let far = (doublings / MAX_DOUBLINGS).max(1.0);
            let margin = MARGIN / (far * far);
            let is_viewed = self.plan == AdvancePlan::Endless;
            let is_near = !is_viewed || doublings <= MAX_VIEWER_DOUBLINGS;
            let is_better = is_near && rest.is_some_and(|rest| rest < margin * rest_here);
            let is_behind = self.has_end() && trial.world.generation() < self.world.generation();
            let growth = self.pace.growth().map_or(0.0, |power| power - 1.0);
            let promising = PROMISING * PROMISING_A_POWER.powf(growth.max(0.0));
            let hope = match self.plan {
                AdvancePlan::Steps(_) => rest,
                _ => rest.and_then(|_| trial.pace.predicted_seconds(&left)),
            };
            let is_promising = hope.is_none_or(|rest| rest < promising * rest_here);
            let is_hopeless = is_viewed
                && self.other() == self.stepping
                && trial.pace.running() >= MIN_TRIAL
                && hope.is_some_and(|rest| rest > HOPELESS * rest_here);
            if is_hopeless {
                return true;
            }
            let budget = match () {
                // the time to make up for
                () if is_better => trial.pace.running() + MARGIN * rest_here,
                () if is_promising && self.has_end() => self.promising_budget(&trial, rest_here),
                () => 0.0,
            };
            let most = budget.max(trial.budget).min(most_running) - trial.pace.running();
            // what the trial has found out further on, the current engine may find out too
            let ahead = (trial.world.generation() - self.world.generation()).to_biguint();
            let is_done = left == BigUint::ZERO;
            let ahead = ahead.filter(|_| self.has_end() && trial.leap != Leap::Now && !is_done);
            if (is_better || is_promising && most <= 0.0)
                && let Some(ahead) = ahead
                && *trial.world.generation() > trial.compared
            {
                trial.compared = trial.world.generation().clone();
                let most = CATCH_UP_SHARE * trial.pace.running();
                let end = self.step(&ahead, most, asked);
                self.trial = Some(trial);
                match end {
                    RaceStopReason::Cancelled => return false,
                    _ => continue,
                }
            }
            if is_better && !is_behind && trial.leap == Leap::Later {
                trial.leap = Leap::Now;
                trial.budget = trial.pace.running() + 2.0 * rest.unwrap_or_default();
                // what it has learnt on the way it keeps
                if let Some(start) = trial.start.take()
                    && trial.world.restore(&start).is_err()
                {
                    return true;
                }
                self.trial = Some(trial);
                continue;
            }
            // Where a cycle may end the run at any moment, only who has done it all has won.
            let may_switch =
                left == BigUint::ZERO || !self.is_far_on_grid(rest_here, TOO_FAR_ON_GRID);
            if is_better && !is_behind && trial.leap != Leap::Now && may_switch {
                return self.switch_engines(trial, rest_here);
            }
            if most <= 0.0 {
                if is_promising {
                    self.paused = Some(trial);
                    self.next_trial_at = 1.25 * self.pace.seconds().max(HEAD_START);
                }
                return true;
            }
            let before = trial.pace.running();
            let n = match &self.plan {
                AdvancePlan::Job if trial.leap == Leap::Now || trial.world.cycle().is_some() => {
                    left
                }
                AdvancePlan::Job => trial.pace.next().min(left),
                AdvancePlan::Steps(n) => n.clone(),
                AdvancePlan::Endless => trial.pace.next(),
            };
            let end = run_for(
                &mut *trial.world,
                &mut trial.pace,
                &n,
                most,
                &mut self.clock,
                asked,
            );
            self.tried += trial.pace.running() - before;
            if trial.leap == Leap::Now && !matches!(end, RaceStopReason::Cancelled) {
                trial.leap = Leap::No;
                let left = (goal - self.world.generation()).to_biguint();
                if let Some(left) = left.filter(|_| matches!(end, RaceStopReason::TimedOut)) {
                    // there is more to do than was predicted, perhaps for both
                    let most = CATCH_UP_SHARE * trial.pace.running();
                    if let RaceStopReason::Cancelled = self.step(&left, most, asked) {
                        self.trial = Some(trial);
                        return false;
                    }
                    // it begins anew, and what it has learnt it does at once
                    trial.pace.clear();
                    trial.budget = MIN_TRIAL;
                }
            }
            match end {
                RaceStopReason::Completed | RaceStopReason::TimedOut => self.trial = Some(trial),
                RaceStopReason::Cancelled => {
                    self.trial = Some(trial);
                    return false;
                }
                RaceStopReason::OutOfMemory => return true,
            }
        }
        true
    }

    /// Seconds that a trial may take that is promising, or of which too little is known.
    fn promising_budget(&self, trial: &EngineTrial, rest_here: f64) -> f64 {
        let spent = self.pace.seconds();
        let setup = trial.pace.seconds() - trial.pace.running();
        let of_total = MAX_SHARE_OF_TOTAL * (spent + rest_here) - setup;
        let at = trial.world.generation();
        let is_compared = at <= self.world.generation() || *at <= trial.compared;
        of_total.min(match is_compared {
            true => MAX_EXTENSION * trial.pace.running().max(MIN_EXTENSION),
            false => MIN_EXTENSION + EXTENSION_OF_SPENT * spent,
        })
    }

    /// Replaces the current engine by the one that was tried.
    fn switch_engines(&mut self, mut trial: EngineTrial, rest_here: f64) -> bool {
        let before = self.world.engine();
        let at = self.world.generation().clone();
        // the replaced engine becomes the paused trial, and keeps its tables
        if !self.has_end()
            && *trial.world.generation() != at
            && trial.world.restore(&self.world.snapshot()).is_err()
        {
            return true;
        }
        self.world = trial.world;
        self.world.set_memory_limit(self.options.memory);
        self.next_trial_at = 2.0 * trial.pace.seconds().max(HEAD_START);
        self.pace = trial.pace;
        self.longest = BigUint::ZERO;
        self.forget_trials();
        let engine = self.world.engine();
        self.engine_reason = match self.has_end() {
            true => format!(
                "{engine}, after {before} up to generation {at}: {} to go were expected with that",
                seconds(rest_here),
            ),
            false => format!("it runs quicker than {before}, which ran up to generation {at}"),
        };
        true
    }
}

/// In words.
fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", 1000.0 * s),
        s if s < 1e6 => format!("{s:.1} s"),
        _ => "years".into(),
    }
}
