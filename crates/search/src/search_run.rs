//! A search from its question to checked patterns: which engine, one direction after another, and
//! what counts as the same pattern.

use crate::{
    CellSearch, CellSearchOptions, CellSearchState, CellSearchStateError, FoundPattern,
    FoundPatternError, ProblemSolver, SearchAnswer, SearchCase, SearchControl, SearchEngine,
};
use grid::State;
use std::collections::BTreeSet;
use std::{fmt, str::FromStr};
use thiserror::Error;

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// A pattern, checked, that is no image of one found before.
    Found(Box<FoundPattern>),
    /// There is no other.
    Exhausted,
    /// It was stopped; calling again goes on.
    Stopped,
}

/// Solves one case after another and tells each pattern once.
///
/// ```
/// use search::{CellSearchOptions, PeriodicCase, PeriodicQuestion, SearchEngine, SearchRun};
/// use search::{SearchFlow, SearchOutcome};
///
/// let question = PeriodicQuestion::new("B3/S23".parse()?, 1, 4, 4);
/// let cases: Vec<Box<dyn search::SearchCase>> = vec![Box::new(PeriodicCase::new(question)?)];
/// let mut run = SearchRun::new(cases, SearchEngine::Cells, CellSearchOptions::default());
/// let mut codes = Vec::new();
/// while let SearchOutcome::Found(found) = run.next(&mut |_, _| SearchFlow::Continue)? {
///     codes.extend(found.apgcode);
/// }
/// codes.sort();
/// let all = "xs4_252 xs4_33 xs5_253 xs6_25a4 xs6_356 xs6_696 xs7_2596 xs8_6996";
/// assert!(all.split(' ').all(|code| codes.contains(&code.to_string())), "{codes:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearchRun {
    cases: Vec<Box<dyn SearchCase>>,
    engine: SearchEngine,
    options: CellSearchOptions,
    /// The case under way.
    at: usize,
    solver: Option<Box<dyn ProblemSolver>>,
    keys: BTreeSet<String>,
    /// For each case what later solutions must not be.
    excluded: Vec<Vec<Vec<(u32, State)>>>,
}

impl SearchRun {
    /// From the beginning.
    #[must_use]
    pub fn new(
        cases: Vec<Box<dyn SearchCase>>,
        engine: SearchEngine,
        options: CellSearchOptions,
    ) -> Self {
        Self {
            excluded: vec![Vec::new(); cases.len()],
            cases,
            engine,
            options,
            at: 0,
            solver: None,
            keys: BTreeSet::new(),
        }
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> SearchEngine {
        self.engine
    }

    /// The case under way, or the last.
    #[must_use]
    pub fn case(&self) -> &dyn SearchCase {
        &*self.cases[self.at.min(self.cases.len() - 1)]
    }

    /// Searches on for a pattern that has not been told.
    ///
    /// # Errors
    /// A solution that is none when an engine runs it: an error in the program.
    pub fn next(
        &mut self,
        control: &mut SearchControl<'_>,
    ) -> Result<SearchOutcome, FoundPatternError> {
        while let Some(case) = self.cases.get(self.at) {
            let solver = self.solver.get_or_insert_with(|| {
                let mut solver = self.engine.solver(
                    case.problem_for(self.engine, self.options.order),
                    self.options,
                );
                for list in &self.excluded[self.at] {
                    solver.exclude(list);
                }
                solver
            });
            let solution = match solver.solve(control) {
                SearchAnswer::Found(solution) => solution,
                SearchAnswer::Stopped => return Ok(SearchOutcome::Stopped),
                SearchAnswer::Exhausted => {
                    self.at += 1;
                    self.solver = None;
                    continue;
                }
            };
            let found = case.pattern_of(&solution)?;
            for list in case.exclusions(&solution) {
                solver.exclude(&list);
                self.excluded[self.at].push(list);
            }
            if self.keys.insert(case.key(&found)) {
                return Ok(SearchOutcome::Found(Box::new(found)));
            }
        }
        Ok(SearchOutcome::Exhausted)
    }

    /// Everything that is needed to go on later, as text.
    #[must_use]
    pub fn save(&self) -> SavedRun {
        SavedRun {
            engine: self.engine,
            at: self.at,
            keys: self.keys.iter().cloned().collect(),
            excluded: self.excluded.clone(),
            state: self.solver.as_ref().and_then(|solver| solver.state()),
        }
    }

    /// Goes on from a saved run of the same cases.
    ///
    /// # Errors
    /// A run that was saved for other cases.
    pub fn resume(
        cases: Vec<Box<dyn SearchCase>>,
        options: CellSearchOptions,
        saved: SavedRun,
    ) -> Result<Self, SavedRunError> {
        let SavedRun {
            engine,
            at,
            keys,
            excluded,
            state,
        } = saved;
        if excluded.len() != cases.len() || at > cases.len() {
            return Err(SavedRunError::Cases {
                saved: excluded.len(),
                asked: cases.len(),
            });
        }
        for (case, lists) in cases.iter().zip(&excluded) {
            let unknowns = case.problem().unknowns() as u32;
            if let Some(&(unknown, _)) = lists.iter().flatten().find(|pair| pair.0 >= unknowns) {
                return Err(SavedRunError::Unknown(unknown));
            }
        }
        let mut run = Self {
            excluded,
            at,
            keys: keys.into_iter().collect(),
            ..Self::new(cases, engine, options)
        };
        if let (Some(state), Some(case)) = (state, run.cases.get(at)) {
            let state: CellSearchState = state.parse()?;
            let mut search =
                CellSearch::resume(case.problem_for(engine, state.options.order), &state)?;
            for list in &run.excluded[at] {
                search.exclude(list);
            }
            run.solver = Some(Box::new(search));
        }
        Ok(run)
    }
}

/// A search that was interrupted. As text it is some lines, which are read back.
///
/// ```
/// use search::SavedRun;
///
/// let text = "engine sat\ncase 0 of 1\nkey xq4_153\nexclude 0 3=1 4=0\n";
/// let saved: SavedRun = text.parse()?;
/// assert_eq!(saved.excluded, [[[(3, 1), (4, 0)]]]);
/// assert_eq!(saved.to_string(), text);
/// # Ok::<(), search::SavedRunError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedRun {
    /// The engine.
    pub engine: SearchEngine,
    /// The case under way.
    pub at: usize,
    /// The keys of the patterns that were told.
    pub keys: Vec<String>,
    /// For each case what later solutions must not be.
    pub excluded: Vec<Vec<Vec<(u32, State)>>>,
    /// The solver's own state; without one it begins the case again.
    pub state: Option<String>,
}

/// What is wrong with a saved run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SavedRunError {
    /// It is of another question.
    #[error("the saved search is of {saved} directions, and this question has {asked}")]
    Cases {
        /// Directions saved.
        saved: usize,
        /// Directions of the question.
        asked: usize,
    },
    /// It is of another question.
    #[error("the saved search speaks of cell {0}, which this question does not have")]
    Unknown(u32),
    /// A line that means nothing.
    #[error("line {0} of the saved search cannot be read")]
    Line(usize),
    /// The solver's own state.
    #[error(transparent)]
    Cells(#[from] CellSearchStateError),
}

impl fmt::Display for SavedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "engine {}", self.engine)?;
        writeln!(f, "case {} of {}", self.at, self.excluded.len())?;
        for key in &self.keys {
            writeln!(f, "key {key}")?;
        }
        for (case, lists) in self.excluded.iter().enumerate() {
            for list in lists {
                write!(f, "exclude {case}")?;
                for (unknown, state) in list {
                    write!(f, " {unknown}={state}")?;
                }
                writeln!(f)?;
            }
        }
        for line in self.state.iter().flat_map(|state| state.split('\n')) {
            writeln!(f, "state {line}")?;
        }
        Ok(())
    }
}

impl FromStr for SavedRun {
    type Err = SavedRunError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut saved = Self {
            engine: SearchEngine::Cells,
            at: 0,
            keys: Vec::new(),
            excluded: Vec::new(),
            state: None,
        };
        let text = text.strip_suffix('\n').unwrap_or(text);
        for (number, line) in (1..).zip(text.split('\n')) {
            saved.read_line(line).ok_or(SavedRunError::Line(number))?;
        }
        Ok(saved)
    }
}

/// Cases of one question are its directions: never more than the symmetries of the square.
const MOST_CASES: usize = 8;

impl SavedRun {
    fn read_line(&mut self, line: &str) -> Option<()> {
        let (word, rest) = line.split_once(' ')?;
        match word {
            "engine" => self.engine = rest.parse().ok()?,
            "case" => {
                let (at, of) = rest.split_once(" of ")?;
                self.at = at.parse().ok()?;
                let of = of.parse().ok().filter(|&of| of <= MOST_CASES)?;
                self.excluded = vec![Vec::new(); of];
            }
            "key" => self.keys.push(rest.to_owned()),
            "exclude" => {
                let mut words = rest.split(' ');
                let case: usize = words.next()?.parse().ok()?;
                let pairs = words.map(|pair| {
                    let (unknown, state) = pair.split_once('=')?;
                    Some((unknown.parse().ok()?, state.parse().ok()?))
                });
                let list = pairs.collect::<Option<Vec<_>>>()?;
                self.excluded.get_mut(case)?.push(list);
            }
            "state" => {
                self.state = Some(match self.state.take() {
                    Some(before) => before + "\n" + rest,
                    None => rest.to_owned(),
                });
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fill::FillPattern;
    use crate::{
        AgarCase, AgarQuestion, AllowedStates, HistoryCase, PeriodicCase, PeriodicQuestion,
        PredecessorQuestion, SearchFlow,
    };
    use census::StateBox;
    use rule::Rule;

    fn cases(
        period: u32,
        width: u32,
        height: u32,
        ways: &[(i64, i64)],
    ) -> Vec<Box<dyn SearchCase>> {
        let case = |&(dx, dy): &(i64, i64)| {
            let question =
                PeriodicQuestion::new("B3/S23".parse().expect("Life"), period, width, height);
            let case = PeriodicCase::new(question.moving(dx, dy)).expect("a question");
            Box::new(case) as Box<dyn SearchCase>
        };
        ways.iter().map(case).collect()
    }

    fn all(run: &mut SearchRun) -> Vec<String> {
        let mut codes = Vec::new();
        while let SearchOutcome::Found(found) =
            run.next(&mut |_, _| SearchFlow::Continue).expect("checked")
        {
            codes.extend(found.apgcode);
        }
        codes.sort();
        codes
    }

    #[test]
    fn both_engines_list_the_same() {
        for (period, width, height, ways) in [
            (1, 4, 5, [(0, 0)]),
            (2, 4, 4, [(0, 0)]),
            (4, 4, 4, [(1, 1)]),
        ] {
            let [by_sat, by_cells] = [SearchEngine::Sat, SearchEngine::Cells].map(|engine| {
                all(&mut SearchRun::new(
                    cases(period, width, height, &ways),
                    engine,
                    CellSearchOptions::default(),
                ))
            });
            assert!(!by_sat.is_empty());
            assert_eq!(by_sat, by_cells);
        }
    }

    #[test]
    fn an_interrupted_run_comes_to_the_same_end() {
        let ways = [(0, 2), (2, 0)];
        for engine in [SearchEngine::Sat, SearchEngine::Cells] {
            let new =
                || SearchRun::new(cases(4, 6, 5, &ways), engine, CellSearchOptions::default());
            let whole = all(&mut new());
            assert_eq!(whole, ["xq4_6frc"]);
            let mut run = new();
            let mut told = Vec::new();
            let mut pauses = 0;
            loop {
                match run.next(&mut |_, _| SearchFlow::Stop).expect("checked") {
                    SearchOutcome::Found(found) => told.extend(found.apgcode),
                    SearchOutcome::Exhausted => break,
                    SearchOutcome::Stopped => pauses += 1,
                }
                // a search as formula begins its case again, and would never come to an end
                if engine == SearchEngine::Cells {
                    let text = run.save().to_string();
                    let saved = text.parse().expect("it was written");
                    run = SearchRun::resume(
                        cases(4, 6, 5, &ways),
                        CellSearchOptions::default(),
                        saved,
                    )
                    .expect("the same question");
                }
            }
            assert_eq!(told, whole, "{engine} {pauses}");
        }
    }

    #[test]
    fn what_belongs_to_another_question_is_refused() {
        let resume = |text: &str| {
            let saved: SavedRun = text.parse()?;
            SearchRun::resume(
                cases(2, 3, 3, &[(0, 0)]),
                CellSearchOptions::default(),
                saved,
            )
            .map(|_| ())
        };
        assert_eq!(resume("engine sat\ncase 0 of 1\n"), Ok(()));
        assert_eq!(
            resume("engine sat\ncase 0 of 2\n"),
            Err(SavedRunError::Cases { saved: 2, asked: 1 })
        );
        assert_eq!(
            resume("engine sat\ncase 0 of 1\nexclude 0 18=1\n"),
            Err(SavedRunError::Unknown(18))
        );
        for text in [
            "engine x",
            "case 0",
            "case 0 of 9999999999",
            "exclude 0 1=1",
            "x",
        ] {
            assert_eq!(resume(text), Err(SavedRunError::Line(1)), "{text}");
        }
    }

    fn life() -> Rule {
        "B3/S23".parse().expect("Life")
    }

    fn first(case: impl SearchCase + 'static, engine: SearchEngine) -> SearchOutcome {
        let cases: Vec<Box<dyn SearchCase>> = vec![Box::new(case)];
        let mut run = SearchRun::new(cases, engine, CellSearchOptions::default());
        run.next(&mut |_, _| SearchFlow::Continue)
            .expect("it is what was asked for")
    }

    #[test]
    fn parents_become_their_target() {
        for text in ["2o$2o!", "bo$2bo$3o!", "3o!"] {
            let cells = pattern::Pattern::from_text(text).expect(text).cells;
            let cells = StateBox::from_pattern(&cells, 100).expect("small");
            let target = cells
                .states()
                .iter()
                .map(|&state| AllowedStates::only(state))
                .collect();
            for (engine, generations) in [
                (SearchEngine::Sat, 1),
                (SearchEngine::Cells, 1),
                (SearchEngine::Sat, 2),
            ] {
                let question = PredecessorQuestion {
                    margin: 2,
                    generations,
                    ..PredecessorQuestion::new(life(), cells.width() as u32, Vec::clone(&target))
                };
                let case = HistoryCase::of_parents(&question).expect("a question");
                let SearchOutcome::Found(parent) = first(case, engine) else {
                    panic!("{text} has parents");
                };
                assert!(parent.population > 0);
            }
        }
    }

    #[test]
    fn agars_are_told_once_wherever_they_lie() {
        let question = AgarQuestion::new(life(), 2, 4, 4);
        let mut run = SearchRun::new(
            vec![Box::new(AgarCase::new(question).expect("a question"))],
            SearchEngine::Sat,
            CellSearchOptions::default(),
        );
        let mut found = 0;
        while let SearchOutcome::Found(agar) =
            run.next(&mut |_, _| SearchFlow::Continue).expect("checked")
        {
            assert_eq!(agar.period, Some(2));
            found += 1;
        }
        assert!((2..200).contains(&found), "{found}");
        let shifted = AgarQuestion {
            shift: 1,
            ..AgarQuestion::new(life(), 2, 4, 3)
        };
        let case = AgarCase::new(shifted).expect("a question");
        assert_eq!(case.rule().to_string(), "B3/S23:T4+1,3");
        // what it finds is run on that torus
        first(case, SearchEngine::Sat);
    }

    #[test]
    fn a_history_is_what_was_drawn() {
        let drawing = FillPattern::parse("3?$3?$3?!.o.$.o.$.o.!", 2).expect("a drawing");
        let case = HistoryCase::of_drawing(&drawing, &life()).expect("a question");
        assert!(matches!(
            first(case, SearchEngine::Cells),
            SearchOutcome::Found(_)
        ));
    }
}
