//! B0 emulation: the tables of a rule once cells are shown relative to the empty plane.
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

use crate::{Lattice, RuleDefinition, Transition, TransitionRow};
use grid::State;

/// Builds a two-state rule from its raw tables, one for each cell phase.
///
/// All phases must agree on the next state of the empty and of the full plane.
pub(crate) fn two_state(
    text: String,
    family: &'static str,
    raw: Vec<Transition>,
) -> RuleDefinition {
    let (tables, background) =
        find_cycle(&[raw]).expect("one plane table always leads back in two generations");
    RuleDefinition {
        text,
        family,
        states: 2,
        tables,
        lattice: Lattice::Square,
        background,
    }
}

/// The tables of a two-state rule for shown cells, and the states of the background, from its
/// raw tables by generation parity (one or two of them) and by cell phase.
///
/// The background starts empty if an empty plane returns within two generations, else full if a
/// full plane does. `None` where neither returns, or where the plane does not stay uniform.
pub(crate) fn find_cycle(raw: &[Vec<Transition>]) -> Option<(Vec<Vec<Transition>>, Vec<State>)> {
    let plane = |time: usize, state| plane(&raw[time % raw.len()], state);
    let after = |state| plane(1, plane(0, state)?);
    let empty_first = plane(0, 0)?;
    let background = if empty_first == 0 && raw.len() == 1 {
        vec![0]
    } else if raw.len() == 1 && plane(0, 1)? == 1 {
        vec![1]
    } else if after(0)? == 0 {
        vec![0, empty_first]
    } else if after(1)? == 1 {
        vec![1, plane(0, 1)?]
    } else {
        return None;
    };
    let tables = (0..raw.len().max(background.len())).map(|time| {
        let now = background[time % background.len()];
        let next = background[(time + 1) % background.len()];
        let places = raw[time % raw.len()].iter();
        places
            .map(|table| inverted_transition(table, now, next))
            .collect()
    });
    let tables = tables.collect();
    let still = background.iter().all(|&state| state == background[0]);
    let background = if still {
        vec![background[0]]
    } else {
        background
    };
    Some((tables, background))
}

/// The raw tables of a two-state rule by cell phase at an even generation: the inverse of
/// showing cells relative to the background, which is its own inverse.
pub(crate) fn raw_tables(definition: &RuleDefinition) -> Vec<Transition> {
    let cycle = &definition.background;
    let tables = &definition.tables[0];
    if definition.states > 2 || *cycle == [0] {
        return tables.clone();
    }
    let (now, next) = (cycle[0], cycle[1 % cycle.len()]);
    tables
        .iter()
        .map(|t| inverted_transition(t, now, next))
        .collect()
}

/// The next state of a plane that is uniformly `state`, if all phases agree on it.
fn plane(raw: &[Transition], state: State) -> Option<State> {
    let mut next = raw.iter().map(|table| table.next(|_, _| state));
    let first = next.next()?;
    next.all(|other| other == first).then_some(first)
}

fn inverted_transition(raw: &Transition, now: u8, next: u8) -> Transition {
    let mut table = raw.clone();
    let rows = match &mut table {
        Transition::Configuration(t) => &mut t.rows,
        Transition::Count(t) => &mut t.rows,
        Transition::Lookup(t) => return Transition::Lookup(t.inverted(now == 1, next == 1)),
    };
    if now == 1 {
        // Inverting all cells mirrors both kinds of index: 511 - index, and the sums
        // from the least to the greatest run backwards.
        rows.swap(0, 1);
        for row in rows.iter_mut() {
            if let TransitionRow::By(entries) = row {
                entries.reverse();
            }
        }
    }
    if next == 1 {
        for row in rows {
            match row {
                TransitionRow::Constant(state) => *state ^= 1,
                TransitionRow::By(entries) => entries.iter_mut().for_each(|state| *state ^= 1),
            }
        }
    }
    table
}
