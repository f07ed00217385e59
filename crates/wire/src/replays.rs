//! The replays page: a file of games as JSON, one of them with all its positions.
//!
//! Nothing is kept: a page sends the whole file and the number of the game to show.

use crate::board;
use crate::page_request::{PageAnswer, PageRequest};
use crate::room::{Room, RoomNews};
use games::{Diagram, Seat};
use matches::replay::{self, OpeningOrigin, Replay, ReplayCheck, ReplayError, ReplayFrame};
use matches::{ProcessReport, Record};
use serde_json::{Value, json};

/// The most games listed of a file.
const MOST_GAMES: usize = 10_000;

/// The most cells sent of a game: all positions of any game of a sensible length.
const MOST_CELLS: usize = 12 << 20;

/// A game whose text is at most this many bytes is also sent as text, for links and for saving.
const MOST_TEXT: usize = 256 << 10;

/// The response for a file: `games`, a line for each game, damaged ones with the place of the
/// damage; and `shown`, one whole game: the `chosen`th from 1, or the first readable one.
///
/// ```
/// let games = wire::replays_json(b"no game", None);
/// assert_eq!(games["games"][0]["line"], 1);
/// assert!(games["shown"].is_null());
/// ```
#[must_use]
pub fn file(bytes: &[u8], chosen: Option<usize>) -> Value {
    let mut games = Vec::new();
    let mut shown = None;
    let mut is_cut = false;
    for (i, read) in replay::read(bytes).enumerate() {
        if i == MOST_GAMES {
            is_cut = true;
            break;
        }
        games.push(match &read {
            Ok(replay) => line(&replay.record),
            Err(error) => error_json(error),
        });
        if let Ok(replay) = read
            && shown.is_none()
            && chosen.is_none_or(|chosen| chosen == i + 1)
        {
            shown = Some((i + 1, replay));
        }
    }
    json!({
        "ok": true,
        "games": games,
        "cut": is_cut,
        "shown": shown.map(|(number, replay)| game(number, &replay)),
    })
}

/// The replays page without a server.
///
/// ```
/// use wire::{ReplaysRoom, Room as _};
///
/// let answer = ReplaysRoom.request(b"/replays/ours/stones\n");
/// let end = answer.iter().position(|&byte| byte == b'\n').expect("a head");
/// let mut input = b"/replays/read\n".to_vec();
/// input.extend_from_slice(&answer[end + 1..]);
/// let read = ReplaysRoom.request(&input);
/// assert!(String::from_utf8_lossy(&read).contains("\"frames\":"));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplaysRoom;

impl Room for ReplaysRoom {
    fn tell(&mut self, _text: &str) -> Result<(), String> {
        Err("replays are asked for, and not told".into())
    }

    fn take(&mut self) -> Option<RoomNews> {
        None
    }

    fn request(&mut self, input: &[u8]) -> Vec<u8> {
        let request = PageRequest::of_bytes(input);
        let answer = if request.path() == "/replays/read" {
            let chosen = request.value("game").and_then(|game| game.parse().ok());
            PageAnswer::json(200, &file(request.body(), chosen))
        } else {
            let name = request.path().strip_prefix("/replays/ours/");
            match name.and_then(replay::bundled) {
                Some(game) => PageAnswer::file(format!("{}.replay", game.name), game.text.into()),
                None => PageAnswer::problem(404, "there is no such game here", None),
            }
        };
        answer.to_bytes()
    }
}

/// A game in the list.
fn line(record: &Record) -> Value {
    json!({
        "game": record.game,
        "players": record.players,
        "turns": record.opening.len() + record.turns.len(),
        "result": replay::result(record),
    })
}

/// What is wrong, and where.
fn error_json(error: &ReplayError) -> Value {
    json!({
        "error": error.problem.to_string(),
        "line": error.line,
        "column": error.column,
    })
}

/// A game with all its positions.
fn game(number: usize, replay: &Replay) -> Value {
    let record = &replay.record;
    let (boards, frames, problem) = positions(replay);
    let faults = Seat::BOTH.map(|seat| record.ending.of(seat).map(ToString::to_string));
    json!({
        "number": number,
        "game": record.game,
        "title": title(record),
        "players": record.players,
        "seed": record.seed.to_string(),
        "pair": record.pair,
        "opening": record.opening.len(),
        "turns": record.opening.iter().chain(record.turns.iter().map(|turn| &turn.text)).collect::<Vec<_>>(),
        "result": replay::result(record),
        "ending": record.ending.kind(),
        "faults": faults,
        "aftermath": record.reports.each_ref().map(report_json),
        "check": check_json(replay),
        "text": Some(replay::text(record)).filter(|text| text.len() <= MOST_TEXT),
        "boards": boards,
        "frames": frames,
        "problem": problem,
    })
}

/// The game's name for people; as the file has it where there is no such game.
fn title(record: &Record) -> String {
    let game: Result<games::AnyGame, _> = record.game.parse();
    game.map_or_else(|_| record.game.clone(), |game| game.title())
}

/// The empty boards of both seats (the second's is null where it sees the same all along),
/// what lies on them in each position, and why there are no more positions, where there
/// should be.
fn positions(replay: &Replay) -> (Value, Vec<Value>, Value) {
    let mut frames = Vec::new();
    let mut boards = [Value::Null, Value::Null];
    let positions = match replay::positions(&replay.record) {
        Ok(positions) => positions,
        Err(error) => return (json!(boards), frames, located_error(replay, &error)),
    };
    let mut cells = 0;
    for position in positions {
        let position = match position {
            Ok(position) => position,
            Err(error) => return (json!(boards), frames, located_error(replay, &error)),
        };
        let seen = [Some(&position.diagram), position.second.as_ref()];
        for (board, diagram) in boards.iter_mut().zip(seen) {
            if let Some(diagram) = diagram.filter(|_| board.is_null()) {
                *board = board::to_json(diagram);
            }
            cells += diagram.map_or(0, |diagram| diagram.cells.len());
        }
        if cells > MOST_CELLS {
            let words = format!(
                "the game goes on; {} turns of it are shown",
                frames.len() - 1
            );
            return (json!(boards), frames, json!({ "words": words }));
        }
        frames.push(frame(&position));
    }
    (json!(boards), frames, Value::Null)
}

fn frame(frame: &ReplayFrame) -> Value {
    let values = |diagram: &Diagram| -> Vec<Value> {
        let facts = diagram.facts.iter();
        facts.map(|fact| json!(fact.values)).collect()
    };
    json!({
        "cells": board::cells(&frame.diagram),
        "second": frame.second.as_ref().map(board::cells),
        "facts": values(&frame.diagram),
        "winning": frame.diagram.winning,
        "text": frame.text,
        // microseconds
        "spent": frame.spent.map(|spent| spent.map(|spent| spent.as_micros() as u64)),
        "hash": format!("{:016x}", frame.hash),
    })
}

/// A turn that cannot be played, and its place in the file.
fn located_error(replay: &Replay, error: &replay::CheckError) -> Value {
    let (line, column) = replay.locations.of(error.part);
    json!({ "words": error.to_string(), "line": line, "column": column })
}

/// Whether the game is what the file says that it is.
fn check_json(replay: &Replay) -> Value {
    match replay.check() {
        Ok(ReplayCheck { opening, .. }) => {
            let opening = match opening {
                _ if replay.record.opening.is_empty() => "",
                OpeningOrigin::OfGame => "the opening is the one that its seed gives",
                OpeningOrigin::OfTurns => {
                    "the opening is the one that its seed gives for its length"
                }
                OpeningOrigin::Elsewhere => "the opening comes from somewhere else than its seed",
            };
            json!({ "ok": true, "opening": opening })
        }
        Err(error) => {
            let mut body = error_json(&error);
            body["ok"] = false.into();
            body
        }
    }
}

/// What is known of a seat's player after the game.
fn report_json(report: &ProcessReport) -> Value {
    json!({
        "about": report.about,
        "notes": report.notes,
        "complaints": report.stderr,
    })
}
