//! The saved form of a search by cells: options, and the path of guesses and of guesses that were
//! turned round. All else follows from these.

use super::options::{CellGuess, CellOrder, CellSearchOptions};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// Where a search by cells is.
///
/// As text it is three lines, which are read back.
///
/// ```
/// use search::CellSearchState;
///
/// let text = "options auto live 7\nnodes 12 open\npath +3 -5! +6";
/// let state: CellSearchState = text.parse()?;
/// assert_eq!(state.path, [(3, true, true), (5, false, false), (6, true, true)]);
/// assert_eq!(state.to_string(), text);
/// # Ok::<(), search::CellSearchStateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellSearchState {
    /// How it goes about it.
    pub options: CellSearchOptions,
    /// Guesses so far.
    pub nodes: u64,
    /// Whether the path ends at a solution that has been told.
    pub is_found: bool,
    /// Variables with their values, and whether the other value is still to be tried.
    pub path: Vec<(u32, bool, bool)>,
}

/// What is wrong with a saved state.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CellSearchStateError {
    /// A line is missing or says something else.
    #[error("the saved search by cells lacks the line `{0}`")]
    Line(&'static str),
    /// A word cannot be read.
    #[error("`{0}` in the saved search by cells cannot be read")]
    Word(String),
    /// It is the state of another problem.
    #[error("the saved search by cells has a variable {0} that this question does not have")]
    Variable(u32),
}

const ORDERS: [(&str, CellOrder); 4] = [
    ("auto", CellOrder::Auto),
    ("row", CellOrder::Row),
    ("column", CellOrder::Column),
    ("diagonal", CellOrder::Diagonal),
];
const GUESSES: [(&str, CellGuess); 3] = [
    ("dead", CellGuess::Dead),
    ("live", CellGuess::Live),
    ("random", CellGuess::Random),
];

impl fmt::Display for CellSearchState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CellSearchOptions { order, guess, seed } = self.options;
        let order = ORDERS
            .iter()
            .find(|(_, o)| *o == order)
            .map_or("auto", |o| o.0);
        let guess = GUESSES
            .iter()
            .find(|(_, g)| *g == guess)
            .map_or("live", |g| g.0);
        let found = if self.is_found { "found" } else { "open" };
        write!(
            f,
            "options {order} {guess} {seed}\nnodes {} {found}\npath",
            self.nodes
        )?;
        for &(variable, is_true, is_open) in &self.path {
            let sign = if is_true { '+' } else { '-' };
            write!(f, " {sign}{variable}{}", if is_open { "" } else { "!" })?;
        }
        Ok(())
    }
}

impl FromStr for CellSearchState {
    type Err = CellSearchStateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut lines = text.lines();
        let mut words_of = |name: &'static str| {
            let line = lines.next().and_then(|line| line.strip_prefix(name));
            line.map(str::split_whitespace)
                .ok_or(CellSearchStateError::Line(name))
        };
        let (mut options, mut nodes, path) =
            (words_of("options")?, words_of("nodes")?, words_of("path")?);
        let refuse = |word: &str| CellSearchStateError::Word(word.to_owned());
        let mut option = || options.next().unwrap_or("");
        let word = option();
        let order = ORDERS
            .iter()
            .find(|o| o.0 == word)
            .ok_or_else(|| refuse(word))?
            .1;
        let word = option();
        let guess = GUESSES
            .iter()
            .find(|g| g.0 == word)
            .ok_or_else(|| refuse(word))?
            .1;
        let word = option();
        let seed = word.parse().map_err(|_| refuse(word))?;
        let word = nodes.next().unwrap_or("");
        let number = word.parse().map_err(|_| refuse(word))?;
        let is_found = match nodes.next().unwrap_or("") {
            "found" => true,
            "open" => false,
            other => return Err(refuse(other)),
        };
        let step = |word: &str| {
            let (is_true, rest) = match word.strip_prefix('+') {
                Some(rest) => (true, rest),
                None => (false, word.strip_prefix('-')?),
            };
            let variable = rest.strip_suffix('!').unwrap_or(rest);
            Some((
                variable.parse().ok()?,
                is_true,
                variable.len() == rest.len(),
            ))
        };
        let path: Result<_, _> = path
            .map(|word| step(word).ok_or_else(|| refuse(word)))
            .collect();
        Ok(Self {
            options: CellSearchOptions { order, guess, seed },
            nodes: number,
            is_found,
            path: path?,
        })
    }
}
