//! The records of matches as replays.

use arena::Match;
use matches::replay::OpeningOrigin;
use matches::{StopCondition, replay};

/// The records of real matches, of all games, settled ones among them.
#[test]
fn recorded_games_replay() {
    for game in ["tictactoe", "mnk:6,6,4", "duel:turns=20", "stones:plies=30"] {
        for stop_condition in [StopCondition::End, StopCondition::Settled] {
            let contest = Match {
                games: 6,
                stop_condition,
                is_recorded: true,
                ..Match::new(
                    game.parse().unwrap(),
                    ["random".parse().unwrap(), "material".parse().unwrap()],
                )
            };
            let mut file = Vec::new();
            let mut count = 0;
            contest
                .run(&false.into(), &mut |_, records| {
                    for record in records {
                        replay::write(record, &mut file).unwrap();
                        count += 1;
                    }
                    std::ops::ControlFlow::Continue(())
                })
                .unwrap();
            assert_eq!(count, 6);
            let games = replay::read(&file[..]).map(|game| game.unwrap().check().unwrap());
            assert_eq!(
                games.filter(|c| c.opening == OpeningOrigin::OfGame).count(),
                6
            );
        }
    }
}
