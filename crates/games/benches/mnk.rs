//! Random games a second of tic-tac-toe and its family: whole games from the empty board.

#![allow(missing_docs, reason = "criterion makes the functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::mnk::Mnk;
use games::{Dice, Game as _};
use std::hint::black_box;

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mnk");
    group.throughput(Throughput::Elements(1));
    let mut bench = |m, n, k, playout: &mut dyn FnMut(&mut Dice)| {
        let mut dice = Dice::new(1);
        group.bench_function(format!("playout {m},{n},{k}"), |bencher| {
            bencher.iter(|| playout(&mut dice));
        });
    };
    for (m, n, k) in [(3, 3, 3), (5, 5, 4), (8, 8, 5)] {
        let game = Mnk::<1>::new(m, n, k).expect("at most 64 cells");
        bench(m, n, k, &mut |dice| {
            black_box(game.playout(&mut game.start(), dice));
        });
    }
    for (m, n, k) in [(9, 9, 5), (15, 15, 5), (19, 19, 5)] {
        let game = Mnk::<6>::new(m, n, k).expect("at most 19x19");
        bench(m, n, k, &mut |dice| {
            black_box(game.playout(&mut game.start(), dice));
        });
    }
    group.finish();
}

/// The same by single moves, as a search makes them.
fn moves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mnk");
    group.throughput(Throughput::Elements(1));
    let game = Mnk::TICTACTOE;
    let mut dice = Dice::new(1);
    group.bench_function("game by single moves 3,3,3", |bencher| {
        bencher.iter(|| {
            let mut state = game.start();
            while let Ok(joint) = game.random_joint(&state, &mut dice) {
                game.apply(&mut state, joint);
            }
            state
        });
    });
    group.finish();
}

criterion_group!(benches, playouts, moves);
criterion_main!(benches);
