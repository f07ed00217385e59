//! A match: games between two players, in pairs.

use crate::bot::BotGame;
use crate::{Entrant, EntrantError, MatchConditions, open_side, pin_to_core};
use games::{AnyGame, with_game};
use matches::{GamePairSetup, Opening, Record, Side, StopCondition, Tally};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// A match between two entrants.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The game.
    pub game: AnyGame,
    /// The players.
    pub players: [Entrant; 2],
    /// Number of games, two per opening; if it is odd, the last opening is played once.
    pub games: u64,
    /// The seed of openings and of the players' random numbers.
    pub seed: u64,
    /// How games begin.
    pub opening: Opening,
    /// When games end.
    pub stop_condition: StopCondition,
    /// Number of games played in parallel, 1 or more. Players with a time limit should not
    /// share a core.
    pub jobs: usize,
    /// Sandbox and time control of bots. If cores are listed, each job runs on one of them,
    /// with its bots.
    pub conditions: MatchConditions,
    /// Whether game records are collected.
    pub is_recorded: bool,
}

impl Match {
    /// A hundred games, one at a time, with the game's own openings.
    ///
    /// ```
    /// use arena::Match;
    ///
    /// let contest = Match::new("tictactoe".parse()?, ["perfect".parse()?, "random".parse()?]);
    /// assert_eq!((contest.games, contest.jobs, contest.seed), (100, 1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: AnyGame, players: [Entrant; 2]) -> Self {
        Self {
            game,
            players,
            games: 100,
            seed: 0,
            opening: Opening::OfGame,
            stop_condition: StopCondition::End,
            jobs: 1,
            conditions: MatchConditions::default(),
            is_recorded: false,
        }
    }

    /// Plays all games and returns the results. `on_pair` is called after each pair with the
    /// results so far and, if collected, the pair's records; the match ends early when it
    /// breaks or `stop` is set. Only whole pairs count.
    ///
    /// # Errors
    /// One of the players does not exist or cannot play this game.
    ///
    /// ```
    /// use arena::Match;
    /// use std::ops::ControlFlow;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let players = ["perfect".parse()?, "random".parse()?];
    /// let contest = Match::new("tictactoe".parse()?, players);
    /// let tally = contest.run(&AtomicBool::new(false), &mut |tally, _| match tally.games() {
    ///     10.. => ControlFlow::Break(()),
    ///     _ => ControlFlow::Continue(()),
    /// })?;
    /// assert_eq!((tally.games(), tally.score.losses), (10, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(
        &self,
        stop: &AtomicBool,
        on_pair: &mut dyn FnMut(&Tally, &[Record]) -> ControlFlow<()>,
    ) -> Result<Tally, EntrantError> {
        with_game!(&self.game, |game| self.run_game(game, stop, on_pair))
    }

    fn run_game<G: BotGame>(
        &self,
        game: &G,
        stop: &AtomicBool,
        on_pair: &mut dyn FnMut(&Tally, &[Record]) -> ControlFlow<()>,
    ) -> Result<Tally, EntrantError> {
        // each job has its own players, opened before the first game
        let jobs = (0..self.jobs.max(1)).map(|job| self.open_sides(game, job));
        let jobs = jobs.collect::<Result<Vec<_>, _>>()?;
        let next = AtomicU64::new(0);
        let is_enough = AtomicBool::new(false);
        let mut all = Tally::default();
        std::thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for (job, mut sides) in jobs.into_iter().enumerate() {
                let core = self.core_of(job);
                let (sender, next, stop) = (sender.clone(), &next, [stop, &is_enough]);
                scope.spawn(move || {
                    if let Some(core) = core {
                        pin_to_core(core);
                    }
                    while let number = next.fetch_add(1, Ordering::Relaxed)
                        && number < self.games.div_ceil(2)
                        && let Some(played) = self.play_pair(game, &mut sides, number, &stop)
                        && sender.send(played).is_ok()
                    {}
                });
            }
            drop(sender);
            for (tally, records) in results {
                all += &tally;
                if on_pair(&all, &records).is_break() {
                    is_enough.store(true, Ordering::Relaxed);
                    break;
                }
            }
        });
        Ok(all)
    }

    /// The core of a job and its bots.
    fn core_of(&self, job: usize) -> Option<usize> {
        let cores = &self.conditions.cores;
        cores.get(job % cores.len().max(1)).copied()
    }

    fn open_sides<G: BotGame>(
        &self,
        game: &G,
        job: usize,
    ) -> Result<[Box<dyn Side<G>>; 2], EntrantError> {
        let mut conditions = self.conditions.clone();
        conditions.cores = self.core_of(job).into_iter().collect();
        let [first, second] = &self.players;
        Ok([
            open_side(game, first, &conditions)?,
            open_side(game, second, &conditions)?,
        ])
    }

    /// Plays an opening twice, or once if the number of games ends there.
    fn play_pair<G: BotGame>(
        &self,
        game: &G,
        sides: &mut [Box<dyn Side<G>>; 2],
        number: u64,
        stop: &[&AtomicBool],
    ) -> Option<(Tally, Vec<Record>)> {
        let pair = GamePairSetup {
            opening: &self.opening,
            stop_condition: self.stop_condition,
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
        Some((played.tally(), records))
    }
}
