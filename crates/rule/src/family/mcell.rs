//! A weight for each of nine cells, one item each: MCell's Weighted Life.
//!
//! ```text
//! NW1,NN1,NE1,WW1,ME0,EE1,SW1,SS1,SE1,HI0,RS2,RS3,RB3     Conway's Life
//! ```
//!
//! `NW NN NE WW ME EE SW SS SE` are the weights by place, `ME` that of the cell itself;
//! `RS` are the sums that let a cell survive, `RB` those for birth, each as often as there
//! are sums. `HI` is the number of states, where it is over two: what does not survive
//! ages then, and no longer counts, as in Generations. The items may come in any order, the
//! last of a kind counts; weights that are not given are 1, and 0 for `ME`. A sum below 0
//! counts as 0.
//!
//! Source: "Mirek's Cellebration", its rules of the family Weighted Life. `RB0`, which it
//! passes over, is taken here.

use crate::background;
use crate::cursor::RuleTextCursor;
use crate::error::RuleFault;
use crate::{CountTable, Lattice, Neighbourhood, RuleDefinition, Transition, TransitionRow};
use grid::State;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Weights by place, row by row, as they are written.
const PLACES: [&str; 9] = ["NW", "NN", "NE", "WW", "ME", "EE", "SW", "SS", "SE"];

/// The largest weight, and the largest sum that nine of them can have.
const MAX_WEIGHT: i64 = 256;
const MAX_SUM: i64 = 9 * MAX_WEIGHT;

/// Reads the text if it is a list that starts with one of the items.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let (first, _) = text.split_once(',')?;
    let (item, number) = first.trim().split_at_checked(2)?;
    let items = PLACES.iter().chain(&["HI", "RS", "RB"]);
    let known = { items }.any(|known| item.eq_ignore_ascii_case(known));
    let number = number.strip_prefix('-').unwrap_or(number);
    let digits = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
    (known && digits).then(|| parse(text))
}

/// A rule as written.
struct McellRuleSpec {
    weights: [i32; 9],
    states: u16,
    survival: BTreeSet<i64>,
    birth: BTreeSet<i64>,
}

fn parse(text: &str) -> Result<RuleDefinition, RuleFault> {
    let mut rule = McellRuleSpec {
        weights: [1, 1, 1, 1, 0, 1, 1, 1, 1],
        states: 2,
        survival: BTreeSet::new(),
        birth: BTreeSet::new(),
    };
    let mut cursor = RuleTextCursor::new(text);
    loop {
        cursor.take_while(|c| c == ',' || c == ' ');
        if cursor.is_done() {
            return Ok(rule.definition());
        }
        rule.item(&mut cursor)?;
        if !matches!(cursor.peek(), None | Some(',' | ' ')) {
            return Err(cursor.expected("`,` and the next item"));
        }
    }
}

impl McellRuleSpec {
    /// Two letters and a number.
    fn item(&mut self, cursor: &mut RuleTextCursor<'_>) -> Result<(), RuleFault> {
        if let Some(place) = PLACES.iter().position(|place| cursor.eat(place)) {
            let negative = cursor.eat("-");
            let weight = cursor.number_within("a weight", 0, MAX_WEIGHT)? as i32;
            self.weights[place] = if negative { -weight } else { weight };
        } else if cursor.eat("HI") {
            let states = cursor.number_within("the number of states", 0, 256)?;
            self.states = (states.unsigned_abs() as u16).max(2);
        } else if cursor.eat("RS") {
            let sum = cursor.number_within("a sum for survival", 0, MAX_SUM)?;
            self.survival.insert(sum);
        } else if cursor.eat("RB") {
            let sum = cursor.number_within("a sum for birth", 0, MAX_SUM)?;
            self.birth.insert(sum);
        } else {
            return Err(cursor.expected("one of NW NN NE WW ME EE SW SS SE HI RS RB"));
        }
        Ok(())
    }

    fn definition(self) -> RuleDefinition {
        let neighbourhood =
            Neighbourhood::from_weights(1, |dx, dy| self.weights[((dy + 1) * 3 + dx + 1) as usize]);
        let weights = self.weights.map(i64::from);
        let least: i64 = weights.iter().map(|&weight| weight.min(0)).sum();
        let greatest: i64 = weights.iter().map(|&weight| weight.max(0)).sum();
        let aged = |state: u16| ((state + 1) % self.states) as State;
        let row = |sums: &BTreeSet<i64>, otherwise: State| {
            let alive = |sum: i64| sums.contains(&sum.max(0));
            let next = |sum| if alive(sum) { 1 } else { otherwise };
            TransitionRow::By((least..=greatest).map(next).collect())
        };
        let mut rows = vec![row(&self.birth, 0), row(&self.survival, aged(1))];
        rows.extend((2..self.states).map(|state| TransitionRow::Constant(aged(state))));
        let table = Transition::Count(CountTable {
            neighbourhood,
            values: (0..self.states).map(|s| i32::from(s == 1)).collect(),
            least,
            rows,
        });
        let (text, family) = (self.text(), "MCell weighted");
        if self.states == 2 {
            return background::two_state(text, family, vec![table]);
        }
        RuleDefinition {
            text,
            family,
            states: self.states,
            tables: vec![vec![table]],
            lattice: Lattice::Square,
            background: vec![0],
        }
    }

    /// All nine weights, `HI`, and the sums from the least on.
    fn text(&self) -> String {
        let mut text = String::new();
        let fits = "a string takes any text";
        for (place, weight) in PLACES.iter().zip(self.weights) {
            write!(text, "{place}{weight},").expect(fits);
        }
        let history = if self.states > 2 { self.states } else { 0 };
        write!(text, "HI{history}").expect(fits);
        for (kind, sums) in [("RS", &self.survival), ("RB", &self.birth)] {
            for sum in sums {
                write!(text, ",{kind}{sum}").expect(fits);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten, next_state};
    use crate::{Rule, Site};

    const LIFE: &str = "NW1,NN1,NE1,WW1,ME0,EE1,SW1,SS1,SE1,HI0,RS2,RS3,RB3";

    #[test]
    fn every_spelling() {
        assert_rewritten(&[
            (LIFE, LIFE),
            ("RB3,RS3,RS2", LIFE),
            ("nw1, hi0,rs3,,rs2,rb3,", LIFE),
            ("HI2,NW7,NW1,RS2,RS3,RB3,RB3", LIFE),
            (
                "NW5,NN1,NE5,WW1,ME0,EE1,SW5,SS1,SE5,HI0,RS1,RS15,RS5,RB20,RB7",
                "NW5,NN1,NE5,WW1,ME0,EE1,SW5,SS1,SE5,HI0,RS1,RS5,RS15,RB7,RB20",
            ),
            (
                "ME-9,HI4,RS2,RB3:T20,30",
                "NW1,NN1,NE1,WW1,ME-9,EE1,SW1,SS1,SE1,HI4,RS2,RB3:T20,30",
            ),
        ]);
        assert_refused(&[
            ("NW1,NX1", 4, "one of NW NN"),
            ("NW1,NN257", 6, "expected 0 to 256"),
            ("NW1,NN", 6, "expected a weight"),
            ("NW1,RS2x", 7, "expected `,`"),
            ("NW1,RB-2", 6, "expected a sum for birth"),
            ("HI300,RB2", 2, "expected 0 to 256"),
        ]);
    }

    #[test]
    fn with_equal_weights_it_is_life() {
        let (own, life): (Rule, Rule) = (LIFE.parse().unwrap(), "Life".parse().unwrap());
        for c in 0..512_u16 {
            let look = |dx: i32, dy: i32| (c >> (4 - 3 * dy - dx) & 1) as u8;
            let site = Site::default();
            assert_eq!(own.next(site, look), life.next(site, look));
        }
    }

    #[test]
    fn each_place_has_its_weight_and_sums_stop_at_zero() {
        let rule = "NW1,NN2,NE4,WW8,ME16,EE32,SW64,SS128,SE256,HI5,RS19,RB3,RB257";
        assert_eq!(next_state(rule, &[&[1, 1, 0], &[0, 0, 0], &[0, 0, 0]]), 1);
        assert_eq!(next_state(rule, &[&[1, 0, 0], &[0, 0, 0], &[0, 0, 1]]), 1);
        assert_eq!(next_state(rule, &[&[0, 1, 1], &[0, 0, 0], &[0, 0, 0]]), 0);
        assert_eq!(next_state(rule, &[&[1, 1, 0], &[0, 1, 0], &[0, 0, 0]]), 1);
        assert_eq!(next_state(rule, &[&[1, 1, 2], &[0, 1, 0], &[0, 0, 0]]), 1);
        assert_eq!(next_state(rule, &[&[1, 0, 0], &[0, 1, 0], &[0, 0, 0]]), 2);
        assert_eq!(next_state(rule, &[&[1, 1, 0], &[0, 4, 0], &[0, 0, 0]]), 0);
        let below = "NN-3,RS0,RB1";
        assert_eq!(next_state(below, &[&[0, 1, 0], &[0, 1, 0], &[0, 0, 1]]), 1);
        assert_eq!(next_state(below, &[&[0, 1, 0], &[0, 0, 0], &[0, 0, 1]]), 0);
    }
}
