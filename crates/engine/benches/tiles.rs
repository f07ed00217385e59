//! The unbounded plane: soups that settle, and methuselahs far apart.
//!
//! The peers on a half-full 1024 x 1024 soup, CPU seconds on the machine that
//! `engine-notes` measured: QuickLife 0.090 to generation 1000 and 0.213 to 10000, lifelib
//! 0.020 and 0.051.

#![allow(missing_docs, reason = "criterion makes the functions")]

use criterion::{BatchSize, Criterion, SamplingMode, criterion_group, criterion_main};
use dice::Dice;
use engine::{Tiles, World};
use num_bigint::BigUint;
use pattern::{Cells, Run};
use std::time::Duration;

fn soup(dice: &mut Dice, runs: &mut Vec<Run>, x: i64, y: i64, side: i64, states: u32) {
    for y in y..y + side {
        for x in x..x + side {
            if dice.coin() {
                let state = 1 + dice.below(states - 1) as u8;
                let length = 1;
                runs.push(Run {
                    y,
                    x,
                    length,
                    state,
                });
            }
        }
    }
}

/// A field of 20 x 20 patterns, 600 cells apart: acorns, r-pentominoes and soups of
/// 16 x 16 by turns.
fn methuselahs() -> Vec<Run> {
    const ACORN: [(i64, i64); 7] = [(1, 0), (3, 1), (0, 2), (1, 2), (4, 2), (5, 2), (6, 2)];
    const R_PENTOMINO: [(i64, i64); 5] = [(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)];
    let (mut dice, mut runs) = (Dice::new(9), Vec::new());
    for place in 0..400 {
        let (x, y) = (place % 20 * 600, place / 20 * 600);
        let cells: &[(i64, i64)] = match place % 3 {
            0 => &ACORN,
            1 => &R_PENTOMINO,
            _ => {
                soup(&mut dice, &mut runs, x, y, 16, 2);
                continue;
            }
        };
        runs.extend(cells.iter().map(|(dx, dy)| Run {
            y: y + dy,
            x: x + dx,
            length: 1,
            state: 1,
        }));
    }
    runs
}

fn tiles(c: &mut Criterion) {
    let mut group = c.benchmark_group("tiles");
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    let square = |side, states| {
        let mut runs = Vec::new();
        soup(&mut Dice::new(2), &mut runs, 0, 0, side, states);
        runs
    };
    let cases = [
        ("soup-1024-to-1000", "B3/S23", square(1024, 2), 1000_u32),
        ("soup-1024-to-10000", "B3/S23", square(1024, 2), 10_000),
        ("methuselahs-to-6000", "B3/S23", methuselahs(), 6000),
        ("highlife-1024-to-1000", "B36/S23", square(1024, 2), 1000),
        (
            "hensel-1024-to-100",
            "B2n3-y4c/S23-a4i",
            square(1024, 2),
            100,
        ),
        ("brain-256-to-100", "/2/3", square(256, 3), 100),
        (
            "bosco-256-to-100",
            "R5,C0,M1,S34..58,B34..45,NM",
            square(256, 2),
            100,
        ),
    ];
    for (name, rule, runs, generations) in cases {
        let rule = rule.parse().expect("the table has rules");
        let mut start = Tiles::new(rule).expect("they have no edges");
        start.load(&Cells::from_runs(runs)).expect("they are near");
        let n = BigUint::from(generations);
        group.bench_function(name, |b| {
            b.iter_batched_ref(
                || start.clone(),
                |world| world.advance(&n, &mut |_| true),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, tiles);
criterion_main!(benches);
