//! A series as columns of equal width.

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;

/// The maximum population in equal spans of generations; a span without a point repeats the
/// previous one. Nothing where there are fewer than two points.
///
/// ```
/// let points = [(0.into(), 4u8.into()), (30.into(), 9u8.into())];
/// assert_eq!(plot::resampled(&points, 3), [Some(4.0), Some(4.0), Some(9.0)]);
/// ```
#[must_use]
pub fn resampled(points: &[(BigInt, BigUint)], columns: usize) -> Vec<Option<f64>> {
    let ([(first, _), .., (last, _)], 1..) = (points, columns) else {
        return Vec::new();
    };
    let reach = (last - first).to_f64().unwrap_or(f64::MAX).max(1.0);
    let mut heights = vec![None; columns];
    for (generation, population) in points {
        let part = (generation - first).to_f64().unwrap_or(f64::MAX) / reach;
        let column = ((part * columns as f64) as usize).min(columns - 1);
        let population = population.to_f64().unwrap_or(f64::MAX);
        let height: &mut Option<f64> = &mut heights[column];
        *height = Some(height.map_or(population, |known| known.max(population)));
    }
    let mut known = None;
    for height in &mut heights {
        known = height.or(known);
        *height = known;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_shows_the_greatest_of_its_span() {
        let points: Vec<(BigInt, BigUint)> = [(0, 0_u32), (10, 8), (20, 4), (79, 1)]
            .map(|(g, p)| (g.into(), p.into()))
            .into();
        let expected = [0.0, 8.0, 4.0, 4.0, 4.0, 4.0, 4.0, 1.0].map(Some);
        assert_eq!(resampled(&points, 8), expected);
        assert_eq!(resampled(&points, 0), []);
        assert_eq!(resampled(&points[..1], 8), []);
    }
}
