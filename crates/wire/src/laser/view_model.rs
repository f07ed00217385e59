//! Messages to a laser page, as JSON.

use grid::Point;
use laser::generator::{GeneratedLevel, Grade, LevelRecipe};
use laser::play::command::{self, KEYS};
use laser::play::{PieceMove, Play, describe_tile};
use laser::{Board, Light, Move, Tile, level};
use models::counted;
use models::laser::{LevelVerdict, sensor_words, solution_words};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::OnceLock;

/// The first message: keys, commands, levels, tiles.
pub(super) fn welcome() -> &'static str {
    static WELCOME: OnceLock<String> = OnceLock::new();
    WELCOME.get_or_init(|| {
        let keys = KEYS.iter();
        let keys = keys.map(|key| json!({ "keys": key.keys, "command": key.command }));
        let commands = command::ALL.iter();
        let commands = commands.map(|entry| json!({ "name": entry.name, "help": entry.help }));
        let levels = level::all().iter().map(|entry| {
            json!({
                "name": entry.name,
                "about": entry.purpose,
                "grade": entry.grade.map(Grade::name),
                "fewest": entry.fewest,
                "playable": entry.fewest.is_some(),
            })
        });
        let tiles = Tile::ALL.into_iter();
        let tiles = tiles.map(|tile| json!({ "text": tile.text(), "name": describe_tile(tile) }));
        json!({ "welcome": {
            "keys": Value::from_iter(keys),
            "commands": Value::from_iter(commands),
            "levels": Value::from_iter(levels),
            "tiles": Value::from_iter(tiles),
            "grades": Value::from_iter(Grade::ALL.map(Grade::name)),
            "limits": {
                "side": super::LONGEST_SIDE,
                "made": [LevelRecipe::SIDES.start(), LevelRecipe::SIDES.end()],
                "walls": LevelRecipe::MOST_WALLS,
            },
        }})
        .to_string()
    })
}

/// A board and its light: `tiles` as a file has them, one text a cell; `halves` a hexadecimal
/// digit a cell, the half-beams to draw there (1 north, 2 east, 4 south, 8 west). A sensor is
/// lit where it has any.
pub(super) fn board(board: &Board, light: &Light) -> Value {
    json!({
        "width": board.width(),
        "height": board.height(),
        "tiles": Value::from_iter(board.tiles().map(Tile::text)),
        "halves": halves(board, light),
        "sensors": light.status(board).sensors,
        "lit": light.status(board).lit,
    })
}

fn halves(board: &Board, light: &Light) -> String {
    let mut digits = String::with_capacity(board.cells());
    for cell in 0..board.cells() {
        // Writing to a String cannot fail.
        let _ = write!(digits, "{:x}", light.half_beams(board, cell).bits());
    }
    digits
}

/// What a move would give.
pub(super) fn preview(step: Move, after: &Board) -> Value {
    let light = Light::of(after);
    let mut body = board(after, &light);
    body["from"] = place(step.from);
    body["to"] = place(step.to);
    json!({ "preview": body })
}

/// A game as it stands, and what to say about what just happened.
pub(super) fn view(play: &Play, words: &str, is_wrong: bool) -> Value {
    let mut body = board(play.board(), play.light());
    let steps = |moves: &[Move]| Value::from_iter(moves.iter().map(Move::to_string));
    let fewest = play.fewest();
    body["selected"] = play.selected().map_or(Value::Null, place);
    body["hint"] = play.hint().map_or(Value::Null, step);
    body["moves"] = play.moves().into();
    body["best"] = play.best().into();
    body["at_least"] = fewest.at_least.into();
    body["fewest"] = fewest.proven().into();
    body["solvable"] = play.is_solvable().into();
    body["solved"] = play.is_solved().into();
    body["waiting"] = play.is_waiting().into();
    body["searching"] = play.board_to_solve().is_some().into();
    body["state"] = state(play).into();
    body["made"] = steps(play.done_moves());
    body["taken_back"] = steps(play.undone_moves());
    body["words"] = words.into();
    body["wrong"] = is_wrong.into();
    body
}

/// How far a level is, in words.
fn state(play: &Play) -> String {
    match play.is_solved() {
        true => solution_words(play),
        false => sensor_words(play),
    }
}

/// The verdict on a drawing of the editor.
pub(super) fn verdict(verdict: &LevelVerdict, id: u64, is_last: bool) -> Value {
    json!({ "verdict": {
        "id": id,
        "done": is_last,
        "solvable": verdict.solvable,
        "unique": verdict.is_unique(),
        "moves": verdict.moves,
        "fewest": verdict.moves.filter(|_| verdict.is_fewest),
        "grade": verdict.grade.map(Grade::name),
        "words": verdict.words(is_last),
    }})
}

/// A level that was made.
pub(super) fn made(recipe: &LevelRecipe, made: &GeneratedLevel) -> Value {
    json!({ "made": {
        "text": made.board.to_string(),
        "grade": made.grade.name(),
        "moves": made.moves,
        "seed": recipe.seed,
        "tries": made.tries,
        "words": format!(
            "seed {}: {}, one solution, {}", recipe.seed, made.grade, counted(made.moves, "move")
        ),
    }})
}

/// A move of a solution, with its words.
pub(super) fn solution_step(moved: &PieceMove) -> Value {
    json!({ "step": step(moved.step), "words": moved.to_string() })
}

fn step(step: Move) -> Value {
    json!([step.from.x, step.from.y, step.to.x, step.to.y])
}

pub(super) fn place(place: Point) -> Value {
    json!([place.x, place.y])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_is_told_by_halves() {
        let level: Board = "5 4\nW W SvW W\nW . . . W\nL>. M/. W\nW W W W W\n"
            .parse()
            .unwrap();
        let body = board(&level, &Light::of(&level));
        assert_eq!(body["halves"], "00400005002a90000000");
        assert_eq!((&body["sensors"], &body["lit"]), (&json!(1), &json!(1)));
    }
}
