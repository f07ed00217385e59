//! A pattern that is somewhere in a box can be moved to the box's edge. So where one solution
//! stands for all of its images, the row or column that is searched first need not be empty.
//! (`lifesrc`'s way to leave out what a smaller box has; what can be said of which generation is
//! our own: a ship cannot start at another phase, since it would stick out of the box at its head.)

use crate::{BoxSymmetry, CellOrder, PeriodicQuestion, SearchProblem, image_in_box};
use grid::{Point, Symmetry};

/// Asks for a live cell in the first row (or the first column, where columns are searched first),
/// that of a ship's head, and lets only those images be compared that keep this edge. Does nothing where the question
/// asks for all solutions as they lie, or where its patterns cannot be moved.
///
/// ```
/// use search::{CellOrder, PeriodicQuestion, require_front};
///
/// let mut question = PeriodicQuestion::new("B3/S23".parse()?, 3, 5, 7);
/// question.up_to_symmetry = true;
/// let mut problem = question.problem()?;
/// require_front(&question, &mut problem, CellOrder::Row);
/// assert_eq!(problem.some_live[1], [0, 1, 2, 3, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn require_front(question: &PeriodicQuestion, problem: &mut SearchProblem, order: CellOrder) {
    let is_by_row = match order {
        CellOrder::Row => true,
        CellOrder::Column => false,
        CellOrder::Auto | CellOrder::Diagonal => return,
    };
    let (mirror, symmetry) = if is_by_row {
        (Symmetry::MirrorX, BoxSymmetry::D2Vertical)
    } else {
        (Symmetry::MirrorY, BoxSymmetry::D2Horizontal)
    };
    let can_be_moved = question.up_to_symmetry
        && !question.empty
        && question.fixed.is_empty()
        && question.diagonal_width.is_none()
        && [BoxSymmetry::C1, symmetry].contains(&question.symmetry)
        && [Symmetry::Identity, mirror].contains(&question.transform);
    if !can_be_moved {
        return;
    }
    let is_still = (question.dx, question.dy) == (0, 0);
    let on_edge = |&(generation, x, y): &(u32, u32, u32)| {
        let depth = match is_by_row {
            true if question.dy > 0 => question.height - 1 - y,
            true => y,
            false if question.dx > 0 => question.width - 1 - x,
            false => x,
        };
        // an oscillator can start with the generation that touches the edge
        depth == 0 && (generation == 0 || !is_still || problem.rule.time_period() > 1)
    };
    let places = problem.places.iter().enumerate();
    let edge = places.filter(|(_, place)| on_edge(place));
    let edge = edge.map(|(unknown, _)| unknown as u32).collect();
    let (width, height) = (question.width, question.height);
    let cells = &problem.generations[0].cells;
    let image: Vec<_> = (0..width * height)
        .map(|index| {
            let p = Point::new(i64::from(index % width), i64::from(index / width));
            let p = image_in_box(mirror, width, height, p);
            cells[(p.y * i64::from(width) + p.x) as usize]
        })
        .collect();
    problem.not_greater.retain(|(_, other)| *other == image);
    problem.some_live.push(edge);
}
