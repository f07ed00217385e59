//! Patterns that are known in part: run-length encoded text in which a cell is dead, live or free,
//! for one generation or for several that follow each other. The runs are those of RLE ("Run
//! Length Encoded", LifeWiki), and `?` is a free cell.

use crate::BlockRule;
use crate::problem::{
    AllowedStates, CellTable, CellTerm, PopulationLimits, SearchProblem, TransitionConstraint,
};
use crate::question::{FixedCell, MAX_PROBLEM_CELLS, QuestionError};
use grid::State;
use rule::{ConfigurationTable, Rule};
use std::collections::BTreeMap;
use thiserror::Error;

/// A cell as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillCell {
    /// It is in this state.
    Known(State),
    /// It may be in any state.
    Free,
}

/// The text is no pattern with free cells.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FillError {
    /// A letter that means nothing.
    #[error(
        "line {line}, column {column}: `{letter}` is no cell: . or b is dead, o is live, ? is free, A to X are states, $ ends a row and ! a generation"
    )]
    Letter {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What stands there.
        letter: char,
    },
    /// A state that the rule does not have.
    #[error("line {line}, column {column}: state {state} is drawn, and the rule has {states}")]
    State {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The state.
        state: u16,
        /// How many there are.
        states: u16,
    },
    /// More cells than a search may have.
    #[error("line {line}, column {column}: the box has more than {MAX_PROBLEM_CELLS} cells")]
    TooLarge {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// The header is not understood.
    #[error(
        "line {line}: the header is `x = COLUMNS, y = ROWS`, with `, rule = RULE` where wanted"
    )]
    Header {
        /// From 1.
        line: usize,
    },
    /// Nothing is drawn.
    #[error("there are no cells")]
    Empty,
    /// One generation, and nothing that it leads to.
    #[error(
        "one generation is drawn: a pattern that goes through what is drawn needs two at least"
    )]
    OneGeneration,
    /// The rule cannot be searched, or the box is too large.
    #[error(transparent)]
    Question(#[from] QuestionError),
}

/// By row and first column: the column after the last, and what the cells are.
type FillRuns = BTreeMap<(u32, u32), (u32, FillCell)>;

/// Cells of one generation or of several, known or free. What is not drawn is dead.
///
/// ```
/// use search::FillPattern;
///
/// let pattern = FillPattern::parse("x = 3, y = 2\no?o$3?!\n3o$!", 2)?;
/// assert_eq!((pattern.width(), pattern.height(), pattern.generations()), (3, 2, 2));
/// assert_eq!(pattern.fixed_cells().len(), 8); // of 12, since 4 are free
/// # Ok::<(), search::FillError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FillPattern {
    width: u32,
    height: u32,
    rule: Option<String>,
    /// For each generation the runs that are not dead.
    generations: Vec<FillRuns>,
}

impl FillPattern {
    /// Reads the text, for a rule with so many states. Lines that begin with `#` are comments; a
    /// generation ends with `!`, and each may have a header.
    ///
    /// ```
    /// let error = search::FillPattern::parse("2o\no;", 2).unwrap_err();
    /// assert!(error.to_string().starts_with("line 2, column 2: `;` is no cell"));
    /// ```
    ///
    /// # Errors
    /// The first letter that is not understood.
    pub fn parse(text: &str, states: u16) -> Result<Self, FillError> {
        let mut reader = FillReader {
            pattern: Self {
                width: 0,
                height: 0,
                rule: None,
                generations: Vec::new(),
            },
            states,
            at: (1, 1),
            drawn: 0,
            runs: BTreeMap::new(),
            is_open: false,
            x: 0,
            y: 0,
            run: None,
            prefix: None,
        };
        for (line, text) in (1..).zip(text.lines()) {
            reader.at = (line, 1);
            let text = text.trim_end();
            if text.starts_with('#') {
                continue;
            }
            if text.trim_start().starts_with(['x', 'X']) && text.contains('=') {
                reader.read_header(text)?;
                continue;
            }
            for (column, letter) in (1..).zip(text.chars()) {
                reader.at = (line, column);
                reader.read(letter)?;
            }
        }
        if reader.is_open {
            reader.end_generation();
        }
        let pattern = reader.pattern;
        if pattern.width == 0 || pattern.height == 0 || pattern.generations.is_empty() {
            return Err(FillError::Empty);
        }
        Ok(pattern)
    }

    /// Columns of the box.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the box.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// How many generations are drawn.
    #[must_use]
    pub fn generations(&self) -> u32 {
        self.generations.len() as u32
    }

    /// The rule that the header names.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    /// A cell; outside all are dead.
    #[must_use]
    pub fn cell(&self, generation: u32, x: u32, y: u32) -> FillCell {
        let runs = self.generations.get(generation as usize);
        let run = runs.and_then(|runs| runs.range((y, 0)..=(y, x)).next_back());
        match run {
            Some((_, &(end, cell))) if x < end => cell,
            _ => FillCell::Known(0),
        }
    }

    /// The states that a cell may have, of all states of a rule.
    fn states_of(&self, generation: u32, x: u32, y: u32, all: AllowedStates) -> AllowedStates {
        match self.cell(generation, x, y) {
            FillCell::Known(state) => AllowedStates::only(state),
            FillCell::Free => all,
        }
    }

    /// The cells of a generation, row by row, for a rule with so many states: a target as
    /// [`PredecessorQuestion`](crate::PredecessorQuestion) wants it.
    ///
    /// ```
    /// use search::{FillPattern, AllowedStates};
    ///
    /// let target = FillPattern::parse("o?$.o!", 2)?.cells(0, 2);
    /// assert_eq!(target[1], AllowedStates::below(2));
    /// assert_eq!(target[2], AllowedStates::only(0));
    /// # Ok::<(), search::FillError>(())
    /// ```
    #[must_use]
    pub fn cells(&self, generation: u32, states: u16) -> Vec<AllowedStates> {
        let all = AllowedStates::below(states);
        let rows = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        rows.map(|(x, y)| self.states_of(generation, x, y, all))
            .collect()
    }

    /// What is known, as questions of periodic patterns take it.
    #[must_use]
    pub fn fixed_cells(&self) -> Vec<FixedCell> {
        let mut fixed = Vec::new();
        for generation in 0..self.generations() {
            for y in 0..self.height {
                for x in 0..self.width {
                    if let FillCell::Known(state) = self.cell(generation, x, y) {
                        fixed.push(FixedCell {
                            generation,
                            x,
                            y,
                            states: AllowedStates::only(state),
                        });
                    }
                }
            }
        }
        fixed
    }

    /// A pattern that goes through all generations that are drawn, within the box, and need not
    /// repeat.
    ///
    /// ```
    /// use search::{FillPattern, ProblemSolver, SatOptions, SatSearch, SearchFlow, SearchAnswer};
    ///
    /// // what becomes a blinker in three rows of three
    /// let pattern = FillPattern::parse("3?$3?$3?!.o.$.o.$.o.!", 2)?;
    /// let problem = pattern.history_problem(&"B3/S23".parse()?)?;
    /// let mut search = SatSearch::new(problem, SatOptions::default());
    /// assert!(matches!(search.solve(&mut |_, _| SearchFlow::Continue), SearchAnswer::Found(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fewer than two generations; a rule that cannot be searched; a box that is too large.
    pub fn history_problem(&self, rule: &Rule) -> Result<SearchProblem, FillError> {
        let rule = BlockRule::new(rule).map_err(QuestionError::Rule)?;
        if self.generations.len() < 2 {
            return Err(FillError::OneGeneration);
        }
        let size = u64::from(self.width) * u64::from(self.height);
        if size.saturating_mul(self.generations.len() as u64) > MAX_PROBLEM_CELLS {
            let (width, height) = (self.width, self.height);
            return Err(FillError::Question(QuestionError::TooLarge {
                width,
                height,
                period: self.generations(),
            }));
        }
        let all = AllowedStates::below(rule.states());
        let (mut domains, mut places) = (Vec::new(), Vec::new());
        let mut generations = Vec::new();
        for generation in 0..self.generations() {
            let mut cells = Vec::new();
            for (y, x) in (0..self.height).flat_map(|y| (0..self.width).map(move |x| (y, x))) {
                cells.push(match self.cell(generation, x, y) {
                    FillCell::Known(state) => CellTerm::Known(state),
                    FillCell::Free => {
                        domains.push(all);
                        places.push((generation, x, y));
                        CellTerm::Unknown(places.len() as u32 - 1)
                    }
                });
            }
            generations.push(CellTable {
                width: self.width,
                cells,
            });
        }
        let mut transitions = Vec::new();
        for (generation, pair) in (0..).zip(generations.windows(2)) {
            let [before, after] = pair else { continue };
            for y in -1..=i64::from(self.height) {
                for x in -1..=i64::from(self.width) {
                    transitions.push(TransitionConstraint {
                        generation,
                        block: ConfigurationTable::OFFSETS
                            .map(|(dx, dy)| before.term(x + i64::from(dx), y + i64::from(dy))),
                        next: after.term(x, y),
                    });
                }
            }
        }
        Ok(SearchProblem {
            rule,
            domains,
            transitions,
            some_live: Vec::new(),
            some_differ: Vec::new(),
            not_greater: Vec::new(),
            population: PopulationLimits::default(),
            most_in_first: true,
            generations,
            places,
        })
    }
}

/// A pattern being read.
struct FillReader {
    pattern: FillPattern,
    states: u16,
    /// Line and column of the letter.
    at: (usize, usize),
    /// Cells that are not dead, in all generations.
    drawn: u64,
    runs: FillRuns,
    /// Whether something of this generation has been read.
    is_open: bool,
    x: u32,
    y: u32,
    run: Option<u32>,
    /// The first letter of a state above 24.
    prefix: Option<u16>,
}

impl FillReader {
    fn read_header(&mut self, text: &str) -> Result<(), FillError> {
        let error = FillError::Header { line: self.at.0 };
        let mut rest = text;
        while !rest.trim().is_empty() {
            let (name, value) = rest.split_once('=').ok_or_else(|| error.clone())?;
            let name = name.trim().to_ascii_lowercase();
            if name == "rule" {
                self.pattern
                    .rule
                    .get_or_insert_with(|| value.trim().to_owned());
                break;
            }
            let (value, after) = value.split_once(',').unwrap_or((value, ""));
            let value: u32 = value.trim().parse().map_err(|_| error.clone())?;
            match name.as_str() {
                "x" => self.pattern.width = self.pattern.width.max(value),
                "y" => self.pattern.height = self.pattern.height.max(value),
                _ => return Err(error),
            }
            rest = after;
        }
        self.check_size()
    }

    fn check_size(&self) -> Result<(), FillError> {
        let size = u64::from(self.pattern.width) * u64::from(self.pattern.height);
        if size > MAX_PROBLEM_CELLS || self.drawn > MAX_PROBLEM_CELLS {
            let (line, column) = self.at;
            return Err(FillError::TooLarge { line, column });
        }
        Ok(())
    }

    fn read(&mut self, letter: char) -> Result<(), FillError> {
        let (line, column) = self.at;
        let unknown = FillError::Letter {
            line,
            column,
            letter,
        };
        if let Some(prefix) = self.prefix.take() {
            let last = u16::from(u8::try_from(letter).unwrap_or(0));
            if !letter.is_ascii_uppercase() || letter > 'X' {
                return Err(unknown);
            }
            return self.draw_state(prefix + last - u16::from(b'A') + 1);
        }
        match letter {
            ' ' | '\t' | '\r' => Ok(()),
            '0'..='9' => {
                let digit = u32::from(letter) - u32::from('0');
                let run = self.run.unwrap_or(0);
                let run = run.checked_mul(10).and_then(|run| run.checked_add(digit));
                self.run = Some(run.ok_or(FillError::TooLarge { line, column })?);
                Ok(())
            }
            '.' | 'b' => self.draw(FillCell::Known(0)),
            'o' => self.draw_state(1),
            '?' => self.draw(FillCell::Free),
            'A'..='X' => self.draw_state(u16::from(letter as u8 - b'A') + 1),
            'p'..='y' => {
                self.prefix = Some((u16::from(letter as u8 - b'p') + 1) * 24);
                Ok(())
            }
            '$' => {
                let run = self.run.take().unwrap_or(1).max(1);
                self.x = 0;
                self.y = self.y.saturating_add(run);
                self.is_open = true;
                Ok(())
            }
            '!' => {
                self.end_generation();
                self.check_size()
            }
            _ => Err(unknown),
        }
    }

    fn draw_state(&mut self, state: u16) -> Result<(), FillError> {
        if state >= self.states {
            let (line, column) = self.at;
            return Err(FillError::State {
                line,
                column,
                state,
                states: self.states,
            });
        }
        self.draw(FillCell::Known(state as State))
    }

    fn draw(&mut self, cell: FillCell) -> Result<(), FillError> {
        let run = self.run.take().unwrap_or(1);
        self.is_open = true;
        let (line, column) = self.at;
        let end = self
            .x
            .checked_add(run)
            .ok_or(FillError::TooLarge { line, column })?;
        if run == 0 {
            return Ok(());
        }
        self.pattern.width = self.pattern.width.max(end);
        self.pattern.height = self.pattern.height.max(self.y.saturating_add(1));
        if cell != FillCell::Known(0) {
            self.drawn += u64::from(run);
        }
        self.check_size()?;
        if cell != FillCell::Known(0) {
            self.runs.insert((self.y, self.x), (end, cell));
        }
        self.x = end;
        Ok(())
    }

    fn end_generation(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        self.pattern.generations.push(runs);
        (self.x, self.y, self.run, self.is_open) = (0, 0, None, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Exhaustive, PeriodicQuestion, ProblemSolver, SatOptions, SatSearch, SearchAnswer,
        SearchFlow,
    };

    /// The cells of a text, drawn plainly, or what is wrong.
    fn drawn(text: &str, states: u16) -> String {
        let pattern = match FillPattern::parse(text, states) {
            Ok(pattern) => pattern,
            Err(error) => return error.to_string(),
        };
        let generation = |generation| {
            let row = |y| -> String {
                let cell = |x| match pattern.cell(generation, x, y) {
                    FillCell::Free => '?',
                    FillCell::Known(state) => char::from(b".oBC"[usize::from(state.min(3))]),
                };
                (0..pattern.width).map(cell).collect()
            };
            (0..pattern.height).map(row).collect::<Vec<_>>().join("/")
        };
        let all: Vec<String> = (0..pattern.generations()).map(generation).collect();
        all.join(" ")
    }

    #[test]
    fn texts_are_read() {
        let rows = [
            ("o?.$3o!", 2, "o?./ooo"),
            (
                "#C a comment\nx = 4, y = 3, rule = B3/S23\n2?o$$b2?\n",
                2,
                "??o./..../.??.",
            ),
            ("o!2$o!", 2, "o/./. ././o"),
            ("A?B$pA!", 30, "o?B/C.."),
            ("3o$2?!!", 2, "ooo/??. .../..."),
            ("", 2, "there are no cells"),
            ("!", 2, "there are no cells"),
            ("#only", 2, "there are no cells"),
            ("x = 2, y = 2\n!", 2, "../.."),
            ("x = 2\n!", 2, "there are no cells"),
            (
                "x = two, y = 2\no!",
                2,
                "line 1: the header is `x = COLUMNS, y = ROWS`, with `, rule = RULE` where wanted",
            ),
            (
                "o\no;",
                2,
                "line 2, column 2: `;` is no cell: . or b is dead, o is live, ? is free, A to X are states, $ ends a row and ! a generation",
            ),
            (
                "oB",
                2,
                "line 1, column 2: state 2 is drawn, and the rule has 2",
            ),
            (
                "99999999999o",
                2,
                "line 1, column 10: the box has more than 4194304 cells",
            ),
            (
                "4194304o$o!",
                2,
                "line 1, column 10: the box has more than 4194304 cells",
            ),
            (
                "4000000000$o!",
                2,
                "line 1, column 12: the box has more than 4194304 cells",
            ),
            (
                "x = 90000, y = 90000\n",
                2,
                "line 1, column 1: the box has more than 4194304 cells",
            ),
        ];
        for (text, states, expected) in rows {
            assert_eq!(drawn(text, states), expected, "{text}");
        }
    }

    #[test]
    fn any_text_is_read_or_refused() {
        const LETTERS: &[u8] = b"o?.b$!0123456789pAXZ xy=,#\n\r-";
        let mut dice = dice::Dice::new(9);
        let mut read = 0;
        for _ in 0..3000 {
            let length = dice.below(40);
            let letters = (0..length).map(|_| dice.pick(LETTERS).expect("letters"));
            let text: String = letters.map(char::from).collect();
            if let Ok(pattern) = FillPattern::parse(&text, 256) {
                read += 1;
                let size = u64::from(pattern.width()) * u64::from(pattern.height());
                assert!((1..=MAX_PROBLEM_CELLS).contains(&size), "{text:?}");
                let (x, y) = (pattern.width() - 1, pattern.height() - 1);
                match pattern.cell(pattern.generations() - 1, x, y) {
                    FillCell::Known(0) => {}
                    FillCell::Known(_) => assert!(text.contains(['o', 'A', 'X'])),
                    FillCell::Free => assert!(text.contains('?')),
                }
            }
        }
        assert!(read > 50, "{read}");
    }

    #[test]
    fn what_is_drawn_is_kept() {
        let rule: Rule = "B3/S23".parse().expect("Life");
        // a blinker of which two cells of each phase are known
        let pattern = FillPattern::parse("x = 3, y = 3\n3?$oo?$3?!?o?$?o?$3?!", 2).expect("cells");
        let question = PeriodicQuestion {
            fixed: pattern.fixed_cells(),
            ..PeriodicQuestion::new(rule.clone(), 2, pattern.width(), pattern.height())
        };
        for problem in [
            question.problem().expect("a question"),
            pattern.history_problem(&rule).expect("two"),
        ] {
            let mut oracle = Exhaustive::new(problem.clone());
            let mut search = SatSearch::new(problem.clone(), SatOptions::default());
            let first = |solver: &mut dyn ProblemSolver| match solver
                .solve(&mut |_, _| SearchFlow::Continue)
            {
                SearchAnswer::Found(states) => Some(states),
                _ => None,
            };
            assert!(first(&mut oracle).is_some());
            let found = first(&mut search).expect("the blinker");
            let rows = problem.generations[0].states(&found);
            assert_eq!(rows[3..5], [1, 1]);
        }
    }

    #[test]
    fn histories_need_two_generations() {
        let rule: Rule = "B3/S23".parse().expect("Life");
        let one = FillPattern::parse("o?", 2).expect("cells");
        assert_eq!(
            one.history_problem(&rule).expect_err("one"),
            FillError::OneGeneration
        );
        // nothing becomes a live cell beside a box that is too small for three parents
        let pattern = FillPattern::parse("2?!oo!", 2).expect("cells");
        let problem = pattern.history_problem(&rule).expect("two");
        let mut search = SatSearch::new(problem, SatOptions::default());
        assert_eq!(
            search.solve(&mut |_, _| SearchFlow::Continue),
            SearchAnswer::Exhausted
        );
    }
}
