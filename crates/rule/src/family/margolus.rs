//! Blocks of two by two cells, each turned into another: `M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15`.
//!
//! In even generations the blocks have their top-left cells where x and y are even, in odd
//! ones where both are odd (Toffoli and Margolus, *Cellular Automata Machines*, 1987;
//! LifeViewer's notation). A block's number is 1 for its top-left cell, 2 for the top right, 4 for
//! the bottom left and 8 for the bottom right, added up; the rule's sixteen numbers are what the
//! blocks 0 to 15 become:
//!
//! ```text
//! M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15
//! MS,D0;8;4;3;2;5;9;7;1;6;10;11;12;13;14;15     MCell's spelling
//! -M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15       the same, backwards
//! ```
//!
//! A rule whose table is a permutation of the sixteen blocks is reversible. The minus is our
//! own notation for its inverse: it maps generation g to generation g - 1.
//!
//! The other three cells of a block lie in the 3 x 3 block around a cell, so each of the four
//! positions in a block has a table of its own. Where the empty block becomes the full one,
//! cells are shown relative to the plane, as in a rule with B0; a rule under which the plane
//! does not stay uniform is refused.

use crate::background;
use crate::cursor::RuleTextCursor;
use crate::error::{RuleFault, RuleProblem};
use crate::{ConfigurationTable, Lattice, RuleDefinition, Transition, TransitionRow};
use grid::State;

/// The block that each block becomes.
type BlockTransitions = [u8; 16];

/// Reads the text if it looks like one of the two spellings.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let mut cursor = RuleTextCursor::new(text);
    let backwards = cursor.eat("-");
    let start = cursor.eat("MS,D") || cursor.eat("M");
    let digit = cursor.peek().is_some_and(|c| c.is_ascii_digit());
    (start && digit).then(|| parse(cursor, backwards))
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
    let mut blocks = BlockTransitions::default();
    let start = cursor.at();
    for (number, next) in blocks.iter_mut().enumerate() {
        if number > 0 && !cursor.eat(",") {
            cursor.need(
                ";",
                "`,` and what the next block becomes, 16 numbers in all",
            )?;
        }
        let value = cursor.number_within("what a block becomes", 0, 15)?;
        *next = value.unsigned_abs() as u8;
    }
    cursor.finish("the end of the rule after 16 numbers")?;
    let numbers = blocks.map(|next| next.to_string()).join(",");
    if backwards {
        blocks =
            inverse(&blocks).ok_or_else(|| RuleFault::new(start, RuleProblem::NotReversible))?;
    }
    let even = [0, 1, 2, 3].map(|place| table(&blocks, place)).to_vec();
    // a step to the right and one down moves the corner of the blocks
    let odd = [3, 2, 1, 0].map(|place| table(&blocks, place)).to_vec();
    // what made an even generation were the blocks of an odd one
    let raw = if backwards { [odd, even] } else { [even, odd] };
    let cycle = background::find_cycle(&raw);
    let (tables, background) =
        cycle.ok_or_else(|| RuleFault::new(start, RuleProblem::EmptyBlock))?;
    let sign = if backwards { "-" } else { "" };
    Ok(RuleDefinition {
        text: format!("{sign}M{numbers}"),
        family: "Margolus",
        states: 2,
        tables,
        lattice: Lattice::Square,
        background,
    })
}

/// What each block was before; `None` where two blocks become the same.
fn inverse(blocks: &BlockTransitions) -> Option<BlockTransitions> {
    let mut before = [None; 16];
    for (block, &next) in (0..).zip(blocks) {
        before[usize::from(next)] = Some(block);
    }
    let before: Vec<u8> = before.into_iter().collect::<Option<_>>()?;
    before.try_into().ok()
}

/// The table of a cell at a place of its block, 0 to 3 row by row.
fn table(blocks: &BlockTransitions, place: usize) -> Transition {
    let (column, row) = ((place % 2) as i32, (place / 2) as i32);
    let next = |configuration: u16| -> State {
        let block = (0..4).fold(0, |block, other| {
            let (dx, dy) = (other % 2 - column, other / 2 - row);
            // the cell itself is bit 4 of nine, the north-west one bit 8
            let bit = configuration >> (4 - 3 * dy - dx) & 1;
            block | usize::from(bit) << other
        });
        blocks[block] >> place & 1
    };
    let all = TransitionRow::By((0..512).map(next).collect());
    Transition::Configuration(ConfigurationTable {
        counted: vec![false, true],
        rows: vec![all.clone(), all],
    })
}

/// The rule in words: a line on the blocks, one on what it keeps.
pub(crate) fn describe(text: &str) -> Vec<String> {
    let numbers = text.trim_start_matches(['-', 'M']).split(',');
    let next: Vec<u16> = numbers.filter_map(|n| n.parse().ok()).collect();
    let changed = (0..16_u16)
        .zip(&next)
        .filter(|(block, next)| block != *next);
    let changed: Vec<_> = changed.map(|(b, n)| format!("{b} to {n}")).collect();
    let mut lines = vec![
        "turns blocks of 2 by 2 cells into others; the blocks move by one cell right and down \
         from even generations to odd ones, and back"
            .into(),
        "a block's number adds 1 for its top-left cell, 2 for the top right, 4 for the bottom \
         left, 8 for the bottom right"
            .into(),
        match &*changed {
            [] => "every block stays as it is".into(),
            changed => format!("blocks that change: {}", changed.join(", ")),
        },
    ];
    if text.starts_with('-') {
        lines.push("backwards: each generation is what these changes were made from".into());
    }
    let mut seen = next.clone();
    seen.sort_unstable();
    if seen == (0..16).collect::<Vec<_>>() {
        lines.push("reversible: no two blocks become the same".into());
    }
    let kept = |block: u16, next: &u16| block.count_ones() == next.count_ones();
    if (0..16).zip(&next).all(|(block, next)| kept(block, next)) {
        lines.push("the number of live cells stays".into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten};
    use crate::{Rule, Site};

    const BBM: &str = "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15";

    #[test]
    fn every_spelling() {
        assert_rewritten(&[
            (BBM, BBM),
            ("MS,D0;8;4;3;2;5;9;7;1;6;10;11;12;13;14;15", BBM),
            ("ms,d0;8;4;3;2;5;9;7;1;6;10;11;12;13;14;15", BBM),
            (
                "-m0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
                &format!("-{BBM}"),
            ),
            ("m0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", BBM),
            (
                "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0:T20,20",
                "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0:T20,20",
            ),
        ]);
        assert_refused(&[
            (
                "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14",
                35,
                "16 numbers in all",
            ),
            (
                "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,16",
                36,
                "expected 0 to 15",
            ),
            ("M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15,0", 38, "the end"),
            (
                "M1,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
                1,
                "the empty block",
            ),
            (
                "M15,8,4,3,2,5,9,7,1,6,10,11,12,13,14,3",
                1,
                "the empty block",
            ),
        ]);
    }

    /// Asserts that a block at (x, y) becomes what the table says, and that nothing else
    /// changes.
    fn check(text: &str, generation: u64, x: i64, y: i64) {
        let rule: Rule = text.parse().unwrap();
        let numbers: Vec<u8> = text[1..].split(',').map(|n| n.parse().unwrap()).collect();
        let inverted = |generation: u64| rule.background(generation) * 15;
        for shown in 0..16_u8 {
            let alive = |at_x: i64, at_y: i64| {
                let (column, row) = (at_x - x, at_y - y);
                let inside = (0..2).contains(&column) && (0..2).contains(&row);
                u8::from(inside) & shown >> ((2 * row + column) & 3)
            };
            let next =
                numbers[usize::from(shown ^ inverted(generation))] ^ inverted(generation + 1);
            for at_y in y - 2..y + 4 {
                for at_x in x - 2..x + 4 {
                    let site = Site {
                        generation,
                        x: at_x,
                        y: at_y,
                    };
                    let look = |dx: i32, dy: i32| alive(at_x + i64::from(dx), at_y + i64::from(dy));
                    let (column, row) = (at_x - x, at_y - y);
                    let inside = (0..2).contains(&column) && (0..2).contains(&row);
                    let wanted = u8::from(inside) & next >> ((2 * row + column) & 3);
                    assert_eq!(
                        rule.next(site, look),
                        wanted,
                        "{text}: {shown} at {at_x}, {at_y}"
                    );
                }
            }
        }
    }

    #[test]
    fn blocks_stand_on_even_places_then_on_odd_ones() {
        for text in [
            BBM,
            "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0",
            "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,15",
        ] {
            for (x, y) in [(0, 0), (4, -2), (-6, 8)] {
                check(text, 0, x, y);
                check(text, 6, x, y);
                check(text, 1, x + 1, y + 1);
                check(text, 7, x - 1, y + 1);
            }
        }
    }

    #[test]
    fn the_plane_may_blink_or_stay_full() {
        let background = |text: &str| {
            let rule: Rule = text.parse().unwrap();
            [0, 1, 2].map(|generation| rule.background(generation))
        };
        assert_eq!(background(BBM), [0, 0, 0]);
        assert_eq!(
            background("M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0"),
            [0, 1, 0]
        );
        assert_eq!(
            background("M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,15"),
            [1, 1, 1]
        );
    }

    #[test]
    fn what_is_undone_is_as_before() {
        let plain: Rule = "M0,1,2,3,4,5,6,7,8,9,10,11,12,13,0,15".parse().unwrap();
        assert_eq!(plain.inverse(), None);
        assert_eq!("Life".parse::<Rule>().unwrap().inverse(), None);
        for shape in ["T9,8", "T8,9", "T8+1,8", "P8,8", "K8*,8"] {
            let cut: Rule = format!("{BBM}:{shape}").parse().unwrap();
            assert_eq!(cut.inverse(), None, "{shape}");
        }
        assert!(
            "-M0,0,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
                .parse::<Rule>()
                .is_err()
        );
        for text in [
            BBM,
            "M0,2,8,3,1,5,6,7,4,9,10,11,12,13,14,15:T8,8",
            "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0",
            "M15,2,8,3,1,5,6,7,4,9,10,11,12,13,14,0",
            "M15,2,8,3,1,5,6,7,4,9,10,11,12,13,14,0:T8,8",
        ] {
            let forwards: Rule = text.parse().unwrap();
            let backwards = forwards.inverse().unwrap();
            assert_eq!(backwards.inverse().as_ref(), Some(&forwards));
            assert_eq!(backwards.topology(), forwards.topology());
            for generation in [0, 1] {
                let start: [[u8; 8]; 8] = std::array::from_fn(|y| {
                    let bits = 0x9d_u8.rotate_left((3 * y) as u32) ^ (17 * y) as u8;
                    std::array::from_fn(|x| bits >> x & 1)
                });
                let there = stepped(&forwards, generation, &start);
                assert_ne!(there, start);
                assert_eq!(stepped(&backwards, generation + 1, &there), start, "{text}");
            }
        }
    }

    /// The next generation on a torus of 8 x 8 cells.
    fn stepped(rule: &Rule, generation: u64, cells: &[[u8; 8]; 8]) -> [[u8; 8]; 8] {
        let at = |x: i32, y: i32| cells[y.rem_euclid(8) as usize][x.rem_euclid(8) as usize];
        let next = |x: i32, y: i32| {
            let site = Site {
                generation,
                x: x.into(),
                y: y.into(),
            };
            rule.next(site, |dx, dy| at(x + dx, y + dy))
        };
        std::array::from_fn(|y| std::array::from_fn(|x| next(x as i32, y as i32)))
    }
}
