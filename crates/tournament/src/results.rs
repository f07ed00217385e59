//! The added-up results of a tournament.

use crate::played_pair::PlayedPair;
use crate::rating::{LiveRatings, Meeting, ParticipantStatistics, Standings};
use games::{Outcome, Seat};
use std::collections::BTreeMap;
use std::time::Duration;

/// All results of a tournament so far, of a size independent of the number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentResults {
    entries: Vec<ParticipantStatistics>,
    meetings: BTreeMap<[usize; 2], Meeting>,
    live: LiveRatings,
    pairs: u64,
}

impl TournamentResults {
    /// Empty results of players with these names.
    ///
    /// ```
    /// let results = tournament::TournamentResults::new(["anna".into(), "ben".into()]);
    /// assert_eq!((results.entries()[1].name.as_str(), results.pairs()), ("ben", 0));
    /// ```
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let entry = |name| ParticipantStatistics {
            name,
            ..ParticipantStatistics::default()
        };
        let entries: Vec<_> = names.into_iter().map(entry).collect();
        Self {
            live: LiveRatings::new(entries.len()),
            meetings: BTreeMap::new(),
            pairs: 0,
            entries,
        }
    }

    /// Adds a pair of games; the first of these players had the first seat in the first game.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    ///
    /// let mut results = tournament::TournamentResults::new(["anna".into(), "ben".into()]);
    /// // anna wins with the first seat, and with the second
    /// results.add_pair([0, 1], [Outcome::Win(Seat::First), Outcome::Win(Seat::Second)]);
    /// assert_eq!(results.standings().rows[0].name, "anna");
    /// ```
    pub fn add_pair(&mut self, players: [usize; 2], outcomes: [Outcome; 2]) {
        let [a, b] = players;
        let [first, second] = outcomes;
        self.live.add_game([a, b], first);
        self.live.add_game([b, a], second);
        let key = [a.min(b), a.max(b)];
        let meeting = self.meetings.entry(key).or_insert(Meeting::between(key));
        match a < b {
            true => meeting.add([first, second]),
            false => meeting.add([second, first]),
        }
        self.pairs += 1;
    }

    /// Adds the thinking times of a turn.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let mut results = tournament::TournamentResults::new(["anna".into(), "ben".into()]);
    /// // ben has the first seat
    /// results.add_times([1, 0], [Some(Duration::from_millis(7)), None]);
    /// assert_eq!(results.entries()[1].timing.mean(), Some(Duration::from_millis(7)));
    /// ```
    pub fn add_times(&mut self, seated: [usize; 2], spent: [Option<Duration>; 2]) {
        for (player, spent) in seated.into_iter().zip(spent) {
            if let (Some(entry), Some(spent)) = (self.entries.get_mut(player), spent) {
                entry.timing.add(spent);
            }
        }
    }

    /// Adds games that a player lost by a fault.
    ///
    /// ```
    /// let mut results = tournament::TournamentResults::new(["anna".into()]);
    /// results.add_faults(0, 2);
    /// assert_eq!(results.entries()[0].faults, 2);
    /// ```
    pub fn add_faults(&mut self, player: usize, count: u64) {
        if let Some(entry) = self.entries.get_mut(player) {
            entry.faults += count;
        }
    }

    /// Adds a pair of games with times and faults.
    ///
    /// ```
    /// use arena::GamePairing;
    /// use matches::replay::{BUNDLED, read_text};
    /// use std::time::{Duration, SystemTime};
    /// use tournament::store::PlayedPair;
    ///
    /// let record = read_text(BUNDLED[0].text).next().expect("one game")?.record;
    /// let entrants = [record.players[0].parse()?, record.players[1].parse()?];
    /// let pairing = GamePairing { entrants, seed: 1, pair: 0, is_whole: true };
    /// let records = vec![record.clone(), record];
    /// let (started, spent) = (SystemTime::now(), Duration::ZERO);
    /// let mut results = tournament::TournamentResults::new(["anna".into(), "ben".into()]);
    /// results.add(&PlayedPair { players: [0, 1], pairing, records, started, spent });
    /// // the same game with the seats exchanged: each has won once
    /// assert_eq!(results.meetings()[0].by_points(), [0, 0, 1, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, pair: &PlayedPair) {
        let [a, b] = pair.players;
        let mut outcomes = [Outcome::Draw; 2];
        for (leg, record) in pair.records.iter().take(2).enumerate() {
            let seated = [[a, b], [b, a]][leg];
            for turn in &record.turns {
                self.add_times(seated, turn.spent);
            }
            for seat in Seat::BOTH {
                let faults = record.ending.of(seat).is_some();
                self.add_faults(seated[seat.index()], u64::from(faults));
            }
            outcomes[leg] = record.outcome;
        }
        self.add_pair(pair.players, outcomes);
    }

    /// Number of pairs of games.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The participants' statistics by player number.
    #[must_use]
    pub fn entries(&self) -> &[ParticipantStatistics] {
        &self.entries
    }

    /// The meetings, sorted; the lower number first.
    #[must_use]
    pub fn meetings(&self) -> Vec<Meeting> {
        self.meetings.values().cloned().collect()
    }

    /// The live ratings.
    #[must_use]
    pub fn live(&self) -> &LiveRatings {
        &self.live
    }

    /// Computes the standings.
    #[must_use]
    pub fn standings(&self) -> Standings {
        Standings::new(&self.entries, &self.meetings(), Some(&self.live))
    }
}
