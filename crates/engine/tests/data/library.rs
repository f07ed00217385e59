//! Real pattern files, run some generations.

use crate::{advance, corners, corners_in, data, json, rule_of, world};
use engine::Choice;

/// A population from which on only the quadtree is asked: the others would hold it cell
/// by cell.
const CROWD: u64 = 3_000_000;

#[test]
fn every_pattern_file_whose_rule_is_known() {
    let (mut run, mut unknown) = (0, Vec::new());
    for entry in json("pattern_populations.json").as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let bytes = std::fs::read(data("patterns").join(file)).unwrap();
        let pattern = pattern::read(&bytes)
            .unwrap_or_else(|e| panic!("{file}: {e}"))
            .0;
        let text = pattern.rule.as_deref().unwrap_or("B3/S23");
        let Some(rule) = rule_of(text) else {
            unknown.push(text.to_string());
            continue;
        };
        let crowded = entry["checks"][0]["population"].as_u64().unwrap() > CROWD;
        let mut taken = 0;
        // Only the oracle takes a grid with one infinite side.
        let tube = rule.topology().size() != (0, 0) && rule.topology().rect().is_none();
        for engine in [
            Choice::Naive,
            Choice::Torus,
            Choice::Tiles,
            Choice::Hashlife,
        ] {
            if crowded && engine != Choice::Hashlife || !tube && engine == Choice::Naive {
                continue;
            }
            let Ok(mut world) = world(engine, &rule, &pattern) else {
                continue;
            };
            taken += 1;
            // A file may say that it is at some generation already.
            let mut generation = entry["checks"][0]["gen"].as_u64().unwrap();
            for check in entry["checks"].as_array().unwrap() {
                let at = check["gen"].as_u64().unwrap();
                advance(&mut *world, at - generation);
                generation = at;
                let about = format!("{engine}: {file} ({rule}) at {at}");
                let population = check["population"].to_string();
                assert_eq!(world.population().to_string(), population, "{about}");
                assert_eq!(corners(&*world), corners_in(check), "{about}");
            }
        }
        assert!(taken > 0, "no engine takes {file}: {rule}");
        run += 1;
    }
    unknown.sort();
    unknown.dedup();
    println!("{run} files run; rules not known yet: {unknown:?}");
    assert!(run >= 345, "only {run} files; rules not known: {unknown:?}");
}
