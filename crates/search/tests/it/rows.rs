//! The search by rows: known ships, all ships of small boxes, memory that ends, saved states.

use crate::distinct::codes_of as codes_of_box;
use census::{BoxStepper, OrbitLimits, PeriodicOrbit, StateBox, rule_isometries};
use dice::Dice;
use grid::Point;
use rule::Rule;
use search::{
    CellOrder, PeriodicQuestion, RowAnswer, RowJobRunner, RowQuestion, RowSearch, RowSearchState,
    RowSymmetry, SearchFlow, SearchProgress,
};
use std::collections::BTreeSet;

fn question(
    rule: &Rule,
    (period, offset): (u32, u32),
    width: u32,
    symmetry: RowSymmetry,
) -> RowQuestion {
    RowQuestion {
        rule: rule.clone(),
        period,
        offset,
        width,
        symmetry,
        tagalongs: false,
        memory: 1 << 26,
    }
}

/// The code of what was found, which must move as asked.
fn code_of(question: &RowQuestion, cells: &[Point]) -> String {
    let mut stepper = BoxStepper::new(&question.rule);
    let cells = StateBox::from_points(cells);
    let orbit = PeriodicOrbit::find(&mut stepper, &cells, 0, &OrbitLimits::default());
    let orbit = orbit.unwrap_or_else(|_| panic!("{question:?}: it does not come back"));
    let period = orbit.period() as i64;
    assert_eq!(orbit.dx, 0, "{question:?}");
    assert_eq!(
        -orbit.dy * i64::from(question.period),
        i64::from(question.offset) * period,
        "{question:?}"
    );
    let isometries = rule_isometries(&question.rule);
    orbit.canonical(&question.rule, &isometries).code
}

/// The codes of all that is found, at most so many steps on; none where it did not end, and was not
/// past a number of rows either.
fn codes_of(question: &RowQuestion, steps: u64, rows: u64) -> Option<BTreeSet<String>> {
    let mut search = RowSearch::new(question.clone()).expect("a question");
    let mut codes = BTreeSet::new();
    loop {
        let mut is_past = false;
        let answer = search.solve(&mut |progress, _| {
            is_past = progress.depth > rows;
            if is_past || progress.nodes > steps {
                SearchFlow::Stop
            } else {
                SearchFlow::Continue
            }
        });
        match answer {
            RowAnswer::Found(cells) => {
                codes.insert(code_of(question, &cells));
            }
            RowAnswer::Exhausted => return Some(codes),
            RowAnswer::Stopped => return is_past.then_some(codes),
        }
    }
}

#[test]
fn known_ships_and_their_absence() {
    let life: Rule = "B3/S23".parse().expect("Life");
    let rows = [
        ((4, 2), 5, RowSymmetry::None, Some("xq4_6frc")),
        (
            (3, 1),
            6,
            RowSymmetry::Even,
            Some("xq3_3u0228mc53bgzof0882d6koq1"),
        ),
        ((4, 1), 5, RowSymmetry::Even, None),
        ((5, 2), 5, RowSymmetry::Odd, None),
        ((5, 1), 5, RowSymmetry::Gutter, None),
    ];
    for (velocity, width, symmetry, code) in rows {
        let question = question(&life, velocity, width, symmetry);
        let codes = codes_of(&question, u64::MAX, u64::MAX).expect("it ends");
        match code {
            Some(code) => assert!(codes.contains(code), "{codes:?}"),
            None => assert!(codes.is_empty(), "{codes:?}"),
        }
    }
}

#[test]
fn ships_of_small_boxes_are_among_those_by_rows() {
    let mut dice = Dice::new(36);
    let mut ships = 0;
    for _ in 0..40 {
        // near Life, so that there are ships, and not everything explodes
        let births: String = ('5'..='8').filter(|_| dice.coin()).collect();
        let survivals: String = ('6'..='8').filter(|_| dice.coin()).collect();
        let rule: Rule = format!("B3{births}/S23{survivals}")
            .parse()
            .expect("a rule");
        let (velocity, width) = ((4, 2), 5);
        let offset = i64::from(velocity.1);
        let mut by_cells = PeriodicQuestion::new(rule.clone(), velocity.0, width, 7);
        (by_cells.dy, by_cells.up_to_symmetry) = (-offset, true);
        if by_cells.problem().is_err() {
            continue;
        }
        let codes = codes_of_box(&by_cells, CellOrder::Auto);
        if codes.is_empty() {
            continue;
        }
        let by_rows = question(&rule, velocity, width, RowSymmetry::None);
        let Some(all) = codes_of(&by_rows, 200_000, 13 * u64::from(velocity.0)) else {
            continue;
        };
        ships += codes.len();
        for code in codes {
            assert!(
                all.contains(&code),
                "{rule} {velocity:?} {width}: {code} is missing"
            );
        }
    }
    assert!(ships > 3, "{ships}");
}

#[test]
fn memory_that_ends_changes_no_answer() {
    let life: Rule = "B3/S23".parse().expect("Life");
    for (velocity, width, symmetry) in [
        ((3, 1), 6, RowSymmetry::Even),
        ((4, 1), 6, RowSymmetry::Even),
        ((5, 2), 6, RowSymmetry::Odd),
    ] {
        let rich = question(&life, velocity, width, symmetry);
        let poor = RowQuestion {
            memory: 1 << 12,
            ..rich.clone()
        };
        let rich = codes_of(&rich, u64::MAX, u64::MAX);
        let poor = codes_of(&poor, 1_000_000, u64::MAX);
        assert_eq!(rich, poor, "{velocity:?}");
    }
}

#[test]
fn stopped_search_by_rows_goes_on_to_the_same_end() {
    let life: Rule = "B3/S23".parse().expect("Life");
    let question = RowQuestion {
        memory: 1 << 16,
        ..question(&life, (4, 1), 7, RowSymmetry::Even)
    };
    let mut search = RowSearch::new(question.clone()).expect("a question");
    let mut stops = 0;
    let answer = loop {
        let mut asked = 0;
        let answer = search.solve(&mut |_, _| {
            asked += 1;
            if asked == 8 {
                SearchFlow::Stop
            } else {
                SearchFlow::Continue
            }
        });
        if answer != RowAnswer::Stopped {
            break answer;
        }
        stops += 1;
        let state = RowSearchState::from_bytes(&search.state().to_bytes()).expect("as written");
        assert_eq!(state, search.state());
        search = RowSearch::resume(question.clone(), state).expect("the same question");
    };
    assert_eq!(answer, RowAnswer::Exhausted);
    assert!(stops > 1, "{stops}");
    let narrow = RowQuestion {
        width: 3,
        ..question
    };
    assert!(RowSearch::resume(narrow, search.state()).is_err());
    // what is cut off is refused, wherever
    let bytes = search.state().to_bytes();
    for length in 0..bytes.len().min(200) {
        assert!(
            RowSearchState::from_bytes(&bytes[..length]).is_err(),
            "{length}"
        );
    }
}

#[test]
fn threads_change_neither_what_is_found_nor_its_order() {
    let life: Rule = "B3/S23".parse().expect("Life");
    // jobs from the last to the first, and on threads
    let backwards = |count: usize, job: &(dyn Fn(usize) + Sync)| (0..count).rev().for_each(job);
    let on_threads = |count: usize, job: &(dyn Fn(usize) + Sync)| {
        std::thread::scope(|scope| {
            for first in 0..3 {
                scope.spawn(move || (first..count).step_by(3).for_each(job));
            }
        });
    };
    for (velocity, width, memory) in [((3, 1), 7, 1 << 24), ((3, 1), 6, 1 << 12)] {
        let question = RowQuestion {
            memory,
            ..question(&life, velocity, width, RowSymmetry::Even)
        };
        let run = |jobs: &RowJobRunner<'_>| {
            let mut search = RowSearch::new(question.clone()).expect("a question");
            let mut found = Vec::new();
            let mut progress = Vec::new();
            loop {
                let control = &mut |now: &SearchProgress, _: &dyn Fn() -> Vec<Point>| {
                    progress.push((now.nodes, now.depth));
                    SearchFlow::Continue
                };
                match search.solve_with(jobs, control) {
                    RowAnswer::Found(cells) => found.push(cells),
                    end => break assert_eq!(end, RowAnswer::Exhausted),
                }
            }
            (found, progress)
        };
        let alone = run(&|count, job| (0..count).for_each(job));
        assert!(!alone.0.is_empty() && alone.1.len() > 1, "{width}");
        assert_eq!(run(&backwards), alone, "{width}");
        assert_eq!(run(&on_threads), alone, "{width}");
    }
}

#[test]
fn questions_that_cannot_be_asked_are_refused() {
    let refused = |rule: &str, velocity, width, symmetry| {
        let rule: Rule = rule.parse().expect("a rule");
        let search = RowSearch::new(question(&rule, velocity, width, symmetry));
        search.err().expect("refused").to_string()
    };
    let none = RowSymmetry::None;
    assert!(refused("B3/S23", (3, 3), 4, none).contains("3 rows in 3 generations"));
    assert!(refused("B3/S23", (3, 1), 13, none).contains("1 to 12 columns"));
    assert!(refused("B3/S23", (40, 1), 3, none).contains("up to 32"));
    assert!(refused("B2/S/3", (3, 1), 3, none).contains("two states"));
    assert!(refused("B2/S34H", (3, 1), 3, RowSymmetry::Odd).contains("in the mirror"));
}
