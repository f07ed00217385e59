//! Censuses in every family of rules, held against a plain and slow way: the engine's naive world,
//! and clusters cut by their definition.

use census::{CensusSettings, CensusUnitRunner, SettlingMethod};

fn settings(rule: &str) -> CensusSettings {
    CensusSettings {
        rule: rule.parse().unwrap(),
        symmetry: "C1".parse().unwrap(),
        root: "census_seed_a".into(),
        settling: SettlingMethod::Exact,
    }
}

/// Rules of each family, and how many of their soups are run.
const FAMILIES: [(&str, u64); 11] = [
    ("B3/S23", 2),
    ("B36/S23", 3),
    ("B3678/S34678", 4),
    ("B2-a/S12", 1),
    ("B2n3/S23-q", 4),
    ("B2/S34H", 4),
    ("B3/S023V", 4),
    ("23/3/3", 6),
    ("23/3/6", 6),
    ("R3,C2,M1,S14..23,B14..18,NM", 2),
    ("WireWorld", 4),
];

#[test]
fn units_are_those_of_the_definition() {
    for (rule, soups) in FAMILIES {
        let quick = CensusUnitRunner::new(settings(rule))
            .unwrap()
            .run(0, soups, &mut |_| true);
        let plain = CensusUnitRunner::by_definition(settings(rule)).unwrap();
        let plain = { plain }.run(0, soups, &mut |_| true);
        assert_eq!(quick, plain, "{rule}");
    }
}

/// One rule of each kind that is run at length.
const LONG_RUNS: [&str; 6] = [
    "B36/S23",
    "B3678/S34678",
    "B2n3/S23-q",
    "B2/S34H",
    "23/3/6",
    "R3,C2,M1,S14..23,B14..18,NM",
];

/// 20,000 soups of each, a hundred at a time, so that a difference is found soon. The definition
/// takes from half a minute (Generations) to an hour and more (Larger than Life) in a release build:
/// `cargo test --release -p gridpaper-census --test soup_it -- --ignored twenty_thousand`.
#[test]
#[ignore = "the definition takes hours"]
fn twenty_thousand_soups_are_those_of_the_definition() {
    for rule in LONG_RUNS {
        let mut quick = CensusUnitRunner::new(settings(rule)).unwrap();
        let mut plain = CensusUnitRunner::by_definition(settings(rule)).unwrap();
        for first in (0..20_000).step_by(100) {
            let found = quick.run(first, 100, &mut |_| true);
            assert_eq!(
                found,
                plain.run(first, 100, &mut |_| true),
                "{rule}, from soup {first} on"
            );
        }
    }
}
