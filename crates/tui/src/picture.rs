//! A screen as an SVG picture, for documentation.

use crate::ink::of_index;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use render::{Rgb, Theme};
use std::fmt::Write as _;

/// The width of a character in pixels.
const WIDE: u32 = 10;
const HIGH: u32 = 20;
/// The margin around the screen in pixels.
const MARGIN: u32 = 14;

/// The screen as SVG, in the terminal's colours. Blocks, lines and braille are drawn as shapes
/// and need no font; texts use any monospaced font.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect};
/// let buffer = Buffer::with_lines(["a█⣿"]);
/// let svg = tui::picture(&buffer);
/// assert!(svg.starts_with("<svg") && svg.contains(">a<"));
/// ```
#[must_use]
pub fn picture(buffer: &Buffer) -> String {
    let area = buffer.area;
    let (columns, rows) = (u32::from(area.width), u32::from(area.height));
    let (width, height) = (columns * WIDE + 2 * MARGIN, rows * HIGH + 2 * MARGIN);
    let corner = buffer.content().first();
    let around = corner.map_or(Theme::BLUEPRINT.surround, |cell| colours(cell).1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, \
         monospace\" font-size=\"16\">\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" \
         fill=\"{around}\"/>\n<g shape-rendering=\"crispEdges\">\n"
    );
    let (mut shapes, mut words) = (String::new(), String::new());
    for row in 0..area.height {
        let y = MARGIN + u32::from(row) * HIGH;
        let cell = |column: u16| &buffer[(area.x + column, area.y + row)];
        let mut column = 0;
        while column < area.width {
            let (first, start) = (colours(cell(column)), column);
            // Adjacent cells with the same background are one rectangle.
            while column < area.width && colours(cell(column)).1 == first.1 {
                column += 1;
            }
            let (x, wide) = (
                MARGIN + u32::from(start) * WIDE,
                u32::from(column - start) * WIDE,
            );
            rect(
                &mut svg,
                (x.into(), y.into(), wide.into(), HIGH.into()),
                first.1,
            );
        }
        for column in (0..area.width).filter(|x| cell(*x).modifier.contains(Modifier::UNDERLINED)) {
            let x = MARGIN + u32::from(column) * WIDE;
            let place = (x.into(), f64::from(y + HIGH) - 2.0, WIDE.into(), 1.0);
            rect(&mut shapes, place, colours(cell(column)).0);
        }
        let mut column = 0;
        while column < area.width {
            let here = cell(column);
            let x = MARGIN + u32::from(column) * WIDE;
            if let Some(parts) = parts(here.symbol()) {
                let ink = colours(here).0;
                for (left, top, wide, high) in parts {
                    let place = (f64::from(x) + left, f64::from(y) + top, wide, high);
                    rect(&mut shapes, place, ink);
                }
                column += 1;
                continue;
            }
            let start = column;
            let mut text = String::new();
            while column < area.width
                && colours(cell(column)).0 == colours(here).0
                && cell(column).modifier == here.modifier
                && parts(cell(column).symbol()).is_none()
            {
                text.push_str(cell(column).symbol());
                column += 1;
            }
            word(&mut words, (x, y), &text, here, u32::from(column - start));
        }
    }
    let _ = write!(svg, "{shapes}</g>\n{words}</svg>\n");
    svg
}

/// Writes a rectangle of one colour.
fn rect(svg: &mut String, place: (f64, f64, f64, f64), colour: Rgb) {
    let (x, y, width, height) = place;
    // writing to a String cannot fail
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>"
    );
}

fn word(svg: &mut String, place: (u32, u32), text: &str, cell: &Cell, columns: u32) {
    if text.trim().is_empty() {
        return;
    }
    // Leading and trailing spaces would stretch the text between them.
    let before = text.len() - text.trim_start().len();
    let blanks = text[..before].chars().count() as u32;
    let after = text.chars().rev().take_while(|c| *c == ' ').count() as u32;
    let (x, y) = (place.0 + blanks * WIDE, place.1 + 15);
    let length = (columns - blanks - after) * WIDE;
    let bold = match cell.modifier.contains(Modifier::BOLD) {
        true => " font-weight=\"bold\"",
        false => "",
    };
    let escaped = text
        .trim()
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let ink = colours(cell).0;
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\" \
         xml:space=\"preserve\" fill=\"{ink}\"{bold}>{escaped}</text>"
    );
}

/// The foreground and background colours.
fn colours(cell: &Cell) -> (Rgb, Rgb) {
    let theme = Theme::BLUEPRINT;
    let of = |colour: Color, usual: Rgb| match colour {
        Color::Rgb(r, g, b) => Rgb { r, g, b },
        Color::Indexed(index) => of_index(index),
        _ => usual,
    };
    let (ink, paper) = (of(cell.fg, theme.text), of(cell.bg, Rgb::hex(0x0010_1014)));
    let ink = match cell.modifier.contains(Modifier::DIM) {
        true => ink.mix(paper, 0.5),
        false => ink,
    };
    match cell.modifier.contains(Modifier::REVERSED) {
        true => (paper, ink),
        false => (ink, paper),
    }
}

/// The rectangles of a block or braille character: left, top, width and height in pixels.
fn parts(symbol: &str) -> Option<Vec<(f64, f64, f64, f64)>> {
    let mut signs = symbol.chars();
    let (Some(sign), None) = (signs.next(), signs.next()) else {
        return None;
    };
    let (wide, high) = (f64::from(WIDE), f64::from(HIGH));
    let eighths = |sign: char, first: char| f64::from(sign as u32 - first as u32 + 1) / 8.0;
    Some(match sign {
        '▀' => vec![(0.0, 0.0, wide, high / 2.0)],
        '▁'..='█' => {
            let part = (eighths(sign, '▁') * high).round();
            vec![(0.0, high - part, wide, part)]
        }
        '▐' => vec![(wide / 2.0, 0.0, wide / 2.0, high)],
        '▏' => vec![(0.0, 0.0, 1.0, high)],
        '▔' => vec![(0.0, 0.0, wide, 1.0)],
        '─' => vec![(0.0, high / 2.0, wide, 1.0)],
        '╭' => vec![(4.0, 10.0, 6.0, 1.0), (4.0, 10.0, 1.0, 10.0)],
        '╮' => vec![(0.0, 10.0, 5.0, 1.0), (4.0, 10.0, 1.0, 10.0)],
        '╰' => vec![(4.0, 10.0, 6.0, 1.0), (4.0, 0.0, 1.0, 11.0)],
        '╯' => vec![(0.0, 10.0, 5.0, 1.0), (4.0, 0.0, 1.0, 11.0)],
        '│' => vec![(4.0, 0.0, 1.0, high)],
        '\u{2801}'..='\u{28ff}' => {
            let pattern = sign as u32 - 0x2800;
            let set = (0..8).filter(|index| pattern & crate::sheet::DOTS[*index] != 0);
            let dot = |index: usize| {
                let (column, row) = ((index % 2) as f64, (index / 2) as f64);
                (column * 5.0 + 1.0, row * 5.0 + 1.0, 3.0, 3.0)
            };
            set.map(dot).collect()
        }
        _ => return None,
    })
}
