//! What a page in the classroom is told, as JSON.

use serde_json::{Value, json};
use session::classroom::{
    self, CellExplanation, ClassroomBoardError, ClassroomBoards, ClassroomRule,
};
use std::sync::OnceLock;

/// What a page is told first: the rules, and the built-in maps.
pub(super) fn welcome() -> &'static str {
    static WELCOME: OnceLock<String> = OnceLock::new();
    WELCOME.get_or_init(|| {
        let rules = ClassroomRule::ALL.map(|course| {
            json!({
                "name": course.name(),
                "about": course.about(),
                "states": course.live_states(),
            })
        });
        let maps = ClassroomBoards::maps().into_iter().map(|(course, entry)| {
            json!({
                "name": entry.name,
                "rule": course.name(),
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
pub(super) fn view(lesson: &ClassroomBoards, words: &str) -> Value {
    json!({ "view": {
        "width": lesson.width(),
        "height": lesson.height(),
        "round": lesson.round(),
        "boards": ClassroomRule::ALL.map(|course| lesson.text(course)),
        "start": ClassroomRule::ALL.map(|course| lesson.start_text(course)),
        "words": words,
    }})
}

/// Why a cell will be what it will be, under all rules.
pub(super) fn reasons(lesson: &ClassroomBoards, x: u32, y: u32) -> Value {
    json!({ "why": {
        "x": x,
        "y": y,
        "round": lesson.round(),
        "reasons": ClassroomRule::ALL.map(|course| reason(&lesson.reason(course, x, y))),
    }})
}

fn reason(reason: &CellExplanation) -> Value {
    let looks = reason.looks.iter();
    let looks = looks.map(|look| json!([look.dx, look.dy, look.weight, look.state]));
    json!({
        "rule": reason.course.name(),
        "letter": reason.letter.to_string(),
        "count": reason.count,
        "before": reason.before,
        "after": reason.after,
        "fate": reason.fate.words(),
        "condition": reason.condition,
        "words": reason.words,
        "looks": Value::from_iter(looks),
    })
}

/// What could not be done; with the place, where there is one in a text.
pub(super) fn refused(error: &ClassroomBoardError) -> Value {
    let words = classroom::problem(error);
    match error.place() {
        None => json!({ "refused": { "words": words } }),
        Some(place) => json!({ "refused": {
            "line": place.line,
            "column": place.column,
            "words": format!("line {}, column {}: {words}", place.line, place.column),
        }}),
    }
}
