//! Censuses in every family of rules, held against a plain and slow way: cells one at a time, and
//! clusters cut by their definition.

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

/// As many soups as `GRIDPAPER_SOUPS` says, or 20,000, a hundred at a time, so that a difference is
/// found soon: by the definition too, which takes from half a minute (Generations) to half an hour.
/// `cargo xtask long census` runs them all.
fn hold_many_soups(rule: &str) {
    let soups = std::env::var("GRIDPAPER_SOUPS").map_or(20_000, |text| text.parse().unwrap());
    let mut quick = CensusUnitRunner::new(settings(rule)).unwrap();
    let mut plain = CensusUnitRunner::by_definition(settings(rule)).unwrap();
    let mut objects = 0;
    for first in (0..soups).step_by(100) {
        let count = 100.min(soups - first);
        let found = quick.run(first, count, &mut |_| true).unwrap();
        objects += found.tally.values().sum::<u64>();
        assert_eq!(
            Some(found),
            plain.run(first, count, &mut |_| true),
            "{rule}, from soup {first} on"
        );
    }
    println!("{rule}: {soups} soups, {objects} objects, the same by the definition");
}

#[test]
#[ignore = "the definition takes long: cargo xtask long census runs it"]
fn many_soups_of_highlife() {
    hold_many_soups("B36/S23");
}

#[test]
#[ignore = "the definition takes long: cargo xtask long census runs it"]
fn many_soups_of_day_and_night() {
    hold_many_soups("B3678/S34678");
}

#[test]
#[ignore = "the definition takes long: cargo xtask long census runs it"]
fn many_soups_with_hensel_letters() {
    hold_many_soups("B2n3/S23-q");
}

#[test]
#[ignore = "the definition takes long: cargo xtask long census runs it"]
fn many_soups_on_hexagons() {
    hold_many_soups("B2/S34H");
}

#[test]
#[ignore = "the definition takes long: cargo xtask long census runs it"]
fn many_soups_of_generations() {
    hold_many_soups("23/3/6");
}

#[test]
#[ignore = "the definition takes long: cargo xtask long census runs it"]
fn many_soups_larger_than_life() {
    hold_many_soups("R3,C2,M1,S14..23,B14..18,NM");
}
