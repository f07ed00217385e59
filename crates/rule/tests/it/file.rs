//! `.rule` files as people have them, when the folder is there (`GRIDPAPER_DATA`).

use crate::golden::{cases, compare, folder};
use rule::{Look, Rule, RuleFileError};
use std::time::{Duration, Instant};

fn read(name: &str) -> Option<String> {
    let file = folder().join("rules").join(format!("{name}.rule"));
    std::fs::read_to_string(file).ok()
}

#[test]
fn golly_agrees_on_rules_of_files() {
    let Some(cases) = cases("golden_rules.json") else {
        return;
    };
    let mut done = 0;
    let mut wrong = Vec::new();
    for case in &cases {
        let name = case["rule"].as_str().unwrap();
        let of_file = case["name"].as_str().unwrap().starts_with("ruleloader_");
        let Some(text) = of_file.then(|| read(name)).flatten() else {
            continue;
        };
        done += 1;
        let rule = Rule::from_file(&text).unwrap_or_else(|e| panic!("{name}:{e}"));
        if let Err(why) = compare(rule, case) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(done > 12, "only {done} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_is_read() {
    let Ok(files) = std::fs::read_dir(folder().join("rules")) else {
        eprintln!("skipped: no folder of rules");
        return;
    };
    let mut slowest = (Duration::ZERO, String::new());
    let mut done = 0;
    for file in files {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let start = Instant::now();
        let rule = Rule::from_file(&text);
        let took = start.elapsed();
        match rule {
            Ok(rule) => {
                done += 1;
                assert!(text.contains("@COLORS") <= rule.look().is_some(), "{name}");
                if took > slowest.0 {
                    slowest = (took, name.to_string());
                }
                if std::env::var_os("GRIDPAPER_TIMES").is_some() {
                    eprintln!("{took:9.1?} {name}");
                }
            }
            Err(RuleFileError { line, problem, .. }) => panic!("{name}:{line}: {problem}"),
        }
        Look::read(&text).unwrap();
    }
    eprintln!("{done} files, the slowest {} in {:?}", slowest.1, slowest.0);
    assert!(done > 50, "only {done} files");
}
