//! Longer checks against real patterns and results that other programs gave.
//!
//! `cargo xtask data` runs them. They need the data folder that `GRIDPAPER_DATA` names
//! (default: `shared/data` beside the project), and fail without it: a check that was
//! asked for is never left out.

mod golden_cases;
mod library;
mod matrix;
mod truth;

use engine::{EngineChoice, Options, Torus, UnsupportedError, World, open};
use num_bigint::BigUint;
use pattern::Pattern;
use rule::{Rule, Topology};
use serde_json::Value;
use std::path::PathBuf;

/// The columns of each matrix.
const ENGINES: [EngineChoice; 4] = [
    EngineChoice::Naive,
    EngineChoice::Torus,
    EngineChoice::Tiles,
    EngineChoice::Hashlife,
];

/// A file of the data folder.
fn data(path: &str) -> PathBuf {
    let folder = prerequisite::data_folder();
    assert!(
        folder.is_dir(),
        "no data at {}: set GRIDPAPER_DATA",
        folder.display()
    );
    folder.join(path)
}

fn json(path: &str) -> Value {
    let text = std::fs::read_to_string(data(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The rule that a text means, by itself or through a file in the folder of rules.
fn rule_of(text: &str) -> Option<Rule> {
    match text.parse::<Rule>() {
        Ok(rule) => return Some(rule),
        Err(error) if !error.is_unknown_name() => return None,
        Err(_) => {}
    }
    let (name, edges) = text.find(':').map_or((text, ""), |at| text.split_at(at));
    let file = std::fs::read_to_string(data("rules").join(format!("{name}.rule"))).ok()?;
    let rule = Rule::from_file(&file).unwrap_or_else(|e| panic!("{name}.rule: {e}"));
    let plain: Rule = format!("B3/S23{edges}").parse().unwrap();
    Some(rule.with_topology(*plain.topology()))
}

fn world(
    engine: EngineChoice,
    rule: &Rule,
    pattern: &Pattern,
) -> Result<Box<dyn World>, UnsupportedError> {
    let options = Options {
        memory: 6 << 30,
        ..Options::default()
    };
    open(engine, rule, pattern, None, &options).map(|opened| opened.world)
}

/// Cells of a grid up to which the endless plane is tried as a torus.
const GRID: u64 = 1 << 24;

/// A torus on which a pattern of the endless plane runs as there, since nothing comes
/// around it in so many generations; none where that would be too large.
fn torus_for(rule: &Rule, pattern: &Pattern, generations: u64) -> Option<Box<dyn World>> {
    let bounds = pattern.cells.bounds()?.to_rect()?;
    let corners = [bounds.x, bounds.y, bounds.right(), bounds.bottom()];
    let furthest = corners.map(i64::unsigned_abs).into_iter().max()?;
    let reach = generations.checked_mul(rule.radius().into())?;
    let side = 2 * (furthest.checked_add(reach)? + 1);
    if *rule.topology() != Topology::Unbounded || side.checked_mul(side)? > GRID {
        return None;
    }
    let grid = Topology::Torus {
        width: side,
        height: side,
        shift: None,
    };
    let mut world = Torus::new(rule.with_topology(grid)).ok()?;
    world.load(&pattern.cells).ok()?;
    world.set_generation(pattern.generation.clone());
    Some(Box::new(world))
}

fn advance(world: &mut dyn World, n: u64) {
    world.advance(&BigUint::from(n), &mut |_| true).unwrap();
}

/// `[left, top, right, bottom]`, inclusive; none when the world is empty.
fn corners(world: &dyn World) -> Option<[i64; 4]> {
    let all = world.bounds()?.to_rect().unwrap();
    Some([all.x, all.y, all.right() - 1, all.bottom() - 1])
}

fn corners_in(check: &Value) -> Option<[i64; 4]> {
    let list = check["bbox_ltrb"].as_array()?;
    let numbers: Vec<i64> = list.iter().map(|n| n.as_i64().unwrap()).collect();
    // An empty world's box is written inside out.
    let corners: [i64; 4] = numbers.try_into().unwrap();
    (corners[0] <= corners[2]).then_some(corners)
}
