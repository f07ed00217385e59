//! An axis of counts, which may be of any size.

use crate::axis::round_step;
use num_bigint::BigUint;
use num_traits::{Pow as _, ToPrimitive as _};

/// An axis from 0, in units of a power of ten.
#[derive(Clone, Copy, Debug)]
pub struct CountAxis {
    /// Values are in units of 10^this.
    exponent: u32,
    /// From one labelled line to the next.
    step: f64,
    /// The end of the axis.
    end: f64,
}

impl CountAxis {
    /// An axis from 0 that reaches `greatest`, with about `lines` labelled lines; it ends
    /// at a line if `round`.
    ///
    /// ```
    /// let axis = plot::CountAxis::new(&57u8.into(), 6.0, true);
    /// assert_eq!(axis.part(&30u8.into()), 0.5);
    /// ```
    #[must_use]
    pub fn new(greatest: &BigUint, lines: f64, round: bool) -> Self {
        let digits = greatest.to_string().len() as u32;
        // Up to six digits are written out.
        let exponent = if digits <= 6 { 0 } else { (digits - 1) / 3 * 3 };
        let greatest = in_units(greatest, exponent).max(1.0);
        let step = round_step(greatest / lines);
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

    /// A count's position as a part of the length.
    #[must_use]
    pub fn part(&self, count: &BigUint) -> f64 {
        in_units(count, self.exponent) / self.end
    }

    /// The labelled lines: where each is, as a part of the length, and its label.
    ///
    /// ```
    /// let axis = plot::CountAxis::new(&4u8.into(), 2.0, true);
    /// let ticks: Vec<(f64, String)> = axis.ticks().collect();
    /// assert_eq!(ticks, [(0.0, "0".into()), (0.5, "2".into()), (1.0, "4".into())]);
    /// ```
    pub fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let places = (-self.step.log10().floor()).max(0.0) as usize;
        let label = move |value: f64| format!("{value:.places$}");
        self.multiples(self.step)
            .map(move |value| (value / self.end, label(value)))
    }

    /// Lines of squared paper, each with whether it is a labelled one; between two of those are
    /// `squares` squares.
    ///
    /// ```
    /// let axis = plot::CountAxis::new(&4u8.into(), 2.0, true);
    /// let lines: Vec<(f64, bool)> = axis.grid(2).collect();
    /// assert_eq!(lines[..3], [(0.0, true), (0.25, false), (0.5, true)]);
    /// ```
    pub fn grid(&self, squares: u32) -> impl Iterator<Item = (f64, bool)> {
        let lines = self.multiples(self.step / f64::from(squares));
        lines
            .zip(0..)
            .map(move |(value, i): (f64, u32)| (value / self.end, i.is_multiple_of(squares)))
    }

    /// All multiples of a step on the axis.
    fn multiples(&self, step: f64) -> impl Iterator<Item = f64> + use<> {
        let count = (self.end / step + 1e-9).floor() as u32;
        (0..=count).map(move |i| f64::from(i) * step)
    }

    /// A title with the unit: `population`, or `population in 10¹²`.
    ///
    /// ```
    /// let axis = plot::CountAxis::new(&(1u64 << 50).into(), 6.0, true);
    /// assert_eq!(axis.title("population"), "population in 10¹⁵");
    /// ```
    #[must_use]
    pub fn title(&self, name: &str) -> String {
        if self.exponent == 0 {
            return name.to_string();
        }
        format!("{name} in {}", power_of_ten(self.exponent))
    }
}

/// A power of ten as it is written: `10¹⁵`.
pub(crate) fn power_of_ten(exponent: u32) -> String {
    let raised = exponent.to_string();
    let raised = raised.bytes().map(|b| match b {
        b'1' => '¹',
        b'2' => '²',
        b'3' => '³',
        b'0' => '⁰',
        four_to_nine => char::from_u32(0x2070 + u32::from(four_to_nine - b'0'))
            .expect("superscript digits 4 to 9 are characters"),
    });
    format!("10{}", raised.collect::<String>())
}

/// A number in units of 10^exponent, to about nine digits.
fn in_units(n: &BigUint, exponent: u32) -> f64 {
    if exponent == 0 {
        return n.to_f64().unwrap_or(f64::MAX);
    }
    let scaled = n * 1_000_000u32 / BigUint::from(10u8).pow(exponent);
    scaled.to_f64().unwrap_or(f64::MAX) / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_whole_and_reach_the_end() {
        let axis = CountAxis::new(&60u8.into(), 6.0, true);
        let labels: Vec<String> = axis.ticks().map(|(_, label)| label).collect();
        assert_eq!(labels, ["0", "10", "20", "30", "40", "50", "60"]);
        assert!((axis.part(&30u8.into()) - 0.5).abs() < 1e-12);
        let strong = axis.grid(5).filter(|(_, is_labelled)| *is_labelled);
        assert_eq!((axis.grid(5).count(), strong.count()), (31, 7));
        assert_eq!(axis.title("population"), "population");
    }

    #[test]
    fn huge_counts_are_in_units_of_a_power_of_ten() {
        let count = BigUint::from(10u8).pow(400u32);
        let axis = CountAxis::new(&count, 6.0, true);
        assert_eq!(axis.title("population"), "population in 10³⁹⁹");
        assert_eq!(axis.ticks().last(), Some((1.0, "10".into())));
    }
}
