//! Rules that count the live cells of a larger neighbourhood: `R5,C2,M1,S34..58,B34..45,NM`.
//!
//! Larger than Life (Kellie Evans, *Larger than Life: Digital Creatures in a Family of
//! Two-Dimensional Cellular Automata*, 2001) has one range of sums for births and one for
//! survivals; higher-range outer-totalistic rules have lists of them; weighted rules give each
//! cell a weight of its own, and perhaps each state too. With more than two states, what does not
//! survive ages, as in Generations.
//!
//! ```text
//! R5,C2,M1,S34..58,B34..45,NM    MCell: range, states, whether the cell itself counts
//! 5,34,45,34,58                  Evans: range, births from and to, survivals from and to
//! R2,C2,S2-4,9,B3,NN             lists, and a neighbourhood; the cell itself never counts
//! R1,C2,S2-3,B3,NW111101111      a weight a cell, row by row, the cell itself too
//! R2,C2,S2-4,B3,N@891891         a bit a cell, row by row, without the cell itself
//! R2,C2,S2-4,B3,NFC2E1           the corners two away, the edges one; each R without a number
//! r5b34t45s34t58   g5r2b3t5s4t9  lifelib: the cell itself counts; g and the states
//! r1b04s06  r1b04s06z            lifelib: a bit a count from 1 on; z is survival with 0
//! ```

use super::neighbourhood_codes::NeighbourhoodCode;
use crate::background;
use crate::cursor::RuleTextCursor;
use crate::error::{RuleFault, RuleProblem};
use crate::{CountTable, Lattice, Neighbourhood, RuleDefinition, Transition, TransitionRow};
use grid::State;
use std::fmt::{self, Write};

/// The furthest that a rule looks, as in Golly.
const MAX_RADIUS: i64 = 500;

/// The longest table row: enough for range 500 and for any weights of range 50.
const MAX_SUMS: u64 = 1 << 25;

/// Reads the text if it looks like one of these notations.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let lower = text.to_ascii_lowercase();
    let digit = |s: &str| s.starts_with(|c: char| c.is_ascii_digit());
    let ranged = lower.strip_prefix('r').filter(|rest| digit(rest));
    let short = match lower.strip_prefix('g').filter(|rest| digit(rest)) {
        Some(rest) => past_digits(rest).strip_prefix('r').is_some_and(digit),
        None => ranged.is_some_and(|rest| past_digits(rest).starts_with('b')),
    };
    let parsed = if short {
        read_lifelib(text)
    } else if ranged.is_some() {
        read_listed(text)
    } else if digit(&lower) && lower.contains(',') {
        read_evans(text)
    } else {
        return None;
    };
    Some(parsed.and_then(|rule| rule.definition()))
}

fn past_digits(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_ascii_digit())
}

/// A parsed rule whose sums have not yet been checked against its neighbourhood.
struct LargerRuleSpec {
    radius: u32,
    states: u16,
    /// Whether the cell itself counts, where the notation has an M.
    middle: Option<bool>,
    survival: SumRangeSet,
    birth: SumRangeSet,
    code: NeighbourhoodCode,
    /// What a cell of each state is worth, where that is given.
    worth: Option<Vec<u8>>,
}

/// The least and the greatest of a range.
type SumRange = (i64, i64);

/// Sums, as ranges in rising order that do not touch.
#[derive(Debug, Default, PartialEq, Eq)]
struct SumRangeSet {
    ranges: Vec<SumRange>,
    /// Where they stand in the text.
    at: usize,
}

fn range(cursor: &mut RuleTextCursor<'_>) -> Result<u32, RuleFault> {
    let r = cursor.number_within("the range", 1, MAX_RADIUS)?;
    Ok(r.unsigned_abs() as u32)
}

/// C0, C1 and C2 all mean two states.
fn states(cursor: &mut RuleTextCursor<'_>) -> Result<u16, RuleFault> {
    let n = cursor.number_within("the number of states", 0, 256)?;
    Ok((n.unsigned_abs() as u16).max(2))
}

/// `R…,C…,[M…,]S…,B…[,N…[,weights]]`.
fn read_listed(text: &str) -> Result<LargerRuleSpec, RuleFault> {
    let mut cursor = RuleTextCursor::new(text);
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
    let survival = SumRangeSet::read(&mut cursor)?;
    cursor.need(",b", "`,B` and the births")?;
    let birth = SumRangeSet::read(&mut cursor)?;
    let mut code = NeighbourhoodCode::Shape('M');
    let mut worth = None;
    if cursor.eat(",n") {
        code = NeighbourhoodCode::read(&mut cursor, radius)?;
        if matches!(code, NeighbourhoodCode::Weighted { .. }) && cursor.eat(",") {
            let start = cursor.at();
            let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
            if digits.len() != usize::from(states) {
                let problem = RuleProblem::Digits {
                    what: "the weight of each state",
                    expected: states.to_string(),
                    found: digits.len(),
                };
                return Err(RuleFault::new(start, problem));
            }
            let digits = digits.chars().filter_map(|c| c.to_digit(16));
            worth = Some(digits.map(|d| d as u8).collect());
            // LifeViewer has the grid's letter after them
            if let NeighbourhoodCode::Weighted { grid, .. } = &mut code
                && *grid == Lattice::Square
            {
                *grid = Lattice::read(&mut cursor);
            }
        }
    }
    if cursor.peek_lower() == Some(',') {
        let after = cursor.rest().as_bytes().get(1).map(u8::to_ascii_lowercase);
        if after == Some(b'p') {
            return Err(RuleFault::new(
                cursor.at(),
                RuleProblem::NotTaken("a rule left to chance (`,P`)"),
            )
            .hint("without `,P` and what follows, what becomes of a cell is certain"));
        }
    }
    cursor.finish("`,N` and the neighbourhood, or the end of the rule")?;
    Ok(LargerRuleSpec {
        radius,
        states,
        middle,
        survival,
        birth,
        code,
        worth,
    })
}

/// `r,bmin,bmax,smin,smax`.
fn read_evans(text: &str) -> Result<LargerRuleSpec, RuleFault> {
    let mut cursor = RuleTextCursor::new(text);
    let radius = range(&mut cursor)?;
    let pair = |cursor: &mut RuleTextCursor<'_>| {
        cursor.need(
            ",",
            "five numbers: range, births from and to, survivals from and to",
        )?;
        let at = cursor.at();
        let from = cursor.number_within("the least sum", 0, i64::MAX)?;
        cursor.need(",", "`,` and the greatest sum")?;
        let to = cursor.number_within("the greatest sum", 0, i64::MAX)?;
        SumRangeSet::one(at, from, to)
    };
    let birth = pair(&mut cursor)?;
    let survival = pair(&mut cursor)?;
    cursor.finish("the end of the rule after five numbers")?;
    Ok(LargerRuleSpec {
        radius,
        states: 2,
        middle: Some(true),
        survival,
        birth,
        code: NeighbourhoodCode::Shape('M'),
        worth: None,
    })
}

/// `[g<states>]r<range>b…s…`, with `t` between two numbers, or in hexadecimal bits.
fn read_lifelib(text: &str) -> Result<LargerRuleSpec, RuleFault> {
    let mut cursor = RuleTextCursor::new(text);
    let mut count = 2;
    if cursor.eat("g") {
        count = states(&mut cursor)?;
    }
    cursor.need("r", "r and the range")?;
    let radius = range(&mut cursor)?;
    cursor.need("b", "b and the births")?;
    let ranged = cursor.rest().contains(['t', 'T']);
    let pair = |cursor: &mut RuleTextCursor<'_>| {
        let at = cursor.at();
        let from = cursor.number_within("the least sum", 0, i64::MAX)?;
        cursor.need("t", "t and the greatest sum")?;
        let to = cursor.number_within("the greatest sum", 0, i64::MAX)?;
        SumRangeSet::one(at, from, to)
    };
    let digits = |cursor: &mut RuleTextCursor<'_>| {
        let at = cursor.at();
        let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
        let expected = radius as usize * (radius as usize + 1);
        if digits.len() != expected {
            let problem = RuleProblem::Digits {
                what: "a list of counts of this range",
                expected: expected.to_string(),
                found: digits.len(),
            };
            return Err(RuleFault::new(at, problem));
        }
        let digits = digits.chars().rev().filter_map(|c| c.to_digit(16));
        let bits = digits.flat_map(|d| (0..4).map(move |bit| d >> bit & 1 == 1));
        let counts = (1..).zip(bits).filter(|c| c.1).map(|c| (c.0, c.0));
        Ok(SumRangeSet::new(at, counts.collect()))
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
            SumRangeSet::new(listed.at, ranges)
        } else {
            listed
        };
    }
    cursor.finish("the end of the rule")?;
    Ok(LargerRuleSpec {
        radius,
        states: count,
        middle: ranged.then_some(true),
        survival,
        birth,
        code: NeighbourhoodCode::Shape('M'),
        worth: None,
    })
}

impl SumRangeSet {
    fn new(at: usize, mut ranges: Vec<SumRange>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<SumRange> = Vec::new();
        for (from, to) in ranges {
            match joined.last_mut() {
                Some(last) if from <= last.1 + 1 => last.1 = last.1.max(to),
                _ => joined.push((from, to)),
            }
        }
        Self { ranges: joined, at }
    }

    fn one(at: usize, from: i64, to: i64) -> Result<Self, RuleFault> {
        if from > to {
            return Err(RuleFault::new(at, RuleProblem::Backwards { from, to }));
        }
        Ok(Self::new(at, vec![(from, to)]))
    }

    /// `2`, `2-4`, `2..4`, in a list with commas; none at all, too.
    fn read(cursor: &mut RuleTextCursor<'_>) -> Result<Self, RuleFault> {
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
                return Err(RuleFault::new(at, RuleProblem::Backwards { from, to }));
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

    /// Clips ranges to the greatest possible sum, and refuses those beyond it.
    fn clip(&mut self, what: &'static str, greatest: i64) -> Result<(), RuleFault> {
        match self.ranges.last_mut() {
            Some(&mut (value, _)) if value > greatest => Err(RuleFault::new(
                self.at,
                RuleProblem::OutOfRange {
                    what,
                    value,
                    least: 0,
                    most: greatest,
                },
            )),
            Some(last) => {
                last.1 = last.1.min(greatest);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn single(&self) -> Option<SumRange> {
        match self.ranges[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

impl fmt::Display for SumRangeSet {
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

impl LargerRuleSpec {
    fn definition(mut self) -> Result<RuleDefinition, RuleFault> {
        let centre = self.middle == Some(true);
        let neighbourhoods = self.code.neighbourhoods(self.radius, centre);
        let values: Vec<i32> = match &self.worth {
            Some(worth) => worth.iter().map(|&w| i32::from(w)).collect(),
            None => (0..self.states)
                .map(|state| i32::from(state == 1))
                .collect(),
        };
        let (least, greatest) = sum_bounds(&neighbourhoods[0], &values);
        self.survival.clip("a sum for survival", greatest)?;
        self.birth.clip("a sum for birth", greatest)?;
        let sums = least.abs_diff(greatest) + 1;
        if sums > MAX_SUMS {
            return Err(RuleFault::new(0, RuleProblem::TooManySums(sums)));
        }

        let aged = |state: u16| ((state + 1) % self.states) as State;
        let row = |sums: &SumRangeSet, otherwise: State| {
            let next = |sum| if sums.holds(sum) { 1 } else { otherwise };
            TransitionRow::By((least..=greatest).map(next).collect())
        };
        let mut rows = vec![row(&self.birth, 0), row(&self.survival, aged(1))];
        rows.extend((2..self.states).map(|state| TransitionRow::Constant(aged(state))));
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
        let lattice = self.code.lattice();
        if self.states > 2 {
            return Ok(RuleDefinition {
                text,
                family,
                states: self.states,
                tables: vec![tables],
                lattice,
                background: vec![0],
            });
        }
        let rule = background::two_state(text, family, tables);
        Ok(RuleDefinition { lattice, ..rule })
    }

    fn family(&self) -> &'static str {
        match self.code {
            NeighbourhoodCode::Weighted { .. } | NeighbourhoodCode::Gaussian => "Weighted",
            _ if self.ranges().is_some() => "Larger than Life",
            _ => "Higher range",
        }
    }

    /// Whether the cell itself counts, the survivals and the births, where the rule can be
    /// written with an M and one range each.
    fn ranges(&self) -> Option<(bool, SumRange, SumRange)> {
        let middle = self.middle.filter(|_| !self.code.is_totalistic())?;
        Some((middle, self.survival.single()?, self.birth.single()?))
    }

    /// With an M where ranges allow it, else as lists.
    fn text(&self) -> String {
        let mut text = format!("R{},C{}", self.radius, self.states);
        let fits = "a string takes any text";
        if let Some((middle, s, b)) = self.ranges() {
            let m = u8::from(middle);
            write!(text, ",M{m},S{}..{},B{}..{}", s.0, s.1, b.0, b.1).expect(fits);
        } else {
            // lists leave the cell itself out unless it is said
            let counted = self.middle == Some(true) && !self.code.is_totalistic();
            let m = if counted { ",M1" } else { "" };
            write!(text, "{m},S{},B{}", self.survival, self.birth).expect(fits);
        }
        write!(text, ",{}", self.code).expect(fits);
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
fn sum_bounds(neighbourhood: &Neighbourhood, values: &[i32]) -> (i64, i64) {
    let low = i64::from(values.iter().copied().min().unwrap_or(0));
    let high = i64::from(values.iter().copied().max().unwrap_or(0));
    let weights = neighbourhood.cells().iter().map(|c| i64::from(c.weight));
    weights.fold((0, 0), |(least, greatest), w| {
        let (a, b) = (w * low, w * high);
        (least + a.min(b), greatest + a.max(b))
    })
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten, next_state};
    use crate::Rule;

    #[test]
    fn every_spelling() {
        let bosco = "R5,C2,M1,S34..58,B34..45,NM";
        assert_rewritten(&[
            (bosco, bosco),
            ("R5,C0,M1,S34..58,B34..45,NM", bosco),
            ("r5,c1,m1,s34..58,b34..45", bosco),
            ("R5,C2,M1,S34-58,B34-45,NM", bosco),
            ("5,34,45,34,58", bosco),
            ("r5b34t45s34t58", bosco),
            ("g2r5b34t45s34t58", bosco),
            ("g5r2b3t5s4t9", "R2,C5,M1,S4..9,B3..5,NM"),
            ("R2,C0,M0,S2..3,B3..3,NC", "R2,C2,M0,S2..3,B3..3,NC"),
            ("R1,C2,S2-3,B3", "R1,C2,S2-3,B3,NM"),
            ("r1b04s06", "R1,C2,S2-3,B3,NM"),
            ("r1b04s06z", "R1,C2,S0,2-3,B3,NM"),
            ("r1b04s3az", "R1,C2,S0,2,4-6,B3,NM"),
            ("r2b000008s03ff00", "R2,C2,S9-18,B4,NM"),
            ("g3r2b000008s03ff00", "R2,C3,S9-18,B4,NM"),
            ("r2b000000s800001", "R2,C2,S1,24,B,NM"),
            ("R1,C2,S1,B1,10,11,12,NL", "R1,C2,S1,B1,10-12,NL"),
            ("R2,C0,S4-7,9-12,B4,11-12,NB", "R2,C2,S4-7,9-12,B4,11-12,NB"),
            ("R2,C2,S9,4,2-4,5,B,NN", "R2,C2,S2-5,9,B,NN"),
            ("R2,C2,M1,S1-2,4,B3,N+", "R2,C2,M1,S1-2,4,B3,N+"),
            ("R2,C2,M0,S1-2,4,B3,Nx", "R2,C2,S1-2,4,B3,NX"),
            ("R2,C2,S2-4,B3,N@891891", "R2,C2,S2-4,B3,N@891891"),
            ("R2,C2,S2-4,B3,n@ABCDEFl", "R2,C2,S2-4,B3,N@abcdefL"),
            ("R1,C2,S2-3,B3,NW111101111H", "R1,C2,S2-3,B3,NW111101111H"),
            (
                "R1,C2,S8-30,B18-34,NW0810080a850a081008",
                "R1,C2,S8-30,B18-34,NW0810080a850a081008",
            ),
            (
                "R1,C4,S3-6,B4-7,NW111101111,0123",
                "R1,C4,S3-6,B4-7,NW111101111,0123",
            ),
            ("R2,C2,M1,S9..12,B10..10,NG", "R2,C2,S9-12,B10,NG"),
            (
                "R1,C4,S3-6,B4-7,NW111101111,0123L",
                "R1,C4,S3-6,B4-7,NW111101111L,0123",
            ),
            ("R5,C2,S,B0,NM", "R5,C2,S,B0,NM"),
            ("R1,C3,S2,B0-1,NM", "R1,C3,S2,B0-1,NM"),
            // what no cell can see is left out
            ("R1,C2,S2-4,B3,N3", "R1,C2,S2-3,B3,N3"),
            ("R2,C2,S2-3,B3,NF", "R2,C2,S2-3,B3,NF"),
            ("R2,C2,S2-3,B3,nfe1c3", "R2,C2,S2-3,B3,NFC3E1"),
            ("R2,C2,S2-3,B3,NFC2E", "R2,C2,S2-3,B3,NF"),
            ("R3,C2,S2-3,B3,NFE500", "R3,C2,S2-3,B3,NFE500"),
        ]);
    }

    #[test]
    fn what_is_wrong_and_where() {
        assert_refused(&[
            ("R0,C2,S2,B3", 1, "the range is 0, expected 1 to 500"),
            ("R501,C2,S2,B3", 1, "expected 1 to 500"),
            ("R251,C2,S2,B3,NL", 15, "expected 1 to 250"),
            ("R51,C2,S2,B3,NG", 14, "expected 1 to 50"),
            ("R2", 2, "expected `,C`"),
            ("R2,C257,S2,B3", 4, "expected 0 to 256"),
            ("R2,C2,M2,S2,B3", 7, "M is 2"),
            ("R2,C2,S5-2,B3", 7, "goes down, from 5 to 2"),
            ("R2,C2,S2,B3,NQ", 13, "expected one of M N C"),
            ("R2,C2,S2,B3,Q", 11, "expected `,N`"),
            (
                "R1,C2,S4-5,B3,N3",
                7,
                "a sum for survival is 4, expected 0 to 3",
            ),
            ("R2,C2,S2,B3,NFC0", 15, "range of the corners is 0"),
            ("R2,C2,S2,B3,NFE501", 15, "range of the edges is 501"),
            ("R2,C2,S2,B3,NFE1E2", 16, "C and E once each"),
            (
                "R1,C2,S2,B9,NM",
                10,
                "a sum for birth is 9, expected 0 to 8",
            ),
            ("R2,C2,S2,B3,N@1234", 14, "6 hexadecimal digits, here are 4"),
            (
                "R1,C2,S2,B3,NW1234",
                14,
                "9 or 18 hexadecimal digits, here are 4",
            ),
            (
                "R1,C3,S2,B3,NW111101111,01",
                24,
                "3 hexadecimal digits, here are 2",
            ),
            ("5,34,45", 7, "five numbers"),
            ("5,34,45,34", 10, "expected `,`"),
            ("5,45,34,34,58", 2, "goes down"),
            ("r1b4s06", 3, "2 hexadecimal digits, here are 1"),
            ("R2,C2,S2,B3,NM,P50,50", 14, "left to chance"),
        ]);
    }

    #[test]
    fn sizes_of_the_neighbourhoods() {
        let size = |range: u32, code: &str| {
            let text = format!("R{range},C2,S1,B1,{code}");
            let rule: Rule = text.parse().unwrap();
            let at = |x: i64| crate::Site {
                x,
                ..Default::default()
            };
            let size = |site| match rule.transition(site) {
                crate::Transition::Count(table) => table.neighbourhood.cells().len(),
                crate::Transition::Configuration(_) | crate::Transition::Lookup(_) => 0,
            };
            assert_eq!(size(at(0)), size(at(1)));
            size(at(0))
        };
        for r in [1, 2, 3, 10] {
            let n = r as usize;
            assert_eq!(size(r, "NM"), 4 * n * (n + 1));
            assert_eq!(size(r, "NN"), 2 * n * (n + 1));
            assert_eq!(size(r, "N+"), 4 * n);
            assert_eq!(size(r, "NX"), 4 * n);
            assert_eq!(size(r, "N*"), 8 * n);
            assert_eq!(size(r, "N3"), 3 * n);
            assert_eq!(size(r, "NA"), 6 * n);
            assert_eq!(size(r, "NH"), 3 * n * (n + 1));
            assert_eq!(size(r, "NL"), 6 * n * (n + 1));
            assert_eq!(size(r, "NB") + size(r, "ND"), 4 * n * (n + 1));
            assert_eq!(size(r, "NG"), (2 * n + 1) * (2 * n + 1));
        }
        assert_eq!(
            (size(2, "N2"), size(2, "NC"), size(1, "N2"), size(1, "NC")),
            (12, 20, 4, 8)
        );
        assert_eq!(size(500, "NM"), 1_002_000);
        assert_eq!((size(4, "NF"), size(1, "NFC3E2")), (8, 8));
    }

    #[test]
    fn corners_and_edges_have_ranges_of_their_own() {
        let rule: Rule = "R1,C2,S,B1,NFC3E2".parse().unwrap();
        let sees = |x: i32, y: i32| {
            let site = crate::Site::default();
            rule.next(site, |dx, dy| u8::from((dx, dy) == (x, y))) == 1
        };
        let all = (-4..=4).flat_map(|y| (-4..=4).map(move |x| (x, y)));
        let seen: Vec<_> = all.filter(|&(x, y)| sees(x, y)).collect();
        let corners = [(-3, -3), (3, -3), (-3, 3), (3, 3)];
        let edges = [(0, -2), (-2, 0), (2, 0), (0, 2)];
        let mut expected = [corners, edges].concat();
        expected.sort_unstable_by_key(|&(x, y)| (y, x));
        assert_eq!(seen, expected);
        assert_eq!(rule.radius(), 3);
    }

    #[test]
    fn weights_have_signs_and_states_have_worths() {
        // 1 to the west, -1 to the east, 7 for the cell itself
        let weighted = "R1,C2,S7-8,B1,NW000179000";
        let row = |left, own, right| next_state(weighted, &[&[0; 3], &[left, own, right], &[0; 3]]);
        assert_eq!((row(1, 0, 0), row(1, 0, 1), row(0, 0, 1)), (1, 0, 0));
        assert_eq!((row(1, 1, 0), row(1, 1, 1), row(0, 1, 1)), (1, 1, 0));
        // dying cells are worth 2 here
        let worths = "R1,C3,S2,B3,NW111101111,012";
        let row = |left, own, right| next_state(worths, &[&[0; 3], &[left, own, right], &[0; 3]]);
        assert_eq!((row(1, 0, 2), row(2, 0, 2), row(2, 1, 0)), (1, 0, 1));
    }
}
