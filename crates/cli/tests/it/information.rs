//! `gridpaper info`, `rules`, `patterns`, `completions`, and the help.

use crate::{CliTestCase, CliTestFolder, json, out, text, with_input};

#[test]
fn info_has_the_fields_that_scripts_rely_on() {
    let folder = CliTestFolder::new();
    let file = folder.write(
        "a.rle",
        "#N A name\n#O Somebody\n#C One\n#C Two\nx = 9, y = 9, rule = 345/2/4\n.A$B.C!\n",
    );
    let info = json(&["info", &file, "--json"]);
    for (field, expected) in [
        ("format", r#""rle""#),
        ("rule", r#""345/2/4""#),
        ("family", r#""Generations""#),
        ("states", "4"),
        ("width", "3"),
        ("height", "2"),
        ("population", "3"),
        ("name", r#""A name""#),
        ("author", r#""Somebody""#),
        ("comments", r#"["One","Two"]"#),
    ] {
        assert_eq!(info[field].to_string(), expected, "{field}");
    }
    let plain = out(&["info", &file]);
    for piece in ["A name", "Somebody", "345/2/4", "3 x 2 cells", "Two"] {
        assert!(plain.contains(piece), "{piece} in {plain}");
    }
}

#[test]
fn info_tells_what_it_can_of_a_rule_that_is_not_known() {
    let output = with_input(
        &["info", "-", "--json"],
        b"x = 2, y = 1, rule = Qxyzzyq\n.C!",
    );
    assert_eq!(output.status.code(), Some(0));
    let info: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(info["rule"], "Qxyzzyq");
    assert!(info["family"].is_null() && info["states"].is_null());
    assert_eq!(info["population"], 1);
    assert!(text(&output.stderr).contains("Qxyzzyq"));
}

#[test]
fn info_counts_what_no_memory_holds() {
    let info = json(&["info", "9999999999o!", "--json"]);
    assert_eq!(info["population"].to_string(), "9999999999");
    assert_eq!(info["width"].to_string(), "9999999999");
}

#[test]
fn rules_are_listed_and_explained() {
    let list = out(&["rules"]);
    for piece in ["Life-like", "Generations", "Larger than Life", "HighLife"] {
        assert!(list.contains(piece), "{piece} in {list}");
    }
    let object = json(&["rules", "--json"]);
    assert!(object["families"].as_array().unwrap().len() >= 8);
    assert!(object["rules"].as_array().unwrap().len() >= 40);
    let one = out(&["rules", "highlife"]);
    assert!(one.starts_with("B36/S23: Life-like"), "{one}");
    assert!(!one.contains("bit plane"), "{one}");
    let one = out(&["rules", "highlife", "--explain"]);
    for engine in ["naive", "torus", "tiles", "hashlife"] {
        assert!(one.contains(&format!("\n{engine} ")), "{engine} in {one}");
    }
    assert!(one.contains("bit plane"), "{one}");
    let one = json(&[
        "rules",
        "R7,C2,M1,S9..99,B9..99,NM:P0,9",
        "--explain",
        "--json",
    ]);
    assert!(
        one["kernels"]["hashlife"]
            .as_str()
            .unwrap()
            .contains("P0,9")
    );
    let one = json(&["rules", "23/3", "--json"]);
    assert_eq!(one["rule"], "B3/S23");
    assert_eq!(one["states"], 2);
    CliTestCase {
        line: &["rules", "Hylife"],
        input: "",
        code: 2,
        out: &[],
        talk: &["Hylife", "hint: "],
    }
    .check();
}

#[test]
fn patterns_are_listed_and_found() {
    let list = out(&["patterns"]);
    assert!(list.lines().count() >= 60, "{list}");
    for name in ["acorn", "gosper-glider-gun", "r-pentomino", "lidka"] {
        assert!(
            list.lines().any(|l| l.starts_with(name)),
            "{name} in {list}"
        );
    }
    let guns = json(&["patterns", "gosper", "--json"]);
    let first = &guns["patterns"][0];
    assert_eq!(first["name"], "gosper-glider-gun");
    for field in ["kind", "title", "author", "about", "source"] {
        assert!(
            first[field].as_str().is_some_and(|t| !t.is_empty()),
            "{field}"
        );
    }
    CliTestCase {
        line: &["patterns", "xyzzyx"],
        input: "",
        code: 1,
        out: &[],
        talk: &["no: ", "xyzzyx"],
    }
    .check();
}

#[test]
fn every_shell_gets_completions_of_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = out(&["completions", shell]);
        for command in ["run", "info", "convert", "random", "rules", "patterns"] {
            assert!(script.contains(command), "{command} for {shell}");
        }
        assert!(script.contains("density"), "options for {shell}");
    }
    CliTestCase {
        line: &["completions", "cmd"],
        input: "",
        code: 2,
        out: &[],
        talk: &["bash"],
    }
    .check();
}

#[test]
fn every_command_has_a_man_page_and_help() {
    let folder = CliTestFolder::new();
    let pages = folder.path("pages");
    out(&["completions", "--man", &pages]);
    let help = out(&["--help"]);
    for command in [
        "run",
        "info",
        "convert",
        "random",
        "rules",
        "patterns",
        "completions",
    ] {
        let page = std::fs::read_to_string(format!("{pages}/gridpaper-{command}.1")).unwrap();
        assert!(page.contains(".SH OPTIONS"), "{command}: {page}");
        assert!(help.contains(command));
        let own = out(&[command, "--help"]);
        assert!(own.contains("Usage: gridpaper "), "{own}");
    }
    assert!(std::fs::exists(format!("{pages}/gridpaper.1")).unwrap());
    assert!(out(&["--version"]).starts_with("gridpaper "));
}

/// A mistyped subcommand gets the one nearest name.
#[test]
fn a_mistyped_subcommand_gets_the_nearest_name() {
    for (line, nearest) in [
        (&["patern"][..], "'patterns'"),
        (&["runn"], "'run'"),
        (&["laser", "levls"], "'levels'"),
        (&["matches"], "'match'"),
    ] {
        let tip = format!("tip: a similar subcommand exists: {nearest}\n");
        CliTestCase {
            line,
            input: "",
            code: 2,
            out: &[],
            talk: &[&tip],
        }
        .check();
    }
}

/// The help and the hint of an unknown format say which formats are read only.
#[test]
fn read_only_formats_are_named() {
    let help = crate::out(&["convert", "--help"]);
    assert!(help.contains("mcell and apgcode are read only"), "{help}");
    CliTestCase {
        line: &["convert", "bo$2bo$3o!", "x.mcl"],
        input: "",
        code: 2,
        out: &[],
        talk: &[
            "mcell is read here, not written",
            "read only: mcell, apgcode",
        ],
    }
    .check();
}
