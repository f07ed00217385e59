//! `gridpaper convert`.

use crate::{CliTestCase, CliTestFolder, out, out_with, with_input};

const GLIDER: &str = "#N Glider\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n";

#[test]
fn every_format_comes_back_the_same() {
    let folder = CliTestFolder::new();
    let first = folder.write("glider.rle", GLIDER);
    let cells = |path: &str| {
        let report = crate::json(&["run", path, "--gens", "0", "--json"]);
        (report["population"].clone(), report["hash"].clone())
    };
    let expected = cells(&first);
    for name in [
        "a.rle", "a.cells", "a.lif", "a.mc", "a.rle.gz", "a.mc.gz", "b.CELLS",
    ] {
        let path = folder.path(name);
        out(&["convert", &first, &path]);
        assert_eq!(cells(&path), expected, "{name}");
        let back = folder.path("back.rle");
        out(&["convert", &path, &back]);
        assert_eq!(cells(&back), expected, "{name} and back");
    }
    for format in [
        "life106",
        "Life105",
        "macrocell",
        "plaintext",
        "classroom",
        "rle",
    ] {
        let path = folder.path("named");
        out(&["convert", &first, &path, "--format", format]);
        assert_eq!(cells(&path), expected, "{format}");
    }
    let packed = std::fs::read(folder.path("a.rle.gz")).unwrap();
    assert_eq!(packed[..2], [0x1f, 0x8b], "it is gzipped");
}

#[test]
fn nothing_is_lost_in_silence() {
    let life106 = with_input(
        &["convert", "-", "-", "--format", "life106"],
        b"#N Glider\n#O Somebody\n#C A word\nx = 3, y = 3, rule = B36/S23\nbo$2bo$3o!\n",
    );
    let talk = crate::text(&life106.stderr);
    for lost in ["the rule", "the name", "the author", "the comments"] {
        assert!(
            talk.contains(&format!("life106 cannot carry {lost}")),
            "{talk}"
        );
    }
    let rle = with_input(&["convert", "-", "-"], GLIDER.as_bytes());
    assert_eq!(crate::text(&rle.stderr), "");
}

#[test]
fn cells_that_a_format_has_no_sign_for_are_not_written() {
    let folder = CliTestFolder::new();
    let old = folder.write("out.lif", "old");
    CliTestCase {
        line: &["convert", "-", &old],
        input: "x = 2, y = 1, rule = 345/2/4\nAB!",
        code: 2,
        out: &[],
        talk: &["error: ", "out.lif", "states", "hint: "],
    }
    .check();
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
    assert_eq!(folder.names(), ["out.lif"]);
}

#[test]
fn bad_files_are_told_with_line_and_column() {
    let folder = CliTestFolder::new();
    let rows: &[(&str, &[u8], &str)] = &[
        ("a.rle", b"x = 3, y = 1\nb?o!\n", ":2:2: "),
        ("a.mc", b"[M2]\n$$*$\n4 7 0 0 0\n", ":3:"),
        ("a.lif", b"#Life 1.05\n#P 0 0\n.x\n", ":3:2: "),
        ("noise", b"\x00\x01\x02", ": "),
        ("empty", b"", ": "),
        ("cut.gz", b"\x1f\x8b\x08\x00", ": "),
    ];
    for (name, bytes, place) in rows {
        let path = folder.write(name, bytes);
        for line in [
            &["convert", &path, "-"][..],
            &["info", &path],
            &["run", &path, "--gens", "1"],
        ] {
            let start = format!("error: {path}{place}");
            CliTestCase {
                line,
                input: "",
                code: 2,
                out: &[],
                talk: &[&start],
            }
            .check();
        }
    }
}

#[test]
fn what_cannot_be_read_or_written_is_refused() {
    let folder = CliTestFolder::new();
    let here = folder.path("");
    let to = folder.path("x.rle");
    let rows: &[(&[&str], &[&str])] = &[
        (
            &["convert", "no-such-file.rle", &to],
            &["no-such-file.rle: no such file"],
        ),
        (&["convert", &here, &to], &["is a directory"]),
        (&["convert", "block", "x.jpeg"], &["x.jpeg", "hint:", "rle"]),
        (
            &["convert", "block", "x.mcl"],
            &["mcell is read here, not written"],
        ),
        (
            &["convert", "block", "-", "--format", "bmp"],
            &["--format bmp", "hint:"],
        ),
        (&["convert", "block", &to, "--rule", "B9/S"], &["--rule"]),
    ];
    for (line, talk) in rows {
        CliTestCase {
            line,
            input: "",
            code: 2,
            out: &[],
            talk,
        }
        .check();
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_rule_can_be_written_in() {
    let written = out_with(&["convert", "-", "-", "--rule", "highlife"], GLIDER);
    assert!(written.contains("rule = B36/S23"), "{written}");
    assert!(written.contains("#N Glider"), "{written}");
}
