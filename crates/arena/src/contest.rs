//! A match: games between two players, in pairs.

use crate::bot::BotGame;
use crate::pair::GamePairSetup;
use crate::{
    Entrant, EntrantError, MatchConditions, Opening, PlayedGame, Record, Side, StopCondition,
    Tally, seat, stay_on,
};
use games::{AnyGame, Game, Seat, with_game};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// A match between two players, each of this program or a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The game.
    pub game: AnyGame,
    /// The players.
    pub players: [Entrant; 2],
    /// How many games, two for each opening; where the number is odd, the last opening is
    /// played once.
    pub games: u64,
    /// Where openings and the players' chance come from.
    pub seed: u64,
    /// How games begin.
    pub opening: Opening,
    /// When games end.
    pub until: StopCondition,
    /// How many games run at the same time, 1 or more. Players that think by the clock
    /// should not have to share a core.
    pub jobs: usize,
    /// What bots run in, and how long they may think. Where cores are named, each job keeps
    /// to one of them, with its bots.
    pub conditions: MatchConditions,
    /// Whether records of the games are wanted.
    pub is_recorded: bool,
}

impl Match {
    /// A hundred games, one at a time, with the game's own openings.
    #[must_use]
    pub fn new(game: AnyGame, players: [Entrant; 2]) -> Self {
        Self {
            game,
            players,
            games: 100,
            seed: 0,
            opening: Opening::OfGame,
            until: StopCondition::End,
            jobs: 1,
            conditions: MatchConditions::default(),
            is_recorded: false,
        }
    }

    /// Plays all games, tells of each pair that has ended (the results so far, and the
    /// pair's records where they are wanted), and gives the results; those so far, when
    /// `stop` is set meanwhile, or whoever was told says that it is enough. A pair counts
    /// only whole.
    ///
    /// # Errors
    /// One of the players does not exist or cannot play this game.
    pub fn run(
        &self,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Tally, &[Record]) -> ControlFlow<()>,
    ) -> Result<Tally, EntrantError> {
        with_game!(&self.game, |game| self.run_game(game, stop, told))
    }

    fn run_game<G: BotGame>(
        &self,
        game: &G,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Tally, &[Record]) -> ControlFlow<()>,
    ) -> Result<Tally, EntrantError> {
        // each job has players of its own; they are made before anything is played
        let jobs = (0..self.jobs.max(1)).map(|job| self.sides(game, job));
        let jobs = jobs.collect::<Result<Vec<_>, _>>()?;
        let next = AtomicU64::new(0);
        let enough = AtomicBool::new(false);
        let mut all = Tally::default();
        std::thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for (job, mut sides) in jobs.into_iter().enumerate() {
                let core = self.core(job);
                let (sender, next, stop) = (sender.clone(), &next, [stop, &enough]);
                scope.spawn(move || {
                    if let Some(core) = core {
                        stay_on(core);
                    }
                    while let number = next.fetch_add(1, Ordering::Relaxed)
                        && number < self.games.div_ceil(2)
                        && let Some(played) = self.pair(game, &mut sides, number, &stop)
                        && sender.send(played).is_ok()
                    {}
                });
            }
            drop(sender);
            for (tally, records) in results {
                all += &tally;
                if told(&all, &records).is_break() {
                    enough.store(true, Ordering::Relaxed);
                    break;
                }
            }
        });
        Ok(all)
    }

    /// The core that a job keeps to, with its bots.
    fn core(&self, job: usize) -> Option<usize> {
        let cores = &self.conditions.cores;
        cores.get(job % cores.len().max(1)).copied()
    }

    fn sides<G: BotGame>(
        &self,
        game: &G,
        job: usize,
    ) -> Result<[Box<dyn Side<G>>; 2], EntrantError> {
        let mut conditions = self.conditions.clone();
        conditions.cores = self.core(job).into_iter().collect();
        let [first, second] = &self.players;
        Ok([
            seat(game, first, &conditions)?,
            seat(game, second, &conditions)?,
        ])
    }

    /// Plays an opening twice (once, where the number of games ends there).
    fn pair<G: BotGame>(
        &self,
        game: &G,
        sides: &mut [Box<dyn Side<G>>; 2],
        number: u64,
        stop: &[&AtomicBool],
    ) -> Option<(Tally, Vec<Record>)> {
        let pair = GamePairSetup {
            opening: &self.opening,
            until: self.until,
            seed: self.seed,
            number,
            is_whole: 2 * number + 1 < self.games,
            broadcast: None,
        };
        let played = pair.play(game, sides, stop)?;
        let mut records = Vec::new();
        if self.is_recorded {
            let names = self.players.each_ref().map(Entrant::to_string);
            records = played.records(game, &pair, &names);
        }
        Some((tally(&played.bouts), records))
    }
}

/// The results of one pair.
fn tally<G: Game>(bouts: &[PlayedGame<G>]) -> Tally {
    let mut tally = Tally::default();
    let mut half_points = 0;
    for (bout, seat) in bouts.iter().zip(Seat::BOTH) {
        half_points += tally.count(bout.outcome, seat);
        for (player, at) in [seat, seat.other()].into_iter().enumerate() {
            tally.time[player] += bout.time[at.index()];
            let slowest = tally.slowest[player].max(bout.slowest[at.index()]);
            tally.slowest[player] = slowest;
            tally.moves[player] += bout.moves[at.index()];
            tally.faults[player] += u64::from(bout.ending.of(at).is_some());
        }
    }
    if bouts.len() == 2 {
        tally.pairs[half_points as usize] += 1;
    }
    tally
}
