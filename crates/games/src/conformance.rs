//! Conformance tests for implementations of [`Game`].
//!
//! [`check`] plays random games and compares every position with a [`NaiveGame`] reference: the
//! rules written a second time, as slowly and plainly as possible, without shared code. A
//! game's own tests call it for each set of options.

use crate::{DiagramMark, Dice, Game, Input, JointMove, Outcome, Seat, Turn};
use std::collections::HashMap;

/// A reference implementation of the rules, to be obviously right.
pub trait NaiveGame<G: Game> {
    /// Whose move it is.
    fn turn(&self, game: &G, state: &G::State) -> Turn;
    /// Every legal move, in any order.
    fn moves(&self, game: &G, state: &G::State, seat: Seat) -> Vec<G::Move>;
    /// The position that follows.
    fn after(&self, game: &G, state: &G::State, joint: JointMove<G::Move>) -> G::State;
}

/// The extent of a test.
#[derive(Clone, Copy, Debug)]
pub struct ConformanceOptions {
    /// The seed of the random games.
    pub seed: u64,
    /// The least number of positions to check: games are played until that many are reached.
    pub positions: u64,
    /// The most moves of a position that are tried one by one; all are compared with the
    /// reference's where there are at most 4096.
    pub moves: usize,
}

impl Default for ConformanceOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            positions: 2000,
            moves: 8,
        }
    }
}

/// Plays random games from the start and checks all that [`Game`] promises in each position.
///
/// # Panics
/// At the first broken promise, with the position.
///
/// ```
/// use games::conformance::{ConformanceOptions, NaiveGame, check};
/// use games::{Game as _, JointMove, Seat, Turn, mnk::Mnk};
///
/// /// Not naive at all: a real test writes the rules a second time.
/// struct Same;
///
/// impl NaiveGame<Mnk<1>> for Same {
///     fn turn(&self, game: &Mnk<1>, state: &<Mnk<1> as games::Game>::State) -> Turn {
///         game.turn(state)
///     }
///     fn moves(&self, game: &Mnk<1>, state: &<Mnk<1> as games::Game>::State, seat: Seat) -> Vec<u16> {
///         let mut moves = Vec::new();
///         game.moves(state, seat, &mut moves);
///         moves
///     }
///     fn after(
///         &self,
///         game: &Mnk<1>,
///         state: &<Mnk<1> as games::Game>::State,
///         joint: JointMove<u16>,
///     ) -> <Mnk<1> as games::Game>::State {
///         let mut after = *state;
///         game.apply(&mut after, joint);
///         after
///     }
/// }
///
/// let few = ConformanceOptions { positions: 20, ..ConformanceOptions::default() };
/// check(&Mnk::TICTACTOE, &Same, few);
/// ```
pub fn check<G: Game>(game: &G, naive: &impl NaiveGame<G>, effort: ConformanceOptions) {
    let mut dice = Dice::new(effort.seed);
    let mut seen = PositionsByHash::default();
    let mut positions = 0;
    while positions < effort.positions {
        let mut state = game.start();
        let mut settled: Option<Outcome> = None;
        let mut turns = 0;
        loop {
            positions += 1;
            check_position(game, naive, &state, &effort, &mut dice);
            seen.check(game, &state);
            let now = game.settled(&state);
            assert!(
                settled.is_none() || settled == now,
                "{}: settled as {settled:?}, then {now:?}\n{}",
                game.name(),
                game.write_state(&state)
            );
            settled = now;
            let joint = match game.random_joint(&state, &mut dice) {
                Ok(joint) => joint,
                Err(outcome) => {
                    assert_eq!(game.settled(&state), Some(outcome), "an end is settled");
                    break;
                }
            };
            game.apply(&mut state, joint);
            turns += 1;
            assert!(
                turns <= game.longest(),
                "{} goes on after {turns} turns",
                game.name()
            );
        }
    }
}

/// Positions by hash: equal hashes must be equal positions.
struct PositionsByHash<S> {
    by_hash: HashMap<u64, S>,
}

impl<S> Default for PositionsByHash<S> {
    fn default() -> Self {
        Self {
            by_hash: HashMap::new(),
        }
    }
}

impl<S: Clone + PartialEq> PositionsByHash<S> {
    fn check<G: Game<State = S>>(&mut self, game: &G, state: &S) {
        let hash = game.hash(state);
        let known = self.by_hash.entry(hash).or_insert_with(|| state.clone());
        assert!(
            known == state,
            "{}: one hash for\n{}\nand\n{}",
            game.name(),
            game.write_state(known),
            game.write_state(state)
        );
    }
}

/// The end of a game that the owner of this mark has won.
fn won_by(mark: DiagramMark) -> Turn {
    match mark {
        DiagramMark::First => Turn::Over(Outcome::Win(Seat::First)),
        DiagramMark::Second => Turn::Over(Outcome::Win(Seat::Second)),
        DiagramMark::Empty => Turn::Both,
    }
}

/// Checks all properties of one position.
///
/// # Panics
/// At the first broken promise, with the position.
fn check_position<G: Game>(
    game: &G,
    naive: &impl NaiveGame<G>,
    state: &G::State,
    effort: &ConformanceOptions,
    dice: &mut Dice,
) {
    let text = game.write_state(state);
    let place = || format!("{} at\n{text}", game.name());

    let read = game.parse_state(&text);
    assert_eq!(read.as_ref(), Ok(state), "text there and back: {}", place());
    assert_eq!(read.map(|s| game.hash(&s)), Ok(game.hash(state)));

    let turn = game.turn(state);
    assert_eq!(turn, naive.turn(game, state), "whose move: {}", place());
    for seat in Seat::BOTH {
        let diagram = game.diagram(state, seat);
        let cells = diagram.columns.len() * diagram.rows.len();
        assert_eq!(diagram.cells.len(), cells, "diagram: {}", place());
        assert!(diagram.goals.is_empty() || diagram.goals.len() == cells);
        let is_won = matches!(turn, Turn::Over(Outcome::Win(_)));
        assert!(diagram.winning.is_empty() || is_won, "{}", place());
        let is_own = |&cell: &usize| turn == won_by(diagram.cells[cell]);
        assert!(diagram.winning.iter().all(is_own), "{}", place());
    }
    let is_over = matches!(turn, Turn::Over(_));
    assert!(is_over || game.reason(state).is_none(), "{}", place());
    check_views(game, state, turn, &place);

    let mut tried: [Vec<G::Move>; 2] = Default::default();
    for seat in Seat::BOTH.into_iter().filter(|&seat| turn.asks(seat)) {
        tried[seat.index()] = check_moves(game, naive, state, seat, effort, dice, &place);
    }
    let joints: Vec<JointMove<G::Move>> = match turn {
        Turn::One(seat) => tried[seat.index()]
            .iter()
            .map(|&m| JointMove::One(m))
            .collect(),
        Turn::Both => {
            let [first, second] = &tried;
            let pairs = first.iter().zip(second.iter());
            pairs.map(|(&a, &b)| JointMove::Both(a, b)).collect()
        }
        Turn::Over(_) => Vec::new(),
    };
    for joint in joints {
        let before = state.clone();
        let mut after = state.clone();
        game.apply(&mut after, joint);
        assert_eq!(&before, state, "a copy is a copy: {}", place());
        let expected = naive.after(game, state, joint);
        assert_eq!(after, expected, "after {joint:?}: {}", place());
        check_commutes(game, state, &after, joint, &place);
    }
    if let Turn::Over(_) = turn {
        assert_eq!(game.settled(state), turn.outcome(), "settled: {}", place());
    }
}

/// Checks that the moves of a seat are the reference's, can be written and parsed, and are
/// found by random choice. Returns a random selection of them.
fn check_moves<G: Game>(
    game: &G,
    naive: &impl NaiveGame<G>,
    state: &G::State,
    seat: Seat,
    effort: &ConformanceOptions,
    dice: &mut Dice,
    place: &impl Fn() -> String,
) -> Vec<G::Move> {
    let breadth = game.breadth(state, seat);
    assert!(breadth > 0, "no move, and not over: {}", place());
    let mut tried: Vec<G::Move> = Vec::new();
    if breadth <= 4096 {
        let mut moves = Vec::new();
        game.moves(state, seat, &mut moves);
        let mut sorted = moves.clone();
        sorted.sort_unstable();
        let mut expected = naive.moves(game, state, seat);
        expected.sort_unstable();
        assert_eq!(sorted, expected, "moves of {seat}: {}", place());
        assert_eq!(breadth, moves.len() as u64, "breadth: {}", place());
        let mut again = Vec::with_capacity(1);
        again.push(moves[0]);
        game.moves(state, seat, &mut again);
        assert_eq!(moves, again, "the same order each time: {}", place());
        dice.shuffle(&mut moves);
        moves.truncate(effort.moves);
        tried.extend(moves);
    }
    while tried.len() < effort.moves {
        tried.push(game.random_move(state, seat, dice));
    }
    for &m in &tried {
        assert!(game.is_legal(state, seat, m), "{m:?}: {}", place());
        let text = game.write_move(m, seat);
        assert!(!text.contains(char::is_whitespace), "{text:?}");
        let read = game.parse_move(state, seat, &text);
        assert_eq!(read, Ok(m), "`{text}` read back: {}", place());
        assert!(
            can_be_entered(game, state, seat, &text),
            "`{text}` is no move that {:?} makes: {}",
            game.input(),
            place()
        );
    }
    let random = game.random_move(state, seat, dice);
    assert!(
        game.is_legal(state, seat, random),
        "{random:?}: {}",
        place()
    );
    tried
}

/// Whether a move's text is what a person enters by the diagram and [`Game::input`] alone.
fn can_be_entered<G: Game>(game: &G, state: &G::State, seat: Seat, text: &str) -> bool {
    let diagram = game.diagram(state, seat);
    match game.input() {
        Input::Cell => diagram.columns.iter().any(|column| {
            let row = text.strip_prefix(column.as_str());
            row.is_some_and(|row| diagram.rows.iter().any(|label| label == row))
        }),
        Input::Column(column) => {
            let is_mark = |sign| matches!(sign, '0' | '1');
            column < diagram.columns.len()
                && text.chars().count() == diagram.rows.len()
                && text.chars().all(is_mark)
        }
    }
}

/// Checks that the view from the second seat is the same game with the seats exchanged.
fn check_views<G: Game>(game: &G, state: &G::State, turn: Turn, place: &impl Fn() -> String) {
    assert_eq!(&game.view(state, Seat::First), state);
    let seen = game.view(state, Seat::Second);
    assert_eq!(&game.view(&seen, Seat::Second), state, "{}", place());
    let expected = match turn {
        Turn::One(seat) => Turn::One(seat.other()),
        Turn::Both => Turn::Both,
        Turn::Over(outcome) => Turn::Over(outcome.exchanged()),
    };
    assert_eq!(
        game.turn(&seen),
        expected,
        "from the other side: {}",
        place()
    );
    assert_eq!(game.lead(&seen), -game.lead(state), "lead: {}", place());
    let settled = game.settled(state).map(Outcome::exchanged);
    assert_eq!(game.settled(&seen), settled, "settled: {}", place());

    assert_eq!(&game.image(state, 0), state, "symmetry 0: {}", place());
    for symmetry in 0..game.symmetries() {
        let image = game.image(state, symmetry);
        assert_eq!(game.turn(&image), turn, "symmetry {symmetry}: {}", place());
        assert_eq!(game.lead(&image), game.lead(state), "{}", place());
    }
}

/// Checks that moves commute with views and with symmetries.
fn check_commutes<G: Game>(
    game: &G,
    state: &G::State,
    after: &G::State,
    joint: JointMove<G::Move>,
    place: &impl Fn() -> String,
) {
    let view = |m| game.view_move(m, Seat::Second);
    let seen = match joint {
        JointMove::One(m) => JointMove::One(view(m)),
        JointMove::Both(first, second) => JointMove::Both(view(second), view(first)),
    };
    let mut other = game.view(state, Seat::Second);
    game.apply(&mut other, seen);
    let expected = game.view(after, Seat::Second);
    assert_eq!(
        other,
        expected,
        "{joint:?} from the other side: {}",
        place()
    );
    for symmetry in 0..game.symmetries() {
        let turned = |m| game.image_move(m, symmetry);
        let moved = match joint {
            JointMove::One(m) => JointMove::One(turned(m)),
            JointMove::Both(first, second) => JointMove::Both(turned(first), turned(second)),
        };
        let mut image = game.image(state, symmetry);
        game.apply(&mut image, moved);
        let expected = game.image(after, symmetry);
        assert_eq!(
            image,
            expected,
            "{joint:?}, symmetry {symmetry}: {}",
            place()
        );
    }
}
