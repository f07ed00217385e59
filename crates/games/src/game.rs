//! The trait [`Game`] and its moves and turns.

use crate::{Diagram, Dice, Input, MoveError, Outcome, Seat, StateError};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::RangeInclusive;

/// Whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One seat moves.
    One(Seat),
    /// Both move at the same time, neither knowing the other's move.
    Both,
    /// The game is over.
    Over(Outcome),
}

impl Turn {
    /// Whether this seat is to move, alone or with the other.
    ///
    /// ```
    /// use games::{Outcome, Seat, Turn};
    ///
    /// assert!(Turn::One(Seat::First).asks(Seat::First));
    /// assert!(!Turn::One(Seat::First).asks(Seat::Second));
    /// assert!(Turn::Both.asks(Seat::Second));
    /// assert!(!Turn::Over(Outcome::Draw).asks(Seat::First));
    /// ```
    #[must_use]
    pub fn asks(self, seat: Seat) -> bool {
        match self {
            Self::One(mover) => mover == seat,
            Self::Both => true,
            Self::Over(_) => false,
        }
    }

    /// How it ended, if it has.
    ///
    /// ```
    /// use games::{Outcome, Turn};
    ///
    /// assert_eq!(Turn::Over(Outcome::Draw).outcome(), Some(Outcome::Draw));
    /// assert_eq!(Turn::Both.outcome(), None);
    /// ```
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Over(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// The moves of one turn: one move, or two simultaneous ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointMove<M> {
    /// The move of the seat whose turn it is.
    One(M),
    /// The first seat's move and the second's, made at the same time.
    Both(M, M),
}

impl<M: Copy> JointMove<M> {
    /// The move of a seat, where `turn` is whose move it was.
    ///
    /// ```
    /// use games::{JointMove, Seat, Turn};
    ///
    /// assert_eq!(JointMove::Both("a", "b").of(Seat::Second, Turn::Both), Some("b"));
    /// let turn = Turn::One(Seat::First);
    /// assert_eq!(JointMove::One("a").of(Seat::First, turn), Some("a"));
    /// assert_eq!(JointMove::One("a").of(Seat::Second, turn), None);
    /// ```
    #[must_use]
    pub fn of(self, seat: Seat, turn: Turn) -> Option<M> {
        match (self, turn) {
            (Self::One(m), Turn::One(mover)) if mover == seat => Some(m),
            (Self::Both(m, _), _) if seat == Seat::First => Some(m),
            (Self::Both(_, m), _) => Some(m),
            _ => None,
        }
    }
}

/// The rules of a two-player game, with their options.
///
/// Every value of this type is a valid set of rules; positions are plain values beside it.
/// Games are deterministic: a position and the moves decide what comes next (a game with random
/// events has their seed in its options).
///
/// Methods that take a move expect a legal one, and methods that list moves expect a position
/// where that seat is to move; they panic or return meaningless values otherwise. Untrusted
/// moves come as text, which [`Game::parse_move`] checks.
///
/// ```
/// use games::{Game as _, JointMove, Outcome, Seat, Turn, mnk::Mnk};
///
/// let game = Mnk::TICTACTOE;
/// let mut position = game.start();
/// for text in ["B2", "A1", "A2", "B1", "C2"] {
///     let Turn::One(seat) = game.turn(&position) else {
///         panic!("nobody has won yet");
///     };
///     let cell = game.parse_move(&position, seat, text)?;
///     game.apply(&mut position, JointMove::One(cell));
/// }
/// assert_eq!(game.turn(&position), Turn::Over(Outcome::Win(Seat::First)));
/// # Ok::<(), games::MoveError>(())
/// ```
pub trait Game: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// A position: all that the rest of the game depends on.
    type State: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// A move.
    type Move: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static;

    /// The game with its options as text, the same for equal games; [`crate::AnyGame`]
    /// reads it back. Options at their defaults are left out: `duel:16x16`.
    fn name(&self) -> String;

    /// The position in which a game begins.
    fn start(&self) -> Self::State;

    /// Whose move it is, or how the game has ended.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Every legal move of a seat that is to move, each once, in an order that is always the
    /// same. `into` is cleared first. There may be very many: ask [`Game::breadth`] before.
    fn moves(&self, state: &Self::State, seat: Seat, into: &mut Vec<Self::Move>);

    /// How many moves [`Game::moves`] would list.
    fn breadth(&self, state: &Self::State, seat: Seat) -> u64 {
        let mut moves = Vec::new();
        self.moves(state, seat, &mut moves);
        moves.len() as u64
    }

    /// Whether a move is one of [`Game::moves`].
    fn is_legal(&self, state: &Self::State, seat: Seat, m: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.moves(state, seat, &mut moves);
        moves.contains(&m)
    }

    /// A uniformly random one of [`Game::moves`]. Games override it with something faster than
    /// listing them all.
    fn random_move(&self, state: &Self::State, seat: Seat, dice: &mut Dice) -> Self::Move {
        let mut moves = Vec::new();
        self.moves(state, seat, &mut moves);
        dice.pick(&moves)
            .expect("a seat that is to move has a legal move")
    }

    /// Plays the moves of a turn. A final position stays as it is.
    fn apply(&self, state: &mut Self::State, joint: JointMove<Self::Move>);

    /// Plays random moves to the end, which `state` then holds, and says how it ended.
    fn playout(&self, state: &mut Self::State, dice: &mut Dice) -> Outcome {
        loop {
            match self.random_joint(state, dice) {
                Ok(joint) => self.apply(state, joint),
                Err(outcome) => return outcome,
            }
        }
    }

    /// A random move for each seat to move.
    ///
    /// # Errors
    /// The outcome, if the game is over.
    fn random_joint(
        &self,
        state: &Self::State,
        dice: &mut Dice,
    ) -> Result<JointMove<Self::Move>, Outcome> {
        match self.turn(state) {
            Turn::One(seat) => Ok(JointMove::One(self.random_move(state, seat, dice))),
            Turn::Both => {
                let first = self.random_move(state, Seat::First, dice);
                let second = self.random_move(state, Seat::Second, dice);
                Ok(JointMove::Both(first, second))
            }
            Turn::Over(outcome) => Err(outcome),
        }
    }

    /// The most turns of a game (plies, where seats alternate).
    fn longest(&self) -> u32;

    /// The number of random turns with which an arena opens a game, so that two deterministic
    /// players do not repeat the same game.
    fn opening(&self) -> RangeInclusive<u32>;

    /// The lead of the first seat in what this game counts (stones, points): 0 where it counts
    /// nothing, or both have the same. Used as the evaluation of greedy players.
    fn lead(&self, state: &Self::State) -> i64;

    /// The result, if no move can change it any more although the game goes on.
    fn settled(&self, state: &Self::State) -> Option<Outcome> {
        self.turn(state).outcome()
    }

    /// The position from the view of a seat: unchanged for the first; for the second with the
    /// seats exchanged, so that its own things look as the first's would. Applied twice for the
    /// second seat it gives the position back.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::State;

    /// A move from the view of a seat; applied twice for the same seat it gives the move back.
    fn view_move(&self, m: Self::Move, seat: Seat) -> Self::Move;

    /// The number of symmetries of the rules that keep the seats: 8 on a square board without a
    /// direction, 1 where there is only the identity. Number 0 is the identity.
    fn symmetries(&self) -> usize;

    /// The position under a symmetry.
    fn image(&self, state: &Self::State, symmetry: usize) -> Self::State;

    /// A move under a symmetry: playing it in the image leads to the image.
    fn image_move(&self, m: Self::Move, symmetry: usize) -> Self::Move;

    /// A hash of all that [`PartialEq`] compares. The same on every machine.
    fn hash(&self, state: &Self::State) -> u64;

    /// A move as text, without blanks: `B2`, `d4`, `00111110`. In a game where each seat
    /// sees the board from its own side it is the seat's own view, as it would type it.
    fn write_move(&self, m: Self::Move, seat: Seat) -> String;

    /// A legal move from text; what [`Game::write_move`] writes, and what people type
    /// instead of it. Blanks around it do not matter.
    ///
    /// # Errors
    /// Why it is no move, or not a legal one here.
    fn parse_move(
        &self,
        state: &Self::State,
        seat: Seat,
        text: &str,
    ) -> Result<Self::Move, MoveError>;

    /// A position as lines of text, all that [`PartialEq`] compares.
    fn write_state(&self, state: &Self::State) -> String;

    /// A position from what [`Game::write_state`] writes.
    ///
    /// # Errors
    /// What is wrong with the text, and where. Positions that no game leads to are fine as
    /// long as the rules can go on from them.
    fn parse_state(&self, text: &str) -> Result<Self::State, StateError>;

    /// How a person enters a move on [`Game::diagram`]; the same from both seats.
    fn input(&self) -> Input {
        Input::Cell
    }

    /// What decided a game that is over, for people: `3 in a row`, `white has no stone left`.
    /// `None` while it goes on, and for games that have no words for it.
    fn reason(&self, state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }

    /// The board as one would draw it, as a seat sees it.
    fn diagram(&self, state: &Self::State, seat: Seat) -> Diagram;
}
