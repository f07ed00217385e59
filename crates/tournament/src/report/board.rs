//! The last position of a game as SVG.

use games::{Diagram, DiagramMark};
use matches::Record;
use std::fmt::Write as _;

/// Draws the board: the first seat's marks round and blue, the second's square and red, goals
/// with a ring. `None` if the game cannot be replayed.
pub(super) fn last(record: &Record) -> Option<String> {
    let frames = matches::replay::positions(record).ok()?;
    let frame = frames.last()?.ok()?;
    Some(draw(&frame.diagram))
}

fn draw(diagram: &Diagram) -> String {
    let (columns, rows) = (diagram.columns.len(), diagram.rows.len());
    let mut marks = [String::new(), String::new()];
    let (mut goals, mut lines) = (String::new(), String::new());
    for x in 0..=columns {
        let _ = write!(lines, "M{x} 0v{rows}");
    }
    for y in 0..=rows {
        let _ = write!(lines, "M0 {y}h{columns}");
    }
    for y in 0..rows {
        for x in 0..columns {
            if diagram.is_goal(x, y) {
                let _ = write!(goals, "M{x} {y}h1v1h-1z");
            }
            match diagram.mark(x, y) {
                DiagramMark::Empty => {}
                DiagramMark::First => {
                    let _ = write!(marks[0], "M{x}.1 {y}.5a.4.4 0 1 0 .8 0a.4.4 0 1 0-.8 0");
                }
                DiagramMark::Second => {
                    let _ = write!(marks[1], "M{x}.15 {y}.15h.7v.7h-.7z");
                }
            }
        }
    }
    let [round, square] = marks;
    let (w, h) = (columns as f64 + 0.2, rows as f64 + 0.2);
    let mut facts = String::from("round: the first seat, square: the second");
    for fact in &diagram.facts {
        let [first, second] = &fact.values;
        let _ = write!(facts, "; {} {first} and {second}", fact.name);
    }
    let facts = super::text::escape(&facts);
    format!(
        "<figure class=board><svg viewBox=\"-.1 -.1 {w} {h}\" role=img \
         aria-label=\"the last position\"><path class=goal d=\"{goals}\"/>\
         <path class=line d=\"{lines}\"/><path class=round d=\"{round}\"/>\
         <path class=square d=\"{square}\"/></svg><figcaption>{facts}</figcaption></figure>"
    )
}
