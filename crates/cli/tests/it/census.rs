//! `gridpaper census`.

use crate::{CliTestCase, CliTestFolder, command, json, out, text, with_input};
use std::path::Path;
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

    let written = out(&["census", "haul", &one, "--any-root"]);
    assert!(written.contains("\n@ROOT census_seed_a\n@RULE b3s23\n@SYMMETRY C1\n@NUM_SOUPS 100\n"));
    out(&["census", "haul", &one, "--any-root", "--out", &haul]);
    out(&["census", "merge", &third, &haul, &haul]);
    assert_eq!(csv(&third), csv(&one));
    assert_eq!(out(&["census", "haul", &third, "--any-root"]), written);
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
    let half = folder.path("half.txt");
    let written = with_input(&["census", "haul", &store, "--any-root"], b"").stdout;
    std::fs::write(&half, &written[..written.len() / 2]).unwrap();
    let unruly = folder.path("unruly.txt");
    let of_no_rule = text(&written).replace("@RULE b3s23", "@RULE b3s2x");
    std::fs::write(&unruly, of_no_rule).unwrap();
    // the version stands in the head of an SQLite file
    let newer = folder.path("newer.sqlite");
    let mut bytes = std::fs::read(&store).unwrap();
    bytes[60..64].copy_from_slice(&2_u32.to_be_bytes());
    std::fs::write(&newer, &bytes).unwrap();
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
            &["census", "haul", &store],
            2,
            &["census_seed_a: its root does not say that gridpaper counted"],
        ),
        (&["census", "merge", &out, &half], 2, &["half.txt: "]),
        (
            &["census", "merge", &out, &unruly],
            2,
            &["unruly.txt: @RULE", "b3s2x"],
        ),
        (
            &["census", "show", &newer],
            2,
            &["newer.sqlite: it was written by another program (version 2"],
        ),
        (&["census", "run", "--store", &newer], 2, &["version 2"]),
        (&["census", "run", "--soups=-1"], 2, &["--soups"]),
        (&["census", "run", "--soups", "10^40"], 2, &["--soups 1"]),
        (
            &["census", "run", "--soups", "-5"],
            2,
            &["'-5' for '--soups"],
        ),
        (&["census", "run", "--from=-1"], 2, &["--from"]),
        (
            &["census", "run", "--from", "9223372036854775800"],
            2,
            &["10000 soups from 9223372036854775800 on"],
        ),
        (&["census", "run", "--threads", "0"], 2, &["--threads"]),
        (&["census", "run", "--unit", "0"], 2, &["--unit"]),
        (&["census", "run", "--samples", "11"], 2, &["--samples"]),
        (&["census", "run", "--shard", "0/3"], 2, &["--shard"]),
        (
            &["census", "run", "--density", "1.5"],
            2,
            &["--density 1.5"],
        ),
        (&["census", "run", "--size", "0x9"], 2, &["--size 0x9"]),
        (
            &["census", "explain", "seed", "1", "--symmetry", "stdin"],
            2,
            &["soups of stdin are given to `census run`"],
        ),
        (
            &["census", "soup", "seed", "1", "--symmetry", "stdin"],
            2,
            &["soups of stdin are given to `census run`"],
        ),
        (&["run", "stdin/seed1", "--gens", "0"], 2, &["no such file"]),
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
    assert_eq!(std::fs::read(&newer).unwrap(), bytes);
    // a haul with a root that says so
    let marked = folder.path("marked.sqlite");
    let run = ["census", "run", "--soups", "20", "--store", &marked];
    json(&[&run[..], &["--json"]].concat());
    let haul = with_input(&["census", "haul", &marked], b"");
    assert!(text(&haul.stdout).contains("\n@ROOT gridpaper\n"));
    // a merge that has failed leaves no store behind
    assert!(!Path::new(&out).exists());
}

/// The disk is full when a file may grow no further.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_the_units_under_way_alone() {
    let folder = CliTestFolder::new();
    let [full, whole] = ["full.sqlite", "whole.sqlite"].map(|name| folder.path(name));
    go(&["--store", &whole]);
    let line = run_with(&["--threads", "1", "--store", &full]);
    // in blocks of 512 bytes: the tables do not fit; then they do, and some of the units
    for blocks in [40, 320] {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = std::process::Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_gridpaper")])
            .args(&line)
            .output()
            .unwrap();
        let talk = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{talk}");
        assert!(talk.contains("full.sqlite: "), "{talk}");
        if blocks == 40 {
            let left = std::fs::read_dir(Path::new(&full).parent().unwrap()).unwrap();
            let left = left.map(|entry| entry.unwrap().file_name());
            let left: Vec<_> = left.filter(|name| name != "whole.sqlite").collect();
            assert!(left.is_empty(), "{left:?}");
        }
    }
    go(&["--store", &full]);
    assert_eq!(csv(&full), csv(&whole));
}

#[test]
fn soups_are_read_from_standard_input() {
    let folder = CliTestFolder::new();
    let store = folder.path("given.sqlite");
    let soups =
        b"x = 3, y = 1, rule = B3/S23\n3o!\n\nbo$2bo$3o!\n#C an R-pentomino\nb2o$\n2o$bo!\n";
    let count = |more: &[&str]| {
        let line = ["census", "run", "--symmetry", "my_stdin", "--json"];
        let line = [&line[..], more].concat();
        let output = with_input(&line, soups);
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_str::<serde_json::Value>(&text(&output.stdout)).unwrap()
    };
    let found = count(&["--store", &store]);
    assert_eq!(
        (&found["soups"], &found["symmetry"]),
        (&3.into(), &"my_stdin".into())
    );
    let counts = &found["counts"];
    assert_eq!(
        (&counts["xp2_7"], &counts["xq4_153"]),
        (&5.into(), &7.into())
    );
    // the same soups again are nothing new
    assert_eq!(count(&["--store", &store])["soups_per_second"], 0.0);
    assert_eq!(count(&["--from", "2"])["counts"]["xs6_696"], 4);
    assert_eq!(count(&["--soups", "1"])["objects"], 1);
    let page = folder.path("given.html");
    out(&["census", "report", &store, "--html", &page]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("my_stdin/gridpaper_") && !page.contains("gridpaper view"));
    let haul = out(&["census", "haul", &store]);
    assert!(haul.contains("\n@SYMMETRY my_stdin\n"), "{haul}");

    for (soups, talk) in [
        (
            &b"3o!\n\nb2o$2o"[..],
            "standard input: soup 1, from line 3 on: an RLE with a ! at its end",
        ),
        (b"", "standard input: soup 0"),
        (b"3o!\n3&!", "standard input: soup 1, from line 2 on: "),
        (
            b"x = 1, y = 1, rule = Star Wars\nB!",
            "soup 0: it has cells in other states than 1",
        ),
    ] {
        let output = with_input(&["census", "run", "--symmetry", "stdin"], soups);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(talk), "{said}");
    }
    let parts = folder.path("parts");
    let output = with_input(
        &["census", "run", "--symmetry", "stdin", "--out", &parts],
        soups,
    );
    assert_eq!(output.status.code(), Some(2));
    let checked = with_input(&["census", "check", &store], b"");
    assert!(text(&checked.stderr).contains("soups of my_stdin are given"));
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
