//! Two rules that take turns: `B3/S23|B36/S23`.
//!
//! The first applies to even generations, the second to odd ones. Each may be of any family, in
//! any spelling or by its name:
//!
//! ```text
//! B2/S|B3/S23      23/3|W90      HighLife|345/2/4      B45/S34L|R2,C2,S2-4,B3,NN
//! ```
//!
//! The rule has as many states as the part that has more. Cells in a state that the other part
//! does not have count as dead for it, and are dead after its turn.
//!
//! B0 is allowed in two-state parts, and means what it does in a rule by itself: the background
//! is evolved by both rules in turn, and cells are shown relative to it. That needs a
//! background with period 2. Where only a full plane returns, the pattern is shown as its
//! complement from the start, as for one rule with B0 and S8. A pair whose background has
//! period 4 is refused. So are parts that have two phases of their own (Margolus), and odd
//! Wolfram numbers, whose background is inverted by another convention.

use crate::background;
use crate::error::{RuleFault, RuleProblem};
use crate::{Lattice, RuleDefinition, Transition, TransitionRow};

/// What is between the two rules.
const BAR: char = '|';

/// Reads the text if there is a bar in it.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let (first, second) = text.split_once(BAR)?;
    Some(parse(first, second))
}

fn parse(first: &str, second: &str) -> Result<RuleDefinition, RuleFault> {
    let start = first.len() + BAR.len_utf8();
    if let Some(third) = second.find(BAR) {
        let problem = RuleProblem::Alternation("two rules can alternate, here is a third");
        return Err(RuleFault::new(start + third, problem));
    }
    let parts = [part(first, 0)?, part(second, start)?];
    let [even, odd] = &parts;
    let text = format!("{}{BAR}{}", even.text, odd.text);
    let states = even.states.max(odd.states);
    let (tables, background) = if states == 2 {
        let problem = RuleProblem::Alternation(
            "the empty plane needs four generations to come back, expected two rules that bring \
             it back in two",
        );
        background::find_cycle(&[background::raw_tables(even), background::raw_tables(odd)])
            .ok_or_else(|| RuleFault::new(0, problem))?
    } else {
        for (part, at) in [(even, 0), (odd, start)] {
            if part.background != [0] {
                return Err(RuleFault::new(at, RuleProblem::BackgroundStates));
            }
        }
        let tables = parts.iter().map(|part| widened(part, states)).collect();
        (tables, vec![0])
    };
    Ok(RuleDefinition {
        text,
        family: "Alternating",
        states,
        tables,
        lattice: match even.lattice == odd.lattice {
            true => even.lattice,
            false => Lattice::Square,
        },
        background,
    })
}

/// Parses one of the rules, which starts at byte `start` of the whole text.
fn part(text: &str, start: usize) -> Result<RuleDefinition, RuleFault> {
    let start = start + text.len() - text.trim_start().len();
    let refused = |why| Err(RuleFault::new(start, RuleProblem::Alternation(why)));
    let part = match super::read(text.trim()) {
        Ok(part) => part,
        Err(fault) if fault.problem == RuleProblem::UnknownName => {
            let expected = "a rule that is written out or has a name here";
            return Err(RuleFault::expected(start, expected));
        }
        Err(mut fault) => {
            fault.offset += start;
            return Err(fault);
        }
    };
    match part.family {
        "Margolus" => refused("a Margolus rule has two phases of its own, and cannot alternate"),
        "Wolfram" if part.background != [0] || part.states > 2 => {
            refused("an odd number of Wolfram's is shown inverted, and cannot alternate")
        }
        _ => Ok(part),
    }
}

/// The part's tables, over as many states.
fn widened(part: &RuleDefinition, states: u16) -> Vec<Transition> {
    let states = usize::from(states);
    let mut tables = part.tables[0].clone();
    for table in &mut tables {
        let rows = match table {
            Transition::Configuration(table) => {
                table.counted.resize(states, table.counted[0]);
                &mut table.rows
            }
            Transition::Count(table) => {
                table.values.resize(states, table.values[0]);
                &mut table.rows
            }
            Transition::Lookup(lookup) => {
                *lookup = lookup.widened(states as u16);
                continue;
            }
        };
        rows.resize(states, TransitionRow::Constant(0));
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten};
    use crate::{Rule, Site};

    #[test]
    fn every_spelling() {
        assert_rewritten(&[
            ("B3/S23|B36/S23", "B3/S23|B36/S23"),
            ("23/3|HighLife", "B3/S23|B36/S23"),
            ("b2s|life:T20,30", "B2/S|B3/S23:T20,30"),
            (" B2/S | B3/S23 ", "B2/S|B3/S23"),
            ("W90|345/2/4", "W90|345/2/4"),
            (
                "R5,C2,M1,S34..58,B34..45,NM|colorised",
                "R5,C2,M1,S34..58,B34..45,NM|colorised",
            ),
        ]);
    }

    #[test]
    fn states_that_a_part_does_not_know_die_in_it_and_are_seen_as_none() {
        let rule: Rule = "JvN29|B3/S23History".parse().unwrap();
        let odd = Site {
            generation: 1,
            ..Site::default()
        };
        // three cells above, of the state given, and the cell itself
        let next = |own: u8, above: u8| {
            rule.next(odd, |dx, dy| match (dx, dy) {
                (0, 0) => own,
                (_, -1) => above,
                _ => 0,
            })
        };
        assert_eq!(next(0, 1), 1);
        assert_eq!(next(0, 9), 0);
        assert_eq!(next(2, 28), 2);
        assert_eq!(next(28, 1), 0);
    }

    #[test]
    fn what_is_wrong_and_where() {
        assert_refused(&[
            ("B3/S23|B9/S", 8, "expected 0 to 8"),
            (" B3/S23 | B3/S23x", 16, "V, H, HT or the end"),
            ("B3/S23|", 7, "expected a rule"),
            ("Codd|B3/S23", 0, "expected a rule"),
            ("B3/S23|B2/S|B1/S", 11, "here is a third"),
            ("B3/S23|W57", 7, "Wolfram"),
            ("B3/S23:T9,9|Life", 11, "expected the end"),
            ("B03/S23|345/2/4", 0, "B0"),
            ("B03/S23|B3/S238", 0, "four generations"),
        ]);
    }

    #[test]
    fn the_rules_take_turns() {
        let both: Rule = "B2/S|345/2/4".parse().unwrap();
        let parts = both
            .to_string()
            .split('|')
            .map(|part| part.parse().unwrap())
            .collect::<Vec<Rule>>();
        assert_eq!((both.states(), both.time_period()), (4, 2));
        for c in 0..512_u16 {
            let look = |dx: i32, dy: i32| (c >> (4 - 3 * dy - dx) & 1) as u8;
            for generation in 0..4 {
                let site = Site {
                    generation,
                    ..Site::default()
                };
                let part = &parts[generation as usize % 2];
                assert_eq!(both.next(site, look), part.next(site, look));
            }
        }
        // a dying cell looks dead to the rule of two states, and is dead after it
        let dying = |dx: i32, _: i32| if dx == 0 { 2 } else { 0 };
        assert_eq!(both.next(Site::default(), dying), 0);
        let odd = Site {
            generation: 1,
            ..Site::default()
        };
        assert_eq!(both.next(odd, dying), 3);
    }

    #[test]
    fn the_plane_turns_as_both_rules_say() {
        let backgrounds = |text: &str| {
            let rule: Rule = text.parse().unwrap();
            [0, 1, 2].map(|generation| rule.background(generation))
        };
        assert_eq!(backgrounds("B3/S23|B03/S238"), [1, 0, 1]);
        assert_eq!(backgrounds("B03/S23|B03/S23"), [0, 1, 0]);
        assert_eq!(backgrounds("B03/S238|B03/S238"), [1, 1, 1]);
        assert_eq!(backgrounds("B03/S23|B3/S23"), [0, 1, 0]);
    }
}
