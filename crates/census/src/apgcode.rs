//! The canonical apgcode of an object: the least code over all its phases and orientations
//! (Adam P. Goucher, apgsearch and lifelib; LifeWiki, "Apgcode").
//!
//! The code of cells as they lie is [`pattern::apgcode::encode`]; here the object's period is
//! found and the least code is chosen.

use crate::{BoxStepper, LatticeIsometry, StateBox, rule_repeats};
use grid::State;
use rule::Rule;

/// The longest code, without its prefix, that an object gets.
const MAX_CODE_LENGTH: usize = 1280;

/// The largest phase that gets a code, in cells of its box with a margin of one cell.
const MAX_CODED_AREA: usize = 40_000;

/// While a period is looked for, the phases are kept as long as their boxes have no more cells.
const MAX_KEPT_CELLS: usize = 1 << 23;

/// Cells of all generations together after which it is found out whether the box swells.
pub(crate) const WORK_BEFORE_SWELLING: usize = 1 << 17;

/// How far a period is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrbitLimits {
    /// The longest period.
    pub period: u64,
    /// The largest box of one generation, in cells.
    pub area: usize,
    /// The most cells that the boxes of all generations may have together, of a rule of two states
    /// that the 3 x 3 block decides; fewer for others, which are slower.
    pub memory: usize,
}

impl Default for OrbitLimits {
    fn default() -> Self {
        Self {
            period: 65_536,
            area: 1 << 17,
            memory: 1 << 28,
        }
    }
}

/// Why no period was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AperiodicCause {
    /// It became periodic, or died, without coming back to where it began.
    Transient,
    /// It passed a limit first.
    Limit,
}

/// One period of an object: what it looks like in each generation until it is as it was, moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodicOrbit {
    /// The generation of the first phase; it matters for rules that depend on it.
    pub generation: u64,
    /// The cells of each generation, as many as the period is long.
    pub phases: Vec<StateBox>,
    /// Columns to the right in one period.
    pub dx: i64,
    /// Rows down in one period.
    pub dy: i64,
}

/// An object as it is named: the code, and the cells that the code gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalObject {
    /// The apgcode, with its prefix.
    pub code: String,
    /// Its cells, in the phase and orientation of the code. Of an object that is too large for
    /// a code, the first phase.
    pub cells: StateBox,
}

impl PeriodicOrbit {
    /// Runs `cells` until they are as they were at first, perhaps moved.
    ///
    /// # Errors
    /// When they do not come back, or not within the limits.
    ///
    /// ```
    /// use census::{BoxStepper, OrbitLimits, PeriodicOrbit, StateBox};
    ///
    /// let glider = pattern::Pattern::from_text("bo$2bo$3o!")?.cells;
    /// let glider = StateBox::from_pattern(&glider, 100).ok_or("large")?;
    /// let mut stepper = BoxStepper::new(&"B3/S23".parse()?);
    /// let orbit = PeriodicOrbit::find(&mut stepper, &glider, 0, &OrbitLimits::default());
    /// let orbit = orbit.map_err(|_| "not periodic")?;
    /// assert_eq!((orbit.period(), orbit.dx, orbit.dy), (4, 1, 1));
    /// let isometries = census::rule_isometries(stepper.rule());
    /// assert_eq!(orbit.canonical(stepper.rule(), &isometries).code, "xq4_153");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(
        stepper: &mut BoxStepper,
        cells: &StateBox,
        generation: u64,
        limits: &OrbitLimits,
    ) -> Result<Self, AperiodicCause> {
        // All phases so far; of what becomes large only the last, and the others are run again
        // once it is known that they make a period, which most of such cells have not.
        let mut phases = vec![cells.clone()];
        let mut memory = cells.area();
        // Brent's method: the marker stands at the last power of two.
        let (mut marker, mut marked, mut next_marker) = (0, cells.clone(), 1);
        let mut may_swell = true;
        for age in 1..=limits.period {
            let now = stepper.step(&phases[phases.len() - 1], generation + age - 1);
            let rule = stepper.rule();
            let repeats = |earlier: &StateBox, ages: u64| {
                let (dx, dy) = (now.x - earlier.x, now.y - earlier.y);
                earlier.is_congruent(&now) && rule_repeats(rule, ages, dx, dy)
            };
            if repeats(cells, age) {
                let (dx, dy) = (now.x - cells.x, now.y - cells.y);
                if memory > MAX_KEPT_CELLS {
                    phases = stepper.run(cells, generation).take(age as usize).collect();
                }
                return Ok(Self {
                    generation,
                    phases,
                    dx,
                    dy,
                });
            }
            if now.is_empty() || repeats(&marked, age - marker) {
                return Err(AperiodicCause::Transient);
            }
            memory += now.area();
            if now.area() > limits.area || memory > limits.memory / stepper.cost() {
                break;
            }
            if may_swell && memory > WORK_BEFORE_SWELLING {
                may_swell = false;
                if limits.period > age && stepper.swells(cells, limits.area) {
                    break;
                }
            }
            if age == next_marker {
                (marker, marked, next_marker) = (age, now.clone(), 2 * age);
            }
            if memory > MAX_KEPT_CELLS {
                phases.clear();
            }
            phases.push(now);
        }
        Err(AperiodicCause::Limit)
    }

    /// Generations until it is as it was.
    #[must_use]
    pub fn period(&self) -> u64 {
        self.phases.len() as u64
    }

    /// Whether it moves.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        (self.dx, self.dy) != (0, 0)
    }

    /// The cells `age` generations after the first phase, or before it.
    #[must_use]
    pub fn at(&self, age: i64) -> StateBox {
        let period = self.phases.len() as i64;
        let rounds = age.div_euclid(period);
        let phase = &self.phases[age.rem_euclid(period) as usize];
        phase.translated(rounds * self.dx, rounds * self.dy)
    }

    /// The orbit of those cells whose state `counts`; of the others, none.
    pub(crate) fn figure(&self, counts: impl Fn(State) -> bool) -> Self {
        let keep = |phase: &StateBox| {
            let cells: Vec<_> = phase.cells().filter(|&(_, state)| counts(state)).collect();
            StateBox::from_cells(cells.into_iter())
        };
        Self {
            phases: self.phases.iter().map(keep).collect(),
            ..*self
        }
    }

    /// The code and the cells that it gives: the least code by length, then as text, over the
    /// phases and the orientations. Phases in which the rule is another are left out. An object
    /// that is too large has a code that begins with `ov_` and tells no cells.
    #[must_use]
    pub fn canonical(&self, rule: &Rule, isometries: &[LatticeIsometry]) -> CanonicalObject {
        let (period, population) = (self.period(), self.phases[0].population());
        let kind = match (self.is_moving(), period) {
            (true, _) => format!("q{period}"),
            (false, 1) => format!("s{population}"),
            (false, _) => format!("p{period}"),
        };
        let mut least: Option<CanonicalObject> = None;
        let cycle = rule.time_period() as u64;
        for (age, phase) in (self.generation..).zip(&self.phases) {
            if age % cycle != 0 || (phase.width() + 2) * (phase.height() + 2) > MAX_CODED_AREA {
                continue;
            }
            for isometry in isometries {
                let cells = isometry.image(phase);
                let Ok(code) = pattern::apgcode::encode("", &cells.to_pattern()) else {
                    continue;
                };
                let key = |code: &str| (code.len(), code.to_owned());
                let is_less = least
                    .as_ref()
                    .is_none_or(|best| key(&code) < key(&best.code));
                if code.len() <= MAX_CODE_LENGTH + 1 && is_less {
                    least = Some(CanonicalObject { code, cells });
                }
            }
        }
        match least {
            Some(CanonicalObject { code, cells }) => CanonicalObject {
                code: format!("x{kind}{code}"),
                cells,
            },
            None => CanonicalObject {
                code: format!("ov_{kind}"),
                cells: self.phases[0].clone(),
            },
        }
    }
}

/// The cells of an apgcode that tells them, and `None` for other codes.
///
/// ```
/// assert_eq!(census::decode("xs6_696").map(|beehive| beehive.population()), Some(6));
/// assert_eq!(census::decode("zz_REPLICATOR"), None);
/// ```
#[must_use]
pub fn decode(code: &str) -> Option<StateBox> {
    let format = pattern::Format::Apgcode;
    let pattern = pattern::read_as(code.as_bytes(), format).ok()?;
    StateBox::from_pattern(&pattern.cells, 1 << 24)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::Point;

    /// A blinker and a block so far apart that its two phases are more than is kept on the way.
    #[test]
    fn phases_that_were_not_kept_are_run_again() {
        let blinker = [0, 1, 2].map(|x| Point::new(x, 0));
        let block = [0, 1, 2, 3].map(|at| Point::new(2200 + at % 2, 2200 + at / 2));
        let cells = StateBox::from_points(&[&blinker[..], &block].concat());
        assert!(2 * cells.area() > MAX_KEPT_CELLS);
        let mut stepper = BoxStepper::new(&"B3/S23".parse().unwrap());
        let limits = OrbitLimits {
            area: usize::MAX,
            ..OrbitLimits::default()
        };
        let orbit = PeriodicOrbit::find(&mut stepper, &cells, 0, &limits).unwrap();
        let phases: Vec<_> = stepper.run(&cells, 0).take(2).collect();
        assert_eq!((orbit.dx, orbit.dy), (0, 0));
        assert_eq!(orbit.phases, phases);
    }
}
