//! That a narrowed problem loses no solution, cell by cell or as a formula, up to symmetry,
//! translation and phase.

use crate::cells::random_question;
use dice::Dice;
use grid::{Point, State, Symmetry};
use search::{
    BlockRule, BoxSymmetry, CellOrder, CellSearch, CellSearchOptions, Exhaustive, PeriodicCase,
    PeriodicQuestion, ProblemSolver, SearchAnswer, SearchCase, SearchEngine, SearchFlow,
    SearchOutcome, SearchRun, box_isometries, count_cubes, count_cycles, cut_cube, image_in_box,
};
use std::collections::BTreeSet;

/// The codes that a run tells, each once.
pub(crate) fn codes_of(question: &PeriodicQuestion, order: CellOrder) -> BTreeSet<String> {
    codes_by(SearchEngine::Cells, question, order)
}

fn codes_by(
    engine: SearchEngine,
    question: &PeriodicQuestion,
    order: CellOrder,
) -> BTreeSet<String> {
    let case = PeriodicCase::new(question.clone()).expect("a question");
    let options = CellSearchOptions {
        order,
        ..CellSearchOptions::default()
    };
    let mut run = SearchRun::new(vec![Box::new(case)], engine, options);
    let mut codes = BTreeSet::new();
    loop {
        match run.next(&mut |_, _| SearchFlow::Continue) {
            Ok(SearchOutcome::Found(found)) => {
                assert!(codes.insert(found.apgcode.expect("it repeats")));
            }
            Ok(SearchOutcome::Exhausted) => return codes,
            other => panic!("nobody stopped it: {other:?}"),
        }
    }
}

/// The codes of all solutions of the whole problem.
fn expected_codes(question: &PeriodicQuestion) -> BTreeSet<String> {
    let case = PeriodicCase::new(question.clone()).expect("a question");
    let mut solver = Exhaustive::new(case.problem().clone());
    let mut codes = BTreeSet::new();
    while let SearchAnswer::Found(solution) = solver.solve(&mut |_, _| SearchFlow::Continue) {
        let found = case.pattern_of(&solution).expect("a solution");
        codes.insert(found.apgcode.expect("it repeats"));
    }
    codes
}

#[test]
fn narrowed_problems_have_all_codes() {
    let mut dice = Dice::new(35);
    let (mut asked, mut codes_seen) = (0, 0);
    while asked < 400 {
        let Some(mut question) = random_question(&mut dice) else {
            continue;
        };
        question.up_to_symmetry = true;
        let expected = expected_codes(&question);
        let by_sat = codes_by(SearchEngine::Sat, &question, CellOrder::Auto);
        assert_eq!(by_sat, expected, "{question:?} as a formula");
        for order in [
            CellOrder::Auto,
            CellOrder::Row,
            CellOrder::Column,
            CellOrder::Diagonal,
        ] {
            assert_eq!(
                codes_of(&question, order),
                expected,
                "{question:?} {order:?}"
            );
        }
        asked += 1;
        codes_seen += expected.len();
    }
    assert!(codes_seen > 100, "{codes_seen}");
}

#[test]
fn glider_is_one() {
    let life: rule::Rule = "B3/S23".parse().expect("Life");
    let mut question = PeriodicQuestion::new(life, 4, 5, 5).moving(1, 1);
    question.up_to_symmetry = true;
    let codes = codes_of(&question, CellOrder::Auto);
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), ["xq4_153"]);
}

/// The codes that a cube tells.
fn cube_codes(
    cube: Box<dyn SearchCase>,
    engine: SearchEngine,
    order: CellOrder,
) -> BTreeSet<String> {
    let options = CellSearchOptions {
        order,
        ..CellSearchOptions::default()
    };
    let mut run = SearchRun::new(vec![cube], engine, options);
    let mut codes = BTreeSet::new();
    while let Ok(SearchOutcome::Found(found)) = run.next(&mut |_, _| SearchFlow::Continue) {
        codes.extend(found.apgcode);
    }
    codes
}

#[test]
fn cubes_together_have_all_codes() {
    let mut dice = Dice::new(37);
    let (mut asked, mut codes_seen) = (0, 0);
    // of many patterns images lie in several of these cubes
    let life = |period, width, height| {
        let life = "B3/S23".parse().expect("Life");
        PeriodicQuestion::new(life, period, width, height)
    };
    let mut known = vec![life(2, 4, 4), life(1, 5, 4), life(1, 4, 5)];
    while asked < 20 {
        let is_known = !known.is_empty();
        let Some(mut question) = known.pop().or_else(|| random_question(&mut dice)) else {
            continue;
        };
        question.up_to_symmetry = is_known || dice.coin();
        let case = || PeriodicCase::new(question.clone()).expect("a question");
        let cases = || -> Vec<Box<dyn SearchCase>> { vec![Box::new(case()), Box::new(case())] };
        let depth = if is_known { 4 } else { dice.below(4) };
        let count = count_cubes(&cases(), depth);
        assert!(count.is_multiple_of(2) && count >= 2, "two cases: {count}");
        assert!(cut_cube(cases(), depth, count).is_none());
        let (mut codes, mut common) = (BTreeSet::new(), BTreeSet::new());
        for number in 0..count {
            let cube = |number| cut_cube(cases(), depth, number).expect("there are so many");
            let own = cube_codes(cube(number), SearchEngine::Cells, CellOrder::Auto);
            // what every machine finds there, whatever it searches with
            let mut always = cube_codes(cube(number), SearchEngine::Sat, CellOrder::Auto);
            for order in [CellOrder::Row, CellOrder::Column, CellOrder::Diagonal] {
                let other = cube_codes(cube(number), SearchEngine::Cells, order);
                always.retain(|code| other.contains(code));
            }
            if !question.up_to_symmetry {
                assert_eq!(own, always, "{question:?} {number}");
            }
            codes.extend(own);
            common.extend(always);
        }
        assert_eq!(codes, expected_codes(&question), "{question:?}");
        assert_eq!(common, codes, "{question:?}");
        codes_seen += codes.len();
        asked += 1;
    }
    assert!(codes_seen > 3, "{codes_seen}");
}

/// How many solutions the engine `cells` finds: one of those that are images of each other in the
/// box or in time, and then all of its images.
fn count_by_cells(period: u32, width: u32, height: u32) -> u128 {
    let rule = "B3/S23".parse().expect("Life");
    let mut question = PeriodicQuestion::new(rule, period, width, height);
    question.up_to_symmetry = true;
    let block = BlockRule::new(&question.rule).expect("radius 1");
    let isometries = box_isometries(&block, width, height, BoxSymmetry::C1);
    let problem = question.problem().expect("a question");
    let image = |states: &[State], isometry: Symmetry| {
        let cells = (0..i64::from(width * height)).zip(states);
        let live = cells.filter(|&(_, &state)| state != 0).map(|(index, _)| {
            let cell = Point::new(index % i64::from(width), index / i64::from(width));
            let cell = image_in_box(isometry, width, height, cell);
            1_u128 << (cell.y * i64::from(width) + cell.x)
        });
        live.sum::<u128>()
    };
    let mut search = CellSearch::new(problem.clone(), CellSearchOptions::default());
    let mut all = BTreeSet::new();
    while let SearchAnswer::Found(found) = search.solve(&mut |_, _| SearchFlow::Continue) {
        for states in problem.generations.iter().map(|table| table.states(&found)) {
            all.extend(isometries.iter().map(|&isometry| image(&states, isometry)));
        }
    }
    all.len() as u128
}

fn check_cycles(boxes: &[(u32, u32, u32)]) -> u128 {
    let life = BlockRule::new(&"B3/S23".parse().expect("Life")).expect("radius 1");
    let mut all = 0;
    for &(period, width, height) in boxes {
        let counted = count_cycles(&life, period, width, height, &mut |_| SearchFlow::Continue);
        let by_cells = count_by_cells(period, width, height);
        println!("period {period} in {width} x {height}: {by_cells}");
        assert_eq!(counted, Ok(by_cells), "{period} {width} x {height}");
        all += by_cells;
    }
    all
}

#[test]
fn oscillators_are_counted_alike_by_two_engines() {
    let count = check_cycles(&[(2, 5, 5), (2, 4, 6), (3, 4, 5)]);
    assert!(count > 86, "{count}");
}

#[test]
#[ignore = "minutes: cargo nextest run -p gridpaper-search --run-ignored only oscillators_of_8_by_8"]
fn oscillators_of_8_by_8_are_counted_alike_by_two_engines() {
    check_cycles(&[(2, 7, 7), (3, 7, 7), (2, 8, 8), (3, 8, 8)]);
}
