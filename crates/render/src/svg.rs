//! SVG (W3C, *Scalable Vector Graphics* 2): crisp squares, a path for each colour.

use crate::picture::lines;
use crate::{Content, Frame, Palette, PictureStyle, Rgb};
use grid::Point;
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
    let (width, height) = (frame.viewport.width, frame.viewport.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" shape-rendering=\"crispEdges\">\n"
    );
    let sheet = palette.states[0];
    rectangle(&mut text, (0, 0, width as usize, height as usize), sheet);
    let is_ruled = frame.pixels_a_cell() >= PictureStyle::MIN_RULED_PIXELS;
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
