//! Tim Hutton's changes to von Neumann's automaton: `Hutton32`.
//!
//! The states are those of [`super`]; crossings and confluent cells are Nobili's.
//! What differs is how an ordinary wire writes: the cell at its end becomes a special wire
//! for as long as the bit that it carries is 0, and an ordinary one for a 1, so that it
//! knows which sensitised cell is its own. What is written is turned as seen from that
//! wire (10000 goes on, 10001 turns left, and so on), and with some words the wire draws
//! back by a cell. A special wire lays an ordinary one before itself (Tim Hutton, 2008;
//! Golly Help, Algorithms: JvN).
//!
//! Where wires of several directions write to one cell, the one in the west is obeyed, then
//! south, east, north, as in Golly; so are bits that come from nowhere.

use super::{NeumannCell, TOWARDS};
use crate::file::{LookupTable, NeighbourFold};
use grid::State;

/// West, south, east, north: the first wire that writes is obeyed.
const ORDER: [usize; 4] = [2, 3, 0, 1];

pub(super) fn table() -> LookupTable {
    let around = ORDER.map(|towards| TOWARDS[towards]);
    LookupTable::from_fold(&HuttonFold, &around, 32)
}

struct HuttonFold;

/// The fold state: what the neighbours seen so far send to this cell.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct HuttonSignals {
    own: State,
    /// A wire's own target.
    target: HuttonTarget,
    /// An excited ordinary or special wire points here. Wires do not see their own kind
    /// head on.
    ordinary: bool,
    special: bool,
    /// A signal of whatever origin enters a wire.
    enters: bool,
    /// Whether any ordinary wire points here: a special one is then the end of it.
    is_end: bool,
    /// The first excited wire that points at a ground or sensitised cell.
    writer: Option<(bool, usize)>,
    /// Of confluent cells: what comes in across and down, whether an ordinary wire that
    /// points here is quiet, and how many wires lead in and out.
    passes: [bool; 2],
    waits: bool,
    wires: (u8, u8),
}

/// The kind of cell that a wire points at.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
enum HuttonTarget {
    /// The ground, and the sensitised cells.
    Growing(State),
    QuietSpecial,
    #[default]
    Other,
}

impl HuttonTarget {
    fn of(state: State) -> Self {
        match state {
            0..=8 => Self::Growing(state),
            17..=20 => Self::QuietSpecial,
            _ => Self::Other,
        }
    }

    fn is_sensitised(self) -> bool {
        matches!(self, Self::Growing(1..=8))
    }
}

impl NeighbourFold for HuttonFold {
    type Seen = HuttonSignals;

    fn begin(&self, own: State) -> HuttonSignals {
        HuttonSignals {
            own,
            ..HuttonSignals::default()
        }
    }

    fn see(&self, mut seen: HuttonSignals, place: usize, state: State) -> HuttonSignals {
        let place = ORDER[place];
        let (own, cell) = (NeumannCell::of(seen.own), NeumannCell::of(state));
        let own_way = match own {
            NeumannCell::Wire { towards, .. } => Some(towards),
            _ => None,
        };
        if own_way == Some(place) {
            seen.target = HuttonTarget::of(state);
        }
        let confluent = matches!(
            own,
            NeumannCell::Confluent { .. } | NeumannCell::Crossing { .. }
        );
        let NeumannCell::Wire {
            special,
            towards,
            excited,
        } = cell
        else {
            let enters = own_way.is_some_and(|out| out != place) && cell.sends(place);
            seen.enters |= enters;
            return seen;
        };
        let crosses = seen.own == 25;
        if towards != (place + 2) % 4 {
            seen.wires.1 += u8::from(crosses);
            return seen;
        }
        seen.wires.0 += u8::from(crosses);
        if confluent && !special {
            seen.passes[place % 2] |= excited;
            seen.waits |= !excited;
            return seen;
        }
        if let NeumannCell::Wire { special: mine, .. } = own {
            seen.is_end |= mine && !special;
            if mine == special && own_way == Some(place) {
                return seen;
            }
            seen.enters |= excited && mine == special;
        } else if excited && !confluent {
            seen.writer = seen.writer.or(Some((special, towards)));
        }
        seen.special |= excited && special;
        seen.ordinary |= excited && !special;
        seen
    }

    fn end(&self, seen: &HuttonSignals) -> State {
        match NeumannCell::of(seen.own) {
            NeumannCell::Ground => match seen.writer {
                Some(_) if seen.ordinary => 1,
                Some((_, towards)) => wire(false, towards, false),
                None => 0,
            },
            NeumannCell::Sensitised => next_sensitised(seen),
            NeumannCell::Wire {
                special: false,
                towards,
                excited,
            } => next_ordinary(seen, towards, excited),
            NeumannCell::Wire {
                towards, excited, ..
            } => next_special(seen, towards, excited),
            NeumannCell::Confluent { .. } | NeumannCell::Crossing { .. } if seen.special => 0,
            NeumannCell::Confluent { .. } if seen.wires == (2, 2) => crossing(seen),
            NeumannCell::Confluent { next, .. } => NeumannCell::Confluent {
                now: next,
                next: seen.passes != [false; 2] && !seen.waits,
            }
            .state(),
            NeumannCell::Crossing { .. } => crossing(seen),
        }
    }
}

fn wire(special: bool, towards: usize, excited: bool) -> State {
    NeumannCell::Wire {
        special,
        towards,
        excited,
    }
    .state()
}

fn crossing(seen: &HuttonSignals) -> State {
    let [across, down] = seen.passes;
    NeumannCell::Crossing { across, down }.state()
}

/// The next state of a sensitised cell, after its next bit.
fn next_sensitised(seen: &HuttonSignals) -> State {
    let bit = seen.ordinary;
    // the first three bits only grow the word
    match (seen.own, bit) {
        (1..=3, _) => return 2 * seen.own + State::from(bit),
        (4, false) => return 8,
        (7, true) => return 25,
        _ => {}
    }
    let Some((special_writer, towards)) = seen.writer else {
        // A word that ends without an incoming signal: as in Golly.
        return match seen.own {
            5 => 7,
            6 => 17,
            7 => 15,
            _ => 8,
        };
    };
    let turned = |by: usize| (towards + by) % 4;
    match (seen.own, bit) {
        (4, _) => wire(false, turned(2), false),
        (5, false) => wire(false, turned(3), false),
        // where a special wire was first in line, its number is counted on
        (5, true) if special_writer => 25 + towards as State,
        (5, true) => wire(true, towards, false),
        (6, false) => wire(true, turned(1), false),
        (6, true) => wire(true, turned(2), false),
        (7, _) => wire(true, turned(3), false),
        (_, bit) => wire(false, turned(usize::from(bit)), false),
    }
}

/// The next state of an ordinary wire.
fn next_ordinary(seen: &HuttonSignals, towards: usize, excited: bool) -> State {
    if seen.special {
        return 0;
    }
    // the last bit of a word is what this cell holds now
    let writes_confluent = excited && seen.target == HuttonTarget::Growing(7);
    if seen.enters {
        let draws_back = match seen.target {
            HuttonTarget::Growing(8) | HuttonTarget::QuietSpecial => true,
            HuttonTarget::Growing(4) => excited,
            HuttonTarget::Growing(5) => !excited,
            _ => false,
        };
        return match (draws_back, writes_confluent) {
            (true, _) => 0,
            (_, true) => 1,
            _ => wire(false, towards, true),
        };
    }
    if writes_confluent {
        return 0;
    }
    if excited && matches!(seen.target, HuttonTarget::Growing(0..=3)) {
        // the sign that this is the end of the wire, and that its bit is 0
        return wire(true, towards, true);
    }
    wire(false, towards, false)
}

/// The next state of a special wire, or of the end of an ordinary wire in that form.
fn next_special(seen: &HuttonSignals, towards: usize, excited: bool) -> State {
    if excited && seen.target.is_sensitised() && seen.is_end {
        let grows_on = matches!(seen.target, HuttonTarget::Growing(1..=4));
        return match (grows_on, seen.ordinary) {
            (true, false) => seen.own,
            (true, true) => wire(false, towards, true),
            (false, true) => 0,
            (false, false) => wire(false, towards, false),
        };
    }
    if excited && seen.target == HuttonTarget::Growing(0) {
        return wire(true, towards, seen.special);
    }
    if seen.ordinary {
        return 0;
    }
    wire(true, towards, seen.enters)
}

#[cfg(test)]
mod tests {
    use super::super::super::assertions::next_state;
    use grid::State;

    /// The cells of a row, some generations on, with nothing around.
    fn row(mut cells: Vec<State>, generations: usize) -> Vec<State> {
        for _ in 0..generations {
            let at = |x: usize, d: isize| x.checked_add_signed(d).and_then(|x| cells.get(x));
            let state = |x, d| at(x, d).copied().unwrap_or(0);
            let becomes = |x| {
                let drawing = [state(x, -1), state(x, 0), state(x, 1)];
                next_state("Hutton32", &[&[0; 3], &drawing, &[0; 3]])
            };
            cells = (0..cells.len()).map(becomes).collect();
        }
        cells
    }

    #[test]
    fn a_wire_goes_on_by_10000() {
        // the one leads, four zeros follow
        assert_eq!(row(vec![9, 9, 13, 0, 0], 6), [9, 9, 9, 9, 0]);
        assert_eq!(row(vec![9, 9, 21, 4, 0], 1), [9, 9, 21, 8, 0]);
    }

    #[test]
    fn a_special_wire_lays_an_ordinary_one() {
        assert_eq!(row(vec![17, 21, 0], 1), [17, 17, 9]);
    }

    #[test]
    fn a_wire_draws_back_before_a_quiet_special_one() {
        assert_eq!(row(vec![13, 9, 17, 0], 1), [9, 0, 17, 0]);
    }

    #[test]
    fn words_are_turned_as_the_wire_that_writes_them() {
        let written =
            |own: State, west: State| next_state("Hutton32", &[&[0; 3], &[west, own, 0], &[0; 3]]);
        let from_below = |own: State, south: State| {
            next_state("Hutton32", &[&[0; 3], &[0, own, 0], &[0, south, 0]])
        };
        // from a wire to the east, then from one to the north; special at its end for a 0
        assert_eq!((written(8, 21), from_below(8, 22)), (9, 10));
        assert_eq!((written(8, 13), from_below(8, 14)), (10, 11));
        assert_eq!((written(4, 13), from_below(4, 14)), (11, 12));
        assert_eq!((written(5, 21), from_below(5, 22)), (12, 9));
        assert_eq!((written(5, 13), from_below(5, 14)), (17, 18));
        assert_eq!((written(6, 21), from_below(6, 22)), (18, 19));
        assert_eq!((written(6, 13), from_below(6, 14)), (19, 20));
        assert_eq!((written(7, 21), from_below(7, 22)), (20, 17));
        assert_eq!((written(7, 13), from_below(7, 14)), (25, 25));
    }
}
