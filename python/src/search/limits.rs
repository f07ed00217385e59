//! What bounds a search, and why one has no answer.

use crate::error;
use crate::pattern::PyPattern;
use crate::watch::SignalWatch;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use search::{CellGuess, CellOrder, CellSearchOptions, SearchEngine, SearchFlow};
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Bytes that a search may hold, as the command has it.
pub(super) const MEMORY: u64 = 4 << 30;

/// How a search is run, and what ends it.
pub(super) struct SearchLimits {
    pub(super) engines: Vec<SearchEngine>,
    pub(super) options: CellSearchOptions,
    pub(super) time: Option<Duration>,
    pub(super) memory: u64,
    pub(super) begun: Instant,
}

impl SearchLimits {
    pub(super) fn new(
        engine: &str,
        order: &str,
        guess: &str,
        seed: u64,
        threads: Option<usize>,
        time: Option<f64>,
        memory: u64,
    ) -> PyResult<Self> {
        let wrong = |what: &str, word: &str, words: &str| {
            Err(PyValueError::new_err(format!(
                "{what}={word:?}: expected {words}"
            )))
        };
        let engines = match (engine, threads) {
            ("auto", Some(1)) => vec![SearchEngine::Cells],
            ("auto", _) => vec![SearchEngine::Cells, SearchEngine::Sat],
            (name, _) => match name.parse() {
                Ok(engine) => vec![engine],
                Err(_) => return wrong("engine", engine, "auto, sat or cells"),
            },
        };
        let order = match order {
            "auto" => CellOrder::Auto,
            "row" => CellOrder::Row,
            "column" => CellOrder::Column,
            "diagonal" => CellOrder::Diagonal,
            _ => return wrong("order", order, "auto, row, column or diagonal"),
        };
        let guess = match guess {
            "dead" => CellGuess::Dead,
            "live" => CellGuess::Live,
            "random" => CellGuess::Random,
            _ => return wrong("guess", guess, "dead, live or random"),
        };
        let time = match time.map(Duration::try_from_secs_f64).transpose() {
            Ok(time) => time,
            Err(_) => {
                let message = "time: expected a number of seconds, 0 or more";
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(Self {
            engines,
            options: CellSearchOptions { order, guess, seed },
            time,
            memory,
            begun: Instant::now(),
        })
    }

    /// Whether to go on with so many nodes and bytes; else why not.
    pub(super) fn check(
        &self,
        watch: &mut SignalWatch,
        nodes: u64,
        bytes: u64,
    ) -> Result<(), SearchFault> {
        if !watch.goes_on(|| nodes) {
            return Err(SearchFault::Stopped);
        }
        if self.time.is_some_and(|time| self.begun.elapsed() >= time) {
            return Err(SearchFault::Late);
        }
        if bytes > self.memory {
            return Err(SearchFault::Full(self.memory));
        }
        Ok(())
    }
}

/// Why a search has no answer.
pub(super) enum SearchFault {
    /// By a signal, or by what the progress function raised.
    Stopped,
    Late,
    Full(u64),
    Wrong(String),
    File(PathBuf, io::Error),
}

impl SearchFault {
    pub(super) fn wrong(error: impl Display) -> Self {
        Self::Wrong(error.to_string())
    }

    pub(super) fn raise(self, py: Python<'_>, found: Vec<PyPattern>) -> PyErr {
        match self {
            Self::Stopped => PyKeyboardInterrupt::new_err(()),
            Self::Late => error::unfinished(py, found),
            Self::Full(limit) => error::exhausted(
                py,
                &format!("the search holds more than {limit} bytes: nothing is proven"),
                limit,
            ),
            Self::Wrong(message) => error::search(py, &message, None),
            Self::File(path, error) => error::of_file(&path, &error),
        }
    }
}

pub(super) fn flow(
    checked: Result<(), SearchFault>,
    fault: &mut Option<SearchFault>,
) -> SearchFlow {
    match checked {
        Ok(()) => SearchFlow::Continue,
        Err(why) => {
            fault.get_or_insert(why);
            SearchFlow::Stop
        }
    }
}
