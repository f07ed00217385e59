//! Codes are read, run and named again; clusters are cut into true objects.
#![allow(clippy::unwrap_used)]

use census::{ObjectClassifier, decode};

fn life() -> ObjectClassifier {
    ObjectClassifier::new(&"B3/S23".parse().unwrap())
}

#[test]
fn pseudo_objects_are_cut_and_strict_ones_are_not() {
    let mut classifier = life();
    for (code, parts) in [
        ("xs8_rr", &[("xs4_33", 2)][..]),
        ("xs12_6960696", &[("xs6_696", 2)]),
        ("xs14_g88m952z121", &[("xs14_g88m952z121", 1)]),
        ("xs12_raar", &[("xs12_raar", 1)]),
        ("xs16_rr0rr", &[("xs4_33", 4)]),
        ("xs14_69606996", &[("xs6_696", 1), ("xs8_6996", 1)]),
        ("xp2_rbzw23", &[("xp2_318c", 1), ("xs4_33", 1)]),
        ("xp2_318c0cic", &[("xp2_318c", 1), ("xs6_696", 1)]),
        ("xs10_32qr", &[("xs10_32qr", 1)]),
    ] {
        let found = classifier.true_objects(&decode(code).unwrap()).unwrap();
        let found: Vec<(&str, u64)> = found.iter().map(|(c, n)| (c.as_str(), *n)).collect();
        assert_eq!(found, parts, "{code}");
    }
}

#[test]
fn codes_of_names_and_censuses_are_their_own() {
    let names = census::object_names()
        .iter()
        .map(|name| (name.code, name.rule));
    let seen = include_str!("data/seed_a_codes.txt")
        .lines()
        .map(|code| (code, "B3/S23"));
    let mut highlife = ObjectClassifier::new(&"B36/S23".parse().unwrap());
    let mut classifier = life();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (code, rule) in names.chain(seen) {
        let Some(cells) = decode(code) else {
            assert!(code.starts_with("yl"), "{code}");
            continue;
        };
        let classifier = if rule == "B36/S23" {
            &mut highlife
        } else {
            &mut classifier
        };
        let found = classifier.code(&cells);
        if found.as_deref() != Some(code) {
            wrong.push((code, found));
        }
        count += 1;
    }
    assert_eq!(wrong, []);
    assert!(count > 380, "{count} codes");
}

#[test]
fn a_census_finds_no_object_that_can_be_cut() {
    let mut classifier = life();
    for code in include_str!("data/seed_a_codes.txt").lines() {
        let found = classifier.true_objects(&decode(code).unwrap());
        assert_eq!(found, Some(vec![(code.to_owned(), 1)]));
    }
}
