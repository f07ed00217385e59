//! Boards of games as JSON.

use games::{Diagram, DiagramMark, Input};
use serde_json::{Value, json};

/// A diagram as JSON: `columns` and `rows` are labels, `cells` a sign a cell, row by row from
/// the top (`.` for nothing, `1` and `2` for a seat's own), `goals` a `1` for each cell that
/// is worth something and a `0` for all others, or nothing at all; `signs` what the seats'
/// own are called, `names` what people call them, `winning` the cells that won the game, and
/// `facts` what each seat has besides.
///
/// ```
/// use games::{AnyGame, Game as _, Seat, with_game};
/// let game: AnyGame = "tictactoe".parse()?;
/// let diagram = with_game!(game, |game| game.diagram(&game.start(), Seat::First));
/// assert_eq!(wire::board::to_json(&diagram)["cells"], ".........");
/// # Ok::<(), games::GameNameError>(())
/// ```
#[must_use]
pub fn to_json(diagram: &Diagram) -> Value {
    let facts = diagram.facts.iter();
    let facts = facts.map(|fact| json!({ "name": fact.name, "values": fact.values }));
    let goals = diagram.goals.iter();
    json!({
        "columns": diagram.columns,
        "rows": diagram.rows,
        "cells": cells(diagram),
        "goals": goals.map(|&goal| if goal { '1' } else { '0' }).collect::<String>(),
        "signs": diagram.signs.map(String::from),
        "names": diagram.names,
        "winning": diagram.winning,
        "facts": Value::from_iter(facts),
    })
}

/// The cells alone, as in [`to_json`].
#[must_use]
pub fn cells(diagram: &Diagram) -> String {
    let sign = |mark: &DiagramMark| match mark {
        DiagramMark::Empty => '.',
        DiagramMark::First => '1',
        DiagramMark::Second => '2',
    };
    diagram.cells.iter().map(sign).collect()
}

/// How a move is put in by hand: `"cell"`, or `{"column": 0}`.
#[must_use]
pub fn input(input: Input) -> Value {
    match input {
        Input::Cell => "cell".into(),
        Input::Column(column) => json!({ "column": column }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{AnyGame, Game as _, Seat, with_game};

    #[test]
    fn boards_are_told_whole() {
        let game: AnyGame = "duel".parse().unwrap();
        let (diagram, how) = with_game!(game, |game| {
            (game.diagram(&game.start(), Seat::First), game.input())
        });
        let json = to_json(&diagram);
        assert_eq!(json["cells"].as_str().unwrap(), ".".repeat(64));
        assert_eq!(json["goals"].as_str().unwrap().matches('1').count(), 4);
        assert_eq!(json["facts"][0]["name"], "mana");
        assert_eq!(input(how), serde_json::json!({ "column": 0 }));
    }
}
