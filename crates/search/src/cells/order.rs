//! The order in which cells are guessed. It goes along the shorter side of the box, so that what
//! is undecided stays a narrow front, and through all generations of a place before the next.
//! (`lifesrc`'s order.)

use super::options::CellOrder;
use crate::{CellTerm, SearchProblem};
use std::collections::BTreeMap;

/// The unknowns in the order in which they are guessed, by where they stand: generation, column
/// and row.
pub(super) fn order_unknowns(problem: &SearchProblem, order: CellOrder) -> Vec<u32> {
    let order = match order {
        CellOrder::Auto => choose_order(problem),
        chosen => chosen,
    };
    let start = SearchCorner::new(problem);
    let mut unknowns: Vec<u32> = (0..problem.unknowns() as u32).collect();
    unknowns.sort_by_key(|&unknown| {
        let (generation, x, y) = problem.places[unknown as usize];
        let (x, y) = start.distances(x, y);
        match order {
            CellOrder::Column => (x, y, generation),
            CellOrder::Diagonal => (x + y, x.abs_diff(y), 2 * generation + u32::from(x < y)),
            CellOrder::Row | CellOrder::Auto => (y, x, generation),
        }
    });
    unknowns
}

/// The corner of the box from which the order starts: at a ship's head, and in the middle of a
/// mirrored half.
pub(super) struct SearchCorner {
    /// The last column and row, where it starts there.
    last_column: Option<u32>,
    last_row: Option<u32>,
}

impl SearchCorner {
    pub(super) fn new(problem: &SearchProblem) -> Self {
        let places = &problem.places;
        let table = &problem.generations[0];
        let (columns, rows) = (table.width, table.cells.len() as u32 / table.width.max(1));
        let last_column = places.iter().map(|place| place.1).max().unwrap_or(0);
        let last_row = places.iter().map(|place| place.2).max().unwrap_or(0);
        let half_width = 2 * last_column < columns;
        let half_height = 2 * last_row < rows;
        let (dx, dy) = displacement(problem);
        let from_right = half_width && !half_height || dx > 0;
        let from_below = half_height && !half_width || dy > 0;
        Self {
            last_column: from_right.then_some(last_column),
            last_row: from_below.then_some(last_row),
        }
    }

    /// How far a cell is from the corner's column and row.
    pub(super) fn distances(&self, x: u32, y: u32) -> (u32, u32) {
        let distance = |value: u32, last: Option<u32>| last.map_or(value, |last| last - value);
        (distance(x, self.last_column), distance(y, self.last_row))
    }
}

/// How far the cells of the first generation move in a period, as most constraints have it.
fn displacement(problem: &SearchProblem) -> (i64, i64) {
    let last = problem.generations.len() as u32 - 1;
    let mut numbers = BTreeMap::new();
    for step in problem
        .transitions
        .iter()
        .filter(|step| step.generation == last)
    {
        if let (CellTerm::Unknown(own), CellTerm::Unknown(next)) = (step.block[4], step.next) {
            let place = |unknown: u32| {
                let (_, x, y) = problem.places[unknown as usize];
                (i64::from(x), i64::from(y))
            };
            let ((x, y), (next_x, next_y)) = (place(own), place(next));
            *numbers.entry((x - next_x, y - next_y)).or_insert(0) += 1;
        }
    }
    let most = numbers.into_iter().max_by_key(|&(_, number)| number);
    most.map_or((0, 0), |(displacement, _)| displacement)
}

/// The order that is chosen where none is given.
pub(super) fn choose_order(problem: &SearchProblem) -> CellOrder {
    let places = &problem.places;
    let extent = |values: &mut dyn Iterator<Item = i64>| {
        let (least, most) = values.fold((i64::MAX, i64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        most.saturating_sub(least)
    };
    let width = extent(&mut places.iter().map(|&(_, x, _)| x.into()));
    let height = extent(&mut places.iter().map(|&(_, _, y)| y.into()));
    // the band's width is that of the differences of column and row
    let band = extent(&mut places.iter().map(|&(_, x, y)| i64::from(x) - i64::from(y)));
    if band < width.min(height) {
        CellOrder::Diagonal
    } else if width > height {
        CellOrder::Column
    } else {
        CellOrder::Row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoxSymmetry, PeriodicQuestion};

    #[test]
    fn shorter_side_is_walked_first() {
        let problem = |width: u32, height: u32, symmetry: BoxSymmetry, band: Option<u32>| {
            let mut question =
                PeriodicQuestion::new("B3/S23".parse().expect("Life"), 1, width, height);
            (question.symmetry, question.diagonal_width) = (symmetry, band);
            question.problem().expect("a question")
        };
        let order = |problem: &SearchProblem| -> Vec<(u32, u32)> {
            let unknowns = order_unknowns(problem, CellOrder::Auto);
            let places = unknowns
                .iter()
                .map(|&unknown| problem.places[unknown as usize]);
            places.map(|(_, x, y)| (x, y)).collect()
        };
        let c1 = BoxSymmetry::C1;
        let wide = problem(3, 2, c1, None);
        assert_eq!(
            order(&wide),
            [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
        );
        let high = problem(2, 3, c1, None);
        assert_eq!(
            order(&high),
            [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
        );
        let mirrored = problem(3, 2, BoxSymmetry::D2Vertical, None);
        assert_eq!(order(&mirrored), [(1, 0), (0, 0), (1, 1), (0, 1)]);
        assert_eq!(
            choose_order(&problem(5, 5, c1, Some(2))),
            CellOrder::Diagonal
        );
    }
}
