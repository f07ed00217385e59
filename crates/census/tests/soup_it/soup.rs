//! Soups against cells that lifelib made.

use census::soup::hash_soup;
use census::{HashSoupSymmetry, SoupName};
use std::collections::BTreeSet;

fn cells_of(symmetry: &str, seed: &str) -> BTreeSet<(i64, i64)> {
    let mut cells = BTreeSet::new();
    hash_soup(&symmetry.parse().unwrap(), seed).for_each_run(&mut |run| {
        cells.extend((0..run.length as i64).map(|x| (run.y, run.x + x)));
    });
    cells
}

#[test]
fn soups_are_those_of_lifelib_cell_for_cell() {
    let golden = include_str!("../data/soups/soups_golden.txt");
    let mut lines = golden.lines();
    let mut soups = 0;
    while let Some(head) = lines.next() {
        let words: Vec<_> = head.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let (seed, symmetry) = (words[0], words[1]);
        let number = |i: usize| words[i].parse::<i64>().unwrap();
        let (population, left, top, height) = (number(3), number(5), number(6), number(8));
        let mut expected = BTreeSet::new();
        for y in top..top + height {
            let row = lines.next().unwrap();
            for (x, c) in (left..).zip(row.chars()) {
                if c == 'o' {
                    expected.insert((y, x));
                }
            }
        }
        let cells = cells_of(symmetry, seed);
        assert_eq!(cells.len() as i64, population, "{symmetry} {seed}");
        assert_eq!(cells, expected, "{symmetry} {seed}");
        soups += 1;
    }
    assert_eq!(soups, 54);
}

#[test]
fn large_soups_take_more_hashes() {
    let cells = cells_of("Mateon1_64x64_Test", "census_seed_a0");
    assert_eq!(cells, cells_of("64x64", "census_seed_a0"));
    assert!((1800..2300).contains(&cells.len()));
}

#[test]
fn soups_of_our_own_have_their_size_and_density() {
    let cells = cells_of("ours_200x100_0.3", "census_seed_a0");
    assert!((5700..6300).contains(&cells.len()), "{}", cells.len());
    assert!(
        cells
            .iter()
            .all(|&(y, x)| (0..100).contains(&y) && (0..200).contains(&x))
    );
    assert_ne!(cells, cells_of("ours_200x100_0.3", "census_seed_a1"));
    assert_eq!(cells_of("ours_3x5_1", "a").len(), 15);
}

#[test]
fn unknown_symmetries_are_answered_with_the_known() {
    for name in [
        "",
        "C3_1",
        "iiiC1",
        "c1",
        "G",
        "ours_",
        "ours_0x9_0.5",
        "ours_9x9_1.1",
        "ours_9x9_nan",
    ] {
        let error = name.parse::<HashSoupSymmetry>().unwrap_err().to_string();
        assert!(error.contains("D2_+1_gO1s2"), "{error}");
    }
    for name in ["C1", "C1/", "/seed"] {
        assert!(name.parse::<SoupName>().is_err(), "{name}");
    }
}
