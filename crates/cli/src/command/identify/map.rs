//! The cells of an oscillator, coloured by how often they repeat or change; the phases of a spaceship.

use crate::failure::CliFailure;
use crate::output;
use census::{FlightMap, Identification, PeriodMap};
use clap::ValueEnum;
use render::{Picture, Rgb, Theme, png};
use std::fmt::Write as _;
use std::path::Path;

/// What a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MapKind {
    /// how often each cell repeats: grey for 1, and stronger up to the period of the whole
    Period,
    /// how often each cell changes
    Heat,
    /// which cells change at all
    Rotor,
    /// for how long each cell has been what it is: strong where it has just changed
    Age,
}

/// Pixels a cell.
const CELL: usize = 16;

/// Refuses a file whose ending tells no format.
pub(super) fn check_ending(path: &Path) -> Result<(), CliFailure> {
    match ending(path) {
        "svg" | "png" | "txt" => Ok(()),
        _ => {
            let message = format!("{}: its ending tells no format", path.display());
            let hint = "maps are written as .svg, .png and .txt".to_string();
            Err(CliFailure::wrong(message).with_hint(hint))
        }
    }
}

fn ending(path: &Path) -> &str {
    path.extension()
        .and_then(|end| end.to_str())
        .unwrap_or_default()
}

pub(super) fn write(found: &Identification, kind: MapKind, path: &Path) -> Result<(), CliFailure> {
    let bytes = match (&found.period_map, &found.flight_map) {
        (Some(map), _) => match ending(path) {
            "png" => png(&picture(map, kind)),
            "txt" => map.to_string().into_bytes(),
            _ => svg(map, kind).into_bytes(),
        },
        (None, Some(flight)) if kind == MapKind::Period => match ending(path) {
            "png" => png(&flight_picture(flight)),
            "txt" => flight.to_string().into_bytes(),
            _ => flight_svg(flight).into_bytes(),
        },
        (None, Some(_)) => {
            let message = "no such map of a spaceship: its phases are drawn".into();
            let hint = Some("without --map-kind".into());
            return Err(CliFailure::No { message, hint });
        }
        (None, None) => {
            let message = format!(
                "no map of {}: what repeats has one, in its place or another",
                found.kind
            );
            return Err(CliFailure::No {
                message,
                hint: None,
            });
        }
    };
    output::to_file(path, |out| {
        out.write_all(&bytes)
            .map_err(|error| CliFailure::io(path.display(), &error))
    })
}

/// How strongly a cell is coloured, from 0 to 1; `None` where no cell is ever live.
fn strength(map: &PeriodMap, kind: MapKind, at: usize) -> Option<f64> {
    let (period, changes) = (map.periods[at], map.changes[at]);
    if period == 0 {
        return None;
    }
    Some(match kind {
        MapKind::Rotor => f64::from(u8::from(changes > 0)),
        MapKind::Age if changes == 0 => 0.0,
        MapKind::Age => 1.0 - (map.ages[at] - 1) as f64 / map.period as f64,
        MapKind::Heat => changes as f64 / map.period.max(1) as f64,
        MapKind::Period => {
            let divisors: Vec<u64> = (1..=map.period)
                .filter(|&q| map.period.is_multiple_of(q))
                .collect();
            let rank = divisors.iter().position(|&q| q == period).unwrap_or(0);
            rank as f64 / (divisors.len() - 1).max(1) as f64
        }
    })
}

/// Grey for what never changes, and up to blue.
fn colour(strength: f64) -> Rgb {
    let (grey, blue) = (Theme::PAPER.pencil, Rgb::hex(0x1f_5f_ae));
    // the lowest rank of what changes is told from what does not
    let share = if strength > 0.0 {
        0.25 + 0.75 * strength
    } else {
        0.0
    };
    let mix = |from: u8, to: u8| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8
    };
    Rgb {
        r: mix(grey.r, blue.r),
        g: mix(grey.g, blue.g),
        b: mix(grey.b, blue.b),
    }
}

fn picture(map: &PeriodMap, kind: MapKind) -> Picture {
    let (width, height) = ((map.width + 2) * CELL, (map.height + 2) * CELL);
    let mut picture = Picture::filled(width as u32, height as u32, Theme::PAPER.sheet);
    for y in 0..height {
        for x in 0..width {
            let is_line = x % CELL == 0 || y % CELL == 0;
            let (column, row) = (x / CELL, y / CELL);
            let is_inside = (1..=map.width).contains(&column) && (1..=map.height).contains(&row);
            let at = is_inside.then(|| (row - 1) * map.width + column - 1);
            let strength = at.and_then(|at| strength(map, kind, at));
            picture.pixels[y * width + x] = match strength {
                _ if is_line => Theme::PAPER.rule,
                Some(strength) => colour(strength),
                None => Theme::PAPER.sheet,
            };
        }
    }
    picture
}

/// Phases beside each other; the next go below.
const PHASES_IN_ROW: usize = 16;

/// The corners of the phases' boxes in cells, with a cell between, and the size of it all.
fn places(flight: &FlightMap) -> (Vec<(usize, usize)>, usize, usize) {
    let in_row = flight.phases.len().min(PHASES_IN_ROW);
    let place = |phase: usize| {
        let (column, row) = (phase % in_row, phase / in_row);
        (
            1 + column * (flight.width + 1),
            1 + row * (flight.height + 1),
        )
    };
    let rows = flight.phases.len().div_ceil(in_row);
    let places = (0..flight.phases.len()).map(place).collect();
    let width = 1 + in_row * (flight.width + 1);
    (places, width, 1 + rows * (flight.height + 1))
}

/// Where the middle of the first phase is, and where it will be one period later, in cells of its
/// box.
fn arrow(flight: &FlightMap) -> [(f64, f64); 2] {
    let first = &flight.phases[0];
    let middle =
        |corner: i64, edge: i64, length: usize| (corner - edge) as f64 + length as f64 / 2.0;
    let (x, y) = (
        middle(first.x, flight.x, first.width()),
        middle(first.y, flight.y, first.height()),
    );
    [(x, y), (x + flight.dx as f64, y + flight.dy as f64)]
}

/// The phases side by side, each in its place in the box of the flight, with a line from the first
/// to where it will be.
fn flight_picture(flight: &FlightMap) -> Picture {
    let (places, columns, rows) = places(flight);
    let (width, height) = (columns * CELL, rows * CELL);
    let mut picture = Picture::filled(width as u32, height as u32, Theme::PAPER.sheet);
    for (phase, &(left, top)) in places.iter().enumerate() {
        for y in 0..flight.height * CELL {
            for x in 0..flight.width * CELL {
                let at = (top * CELL + y) * width + left * CELL + x;
                let is_line = x % CELL == 0 || y % CELL == 0;
                picture.pixels[at] = match flight.is_live(phase, x / CELL, y / CELL) {
                    _ if is_line => Theme::PAPER.rule,
                    true => Theme::PAPER.ink,
                    false => Theme::PAPER.sheet,
                };
            }
        }
    }
    let [from, to] = arrow(flight);
    let steps = CELL as i64 * (flight.dx.abs().max(flight.dy.abs()) + 1);
    for step in 0..=steps {
        let share = step as f64 / steps as f64;
        let at = |from: f64, to: f64| (from + (to - from) * share + 1.0) * CELL as f64;
        let (x, y) = (at(from.0, to.0) as usize, at(from.1, to.1) as usize);
        // wider at its end
        let half = if step + CELL as i64 / 2 > steps { 3 } else { 1 };
        for y in y.saturating_sub(half)..=(y + half).min(height - 1) {
            for x in x.saturating_sub(half)..=(x + half).min(width - 1) {
                picture.pixels[y * width + x] = colour(1.0);
            }
        }
    }
    picture
}

/// The same as a drawing.
fn flight_svg(flight: &FlightMap) -> String {
    let (places, width, height) = places(flight);
    let theme = Theme::PAPER;
    let mut phases = String::new();
    for (phase, (left, top)) in places.into_iter().enumerate() {
        let _ = writeln!(
            phases,
            "<g transform=\"translate({left} {top})\"><title>generation {phase}</title>\
             <rect width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\".05\"/>",
            flight.width, flight.height, theme.rule
        );
        for y in 0..flight.height {
            for x in (0..flight.width).filter(|&x| flight.is_live(phase, x, y)) {
                let _ = writeln!(
                    phases,
                    "<rect x=\"{x}.05\" y=\"{y}.05\" width=\".9\" height=\".9\" fill=\"{}\"/>",
                    theme.ink
                );
            }
        }
        phases += "</g>\n";
    }
    let [(x, y), (to_x, to_y)] = arrow(flight);
    let colour = colour(1.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{}\" height=\"{}\">\n\
         <defs><marker id=\"head\" viewBox=\"0 0 4 4\" refX=\"3\" refY=\"2\" orient=\"auto\">\
         <path d=\"M0 0 4 2 0 4z\" fill=\"{colour}\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n{phases}\
         <line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{colour}\" stroke-width=\".2\" marker-end=\"url(#head)\"/>\n</svg>\n",
        width * CELL,
        height * CELL,
        theme.sheet,
        x + 1.0,
        y + 1.0,
        to_x + 1.0,
        to_y + 1.0,
    )
}

/// A square for each cell with its number for those who read the file, and a legend below.
fn svg(map: &PeriodMap, kind: MapKind) -> String {
    let mut cells = String::new();
    let mut legend: Vec<(String, Rgb, u64)> = Vec::new();
    for at in 0..map.periods.len() {
        let Some(strength) = strength(map, kind, at) else {
            continue;
        };
        let colour = colour(strength);
        let (x, y) = (at % map.width + 1, at / map.width + 1);
        let words = match kind {
            MapKind::Period => format!("period {}", map.periods[at]),
            MapKind::Heat => format!("{} changes in {}", map.changes[at], map.period),
            MapKind::Age if map.changes[at] == 0 => "never changes".into(),
            MapKind::Age => format!("so for {} of {}", map.ages[at], map.period),
            MapKind::Rotor if map.changes[at] > 0 => "rotor".into(),
            MapKind::Rotor => "stator".into(),
        };
        let _ = writeln!(
            cells,
            "<rect x=\"{x}.05\" y=\"{y}.05\" width=\".9\" height=\".9\" fill=\"{colour}\"><title>{words}</title></rect>"
        );
        match legend.iter_mut().find(|(other, ..)| *other == words) {
            Some((_, _, count)) => *count += 1,
            None => legend.push((words, colour, 1)),
        }
    }
    // the numbers in the words are in the order of the colours
    legend.sort_by_key(|(words, ..)| {
        let digits: String = words.chars().filter(char::is_ascii_digit).collect();
        (digits.len(), words.clone())
    });
    let mut lines = String::new();
    for (i, (words, colour, count)) in legend.iter().enumerate() {
        let y = map.height as f64 + 2.4 + 1.4 * i as f64;
        let _ = writeln!(
            lines,
            "<rect x=\"1\" y=\"{y:.1}\" width=\".9\" height=\".9\" fill=\"{colour}\"/>\
             <text x=\"2.3\" y=\"{:.1}\" font-size=\"1\" font-family=\"sans-serif\" fill=\"{}\">{words}: {count}</text>",
            y + 0.8,
            Theme::PAPER.ink,
        );
    }
    let width = (map.width + 2).max(16);
    let height = map.height as f64 + 3.0 + 1.4 * legend.len() as f64;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height:.1}\" width=\"{}\" height=\"{:.0}\">\n\
         <rect width=\"{width}\" height=\"{height:.1}\" fill=\"{}\"/>\n{cells}{lines}</svg>\n",
        width * CELL,
        height * CELL as f64,
        Theme::PAPER.sheet,
    )
}
