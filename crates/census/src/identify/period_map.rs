//! Which cells of an oscillator repeat how often: rotor and stator, cell by cell.

use crate::{PeriodicOrbit, StateBox};
use grid::{Point, State};
use std::collections::BTreeMap;
use std::fmt;

/// The local period of each cell that is ever live in an object that stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodMap {
    /// The leftmost column.
    pub x: i64,
    /// The topmost row.
    pub y: i64,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The object's period.
    pub period: u64,
    /// The local period of each cell, row by row; 0 for those that are never live.
    pub periods: Vec<u64>,
    /// How often each cell changes in one period, row by row.
    pub changes: Vec<u64>,
    /// For how many generations each cell has been what it is in the first phase, row by row; the
    /// period for those that never change, and 0 for those that are never live.
    pub ages: Vec<u64>,
}

impl PeriodMap {
    /// Of an object that does not move.
    ///
    /// ```
    /// use census::{BoxStepper, OrbitLimits, PeriodMap, PeriodicOrbit, decode};
    ///
    /// let mut stepper = BoxStepper::new(&"B3/S23".parse()?);
    /// let beacon = decode("xp2_318c").ok_or("no cells")?;
    /// let orbit = PeriodicOrbit::find(&mut stepper, &beacon, 0, &OrbitLimits::default());
    /// let map = PeriodMap::of(&orbit.map_err(|_| "not periodic")?);
    /// assert_eq!(map.to_string(), "11..\n12..\n..21\n..11\n");
    /// assert_eq!(map.ages[..2], [2, 2], "two of its cells never change");
    /// assert_eq!(map.counts().into_iter().collect::<Vec<_>>(), [(1, 6), (2, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(orbit: &PeriodicOrbit) -> Self {
        let (mut left, mut top, mut right, mut bottom) = (i64::MAX, i64::MAX, i64::MIN, i64::MIN);
        for phase in orbit.phases.iter().filter(|phase| !phase.is_empty()) {
            (left, top) = (left.min(phase.x), top.min(phase.y));
            right = right.max(phase.x + phase.width() as i64);
            bottom = bottom.max(phase.y + phase.height() as i64);
        }
        let (width, height) = (
            (right - left).max(0) as usize,
            (bottom - top).max(0) as usize,
        );
        let period = orbit.phases.len();
        let divisors: Vec<usize> = divisors(period as u64).map(|q| q as usize).collect();
        let (mut periods, mut changes, mut ages) = (Vec::new(), Vec::new(), Vec::new());
        let mut history: Vec<State> = Vec::new();
        for at in 0..width * height {
            let p = Point::new(left + (at % width) as i64, top + (at / width) as i64);
            history.clear();
            history.extend(orbit.phases.iter().map(|phase: &StateBox| phase.get(p)));
            if history.iter().all(|&state| state == 0) {
                periods.push(0);
                changes.push(0);
                ages.push(0);
                continue;
            }
            let repeats = |&&q: &&usize| history[q..].iter().eq(&history[..period - q]);
            let local = divisors.iter().find(repeats).copied().unwrap_or(period);
            let last = history[period - 1] != history[0];
            let within = history.windows(2).filter(|pair| pair[0] != pair[1]).count();
            periods.push(local as u64);
            changes.push(within as u64 + u64::from(last));
            let same = history
                .iter()
                .rev()
                .take_while(|&&state| state == history[0]);
            ages.push((same.count() as u64 + 1).min(period as u64));
        }
        Self {
            x: left,
            y: top,
            width,
            height,
            period: period as u64,
            periods,
            changes,
            ages,
        }
    }

    /// How many cells have each local period.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<u64, u64> {
        let mut counts = BTreeMap::new();
        for &period in self.periods.iter().filter(|&&period| period > 0) {
            *counts.entry(period).or_default() += 1;
        }
        counts
    }

    /// The character of a local period in the map's text: its rank among the divisors of the
    /// object's period, `1` to `9` and then `a` to `z`, and `.` for cells that are never live.
    #[must_use]
    pub fn character(&self, period: u64) -> char {
        let rank = divisors(self.period).position(|q| q == period);
        let rank = rank.and_then(|rank| char::from_digit(rank as u32 + 1, 36));
        match period {
            0 => '.',
            _ => rank.unwrap_or('?'),
        }
    }
}

impl fmt::Display for PeriodMap {
    /// One character a cell, row by row.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.periods.chunks_exact(self.width.max(1)) {
            let row: String = row.iter().map(|&period| self.character(period)).collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

/// From 1 up.
fn divisors(number: u64) -> impl Iterator<Item = u64> {
    (1..=number).filter(move |q| number.is_multiple_of(*q))
}
