//! Of all solutions that are images of each other, the one that comes first is enough: moved in the
//! box, turned, mirrored, or started at another phase. What holds for the one whose first
//! generation is the greatest in the order of the search is asked for. Own method; that the first
//! row is not empty is `lifesrc`'s.

use super::options::CellOrder;
use super::order::{SearchCorner, choose_order, order_unknowns};
use crate::{BoxSymmetry, CellTerm, PeriodicQuestion, QuestionError, SearchProblem, image_in_box};
use grid::{Point, Symmetry};

/// So many cells of two images are compared in a formula. Each is a variable more for every image,
/// and with all of them a solution is found ten times as late (CaDiCaL, period 3 in 7 x 7).
const COMPARED_CELLS: usize = 8;

/// The problem of a question, for a search by cells in an order. Where the question wants one of
/// all images of a solution, most of the others are left out: there is a live cell at the edges
/// where the search begins, and the first generation is compared with its images in all phases,
/// cell by cell in the order in which they are guessed. The greatest is kept: the first cells that
/// are guessed are live then, or a whole edge of the box is dead. (With the least, proofs took up to
/// five times as long.) Which one is kept depends on the order: two searches that share the work
/// need problems of the same one.
///
/// ```
/// use search::{CellOrder, PeriodicQuestion, narrow_problem};
///
/// let mut question = PeriodicQuestion::new("B3/S23".parse()?, 3, 5, 7);
/// question.up_to_symmetry = true;
/// let problem = narrow_problem(&question, CellOrder::Auto)?;
/// assert_eq!(problem.some_live[1], [0, 1, 2, 3, 4]);
/// // three phases, and the identity and half a turn and two mirrors
/// assert_eq!(problem.not_greater.len(), 3 * 4 - 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A question that contradicts itself or the rule.
pub fn narrow_problem(
    question: &PeriodicQuestion,
    order: CellOrder,
) -> Result<SearchProblem, QuestionError> {
    let mut problem = question.problem()?;
    let order = match order {
        CellOrder::Auto => choose_order(&problem),
        chosen => chosen,
    };
    if !wants_one_image(question) {
        compare_in_order(&mut problem, order);
        return Ok(problem);
    }
    let any_phase = begins_anywhere(question, &problem);
    if any_phase {
        compare_phases(question, &mut problem);
    } else {
        // an image from the other end of the box is compared too late to be of use, and what is
        // found first may be the lesser one (c/4 in 26 x 8 took four times as long)
        let mirror = match order {
            CellOrder::Column => Symmetry::MirrorY,
            _ => Symmetry::MirrorX,
        };
        let kept = image(question, &problem.generations[0].cells, mirror);
        problem.not_greater.retain(|(_, image)| *image == kept);
    }
    compare_in_order(&mut problem, order);
    require_edges(question, &mut problem, order, any_phase);
    Ok(problem)
}

/// The problem of a question, for a search as a formula: as [`narrow_problem`], but the order is
/// always by rows, from the corner where a ship's head is, and images are compared by the first
/// cells alone. So what is found is found as soon as without a comparison, and "none" sooner: of
/// period 3 in 7 x 7 CaDiCaL takes 0.3 seconds (3.4 with whole generations, 0.2 with none), and in
/// 6 x 6 0.6 (1.0 and 4.4).
///
/// # Errors
/// A question that contradicts itself or the rule.
pub(crate) fn narrow_formula(question: &PeriodicQuestion) -> Result<SearchProblem, QuestionError> {
    let mut problem = question.problem()?;
    if !wants_one_image(question) {
        return Ok(problem);
    }
    let any_phase = begins_anywhere(question, &problem);
    if any_phase {
        compare_phases(question, &mut problem);
    }
    compare_from_corner(question, &mut problem);
    require_edges(question, &mut problem, CellOrder::Row, any_phase);
    Ok(problem)
}

/// Whether any image of a solution will do, and all of them are solutions.
fn wants_one_image(question: &PeriodicQuestion) -> bool {
    let is_free = question.fixed.is_empty() && question.diagonal_width.is_none();
    question.up_to_symmetry && !question.empty && is_free
}

/// Whether a solution may start with any of its generations.
fn begins_anywhere(question: &PeriodicQuestion, problem: &SearchProblem) -> bool {
    (question.dx, question.dy) == (0, 0)
        && problem.rule.time_period() == 1
        && question.population.most.is_none()
}

/// No image is greater than the first generation, in the order in which its cells are guessed.
fn compare_in_order(problem: &mut SearchProblem, order: CellOrder) {
    let mut ranks = vec![0; problem.unknowns()];
    for (unknown, rank) in order_unknowns(problem, order).into_iter().zip(1..) {
        ranks[unknown as usize] = rank;
    }
    for (first, image) in &mut problem.not_greater {
        let pairs = first.iter().zip(&*image).filter(|(a, b)| a != b);
        let mut pairs: Vec<(CellTerm, CellTerm)> = pairs.map(|(&a, &b)| (b, a)).collect();
        pairs.sort_by_key(|(_, first)| match *first {
            CellTerm::Known(_) => 0,
            CellTerm::Unknown(unknown) => ranks[unknown as usize],
        });
        (*first, *image) = pairs.into_iter().unzip();
    }
}

/// Images are compared by the first cells alone, as is best in a formula.
pub(crate) fn compare_fewer_cells(problem: &mut SearchProblem) {
    for (lesser, greater) in &mut problem.not_greater {
        lesser.truncate(COMPARED_CELLS);
        greater.truncate(COMPARED_CELLS);
    }
}

/// No image is greater than the first generation, as far as the cells that come first say.
fn compare_from_corner(question: &PeriodicQuestion, problem: &mut SearchProblem) {
    let corner = SearchCorner::new(problem);
    let first = problem.places.iter().filter(|place| place.0 == 0);
    let mut cells: Vec<(u32, u32)> = first.map(|&(_, x, y)| (x, y)).collect();
    cells.sort_by_key(|&(x, y)| {
        let (column, row) = corner.distances(x, y);
        (row, column)
    });
    let indices = cells
        .iter()
        .map(|&(x, y)| (y * question.width + x) as usize);
    let indices: Vec<usize> = indices.collect();
    for (first, image) in &mut problem.not_greater {
        let pairs = indices.iter().map(|&index| (image[index], first[index]));
        let pairs = pairs.filter(|(image, first)| image != first);
        (*first, *image) = pairs.take(COMPARED_CELLS).unzip();
    }
}

/// Compares the first generation with the images of all.
fn compare_phases(question: &PeriodicQuestion, problem: &mut SearchProblem) {
    let first = problem.generations[0].cells.clone();
    let is_image = |image: &Vec<CellTerm>| {
        *image == first || problem.not_greater.iter().any(|(_, other)| other == image)
    };
    let is_square = question.width == question.height;
    let fits = |symmetry: &Symmetry| is_square || !crate::swaps_axes(*symmetry);
    let symmetries: Vec<Symmetry> = Symmetry::ALL
        .into_iter()
        .filter(|symmetry| fits(symmetry) && is_image(&image(question, &first, *symmetry)))
        .collect();
    let mut images: Vec<Vec<CellTerm>> = Vec::new();
    for table in &problem.generations {
        for &symmetry in &symmetries {
            let image = image(question, &table.cells, symmetry);
            if image != first && !images.contains(&image) {
                images.push(image);
            }
        }
    }
    problem.not_greater = images
        .into_iter()
        .map(|image| (first.clone(), image))
        .collect();
}

/// The cells of a box, turned or mirrored.
fn image(question: &PeriodicQuestion, cells: &[CellTerm], symmetry: Symmetry) -> Vec<CellTerm> {
    let width = question.width;
    let indices = 0..width * question.height;
    let image = |index: u32| {
        let p = Point::new(i64::from(index % width), i64::from(index / width));
        let p = image_in_box(symmetry, width, question.height, p);
        cells[(p.y * i64::from(width) + p.x) as usize]
    };
    indices.map(image).collect()
}

/// A solution that could be moved towards the corner where the search starts would be greater.
fn require_edges(
    question: &PeriodicQuestion,
    problem: &mut SearchProblem,
    order: CellOrder,
    any_phase: bool,
) {
    let can_move = |mirror: Symmetry, symmetry: BoxSymmetry| {
        [BoxSymmetry::C1, symmetry].contains(&question.symmetry)
            && [Symmetry::Identity, mirror].contains(&question.transform)
    };
    let corner = SearchCorner::new(problem);
    let touching = |is_row: bool| {
        // in the first generation, where it is not less than the others
        let only_first = any_phase
            && order
                == if is_row {
                    CellOrder::Row
                } else {
                    CellOrder::Column
                };
        let places = problem.places.iter().enumerate();
        let on_edge = places.filter(|&(_, &(generation, x, y))| {
            let (column, row) = corner.distances(x, y);
            (if is_row { row } else { column }) == 0 && (generation == 0 || !only_first)
        });
        on_edge
            .map(|(unknown, _)| unknown as u32)
            .collect::<Vec<u32>>()
    };
    let mut edges = Vec::new();
    if can_move(Symmetry::MirrorX, BoxSymmetry::D2Vertical) {
        edges.push(touching(true));
    }
    if can_move(Symmetry::MirrorY, BoxSymmetry::D2Horizontal) {
        edges.push(touching(false));
    }
    problem.some_live.extend(edges);
}
