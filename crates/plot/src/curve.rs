//! Curves on common axes, linear or logarithmic, for numbers of any size.
//!
//! A logarithmic axis shows log(1 + n), so that 0 has a place on it. Own method.

use crate::{CountAxis, PlotView, RunQuantity, RunSeries};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Pow as _, ToPrimitive as _};

/// A quantity over the generations, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotCurve {
    /// What it shows.
    pub quantity: RunQuantity,
    /// The places of its points: parts of the width from the left, and of the height from below.
    pub places: Vec<(f64, f64)>,
    /// Their generations and values.
    pub values: Vec<(BigInt, BigUint)>,
}

/// Some quantities of a run on common axes.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotDrawing {
    /// The curves that have points.
    pub curves: Vec<PlotCurve>,
    /// The ticks of the generations: parts of the width, and labels.
    pub across: Vec<(f64, String)>,
    /// The title of the generations, with their unit.
    pub across_title: String,
    /// The ticks of the values: parts of the height, and labels.
    pub up: Vec<(f64, String)>,
    /// The unit of the values; empty where they are single cells.
    pub up_title: String,
}

impl PlotDrawing {
    /// The drawing of a view.
    ///
    /// ```
    /// use plot::{PlotDrawing, PlotView, RunSeries};
    /// let mut run = RunSeries::default();
    /// for (generation, population) in [(0, 4u8), (5, 8), (10, 8)] {
    ///     run.push_population(generation.into(), population.into());
    /// }
    /// let drawing = PlotDrawing::new(&run, &PlotView::default());
    /// assert_eq!(drawing.curves[0].places, [(0.0, 0.5), (0.5, 1.0), (1.0, 1.0)]);
    /// assert_eq!(drawing.up.last(), Some(&(1.0, "8".to_string())));
    /// ```
    #[must_use]
    pub fn new(run: &RunSeries, view: &PlotView) -> Self {
        let shown = RunQuantity::ALL.into_iter().map(|(quantity, _)| quantity);
        let shown = shown.filter(|quantity| view.shows(*quantity));
        let series: Vec<_> = shown
            .map(|quantity| (quantity, run.of(quantity).points()))
            .filter(|(_, points)| !points.is_empty())
            .collect();
        let points = || series.iter().flat_map(|(_, points)| points.iter());
        let first = points().map(|(generation, _)| generation).min();
        let first = first.cloned().unwrap_or_default();
        let since = |generation: &BigInt| (generation - &first).magnitude().clone();
        let last = points().map(|(generation, _)| since(generation)).max();
        let most = points().map(|(_, value)| value).max().cloned();
        let across = ValueAxis::new(last.unwrap_or_default(), view.is_log_across, false);
        let up = ValueAxis::new(most.unwrap_or_default(), view.is_log_up, true);
        let curves = series.iter().map(|(quantity, points)| PlotCurve {
            quantity: *quantity,
            places: points
                .iter()
                .map(|(generation, value)| (across.part(&since(generation)), up.part(value)))
                .collect(),
            values: points.to_vec(),
        });
        let title = match first.sign() {
            Sign::NoSign => "generation".to_string(),
            _ => format!("generations after {first}"),
        };
        Self {
            curves: curves.collect(),
            across: across.ticks(),
            across_title: across.title(&title),
            up: up.ticks(),
            up_title: up.title("").trim_start().to_string(),
        }
    }

    /// What all curves have at the generation of one that is nearest to a part of the width.
    /// Nothing where there are no points.
    ///
    /// ```
    /// use plot::{PlotDrawing, PlotView, RunQuantity, RunSeries};
    /// let mut run = RunSeries::default();
    /// for generation in 0..=10u8 {
    ///     run.push_population(generation.into(), (2 * generation).into());
    /// }
    /// let drawing = PlotDrawing::new(&run, &PlotView::default());
    /// let (generation, values) = drawing.reading(0.32).expect("there are points");
    /// assert_eq!((generation, values), (3.into(), vec![(RunQuantity::Population, 6u8.into())]));
    /// ```
    #[must_use]
    pub fn reading(&self, part: f64) -> Option<(BigInt, Vec<(RunQuantity, BigUint)>)> {
        let longest = self.curves.iter().max_by_key(|curve| curve.places.len())?;
        let distance = |place: &(f64, f64)| (place.0 - part).abs();
        let (nearest, _) = longest
            .places
            .iter()
            .enumerate()
            .min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)))?;
        let generation = longest.values[nearest].0.clone();
        let values = self.curves.iter().filter_map(|curve| {
            let at = curve.values.binary_search_by(|(g, _)| g.cmp(&generation));
            Some((curve.quantity, curve.values[at.ok()?].1.clone()))
        });
        let values = values.collect();
        Some((generation, values))
    }
}

impl PlotCurve {
    /// The greatest height in each of some columns of equal width; a column without a point
    /// repeats the one before.
    ///
    /// ```
    /// use plot::{PlotDrawing, PlotView, RunSeries};
    /// let mut run = RunSeries::default();
    /// run.push_population(0.into(), 1u8.into());
    /// run.push_population(9.into(), 2u8.into());
    /// let drawing = PlotDrawing::new(&run, &PlotView::default());
    /// assert_eq!(drawing.curves[0].columns(3), [Some(0.5), Some(0.5), Some(1.0)]);
    /// ```
    #[must_use]
    pub fn columns(&self, count: usize) -> Vec<Option<f64>> {
        let mut columns: Vec<Option<f64>> = vec![None; count];
        for (x, y) in &self.places {
            let column = ((x * count as f64) as usize).min(count.saturating_sub(1));
            if let Some(height) = columns.get_mut(column) {
                *height = Some(height.map_or(*y, |known| known.max(*y)));
            }
        }
        let mut known = None;
        for column in &mut columns {
            known = column.or(known);
            *column = known;
        }
        columns
    }
}

/// An axis of counts from 0.
enum ValueAxis {
    Linear(CountAxis),
    /// log(1 + n), as far as the greatest count.
    Log(BigUint),
}

impl ValueAxis {
    fn new(greatest: BigUint, is_log: bool, is_round: bool) -> Self {
        match is_log {
            true => Self::Log(greatest),
            false => Self::Linear(CountAxis::new(&greatest, 5.0, is_round)),
        }
    }

    fn part(&self, count: &BigUint) -> f64 {
        match self {
            Self::Linear(axis) => axis.part(count),
            Self::Log(greatest) => log(count) / log(greatest).max(f64::MIN_POSITIVE),
        }
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        let greatest = match self {
            Self::Linear(axis) => return axis.ticks().collect(),
            Self::Log(greatest) => greatest,
        };
        let digits = greatest.to_string().len() as u32;
        // At most eight powers of ten are labelled.
        let step = digits.div_ceil(8).max(1);
        let powers = (0..digits).step_by(step as usize);
        let powers = powers.map(|power| (BigUint::from(10u8).pow(power), power));
        let labelled = powers.filter(|(count, _)| count <= greatest);
        let mut ticks = vec![(0.0, "0".to_string())];
        ticks.extend(labelled.map(|(count, power)| {
            let label = match power {
                0..=4 => count.to_string(),
                power => crate::count_axis::power_of_ten(power),
            };
            (self.part(&count), label)
        }));
        ticks
    }

    fn title(&self, name: &str) -> String {
        match self {
            Self::Linear(axis) => axis.title(name),
            Self::Log(_) => name.to_string(),
        }
    }
}

/// The decimal logarithm of 1 + n.
fn log(n: &BigUint) -> f64 {
    let more = n + 1u8;
    let shift = more.bits().saturating_sub(1000);
    let part = (more >> shift).to_f64().unwrap_or(f64::MAX);
    part.log10() + shift as f64 * std::f64::consts::LOG10_2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(points: &[(u64, BigUint)], view: &str) -> PlotDrawing {
        let mut run = RunSeries::default();
        for (generation, value) in points {
            run.push_population((*generation).into(), value.clone());
        }
        let mut words = PlotView::NOTHING;
        assert!(view.split(' ').all(|word| words.read_word(word)));
        PlotDrawing::new(&run, &words)
    }

    #[test]
    fn a_logarithmic_axis_has_a_place_for_nothing_and_for_huge_numbers() {
        let huge = BigUint::from(10u8).pow(500u32) - 1u8;
        let points = [(0, 0u8.into()), (9, 9u8.into()), (99, huge)];
        let drawing = drawn(&points, "population log-x log-y");
        let places = &drawing.curves[0].places;
        let expected = [(0.0, 0.0), (0.5, 1.0 / 500.0), (1.0, 1.0)];
        for (place, expected) in places.iter().zip(expected) {
            let off = (place.0 - expected.0)
                .abs()
                .max((place.1 - expected.1).abs());
            assert!(off < 1e-9, "{place:?} {expected:?}");
        }
        let labels: Vec<&str> = drawing
            .across
            .iter()
            .map(|(_, label)| label.as_str())
            .collect();
        assert_eq!(labels, ["0", "1", "10"]);
        assert!(drawing.up.len() <= 9, "{:?}", drawing.up);
        assert_eq!(drawing.up[2].1, "10⁶³");
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let drawing = drawn(&[], "population births");
        assert_eq!(drawing.curves, []);
        assert_eq!(drawing.reading(0.5), None);
        for view in ["population", "population log-x log-y"] {
            let drawing = drawn(&[(7, 0u8.into())], view);
            let places = &drawing.curves[0].places;
            assert!(
                places.iter().all(|(x, y)| x.is_finite() && y.is_finite()),
                "{places:?}"
            );
            assert_eq!(drawing.across_title, "generations after 7");
        }
    }

    #[test]
    fn all_curves_share_the_axes() {
        let mut run = RunSeries::default();
        for generation in 0..4u8 {
            run.push_population(generation.into(), 40u8.into());
            run.push(RunQuantity::Births, generation.into(), 10u8.into());
        }
        let view = PlotView::default().toggled(&[RunQuantity::Births]);
        let drawing = PlotDrawing::new(&run, &view);
        let heights: Vec<f64> = drawing
            .curves
            .iter()
            .map(|curve| curve.places[0].1)
            .collect();
        assert_eq!(heights, [1.0, 0.25]);
        let (_, values) = drawing.reading(1.0).unwrap();
        assert_eq!(values[1], (RunQuantity::Births, 10u8.into()));
    }
}
