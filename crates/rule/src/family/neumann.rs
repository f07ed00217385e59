//! Von Neumann's automaton of 29 states: `JvN29`.
//!
//! The one that he proved a machine can reproduce itself in (J. von Neumann, edited by A.
//! W. Burks, "Theory of Self-Reproducing Automata", 1966). A cell sees the four that
//! share an edge with it. States are numbered as in Golly (Golly Help, Algorithms: JvN):
//!
//! ```text
//!  0        ground
//!  1 to 8   sensitised: S, S0, S1, S00, S01, S10, S11, S000
//!  9 to 12  ordinary wire to the east, north, west, south;  13 to 16 the same, excited
//! 17 to 20  special wire, likewise;                         21 to 24 the same, excited
//! 25 to 28  confluent: excited now (26), next (27), or both (28)
//! ```
//!
//! An excited wire builds on the ground that it points at, bit by bit, and a wire of one
//! kind takes those of the other kind down again.

use crate::file::{Fold, LookupTable};
use crate::{Meaning, Transition};
use grid::State;

/// The name, as it is printed.
const NAME: &str = "JvN29";
const STATES: u16 = 29;

/// East, north, west, south: as wires are numbered, and as cells are looked at.
const TOWARDS: [(i32, i32); 4] = [(1, 0), (0, -1), (-1, 0), (0, 1)];

/// The rule, if that is its name.
pub(super) fn named(text: &str) -> Option<Meaning> {
    text.eq_ignore_ascii_case(NAME).then(|| Meaning {
        text: NAME.into(),
        family: "Von Neumann's automaton",
        states: STATES,
        tables: vec![vec![Transition::Lookup(LookupTable::from_fold(
            &Machine, &TOWARDS, STATES,
        ))]],
        background: vec![0],
    })
}

/// What a state is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Ground,
    Sensitised,
    Wire {
        special: bool,
        /// An index of [`TOWARDS`].
        towards: usize,
        excited: bool,
    },
    Confluent {
        now: bool,
        next: bool,
    },
}

impl Cell {
    fn of(state: State) -> Self {
        match state {
            0 => Self::Ground,
            1..=8 => Self::Sensitised,
            9..=24 => {
                let wire = usize::from(state) - 9;
                Self::Wire {
                    special: wire >= 8,
                    towards: wire % 4,
                    excited: wire % 8 >= 4,
                }
            }
            _ => Self::Confluent {
                now: (state - 25) & 1 == 1,
                next: (state - 25) & 2 == 2,
            },
        }
    }

    fn state(self) -> State {
        match self {
            Self::Ground => 0,
            Self::Sensitised => 1,
            Self::Wire {
                special,
                towards,
                excited,
            } => 9 + 8 * u8::from(special) + 4 * u8::from(excited) + towards as State,
            Self::Confluent { now, next } => 25 + u8::from(now) + 2 * u8::from(next),
        }
    }
}

struct Machine;

/// What is remembered of the neighbours.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Signals {
    own: State,
    /// A wire of the other kind takes this cell down.
    taken_down: bool,
    /// A signal comes in.
    excited: bool,
    /// An ordinary wire that points here is quiet: a confluent cell waits for all.
    waits: bool,
}

impl Fold for Machine {
    type Seen = Signals;

    fn begin(&self, own: State) -> Signals {
        Signals {
            own,
            ..Signals::default()
        }
    }

    fn see(&self, mut seen: Signals, place: usize, state: State) -> Signals {
        let own = Cell::of(seen.own);
        let its_way_here = (place + 2) % 4;
        match (own, Cell::of(state)) {
            (
                Cell::Ground | Cell::Sensitised,
                Cell::Wire {
                    towards, excited, ..
                },
            ) => seen.excited |= excited && towards == its_way_here,
            (
                Cell::Wire {
                    special: mine,
                    towards: out,
                    ..
                },
                Cell::Wire {
                    special,
                    towards,
                    excited,
                },
            ) if excited && towards == its_way_here => {
                seen.taken_down |= special != mine;
                seen.excited |= special == mine && place != out;
            }
            (Cell::Wire { towards: out, .. }, Cell::Confluent { now, .. }) => {
                seen.excited |= now && place != out;
            }
            (
                Cell::Confluent { .. },
                Cell::Wire {
                    special,
                    towards,
                    excited,
                },
            ) if towards == its_way_here => {
                seen.taken_down |= special && excited;
                seen.excited |= !special && excited;
                seen.waits |= !special && !excited;
            }
            _ => {}
        }
        seen
    }

    fn end(&self, seen: &Signals) -> State {
        if seen.taken_down {
            return 0;
        }
        let bit = usize::from(seen.excited);
        match Cell::of(seen.own) {
            Cell::Ground => bit as State,
            // S, S0, S1, S00, S01, S10, S11, S000, by the bit that comes in.
            Cell::Sensitised => {
                let grown: [[State; 2]; 8] = [
                    [2, 3],
                    [4, 5],
                    [6, 7],
                    [8, 11],
                    [12, 17],
                    [18, 19],
                    [20, 25],
                    [9, 10],
                ];
                grown[usize::from(seen.own) - 1][bit]
            }
            Cell::Wire {
                special, towards, ..
            } => Cell::Wire {
                special,
                towards,
                excited: seen.excited,
            }
            .state(),
            Cell::Confluent { next, .. } => Cell::Confluent {
                now: next,
                next: seen.excited && !seen.waits,
            }
            .state(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ask::{next, written};
    use grid::State;

    /// The next state of a cell between its western and its eastern neighbour.
    fn becomes(west: State, own: State, east: State) -> State {
        next("JvN29", &[&[0, 0, 0], &[west, own, east], &[0, 0, 0]])
    }

    #[test]
    fn is_called_by_its_name() {
        written(&[("JvN29", "JvN29"), ("jvn29", "JvN29")]);
    }

    #[test]
    fn signals_run_build_and_destroy() {
        let rows = [
            // West, own, east, then what becomes of it.
            (13, 9, 9, 13),  // a signal runs on
            (9, 13, 9, 9),   // and leaves the wire quiet
            (13, 11, 0, 11), // head on it does not enter
            (21, 9, 0, 0),   // the other kind takes it down
            (13, 17, 0, 0),
            (13, 0, 0, 1), // ground is sensitised,
            (13, 1, 0, 3), // then built on bit by bit
            (9, 8, 0, 9),
            (13, 7, 0, 25),
            (13, 25, 0, 27), // a confluent cell takes two generations
            (9, 27, 0, 26),
            (26, 9, 0, 13),
            (13, 25, 11, 25), // and waits for all that point at it
            (21, 28, 0, 0),
        ];
        for (west, own, east, expected) in rows {
            assert_eq!(becomes(west, own, east), expected, "{west} {own} {east}");
        }
    }
}
