//! A pattern that was found: run by an engine that knows nothing of the search, and named.

use crate::{PeriodicQuestion, SearchProblem, image_in_box};
use census::{BoxStepper, OrbitLimits, PeriodicOrbit, StateBox, rule_isometries};
use engine::{Tiles, UnsupportedError, World};
use grid::{Point, State};
use num_bigint::BigUint;
use pattern::Cells;
use rule::Rule;
use thiserror::Error;

/// A pattern with what was found of it by running it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundPattern {
    /// Its cells, as they lie in the box.
    pub cells: StateBox,
    /// Generations until it is as it was, moved or not, where it repeats.
    pub period: Option<u64>,
    /// Columns to the right in a period.
    pub dx: i64,
    /// Rows down in a period.
    pub dy: i64,
    /// The least number of live cells in any generation of a period; else in the first.
    pub population: u64,
    /// The apgcode: equal for all images and generations of one pattern that repeats.
    pub apgcode: Option<String>,
}

/// What a search found is not what was asked for: an error in the program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FoundPatternError {
    /// The engine refuses the cells.
    #[error("what was found cannot be run: {0}")]
    Unsupported(#[from] UnsupportedError),
    /// The cells do not do what the question asks for.
    #[error("what was found is not what was asked for: {0}")]
    Wrong(&'static str),
}

impl FoundPattern {
    /// Runs the cells of the first generation of a solution, and compares.
    ///
    /// ```
    /// use search::{Exhaustive, FoundPattern, PeriodicQuestion, ProblemSolver, SearchFlow, SearchAnswer};
    ///
    /// let question = PeriodicQuestion::new("B3/S23".parse()?, 2, 3, 3);
    /// let problem = question.problem()?;
    /// let answer = Exhaustive::new(problem.clone()).solve(&mut |_, _| SearchFlow::Continue);
    /// let SearchAnswer::Found(states) = answer else { panic!("the blinker") };
    /// let found = FoundPattern::of(&question, &problem, &states)?;
    /// assert_eq!((found.apgcode.as_deref(), found.period), (Some("xp2_7"), Some(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A solution that does not repeat as the question asks, leaves the box, or cannot be run.
    pub fn of(
        question: &PeriodicQuestion,
        problem: &SearchProblem,
        assignment: &[State],
    ) -> Result<Self, FoundPatternError> {
        let generation = |index: usize| {
            let table = &problem.generations[index];
            placed(&table.states(assignment), table.width)
        };
        let first = generation(0);
        let mut world = Tiles::new(question.rule.clone())?;
        world.load(&first.to_pattern())?;
        for index in 1..problem.generations.len() {
            step(&mut world)?;
            if StateBox::from_pattern(&world.cells(), MAX_AREA).as_ref() != Some(&generation(index))
            {
                return Err(FoundPatternError::Wrong("a generation differs"));
            }
        }
        step(&mut world)?;
        let image = |(p, state): (Point, State)| {
            let p = image_in_box(question.transform, question.width, question.height, p);
            (Point::new(p.x + question.dx, p.y + question.dy), state)
        };
        let images: Vec<_> = first.cells().map(image).collect();
        let last = StateBox::from_cells(images.into_iter());
        if StateBox::from_pattern(&world.cells(), MAX_AREA) != Some(last) {
            return Err(FoundPatternError::Wrong("it does not repeat"));
        }
        Self::named(&question.rule, first)
    }

    /// What cells are that repeat: their period, their way, their code.
    ///
    /// # Errors
    /// Cells that do not repeat.
    pub fn named(rule: &Rule, cells: StateBox) -> Result<Self, FoundPatternError> {
        if cells.is_empty() {
            let apgcode = Some("xs0_0".to_owned());
            return Ok(Self {
                cells,
                period: Some(1),
                apgcode,
                ..Self::default()
            });
        }
        let limits = OrbitLimits::default();
        let orbit = PeriodicOrbit::find(&mut BoxStepper::new(rule), &cells, 0, &limits)
            .map_err(|_| FoundPatternError::Wrong("it has no period"))?;
        let population = orbit.phases.iter().map(StateBox::population).min();
        Ok(Self {
            period: Some(orbit.period()),
            dx: orbit.dx,
            dy: orbit.dy,
            population: population.unwrap_or(0),
            apgcode: Some(orbit.canonical(rule, &rule_isometries(rule)).code),
            cells,
        })
    }

    /// The cells as a pattern.
    #[must_use]
    pub fn pattern(&self) -> Cells {
        self.cells.to_pattern()
    }
}

/// The largest box that a generation is compared in.
const MAX_AREA: u64 = 1 << 24;

/// The live cells of a box, row by row.
pub(crate) fn placed(states: &[State], width: u32) -> StateBox {
    let cells = states.iter().enumerate().map(|(index, &state)| {
        let (x, y) = (index % width as usize, index / width as usize);
        (Point::new(x as i64, y as i64), state)
    });
    StateBox::from_cells(cells)
}

/// One generation.
pub(crate) fn step(world: &mut dyn World) -> Result<(), FoundPatternError> {
    let advanced = world.advance(&BigUint::from(1_u32), &mut |_| true);
    advanced.map_err(|_| FoundPatternError::Wrong("it does not step"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exhaustive, ProblemSolver, SearchAnswer, SearchFlow};

    #[test]
    fn whatever_the_oracle_finds_runs_as_it_should() {
        let rules = [
            "B3/S23",
            "B36/S125",
            "B2/S34H",
            "B2-a3i/S12k",
            "B0/S",
            "B2/S/3",
        ];
        let questions = rules.iter().flat_map(|text| {
            let rule: Rule = text.parse().expect(text);
            let of = move |period| PeriodicQuestion::new(rule.clone(), period, 3, 3);
            [of(1), of(2), of(2).moving(0, 1), of(2).moving(1, 1)]
        });
        let mut found = 0;
        for question in questions {
            // the rule asked for has two tables
            let Ok(problem) = question.problem() else {
                continue;
            };
            let mut solver = Exhaustive::new(problem.clone());
            let mut nodes = 0;
            let mut control = |_: &_, _: crate::PartialAssignment<'_>| {
                nodes += 1;
                if nodes < 50 {
                    SearchFlow::Continue
                } else {
                    SearchFlow::Stop
                }
            };
            while let SearchAnswer::Found(states) = solver.solve(&mut control) {
                let pattern = FoundPattern::of(&question, &problem, &states);
                let pattern = pattern.unwrap_or_else(|error| panic!("{}: {error}", question.rule));
                assert_eq!(
                    u64::from(question.period) % pattern.period.unwrap_or(1),
                    0,
                    "{pattern:?}"
                );
                found += 1;
            }
        }
        assert!(found > 20, "{found}");
    }

    #[test]
    fn what_is_wrong_is_told() {
        let question = PeriodicQuestion::new("B3/S23".parse().expect("Life"), 2, 3, 3);
        let problem = question.problem().expect("a question");
        let wrong = |states: &[State]| FoundPattern::of(&question, &problem, states);
        let blinker = [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0];
        assert!(wrong(&blinker).is_ok());
        let mut other = blinker;
        other[17] = 1;
        assert_eq!(
            wrong(&other),
            Err(FoundPatternError::Wrong("a generation differs"))
        );
        let mut other = blinker;
        other[0] = 1;
        assert!(wrong(&other).is_err());
    }
}
