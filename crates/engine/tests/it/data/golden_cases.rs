//! Cases made with Golly and with LifeViewer, over every engine that takes the rule.

use super::matrix::{EngineMatrix, MatrixOutcome};
use super::{advance, corners, corners_in, json, rule_of, torus_for, world};
use engine::{EngineChoice, World};
use grid::CellHash;
use pattern::Pattern;
use rule::Rule;
use serde_json::Value;

fn pattern_in(case: &Value) -> Pattern {
    let text = case["input_rle"].as_str().unwrap();
    pattern::read(text.as_bytes()).unwrap().0
}

/// Runs a case in one engine, if it takes it.
fn run(
    engine: EngineChoice,
    rule: &Rule,
    case: &Value,
    holds: impl Fn(&dyn World, &Value) -> Result<(), String>,
) -> MatrixOutcome {
    let pattern = pattern_in(case);
    let checks = case["checks"].as_array().unwrap();
    let last = checks.last().unwrap()["gen"].as_u64().unwrap();
    let grid = (engine == EngineChoice::Torus)
        .then(|| torus_for(rule, &pattern, last))
        .flatten();
    let opened = grid.map_or_else(|| world(engine, rule, &pattern), Ok);
    MatrixOutcome::of(engine, opened, |mut world| {
        let mut generation = 0;
        for check in checks {
            let at = check["gen"].as_u64().unwrap();
            advance(&mut *world, at - generation);
            generation = at;
            holds(&*world, check).map_err(|why| format!("{rule} at generation {at}: {why}"))?;
        }
        Ok(())
    })
}

#[test]
#[ignore = "needs the data folder; cargo xtask data runs it"]
fn golly() {
    let mut matrix = EngineMatrix::default();
    for case in json("golden_rules.json").as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let text = case["rule"].as_str().unwrap();
        let Some(rule) = rule_of(text) else {
            matrix.unread(format!("{name} ({text})"));
            continue;
        };
        let holds = |world: &dyn World, check: &Value| {
            let population = check["population"].to_string();
            if world.population().to_string() != population {
                return Err(format!("{} cells, not {population}", world.population()));
            }
            let (ours, theirs) = (corners(world), corners_in(check));
            if ours != theirs {
                return Err(format!("bounds {ours:?}, not {theirs:?}"));
            }
            let expected = check["rle"].as_str().unwrap();
            let expected = pattern::read(expected.as_bytes()).unwrap().0;
            if world.hash() != expected.cells.hash() {
                return Err("other cells".into());
            }
            Ok(())
        };
        matrix.row(name, |engine| run(engine, &rule, case, holds));
    }
    matrix.hold(239);
}

#[test]
#[ignore = "needs the data folder; cargo xtask data runs it"]
fn life_viewer() {
    let mut matrix = EngineMatrix::default();
    for case in json("golden_more_rules.json").as_array().unwrap() {
        let text = case["rule"].as_str().unwrap();
        let Ok(rule) = text.parse::<Rule>() else {
            matrix.unread(text);
            continue;
        };
        let holds = |world: &dyn World, check: &Value| {
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
        };
        matrix.row(text, |engine| run(engine, &rule, case, holds));
    }
    matrix.hold(43);
}
