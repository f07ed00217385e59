//! One game between two players.

use games::{Game, Joint, Outcome, Seat, Turn};
use players::{Player, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Bout<G: Game> {
    /// What was played, after the opening.
    pub joints: Vec<Joint<G::Move>>,
    /// The last position.
    pub end: G::State,
    /// How it ended.
    pub outcome: Outcome,
    /// How many moves each seat's player made.
    pub moves: [u64; 2],
    /// How long each seat thought, all in all.
    pub time: [Duration; 2],
    /// The longest that each seat thought about one move.
    pub slowest: [Duration; 2],
}

/// Lets two players play on from a position; the first sits in the first seat.
///
/// With `until_settled` it ends as soon as no move can change the result. Gives `None` when
/// `stop` was set before the end.
pub fn referee<G: Game>(
    game: &G,
    start: &G::State,
    players: [&mut dyn Player<G>; 2],
    until_settled: bool,
    stop: &AtomicBool,
) -> Option<Bout<G>> {
    let [first, second] = players;
    let mut bout = Bout {
        joints: Vec::new(),
        end: start.clone(),
        outcome: Outcome::Draw,
        moves: [0; 2],
        time: [Duration::ZERO; 2],
        slowest: [Duration::ZERO; 2],
    };
    loop {
        let turn = game.turn(&bout.end);
        let settled = turn.outcome().or_else(|| {
            let early = until_settled.then(|| game.settled(&bout.end));
            early.flatten()
        });
        if let Some(outcome) = settled {
            bout.outcome = outcome;
            return Some(bout);
        }
        let joint = match turn {
            Turn::One(Seat::First) => Joint::One(bout.ask(game, first, Seat::First, stop)),
            Turn::One(Seat::Second) => Joint::One(bout.ask(game, second, Seat::Second, stop)),
            _ => {
                let a = bout.ask(game, first, Seat::First, stop);
                let b = bout.ask(game, second, Seat::Second, stop);
                Joint::Both(a, b)
            }
        };
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        game.apply(&mut bout.end, joint);
        bout.joints.push(joint);
    }
}

impl<G: Game> Bout<G> {
    fn ask(
        &mut self,
        game: &G,
        player: &mut dyn Player<G>,
        seat: Seat,
        stop: &AtomicBool,
    ) -> G::Move {
        let started = Instant::now();
        let mut watch = stop;
        let watch: &mut dyn Watch<G::Move> = &mut watch;
        let choice = player.think(game, &self.end, seat, watch).choice;
        let spent = started.elapsed();
        self.moves[seat.index()] += 1;
        self.time[seat.index()] += spent;
        self.slowest[seat.index()] = self.slowest[seat.index()].max(spent);
        choice
    }
}
