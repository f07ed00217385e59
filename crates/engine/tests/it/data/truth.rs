//! Methuselahs and deep runs whose ends are known.

use super::{advance, data, json, world};
use engine::{EngineChoice, World};
use pattern::Pattern;
use rule::Rule;
use serde_json::Value;

fn pattern_of(row: &Value) -> Pattern {
    let bytes = match row["rle"].as_str() {
        Some(rle) => rle.as_bytes().to_vec(),
        None => std::fs::read(data(row["file"].as_str().unwrap())).unwrap(),
    };
    pattern::read(&bytes).unwrap().0
}

/// A torus on which nothing that leaves can come back in time.
fn roomy(pattern: &Pattern, generations: u64) -> Rule {
    let box_side = pattern.cells.bounds().unwrap().to_rect().unwrap();
    // Nothing but gliders leaves these, a cell each four generations to each side.
    let side = box_side.width.max(box_side.height) + generations / 2 + 128;
    format!("B3/S23:T{side},{side}").parse().unwrap()
}

#[test]
#[ignore = "needs the data folder; cargo xtask data runs it"]
fn methuselahs() {
    let life: Rule = "B3/S23".parse().unwrap();
    for row in json("truth.json")["methuselahs"].as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let end = row["stabilises_at"].as_u64().unwrap();
        let pattern = pattern_of(row);
        let mut worlds: Vec<Box<dyn World>> =
            vec![world(EngineChoice::Hashlife, &life, &pattern).unwrap()];
        if end < 100_000 {
            worlds.push(world(EngineChoice::Tiles, &life, &pattern).unwrap());
        }
        if end < 18_000 {
            worlds.push(world(EngineChoice::Torus, &roomy(&pattern, end), &pattern).unwrap());
        }
        if end < 300 {
            worlds.push(world(EngineChoice::Naive, &life, &pattern).unwrap());
        }
        let mut hashes = Vec::new();
        for mut world in worlds {
            let engine = world.engine();
            match row["final_population"].as_u64() {
                Some(population) => {
                    advance(&mut *world, end);
                    assert_eq!(world.population(), population.into(), "{name}: {engine}");
                }
                None => {
                    // It ends in two phases: `a/b`.
                    advance(&mut *world, end + 1 - end % 2);
                    if let Some(text) = row["final_population"].as_str() {
                        let now = world.population().to_string();
                        assert!(text.contains(&now), "{name}: {engine}: {now}");
                    }
                }
            }
            hashes.push(world.hash());
        }
        assert!(hashes.iter().all(|h| *h == hashes[0]), "{name}: {hashes:?}");
    }
}

#[test]
#[ignore = "needs the data folder; cargo xtask data runs it"]
fn populations_on_the_way() {
    let life: Rule = "B3/S23".parse().unwrap();
    let truth = json("truth.json");
    let rows = truth["methuselahs"].as_array().unwrap().iter();
    for row in rows.chain(truth["linear"].as_array().unwrap()) {
        let on_the_way = if row["population_at"].is_null() {
            &row["pop_at"]
        } else {
            &row["population_at"]
        };
        let Some(on_the_way) = on_the_way.as_object() else {
            continue;
        };
        let mut points: Vec<(u64, u64)> = on_the_way
            .iter()
            .map(|(at, population)| (at.parse().unwrap(), population.as_u64().unwrap()))
            .collect();
        points.sort_unstable();
        let mut world = world(EngineChoice::Hashlife, &life, &pattern_of(row)).unwrap();
        let mut generation = 0;
        for (at, population) in points {
            advance(&mut *world, at - generation);
            generation = at;
            assert_eq!(world.population(), population.into(), "{row} at {at}");
        }
    }
}

#[test]
#[ignore = "needs the data folder; cargo xtask data runs it"]
fn deep_runs() {
    let life: Rule = "B3/S23".parse().unwrap();
    for row in json("truth.json")["deep"].as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let start = std::time::Instant::now();
        let mut world = world(EngineChoice::Hashlife, &life, &pattern_of(row)).unwrap();
        let population = row["population_start"].as_u64().unwrap();
        assert_eq!(world.population(), population.into(), "{name} at 0");
        advance(&mut *world, row["generations"].as_u64().unwrap());
        let population = row["population"].as_u64().unwrap();
        assert_eq!(world.population(), population.into(), "{name}");
        println!("{name}: {:.1} s", start.elapsed().as_secs_f64());
    }
}

#[test]
#[ignore = "needs the data folder; cargo xtask data runs it"]
fn gotts_dots_grows_as_gosper_said() {
    let truth = json("truth.json");
    let row = &truth["formulas"].as_array().unwrap()[1];
    let pattern = pattern_of(row);
    let life: Rule = "B3/S23".parse().unwrap();
    for (at, population) in row["populations"].as_object().unwrap() {
        let mut world = world(EngineChoice::Hashlife, &life, &pattern).unwrap();
        let n = at.parse().unwrap();
        world.advance(&n, &mut |_| true).unwrap();
        assert_eq!(
            world.population().to_string(),
            population.to_string(),
            "{at}"
        );
    }
}
