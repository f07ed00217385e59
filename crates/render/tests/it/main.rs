//! Tests of views of worlds, and their images.
#![allow(clippy::unwrap_used)] // a test may panic wherever it likes

mod deaths;
mod drawing;
mod frame;
mod image;
mod lattice;
mod palette;
mod viewport;

use dice::Dice;
use engine::{EngineChoice, Options, World};
use grid::{Point, State};
use pattern::{Cells, Pattern, Run};

/// A world with these cells in it.
fn world(choice: EngineChoice, rule: &str, cells: &[(i64, i64, State)]) -> Box<dyn World> {
    let rule: rule::Rule = rule.parse().unwrap();
    let pattern = Pattern::default();
    let opened = engine::open(choice, &rule, &pattern, None, &Options::default());
    let mut world = opened.unwrap().world;
    let run = |&(x, y, state): &(i64, i64, State)| Run {
        y,
        x,
        length: 1,
        state,
    };
    let mut runs: Vec<Run> = cells.iter().map(run).collect();
    runs.sort_by_key(|run| (run.y, run.x));
    runs.dedup_by_key(|run| (run.y, run.x));
    world.load(&Cells::from_runs(runs)).unwrap();
    world
}

/// A soup: the same one for the same seed.
fn soup(seed: u64, x: i64, y: i64, side: i64, states: u16) -> Vec<(i64, i64, State)> {
    let mut dice = Dice::new(seed);
    let mut cells = Vec::new();
    for dy in 0..side {
        for dx in 0..side {
            if dice.below(100) < 40 {
                let state = 1 + dice.below(u32::from(states) - 1) as State;
                cells.push((x + dx, y + dy, state));
            }
        }
    }
    cells
}

/// Five cells, on their way to the south-east.
const GLIDER: [(i64, i64, State); 5] = [(1, 0, 1), (2, 1, 1), (0, 2, 1), (1, 2, 1), (2, 2, 1)];

fn point(cell: &(i64, i64, State)) -> Point {
    Point::new(cell.0, cell.1)
}
