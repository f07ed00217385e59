//! The quantities of a run: what a plot may show over the generations.
//!
//! Own method.

use crate::PlotSeries;
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

/// A quantity that a run has in each generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunQuantity {
    /// Live cells.
    Population,
    /// Cells that came alive in the step of one generation that led here.
    Births,
    /// Cells that died in it.
    Deaths,
    /// Columns of the box around the live cells.
    Width,
    /// Rows of it.
    Height,
}

impl RunQuantity {
    /// All of them with their names, in the order of a legend.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Population, "population"),
        (Self::Births, "births"),
        (Self::Deaths, "deaths"),
        (Self::Width, "width"),
        (Self::Height, "height"),
    ];

    /// The quantity's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// The quantities of a run over its generations.
#[derive(Clone, Debug, Default)]
pub struct RunSeries {
    series: [PlotSeries; 5],
}

impl RunSeries {
    /// The points of one quantity.
    ///
    /// ```
    /// use plot::{RunQuantity, RunSeries};
    /// let mut run = RunSeries::default();
    /// run.push_population(7.into(), 5u8.into());
    /// assert_eq!(run.of(RunQuantity::Population).points().len(), 1);
    /// assert!(run.of(RunQuantity::Births).points().is_empty());
    /// ```
    #[must_use]
    pub fn of(&self, quantity: RunQuantity) -> &PlotSeries {
        &self.series[quantity as usize]
    }

    /// Adds a population. What is known of this generation or later is dropped: the world has
    /// gone back, or was changed.
    ///
    /// ```
    /// let mut run = plot::RunSeries::default();
    /// run.push_population(9.into(), 5u8.into());
    /// run.push_population(3.into(), 4u8.into());
    /// assert_eq!(run.csv().lines().count(), 2, "a heading and generation 3");
    /// ```
    pub fn push_population(&mut self, generation: BigInt, population: BigUint) {
        for series in &mut self.series {
            series.drop_from(&generation);
        }
        self.series[0].push(generation, population);
    }

    /// Adds a value of another quantity.
    ///
    /// ```
    /// use plot::{RunQuantity, RunSeries};
    /// let mut run = RunSeries::default();
    /// run.push_population(1.into(), 5u8.into());
    /// run.push(RunQuantity::Births, 1.into(), 2u8.into());
    /// assert_eq!(run.csv().lines().last(), Some("1,5,2,,,"));
    /// ```
    pub fn push(&mut self, quantity: RunQuantity, generation: BigInt, value: BigUint) {
        self.series[quantity as usize].push(generation, value);
    }

    /// Drops all points.
    pub fn clear(&mut self) {
        self.series.iter_mut().for_each(PlotSeries::clear);
    }

    /// All points as comma-separated values: a line for each generation, and nothing where a
    /// quantity was not counted.
    ///
    /// ```
    /// let run = plot::RunSeries::default();
    /// assert_eq!(run.csv(), "generation,population,births,deaths,width,height\n");
    /// ```
    #[must_use]
    pub fn csv(&self) -> String {
        let mut rows: BTreeMap<&BigInt, [Option<&BigUint>; 5]> = BTreeMap::new();
        for (column, series) in self.series.iter().enumerate() {
            for (generation, value) in series.points() {
                rows.entry(generation).or_default()[column] = Some(value);
            }
        }
        let names = RunQuantity::ALL.map(|(_, name)| name).join(",");
        let mut text = format!("generation,{names}\n");
        for (generation, values) in rows {
            let values = values.map(|value| value.map(BigUint::to_string).unwrap_or_default());
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{generation},{}", values.join(","));
        }
        text
    }
}

/// What a plot shows, and on which axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlotView {
    /// Which quantities, in the order of [`RunQuantity::ALL`].
    shown: [bool; 5],
    /// Whether the axis of generations is logarithmic.
    pub is_log_across: bool,
    /// Whether the axis of values is.
    pub is_log_up: bool,
}

impl Default for PlotView {
    fn default() -> Self {
        Self {
            shown: [true, false, false, false, false],
            is_log_across: false,
            is_log_up: false,
        }
    }
}

impl PlotView {
    /// Reads one more word: a quantity, or the kind of an axis. Returns whether it was one.
    ///
    /// ```
    /// let mut view = plot::PlotView::NOTHING;
    /// assert!(["births", "log-y"].iter().all(|word| view.read_word(word)));
    /// assert_eq!(view.to_string(), "births log-y");
    /// assert!(!view.read_word("colour"));
    /// ```
    pub fn read_word(&mut self, word: &str) -> bool {
        match word {
            "log-x" => self.is_log_across = true,
            "log-y" => self.is_log_up = true,
            word => {
                let all = RunQuantity::ALL.iter();
                let Some(quantity) = all.clone().position(|(_, name)| *name == word) else {
                    return false;
                };
                self.shown[quantity] = true;
            }
        }
        true
    }

    /// A view of no quantity on linear axes, for [`PlotView::read_word`].
    pub const NOTHING: Self = Self {
        shown: [false; 5],
        is_log_across: false,
        is_log_up: false,
    };

    /// Whether a quantity is shown.
    #[must_use]
    pub fn shows(&self, quantity: RunQuantity) -> bool {
        self.shown[quantity as usize]
    }

    /// The same view with quantities shown that were not, and the other way round; the
    /// population where nothing would be left.
    ///
    /// ```
    /// use plot::{PlotView, RunQuantity};
    /// let view = PlotView::default().toggled(&[RunQuantity::Births, RunQuantity::Deaths]);
    /// assert_eq!(view.to_string(), "population births deaths");
    /// assert_eq!(PlotView::default().toggled(&[RunQuantity::Population]), PlotView::default());
    /// ```
    #[must_use]
    pub fn toggled(mut self, quantities: &[RunQuantity]) -> Self {
        for quantity in quantities {
            let shown = &mut self.shown[*quantity as usize];
            *shown = !*shown;
        }
        if self.shown == Self::NOTHING.shown {
            self.shown = Self::default().shown;
        }
        self
    }

    /// Whether it shows more than the population, which is counted anyway.
    #[must_use]
    pub fn needs_counting(&self) -> bool {
        self.shown[1..].iter().any(|shown| *shown)
    }
}

impl fmt::Display for PlotView {
    /// `population births log-y`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = RunQuantity::ALL.iter().map(|(_, name)| *name);
        let shown = self.shown.iter().copied();
        let axes = [("log-x", self.is_log_across), ("log-y", self.is_log_up)];
        let words = names.zip(shown).chain(axes);
        let words: Vec<&str> = words.filter(|(_, is)| *is).map(|(word, _)| word).collect();
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_drops_what_was_counted_ahead() {
        let mut run = RunSeries::default();
        for generation in 0..5u8 {
            run.push_population(generation.into(), 9u8.into());
            run.push(RunQuantity::Births, generation.into(), generation.into());
        }
        run.push_population(2.into(), 8u8.into());
        let births = run.of(RunQuantity::Births).points();
        assert_eq!(births.last(), Some(&(1.into(), 1u8.into())));
        assert_eq!(
            run.csv(),
            "generation,population,births,deaths,width,height\n0,9,0,,,\n1,9,1,,,\n2,8,,,,\n"
        );
    }

    #[test]
    fn views_are_read_as_they_are_written() {
        for text in [
            "population",
            "births deaths",
            "width height log-x log-y",
            "population log-y",
        ] {
            let mut view = PlotView::NOTHING;
            assert!(text.split(' ').all(|word| view.read_word(word)));
            assert_eq!(view.to_string(), text);
        }
    }
}
