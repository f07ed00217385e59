//! How a ship moves: cells in generations.

use std::fmt;

/// How a ship moves, or a view that goes with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShipMotion {
    /// Cells to the right.
    pub dx: i64,
    /// Cells down.
    pub dy: i64,
    /// Generations, at least one.
    pub period: u64,
}

impl fmt::Display for ShipMotion {
    /// `1,1/4`: a cell to the right and one down in four generations.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}/{}", self.dx, self.dy, self.period)
    }
}

impl ShipMotion {
    /// Reads `1,1/4`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (distance, period) = text.split_once('/')?;
        let (dx, dy) = distance.split_once(',')?;
        Some(Self {
            dx: dx.parse().ok()?,
            dy: dy.parse().ok()?,
            period: period.parse().ok().filter(|period| *period > 0)?,
        })
    }
}
