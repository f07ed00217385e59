//! Playing a game again, to see whether it is what it is said to be.

use crate::{Ending, Opening, Record, parse_turn};
use games::{AnyGame, Game, GameNameError, MoveError, Outcome, Seat, Turn, with_game};
use std::fmt;
use thiserror::Error;

/// What is known of a game that was played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayCheck {
    /// Where its opening comes from.
    pub opening: OpeningOrigin,
    /// How many turns were played after it.
    pub turns: usize,
}

/// Where an opening comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningOrigin {
    /// It is the game's own for this seed and pair.
    OfGame,
    /// It is what this seed and pair give where other numbers of turns are asked for.
    OfTurns,
    /// From somewhere else: it was made by hand, say. Its moves are legal all the same.
    Elsewhere,
}

/// A part of a game that does not fit, for [`super::ReplayLocations::of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayPart {
    /// The game's name.
    Game,
    /// A turn of the opening, from 0.
    Opening(usize),
    /// A turn after it, from 0.
    Turn(usize),
    /// Who won.
    Result,
    /// How it ended.
    Ending,
    /// The hash of the last position.
    Hash,
}

/// Why a game is not what it is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// What does not fit.
    pub place: ReplayPart,
    /// Why.
    pub problem: CheckProblem,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            ReplayPart::Opening(i) => write!(f, "turn {} of the opening: {}", i + 1, self.problem),
            ReplayPart::Turn(i) => write!(f, "turn {} after the opening: {}", i + 1, self.problem),
            _ => write!(f, "{}", self.problem),
        }
    }
}

impl std::error::Error for CheckError {}

/// What does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckProblem {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameNameError),
    /// A move is not legal.
    #[error("`{text}`: {error}")]
    Move {
        /// The turn as it is written, at most its first 40 characters.
        text: String,
        /// Why not.
        error: MoveError,
    },
    /// The result is not what the game came to.
    #[error("the result is said to be `{said}`, and it is `{found}`")]
    Result {
        /// What is said.
        said: Outcome,
        /// What it is.
        found: Outcome,
    },
    /// It is said to have ended by the rules, and goes on.
    #[error("the game is said to have ended, and its rules let it go on")]
    GoesOn,
    /// It is said to be settled, and is not.
    #[error("the result is said to be certain, and moves could still change it")]
    Open,
    /// A fault is said to have ended it, and it was over before.
    #[error("a fault is said to have ended the game, which was over before")]
    Over,
    /// A seat is said to have resigned, and it was over before.
    #[error("the {0} seat is said to have resigned a game that was over before")]
    ResignedLate(Seat),
    /// It is said not to be finished, and it is over.
    #[error("the game is said not to be finished, and it is over")]
    Finished,
    /// Faults are said to have ended it, and there is none.
    #[error("a fault is said to have ended the game, and none is told")]
    NoFault,
    /// A seat has a fault and was not to move.
    #[error("the {0} seat is said to have lost by a fault, and was not to move")]
    NotAsked(Seat),
    /// The last position is another.
    #[error("the last position has the hash {found:016x}, not {said:016x}")]
    Hash {
        /// What is said.
        said: u64,
        /// What it is.
        found: u64,
    },
}

/// Plays a game again: whether its moves are legal, its result and its end are as said, and
/// its last position has the hash that is said.
///
/// # Errors
/// The first thing that does not fit.
pub fn check(record: &Record) -> Result<ReplayCheck, CheckError> {
    let game: AnyGame = record
        .game
        .parse()
        .map_err(|e| wrong(ReplayPart::Game, e))?;
    with_game!(&game, |game| replayed(game, record))
}

fn replayed<G: Game>(game: &G, record: &Record) -> Result<ReplayCheck, CheckError> {
    let mut state = game.start();
    let mut joints = Vec::with_capacity(record.opening.len());
    for (i, text) in record.opening.iter().enumerate() {
        joints.push(step(game, &mut state, text, ReplayPart::Opening(i))?);
    }
    for (i, turn) in record.turns.iter().enumerate() {
        step(game, &mut state, &turn.text, ReplayPart::Turn(i))?;
    }
    ended(game, &state, record)?;
    let (said, found) = (record.hash, game.hash(&state));
    if said != found {
        return Err(wrong(ReplayPart::Hash, CheckProblem::Hash { said, found }));
    }
    let is_drawn = |opening: Opening| opening.draw(game, record.seed, record.pair).joints == joints;
    let length = u32::try_from(joints.len()).unwrap_or(u32::MAX);
    let opening = if is_drawn(Opening::OfGame) {
        OpeningOrigin::OfGame
    } else if is_drawn(Opening::Turns(length..=length)) {
        OpeningOrigin::OfTurns
    } else {
        OpeningOrigin::Elsewhere
    };
    Ok(ReplayCheck {
        opening,
        turns: record.turns.len(),
    })
}

/// Plays one turn.
pub(crate) fn step<G: Game>(
    game: &G,
    state: &mut G::State,
    text: &str,
    place: ReplayPart,
) -> Result<games::JointMove<G::Move>, CheckError> {
    let joint = parse_turn(game, state, text).map_err(|error| {
        let text = text.chars().take(40).collect();
        wrong(place, CheckProblem::Move { text, error })
    })?;
    game.apply(state, joint);
    Ok(joint)
}

/// Whether the game ended in this position as it is said to have.
fn ended<G: Game>(game: &G, state: &G::State, record: &Record) -> Result<(), CheckError> {
    let said = record.outcome;
    match come_to(game, state, record)? {
        Some(found) if said != found => Err(wrong(
            ReplayPart::Result,
            CheckProblem::Result { said, found },
        )),
        _ => Ok(()),
    }
}

/// Who has won in this position, where the game ended there as it is said to have; `None`
/// for a game that was not finished.
pub(crate) fn come_to<G: Game>(
    game: &G,
    state: &G::State,
    record: &Record,
) -> Result<Option<Outcome>, CheckError> {
    let turn = game.turn(state);
    let is_over = turn.outcome().is_some();
    let found = match &record.ending {
        Ending::Rules => turn.outcome().ok_or(CheckProblem::GoesOn).map(Some),
        Ending::Settled => game.settled(state).ok_or(CheckProblem::Open).map(Some),
        Ending::Faults([None, None]) => Err(CheckProblem::NoFault),
        Ending::Faults(_) => faulted(turn, record).map(Some),
        Ending::Resigned(seat) if is_over => Err(CheckProblem::ResignedLate(*seat)),
        Ending::Resigned(_) => Ok(record.ending.outcome()),
        Ending::Unfinished if is_over => Err(CheckProblem::Finished),
        Ending::Unfinished => Ok(None),
    };
    found.map_err(|problem| wrong(ReplayPart::Ending, problem))
}

/// Who won by the other's fault, where whoever has one had to do something.
fn faulted(turn: Turn, record: &Record) -> Result<Outcome, CheckProblem> {
    if turn.outcome().is_some() {
        return Err(CheckProblem::Over);
    }
    // before the first turn both are told that the game begins, and both may fail
    let is_begun = !record.turns.is_empty();
    let mut faulty = Seat::BOTH
        .into_iter()
        .filter(|&s| record.ending.of(s).is_some());
    if let Some(seat) = faulty.find(|&seat| is_begun && !turn.asks(seat)) {
        return Err(CheckProblem::NotAsked(seat));
    }
    record.ending.outcome().ok_or(CheckProblem::NoFault)
}

fn wrong(place: ReplayPart, problem: impl Into<CheckProblem>) -> CheckError {
    let problem = problem.into();
    CheckError { place, problem }
}
