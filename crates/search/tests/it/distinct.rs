//! That a narrowed problem loses no solution, up to symmetry, translation and phase.

use crate::cells::random_question;
use dice::Dice;
use search::{
    CellOrder, CellSearch, CellSearchOptions, DistinctAnswer, DistinctSolutions, Exhaustive,
    PeriodicQuestion, ProblemSolver, SearchFlow, narrow_problem,
};
use std::collections::BTreeSet;

fn codes_of(distinct: &mut DistinctSolutions, solver: &mut dyn ProblemSolver) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    loop {
        match distinct.next(solver, &mut |_, _| SearchFlow::Continue) {
            DistinctAnswer::Found(solution) => assert!(codes.insert(solution.code)),
            DistinctAnswer::Exhausted => return codes,
            DistinctAnswer::Stopped => panic!("nobody stopped it"),
        }
    }
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
        let problem = question.problem().expect("a question");
        let mut distinct = DistinctSolutions::new(&question.rule, problem.clone());
        let expected = codes_of(&mut distinct, &mut Exhaustive::new(problem.clone()));
        for order in [
            CellOrder::Auto,
            CellOrder::Row,
            CellOrder::Column,
            CellOrder::Diagonal,
        ] {
            let narrowed = narrow_problem(&question, order).expect("a question");
            let options = CellSearchOptions {
                order,
                ..CellSearchOptions::default()
            };
            let mut distinct = DistinctSolutions::new(&question.rule, problem.clone());
            let found = codes_of(&mut distinct, &mut CellSearch::new(narrowed, options));
            assert_eq!(found, expected, "{question:?} {order:?}");
        }
        asked += 1;
        codes_seen += expected.len();
    }
    assert!(codes_seen > 100, "{codes_seen}");
}

#[test]
fn glider_is_one() {
    let life: rule::Rule = "B3/S23".parse().expect("Life");
    let mut question = PeriodicQuestion::new(life.clone(), 4, 5, 5).moving(1, 1);
    question.up_to_symmetry = true;
    let problem = question.problem().expect("a question");
    let narrowed = narrow_problem(&question, CellOrder::Auto).expect("a question");
    let mut search = CellSearch::new(narrowed, CellSearchOptions::default());
    let mut distinct = DistinctSolutions::new(&life, problem);
    let codes = codes_of(&mut distinct, &mut search);
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), ["xq4_153"]);
}
