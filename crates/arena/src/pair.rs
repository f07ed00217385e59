//! A pair of games: one opening, played twice with the seats exchanged.

use crate::{
    Broadcast, Opening, OpeningLine, PlayedGame, ProcessReport, Record, RecordedTurn, Referee,
    Side, StopCondition, write_turn,
};
use games::{Dice, Game, Seat};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Which pair of games is to be played, and how.
#[derive(Clone, Debug)]
pub(crate) struct GamePairSetup<'a> {
    pub(crate) opening: &'a Opening,
    pub(crate) until: StopCondition,
    /// The match's seed.
    pub(crate) seed: u64,
    /// The number of the pair, which is that of its opening.
    pub(crate) number: u64,
    /// Whether both games are played; only the first where not.
    pub(crate) is_whole: bool,
    /// Where its positions are shown to those who ask.
    pub(crate) broadcast: Option<&'a Broadcast>,
}

/// A pair that was played.
pub(crate) struct GamePairResult<G: Game> {
    pub(crate) opened: OpeningLine<G>,
    /// One or two games; in the first of them the first side sat in the first seat.
    pub(crate) bouts: Vec<PlayedGame<G>>,
}

impl GamePairSetup<'_> {
    /// `None` when it was broken off.
    pub(crate) fn play<G: Game>(
        &self,
        game: &G,
        sides: &mut [Box<dyn Side<G>>; 2],
        stop: &[&AtomicBool],
    ) -> Option<GamePairResult<G>> {
        let opened = self.opening.draw(game, self.seed, self.number);
        let referee = Referee {
            game,
            until: self.until,
            stop,
        };
        let games = if self.is_whole { 2 } else { 1 };
        let mut bouts = Vec::with_capacity(games);
        for seat in &Seat::BOTH[..games] {
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
            let seen = |bout: &PlayedGame<G>| {
                let broadcast = self.broadcast.filter(|broadcast| broadcast.is_wanted());
                if let Some(broadcast) = broadcast {
                    let turns = opened.joints.len() + bout.joints.len();
                    let diagram = game.diagram(&bout.end, Seat::First);
                    let leg = seat.index() as u8;
                    broadcast.show((self.number, leg), turns, diagram);
                }
            };
            bouts.push(referee.play_before(&opened.state, seated, seeds, seen)?);
        }
        Some(GamePairResult { opened, bouts })
    }
}

impl<G: Game> GamePairResult<G> {
    /// The games as they are kept; `players` are the sides' texts.
    pub(crate) fn records(
        &self,
        game: &G,
        pair: &GamePairSetup<'_>,
        players: &[String; 2],
    ) -> Vec<Record> {
        let [a, b] = players;
        let seats = [[a, b], [b, a]];
        let games = self.bouts.iter().zip(seats);
        let record = |(bout, seated): (&PlayedGame<G>, [&String; 2])| {
            let mut state = game.start();
            let mut write = |joint| {
                let text = write_turn(game, &state, joint);
                game.apply(&mut state, joint);
                text
            };
            let opening = self.opened.joints.iter().map(|&joint| write(joint));
            let opening = opening.collect();
            let turn = |(i, &joint): (usize, _)| RecordedTurn {
                text: write(joint),
                spent: bout.spent.get(i).copied().unwrap_or_default().map(whole),
            };
            Record {
                game: game.name(),
                players: seated.map(String::clone),
                seed: pair.seed,
                pair: pair.number,
                opening,
                turns: bout.joints.iter().enumerate().map(turn).collect(),
                outcome: bout.outcome,
                ending: bout.ending.clone(),
                hash: game.hash(&bout.end),
                aftermath: bout.aftermath.each_ref().map(ProcessReport::clone),
            }
        };
        games.map(record).collect()
    }
}

/// The time in whole microseconds: what is less is noise, and makes files a third longer.
fn whole(time: Option<Duration>) -> Option<Duration> {
    time.map(|time| Duration::new(time.as_secs(), time.subsec_micros() * 1000))
}
