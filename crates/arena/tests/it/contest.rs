//! Matches between players whose results can be known beforehand.

use arena::{Entrant, Match};
use games::mnk::Mnk;
use games::{AnyGame, Game as _};
use matches::{Opening, OpeningLine, StopCondition, Tally};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

fn play(contest: &Match) -> Tally {
    contest
        .run(&AtomicBool::new(false), &mut |_, _| {
            ControlFlow::Continue(())
        })
        .unwrap()
}

fn both(first: &str, second: &str) -> [Entrant; 2] {
    [first, second].map(|name| name.parse().unwrap())
}

fn tictactoe(games: u64) -> Match {
    Match {
        games,
        opening: Opening::Turns(0..=0),
        ..Match::new("tictactoe".parse().unwrap(), both("random", "random"))
    }
}

/// A tally without its times, which no two runs share.
fn timeless(tally: &Tally) -> Tally {
    Tally {
        time: Default::default(),
        slowest: Default::default(),
        ..tally.clone()
    }
}

/// Of all 255168 games, weighted by their chance, the first seat wins 58.5 %, the second
/// 28.8 %, 12.7 % are drawn.
#[test]
fn random_players_win_as_often_as_they_must() {
    let tally = play(&tictactoe(4000));
    assert_eq!(tally.games(), 4000);
    let [first, second] = tally.seat_wins;
    // five standard deviations are 156 games at most
    assert!((2184..=2496).contains(&first), "{first}");
    assert!((1009..=1295).contains(&second), "{second}");
    assert_eq!(first + second + tally.score.draws, 4000);
    let share = tally.share().unwrap();
    assert!(
        (0.46..=0.54).contains(&share),
        "seats are exchanged: {share}"
    );
    assert_eq!(tally.pairs.iter().sum::<u64>(), 2000);
    assert!((7.0..=8.2).contains(&tally.mean_plies()));
}

#[test]
fn a_seed_gives_the_same_match_with_any_number_of_jobs() {
    let one = play(&tictactoe(301));
    let three = play(&Match {
        jobs: 3,
        ..tictactoe(301)
    });
    assert_eq!(timeless(&one), timeless(&three));
    assert_eq!((one.games(), one.pairs.iter().sum()), (301, 150));
    let other = play(&Match {
        seed: 1,
        ..tictactoe(301)
    });
    assert_ne!(timeless(&one), timeless(&other));
}

/// Where the first to move wins with any move, each player wins one game of each pair.
#[test]
fn each_opening_is_played_with_both_seats() {
    let tally = play(&Match {
        games: 20,
        opening: Opening::Turns(0..=0),
        ..Match::new("mnk:2,2,2".parse().unwrap(), both("random", "random"))
    });
    assert_eq!((tally.score.wins, tally.score.losses), (10, 10));
    assert_eq!(tally.pairs, [0, 0, 10, 0, 0]);
    assert_eq!(tally.seat_wins, [20, 0]);
    assert_eq!(
        tally.moves,
        [30, 30],
        "two moves by the winner, one by the loser"
    );
}

#[test]
fn openings_are_drawn_by_the_seed_and_leave_something_to_play() {
    let game = Mnk::<1>::new(3, 3, 3).unwrap();
    let opening = Opening::Turns(5..=7);
    let mut different = std::collections::HashSet::new();
    for pair in 0..200 {
        let opened = opening.draw(&game, 9, pair);
        assert_eq!(opened, opening.draw(&game, 9, pair));
        let mut state = game.start();
        for &joint in &opened.joints {
            game.apply(&mut state, joint);
        }
        assert_eq!(state, opened.state);
        assert!((5..=7).contains(&state.count()));
        assert_eq!(game.settled(&state), None);
        different.insert(game.write_state(&state));
    }
    assert!(different.len() > 150, "{}", different.len());
    // no opening of four turns leaves anything: the game begins at its start
    let small = Mnk::<1>::new(2, 2, 2).unwrap();
    let OpeningLine { state, .. } = Opening::Turns(4..=4).draw(&small, 9, 0);
    assert_eq!(state, small.start());
}

#[test]
fn every_game_can_be_played_out_and_settling_changes_no_result() {
    for (name, _) in AnyGame::families() {
        let name = if name == "mnk" { "mnk:5,4,4" } else { name };
        let contest = Match {
            games: 12,
            ..Match::new(name.parse().unwrap(), both("random", "random"))
        };
        let whole = play(&contest);
        let short = play(&Match {
            stop_condition: StopCondition::Settled,
            ..contest
        });
        assert_eq!(whole.score, short.score, "{name}");
        assert_eq!(whole.pairs, short.pairs, "{name}");
        assert!(short.moves[0] <= whole.moves[0], "{name}");
    }
}

#[test]
fn a_stopped_match_counts_whole_pairs() {
    let stop = AtomicBool::new(false);
    let contest = tictactoe(1_000_000_000);
    let tally = contest.run(&stop, &mut |tally, _| {
        stop.store(tally.games() >= 100, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    let tally = tally.unwrap();
    assert!(tally.games() >= 100 && tally.games() < 1_000_000_000);
    assert_eq!(tally.games(), 2 * tally.pairs.iter().sum::<u64>());
}

#[test]
fn a_callback_can_end_the_match() {
    let contest = Match {
        jobs: 2,
        ..tictactoe(1_000_000_000)
    };
    let mut pairs = 0;
    let tally = contest.run(&AtomicBool::new(false), &mut |_, _| {
        pairs += 1;
        match pairs {
            10 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert_eq!(tally.unwrap().games(), 20, "what ends later is not counted");
}

#[test]
fn unknown_players_are_reported_before_the_first_game() {
    let contest = Match::new("tictactoe".parse().unwrap(), both("random", "deep-thought"));
    let mut told = 0;
    let error = contest.run(&AtomicBool::new(false), &mut |_, _| {
        told += 1;
        ControlFlow::Continue(())
    });
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("tictactoe has no player `deep-thought`"),
        "{error}"
    );
    assert_eq!(told, 0);
}
