//! What all questions are told as text, and the bounds of those in a box.

use crate::error;
use crate::rule::{self, rule_text};
use gridpaper::Rule;
use pyo3::prelude::*;
use search::{BoxSymmetry, PeriodicQuestion, PopulationLimits};
use std::fmt::Display;

/// What a question in a box is told beside its box.
pub(super) struct BoxBounds {
    pub(super) symmetry: BoxSymmetry,
    pub(super) least: Option<u32>,
    pub(super) most: Option<u32>,
    pub(super) diagonal_width: Option<u32>,
}

impl BoxBounds {
    pub(super) fn new(
        py: Python<'_>,
        symmetry: &str,
        least: Option<u32>,
        most: Option<u32>,
        diagonal_width: Option<u32>,
    ) -> PyResult<Self> {
        Ok(Self {
            symmetry: parsed(py, symmetry)?,
            least,
            most,
            diagonal_width,
        })
    }

    pub(super) fn question(
        &self,
        rule: &Rule,
        period: u32,
        (width, height): (u32, u32),
    ) -> PeriodicQuestion {
        PeriodicQuestion {
            symmetry: self.symmetry,
            population: PopulationLimits {
                least: self.least,
                most: self.most,
            },
            diagonal_width: self.diagonal_width,
            up_to_symmetry: true,
            ..PeriodicQuestion::new(rule.clone(), period, width, height)
        }
    }

    pub(super) fn is_plain(&self) -> bool {
        self.symmetry == BoxSymmetry::C1
            && (self.least, self.most, self.diagonal_width) == (None, None, None)
    }
}

pub(super) fn parsed<T: std::str::FromStr<Err: Display>>(
    py: Python<'_>,
    text: &str,
) -> PyResult<T> {
    text.parse()
        .map_err(|fault: T::Err| error::search(py, &fault.to_string(), None))
}

pub(super) fn rule_of(py: Python<'_>, rule: Option<&Bound<'_, PyAny>>) -> PyResult<Rule> {
    let text = rule_text(rule)?.unwrap_or_else(|| source::DEFAULT_RULE.into());
    rule::parse(py, &text)
}

pub(super) fn refused(py: Python<'_>, fault: impl Display) -> PyErr {
    error::search(py, &fault.to_string(), None)
}
