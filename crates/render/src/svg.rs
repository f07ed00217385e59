//! SVG (W3C, *Scalable Vector Graphics* 2): crisp squares, a path for each colour.

use crate::picture::lines;
use crate::shaped_cells::{self, CellBorder, shown};
use crate::{Content, Frame, Palette, PictureStyle, Rgb};
use grid::Point;
use rule::Lattice;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The frame as an SVG document. Neighbours of one colour in a row are one rectangle; the
/// grid lines, or a hair of paper, lie over them as in [`Frame::paint`].
///
/// ```
/// use engine::World;
/// use render::{Frame, Palette, PictureStyle, Theme, Viewport};
///
/// let world = engine::Tiles::new("B3/S23".parse()?)?;
/// let palette = Palette::of(world.rule(), &Theme::PAPER);
/// let frame = Frame::of(&world, &Viewport::new(64, 48));
/// let text = render::svg(&frame, &palette, &PictureStyle::default());
/// assert!(text.starts_with("<svg ") && text.contains("viewBox=\"0 0 64 48\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn svg(frame: &Frame, palette: &Palette, style: &PictureStyle) -> String {
    if let Some(text) = shaped(frame, palette, style) {
        return text;
    }
    let (width, height) = (frame.viewport.width, frame.viewport.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" shape-rendering=\"crispEdges\">\n"
    );
    let sheet = palette.states[0];
    rectangle(&mut text, (0, 0, width as usize, height as usize), sheet);
    let is_ruled = frame.viewport.lattice == Lattice::Square
        && frame.pixels_a_cell() >= PictureStyle::MIN_RULED_PIXELS;
    let gap = style.gap && is_ruled;
    let rules = style.grid && is_ruled;
    if rules && !gap {
        ruled(&mut text, frame, palette, style.major);
    }
    for (colour, path) in paths(frame, palette) {
        let _ = writeln!(text, "<path fill=\"{colour}\" d=\"{path}\"/>");
    }
    if gap && rules {
        ruled(&mut text, frame, palette, style.major);
    } else if gap {
        // lines in the colour of the paper: the hair around each cell
        let mut plain = palette.clone();
        plain.theme.rule = sheet;
        ruled(&mut text, frame, &plain, 0);
    }
    if frame.viewport.lattice != Lattice::Square {
        text.push_str("</svg>\n");
        return text;
    }
    let (columns, rows) = frame.paper();
    let (right, bottom) = (width as usize, height as usize);
    for side in [
        (0, 0, right, rows.start),
        (0, rows.end, right, bottom),
        (0, rows.start, columns.start, rows.end),
        (columns.end, rows.start, right, rows.end),
    ] {
        rectangle(&mut text, side, palette.theme.surround);
    }
    text.push_str("</svg>\n");
    text
}

/// Hexagons and triangles as polygons, where they have a shape: a path for each colour, then the
/// lines, which are the borders of all cells of the world. `None` where cells are squares or blocks.
fn shaped(frame: &Frame, palette: &Palette, style: &PictureStyle) -> Option<String> {
    let viewport = &frame.viewport;
    let (geometry, cells) = (viewport.geometry()?, viewport.pixel_cells()?);
    let Content::Cells { rect, .. } = &frame.content else {
        return None;
    };
    if !geometry.is_shaped() {
        return None;
    }
    let (width, height) = (viewport.width, viewport.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n"
    );
    let sheet = palette.states[0];
    let is_bounded = frame.topology != rule::Topology::Unbounded;
    let around = if is_bounded {
        palette.theme.surround
    } else {
        sheet
    };
    rectangle(&mut text, (0, 0, width as usize, height as usize), around);
    let mut filled: BTreeMap<Rgb, String> = BTreeMap::new();
    let mut borders = String::new();
    let all = (rect.y..rect.bottom()).flat_map(|y| (rect.x..rect.right()).map(move |x| (x, y)));
    for cell in all.map(|(x, y)| Point::new(x, y)) {
        let corners = cells.polygon(cell);
        let is_seen = |size: u32, of: fn(&(f64, f64)) -> f64| {
            let (least, greatest) = corners.iter().map(of).fold(
                (f64::INFINITY, f64::NEG_INFINITY),
                |(least, greatest), at| (least.min(at), greatest.max(at)),
            );
            greatest > 0.0 && least < f64::from(size)
        };
        let is_seen = is_seen(width, |corner| corner.0) && is_seen(height, |corner| corner.1);
        if !is_seen || !frame.topology.contains(cell) {
            continue;
        }
        let path = outline(&corners);
        // Each border of two triangles belongs to one whose point is above.
        if viewport.lattice == Lattice::Hexagonal || is_bounded || (cell.x ^ cell.y) & 1 == 1 {
            borders.push_str(&path);
        }
        let paper = is_bounded.then_some(sheet);
        if let Some(colour) = shown(frame, palette, cell).or(paper) {
            filled.entry(colour).or_default().push_str(&path);
        }
    }
    let fill = |text: &mut String| {
        for (colour, path) in &filled {
            let _ = writeln!(text, "<path fill=\"{colour}\" d=\"{path}\"/>");
        }
    };
    let line = if style.grid {
        palette.theme.rule
    } else {
        sheet
    };
    let is_ruled = geometry.is_ruled() && (style.grid || style.gap);
    let lines = format!("<path fill=\"none\" stroke=\"{line}\" d=\"{borders}\"/>\n");
    if is_ruled && !style.gap {
        text.push_str(&lines);
    }
    fill(&mut text);
    if is_ruled && style.gap {
        text.push_str(&lines);
    }
    text.push_str("</svg>\n");
    Some(text)
}

/// A closed path through these corners, to a hundredth of a pixel.
fn outline(corners: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in corners.iter().enumerate() {
        let hundredth = |at: f64| (at * 100.0).round() / 100.0;
        let sign = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{sign}{} {}", hundredth(*x), hundredth(*y));
    }
    path.push('z');
    path
}

/// A rectangle by its left, top, right and bottom; nothing where it is empty.
fn rectangle(text: &mut String, side: (usize, usize, usize, usize), colour: Rgb) {
    let (left, top, right, bottom) = side;
    if right > left && bottom > top {
        let (width, height) = (right - left, bottom - top);
        let _ = writeln!(
            text,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>"
        );
    }
}

/// The grid lines: a path for the faint ones, and one for the strong ones over it.
fn ruled(text: &mut String, frame: &Frame, palette: &Palette, major: u32) {
    let viewport = &frame.viewport;
    let pixels = frame.pixels_a_cell();
    let theme = &palette.theme;
    for (is_strong, colour) in [(false, theme.rule), (true, theme.rule_bold)] {
        let mut path = String::new();
        for (x, _) in
            lines(&viewport.left, viewport.width, pixels, major).filter(|line| line.1 == is_strong)
        {
            let _ = write!(path, "M{x} 0h1v{}h-1z", viewport.height);
        }
        for (y, _) in
            lines(&viewport.top, viewport.height, pixels, major).filter(|line| line.1 == is_strong)
        {
            let _ = write!(path, "M0 {y}h{}v1h-{0}z", viewport.width);
        }
        if !path.is_empty() {
            let _ = writeln!(text, "<path fill=\"{colour}\" d=\"{path}\"/>");
        }
    }
}

/// What is seen, as a path of rectangles for each colour.
fn paths(frame: &Frame, palette: &Palette) -> BTreeMap<String, String> {
    let mut paths: BTreeMap<Rgb, String> = BTreeMap::new();
    if frame.viewport.lattice != Lattice::Square {
        let border = CellBorder {
            grid: false,
            gap: false,
        };
        let pixels = shaped_cells::pixels(frame, palette, border);
        let width = frame.viewport.width as usize;
        for (y, row) in pixels.chunks(width.max(1)).enumerate() {
            let mut x = 0;
            for run in row.chunk_by(|a, b| a == b) {
                if run[0] != palette.states[0] {
                    let path = paths.entry(run[0]).or_default();
                    let _ = write!(path, "M{x} {y}h{}v1h-{0}z", run.len());
                }
                x += run.len();
            }
        }
        let named = paths.into_iter();
        return named
            .map(|(colour, path)| (colour.to_string(), path))
            .collect();
    }
    match &frame.content {
        Content::Density { levels } => {
            let width = frame.viewport.width as usize;
            for (y, row) in levels.chunks(width.max(1)).enumerate() {
                let mut x = 0;
                for run in row.chunk_by(|a, b| a == b) {
                    if run[0] != 0 {
                        let colour = palette.density[usize::from(run[0])];
                        let path = paths.entry(colour).or_default();
                        let _ = write!(path, "M{x} {y}h{}v1h-{0}z", run.len());
                    }
                    x += run.len();
                }
            }
        }
        Content::Cells {
            rect,
            states,
            marks,
        } => {
            let Some((left, top)) = frame.corner(Point::new(rect.x, rect.y)) else {
                return BTreeMap::new();
            };
            let pixels = i64::from(frame.pixels_a_cell());
            let (columns, rows) = (rect.width as usize, rect.height as usize);
            let colour_of = |column: usize, row: usize| {
                let state = states.get(columns, column, row);
                let mark = marks
                    .as_ref()
                    .map_or(0, |marks| marks[row * columns + column]);
                (state != 0 || mark != 0).then(|| palette.marked_colour(state, mark))
            };
            for row in 0..rows {
                let y = top + row as i64 * pixels;
                let colours: Vec<_> = (0..columns).map(|column| colour_of(column, row)).collect();
                let mut x = left;
                for run in colours.chunk_by(|a, b| a == b) {
                    let length = run.len() as i64 * pixels;
                    if let Some(colour) = run[0] {
                        let path = paths.entry(colour).or_default();
                        let _ = write!(path, "M{x} {y}h{length}v{pixels}h-{length}z");
                    }
                    x += length;
                }
            }
        }
    }
    let named = paths.into_iter();
    named
        .map(|(colour, path)| (colour.to_string(), path))
        .collect()
}
