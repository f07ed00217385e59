//! A match: games between two players, in pairs.

use crate::{Opening, Tally, referee};
use games::{AnyGame, Dice, Seat, with_game};
use players::{Player, PlayerError, Roster, open};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// When a game ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// When its rules say so.
    #[default]
    End,
    /// As soon as no move can change the result any more. The results are the same, the
    /// games shorter.
    Settled,
}

/// A match between two players of this program.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The game.
    pub game: AnyGame,
    /// The players, as [`players::open`] reads them.
    pub players: [String; 2],
    /// How many games, two for each opening; where the number is odd, the last opening is
    /// played once.
    pub games: u64,
    /// Where openings and the players' chance come from.
    pub seed: u64,
    /// How games begin.
    pub opening: Opening,
    /// When games end.
    pub until: Until,
    /// How many games run at the same time, 1 or more. Players that think by the clock
    /// should not have to share a core.
    pub jobs: usize,
}

impl Match {
    /// A hundred games, one at a time, with the game's own openings.
    #[must_use]
    pub fn new(game: AnyGame, players: [&str; 2]) -> Self {
        Self {
            game,
            players: players.map(str::to_string),
            games: 100,
            seed: 0,
            opening: Opening::OfGame,
            until: Until::End,
            jobs: 1,
        }
    }

    /// Plays all games, tells of each pair that has ended, and gives the results; those so
    /// far, when `stop` is set meanwhile. A pair counts only whole.
    ///
    /// # Errors
    /// One of the players does not exist or cannot play this game.
    pub fn run(
        &self,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Tally),
    ) -> Result<Tally, PlayerError> {
        with_game!(&self.game, |game| self.run_game(game, stop, told))
    }

    fn run_game<G: Roster>(
        &self,
        game: &G,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Tally),
    ) -> Result<Tally, PlayerError> {
        // each job has players of its own; they are made before anything is played
        let jobs = (0..self.jobs.max(1)).map(|_| self.open(game));
        let jobs = jobs.collect::<Result<Vec<_>, _>>()?;
        let next = AtomicU64::new(0);
        let mut all = Tally::default();
        std::thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for mut players in jobs {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let pair = next.fetch_add(1, Ordering::Relaxed)
                        && pair < self.games.div_ceil(2)
                        && let Some(tally) = self.pair(game, &mut players, pair, stop)
                        && sender.send(tally).is_ok()
                    {}
                });
            }
            drop(sender);
            for tally in results {
                all += &tally;
                told(&all);
            }
        });
        Ok(all)
    }

    fn open<G: Roster>(&self, game: &G) -> Result<[Box<dyn Player<G>>; 2], PlayerError> {
        let [first, second] = &self.players;
        Ok([open(game, first)?, open(game, second)?])
    }

    /// Plays an opening twice (once, where the number of games ends there).
    fn pair<G: Roster>(
        &self,
        game: &G,
        players: &mut [Box<dyn Player<G>>; 2],
        pair: u64,
        stop: &AtomicBool,
    ) -> Option<Tally> {
        let start = self.opening.draw(game, self.seed, pair);
        let mut tally = Tally::default();
        let mut half_points = 0;
        let whole = 2 * pair + 1 < self.games;
        for seat in if whole {
            &Seat::BOTH[..]
        } else {
            &Seat::BOTH[..1]
        } {
            let mut dice = Dice::of_part(!self.seed, 2 * pair + seat.index() as u64);
            let [a, b] = players.each_mut().map(|player| {
                player.begin(dice.word());
                player.as_mut()
            });
            let seated = match seat {
                Seat::First => [a, b],
                Seat::Second => [b, a],
            };
            let settled = self.until == Until::Settled;
            let bout = referee(game, &start, seated, settled, stop)?;
            half_points += tally.count(bout.outcome, *seat);
            for (player, at) in [*seat, seat.other()].into_iter().enumerate() {
                tally.time[player] += bout.time[at.index()];
                let slowest = tally.slowest[player].max(bout.slowest[at.index()]);
                tally.slowest[player] = slowest;
                tally.moves[player] += bout.moves[at.index()];
            }
        }
        if whole {
            tally.pairs[half_points as usize] += 1;
        }
        Some(tally)
    }
}
