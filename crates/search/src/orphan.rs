//! Looks for orphans: targets that no pattern becomes. A beam search gives the target one cell after
//! the other and keeps those with the fewest parents so far, counted by the transfer of columns.
//! Own method; the energy is that of N. Beluchenko's and A. Flammenkamp's searches, the number of
//! parents.

use crate::parent_count::{
    MAX_COUNT_HEIGHT, ParentCountError, Profile, WEIGHTS_PER_CONTROL, block_table, transposed,
};
use crate::solver::{SearchControl, SearchFlow, SearchProgress};
use crate::{BlockRule, BoxSymmetry, QuestionError, image_in_box, keeps_symmetry};
use dice::Dice;
use grid::{Point, State};
use std::collections::VecDeque;
use thiserror::Error;

/// A search for orphans cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrphanError {
    /// Parents cannot be counted.
    #[error(transparent)]
    Count(#[from] ParentCountError),
    /// The symmetry does not fit.
    #[error(transparent)]
    Question(#[from] QuestionError),
}

/// How a search for an orphan ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrphanAnswer {
    /// No pattern becomes these cells, row by row.
    Found(Vec<State>),
    /// None of the targets that were kept is an orphan. This is no proof that there is none.
    NotFound,
    /// It was stopped, and cannot go on.
    Stopped,
}

/// A target under way.
struct Candidate {
    /// Cells that are decided, line by line.
    cells: Vec<bool>,
    profile: Profile<f32>,
    /// The logarithm of what the weights were divided by.
    scale: f64,
    /// The logarithm of the number of parents.
    energy: f64,
}

impl Candidate {
    /// Sets its energy, and makes its weights at most 1.
    fn weigh(&mut self, control: &mut dyn FnMut() -> SearchFlow) -> SearchFlow {
        let (mut total, mut largest) = (0.0, 0.0_f32);
        for weights in self.profile.weights.chunks(WEIGHTS_PER_CONTROL) {
            for &weight in weights {
                total += f64::from(weight);
                largest = largest.max(weight);
            }
            if control() == SearchFlow::Stop {
                return SearchFlow::Stop;
            }
        }
        self.energy = self.scale + total.ln();
        if largest > 0.0 {
            for weights in self.profile.weights.chunks_mut(WEIGHTS_PER_CONTROL) {
                for weight in weights {
                    *weight /= largest;
                }
                if control() == SearchFlow::Stop {
                    return SearchFlow::Stop;
                }
            }
            self.scale += f64::from(largest).ln();
        }
        SearchFlow::Continue
    }
}

/// A beam search for an orphan in a box.
///
/// It holds 2^(2 h + 8) bytes for each of its targets, where `h` is the shorter side of the box.
pub struct OrphanSearch {
    table: Vec<bool>,
    width: u32,
    height: u32,
    symmetry: BoxSymmetry,
    beam: usize,
    dice: Dice,
    /// Those that do not have the next cell yet, and those that do.
    candidates: VecDeque<Candidate>,
    further: Vec<Candidate>,
    /// Cells of the parent that have been passed.
    passed: u32,
    nodes: u64,
    is_stopped: bool,
}

impl OrphanSearch {
    /// Before the first cell. Of `beam` targets at a time the search goes on with both states of
    /// the next cell; the seed chooses between equals.
    ///
    /// ```
    /// use search::{BoxSymmetry, OrphanAnswer, OrphanSearch, SearchFlow};
    ///
    /// // where nothing is ever born, a live cell is an orphan
    /// let mut search = OrphanSearch::new(&"B/S".parse()?, (2, 2), BoxSymmetry::C1, 4, 1)?;
    /// assert!(matches!(search.run(&mut |_, _| SearchFlow::Continue), OrphanAnswer::Found(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A rule of more than two states, or one that cannot be searched; a box both of whose sides
    /// are too long; a symmetry that box or rule cannot have.
    pub fn new(
        rule: &rule::Rule,
        (width, height): (u32, u32),
        symmetry: BoxSymmetry,
        beam: usize,
        seed: u64,
    ) -> Result<Self, OrphanError> {
        let table = block_table(rule)?;
        if width == 0 || height == 0 {
            return Err(ParentCountError::NoCells.into());
        }
        let is_large = u64::from(width) * u64::from(height) > 1 << 16;
        if width.min(height) > MAX_COUNT_HEIGHT || is_large {
            return Err(ParentCountError::TooLarge { width, height }.into());
        }
        if symmetry.needs_square() && width != height {
            let what = symmetry.to_string();
            return Err(OrphanError::Question(QuestionError::NotSquare {
                what,
                width,
                height,
            }));
        }
        let block_rule = BlockRule::new(rule).map_err(ParentCountError::Rule)?;
        let elements = symmetry.elements();
        if !elements.iter().all(|&e| keeps_symmetry(&block_rule, e)) {
            return Err(OrphanError::Question(QuestionError::RuleAsymmetric {
                rule: rule.to_string(),
                symmetry: symmetry.to_string(),
            }));
        }
        let table = if height <= width {
            table
        } else {
            transposed(&table)
        };
        let first = Candidate {
            cells: Vec::new(),
            profile: Profile::new(width.min(height), 1.0, 0),
            scale: 0.0,
            energy: 0.0,
        };
        Ok(Self {
            table,
            width,
            height,
            symmetry,
            beam: beam.max(1),
            dice: Dice::new(seed),
            candidates: [first].into(),
            further: Vec::new(),
            passed: 0,
            nodes: 0,
            is_stopped: false,
        })
    }

    /// Lines, and cells of a line: the lines are the shorter.
    fn shape(&self) -> (u32, u32) {
        (self.width.max(self.height), self.width.min(self.height))
    }

    /// The place of a cell in the order of the search.
    fn index(&self, x: u32, y: u32) -> usize {
        let (line, place) = if self.height <= self.width {
            (x, y)
        } else {
            (y, x)
        };
        (line * self.shape().1 + place) as usize
    }

    /// Goes to the end of the box, or to an orphan. The control is asked every few milliseconds.
    pub fn run(&mut self, control: &mut SearchControl<'_>) -> OrphanAnswer {
        let (lines, length) = self.shape();
        let steps = (lines + 2) * (length + 2);
        while !self.is_stopped && self.passed < steps {
            let progress = SearchProgress {
                nodes: self.nodes,
                depth: u64::from(self.passed),
                share: Some(f64::from(self.passed) / f64::from(steps)),
                bytes: (self.candidates.len() as u64 * 4) << (2 * length + 6),
            };
            let best = self.candidates[0].cells.clone();
            let places = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
            let places: Vec<usize> = places.map(|(x, y)| self.index(x, y)).collect();
            let state = |unknown: u32| {
                let cell = best.get(places[unknown as usize]);
                cell.map(|&cell| State::from(cell))
            };
            let control = &mut || control(&progress, &state);
            let found = match self.step(control) {
                SearchFlow::Continue => self.orphan(control),
                SearchFlow::Stop => None,
            };
            match found {
                Some(Some(states)) => return OrphanAnswer::Found(states),
                Some(None) => {}
                None => self.is_stopped = true,
            }
        }
        match self.is_stopped {
            true => OrphanAnswer::Stopped,
            false => OrphanAnswer::NotFound,
        }
    }

    /// The least logarithm of the number of parents that a target has so far.
    #[must_use]
    pub fn energy(&self) -> f64 {
        let best = self.candidates.front().or(self.further.first());
        best.map_or(f64::NAN, |best| best.energy)
    }

    /// One cell of the parents further.
    fn step(&mut self, control: &mut dyn FnMut() -> SearchFlow) -> SearchFlow {
        let (_, length) = self.shape();
        let (line, place) = (self.passed / (length + 2), self.passed % (length + 2));
        self.passed += 1;
        let asked = line.checked_sub(2).zip(place.checked_sub(2));
        let forced = asked.and_then(|(line, place)| self.image_before(line, place));
        while let Some(candidate) = self.candidates.pop_front() {
            let last = match (asked, forced) {
                (None, _) => None,
                (_, Some(index)) => Some(candidate.cells[index]),
                // the weights of the last state take the place of those before
                (_, None) => {
                    let Some(profile) = candidate.profile.copy(control) else {
                        return SearchFlow::Stop;
                    };
                    let dead = Candidate {
                        cells: candidate.cells.clone(),
                        profile,
                        ..candidate
                    };
                    if self.extend(dead, Some(false), control) == SearchFlow::Stop {
                        return SearchFlow::Stop;
                    }
                    Some(true)
                }
            };
            if self.extend(candidate, last, control) == SearchFlow::Stop {
                return SearchFlow::Stop;
            }
        }
        let mut next = std::mem::take(&mut self.further);
        // equals in random order; mirror images have the same energy, and one is enough
        self.dice.shuffle(&mut next);
        next.sort_by(|a, b| a.energy.total_cmp(&b.energy));
        next.dedup_by(|a, b| a.energy == b.energy);
        next.truncate(self.beam);
        self.candidates = next.into();
        SearchFlow::Continue
    }

    /// Gives a target its next cell, if it gets one.
    fn extend(
        &mut self,
        mut candidate: Candidate,
        state: Option<bool>,
        control: &mut dyn FnMut() -> SearchFlow,
    ) -> SearchFlow {
        candidate.cells.extend(state);
        self.nodes += u64::from(state.is_some());
        let asked = state.map(|state| (&self.table[..], state));
        let mut flow = candidate.profile.advance(asked, control);
        if flow == SearchFlow::Continue {
            flow = candidate.weigh(control);
        }
        self.further.push(candidate);
        flow
    }

    /// The best target, if it is an orphan; `None` once it is stopped.
    fn orphan(&self, control: &mut dyn FnMut() -> SearchFlow) -> Option<Option<Vec<State>>> {
        let best = &self.candidates[0];
        // small numbers may have become 0
        if best.energy != f64::NEG_INFINITY || !self.is_orphan(&best.cells, control)? {
            return Some(None);
        }
        Some(Some(self.states(&best.cells)))
    }

    /// The first image of a cell that comes before it.
    fn image_before(&self, line: u32, place: u32) -> Option<usize> {
        let (x, y) = if self.height <= self.width {
            (line, place)
        } else {
            (place, line)
        };
        let p = Point::new(i64::from(x), i64::from(y));
        let images = self.symmetry.elements().iter();
        let images = images.map(|&e| image_in_box(e, self.width, self.height, p));
        let first = images
            .map(|image| self.index(image.x as u32, image.y as u32))
            .min();
        first.filter(|&first| first < self.index(x, y))
    }

    /// Whether no arrangement at all leads to the cells so far.
    fn is_orphan(&self, cells: &[bool], control: &mut dyn FnMut() -> SearchFlow) -> Option<bool> {
        let (_, length) = self.shape();
        let mut profile = Profile::new(length, true, 0);
        for passed in 0..self.passed {
            let (line, place) = (passed / (length + 2), passed % (length + 2));
            let asked = line.checked_sub(2).zip(place.checked_sub(2));
            let cell = asked.and_then(|(line, place)| cells.get((line * length + place) as usize));
            let asked = cell.map(|&cell| (&self.table[..], cell));
            if profile.advance(asked, control) == SearchFlow::Stop {
                return None;
            }
        }
        Some(!profile.weights.contains(&true))
    }

    /// The target row by row; cells that are not decided are dead, but for their images.
    fn states(&self, cells: &[bool]) -> Vec<State> {
        let rows = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let state = |(x, y): (u32, u32)| {
            let images = self.symmetry.elements().iter().map(|&e| {
                let p = Point::new(i64::from(x), i64::from(y));
                let image = image_in_box(e, self.width, self.height, p);
                self.index(image.x as u32, image.y as u32)
            });
            let first = images.min().unwrap_or(0);
            State::from(cells.get(first).copied().unwrap_or(false))
        };
        rows.map(state).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        AllowedStates, PredecessorQuestion, ProblemSolver, SatOptions, SatSearch, SearchAnswer,
    };

    /// Whether a solver of formulas finds no parent.
    fn has_no_parent(rule: &rule::Rule, width: u32, states: &[State]) -> bool {
        let target = states
            .iter()
            .map(|&state| AllowedStates::only(state))
            .collect();
        let question = PredecessorQuestion::new(rule.clone(), width, target);
        let problem = question.problem().expect("a question");
        let mut search = SatSearch::new(problem, SatOptions::default());
        search.solve(&mut |_, _| SearchFlow::Continue) == SearchAnswer::Exhausted
    }

    #[test]
    fn orphans_have_no_parents() {
        for (rule, size, symmetry) in [
            ("B1/S", (6, 3), BoxSymmetry::C1),
            ("B1/S", (3, 6), BoxSymmetry::C1),
            ("B1/SH", (3, 6), BoxSymmetry::C1),
            ("B2-a/S12", (10, 4), BoxSymmetry::C1),
            ("B2/S", (6, 4), BoxSymmetry::D2Horizontal),
            ("B2/S", (4, 6), BoxSymmetry::C2),
            ("B2/S", (5, 5), BoxSymmetry::D8),
        ] {
            let rule: rule::Rule = rule.parse().expect("a rule");
            let mut search = OrphanSearch::new(&rule, size, symmetry, 8, 1).expect("a box");
            let answer = search.run(&mut |_, _| SearchFlow::Continue);
            let OrphanAnswer::Found(states) = answer else {
                panic!("{rule} {size:?} {symmetry}: {}", search.energy());
            };
            assert!(has_no_parent(&rule, size.0, &states), "{rule} {states:?}");
            for (index, &state) in (0..).zip(&states) {
                for &e in symmetry.elements() {
                    let p = Point::new(index % i64::from(size.0), index / i64::from(size.0));
                    let image = image_in_box(e, size.0, size.1, p);
                    let image = image.y * i64::from(size.0) + image.x;
                    assert_eq!(states[image as usize], state, "{symmetry}");
                }
            }
        }
    }

    #[test]
    fn a_step_is_stopped_before_its_end() {
        let life = "B3/S23".parse().expect("Life");
        let mut search = OrphanSearch::new(&life, (10, 10), BoxSymmetry::C1, 4, 1).expect("a box");
        let mut depths = Vec::new();
        let mut run = |search: &mut OrphanSearch| {
            search.run(&mut |progress, _| {
                depths.push(progress.depth);
                match depths.len() < 4 {
                    true => SearchFlow::Continue,
                    false => SearchFlow::Stop,
                }
            })
        };
        assert_eq!(run(&mut search), OrphanAnswer::Stopped);
        assert_eq!(run(&mut search), OrphanAnswer::Stopped);
        // 2^26 weights of the first cell are not done by then
        assert_eq!(depths, [0; 4]);
    }

    #[test]
    fn what_cannot_be_searched_is_refused() {
        let life: rule::Rule = "B3/S23".parse().expect("Life");
        let refused = |rule: &rule::Rule, size, symmetry| {
            OrphanSearch::new(rule, size, symmetry, 1, 1)
                .err()
                .map(|error| error.to_string())
        };
        let words = refused(&life, (11, 12), BoxSymmetry::C1).expect("large");
        assert!(words.contains("too large"), "{words}");
        let words = refused(&life, (3, 4), BoxSymmetry::C4).expect("no square");
        assert!(words.contains("needs a square box"), "{words}");
        let hexagonal = "B2/S34H".parse().expect("a rule");
        let words = refused(&hexagonal, (4, 4), BoxSymmetry::C4).expect("a turn");
        assert!(words.contains("does not keep"), "{words}");
        // a plane that keeps everything has no orphans
        let mut keeps = OrphanSearch::new(
            &"B/S012345678".parse().expect("a rule"),
            (3, 2),
            BoxSymmetry::C1,
            64,
            1,
        )
        .expect("a box");
        assert_eq!(
            keeps.run(&mut |_, _| SearchFlow::Continue),
            OrphanAnswer::NotFound
        );
    }
}
