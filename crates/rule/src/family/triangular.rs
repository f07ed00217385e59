//! Births and survivals among triangles: `B456/S34L`.
//!
//! The cells of a square sheet stand for triangles: a cell with even x + y has its point
//! below (five cells touch it from the row above and three from the row below), an odd one
//! has it above. Twelve triangles touch a triangle; the letters after `L` take some of
//! them. Drawn for the odd cells, whose point is above; even cells see it upside down:
//!
//! ```text
//!      L           LE          LV          LI          LO          LB          LR
//!  . # # # .   . . . . .   . # # # .   . . # . .   . # . # .   . # . # .   . . # . .
//!  # # x # #   . # x # .   # . x . #   . # x # .   # . x . #   # # x # #   . . x . .
//!  # # # # #   . . # . .   # # . # #   # . # . #   . # . # .   . # # # .   # . . . #
//! ```
//!
//! `LE` are the three that share an edge, `LV` the nine that share a corner alone. Counts
//! over nine are written `x` (ten), `y` and `z`. The spellings are those of `B3/S23`, and
//! Generations are taken too: `34/34/10L`. LifeViewer is where the notation is from.

use super::lifelike::{self, LifelikeParts};
use crate::background;
use crate::cursor::RuleTextCursor;
use crate::error::{RuleFault, RuleProblem};
use crate::{CountTable, Lattice, Neighbourhood, RuleDefinition, Transition, TransitionRow};
use grid::State;
use std::fmt;

/// What is written after the rule, and the cells around an odd cell: three rows of five.
const SHAPES: [(&str, [[u8; 5]; 3]); 7] = [
    ("L", [*b".###.", *b"##.##", *b"#####"]),
    ("LE", [*b".....", *b".#.#.", *b"..#.."]),
    ("LV", [*b".###.", *b"#...#", *b"##.##"]),
    ("LI", [*b"..#..", *b".#.#.", *b"#.#.#"]),
    ("LO", [*b".#.#.", *b"#...#", *b".#.#."]),
    ("LB", [*b".#.#.", *b"##.##", *b".###."]),
    ("LR", [*b"..#..", *b".....", *b"#...#"]),
];

/// Counts as they are written, from 0 on.
const DIGITS: &str = "0123456789xyz";

/// Reads the text if it looks like this notation.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let shape = SHAPES.iter().rev().find(|(suffix, _)| {
        let start = text.len().checked_sub(suffix.len());
        let end = start.and_then(|start| text.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(suffix))
    });
    let (suffix, drawing) = shape?;
    let alike = lifelike::looks_alike(text) || starts_high(&text[..text.len() - suffix.len()]);
    alike.then(|| parse(text, suffix, drawing))
}

/// Whether this could be births and survivals whose first count is x, y or z.
fn starts_high(rest: &str) -> bool {
    let lower = rest.to_ascii_lowercase();
    let parted = lower.contains(['/', '_']) || lower.contains('b') && lower.contains('s');
    parted
        && lower
            .chars()
            .all(|c| DIGITS.contains(c) || "bsgc/_".contains(c))
}

fn parse(text: &str, suffix: &str, drawing: &[[u8; 5]; 3]) -> Result<RuleDefinition, RuleFault> {
    let mut cursor = RuleTextCursor::new(&text[..text.len() - suffix.len()]);
    let LifelikeParts {
        birth,
        survival,
        states,
        early,
    } = lifelike::parts(&mut cursor, TriangularCounts::take)?;
    if let Some((at, _)) = early {
        return Err(RuleFault::expected(
            at,
            "no letter here: triangles have their letters at the end",
        ));
    }
    cursor.finish(match states {
        Some(_) => "the neighbourhood's letters and the end of the rule",
        None => "a count from 0 to 9, x, y or z, or the neighbourhood's letters",
    })?;
    let neighbourhoods = neighbourhoods(drawing);
    let size = neighbourhoods[0].cells().len();
    let birth = TriangularCounts::read(birth, size)?;
    let survival = TriangularCounts::read(survival, size)?;
    let n = states.unwrap_or(2);
    let tables = neighbourhoods.into_iter();
    let tables = tables.map(|around| transition(around, birth, survival, n));
    let tables: Vec<_> = tables.collect();
    let text = match states {
        Some(n) => format!("{survival}/{birth}/{n}{suffix}"),
        None => format!("B{birth}/S{survival}{suffix}"),
    };
    let (family, lattice) = ("Triangular", Lattice::Triangular);
    if n == 2 {
        let rule = background::two_state(text, family, tables);
        return Ok(RuleDefinition { lattice, ..rule });
    }
    Ok(RuleDefinition {
        text,
        family,
        states: n,
        tables: vec![tables],
        lattice,
        background: vec![0],
    })
}

/// For even and for odd cells; one where they are alike.
fn neighbourhoods(drawing: &[[u8; 5]; 3]) -> Vec<Neighbourhood> {
    let cell = |dx: i32, dy: i32| {
        let row = usize::try_from(dy + 1).ok().and_then(|y| drawing.get(y));
        row.map_or(0, |row| i32::from(row[(dx + 2) as usize] == b'#'))
    };
    let radius = if drawing.iter().any(|row| row[0] == b'#') {
        2
    } else {
        1
    };
    let odd = Neighbourhood::from_weights(radius, cell);
    let even = Neighbourhood::from_weights(radius, |dx, dy| cell(dx, -dy));
    if even == odd {
        return vec![even];
    }
    vec![even, odd]
}

/// State 1 lives and is all that counts; what does not survive ages through the others.
fn transition(
    neighbourhood: Neighbourhood,
    birth: TriangularCounts,
    survival: TriangularCounts,
    states: u16,
) -> Transition {
    let aged = |state: u16| ((state + 1) % states) as State;
    let size = neighbourhood.cells().len();
    let row = |counts: TriangularCounts, otherwise: State| {
        let next = |n| if counts.holds(n) { 1 } else { otherwise };
        TransitionRow::By((0..=size).map(next).collect())
    };
    let mut rows = vec![row(birth, 0), row(survival, aged(1))];
    rows.extend((2..states).map(|state| TransitionRow::Constant(aged(state))));
    Transition::Count(CountTable {
        neighbourhood,
        values: (0..states).map(|state| i32::from(state == 1)).collect(),
        least: 0,
        rows,
    })
}

/// A set of counts up to twelve, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TriangularCounts(u16);

impl TriangularCounts {
    /// Takes the digits of a set, unchecked.
    fn take<'a>(cursor: &mut RuleTextCursor<'a>) -> (usize, &'a str) {
        let start = cursor.at();
        let pass = |c: char| DIGITS.contains(c.to_ascii_lowercase());
        (start, cursor.take_while(pass))
    }

    /// Parses what [`TriangularCounts::take`] took, for `size` neighbours.
    fn read((start, text): (usize, &str), size: usize) -> Result<Self, RuleFault> {
        let mut counts = 0;
        for (at, digit) in text.char_indices() {
            let value = DIGITS.find(digit.to_ascii_lowercase());
            let value = value.expect("only digits are taken");
            if value > size {
                let problem = RuleProblem::OutOfRange {
                    what: "the number of neighbours",
                    value: value as i64,
                    least: 0,
                    most: size as i64,
                };
                return Err(RuleFault::new(start + at, problem));
            }
            counts |= 1 << value;
        }
        Ok(Self(counts))
    }

    fn holds(self, count: usize) -> bool {
        self.0 >> count & 1 == 1
    }
}

impl fmt::Display for TriangularCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = DIGITS.chars().enumerate();
        digits.try_for_each(|(count, digit)| {
            if self.holds(count) {
                write!(f, "{digit}")?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten};
    use super::*;
    use crate::{Rule, Site};

    #[test]
    fn every_spelling() {
        assert_rewritten(&[
            ("B456/S34L", "B456/S34L"),
            ("b54s43l", "B45/S34L"),
            ("34/456L", "B456/S34L"),
            ("S3zYx/B4XL", "B4x/S3xyzL"),
            ("B3/SL", "B3/SL"),
            ("Byz/S2L", "Byz/S2L"),
            ("sxb3l", "B3/SxL"),
            ("zx/y/4L", "xz/y/4L"),
            ("b2sle", "B2/SLE"),
            ("B23/S12LE", "B23/S12LE"),
            ("B34/S34/10L", "34/34/10L"),
            ("B3/S12/c5lv", "12/3/5LV"),
            ("g5b3s12LO", "12/3/5LO"),
            ("B02/S12LV", "B02/S12LV"),
            ("2/03/3L", "2/03/3L"),
            ("B45/S34LB:T20,30", "B45/S34LB:T20,30"),
        ]);
    }

    #[test]
    fn what_is_wrong_and_where() {
        assert_refused(&[
            ("B4/S3LE", 1, "is 4, expected 0 to 3"),
            (
                "B2/S7LI",
                4,
                "the number of neighbours is 7, expected 0 to 6",
            ),
            ("B2a/SL", 2, "expected S"),
            ("B3/S2aL", 5, "a count from 0 to 9, x, y or z"),
            ("B3/S2/5xL", 7, "the end of the rule"),
            ("2V/3/3L", 1, "triangles have their letters at the end"),
            ("B3/S2LX", 5, "expected"),
        ]);
    }

    #[test]
    fn as_many_around_as_the_names_say() {
        let size = |at: usize| neighbourhoods(&SHAPES[at].1)[0].cells().len();
        assert_eq!(
            std::array::from_fn(size),
            [12, 3, 9, 6, 6, 9, 3],
            "L, LE, LV, LI, LO, LB, LR"
        );
        // the edges and the corners make up all
        let odd = |at: usize| neighbourhoods(&SHAPES[at].1).pop().unwrap();
        let both = [odd(1), odd(2)];
        for cell in odd(0).cells() {
            let found = both.iter().filter(|part| {
                let mut cells = part.cells().iter();
                cells.any(|c| (c.dx, c.dy) == (cell.dx, cell.dy))
            });
            assert_eq!(found.count(), 1);
        }
    }

    #[test]
    fn the_point_is_below_where_x_and_y_are_even() {
        let rule: Rule = "B1/SLE".parse().unwrap();
        let born = |x, y, from: (i32, i32)| {
            let site = Site {
                x,
                y,
                ..Site::default()
            };
            rule.next(site, |dx, dy| u8::from((dx, dy) == from))
        };
        assert_eq!((born(0, 0, (0, -1)), born(0, 0, (0, 1))), (1, 0));
        assert_eq!((born(3, 4, (0, -1)), born(3, 4, (0, 1))), (0, 1));
        assert_eq!((born(-1, 0, (1, 0)), born(-1, 1, (-1, 0))), (1, 1));
    }
}
