//! Whole games between players that need no thought, a second: what the referee, the pairs
//! and the tally cost besides the rules. Random against random on the duel's 8x8 is the
//! figure that the arena is measured by.

#![allow(missing_docs, reason = "criterion makes the functions")]

use arena::Match;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("matches");
    for (game, games) in [
        ("duel", 2000),
        ("duel:16x16", 2000),
        ("stones", 2000),
        ("tictactoe", 100_000),
    ] {
        let players = ["random", "random"].map(|name| name.parse().expect("a player's name"));
        let contest = Match {
            games,
            ..Match::new(game.parse().expect("a game's name"), players)
        };
        group.throughput(Throughput::Elements(games));
        group.bench_function(game, |bencher| {
            bencher.iter(|| {
                contest.run(&AtomicBool::new(false), &mut |_, _| {
                    ControlFlow::Continue(())
                })
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = bench
}
criterion_main!(benches);
