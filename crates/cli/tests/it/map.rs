//! `gridpaper map`: places and names, refusals, and a map whose figures are what `run` says.

use crate::{CliTestCase, CliTestFolder, json, out, out_with};

#[test]
fn rules_and_places_go_both_ways() {
    assert_eq!(out(&["map", "--at", "96,32"]), "B3/S23\n");
    assert_eq!(out(&["map", "--rule", "B3/S23"]), "96,32\n");
    assert_eq!(out(&["map", "--rule", "highlife"]), "96,36\n");
}

#[test]
fn what_is_not_in_the_map_is_refused() {
    for (line, why) in [
        (&["map", "--at", "512,0"][..], "a column of 0 to 511"),
        (&["map", "--at", "12"], "as in 96,32"),
        (&["map", "--rule", "345/2/4"], "not in the map"),
        (&["map", "--rule", "B03/S23"], "not in the map"),
        (&["map", "--gens", "1"], "--gens takes 2 to"),
        (&["map", "--density", "2"], "density"),
        (&["map", "--out", "/nowhere/map.png"], "/nowhere"),
    ] {
        CliTestCase {
            line,
            input: "",
            code: 2,
            out: &[],
            talk: &[why],
        }
        .check();
    }
}

#[test]
fn a_map_says_what_runs_of_its_soup_say() {
    let folder = CliTestFolder::new();
    let (png, csv) = (folder.path("map.png"), folder.path("map.csv"));
    let line = ["map", "--gens", "3", "--seed", "5", "--json"];
    let told = json(&[&line[..], &["--out", &png, "--csv", &csv]].concat());
    let sum: u64 = ["died", "settled", "changing"]
        .iter()
        .map(|key| told[key].as_u64().unwrap())
        .sum();
    assert_eq!(sum, 131_072);
    let picture = std::fs::read(png).unwrap();
    assert_eq!(
        &picture[16..24],
        [0, 0, 2, 0, 0, 0, 1, 0],
        "512 x 256 pixels"
    );
    let table = std::fs::read_to_string(csv).unwrap();
    assert_eq!(table.lines().count(), 131_073);
    let soup = out(&["random", "64x64", "--seed", "5"]);
    for rule in ["B3/S23", "B36/S125", "B/S012345678", "B12345678/S"] {
        let on_torus = format!("{rule}:T64,64");
        let run = ["run", "-", "--rule", &on_torus, "--gens", "3", "--json"];
        let run: serde_json::Value = serde_json::from_str(&out_with(&run, &soup)).unwrap();
        let start = format!("{rule},{},", run["population"]);
        assert!(
            table.lines().any(|line| line.starts_with(&start)),
            "{start}"
        );
    }
}

#[cfg(not(feature = "gpu"))]
#[test]
fn without_the_feature_the_engine_gpu_says_so() {
    for line in [
        &[
            "run",
            "glider",
            "--rule",
            "B3/S23:T64,64",
            "--gens",
            "4",
            "--engine",
            "gpu",
        ][..],
        &["map", "--engine", "gpu"],
    ] {
        CliTestCase {
            line,
            input: "",
            code: 2,
            out: &[],
            talk: &["this program was built without it"],
        }
        .check();
    }
}

#[test]
fn rules_are_printed_as_shaders() {
    let shader = out(&["rules", "B3/S23:T100,50", "--wgsl"]);
    assert!(
        shader.contains("// One generation of 100 x 50 cells"),
        "{shader}"
    );
    assert!(shader.contains("fn step("), "{shader}");
    CliTestCase {
        line: &["rules", "R50,C0,M1,S1..2000,B1500..1800,NM", "--wgsl"],
        input: "",
        code: 2,
        out: &[],
        talk: &["no circuit"],
    }
    .check();
}
