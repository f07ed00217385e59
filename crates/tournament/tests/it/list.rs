//! Games in a list, and games while they are played.

use crate::{plan, players};
use std::sync::atomic::{AtomicBool, Ordering};
use tournament::TournamentRunner;
use tournament::store::StoredGameFilter;

#[test]
fn a_list_of_games_says_what_the_games_say() {
    let folder = tempfile::tempdir().unwrap();
    let three = players(&[("one", "random"), ("two", "material"), ("three", "random")]);
    let plan = plan(
        &folder,
        &format!("game = \"tictactoe\"\npairs = 4\n{three}"),
    );
    let mut runner = TournamentRunner::open(plan).unwrap();
    runner
        .run(None, &AtomicBool::new(false), &mut |_| ())
        .unwrap();
    let store = runner.store();
    let all = store.summaries(&StoredGameFilter::default(), 100).unwrap();
    assert_eq!(all.len(), 24);
    assert!(all.is_sorted_by(|a, b| a.id > b.id), "the latest first");
    for line in &all {
        let game = store.game(line.id).unwrap().unwrap();
        assert_eq!(line.players, game.players);
        assert_eq!(line.game, (game.record.pair, game.leg));
        assert_eq!(line.outcome, game.record.outcome);
        assert_eq!(line.ending, game.record.ending.kind());
        assert_eq!(line.turns, game.record.turns.len() as u64);
    }
    // by one player, by two, and page by page
    for (player, against, count) in [
        (Some(1), None, 16),
        (Some(0), Some(2), 8),
        (Some(2), Some(0), 8),
    ] {
        let wanted = StoredGameFilter {
            player,
            against,
            before: None,
        };
        let some = store.summaries(&wanted, 100).unwrap();
        assert_eq!(some.len(), count);
        let has = |player: Option<usize>| {
            move |players: &[usize; 2]| player.is_none_or(|player| players.contains(&player))
        };
        assert!(
            some.iter()
                .all(|line| has(player)(&line.players) && has(against)(&line.players))
        );
        let first = store.summaries(&wanted, 5).unwrap();
        let rest = StoredGameFilter {
            before: Some(first[4].id),
            ..wanted
        };
        let rest = store.summaries(&rest, 100).unwrap();
        assert_eq!([first, rest].concat(), some);
    }
}

#[test]
fn a_game_is_seen_while_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let two = players(&[("zoe", "random"), ("ann", "random")]);
    let plan = plan(&folder, &format!("game = \"stones\"\npairs = 200\n{two}"));
    let mut runner = TournamentRunner::open(plan).unwrap();
    let broadcast = runner.broadcasts()[0].clone();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let position = loop {
                if let Some(position) = broadcast.take_position() {
                    break position;
                }
                std::thread::yield_now();
            };
            let mut players = position.players;
            players.sort_unstable();
            assert_eq!(players, ["ann", "zoe"]);
            assert_eq!(position.diagram.cells.len(), 361);
            stop.store(true, Ordering::Relaxed);
        });
        runner.run(None, &stop, &mut |_| ()).unwrap();
    });
}

/// A plan from a stranger stops players that would think for ever.
#[test]
fn thinking_time_is_limited_by_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let two = players(&[("deep", "alphabeta:depth=40"), ("quick", "random")]);
    let mut plan = plan(&folder, &format!("game = \"mnk:5,5,4\"\npairs = 1\n{two}"));
    plan.builtin_time_limit = Some(std::time::Duration::from_millis(5));
    let mut runner = TournamentRunner::open(plan).unwrap();
    let is_over = runner
        .run(None, &AtomicBool::new(false), &mut |_| ())
        .unwrap();
    assert!(is_over);
    assert_eq!(runner.store().count().unwrap(), 2);
}
