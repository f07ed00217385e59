//! A pair of games: one opening, played twice with the seats exchanged.

use crate::{
    Broadcast, Opening, OpeningLine, PlayedGame, ProcessReport, Record, RecordedTurn, Referee,
    Side, StopCondition, Tally, write_turn,
};
use games::{Dice, Game, Seat};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The parameters of a pair of games.
#[derive(Clone, Debug)]
pub struct GamePairSetup<'a> {
    /// How the games begin.
    pub opening: &'a Opening,
    /// When the games end.
    pub stop_condition: StopCondition,
    /// The match's seed.
    pub seed: u64,
    /// The number of the pair, which is that of its opening.
    pub number: u64,
    /// Whether both games are played, or only the first.
    pub is_whole: bool,
    /// Receives positions for spectators.
    pub broadcast: Option<&'a Broadcast>,
}

/// A pair of games that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct GamePairResult<G: Game> {
    /// Their opening.
    pub opening: OpeningLine<G>,
    /// One or two games; in the first one the first side had the first seat.
    pub games: Vec<PlayedGame<G>>,
}

impl GamePairSetup<'_> {
    /// Plays the pair; `None` if a stop flag was set meanwhile.
    ///
    /// ```
    /// use matches::{BuiltinPlayer, GamePairSetup, Opening, Side, StopCondition};
    /// use players::{Clock, PlayerError};
    ///
    /// let game = games::mnk::Mnk::TICTACTOE;
    /// let open = |text| -> Result<Box<dyn Side<_>>, PlayerError> {
    ///     let player = players::open(&game, text, &Clock::stopped())?;
    ///     Ok(Box::new(BuiltinPlayer::new(player, Clock::stopped())))
    /// };
    /// let pair = GamePairSetup {
    ///     opening: &Opening::OfGame,
    ///     stop_condition: StopCondition::Settled,
    ///     seed: 1,
    ///     number: 0,
    ///     is_whole: true,
    ///     broadcast: None,
    /// };
    /// let played = pair.play(&game, &mut [open("perfect")?, open("perfect")?], &[]);
    /// let played = played.expect("no flag stops it");
    /// assert_eq!(played.games[0].outcome, played.games[1].outcome, "each has both seats once");
    /// # Ok::<(), PlayerError>(())
    /// ```
    pub fn play<G: Game>(
        &self,
        game: &G,
        sides: &mut [Box<dyn Side<G>>; 2],
        stop: &[&AtomicBool],
    ) -> Option<GamePairResult<G>> {
        let opening = self.opening.draw(game, self.seed, self.number);
        let referee = Referee {
            game,
            stop_condition: self.stop_condition,
            stop,
        };
        let count = if self.is_whole { 2 } else { 1 };
        let mut games = Vec::with_capacity(count);
        for seat in &Seat::BOTH[..count] {
            let part = 2 * self.number + seat.index() as u64;
            let mut dice = Dice::of_part(!self.seed, part);
            let (a, b) = (dice.word(), dice.word());
            let [first, second] = sides;
            let (first, second): (&mut dyn Side<G>, &mut dyn Side<G>) =
                (first.as_mut(), second.as_mut());
            let (seated, seeds) = match seat {
                Seat::First => ([first, second], [a, b]),
                Seat::Second => ([second, first], [b, a]),
            };
            let on_position = |played: &PlayedGame<G>| {
                let broadcast = self.broadcast.filter(|broadcast| broadcast.is_requested());
                if let Some(broadcast) = broadcast {
                    let turns = opening.joints.len() + played.joints.len();
                    let diagram = game.diagram(&played.end, Seat::First);
                    let leg = seat.index() as u8;
                    broadcast.publish((self.number, leg), turns, diagram);
                }
            };
            games.push(referee.play_with(&opening.state, seated, seeds, on_position)?);
        }
        Some(GamePairResult { opening, games })
    }
}

impl<G: Game> GamePairResult<G> {
    /// The results of the pair.
    ///
    /// ```
    /// use matches::{BuiltinPlayer, GamePairSetup, Opening, Side, StopCondition};
    /// use players::{Clock, PlayerError};
    ///
    /// let game = games::mnk::Mnk::TICTACTOE;
    /// let open = |text| -> Result<Box<dyn Side<_>>, PlayerError> {
    ///     let player = players::open(&game, text, &Clock::stopped())?;
    ///     Ok(Box::new(BuiltinPlayer::new(player, Clock::stopped())))
    /// };
    /// let pair = GamePairSetup {
    ///     opening: &Opening::Turns(0..=0),
    ///     stop_condition: StopCondition::End,
    ///     seed: 1,
    ///     number: 0,
    ///     is_whole: true,
    ///     broadcast: None,
    /// };
    /// let played = pair.play(&game, &mut [open("perfect")?, open("perfect")?], &[]);
    /// assert_eq!(played.expect("no flag stops it").tally().score.draws, 2);
    /// # Ok::<(), PlayerError>(())
    /// ```
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        let mut half_points = 0;
        for (played, seat) in self.games.iter().zip(Seat::BOTH) {
            half_points += tally.count(played.outcome, seat);
            for (player, at) in [seat, seat.other()].into_iter().enumerate() {
                tally.time[player] += played.time[at.index()];
                let slowest = tally.slowest[player].max(played.slowest[at.index()]);
                tally.slowest[player] = slowest;
                tally.moves[player] += played.moves[at.index()];
                tally.faults[player] += u64::from(played.ending.of(at).is_some());
            }
        }
        if self.games.len() == 2 {
            tally.pairs[half_points as usize] += 1;
        }
        tally
    }

    /// The games as records; `players` are the sides' names.
    ///
    /// ```
    /// use matches::{BuiltinPlayer, GamePairSetup, Opening, Side, StopCondition};
    /// use players::{Clock, PlayerError};
    ///
    /// let game = games::mnk::Mnk::TICTACTOE;
    /// let open = |text| -> Result<Box<dyn Side<_>>, PlayerError> {
    ///     let player = players::open(&game, text, &Clock::stopped())?;
    ///     Ok(Box::new(BuiltinPlayer::new(player, Clock::stopped())))
    /// };
    /// let pair = GamePairSetup {
    ///     opening: &Opening::OfGame,
    ///     stop_condition: StopCondition::End,
    ///     seed: 1,
    ///     number: 0,
    ///     is_whole: true,
    ///     broadcast: None,
    /// };
    /// let played = pair.play(&game, &mut [open("perfect")?, open("random")?], &[]);
    /// let names = ["perfect".to_string(), "random".to_string()];
    /// let records = played.expect("no flag stops it").records(&game, &pair, &names);
    /// assert_eq!(records[1].players, ["random", "perfect"], "the seats are exchanged");
    /// assert!(records.iter().all(|record| matches::replay::check(record).is_ok()));
    /// # Ok::<(), PlayerError>(())
    /// ```
    #[must_use]
    pub fn records(
        &self,
        game: &G,
        pair: &GamePairSetup<'_>,
        players: &[String; 2],
    ) -> Vec<Record> {
        let [a, b] = players;
        let seats = [[a, b], [b, a]];
        let seated_games = self.games.iter().zip(seats);
        let record = |(played, seated): (&PlayedGame<G>, [&String; 2])| {
            let mut state = game.start();
            let mut write = |joint| {
                let text = write_turn(game, &state, joint);
                game.apply(&mut state, joint);
                text
            };
            let opening = self.opening.joints.iter().map(|&joint| write(joint));
            let opening = opening.collect();
            let turn = |(i, &joint): (usize, _)| RecordedTurn {
                text: write(joint),
                spent: played
                    .spent
                    .get(i)
                    .copied()
                    .unwrap_or_default()
                    .map(to_whole_microseconds),
            };
            Record {
                game: game.name(),
                players: seated.map(String::clone),
                seed: pair.seed,
                pair: pair.number,
                opening,
                turns: played.joints.iter().enumerate().map(turn).collect(),
                outcome: played.outcome,
                ending: played.ending.clone(),
                hash: game.hash(&played.end),
                reports: played.reports.each_ref().map(ProcessReport::clone),
            }
        };
        seated_games.map(record).collect()
    }
}

/// Truncates to whole microseconds: the rest is noise and makes files a third longer.
fn to_whole_microseconds(time: Option<Duration>) -> Option<Duration> {
    time.map(|time| Duration::new(time.as_secs(), time.subsec_micros() * 1000))
}
