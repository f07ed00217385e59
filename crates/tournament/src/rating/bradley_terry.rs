//! Bradley-Terry ratings from all results.

use super::Meeting;
use super::likelihood::{LikelihoodFit, MeetingTotals, maximize, meeting_totals};
use super::matrix::DenseMatrix;
use matches::Elo;

/// Natural units of strength in one point of Elo's scale: 400 points for odds of ten to one.
const UNIT: f64 = std::f64::consts::LN_10 / 400.0;

/// Strengths of all players, fitted to all their pairs of games by maximum likelihood.
///
/// **The model** is Bradley and Terry's (1952): a player who is stronger by `x` (natural
/// units; 400 points of Elo are `ln 10`) takes a share of `σ(x)` of the points of a pair of
/// games, where `σ` is the logistic function. A draw is half a win and half a loss. The fit
/// makes everyone's expected points equal to the points that were made, so the order of the
/// games cannot matter; for two players it gives what [`matches::Elo`] gives.
///
/// **Seats** are exchanged within each pair, so they are not part of the model; including them
/// was tried and rejected. Where the first seat wins nearly always, the odds of single games
/// lie far apart: a player who takes 99 % from the first seat and 5 % from the second, 52 % in
/// all, would be rated 140 ahead. The first seat's advantage is computed separately
/// ([`BradleyTerryFit::first_seat`]).
///
/// **Draws.** Models that give draws a probability of their own (Rao and Kupper, 1967;
/// Davidson, 1970) were weighed and lost: their unit is the odds of a win against a loss
/// with draws put aside. Where 85 % of games are drawn, a player who takes 52.5 % of the
/// points would be shown 120 ahead in a table, where a match of the same two says 17. Here
/// one unit serves matches, tests and tables, and how often draws happen enters where it
/// belongs, in the spread of the results.
///
/// **The intervals** are made of the spread of whole pairs (a sandwich: White, 1982, with
/// pairs as clusters as in Liang and Zeger, 1986), because two games from one opening are
/// not independent. A meeting's own spread counts as far as it has been seen; below that the
/// spread of all meetings together stands in, so that ten wins out of ten do not pass for
/// certainty. Residuals are enlarged by what the fit took from them.
///
/// **The prior**: everyone is held to have drawn one game with a player of strength 0. That
/// is Jeffreys's prior of a share: it keeps those who have won everything at a finite rating,
/// and takes from ratings what the likelihood exaggerates (Firth, 1993). The likelihood exaggerates less where results spread less
/// ([`BradleyTerryFit::spread`] below 1), and the prior game then counts that much less than a game.
///
/// **Groups.** Players who have not met, not even through others, cannot be compared: each
/// group has a mean of 0 of its own, and differences across groups are not defined.
#[derive(Clone, Debug, PartialEq)]
pub struct BradleyTerryFit {
    /// Strengths by player in natural units, the mean of each group 0.
    strengths: Vec<f64>,
    /// Half widths of their intervals.
    errors: Vec<f64>,
    /// Of the strengths before their mean was taken out.
    covariance: DenseMatrix,
    /// Pairs by the half points of the first seat in both games.
    by_first_seat: [u64; 5],
    /// Each player's group.
    group: Vec<usize>,
    groups: Vec<Vec<usize>>,
    games: Vec<u64>,
    spread: f64,
}

/// A rating or a difference of two on Elo's scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The value.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
}

impl std::fmt::Display for Rating {
    /// `+35 ± 12`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // no `-0`
        let elo = self.elo.round() + 0.0;
        f.pad(&format!("{elo:+.0} ± {:.0}", self.error))
    }
}

impl BradleyTerryFit {
    /// Fits the strengths of `players` players to all their meetings, in any order and from
    /// either player's view.
    ///
    /// # Panics
    /// A meeting names a player whose number is not below `players`, or the same one twice.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use tournament::rating::{BradleyTerryFit, Meeting};
    ///
    /// let mut meeting = Meeting::between([0, 1]);
    /// for _ in 0..50 {
    ///     meeting.add([Outcome::Win(Seat::First), Outcome::Draw]);
    /// }
    /// let fit = BradleyTerryFit::new(3, &[meeting]);
    /// assert_eq!((fit.players(), fit.games(0), fit.games(2)), (3, 100, 0));
    /// assert_eq!(fit.groups(), [vec![0, 1], vec![2]], "nobody has met the third");
    /// ```
    #[must_use]
    pub fn new(players: usize, meetings: &[Meeting]) -> Self {
        let meeting_totals = meeting_totals(players, meetings);
        let mut games = vec![0; players];
        for totals in &meeting_totals {
            games[totals.a] += 2 * totals.count();
            games[totals.b] += 2 * totals.count();
        }
        let (group, groups) = components(players, &meeting_totals);
        let LikelihoodFit {
            mut strengths,
            covariance,
            spread,
        } = maximize(players, groups.len(), &meeting_totals);
        let mut by_first_seat = [0; 5];
        for meeting in meetings {
            for (first, seconds) in meeting.pairs.iter().enumerate() {
                for (second, count) in seconds.iter().enumerate() {
                    by_first_seat[first + 2 - second] += count;
                }
            }
        }

        let mut errors = vec![0.0; players];
        for members in &groups {
            let count = members.len() as f64;
            let mean = members.iter().map(|&i| strengths[i]).sum::<f64>() / count;
            let with_all = |i: usize| {
                let row = covariance.row(i);
                members.iter().map(|&j| row[j]).sum::<f64>() / count
            };
            let rows: Vec<f64> = members.iter().map(|&i| with_all(i)).collect();
            let all = rows.iter().sum::<f64>() / count;
            for (&i, with_all) in members.iter().zip(&rows) {
                strengths[i] -= mean;
                let variance = covariance.at(i, i) - 2.0 * with_all + all;
                errors[i] = Elo::Z_95 * variance.max(0.0).sqrt();
            }
        }
        Self {
            strengths,
            errors,
            covariance,
            by_first_seat,
            group,
            groups,
            games,
            spread,
        }
    }

    /// Number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.strengths.len()
    }

    /// Number of a player's games.
    #[must_use]
    pub fn games(&self, player: usize) -> u64 {
        self.games[player]
    }

    /// A player's rating, where 0 is the mean of the player's group; `None` before its first
    /// game.
    ///
    /// ```
    /// use games::Outcome;
    /// use tournament::rating::{BradleyTerryFit, Meeting};
    ///
    /// let mut meeting = Meeting::between([0, 1]);
    /// meeting.add([Outcome::Draw, Outcome::Draw]);
    /// let fit = BradleyTerryFit::new(3, &[meeting]);
    /// assert!(fit.rating(0).is_some_and(|rating| rating.elo.abs() < 1e-6));
    /// assert_eq!(fit.rating(2), None);
    /// ```
    #[must_use]
    pub fn rating(&self, player: usize) -> Option<Rating> {
        (self.games[player] > 0).then(|| Rating {
            elo: self.strengths[player] / UNIT,
            error: self.errors[player] / UNIT,
        })
    }

    /// The difference of two players; `None` for players of different groups.
    ///
    /// Its error is not the sum of the ratings' errors: those are errors against the mean.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use tournament::rating::{BradleyTerryFit, Meeting};
    ///
    /// let mut meeting = Meeting::between([0, 1]);
    /// for _ in 0..200 {
    ///     meeting.add([Outcome::Win(Seat::First), Outcome::Draw]);
    /// }
    /// // 3 of 4 points are 191 on Elo's scale
    /// let difference = BradleyTerryFit::new(2, &[meeting]).difference(0, 1).unwrap();
    /// assert!((difference.elo - 191.0).abs() < 2.0, "{difference}");
    /// ```
    #[must_use]
    pub fn difference(&self, player: usize, other: usize) -> Option<Rating> {
        (self.group[player] == self.group[other]).then(|| Rating {
            elo: (self.strengths[player] - self.strengths[other]) / UNIT,
            error: Elo::Z_95 * self.variance_between(player, other).sqrt() / UNIT,
        })
    }

    /// The probability that one player is stronger than another, from 0 to 1; `None` for
    /// players of different groups and for a player beside itself.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use tournament::rating::{BradleyTerryFit, Meeting};
    ///
    /// let mut meeting = Meeting::between([0, 1]);
    /// meeting.add([Outcome::Win(Seat::First), Outcome::Draw]);
    /// let fit = BradleyTerryFit::new(3, &[meeting]);
    /// assert!(fit.superiority(0, 1).is_some_and(|p| p > 0.5 && p < 0.99), "two games prove little");
    /// assert_eq!(fit.superiority(0, 2), None);
    /// ```
    #[must_use]
    pub fn superiority(&self, player: usize, other: usize) -> Option<f64> {
        if player == other || self.group[player] != self.group[other] {
            return None;
        }
        let difference = self.strengths[player] - self.strengths[other];
        // equals of whom everything is known are as likely to be either: no 0 over 0
        let deviation = self
            .variance_between(player, other)
            .sqrt()
            .max(f64::MIN_POSITIVE);
        Some(0.5 * libm::erfc(-difference / (deviation * std::f64::consts::SQRT_2)))
    }

    /// The advantage of the first seat, as if it were a player who meets the second; `None`
    /// before the first game and where one seat has won everything.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use tournament::rating::{BradleyTerryFit, Meeting};
    ///
    /// let mut meeting = Meeting::between([0, 1]);
    /// for outcomes in [[Outcome::Win(Seat::First); 2], [Outcome::Draw; 2]] {
    ///     meeting.add(outcomes);
    /// }
    /// let fit = BradleyTerryFit::new(2, &[meeting]);
    /// assert!(fit.first_seat().is_some_and(|seat| seat.elo > 0.0));
    /// assert!(fit.rating(0).is_some_and(|rating| rating.elo.abs() < 1e-6), "both had it once");
    /// ```
    #[must_use]
    pub fn first_seat(&self) -> Option<Rating> {
        let elo = Elo::from_pairs(&self.by_first_seat);
        let (elo, error) = elo.difference.zip(elo.error)?;
        Some(Rating { elo, error })
    }

    /// Those who can be compared with each other, the largest group first. One group is all
    /// players of an ordinary tournament; a player without games is alone.
    #[must_use]
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// The number of a player's group in [`BradleyTerryFit::groups`].
    #[must_use]
    pub fn group(&self, player: usize) -> usize {
        self.group[player]
    }

    /// The variance of the pairs' results relative to independent games without draws: below 1
    /// where there are draws or openings favour a seat, above 1 where both games of a pair tend
    /// to be won by the same player.
    #[must_use]
    pub fn spread(&self) -> f64 {
        self.spread
    }

    /// The covariance of all strengths in natural units, the prior's mean being 0.
    pub(super) fn covariance(&self) -> &DenseMatrix {
        &self.covariance
    }

    /// The difference of two strengths in natural units.
    pub(super) fn natural_difference(&self, player: usize, other: usize) -> f64 {
        self.strengths[player] - self.strengths[other]
    }

    /// Of the difference of two strengths, in natural units.
    fn variance_between(&self, a: usize, b: usize) -> f64 {
        let c = &self.covariance;
        (c.at(a, a) - 2.0 * c.at(a, b) + c.at(b, b)).max(0.0)
    }
}

/// Each player's group, and the groups: the largest first, then by their first player.
fn components(players: usize, meeting_totals: &[MeetingTotals]) -> (Vec<usize>, Vec<Vec<usize>>) {
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    let mut parent: Vec<usize> = (0..players).collect();
    for totals in meeting_totals {
        let (a, b) = (root(&mut parent, totals.a), root(&mut parent, totals.b));
        parent[a.max(b)] = a.min(b);
    }
    let mut members = vec![Vec::new(); players];
    for i in 0..players {
        members[root(&mut parent, i)].push(i);
    }
    members.retain(|members| !members.is_empty());
    members.sort_by_key(|members| std::cmp::Reverse(members.len()));
    let mut group = vec![0; players];
    for (number, members) in members.iter().enumerate() {
        members.iter().for_each(|&i| group[i] = number);
    }
    (group, members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Dice, Outcome, Seat};

    const FIRST: Outcome = Outcome::Win(Seat::First);
    const SECOND: Outcome = Outcome::Win(Seat::Second);

    /// Two players' pairs: the numbers won in both games, lost in both, and won by the first seat.
    fn meeting(players: [usize; 2], [won, lost, even]: [u64; 3]) -> Meeting {
        let mut meeting = Meeting::between(players);
        meeting.pairs[2][2] = won;
        meeting.pairs[0][0] = lost;
        meeting.pairs[2][0] = even;
        meeting
    }

    #[test]
    fn two_players_get_the_difference_of_their_share() {
        let fit = BradleyTerryFit::new(2, &[meeting([0, 1], [7500, 2500, 0])]);
        let difference = fit.difference(0, 1).unwrap();
        assert!((difference.elo - 190.85).abs() < 0.1, "{difference:?}");
        let (a, b) = (fit.rating(0).unwrap(), fit.rating(1).unwrap());
        assert!((a.elo + b.elo).abs() < 1e-9 && a.error == b.error);
        // each pair counts as one game: its games were always won by the same player
        assert!((fit.spread() - 2.0).abs() < 0.01, "{}", fit.spread());
        let share: f64 = 0.75;
        let error = 1.96 * (1.0 / (share * (1.0 - share) * 10_000.0)).sqrt() / UNIT;
        assert!(
            (difference.error / error - 1.0).abs() < 0.01,
            "{difference:?} {error}"
        );
    }

    #[test]
    fn everyone_has_made_the_points_that_were_to_be_expected() {
        let mut dice = Dice::new(8);
        let players = 5;
        let mut meetings = Vec::new();
        for a in 0..players {
            for b in 0..a {
                let mut meeting = Meeting::between([a, b]);
                for count in meeting.pairs.iter_mut().flatten() {
                    *count = u64::from(dice.below(500));
                }
                meetings.push(meeting);
            }
        }
        let fit = BradleyTerryFit::new(players, &meetings);
        for player in 0..players {
            let (mut made, mut expected, mut games) = (0.0, 0.0, 0.0);
            for meeting in &meetings {
                let reversed = meeting.reversed();
                for meeting in [meeting, &reversed] {
                    if meeting.players[0] == player {
                        let score = meeting.score();
                        made += score.wins as f64 + score.draws as f64 / 2.0;
                        let difference = fit.difference(player, meeting.players[1]).unwrap();
                        let played = 2.0 * meeting.count() as f64;
                        expected += played * Elo::expected_share(difference.elo);
                        games += played;
                    }
                }
            }
            // but for the prior's one game
            assert!(
                (made - expected).abs() < 0.2,
                "{player}: {made} {expected} {games}"
            );
        }
    }

    #[test]
    fn the_order_of_the_results_does_not_matter() {
        let mut dice = Dice::new(3);
        let outcomes = [FIRST, Outcome::Draw, SECOND];
        let mut pairs = Vec::new();
        for _ in 0..2000 {
            let (a, b) = (dice.below(7) as usize, dice.below(7) as usize);
            if a != b {
                let mut outcome = || dice.pick(&outcomes).unwrap();
                pairs.push(([a, b], [outcome(), outcome()]));
            }
        }
        let fit = |pairs: &[([usize; 2], [Outcome; 2])]| {
            let meetings = pairs.iter().map(|&(players, outcomes)| {
                let mut meeting = Meeting::between(players);
                meeting.add(outcomes);
                meeting
            });
            BradleyTerryFit::new(7, &meetings.collect::<Vec<_>>())
        };
        let one = fit(&pairs);
        for _ in 0..5 {
            dice.shuffle(&mut pairs);
            assert_eq!(fit(&pairs), one);
        }
        // told by the other player, and added up before
        let mut sums: Vec<Meeting> = Vec::new();
        for &(players, outcomes) in &pairs {
            let mut meeting = Meeting::between(players);
            meeting.add(outcomes);
            let reversed = meeting.reversed();
            match sums.iter_mut().find(|sum| sum.players == reversed.players) {
                Some(sum) => *sum += &reversed,
                None => sums.push(reversed),
            }
        }
        assert_eq!(BradleyTerryFit::new(7, &sums), one);
    }

    #[test]
    fn the_first_seat_gets_what_it_is_worth() {
        // player 0 takes 57.5 %, and the first seat 87.5 %
        let mut meeting = meeting([0, 1], [100, 0, 350]);
        meeting.pairs[1][0] = 50;
        let fit = BradleyTerryFit::new(2, &[meeting]);
        let seat = fit.first_seat().unwrap();
        assert!(
            (seat.elo - Elo::difference_for(0.875)).abs() < 1.0,
            "{seat:?}"
        );
        assert!((20.0..50.0).contains(&seat.error), "{seat:?}");
        let difference = fit.difference(0, 1).unwrap();
        assert!(
            (difference.elo - Elo::difference_for(0.575)).abs() < 1.0,
            "{difference:?}"
        );
        assert!(
            BradleyTerryFit::new(2, &[meeting_of_seats()])
                .first_seat()
                .is_none()
        );
    }

    /// The first seat wins everything.
    fn meeting_of_seats() -> Meeting {
        meeting([0, 1], [0, 0, 9])
    }

    /// One unit everywhere: two players are told the same here and after a match.
    #[test]
    fn two_players_get_the_elo_of_a_match() {
        let mut dice = Dice::new(21);
        for _ in 0..100 {
            let mut meeting = Meeting::between([0, 1]);
            for count in meeting.pairs.iter_mut().flatten() {
                *count = 10 + u64::from(dice.below(90));
            }
            let elo = Elo::from_pairs(&meeting.by_points());
            let fit = BradleyTerryFit::new(2, &[meeting])
                .difference(0, 1)
                .unwrap();
            assert!(
                (fit.elo - elo.difference.unwrap()).abs() < 1.0,
                "{fit} {elo}"
            );
            assert!(
                (fit.error / elo.error.unwrap() - 1.0).abs() < 0.05,
                "{fit} {elo}"
            );
        }
    }

    #[test]
    fn a_winner_of_everything_is_finite_and_uncertain() {
        let fit = BradleyTerryFit::new(
            3,
            &[
                meeting([0, 1], [10, 0, 0]),
                meeting([0, 2], [10, 0, 0]),
                meeting([1, 2], [3, 3, 4]),
            ],
        );
        let best = fit.rating(0).unwrap();
        assert!(best.elo > 200.0 && best.elo < 1000.0, "{best}");
        assert!(best.error > 150.0, "{best}");
        assert!(fit.superiority(0, 1).unwrap() > 0.99);
        let equal = fit.superiority(1, 2).unwrap();
        assert!((equal - 0.5).abs() < 1e-9, "{equal}");
        for a in 0..fit.players() {
            assert_eq!(fit.superiority(a, a), None);
            for b in 0..a {
                let both = fit.superiority(a, b).unwrap() + fit.superiority(b, a).unwrap();
                assert!((both - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn players_of_different_groups_are_not_compared() {
        let fit = BradleyTerryFit::new(
            6,
            &[
                meeting([4, 2], [20, 10, 10]),
                meeting([0, 1], [5, 5, 5]),
                meeting([1, 5], [5, 0, 5]),
            ],
        );
        assert_eq!(fit.groups(), [vec![0, 1, 5], vec![2, 4], vec![3]]);
        assert_eq!([0, 2, 3].map(|i| fit.group(i)), [0, 1, 2]);
        assert_eq!(fit.superiority(0, 2), None);
        assert_eq!(fit.difference(4, 5), None);
        assert!(fit.difference(4, 2).unwrap().elo > 0.0);
        assert_eq!((fit.rating(3), fit.games(3)), (None, 0));
        for group in fit.groups() {
            let sum: f64 = group
                .iter()
                .filter_map(|&i| fit.rating(i))
                .map(|r| r.elo)
                .sum();
            assert!(sum.abs() < 1e-9, "{group:?}");
        }
        let nothing = BradleyTerryFit::new(0, &[]);
        assert!(nothing.groups().is_empty() && nothing.first_seat().is_none());
    }

    /// The wildest results: a long chain, one-sided meetings of a billion pairs beside
    /// single ones.
    #[test]
    fn all_results_give_finite_numbers() {
        let mut dice = Dice::new(77);
        for round in 0..200 {
            let players = 2 + dice.below(60) as usize;
            let mut meetings = Vec::new();
            for a in 1..players {
                let b = match round % 2 {
                    0 => a - 1,
                    _ => dice.below(a as u32) as usize,
                };
                let mut meeting = Meeting::between([a, b]);
                for count in meeting.pairs.iter_mut().flatten() {
                    if dice.below(3) == 0 {
                        *count = 10u64.pow(dice.below(10));
                    }
                }
                meetings.push(meeting);
            }
            let fit = BradleyTerryFit::new(players, &meetings);
            assert!(fit.spread().is_finite() && fit.spread() > 0.0);
            for player in 0..players {
                if let Some(rating) = fit.rating(player) {
                    let is_sane = rating.elo.is_finite() && rating.error.is_finite();
                    assert!(is_sane && rating.error >= 0.0, "{round} {rating:?}");
                }
                for other in 0..player {
                    let superiority = fit.superiority(player, other).unwrap_or(0.5);
                    assert!((0.0..=1.0).contains(&superiority), "{round} {superiority}");
                }
            }
            for members in fit.groups() {
                let elo = |&player: &usize| fit.rating(player).map_or(0.0, |rating| rating.elo);
                let sum: f64 = members.iter().map(elo).sum();
                assert!(sum.abs() < 1e-6, "{round} {sum}");
            }
        }
    }

    #[test]
    fn draws_narrow_the_interval_and_keep_the_scale() {
        let with_draws = |draws: u64| {
            let mut meeting = meeting([0, 1], [0; 3]);
            // independent games that give 60 % of the points, with this many draws in ten
            let chances = [8 - draws, 2 * draws, 12 - draws];
            for (first, row) in meeting.pairs.iter_mut().enumerate() {
                for (second, count) in row.iter_mut().enumerate() {
                    *count = chances[first] * chances[second];
                }
            }
            BradleyTerryFit::new(2, &[meeting])
                .difference(0, 1)
                .unwrap()
        };
        let (none, many) = (with_draws(0), with_draws(7));
        assert!(
            (none.elo - 70.4).abs() < 0.5 && (many.elo - 70.4).abs() < 0.5,
            "{none} {many}"
        );
        assert!(many.error < 0.65 * none.error, "{none} {many}");
    }
}
