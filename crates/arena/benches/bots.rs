//! Whole games between bots a second: what pipes, processes and protocols cost. Every game
//! of the duel has its 200 turns, and both bots answer at once.
//!
//! All of it, bots included, is to run on one core: `taskset -c 1 cargo bench --package
//! gridpaper-benches --bench arena-bots`.

#![allow(missing_docs, reason = "criterion makes the functions")]

use arena::{Match, MatchConditions};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use matches::{Opening, TimeControl};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

fn bench(criterion: &mut Criterion) {
    let zoo = &gridpaper_benches::program("gridpaper-arena", "gridpaper-zoo");
    cage::use_supervisor_program(zoo);
    let zoo = zoo.display();
    let mut group = criterion.benchmark_group("bots");
    let rows = [
        ("one process for all games", "text", "text again", 100),
        ("a process for each game", "contest", "zeros", 20),
    ];
    for (name, protocol, words, games) in rows {
        let bot = || {
            let text = format!("cmd[{protocol}]:{zoo} {words}");
            text.parse().expect("a bot of the zoo")
        };
        let contest = Match {
            games,
            opening: Opening::Turns(0..=0),
            // others may want this core too
            conditions: MatchConditions {
                time_control: Some(TimeControl::from_millis(10_000, 10_000)),
                ..MatchConditions::default()
            },
            ..Match::new("duel".parse().expect("a game's name"), [bot(), bot()])
        };
        group.throughput(Throughput::Elements(games));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let tally = contest.run(&AtomicBool::new(false), &mut |_, _| {
                    ControlFlow::Continue(())
                });
                let tally = tally.expect("both speak the protocol");
                assert_eq!(tally.moves, [200 * games; 2]);
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = bench
}
criterion_main!(benches);
