//! The known answers in the folder with data, through the command line.

use crate::{CliTestFolder, json};
use serde_json::Value;

/// Methuselahs: at the generation that is known, from every engine that is quick enough.
#[test]
fn methuselahs_settle_as_they_are_known_to() {
    let Some(folder) = prerequisite::data("") else {
        return;
    };
    let text = std::fs::read_to_string(folder.join("truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&text).unwrap();
    let mut checked = 0;
    for row in truth["methuselahs"].as_array().unwrap() {
        let told = |field: &str| row[field].as_str();
        // Others tell populations of many moments, or of a million generations on.
        let gens = row["stabilises_at"].as_u64().unwrap();
        let (Some(name), Some(rule), true) = (told("name"), told("rule"), gens < 100_000) else {
            continue;
        };
        let file = told("file").map(|file| folder.join(file).to_str().unwrap().to_string());
        let pattern = file.as_deref().or(told("rle")).unwrap();
        // Two numbers are the two phases of what is left.
        let populations = row["final_population"].to_string();
        let gens = gens.to_string();
        let mut hashes = Vec::new();
        for engine in ["tiles", "hashlife"] {
            let line = [
                "run", pattern, "--rule", rule, "--gens", &gens, "--engine", engine, "--json",
            ];
            let report = json(&line);
            let population = report["population"].to_string();
            let mut known = populations.split(|c: char| !c.is_ascii_digit());
            assert!(
                known.any(|known| known == population),
                "{name} by {engine}: {population}, not {populations}"
            );
            hashes.push(report["hash"].to_string());
        }
        assert_eq!(hashes[0], hashes[1], "{name}");
        checked += 1;
    }
    assert!(checked >= 10, "only {checked} rows");
}

/// One file of each kind there is: read, written in every format that holds it, and back.
#[test]
fn public_pattern_files_survive_the_journey() {
    let Some(data) = prerequisite::data("") else {
        return;
    };
    let folder = CliTestFolder::new();
    let mut checked = 0;
    let mut seen = std::collections::HashMap::new();
    let mut queue = vec![data.join("patterns")];
    while let Some(path) = queue.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap();
            let mut inside: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
            inside.sort();
            queue.extend(inside);
            continue;
        }
        let ending = path.extension().unwrap_or_default().to_os_string();
        let of_this_kind = seen.entry(ending).or_insert(0);
        let small = path.metadata().unwrap().len() < 20_000;
        if *of_this_kind >= 4 || !small {
            continue;
        }
        *of_this_kind += 1;
        let path = path.to_str().unwrap();
        let before = json(&["info", path, "--json"]);
        for name in ["a.rle", "a.mc", "a.rle.gz"] {
            let copy = folder.path(name);
            crate::out(&["convert", path, &copy]);
            let after = json(&["info", &copy, "--json"]);
            for field in ["population", "width", "height", "rule"] {
                assert_eq!(after[field], before[field], "{field} of {path} as {name}");
            }
        }
        checked += 1;
    }
    assert!(checked >= 4, "only {checked} files");
}
