//! The engines by name.

use crate::{CellSearch, CellSearchOptions, ProblemSolver, SatOptions, SatSearch, SearchProblem};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// The engine that solves problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchEngine {
    /// As a formula: [`SatSearch`].
    Sat,
    /// Cell by cell: [`CellSearch`].
    Cells,
}

/// The text names no engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no engine: sat or cells")]
pub struct SearchEngineError(pub String);

impl SearchEngine {
    /// The engine for a problem.
    #[must_use]
    pub fn solver(
        self,
        problem: SearchProblem,
        cells: CellSearchOptions,
    ) -> Box<dyn ProblemSolver> {
        match self {
            Self::Sat => {
                let seed = (cells.seed != 0).then_some(cells.seed);
                Box::new(SatSearch::new(
                    problem,
                    SatOptions {
                        seed,
                        ..SatOptions::default()
                    },
                ))
            }
            Self::Cells => Box::new(CellSearch::new(problem, cells)),
        }
    }
}

impl FromStr for SearchEngine {
    type Err = SearchEngineError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "sat" => Ok(Self::Sat),
            "cells" => Ok(Self::Cells),
            _ => Err(SearchEngineError(text.to_owned())),
        }
    }
}

impl fmt::Display for SearchEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sat => "sat",
            Self::Cells => "cells",
        })
    }
}
