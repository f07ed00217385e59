//! Von Neumann's automaton of 29 states and its two heirs of 32: `JvN29`, `Nobili32`,
//! `Hutton32`.
//!
//! The first is the one that he proved a machine can reproduce itself in (J. von Neumann,
//! edited by A. W. Burks, "Theory of Self-Reproducing Automata", 1966). A cell sees the four
//! that share an edge with it. States are numbered as in Golly (Golly Help, Algorithms: JvN):
//!
//! ```text
//!  0        ground
//!  1 to 8   sensitised: S, S0, S1, S00, S01, S10, S11, S000
//!  9 to 12  ordinary wire to the east, north, west, south;  13 to 16 the same, excited
//! 17 to 20  special wire, likewise;                         21 to 24 the same, excited
//! 25 to 28  confluent: excited next (26), now (27), or both (28)
//! 29 to 31  in the two heirs: signals that cross, to the sides (29), up or down (30), both
//! ```
//!
//! An excited wire builds on the ground that it points at, bit by bit, and a wire of one
//! kind takes those of the other kind down again.
//!
//! In `Nobili32` (Renato Nobili, 1994) two ordinary wires cross in a confluent cell that
//! has a wire in and a wire out both across and up or down, and a confluent cell that no
//! wire leaves keeps its signal. `Hutton32` (Tim Hutton, 2008) has the same states and
//! other wires, see [`hutton`]. What is not in print of either was found from
//! Golly's own results.

mod hutton;

use crate::file::{LookupTable, NeighbourFold};
use crate::{Lattice, RuleDefinition, Transition};
use grid::State;

/// The names as they are printed, then as old files have them.
const NAMES: [(&str, &str); 3] = [
    ("JvN29", "JvN-29"),
    ("Nobili32", "JvN-32"),
    ("Hutton32", "modJvN-32"),
];

/// East, north, west, south: as wires are numbered, and as cells are looked at.
pub(super) const TOWARDS: [(i32, i32); 4] = [(1, 0), (0, -1), (-1, 0), (0, 1)];

/// The rule, if that is its name.
pub(super) fn named(text: &str) -> Option<RuleDefinition> {
    let alike = |name: &str| name.eq_ignore_ascii_case(text);
    let (name, _) = NAMES
        .into_iter()
        .find(|(name, old)| alike(name) || alike(old))?;
    let (states, table) = match name {
        "Hutton32" => (32, hutton::table()),
        "Nobili32" => (32, table(true, 32)),
        _ => (29, table(false, 29)),
    };
    Some(RuleDefinition {
        text: name.into(),
        family: "Von Neumann's automaton",
        states,
        tables: vec![vec![Transition::Lookup(table)]],
        lattice: Lattice::Square,
        background: vec![0],
    })
}

fn table(crossings: bool, states: u16) -> LookupTable {
    LookupTable::from_fold(&NeumannFold { crossings }, &TOWARDS, states)
}

/// The rule in words.
pub(crate) fn describe(name: &str) -> Vec<String> {
    let mut lines = vec![
        "looks at the exact states of the 4 cells that share an edge".to_string(),
        "ordinary wires (9 to 16) and special ones (17 to 24) carry signals on, confluent cells \
         (25 to 28) join and split them"
            .into(),
    ];
    lines.push(match name {
        "Hutton32" => {
            "an ordinary wire writes a new cell at its end by the bits that it carries, and draws \
             back; new wires are turned as seen from the wire that writes them"
                .into()
        }
        _ => {
            "a signal that leaves a wire sensitises the ground (1 to 8), and the next bits say what \
             is built there; a signal of the other kind takes a wire down"
                .into()
        }
    });
    if name != "JvN29" {
        lines.push("signals that cross in a confluent cell do not meet (29 to 31)".into());
    }
    lines
}

/// What a state is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NeumannCell {
    Ground,
    Sensitised,
    Wire {
        special: bool,
        /// The direction, an index of [`TOWARDS`].
        towards: usize,
        excited: bool,
    },
    Confluent {
        now: bool,
        next: bool,
    },
    /// A confluent cell with a signal that passes through.
    Crossing {
        across: bool,
        down: bool,
    },
}

impl NeumannCell {
    pub(super) fn of(state: State) -> Self {
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
            25..=28 => Self::Confluent {
                next: (state - 25) & 1 == 1,
                now: (state - 25) & 2 == 2,
            },
            _ => Self::Crossing {
                across: (state - 28) & 1 == 1,
                down: (state - 28) & 2 == 2,
            },
        }
    }

    pub(super) fn state(self) -> State {
        match self {
            Self::Ground => 0,
            Self::Sensitised => 1,
            Self::Wire {
                special,
                towards,
                excited,
            } => 9 + 8 * u8::from(special) + 4 * u8::from(excited) + towards as State,
            Self::Confluent { now, next } => 25 + u8::from(next) + 2 * u8::from(now),
            // without any signal it is a confluent cell again
            Self::Crossing {
                across: false,
                down: false,
            } => 25,
            Self::Crossing { across, down } => 28 + u8::from(across) + 2 * u8::from(down),
        }
    }

    /// Whether a signal comes out of this cell, which is no wire, towards the one that sees
    /// it at a place.
    pub(super) fn sends(self, place: usize) -> bool {
        match self {
            Self::Confluent { now, .. } => now,
            Self::Crossing { across, down } => [across, down][place % 2],
            _ => false,
        }
    }
}

/// The two rules with von Neumann's own wires.
struct NeumannFold {
    crossings: bool,
}

/// The fold state: what the neighbours seen so far send to this cell.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct NeumannSignals {
    own: State,
    /// A wire of the other kind takes this cell down.
    taken_down: bool,
    /// A signal comes in, across or down; only confluent cells tell the two apart.
    excited: [bool; 2],
    /// An ordinary wire that points here is quiet: a confluent cell waits for all.
    waits: bool,
    /// Whether ordinary wires come in, across and down, and whether any wires lead out.
    /// Looked at where signals can cross.
    comes_in: [bool; 2],
    leads_out: [bool; 2],
}

impl NeighbourFold for NeumannFold {
    type Seen = NeumannSignals;

    fn begin(&self, own: State) -> NeumannSignals {
        NeumannSignals {
            own,
            ..NeumannSignals::default()
        }
    }

    fn see(&self, mut seen: NeumannSignals, place: usize, state: State) -> NeumannSignals {
        let (own, cell) = (NeumannCell::of(seen.own), NeumannCell::of(state));
        let NeumannCell::Wire {
            special,
            towards,
            excited,
        } = cell
        else {
            if let NeumannCell::Wire { towards: out, .. } = own {
                seen.excited[0] |= cell.sends(place) && place != out;
            }
            return seen;
        };
        let axis = place % 2;
        if towards != (place + 2) % 4 {
            let matters =
                self.crossings && !matches!(own, NeumannCell::Ground | NeumannCell::Sensitised);
            seen.leads_out[axis] |= matters && !matches!(own, NeumannCell::Wire { .. });
            return seen;
        }
        match own {
            NeumannCell::Ground | NeumannCell::Sensitised => seen.excited[0] |= excited,
            NeumannCell::Wire {
                special: mine,
                towards: out,
                ..
            } => {
                seen.taken_down |= excited && special != mine;
                seen.excited[0] |= excited && special == mine && place != out;
            }
            NeumannCell::Confluent { .. } | NeumannCell::Crossing { .. } if special => {
                seen.taken_down |= excited;
            }
            NeumannCell::Confluent { .. } | NeumannCell::Crossing { .. } => {
                seen.excited[axis] |= excited;
                seen.waits |= !excited;
                seen.comes_in[axis] |= self.crossings;
            }
        }
        seen
    }

    fn end(&self, seen: &NeumannSignals) -> State {
        if seen.taken_down {
            return 0;
        }
        let excited = seen.excited[0] || seen.excited[1];
        let bit = usize::from(excited);
        match NeumannCell::of(seen.own) {
            NeumannCell::Ground => bit as State,
            // S, S0, S1, S00, S01, S10, S11, S000, by the bit that comes in.
            NeumannCell::Sensitised => {
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
            NeumannCell::Wire {
                special, towards, ..
            } => NeumannCell::Wire {
                special,
                towards,
                excited,
            }
            .state(),
            NeumannCell::Confluent { .. } | NeumannCell::Crossing { .. } => {
                self.next_confluent(seen).state()
            }
        }
    }
}

impl NeumannFold {
    /// The next state of a confluent cell.
    fn next_confluent(&self, seen: &NeumannSignals) -> NeumannCell {
        if seen.comes_in == [true; 2] && seen.leads_out == [true; 2] {
            let [across, down] = seen.excited;
            return NeumannCell::Crossing { across, down };
        }
        let (now, next) = match NeumannCell::of(seen.own) {
            NeumannCell::Confluent { now, next } => (now, next),
            _ => (false, false),
        };
        if seen.excited != [false; 2] && !seen.waits {
            return NeumannCell::Confluent {
                now: next,
                next: true,
            };
        }
        // With crossings a signal stays where it is until a wire leads out.
        if self.crossings && seen.leads_out == [false; 2] {
            return NeumannCell::Confluent { now, next };
        }
        NeumannCell::Confluent {
            now: next,
            next: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_rewritten, next_state};
    use grid::State;

    /// The next state of a cell between its western and its eastern neighbour.
    fn becomes(rule: &str, west: State, own: State, east: State) -> State {
        next_state(rule, &[&[0, 0, 0], &[west, own, east], &[0, 0, 0]])
    }

    #[test]
    fn are_called_by_their_names() {
        assert_rewritten(&[
            ("JvN29", "JvN29"),
            ("jvn29", "JvN29"),
            ("JvN-29", "JvN29"),
            ("nobili32:T30,20", "Nobili32:T30,20"),
            ("JvN-32", "Nobili32"),
            ("HUTTON32", "Hutton32"),
            ("modJvN-32", "Hutton32"),
        ]);
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
            (13, 25, 9, 26), // a confluent cell takes two generations
            (9, 26, 9, 27),
            (27, 9, 0, 13),
            (13, 25, 11, 25), // and waits for all that point at it
            (21, 28, 0, 0),
        ];
        for rule in ["JvN29", "Nobili32"] {
            for (west, own, east, expected) in rows {
                let found = becomes(rule, west, own, east);
                assert_eq!(found, expected, "{rule}: {west} {own} {east}");
            }
        }
    }

    #[test]
    fn a_signal_without_a_way_out_stays() {
        for (rule, expected) in [("JvN29", 27), ("Nobili32", 26)] {
            assert_eq!(becomes(rule, 9, 26, 0), expected, "{rule}");
        }
    }

    #[test]
    fn signals_cross() {
        // to the east and to the north, in and out
        let at = |west, own, south| {
            next_state("Nobili32", &[&[0, 10, 0], &[west, own, 9], &[0, south, 0]])
        };
        assert_eq!(at(13, 25, 10), 29);
        assert_eq!(at(9, 25, 14), 30);
        assert_eq!(at(13, 30, 14), 31);
        assert_eq!(at(9, 31, 10), 25);
        assert_eq!(becomes("Nobili32", 29, 9, 9), 13);
        assert_eq!(becomes("Nobili32", 30, 9, 9), 9);
        assert_eq!(becomes("Nobili32", 31, 17, 9), 21);
        // in JvN29 the same cell joins them
        let join = next_state("JvN29", &[&[0, 10, 0], &[13, 25, 9], &[0, 14, 0]]);
        assert_eq!(join, 26);
    }
}
