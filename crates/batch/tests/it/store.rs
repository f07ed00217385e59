//! Which files are taken for stores, and what is refused.

use crate::{contents, count, cut, identity};
use batch::{CensusIdentity, CensusStore, CensusStoreError, SoupRange};
use rusqlite::Connection;

#[test]
fn other_files_are_left_alone_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("text.sqlite"), "all kinds of things, but no database").unwrap();
    let other = Connection::open(path("other.sqlite")).unwrap();
    other.execute_batch("CREATE TABLE a (x)").unwrap();
    drop(other);
    for (name, words) in [
        ("none.sqlite", "there is no such file"),
        ("text.sqlite", "this is no census's store"),
        ("other.sqlite", "this is no census's store"),
        (".", "this is no census's store"),
    ] {
        let said = CensusStore::open(&path(name)).unwrap_err().to_string();
        assert!(said.contains(words) && said.contains(name), "{said}");
    }
    let before = std::fs::read(path("text.sqlite")).unwrap();
    CensusStore::open_or_create(&path("text.sqlite")).unwrap_err();
    assert_eq!(std::fs::read(path("text.sqlite")).unwrap(), before);
    std::fs::write(path("gone.sqlite-wal"), "units").unwrap();
    let said = CensusStore::open_or_create(&path("gone.sqlite"))
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("gone.sqlite-wal: this belongs to a store that is gone"),
        "{said}"
    );
}

#[test]
fn other_versions_and_damage_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("life.sqlite");
    let edit = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let open = || CensusStore::open(&path);
    let mut store = CensusStore::open_or_create(&path).unwrap();
    count(&mut store, "a", &[SoupRange::new(0, 20)]);
    drop(store);
    open().unwrap().totals().unwrap();

    edit("PRAGMA user_version = 99");
    let said = open().unwrap_err().to_string();
    assert!(
        said.contains("another program (version 99, and this one knows 1)"),
        "{said}"
    );
    edit("PRAGMA user_version = 1; UPDATE tally SET n = n + 1");
    let error = open().unwrap().totals().unwrap_err();
    assert!(matches!(error, CensusStoreError::Damaged { .. }), "{error}");
    let said = error.to_string();
    assert!(
        said.contains("life.sqlite: the file is damaged: its units have"),
        "{said}"
    );
    edit("DROP TABLE lifespan");
    let error = open().unwrap().totals().unwrap_err();
    assert!(matches!(error, CensusStoreError::Damaged { .. }), "{error}");

    // a page in the middle is overwritten
    let mut bytes = std::fs::read(&path).unwrap();
    for byte in &mut bytes[4096..] {
        *byte = 0x5a;
    }
    std::fs::write(&path, bytes).unwrap();
    let error = open().and_then(|store| store.totals()).unwrap_err();
    assert!(matches!(error, CensusStoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_store_holds_one_rule_symmetry_and_settling_with_any_roots() {
    let mut store = CensusStore::in_memory().unwrap();
    count(&mut store, "a", &[SoupRange::new(0, 20)]);
    count(&mut store, "b", &[SoupRange::new(0, 20)]);
    assert_eq!(store.censuses().unwrap().len(), 2);
    let before = contents(&store);
    let rows = [
        (
            CensusIdentity::new("b36s23", "C1", "c", "exact"),
            "the rule of this store is b3s23",
        ),
        (
            CensusIdentity::new("b3s23", "D8_1", "c", "exact"),
            "the symmetry of this store is C1",
        ),
        (
            CensusIdentity::new("b3s23", "C1", "c", "apgsearch"),
            "and not apgsearch",
        ),
        (
            CensusIdentity {
                version: "v5.2".into(),
                ..identity("a")
            },
            "the version of this store is gridpaper-2, and not v5.2",
        ),
    ];
    for (identity, words) in rows {
        let said = store.open_census(&identity).unwrap_err().to_string();
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(contents(&store), before);
}

#[test]
fn an_empty_file_is_an_empty_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.sqlite");
    std::fs::write(&path, "").unwrap();
    let mut store = CensusStore::open(&path).unwrap();
    count(&mut store, "a", &[SoupRange::new(0, 20)]);
    let reader = CensusStore::open(&path).unwrap();
    assert_eq!(contents(&reader), contents(&store));
}

#[test]
fn samples_are_the_smallest_indices() {
    let mut store = CensusStore::in_memory().unwrap();
    let units = cut(SoupRange::new(0, 200), 20);
    let backwards: Vec<SoupRange> = units.into_iter().rev().collect();
    count(&mut store, "a", &backwards);
    let blocks = store.samples("xs4_33").unwrap();
    assert_eq!(blocks.len(), census::unit::MAX_SAMPLES);
    assert!(blocks.iter().all(|soup| soup.index < 15), "{blocks:?}");

    let mut few = CensusStore::in_memory().unwrap().with_max_samples(3);
    count(&mut few, "a", &backwards);
    let kept = few.samples("xs4_33").unwrap();
    assert_eq!(kept, blocks[..3]);
}
