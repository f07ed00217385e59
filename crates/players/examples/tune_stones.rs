//! Matches of stones between search parameters, and the tuner that found the weights of
//! `strong`.
//!
//! ```text
//! tune_stones match A B [--games 100] [--seed 1] [--game stones:adjacency=off]
//! tune_stones think A [--games 100] [--seed 1] [--game ...]
//! tune_stones tune START [--rounds 60] [--games 60] [--seed 1] [--game ...]
//! ```
//!
//! A game that reaches its limit, `--game stones:plies=150`, is won by the side with more
//! stones.
//!
//! A and B are players as everywhere (`material`, `strong:ms=50`), or `try:` with a limit and
//! what is to differ from `strong`: `try:nodes=2000,tick8=50,root=20,width=8,last=40`.

#![allow(missing_docs, reason = "a program")]

use games::stones::{Stones, StonesPosition};
use games::{AnyGame, Dice, Game as _, JointMove, Outcome, Seat, Turn};
use players::stones::{EvaluationWeights, StonesSearchParameters, StrongStonesPlayer};
use players::{Clock, NullObserver, Player, PlayerLimits, PlayerSpec, open};
use std::time::Instant;

/// Reads `try:...`.
fn read_try(text: &str) -> Result<(PlayerLimits, StonesSearchParameters), String> {
    let mut spec = PlayerSpec::new(text, &Clock::system());
    let limits = PlayerLimits::read(&mut spec, PlayerLimits::of_time(50, &Clock::system()))
        .map_err(|e| e.to_string())?;
    let mut search = StonesSearchParameters::default();
    let mut number = |key: &str, now: i32| match spec.value(key) {
        None => Ok(now),
        Some(value) => value.parse::<i32>().map_err(|e| format!("{key}: {e}")),
    };
    for (weight, tick) in search.weights.0.iter_mut().zip(EvaluationWeights::TICKS) {
        *weight = number(&format!("tick{tick}"), *weight)?;
    }
    let widths = [
        ("root", &mut search.root_width),
        ("width", &mut search.width),
        ("last", &mut search.last_width),
    ];
    for (name, width) in widths {
        *width = number(name, *width as i32)?.max(1) as u32;
    }
    spec.finish().map_err(|e| e.to_string())?;
    Ok((limits, search))
}

fn player(game: &Stones, text: &str) -> Result<Box<dyn Player<Stones>>, String> {
    if text.starts_with("try") {
        let (limits, search) = read_try(text)?;
        return Ok(Box::new(StrongStonesPlayer::with_search(limits, search)));
    }
    open(game, text, &Clock::system()).map_err(|e| e.to_string())
}

/// The result of a match, for the first player.
#[derive(Clone, Copy, Default)]
struct StonesMatchScore {
    wins: u32,
    draws: u32,
    losses: u32,
    plies: u64,
}

impl StonesMatchScore {
    fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, and the deviation of it.
    fn share(&self) -> (f64, f64) {
        let games = f64::from(self.games().max(1));
        let share = (f64::from(self.wins) + f64::from(self.draws) / 2.0) / games;
        (share, (share * (1.0 - share) / games).sqrt())
    }
}

/// Plays pairs of games: the same opening twice, with the seats swapped.
fn play(
    game: &Stones,
    players: &mut [Box<dyn Player<Stones>>; 2],
    games: u32,
    seed: u64,
    mut told: impl FnMut(&StonesMatchScore),
) -> StonesMatchScore {
    let mut score = StonesMatchScore::default();
    let mut pair = 0;
    while score.games() < games {
        let mut dice = Dice::of_part(seed, pair);
        pair += 1;
        let (least, most) = (*game.opening().start(), *game.opening().end());
        let mut opening = game.start();
        for _ in 0..least + dice.below(most - least + 1) {
            if let Ok(joint) = game.random_joint(&opening, &mut dice) {
                game.apply(&mut opening, joint);
            }
        }
        if game.turn(&opening).outcome().is_some() {
            continue;
        }
        for first in Seat::BOTH {
            for player in players.iter_mut() {
                player.begin(dice.word());
            }
            let mut state = opening;
            let outcome = loop {
                match game.turn(&state) {
                    Turn::Over(outcome) => break outcome,
                    Turn::One(seat) => {
                        let player = &mut players[usize::from(seat != first)];
                        let thought = player.think(game, &state, seat, &mut NullObserver);
                        game.apply(&mut state, JointMove::One(thought.choice));
                    }
                    Turn::Both => unreachable!("the seats take turns"),
                }
            };
            score.plies += u64::from(state.ply());
            let outcome = judged(game, &state, outcome);
            match outcome {
                Outcome::Win(seat) if seat == first => score.wins += 1,
                Outcome::Win(_) => score.losses += 1,
                Outcome::Draw => score.draws += 1,
            }
            told(&score);
        }
    }
    score
}

/// The options of the command line.
struct Options {
    words: Vec<String>,
    game: Stones,
    games: u32,
    rounds: u32,
    seed: u64,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        words: Vec::new(),
        game: Stones::default(),
        games: 100,
        rounds: 60,
        seed: 1,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let Some(key) = word.strip_prefix("--") else {
            options.words.push(word);
            continue;
        };
        let value = words.next().ok_or(format!("--{key} needs a value"))?;
        let number = || value.parse::<u32>().map_err(|e| format!("--{key}: {e}"));
        match key {
            "games" => options.games = number()?,
            "rounds" => options.rounds = number()?,
            "seed" => options.seed = number()?.into(),
            "game" => match value.parse() {
                Ok(AnyGame::Stones(game)) => options.game = game,
                Ok(_) => return Err(format!("{value} is not stones")),
                Err(error) => return Err(error.to_string()),
            },
            _ => return Err(format!("there is no option --{key}")),
        }
    }
    Ok(options)
}

fn compare(options: &Options, a: &str, b: &str) -> Result<(), String> {
    let game = &options.game;
    let mut players = [player(game, a)?, player(game, b)?];
    let started = Instant::now();
    let every = (options.games / 5).max(10);
    let score = play(game, &mut players, options.games, options.seed, |score| {
        if score.games() % every == 0 {
            eprintln!("{} games: {}", score.games(), line(score));
        }
    });
    println!(
        "{a} against {b}, {}: {} in {:.0} s",
        game.name(),
        line(&score),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Changes a few weights at random, plays against the best so far, and keeps what wins.
fn tune(options: &Options, start: &str) -> Result<(), String> {
    let game = &options.game;
    let (limits, mut best) = read_try(start)?;
    let mut dice = Dice::new(options.seed);
    for round in 0..options.rounds {
        let mut other = best;
        for weight in &mut other.weights.0 {
            let may_change = *weight != 0 || dice.below(4) == 0;
            if may_change && dice.coin() {
                *weight += dice.below(61) as i32 - 30;
            }
        }
        if other == best {
            continue;
        }
        let mut players = [other, best].map(|search| {
            let player: Box<dyn Player<Stones>> =
                Box::new(StrongStonesPlayer::with_search(limits.clone(), search));
            player
        });
        let seed = dice.word();
        let mut score = play(game, &mut players, options.games, seed, |_| {});
        if score.share().0 > 0.55 {
            let more = play(game, &mut players, options.games, seed ^ 1, |_| {});
            score = StonesMatchScore {
                wins: score.wins + more.wins,
                draws: score.draws + more.draws,
                losses: score.losses + more.losses,
                plies: score.plies + more.plies,
            };
        }
        let is_kept = score.games() > options.games && score.share().0 > 0.55;
        println!(
            "{round}: {:?}: {}{}",
            other.weights.0,
            line(&score),
            if is_kept { ", kept" } else { "" }
        );
        if is_kept {
            best = other;
        }
    }
    println!("{:?}", best.weights.0);
    Ok(())
}

/// A game that was cut short to save time is won by the side with more stones.
fn judged(game: &Stones, state: &StonesPosition, outcome: Outcome) -> Outcome {
    match game.lead(state) {
        _ if outcome != Outcome::Draw || game.plies >= 1000 => outcome,
        0 => outcome,
        lead if lead > 0 => Outcome::Win(Seat::First),
        _ => Outcome::Win(Seat::Second),
    }
}

/// The depth that a player reaches in positions of random games.
fn think(options: &Options, text: &str) -> Result<(), String> {
    let game = &options.game;
    let mut player = player(game, text)?;
    let mut dice = Dice::new(options.seed);
    let started = Instant::now();
    let (mut nodes, mut depth) = (0, 0);
    for _ in 0..options.games {
        let mut state = game.start();
        for _ in 0..dice.below(60) {
            let mut next = state;
            if let Ok(joint) = game.random_joint(&next, &mut dice) {
                game.apply(&mut next, joint);
            }
            if let Turn::One(_) = game.turn(&next) {
                state = next;
            }
        }
        let thought = player.think(game, &state, state.to_move(), &mut NullObserver);
        nodes += thought.nodes;
        depth += thought.depth;
    }
    println!(
        "{text}: mean depth {:.2}, {:.0} nodes a move, {:.0} nodes a second",
        f64::from(depth) / f64::from(options.games),
        nodes as f64 / f64::from(options.games),
        nodes as f64 / started.elapsed().as_secs_f64()
    );
    Ok(())
}

fn line(score: &StonesMatchScore) -> String {
    let (share, error) = score.share();
    format!(
        "{} wins, {} draws, {} losses, {:.1} % +- {:.1}, {:.0} plies a game",
        score.wins,
        score.draws,
        score.losses,
        share * 100.0,
        error * 100.0,
        score.plies as f64 / f64::from(score.games().max(1))
    )
}

fn run() -> Result<(), String> {
    let options = options()?;
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    match words[..] {
        ["match", a, b] => compare(&options, a, b),
        ["tune", a] => tune(&options, a),
        ["think", a] => think(&options, a),
        _ => Err("write `match A B`, `think A` or `tune START`".into()),
    }
}

fn main() -> std::process::ExitCode {
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::from(2)
        }
    }
}
