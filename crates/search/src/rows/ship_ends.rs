//! How ships end: by their last two periods of rows. What can follow a ship depends on these rows
//! alone, so of all ships with the same last rows one is told.

use super::row_rule::Row;
use std::collections::BTreeSet;

/// The ends of ships that were found: the last two periods of rows of each, and the number of the
/// row after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ShipEnds(BTreeSet<Vec<Row>>);

impl ShipEnds {
    /// Adds the end of a ship, given all its rows, and says whether it is a new one.
    pub(super) fn add(&mut self, rows: &[Row], period: usize, number: usize) -> bool {
        let length = 2 * period;
        let known = &rows[rows.len().saturating_sub(length)..];
        let mut end = vec![0; length - known.len()];
        end.extend(known);
        end.push(number as Row);
        self.0.insert(end)
    }

    /// Each as its rows and the number.
    pub(super) fn list(&self) -> impl ExactSizeIterator<Item = &Vec<Row>> {
        self.0.iter()
    }
}

impl FromIterator<Vec<Row>> for ShipEnds {
    fn from_iter<T: IntoIterator<Item = Vec<Row>>>(ends: T) -> Self {
        Self(ends.into_iter().collect())
    }
}
