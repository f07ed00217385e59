//! Merging is commutative and idempotent, and never counts a soup twice.

use crate::{contents, count, cut, identity};
use batch::{CensusStore, CensusStoreError, SoupRange, UnitPlan, merge_store};
use dice::Dice;
use parts::UnitShard;

/// A random store: some of the units of two roots.
fn random_store(dice: &mut Dice) -> CensusStore {
    let mut store = CensusStore::in_memory().unwrap();
    for root in ["a", "b"] {
        let mut units: Vec<SoupRange> = (0..12).map(|n| SoupRange::new(n * 20, 20)).collect();
        units.retain(|_| dice.coin());
        dice.shuffle(&mut units);
        count(&mut store, root, &units);
    }
    store
}

fn merged(stores: &[&CensusStore]) -> String {
    let mut whole = CensusStore::in_memory().unwrap();
    for store in stores {
        merge_store(&mut whole, store).unwrap();
    }
    contents(&whole)
}

#[test]
fn merging_is_commutative_associative_and_idempotent() {
    let mut dice = Dice::new(31);
    for _ in 0..12 {
        let [a, b, c] = std::array::from_fn(|_| random_store(&mut dice));
        let all = merged(&[&a, &b, &c]);
        assert_eq!(all, merged(&[&c, &a, &b]));
        assert_eq!(all, merged(&[&a, &b, &b, &a, &c, &a]));
        assert_eq!(contents(&a), merged(&[&a, &a]));

        let mut two = CensusStore::in_memory().unwrap();
        merge_store(&mut two, &b).unwrap();
        merge_store(&mut two, &c).unwrap();
        assert_eq!(all, merged(&[&a, &two]));
        // into one that is there
        let mut into = a;
        merge_store(&mut into, &two).unwrap();
        assert_eq!(all, contents(&into));
    }
}

#[test]
fn shards_merge_into_what_one_run_counts() {
    let mut dice = Dice::new(7);
    for _ in 0..6 {
        let unit = u64::from(5 + dice.below(20));
        let range = SoupRange::new(u64::from(dice.below(30)), u64::from(200 + dice.below(50)));
        let units = cut(range, unit);
        let mut one = CensusStore::in_memory().unwrap();
        count(&mut one, "a", &units);
        let shards = ["1/3", "2/3", "3/3"].map(|text| {
            let shard: UnitShard = text.parse().unwrap();
            let units: Vec<SoupRange> = UnitPlan::new(vec![range], unit).of_shard(shard).collect();
            let mut store = CensusStore::in_memory().unwrap();
            count(&mut store, "a", &units);
            store
        });
        let [a, b, c] = &shards;
        assert_eq!(contents(&one), merged(&[b, c, a]));
    }
}

#[test]
fn other_units_of_the_same_soups_count_the_same() {
    let range = SoupRange::new(0, 300);
    let stores = [1, 7, 50, 300, 1000].map(|unit| {
        let mut store = CensusStore::in_memory().unwrap();
        count(&mut store, "a", &cut(range, unit));
        contents(&store)
    });
    for other in &stores[1..] {
        assert_eq!(&stores[0], other);
    }
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_added() {
    let range = SoupRange::new;
    let mut store = CensusStore::in_memory().unwrap();
    count(&mut store, "a", &[range(0, 20), range(40, 20)]);
    let before = contents(&store);
    let rows: [(&str, SoupRange, &str); 4] = [
        (
            "a",
            range(10, 20),
            "soups 10 to 29 of a overlap soups 0 to 19",
        ),
        (
            "a",
            range(30, 11),
            "soups 30 to 40 of a overlap soups 40 to 59",
        ),
        (
            "a",
            range(0, 100),
            "soups 0 to 99 of a overlap soups 40 to 59",
        ),
        ("a", range(19, 1), "soup 19 of a overlap soups 0 to 19"),
    ];
    for (root, unit, words) in rows {
        let mut other = CensusStore::in_memory().unwrap();
        count(&mut other, root, &[unit]);
        let refusal = merge_store(&mut store, &other).unwrap_err();
        assert!(matches!(refusal, CensusStoreError::Overlap { .. }));
        let said = refusal.to_string();
        assert!(said.contains(words), "{said}");
        assert_eq!(contents(&store), before, "{unit}");
    }

    let mut other = CensusStore::in_memory().unwrap();
    let census = other.open_census(&identity("a")).unwrap();
    let empty = census::UnitReport {
        soups: 20,
        ..census::UnitReport::default()
    };
    other.insert(census, &empty, 0.0).unwrap();
    let said = merge_store(&mut store, &other).unwrap_err().to_string();
    assert_eq!(said, "memory: two different results for soups 0 to 19 of a");
    assert_eq!(contents(&store), before);
}
