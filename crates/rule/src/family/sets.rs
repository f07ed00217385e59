//! The sets after `B` and `S`: neighbour counts, each with Hensel letters.

use super::ring::LifelikeNeighbourhood;
use crate::cursor::RuleTextCursor;
use crate::error::{RuleFault, RuleProblem};
use crate::{ConfigurationTable, CountTable, Transition, TransitionRow};
use grid::State;
use std::fmt;

/// A set of neighbour counts, each with the letters of its arrangements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HenselCounts {
    ring: LifelikeNeighbourhood,
    /// By count, a bit for each letter in alphabetical order; bit 0 where a count has none.
    chosen: [u16; 9],
}

impl HenselCounts {
    /// Takes the digits, letters and signs of a set, unchecked: the neighbourhood is
    /// known only at the rule's end.
    pub(super) fn take<'a>(cursor: &mut RuleTextCursor<'a>) -> (usize, &'a str) {
        let letter = |c: char| "ceaiknjqrytwzmop".contains(c.to_ascii_lowercase());
        let pass = |c: char| c.is_ascii_digit() || c == '-' || letter(c);
        let (start, rest) = (cursor.at(), cursor.rest());
        // the one suffix that starts with a letter of a set
        let suffix = "investigator";
        let tail = rest.len().checked_sub(suffix.len());
        let tail = tail.and_then(|at| rest.get(at..).map(|tail| (at, tail)));
        let end = match tail {
            Some((at, tail)) if tail.eq_ignore_ascii_case(suffix) => at,
            _ => rest.len(),
        };
        let taken = rest[..end].find(|c| !pass(c)).unwrap_or(end);
        cursor.skip(taken);
        (start, &rest[..taken])
    }

    /// Reads what [`HenselCounts::take`] took.
    pub(super) fn read(
        ring: LifelikeNeighbourhood,
        (start, text): (usize, &str),
    ) -> Result<Self, RuleFault> {
        let mut chosen = [0; 9];
        let mut cursor = RuleTextCursor::new(text);
        while !cursor.is_done() {
            let at = start + cursor.at();
            let count = cursor.peek().and_then(|c| c.to_digit(10));
            let count = count.ok_or_else(|| RuleFault::expected(at, "a number of neighbours"))?;
            cursor.bump();
            if count > ring.size() {
                let problem = RuleProblem::OutOfRange {
                    what: "the number of neighbours",
                    value: i64::from(count),
                    least: 0,
                    most: i64::from(ring.size()),
                };
                return Err(RuleFault::new(at, problem));
            }
            let allowed = ring.letters(count);
            let all = full(ring, count);
            let at = start + cursor.at();
            let negated = cursor.eat("-");
            let mut letters = 0;
            while let Some(letter) = cursor.peek_lower().filter(|c| !c.is_ascii_digit()) {
                let at = start + cursor.at();
                if letter == '-' {
                    return Err(RuleFault::expected(
                        at,
                        "a letter or a number of neighbours",
                    ));
                }
                let bit = allowed.find(letter).ok_or_else(|| {
                    RuleFault::new(
                        at,
                        RuleProblem::Letter {
                            letter,
                            count,
                            allowed: if allowed.is_empty() { "none" } else { allowed },
                        },
                    )
                })?;
                letters |= 1 << bit;
                cursor.bump();
            }
            chosen[count as usize] |= match (negated, letters) {
                (true, 0) => return Err(RuleFault::expected(at + 1, "a letter after `-`")),
                (true, _) => all & !letters,
                (false, 0) => all,
                (false, _) => letters,
            };
        }
        Ok(Self { ring, chosen })
    }

    /// Whether some count needs letters.
    pub(super) fn has_letters(&self) -> bool {
        let mut counts = (0..).zip(&self.chosen);
        counts.any(|(count, &c)| c != 0 && count <= self.ring.size() && c != full(self.ring, count))
    }

    fn holds(&self, (count, bit): (u32, u32)) -> bool {
        self.chosen[count as usize] >> bit & 1 == 1
    }
}

/// All letters of a count.
fn full(ring: LifelikeNeighbourhood, count: u32) -> u16 {
    let letters = ring.letters(count).len();
    if letters == 0 { 1 } else { (1 << letters) - 1 }
}

impl fmt::Display for HenselCounts {
    /// The shorter of the letters and their negation; no minus on a tie.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, &chosen) in (0..).zip(&self.chosen).take(self.ring.size() as usize + 1) {
            let all = full(self.ring, count);
            if chosen == 0 {
                continue;
            }
            write!(f, "{count}")?;
            if chosen == all {
                continue;
            }
            let mut letters = chosen;
            if (all & !chosen).count_ones() + 1 < chosen.count_ones() {
                write!(f, "-")?;
                letters = all & !chosen;
            }
            for (bit, letter) in self.ring.letters(count).chars().enumerate() {
                if letters >> bit & 1 == 1 {
                    write!(f, "{letter}")?;
                }
            }
        }
        Ok(())
    }
}

/// The table of births and survivals over `states` states: state 1 lives and is all that
/// counts; what does not survive ages through the others, and only 0 gives birth.
pub(super) fn transition(birth: &HenselCounts, survival: &HenselCounts, states: u16) -> Transition {
    let ring = birth.ring;
    let aged = |state: u16| ((state + 1) % states) as State;
    let counted = (0..states).map(|state| state == 1);
    let old = (2..states).map(|state| TransitionRow::Constant(aged(state)));
    let lives = [(birth, 0), (survival, aged(1))];
    if birth.has_letters() || survival.has_letters() {
        let row = |(set, otherwise): (&HenselCounts, State)| {
            let next = |c| {
                if set.holds(ring.class(c)) {
                    1
                } else {
                    otherwise
                }
            };
            TransitionRow::By((0..512).map(next).collect())
        };
        return Transition::Configuration(ConfigurationTable {
            counted: counted.collect(),
            rows: lives.map(row).into_iter().chain(old).collect(),
        });
    }
    let row = |(set, otherwise): (&HenselCounts, State)| {
        let next = |count| if set.holds((count, 0)) { 1 } else { otherwise };
        TransitionRow::By((0..=ring.size()).map(next).collect())
    };
    Transition::Count(CountTable {
        neighbourhood: ring.neighbourhood(),
        values: counted.map(i32::from).collect(),
        least: 0,
        rows: lives.map(row).into_iter().chain(old).collect(),
    })
}
