//! Cells a second on a torus: half-full soups, one generation after another.

#![allow(missing_docs, reason = "criterion makes the functions")]

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use dice::Dice;
use engine::{Torus, World};
use grid::{Point, State};
use num_bigint::BigUint;
use std::time::Duration;

/// A rule, the sides it is run at, and the name it goes by here.
const CASES: [(&str, &str, &[u64]); 17] = [
    ("life", "B3/S23", &[512, 4096, 16384]),
    ("highlife", "B36/S23", &[512, 4096]),
    ("hensel", "B2n3-y4c/S23-a4i", &[512, 4096]),
    ("map-like", "B2cek3i5a/S12-k3nqr4", &[4096]),
    ("star-wars", "345/2/4", &[1024, 4096]),
    ("brain-8", "2/2/8", &[1024, 4096]),
    ("ages-64", "345/2/64", &[1024]),
    ("extended", "extended", &[1024, 4096]),
    ("weighted", "weighted", &[1024, 4096]),
    ("gaussian", "R2,C0,M1,S30..60,B40..55,NG", &[1024]),
    ("bugs", "R3,C0,M1,S13..22,B13..19,NM", &[1024]),
    ("bosco", "R5,C0,M1,S34..58,B34..45,NM", &[1024, 4096]),
    ("diamond", "R5,C0,M1,S18..30,B18..24,NN", &[1024]),
    ("square-7", "R7,C0,M1,S65..113,B65..95,NM", &[1024]),
    ("square-10", "R10,C0,M1,S123..212,B123..170,NM", &[1024]),
    (
        "square-50",
        "R50,C0,M1,S2869..4893,B2869..3795,NM",
        &[1024, 4096],
    ),
    ("twisted", "B3/S23", &[4096]),
];

fn soup(name: &str, rule: &str, side: u64) -> Torus {
    // The one case that asks for other edges does so by its name.
    let kind = if name == "twisted" { "C" } else { "T" };
    let rule = format!("{rule}:{kind}{side},{side}");
    let mut world = Torus::new(rule.parse().expect("the table has rules")).expect("a torus");
    let rect = world.rule().topology().rect().expect("a torus has sides");
    let states = u32::from(world.rule().states());
    let mut dice = Dice::new(side);
    for y in rect.y..rect.bottom() {
        for x in rect.x..rect.right() {
            if dice.coin() {
                let state = 1 + dice.below(states - 1);
                world
                    .set(Point::new(x, y), state as State)
                    .expect("the cell lies on the grid");
            }
        }
    }
    world
}

fn torus(c: &mut Criterion) {
    let mut group = c.benchmark_group("torus");
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    for (name, rule, sides) in CASES {
        for &side in sides {
            // Only the cases that are asked for are made.
            let mut world = None;
            let cells = side * side;
            // About as much work in each sample, whatever the side.
            let generations = ((1 << 28) / cells).clamp(16, 256);
            let n = BigUint::from(generations);
            group.throughput(Throughput::Elements(cells * generations));
            group.bench_with_input(BenchmarkId::new(name, side), &n, |b, n| {
                let world = world.get_or_insert_with(|| soup(name, rule, side));
                b.iter(|| world.advance(n, &mut |_| true));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, torus);
criterion_main!(benches);
