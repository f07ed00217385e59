//! The engine against the oracle, on questions drawn at random.

use crate::{
    AllowedStates, BoxSymmetry, Exhaustive, FixedCell, PeriodicQuestion, PopulationLimits,
    ProblemSolver, SatBackend, SatEncoding, SatGuess, SatOptions, SatSearch, SearchAnswer,
    SearchFlow, SearchProblem,
};
use dice::Dice;
use grid::{State, Symmetry};
use std::collections::BTreeSet;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn random_rule(dice: &mut Dice) -> String {
    const RULES: [&str; 10] = [
        "B3/S23",
        "B36/S23",
        "B1/S",
        "B2-a3/S12",
        "B2/S34H",
        "B02/S1",
        "B2/S/3",
        "345/2/4",
        "B1/S1V",
        "B2n3/S23-q",
    ];
    if dice.below(5) > 0 {
        return RULES[dice.below(RULES.len() as u32) as usize].to_owned();
    }
    // dead cells without live neighbours stay dead, so that the empty plane does
    let mut map: String = (0..85)
        .map(|_| char::from(BASE64[dice.below(64) as usize]))
        .collect();
    map.replace_range(..1, "A");
    format!("MAP{map}A")
}

fn random_question(dice: &mut Dice) -> PeriodicQuestion {
    let rule = random_rule(dice);
    let period = if rule.contains("B0") {
        2
    } else {
        dice.below(3) + 1
    };
    let (width, height) = (dice.below(3) + 2, dice.below(3) + 1);
    let rule: rule::Rule = rule.parse().expect("a rule");
    let mut question = PeriodicQuestion::new(rule, period, width, height);
    if dice.below(3) == 0 {
        question = question.moving(i64::from(dice.below(2)), i64::from(dice.below(2)));
    }
    question.symmetry = dice.pick(&BoxSymmetry::ALL).expect("not empty");
    if dice.below(2) == 0 {
        question.symmetry = BoxSymmetry::C1;
    }
    if dice.below(4) == 0 {
        question.transform = dice.pick(&Symmetry::ALL).expect("not empty");
    }
    question.subperiod = dice.coin();
    question.empty = dice.coin();
    if dice.below(3) == 0 {
        question.population = PopulationLimits {
            least: dice.coin().then(|| dice.below(5)),
            most: dice.coin().then(|| dice.below(5)),
        };
    }
    if dice.below(4) == 0 {
        question.diagonal_width = Some(dice.below(2) + 1);
    }
    if dice.below(3) == 0 {
        question.fixed.push(FixedCell {
            generation: dice.below(period),
            x: dice.below(width),
            y: dice.below(height),
            states: AllowedStates::only(dice.below(2) as State),
        });
    }
    question
}

/// All solutions, up to a number of them.
fn solutions(solver: &mut dyn ProblemSolver, limit: usize) -> BTreeSet<Vec<State>> {
    let mut found = BTreeSet::new();
    while found.len() < limit
        && let SearchAnswer::Found(states) = solver.solve(&mut |_, _| SearchFlow::Continue)
    {
        let excluded: Vec<(u32, State)> = (0..).zip(states.iter().copied()).collect();
        solver.exclude(&excluded);
        assert!(found.insert(states), "found twice");
    }
    found
}

fn ways() -> Vec<SatOptions> {
    let way = |backend, encoding| SatOptions {
        backend,
        encoding,
        guess: SatGuess::Last,
        seed: None,
    };
    let mut ways = vec![
        way(SatBackend::Batsat, SatEncoding::Implicants),
        way(SatBackend::Batsat, SatEncoding::Counts),
    ];
    #[cfg(feature = "cadical")]
    ways.extend([
        way(SatBackend::Cadical, SatEncoding::Implicants),
        way(SatBackend::Cadical, SatEncoding::Counts),
    ]);
    ways.push(SatOptions {
        guess: SatGuess::Dead,
        seed: Some(7),
        ..ways[0]
    });
    ways.push(SatOptions {
        guess: SatGuess::Live,
        ..ways[0]
    });
    ways
}

fn size(problem: &SearchProblem) -> f64 {
    f64::from(problem.rule.states()).powi(problem.unknowns() as i32)
}

#[test]
fn solutions_are_those_of_the_oracle() {
    let mut dice = Dice::new(1);
    let (mut asked, mut with_solutions) = (0, 0);
    while asked < 240 {
        let mut question = random_question(&mut dice);
        let Ok(problem) = question.problem() else {
            continue;
        };
        if size(&problem) > 3e5 {
            continue;
        }
        asked += 1;
        let expected = solutions(&mut Exhaustive::new(problem.clone()), usize::MAX);
        with_solutions += usize::from(!expected.is_empty());
        for options in ways() {
            let found = solutions(&mut SatSearch::new(problem.clone(), options), 60);
            if expected.len() < 60 {
                assert_eq!(found, expected, "{question:?} {options:?}");
            } else {
                assert!(found.is_subset(&expected), "{question:?} {options:?}");
                assert_eq!(found.len(), 60, "{question:?} {options:?}");
            }
        }
        question.up_to_symmetry = true;
        let problem = question.problem().expect("as before");
        let mut search = SatSearch::new(problem, SatOptions::default());
        let one = solutions(&mut search, 1);
        assert_eq!(one.is_empty(), expected.is_empty(), "{question:?}");
    }
    assert!((50..190).contains(&with_solutions), "{with_solutions}");
}

fn answer(question: &PeriodicQuestion) -> SearchAnswer {
    let problem = question.problem().expect("a question");
    SatSearch::new(problem, SatOptions::default()).solve(&mut |_, _| SearchFlow::Continue)
}

#[test]
fn known_questions_have_their_answers() {
    use BoxSymmetry::{C1, D2Vertical, D8};
    let life = |period, (width, height), (dx, dy), symmetry| PeriodicQuestion {
        symmetry,
        up_to_symmetry: true,
        ..PeriodicQuestion::new("B3/S23".parse().expect("Life"), period, width, height)
            .moving(dx, dy)
    };
    for (period, size, motion, symmetry, is_found) in [
        (3, (7, 6), (0, 0), D2Vertical, false),
        (2, (4, 4), (0, 0), D8, false),
        (4, (9, 9), (0, 0), D8, false),
        (4, (3, 3), (1, 1), C1, false),
        (4, (4, 4), (1, 1), C1, true),
        (4, (7, 5), (2, 0), C1, true),
        (2, (8, 6), (1, 0), C1, false),
        (3, (12, 4), (0, 1), C1, false),
        (3, (5, 4), (0, 0), C1, false),
    ] {
        let answer = answer(&life(period, size, motion, symmetry));
        let is_none = answer == SearchAnswer::Exhausted;
        assert!(
            is_none != is_found,
            "{period} {size:?} {motion:?} {symmetry}"
        );
    }
}

#[test]
fn still_lifes_are_as_many_and_as_dense_as_published() {
    // OEIS A136278 and A055397
    for (side, count, densest) in [(1, 1, 0), (2, 2, 4), (3, 12, 6), (4, 83, 8), (5, 417, 16)] {
        let question = PeriodicQuestion {
            empty: true,
            ..PeriodicQuestion::new("B3/S23".parse().expect("Life"), 1, side, side)
        };
        let problem = question.problem().expect("a question");
        let mut search = SatSearch::new(problem.clone(), SatOptions::default());
        assert_eq!(solutions(&mut search, 1000).len(), count, "{side}");
        let mut search = SatSearch::new(problem, SatOptions::default());
        let mut most = 0;
        while let SearchAnswer::Found(states) = search.solve(&mut |_, _| SearchFlow::Continue) {
            most = states.iter().filter(|&&state| state != 0).count();
            search.require_least(most as u32 + 1);
        }
        assert_eq!(most, densest, "{side}");
    }
}

#[test]
fn a_large_formula_is_written_part_by_part() {
    let question = PeriodicQuestion::new("B3/S23".parse().expect("Life"), 2, 70, 70);
    let problem = question.problem().expect("a question");
    let mut search = SatSearch::new(problem, SatOptions::default());
    let mut bytes = 0;
    for _ in 0..2 {
        let mut now = 0;
        let answer = search.solve(&mut |progress, _| {
            now = progress.bytes;
            SearchFlow::Stop
        });
        assert_eq!(answer, SearchAnswer::Stopped);
        assert!(now > bytes, "{now} bytes after {bytes}");
        bytes = now;
    }
}

#[test]
fn a_search_that_is_stopped_goes_on() {
    let question = PeriodicQuestion::new("B3/S23".parse().expect("Life"), 3, 4, 4);
    for options in ways() {
        let problem = question.problem().expect("a question");
        let mut search = SatSearch::new(problem, options);
        let (mut stops, mut most_decided) = (0, 0);
        let answer = loop {
            let mut asked = 0;
            let answer = search.solve(&mut |progress, state| {
                asked += 1;
                let decided = (0..48).filter(|&unknown| state(unknown).is_some()).count();
                most_decided = most_decided.max(decided);
                assert!(progress.bytes > 0);
                // each part is longer than the one before, so that it ends
                if asked > 4 * stops {
                    SearchFlow::Stop
                } else {
                    SearchFlow::Continue
                }
            });
            if answer != SearchAnswer::Stopped {
                break answer;
            }
            stops += 1;
        };
        assert_eq!(answer, SearchAnswer::Exhausted);
        if options.backend == SatBackend::Batsat {
            assert!(stops > 0 && most_decided >= 10, "{stops} {most_decided}");
        }
    }
}

/// A file on a disk that is full after so many bytes.
struct FullDisk(usize);

impl std::io::Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.len() > self.0 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_proof_that_cannot_be_written_stops_the_search() {
    let question = PeriodicQuestion::new("B3/S23".parse().expect("Life"), 3, 4, 4);
    let problem = question.problem().expect("a question");
    let proof = Box::new(FullDisk(2000));
    let mut search = SatSearch::with_proof(problem, SatOptions::default(), proof);
    let answer = search.solve(&mut |_, _| SearchFlow::Continue);
    assert_eq!(answer, SearchAnswer::Stopped);
    let error = search.proof_error().expect("the disk is full");
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn clauses_are_written_in_pieces() {
    let question = PeriodicQuestion::new("B3/S23".parse().expect("Life"), 2, 6, 6);
    let problem = question.problem().expect("a question");
    let new = || SatSearch::new(problem.clone(), SatOptions::default());
    let (mut whole, mut stopped) = (new(), new());
    let answer = whole.solve(&mut |_, _| SearchFlow::Continue);
    assert!(matches!(answer, SearchAnswer::Found(_)));
    let mut sizes = Vec::new();
    while stopped.clauses() < whole.clauses() {
        stopped.solve(&mut |_, _| SearchFlow::Stop);
        sizes.push(stopped.clauses());
    }
    assert!(
        sizes.len() > 5 && sizes.is_sorted_by(|a, b| a < b),
        "{sizes:?}"
    );
    let answer = stopped.solve(&mut |_, _| SearchFlow::Continue);
    assert!(matches!(answer, SearchAnswer::Found(_)));
}
