//! Whole units: their counts, and what they do not depend on.

use crate::runner;
use census::{CensusError, CensusSettings, CensusUnitRunner, SettlingMethod};
use std::collections::BTreeMap;

#[test]
fn symmetric_soups_leave_what_apgsearch_counts() {
    for (symmetry, golden) in [
        ("D8_4", include_str!("../data/soups/count_D8_4.txt")),
        ("D2_x", include_str!("../data/soups/count_D2_x.txt")),
        ("1x256", include_str!("../data/soups/count_1x256.txt")),
    ] {
        let mut expected = BTreeMap::new();
        for line in golden.lines() {
            if let ["COUNT", code, count] = line.split(' ').collect::<Vec<_>>()[..] {
                expected.insert(code.to_owned(), count.parse::<u64>().unwrap());
            }
        }
        let report = runner("B3/S23", symmetry, SettlingMethod::Apgsearch)
            .run(0, 5000, &mut |_| true)
            .unwrap();
        assert_eq!(report.tally, expected, "{symmetry}");
    }
}

#[test]
fn growing_soups_are_counted_once_with_their_code() {
    let mut runner = runner("B3/S23", "C1", SettlingMethod::Exact);
    for (index, code) in [
        (186_688, "yl144_1_16_afb5f3db909e60548f086e22ee3353ac"),
        (209_671, "yl384_1_59_7aeb1999980c43b4945fb7fcdb023326"),
    ] {
        let report = runner.run(index, 1, &mut |_| true).unwrap();
        assert_eq!(report.tally.get(code), Some(&1), "{index}: {report:?}");
        assert_eq!(report.odd[0].what, "growing");
        assert!(!report.tally.contains_key("PATHOLOGICAL"));
    }
}

#[test]
fn soups_that_leave_much_are_counted_as_such() {
    let mut runner = runner("B3/S23", "C1", SettlingMethod::Apgsearch);
    let report = runner.run(218_957, 1, &mut |_| true).unwrap();
    assert_eq!(report.tally.get("megasized_31h"), Some(&1));
    assert_eq!(report.long_lived[0].population, 3108);
    // it looks settled long after its population has begun to repeat
    let report = runner.run(163_228, 1, &mut |_| true).unwrap();
    assert!(
        !report
            .tally
            .keys()
            .any(|code| code.starts_with("methuselah"))
    );
}

#[test]
fn units_do_not_depend_on_what_was_run_before() {
    let whole = runner("B3/S23", "C1", SettlingMethod::Exact)
        .run(100, 60, &mut |_| true)
        .unwrap();
    let mut runner = runner("B3/S23", "C1", SettlingMethod::Exact);
    let second = runner.run(130, 30, &mut |_| true).unwrap();
    let first = runner.run(100, 30, &mut |_| true).unwrap();
    assert_eq!(runner.run(100, 60, &mut |_| true).unwrap(), whole);
    let mut tally = first.tally;
    for (code, count) in second.tally {
        *tally.entry(code).or_default() += count;
    }
    assert_eq!(tally, whole.tally);
    assert_eq!(first.lifespan_sum + second.lifespan_sum, whole.lifespan_sum);
    for (code, samples) in &whole.samples {
        let mut expected = first.samples.get(code).cloned().unwrap_or_default();
        expected.extend(second.samples.get(code).into_iter().flatten());
        expected.truncate(census::unit::MAX_SAMPLES);
        assert_eq!(samples, &expected, "{code}");
    }
}

#[test]
fn gliders_that_are_let_go_change_nothing() {
    // an explanation runs a soup with all of its gliders
    let mut runner = runner("B3/S23", "C1", SettlingMethod::Exact);
    for index in (0..300).chain([64_681]) {
        let report = runner.run(index, 1, &mut |_| true).unwrap();
        let mut tally: BTreeMap<String, u64> = BTreeMap::new();
        for object in runner.explain(index).objects {
            for (code, count) in object.codes {
                *tally.entry(code).or_default() += count;
            }
        }
        assert_eq!(tally, report.tally, "{index}");
    }
}

#[test]
fn a_unit_that_is_stopped_reports_nothing() {
    let mut runner = runner("B3/S23", "C1", SettlingMethod::Exact);
    let mut told = Vec::new();
    let report = runner.run(5, 10, &mut |done| {
        told.push(done);
        done < 3
    });
    assert_eq!((report, told), (None, vec![1, 2, 3]));
}

#[test]
fn other_rules_are_counted_too() {
    // what HighLife's soups leave is mostly what Life's leave
    let mut runner = runner("B36/S23", "C1", SettlingMethod::Exact);
    let report = runner.run(0, 60, &mut |_| true).unwrap();
    assert!(report.tally["xs4_33"] > 100, "{report:?}");
    assert!(report.tally["xq4_153"] >= 30, "{report:?}");
}

#[test]
fn soups_that_explode_are_given_up() {
    for rule in ["B2/S", "B2-c/S"] {
        let mut runner = runner(rule, "C1", SettlingMethod::Exact);
        let report = runner.run(0, 1, &mut |_| true).unwrap();
        assert_eq!(report.odd.len(), 1, "{rule}: {report:?}");
        assert!(report.odd.iter().all(|odd| odd.what == "explosive"));
        assert!(report.tally.is_empty());
    }
}

#[test]
fn rules_that_cannot_be_counted_are_refused_by_name() {
    for rule in ["B3/S23:T40,40", "Critters"] {
        let error = CensusUnitRunner::new(CensusSettings {
            rule: rule.parse().unwrap(),
            symmetry: "C1".parse().unwrap(),
            root: "a".into(),
            settling: SettlingMethod::Exact,
        })
        .unwrap_err();
        assert!(matches!(error, CensusError::Rule(_)), "{rule}");
    }
}

/// What machines of other processors count is the same to the last number.
#[test]
fn units_are_the_same_with_vectors_of_each_width() {
    // steps of Life, sums of neighbours, a circuit
    for rule in ["B3/S23", "B36/S23", "B3/S2-i34q"] {
        let mut reports = Vec::new();
        kernel::simd::with_each_width(|| {
            let mut runner = runner(rule, "C1", SettlingMethod::Exact);
            reports.push(runner.run(0, 40, &mut |_| true).expect("nothing stops it"));
        });
        assert_eq!((reports.len(), reports[0].soups), (4, 40));
        reports.dedup();
        assert_eq!(reports.len(), 1, "{rule}");
    }
}
