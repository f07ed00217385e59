//! A test whose prerequisite is missing is reported, and fails where it is required. It runs in
//! a process of its own with its own variables.
#![allow(clippy::unwrap_used)] // a test that cannot go on stops there

use prerequisite::{Absence, NOT_RUN, Prerequisite, REQUIRE, data, missing, parse_list};
use std::process::{Command, Output};

#[test]
#[ignore = "started by the tests beside it, with variables of its own"]
fn a_test_that_needs_much() {
    for _ in 0..3 {
        missing(Prerequisite::Cage, "the kernel\nis too old");
    }
    assert_eq!(data("rules"), None);
}

/// Runs it, with what is required and what was written down.
fn run(required: &str) -> (Output, Vec<Absence>) {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("not-run");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_test_that_needs_much", "--ignored"])
        .env("GRIDPAPER_DATA", folder.path())
        .env(NOT_RUN, &record)
        .env(REQUIRE, required)
        .output()
        .unwrap();
    let text = std::fs::read_to_string(&record).unwrap();
    let absences = text.lines().map(|line| Absence::read(line).unwrap());
    (output, absences.collect())
}

#[test]
fn what_is_missing_is_written_down_once() {
    let (output, absences) = run("avx2, valgrind");
    assert!(output.status.success(), "{output:?}");
    let told: Vec<_> = absences.iter().map(|one| (one.what, &*one.why)).collect();
    assert_eq!(told[0], (Prerequisite::Cage, "the kernel is too old"));
    assert_eq!(told[1].0, Prerequisite::Data);
    assert_eq!(told[1].1, "the folder of data has no rules");
    assert_eq!(told.len(), 2, "{told:?}");
    for absence in &absences {
        let place = absence.place.replace('\\', "/");
        assert!(
            place.ends_with("tests/it/main.rs: a_test_that_needs_much"),
            "{place}"
        );
    }
}

#[test]
fn what_is_required_fails_where_it_is_missing() {
    for (required, told) in [
        ("data", "GRIDPAPER_REQUIRE names data, and it is missing"),
        (
            "avx2,cage",
            "GRIDPAPER_REQUIRE names cage, and it is missing",
        ),
        ("cages", "`cages` is nothing that tests need"),
    ] {
        let (output, absences) = run(required);
        assert_eq!(output.status.code(), Some(101), "{required}: {output:?}");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(said.contains(told), "{required}: {said}");
        assert!(!absences.is_empty());
    }
}

#[test]
fn lists_are_read() {
    let both = [Prerequisite::Avx2, Prerequisite::Cage].into();
    assert_eq!(parse_list(" cage,,avx2, "), Ok(both));
    assert_eq!(parse_list(""), Ok([].into()));
    assert!(parse_list("avx2 cage").is_err());
    for one in Prerequisite::ALL {
        assert_eq!(one.name().parse(), Ok(one));
    }
    assert!(Prerequisite::ALL.is_sorted_by_key(|one| one.name()));
}

#[test]
fn a_line_that_is_none_of_ours_is_not_read() {
    for line in ["", "cage", "cage\tplace", "moon\tplace\twhy"] {
        assert_eq!(Absence::read(line), None, "{line:?}");
    }
}
