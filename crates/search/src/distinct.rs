//! The images of a solution in its box: in all generations, turned, mirrored and moved. Whoever
//! lists solutions excludes them all at once. Own method.

use crate::SearchProblem;
use census::{BoxStepper, LatticeIsometry, StateBox, rule_isometries};
use grid::{Point, State};
use rule::Rule;

/// Finds the images of the solutions of a problem.
#[derive(Clone, Debug)]
pub(crate) struct SolutionImages<'a> {
    problem: &'a SearchProblem,
    stepper: BoxStepper,
    isometries: Vec<LatticeIsometry>,
}

impl<'a> SolutionImages<'a> {
    /// Of a problem of a rule.
    pub(crate) fn new(rule: &Rule, problem: &'a SearchProblem) -> Self {
        Self {
            problem,
            stepper: BoxStepper::new(rule),
            isometries: rule_isometries(rule),
        }
    }

    /// The first generations of all images of a solution that are solutions too, as states of
    /// unknowns: in all phases, turned and mirrored as the rule allows, and moved in the box. The
    /// solution itself is the first.
    pub(crate) fn images(&mut self, assignment: &[State]) -> Vec<Vec<(u32, State)>> {
        let problem = self.problem;
        let first = problem.first_generation(assignment);
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
                let image = self.problem.first_generation(&assignment);
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
    fn orbit(&mut self, assignment: &[State]) -> Vec<Vec<(Point, State)>> {
        let period = self.problem.generations.len();
        let mut now = StateBox::from_cells(self.generation(0, assignment).into_iter());
        let mut orbit = Vec::new();
        for generation in 0..2 * period as u64 {
            orbit.push(now.cells().collect());
            now = self.stepper.step(&now, generation);
        }
        orbit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exhaustive, PeriodicQuestion, ProblemSolver, SearchAnswer, SearchFlow};
    use std::collections::BTreeSet;

    #[test]
    fn images_are_the_solutions_that_are_the_same_pattern() {
        let rule: Rule = "B3/S23".parse().expect("Life");
        for (period, width, height) in [(1, 4, 4), (2, 4, 4)] {
            let question = PeriodicQuestion::new(rule.clone(), period, width, height);
            let problem = question.problem().expect("a question");
            let mut solver = Exhaustive::new(problem.clone());
            let mut all = BTreeSet::new();
            while let SearchAnswer::Found(states) = solver.solve(&mut |_, _| SearchFlow::Continue) {
                all.insert(states);
            }
            // of all solutions together each is an image of the first of its kind
            let mut kinds = 0;
            let mut left: BTreeSet<_> = all.iter().map(|s| problem.first_generation(s)).collect();
            for states in &all {
                if left.contains(&problem.first_generation(states)) {
                    for image in SolutionImages::new(&rule, &problem).images(states) {
                        assert!(
                            left.remove(&image),
                            "an image is no solution, or of another kind"
                        );
                    }
                    kinds += 1;
                }
            }
            // thirteen still lifes; blinker, toad, beacon and what else has period 2 in 4 x 4
            assert!(left.is_empty() && kinds >= 3, "{period} {kinds}");
        }
    }
}
