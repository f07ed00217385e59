//! Solutions that differ: up to the symmetries of the rule, translation and phase, which is what an
//! apgcode says. Own method.

use crate::{ProblemSolver, SearchControl, SearchProblem, SolverAnswer};
use census::{BoxStepper, LatticeIsometry, OrbitLimits, PeriodicOrbit, StateBox, rule_isometries};
use grid::{Point, State};
use rule::Rule;
use std::collections::HashSet;

/// A solution that no other one before it is an image of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistinctSolution {
    /// The states of the unknowns.
    pub assignment: Vec<State>,
    /// The apgcode of all of it as one object.
    pub code: String,
    /// The true period.
    pub period: u64,
    /// Columns to the right in a period.
    pub dx: i64,
    /// Rows down in a period.
    pub dy: i64,
}

/// What a search for the next distinct solution ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DistinctAnswer {
    /// One more.
    Found(DistinctSolution),
    /// All have been found.
    Exhausted,
    /// It was stopped; calling again goes on.
    Stopped,
}

/// Lists solutions of a periodic question that are not images of each other.
///
/// ```
/// use search::{CellSearch, CellSearchOptions, DistinctAnswer, DistinctSolutions};
/// use search::{PeriodicQuestion, SearchFlow};
///
/// let life: rule::Rule = "B3/S23".parse()?;
/// let problem = PeriodicQuestion::new(life.clone(), 1, 4, 4).problem()?;
/// let mut search = CellSearch::new(problem.clone(), CellSearchOptions::default());
/// let mut distinct = DistinctSolutions::new(&life, problem);
/// let mut codes = Vec::new();
/// while let DistinctAnswer::Found(find) = distinct.next(&mut search, &mut |_, _| SearchFlow::Continue) {
///     codes.push(find.code);
/// }
/// codes.sort();
/// // block, tub, boat, snake, ship, carrier, beehive, pond, and the long ones of six and seven
/// assert!(codes.contains(&"xs4_33".to_owned()) && codes.contains(&"xs7_2596".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DistinctSolutions {
    problem: SearchProblem,
    stepper: BoxStepper,
    isometries: Vec<LatticeIsometry>,
    codes: HashSet<String>,
}

impl DistinctSolutions {
    /// Of a problem of a rule, when nothing has been found.
    #[must_use]
    pub fn new(rule: &Rule, problem: SearchProblem) -> Self {
        Self {
            problem,
            stepper: BoxStepper::new(rule),
            isometries: rule_isometries(rule),
            codes: HashSet::new(),
        }
    }

    /// Lets a solver search until it finds what is no image of those before, and excludes the
    /// images of all that it finds.
    pub fn next(
        &mut self,
        solver: &mut dyn ProblemSolver,
        control: &mut SearchControl<'_>,
    ) -> DistinctAnswer {
        loop {
            match solver.solve(control) {
                SolverAnswer::Exhausted => return DistinctAnswer::Exhausted,
                SolverAnswer::Stopped => return DistinctAnswer::Stopped,
                SolverAnswer::Found(assignment) => {
                    for image in self.images(&assignment) {
                        solver.exclude(&image);
                    }
                    let solution = self.describe(assignment);
                    if self.codes.insert(solution.code.clone()) {
                        return DistinctAnswer::Found(solution);
                    }
                }
            }
        }
    }

    /// What a solution is.
    #[must_use]
    pub fn describe(&mut self, assignment: Vec<State>) -> DistinctSolution {
        let cells = self.generation(0, &assignment);
        let cells = StateBox::from_cells(cells.into_iter());
        let limits = OrbitLimits::default();
        match PeriodicOrbit::find(&mut self.stepper, &cells, 0, &limits) {
            Ok(orbit) => DistinctSolution {
                code: orbit.canonical(self.stepper.rule(), &self.isometries).code,
                period: orbit.period(),
                dx: orbit.dx,
                dy: orbit.dy,
                assignment,
            },
            // it is not periodic by itself: no cell moved is the same
            Err(_) => DistinctSolution {
                code: format!("{assignment:?}"),
                period: 0,
                dx: 0,
                dy: 0,
                assignment,
            },
        }
    }

    /// The first generations of all images of a solution that are solutions too, as states of
    /// unknowns: in all phases, turned and mirrored as the rule allows, and moved in the box. The
    /// solution itself is the first.
    #[must_use]
    pub fn images(&self, assignment: &[State]) -> Vec<Vec<(u32, State)>> {
        let problem = &self.problem;
        let first = self.first_generation(assignment);
        let mut images = vec![first];
        let orbit = self.orbit(assignment);
        for phase in 0..problem.generations.len() {
            for isometry in &self.isometries {
                let phases: Vec<Vec<(Point, State)>> = orbit
                    [phase..phase + problem.generations.len()]
                    .iter()
                    .map(|cells| {
                        let moved = cells.iter().map(|&(p, state)| (isometry.apply(p), state));
                        moved.collect()
                    })
                    .collect();
                self.add_translations(&phases, &mut images);
            }
        }
        images
    }

    fn add_translations(
        &self,
        phases: &[Vec<(Point, State)>],
        images: &mut Vec<Vec<(u32, State)>>,
    ) {
        let all = || phases.iter().flatten().map(|&(p, _)| p);
        let (Some(left), Some(top)) = (all().map(|p| p.x).min(), all().map(|p| p.y).min()) else {
            return;
        };
        let right = all().map(|p| p.x).max().unwrap_or(left);
        let bottom = all().map(|p| p.y).max().unwrap_or(top);
        let table = &self.problem.generations[0];
        let width = i64::from(table.width);
        let height = table.cells.len() as i64 / width;
        for dy in -top..height - bottom {
            for dx in -left..width - right {
                let Some(assignment) = self.assign(phases, dx, dy) else {
                    continue;
                };
                let image = self.first_generation(&assignment);
                if !images.contains(&image) && self.problem.is_solved_by(&assignment) {
                    images.push(image);
                }
            }
        }
    }

    /// The states of all unknowns where cells stand somewhere in the box.
    fn assign(&self, phases: &[Vec<(Point, State)>], dx: i64, dy: i64) -> Option<Vec<State>> {
        let mut assignment = vec![0; self.problem.unknowns()];
        let tables = self.problem.generations.iter();
        let pairs = || tables.clone().zip(phases);
        for (table, cells) in pairs() {
            for &(p, state) in cells {
                let index = (p.y + dy) * i64::from(table.width) + p.x + dx;
                match table.cells[index as usize] {
                    crate::CellTerm::Unknown(unknown) => assignment[unknown as usize] = state,
                    crate::CellTerm::Known(known) if known != state => return None,
                    crate::CellTerm::Known(_) => {}
                }
            }
        }
        // a symmetric box may have given a cell's state to its images
        let is_same = pairs().all(|(table, cells)| {
            let states = table.states(&assignment);
            let live = states.iter().filter(|&&state| state != 0).count();
            live == cells.len()
        });
        is_same.then_some(assignment)
    }

    fn first_generation(&self, assignment: &[State]) -> Vec<(u32, State)> {
        let cells = self.problem.generations[0].cells.iter();
        let mut first: Vec<(u32, State)> = cells
            .filter_map(|term| match *term {
                crate::CellTerm::Unknown(unknown) => Some((unknown, assignment[unknown as usize])),
                crate::CellTerm::Known(_) => None,
            })
            .collect();
        first.sort_unstable();
        first.dedup();
        first
    }

    /// The live cells of a generation.
    fn generation(&self, generation: usize, assignment: &[State]) -> Vec<(Point, State)> {
        let table = &self.problem.generations[generation];
        let width = table.width as usize;
        let states = table.states(assignment).into_iter().enumerate();
        states
            .filter(|&(_, state)| state != 0)
            .map(|(index, state)| {
                (
                    Point::new((index % width) as i64, (index / width) as i64),
                    state,
                )
            })
            .collect()
    }

    /// The cells of two periods, run from the first generation.
    fn orbit(&self, assignment: &[State]) -> Vec<Vec<(Point, State)>> {
        let period = self.problem.generations.len();
        let mut stepper = BoxStepper::new(self.stepper.rule());
        let mut now = StateBox::from_cells(self.generation(0, assignment).into_iter());
        let mut orbit = Vec::new();
        for generation in 0..2 * period as u64 {
            orbit.push(now.cells().collect());
            now = stepper.step(&now, generation);
        }
        orbit
    }
}
