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
    /// As soon as no move can change the result. Results are the same, games shorter.
    Settled,
}

/// Plays games between two sides by the rules.
///
/// Where both seats move simultaneously they think one after the other, from the same position,
/// so that each has the machine to itself.
#[derive(Clone, Copy, Debug)]
pub struct Referee<'a, G> {
    /// The rules.
    pub game: &'a G,
    /// When a game ends.
    pub stop_condition: StopCondition,
    /// Stop flags: any of them aborts a game.
    pub stop: &'a [&'a AtomicBool],
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame<G: Game> {
    /// The turns after the opening.
    pub joints: Vec<JointMove<G::Move>>,
    /// Thinking time of each seat per turn; `None` for a seat that was not to move. Empty if no
    /// turn was timed.
    pub spent: Vec<[Option<Duration>; 2]>,
    /// The last position.
    pub end: G::State,
    /// Who has won.
    pub outcome: Outcome,
    /// How it ended.
    pub ending: Ending,
    /// Number of each seat's moves.
    pub moves: [u64; 2],
    /// Total thinking time of each seat; players that move without search need none.
    pub time: [Duration; 2],
    /// Longest thinking time of each seat for one move.
    pub slowest: [Duration; 2],
    /// Each seat's report.
    pub reports: [ProcessReport; 2],
}

/// Why there is no move.
enum MoveFailure {
    Fault(Fault),
    Stopped,
}

impl<G: Game> Referee<'_, G> {
    /// Plays a game between two sides from a position; the first has the first seat. Each has
    /// its random seed. `None` if it was aborted: then the sides' `end` is not called.
    ///
    /// ```
    /// use games::{Game as _, Outcome};
    /// use matches::{BuiltinPlayer, Referee, StopCondition};
    /// use players::{Clock, PlayerError};
    ///
    /// let game = games::mnk::Mnk::TICTACTOE;
    /// let open = |text| -> Result<BuiltinPlayer<_>, PlayerError> {
    ///     Ok(BuiltinPlayer::new(players::open(&game, text, &Clock::stopped())?, Clock::stopped()))
    /// };
    /// let (mut first, mut second) = (open("perfect")?, open("perfect")?);
    /// let referee = Referee { game: &game, stop_condition: StopCondition::End, stop: &[] };
    /// let played = referee.play(&game.start(), [&mut first, &mut second], [1, 2]);
    /// assert_eq!(played.map(|played| played.outcome), Some(Outcome::Draw));
    /// # Ok::<(), PlayerError>(())
    /// ```
    pub fn play(
        &self,
        start: &G::State,
        sides: [&mut dyn Side<G>; 2],
        seeds: [u64; 2],
    ) -> Option<PlayedGame<G>> {
        self.play_with(start, sides, seeds, |_| ())
    }

    /// The same with a callback for the first position and each one that a turn leads to.
    pub(crate) fn play_with(
        &self,
        start: &G::State,
        mut sides: [&mut dyn Side<G>; 2],
        seeds: [u64; 2],
        mut on_position: impl FnMut(&PlayedGame<G>),
    ) -> Option<PlayedGame<G>> {
        let mut played = PlayedGame {
            joints: Vec::with_capacity(64),
            spent: Vec::new(),
            end: start.clone(),
            outcome: Outcome::Draw,
            ending: Ending::Rules,
            moves: [0; 2],
            time: [Duration::ZERO; 2],
            slowest: [Duration::ZERO; 2],
            reports: Default::default(),
        };
        let mut faults = [None, None];
        for seat in Seat::BOTH {
            let (i, seed) = (seat.index(), seeds[seat.index()]);
            let mut watch = StopFlagWatch(self.stop);
            let begun = sides[i].begin(self.game, start, seat, seed, &mut watch);
            faults[i] = begun.err();
        }
        on_position(&played);
        while faults == [None, None] {
            let turn = self.game.turn(&played.end);
            if let Some(outcome) = turn.outcome() {
                played.outcome = outcome;
                break;
            }
            let settled = match self.stop_condition {
                StopCondition::Settled => self.game.settled(&played.end),
                StopCondition::End => None,
            };
            if let Some(outcome) = settled {
                played.outcome = outcome;
                played.ending = Ending::Settled;
                break;
            }
            let mut spent = [None; 2];
            let mut moves = [None; 2];
            for seat in Seat::BOTH {
                if !turn.asks(seat) {
                    continue;
                }
                let i = seat.index();
                match self.ask(&mut played, sides[i], seat, &mut spent[i]) {
                    Ok(m) => moves[i] = Some(m),
                    Err(MoveFailure::Fault(fault)) => faults[i] = Some(fault),
                    Err(MoveFailure::Stopped) => return None,
                }
            }
            if !played.spent.is_empty() || spent != [None; 2] {
                // untimed turns before the first timed one
                played.spent.resize(played.joints.len(), [None; 2]);
                played.spent.push(spent);
            }
            let joint = match (turn, moves) {
                (Turn::One(_), [Some(m), _] | [_, Some(m)]) => JointMove::One(m),
                (Turn::Both, [Some(first), Some(second)]) => JointMove::Both(first, second),
                _ => break,
            };
            self.game.apply(&mut played.end, joint);
            played.joints.push(joint);
            on_position(&played);
        }
        if is_set(self.stop) {
            return None;
        }
        if faults != [None, None] {
            played.ending = Ending::Faults(faults);
            played.outcome = played.ending.outcome().unwrap_or(Outcome::Draw);
        }
        for (side, report) in sides.iter_mut().zip(&mut played.reports) {
            *report = side.end(self.game, &played.end, played.outcome);
        }
        Some(played)
    }

    #[inline]
    fn ask(
        &self,
        played: &mut PlayedGame<G>,
        side: &mut dyn Side<G>,
        seat: Seat,
        spent: &mut Option<Duration>,
    ) -> Result<G::Move, MoveFailure> {
        let i = seat.index();
        if let Some(m) = side.instant_move(self.game, &played.end, seat) {
            played.moves[i] += 1;
            return Ok(m);
        }
        let mut watch = StopFlagWatch(self.stop);
        let reply = side.think(self.game, &played.end, seat, &mut watch);
        if is_set(self.stop) {
            return Err(MoveFailure::Stopped);
        }
        *spent = Some(reply.spent);
        played.time[i] += reply.spent;
        played.slowest[i] = played.slowest[i].max(reply.spent);
        let thought = reply.thought.map_err(MoveFailure::Fault)?;
        played.moves[i] += 1;
        Ok(thought.choice)
    }
}
