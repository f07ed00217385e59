//! Tournaments as JSON.

use games::{Outcome, Seat};
use matches::LivePosition;
use serde_json::{Value, json};
use tournament::TournamentResults;
use tournament::rating::{Rating, StandingsRow};
use tournament::store::StoredGameSummary;

/// The standings: `rows`, the best first; `first_seat`, what it is worth to move first.
pub(super) fn table(results: &TournamentResults) -> Value {
    let standings = results.standings();
    json!({
        "rows": standings.rows.iter().map(row).collect::<Vec<_>>(),
        "groups": standings.groups(),
        "first_seat": standings.first_seat.map(rating),
    })
}

fn row(row: &StandingsRow) -> Value {
    json!({
        "place": row.place,
        "number": row.player,
        "name": row.name,
        "group": row.group,
        "rating": row.rating.map(rating),
        "games": row.games(),
        "wins": row.score.wins,
        "draws": row.score.draws,
        "losses": row.score.losses,
        "points": row.points(),
        "faults": row.faults,
        // that it is stronger than the next
        "sure": row.superiority,
        // microseconds: half of its moves, 99 of 100, all
        "times": row.times.map(|[half, _, most, all]| [half, most, all].map(|time| time.as_nanos() as f64 / 1e3)),
    })
}

fn rating(rating: Rating) -> Value {
    json!({
        "elo": rating.elo.round(),
        "error": rating.error.is_finite().then(|| rating.error.round()),
    })
}

/// A position of the game that is being played.
pub(super) fn board(position: &LivePosition) -> String {
    json!({ "board": {
        "players": position.players,
        "pair": position.game.0,
        "leg": position.game.1,
        "turns": position.turns,
        "diagram": wire::board::to_json(&position.diagram),
    }})
    .to_string()
}

/// A line in the list of games.
pub(super) fn headline(line: &StoredGameSummary, names: &[String]) -> Value {
    let name = |number: usize| names.get(number).cloned().unwrap_or_default();
    json!({
        "id": line.id,
        "players": line.players.map(name),
        "pair": line.game.0,
        "leg": line.game.1,
        "outcome": match line.outcome {
            Outcome::Win(Seat::First) => "first",
            Outcome::Win(Seat::Second) => "second",
            Outcome::Draw => "draw",
        },
        "ending": line.ending,
        "turns": line.turns,
    })
}
