//! Players of any game where both seats move at once, on games small enough to be solved.

use games::{
    AnyGame, Diagram, Dice, Game, JointMove, MoveError, Outcome, Seat, StateError, Turn, with_game,
};
use players::{
    Clock, NullObserver, Player, PlayerSpec, RegretMatchingPlayer, Roster, Value, conformance, open,
};
use std::ops::RangeInclusive;

/// Two small games.
#[derive(Clone, Debug, PartialEq)]
enum TinyGame {
    /// One turn: what the first seat gets for a row and a column, in half points.
    Payoff(Vec<Vec<u32>>),
    /// A prize a turn, in this order: the higher card takes it, both cards are gone, and who
    /// has more in the end has won. Goofspiel with open prizes, each seat one card of each
    /// number from 0.
    Bids(Vec<i32>),
}

#[derive(Clone, Debug, PartialEq)]
struct TinyPosition {
    /// The cards that each seat has left.
    hands: [u32; 2],
    turn: u32,
    /// How far the first seat is ahead.
    lead: i32,
    outcome: Option<Outcome>,
}

impl TinyGame {
    fn paper_and_scissors() -> Self {
        Self::Payoff(vec![vec![1, 0, 2], vec![2, 1, 0], vec![0, 2, 1]])
    }
}

impl Roster for TinyGame {}

impl Game for TinyGame {
    type State = TinyPosition;
    type Move = u8;

    fn name(&self) -> String {
        format!("{self:?}")
    }

    fn start(&self) -> TinyPosition {
        let hands = match self {
            Self::Payoff(rows) => [rows.len(), rows[0].len()],
            Self::Bids(prizes) => [prizes.len(); 2],
        };
        TinyPosition {
            hands: hands.map(|cards| (1 << cards) - 1),
            turn: 0,
            lead: 0,
            outcome: None,
        }
    }

    fn turn(&self, state: &TinyPosition) -> Turn {
        state.outcome.map_or(Turn::Both, Turn::Over)
    }

    fn moves(&self, state: &TinyPosition, seat: Seat, into: &mut Vec<u8>) {
        into.clear();
        into.extend((0..32u8).filter(|card| state.hands[seat.index()] >> card & 1 == 1));
    }

    fn apply(&self, state: &mut TinyPosition, joint: JointMove<u8>) {
        let JointMove::Both(first, second) = joint else {
            panic!("both move at once")
        };
        assert!(self.is_legal(state, Seat::First, first));
        assert!(self.is_legal(state, Seat::Second, second));
        match self {
            Self::Payoff(rows) => {
                state.outcome = Some(match rows[usize::from(first)][usize::from(second)] {
                    0 => Outcome::Win(Seat::Second),
                    1 => Outcome::Draw,
                    _ => Outcome::Win(Seat::First),
                });
            }
            Self::Bids(prizes) => {
                let prize = prizes[state.turn as usize];
                state.lead += prize * (i32::from(first) - i32::from(second)).signum();
                state.hands[0] &= !(1 << first);
                state.hands[1] &= !(1 << second);
                if state.hands[0] == 0 {
                    state.outcome = Some(match state.lead {
                        0 => Outcome::Draw,
                        1.. => Outcome::Win(Seat::First),
                        _ => Outcome::Win(Seat::Second),
                    });
                }
            }
        }
        state.turn += 1;
    }

    fn longest(&self) -> u32 {
        match self {
            Self::Payoff(_) => 1,
            Self::Bids(prizes) => prizes.len() as u32,
        }
    }

    fn opening(&self) -> RangeInclusive<u32> {
        0..=0
    }

    fn lead(&self, state: &TinyPosition) -> i64 {
        i64::from(state.lead)
    }

    fn view(&self, state: &TinyPosition, seat: Seat) -> TinyPosition {
        match seat {
            Seat::First => state.clone(),
            Seat::Second => TinyPosition {
                hands: [state.hands[1], state.hands[0]],
                turn: state.turn,
                lead: -state.lead,
                outcome: state.outcome.map(Outcome::exchanged),
            },
        }
    }

    fn view_move(&self, card: u8, _: Seat) -> u8 {
        card
    }

    fn symmetries(&self) -> usize {
        1
    }

    fn image(&self, state: &TinyPosition, _: usize) -> TinyPosition {
        state.clone()
    }

    fn image_move(&self, card: u8, _: usize) -> u8 {
        card
    }

    fn hash(&self, state: &TinyPosition) -> u64 {
        let hands = u64::from(state.hands[0]) << 32 | u64::from(state.hands[1]);
        hands ^ (state.lead as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn write_move(&self, card: u8, _: Seat) -> String {
        card.to_string()
    }

    fn parse_move(&self, state: &TinyPosition, seat: Seat, text: &str) -> Result<u8, MoveError> {
        let card = text.parse().ok();
        card.filter(|&card| self.is_legal(state, seat, card))
            .ok_or_else(|| MoveError::unreadable(text, "give a card"))
    }

    fn write_state(&self, state: &TinyPosition) -> String {
        format!("{state:?}")
    }

    fn parse_state(&self, _: &str) -> Result<TinyPosition, StateError> {
        Ok(self.start())
    }

    fn diagram(&self, _: &TinyPosition, _: Seat) -> Diagram {
        Diagram {
            columns: Vec::new(),
            rows: Vec::new(),
            cells: Vec::new(),
            goals: Vec::new(),
            winning: Vec::new(),
            signs: ['1', '2'],
            names: ["1", "2"],
            facts: Vec::new(),
        }
    }
}

/// The value of each pair of moves to the first seat, from 0 to 1, with best play after it.
fn matrix(game: &TinyGame, state: &TinyPosition) -> Vec<Vec<f64>> {
    let mut moves = [Vec::new(), Vec::new()];
    game.moves(state, Seat::First, &mut moves[0]);
    game.moves(state, Seat::Second, &mut moves[1]);
    let value = |first: u8, second: u8| {
        let mut after = state.clone();
        game.apply(&mut after, JointMove::Both(first, second));
        match after.outcome {
            Some(outcome) => f64::from(outcome.half_points(Seat::First)) / 2.0,
            None => solve(&matrix(game, &after)),
        }
    };
    let row = |&first: &u8| {
        moves[1]
            .iter()
            .map(|&second| value(first, second))
            .collect()
    };
    moves[0].iter().map(row).collect()
}

/// The value of a matrix game, by fictitious play: each side answers what the other has done
/// so far.
fn solve(matrix: &[Vec<f64>]) -> f64 {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    // what each row has got so far, and each column had to give
    let (mut got, mut given) = (vec![0.0; rows], vec![0.0; columns]);
    let rounds = if rows.max(columns) == 1 { 1 } else { 3000 };
    let (mut least, mut most) = (0.0f64, 1.0f64);
    for round in 1..=rounds {
        let row = (0..rows).fold(0, |best, i| if got[i] > got[best] { i } else { best });
        let column = (0..columns).fold(0, |best, i| if given[i] < given[best] { i } else { best });
        (0..rows).for_each(|i| got[i] += matrix[i][column]);
        (0..columns).for_each(|i| given[i] += matrix[row][i]);
        least = least.max(given.iter().copied().fold(f64::MAX, f64::min) / f64::from(round));
        most = most.min(got.iter().copied().fold(0.0, f64::max) / f64::from(round));
    }
    (least + most) / 2.0
}

/// The least that a strategy of the first seat gets.
fn least(matrix: &[Vec<f64>], strategy: &[(u8, f64)]) -> f64 {
    let got = |column: usize| -> f64 {
        let of_row = |&(row, share): &(u8, f64)| share * matrix[usize::from(row)][column];
        strategy.iter().map(of_row).sum()
    };
    (0..matrix[0].len()).map(got).fold(f64::MAX, f64::min)
}

fn strategy(game: &TinyGame, text: &str) -> Vec<(u8, f64)> {
    let mut player =
        RegretMatchingPlayer::read(game, &mut PlayerSpec::new(text, &Clock::system())).expect(text);
    Player::<TinyGame>::begin(&mut player, 11);
    player.think(game, &game.start(), Seat::First, &mut NullObserver);
    let mut strategy = player.strategy(Seat::First);
    strategy.sort_unstable_by_key(|&(m, _)| m);
    strategy
}

#[test]
fn regret_plays_each_sign_a_third_of_the_time() {
    let found = strategy(&TinyGame::paper_and_scissors(), "regret:playouts=20000");
    for (sign, share) in found {
        assert!((share - 1.0 / 3.0).abs() < 0.03, "{sign}: {share}");
    }
}

#[test]
fn regret_finds_unequal_shares() {
    // the row that may win more is played less: else the column would avoid it
    let game = TinyGame::Payoff(vec![vec![2, 0], vec![0, 1]]);
    let found = strategy(&game, "regret:playouts=40000");
    assert!((found[0].1 - 1.0 / 3.0).abs() < 0.03, "{found:?}");
    assert!((solve(&matrix(&game, &game.start())) - 1.0 / 3.0).abs() < 0.01);
}

#[test]
fn regret_comes_close_to_the_equilibrium_over_many_turns() {
    for prizes in [vec![1, 2, 3], vec![3, 2, 1], vec![2, 3, 1, 4]] {
        let game = TinyGame::Bids(prizes);
        let matrix = matrix(&game, &game.start());
        let value = solve(&matrix);
        assert!((value - 0.5).abs() < 0.01, "the seats are equal: {value}");
        let found = strategy(&game, "regret:playouts=60000");
        let least = least(&matrix, &found);
        assert!(least > value - 0.05, "{game:?}: {found:?} gets {least}");
    }
}

/// A random strategy must fail where regret's does not, or the test above says nothing.
#[test]
fn equal_shares_are_far_from_the_equilibrium() {
    let game = TinyGame::Bids(vec![2, 3, 1, 4]);
    let matrix = matrix(&game, &game.start());
    let equal: Vec<_> = (0..4).map(|card| (card, 0.25)).collect();
    assert!(least(&matrix, &equal) < 0.45);
}

#[test]
fn decoupled_finds_what_is_better_whatever_the_other_does() {
    let game = TinyGame::Payoff(vec![vec![0, 1, 0], vec![1, 2, 2], vec![0, 1, 1]]);
    for text in ["mcts:playouts=500", "regret:playouts=2000"] {
        for seed in 0..20 {
            let mut player = open(&game, text, &Clock::system()).expect(text);
            player.begin(seed);
            let thought = player.think(&game, &game.start(), Seat::First, &mut NullObserver);
            assert_eq!(thought.choice, 1, "{text}");
            let thought = player.think(&game, &game.start(), Seat::Second, &mut NullObserver);
            assert_eq!(thought.choice, 0, "{text}");
        }
    }
    let mut player = open(&game, "mcts:playouts=5000", &Clock::system()).expect("a player");
    let thought = player.think(&game, &game.start(), Seat::First, &mut NullObserver);
    assert!(matches!(thought.value, Some(Value::Expected(share)) if (0.5..0.6).contains(&share)));
}

/// The last prize is worth more than all before: the highest card is kept for it.
#[test]
fn both_look_ahead() {
    let game = TinyGame::Bids(vec![1, 1, 9]);
    for text in ["mcts:playouts=5000", "regret:playouts=20000"] {
        let mut player = open(&game, text, &Clock::system()).expect(text);
        player.begin(3);
        for seat in Seat::BOTH {
            let thought = player.think(&game, &game.start(), seat, &mut NullObserver);
            assert_ne!(thought.choice, 2, "{text}");
            assert!(!thought.line.is_empty());
        }
    }
}

#[test]
fn every_player_keeps_to_its_promises() {
    let texts = [
        "random",
        "material",
        "mcts:playouts=200",
        "mcts:playouts=50,cutoff=2",
        "regret:playouts=200",
        "regret:playouts=50,epsilon=0.3,cutoff=1",
        "mcts:ms=1",
        "regret:ms=1",
    ];
    for text in texts {
        for game in [
            TinyGame::paper_and_scissors(),
            TinyGame::Bids(vec![2, 3, 1, 4]),
        ] {
            conformance::check(&game, text, &Clock::system(), 4, 5);
        }
        for name in DUELS {
            let game: AnyGame = name.parse().expect(name);
            with_game!(game, |game| conformance::check(
                &game,
                text,
                &Clock::system(),
                2,
                5
            ));
        }
    }
}

const DUELS: &[&str] = &[
    "duel",
    "duel:16x16",
    "duel:3x5,column=or",
    "duel:rules=p2life",
];

#[test]
fn alphabeta_says_why_it_cannot() {
    let error = open(
        &TinyGame::paper_and_scissors(),
        "alphabeta",
        &Clock::system(),
    )
    .err();
    let text = error.expect("no player").to_string();
    assert!(
        text.ends_with("its seats move at the same time; take mcts or regret"),
        "{text}"
    );
}

/// Material sees only the next turn, but that it sees: the prize now, by the dearest card.
#[test]
fn material_takes_what_it_can_get_now() {
    let game = TinyGame::Bids(vec![1, 2, 3]);
    let mut player = open(&game, "material", &Clock::system()).expect("a player");
    player.begin(2);
    let thought = player.think(&game, &game.start(), Seat::Second, &mut NullObserver);
    assert_eq!(thought.choice, 2);
    // and chance decides between equals
    let game = TinyGame::paper_and_scissors();
    let mut dice = Dice::new(1);
    let mut seen = [0; 3];
    for _ in 0..300 {
        player_choice(&game, &mut dice, &mut seen);
    }
    assert!(seen.iter().all(|&count| count > 40), "{seen:?}");
}

fn player_choice(game: &TinyGame, dice: &mut Dice, seen: &mut [u32; 3]) {
    let mut player = open(game, "material", &Clock::system()).expect("a player");
    player.begin(dice.word());
    let thought = player.think(game, &game.start(), Seat::First, &mut NullObserver);
    seen[usize::from(thought.choice)] += 1;
}
