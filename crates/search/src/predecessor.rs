//! What came before: parents of a target, some generations back, and with them whether a target is
//! an orphan, which no pattern becomes.

use crate::BlockRule;
use crate::problem::{
    AllowedStates, CellTable, CellTerm, PopulationLimits, SearchProblem, TransitionConstraint,
};
use crate::question::{MAX_PROBLEM_CELLS, QuestionError};
use rule::{ConfigurationTable, Rule};

/// A pattern that becomes the target after some generations.
///
/// The parent's box is larger than the target by a cell on each side for each generation: no cell
/// further away has an influence. So where there is no parent, and [`Self::exact`] is not asked
/// for, a world that contains the target has none either.
#[derive(Clone, Debug)]
pub struct PredecessorQuestion {
    /// The rule, without a topology.
    pub rule: Rule,
    /// The target's columns.
    pub width: u32,
    /// The target, row by row: the states that each cell may have. A cell that may have all is not
    /// asked for.
    pub target: Vec<AllowedStates>,
    /// Generations from the parent to the target.
    pub generations: u32,
    /// So many rows and columns of dead cells around the target are asked for too.
    pub margin: u32,
    /// Whether all cells outside the boxes of all generations are dead: the parent, alone in the
    /// plane, becomes the target and nothing else. Then "none" speaks of the box.
    pub exact: bool,
    /// How many cells of the parent are live.
    pub population: PopulationLimits,
}

impl PredecessorQuestion {
    /// The parents of a target, one generation back, without a margin.
    #[must_use]
    pub fn new(rule: Rule, width: u32, target: Vec<AllowedStates>) -> Self {
        Self {
            rule,
            width,
            target,
            generations: 1,
            margin: 0,
            exact: false,
            population: PopulationLimits::default(),
        }
    }

    /// Columns and rows of the target with its margin.
    fn asked_size(&self) -> (u64, u64) {
        let height = (self.target.len() as u64).checked_div(u64::from(self.width));
        let margin = 2 * u64::from(self.margin);
        (u64::from(self.width) + margin, height.unwrap_or(0) + margin)
    }

    /// The target with its margin: columns, rows, and the states that each cell may have.
    ///
    /// ```
    /// use search::{PredecessorQuestion, AllowedStates};
    ///
    /// let cell = vec![AllowedStates::only(1)];
    /// let question = PredecessorQuestion { margin: 1, ..PredecessorQuestion::new("B3/S23".parse()?, 1, cell) };
    /// let (width, height, cells) = question.asked_cells();
    /// assert_eq!((width, height), (3, 3));
    /// assert_eq!((cells[0], cells[4]), (AllowedStates::only(0), AllowedStates::only(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn asked_cells(&self) -> (u32, u32, Vec<AllowedStates>) {
        let (width, height) = self.asked_size();
        let (width, height) = (width as u32, height as u32);
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let cells = places.map(|(x, y)| self.target_states(x, y)).collect();
        (width, height, cells)
    }

    /// How far the parent's box reaches beyond the target on each side.
    ///
    /// ```
    /// use search::{PredecessorQuestion, AllowedStates};
    ///
    /// let cell = vec![AllowedStates::only(1)];
    /// let question = PredecessorQuestion { margin: 2, ..PredecessorQuestion::new("B3/S23".parse()?, 1, cell) };
    /// assert_eq!(question.reach(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reach(&self) -> u32 {
        self.margin.saturating_add(self.generations)
    }

    /// The unknown cells and what must hold between them. Its generations are the parent and what
    /// comes of it, up to the one before the target; each is smaller than the one before.
    ///
    /// ```
    /// use search::{PredecessorQuestion, ProblemSolver, SatOptions, SatSearch, SearchFlow, SearchAnswer, AllowedStates};
    ///
    /// let block = vec![AllowedStates::only(1); 4];
    /// let question = PredecessorQuestion { margin: 2, ..PredecessorQuestion::new("B3/S23".parse()?, 2, block) };
    /// let mut search = SatSearch::new(question.problem()?, SatOptions::default());
    /// assert!(matches!(search.solve(&mut |_, _| SearchFlow::Continue), SearchAnswer::Found(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A rule that cannot be searched, no cells or generations, or too many of them.
    pub fn problem(&self) -> Result<SearchProblem, QuestionError> {
        let rule = BlockRule::new(&self.rule)?;
        let (width, height) = self.asked_size();
        let (side_a, side_b) = (
            u64::from(self.width),
            height.saturating_sub(2 * u64::from(self.margin)),
        );
        if side_a * side_b == 0 || self.generations == 0 {
            return Err(QuestionError::NoCells {
                width: self.width,
                height: side_b as u32,
                period: self.generations,
            });
        }
        let grown = 2 * u64::from(self.generations);
        let cells = (width + grown).saturating_mul(height + grown);
        if cells.saturating_mul(u64::from(self.generations)) > MAX_PROBLEM_CELLS {
            return Err(QuestionError::TooLarge {
                width: self.width,
                height: side_b as u32,
                period: self.generations,
            });
        }
        Ok(self.checked_problem(rule))
    }

    fn checked_problem(&self, rule: BlockRule) -> SearchProblem {
        let (width, height) = self.asked_size();
        let all = AllowedStates::below(rule.states());
        let mut domains = Vec::new();
        let mut places = Vec::new();
        let mut unknown = |domain: AllowedStates, place: (u32, u32, u32)| {
            domains.push(domain);
            places.push(place);
            CellTerm::Unknown(places.len() as u32 - 1)
        };
        // one box inside the other; the last is the target
        let mut boxes: Vec<CellTable> = Vec::new();
        for generation in 0..self.generations {
            let grown = 2 * u64::from(self.generations - generation);
            let (width, height) = ((width + grown) as u32, (height + grown) as u32);
            let cells = (0..width * height)
                .map(|index| unknown(all, (generation, index % width, index / width)))
                .collect();
            boxes.push(CellTable { width, cells });
        }
        let mut is_asked = Vec::new();
        let cells = (0..width * height).map(|index| {
            let (x, y) = ((index % width) as u32, (index / width) as u32);
            let states = self.target_states(x, y);
            is_asked.push(states.intersection(all) != all);
            match states.single() {
                Some(state) => CellTerm::Known(state),
                // where nothing is asked, nothing follows
                None if states.intersection(all) == all => CellTerm::Known(0),
                None => unknown(states, (self.generations, x, y)),
            }
        });
        let cells = cells.collect();
        boxes.push(CellTable {
            width: width as u32,
            cells,
        });
        let transitions = self.transitions(&rule, &boxes, &is_asked);
        boxes.truncate(self.generations as usize);
        SearchProblem {
            rule,
            domains,
            transitions,
            some_live: Vec::new(),
            some_differ: Vec::new(),
            not_greater: Vec::new(),
            population: self.population,
            most_in_first: true,
            generations: boxes,
            places,
        }
    }

    /// The states that a cell of the target with its margin may have.
    fn target_states(&self, x: u32, y: u32) -> AllowedStates {
        let (x, y) = (x.checked_sub(self.margin), y.checked_sub(self.margin));
        let index = x.zip(y).filter(|&(x, _)| x < self.width);
        let index = index.map(|(x, y)| y as usize * self.width as usize + x as usize);
        let states = index.and_then(|index| self.target.get(index));
        states.copied().unwrap_or(AllowedStates::only(0))
    }

    fn transitions(
        &self,
        rule: &BlockRule,
        boxes: &[CellTable],
        is_asked: &[bool],
    ) -> Vec<TransitionConstraint> {
        let tables = rule.time_period() as u32;
        // the target stands at a generation that is a multiple of the tables' number
        let first = (tables - self.generations % tables) % tables;
        let around = if self.exact { 2 } else { 0 };
        let mut transitions = Vec::new();
        for (generation, pair) in (0..).zip(boxes.windows(2)) {
            let [before, after] = pair else { continue };
            let is_target = generation + 1 == self.generations;
            let (width, height) = (i64::from(after.width), after.height());
            for y in -around..height + around {
                for x in -around..width + around {
                    let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
                    if is_inside && is_target && !is_asked[(y * width + x) as usize] {
                        continue;
                    }
                    transitions.push(TransitionConstraint {
                        generation: (first + generation) % tables,
                        block: ConfigurationTable::OFFSETS.map(|(dx, dy)| {
                            before.term(x + 1 + i64::from(dx), y + 1 + i64::from(dy))
                        }),
                        next: after.term(x, y),
                    });
                }
            }
        }
        transitions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exhaustive, ProblemSolver, SatOptions, SatSearch, SearchAnswer, SearchFlow};
    use dice::Dice;

    fn states_of(text: &str) -> Vec<AllowedStates> {
        let cells = text.bytes().filter(|&cell| cell != b'/');
        let states = cells.map(|cell| match cell {
            b'o' => AllowedStates::only(1),
            b'.' => AllowedStates::only(0),
            _ => AllowedStates::below(2),
        });
        states.collect()
    }

    fn count(solver: &mut dyn ProblemSolver, limit: usize) -> usize {
        let mut count = 0;
        while count < limit
            && let SearchAnswer::Found(states) = solver.solve(&mut |_, _| SearchFlow::Continue)
        {
            count += 1;
            let states: Vec<_> = (0..).zip(states).collect();
            solver.exclude(&states);
        }
        count
    }

    #[test]
    fn parents_of_a_cell_are_counted() {
        // 512 arrangements of a block: 140 give a live cell in Life (56 + 56 + 28)
        for (target, parents) in [("o", 140), (".", 372), ("?", 512)] {
            let question =
                PredecessorQuestion::new("B3/S23".parse().expect("Life"), 1, states_of(target));
            let problem = question.problem().expect("a question");
            assert_eq!(count(&mut Exhaustive::new(problem.clone()), 600), parents);
            assert_eq!(
                count(&mut SatSearch::new(problem, SatOptions::default()), 600),
                parents
            );
        }
    }

    #[test]
    fn engines_agree_on_small_targets() {
        let mut dice = Dice::new(4);
        for _ in 0..12 {
            let rule = dice
                .pick(&["B3/S23", "B1/S", "B2-a3/S12", "B2/S34H", "B02/S1"])
                .expect("rules");
            let target: Vec<AllowedStates> = (0..4)
                .map(|_| {
                    dice.pick(&[AllowedStates::only(0), AllowedStates::only(1)])
                        .expect("two")
                })
                .collect();
            let question = PredecessorQuestion {
                exact: dice.coin(),
                ..PredecessorQuestion::new(rule.parse().expect("a rule"), 2, target)
            };
            let problem = question.problem().expect("a question");
            let expected = count(&mut Exhaustive::new(problem.clone()), 150);
            let found = count(&mut SatSearch::new(problem, SatOptions::default()), 150);
            assert_eq!(found, expected, "{question:?}");
        }
    }

    #[test]
    fn parents_become_their_target() {
        for (rule, width, target, generations) in [
            ("B3/S23", 3, ".o./..o/ooo", 1),
            ("B3/S23", 3, ".o./..o/ooo", 2),
            ("B3/S23", 4, "oooo/?..o/o.?o/oooo", 1),
            ("B36/S23", 5, "o.o.o/.o.o./o.o.o", 1),
            ("B02/S1", 3, "ooo/o.o/ooo", 3),
        ] {
            let question = PredecessorQuestion {
                generations,
                margin: 2,
                exact: true,
                ..PredecessorQuestion::new(rule.parse().expect("a rule"), width, states_of(target))
            };
            let problem = question.problem().expect("a question");
            let mut search = SatSearch::new(problem.clone(), SatOptions::default());
            let answer = search.solve(&mut |_, _| SearchFlow::Continue);
            let SearchAnswer::Found(states) = answer else {
                panic!("{target} has a parent: {answer:?}");
            };
            assert!(problem.is_solved_by(&states));
        }
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let cell = |generations, margin| PredecessorQuestion {
            generations,
            margin,
            ..PredecessorQuestion::new("B3/S23".parse().expect("Life"), 1, states_of("o"))
        };
        assert!(matches!(
            cell(0, 0).problem(),
            Err(QuestionError::NoCells { .. })
        ));
        assert!(matches!(
            cell(1, 3000).problem(),
            Err(QuestionError::TooLarge { .. })
        ));
        assert!(matches!(
            cell(u32::MAX, u32::MAX).problem(),
            Err(QuestionError::TooLarge { .. })
        ));
    }
}
