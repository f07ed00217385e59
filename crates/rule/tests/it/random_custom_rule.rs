//! Random user-defined rules, evaluated for each cell by an interpreter that shares no code
//! with the crate's.

use super::custom_rule::{seen, sheet};
use dice::Dice;
use proptest::prelude::*;
use rule::{CustomRuleProblem, Rule, Site};

/// An expression, held apart from the crate's own.
enum RandomExpression {
    Number(i64),
    Own,
    Count(Vec<usize>),
    Binary(char, Box<RandomExpression>, Box<RandomExpression>),
    Choice(
        Box<RandomCondition>,
        Box<RandomExpression>,
        Box<RandomExpression>,
    ),
}

enum RandomCondition {
    Compare(&'static str, RandomExpression, RandomExpression),
    In(RandomExpression, Vec<(i64, i64)>),
    Not(Box<RandomCondition>),
    Both(&'static str, Box<RandomCondition>, Box<RandomCondition>),
}

impl RandomExpression {
    fn random(chance: &mut Dice, states: usize, depth: u64) -> Self {
        let kind = chance.below(if depth == 0 { 4 } else { 9 });
        let mut part = || Box::new(Self::random(chance, states, depth.saturating_sub(1)));
        match kind {
            0 => Self::Number(chance.below(7) as i64),
            1 => Self::Own,
            2 | 3 => {
                let set = (0..states).filter(|_| chance.coin()).collect();
                Self::Count(set)
            }
            4..=6 => {
                let (a, b) = (part(), part());
                Self::Binary(chance.pick(&['+', '-', '*', 'm', 'M']).unwrap(), a, b)
            }
            _ => {
                let (a, b) = (part(), part());
                Self::Choice(
                    Box::new(RandomCondition::random(chance, states, depth - 1)),
                    a,
                    b,
                )
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Number(n) => n.to_string(),
            Self::Own => "self".into(),
            // `count` takes at least one state, here given twice or as a range of one
            Self::Count(set) if set.is_empty() => "(0 * count(0))".into(),
            Self::Count(set) => {
                let names: Vec<String> = set.iter().map(|s| format!("s{s}..{s}, s{s}")).collect();
                format!("count({})", names.join(", "))
            }
            Self::Binary('m', a, b) => format!("min({}, {})", a.text(), b.text()),
            Self::Binary('M', a, b) => format!("max({}, {})", a.text(), b.text()),
            // brackets on one side alone: `-` goes from the left, `*` before `+`
            Self::Binary('*', a, b) => format!("({}) * ({})", a.text(), b.text()),
            Self::Binary(sign, a, b) => format!("{} {sign} ({})", a.text(), b.text()),
            Self::Choice(test, a, b) => {
                format!(
                    "if {} {{ {} }} else {{ {} }}",
                    test.text(),
                    a.text(),
                    b.text()
                )
            }
        }
    }

    fn value(&self, own: i64, count: &dyn Fn(&[usize]) -> i64) -> i64 {
        let of = |tree: &Self| tree.value(own, count);
        match self {
            Self::Number(n) => *n,
            Self::Own => own,
            Self::Count(set) => count(set),
            Self::Binary('+', a, b) => of(a) + of(b),
            Self::Binary('-', a, b) => of(a) - of(b),
            Self::Binary('*', a, b) => of(a) * of(b),
            Self::Binary('m', a, b) => of(a).min(of(b)),
            Self::Binary(_, a, b) => of(a).max(of(b)),
            Self::Choice(test, a, b) => of(if test.holds(own, count) { a } else { b }),
        }
    }
}

impl RandomCondition {
    fn random(chance: &mut Dice, states: usize, depth: u64) -> Self {
        let kind = chance.below(if depth == 0 { 4 } else { 7 });
        let mut tree = || RandomExpression::random(chance, states, depth.saturating_sub(1));
        match kind {
            0 | 1 => {
                let (a, b) = (tree(), tree());
                Self::Compare(
                    chance.pick(&["==", "!=", "<", "<=", ">", ">="]).unwrap(),
                    a,
                    b,
                )
            }
            2 | 3 => {
                let value = tree();
                let range = |_| {
                    let from = chance.below(5) as i64;
                    (from, from + chance.below(4) as i64)
                };
                Self::In(value, (0..2).map(range).collect())
            }
            4 => Self::Not(Box::new(Self::random(chance, states, depth - 1))),
            _ => {
                let mut test = || Box::new(Self::random(chance, states, depth - 1));
                let (a, b) = (test(), test());
                Self::Both(chance.pick(&["and", "or"]).unwrap(), a, b)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Compare(sign, a, b) => format!("({}) {sign} ({})", a.text(), b.text()),
            Self::In(value, ranges) => {
                let ranges: Vec<String> = ranges.iter().map(|(a, b)| format!("{a}..{b}")).collect();
                format!("({}) in {}", value.text(), ranges.join(", "))
            }
            Self::Not(test) => format!("not ({})", test.text()),
            Self::Both(word, a, b) => format!("({}) {word} ({})", a.text(), b.text()),
        }
    }

    fn holds(&self, own: i64, count: &dyn Fn(&[usize]) -> i64) -> bool {
        match self {
            Self::Compare(sign, a, b) => {
                let (a, b) = (a.value(own, count), b.value(own, count));
                match *sign {
                    "==" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
            Self::In(value, ranges) => {
                let value = value.value(own, count);
                ranges
                    .iter()
                    .any(|&(from, to)| from <= value && value <= to)
            }
            Self::Not(test) => !test.holds(own, count),
            Self::Both("and", a, b) => a.holds(own, count) && b.holds(own, count),
            Self::Both(_, a, b) => a.holds(own, count) || b.holds(own, count),
        }
    }
}

/// A random drawing with the cell itself in its middle, as text and as numbers.
fn drawing(chance: &mut Dice) -> (String, Vec<(i32, i32, i64)>) {
    let (across, down) = (chance.below(3) as i32, chance.below(2) as i32);
    let least = chance.below(3) as i64;
    let mut weights = Vec::new();
    let mut text = String::new();
    for dy in -down..=down {
        for dx in -across..=across {
            if (dx, dy) == (0, 0) {
                text += " x";
                continue;
            }
            let weight = chance.below(3) as i64 - least / 2;
            weights.push((dx, dy, weight));
            text += &format!(" {weight}");
        }
        text += "\n";
    }
    (text, weights)
}

/// The expression as the crate reads it and as the tree has it, over random sheets.
/// `None` where the text is refused because of something that can never be.
fn check(seed: u64) -> Option<()> {
    let mut chance = Dice::new(seed);
    let states = 2 + chance.below(3) as usize;
    let (drawing, weights) = drawing(&mut chance);
    let tree = RandomExpression::random(&mut chance, states, 4);
    let last = states - 1;
    let names: Vec<String> = (0..states).map(|s| format!(" {s} s{s}")).collect();
    let text = format!(
        "rule mine\nstates\n{}\nneighbourhood\n{drawing}next\nlet n = {}\n\
         if self == 0 and count(0) == {} {{ 0 }} else {{ min(max(n, 0), s{last}) }}",
        names.join("\n"),
        tree.text(),
        weights.iter().map(|w| w.2).sum::<i64>()
    );
    let rule = match Rule::from_source(&text) {
        Ok(rule) => rule,
        Err(error) => match error.problem {
            CustomRuleProblem::NeverTrue { .. } | CustomRuleProblem::TooLarge { .. } => {
                return None;
            }
            _ => panic!("{text}\n{error}"),
        },
    };
    let total: i64 = weights.iter().map(|w| w.2).sum();
    for _ in 0..100 {
        let cells = sheet(&mut chance, states as u16);
        let count = |set: &[usize]| -> i64 {
            let counted = weights
                .iter()
                .filter(|(dx, dy, _)| set.contains(&usize::from(seen(&cells, *dx, *dy))));
            counted.map(|w| w.2).sum()
        };
        let own = i64::from(seen(&cells, 0, 0));
        let wanted = match own == 0 && count(&[0]) == total {
            true => 0,
            false => tree.value(own, &count).clamp(0, last as i64),
        };
        let next = rule.next(Site::default(), |dx, dy| seen(&cells, dx, dy));
        assert_eq!(i64::from(next), wanted, "{text}\n{cells:?}");
    }
    Some(())
}

proptest! {
    #[test]
    fn the_table_is_what_the_expression_says(seed: u64) {
        // some expressions compare what can never be; the next ones do not
        let taken = (0..200).filter_map(|i| check(seed.wrapping_add(i))).take(3).count();
        prop_assert_eq!(taken, 3);
    }

    #[test]
    fn no_text_brings_it_down(text in "(rule a\nstates\n 0 a\n 1 b\nneighbourhood\n 1 x\nnext )?[a-z0-9 (){}=<.,+*\n-]{0,60}") {
        let _ = Rule::from_source(&text);
    }
}
