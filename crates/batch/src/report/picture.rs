//! Cells as SVG.

use pattern::{Cells, Format};
use std::fmt::Write as _;

/// The largest side of a picture in cells.
const MAX_SIDE: i64 = 40;

/// The phase that the code of an object describes; `None` where it is too large for a picture
/// or the code describes no cells.
pub(super) fn object(code: &str) -> Option<String> {
    let pattern = pattern::read_as(code.as_bytes(), Format::Apgcode).ok()?;
    let bounds = pattern.cells.bounds()?.to_rect()?;
    let (width, height) = (bounds.width as i64, bounds.height as i64);
    if width > MAX_SIDE || height > MAX_SIDE {
        return None;
    }
    // small objects have the same cells as middle ones, and large ones fill the column
    let scale = 50.0 / (width.max(height) + 2).max(10) as f64;
    Some(draw(&pattern.cells, Some(scale)))
}

/// Draws cells with an empty border of one cell: so many pixels a cell, or as wide as there is
/// room.
pub(super) fn draw(cells: &Cells, scale: Option<f64>) -> String {
    let Some(bounds) = cells.bounds().and_then(|bounds| bounds.to_rect()) else {
        return String::new();
    };
    let mut path = String::new();
    cells.for_each_run(&mut |run| {
        let (x, y, length) = (run.x - bounds.x + 1, run.y - bounds.y + 1, run.length);
        let _ = write!(path, "M{x} {y}h{length}v1h-{length}z");
    });
    let (width, height) = (bounds.width + 2, bounds.height + 2);
    let size = scale.map_or(String::new(), |scale| {
        let (w, h) = (width as f64 * scale, height as f64 * scale);
        format!(" width={w:.0} height={h:.0}")
    });
    format!(
        "<svg class=cells{size} viewBox=\"0 0 {width} {height}\" aria-hidden=true>\
         <path d=\"{path}\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_drawn_and_large_ones_are_not() {
        let glider = object("xq4_153").unwrap();
        assert!(
            glider.contains("viewBox=\"0 0 5 5\"") && glider.contains("<path d=\"M1 1h3v1h-3z"),
            "{glider}"
        );
        for code in ["PATHOLOGICAL", "ov_p46", "megasized_31h", "yl144_1_16_afb5"] {
            assert_eq!(object(code), None, "{code}");
        }
    }
}
