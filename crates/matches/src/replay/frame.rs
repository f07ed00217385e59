//! A game as a sequence of diagrams, and its result as text.

use super::verification::play_turn;
use super::{CheckError, ReplayPart};
use crate::{Ending, Record};
use games::{AnyGame, Diagram, Game, Outcome, Seat, with_game};
use std::time::Duration;

/// One position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayFrame {
    /// Number of turns so far, opening included; 0 is the start.
    pub turn: usize,
    /// Whether the last turn belongs to the opening.
    pub is_opening: bool,
    /// The last turn, as in [`crate::RecordedTurn::text`]; `None` at the start.
    pub text: Option<String>,
    /// Each seat's thinking time.
    pub spent: [Option<Duration>; 2],
    /// The board from the first seat's view, with the game's facts: mana, points.
    pub diagram: Diagram,
    /// The board from the second seat's view; `None` if it is the same.
    pub second: Option<Diagram>,
    /// [`games::Game::hash`] of the position.
    pub hash: u64,
}

/// All positions of a game from its start. After a turn that cannot be played, the iterator
/// ends with the error.
///
/// # Errors
/// There is no such game.
///
/// ```
/// use matches::{Ending, Record, RecordedTurn, replay};
/// use games::Seat;
///
/// let turns = ["B2", "A1"].map(|text| RecordedTurn { text: text.into(), spent: [None; 2] });
/// let players = ["anna".into(), "ben".into()];
/// let ending = Ending::Resigned(Seat::First);
/// let record = Record::from_table("tictactoe".into(), players, vec![], turns.into(), ending)?;
/// assert_eq!(replay::positions(&record)?.count(), 3, "the start, and one after each turn");
/// # Ok::<(), replay::CheckError>(())
/// ```
pub fn positions(
    record: &Record,
) -> Result<Box<dyn Iterator<Item = Result<ReplayFrame, CheckError>> + Send + '_>, CheckError> {
    let game: AnyGame = record.game.parse().map_err(|error| CheckError {
        part: ReplayPart::Game,
        problem: super::CheckProblem::Game(error),
    })?;
    with_game!(game, |game| Ok(Box::new(ReplayFrameIter {
        state: game.start(),
        game,
        record,
        next: Some(0),
    })))
}

struct ReplayFrameIter<'a, G: Game> {
    game: G,
    state: G::State,
    record: &'a Record,
    /// Number of turns before the next frame.
    next: Option<usize>,
}

impl<G: Game> Iterator for ReplayFrameIter<'_, G> {
    type Item = Result<ReplayFrame, CheckError>;

    fn next(&mut self) -> Option<Self::Item> {
        let turn = self.next.take()?;
        let opening = self.record.opening.len();
        let (text, spent, part) = match turn.checked_sub(1) {
            None => (None, [None; 2], ReplayPart::Game),
            Some(i) if i < opening => (
                Some(&self.record.opening[i]),
                [None; 2],
                ReplayPart::Opening(i),
            ),
            Some(i) => {
                let recorded = self.record.turns.get(i - opening)?;
                (
                    Some(&recorded.text),
                    recorded.spent,
                    ReplayPart::Turn(i - opening),
                )
            }
        };
        if let Some(text) = text
            && let Err(error) = play_turn(&self.game, &mut self.state, text, part)
        {
            return Some(Err(error));
        }
        self.next = Some(turn + 1);
        let [diagram, second] = Seat::BOTH.map(|seat| self.game.diagram(&self.state, seat));
        Some(Ok(ReplayFrame {
            turn,
            is_opening: turn > 0 && turn <= opening,
            text: text.cloned(),
            spent,
            second: (second != diagram).then_some(second),
            diagram,
            hash: self.game.hash(&self.state),
        }))
    }
}

/// The result in one line: `first wins: perfect against random`, `second wins: the first seat,
/// cmd:./bot, did not answer in 50 ms`.
///
/// ```
/// use matches::replay::{BUNDLED, read_text, result};
///
/// let replay = read_text(BUNDLED[0].text).next().expect("one game")?;
/// assert!(result(&replay.record).contains(" wins: "));
/// # Ok::<(), matches::replay::ReplayError>(())
/// ```
#[must_use]
pub fn result(record: &Record) -> String {
    let [first, second] = &record.players;
    let mut line = match record.result() {
        Some(Outcome::Win(Seat::First)) => format!("first wins: {first} against {second}"),
        Some(Outcome::Win(Seat::Second)) => format!("second wins: {second} against {first}"),
        Some(Outcome::Draw) => format!("a draw: {first} against {second}"),
        None => format!("not finished: {first} against {second}"),
    };
    match &record.ending {
        Ending::Rules | Ending::Unfinished => {}
        Ending::Resigned(seat) => line += &format!("; the {seat} seat resigned"),
        Ending::Settled => line += "; nothing could change that any more",
        Ending::Faults(_) => {
            for seat in Seat::BOTH {
                if let Some(fault) = record.ending.of(seat) {
                    line += &format!("; the {seat} seat: {fault}");
                }
            }
        }
    }
    line
}
