//! Stephen Wolfram's elementary rules (*Statistical Mechanics of Cellular Automata*, Reviews of
//! Modern Physics 55, 1983), one row a generation: `W30`.
//!
//! Bit 4l + 2c + r of the number is the state of a cell below three cells in the states l, c
//! and r. Live cells never die, so the history of the row stays on the plane.
//!
//! Odd numbers turn an empty row alive. From 129 on a full row stays full, and the rule is
//! shown by its complement. For the others the background blinks: rows of odd age are shown
//! inverted, and their live cells are in state 2, so that the state of a row encodes its
//! parity.

use crate::cursor::RuleTextCursor;
use crate::error::RuleFault;
use crate::{
    ConfigurationTable, CountTable, Lattice, Neighbourhood, RuleDefinition, Transition,
    TransitionRow,
};

/// Reads the text if it is `W` and a number.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let number = text.strip_prefix(['W', 'w'])?;
    let alike = number.starts_with(|c: char| c.is_ascii_digit());
    alike.then(|| parse(text))
}

fn parse(text: &str) -> Result<RuleDefinition, RuleFault> {
    let mut cursor = RuleTextCursor::new(text);
    cursor.bump();
    let number = cursor.number_within("the rule's number", 0, 255)? as u8;
    cursor.finish("the end of the rule after its number")?;
    let inverted = |n: u8| !n.reverse_bits();
    let (table, states, background) = match number {
        n if n % 2 == 0 => (plain(n), 2, 0),
        n if n >= 128 => (plain(inverted(n)), 2, 1),
        n => (blinking(n), 3, 0),
    };
    Ok(RuleDefinition {
        text: format!("W{number}"),
        family: "Wolfram",
        states,
        tables: vec![vec![table]],
        lattice: Lattice::Square,
        background: vec![background],
    })
}

fn plain(number: u8) -> Transition {
    // the three cells above are the top three bits of a configuration
    let next = |configuration: u16| number >> (configuration >> 6) & 1;
    Transition::Configuration(ConfigurationTable {
        counted: vec![false, true],
        rows: vec![
            TransitionRow::By((0..512).map(next).collect()),
            TransitionRow::Constant(1),
        ],
    })
}

fn blinking(number: u8) -> Transition {
    // weights 9, 3, 1 tell the three cells above apart, each 0, 1 or 2
    let neighbourhood = Neighbourhood::from_weights(1, |dx, dy| match (dx, dy) {
        (-1, -1) => 9,
        (0, -1) => 3,
        (1, -1) => 1,
        _ => 0,
    });
    let next = |sum: u8| {
        let above = [sum / 9, sum / 3 % 3, sum % 3];
        let bits = |state| {
            above
                .iter()
                .fold(0, |b, &cell| b << 1 | u8::from(cell == state))
        };
        match (bits(1), bits(2)) {
            (0, 0) => 0,
            // the row above is inverted, this one is not
            (0, live) => number >> (7 - live) & 1,
            (live, _) => 2 * (!number >> live & 1),
        }
    };
    Transition::Count(CountTable {
        neighbourhood,
        values: vec![0, 1, 2],
        least: 0,
        rows: vec![
            TransitionRow::By((0..27).map(next).collect()),
            TransitionRow::Constant(1),
            TransitionRow::Constant(2),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten};
    use crate::{Rule, Site};

    #[test]
    fn every_spelling() {
        assert_rewritten(&[
            ("W30", "W30"),
            ("w110", "W110"),
            ("W0", "W0"),
            ("W255", "W255"),
        ]);
        assert_refused(&[
            ("W256", 1, "expected 0 to 255"),
            ("W30x", 3, "expected the end"),
        ]);
    }

    /// A row relative to an empty row, by the definition: the row before with the same
    /// background on both sides.
    fn by_hand(number: u8, row: &[bool]) -> Vec<bool> {
        let at = |i: usize, d: isize| {
            let cell = i.checked_add_signed(d).and_then(|i| row.get(i));
            cell.copied().unwrap_or(row[0])
        };
        let next = |i| at(i, -1) as u8 * 4 + at(i, 0) as u8 * 2 + at(i, 1) as u8;
        (0..row.len()).map(|i| number >> next(i) & 1 == 1).collect()
    }

    #[test]
    fn rows_grow_as_the_number_tells() {
        for number in 0..=255_u8 {
            let rule: Rule = format!("W{number}").parse().unwrap();
            let full = number % 2 == 1 && number >= 128;
            // one live cell in the middle, as shown
            let mut raw = vec![full; 41];
            raw[20] ^= true;
            let mut sheet = vec![vec![0; 41]; 9];
            sheet[0][20] = 1;
            for y in 1..9 {
                raw = by_hand(number, &raw);
                let background = raw[0];
                for x in 0..41 {
                    let look = |dx: i32, dy: i32| {
                        let (x, y) = (x as i32 + dx, y as i32 + dy);
                        let row: Option<&Vec<u8>> = sheet.get(y as usize);
                        row.and_then(|row| row.get(x as usize))
                            .copied()
                            .unwrap_or(0)
                    };
                    let shown = rule.next(Site::default(), look);
                    assert_eq!(shown != 0, raw[x] != background, "W{number} at {x}, {y}");
                    sheet[y][x] = shown;
                }
            }
        }
    }
}
