//! The players of any game: positions a second for `alphabeta`, playouts a second for `mcts`
//! and `regret`, each from a position some random turns into the game.

#![allow(missing_docs, reason = "criterion makes the functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::{AnyGame, Dice, Seat, Turn, with_game};
use players::{Clock, NullObserver, Roster, open};

fn bench<G: Roster>(criterion: &mut Criterion, game: &G, turns: u32) {
    let mut dice = Dice::new(1);
    let mut state = game.start();
    for _ in 0..turns {
        if let Ok(joint) = game.random_joint(&state, &mut dice) {
            game.apply(&mut state, joint);
        }
    }
    let (seat, texts) = match game.turn(&state) {
        Turn::One(seat) => (seat, ["alphabeta:nodes=200000", "mcts:playouts=2000"]),
        _ => (Seat::First, ["regret:playouts=2000", "mcts:playouts=2000"]),
    };
    let mut group = criterion.benchmark_group(game.name());
    group.sample_size(10);
    for text in texts {
        let mut player = open(game, text, &Clock::system()).expect("a player of this game");
        // what is proven ends sooner: count what was really looked at
        player.begin(1);
        let nodes = player.think(game, &state, seat, &mut NullObserver).nodes;
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(text, |bencher| {
            bencher.iter(|| {
                player.begin(1);
                player.think(game, &state, seat, &mut NullObserver)
            });
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    for (name, turns) in [
        ("tictactoe", 0),
        ("mnk:15,15,5", 4),
        ("stones", 10),
        ("duel", 10),
        ("duel:16x16", 10),
    ] {
        let game: AnyGame = name.parse().expect("a game");
        with_game!(game, |game| bench(criterion, &game, turns));
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
