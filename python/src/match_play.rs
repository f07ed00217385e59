//! `play_match`: games between two players of the program, in pairs, on threads. The referee and
//! the counting are the crate `matches`'s; how the threads share the pairs is own.

use crate::error;
use crate::position::{game_of, stopped};
use crate::watch::SignalWatch;
use games::with_game;
use matches::{BuiltinPlayer, GamePairSetup, Opening, Side, StopCondition, Tally, replay};
use players::{Clock, Roster};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long results are waited for before Python is asked for signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// How a match ended, for its first player.
#[pyclass(frozen, get_all, module = "gridpaper", name = "MatchResult")]
pub(crate) struct PyMatchResult {
    game: String,
    players: (String, String),
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    seat_wins: (u64, u64),
    pairs: Vec<u64>,
    share: Option<f64>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    mean_plies: f64,
    replays: Vec<String>,
}

#[pymethods]
impl PyMatchResult {
    fn __repr__(&self) -> String {
        let (first, second) = &self.players;
        format!(
            "MatchResult({}: {first} won {}, drew {}, lost {} against {second})",
            self.game, self.wins, self.draws, self.losses
        )
    }
}

struct MatchPlan<'a> {
    players: [&'a str; 2],
    games: u64,
    seed: u64,
    threads: u64,
    is_recorded: bool,
}

type CountedPair = (u64, Tally, Vec<String>);

/// Plays a match between two players that the program has: each opening twice, the seats
/// exchanged. The result depends on the seed and not on threads, unless a player thinks by the
/// clock.
///
/// >>> import gridpaper as gp
/// >>> gp.play_match("tictactoe", "perfect", "random", 20).losses
/// 0
#[pyfunction]
#[pyo3(
    signature = (game, first, second, games=100, *, seed=0, threads=1, record=false, progress=None)
)]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn play_match(
    py: Python<'_>,
    game: &str,
    first: &str,
    second: &str,
    games: u64,
    seed: u64,
    threads: u64,
    record: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyMatchResult> {
    if !(1..=256).contains(&threads) {
        return Err(PyValueError::new_err(format!(
            "{threads} threads: give 1 to 256"
        )));
    }
    if games == 0 || games > 1 << 40 {
        return Err(PyValueError::new_err(format!(
            "{games} games: give 1 or more"
        )));
    }
    let any = game_of(py, game)?;
    for player in [first, second] {
        if player.starts_with("cmd:") {
            let message = format!(
                "{player}: programs of others play in a sandbox that Python has not; \
                 `gridpaper match` plays with them"
            );
            return Err(error::game(py, &message));
        }
        players::check(&any, player).map_err(|fault| error::game(py, &fault.to_string()))?;
    }
    let mut watch = SignalWatch::of(py, progress, games)?;
    let plan = MatchPlan {
        players: [first, second],
        games,
        seed,
        threads,
        is_recorded: record,
    };
    let played = py.detach(|| with_game!(&any, |game| play(game, &plan, &mut watch)));
    watch.finish()?;
    let (tally, replays) = played.map_err(|fault| error::game(py, &fault))?;
    if tally.games() < games {
        return Err(stopped());
    }
    let elo = tally.elo();
    Ok(PyMatchResult {
        game: any.to_string(),
        players: (first.into(), second.into()),
        games: tally.games(),
        wins: tally.score.wins,
        draws: tally.score.draws,
        losses: tally.score.losses,
        seat_wins: tally.seat_wins.into(),
        pairs: tally.pairs.to_vec(),
        share: tally.share(),
        elo: elo.difference,
        elo_error: elo.error,
        mean_plies: tally.mean_plies(),
        replays,
    })
}

fn play<G: Roster>(
    game: &G,
    plan: &MatchPlan<'_>,
    watch: &mut SignalWatch,
) -> Result<(Tally, Vec<String>), String> {
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let (sender, results) = channel::<Result<CountedPair, String>>();
    let mut tally = Tally::default();
    // by pair, so that neither order nor threads show
    let mut replays = BTreeMap::new();
    let mut fault = None;
    std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                play_pairs(game, plan, next, stop, &mut |played| {
                    // nobody receives after a stop
                    let _ = sender.send(played);
                })
            });
        }
        drop(sender);
        loop {
            match results.recv_timeout(PATIENCE) {
                Ok(Ok((number, pair, records))) => {
                    tally += &pair;
                    replays.insert(number, records);
                }
                Ok(Err(error)) => fault = Some(error),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if !watch.goes_on(|| tally.games()) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    watch.tell(tally.games());
    Ok((tally, replays.into_values().flatten().collect()))
}

fn play_pairs<G: Roster>(
    game: &G,
    plan: &MatchPlan<'_>,
    next: &AtomicU64,
    stop: &AtomicBool,
    send: &mut dyn FnMut(Result<CountedPair, String>),
) {
    let clock = Clock::system();
    let open = |text: &str| -> Result<Box<dyn Side<G>>, String> {
        let player = players::open(game, text, &clock).map_err(|fault| fault.to_string())?;
        Ok(Box::new(BuiltinPlayer::new(player, clock.clone())))
    };
    let [first, second] = plan.players;
    let mut sides = match (open(first), open(second)) {
        (Ok(first), Ok(second)) => [first, second],
        (Err(fault), _) | (_, Err(fault)) => return send(Err(fault)),
    };
    let names = plan.players.map(str::to_string);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= plan.games.div_ceil(2) || stop.load(Ordering::Relaxed) {
            return;
        }
        let pair = GamePairSetup {
            opening: &Opening::OfGame,
            stop_condition: StopCondition::End,
            seed: plan.seed,
            number,
            is_whole: 2 * number + 2 <= plan.games,
            broadcast: None,
        };
        let Some(played) = pair.play(game, &mut sides, &[stop]) else {
            return;
        };
        let records = match plan.is_recorded {
            true => played
                .records(game, &pair, &names)
                .iter()
                .map(replay::text)
                .collect(),
            false => Vec::new(),
        };
        send(Ok((number, played.tally(), records)));
    }
}
