//! Simulated tournaments between players of known strengths test the coverage of the confidence
//! intervals.

use super::{BradleyTerryFit, Meeting};
use games::{Dice, Outcome, Seat};
use matches::Elo;

/// The parameters of a simulated tournament.
#[derive(Clone, Debug)]
struct SimulatedTournament {
    /// The players' strengths on Elo's scale.
    strengths: Vec<f64>,
    /// The share of the points that the first seat gets from the second, between equals.
    seat: f64,
    /// Which players meet.
    meet: fn(usize, usize) -> bool,
    /// Number of pairs per meeting.
    pairs: u64,
    /// How often equals draw.
    draws: f64,
    /// How often the second game of a pair copies the first: won by the same player (positive),
    /// or by the same seat (negative).
    correlation: f64,
}

impl SimulatedTournament {
    fn new(strengths: &[f64], pairs: u64, draws: f64, correlation: f64) -> Self {
        Self {
            strengths: strengths.to_vec(),
            seat: 0.08,
            meet: |_, _| true,
            pairs,
            draws,
            correlation,
        }
    }

    fn play(&self, dice: &mut Dice) -> Vec<Meeting> {
        let mut meetings = Vec::new();
        for a in 0..self.strengths.len() {
            for b in a + 1..self.strengths.len() {
                if !(self.meet)(a, b) {
                    continue;
                }
                let difference = self.strengths[a] - self.strengths[b];
                let mut meeting = Meeting::between([a, b]);
                for _ in 0..self.pairs {
                    meeting.add(self.pair(difference, dice));
                }
                meetings.push(meeting);
            }
        }
        meetings
    }

    /// Both outcomes; together they give the share of points that the strengths say.
    fn pair(&self, difference: f64, dice: &mut Dice) -> [Outcome; 2] {
        let share = Elo::expected_share(difference);
        let seat = 4.0 * self.seat * share * (1.0 - share);
        let game = |share: f64, chance: f64, seat: Seat| {
            let draws = self.draws * 4.0 * share * (1.0 - share);
            let draws = draws.min(1.9 * share.min(1.0 - share));
            let wins = share - draws / 2.0;
            match chance {
                x if x < wins => Outcome::Win(seat),
                x if x < wins + draws => Outcome::Draw,
                _ => Outcome::Win(seat.other()),
            }
        };
        let (first, second) = (dice.unit(), dice.unit());
        let is_alike = dice.unit() < self.correlation.abs();
        let second = match is_alike {
            true if self.correlation > 0.0 => first,
            true => 1.0 - first,
            false => second,
        };
        [
            game(share + seat, first, Seat::First),
            game(share - seat, second, Seat::Second),
        ]
    }

    /// The shares of simulated tournaments in which the intervals contain the true values: of the
    /// ratings, and of the differences.
    fn coverage(&self, tournaments: u64) -> [f64; 2] {
        let players = self.strengths.len();
        let mean = self.strengths.iter().sum::<f64>() / players as f64;
        let (mut held, mut seen) = ([0u64; 2], [0u64; 2]);
        for part in 0..tournaments {
            let meetings = self.play(&mut Dice::of_part(1, part));
            let fit = BradleyTerryFit::new(players, &meetings);
            let mut count = |which: usize, rating: Option<super::Rating>, truth: f64| {
                let rating = rating.unwrap();
                held[which] += u64::from((rating.elo - truth).abs() <= rating.error);
                seen[which] += 1;
            };
            for a in 0..players {
                count(0, fit.rating(a), self.strengths[a] - mean);
                for b in 0..a {
                    let truth = self.strengths[a] - self.strengths[b];
                    count(1, fit.difference(a, b), truth);
                }
            }
        }
        std::array::from_fn(|i| held[i] as f64 / seen[i] as f64)
    }
}

const CLOSE: [f64; 8] = [-120.0, -80.0, -40.0, -10.0, 10.0, 40.0, 80.0, 120.0];
const FAR: [f64; 6] = [-500.0, -250.0, -50.0, 50.0, 250.0, 500.0];
const NATURES: [(f64, f64); 5] = [(0.0, 0.0), (0.3, 0.0), (0.8, 0.0), (0.3, 0.6), (0.3, -0.6)];

/// All against all.
const ROUND_ROBIN: fn(usize, usize) -> bool = |_, _| true;
/// One against all others, and a ring in which neighbours meet.
const FEW_MEET: [fn(usize, usize) -> bool; 2] = [|a, _| a == 0, |a, b| b == a + 1 || a + 5 <= b];

/// Checks a thousand tournaments of each kind. The bounds are three standard deviations of as
/// many throws, though more is counted, since a tournament's intervals hang together. Where
/// few pairs must do, intervals may be too wide by `slack`.
fn check(meet: fn(usize, usize) -> bool, pairs: &[u64], slack: f64) {
    const TOURNAMENTS: u64 = 1000;
    let chance = 3.0 * (0.95 * 0.05 / TOURNAMENTS as f64).sqrt();
    for strengths in [&CLOSE[..], &FAR] {
        for &pairs in pairs {
            for (draws, correlation) in NATURES {
                let trial = SimulatedTournament {
                    meet,
                    ..SimulatedTournament::new(strengths, pairs, draws, correlation)
                };
                let coverage = trial.coverage(TOURNAMENTS);
                let players = strengths.len();
                eprintln!("{players} {pairs} {draws} {correlation}: {coverage:.3?}");
                for rate in coverage {
                    let bounds = 0.95 - chance..=0.95 + chance + slack;
                    assert!(bounds.contains(&rate), "{trial:?}: {coverage:.3?}");
                }
            }
        }
    }
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    check(ROUND_ROBIN, &[10], 0.0);
}

/// Two players and five pairs: hardly anything is known, and the intervals know that.
#[test]
fn intervals_of_hardly_any_games_are_rather_too_wide() {
    for (draws, correlation) in NATURES {
        let [rate, ..] =
            SimulatedTournament::new(&[-20.0, 20.0], 5, draws, correlation).coverage(300);
        assert!(rate > 0.95, "{draws} {correlation}: {rate}");
    }
}

/// `cargo test -p gridpaper-tournament --release -- --ignored --nocapture each_size`
#[test]
#[ignore = "takes longer than the others; cargo xtask long runs it"]
fn intervals_hold_the_truth_in_tournaments_of_each_size() {
    check(ROUND_ROBIN, &[5, 10, 20, 100], 0.0);
    for meet in FEW_MEET {
        check(meet, &[5, 10, 20, 100], 0.03);
    }
}

/// The probability of being stronger means what it says: of all pairs of players who are
/// told to be ordered with some probability, about that share is.
#[test]
fn likelihood_of_superiority_is_calibrated() {
    let mut dice = Dice::new(12);
    let (mut claimed, mut right, mut seen) = ([0.0; 5], [0.0; 5], [0.0; 5]);
    for _ in 0..400 {
        let mut strength = || (0..6).map(|_| dice.unit() + dice.unit()).sum::<f64>() * 25.0;
        let strengths: Vec<f64> = (0..6).map(|_| strength()).collect();
        let trial = SimulatedTournament::new(&strengths, 30, 0.3, -0.4);
        let fit = BradleyTerryFit::new(6, &trial.play(&mut dice));
        for a in 0..6 {
            for b in 0..a {
                let superiority = fit.superiority(a, b).unwrap();
                let bin = ((superiority * 5.0) as usize).min(4);
                claimed[bin] += superiority;
                right[bin] += f64::from(u8::from(strengths[a] > strengths[b]));
                seen[bin] += 1.0;
            }
        }
    }
    for bin in 0..5 {
        let (claimed, right) = (claimed[bin] / seen[bin], right[bin] / seen[bin]);
        assert!(
            (claimed - right).abs() < 0.05,
            "bin {bin}: told {claimed}, was {right}"
        );
    }
}
