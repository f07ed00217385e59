//! A search cut into cubes: each fixes some cells of the first generation, and together they are the
//! search ("cube and conquer", Heule, Kullmann, Wieringa and Biere, 2011; which cells are fixed is
//! our own choice). The cubes have numbers, and which cells are fixed depends on the question only,
//! so that machines that know nothing of each other can search one each.

use crate::cells::compare_fewer_cells;
use crate::{
    AllowedStates, CellOrder, CellTerm, FoundPattern, FoundPatternError, SearchCase, SearchEngine,
    SearchProblem,
};
use grid::State;

/// How many cubes a search has that is cut at so many cells: for each case the number of
/// arrangements of these cells.
///
/// ```
/// use search::{PeriodicCase, PeriodicQuestion, SearchCase, count_cubes, cut_cube};
/// use search::{CellSearchOptions, SearchEngine, SearchFlow, SearchOutcome, SearchRun};
///
/// let question = PeriodicQuestion::new("B3/S23".parse()?, 2, 5, 5);
/// let cases = || -> Result<Vec<Box<dyn SearchCase>>, search::QuestionError> {
///     Ok(vec![Box::new(PeriodicCase::new(question.clone())?)])
/// };
/// assert_eq!(count_cubes(&cases()?, 3), 8);
/// let mut codes = std::collections::BTreeSet::new();
/// for number in 0..8 {
///     let cube = cut_cube(cases()?, 3, number).expect("there are eight");
///     let mut run = SearchRun::new(vec![cube], SearchEngine::Cells, CellSearchOptions::default());
///     while let SearchOutcome::Found(found) = run.next(&mut |_, _| SearchFlow::Continue)? {
///         codes.extend(found.apgcode);
///     }
/// }
/// assert!(codes.contains("xp2_7") && codes.contains("xp2_7e"), "a blinker and a toad");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn count_cubes(cases: &[Box<dyn SearchCase>], depth: u32) -> u64 {
    let counts = cases.iter().map(|case| case_cubes(&**case, depth));
    counts.fold(0, u64::saturating_add)
}

/// One of the cubes of a search, by number from 0: a case that has the solutions with these cells
/// and no others. None where there are fewer. All cubes together have the solutions of the search;
/// images of one pattern may lie in several.
///
/// ```
/// use search::{PeriodicCase, PeriodicQuestion, SearchCase, cut_cube};
///
/// let question = PeriodicQuestion::new("B3/S23".parse()?, 2, 3, 3);
/// let case = || -> Result<Box<dyn SearchCase>, search::QuestionError> {
///     Ok(Box::new(PeriodicCase::new(question.clone())?))
/// };
/// assert!(cut_cube(vec![case()?], 1, 1).is_some(), "the middle is live");
/// assert!(cut_cube(vec![case()?], 1, 2).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn cut_cube(
    cases: Vec<Box<dyn SearchCase>>,
    depth: u32,
    number: u64,
) -> Option<Box<dyn SearchCase>> {
    let mut number = number;
    for case in cases {
        let count = case_cubes(&*case, depth);
        if number >= count {
            number -= count;
            continue;
        }
        let mut cells = Vec::new();
        for unknown in cube_cells(case.problem(), depth) {
            let states = allowed(case.problem(), unknown);
            let count = states.len() as u64;
            cells.push((unknown, states[(number % count) as usize]));
            number /= count;
        }
        return Some(Box::new(CubeCase { case, cells }));
    }
    None
}

fn case_cubes(case: &dyn SearchCase, depth: u32) -> u64 {
    let problem = case.problem();
    let counts = cube_cells(problem, depth).into_iter().map(|unknown| {
        let states = allowed(problem, unknown);
        states.len() as u64
    });
    counts.fold(1, u64::saturating_mul)
}

fn allowed(problem: &SearchProblem, unknown: u32) -> Vec<State> {
    let domain = problem.domains[unknown as usize];
    let states = 0..problem.rule.states();
    let states = states.map(|state| state as State);
    states.filter(|&state| domain.contains(state)).collect()
}

/// The cells that are fixed: of those of the first generation that are open the ones nearest to the
/// middle of the box, where the dead cells around it say least.
fn cube_cells(problem: &SearchProblem, depth: u32) -> Vec<u32> {
    let table = &problem.generations[0];
    let (width, height) = (i64::from(table.width), table.height());
    let mut cells: Vec<(i64, u32)> = table
        .cells
        .iter()
        .zip(0_i64..)
        .filter_map(|(&term, index)| {
            let CellTerm::Unknown(unknown) = term else {
                return None;
            };
            let x = 2 * (index % width) + 1 - width;
            let y = 2 * (index / width) + 1 - height;
            let is_open = problem.domains[unknown as usize].single().is_none();
            is_open.then_some((x * x + y * y, unknown))
        })
        .collect();
    // cells that are images of each other are one unknown
    cells.sort_unstable();
    let mut unknowns = Vec::new();
    for (_, unknown) in cells {
        if unknowns.len() < depth as usize && !unknowns.contains(&unknown) {
            unknowns.push(unknown);
        }
    }
    unknowns
}

/// A case of which some cells are fixed.
struct CubeCase {
    case: Box<dyn SearchCase>,
    cells: Vec<(u32, State)>,
}

impl SearchCase for CubeCase {
    fn problem(&self) -> &SearchProblem {
        self.case.problem()
    }

    /// Of images that lie in several cubes one is left, whoever searches them: what engine and order
    /// a search has must not decide which, or two machines would leave it to each other.
    fn problem_for(&self, engine: SearchEngine, _order: CellOrder) -> SearchProblem {
        let mut problem = self.case.problem_for(SearchEngine::Cells, CellOrder::Auto);
        if engine == SearchEngine::Sat {
            compare_fewer_cells(&mut problem);
        }
        for &(unknown, state) in &self.cells {
            let domain = &mut problem.domains[unknown as usize];
            *domain = domain.intersection(AllowedStates::only(state));
        }
        problem
    }

    fn pattern_of(&self, solution: &[State]) -> Result<FoundPattern, FoundPatternError> {
        self.case.pattern_of(solution)
    }

    fn key(&self, found: &FoundPattern) -> String {
        self.case.key(found)
    }

    fn exclusions(&self, solution: &[State]) -> Vec<Vec<(u32, State)>> {
        self.case.exclusions(solution)
    }
}
