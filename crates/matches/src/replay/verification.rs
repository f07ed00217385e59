//! Verification: replays a game and checks the record against it.

use crate::{Ending, Opening, Record, RecordedTurn, parse_turn};
use games::{AnyGame, Game, GameNameError, MoveError, Outcome, Seat, Turn, with_game};
use std::fmt;
use thiserror::Error;

/// The result of a successful verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayCheck {
    /// The origin of its opening.
    pub opening: OpeningOrigin,
    /// Number of turns after the opening.
    pub turns: usize,
}

/// The origin of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningOrigin {
    /// It is the game's own for this seed and pair.
    OfGame,
    /// This seed and pair give it for another number of turns.
    OfTurns,
    /// From somewhere else: it was made by hand, say. Its moves are legal all the same.
    Elsewhere,
}

/// A part of a record, for [`super::ReplayLocations::of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayPart {
    /// The game's name.
    Game,
    /// A turn of the opening, from 0.
    Opening(usize),
    /// A turn after the opening, from 0.
    Turn(usize),
    /// Who won.
    Result,
    /// How it ended.
    Ending,
    /// The hash of the last position.
    Hash,
}

/// A contradiction in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// The part.
    pub part: ReplayPart,
    /// The problem.
    pub problem: CheckProblem,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            ReplayPart::Opening(i) => write!(f, "turn {} of the opening: {}", i + 1, self.problem),
            ReplayPart::Turn(i) => write!(f, "turn {} after the opening: {}", i + 1, self.problem),
            _ => write!(f, "{}", self.problem),
        }
    }
}

impl std::error::Error for CheckError {}

/// The part.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckProblem {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameNameError),
    /// A move is not legal.
    #[error("`{text}`: {error}")]
    Move {
        /// The turn's text, at most its first 40 characters.
        text: String,
        /// Why.
        error: MoveError,
    },
    /// The result is wrong.
    #[error("the result is said to be `{said}`, and it is `{found}`")]
    Result {
        /// The recorded value.
        said: Outcome,
        /// The actual value.
        found: Outcome,
    },
    /// Recorded as ended by the rules, but it is not over.
    #[error("the game is said to have ended, and its rules let it go on")]
    NotOver,
    /// Recorded as settled, but it is not.
    #[error("the result is said to be certain, and moves could still change it")]
    NotSettled,
    /// Recorded as ended by a fault, but it was over before.
    #[error("a fault is said to have ended the game, which was over before")]
    FaultAfterEnd,
    /// Recorded as resigned, but it was over before.
    #[error("the {0} seat is said to have resigned a game that was over before")]
    ResignedAfterEnd(Seat),
    /// Recorded as unfinished, but it is over.
    #[error("the game is said not to be finished, and it is over")]
    AlreadyOver,
    /// Recorded as ended by faults, but none is given.
    #[error("a fault is said to have ended the game, and none is told")]
    NoFault,
    /// A seat has a fault but was not to move.
    #[error("the {0} seat is said to have lost by a fault, and was not to move")]
    NotToMove(Seat),
    /// The last position's hash is wrong.
    #[error("the last position has the hash {found:016x}, not {said:016x}")]
    Hash {
        /// The recorded value.
        said: u64,
        /// The actual value.
        found: u64,
    },
}

/// Replays a game and checks that its moves are legal, and that its result, ending and last
/// position's hash are as recorded.
///
/// # Errors
/// The first contradiction.
///
/// ```
/// use matches::replay::{BUNDLED, ReplayPart, check, read_text};
///
/// let mut record = read_text(BUNDLED[0].text).next().expect("one game")?.record;
/// assert!(check(&record).is_ok());
/// record.turns[3].text = "nowhere".into();
/// assert_eq!(check(&record).map_err(|error| error.part), Err(ReplayPart::Turn(3)));
/// # Ok::<(), matches::replay::ReplayError>(())
/// ```
pub fn check(record: &Record) -> Result<ReplayCheck, CheckError> {
    let game: AnyGame = record
        .game
        .parse()
        .map_err(|e| check_error(ReplayPart::Game, e))?;
    with_game!(&game, |game| check_game(game, record))
}

impl Record {
    /// The record of a [`crate::Table`]'s game: its name, players, opening and turns with their
    /// times. It is replayed to compute the last position and, where the rules decide, the
    /// outcome. Seed and pair are 0.
    ///
    /// # Errors
    /// There is no such game, a turn cannot be played, or the ending contradicts the last
    /// position.
    ///
    /// ```
    /// use matches::{Ending, Record, RecordedTurn};
    ///
    /// let turn = RecordedTurn { text: "B2".into(), spent: [None; 2] };
    /// let players = ["anna".to_string(), "ben".to_string()];
    /// let record = |ending| {
    ///     let turns = vec![turn.clone()];
    ///     Record::from_table("tictactoe".into(), players.clone(), vec![], turns, ending)
    /// };
    /// assert_eq!(record(Ending::Unfinished)?.result(), None);
    /// assert!(record(Ending::Rules).is_err(), "the game goes on");
    /// # Ok::<(), matches::replay::CheckError>(())
    /// ```
    pub fn from_table(
        game: String,
        players: [String; 2],
        opening: Vec<String>,
        turns: Vec<RecordedTurn>,
        ending: Ending,
    ) -> Result<Self, CheckError> {
        let rules: AnyGame = game.parse().map_err(|error| CheckError {
            part: ReplayPart::Game,
            problem: CheckProblem::Game(error),
        })?;
        let mut record = Self {
            game,
            players,
            seed: 0,
            pair: 0,
            opening,
            turns,
            outcome: Outcome::Draw,
            ending,
            hash: 0,
            reports: Default::default(),
        };
        with_game!(&rules, |game| record.compute_end(game))?;
        Ok(record)
    }

    /// Computes hash and outcome from the turns.
    fn compute_end<G: Game>(&mut self, game: &G) -> Result<(), CheckError> {
        let mut state = game.start();
        for (i, text) in self.opening.iter().enumerate() {
            play_turn(game, &mut state, text, ReplayPart::Opening(i))?;
        }
        for (i, turn) in self.turns.iter().enumerate() {
            play_turn(game, &mut state, &turn.text, ReplayPart::Turn(i))?;
        }
        self.hash = game.hash(&state);
        self.outcome = match compute_outcome(game, &state, self)? {
            Some(outcome) => outcome,
            None => Outcome::Draw,
        };
        Ok(())
    }
}

fn check_game<G: Game>(game: &G, record: &Record) -> Result<ReplayCheck, CheckError> {
    let mut state = game.start();
    let mut joints = Vec::with_capacity(record.opening.len());
    for (i, text) in record.opening.iter().enumerate() {
        joints.push(play_turn(game, &mut state, text, ReplayPart::Opening(i))?);
    }
    for (i, turn) in record.turns.iter().enumerate() {
        play_turn(game, &mut state, &turn.text, ReplayPart::Turn(i))?;
    }
    check_ending(game, &state, record)?;
    let (said, found) = (record.hash, game.hash(&state));
    if said != found {
        return Err(check_error(
            ReplayPart::Hash,
            CheckProblem::Hash { said, found },
        ));
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
pub(super) fn play_turn<G: Game>(
    game: &G,
    state: &mut G::State,
    text: &str,
    part: ReplayPart,
) -> Result<games::JointMove<G::Move>, CheckError> {
    let joint = parse_turn(game, state, text).map_err(|error| {
        let text = text.chars().take(40).collect();
        check_error(part, CheckProblem::Move { text, error })
    })?;
    game.apply(state, joint);
    Ok(joint)
}

/// Checks result and ending against the last position.
fn check_ending<G: Game>(game: &G, state: &G::State, record: &Record) -> Result<(), CheckError> {
    let said = record.outcome;
    match compute_outcome(game, state, record)? {
        Some(found) if said != found => Err(check_error(
            ReplayPart::Result,
            CheckProblem::Result { said, found },
        )),
        _ => Ok(()),
    }
}

/// The outcome of this position under the recorded ending; `None` for an unfinished game.
fn compute_outcome<G: Game>(
    game: &G,
    state: &G::State,
    record: &Record,
) -> Result<Option<Outcome>, CheckError> {
    let turn = game.turn(state);
    let is_over = turn.outcome().is_some();
    let found = match &record.ending {
        Ending::Rules => turn.outcome().ok_or(CheckProblem::NotOver).map(Some),
        Ending::Settled => game
            .settled(state)
            .ok_or(CheckProblem::NotSettled)
            .map(Some),
        Ending::Faults([None, None]) => Err(CheckProblem::NoFault),
        Ending::Faults(_) => outcome_by_fault(turn, record).map(Some),
        Ending::Resigned(seat) if is_over => Err(CheckProblem::ResignedAfterEnd(*seat)),
        Ending::Resigned(_) => Ok(record.ending.outcome()),
        Ending::Unfinished if is_over => Err(CheckProblem::AlreadyOver),
        Ending::Unfinished => Ok(None),
    };
    found.map_err(|problem| check_error(ReplayPart::Ending, problem))
}

/// The outcome by faults, if each faulty seat had to act.
fn outcome_by_fault(turn: Turn, record: &Record) -> Result<Outcome, CheckProblem> {
    if turn.outcome().is_some() {
        return Err(CheckProblem::FaultAfterEnd);
    }
    // before the first turn both sides are started, and both may fail
    let is_begun = !record.turns.is_empty();
    let mut faulty = Seat::BOTH
        .into_iter()
        .filter(|&s| record.ending.of(s).is_some());
    if let Some(seat) = faulty.find(|&seat| is_begun && !turn.asks(seat)) {
        return Err(CheckProblem::NotToMove(seat));
    }
    record.ending.outcome().ok_or(CheckProblem::NoFault)
}

fn check_error(part: ReplayPart, problem: impl Into<CheckProblem>) -> CheckError {
    let problem = problem.into();
    CheckError { part, problem }
}
