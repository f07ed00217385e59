//! One period of a spaceship, phase by phase, each in its place. Own method.

use crate::{PeriodicOrbit, StateBox};
use grid::Point;
use std::fmt;

/// Maps of more cells than this are not made: of all phases, each with the box of the flight.
const MAX_CELLS: usize = 1 << 20;

/// The phases of a spaceship over one period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlightMap {
    /// The leftmost column of the phases and of the first phase one period later.
    pub x: i64,
    /// The topmost row.
    pub y: i64,
    /// Columns of the box around all of them.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Columns to the right in one period.
    pub dx: i64,
    /// Rows down in one period.
    pub dy: i64,
    /// The phases in their places.
    pub phases: Vec<StateBox>,
}

impl FlightMap {
    /// Of an object that moves; none where the box of its flight is too large to be drawn once for
    /// each phase.
    ///
    /// ```
    /// use census::{BoxStepper, FlightMap, OrbitLimits, PeriodicOrbit, decode};
    ///
    /// let mut stepper = BoxStepper::new(&"B3/S23".parse()?);
    /// let glider = decode("xq4_153").ok_or("no cells")?;
    /// let orbit = PeriodicOrbit::find(&mut stepper, &glider, 0, &OrbitLimits::default());
    /// let map = FlightMap::of(&orbit.map_err(|_| "not periodic")?).ok_or("too large")?;
    /// assert_eq!((map.phases.len(), map.width, map.height), (4, 4, 4));
    /// assert_eq!((map.dx.abs(), map.dy.abs()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(orbit: &PeriodicOrbit) -> Option<Self> {
        let last = orbit.phases.first()?.translated(orbit.dx, orbit.dy);
        let boxes = orbit.phases.iter().chain([&last]);
        let boxes = boxes.filter(|phase| !phase.is_empty());
        let (mut left, mut top, mut right, mut bottom) = (i64::MAX, i64::MAX, i64::MIN, i64::MIN);
        for phase in boxes {
            (left, top) = (left.min(phase.x), top.min(phase.y));
            right = right.max(phase.x + phase.width() as i64);
            bottom = bottom.max(phase.y + phase.height() as i64);
        }
        let side = |low: i64, high: i64| usize::try_from(high.checked_sub(low)?).ok();
        let (width, height) = (side(left, right)?, side(top, bottom)?);
        let cells = width.checked_mul(height)?;
        let fits = cells.checked_mul(orbit.phases.len())? <= MAX_CELLS;
        fits.then(|| Self {
            x: left,
            y: top,
            width,
            height,
            dx: orbit.dx,
            dy: orbit.dy,
            phases: orbit.phases.clone(),
        })
    }

    /// Whether a cell of the box, by its column and row in it, is live in a phase.
    #[must_use]
    pub fn is_live(&self, phase: usize, column: usize, row: usize) -> bool {
        let place = Point::new(self.x + column as i64, self.y + row as i64);
        self.phases
            .get(phase)
            .is_some_and(|phase| phase.get(place) != 0)
    }
}

impl fmt::Display for FlightMap {
    /// The phases below each other, with a line before each that says how many generations have
    /// passed; then how far it has come.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for phase in 0..self.phases.len() {
            writeln!(f, "generation {phase}")?;
            for row in 0..self.height {
                let character = |column| match self.is_live(phase, column, row) {
                    true => 'O',
                    false => '.',
                };
                let line: String = (0..self.width).map(character).collect();
                writeln!(f, "{line}")?;
            }
        }
        let generations = self.phases.len();
        writeln!(
            f,
            "generation {generations}: as at first, moved by ({}, {})",
            self.dx, self.dy
        )
    }
}
