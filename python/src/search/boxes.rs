//! Questions of patterns that repeat: still lifes, oscillators, spaceships.

use super::bounds::{BoxBounds, parsed, refused, rule_of};
use super::limits::MEMORY;
use super::question::{CountedThing, PyQuestion, QuestionKind};
use crate::error;
use crate::pattern::symmetry;
use gridpaper::Symmetry;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use search::{
    BlockRule, BoxSymmetry, PeriodicQuestion, RowQuestion, RowSearch, RowSymmetry, Velocity,
};

/// Still lifes in a box; without one, all of at most `max_cells` cells.
#[pyfunction]
#[pyo3(signature = (
    size=None, *, rule=None, symmetry="C1", min_cells=None, max_cells=None, diagonal_width=None
))]
pub(crate) fn search_still(
    py: Python<'_>,
    size: Option<(u32, u32)>,
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: &str,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
    diagonal_width: Option<u32>,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let bounds = BoxBounds::new(py, symmetry, min_cells, max_cells, diagonal_width)?;
    let Some((width, height)) = size else {
        let (Some(most), BoxSymmetry::C1, None) = (max_cells, bounds.symmetry, diagonal_width)
        else {
            let message = "without a box all still lifes of at most max_cells are listed, and \
                           nothing else can be asked for";
            return Err(PyValueError::new_err(message));
        };
        return Ok(PyQuestion {
            kind: QuestionKind::FewCells {
                least: min_cells.unwrap_or(0),
                most,
            },
            words: format!("still lifes of at most {most} cells, {rule}"),
            rule,
            keeps_place: false,
        });
    };
    let counted = match bounds.is_plain() {
        true => CountedThing::StillLifes((width, height)),
        false => CountedThing::Nothing,
    };
    let question = bounds.question(&rule, 1, (width, height));
    let words = format!("still lifes in a {width} x {height} box, {symmetry}, {rule}");
    PyQuestion::of_boxes(py, [question], counted, words, rule)
}

/// Oscillators of an exact period in a box.
#[pyfunction]
#[pyo3(signature = (
    period, size, *, rule=None, symmetry="C1", transform="identity", subperiod=false,
    min_cells=None, max_cells=None, diagonal_width=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn search_osc(
    py: Python<'_>,
    period: u32,
    size: (u32, u32),
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: &str,
    transform: &str,
    subperiod: bool,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
    diagonal_width: Option<u32>,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let bounds = BoxBounds::new(py, symmetry, min_cells, max_cells, diagonal_width)?;
    let question = PeriodicQuestion {
        transform: self::symmetry(transform)?,
        subperiod,
        ..bounds.question(&rule, period, size)
    };
    let (width, height) = size;
    let words =
        format!("oscillators of period {period} in a {width} x {height} box, {symmetry}, {rule}");
    PyQuestion::of_boxes(py, [question], CountedThing::Nothing, words, rule)
}

/// Spaceships of a velocity in a box, or of so many columns and any height.
#[pyfunction]
#[pyo3(signature = (
    velocity, size=None, *, width=None, rule=None, symmetry=None, transform="identity",
    min_cells=None, max_cells=None, diagonal_width=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn search_ship(
    py: Python<'_>,
    velocity: &str,
    size: Option<(u32, u32)>,
    width: Option<u32>,
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: Option<&str>,
    transform: &str,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
    diagonal_width: Option<u32>,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let velocity: Velocity = parsed(py, velocity)?;
    let transform = self::symmetry(transform)?;
    let (width, height) = match (size, width) {
        (Some(size), None) => size,
        (None, Some(width)) => {
            let symmetry: RowSymmetry = parsed(py, symmetry.unwrap_or("none"))?;
            let bounds = (min_cells, max_cells, diagonal_width);
            if velocity.columns != 0
                || transform != Symmetry::Identity
                || bounds != (None, None, None)
            {
                let message = "a search by rows is for ships that move along columns as they are, \
                               with no bounds: give a box";
                return Err(error::search(py, message, None));
            }
            let question = RowQuestion {
                rule: rule.clone(),
                period: velocity.period,
                offset: u32::try_from(velocity.rows.unsigned_abs()).unwrap_or(u32::MAX),
                width,
                symmetry,
                tagalongs: false,
                memory: MEMORY,
            };
            // what is wrong with the question is told at once
            RowSearch::new(question.clone()).map_err(|fault| refused(py, fault))?;
            return Ok(PyQuestion {
                kind: QuestionKind::Rows(question, velocity),
                words: format!(
                    "spaceships of {velocity}, {width} columns, symmetry {symmetry}, {rule}"
                ),
                rule,
                keeps_place: false,
            });
        }
        _ => {
            let message = "a spaceship needs either a box or a width";
            return Err(PyValueError::new_err(message));
        }
    };
    let symmetry = symmetry.unwrap_or("C1");
    let bounds = BoxBounds::new(py, symmetry, min_cells, max_cells, diagonal_width)?;
    let table = BlockRule::new(&rule).map_err(|fault| refused(py, fault))?;
    let ways = velocity.directions(&table, width, height, bounds.symmetry);
    if ways.is_empty() {
        let message = format!("a pattern of symmetry {symmetry} cannot move at {velocity}");
        return Err(error::search(py, &message, None));
    }
    let questions = ways.into_iter().map(|(dx, dy)| PeriodicQuestion {
        transform,
        ..bounds
            .question(&rule, velocity.period, (width, height))
            .moving(dx, dy)
    });
    let words = format!("spaceships of {velocity} in a {width} x {height} box, {symmetry}, {rule}");
    PyQuestion::of_boxes(py, questions, CountedThing::Nothing, words, rule.clone())
}
