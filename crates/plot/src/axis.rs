//! A scale of real numbers, and its ticks.

use std::ops::RangeInclusive;

/// A scale from the least of some values to the greatest.
#[derive(Clone, Copy, Debug)]
pub struct AxisScale {
    low: f64,
    high: f64,
}

impl AxisScale {
    /// A scale over all finite values, with a margin of 4 % on both sides; `None` without values.
    ///
    /// ```
    /// use plot::AxisScale;
    /// let scale = AxisScale::over([0.0, 100.0]).expect("there are values");
    /// assert!(scale.percent(0.0) > 3.0 && scale.percent(100.0) < 97.0);
    /// assert!(AxisScale::over([f64::NAN]).is_none());
    /// ```
    pub fn over(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values = values.into_iter().filter(|value| value.is_finite());
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        let room = ((high - low) * 0.04).max(1e-3);
        (low <= high).then_some(Self {
            low: low - room,
            high: high + room,
        })
    }

    /// Widens the scale to a range of at least `least`, so that ticks without decimals differ.
    ///
    /// ```
    /// use plot::AxisScale;
    /// let scale = AxisScale::over([1500.0]).expect("there is a value");
    /// assert_eq!(scale.reaching(10.0).ticks(5), [1496.0, 1498.0, 1500.0, 1502.0, 1504.0]);
    /// ```
    #[must_use]
    pub fn reaching(self, least: f64) -> Self {
        let more = ((least - (self.high - self.low)) / 2.0).max(0.0);
        Self {
            low: self.low - more,
            high: self.high + more,
        }
    }

    /// A value's position in percent of the width.
    #[must_use]
    pub fn percent(&self, value: f64) -> f64 {
        (100.0 * (value - self.low) / (self.high - self.low)).clamp(0.0, 100.0)
    }

    /// Round numbers on the scale, about `most` of them.
    ///
    /// ```
    /// let scale = plot::AxisScale::over([-3.0, 4.0]).expect("there are values");
    /// assert_eq!(scale.ticks(4), [-2.0, 0.0, 2.0, 4.0]);
    /// ```
    #[must_use]
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let step = round_step((self.high - self.low) / most as f64);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }

    /// The ticks of a logarithmic axis: the whole numbers on a scale of decimal logarithms.
    #[must_use]
    pub fn decades(&self) -> RangeInclusive<i32> {
        (self.low.ceil() as i32)..=(self.high.floor() as i32)
    }
}

/// The least of 1, 2, 5 and 10 times a power of ten that is `rough` or more.
pub(crate) fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= rough);
    step.unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        for (low, high) in [
            (-3.0, 4.0),
            (0.0, 1.0),
            (1400.0, 1651.0),
            (-900.0, 12.0),
            (5.0, 5.0),
        ] {
            let scale = AxisScale::over([low, high]).unwrap();
            let ticks = scale.ticks(6);
            assert!((1..=7).contains(&ticks.len()), "{low} {high}: {ticks:?}");
            for tick in ticks {
                assert!((0.0..=100.0).contains(&scale.percent(tick)));
            }
        }
        let still = AxisScale::over([1500.0, 1500.0]).unwrap();
        let words = |scale: &AxisScale| -> Vec<String> {
            let ticks = scale.ticks(6).into_iter();
            ticks.map(|tick| format!("{tick:.0}")).collect()
        };
        let mut told = words(&still.reaching(10.0));
        let ticks = told.len();
        told.dedup();
        assert_eq!(told.len(), ticks, "{told:?}");
        assert!(AxisScale::over(std::iter::empty()).is_none());
        assert!(AxisScale::over([f64::NAN]).is_none());
    }

    #[test]
    fn decades_are_whole_numbers_on_the_scale() {
        let scale = AxisScale::over([0.5, 3.5]).unwrap();
        assert_eq!(scale.decades(), 1..=3);
    }
}
