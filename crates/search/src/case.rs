//! Questions with their problems: what a solution of each is checked by, and which solutions are
//! the same.

use crate::cells::narrow_formula;
use crate::distinct::SolutionImages;
use crate::fill::{FillError, FillPattern};
use crate::found_pattern::{self, FoundPattern, FoundPatternError};
use crate::{
    AgarQuestion, AllowedStates, CellOrder, CellTerm, PeriodicQuestion, PredecessorQuestion,
    QuestionError, SearchEngine, SearchProblem, narrow_problem,
};
use census::StateBox;
use engine::{NaiveWorld, Tiles, World};
use grid::{Point, State};
use rule::{Axis, Rule, Topology};
use std::collections::BTreeSet;

/// A question with its problem.
pub trait SearchCase: Send {
    /// The problem, with the cells that are told.
    fn problem(&self) -> &SearchProblem;

    /// The problem as an engine gets it: perhaps with fewer images of one solution.
    fn problem_for(&self, _engine: SearchEngine, _order: CellOrder) -> SearchProblem {
        self.problem().clone()
    }

    /// The pattern of a solution, run by an engine.
    ///
    /// # Errors
    /// A solution that is none: an error in the program.
    fn pattern_of(&self, solution: &[State]) -> Result<FoundPattern, FoundPatternError>;

    /// What tells two patterns apart: those with the same key are told once.
    fn key(&self, found: &FoundPattern) -> String {
        let cells = found.cells.cells();
        cells
            .map(|(p, state)| format!("{},{},{state} ", p.x, p.y))
            .collect()
    }

    /// Lists of unknowns with the states that they have in this solution or in an image of it: a
    /// later solution agrees with none of the lists.
    fn exclusions(&self, solution: &[State]) -> Vec<Vec<(u32, State)>> {
        vec![self.problem().first_generation(solution)]
    }
}

/// A pattern that repeats, in one direction.
#[derive(Clone, Debug)]
pub struct PeriodicCase {
    question: PeriodicQuestion,
    problem: SearchProblem,
}

impl PeriodicCase {
    /// # Errors
    /// A question that contradicts itself or the rule.
    pub fn new(question: PeriodicQuestion) -> Result<Self, QuestionError> {
        let problem = question.problem()?;
        Ok(Self { question, problem })
    }
}

impl SearchCase for PeriodicCase {
    fn problem(&self) -> &SearchProblem {
        &self.problem
    }

    fn problem_for(&self, engine: SearchEngine, order: CellOrder) -> SearchProblem {
        let narrow = match engine {
            SearchEngine::Cells => narrow_problem(&self.question, order).ok(),
            SearchEngine::Sat => narrow_formula(&self.question).ok(),
        };
        narrow.unwrap_or_else(|| self.problem.clone())
    }

    fn pattern_of(&self, solution: &[State]) -> Result<FoundPattern, FoundPatternError> {
        FoundPattern::of(&self.question, &self.problem, solution)
    }

    fn key(&self, found: &FoundPattern) -> String {
        found.apgcode.clone().unwrap_or_default()
    }

    fn exclusions(&self, solution: &[State]) -> Vec<Vec<(u32, State)>> {
        SolutionImages::new(&self.question.rule, &self.problem).images(solution)
    }
}

/// A pattern that goes through generations that are known in part: parents of a target, and
/// histories that are drawn.
#[derive(Clone, Debug)]
pub struct HistoryCase {
    rule: Rule,
    problem: SearchProblem,
    /// The first generation's upper left cell, in coordinates of what is asked for.
    corner: Point,
    /// What is asked for, by generation: cells with the states that they may have.
    asked: Vec<(u32, Point, AllowedStates)>,
}

impl HistoryCase {
    /// The parents of a target.
    ///
    /// # Errors
    /// A question that contradicts itself or the rule.
    pub fn of_parents(question: &PredecessorQuestion) -> Result<Self, QuestionError> {
        let reach = i64::from(question.reach());
        let asked = question.target.iter().zip(0_i64..).map(|(&states, index)| {
            let width = i64::from(question.width);
            (
                question.generations,
                Point::new(index % width, index / width),
                states,
            )
        });
        Ok(Self {
            rule: question.rule.clone(),
            problem: question.problem()?,
            corner: Point::new(-reach, -reach),
            asked: asked.collect(),
        })
    }

    /// A history that is drawn.
    ///
    /// # Errors
    /// Fewer than two generations, a rule that cannot be searched, or a box that is too large.
    pub fn of_drawing(drawing: &FillPattern, rule: &Rule) -> Result<Self, FillError> {
        let asked = drawing.fixed_cells().into_iter().map(|cell| {
            (
                cell.generation,
                Point::new(i64::from(cell.x), i64::from(cell.y)),
                cell.states,
            )
        });
        Ok(Self {
            rule: rule.clone(),
            problem: drawing.history_problem(rule)?,
            corner: Point::new(0, 0),
            asked: asked.collect(),
        })
    }
}

impl SearchCase for HistoryCase {
    fn problem(&self) -> &SearchProblem {
        &self.problem
    }

    fn pattern_of(&self, solution: &[State]) -> Result<FoundPattern, FoundPatternError> {
        let table = &self.problem.generations[0];
        let first = found_pattern::placed(&table.states(solution), table.width);
        let first = first.translated(self.corner.x, self.corner.y);
        let mut world = Tiles::new(self.rule.clone())?;
        world.load(&first.to_pattern())?;
        let last = self.asked.iter().map(|asked| asked.0).max().unwrap_or(0);
        for generation in 0..=last {
            let mut asked = self.asked.iter().filter(|asked| asked.0 == generation);
            if !asked.all(|&(_, p, states)| states.contains(world.get(p))) {
                return Err(FoundPatternError::Wrong(
                    "it does not become what was drawn",
                ));
            }
            found_pattern::step(&mut world)?;
        }
        Ok(FoundPattern {
            population: first.population(),
            cells: first,
            ..FoundPattern::default()
        })
    }
}

/// An agar.
#[derive(Clone, Debug)]
pub struct AgarCase {
    question: AgarQuestion,
    problem: SearchProblem,
}

impl AgarCase {
    /// # Errors
    /// A question that contradicts itself or the rule.
    pub fn new(question: AgarQuestion) -> Result<Self, QuestionError> {
        let problem = question.problem()?;
        Ok(Self { question, problem })
    }

    /// The rule on the torus.
    #[must_use]
    pub fn rule(&self) -> Rule {
        let shift = self
            .question
            .shift
            .rem_euclid(i64::from(self.question.width));
        self.question.rule.with_topology(Topology::Torus {
            width: self.question.width.into(),
            height: self.question.height.into(),
            shift: (shift != 0).then_some((Axis::Horizontal, shift)),
        })
    }
}

impl SearchCase for AgarCase {
    fn problem(&self) -> &SearchProblem {
        &self.problem
    }

    fn pattern_of(&self, solution: &[State]) -> Result<FoundPattern, FoundPatternError> {
        let states = |generation: usize| {
            let table = &self.problem.generations[generation % self.problem.generations.len()];
            found_pattern::placed(&table.states(solution), table.width)
        };
        let (width, height) = (
            i64::from(self.question.width),
            i64::from(self.question.height),
        );
        // a bounded grid lies around the origin
        let corner = Point::new(-(width / 2), -(height / 2));
        let first = states(0).translated(corner.x, corner.y);
        let mut world = NaiveWorld::new(self.rule());
        world.load(&first.to_pattern())?;
        let mut population = u64::MAX;
        for generation in 1..=self.problem.generations.len() {
            found_pattern::step(&mut world)?;
            let next = states(generation).translated(corner.x, corner.y);
            population = population.min(next.population());
            if StateBox::from_pattern(&world.cells(), 1 << 24) != Some(next) {
                return Err(FoundPatternError::Wrong("a generation differs"));
            }
        }
        Ok(FoundPattern {
            cells: first,
            population,
            period: Some(self.question.period.into()),
            ..FoundPattern::default()
        })
    }

    /// Agars that are moved are the same.
    fn exclusions(&self, solution: &[State]) -> Vec<Vec<(u32, State)>> {
        if self.question.shift != 0 || self.problem.rule.time_period() > 1 {
            return vec![self.problem.first_generation(solution)];
        }
        let (width, height) = (self.question.width as usize, self.question.height as usize);
        let first = &self.problem.generations[0].cells;
        let mut lists = BTreeSet::new();
        for table in &self.problem.generations {
            let states = table.states(solution);
            for (dx, dy) in (0..width).flat_map(|dx| (0..height).map(move |dy| (dx, dy))) {
                let moved = (0..width * height).filter_map(|index| {
                    let (x, y) = ((index % width + dx) % width, (index / width + dy) % height);
                    match first[index] {
                        CellTerm::Unknown(unknown) => Some((unknown, states[y * width + x])),
                        CellTerm::Known(_) => None,
                    }
                });
                lists.insert(moved.collect::<Vec<_>>());
            }
        }
        lists.into_iter().collect()
    }
}
