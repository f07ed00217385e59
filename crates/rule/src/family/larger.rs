//! Rules that count the live cells of a larger neighbourhood: `R5,C2,M1,S34..58,B34..45,NM`.
//!
//! Larger than Life (Kellie Evans) has one range of sums for births and one for
//! survivals; higher-range outer-totalistic rules have lists of them; weighted rules give
//! each cell a weight of its own, and perhaps each state too. With more than two states,
//! what does not survive ages, as in Generations.
//!
//! ```text
//! R5,C2,M1,S34..58,B34..45,NM    MCell: range, states, whether the cell itself counts
//! 5,34,45,34,58                  Evans: range, births from and to, survivals from and to
//! R2,C2,S2-4,9,B3,NN             lists, and a neighbourhood; the cell itself never counts
//! R1,C2,S2-3,B3,NW111101111      a weight a cell, row by row, the cell itself too
//! R2,C2,S2-4,B3,N@891891         a bit a cell, row by row, without the cell itself
//! r5b34t45s34t58   g5r2b3t5s4t9  lifelib: the cell itself counts; g and the states
//! r1b04s06  r1b04s06z            lifelib: a bit a count from 1 on; z is survival with 0
//! ```

use super::reach::Reach;
use crate::background;
use crate::cursor::Cursor;
use crate::error::{Fault, Problem};
use crate::{CountTable, Meaning, Neighbourhood, Row, Transition};
use grid::State;
use std::fmt::{self, Write};

/// The furthest that a rule looks, as in Golly.
const FURTHEST: i64 = 500;

/// The longest table row: enough for range 500 and for any weights of range 50.
const MOST_SUMS: u64 = 1 << 25;

/// Reads the text if it looks like one of these notations.
pub(super) fn read(text: &str) -> Option<Result<Meaning, Fault>> {
    let lower = text.to_ascii_lowercase();
    let digit = |s: &str| s.starts_with(|c: char| c.is_ascii_digit());
    let after_g = lower.strip_prefix('g').unwrap_or(&lower);
    let after_g = after_g.trim_start_matches(|c: char| c.is_ascii_digit());
    let after_r = lower.strip_prefix('r').filter(|r| digit(r));
    let short = after_g.strip_prefix('r').is_some_and(digit) && !lower.contains(',');
    let parsed = if short && (after_r.is_some() || digit(&lower[1..])) {
        lifelib(text)
    } else if after_r.is_some() {
        listed(text)
    } else if digit(&lower) && lower.contains(',') {
        evans(text)
    } else {
        return None;
    };
    Some(parsed.and_then(|rule| rule.meaning()))
}

/// A rule as written, its sums not yet held against its neighbourhood.
struct Written {
    radius: u32,
    states: u16,
    /// Whether the cell itself counts, where the notation has an M.
    middle: Option<bool>,
    survival: Sums,
    birth: Sums,
    reach: Reach,
    /// What a cell of each state is worth, where that is given.
    worth: Option<Vec<u8>>,
}

/// Sums, as ranges in rising order that do not touch.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sums {
    ranges: Vec<(i64, i64)>,
    /// Where they stand in the text.
    at: usize,
}

fn range(cursor: &mut Cursor<'_>) -> Result<u32, Fault> {
    let r = cursor.number_within("the range", 1, FURTHEST)?;
    Ok(r.unsigned_abs() as u32)
}

/// C0, C1 and C2 all mean two states.
fn states(cursor: &mut Cursor<'_>) -> Result<u16, Fault> {
    let n = cursor.number_within("the number of states", 0, 256)?;
    Ok((n.unsigned_abs() as u16).max(2))
}

/// `R…,C…,[M…,]S…,B…[,N…[,weights]]`.
fn listed(text: &str) -> Result<Written, Fault> {
    let mut cursor = Cursor::new(text);
    cursor.need("r", "R and the range")?;
    let radius = range(&mut cursor)?;
    cursor.need(",c", "`,C` and the number of states")?;
    let states = states(&mut cursor)?;
    let middle = if cursor.eat(",m") {
        Some(cursor.number_within("M", 0, 1)? == 1)
    } else {
        None
    };
    cursor.need(",s", "`,S` and the survivals")?;
    let survival = Sums::read(&mut cursor)?;
    cursor.need(",b", "`,B` and the births")?;
    let birth = Sums::read(&mut cursor)?;
    let mut reach = Reach::Shape('M');
    let mut worth = None;
    if cursor.eat(",n") {
        reach = Reach::read(&mut cursor, radius)?;
        if matches!(reach, Reach::Weighted { .. }) && cursor.eat(",") {
            let start = cursor.at();
            let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
            if digits.len() != usize::from(states) {
                let problem = Problem::Digits {
                    what: "the weight of each state",
                    expected: states.to_string(),
                    found: digits.len(),
                };
                return Err(Fault::new(start, problem));
            }
            let digits = digits.chars().filter_map(|c| c.to_digit(16));
            worth = Some(digits.map(|d| d as u8).collect());
        }
    }
    if cursor.peek_lower() == Some(',') {
        let after = cursor.rest().as_bytes().get(1).map(u8::to_ascii_lowercase);
        if after == Some(b'p') {
            return Err(Fault::new(
                cursor.at(),
                Problem::NotTaken("a rule of chance (P)"),
            ));
        }
    }
    cursor.finish("`,N` and the neighbourhood, or the end of the rule")?;
    Ok(Written {
        radius,
        states,
        middle,
        survival,
        birth,
        reach,
        worth,
    })
}

/// `r,bmin,bmax,smin,smax`.
fn evans(text: &str) -> Result<Written, Fault> {
    let mut cursor = Cursor::new(text);
    let radius = range(&mut cursor)?;
    let pair = |cursor: &mut Cursor<'_>| {
        cursor.need(
            ",",
            "five numbers: range, births from and to, survivals from and to",
        )?;
        let at = cursor.at();
        let from = cursor.number_within("the least sum", 0, i64::MAX)?;
        cursor.need(",", "`,` and the greatest sum")?;
        let to = cursor.number_within("the greatest sum", 0, i64::MAX)?;
        Sums::one(at, from, to)
    };
    let birth = pair(&mut cursor)?;
    let survival = pair(&mut cursor)?;
    cursor.finish("the end of the rule after five numbers")?;
    Ok(Written {
        radius,
        states: 2,
        middle: Some(true),
        survival,
        birth,
        reach: Reach::Shape('M'),
        worth: None,
    })
}

/// `[g<states>]r<range>b…s…`, with `t` between two numbers, or in hexadecimal bits.
fn lifelib(text: &str) -> Result<Written, Fault> {
    let mut cursor = Cursor::new(text);
    let mut count = 2;
    if cursor.eat("g") {
        count = states(&mut cursor)?;
    }
    cursor.need("r", "r and the range")?;
    let radius = range(&mut cursor)?;
    cursor.need("b", "b and the births")?;
    let ranged = cursor.rest().contains(['t', 'T']);
    let pair = |cursor: &mut Cursor<'_>| {
        let at = cursor.at();
        let from = cursor.number_within("the least sum", 0, i64::MAX)?;
        cursor.need("t", "t and the greatest sum")?;
        let to = cursor.number_within("the greatest sum", 0, i64::MAX)?;
        Sums::one(at, from, to)
    };
    let digits = |cursor: &mut Cursor<'_>| {
        let at = cursor.at();
        let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
        let expected = radius as usize * (radius as usize + 1);
        if digits.len() != expected {
            let problem = Problem::Digits {
                what: "a list of counts of this range",
                expected: expected.to_string(),
                found: digits.len(),
            };
            return Err(Fault::new(at, problem));
        }
        let digits = digits.chars().rev().filter_map(|c| c.to_digit(16));
        let bits = digits.flat_map(|d| (0..4).map(move |bit| d >> bit & 1 == 1));
        let counts = (1..).zip(bits).filter(|c| c.1).map(|c| (c.0, c.0));
        Ok(Sums::new(at, counts.collect()))
    };
    let (birth, survival);
    if ranged {
        birth = pair(&mut cursor)?;
        cursor.need("s", "s and the survivals")?;
        survival = pair(&mut cursor)?;
    } else {
        birth = digits(&mut cursor)?;
        cursor.need("s", "s and the survivals")?;
        let listed = digits(&mut cursor)?;
        survival = if cursor.eat("z") {
            let mut ranges = listed.ranges;
            ranges.push((0, 0));
            Sums::new(listed.at, ranges)
        } else {
            listed
        };
    }
    cursor.finish("the end of the rule")?;
    Ok(Written {
        radius,
        states: count,
        middle: ranged.then_some(true),
        survival,
        birth,
        reach: Reach::Shape('M'),
        worth: None,
    })
}

impl Sums {
    fn new(at: usize, mut ranges: Vec<(i64, i64)>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<(i64, i64)> = Vec::new();
        for (from, to) in ranges {
            match joined.last_mut() {
                Some(last) if from <= last.1 + 1 => last.1 = last.1.max(to),
                _ => joined.push((from, to)),
            }
        }
        Self { ranges: joined, at }
    }

    fn one(at: usize, from: i64, to: i64) -> Result<Self, Fault> {
        if from > to {
            return Err(Fault::new(at, Problem::Backwards { from, to }));
        }
        Ok(Self::new(at, vec![(from, to)]))
    }

    /// `2`, `2-4`, `2..4`, in a list with commas; none at all, too.
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let start = cursor.at();
        let mut ranges = Vec::new();
        loop {
            let at = cursor.at();
            let Some(from) = cursor.number()? else {
                if ranges.is_empty() {
                    break;
                }
                return Err(cursor.expected("a sum, or `,` and the rule's next part"));
            };
            let mut to = from;
            if cursor.eat("..") || cursor.eat("-") {
                to = cursor.number_within("the greatest sum", 0, i64::MAX)?;
            }
            if from > to {
                return Err(Fault::new(at, Problem::Backwards { from, to }));
            }
            ranges.push((from, to));
            let next = cursor.rest().as_bytes();
            let listed = next.first() == Some(&b',') && next.get(1).is_some_and(u8::is_ascii_digit);
            if !listed {
                break;
            }
            cursor.bump();
        }
        Ok(Self::new(start, ranges))
    }

    fn holds(&self, sum: i64) -> bool {
        let after = self.ranges.partition_point(|range| range.0 <= sum);
        after > 0 && sum <= self.ranges[after - 1].1
    }

    /// Refuses sums that no cell can see.
    fn check(&self, what: &'static str, greatest: i64) -> Result<(), Fault> {
        match self.ranges.last() {
            Some(&(_, value)) if value > greatest => Err(Fault::new(
                self.at,
                Problem::OutOfRange {
                    what,
                    value,
                    least: 0,
                    most: greatest,
                },
            )),
            _ => Ok(()),
        }
    }

    fn single(&self) -> Option<(i64, i64)> {
        match self.ranges[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, &(from, to)) in self.ranges.iter().enumerate() {
            if i > 0 {
                write!(f, ",")?;
            }
            write!(f, "{from}")?;
            if to > from {
                write!(f, "-{to}")?;
            }
        }
        Ok(())
    }
}

impl Written {
    fn meaning(self) -> Result<Meaning, Fault> {
        let centre = self.middle == Some(true);
        let neighbourhoods = self.reach.neighbourhoods(self.radius, centre);
        let values: Vec<i32> = match &self.worth {
            Some(worth) => worth.iter().map(|&w| i32::from(w)).collect(),
            None => (0..self.states)
                .map(|state| i32::from(state == 1))
                .collect(),
        };
        let (least, greatest) = extremes(&neighbourhoods[0], &values);
        self.survival.check("a sum for survival", greatest)?;
        self.birth.check("a sum for birth", greatest)?;
        let sums = least.abs_diff(greatest) + 1;
        if sums > MOST_SUMS {
            return Err(Fault::new(0, Problem::TooManySums(sums)));
        }
        let empty: i64 = neighbourhoods[0]
            .cells()
            .iter()
            .map(|c| i64::from(c.weight))
            .sum();
        let empty = empty * i64::from(values[0]);
        if self.states > 2 && self.birth.holds(empty) {
            return Err(Fault::new(self.birth.at, Problem::BackgroundStates));
        }

        let aged = |state: u16| ((state + 1) % self.states) as State;
        let row = |sums: &Sums, otherwise: State| {
            let next = |sum| if sums.holds(sum) { 1 } else { otherwise };
            Row::By((least..=greatest).map(next).collect())
        };
        let mut rows = vec![row(&self.birth, 0), row(&self.survival, aged(1))];
        rows.extend((2..self.states).map(|state| Row::Constant(aged(state))));
        let tables = neighbourhoods.into_iter().map(|neighbourhood| {
            Transition::Count(CountTable {
                neighbourhood,
                values: values.clone(),
                least,
                rows: rows.clone(),
            })
        });
        let tables = tables.collect();
        let (text, family) = (self.text(), self.family());
        if self.states > 2 {
            return Ok(Meaning {
                text,
                family,
                states: self.states,
                tables: vec![tables],
                background: vec![0],
            });
        }
        Ok(background::two_state(text, family, tables))
    }

    fn family(&self) -> &'static str {
        match self.reach {
            Reach::Weighted { .. } | Reach::Gaussian => "Weighted",
            _ if self.middle.is_some() => "Larger than Life",
            _ => "Higher range",
        }
    }

    /// With an M where ranges allow it, else as lists.
    fn text(&self) -> String {
        let mut text = format!("R{},C{}", self.radius, self.states);
        let middle = self.middle.filter(|_| !self.reach.is_totalistic());
        let ranges = (self.survival.single(), self.birth.single());
        let fits = "a string takes any text";
        match (middle, ranges) {
            (Some(m), (Some(s), Some(b))) => {
                let m = u8::from(m);
                write!(text, ",M{m},S{}..{},B{}..{}", s.0, s.1, b.0, b.1).expect(fits);
            }
            (m, _) => {
                // lists leave the cell itself out unless it is said
                let m = if m == Some(true) { ",M1" } else { "" };
                write!(text, "{m},S{},B{}", self.survival, self.birth).expect(fits);
            }
        }
        write!(text, ",{}", self.reach).expect(fits);
        if let Some(worth) = &self.worth {
            text.push(',');
            for w in worth {
                write!(text, "{w:x}").expect(fits);
            }
        }
        text
    }
}

/// The least and the greatest sum that a neighbourhood can have.
fn extremes(neighbourhood: &Neighbourhood, values: &[i32]) -> (i64, i64) {
    let low = i64::from(values.iter().copied().min().unwrap_or(0));
    let high = i64::from(values.iter().copied().max().unwrap_or(0));
    let weights = neighbourhood.cells().iter().map(|c| i64::from(c.weight));
    weights.fold((0, 0), |(least, greatest), w| {
        let (a, b) = (w * low, w * high);
        (least + a.min(b), greatest + a.max(b))
    })
}
