//! The five rules of a programming course's homework, by name, exactly as it has them.
//!
//! They are played on a board with dead cells all around. Alive is whatever is not in
//! state 0.
//!
//! | name | looks at | survival | birth | states |
//! |---|---|---|---|---|
//! | `base` | 8 cells | 2, 3 | 3 | 0, 1 |
//! | `colorised` | 8 cells | 2, 3, keeps its colour | 3, takes their majority's | 0, 2 red, 3 blue |
//! | `extended` | 24 cells | 2, 3 | 3 | 0, 1 |
//! | `weighted` | 24 cells by weight | sum 4 to 6 | sum 5 or 6 | 0, 1 |
//! | `generations` | 8 cells, ageing ones too | 1 with 2, 3; the old age on | 3 | 0 to 7 |

use crate::{CountTable, Lattice, Neighbourhood, RuleDefinition, Transition, TransitionRow};
use grid::State;
use std::ops::RangeInclusive;

/// The canonical names, each with its other spellings and what it is about.
pub(crate) const NAMES: [(&str, &[&str], &str); 5] = [
    (
        "base",
        &[],
        "the plain homework rule: survival with 2 or 3 of the 8 neighbours, birth with 3",
    ),
    (
        "colorised",
        &["coloured", "colourised", "colorized"],
        "as base, in red and blue: survivors keep their colour, the new-born take the \
         majority's",
    ),
    (
        "extended",
        &[],
        "survival with 2 or 3 of the 24 neighbours at distance up to 2, birth with 3",
    ),
    (
        "weighted",
        &[],
        "24 neighbours, those at most two steps away count twice: survival with a sum of \
         4 to 6, birth with 5 or 6",
    ),
    (
        "generations",
        &[],
        "as base, and what does not survive ages from state 2 to 7, still counted as alive",
    ),
];

/// The rule of that name, in any case.
pub(super) fn named(name: &str) -> Option<RuleDefinition> {
    let lower = name.to_ascii_lowercase();
    let is = |n: &&(&str, &[&str], &str)| n.0 == lower || n.1.contains(&lower.as_str());
    let name = NAMES.iter().find(is)?.0;
    let (states, table) = match name {
        "base" => (2, two_state(Neighbourhood::moore(1), 2..=3, 3..=3)),
        "extended" => (2, two_state(Neighbourhood::moore(2), 2..=3, 3..=3)),
        "weighted" => (2, two_state(kernel(), 4..=6, 5..=6)),
        "colorised" => (4, colorised()),
        _ => (8, ageing()),
    };
    Some(RuleDefinition {
        text: name.into(),
        family: "Classroom",
        states,
        tables: vec![vec![Transition::Count(table)]],
        lattice: Lattice::Square,
        background: vec![0],
    })
}

/// ```text
/// 1 1 2 1 1
/// 1 2 2 2 1
/// 2 2 x 2 2
/// 1 2 2 2 1
/// 1 1 2 1 1
/// ```
fn kernel() -> Neighbourhood {
    Neighbourhood::from_weights(2, |dx, dy| match dx.abs() + dy.abs() {
        0 => 0,
        1 | 2 => 2,
        _ => 1,
    })
}

fn two_state(
    neighbourhood: Neighbourhood,
    survival: RangeInclusive<i32>,
    birth: RangeInclusive<i32>,
) -> CountTable {
    let most = neighbourhood.cells().iter().map(|c| c.weight).sum();
    let row = |sums: RangeInclusive<i32>| {
        TransitionRow::By(
            (0..=most)
                .map(|sum| State::from(sums.contains(&sum)))
                .collect(),
        )
    };
    CountTable {
        rows: vec![row(birth), row(survival)],
        neighbourhood,
        values: vec![0, 1],
        least: 0,
    }
}

/// A red neighbour counts 1 and a blue one 9, so that a sum encodes both counts. State 1 is no
/// colour: such a cell counts for nothing and dies at once.
fn colorised() -> CountTable {
    let row = |next: fn(i32, i32) -> State| {
        let of = |sum: i32| {
            let (red, blue) = (sum % 9, sum / 9);
            // sums with more than eight neighbours never occur
            if red + blue <= 8 { next(red, blue) } else { 0 }
        };
        TransitionRow::By((0..=72).map(of).collect())
    };
    CountTable {
        neighbourhood: Neighbourhood::moore(1),
        values: vec![0, 0, 1, 9],
        least: 0,
        rows: vec![
            row(|red, blue| match red + blue {
                3 if red > blue => 2,
                3 => 3,
                _ => 0,
            }),
            TransitionRow::Constant(0),
            row(|red, blue| if matches!(red + blue, 2 | 3) { 2 } else { 0 }),
            row(|red, blue| if matches!(red + blue, 2 | 3) { 3 } else { 0 }),
        ],
    }
}

fn ageing() -> CountTable {
    let born = (0..=8).map(|n| State::from(n == 3));
    let kept = (0..=8).map(|n| if n == 2 || n == 3 { 1 } else { 2 });
    let mut rows = vec![
        TransitionRow::By(born.collect()),
        TransitionRow::By(kept.collect()),
    ];
    rows.extend((2..8).map(|state| TransitionRow::Constant((state + 1) % 8)));
    CountTable {
        neighbourhood: Neighbourhood::moore(1),
        values: (0..8).map(|state| i32::from(state != 0)).collect(),
        least: 0,
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten, next_state};

    #[test]
    fn every_spelling() {
        assert_rewritten(&[
            ("base", "base"),
            ("Colorised", "colorised"),
            ("coloured", "colorised"),
            ("COLOURISED", "colorised"),
            ("colorized", "colorised"),
            ("extended", "extended"),
            ("Weighted", "weighted"),
            ("generations:P25,25", "generations:P25,25"),
        ]);
        assert_refused(&[("colorful", 0, "no rule is named")]);
    }

    #[test]
    fn the_new_born_take_the_majority_and_survivals_keep() {
        let own =
            |own: u8, above: [u8; 3]| next_state("colorised", &[&above, &[0, own, 0], &[0; 3]]);
        assert_eq!(own(0, [2, 2, 3]), 2);
        assert_eq!(own(0, [3, 2, 3]), 3);
        assert_eq!(own(0, [2, 2, 2]), 2);
        assert_eq!(own(0, [3, 3, 3]), 3);
        assert_eq!(own(0, [3, 3, 0]), 0);
        assert_eq!(own(2, [3, 3, 3]), 2);
        assert_eq!(own(3, [2, 2, 0]), 3);
        assert_eq!(own(3, [2, 0, 0]), 0);
        assert_eq!(next_state("colorised", &[&[2; 3], &[2, 0, 2], &[2; 3]]), 0);
        assert_eq!(next_state("colorised", &[&[3; 3], &[3, 2, 3], &[3; 3]]), 0);
    }

    #[test]
    fn all_ages_count_here_and_the_first_alone_in_the_family() {
        let drawing: [&[u8]; 3] = [&[1, 2, 7], &[0, 0, 0], &[0, 0, 0]];
        assert_eq!(next_state("generations", &drawing), 1);
        assert_eq!(next_state("23/3/8", &drawing), 0);
        let aged = |own| next_state("generations", &[&[1, 1, 1], &[0, own, 0], &[0; 3]]);
        assert_eq!([1, 2, 6, 7].map(aged), [1, 3, 7, 0]);
        assert_eq!(
            next_state("generations", &[&[1, 0, 0], &[0, 1, 0], &[0; 3]]),
            2
        );
    }

    #[test]
    fn the_kernel_weighs_what_is_near_twice() {
        let far: [&[u8]; 5] = [
            &[1, 1, 0, 1, 1],
            &[1, 0, 0, 0, 0],
            &[0; 5],
            &[0; 5],
            &[0; 5],
        ];
        assert_eq!(next_state("weighted", &far), 1);
        let near: [&[u8]; 5] = [&[0; 5], &[0; 5], &[1, 1, 0, 0, 0], &[0; 5], &[0; 5]];
        assert_eq!(next_state("weighted", &near), 0);
        let near: [&[u8]; 5] = [&[0; 5], &[0; 5], &[1, 1, 1, 0, 0], &[0; 5], &[0; 5]];
        assert_eq!(next_state("weighted", &near), 1);
        let extended: [&[u8]; 5] = [
            &[1, 0, 0, 0, 1],
            &[0; 5],
            &[0; 5],
            &[0; 5],
            &[1, 0, 0, 0, 0],
        ];
        assert_eq!(next_state("extended", &extended), 1);
        assert_eq!(next_state("base", &extended), 0);
    }
}
