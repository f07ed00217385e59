//! What a face asks for sixty times a second: views of a running soup, and snapshots to
//! come back to.
//!
//! `plain` is the way through runs that every world has, the time before there were others.

#![allow(missing_docs, reason = "criterion makes the functions")]

use criterion::{Criterion, criterion_group, criterion_main};
use dice::Dice;
use engine::{EngineChoice, Options, View, World, open};
use grid::{Rect, State};
use pattern::{Cells, Pattern, Run};
use std::hint::black_box;
use std::time::Duration;

/// A half-full soup.
fn soup(side: i64, states: u32) -> Cells {
    let mut dice = Dice::new(9);
    let mut runs = Vec::new();
    for y in -side / 2..side / 2 {
        for x in -side / 2..side / 2 {
            if dice.coin() {
                let state = 1 + dice.below(states - 1) as State;
                runs.push(Run {
                    y,
                    x,
                    length: 1,
                    state,
                });
            }
        }
    }
    Cells::from_runs(runs)
}

/// Blocks far apart: a world of 10^9 cells across.
fn sparse(blocks: i64) -> Cells {
    let row = |i: i64| {
        let x = i * 7_919_001 % 1_000_000_000 - 500_000_000;
        let y = i * 104_729_017 % 1_000_000_000 - 500_000_000;
        [(x, y), (x, y + 1)]
    };
    let runs = (0..blocks).flat_map(row);
    let run = |(x, y)| Run {
        y,
        x,
        length: 2,
        state: 1,
    };
    Cells::from_runs(runs.map(run).collect())
}

fn world(choice: EngineChoice, rule: &str, cells: &Cells) -> Box<dyn World> {
    let pattern = Pattern {
        cells: cells.clone(),
        position: Some(grid::Point::new(0, 0)),
        ..Pattern::default()
    };
    let rule = rule.parse().expect("a rule");
    let opened = open(choice, &rule, &pattern, None, &Options::default());
    opened.expect("an engine that takes it").world
}

fn views(c: &mut Criterion) {
    let two = soup(4096, 2);
    let many = soup(1024, 3);
    let far = sparse(100_000);
    let worlds = [
        (
            "torus",
            world(EngineChoice::Torus, "B3/S23:T4096,4096", &two),
        ),
        ("tiles", world(EngineChoice::Tiles, "B3/S23", &two)),
        ("hashlife", world(EngineChoice::Hashlife, "B3/S23", &two)),
        (
            "torus-brain",
            world(EngineChoice::Torus, "Brian's Brain:T1024,1024", &many),
        ),
        (
            "tiles-brain",
            world(EngineChoice::Tiles, "Brian's Brain", &many),
        ),
        ("tiles-far", world(EngineChoice::Tiles, "B3/S23", &far)),
    ];
    let mut group = c.benchmark_group("sight");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    for (name, world) in &worlds {
        let scales: &[u32] = if *name == "tiles-far" {
            &[20]
        } else {
            &[1, 2, 4, 6]
        };
        for &scale in scales {
            let pixels = if *name == "tiles-far" {
                1000
            } else {
                4096 >> scale
            };
            let view = View {
                column: (-i64::from(pixels / 2)).into(),
                row: (-i64::from(pixels / 2)).into(),
                width: pixels,
                height: pixels,
                scale,
            };
            group.bench_function(format!("{name}/density/{scale}"), |b| {
                b.iter(|| {
                    let mut sum = 0.0;
                    world.density(&view, &mut |_, _, live| sum += live);
                    black_box(sum)
                });
            });
            group.bench_function(format!("{name}/rows/{scale}"), |b| {
                b.iter(|| {
                    let mut last = 0.0;
                    world.density_rows(&view, &mut |_, live| last = live[live.len() / 2]);
                    black_box(last)
                });
            });
        }
        if *name == "tiles-far" {
            continue;
        }
        let rect = Rect::new(-913, -541, 1920, 1080);
        let (mut bits, mut states) = (Vec::new(), Vec::new());
        group.bench_function(format!("{name}/bits"), |b| {
            b.iter(|| world.bits_in(rect, black_box(&mut bits)));
        });
        group.bench_function(format!("{name}/states"), |b| {
            b.iter(|| world.states_in(rect, black_box(&mut states)));
        });
        group.bench_function(format!("{name}/plain"), |b| {
            b.iter(|| {
                let mut live = 0;
                world.runs_in(rect, &mut |run| live += run.length);
                black_box(live)
            });
        });
        group.bench_function(format!("{name}/snapshot"), |b| {
            b.iter(|| world.snapshot());
        });
    }
    group.finish();
    let mut group = c.benchmark_group("restore");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(1));
    for (name, mut world) in worlds {
        let snapshot = world.snapshot();
        println!("{name}: {} bytes", snapshot.bytes());
        group.bench_function(name, |b| b.iter(|| world.restore(&snapshot)));
    }
    group.finish();
}

criterion_group!(benches, views);
criterion_main!(benches);
