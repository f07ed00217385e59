//! Life in colours: `Immigration` and `QuadLife`.
//!
//! Births and survivals are those of Conway's Life, whatever the colours. Survivors keep
//! theirs; the new-born take the colour that most of their three parents have. With four
//! colours the parents may all differ: the child then has the fourth. (Mark D.
//! Niemiec, "Multi-colored Life".)
//!
//! | name | by | states |
//! |---|---|---|
//! | `Immigration` | Don Woods | 0, and two colours 1 and 2 |
//! | `QuadLife` | | 0, and four colours 1 to 4 |

use crate::error::RuleFault;
use crate::{CountTable, Lattice, Neighbourhood, RuleDefinition, Transition, TransitionRow};
use grid::State;

/// Each name and how many colours it has.
const NAMES: [(&str, usize); 2] = [("Immigration", 2), ("QuadLife", 4)];

/// Reads the text if it is one of the names.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let mut names = NAMES.iter();
    let (name, colours) = names.find(|(name, _)| text.eq_ignore_ascii_case(name))?;
    Some(Ok(RuleDefinition {
        text: (*name).into(),
        family: "Colours",
        states: *colours as u16 + 1,
        tables: vec![vec![Transition::Count(table(*colours))]],
        lattice: Lattice::Square,
        background: vec![0],
    }))
}

/// The rule in words.
pub(crate) fn describe(states: u16) -> Vec<String> {
    let parents = match states {
        3 => "survivors keep their colour, the new-born take that of most of their three parents",
        _ => {
            "survivors keep their colour, the new-born take that of most of their three parents; \
             three different ones make the fourth"
        }
    };
    vec![
        "a dead cell comes alive with 3 live cells around it, a live one survives with 2 or 3"
            .into(),
        parents.into(),
    ]
}

/// A neighbour of colour k counts 9^k, so that the digits of a sum in base nine are the numbers
/// of neighbours of each colour.
fn table(colours: usize) -> CountTable {
    let worth: Vec<i32> = (0..colours as u32)
        .map(|colour| 9_i32.pow(colour))
        .collect();
    let greatest = 8 * worth[colours - 1];
    let row = |own: Option<State>| {
        let next = |sum: i32| {
            let counts = worth.iter().map(|worth| sum / worth % 9);
            let counts: Vec<i32> = counts.collect();
            match (counts.iter().sum(), own) {
                (2 | 3, Some(colour)) => colour,
                (3, None) => child(&counts),
                // sums with more than eight neighbours never occur
                _ => 0,
            }
        };
        TransitionRow::By((0..=greatest).map(next).collect())
    };
    let rows = [row(None)].into_iter();
    let kept = (1..=colours).map(|colour| row(Some(colour as State)));
    CountTable {
        neighbourhood: Neighbourhood::moore(1),
        values: [0].into_iter().chain(worth.iter().copied()).collect(),
        least: 0,
        rows: rows.chain(kept).collect(),
    }
}

/// The colour of the child of three parents.
fn child(counts: &[i32]) -> State {
    let most = counts.iter().position(|&count| count >= 2);
    let absent = || counts.iter().position(|&count| count == 0);
    most.or_else(absent).map_or(0, |colour| colour as State + 1)
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_rewritten, next_state};
    use crate::{Rule, Site};

    #[test]
    fn every_spelling() {
        assert_rewritten(&[
            ("Immigration", "Immigration"),
            ("immigration:T9,9", "Immigration:T9,9"),
            ("QUADLIFE", "QuadLife"),
            ("quad-life", "QuadLife"),
        ]);
    }

    #[test]
    fn children_take_after_most_of_their_parents() {
        let born = |rule, above: [u8; 3]| next_state(rule, &[&above, &[0; 3], &[0; 3]]);
        assert_eq!(born("Immigration", [1, 2, 2]), 2);
        assert_eq!(born("Immigration", [1, 2, 1]), 1);
        assert_eq!(born("Immigration", [2, 2, 2]), 2);
        assert_eq!(born("Immigration", [2, 2, 0]), 0);
        assert_eq!(born("QuadLife", [4, 3, 4]), 4);
        assert_eq!(born("QuadLife", [4, 3, 1]), 2);
        assert_eq!(born("QuadLife", [1, 2, 3]), 4);
        assert_eq!(born("QuadLife", [2, 3, 4]), 1);
        assert_eq!(born("QuadLife", [2, 1, 4]), 3);
    }

    #[test]
    fn survivors_keep_their_colour_and_all_is_life_in_grey() {
        assert_eq!(
            next_state("QuadLife", &[&[1, 1, 0], &[0, 3, 0], &[0; 3]]),
            3
        );
        assert_eq!(
            next_state("QuadLife", &[&[1, 0, 0], &[0, 3, 0], &[0; 3]]),
            0
        );
        let life: Rule = "Life".parse().unwrap();
        for name in ["Immigration", "QuadLife"] {
            let rule: Rule = name.parse().unwrap();
            let colours = rule.states() as u8 - 1;
            for c in 0..512_u16 {
                let alive = |dx: i32, dy: i32| c >> (4 - 3 * dy - dx) & 1;
                let colour = |dx: i32, dy: i32| {
                    alive(dx, dy) as u8 * (1 + (dx + 2 * dy + 3) as u8 % colours)
                };
                let grey = rule.next(Site::default(), colour).min(1);
                assert_eq!(grey, life.next(Site::default(), |x, y| alive(x, y) as u8));
            }
        }
    }
}
