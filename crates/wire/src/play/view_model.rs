//! Tables as JSON.

use super::host::TableHost;
use super::seat::TableSeat;
use super::state::{PlayTableState, TableProposalKind};
use crate::board;
use games::{DiagramMark, Input, Outcome, Seat, Turn};
use matches::{Advice, TableError};
use models::play::TableGameEnd;
use players::Value as Worth;
use serde_json::{Value, json};

/// Legal moves are sent up to this number.
const MOST_MOVES: u64 = 400;

/// The whole table, the same for every page.
pub(super) fn table<H: TableHost>(id: &str, state: &PlayTableState<H>) -> String {
    let table = state.game.table();
    let turn = turn(state.game.turn());
    let moves = match state.game.turn() {
        Turn::One(seat) => table.moves(seat, MOST_MOVES),
        _ => None,
    };
    let proposal = state.proposal.map(|proposal| {
        let what = match proposal.what {
            TableProposalKind::Back => "back",
            TableProposalKind::Rematch => "rematch",
        };
        json!({ "what": what, "from": proposal.from.index() })
    });
    let times = state.game.turns().iter();
    let times = times.map(|played| {
        json!(
            played
                .spent
                .map(|spent| spent.map(|spent| spent.as_millis() as u64))
        )
    });
    let changed = Seat::BOTH.map(|seat| changed_last(state, seat));
    let views = views(state, table.turns()).unwrap_or_default();
    let table_json = json!({
        "version": state.version,
        "id": id,
        "game": state.game.game().to_string(),
        "title": state.game.game().title(),
        "both": table.turn() == Turn::Both,
        "input": board::input(table.input()),
        "lasts": [changed[0], views[1].is_object().then_some(&changed[1])],
        "views": views,
        "turn": (turn != "over").then_some(turn),
        "moved": Seat::BOTH.map(|seat| table.has_moved(seat)),
        "moves": moves,
        "outcome": state.game.turn().outcome().map(outcome),
        "ending": ending(state),
        "words": words(state),
        "history": table.history(),
        "opening": state.game.opening().len(),
        "times": Value::from_iter(times),
        "seats": seats(state),
        "watchers": watchers(state),
        "ask": proposal,
        "hints": state.hints,
        "public": state.is_public,
        "last": changed[0],
    });
    json!({ "table": table_json }).to_string()
}

/// What a list of tables says.
pub(super) fn listed<H: TableHost>(id: &str, state: &PlayTableState<H>) -> Value {
    json!({
        "id": id,
        "game": state.game.game().to_string(),
        "title": state.game.game().title(),
        "seats": seats(state),
        "turns": state.game.table().turns(),
        "over": state.game.is_over(),
        "watchers": watchers(state),
    })
}

/// The board after a number of turns.
pub(super) fn past<H: TableHost>(
    state: &PlayTableState<H>,
    turns: usize,
    id: &Value,
) -> Option<Value> {
    let views = views(state, turns)?;
    Some(json!({ "past": { "id": id, "turns": turns, "views": views } }))
}

/// Both seats' boards; nothing for the second where it is the same.
fn views<H: TableHost>(state: &PlayTableState<H>, turns: usize) -> Option<[Value; 2]> {
    let first = state.game.table().diagram_at(turns, Seat::First)?;
    let second = state.game.table().diagram_at(turns, Seat::Second)?;
    let other = match first == second {
        true => Value::Null,
        false => board::to_json(&second),
    };
    Some([board::to_json(&first), other])
}

/// The cells that the last turn changed, as a seat sees them.
fn changed_last<H: TableHost>(state: &PlayTableState<H>, seat: Seat) -> Vec<usize> {
    let turns = state.game.table().turns();
    let before = turns.checked_sub(1);
    let before = before.and_then(|turns| state.game.table().diagram_at(turns, seat));
    let now = state.game.table().diagram(seat);
    let pairs = before
        .iter()
        .flat_map(|before| before.cells.iter().zip(&now.cells));
    let changed = pairs.enumerate().filter(|(_, (before, now))| before != now);
    changed.map(|(cell, _)| cell).collect()
}

/// How many pages look on without a seat.
fn watchers<H: TableHost>(state: &PlayTableState<H>) -> usize {
    let pages = state.pages.iter();
    pages.filter(|page| page.seat.is_none()).count()
}

fn seats<H: TableHost>(state: &PlayTableState<H>) -> Value {
    let seats = Seat::BOTH.map(|seat| {
        let i = seat.index();
        let (kind, name) = match &state.occupants[i] {
            TableSeat::Open => ("open", ""),
            TableSeat::Person(person) => ("person", person.name.as_str()),
            TableSeat::Player(player) => ("player", player.text.as_str()),
        };
        let is_here = match &state.occupants[i] {
            TableSeat::Open => false,
            TableSeat::Person(_) => state.pages.iter().any(|page| page.seat == Some(seat)),
            TableSeat::Player(_) => true,
        };
        json!({
            "kind": kind,
            "name": name,
            "here": is_here,
            "thinking": state.thinking[i].is_some(),
        })
    });
    json!(seats)
}

fn turn(turn: Turn) -> &'static str {
    match turn {
        Turn::One(seat) => name(seat),
        Turn::Both => "both",
        Turn::Over(_) => "over",
    }
}

fn name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(seat) => name(seat),
        Outcome::Draw => "draw",
    }
}

fn ending<H: TableHost>(state: &PlayTableState<H>) -> Option<&'static str> {
    match state.game.end() {
        Some(TableGameEnd::Resigned(_)) => Some("resigned"),
        Some(TableGameEnd::Fault(..)) => Some("fault"),
        None => state.game.table().turn().outcome().map(|_| "rules"),
    }
}

/// How it ended, in words.
fn words<H: TableHost>(state: &PlayTableState<H>) -> Option<String> {
    let table = state.game.table();
    let names = table.diagram(Seat::First).names;
    let name = |seat: Seat| names[seat.index()];
    let outcome = match state.game.turn().outcome()? {
        Outcome::Win(seat) => format!("{} wins", name(seat)),
        Outcome::Draw => "a draw".into(),
    };
    let reason = match state.game.end() {
        Some(TableGameEnd::Resigned(seat)) => Some(format!("{} resigned", name(*seat))),
        Some(TableGameEnd::Fault(seat, fault)) => Some(format!("{} {fault}", name(*seat))),
        None => table.reason(),
    };
    Some(match reason {
        Some(reason) => format!("{outcome}: {reason}"),
        None => outcome,
    })
}

/// What a move would change.
pub(super) fn preview<H: TableHost>(
    state: &PlayTableState<H>,
    seat: Seat,
    text: &str,
    id: &Value,
) -> Result<Value, TableError> {
    let after = state.game.table().preview(seat, text)?;
    let before = state.game.table().diagram(seat);
    let own = match state.game.table().input() {
        Input::Cell => before.find(text.trim()),
        Input::Column(_) => None,
    };
    let pairs = before.cells.iter().zip(&after.cells).enumerate();
    let mut changes = Vec::new();
    for (cell, (before, after)) in pairs {
        if own == Some(cell) && *before == DiagramMark::Empty {
            changes.push((cell, "placed"));
            match *after {
                DiagramMark::Empty => changes.push((cell, "died")),
                mark if mark != DiagramMark::of(seat) => changes.push((cell, "turned")),
                _ => {}
            }
            continue;
        }
        match (before, after) {
            (before, after) if before == after => {}
            (DiagramMark::Empty, _) => changes.push((cell, "born")),
            (_, DiagramMark::Empty) => changes.push((cell, "died")),
            _ => changes.push((cell, "turned")),
        }
    }
    Ok(json!({
        "preview": {
            "id": id,
            "move": text.trim(),
            "cells": board::cells(&after),
            "changes": changes,
        }
    }))
}

/// Advice as a message to a page.
pub(super) fn advice(what: &str, seat: Seat, advice: &Advice, id: &Value) -> Value {
    let share = match advice.value {
        Some(Worth::Proven(outcome)) => Some(f64::from(outcome.half_points(seat)) / 2.0),
        Some(Worth::Expected(share)) => Some(share),
        _ => None,
    };
    let value = advice.value.map(|value| match value {
        Worth::Proven(Outcome::Draw) => "proven: a draw".to_string(),
        Worth::Proven(Outcome::Win(seat)) => format!("proven: {seat} wins"),
        Worth::Expected(share) => format!("{:.0} % of the point", share * 100.0),
        Worth::Lead(lead) => format!("a lead of {lead:.1}"),
    });
    json!({
        "advice": {
            "id": id,
            "what": what,
            "seat": seat.index(),
            "choice": advice.choice,
            "line": advice.line,
            "value": value,
            "share": share,
            "nodes": advice.nodes,
            "depth": advice.depth,
            "reason": advice.reason,
        }
    })
}
