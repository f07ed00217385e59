//! The strong player of duel.

use games::duel::{Board8, Board16, Duel, DuelBoard};
use games::{AnyGame, Dice, Game as _, JointMove, Outcome, Seat, with_game};
use players::{Clock, NullObserver, PlayerFactory, Value, conformance, open};

#[test]
fn it_keeps_to_what_players_promise_on_every_board_and_with_every_option() {
    for text in [
        "duel",
        "duel:16x16",
        "duel:12x10,mana=20,goals=3.4/3.5",
        "duel:1x1,turns=5",
        "duel:32x64,turns=20",
        "duel:8x8,column=keep-capture,overspend=truncate",
        "duel:8x8,column=keep-cancel,rules=colour-life",
        "duel:column=or,rules=p2life,seed=3",
    ] {
        let game: AnyGame = text.parse().expect(text);
        with_game!(&game, |game| conformance::check(
            game,
            "strong:nodes=2000",
            &Clock::system(),
            4,
            1
        ));
    }
}

/// A position some random turns from the start.
fn opened<B: DuelBoard>(
    game: &Duel<B>,
    turns: u32,
    dice: &mut Dice,
) -> <Duel<B> as games::Game>::State {
    let mut state = game.start();
    for _ in 0..turns {
        if let Ok(joint) = game.random_joint(&state, dice) {
            game.apply(&mut state, joint);
        }
    }
    state
}

/// How many of some pairs of games `strong` wins against another player.
fn wins<B: DuelBoard>(game: &Duel<B>, strong: &str, other: &str, pairs: u64) -> u32
where
    Duel<B>: PlayerFactory,
{
    let mut wins = 0;
    for pair in 0..pairs {
        let mut dice = Dice::of_part(9, pair);
        let opening = opened(game, 8, &mut dice);
        for seat in Seat::BOTH {
            let mut strong = open(game, strong, &Clock::system()).expect("it is a player");
            let mut other = open(game, other, &Clock::system()).expect("it is a player");
            strong.begin(dice.word());
            other.begin(dice.word());
            let mut state = opening;
            let end = loop {
                if let Some(end) = game.settled(&state) {
                    break end;
                }
                let own = strong.think(game, &state, seat, &mut NullObserver).choice;
                let across = other.think(game, &state, seat.other(), &mut NullObserver);
                let (first, second) = match seat {
                    Seat::First => (own, across.choice),
                    Seat::Second => (across.choice, own),
                };
                game.apply(&mut state, JointMove::Both(first, second));
            };
            wins += u32::from(end == Outcome::Win(seat));
        }
    }
    wins
}

#[test]
fn it_beats_the_greedy_and_the_tree_with_little_thought() {
    let eight = Duel::<Board8>::standard(8, 8).expect("a size of its own");
    assert_eq!(wins(&eight, "strong:nodes=5000", "material", 5), 10);
    assert!(wins(&eight, "strong:nodes=5000", "mcts:playouts=20", 5) >= 9);
    let sixteen = Duel::<Board16>::standard(16, 16).expect("a size of its own");
    assert!(wins(&sixteen, "strong:nodes=10000", "random", 2) >= 3);
}

#[test]
fn it_plays_alike_from_both_seats() {
    fn check<B: DuelBoard>(game: &Duel<B>)
    where
        Duel<B>: PlayerFactory,
    {
        for part in 0..10 {
            let state = opened(game, 30, &mut Dice::of_part(4, part));
            let view = game.view(&state, Seat::Second);
            let mut player =
                open(game, "strong:nodes=20000", &Clock::system()).expect("it is a player");
            let mut think = |state, seat| {
                player.begin(part);
                player.think(game, state, seat, &mut NullObserver)
            };
            let second = think(&state, Seat::Second);
            let first = think(&view, Seat::First);
            assert_eq!(second.choice, first.choice);
            assert_eq!(second.value, first.value);
            assert_eq!(second.line.len(), first.line.len());
        }
    }
    check(&Duel::<Board8>::standard(8, 8).expect("a size of its own"));
    check(&Duel::<Board16>::standard(16, 16).expect("a size of its own"));
}

#[test]
fn left_alone_it_takes_the_goals() {
    let game = Duel::<Board8>::standard(8, 8).expect("a size of its own");
    let mut player = open(&game, "strong:nodes=5000", &Clock::system()).expect("it is a player");
    player.begin(1);
    let mut state = game.start();
    while game.settled(&state).is_none() {
        let own = player.think(&game, &state, Seat::First, &mut NullObserver);
        game.play(&mut state, own.choice, 0);
    }
    // won when it can no longer be caught up with: by half of all turns, at the best
    assert!(state.turn() <= 130, "after {} turns", state.turn());
    let thought = player.think(&game, &state, Seat::First, &mut NullObserver);
    assert_eq!(thought.reason.as_deref(), Some("it is settled"));
    let ahead = f64::from(state.score(Seat::First));
    assert_eq!(thought.value, Some(Value::Lead(ahead)));
}
