//! What a store knows, for a report.

use super::{FaultSummary, RatingSnapshot, Report};
use crate::store::{Store, StoreError, StoredGame, StoredTournament};
use std::collections::{BTreeMap, HashSet};

/// Maximum number of points of a rating curve.
const MOMENTS: u64 = 240;
/// Maximum number of games shown in full.
const MOST_GAMES: usize = 48;
/// And they have no more bytes of text than these, so that a page stays one that opens.
const MOST_BYTES: usize = 400_000;

impl Report {
    /// A report of a tournament as it stands; it may go on meanwhile.
    ///
    /// Of the games, one is shown in full for each kind of fault of each player, then the first
    /// one of each meeting, best players first, up to the maximum.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn from_store(store: &Store) -> Result<Self, StoreError> {
        store.read_snapshot(|| Self::read(store))
    }

    fn read(store: &Store) -> Result<Self, StoreError> {
        let plan = store.plan()?;
        let players = store.players()?;
        let pairs = store.count()? / 2;
        let stride = (pairs / MOMENTS).max(1);
        let mut rating_history = Vec::new();
        let results = store.results_until(&mut |results, _| {
            if results.pairs().is_multiple_of(stride) {
                rating_history.push(rating_snapshot(results));
            }
        })?;
        if rating_history
            .last()
            .map(|rating_snapshot| rating_snapshot.pairs)
            != Some(results.pairs())
        {
            rating_history.push(rating_snapshot(&results));
        }
        let standings = results.standings();
        let faults = faults(store)?;
        let order: Vec<usize> = standings.rows.iter().map(|row| row.player).collect();
        let games = games(store, &faults, &order)?;
        Ok(Self {
            title: plan.as_ref().map_or(String::new(), |t| t.name.clone()),
            limits: plan
                .as_ref()
                .map(|t| [t.time_control.first, t.time_control.each]),
            settings: plan.as_ref().map_or(Vec::new(), describe_settings),
            runs: store.runs()?,
            meetings: results.meetings(),
            rating_history,
            faults,
            games,
            count: 2 * results.pairs(),
            store: store
                .path()
                .file_name()
                .map_or(String::new(), |name| name.to_string_lossy().into_owned()),
            standings,
            players,
        })
    }
}

fn rating_snapshot(results: &crate::TournamentResults) -> RatingSnapshot {
    let mut has_played = vec![false; results.entries().len()];
    for meeting in results.meetings() {
        for player in meeting.players {
            has_played[player] = true;
        }
    }
    let rating = |(player, &has_played): (usize, &bool)| {
        has_played.then(|| results.live().glicko(player).rating)
    };
    RatingSnapshot {
        pairs: results.pairs(),
        ratings: has_played.iter().enumerate().map(rating).collect(),
    }
}

fn describe_settings(plan: &StoredTournament) -> Vec<(String, String)> {
    let mut describe_settings = vec![
        ("game", plan.game.clone()),
        ("kind", plan.kind.clone()),
        ("pairs of games for two who meet", plan.pairs.to_string()),
    ];
    describe_settings.extend(plan.rounds.map(|rounds| ("rounds", rounds.to_string())));
    let opening = match plan.opening.as_str() {
        "game" => "as many random turns as the game asks for".into(),
        turns => format!("{turns} random turns"),
    };
    let until = match plan.is_settled {
        true => "as soon as no move can change the result",
        false => "by the rules",
    };
    describe_settings.extend([
        ("openings", opening),
        ("games end", until.into()),
        ("seed", plan.seed.to_string()),
    ]);
    let describe_settings = describe_settings.into_iter();
    describe_settings
        .map(|(key, value)| (key.into(), value))
        .collect()
}

/// Faults by player and kind, with an example each.
fn faults(store: &Store) -> Result<Vec<FaultSummary>, StoreError> {
    let mut faults: BTreeMap<(usize, String), FaultSummary> = BTreeMap::new();
    for verdict in store.faults()? {
        let key = (verdict.player, verdict.kind.clone());
        let new = || FaultSummary {
            player: verdict.player,
            kind: verdict.kind,
            count: 0,
            example: verdict.words,
            game: verdict.game,
        };
        faults.entry(key).or_insert_with(new).count += 1;
    }
    Ok(faults.into_values().collect())
}

/// The games that are shown in full; `order` are the players, the best first.
fn games(
    store: &Store,
    faults: &[FaultSummary],
    order: &[usize],
) -> Result<Vec<StoredGame>, StoreError> {
    let mut games: Vec<StoredGame> = Vec::new();
    let mut known = HashSet::new();
    let mut bytes = 0;
    let mut has_room = |games: &mut Vec<StoredGame>, game: Option<StoredGame>| {
        let Some(game) = game.filter(|game| known.insert(game.id)) else {
            return true;
        };
        let length = matches::replay::text(&game.record).len();
        if games.len() >= MOST_GAMES || bytes + length > MOST_BYTES {
            return false;
        }
        bytes += length;
        games.push(game);
        true
    };
    for fault in faults {
        if !has_room(&mut games, store.game(fault.game)?) {
            return Ok(games);
        }
    }
    for (i, &a) in order.iter().enumerate() {
        for &b in &order[i + 1..] {
            let game = store.games_between([a, b]).next().transpose()?;
            if !has_room(&mut games, game) {
                return Ok(games);
            }
        }
    }
    Ok(games)
}
