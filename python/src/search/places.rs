//! Questions in which it matters where cells lie: predecessors, orphans, agars, drawings.

use super::bounds::{BoxBounds, parsed, refused, rule_of};
use super::case::AskedCase;
use super::question::{CountedThing, OrphanBox, PyQuestion, QuestionKind};
use crate::error;
use crate::pattern::{generations, pattern_of};
use crate::rule::{self, rule_text};
use census::StateBox;
use grid::Point;
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use search::{
    AgarCase, AgarQuestion, AllowedStates, BlockRule, FillPattern, HistoryCase, OrphanSearch,
    PeriodicQuestion, PopulationLimits, PredecessorQuestion, Velocity,
};

/// The most cells of a target.
const MAX_AREA: u64 = 1 << 20;

/// Patterns that become this one.
#[pyfunction]
#[pyo3(signature = (pattern, generations=None, *, margin=2, rule=None, max_cells=None))]
pub(crate) fn search_predecessor(
    py: Python<'_>,
    pattern: &Bound<'_, PyAny>,
    generations: Option<BigInt>,
    margin: u32,
    rule: Option<&Bound<'_, PyAny>>,
    max_cells: Option<u32>,
) -> PyResult<PyQuestion> {
    let pattern = pattern_of(pattern)?;
    let rule = match rule_text(rule)? {
        Some(text) => rule::parse(py, &text)?,
        None => rule::parse(py, pattern.rule_text())?,
    };
    let ago = generations.unwrap_or_else(|| 1.into());
    let ago = self::generations(&ago)?.to_u32().filter(|&ago| ago > 0);
    let ago = ago.ok_or_else(|| PyValueError::new_err("generations: give 1 or a few more"))?;
    let cells = StateBox::from_pattern(&pattern.contents().cells, MAX_AREA)
        .filter(|cells| !cells.is_empty());
    let Some(cells) = cells else {
        let message = format!("a pattern of 1 cell or more, in a box of at most {MAX_AREA} cells");
        return Err(error::search(py, &message, None));
    };
    let target: Vec<_> = cells
        .states()
        .iter()
        .map(|&state| AllowedStates::only(state))
        .collect();
    let (width, height) = (cells.width() as i64, cells.height() as i64);
    let question = PredecessorQuestion {
        generations: ago,
        margin,
        population: PopulationLimits {
            most: max_cells,
            ..PopulationLimits::default()
        },
        ..PredecessorQuestion::new(rule.clone(), width as u32, target)
    };
    let case = HistoryCase::of_parents(&question).map_err(|fault| refused(py, fault))?;
    let counted = match (ago, max_cells) {
        (1, None) => {
            let margin = i64::from(margin);
            let rows = -margin..height + margin;
            let places = rows.flat_map(|y| (-margin..width + margin).map(move |x| (x, y)));
            let states = places
                .map(|(x, y)| AllowedStates::only(cells.get(Point::new(cells.x + x, cells.y + y))));
            CountedThing::Parents((width + 2 * margin) as u32, states.collect())
        }
        _ => CountedThing::Nothing,
    };
    let words = format!("what becomes {width} x {height} cells in {ago}, {rule}");
    let case = AskedCase::History(case);
    Ok(PyQuestion::of_places(case, counted, words, rule))
}

/// Targets that nothing becomes.
#[pyfunction]
#[pyo3(signature = (size, *, rule=None, symmetry="C1", beam=64))]
pub(crate) fn search_orphan(
    py: Python<'_>,
    size: (u32, u32),
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: &str,
    beam: usize,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let target = OrphanBox {
        size,
        symmetry: parsed(py, symmetry)?,
        beam: beam.clamp(1, 1 << 20),
    };
    OrphanSearch::new(&rule, size, target.symmetry, 1, 0).map_err(|fault| refused(py, fault))?;
    let (width, height) = size;
    Ok(PyQuestion {
        kind: QuestionKind::Orphan(target),
        words: format!("orphans of {width} x {height} cells, {symmetry}, {rule}"),
        rule,
        keeps_place: true,
    })
}

/// Patterns that repeat on a torus.
#[pyfunction]
#[pyo3(signature = (
    size, period=1, *, shift=0, rule=None, subperiod=false, min_cells=None, max_cells=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn search_agar(
    py: Python<'_>,
    size: (u32, u32),
    period: u32,
    shift: u32,
    rule: Option<&Bound<'_, PyAny>>,
    subperiod: bool,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let (width, height) = size;
    let question = AgarQuestion {
        shift: shift.into(),
        subperiod,
        population: PopulationLimits {
            least: min_cells,
            most: max_cells,
        },
        ..AgarQuestion::new(rule, period, width, height)
    };
    let case = AgarCase::new(question).map_err(|fault| refused(py, fault))?;
    let rule = case.rule();
    let words = format!("agars of period {period}, {rule}");
    let case = AskedCase::Agar(case);
    Ok(PyQuestion::of_places(
        case,
        CountedThing::Nothing,
        words,
        rule,
    ))
}

/// Patterns of which some cells are known.
#[pyfunction]
#[pyo3(signature = (
    drawing, *, period=None, velocity=None, rule=None, symmetry="C1", min_cells=None,
    max_cells=None, diagonal_width=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn search_fill(
    py: Python<'_>,
    drawing: &str,
    period: Option<u32>,
    velocity: Option<&str>,
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: &str,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
    diagonal_width: Option<u32>,
) -> PyResult<PyQuestion> {
    let wrong = |fault: search::FillError| error::search(py, &format!("drawing: {fault}"), None);
    // the rule may be in the text, and how many states may be drawn is the rule's to say
    let drawn = FillPattern::parse(drawing, 256).map_err(wrong)?;
    let rule = match (rule_text(rule)?, drawn.rule()) {
        (Some(text), _) => rule::parse(py, &text)?,
        (None, Some(text)) => rule::parse(py, text)?,
        (None, None) => rule_of(py, None)?,
    };
    let table = BlockRule::new(&rule).map_err(|fault| refused(py, fault))?;
    let drawing = FillPattern::parse(drawing, table.states()).map_err(wrong)?;
    let bounds = BoxBounds::new(py, symmetry, min_cells, max_cells, diagonal_width)?;
    let size = (drawing.width(), drawing.height());
    let (period, ways) = match (period, velocity) {
        (Some(period), None) => (period, vec![(0, 0)]),
        (None, Some(velocity)) => {
            let velocity: Velocity = parsed(py, velocity)?;
            (velocity.period, velocity.all_directions(bounds.symmetry))
        }
        (None, None) => {
            if !bounds.is_plain() {
                let message = "bounds and symmetry are for patterns that repeat";
                return Err(PyValueError::new_err(message));
            }
            let case = HistoryCase::of_drawing(&drawing, &rule).map_err(wrong)?;
            let (case, words) = (
                AskedCase::History(case),
                format!("a history as drawn, {rule}"),
            );
            let counted = CountedThing::Nothing;
            return Ok(PyQuestion::of_places(case, counted, words, rule));
        }
        (Some(_), Some(_)) => {
            let message = "a period or a velocity, and not both";
            return Err(PyValueError::new_err(message));
        }
    };
    let questions = ways.into_iter().map(|(dx, dy)| PeriodicQuestion {
        fixed: drawing.fixed_cells(),
        subperiod: true,
        empty: true,
        ..bounds.question(&rule, period, size).moving(dx, dy)
    });
    let words = format!("as drawn, period {period}, {rule}");
    Ok(PyQuestion {
        keeps_place: true,
        ..PyQuestion::of_boxes(py, questions, CountedThing::Nothing, words, rule.clone())?
    })
}
