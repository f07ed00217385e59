//! Cells in four parts, each seen by one neighbour alone:
//! `2PCA4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15`.
//!
//! A cell's state is the sum of its live parts, 1 for the northern one, 2 for the eastern,
//! 4 for the southern, 8 for the western. What it sees of a neighbour is the part that lies
//! next to it, of the cell to the north the southern part:
//!
//! ```text
//!     1            4 of the north
//!   8   2      2 of        8 of         the four that are seen stand for 1, 2, 4, 8 in the
//!     4       the west   the east       cell itself, and the sum is looked up
//!                  1 of the south
//! ```
//!
//! The rule's sixteen numbers are what the cell becomes for the sums 0 to 15 (Kenichi
//! Morita's partitioned cellular automata, in LifeViewer's notation). This follows the
//! definition; no results of another program were at hand to hold it against.
//!
//! A rule whose table is a permutation is reversible. The minus, as in `-2PCA4,…`, is our own
//! notation for its inverse: it maps generation g to generation g - 1.
//!
//! Where the empty cell becomes the full one and that the empty one again, or stays, states
//! are shown relative to the plane, each part inverted. Any other number but 0 in the first
//! place fills the plane, and is run on bounded grids alone.

use crate::cursor::RuleTextCursor;
use crate::error::{RuleFault, RuleProblem};
use crate::file::{LookupTable, NeighbourFold};
use crate::{Lattice, RuleDefinition, Transition};
use grid::State;

const PREFIX: &str = "2PCA4";

/// What a cell becomes by the parts that it sees.
type PartitionTable = [u8; 16];

/// North, east, south, west: the parts' order.
const TOWARDS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

const FULL: State = 15;

/// Reads the text if it starts as this notation does.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let mut cursor = RuleTextCursor::new(text);
    let backwards = cursor.eat("-");
    cursor.eat(PREFIX).then(|| parse(cursor, backwards))
}

/// The text of the rule that undoes this one, if there is one: with a minus or without.
pub(crate) fn inverse_text(text: &str) -> Option<String> {
    let other = match text.strip_prefix('-') {
        Some(forwards) => forwards.into(),
        None => format!("-{text}"),
    };
    read(&other)?.ok().map(|definition| definition.text)
}

fn parse(mut cursor: RuleTextCursor<'_>, backwards: bool) -> Result<RuleDefinition, RuleFault> {
    cursor.need(",", "`,` and what a cell becomes, 16 numbers in all")?;
    let start = cursor.at();
    let mut becomes = PartitionTable::default();
    for (number, next) in becomes.iter_mut().enumerate() {
        if number > 0 {
            cursor.need(",", "`,` and what a cell becomes next, 16 numbers in all")?;
        }
        let value = cursor.number_within("what a cell becomes", 0, 15)?;
        *next = value.unsigned_abs() as u8;
    }
    cursor.finish("the end of the rule after 16 numbers")?;
    let inverse = match (backwards, inverse(&becomes)) {
        (false, _) => None,
        (true, None) => return Err(RuleFault::new(start, RuleProblem::NotReversible)),
        (true, inverse) => inverse,
    };
    let background = match (becomes[0], becomes[usize::from(FULL)]) {
        (FULL, 0) => vec![0, FULL],
        (FULL, FULL) => vec![FULL],
        _ => vec![0],
    };
    let tables = (0..background.len()).map(|time| {
        let plane = |time: usize| background[time % background.len()];
        let moves = PartitionFold {
            becomes,
            inverse,
            now: plane(time),
            next: plane(time + 1),
        };
        let table = LookupTable::from_fold(&moves, &TOWARDS, 16);
        vec![Transition::Lookup(table)]
    });
    let tables = tables.collect();
    let numbers = becomes.map(|next| next.to_string()).join(",");
    let sign = if backwards { "-" } else { "" };
    Ok(RuleDefinition {
        text: format!("{sign}{PREFIX},{numbers}"),
        family: "Partitioned",
        states: 16,
        tables,
        lattice: Lattice::Square,
        background,
    })
}

/// The inverse of the table; `None` where it is not a permutation.
fn inverse(becomes: &PartitionTable) -> Option<PartitionTable> {
    let mut seen = [None; 16];
    for (parts, &next) in (0..).zip(becomes) {
        seen[usize::from(next)] = Some(parts);
    }
    let seen: Vec<u8> = seen.into_iter().collect::<Option<_>>()?;
    seen.try_into().ok()
}

struct PartitionFold {
    becomes: PartitionTable,
    /// Where the rule runs backwards.
    inverse: Option<PartitionTable>,
    /// The plane before and after the step.
    now: State,
    next: State,
}

impl NeighbourFold for PartitionFold {
    /// The parts seen so far. The cell itself does not matter.
    type Seen = u8;

    fn begin(&self, _own: State) -> u8 {
        0
    }

    fn see(&self, seen: u8, place: usize, state: State) -> u8 {
        let state = state ^ self.now;
        // Backwards, a part goes back to the cell that the neighbour saw it in.
        let parts = match &self.inverse {
            Some(inverse) => inverse[usize::from(state)],
            None => state,
        };
        let opposite = (place + 2) % 4;
        seen | (parts >> opposite & 1) << place
    }

    fn end(&self, &seen: &u8) -> State {
        let becomes = match self.inverse {
            Some(_) => seen,
            None => self.becomes[usize::from(seen)],
        };
        becomes ^ self.next
    }
}

/// The rule in words.
pub(crate) fn describe(text: &str) -> Vec<String> {
    let numbers = text.trim_start_matches('-').split(',').skip(1);
    let next: Vec<u32> = numbers.filter_map(|n| n.parse().ok()).collect();
    let mut lines: Vec<String> = vec![
        "each cell has four parts: 1 for the northern one, 2 for the eastern, 4 for the southern, \
         8 for the western"
            .into(),
        "it sees the part of each neighbour that lies next to it, and their sum gives its own \
         parts"
            .into(),
    ];
    // a lone part goes straight on where it comes out on the other side
    let lone: Vec<String> = [1, 2, 4, 8]
        .iter()
        .filter_map(|&part| Some(format!("{part} gives {}", next.get(part as usize)?)))
        .collect();
    lines.push(format!("of a part alone: {}", lone.join(", ")));
    if text.starts_with('-') {
        lines.push("backwards: each generation is what these changes were made from".into());
    }
    let mut sorted = next.clone();
    sorted.sort_unstable();
    if sorted == (0..16).collect::<Vec<_>>() {
        lines.push("reversible: no two sums give the same parts".into());
    }
    let kept = |(sum, next): (u32, &u32)| sum.count_ones() == next.count_ones();
    if (0..16).zip(&next).all(kept) {
        lines.push("the number of live parts stays".into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten, next_state};
    use crate::{Rule, Site};

    const MODEL: &str = "2PCA4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15";
    /// The plane blinks, and no two sums give the same.
    const BLINKS: &str = "2PCA4,15,4,8,3,1,10,6,7,2,9,5,11,12,13,14,0";

    #[test]
    fn every_spelling() {
        assert_rewritten(&[
            (MODEL, MODEL),
            ("2pca4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15", MODEL),
            (
                "-2PCA4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15:T9,8",
                &format!("-{MODEL}:T9,8"),
            ),
            (BLINKS, BLINKS),
        ]);
        assert_refused(&[
            ("2PCA4", 5, "16 numbers in all"),
            ("2PCA4,0,1,2", 11, "16 numbers in all"),
            (
                "2PCA4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,16",
                41,
                "expected 0 to 15",
            ),
            (&format!("{MODEL},1"), 43, "the end of the rule"),
            (
                "-2PCA4,0,0,8,3,1,10,6,7,2,9,5,11,12,13,14,15",
                7,
                "cannot run backwards",
            ),
        ]);
    }

    #[test]
    fn a_part_is_seen_by_one_neighbour() {
        // what enters from the north is the southern part of the cell there, and goes on
        assert_eq!(next_state(MODEL, &[&[0, 4, 0], &[0; 3], &[0; 3]]), 4);
        assert_eq!(next_state(MODEL, &[&[0, 11, 0], &[0; 3], &[0; 3]]), 0);
        assert_eq!(next_state(MODEL, &[&[0; 3], &[2, 15, 0], &[0; 3]]), 2);
        assert_eq!(next_state(MODEL, &[&[0; 3], &[13, 15, 0], &[0; 3]]), 0);
        // from the north and from the east, it stays where it came from
        assert_eq!(next_state(MODEL, &[&[0, 4, 0], &[0, 0, 8], &[0; 3]]), 3);
        // from the north and from the south: out to the sides
        assert_eq!(next_state(MODEL, &[&[0, 4, 0], &[0; 3], &[0, 1, 0]]), 10);
    }

    /// The next generation on a torus of 8 x 8 cells.
    fn stepped(rule: &Rule, generation: u64, cells: &[[u8; 8]; 8]) -> [[u8; 8]; 8] {
        let at = |x: i32, y: i32| cells[y.rem_euclid(8) as usize][x.rem_euclid(8) as usize];
        let site = Site {
            generation,
            ..Site::default()
        };
        let next = |x: i32, y: i32| rule.next(site, |dx, dy| at(x + dx, y + dy));
        std::array::from_fn(|y| std::array::from_fn(|x| next(x as i32, y as i32)))
    }

    #[test]
    fn what_is_undone_is_as_before() {
        let start: [[u8; 8]; 8] = std::array::from_fn(|y| {
            std::array::from_fn(|x| (0x9d37_u32.rotate_left((5 * y + 3 * x) as u32) & 15) as u8)
        });
        for text in [MODEL, BLINKS, "2PCA4,0,8,1,3,2,5,6,7,4,9,10,11,12,13,14,15"] {
            let forwards: Rule = format!("{text}:T8,8").parse().unwrap();
            let backwards = forwards.inverse().unwrap();
            assert_eq!(backwards.inverse().as_ref(), Some(&forwards));
            for generation in [0, 1] {
                let there = stepped(&forwards, generation, &start);
                assert_ne!(there, start);
                assert_eq!(stepped(&backwards, generation + 1, &there), start, "{text}");
            }
        }
        let plain: Rule = "2PCA4,0,0,8,3,1,10,6,7,2,9,5,11,12,13,14,15"
            .parse()
            .unwrap();
        assert_eq!(plain.inverse(), None);
        let walled: Rule = format!("{MODEL}:P8,8").parse().unwrap();
        assert_eq!(walled.inverse(), None);
    }

    #[test]
    fn the_plane_may_blink_stay_full_or_fill() {
        let rule = |text: &str| text.parse::<Rule>().unwrap();
        let background = |text: &str| [0, 1].map(|generation| rule(text).background(generation));
        assert_eq!(background(BLINKS), [0, 15]);
        assert_eq!(
            background("2PCA4,15,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15"),
            [15, 15]
        );
        for text in [
            MODEL,
            BLINKS,
            "2PCA4,15,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15",
        ] {
            assert!(!rule(text).fills_plane(), "{text}");
        }
        assert!(rule("2PCA4,3,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15").fills_plane());
    }
}
