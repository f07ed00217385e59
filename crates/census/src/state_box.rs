//! A few cells in their bounding box: how one object is held while it is named. Own method.

use grid::{Point, State};
use pattern::{Cells, Run};

/// Cells in their bounding box, one byte a cell. The outermost rows and columns are never empty,
/// so that two of them hold the same figure exactly when their sizes and states are equal.
///
/// ```
/// use census::StateBox;
/// use grid::Point;
///
/// let domino = StateBox::from_points(&[Point::new(7, 4), Point::new(8, 4)]);
/// assert_eq!((domino.x, domino.y, domino.width(), domino.height()), (7, 4, 2, 1));
/// assert!(domino.is_congruent(&StateBox::from_points(&[Point::new(0, 0), Point::new(1, 0)])));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StateBox {
    /// The leftmost column.
    pub x: i64,
    /// The topmost row.
    pub y: i64,
    width: usize,
    height: usize,
    states: Vec<State>,
}

impl StateBox {
    /// From live cells of state 1 in any order.
    #[must_use]
    pub fn from_points(points: &[Point]) -> Self {
        Self::from_cells(points.iter().map(|&p| (p, 1)))
    }

    /// From cells and their states, in any order; cells of state 0 are left out.
    ///
    /// The memory is that of the bounding box: the caller makes sure that it is not large.
    #[must_use]
    pub fn from_cells(cells: impl Iterator<Item = (Point, State)> + Clone) -> Self {
        let live = cells.filter(|&(_, state)| state != 0);
        let (mut left, mut top) = (i64::MAX, i64::MAX);
        let (mut right, mut bottom) = (i64::MIN, i64::MIN);
        for (p, _) in live.clone() {
            (left, right) = (left.min(p.x), right.max(p.x));
            (top, bottom) = (top.min(p.y), bottom.max(p.y));
        }
        if left > right {
            return Self::default();
        }
        let width = (right - left + 1) as usize;
        let height = (bottom - top + 1) as usize;
        let mut states = vec![0; width * height];
        for (p, state) in live {
            states[(p.y - top) as usize * width + (p.x - left) as usize] = state;
        }
        Self {
            x: left,
            y: top,
            width,
            height,
            states,
        }
    }

    /// From the cells of a pattern, or `None` where their box has more than `most` cells.
    ///
    /// ```
    /// use census::StateBox;
    ///
    /// let cells = pattern::Pattern::from_text("o98bo!")?.cells;
    /// assert_eq!(StateBox::from_pattern(&cells, 1000).map(|cells| cells.population()), Some(2));
    /// assert_eq!(StateBox::from_pattern(&cells, 99), None);
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    #[must_use]
    pub fn from_pattern(cells: &Cells, most: u64) -> Option<Self> {
        let Some(bounds) = cells.bounds() else {
            return Some(Self::default());
        };
        let rect = bounds.to_rect()?;
        if rect.width.checked_mul(rect.height)? > most {
            return None;
        }
        let mut found = Self {
            x: rect.x,
            y: rect.y,
            width: rect.width as usize,
            height: rect.height as usize,
            states: vec![0; (rect.width * rect.height) as usize],
        };
        cells.for_each_run(&mut |run| {
            let row = (run.y - rect.y) as usize * found.width;
            let from = row + (run.x - rect.x) as usize;
            found.states[from..from + run.length as usize].fill(run.state);
        });
        Some(found)
    }

    /// From states in their box, row by row from (`x`, `y`): no outermost row or column is empty.
    pub(crate) fn from_trimmed(x: i64, y: i64, width: usize, states: Vec<State>) -> Self {
        let height = states.len() / width;
        Self {
            x,
            y,
            width,
            height,
            states,
        }
    }

    /// From a window of states, row by row from (`x`, `y`), of which the empty margin is cut off.
    pub(crate) fn from_window(x: i64, y: i64, width: usize, window: &[State]) -> Self {
        let is_live = |row: &[State]| row.iter().any(|&state| state != 0);
        let Some(top) = window.chunks_exact(width.max(1)).position(is_live) else {
            return Self::default();
        };
        let (mut bottom, mut left, mut right) = (top, width, 0);
        for (row, states) in window.chunks_exact(width).enumerate().skip(top) {
            let Some(first) = states.iter().position(|&state| state != 0) else {
                continue;
            };
            let last = states
                .iter()
                .rposition(|&state| state != 0)
                .unwrap_or(first);
            (bottom, left, right) = (row, left.min(first), right.max(last));
        }
        let mut states = Vec::with_capacity((right - left + 1) * (bottom - top + 1));
        for row in window.chunks_exact(width).take(bottom + 1).skip(top) {
            states.extend_from_slice(&row[left..=right]);
        }
        Self {
            x: x + left as i64,
            y: y + top as i64,
            width: right - left + 1,
            height: bottom - top + 1,
            states,
        }
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Cells of the box, live or not.
    #[must_use]
    pub fn area(&self) -> usize {
        self.states.len()
    }

    /// The states, row by row.
    #[must_use]
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Whether no cell is live.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// How many cells are not in state 0.
    #[must_use]
    pub fn population(&self) -> u64 {
        self.states.iter().filter(|&&state| state != 0).count() as u64
    }

    /// The state of a cell; 0 outside the box.
    #[must_use]
    pub fn get(&self, p: Point) -> State {
        let (column, row) = (p.x - self.x, p.y - self.y);
        if column < 0 || row < 0 || column >= self.width as i64 || row >= self.height as i64 {
            return 0;
        }
        self.states[row as usize * self.width + column as usize]
    }

    /// The live cells with their states, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (Point, State)> + Clone + '_ {
        let live = self
            .states
            .iter()
            .enumerate()
            .filter(|&(_, &state)| state != 0);
        live.map(|(at, &state)| {
            let (column, row) = (at % self.width, at / self.width);
            (
                Point::new(self.x + column as i64, self.y + row as i64),
                state,
            )
        })
    }

    /// The live cells, row by row.
    #[must_use]
    pub fn points(&self) -> Vec<Point> {
        self.cells().map(|(p, _)| p).collect()
    }

    /// Whether the other is this one, moved.
    #[must_use]
    pub fn is_congruent(&self, other: &Self) -> bool {
        self.width == other.width && self.height == other.height && self.states == other.states
    }

    /// The same cells, moved.
    #[must_use]
    pub fn translated(&self, dx: i64, dy: i64) -> Self {
        Self {
            x: self.x + dx,
            y: self.y + dy,
            ..self.clone()
        }
    }

    /// The cells of all of them.
    pub(crate) fn union(boxes: &[Self]) -> Cells {
        let cells = boxes.iter().flat_map(Self::cells);
        let runs = cells.map(|(p, state)| Run {
            y: p.y,
            x: p.x,
            length: 1,
            state,
        });
        Cells::from_runs(runs.collect())
    }

    /// The cells as a pattern.
    ///
    /// ```
    /// use census::StateBox;
    /// let toad = pattern::Pattern::from_text("b3o$3o!")?.cells;
    /// let again = StateBox::from_pattern(&toad, 100).map(|cells| cells.to_pattern());
    /// assert_eq!(again, Some(toad));
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    #[must_use]
    pub fn to_pattern(&self) -> Cells {
        let runs = self.cells().map(|(p, state)| Run {
            y: p.y,
            x: p.x,
            length: 1,
            state,
        });
        Cells::from_runs(runs.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_loses_its_margin() {
        let window = [0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0];
        let found = StateBox::from_window(10, 20, 4, &window);
        assert_eq!(
            (found.x, found.y, found.width, found.height),
            (10, 21, 2, 2)
        );
        assert_eq!(found.states, [0, 2, 1, 0]);
        let cells = [(Point::new(11, 21), 2), (Point::new(10, 22), 1)];
        assert_eq!(found, StateBox::from_cells(cells.into_iter()));
        assert_eq!(
            StateBox::from_window(1, 2, 4, &[0; 12]),
            StateBox::default()
        );
    }
}
