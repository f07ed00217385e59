//! The population over the generations.

use num_bigint::{BigInt, BigUint};

/// A series of points. It is thinned as it grows: the longer the series, the larger the distance
/// between points.
#[derive(Clone, Debug)]
pub struct PlotSeries {
    points: Vec<(BigInt, BigUint)>,
    /// With more points than this, the series is thinned.
    most: usize,
    /// The minimum distance between two points in generations.
    spacing: BigInt,
}

impl Default for PlotSeries {
    fn default() -> Self {
        Self::with_most(Self::MOST)
    }
}

impl PlotSeries {
    /// The number of points that a series has at most, unless another one is given.
    pub const MOST: usize = 1024;

    /// An empty series that is thinned when it has more than `most` points.
    ///
    /// ```
    /// let mut series = plot::PlotSeries::with_most(8);
    /// for generation in 0..100u8 {
    ///     series.push(generation.into(), 5u8.into());
    /// }
    /// assert!(series.points().len() <= 8);
    /// ```
    #[must_use]
    pub fn with_most(most: usize) -> Self {
        Self {
            points: Vec::new(),
            most,
            spacing: BigInt::ZERO,
        }
    }

    /// The points, ordered by generation.
    #[must_use]
    pub fn points(&self) -> &[(BigInt, BigUint)] {
        &self.points
    }

    /// Adds a point. Points at its generation or later are dropped: the world has gone back, or
    /// was changed.
    ///
    /// ```
    /// let mut series = plot::PlotSeries::default();
    /// for generation in [0, 10, 20, 10] {
    ///     series.push(generation.into(), 5u8.into());
    /// }
    /// assert_eq!(series.points().len(), 2);
    /// ```
    pub fn push(&mut self, generation: BigInt, population: BigUint) {
        self.drop_from(&generation);
        // The last point is always the current state of the world; the one before it is kept only
        // if it is far enough from its own predecessor.
        if let [.., (a, _), (b, _)] = self.points.as_slice()
            && b - a < self.spacing
        {
            self.points.pop();
        }
        self.points.push((generation, population));
        if self.points.len() > self.most {
            self.thin();
        }
    }

    /// Drops the points of this generation and later.
    pub(crate) fn drop_from(&mut self, generation: &BigInt) {
        let kept = self.points.partition_point(|(g, _)| g < generation);
        self.points.truncate(kept);
    }

    /// Drops all points.
    pub fn clear(&mut self) {
        *self = Self::with_most(self.most);
    }

    fn thin(&mut self) {
        let reach = &self.points[self.points.len() - 1].0 - &self.points[0].0;
        self.spacing = reach / (self.most as u64 / 2);
        let mut thinned: Vec<(BigInt, BigUint)> = Vec::with_capacity(self.most);
        let last = self.points.pop();
        for point in self.points.drain(..) {
            if thinned
                .last()
                .is_none_or(|(g, _)| &point.0 - g >= self.spacing)
            {
                thinned.push(point);
            }
        }
        thinned.extend(last);
        self.points = thinned;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_thinned_and_keeps_its_ends() {
        let mut plot = PlotSeries::default();
        for n in 0..100_000_u32 {
            plot.push(n.into(), (n % 7).into());
            assert!(plot.points().len() <= PlotSeries::MOST);
        }
        let points = plot.points();
        assert_eq!(points[0].0, 0.into());
        assert_eq!(points[points.len() - 1].0, 99_999.into());
        assert!(points.len() > PlotSeries::MOST / 4, "{}", points.len());
        let widest = points.windows(2).map(|w| &w[1].0 - &w[0].0).max();
        assert!(widest < Some(1000.into()), "{widest:?}");
    }

    #[test]
    fn going_back_forgets_what_was_ahead() {
        let mut plot = PlotSeries::default();
        for n in 0..10_u32 {
            plot.push(n.into(), n.into());
        }
        plot.push(4.into(), 100u32.into());
        let last = &plot.points()[plot.points().len() - 1];
        assert_eq!((last, plot.points().len()), (&(4.into(), 100u32.into()), 5));
    }
}
