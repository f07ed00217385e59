//! `.rule` files: where they are looked for, and what is said when they are not there.

use crate::{CliTestFolder, command, json, out, text};
use serde_json::Value;

/// A cell moves to the east.
const EAST: &str = "@RULE East-bound\n@TABLE\nn_states:3\nneighborhood:oneDimensional\n\
                    symmetries:none\nvar a={0,1,2}\nvar b={0,1,2}\nvar c={0,1,2}\na,b,c,b\n";

/// The opposite, under the same name.
const WEST: &str = "@RULE East-bound\n@TABLE\nn_states:3\nneighborhood:oneDimensional\n\
                    symmetries:none\nvar a={0,1,2}\nvar b={0,1,2}\nvar c={0,1,2}\na,c,b,b\n";

const PATTERN: &str = "x = 3, y = 1, rule = East-bound\nAB.!\n";

/// The left end after five generations.
fn left(line: &[&str]) -> i64 {
    let report = json(&[line, &["--gens", "5", "--json"]].concat());
    report["bounds"]["x"].as_i64().unwrap()
}

#[test]
fn the_nearest_file_is_taken() {
    let folder = CliTestFolder::new();
    let rules = CliTestFolder::new();
    let pattern = folder.write("a.rle", PATTERN);
    rules.write("East-bound.rule", WEST);
    let there = ["run", &pattern, "--rules", rules.0.path().to_str().unwrap()];
    assert_eq!(left(&there), -5);
    folder.write("East-bound.rule", EAST);
    assert_eq!(left(&["run", &pattern]), 5, "next to the pattern");
    assert_eq!(left(&there), -5, "--rules comes before that");
    let own = folder.write("b.rle", format!("{PATTERN}\n{EAST}"));
    let own = [&["run", own.as_str()], &there[2..]].concat();
    assert_eq!(left(&own), 5, "the pattern's own block comes before all");
}

#[test]
fn a_persons_own_folder_and_shared_looks() {
    let data = CliTestFolder::new();
    let rules = data.0.path().join("gridpaper/rules");
    std::fs::create_dir_all(&rules).unwrap();
    std::fs::write(rules.join("East-bound.rule"), EAST).unwrap();
    std::fs::write(
        rules.join("East-shared.rule"),
        "@RULE East-shared\n@NAMES\n1 cart\n",
    )
    .unwrap();
    let output = command(&["rules", "East-bound:T7,9"])
        .env("XDG_DATA_HOME", data.0.path())
        .output()
        .unwrap();
    let said = text(&output.stdout) + &text(&output.stderr);
    for words in ["East-bound", "3 states", "1 cart", "7 by 9"] {
        assert!(said.contains(words), "no {words} in {said}");
    }
}

#[test]
fn topologies_and_blocks_stay() {
    let folder = CliTestFolder::new();
    let pattern = PATTERN.replace("bound", "bound:T10,3");
    let path = folder.write("a.rle", format!("{pattern}\n{EAST}"));
    let report = json(&["run", &path, "--gens", "20", "--json"]);
    assert_eq!(report["rule"], "East-bound:T10,3");
    assert_eq!(report["bounds"]["x"], -1);
    let copy = folder.path("b.rle");
    out(&["run", &path, "--gens", "20", "--out", &copy]);
    // the copy brings the rule along
    let alone = CliTestFolder::new();
    let moved = alone.write("b.rle", std::fs::read(&copy).unwrap());
    let again = json(&["run", &moved, "--gens", "20", "--json"]);
    assert_eq!(again["hash"], report["hash"]);
}

#[test]
fn what_is_missing_or_wrong_is_told() {
    let folder = CliTestFolder::new();
    let pattern = folder.write("a.rle", PATTERN);
    let wrong = folder.write("b.rle", PATTERN.replace("East-bound", "Wrong"));
    folder.write(
        "Wrong.rule",
        "@RULE Wrong\n@TABLE\nn_states:3\n0,0,x,0,0,1\n",
    );
    let outside = folder.write("c.rle", PATTERN.replace("East-bound", "../Wrong"));
    let here = folder.0.path().to_str().unwrap();
    let told = format!("there is no East-bound.rule or East-bound.gridrule in {here} or ");
    let rows: &[(&[&str], &str)] = &[
        (&["run", &pattern], &told),
        (
            &["run", &pattern, "--rules", "/no/folder"],
            "--rules /no/folder: no such folder",
        ),
        (&["run", &wrong], "Wrong.rule:4:5: `x` is no state"),
        (&["run", &outside], "../Wrong"),
    ];
    for (line, words) in rows {
        let output = command(&[line, &["--gens", "1"][..]].concat())
            .output()
            .unwrap();
        let talk = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{talk}");
        assert!(talk.contains(words), "no {words} in {talk}");
    }
}

/// Patterns of public collections whose rules are files, at generations that are known.
#[test]
fn patterns_with_rules_of_files_go_as_known() {
    let Some(data) = prerequisite::data("") else {
        return;
    };
    let read = |name: &str| std::fs::read_to_string(data.join(name)).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&read("pattern_populations.json")).unwrap();
    let rules = data.join("rules");
    let mut checked = 0;
    for row in rows {
        let name = row["rule"].as_str().unwrap_or_default();
        let name = name.split(':').next().unwrap_or_default();
        if !rules.join(format!("{name}.rule")).is_file() {
            continue;
        }
        let pattern = data.join("patterns").join(row["file"].as_str().unwrap());
        for check in row["checks"].as_array().unwrap() {
            let gens = check["gen"].to_string();
            let report = json(&[
                "run",
                pattern.to_str().unwrap(),
                "--rules",
                rules.to_str().unwrap(),
                "--gens",
                &gens,
                "--json",
            ]);
            let at = format!("{} at {gens}", row["file"]);
            assert_eq!(report["population"], check["population"], "{at}");
            let side = |field: &str| report["bounds"][field].as_i64().unwrap();
            if let Some(wanted) = check["bbox_ltrb"].as_array() {
                let right = side("x") + side("width") - 1;
                let bottom = side("y") + side("height") - 1;
                let is = [side("x"), side("y"), right, bottom].map(Value::from);
                assert_eq!(is[..], wanted[..], "{at}");
            }
        }
        checked += 1;
    }
    assert!(checked > 50, "only {checked} files");
}

#[test]
fn every_command_looks_in_the_folder_that_is_named() {
    let rules = CliTestFolder::new();
    rules.write("East-bound.rule", EAST);
    rules.write("East-shared.rule", "@RULE East-shared\n");
    rules.write(
        "spread.gridrule",
        "rule spread\nstates\n  0 dry\n  1 wet\nneighbourhood moore\n\
         next if count(wet) > 0 { wet } else { self }\n",
    );
    let here = rules.0.path().to_str().unwrap();
    let patterns = CliTestFolder::new();
    let pattern = patterns.write("a.rle", PATTERN);
    let info = json(&["info", &pattern, "--rules", here, "--json"]);
    assert_eq!(
        (&info["family"], &info["states"]),
        (&"Rule file".into(), &3.into())
    );
    let explained = out(&["rules", "East-bound", "--rules", here]);
    assert!(explained.contains("3 states"), "{explained}");
    let listed = out(&["rules", "--rules", here]);
    let end = listed
        .split("rules in files")
        .nth(1)
        .expect("there are files");
    assert!(
        end.contains("East-bound.rule") && end.contains("spread  "),
        "{end}"
    );
    assert!(!end.contains("shared"), "{end}");
    let listed = json(&["rules", "--rules", here, "--json"]);
    assert_eq!(listed["files"][1]["name"], "spread");
    let soup = out(&[
        "random",
        "4x4",
        "--states",
        "3",
        "--rule",
        "East-bound",
        "--rules",
        here,
    ]);
    assert!(soup.contains("rule = East-bound"), "{soup}");
    let turned = out(&[
        "convert", "bo!", "-", "--format", "rle", "--rule", "spread", "--rules", here,
    ]);
    assert!(turned.contains("rule = spread"), "{turned}");
    let output = command(&["rules", "--rules", "no/such"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--rules no/such: no such folder"));
}

#[cfg(unix)]
#[test]
fn files_may_have_names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = CliTestFolder::new();
    let path = folder
        .0
        .path()
        .join(std::ffi::OsStr::from_bytes(b"odd\xff.rle"));
    std::fs::write(&path, "bo$2bo$3o!").unwrap();
    let output = command(&["info"]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("population  5"));
    let nothing = folder
        .0
        .path()
        .join(std::ffi::OsStr::from_bytes(b"no\xfe.rle"));
    let output = command(&["info"]).arg(nothing).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no such file"));
}
