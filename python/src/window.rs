//! The part of a world that an array shows, and how large an array may be. Own method.

use gridpaper::Bounds;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The most bytes of an array of cells.
const MOST_BYTES: u128 = 1 << 32;

/// The window of an array: what is not given is that of all live cells.
pub(crate) fn window(
    bounds: Option<&Bounds>,
    given: [Option<i64>; 4],
) -> PyResult<(i64, i64, u64, u64)> {
    let [x, y, width, height] = given;
    if let [Some(x), Some(y), Some(width), Some(height)] = given {
        let (Ok(across), Ok(down)) = (u64::try_from(width), u64::try_from(height)) else {
            let message = format!("a window of {width} x {height} cells: give 0 or more");
            return Err(PyValueError::new_err(message));
        };
        let fits = |start: i64, side: u64| {
            i64::try_from(side).is_ok_and(|side| start.checked_add(side).is_some())
        };
        return match fits(x, across) && fits(y, down) {
            true => Ok((x, y, across, down)),
            false => Err(PyValueError::new_err(
                "the window reaches further than cells do",
            )),
        };
    }
    if [x, y, width, height].iter().any(Option::is_some) {
        return Err(PyTypeError::new_err(
            "give all of x, y, width and height, or none of them for all live cells",
        ));
    }
    let Some(bounds) = bounds else {
        return Ok((0, 0, 0, 0));
    };
    match bounds.to_rect() {
        Some(rect) => Ok((rect.x, rect.y, rect.width, rect.height)),
        None => Err(PyMemoryError::new_err(format!(
            "the live cells are {} x {}: give a window",
            bounds.width, bounds.height
        ))),
    }
}

/// The bytes of an array.
pub(crate) fn area(width: u64, height: u64) -> PyResult<usize> {
    let bytes = u128::from(width) * u128::from(height);
    match usize::try_from(bytes) {
        Ok(length) if bytes <= MOST_BYTES => Ok(length),
        _ => Err(PyMemoryError::new_err(format!(
            "an array of {width} x {height} cells would take {bytes} bytes, and at most \
             {MOST_BYTES} are taken: give a smaller window"
        ))),
    }
}
