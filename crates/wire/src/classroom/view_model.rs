//! Messages to a classroom page, as JSON.

use models::classroom::{CellExplanation, ClassroomBoardError, ClassroomBoards, ClassroomRule};
use serde_json::{Value, json};
use std::sync::OnceLock;

/// What a page is told first: the rules, and the built-in maps.
pub(super) fn welcome() -> &'static str {
    static WELCOME: OnceLock<String> = OnceLock::new();
    WELCOME.get_or_init(|| {
        let rules = ClassroomRule::ALL.map(|rule| {
            json!({
                "name": rule.name(),
                "about": rule.about(),
                "states": rule.live_states(),
            })
        });
        let maps = ClassroomBoards::maps().into_iter().map(|(rule, entry)| {
            json!({
                "name": entry.name,
                "rule": rule.name(),
                "about": entry.description(),
            })
        });
        json!({ "welcome": {
            "rules": rules,
            "maps": Value::from_iter(maps),
            "usual": ClassroomBoards::USUAL,
            "largest": ClassroomBoards::LARGEST,
        }})
        .to_string()
    })
}

/// All boards as they stand, and as they stood at round 0, in the order of [`ClassroomRule::ALL`]:
/// each as its `.cells` file has it.
pub(super) fn view(boards: &ClassroomBoards, words: &str) -> Value {
    json!({ "view": {
        "width": boards.width(),
        "height": boards.height(),
        "round": boards.round(),
        "boards": ClassroomRule::ALL.map(|rule| boards.text(rule)),
        "start": ClassroomRule::ALL.map(|rule| boards.start_text(rule)),
        "words": words,
    }})
}

/// Why a cell will be what it will be, under all rules.
pub(super) fn explanations(boards: &ClassroomBoards, x: u32, y: u32) -> Value {
    json!({ "why": {
        "x": x,
        "y": y,
        "round": boards.round(),
        "reasons": ClassroomRule::ALL.map(|rule| explanation(&boards.explain(rule, x, y))),
    }})
}

fn explanation(explanation: &CellExplanation) -> Value {
    let neighbours = explanation.neighbours.iter();
    let neighbours = neighbours.map(|at| json!([at.dx, at.dy, at.weight, at.state]));
    json!({
        "rule": explanation.rule.name(),
        "letter": explanation.letter.to_string(),
        "count": explanation.count,
        "before": explanation.before,
        "after": explanation.after,
        "fate": explanation.outcome.words(),
        "condition": explanation.condition,
        "words": explanation.words,
        "looks": Value::from_iter(neighbours),
    })
}

/// What could not be done; with the place, where there is one in a text.
pub(super) fn refusal(error: &ClassroomBoardError) -> Value {
    let words = error.problem();
    match error.place() {
        None => json!({ "refused": { "words": words } }),
        Some(place) => json!({ "refused": {
            "line": place.line,
            "column": place.column,
            "words": format!("line {}, column {}: {words}", place.line, place.column),
        }}),
    }
}
