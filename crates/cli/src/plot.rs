//! Population, births and deaths against generation, as a small SVG on squared paper or as
//! comma-separated values.

use num_bigint::{BigInt, BigUint, Sign};
use plot::{CountAxis, PlotSeries, RunQuantity, RunSeries};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Maximum number of points of a plot; more could not be distinguished.
const MOST_POINTS: usize = 4096;

/// The populations of a run, each with how far its generation is from the first one.
#[derive(Debug)]
pub(crate) struct PopulationTrack {
    first: BigInt,
    last: BigInt,
    series: PlotSeries,
    /// What else is drawn, each with how far its generation is from the first one.
    others: Vec<(RunQuantity, PlotSeries)>,
}

impl PopulationTrack {
    /// Begins with the world as loaded.
    pub(crate) fn new(generation: BigInt, population: BigUint) -> Self {
        let mut series = PlotSeries::with_most(MOST_POINTS);
        series.push(BigInt::ZERO, population);
        Self {
            first: generation.clone(),
            last: generation,
            series,
            others: Vec::new(),
        }
    }

    /// Draws other quantities too.
    pub(crate) fn with(mut self, quantities: &[RunQuantity]) -> Self {
        let wanted = |quantity: &RunQuantity| quantities.contains(quantity);
        let all = RunQuantity::ALL.into_iter().map(|(quantity, _)| quantity);
        let others = all.filter(|quantity| *quantity != RunQuantity::Population);
        self.others = others
            .filter(wanted)
            .map(|quantity| (quantity, PlotSeries::with_most(MOST_POINTS)))
            .collect();
        self
    }

    /// The next point of the other quantities, as they were counted last.
    pub(crate) fn push_others(&mut self, counted: &RunSeries) {
        for (quantity, series) in &mut self.others {
            if let Some((generation, value)) = counted.of(*quantity).points().last() {
                series.push(generation - &self.first, value.clone());
            }
        }
    }

    /// All points as comma-separated values: a line for each generation, and nothing where a
    /// quantity was not counted.
    pub(crate) fn csv(&self) -> String {
        let mut rows: BTreeMap<BigInt, Vec<String>> = BTreeMap::new();
        let back = self.last < self.first;
        let others = self.others.iter().map(|(_, series)| series);
        let columns = 1 + self.others.len();
        for (column, series) in std::iter::once(&self.series).chain(others).enumerate() {
            for (since, value) in series.points() {
                let generation = match back {
                    true => &self.first - since,
                    false => &self.first + since,
                };
                let row = rows.entry(generation);
                row.or_insert_with(|| vec![String::new(); columns])[column] = value.to_string();
            }
        }
        let names = self.others.iter().map(|(quantity, _)| quantity.name());
        let names: Vec<&str> = ["generation", "population"]
            .into_iter()
            .chain(names)
            .collect();
        let mut text = names.join(",") + "\n";
        for (generation, values) in rows {
            // writing to a String cannot fail
            let _ = writeln!(text, "{generation},{}", values.join(","));
        }
        text
    }

    /// The next point; generations go up only, or down only.
    pub(crate) fn push(&mut self, generation: BigInt, population: BigUint) {
        let since = (&generation - &self.first).magnitude().clone();
        self.series.push(since.into(), population);
        self.last = generation;
    }

    /// The whole drawing; the title is made of the pattern's name and the rule.
    pub(crate) fn svg(&self, name: &str, rule: &str) -> String {
        let title = format!("{}, {}", clipped(name), clipped(rule));
        draw(self, &title)
    }
}

/// The distance of plot points in generations: one, and in long runs a power of two, which a
/// hashed quadtree advances in one macro step, for about a thousand points.
pub(crate) fn spacing(generations: &BigUint) -> BigUint {
    if generations.bits() <= 12 {
        return BigUint::from(1u8);
    }
    BigUint::from(1u8) << (generations / 1000u32).bits()
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 56.0;

const PAPER: &str = "#fbf8f1";
const FAINT: &str = "#dbe6f0";
const STRONG: &str = "#b4cade";
const INK: &str = "#1d2433";
const PENCIL: &str = "#2456a6";

/// The colour and the dashes of each quantity, in the order of [`RunQuantity::ALL`].
const CURVES: [(&str, &str); 5] = [
    (PENCIL, ""),
    ("#1b7a3d", r#" stroke-dasharray="6 3""#),
    ("#b8322a", r#" stroke-dasharray="2 3""#),
    ("#7a4a00", r#" stroke-dasharray="10 3 2 3""#),
    ("#5b5f66", r#" stroke-dasharray="12 4""#),
];

fn draw(track: &PopulationTrack, title: &str) -> String {
    let (first, points) = (&track.first, track.series.points());
    let last = points.last().map(|p| p.0.magnitude().clone());
    let others = track.others.iter().flat_map(|(_, series)| series.points());
    let most = points.iter().chain(others).map(|p| &p.1).max().cloned();
    let across = CountAxis::new(&last.unwrap_or_default(), 8.0, false);
    let up = CountAxis::new(&most.unwrap_or_default(), 6.0, true);
    let x = |part: f64| LEFT + part * (WIDTH - LEFT - RIGHT);
    let y = |part: f64| HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);

    let mut svg = String::new();
    let mut put = |line: std::fmt::Arguments<'_>| {
        // Writing to a String cannot fail.
        let _ = writeln!(svg, "{line}");
    };
    put(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" font-family="ui-sans-serif, system-ui, sans-serif" font-size="13">"#
    ));
    put(format_args!("<title>{}</title>", escaped(title)));
    put(format_args!(
        r#"<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>"#
    ));
    let (left, right, top, bottom) = (x(0.0), x(1.0), y(1.0), y(0.0));
    for (axis, vertical) in [(&across, true), (&up, false)] {
        for (part, is_labelled) in axis.grid(5) {
            let colour = if is_labelled { STRONG } else { FAINT };
            let (x1, x2, y1, y2) = if vertical {
                (x(part), x(part), top, bottom)
            } else {
                (left, right, y(part), y(part))
            };
            put(format_args!(
                r#"<line x1="{x1:.1}" x2="{x2:.1}" y1="{y1:.1}" y2="{y2:.1}" stroke="{colour}"/>"#
            ));
        }
    }
    put(format_args!(
        r#"<path d="M{left:.1} {top:.1}V{bottom:.1}H{right:.1}" fill="none" stroke="{INK}"/>"#
    ));
    put(format_args!(r#"<g fill="{INK}" text-anchor="middle">"#));
    for (part, label) in across.ticks() {
        let (x, y) = (x(part), bottom + 18.0);
        put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}">{label}</text>"#
        ));
    }
    let back = track.last < *first;
    let name = match first.sign() {
        _ if back => format!("generations before {first}"),
        Sign::NoSign => "generation".to_string(),
        _ => format!("generations after {first}"),
    };
    put(format_args!(
        r#"<text x="{:.1}" y="{:.1}">{}</text>"#,
        f64::midpoint(left, right),
        HEIGHT - 14.0,
        across.title(&name)
    ));
    put(format_args!(r#"</g><g fill="{INK}" text-anchor="end">"#));
    for (part, label) in up.ticks() {
        put(format_args!(
            r#"<text x="{:.1}" y="{:.1}">{label}</text>"#,
            left - 8.0,
            y(part) + 4.5
        ));
    }
    put(format_args!(r#"</g><g fill="{INK}">"#));
    put(format_args!(
        r#"<text x="{left:.1}" y="{:.1}" font-size="12">{}</text>"#,
        top - 10.0,
        up.title(if track.others.is_empty() {
            "population"
        } else {
            "cells"
        })
    ));
    put(format_args!(
        r#"<text x="{right:.1}" y="{:.1}" text-anchor="end">{}</text></g>"#,
        top - 10.0,
        escaped(title)
    ));
    let population = (RunQuantity::Population, &track.series);
    let others = track
        .others
        .iter()
        .map(|(quantity, series)| (*quantity, series));
    for (place, (quantity, series)) in std::iter::once(population).chain(others).enumerate() {
        let mut line = String::new();
        for (i, (since, value)) in series.points().iter().enumerate() {
            let (px, py) = (x(across.part(since.magnitude())), y(up.part(value)));
            let _ = write!(line, "{}{px:.1} {py:.1}", if i == 0 { "M" } else { "L" });
        }
        let (colour, dashes) = CURVES[quantity as usize];
        put(format_args!(
            r#"<path d="{line}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-linejoin="round"{dashes}/>"#
        ));
        if !track.others.is_empty() {
            let (x, y) = (left + 90.0 + 90.0 * place as f64, top - 10.0);
            put(format_args!(
                r#"<path d="M{:.1} {:.1}h18" fill="none" stroke="{colour}" stroke-width="1.5"{dashes}/><text x="{x:.1}" y="{y:.1}" font-size="12" fill="{INK}">{}</text>"#,
                x - 22.0,
                y - 4.0,
                quantity.name()
            ));
        }
    }
    put(format_args!("</svg>"));
    svg
}

/// A long name, truncated.
fn clipped(text: &str) -> String {
    const MAX_TITLE_LENGTH: usize = 36;
    match text.char_indices().nth(MAX_TITLE_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Pow as _;

    fn track(points: &[(i64, u64)]) -> PopulationTrack {
        let mut points = points.iter().map(|&(g, p)| (g.into(), p.into()));
        let (generation, population) = points.next().unwrap();
        let mut track = PopulationTrack::new(generation, population);
        for (generation, population) in points {
            track.push(generation, population);
        }
        track
    }

    #[test]
    fn the_line_goes_from_corner_to_corner() {
        let svg = track(&[(0, 0), (100, 60)]).svg("a < b", "B3/S23");
        assert!(svg.contains(r#"d="M76.0 384.0L776.0 44.0""#), "{svg}");
        assert!(svg.contains("a &lt; b"));
        assert!(svg.contains(">generation<"));
    }

    #[test]
    fn huge_numbers_are_given_in_powers_of_ten() {
        let big = BigUint::from(10u8).pow(400u32);
        let mut track = PopulationTrack::new(0.into(), 5u8.into());
        track.push(big.clone().into(), big);
        let svg = track.svg("huge", "B3/S23");
        assert!(svg.contains("population in 10³⁹⁹"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn nothing_at_all_is_still_a_drawing() {
        let svg = track(&[(7, 0)]).svg("empty", "B3/S23");
        assert!(svg.contains("generations after 7"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn generations_may_go_down() {
        let mut track = PopulationTrack::new(7.into(), 3u8.into());
        track.push(5.into(), 9u8.into());
        track.push((-3).into(), 2u8.into());
        let svg = track.svg("back", "BBM");
        assert!(svg.contains("generations before 7"));
        assert!(svg.contains("L776.0 "), "the line reaches the right edge");
    }

    #[test]
    fn other_quantities_have_curves_and_columns_of_their_own() {
        let mut counted = RunSeries::default();
        let mut both = track(&[(7, 3), (8, 5)]).with(&[RunQuantity::Deaths, RunQuantity::Births]);
        counted.push_population(8.into(), 5u8.into());
        counted.push(RunQuantity::Births, 8.into(), 4u8.into());
        counted.push(RunQuantity::Deaths, 8.into(), 2u8.into());
        both.push_others(&counted);
        let csv = "generation,population,births,deaths\n7,3,,\n8,5,4,2\n";
        assert_eq!(both.csv(), csv);
        let svg = both.svg("both", "B3/S23");
        assert!(
            [">births<", ">deaths<", ">population<", ">cells<"]
                .iter()
                .all(|word| svg.contains(word))
        );
        assert_eq!(
            svg.matches("<path").count(),
            1 + 3 * 2,
            "axes, and curves with their legend"
        );
        let back = track(&[(7, 3), (5, 9)]);
        assert_eq!(back.csv(), "generation,population\n5,9\n7,3\n");
    }

    #[test]
    fn points_are_thinned_and_the_last_one_kept() {
        let mut track = PopulationTrack::new(0.into(), 1u8.into());
        for generation in 1..=20_001 {
            track.push(generation.into(), 1u8.into());
        }
        assert!(
            track.series.points().len() <= MOST_POINTS,
            "{}",
            track.series.points().len()
        );
        let svg = track.svg("long", "B3/S23");
        assert!(svg.contains("L776.0 "), "the line reaches the right edge");
    }

    #[test]
    fn points_stand_a_power_of_two_apart() {
        let rows = [
            (0u64, 1u64),
            (1000, 1),
            (4095, 1),
            (5206, 8),
            (1 << 40, 1 << 31),
        ];
        for (generations, apart) in rows {
            assert_eq!(spacing(&generations.into()), apart.into(), "{generations}");
        }
    }
}
