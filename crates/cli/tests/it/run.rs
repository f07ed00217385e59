//! `gridpaper run`.

use crate::{CliTestCase, CliTestFolder, json, out, out_with, text, with_input};
use serde_json::Value;

const GLIDER: &str = "bo$2bo$3o!";

#[test]
fn wrong_command_lines_are_refused_with_a_hint() {
    let rows: &[(&[&str], &[&str])] = &[
        (&["run"], &["error:", "PATTERN"]),
        (
            &["run", GLIDER],
            &[
                "error: how many generations is PATTERN to run?",
                "hint: for example: gridpaper run glider --gens 100",
            ],
        ),
        (
            &["run", GLIDER, "--gens", "-1"],
            &["B3/S23 cannot be run backwards", "hint: "],
        ),
        (
            &[
                "run", GLIDER, "--gens", "-1", "--rule", "BBM", "--size", "20x20",
            ],
            &[
                ":P20,20 cannot",
                "on this grid",
                "hint: take an endless plane",
            ],
        ),
        (&["run", GLIDER, "--gens", "--json"], &["--gens"]),
        (
            &["run", GLIDER, "--gens", "1.5"],
            &["expected a whole number"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--engine", "warp"],
            &["hashlife"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--size", "9"],
            &["WIDTHxHEIGHT"],
        ),
        (&["run", GLIDER, "--gens", "1", "--memory", "lots"], &["4G"]),
        (
            &["run", GLIDER, "--gens", "1", "--threads", "0"],
            &["--threads"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--every", "0"],
            &["--every 0"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--rule", "B3/S2x"],
            &["error: --rule: ", "offset"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--rule", "HihgLife"],
            &["HihgLife", "hint:", "HighLife"],
        ),
        (
            &[
                "run", GLIDER, "--gens", "1", "--rule", "Qxyzzyq", "--rules", ".",
            ],
            &["Qxyzzyq", "hint:", "no Qxyzzyq.rule or Qxyzzyq.gridrule in"],
        ),
        (
            &["run", "r-pentmino", "--gens", "1"],
            &["r-pentmino", "hint: did you mean r-pentomino?"],
        ),
        (
            &["run", "no/such.rle", "--gens", "1"],
            &["no/such.rle: no such file"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--engine", "torus"],
            &["torus does not take", "hint:"],
        ),
        (
            &[
                "run", GLIDER, "--gens", "1", "--engine", "tiles", "--rule", "02/0/3",
            ],
            &["tiles does not take", "it needs a grid"],
        ),
        (
            &[
                "run",
                GLIDER,
                "--gens",
                "1",
                "--rule",
                "B3/S23:T9,9",
                "--size",
                "8x8",
            ],
            &["--size 8x8", "hint:"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--json", "--out", "-"],
            &["--out -"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--out", "x.what"],
            &["x.what", "hint:"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--out", "no/such/x.rle"],
            &["no/such/x.rle: there is no folder no/such"],
        ),
        (
            &["run", GLIDER, "--gens", "1", "--plot", "no/such/x.svg"],
            &["no/such/x.svg: there is no folder no/such"],
        ),
        (&["run", "3o$2%!", "--gens", "1"], &["error: PATTERN:1:5: "]),
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
}

#[test]
fn a_glider_goes_one_cell_on_in_four_generations() {
    let report = json(&["run", GLIDER, "--gens", "4", "--json"]);
    assert_eq!(report["rule"], "B3/S23");
    assert_eq!(report["generation"], 4);
    assert_eq!(report["population"], 5);
    let bounds = r#"{"x":1,"y":1,"width":3,"height":3}"#;
    assert_eq!(report["bounds"].to_string(), bounds);
    assert!(report["seconds"].as_f64().unwrap() >= 0.0);
    assert!(report["why"].as_str().unwrap().len() > 3);
    let start = json(&["run", GLIDER, "--gens", "0", "--json"]);
    assert_eq!(
        start["hash"], report["hash"],
        "the hash is relative to the bounds"
    );
    let between = json(&["run", GLIDER, "--gens", "3", "--json"]);
    assert_ne!(between["hash"], report["hash"]);
}

#[test]
fn a_cycle_is_told() {
    let line = |gens| {
        let rule = "B3/S23:T20,20";
        json(&[
            "run", "3o!", "--rule", rule, "--engine", "torus", "--gens", gens, "--json",
        ])
    };
    let far = line("10^30");
    assert_eq!(far["cycle"]["period"], 2);
    assert!(far["cycle"]["found_at"].as_u64().unwrap() < 10_000);
    assert_eq!(
        far["generation"].to_string(),
        "1".to_string() + &"0".repeat(30)
    );
    assert!(line("100")["cycle"].is_null());
}

/// However short the run is.
#[test]
fn a_run_that_lacks_memory_says_so() {
    let line = |memory| {
        let breeder = "20-cell-quadratic-growth";
        let line = &[
            "run", breeder, "--gens", "20000", "--engine", "hashlife", "--memory", memory,
        ];
        let output = with_input(line, b"");
        assert!(output.status.success(), "{output:?}");
        text(&output.stderr)
    };
    let told = line("1M");
    assert!(told.starts_with("note: collecting garbage "), "{told}");
    assert!(told.contains("give it --memory 2M or more"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert_eq!(line("1G"), "");
}

#[test]
fn engines_agree_and_are_the_ones_asked_for() {
    let mut reports: Vec<Value> = Vec::new();
    for engine in ["naive", "tiles", "hashlife"] {
        let line = [
            "run",
            "b2o$2o$bo!",
            "--gens",
            "200",
            "--json",
            "--engine",
            engine,
        ];
        let report = json(&line);
        assert_eq!(report["engine"], engine);
        reports.push(report);
    }
    for engine in ["naive", "torus"] {
        let line = [
            "run",
            "b2o$2o$bo!",
            "--gens",
            "200",
            "--json",
            "--engine",
            engine,
        ];
        reports.push(json(&[&line[..], &["--size", "300x300"]].concat()));
    }
    for report in &reports {
        for field in ["population", "hash", "generation"] {
            assert_eq!(report[field], reports[0][field], "{field} of {report}");
        }
    }
}

#[test]
fn numbers_are_exact_at_any_size() {
    let line = ["run", "gosper-glider-gun", "--gens", "3*10^30", "--json"];
    let report = json(&line);
    // The gun has 36 cells, and makes a glider of 5 cells each 30 generations.
    assert_eq!(report["engine"], "hashlife");
    assert_eq!(
        report["generation"].to_string(),
        format!("3{}", "0".repeat(30))
    );
    assert_eq!(
        report["population"].to_string(),
        format!("5{}36", "0".repeat(27))
    );
}

#[test]
fn an_empty_world_has_no_bounds() {
    let report = json(&["run", "o!", "--gens", "1", "--json"]);
    assert_eq!(report["population"], 0);
    assert_eq!(report["bounds"], Value::Null);
}

#[test]
fn a_bounded_grid_comes_from_the_size_or_from_the_rule() {
    // On 3 x 3 with dead surroundings a full square dies to its corners; on a torus of
    // that size every cell has eight live neighbours.
    let full = "3o$3o$3o!";
    let plane = json(&["run", full, "--gens", "1", "--size", "3x3", "--json"]);
    assert_eq!(plane["rule"], "B3/S23:P3,3");
    assert_eq!(plane["population"], 4);
    assert_eq!(
        plane["bounds"].to_string(),
        r#"{"x":-1,"y":-1,"width":3,"height":3}"#
    );
    let torus = json(&[
        "run",
        full,
        "--gens",
        "1",
        "--rule",
        "B3/S23:T3,3",
        "--json",
    ]);
    assert_eq!(torus["population"], 0);
}

#[test]
fn classroom_maps_stand_at_the_top_left_of_their_board() {
    let line = ["run", "3o!", "--gens", "1", "--rule", "base", "--json"];
    let report = json(&line);
    assert_eq!(report["rule"], "base:P25,25");
    // A blinker in the top row: its upper end falls off the board.
    assert_eq!(report["population"], 2);
    assert_eq!(
        report["bounds"].to_string(),
        r#"{"x":-11,"y":-12,"width":1,"height":2}"#
    );
    CliTestCase {
        line: &["run", "26o!", "--gens", "1", "--rule", "base"],
        input: "",
        code: 2,
        out: &[],
        talk: &["26 columns", "--size 26x1"],
    }
    .check();
}

#[test]
fn classroom_maps_are_written_as_the_classroom_shows_the_board() {
    let folder = CliTestFolder::new();
    let plain = folder.write("plain.cells", "! three\n\n..OOO\n");
    let colours = folder.write("colours.cells", "..R\n..B\n..R\n");
    let rows = [
        ("base", &plain, 0),
        ("base", &plain, 1),
        // nothing lives any more, and all of one state
        ("weighted", &plain, 9),
        ("generations", &plain, 0),
        ("generations", &plain, 1),
        ("colorised", &colours, 1),
    ];
    for (rule, map, rounds) in rows {
        for size in [&[][..], &["--size", "7x6"]] {
            let shown = out_with(
                &[&["classroom", rule, map], size].concat(),
                &"\n".repeat(rounds),
            );
            let (_, shown) = shown.rsplit_once(&format!("round {rounds}\n")).unwrap();
            let gens = rounds.to_string();
            let line = ["run", map, "--rule", rule, "--gens", &gens, "--out", "-"];
            let format = ["--format", "classroom"];
            let written = out(&[&line[..], &format, size].concat());
            assert_eq!(written, shown, "{rule} at {rounds}, {size:?}");
        }
    }
    // without a board there is only the box of the live cells
    let line = [
        "run",
        "3o!",
        "--gens",
        "1",
        "--out",
        "-",
        "--format",
        "classroom",
    ];
    assert_eq!(out(&line), "O\nO\nO\n");
}

#[test]
fn lines_come_every_so_many_generations() {
    let line = ["run", GLIDER, "--gens", "10", "--every", "4", "--json"];
    let out_lines = out(&line);
    let lines: Vec<Value> = out_lines
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(lines.len(), 3, "{out_lines}");
    assert_eq!(lines[0].to_string(), r#"{"generation":4,"population":5}"#);
    assert_eq!(lines[1]["generation"], 8);
    assert_eq!(lines[2]["generation"], 10);
    let plain = out(&["run", GLIDER, "--gens", "8", "--every", "4"]);
    assert!(plain.starts_with("generation 4  population 5\ngeneration 8  population 5\nrule "));
}

#[test]
fn the_last_generation_can_be_kept_and_taken_up_again() {
    let folder = CliTestFolder::new();
    let half = folder.path("half.rle");
    out(&["run", "b2o$2o$bo!", "--gens", "60", "--out", &half]);
    let on = json(&["run", &half, "--gens", "40", "--json"]);
    let whole = json(&["run", "b2o$2o$bo!", "--gens", "100", "--json"]);
    for field in ["generation", "population", "bounds", "hash"] {
        assert_eq!(on[field], whole[field], "{field}");
    }
    let piped = out(&["run", GLIDER, "--gens", "4", "--out", "-"]);
    assert!(piped.contains("bo$2bo$3o!"), "{piped}");
    assert!(piped.starts_with("#CXRLE Pos=1,1 Gen=4\n"), "{piped}");
    assert_eq!(folder.names(), ["half.rle"]);
}

/// Issue 31: a plot as numbers, with births and deaths.
#[test]
fn a_plot_is_written_as_csv_with_births_and_deaths() {
    let folder = CliTestFolder::new();
    let path = folder.path("curve.csv");
    let path = path.as_str();
    let blinker = "x = 3, y = 1, rule = B3/S23\n3o!";
    out(&["run", blinker, "--gens", "3", "--plot", path]);
    let plain = std::fs::read_to_string(path).unwrap();
    assert_eq!(plain, "generation,population\n0,3\n1,3\n2,3\n3,3\n");
    let curves = "deaths,births,width";
    out(&[
        "run", blinker, "--gens", "2", "--plot", path, "--curves", curves,
    ]);
    let counted = std::fs::read_to_string(path).unwrap();
    let expected = "generation,population,births,deaths,width\n0,3,,,\n1,3,2,2,1\n2,3,2,2,3\n";
    assert_eq!(counted, expected);
    let svg = folder.path("curve.svg");
    let svg = svg.as_str();
    out(&[
        "run",
        "r-pentomino",
        "--gens",
        "50",
        "--plot",
        svg,
        "--curves",
        "births",
    ]);
    let drawn = std::fs::read_to_string(svg).unwrap();
    assert!(drawn.contains(">births<") && !drawn.contains(">deaths<"));
    let back = [
        "run",
        "x = 1, y = 1, rule = BBM\no!",
        "--gens",
        "-4",
        "--plot",
        svg,
        "--curves",
        "births",
    ];
    let refused = with_input(&back, b"");
    assert!(
        text(&refused.stderr).contains("on the way forward"),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn the_plot_is_a_drawing() {
    let folder = CliTestFolder::new();
    let path = folder.path("plot.svg");
    out(&["run", "r-pentomino", "--gens", "50", "--plot", &path]);
    let svg = std::fs::read_to_string(&path).unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    assert!(svg.contains("generation") && svg.contains("B3/S23"));
}

#[test]
fn patterns_come_from_everywhere() {
    let folder = CliTestFolder::new();
    let file = folder.write("glider", "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n");
    let expected = json(&["run", GLIDER, "--gens", "4", "--json"])["hash"].clone();
    for pattern in [&file, "glider", "Glider"] {
        let report = json(&["run", pattern, "--gens", "400", "--json"]);
        assert_eq!(report["population"], 5, "{pattern}");
    }
    assert_eq!(
        json(&["run", &file, "--gens", "0", "--json"])["hash"],
        expected
    );
    assert_eq!(
        json(&["run", "xp2_7", "--gens", "2", "--json"])["population"],
        3
    );
    let piped = out_with(&["run", "-", "--gens", "4", "--json"], "bo$2bo$3o!");
    assert!(piped.contains(&format!("\"hash\":{expected}")));
}

#[test]
fn a_reversible_rule_goes_back_and_comes_home() {
    let folder = CliTestFolder::new();
    let past = folder.path("past.rle");
    let past = past.as_str();
    let balls = ["--rule", "BBM", "--json"];
    let there: Value = json(
        &[
            &["run", "3bo$o2bo!", "--gens", "-101", "--out", past],
            &balls[..],
        ]
        .concat(),
    );
    assert_eq!(there["generation"], -101);
    assert_eq!(there["rule"], "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15");
    let home = json(&["run", past, "--gens", "101", "--json"]);
    let start = json(&[&["run", "3bo$o2bo!", "--gens", "0"], &balls[..]].concat());
    for key in ["generation", "population", "bounds", "hash"] {
        assert_eq!(home[key], start[key], "{key}");
    }
    let lines = out(&[
        "run",
        "3bo$o2bo!",
        "--gens",
        "-5",
        "--every",
        "2",
        "--rule",
        "BBM",
    ]);
    assert!(
        lines.starts_with("generation -2  population 3\ngeneration -4  "),
        "{lines}"
    );
}
