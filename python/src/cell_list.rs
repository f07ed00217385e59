//! Cell lists, as Golly's scripts have them: flat lists of numbers, x and y of each live cell, or
//! x, y and state in an odd number of numbers (with a 0 at the end where they are even). From
//! Golly's help, "Python Scripting", section "Cell lists".

use crate::algebra;
use gridpaper::{Error, Pattern, PutMode, State, World};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How a cell of a list meets the one that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListMode {
    Or,
    Xor,
    Copy,
    And,
    Not,
}

pub(crate) fn mode(name: &str) -> Result<ListMode, String> {
    Ok(match name.to_ascii_lowercase().as_str() {
        "or" => ListMode::Or,
        "xor" => ListMode::Xor,
        "copy" => ListMode::Copy,
        "and" => ListMode::And,
        "not" => ListMode::Not,
        _ => {
            return Err(format!(
                "unknown mode {name}: expected or, xor, copy, and or not"
            ));
        }
    })
}

/// Cells by row, as a list.
pub(crate) fn write(cells: &[(i64, i64, State)], is_multistate: bool) -> Vec<i64> {
    let mut list = Vec::with_capacity(cells.len() * 3 + 1);
    for &(y, x, state) in cells {
        list.extend([x, y]);
        if is_multistate {
            list.push(state.into());
        }
    }
    if is_multistate && !list.is_empty() && list.len() % 2 == 0 {
        list.push(0);
    }
    list
}

/// The cells of a list as (y, x, state), turned by a matrix and then moved.
pub(crate) fn read(
    list: &[i64],
    x: i64,
    y: i64,
    [axx, axy, ayx, ayy]: [i64; 4],
) -> Result<Vec<(i64, i64, State)>, String> {
    let is_multistate = list.len() % 2 == 1;
    let size = if is_multistate { 3 } else { 2 };
    let mut cells = Vec::with_capacity(list.len() / size);
    for cell in list.chunks_exact(size) {
        let state = match cell.get(2) {
            None => 1,
            Some(&state) => {
                State::try_from(state).map_err(|_| format!("state {state}: states are 0 to 255"))?
            }
        };
        let turned = |a: i64, b: i64, start: i64| {
            let sum = i128::from(a) * i128::from(cell[0]) + i128::from(b) * i128::from(cell[1]);
            i64::try_from(sum + i128::from(start)).map_err(|_| "a cell is out of reach".to_string())
        };
        cells.push((turned(ayx, ayy, y)?, turned(axx, axy, x)?, state));
    }
    Ok(cells)
}

/// Puts cells into a world. What lies outside a bounded grid is dropped.
pub(crate) fn put(
    world: &mut World,
    cells: Vec<(i64, i64, State)>,
    mode: ListMode,
) -> Result<(), Error> {
    let most = world.rule().states().saturating_sub(1) as State;
    if mode == ListMode::Or {
        let live = cells
            .into_iter()
            .filter(|&(_, _, state)| state > 0)
            .collect();
        let pattern = Pattern::from_cells(algebra::from_cells(live), "B3/S23");
        let Some(rect) = pattern.bounds().and_then(|bounds| bounds.to_rect()) else {
            return Ok(());
        };
        return world.put(&pattern, (rect.x, rect.y), PutMode::Or);
    }
    let topology = *world.rule().topology();
    for (y, x, state) in cells {
        if !topology.contains(gridpaper::Point::new(x, y)) {
            continue;
        }
        let there = world.get(x, y);
        let state = match mode {
            ListMode::Or => unreachable!("it is put as a whole"),
            ListMode::Copy => state,
            ListMode::Xor => (there ^ state).min(most),
            ListMode::And => {
                if state > 0 {
                    there
                } else {
                    0
                }
            }
            ListMode::Not => most.saturating_sub(state),
        };
        if state != there {
            world.set(x, y, state)?;
        }
    }
    Ok(())
}

/// A list, turned by a matrix and moved.
#[pyfunction]
pub(crate) fn cell_list_moved(
    list: Vec<i64>,
    x: i64,
    y: i64,
    matrix: [i64; 4],
) -> PyResult<Vec<i64>> {
    let cells = read(&list, x, y, matrix).map_err(PyValueError::new_err)?;
    Ok(write(&cells, list.len() % 2 == 1))
}
