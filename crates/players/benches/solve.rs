//! How long the exact solver takes for whole boards, from the empty board to a proof.

#![allow(missing_docs, reason = "criterion makes the functions")]

use criterion::{Criterion, criterion_group, criterion_main};
use games::Game as _;
use games::mnk::Mnk;
use players::mnk::MnkSolver;
use players::{NullObserver, PlayerLimits};
use std::hint::black_box;

fn solve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(10);
    for (m, n, k) in [
        (3, 3, 3),
        (4, 4, 4),
        (5, 4, 4),
        (5, 5, 4),
        (6, 5, 4),
        (7, 4, 4),
    ] {
        let game = Mnk::<1>::new(m, n, k).expect("at most 64 cells");
        group.bench_function(format!("{m},{n},{k}"), |bencher| {
            bencher.iter(|| {
                let mut solver = MnkSolver::new(&game).expect("at most 64 cells");
                solver.solve(
                    black_box(&game.start()),
                    PlayerLimits::default(),
                    &mut NullObserver,
                )
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solve);
criterion_main!(benches);
