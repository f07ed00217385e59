//! How long it takes to start a program that ends at once and to be rid of it, a second:
//! with the supervisor alone, and in the whole sandbox.

#![allow(missing_docs, reason = "criterion makes the functions")]

use cage::{Cage, CageMode, Program};
use criterion::{Criterion, criterion_group, criterion_main};
use std::time::Duration;

/// It has time enough to end by itself.
const GRACE: Duration = Duration::from_secs(10);

fn bench(criterion: &mut Criterion) {
    let test_child = gridpaper_benches::program("gridpaper-cage", "gridpaper-cage-test-child");
    cage::use_supervisor_program(&test_child);
    let program = Program {
        program: test_child.into(),
        arguments: Vec::new(),
        folder: "/".into(),
        cores: Vec::new(),
    };
    let mut group = criterion.benchmark_group("start-and-end");
    for mode in [CageMode::Off, CageMode::Best] {
        let cage = Cage {
            mode,
            ..Cage::default()
        };
        group.bench_function(mode.to_string(), |bencher| {
            bencher.iter(|| cage.start(&program).expect("it runs").end(GRACE));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
