//! B0: what a rule means once cells are shown relative to the empty plane.
//!
//! A two-state rule `f` that gives birth with no neighbours turns the empty plane alive.
//! Let `bg(g)` be the plane's own state at generation `g`, and a cell's shown state its
//! state xor `bg(g)`. Then the shown cells follow
//!
//! ```text
//! shown_next(g) = f(shown xor bg(g)) xor bg(g + 1)
//! ```
//!
//! Where the full plane stays full, `bg` is taken as 1 for ever: the pattern is drawn as
//! its complement from the start, and one table does. Else the plane blinks 0, 1, 0, 1, …
//! and there are two tables. Both agree with Golly's own emulation of such rules, and
//! the formula serves every kind of table alike.

use crate::{Meaning, Row, Transition};

/// What a two-state rule means, from its raw tables by place.
///
/// All places must agree on what the empty and the full plane do.
pub(crate) fn two_state(text: String, family: &'static str, raw: Vec<Transition>) -> Meaning {
    let (born, kept) = (plane(&raw[0], 0), plane(&raw[0], 1));
    let at = |now, next| raw.iter().map(|t| shown(t, now, next)).collect();
    let (tables, background) = match (born, kept) {
        (0, _) => (vec![raw.clone()], vec![0]),
        (_, 1) => (vec![at(1, 1)], vec![1]),
        _ => (vec![at(0, 1), at(1, 0)], vec![0, 1]),
    };
    Meaning {
        text,
        family,
        states: 2,
        tables,
        background,
    }
}

/// The raw table for even places again: showing cells inverted twice shows them as they are.
pub(crate) fn raw(meaning: &Meaning) -> Transition {
    let cycle = &meaning.background;
    let table = &meaning.tables[0][0];
    if meaning.states > 2 || *cycle == [0] {
        return table.clone();
    }
    shown(table, cycle[0], cycle[1 % cycle.len()])
}

/// What becomes of a plane that is `state` everywhere.
fn plane(raw: &Transition, state: u8) -> u8 {
    raw.next(|_, _| state)
}

fn shown(raw: &Transition, now: u8, next: u8) -> Transition {
    let mut table = raw.clone();
    let rows = match &mut table {
        Transition::Configuration(t) => &mut t.rows,
        Transition::Count(t) => &mut t.rows,
    };
    if now == 1 {
        // Inverting all cells mirrors both kinds of index: 511 - index, and the sums
        // from the least to the greatest run backwards.
        rows.swap(0, 1);
        for row in rows.iter_mut() {
            if let Row::By(entries) = row {
                entries.reverse();
            }
        }
    }
    if next == 1 {
        for row in rows {
            match row {
                Row::Constant(state) => *state ^= 1,
                Row::By(entries) => entries.iter_mut().for_each(|state| *state ^= 1),
            }
        }
    }
    table
}
