//! The duel: turns of recorded games one after the other, turns from unrelated positions as
//! a search plays them, and whole random games, each a second.

#![allow(missing_docs, reason = "criterion makes the functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::duel::{Column, Duel, DuelBoard, DuelPosition};
use games::{AnyGame, Dice, Game, JointMove};
use std::hint::black_box;

/// The moves of random games, and the positions in which they were made.
fn record<B: DuelBoard>(game: &Duel<B>) -> Vec<Vec<(DuelPosition<B>, Column, Column)>> {
    let mut dice = Dice::new(1);
    let mut one = || {
        let mut state = game.start();
        let mut turns = Vec::new();
        while let Ok(joint) = game.random_joint(&state, &mut dice) {
            let JointMove::Both(first, second) = joint else {
                unreachable!("both move")
            };
            turns.push((state, first, second));
            game.apply(&mut state, joint);
        }
        turns
    };
    (0..20).map(|_| one()).collect()
}

fn bench<B: DuelBoard>(criterion: &mut Criterion, game: &Duel<B>) {
    let games = record(game);
    let turns: Vec<_> = games.concat();
    let mut group = criterion.benchmark_group(game.name());
    group.throughput(Throughput::Elements(turns.len() as u64));
    group.bench_function("turns-in-order", |bencher| {
        bencher.iter(|| {
            for turns in &games {
                let mut state = game.start();
                for &(_, first, second) in turns {
                    game.play(&mut state, first, second);
                }
                black_box(&state);
            }
        });
    });
    group.bench_function("turns-apart", |bencher| {
        bencher.iter(|| {
            for &(mut state, first, second) in &turns {
                game.play(&mut state, first, second);
                black_box(&state);
            }
        });
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("random-games", |bencher| {
        let mut dice = Dice::new(2);
        bencher.iter(|| game.playout(&mut game.start(), &mut dice));
    });
    group.finish();
}

fn duel(criterion: &mut Criterion) {
    for name in ["duel", "duel:16x16", "duel:32x64", "duel:rules=p2life"] {
        match name.parse() {
            Ok(AnyGame::Duel8(game)) => bench(criterion, &game),
            Ok(AnyGame::Duel16(game)) => bench(criterion, &game),
            Ok(AnyGame::DuelAny(game)) => bench(criterion, &game),
            _ => unreachable!("each is a duel"),
        }
    }
}

criterion_group!(benches, duel);
criterion_main!(benches);
