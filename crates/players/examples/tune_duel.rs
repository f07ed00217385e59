//! Matches of duel between search parameters, and the tuner that found the parameters of
//! `strong`.
//!
//! ```text
//! tune_duel match A B [--games 40] [--seed 1] [--game duel:16x16]
//! tune_duel tune [CHANGES] [--rounds 1] [--nodes 60000] [--games 40] [--seed 1] [--game ...]
//! ```
//!
//! A and B are players as everywhere (`material`, `strong:ms=50`), or `try:` with a limit and
//! what is to differ from `strong`: `try:nodes=60000,discount=0.8,best=2`.
//!
//! `tune` begins with the parameters of `strong` and some changes to them. In each round it
//! makes one parameter after another smaller and larger and plays every such set against the
//! pool: the round's first set, `strong` as it is, one with a long horizon, and `mcts` with its
//! playouts cut off. The set with the largest share of points starts the next round. Every move
//! is limited by simulated turns, so the same command prints the same table on any machine, but
//! for the seconds.

#![allow(missing_docs, reason = "a program")]

use games::duel::{Duel, DuelBoard, DuelPosition};
use games::{AnyGame, Dice, Game as _, Outcome, Seat};
use players::duel::{DuelSearchParameters, StrongDuelPlayer};
use players::{Clock, NullObserver, Player, PlayerFactory, PlayerLimits, PlayerSpec, open};
use std::time::Instant;

/// The best settings of tree search in this game, as the opponent.
const CUT_OFF: &str = "cutoff=5,c=0.25";

/// What can be changed, by name, and the factors that `tune` tries.
const KEYS: [(&str, [f64; 2]); 15] = [
    ("plan", [0.75, 1.34]),
    ("horizon", [0.8, 1.25]),
    ("discount", [0.9, 1.1]),
    ("near", [0.5, 2.0]),
    ("reach", [0.5, 2.0]),
    ("slice", [0.5, 2.0]),
    ("guess", [0.67, 1.5]),
    ("idle", [0.0, 2.0]),
    ("best", [0.5, 2.0]),
    ("random", [0.5, 2.0]),
    ("randoms", [0.5, 2.0]),
    ("their-idle", [0.0, 2.0]),
    ("their-best", [0.5, 2.0]),
    ("their-random", [0.5, 2.0]),
    ("their-randoms", [0.5, 2.0]),
];

/// Reads a parameter by its name and changes it.
fn change(parameters: &mut DuelSearchParameters, key: &str, new: impl Fn(f64) -> f64) {
    let whole = |now: u32| new(f64::from(now)).round() as u32;
    let share = |now: f32| new(f64::from(now)) as f32;
    let p = parameters;
    match key {
        "plan" => p.plan = whole(p.plan).max(1),
        "horizon" => p.horizon = whole(p.horizon).max(1),
        "discount" => p.discount = share(p.discount).min(0.999),
        "near" => p.near = share(p.near),
        "reach" => p.reach = whole(p.reach),
        "slice" => p.slice = new(p.slice as f64) as u64,
        "guess" => p.guess = share(p.guess),
        "idle" => p.ours.idle = share(p.ours.idle),
        "best" => p.ours.best = share(p.ours.best),
        "random" => p.ours.random = share(p.ours.random),
        "randoms" => p.ours.randoms = whole(p.ours.randoms),
        "their-idle" => p.theirs.idle = share(p.theirs.idle),
        "their-best" => p.theirs.best = share(p.theirs.best),
        "their-random" => p.theirs.random = share(p.theirs.random),
        "their-randoms" => p.theirs.randoms = whole(p.theirs.randoms),
        _ => unreachable!("every key has its line above"),
    }
}

/// Takes changes out of a text such as `try:nodes=60000,discount=0.8`.
fn changed(
    mut parameters: DuelSearchParameters,
    spec: &mut PlayerSpec<'_>,
) -> Result<DuelSearchParameters, String> {
    for (key, _) in KEYS {
        if let Some(value) = spec.decimal(key).map_err(|e| e.to_string())? {
            change(&mut parameters, key, |_| value);
        }
    }
    Ok(parameters)
}

fn player<B: DuelBoard>(game: &Duel<B>, text: &str) -> Result<Box<dyn Player<Duel<B>>>, String>
where
    Duel<B>: PlayerFactory,
{
    if !text.starts_with("try:") {
        return open(game, text, &Clock::system()).map_err(|e| e.to_string());
    }
    let mut spec = PlayerSpec::new(text, &Clock::system());
    let limits = PlayerLimits::read(&mut spec, PlayerLimits::of_time(50, &Clock::system()))
        .map_err(|e| e.to_string())?;
    let parameters = changed(DuelSearchParameters::tuned(game), &mut spec)?;
    spec.finish().map_err(|e| e.to_string())?;
    Ok(Box::new(StrongDuelPlayer::with_parameters(
        limits, parameters,
    )))
}

/// The result of a match, for the first player.
#[derive(Clone, Copy, Default)]
struct DuelMatchScore {
    wins: u32,
    draws: u32,
    losses: u32,
    lead: i64,
}

impl DuelMatchScore {
    fn games(&self) -> f64 {
        f64::from((self.wins + self.draws + self.losses).max(1))
    }

    /// The share of the points, and its deviation.
    fn share(&self) -> (f64, f64) {
        let share = (f64::from(self.wins) + f64::from(self.draws) / 2.0) / self.games();
        (share, (share * (1.0 - share) / self.games()).sqrt())
    }
}

/// Plays pairs of games: the same opening twice, with the seats swapped.
fn play<B: DuelBoard>(
    game: &Duel<B>,
    players: &mut [Box<dyn Player<Duel<B>>>; 2],
    games: u32,
    seed: u64,
) -> DuelMatchScore {
    let mut score = DuelMatchScore::default();
    for pair in 0..games.div_ceil(2) {
        let mut dice = Dice::of_part(seed, u64::from(pair));
        let opening = open_game(game, &mut dice);
        for seat in Seat::BOTH {
            for player in players.iter_mut() {
                player.begin(dice.word());
            }
            let mut state = opening;
            let end = loop {
                if let Some(end) = game.settled(&state) {
                    break end;
                }
                let mut columns = [0; 2];
                for (i, player) in players.iter_mut().enumerate() {
                    let own = if i == 0 { seat } else { seat.other() };
                    let thought = player.think(game, &state, own, &mut NullObserver);
                    columns[own.index()] = thought.choice;
                }
                game.play(&mut state, columns[0], columns[1]);
            };
            match end {
                Outcome::Draw => score.draws += 1,
                Outcome::Win(winner) if winner == seat => score.wins += 1,
                Outcome::Win(_) => score.losses += 1,
            }
            score.lead += i64::from(state.score(seat)) - i64::from(state.score(seat.other()));
        }
    }
    score
}

/// A position after some random turns.
fn open_game<B: DuelBoard>(game: &Duel<B>, dice: &mut Dice) -> DuelPosition<B> {
    let range = game.opening();
    let turns = range.start() + dice.below(range.end() - range.start() + 1);
    let mut state = game.start();
    for _ in 0..turns {
        if let Ok(joint) = game.random_joint(&state, dice) {
            game.apply(&mut state, joint);
        }
    }
    state
}

/// What follows the command.
struct TuneDuelArguments {
    words: Vec<String>,
    games: u32,
    rounds: u32,
    nodes: u64,
    seed: u64,
    game: String,
}

fn arguments() -> Result<TuneDuelArguments, String> {
    let mut arguments = TuneDuelArguments {
        words: Vec::new(),
        games: 40,
        rounds: 1,
        nodes: 60_000,
        seed: 1,
        game: "duel".into(),
    };
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        let Some(key) = word.strip_prefix("--") else {
            arguments.words.push(word);
            continue;
        };
        let value = given
            .next()
            .ok_or_else(|| format!("{word} takes a value"))?;
        let number = || value.parse::<u64>().map_err(|e| format!("{word}: {e}"));
        match key {
            "games" => arguments.games = number()? as u32,
            "rounds" => arguments.rounds = number()? as u32,
            "nodes" => arguments.nodes = number()?,
            "seed" => arguments.seed = number()?,
            "game" => arguments.game = value,
            _ => return Err(format!("there is no option {word}")),
        }
    }
    Ok(arguments)
}

fn run_match<B: DuelBoard>(game: &Duel<B>, given: &TuneDuelArguments) -> Result<(), String>
where
    Duel<B>: PlayerFactory,
{
    let [_, one, other] = &given.words[..] else {
        return Err("write tune_duel match A B".into());
    };
    let started = Instant::now();
    let mut players = [player(game, one)?, player(game, other)?];
    let score = play(game, &mut players, given.games, given.seed);
    let (share, deviation) = score.share();
    println!(
        "{}: {one} against {other}: +{} ={} -{}, {:.1} ± {:.1} %, lead {:.1}, {:.0} s",
        game.name(),
        score.wins,
        score.draws,
        score.losses,
        share * 100.0,
        deviation * 100.0,
        score.lead as f64 / score.games(),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

fn run_tune<B: DuelBoard>(game: &Duel<B>, given: &TuneDuelArguments) -> Result<(), String>
where
    Duel<B>: PlayerFactory,
{
    let text = format!("try:{}", given.words.get(1).map_or("", String::as_str));
    let mut spec = PlayerSpec::new(&text, &Clock::system());
    let mut first = changed(DuelSearchParameters::tuned(game), &mut spec)?;
    spec.finish().map_err(|e| e.to_string())?;
    let limits = PlayerLimits {
        nodes: Some(given.nodes),
        ..PlayerLimits::default()
    };
    // about as much time as the plans get
    let mcts = format!("mcts:playouts={},{CUT_OFF}", (given.nodes / 50).max(1));
    let mut far = DuelSearchParameters::tuned(game);
    (far.plan, far.horizon, far.discount) = (10, 30, 0.95);
    for round in 1..=given.rounds {
        println!("round {round}: {first:?}");
        println!("change                  first      strong         far        mcts    mean");
        let mut best = (0.0, first);
        let own = KEYS
            .iter()
            .flat_map(|(key, factors)| factors.map(|factor| (*key, factor)));
        for (key, factor) in std::iter::once(("", 1.0)).chain(own) {
            let mut set = first;
            if !key.is_empty() {
                change(&mut set, key, |now| now * factor);
                if set == first {
                    continue;
                }
            }
            let pool: [Box<dyn Player<Duel<B>>>; 4] = [
                Box::new(StrongDuelPlayer::with_parameters(limits.clone(), first)),
                Box::new(StrongDuelPlayer::with_parameters(
                    limits.clone(),
                    DuelSearchParameters::tuned(game),
                )),
                Box::new(StrongDuelPlayer::with_parameters(limits.clone(), far)),
                player(game, &mcts)?,
            ];
            print!("{:20}", format!("{key} x {factor}"));
            let mut mean = 0.0;
            for other in pool {
                let own: Box<dyn Player<Duel<B>>> =
                    Box::new(StrongDuelPlayer::with_parameters(limits.clone(), set));
                let score = play(game, &mut [own, other], given.games, given.seed);
                let (share, deviation) = score.share();
                mean += share / 4.0;
                print!(" {:5.1} ± {:3.1}", share * 100.0, deviation * 100.0);
            }
            println!("  {:5.1}", mean * 100.0);
            if mean > best.0 {
                best = (mean, set);
            }
        }
        first = best.1;
    }
    println!("best: {first:?}");
    Ok(())
}

fn run<B: DuelBoard>(game: &Duel<B>, given: &TuneDuelArguments) -> Result<(), String>
where
    Duel<B>: PlayerFactory,
{
    match given.words.first().map(String::as_str) {
        Some("match") => run_match(game, given),
        Some("tune") => run_tune(game, given),
        _ => Err("write tune_duel match A B, or tune_duel tune".into()),
    }
}

fn main() -> Result<(), String> {
    let given = arguments()?;
    match given.game.parse().map_err(|e| format!("{e}"))? {
        AnyGame::Duel8(game) => run(&game, &given),
        AnyGame::Duel16(game) => run(&game, &given),
        AnyGame::DuelAny(game) => run(&game, &given),
        other => Err(format!("{other} is no duel")),
    }
}
