//! Stones: whole ticks, children together, and random games, each a second.

#![allow(missing_docs, reason = "criterion makes the functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::stones::{Stones, StonesPosition, count, each};
use games::{Dice, Game as _, JointMove};
use std::hint::black_box;

/// Positions of random games, with a random move in each.
fn positions(game: &Stones) -> Vec<(StonesPosition, u16)> {
    let mut dice = Dice::new(1);
    let mut all = Vec::new();
    while all.len() < 1000 {
        let mut state = game.start();
        while let Ok(joint) = game.random_joint(&state, &mut dice) {
            let JointMove::One(m) = joint else {
                unreachable!()
            };
            all.push((state, m));
            game.apply(&mut state, joint);
        }
    }
    all
}

fn stones(criterion: &mut Criterion) {
    for game in ["stones", "stones:adjacency=off"] {
        let Ok(games::AnyGame::Stones(game)) = game.parse() else {
            unreachable!("both are stones")
        };
        let all = positions(&game);
        let mut group = criterion.benchmark_group(game.name());

        group.throughput(Throughput::Elements(all.len() as u64));
        group.bench_function("apply", |bencher| {
            bencher.iter(|| {
                for (state, m) in &all {
                    let mut state = *state;
                    game.apply(&mut state, JointMove::One(*m));
                    black_box(&state);
                }
            });
        });

        // boards after the moves that change something, each written out
        let effective: u64 = all
            .iter()
            .map(|(state, _)| u64::from(count(game.children(state).effective())))
            .sum();
        group.throughput(Throughput::Elements(effective));
        group.bench_function("child-boards", |bencher| {
            bencher.iter(|| {
                for (state, _) in &all {
                    let children = game.children(state);
                    for m in each(children.effective()) {
                        black_box(children.board(m));
                    }
                }
            });
        });

        // the lead in stones after every legal move, and the moves where it is best
        let legal: u64 = all
            .iter()
            .map(|(state, _)| game.breadth(state, state.to_move()))
            .sum();
        group.throughput(Throughput::Elements(legal));
        group.bench_function("child-leads", |bencher| {
            bencher.iter(|| {
                for (state, _) in &all {
                    let children = game.children(state);
                    black_box(children.leads().best(children.legal()));
                }
            });
        });

        group.throughput(Throughput::Elements(1));
        let mut dice = Dice::new(2);
        group.bench_function("random-game", |bencher| {
            bencher.iter(|| {
                let mut state = game.start();
                black_box(game.playout(&mut state, &mut dice))
            });
        });
        group.finish();
    }
}

criterion_group!(benches, stones);
criterion_main!(benches);
