//! That a narrowed problem loses no solution, up to symmetry, translation and phase.

use crate::cells::random_question;
use dice::Dice;
use search::{
    CellOrder, CellSearchOptions, Exhaustive, PeriodicCase, PeriodicQuestion, ProblemSolver,
    SearchAnswer, SearchCase, SearchEngine, SearchFlow, SearchOutcome, SearchRun,
};
use std::collections::BTreeSet;

/// The codes that a run tells, each once.
pub(crate) fn codes_of(question: &PeriodicQuestion, order: CellOrder) -> BTreeSet<String> {
    let case = PeriodicCase::new(question.clone()).expect("a question");
    let options = CellSearchOptions {
        order,
        ..CellSearchOptions::default()
    };
    let mut run = SearchRun::new(vec![Box::new(case)], SearchEngine::Cells, options);
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
