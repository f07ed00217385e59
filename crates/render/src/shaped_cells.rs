//! Hexagons and triangles in pixels. Each pixel has the colour of the cell that has its middle;
//! where there are lines, a pixel whose left or upper neighbour belongs to another cell is one
//! of a line. So no pixel is left out or drawn twice, and colours stay those of the palette.

use crate::{Content, Frame, Palette, Rgb};
use grid::Point;
use num_traits::ToPrimitive;
use rule::Topology;

/// What lies between cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellBorder {
    /// Whether there are lines around empty cells.
    pub(crate) grid: bool,
    /// Whether cells have a hair of paper around them, or a line.
    pub(crate) gap: bool,
}

/// The pixels of a frame of hexagons or triangles, row by row.
pub(crate) fn pixels(frame: &Frame, palette: &Palette, border: CellBorder) -> Vec<Rgb> {
    let viewport = &frame.viewport;
    let (width, height) = (viewport.width as usize, viewport.height as usize);
    let mut pixels = Vec::with_capacity(width * height);
    let (Content::Cells { .. }, Some(cells)) = (&frame.content, viewport.pixel_cells()) else {
        density_pixels(frame, palette, &mut pixels);
        return pixels;
    };
    let is_ruled = viewport.geometry().is_some_and(|cells| cells.is_ruled());
    let (grid, gap) = (border.grid && is_ruled, border.gap && is_ruled);
    let sheet = palette.states[0];
    let line = if grid { palette.theme.rule } else { sheet };
    let mut above: Vec<Point> = (0..width as i64).map(|px| cells.at(px, -1)).collect();
    for py in 0..height as i64 {
        let mut left = cells.at(-1, py);
        for (px, above) in above.iter_mut().enumerate() {
            let cell = cells.at(px as i64, py);
            let is_border = cell != left || cell != *above;
            (left, *above) = (cell, cell);
            let colour = match shown(frame, palette, cell) {
                _ if !frame.topology.contains(cell) => palette.theme.surround,
                _ if is_border && gap => line,
                Some(colour) => colour,
                None if is_border && grid => line,
                None => sheet,
            };
            pixels.push(colour);
        }
    }
    pixels
}

/// The colour of a cell that is not empty, or has a mark.
pub(crate) fn shown(frame: &Frame, palette: &Palette, cell: Point) -> Option<Rgb> {
    let Content::Cells {
        rect,
        states,
        marks,
    } = &frame.content
    else {
        return None;
    };
    if !rect.contains(cell) {
        return None;
    }
    let (column, row) = (cell.x.abs_diff(rect.x), cell.y.abs_diff(rect.y));
    let (column, row, width) = (column as usize, row as usize, rect.width as usize);
    let state = states.get(width, column, row);
    let mark = marks
        .as_ref()
        .map_or(0, |marks| marks[row * width + column]);
    (state != 0 || mark != 0).then(|| palette.marked_colour(state, mark))
}

fn density_pixels(frame: &Frame, palette: &Palette, pixels: &mut Vec<Rgb>) {
    let Content::Density { levels } = &frame.content else {
        return;
    };
    let viewport = &frame.viewport;
    let is_bounded = frame.topology != Topology::Unbounded;
    for (index, &level) in levels.iter().enumerate() {
        let is_outside = || {
            let (px, py) = (
                index as i64 % i64::from(viewport.width),
                index as i64 / i64::from(viewport.width),
            );
            let (x, y) = viewport.cell_at(px, py);
            let cell = x.to_i64().zip(y.to_i64());
            cell.is_none_or(|(x, y)| !frame.topology.contains(Point::new(x, y)))
        };
        pixels.push(match level {
            0 if is_bounded && is_outside() => palette.theme.surround,
            0 => palette.states[0],
            level => palette.density[usize::from(level)],
        });
    }
}
