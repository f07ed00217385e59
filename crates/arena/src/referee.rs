//! One game between two sides.

use crate::side::{StopFlagWatch, is_set};
use crate::{Ending, Fault, ProcessReport, Side};
use games::{Game, JointMove, Outcome, Seat, Turn};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// When a game ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopCondition {
    /// When its rules say so.
    #[default]
    End,
    /// As soon as no move can change the result any more. The results are the same, the
    /// games shorter.
    Settled,
}

/// Leads games by the rules.
///
/// Where both seats move at once they are asked one after the other, from the same position,
/// so that both have the machine for themselves while they think.
#[derive(Clone, Copy, Debug)]
pub struct Referee<'a, G> {
    /// The rules.
    pub game: &'a G,
    /// When a game ends.
    pub until: StopCondition,
    /// Any of these breaks a game off when it is set.
    pub stop: &'a [&'a AtomicBool],
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame<G: Game> {
    /// What was played, after the opening.
    pub joints: Vec<JointMove<G::Move>>,
    /// How long each seat thought in each turn; `None` for a seat that was not asked. Empty
    /// where both move at once without thought.
    pub spent: Vec<[Option<Duration>; 2]>,
    /// The last position.
    pub end: G::State,
    /// Who has won.
    pub outcome: Outcome,
    /// How it came to its end.
    pub ending: Ending,
    /// How many moves each seat's player made.
    pub moves: [u64; 2],
    /// How long each seat thought, all in all; players that need no thought need no time.
    pub time: [Duration; 2],
    /// The longest that each seat thought about one move.
    pub slowest: [Duration; 2],
    /// What is known of each seat's player after the game.
    pub aftermath: [ProcessReport; 2],
}

/// Why no move came of asking.
enum MoveFailure {
    Fault(Fault),
    Stopped,
}

impl<G: Game> Referee<'_, G> {
    /// Lets two sides play on from a position; the first sits in the first seat. Chance for
    /// each starts from its seed. `None` when the game was broken off: then neither side is
    /// told of an end.
    pub fn play(
        &self,
        start: &G::State,
        sides: [&mut dyn Side<G>; 2],
        seeds: [u64; 2],
    ) -> Option<PlayedGame<G>> {
        self.play_before(start, sides, seeds, |_| ())
    }

    /// The same, with somebody who looks on: told of the first position and of each that a
    /// turn leads to.
    pub fn play_before(
        &self,
        start: &G::State,
        mut sides: [&mut dyn Side<G>; 2],
        seeds: [u64; 2],
        mut seen: impl FnMut(&PlayedGame<G>),
    ) -> Option<PlayedGame<G>> {
        let mut bout = PlayedGame {
            joints: Vec::with_capacity(64),
            spent: Vec::new(),
            end: start.clone(),
            outcome: Outcome::Draw,
            ending: Ending::Rules,
            moves: [0; 2],
            time: [Duration::ZERO; 2],
            slowest: [Duration::ZERO; 2],
            aftermath: Default::default(),
        };
        let mut faults = [None, None];
        for seat in Seat::BOTH {
            let (i, seed) = (seat.index(), seeds[seat.index()]);
            let mut watch = StopFlagWatch(self.stop);
            let begun = sides[i].begin(self.game, start, seat, seed, &mut watch);
            faults[i] = begun.err();
        }
        seen(&bout);
        while faults == [None, None] {
            let turn = self.game.turn(&bout.end);
            if let Some(outcome) = turn.outcome() {
                bout.outcome = outcome;
                break;
            }
            let settled = match self.until {
                StopCondition::Settled => self.game.settled(&bout.end),
                StopCondition::End => None,
            };
            if let Some(outcome) = settled {
                bout.outcome = outcome;
                bout.ending = Ending::Settled;
                break;
            }
            let mut spent = [None; 2];
            let mut moves = [None; 2];
            for seat in Seat::BOTH {
                if !turn.asks(seat) {
                    continue;
                }
                let i = seat.index();
                match self.ask(&mut bout, sides[i], seat, &mut spent[i]) {
                    Ok(m) => moves[i] = Some(m),
                    Err(MoveFailure::Fault(fault)) => faults[i] = Some(fault),
                    Err(MoveFailure::Stopped) => return None,
                }
            }
            if !bout.spent.is_empty() || spent != [None; 2] {
                // turns before the first that was timed
                bout.spent.resize(bout.joints.len(), [None; 2]);
                bout.spent.push(spent);
            }
            let joint = match (turn, moves) {
                (Turn::One(_), [Some(m), _] | [_, Some(m)]) => JointMove::One(m),
                (Turn::Both, [Some(first), Some(second)]) => JointMove::Both(first, second),
                _ => break,
            };
            self.game.apply(&mut bout.end, joint);
            bout.joints.push(joint);
            seen(&bout);
        }
        if is_set(self.stop) {
            return None;
        }
        if faults != [None, None] {
            bout.ending = Ending::Faults(faults);
            bout.outcome = bout.ending.outcome().unwrap_or(Outcome::Draw);
        }
        for (side, aftermath) in sides.iter_mut().zip(&mut bout.aftermath) {
            *aftermath = side.end(self.game, &bout.end, bout.outcome);
        }
        Some(bout)
    }

    #[inline]
    fn ask(
        &self,
        bout: &mut PlayedGame<G>,
        side: &mut dyn Side<G>,
        seat: Seat,
        spent: &mut Option<Duration>,
    ) -> Result<G::Move, MoveFailure> {
        let i = seat.index();
        if let Some(m) = side.at_once(self.game, &bout.end, seat) {
            bout.moves[i] += 1;
            return Ok(m);
        }
        let mut watch = StopFlagWatch(self.stop);
        let reply = side.think(self.game, &bout.end, seat, &mut watch);
        if is_set(self.stop) {
            return Err(MoveFailure::Stopped);
        }
        *spent = Some(reply.spent);
        bout.time[i] += reply.spent;
        bout.slowest[i] = bout.slowest[i].max(reply.spent);
        let thought = reply.thought.map_err(MoveFailure::Fault)?;
        bout.moves[i] += 1;
        Ok(thought.choice)
    }
}
