//! SVG (W3C, *Scalable Vector Graphics* 2): crisp squares, a path for each colour.

use crate::picture::lines;
use crate::shaped_cells::{self, CellBorder, shown};
use crate::{Content, Frame, Palette, PictureStyle, Rgb, StateIcons};
use grid::Point;
use rule::Lattice;
use std::collections::{BTreeMap, BTreeSet};
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
    document(frame, palette, style, "")
}

/// The document, with icons over the cells.
fn document(frame: &Frame, palette: &Palette, style: &PictureStyle, icons: &str) -> String {
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
    text.push_str(icons);
    // what lies around a bounded world
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

/// The same with live cells as the icons of their states, where there are icons and a cell is at least
/// [`PictureStyle::MIN_ICON_PIXELS`] pixels wide: each icon that is seen is defined once, with a path
/// for each of its colours, and used at its cells.
///
/// ```
/// use engine::World;
/// use render::{Frame, Palette, PictureStyle, StateIcons, Theme, Viewport};
///
/// let mut world = engine::Tiles::new("/2/3".parse()?)?;
/// world.set(grid::Point::new(0, 0), 1)?;
/// let frame = Frame::of(&world, &Viewport::new(64, 48));
/// let palette = Palette::of(world.rule(), &Theme::PAPER);
/// let (style, icons) = (PictureStyle::default(), StateIcons::read("diamonds"));
/// let text = render::svg_with_icons(&frame, &palette, &style, &icons);
/// assert_eq!(text.matches("<use href=\"#state-1\"").count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn svg_with_icons(
    frame: &Frame,
    palette: &Palette,
    style: &PictureStyle,
    icons: &StateIcons,
) -> String {
    let icons = icon_uses(frame, palette, icons).unwrap_or_default();
    document(frame, palette, style, &icons)
}

/// The icons that are seen, and where.
fn icon_uses(frame: &Frame, palette: &Palette, icons: &StateIcons) -> Option<String> {
    let Content::Cells { rect, states, .. } = &frame.content else {
        return None;
    };
    let (side, column) = frame.icon_column(palette, icons)?;
    let (left, top) = frame.corner(Point::new(rect.x, rect.y))?;
    let pixels = i64::from(frame.pixels_a_cell());
    let (columns, rows) = (rect.width as usize, rect.height as usize);
    let mut uses = String::new();
    let mut seen = BTreeSet::new();
    for (row, cell) in (0..rows).flat_map(|row| (0..columns).map(move |cell| (row, cell))) {
        let state = states.get(columns, cell, row);
        if state != 0 {
            seen.insert(state);
            let (x, y) = (
                left + cell as i64 * pixels + 1,
                top + row as i64 * pixels + 1,
            );
            let _ = writeln!(uses, "<use href=\"#state-{state}\" x=\"{x}\" y=\"{y}\"/>");
        }
    }
    let mut text = String::from("<defs>\n");
    let scale = (pixels - 1) as f64 / f64::from(side);
    for state in seen {
        let _ = writeln!(
            text,
            "<g id=\"state-{state}\"><g transform=\"scale({scale})\">"
        );
        let mut paths: BTreeMap<Rgb, String> = BTreeMap::new();
        for y in 0..side {
            let row = u32::from(state) * side + y;
            let colours: Vec<Rgb> = (0..side).map(|x| column.pixel(x, row)).collect();
            let mut x = 0;
            for run in colours.chunk_by(|a, b| a == b) {
                let path = paths.entry(run[0]).or_default();
                let _ = write!(path, "M{x} {y}h{}v1h-{0}z", run.len());
                x += run.len();
            }
        }
        for (colour, path) in paths {
            let _ = writeln!(text, "<path fill=\"{colour}\" d=\"{path}\"/>");
        }
        text.push_str("</g></g>\n");
    }
    Some(format!("{text}</defs>\n{uses}"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Picture, Theme, Viewport};
    use engine::World as _;

    /// One pixel of an icon to one of the picture: the document is what is painted.
    #[test]
    fn icons_are_those_of_the_painted_picture() {
        let mut world = engine::Tiles::new("/2/3".parse().unwrap()).unwrap();
        for (x, y, state) in [(0, 0, 1), (1, 0, 2), (-2, 1, 1)] {
            world.set(Point::new(x, y), state).unwrap();
        }
        let palette = Palette::of(world.rule(), &Theme::PAPER);
        let (style, icons) = (PictureStyle::default(), StateIcons::read("diamonds"));
        let viewport = Viewport {
            zoom: "8".parse().unwrap(),
            ..Viewport::new(96, 64)
        };
        let viewport = viewport.centred_on(&0.into(), &0.into());
        let frame = Frame::of(&world, &viewport);
        let text = svg_with_icons(&frame, &palette, &style, &icons);
        let mut found = frame.paint(&palette, &style);
        for (line, number) in numbers_after(&text, "<use href=\"#state-", [" x=\"", " y=\""]) {
            let state = line.split(['-', '"']).nth(2).unwrap();
            let (_, definition) = text.split_once(&format!("id=\"state-{state}\"")).unwrap();
            let (definition, _) = definition.split_once("</g>").unwrap();
            assert!(definition.contains("scale(1)"), "{definition}");
            fill(&mut found, definition, number);
        }
        assert_eq!(found, frame.paint_with_icons(&palette, &style, &icons));
        assert_ne!(found, frame.paint(&palette, &style));
        assert_eq!(text.matches("<use ").count(), 3);
        // too small for icons, or none: as without them
        let plain = svg(&frame, &palette, &style);
        let none = svg_with_icons(&frame, &palette, &style, &StateIcons::default());
        assert_eq!(none, plain);
        let small = Viewport {
            zoom: "4".parse().unwrap(),
            ..viewport
        };
        let frame = Frame::of(&world, &small);
        let plain = svg(&frame, &palette, &style);
        assert_eq!(svg_with_icons(&frame, &palette, &style, &icons), plain);
    }

    /// The lines with a beginning, and two numbers of each.
    fn numbers_after<'a>(
        text: &'a str,
        begin: &'a str,
        names: [&'a str; 2],
    ) -> impl Iterator<Item = (&'a str, (usize, usize))> {
        let number = |line: &str, name: &str| {
            let (_, rest) = line.split_once(name).unwrap();
            rest.split('"').next().unwrap().parse::<usize>().unwrap()
        };
        let lines = text.lines().filter(move |line| line.starts_with(begin));
        lines.map(move |line| (line, (number(line, names[0]), number(line, names[1]))))
    }

    /// Fills the paths of an icon, whose corner is at a pixel.
    fn fill(picture: &mut Picture, definition: &str, (left, top): (usize, usize)) {
        for line in definition.lines().filter(|line| line.starts_with("<path")) {
            let mut parts = line.split('"');
            let colour: Rgb = parts.nth(1).unwrap().parse().unwrap();
            for run in parts.nth(1).unwrap().split('M').skip(1) {
                let numbers: Vec<usize> = run
                    .split([' ', 'h', 'v'])
                    .take(3)
                    .map(|n| n.parse().unwrap())
                    .collect();
                let start = (top + numbers[1]) * picture.width as usize + left + numbers[0];
                picture.pixels[start..start + numbers[2]].fill(colour);
            }
        }
    }
}
