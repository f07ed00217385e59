//! The population over the generations.

use num_bigint::{BigInt, BigUint};

/// A series of points. It is thinned as it grows: the longer the series, the larger the distance
/// between points.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    points: Vec<(BigInt, BigUint)>,
    /// The minimum distance between two points in generations.
    spacing: BigInt,
}

impl Plot {
    /// With more points than this, the series is thinned.
    pub const MOST: usize = 1024;

    /// The points, ordered by generation.
    #[must_use]
    pub fn points(&self) -> &[(BigInt, BigUint)] {
        &self.points
    }

    /// Adds a point. Points at its generation or later are dropped: the world has gone back, or
    /// was changed.
    pub(crate) fn push(&mut self, generation: BigInt, population: BigUint) {
        let stays = |(g, _): &(BigInt, BigUint)| *g < generation;
        let kept = self.points.partition_point(stays);
        self.points.truncate(kept);
        // The last point is always the current state of the world; the one before it is kept only
        // if it is far enough from its own predecessor.
        if let [.., (a, _), (b, _)] = self.points.as_slice()
            && b - a < self.spacing
        {
            self.points.pop();
        }
        self.points.push((generation, population));
        if self.points.len() > Self::MOST {
            self.thin();
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    fn thin(&mut self) {
        let reach = &self.points[self.points.len() - 1].0 - &self.points[0].0;
        self.spacing = reach / (Self::MOST as u64 / 2);
        let mut thinned: Vec<(BigInt, BigUint)> = Vec::with_capacity(Self::MOST);
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
        let mut plot = Plot::default();
        for n in 0..100_000_u32 {
            plot.push(n.into(), (n % 7).into());
            assert!(plot.points().len() <= Plot::MOST);
        }
        let points = plot.points();
        assert_eq!(points[0].0, 0.into());
        assert_eq!(points[points.len() - 1].0, 99_999.into());
        assert!(points.len() > Plot::MOST / 4, "{}", points.len());
        let widest = points.windows(2).map(|w| &w[1].0 - &w[0].0).max();
        assert!(widest < Some(1000.into()), "{widest:?}");
    }

    #[test]
    fn going_back_forgets_what_was_ahead() {
        let mut plot = Plot::default();
        for n in 0..10_u32 {
            plot.push(n.into(), n.into());
        }
        plot.push(4.into(), 100u32.into());
        let last = &plot.points()[plot.points().len() - 1];
        assert_eq!((last, plot.points().len()), (&(4.into(), 100u32.into()), 5));
    }
}
