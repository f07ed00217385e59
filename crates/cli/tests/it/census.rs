//! `gridpaper census`.

use crate::{CliTestCase, CliTestFolder, command, json, out, text, with_input};
use std::process::Stdio;

/// A hundred soups in units of ten.
const RUN: &[&str] = &[
    "census",
    "run",
    "--seed",
    "census_seed_a",
    "--soups",
    "100",
    "--unit",
    "10",
];

fn run_with(more: &[&str]) -> Vec<String> {
    RUN.iter().chain(more).map(ToString::to_string).collect()
}

fn go(more: &[&str]) -> String {
    let line = run_with(more);
    out(&line.iter().map(String::as_str).collect::<Vec<_>>())
}

fn csv(store: &str) -> String {
    out(&["census", "show", store, "--csv"])
}

#[test]
fn a_census_is_counted_kept_and_shown() {
    let folder = CliTestFolder::new();
    let store = folder.path("life.sqlite");
    let line = run_with(&["--store", &store, "--json"]);
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let first = json(&line);
    assert_eq!(
        (&first["rule"], &first["symmetry"]),
        (&"b3s23".into(), &"C1".into())
    );
    assert_eq!(
        (&first["seed"], &first["soups"]),
        (&"census_seed_a".into(), &100.into())
    );
    let counts = first["counts"].as_object().unwrap();
    assert_eq!(first["kinds"], counts.len());
    let sum: u64 = counts.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(first["objects"], sum);
    assert!(sum > 1500 && first["lifespan"]["max"].as_u64() > Some(1000));
    assert_eq!(counts.keys().next().unwrap(), "xs4_33");

    // it is all there, so nothing is counted again
    let second = json(&line);
    assert_eq!(second["counts"], first["counts"]);
    assert_eq!(second["soups_per_second"], 0.0);
    // without a store it is the same
    let other = run_with(&["--json", "--threads", "3"]);
    let other: Vec<&str> = other.iter().map(String::as_str).collect();
    assert_eq!(json(&other)["counts"], first["counts"]);

    let table = out(&["census", "show", &store, "--top", "3"]);
    assert!(
        table.contains("block") && table.contains("100 soups in 10 units"),
        "{table}"
    );
    assert_eq!(table.lines().count(), 3 + 1 + 3);
    let block = json(&["census", "show", &store, "--code", "xs4_33", "--json"]);
    assert_eq!(block["count"], counts["xs4_33"]);
    let sample = block["samples"][0].as_str().unwrap();
    assert!(sample.starts_with("C1/census_seed_a"));
    // the sample is a pattern
    assert_eq!(
        json(&["run", sample, "--gens", "0", "--json"])["rule"],
        "B3/S23"
    );
    let checked = out(&["census", "check", &store, "--units", "2"]);
    assert_eq!(checked, "2 units: as they are stored\n");

    let page = folder.path("life.html");
    out(&["census", "report", &store, "--html", &page]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("blinker") && !page.contains("<script"));
}

#[test]
fn shards_and_hauls_merge_into_the_same_table() {
    let folder = CliTestFolder::new();
    let [one, whole, third, haul] =
        ["one.sqlite", "whole.sqlite", "third.sqlite", "haul.txt"].map(|name| folder.path(name));
    go(&["--store", &one]);
    let shards = ["1/3", "2/3", "3/3"].map(|shard| {
        let store = folder.path(&format!("{}.sqlite", &shard[..1]));
        go(&["--store", &store, "--shard", shard]);
        store
    });
    let [a, b, c] = &shards;
    out(&["census", "merge", &whole, b, c, a, b]);
    assert_eq!(csv(&whole), csv(&one));
    out(&["census", "merge", &whole, &whole]);
    assert_eq!(csv(&whole), csv(&one));

    let written = out(&["census", "haul", &one]);
    assert!(written.contains("\n@ROOT census_seed_a\n@RULE b3s23\n@SYMMETRY C1\n@NUM_SOUPS 100\n"));
    out(&["census", "haul", &one, "--out", &haul]);
    out(&["census", "merge", &third, &haul, &haul]);
    assert_eq!(csv(&third), csv(&one));
    assert_eq!(out(&["census", "haul", &third]), written);
    // the same soups are not counted twice by another way
    let output = with_input(&["census", "merge", &third, &one], b"");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn a_census_that_is_killed_goes_on() {
    let folder = CliTestFolder::new();
    let [killed, whole] = ["killed.sqlite", "whole.sqlite"].map(|name| folder.path(name));
    let line = |store: &'_ str| {
        let line = "census run --seed a --soups 400 --unit 10 --store";
        line.split(' ')
            .chain([store])
            .map(String::from)
            .collect::<Vec<_>>()
    };
    let log = || std::fs::metadata(format!("{killed}-wal")).map_or(0, |meta| meta.len());
    for _ in 0..5 {
        let line = line(&killed);
        let mut child = command(&line.iter().map(String::as_str).collect::<Vec<_>>())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // until something is written
        let before = log();
        while child.try_wait().unwrap().is_none() && log() == before {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
    }
    for store in [&killed, &whole] {
        out(&line(store).iter().map(String::as_str).collect::<Vec<_>>());
    }
    assert_eq!(csv(&killed), csv(&whole));
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_units_under_way() {
    let folder = CliTestFolder::new();
    let store = folder.path("life.sqlite");
    let mut child = command(&["census", "run", "--seed", "a", "--unit", "5"])
        .args(["--soups", "10^9", "--threads", "2", "--store", &store])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let has_units = || {
        let shown = with_input(&["census", "show", &store, "--json"], b"");
        text(&shown.stdout).contains("xs4_33")
    };
    while !has_units() {
        assert!(child.try_wait().unwrap().is_none(), "it counts for long");
    }
    let process = child.id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-s", "INT", &process])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let talk = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{talk}");
    assert!(
        talk.contains("of 1000000000 soups; the same command goes on"),
        "{talk}"
    );
    let soups = json(&["census", "show", &store, "--json"])["soups"]
        .as_u64()
        .unwrap();
    assert!(soups > 0 && soups.is_multiple_of(5), "{soups}");
}

#[test]
fn one_soup_is_shown_and_explained() {
    let soup = out(&["census", "soup", "census_seed_a", "0"]);
    let cells = "9b4o2bo$3ob4ob2ob2obo$bobo3b2obobo$2bo3bo2bob4o$b2o4b2o2b2o2bo$3bo2b8o";
    assert!(soup.contains("x = 16, y = 16, rule = B3/S23\n"), "{soup}");
    assert!(soup.replace('\n', "").contains(cells), "{soup}");
    let plain = out(&[
        "census",
        "soup",
        "census_seed_a",
        "0",
        "--format",
        "plaintext",
    ]);
    assert_eq!(plain.matches('O').count(), 126);
    let line = ["census", "soup", "census_seed_a", "0", "--symmetry", "D8_4"];
    let twin = out(&["convert", "D8_4/census_seed_a0", "-"]);
    assert_eq!(
        out(&line)
            .lines()
            .skip(1)
            .collect::<String>()
            .replace(", rule = B3/S23", ""),
        twin.lines()
            .skip(1)
            .collect::<String>()
            .replace(", rule = B3/S23", "")
    );

    // a boat beside a blinker, which apgsearch counts as a glider
    let explained = json(&["census", "explain", "census_seed_a", "535", "--json"]);
    let objects = explained["objects"].as_array().unwrap();
    let pair = objects
        .iter()
        .find(|object| object["codes"].as_array().unwrap().len() == 2);
    let codes = pair.unwrap()["codes"].to_string();
    assert!(
        codes.contains("blinker") && codes.contains("boat"),
        "{codes}"
    );
    let counted = json(&[
        "census",
        "run",
        "--seed",
        "census_seed_a",
        "--from",
        "535",
        "--soups",
        "1",
        "--json",
    ]);
    assert_eq!(counted["counts"]["xq4_153"], explained["counts"]["xq4_153"]);
    assert_eq!(counted["objects"], 118);
}

#[test]
fn names_are_listed_and_searched() {
    assert!(out(&["census", "names"]).lines().count() > 200);
    let found = out(&["census", "names", "pulsar"]);
    assert!(
        found.starts_with("xp3_co9nas0san9oczgoldlo0oldlogz1047210127401"),
        "{found}"
    );
    let list = json(&["census", "names", "loaf", "--json"]);
    assert!(
        list["names"]
            .as_array()
            .unwrap()
            .iter()
            .any(|name| name["code"] == "xs7_2596")
    );
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let folder = CliTestFolder::new();
    let store = folder.path("life.sqlite");
    go(&["--store", &store]);
    let notes = folder.write("notes.sqlite", "all kinds of things");
    let haul = folder.write("haul.txt", "@VERSION v5\nnonsense\n");
    let missing = folder.path("none.sqlite");
    let out = folder.path("out.sqlite");
    let rows: &[(&[&str], i32, &[&str])] = &[
        (
            &["census", "run", "--rule", "B2/S", "--soups", "10"],
            1,
            &["explosive", "hint:"],
        ),
        (
            &["census", "run", "--rule", "HighLife", "--store", &store],
            2,
            &["life.sqlite: the rule of this store is b3s23, and not b36s23"],
        ),
        (
            &["census", "run", "--settle", "apgsearch", "--store", &store],
            2,
            &["the settling of this store is exact, and not apgsearch"],
        ),
        (
            &["census", "run", "--store", &notes],
            2,
            &["notes.sqlite: this is no census's store"],
        ),
        (&["census", "run", "--symmetry", "D9"], 2, &["--symmetry"]),
        (&["census", "run", "--shard", "4/3"], 2, &["1/3"]),
        (
            &["census", "run", "--rule", "B3/S23:T20,20"],
            2,
            &["no census of B3/S23:T20,20: it needs a rule on the endless plane"],
        ),
        (
            &["census", "show", &missing],
            2,
            &["none.sqlite: there is no such file"],
        ),
        (
            &["census", "show", &store, "--code", "xq999_1"],
            1,
            &["xq999_1 was not found"],
        ),
        (&["census", "merge", &out, &missing], 2, &["none.sqlite"]),
        (&["census", "merge", &out, &haul], 2, &["haul.txt"]),
        (
            &["census", "haul", &store, "--root", "b"],
            2,
            &["--root b", "census_seed_a"],
        ),
        (
            &["census", "names", "unheard-of"],
            1,
            &["no name known here"],
        ),
    ];
    for (line, code, talk) in rows {
        CliTestCase {
            line,
            input: "",
            code: *code,
            out: &[],
            talk,
        }
        .check();
    }
    assert_eq!(
        std::fs::read_to_string(&notes).unwrap(),
        "all kinds of things"
    );
}

/// The result of a hundred soups in ten units by parts: one process, shares, threads, units, a plan.
#[test]
fn parts_merge_into_the_same_bytes() {
    let folder = CliTestFolder::new();
    let result = |parts: &str| out(&["merge", parts, "-o", "-"]);
    let whole = folder.path("whole");
    go(&["--out", &whole]);
    let expected = result(&whole);
    let words: serde_json::Value = serde_json::from_str(&expected).unwrap();
    let other = run_with(&["--json"]);
    let other: Vec<&str> = other.iter().map(String::as_str).collect();
    assert_eq!(words["tally"], json(&other)["counts"]);

    let parts = folder.path("parts");
    let plan = folder.path("plan.toml");
    let toml = "seed = 'census_seed_a'\nsoups = 100\nunit = 10\n";
    std::fs::write(&plan, toml).unwrap();
    go(&["--out", &parts, "--shard", "3/3", "--threads", "2"]);
    out(&["census", "run", &plan, "--out", &parts, "--units", "0,3-4"]);
    let output = with_input(&["merge", &parts, "-o", &folder.path("result")], b"");
    assert_eq!(output.status.code(), Some(1));
    // the third of three shares has the units 2, 5 and 8
    assert_eq!(text(&output.stdout), "1,6-7,9\n");
    assert!(text(&output.stderr).contains("4 of 10 units are missing"));
    assert!(!std::path::Path::new(&folder.path("result")).exists());
    out(&[
        "census", "run", &plan, "--out", &parts, "--units", "1,6-7,9",
    ]);
    assert_eq!(result(&parts), expected);
    out(&[
        "merge",
        &parts,
        "--check",
        "20%",
        "-o",
        &folder.path("result"),
    ]);
    assert_eq!(
        std::fs::read_to_string(folder.path("result")).unwrap(),
        expected
    );
    // and a store takes them
    let store = folder.path("life.sqlite");
    let part = format!("{whole}/1-of-1.gpart");
    out(&["census", "merge", &store, &part]);
    let shown = json(&["census", "show", &store, "--json"]);
    assert_eq!(shown["soups"], 100);

    let output = with_input(
        &["census", "run", &plan, "--out", &parts, "--units", "10"],
        b"",
    );
    assert!(text(&output.stderr).contains("the census has 10 units, from 0 on"));
    std::fs::write(&plan, toml.replace("100", "90")).unwrap();
    let output = with_input(&["census", "run", &plan, "--out", &parts], b"");
    let talk = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{talk}");
    assert!(
        talk.contains("number of soups of this part is 100, and not 90"),
        "{talk}"
    );
    std::fs::write(&plan, "soups = 1\nrules = 'B3'\n").unwrap();
    let output = with_input(&["census", "run", &plan], b"");
    assert!(text(&output.stderr).contains("unknown field `rules`"));
}

#[test]
fn a_killed_share_goes_on_to_the_same_bytes() {
    let folder = CliTestFolder::new();
    let [killed, whole] = ["killed", "whole"].map(|name| folder.path(name));
    let line = |out| {
        let line = "census run --seed a --soups 400 --unit 10 --shard 1/2 --out";
        line.split(' ').chain([out]).collect::<Vec<&str>>()
    };
    let part = format!("{killed}/1-of-2.gpart");
    let length = || std::fs::metadata(&part).map_or(0, |meta| meta.len());
    for _ in 0..5 {
        let mut child = command(&line(&killed))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // until something is written
        let before = length();
        while child.try_wait().unwrap().is_none() && length() <= before {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
    }
    for parts in [&killed, &whole] {
        out(&line(parts));
        // the second half by one process with another share
        let rest = "census run --seed a --soups 400 --unit 10 --out";
        out(&rest.split(' ').chain([&parts[..]]).collect::<Vec<_>>());
    }
    let result = |parts: &str| out(&["merge", parts, "-o", "-"]);
    assert_eq!(result(&killed), result(&whole));
}
