//! Agars: periodic patterns that tile the plane.

use crate::BlockRule;
use crate::problem::{
    AllowedStates, CellTable, CellTerm, PopulationLimits, SearchProblem, TransitionConstraint,
};
use crate::question::{
    FixedCell, QuestionError, check_fixed, check_population, check_size, holds_always, primes_of,
};
use rule::{ConfigurationTable, Rule};

/// A pattern on a torus that is the same again after `period` generations.
#[derive(Clone, Debug)]
pub struct AgarQuestion {
    /// The rule, without a topology.
    pub rule: Rule,
    /// Generations until it repeats.
    pub period: u32,
    /// The torus's columns.
    pub width: u32,
    /// The torus's rows.
    pub height: u32,
    /// Columns by which the copy below is moved to the right.
    pub shift: i64,
    /// Whether a pattern that repeats earlier counts too.
    pub subperiod: bool,
    /// Whether the pattern without a live cell counts too.
    pub empty: bool,
    /// How many cells of the torus are live.
    pub population: PopulationLimits,
    /// Cells that are known.
    pub fixed: Vec<FixedCell>,
}

impl AgarQuestion {
    /// An agar of this period, tiles in a rectangular grid.
    #[must_use]
    pub fn new(rule: Rule, period: u32, width: u32, height: u32) -> Self {
        Self {
            rule,
            period,
            width,
            height,
            shift: 0,
            subperiod: false,
            empty: false,
            population: PopulationLimits::default(),
            fixed: Vec::new(),
        }
    }

    /// The unknown cells and what must hold between them.
    ///
    /// ```
    /// use search::{AgarQuestion, ProblemSolver, SatOptions, SatSearch, SearchFlow, SearchAnswer};
    ///
    /// // houndstooth, the agar of period 2 on a torus of 4 x 4
    /// let agar = AgarQuestion::new("B3/S23".parse()?, 2, 4, 4);
    /// let mut search = SatSearch::new(agar.problem()?, SatOptions::default());
    /// assert!(matches!(search.solve(&mut |_, _| SearchFlow::Continue), SearchAnswer::Found(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A question that contradicts itself or the rule.
    pub fn problem(&self) -> Result<SearchProblem, QuestionError> {
        let rule = self.check()?;
        let size = self.width * self.height;
        let mut problem = SearchProblem {
            domains: vec![AllowedStates::below(rule.states()); (size * self.period) as usize],
            transitions: self.transitions(&rule),
            some_live: Vec::new(),
            some_differ: Vec::new(),
            not_greater: Vec::new(),
            population: self.population,
            most_in_first: true,
            generations: (0..self.period)
                .map(|generation| CellTable {
                    width: self.width,
                    cells: (generation * size..(generation + 1) * size)
                        .map(CellTerm::Unknown)
                        .collect(),
                })
                .collect(),
            places: (0..size * self.period)
                .map(|unknown| {
                    let place = unknown % size;
                    (unknown / size, place % self.width, place / self.width)
                })
                .collect(),
            rule,
        };
        if !self.empty {
            problem.some_live.push((0..size).collect());
        }
        if !self.subperiod {
            let differs = |prime: u32| {
                let earlier = self.period / prime * size;
                let pair = |cell| (CellTerm::Unknown(cell), CellTerm::Unknown(earlier + cell));
                (0..size).map(pair).collect()
            };
            problem.some_differ = primes_of(self.period).map(differs).collect();
        }
        for cell in &self.fixed {
            let unknown = cell.generation * size + cell.y * self.width + cell.x;
            let domain = &mut problem.domains[unknown as usize];
            *domain = domain.intersection(cell.states);
        }
        Ok(problem)
    }

    fn check(&self) -> Result<BlockRule, QuestionError> {
        let size = (self.width, self.height);
        let rule = check_size(&self.rule, size, self.period)?;
        check_population(self.population)?;
        check_fixed(&self.fixed, size, self.period)?;
        Ok(rule)
    }

    fn transitions(&self, rule: &BlockRule) -> Vec<TransitionConstraint> {
        let mut transitions = Vec::new();
        for generation in 0..self.period {
            for y in 0..i64::from(self.height) {
                for x in 0..i64::from(self.width) {
                    let step = TransitionConstraint {
                        generation,
                        block: ConfigurationTable::OFFSETS.map(|(dx, dy)| {
                            self.term(generation, x + i64::from(dx), y + i64::from(dy))
                        }),
                        next: self.term((generation + 1) % self.period, x, y),
                    };
                    if !holds_always(rule, &step) {
                        transitions.push(step);
                    }
                }
            }
        }
        transitions
    }

    /// A cell of the plane.
    fn term(&self, generation: u32, x: i64, y: i64) -> CellTerm {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        let copies = y.div_euclid(height);
        let y = y.rem_euclid(height);
        let x = (x - copies * (self.shift % width)).rem_euclid(width);
        let unknown = (i64::from(generation) * height + y) * width + x;
        CellTerm::Unknown(unknown as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exhaustive, ProblemSolver, SatOptions, SatSearch, SearchAnswer, SearchFlow};
    use grid::State;
    use std::collections::BTreeSet;

    fn all(solver: &mut dyn ProblemSolver) -> BTreeSet<Vec<State>> {
        let mut found = BTreeSet::new();
        while let SearchAnswer::Found(states) = solver.solve(&mut |_, _| SearchFlow::Continue) {
            let excluded: Vec<_> = (0..).zip(states.iter().copied()).collect();
            solver.exclude(&excluded);
            found.insert(states);
        }
        found
    }

    #[test]
    fn engines_agree_on_small_tori() {
        for (rule, period, width, height, shift, count) in [
            ("B3/S23", 1, 3, 3, 0, None),
            // every second column is live
            ("B3/S23", 1, 4, 1, 0, Some(2)),
            ("B3/S23", 2, 3, 3, 0, None),
            ("B3/S23", 1, 5, 2, 2, None),
            ("B2-a3/S12", 2, 4, 2, 1, None),
            ("B2/S/3", 3, 3, 1, 1, None),
            ("B2/S34H", 2, 2, 4, -1, None),
            ("B1/S1", 1, 1, 1, 0, Some(0)),
            ("B03/S23", 2, 3, 2, 0, None),
            // every cell has eight live neighbours
            ("B/S8", 1, 2, 2, 0, Some(1)),
        ] {
            let question = AgarQuestion {
                shift,
                ..AgarQuestion::new(rule.parse().expect("a rule"), period, width, height)
            };
            let problem = question.problem().expect("a question");
            let expected = all(&mut Exhaustive::new(problem.clone()));
            let found = all(&mut SatSearch::new(problem, SatOptions::default()));
            assert_eq!(found, expected, "{question:?}");
            if let Some(count) = count {
                assert_eq!(found.len(), count, "{question:?}");
            }
        }
    }
}
