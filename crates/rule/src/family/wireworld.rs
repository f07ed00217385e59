//! Brian Silverman's `WireWorld` (1987; A. K. Dewdney, "Computer Recreations", Scientific American,
//! January 1990): electrons that run along wires.
//!
//! | state | is | becomes |
//! |---|---|---|
//! | 0 | empty | empty |
//! | 1 | an electron's head | its tail |
//! | 2 | an electron's tail | wire |
//! | 3 | wire | a head, where one or two of the eight cells around are heads |
//!
//! The states are numbered as in Golly.

use crate::{CountTable, Lattice, Neighbourhood, RuleDefinition, Transition, TransitionRow};
use grid::State;

const NAME: &str = "WireWorld";
const HEAD: State = 1;
const TAIL: State = 2;
const WIRE: State = 3;

/// The rule, if this is its name.
pub(super) fn named(text: &str) -> Option<RuleDefinition> {
    let own = text.trim().eq_ignore_ascii_case(NAME);
    own.then(|| RuleDefinition {
        text: NAME.into(),
        family: NAME,
        states: 4,
        tables: vec![vec![Transition::Count(table())]],
        lattice: Lattice::Square,
        background: vec![0],
    })
}

/// The rule in words.
pub(crate) fn describe() -> Vec<String> {
    vec![
        "wire (3) becomes an electron's head (1) where one or two of the 8 cells around are heads"
            .into(),
        "a head becomes a tail (2), and a tail wire again; what is empty stays empty".into(),
    ]
}

fn table() -> CountTable {
    let wire = |heads: usize| match heads {
        1 | 2 => HEAD,
        _ => WIRE,
    };
    CountTable {
        neighbourhood: Neighbourhood::moore(1),
        values: (0..=WIRE).map(|state| i32::from(state == HEAD)).collect(),
        least: 0,
        rows: vec![
            TransitionRow::Constant(0),
            TransitionRow::Constant(TAIL),
            TransitionRow::Constant(WIRE),
            TransitionRow::By((0..=8).map(wire).collect()),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_rewritten, next_state};

    #[test]
    fn spelling() {
        assert_rewritten(&[
            ("WireWorld", "WireWorld"),
            ("wireworld:T9,9", "WireWorld:T9,9"),
        ]);
    }

    #[test]
    fn wire_lights_up_beside_one_head_or_two() {
        for (heads, expected) in [(0, 3), (1, 1), (2, 1), (3, 3), (8, 3)] {
            let mut around = [1_u8; 8];
            around[heads..].fill(3);
            let [a, b, c, d, e, f, g, h] = around;
            let drawing: [&[u8]; 3] = [&[a, b, c], &[d, 3, e], &[f, g, h]];
            assert_eq!(next_state("WireWorld", &drawing), expected, "{heads} heads");
        }
        for (state, expected) in [(0, 0), (1, 2), (2, 3)] {
            let drawing: [&[u8]; 3] = [&[1, 0, 0], &[0, state, 0], &[0, 0, 0]];
            assert_eq!(next_state("WireWorld", &drawing), expected);
        }
    }
}
