//! Cases made with Golly and with LifeViewer, over every engine that takes the rule.

use crate::{advance, corners, corners_in, json, rule_of, world};
use engine::{Choice, World};
use grid::CellHash;
use pattern::Pattern;
use rule::Rule;
use serde_json::Value;

/// Rules that Golly has built in and that are not read yet.
const NOT_YET: [&str; 1] = ["jvn_"];

const ENGINES: [Choice; 4] = [
    Choice::Naive,
    Choice::Torus,
    Choice::Tiles,
    Choice::Hashlife,
];

fn pattern_in(case: &Value) -> Pattern {
    let text = case["input_rle"].as_str().unwrap();
    pattern::read(text.as_bytes()).unwrap().0
}

/// Runs a case on each engine that takes it; gives how many did.
fn run(rule: &Rule, case: &Value, holds: impl Fn(&dyn World, &Value) -> Result<(), String>) -> u32 {
    let pattern = pattern_in(case);
    let mut taken = 0;
    for engine in ENGINES {
        let Ok(mut world) = world(engine, rule, &pattern) else {
            continue;
        };
        taken += 1;
        let mut generation = 0;
        for check in case["checks"].as_array().unwrap() {
            let at = check["gen"].as_u64().unwrap();
            advance(&mut *world, at - generation);
            generation = at;
            if let Err(why) = holds(&*world, check) {
                panic!("{engine}: {rule} at generation {at}: {why}");
            }
        }
    }
    taken
}

#[test]
fn golly() {
    let mut done = 0;
    for case in json("golden_rules.json").as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        if NOT_YET.iter().any(|kind| name.starts_with(kind)) {
            continue;
        }
        let text = case["rule"].as_str().unwrap();
        let rule = rule_of(text).unwrap_or_else(|| panic!("{text} is not read"));
        let taken = run(&rule, case, |world, check| {
            let population = check["population"].to_string();
            if world.population().to_string() != population {
                return Err(format!("{} cells, not {population}", world.population()));
            }
            if corners(world) != corners_in(check) {
                return Err(format!(
                    "bounds {:?}, not {:?}",
                    corners(world),
                    corners_in(check)
                ));
            }
            let expected = check["rle"].as_str().unwrap();
            let expected = pattern::read(expected.as_bytes()).unwrap().0;
            if world.hash() != expected.cells.hash() {
                return Err("other cells".into());
            }
            Ok(())
        });
        assert!(taken > 0, "no engine takes {name}");
        done += 1;
    }
    assert!(done >= 230, "only {done} cases");
}

#[test]
fn life_viewer() {
    let mut done = 0;
    for case in json("golden_more_rules.json").as_array().unwrap() {
        let text = case["rule"].as_str().unwrap();
        // Families that are not read yet are refused by name in the rule crate's tests.
        let Ok(rule) = text.parse::<Rule>() else {
            continue;
        };
        run(&rule, case, |world, check| {
            let mut expected = CellHash::EMPTY;
            let cells = check["cells"].as_array().unwrap();
            let number = |n: &Value| n.as_i64().unwrap();
            let left = cells.iter().map(|c| number(&c[0])).min().unwrap_or(0);
            let top = cells.iter().map(|c| number(&c[1])).min().unwrap_or(0);
            for cell in cells {
                let (x, y) = (number(&cell[0]), number(&cell[1]));
                let state = u8::try_from(number(&cell[2])).unwrap();
                expected += CellHash::cell(x - left, y - top, state);
                if rule.topology().rect().is_none() && world.get(grid::Point::new(x, y)) != state {
                    return Err(format!("not state {state} at {x}, {y}"));
                }
            }
            if world.hash() != expected {
                return Err("other cells".into());
            }
            Ok(())
        });
        done += 1;
    }
    assert!(done >= 20, "only {done} cases");
}
