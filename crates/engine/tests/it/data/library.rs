//! Real pattern files, run some generations.

use super::matrix::{EngineMatrix, MatrixOutcome};
use super::{advance, corners, corners_in, data, json, rule_of, torus_for, world};
use engine::EngineChoice;
use pattern::Pattern;
use rule::Rule;

/// A population from which on only the quadtree is asked: the others would hold it cell
/// by cell.
const CROWD: u64 = 3_000_000;

/// The rule that a file brings along under this name.
fn rule_within(pattern: &Pattern, name: &str) -> Option<Rule> {
    let block = pattern.rule_block.as_deref()?;
    let its_own = rule::rule_name(block).is_ok_and(|own| own == name);
    its_own.then(|| Rule::from_file(block).unwrap_or_else(|e| panic!("{name}: {e}")))
}

#[test]
#[ignore = "needs the data folder; cargo xtask data runs it"]
fn every_pattern_file() {
    let mut matrix = EngineMatrix::default();
    for entry in json("pattern_populations.json").as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let bytes = std::fs::read(data("patterns").join(file)).unwrap();
        let pattern = pattern::read(&bytes)
            .unwrap_or_else(|e| panic!("{file}: {e}"))
            .0;
        let text = pattern.rule.as_deref().unwrap_or("B3/S23");
        let Some(rule) = rule_within(&pattern, text).or_else(|| rule_of(text)) else {
            matrix.unread(format!("{file} ({text})"));
            continue;
        };
        let crowded = entry["checks"][0]["population"].as_u64().unwrap() > CROWD;
        matrix.row(file, |engine| {
            // The oracle would take its time over hundreds of generations.
            if engine == EngineChoice::Naive || crowded && engine != EngineChoice::Hashlife {
                return MatrixOutcome::Spared;
            }
            let checks = entry["checks"].as_array().unwrap();
            let gen_of = |check: &serde_json::Value| check["gen"].as_u64().unwrap();
            let span = gen_of(checks.last().unwrap()) - gen_of(&checks[0]);
            let grid = (engine == EngineChoice::Torus)
                .then(|| torus_for(&rule, &pattern, span))
                .flatten();
            let opened = grid.map_or_else(|| world(engine, &rule, &pattern), Ok);
            MatrixOutcome::of(engine, opened, |mut world| {
                // A file may say that it is at some generation already.
                let mut generation = entry["checks"][0]["gen"].as_u64().unwrap();
                for check in entry["checks"].as_array().unwrap() {
                    let at = check["gen"].as_u64().unwrap();
                    advance(&mut *world, at - generation);
                    generation = at;
                    let population = check["population"].to_string();
                    let ours = (world.population().to_string(), corners(&*world));
                    let theirs = (population, corners_in(check));
                    if ours != theirs {
                        return Err(format!("{rule} at {at}: {ours:?}, not {theirs:?}"));
                    }
                }
                Ok(())
            })
        });
    }
    matrix.hold(355);
}
