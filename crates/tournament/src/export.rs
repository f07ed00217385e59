//! Export for other programs: tables as CSV, everything as JSON.
//!
//! JSON is one object:
//!
//! - `tournament`: `name`, `game`, `seed`, `kind`, `pairs`, `rounds` (null where it is not
//!   Swiss), `opening`, `settled`, `pace`; null where no plan was ever taken;
//! - `players`, in the order of the standings, each with the fields of the table of players
//!   below, and `about` (an object: what it told of itself), `times` (`p50`, `p90`, `p99`,
//!   `most` in seconds, or null);
//! - `meetings`: `first`, `second` (names), `pairs` (how many), `wins`, `draws`, `losses` (of
//!   the first);
//! - `rounds`, of a Swiss tournament: a list of lists of `first`, `second` (null where nobody
//!   was left);
//! - `runs`: `number`, `cpu`, `cores`, `os`, `program`, `jobs`, `cage`, `started` (seconds
//!   since 1970), `pairs`;
//! - `games`: each with the fields of the table of games below, and `turns` (a list of texts),
//!   `opening` (a list of texts), `faults` (for each seat null, or `kind` and `words`), `notes`
//!   (for each seat a list).
//!
//! The tables are CSV as RFC 4180 has it, with a line of names and lines that end in CR LF:
//!
//! - players: `place`, `name`, `player`, `games`, `wins`, `draws`, `losses`, `points`,
//!   `faults`, `rating`, `rating_error` (95 %), `superiority` (over the next), `glicko`,
//!   `glicko_deviation`, `weng_lin`, `weng_lin_deviation`;
//! - games: `game` (its number), `first`, `second` (names, by seat), `pair`, `leg`, `outcome`
//!   (`first`, `second`, `draw`), `ending`, `plies` (turns), `seed`, `hash` (hexadecimal),
//!   `run`, `started` (seconds since 1970), `seconds` (of the pair), `first_seconds`,
//!   `second_seconds` (that they thought).
//!
//! Unknown values are empty, or null.

use crate::rating::{RatingEstimate, StandingsRow};
use crate::store::{Store, StoreError, StoredGame, StoredPlayer, outcome_word};
use games::Seat;
use matches::Fault;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::time::{Duration, SystemTime};
use thiserror::Error;

/// Which table is exported as CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportTable {
    /// The standings.
    Players,
    /// A line a game.
    Games,
}

/// Why an export failed.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// The columns of the table of players.
const PLAYER: [&str; 16] = [
    "place",
    "name",
    "player",
    "games",
    "wins",
    "draws",
    "losses",
    "points",
    "faults",
    "rating",
    "rating_error",
    "superiority",
    "glicko",
    "glicko_deviation",
    "weng_lin",
    "weng_lin_deviation",
];

/// The columns of the table of games.
const GAME: [&str; 15] = [
    "game",
    "first",
    "second",
    "pair",
    "leg",
    "outcome",
    "ending",
    "plies",
    "seed",
    "hash",
    "run",
    "started",
    "seconds",
    "first_seconds",
    "second_seconds",
];

/// Writes a table as CSV.
///
/// # Errors
/// The store cannot be read, or `into` not written.
pub fn csv(store: &Store, table: ExportTable, into: &mut dyn Write) -> Result<(), ExportError> {
    store.read_snapshot(|| write_csv(store, table, into))
}

fn write_csv(store: &Store, table: ExportTable, into: &mut dyn Write) -> Result<(), ExportError> {
    let players = store.players()?;
    match table {
        ExportTable::Players => {
            line(into, PLAYER.map(String::from))?;
            for row in &store.results()?.standings().rows {
                line(into, player(row, &players).map(plain))?;
            }
        }
        ExportTable::Games => {
            line(into, GAME.map(String::from))?;
            for played in store.games() {
                line(into, game(&played?, &players).map(plain))?;
            }
        }
    }
    Ok(())
}

/// Writes everything as one JSON object, without a final line feed.
///
/// # Errors
/// The store cannot be read, or `into` not written.
pub fn json(store: &Store, into: &mut dyn Write) -> Result<(), ExportError> {
    store.read_snapshot(|| write_json(store, into))
}

fn write_json(store: &Store, into: &mut dyn Write) -> Result<(), ExportError> {
    let players = store.players()?;
    let name = |number: usize| players.get(number).map(|player| player.name.as_str());
    let results = store.results()?;
    let plan = store.plan()?.map(|plan| {
        json!({
            "name": plan.name, "game": plan.game, "seed": plan.seed, "kind": plan.kind,
            "pairs": plan.pairs, "rounds": plan.rounds, "opening": plan.opening,
            "settled": plan.is_settled, "pace": plan.time_control.to_string(),
        })
    });
    let rows = results.standings().rows;
    let rows = rows.iter().map(|row| {
        let mut fields: Map<_, _> = object(PLAYER, player(row, &players));
        let about = players.get(row.player).map(|player| &player.about);
        let about = about.into_iter().flatten();
        let about = about.map(|(key, value)| (key.clone(), json!(value)));
        fields.insert("about".into(), Value::Object(about.collect()));
        let times = row.times.map(|times| {
            let [p50, p90, p99, most] = times.map(|time| time.as_secs_f64());
            json!({"p50": p50, "p90": p90, "p99": p99, "most": most})
        });
        fields.insert("times".into(), json!(times));
        Value::Object(fields)
    });
    let meetings = results.meetings().into_iter().map(|meeting| {
        let [first, second] = meeting.players.map(name);
        let score = meeting.score();
        json!({
            "first": first, "second": second, "pairs": meeting.count(),
            "wins": score.wins, "draws": score.draws, "losses": score.losses,
        })
    });
    let mut rounds: Vec<Vec<Value>> = Vec::new();
    for pairing in store.pairings()? {
        let round = pairing.round as usize;
        rounds.resize(rounds.len().max(round + 1), Vec::new());
        let second = pairing.second.and_then(name);
        rounds[round].push(json!({"first": name(pairing.first), "second": second}));
    }
    let runs = store.runs()?.into_iter().map(|run| {
        json!({
            "number": run.number, "cpu": run.cpu, "cores": run.cores, "os": run.os,
            "program": run.program, "jobs": run.jobs, "cage": run.cage,
            "started": since_1970(run.started), "pairs": run.pairs,
        })
    });
    let head = json!({
        "tournament": plan,
        "players": rows.collect::<Vec<_>>(),
        "meetings": meetings.collect::<Vec<_>>(),
        "rounds": rounds,
        "runs": runs.collect::<Vec<_>>(),
    });
    // games may be many: they are written as they are read
    let mut head = serde_json::to_string(&head).map_err(io::Error::from)?;
    head.pop();
    write!(into, "{head},\"games\":[")?;
    for (i, played) in store.games().enumerate() {
        let played = played?;
        let mut fields = object(GAME, game(&played, &players));
        let record = &played.record;
        let turns: Vec<_> = record.turns.iter().map(|turn| &turn.text).collect();
        fields.insert("turns".into(), json!(turns));
        fields.insert("opening".into(), json!(record.opening));
        let fault = |fault: &Fault| json!({"kind": fault.kind(), "words": fault.to_string()});
        let faults = Seat::BOTH.map(|seat| record.ending.of(seat).map(fault));
        fields.insert("faults".into(), json!(faults));
        let notes = record.reports.each_ref().map(|report| &report.notes);
        fields.insert("notes".into(), json!(notes));
        let comma = if i > 0 { "," } else { "" };
        write!(into, "{comma}\n{}", Value::Object(fields))?;
    }
    write!(into, "]}}")?;
    Ok(())
}

fn object<const N: usize>(columns: [&str; N], values: [Value; N]) -> Map<String, Value> {
    let fields = columns.into_iter().zip(values);
    fields
        .map(|(name, value)| (name.to_string(), value))
        .collect()
}

fn player(row: &StandingsRow, players: &[StoredPlayer]) -> [Value; 16] {
    let text = players.get(row.player).map(|player| &player.text);
    let rating = |estimate: Option<RatingEstimate>| estimate.map(|estimate| estimate.rating);
    let deviation = |estimate: Option<RatingEstimate>| estimate.map(|estimate| estimate.deviation);
    [
        json!(row.rating.map(|_| row.place)),
        json!(row.name),
        json!(text),
        json!(row.games()),
        json!(row.score.wins),
        json!(row.score.draws),
        json!(row.score.losses),
        json!(row.points()),
        json!(row.faults),
        json!(row.rating.map(|rating| rating.elo)),
        json!(row.rating.map(|rating| rating.error)),
        json!(row.superiority),
        json!(rating(row.glicko)),
        json!(deviation(row.glicko)),
        json!(rating(row.weng_lin)),
        json!(deviation(row.weng_lin)),
    ]
}

fn game(game: &StoredGame, players: &[StoredPlayer]) -> [Value; 15] {
    let [first, second] = game
        .players
        .map(|number| players.get(number).map(|p| &p.name));
    let record = &game.record;
    let thought = |seat: Seat| {
        let times = record
            .turns
            .iter()
            .filter_map(|turn| turn.spent[seat.index()]);
        times
            .reduce(|all, time| all + time)
            .map(|all| all.as_secs_f64())
    };
    [
        json!(game.id),
        json!(first),
        json!(second),
        json!(record.pair),
        json!(game.leg),
        json!(outcome_word(record.outcome)),
        json!(record.ending.kind()),
        json!(record.turns.len()),
        json!(record.seed),
        json!(format!("{:016x}", record.hash)),
        json!(game.run),
        json!(since_1970(game.started)),
        json!(game.spent.as_secs_f64()),
        json!(thought(Seat::First)),
        json!(thought(Seat::Second)),
    ]
}

fn since_1970(time: SystemTime) -> f64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or(Duration::ZERO).as_secs_f64()
}

fn plain(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        value => value.to_string(),
    }
}

fn line<const N: usize>(into: &mut dyn Write, texts: [String; N]) -> io::Result<()> {
    write!(into, "{}\r\n", texts.map(quote).join(","))
}

/// RFC 4180: quotation marks around what holds a comma, a quotation mark, or the end of a
/// line; a quotation mark within is written twice.
fn quote(text: String) -> String {
    match text.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_marks_gets_them() {
        let rows = [
            ("", ""),
            ("mcts:ms=50", "mcts:ms=50"),
            ("a b", "a b"),
            ("mnk:5,5,4", "\"mnk:5,5,4\""),
            ("the \"best\"", "\"the \"\"best\"\"\""),
            ("two\nlines", "\"two\nlines\""),
        ];
        for (text, expected) in rows {
            assert_eq!(quote(text.into()), expected);
        }
    }
}
