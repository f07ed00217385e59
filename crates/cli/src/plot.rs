//! Population against generation, as a small SVG on squared paper.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Pow as _, ToPrimitive as _};
use std::fmt::Write as _;

/// Maximum number of points of a plot; more could not be distinguished.
const MOST_POINTS: usize = 4096;

/// The points of a plot. When there are too many, every second one is dropped.
#[derive(Debug)]
pub(crate) struct PlotSeries {
    points: Vec<(BigInt, BigUint)>,
    last: (BigInt, BigUint),
    stride: u64,
    seen: u64,
}

impl PlotSeries {
    /// Begins with the world as loaded.
    pub(crate) fn new(generation: BigInt, population: BigUint) -> Self {
        Self {
            points: vec![(generation.clone(), population.clone())],
            last: (generation, population),
            stride: 1,
            seen: 1,
        }
    }

    /// The next point; generations go up only, or down only.
    pub(crate) fn push(&mut self, generation: BigInt, population: BigUint) {
        self.last = (generation, population);
        if self.seen.is_multiple_of(self.stride) {
            self.points.push(self.last.clone());
        }
        self.seen += 1;
        if self.points.len() > MOST_POINTS {
            let mut keep = false;
            self.points.retain(|_| {
                keep = !keep;
                keep
            });
            self.stride *= 2;
        }
    }

    /// The whole drawing; the title is made of the pattern's name and the rule.
    pub(crate) fn svg(mut self, name: &str, rule: &str) -> String {
        if self.points.last() != Some(&self.last) {
            self.points.push(self.last.clone());
        }
        let title = format!("{}, {}", clipped(name), clipped(rule));
        draw(&self.points, &title)
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

/// An axis, in units of a power of ten.
struct PlotAxis {
    /// Values are in units of 10^this.
    exponent: u32,
    /// From one labelled line to the next.
    step: f64,
    /// The end of the axis.
    end: f64,
}

impl PlotAxis {
    /// An axis from 0 that reaches `greatest`, with about `lines` labelled lines; it ends
    /// at a line if `round`.
    fn new(greatest: &BigUint, lines: f64, round: bool) -> Self {
        let digits = greatest.to_string().len() as u32;
        // Up to six digits are written out.
        let exponent = if digits <= 6 { 0 } else { (digits - 1) / 3 * 3 };
        let greatest = in_units(greatest, exponent).max(1.0);
        let rough = greatest / lines;
        let magnitude = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|m| m * magnitude)
            .into_iter()
            .find(|&step| step >= rough)
            .unwrap_or(10.0 * magnitude);
        // Generations and cells come whole.
        let step = if exponent == 0 { step.max(1.0) } else { step };
        let end = if round {
            (greatest / step).ceil() * step
        } else {
            greatest
        };
        Self {
            exponent,
            step,
            end,
        }
    }

    /// Values of the labelled lines.
    fn lines(&self) -> impl Iterator<Item = f64> {
        let count = (self.end / self.step + 1e-9).floor() as u32;
        (0..=count).map(|i| f64::from(i) * self.step)
    }

    fn label(&self, value: f64) -> String {
        let places = (-self.step.log10().floor()).max(0.0) as usize;
        format!("{value:.places$}")
    }

    /// `population`, or `population in 10¹²`.
    fn title(&self, name: &str) -> String {
        if self.exponent == 0 {
            return name.to_string();
        }
        let raised = self.exponent.to_string();
        let raised = raised.bytes().map(|b| match b {
            b'1' => '¹',
            b'2' => '²',
            b'3' => '³',
            b'0' => '⁰',
            four_to_nine => char::from_u32(0x2070 + u32::from(four_to_nine - b'0'))
                .expect("superscript digits 4 to 9 are characters"),
        });
        format!("{name} in 10{}", raised.collect::<String>())
    }
}

/// A number in units of 10^exponent, to about nine digits.
fn in_units(n: &BigUint, exponent: u32) -> f64 {
    if exponent == 0 {
        return n.to_f64().unwrap_or(f64::MAX);
    }
    let scaled = n * 1_000_000u32 / BigUint::from(10u8).pow(exponent);
    scaled.to_f64().unwrap_or(f64::MAX) / 1e6
}

fn draw(points: &[(BigInt, BigUint)], title: &str) -> String {
    let first = points.first().map(|p| p.0.clone()).unwrap_or_default();
    let since = |generation: &BigInt| (generation - &first).magnitude().clone();
    let last = points.last().map(|p| since(&p.0)).unwrap_or_default();
    let most = points.iter().map(|p| &p.1).max().cloned();
    let across = PlotAxis::new(&last, 8.0, false);
    let up = PlotAxis::new(&most.unwrap_or_default(), 6.0, true);
    let x = |value: f64| LEFT + value / across.end * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - value / up.end * (HEIGHT - TOP - BOTTOM);

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
    let (left, right, top, bottom) = (x(0.0), x(across.end), y(up.end), y(0.0));
    for (axis, vertical) in [(&across, true), (&up, false)] {
        let fine = axis.step / 5.0;
        let count = (axis.end / fine + 1e-9).floor() as u32;
        for i in 0..=count {
            let value = f64::from(i) * fine;
            let colour = if i % 5 == 0 { STRONG } else { FAINT };
            let (x1, x2, y1, y2) = if vertical {
                (x(value), x(value), top, bottom)
            } else {
                (left, right, y(value), y(value))
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
    for value in across.lines() {
        let (x, y) = (x(value), bottom + 18.0);
        let label = across.label(value);
        put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}">{label}</text>"#
        ));
    }
    let back = points.last().is_some_and(|point| point.0 < first);
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
    for value in up.lines() {
        let label = up.label(value);
        put(format_args!(
            r#"<text x="{:.1}" y="{:.1}">{label}</text>"#,
            left - 8.0,
            y(value) + 4.5
        ));
    }
    put(format_args!(r#"</g><g fill="{INK}">"#));
    put(format_args!(
        r#"<text x="{left:.1}" y="{:.1}" font-size="12">{}</text>"#,
        top - 10.0,
        up.title("population")
    ));
    put(format_args!(
        r#"<text x="{right:.1}" y="{:.1}" text-anchor="end">{}</text></g>"#,
        top - 10.0,
        escaped(title)
    ));
    let mut line = String::new();
    for (i, (generation, population)) in points.iter().enumerate() {
        let px = x(in_units(&since(generation), across.exponent));
        let py = y(in_units(population, up.exponent));
        let _ = write!(line, "{}{px:.1} {py:.1}", if i == 0 { "M" } else { "L" });
    }
    put(format_args!(
        r#"<path d="{line}" fill="none" stroke="{PENCIL}" stroke-width="1.5" stroke-linejoin="round"/>"#
    ));
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

    fn track(points: &[(i64, u64)]) -> PlotSeries {
        let mut points = points.iter().map(|&(g, p)| (g.into(), p.into()));
        let (generation, population) = points.next().unwrap();
        let mut track = PlotSeries::new(generation, population);
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
        let mut track = PlotSeries::new(0.into(), 5u8.into());
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
        let mut track = PlotSeries::new(7.into(), 3u8.into());
        track.push(5.into(), 9u8.into());
        track.push((-3).into(), 2u8.into());
        let svg = track.svg("back", "BBM");
        assert!(svg.contains("generations before 7"));
        assert!(svg.contains("L776.0 "), "the line reaches the right edge");
    }

    #[test]
    fn points_are_thinned_and_the_last_one_kept() {
        let mut track = PlotSeries::new(0.into(), 1u8.into());
        for generation in 1..=20_001 {
            track.push(generation.into(), 1u8.into());
        }
        assert!(track.points.len() <= MOST_POINTS, "{}", track.points.len());
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
