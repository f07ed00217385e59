//! The search by cells against the exhaustive one on random small questions.

use dice::Dice;
use grid::{State, Symmetry};
use search::{
    AllowedStates, BoxSymmetry, CellGuess, CellOrder, CellSearch, CellSearchOptions, Exhaustive,
    FixedCell, PeriodicQuestion, PopulationLimits, ProblemSolver, SearchAnswer, SearchFlow,
    narrow_problem,
};
use std::collections::BTreeSet;

const RULES: [&str; 9] = [
    "B3/S23",
    "B2/S",
    "B36/S125",
    "B2-a3/S12",
    "B2e3ai/S1e2k3",
    "B2/S34H",
    "B036/S125",
    "B2/S/3",
    "345/2/4",
];

/// A question with few enough cells to try them all, where the draw makes sense.
pub(crate) fn random_question(dice: &mut Dice) -> Option<PeriodicQuestion> {
    let rule = dice.pick(&RULES)?;
    let period = 1 + dice.below(4);
    let (width, height) = (1 + dice.below(5), 1 + dice.below(4));
    let rule: rule::Rule = rule.parse().expect("a rule");
    let most = if rule.states() == 2 { 18 } else { 10 };
    let mut question = PeriodicQuestion::new(rule, period, width, height);
    if dice.below(3) == 0 {
        question = question.moving(i64::from(dice.below(3)) - 1, i64::from(dice.below(3)) - 1);
    }
    if dice.coin() {
        question.symmetry = dice.pick(&BoxSymmetry::ALL)?;
    }
    if dice.below(4) == 0 {
        question.transform = dice.pick(&Symmetry::ALL)?;
    }
    question.subperiod = dice.coin();
    question.empty = dice.below(4) == 0;
    if dice.below(4) == 0 {
        question.population = PopulationLimits {
            least: dice.coin().then(|| dice.below(5)),
            most: dice.coin().then(|| dice.below(6)),
        };
    }
    if dice.below(6) == 0 {
        question.diagonal_width = Some(1 + dice.below(2));
    }
    if dice.below(4) == 0 {
        question.fixed.push(FixedCell {
            generation: dice.below(period),
            x: dice.below(width),
            y: dice.below(height),
            states: AllowedStates::only(dice.below(2) as State),
        });
    }
    let problem = question.problem().ok()?;
    (problem.unknowns() <= most).then_some(question)
}

fn all_solutions(solver: &mut dyn ProblemSolver) -> Vec<Vec<State>> {
    let mut found = Vec::new();
    loop {
        match solver.solve(&mut |_, _| SearchFlow::Continue) {
            SearchAnswer::Found(states) => found.push(states),
            SearchAnswer::Exhausted => return found,
            SearchAnswer::Stopped => panic!("nobody stopped it"),
        }
    }
}

fn random_options(dice: &mut Dice) -> CellSearchOptions {
    use CellOrder::{Auto, Column, Diagonal, Row};
    CellSearchOptions {
        order: dice.pick(&[Auto, Row, Column, Diagonal]).expect("some"),
        guess: dice
            .pick(&[CellGuess::Dead, CellGuess::Live, CellGuess::Random])
            .expect("some"),
        seed: dice.word(),
    }
}

#[test]
fn cells_find_what_trying_all_finds() {
    let mut dice = Dice::new(33);
    let (mut asked, mut with_answer) = (0, 0);
    while asked < 700 {
        let Some(question) = random_question(&mut dice) else {
            continue;
        };
        let options = random_options(&mut dice);
        let problem = question.problem().expect("a question");
        let expected = all_solutions(&mut Exhaustive::new(problem.clone()));
        let found = all_solutions(&mut CellSearch::new(problem, options));
        let set = |list: &[Vec<State>]| -> BTreeSet<Vec<State>> { list.iter().cloned().collect() };
        assert_eq!(set(&found), set(&expected), "{question:?} {options:?}");
        assert_eq!(
            found.len(),
            expected.len(),
            "told once each: {question:?} {options:?}"
        );
        asked += 1;
        with_answer += u32::from(!expected.is_empty());
    }
    assert!(with_answer > 100, "{with_answer}");
}

#[test]
fn excluded_solutions_are_not_found() {
    let mut dice = Dice::new(34);
    let mut excluded_some = 0;
    while excluded_some < 100 {
        let Some(question) = random_question(&mut dice) else {
            continue;
        };
        let problem = question.problem().expect("a question");
        let mut expected: BTreeSet<Vec<State>> =
            all_solutions(&mut Exhaustive::new(problem.clone()))
                .into_iter()
                .collect();
        if expected.len() < 2 {
            continue;
        }
        excluded_some += 1;
        let mut search = CellSearch::new(problem, random_options(&mut dice));
        // what was found, and part of what another one is, are excluded on the way
        while let SearchAnswer::Found(states) = search.solve(&mut |_, _| SearchFlow::Continue) {
            assert!(expected.remove(&states), "{states:?} of {question:?}");
            let other = expected
                .iter()
                .next()
                .cloned()
                .unwrap_or_else(|| states.clone());
            let few = 1 + dice.below(4) as usize;
            let part: Vec<(u32, State)> =
                (0..).zip(other).filter(|_| dice.coin()).take(few).collect();
            let list: Vec<(u32, State)> = (0..).zip(states).collect();
            search.exclude(&list);
            if !part.is_empty() {
                search.exclude(&part);
                let is_excluded = |states: &Vec<State>| {
                    part.iter()
                        .all(|&(unknown, state)| states[unknown as usize] == state)
                };
                expected.retain(|states| !is_excluded(states));
            }
        }
        assert!(
            expected.is_empty(),
            "{question:?}: {expected:?} are missing"
        );
    }
}

/// Rows of the acceptance table that take little time: what is asked, and whether there is one.
#[test]
fn known_answers() {
    let life = |period, width, height| {
        let rule = "B3/S23".parse().expect("Life");
        PeriodicQuestion {
            up_to_symmetry: true,
            ..PeriodicQuestion::new(rule, period, width, height)
        }
    };
    let with = |symmetry: BoxSymmetry, question: PeriodicQuestion| PeriodicQuestion {
        symmetry,
        ..question
    };
    let rows = [
        (life(3, 5, 5), false),
        (life(3, 6, 6), false),
        (with(BoxSymmetry::D8, life(3, 13, 13)), true),
        (with(BoxSymmetry::D8, life(4, 9, 9)), false),
        (with(BoxSymmetry::D8, life(2, 4, 4)), false),
        (life(4, 4, 4).moving(1, 1), true),
        (life(4, 7, 5).moving(2, 0), true),
        (life(2, 12, 8).moving(0, 1), false),
        (life(3, 16, 5).moving(0, -1), true),
        (life(3, 16, 5).moving(0, 1), true),
        (life(3, 15, 5).moving(0, 1), false),
        (life(3, 16, 4).moving(0, 1), false),
        (
            with(BoxSymmetry::D2Vertical, life(3, 12, 11).moving(0, 1)),
            false,
        ),
        (
            with(BoxSymmetry::D2Vertical, life(3, 12, 13).moving(0, 1)),
            true,
        ),
    ];
    for (question, is_found) in rows {
        let problem = narrow_problem(&question, CellOrder::Auto).expect("a question");
        let mut search = CellSearch::new(problem.clone(), CellSearchOptions::default());
        match search.solve(&mut |_, _| SearchFlow::Continue) {
            SearchAnswer::Found(states) => {
                assert!(is_found && problem.is_solved_by(&states), "{question:?}");
            }
            answer => assert!(
                !is_found && answer == SearchAnswer::Exhausted,
                "{question:?}"
            ),
        }
    }
}

#[test]
fn stopped_search_goes_on_to_the_same_end() {
    let question = PeriodicQuestion {
        up_to_symmetry: true,
        ..PeriodicQuestion::new("B3/S23".parse().expect("Life"), 3, 6, 7)
    };
    let options = CellSearchOptions::default();
    let problem = narrow_problem(&question, options.order).expect("a question");
    let mut nodes = 0;
    let mut whole = CellSearch::new(problem.clone(), options);
    let answer = whole.solve(&mut |progress, _| {
        nodes = progress.nodes;
        SearchFlow::Continue
    });
    assert_eq!(answer, SearchAnswer::Exhausted);
    let mut search = CellSearch::new(problem.clone(), options);
    let (mut stops, mut share) = (0, 0.0);
    loop {
        let mut asked = 0;
        let answer = search.solve(&mut |progress, _| {
            asked += 1;
            let before = std::mem::replace(&mut share, progress.share.expect("it is known"));
            assert!(share >= before, "{before} {share}");
            if asked == 9 {
                SearchFlow::Stop
            } else {
                SearchFlow::Continue
            }
        });
        if answer == SearchAnswer::Exhausted {
            break;
        }
        assert_eq!(answer, SearchAnswer::Stopped);
        stops += 1;
        let text = search.state().to_string();
        let state = text.parse().expect("as it was written");
        search = CellSearch::resume(problem.clone(), &state).expect("the same problem");
    }
    assert!(stops > 2, "{stops}");
    assert_eq!(
        nodes / 4096,
        search.state().nodes / 4096,
        "nothing was searched twice"
    );
}

#[test]
fn damaged_states_are_refused() {
    for (text, words) in [
        ("", "lacks the line `options`"),
        ("options auto live 0\nnodes 1 open", "lacks the line `path`"),
        ("options auto live 0\nnodes 1 gone\npath", "`gone`"),
        ("options auto live 0\nnodes 1 open\npath 3", "`3`"),
    ] {
        let error = text
            .parse::<search::CellSearchState>()
            .expect_err(text)
            .to_string();
        assert!(error.contains(words), "{error}");
    }
    let state = "options auto live 0\nnodes 1 open\npath +999"
        .parse()
        .expect("a state");
    let question = PeriodicQuestion::new("B3/S23".parse().expect("Life"), 1, 3, 3);
    let problem = question.problem().expect("a question");
    let error = CellSearch::resume(problem, &state)
        .err()
        .expect("another question");
    assert!(error.to_string().contains("variable 999"), "{error}");
}
