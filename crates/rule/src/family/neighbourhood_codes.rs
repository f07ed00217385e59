//! The neighbourhoods of rules that look further than one cell: which cells each code
//! takes, and how its weights are written.

use crate::cursor::RuleTextCursor;
use crate::error::{RuleFault, RuleProblem};
use crate::{Lattice, Neighbourhood};
use std::fmt;

/// Which cells count, and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NeighbourhoodCode {
    /// One of [`CODES`], by its letter.
    Shape(char),
    /// `NL`: the cells round a triangle, which points up or down by place.
    Triangle,
    /// `NG`: weights that fall off towards the edges.
    Gaussian,
    /// `NF`, `NFC2E1`: four corners and four edges, each so far away.
    Far { corner: u32, edge: u32, radius: u32 },
    /// `N@…`: a bit for each cell, the centre left out.
    Drawn { bits: Vec<bool>, grid: Lattice },
    /// `NW…`: a weight for each cell, the centre too.
    Weighted {
        weights: Vec<i8>,
        two_digits: bool,
        grid: Lattice,
    },
}

/// Codes whose cells follow from the offset alone.
const CODES: &str = "MNC2BD+X*#HA3";

impl NeighbourhoodCode {
    /// Reads what follows the `N`. The cursor's `at` is where a code is expected.
    pub(super) fn read(cursor: &mut RuleTextCursor<'_>, radius: u32) -> Result<Self, RuleFault> {
        let start = cursor.at();
        let code = cursor.bump().map(|c| c.to_ascii_uppercase());
        let limit = |most| {
            if radius > most {
                return Err(RuleFault::new(
                    start,
                    RuleProblem::OutOfRange {
                        what: "the range of this neighbourhood",
                        value: i64::from(radius),
                        least: 1,
                        most: i64::from(most),
                    },
                ));
            }
            Ok(())
        };
        match code {
            Some(c) if CODES.contains(c) => Ok(Self::Shape(c)),
            Some('L') => limit(250).map(|()| Self::Triangle),
            Some('G') => limit(50).map(|()| Self::Gaussian),
            Some('@') => Self::read_drawn(cursor, radius),
            Some('W') => Self::read_weighted(cursor, radius),
            Some('F') => Self::read_far(cursor, radius),
            _ => Err(RuleFault::expected(
                start,
                "one of M N C 2 B D + X * # H A 3 L G F @ W after N",
            )),
        }
    }

    /// `C` and `E` with their ranges in any order. Without a number, or left out, it is the
    /// rule's own range.
    fn read_far(cursor: &mut RuleTextCursor<'_>, radius: u32) -> Result<Self, RuleFault> {
        let (mut corner, mut edge) = (None, None);
        loop {
            let at = cursor.at();
            let (range, what) = if cursor.eat("C") {
                (&mut corner, "the range of the corners")
            } else if cursor.eat("E") {
                (&mut edge, "the range of the edges")
            } else {
                break;
            };
            if range.is_some() {
                return Err(RuleFault::expected(at, "C and E once each"));
            }
            let numbered = cursor.peek().is_some_and(|c| c.is_ascii_digit());
            *range = Some(if numbered {
                cursor.number_within(what, 1, 500)?.unsigned_abs() as u32
            } else {
                radius
            });
        }
        Ok(Self::Far {
            corner: corner.unwrap_or(radius),
            edge: edge.unwrap_or(radius),
            radius,
        })
    }

    fn read_drawn(cursor: &mut RuleTextCursor<'_>, radius: u32) -> Result<Self, RuleFault> {
        let start = cursor.at();
        let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
        let r = radius as usize;
        if digits.len() != r * (r + 1) {
            let problem = RuleProblem::Digits {
                what: "N@ of this range",
                expected: (r * (r + 1)).to_string(),
                found: digits.len(),
            };
            return Err(RuleFault::new(start, problem));
        }
        let digits = digits.chars().filter_map(|c| c.to_digit(16));
        let bits = digits.flat_map(|d| (0..4).rev().map(move |bit| d >> bit & 1 == 1));
        Ok(Self::Drawn {
            bits: bits.collect(),
            grid: Lattice::read(cursor),
        })
    }

    fn read_weighted(cursor: &mut RuleTextCursor<'_>, radius: u32) -> Result<Self, RuleFault> {
        let start = cursor.at();
        let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
        let side = 2 * radius as usize + 1;
        let cells = side * side;
        let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
        // the top bit is the sign
        let signed = |value: u32, sign: u32| {
            let size = (value & (sign - 1)) as i8;
            if value & sign == 0 { size } else { -size }
        };
        let weights = if digits.len() == cells {
            digits.iter().map(|&d| signed(d, 8)).collect()
        } else if digits.len() == 2 * cells {
            let pairs = digits.chunks_exact(2);
            pairs.map(|d| signed(d[0] << 4 | d[1], 128)).collect()
        } else {
            let problem = RuleProblem::Digits {
                what: "NW of this range",
                expected: format!("{cells} or {}", 2 * cells),
                found: digits.len(),
            };
            return Err(RuleFault::new(start, problem));
        };
        Ok(Self::Weighted {
            weights,
            two_digits: digits.len() != cells,
            grid: Lattice::read(cursor),
        })
    }

    /// Whether the cell itself counts by the notation's own terms, whatever M says.
    pub(super) fn is_totalistic(&self) -> bool {
        matches!(self, Self::Gaussian | Self::Weighted { .. })
    }

    /// How the cells tile the plane.
    pub(super) fn lattice(&self) -> Lattice {
        match self {
            Self::Shape('H') => Lattice::Hexagonal,
            Self::Triangle => Lattice::Triangular,
            Self::Drawn { grid, .. } | Self::Weighted { grid, .. } => *grid,
            _ => Lattice::Square,
        }
    }

    /// The neighbourhoods for cells with even and odd x + y; one where they are the same.
    pub(super) fn neighbourhoods(&self, radius: u32, centre: bool) -> Vec<Neighbourhood> {
        let r = radius as i32;
        let own = i32::from(centre);
        let index = |dx: i32, dy: i32| ((dy + r) * (2 * r + 1) + dx + r) as usize;
        match self {
            Self::Shape(code) => vec![Neighbourhood::from_weights(radius, |dx, dy| {
                if (dx, dy) == (0, 0) {
                    own
                } else {
                    i32::from(in_shape(*code, r, dx, dy))
                }
            })],
            Self::Gaussian => vec![Neighbourhood::from_weights(radius, |dx, dy| {
                (r + 1 - dx.abs()) * (r + 1 - dy.abs())
            })],
            Self::Triangle => {
                let cell = |dx: i32, dy: i32| {
                    if (dx, dy) == (0, 0) {
                        return own;
                    }
                    i32::from(dy.abs() <= r && dx.abs() <= 2 * r + i32::from(dy < 0) - dy.abs())
                };
                let even = Neighbourhood::from_weights(2 * radius, cell);
                let odd = Neighbourhood::from_weights(2 * radius, |dx, dy| cell(dx, -dy));
                vec![even, odd]
            }
            Self::Far { corner, edge, .. } => {
                let (c, e) = (*corner as i32, *edge as i32);
                let cell = |dx: i32, dy: i32| match (dx.abs(), dy.abs()) {
                    (0, 0) => own,
                    (x, y) => i32::from((x, y) == (c, c) || (x, y) == (e, 0) || (x, y) == (0, e)),
                };
                vec![Neighbourhood::from_weights(*corner.max(edge), cell)]
            }
            Self::Drawn { bits, grid } => grid.neighbourhoods(radius, |dx, dy| {
                let i = index(dx, dy);
                match i.cmp(&(bits.len() / 2)) {
                    std::cmp::Ordering::Less => i32::from(bits[i]),
                    std::cmp::Ordering::Equal => own,
                    std::cmp::Ordering::Greater => i32::from(bits[i - 1]),
                }
            }),
            Self::Weighted { weights, grid, .. } => {
                grid.neighbourhoods(radius, |dx, dy| i32::from(weights[index(dx, dy)]))
            }
        }
    }
}

impl Lattice {
    pub(super) fn read(cursor: &mut RuleTextCursor<'_>) -> Self {
        if cursor.eat("H") {
            Self::Hexagonal
        } else if cursor.eat("L") {
            Self::Triangular
        } else {
            Self::Square
        }
    }

    /// For cells with even and odd x + y, where they differ: among triangles the drawing is
    /// turned upside down for every other cell.
    fn neighbourhoods(self, radius: u32, weight: impl Fn(i32, i32) -> i32) -> Vec<Neighbourhood> {
        let drawn = Neighbourhood::from_weights(radius, &weight);
        if self != Self::Triangular {
            return vec![drawn];
        }
        let turned = Neighbourhood::from_weights(radius, |dx, dy| weight(dx, -dy));
        vec![drawn, turned]
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Square => "",
            Self::Hexagonal => "H",
            Self::Triangular => "L",
        }
    }
}

/// Whether a cell other than the centre, within `r` rows and columns, is in a shape.
fn in_shape(code: char, r: i32, dx: i32, dy: i32) -> bool {
    let (across, down) = (dx.abs(), dy.abs());
    match code {
        'N' => across + down <= r,
        'C' => dx * dx + dy * dy <= r * r + r,
        '2' => dx * dx + dy * dy <= r * r,
        'B' => (dx + dy) & 1 == 1,
        'D' => (dx + dy) & 1 == 0,
        '+' => dx == 0 || dy == 0,
        'X' => across == down,
        '*' => dx == 0 || dy == 0 || across == down,
        '#' => across == 1 || down == 1,
        'H' => (dx - dy).abs() <= r,
        'A' => dx == 0 || dy == 0 || dx == dy,
        '3' => (dx == 0 && dy < 0) || (dy == 0 && dx < 0) || (dx == dy && dx > 0),
        _ => true,
    }
}

impl fmt::Display for NeighbourhoodCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "N")?;
        match self {
            Self::Shape(code) => write!(f, "{code}"),
            Self::Triangle => write!(f, "L"),
            Self::Gaussian => write!(f, "G"),
            Self::Far {
                corner,
                edge,
                radius,
            } => {
                write!(f, "F")?;
                for (letter, range) in [('C', corner), ('E', edge)] {
                    if range != radius {
                        write!(f, "{letter}{range}")?;
                    }
                }
                Ok(())
            }
            Self::Drawn { bits, grid } => {
                write!(f, "@")?;
                for four in bits.chunks(4) {
                    let digit = four.iter().fold(0, |d, &bit| d << 1 | u8::from(bit));
                    write!(f, "{digit:x}")?;
                }
                write!(f, "{}", grid.suffix())
            }
            Self::Weighted {
                weights,
                two_digits,
                grid,
            } => {
                write!(f, "W")?;
                for &weight in weights {
                    let size = weight.unsigned_abs();
                    match (*two_digits, weight < 0) {
                        (false, negative) => write!(f, "{:x}", size | u8::from(negative) << 3)?,
                        (true, negative) => write!(f, "{:02x}", size | u8::from(negative) << 7)?,
                    }
                }
                write!(f, "{}", grid.suffix())
            }
        }
    }
}
