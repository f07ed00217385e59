//! The rule families, one module each: its notation, parser, printer and tests.

mod alternation;
pub(crate) mod classroom;
pub(crate) mod colour;
pub(crate) mod labels;
mod larger_than_life;
mod lifelike;
mod map;
pub(crate) mod margolus;
mod mcell;
mod neighbourhood_codes;
pub(crate) mod neumann;
pub(crate) mod partitions;
pub(crate) mod ring;
mod rule_names;
mod sets;
mod triangular;
pub(crate) mod wireworld;
mod wolfram;

pub use rule_names::{NamedRule, named_rules};

use crate::RuleDefinition;
use crate::error::RuleFault;

/// A family of rules that share a notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The name that [`Rule::family`](crate::Rule::family) returns.
    pub name: &'static str,
    /// How its rules are written; the first spelling is the one that is printed.
    pub notation: &'static str,
    /// One of its rules.
    pub example: &'static str,
    /// One sentence on what its rules depend on.
    pub about: &'static str,
}

/// All families, the simplest first.
///
/// ```
/// for family in rule::families() {
///     let example: rule::Rule = family.example.parse()?;
///     assert_eq!(example.family(), family.name);
/// }
/// # Ok::<(), rule::RuleError>(())
/// ```
#[must_use]
pub fn families() -> &'static [Family] {
    const FAMILIES: &[Family] = &[
        Family {
            name: "Life-like",
            notation: "B3/S23, b3s23, B3_S23, S23/B3, 23/3 (survivals first)",
            example: "B3/S23",
            about: "births and survivals by the number of live cells among the eight around",
        },
        Family {
            name: "Isotropic",
            notation: "B2-a/S12: a letter for each arrangement, - for all but these",
            example: "B2-a/S12",
            about: "births and survivals by how the live neighbours lie, turned or mirrored alike",
        },
        Family {
            name: "Hexagonal",
            notation: "B2/S34H, B2o/S2m34H with letters o m p, B2/S1HT (three neighbours)",
            example: "B2/S34H",
            about: "six neighbours: all but the north-east and the south-west",
        },
        Family {
            name: "von Neumann",
            notation: "B3/S23V",
            example: "B13/S012V",
            about: "the four neighbours that share an edge",
        },
        Family {
            name: "Triangular",
            notation: "B456/S34L, with LE LV LI LO LB LR for some of the twelve around, counts over \
                       nine as x y z, and 34/34/10L",
            example: "B456/S34L",
            about: "triangles: those that share a corner, or some of them",
        },
        Family {
            name: "Generations",
            notation: "345/2/4 (survivals/births/states), B2/S345/4, B2/S345/C4, B2/S345/G4, \
                       g4b2s345; with letters, V, H as above",
            example: "345/2/4",
            about: "what does not survive ages through more states, and no longer counts",
        },
        Family {
            name: "Larger than Life",
            notation: "R5,C2,M1,S34..58,B34..45,NM; 5,34,45,34,58; r5b34t45s34t58; g4r5b34t45s34t58",
            example: "R5,C2,M1,S34..58,B34..45,NM",
            about: "one range of sums over a large neighbourhood; M1 counts the cell itself",
        },
        Family {
            name: "Higher range",
            notation: "R2,C2,S2-4,9,B3,NN with N M N C 2 B D + X * # H A 3 L, FC2E1 or @ and \
                       bits in hexadecimal; r1b04s06",
            example: "R2,C2,S2-4,B3,NN",
            about: "lists of sums over a large neighbourhood of any shape",
        },
        Family {
            name: "Weighted",
            notation: "R1,C2,S2-3,B3,NW111101111, with H or L for the grid and ,0123 for the \
                       weights of the states; R2,C2,S9-12,B10,NG (Gaussian)",
            example: "R1,C2,S2-3,B3,NW111101111",
            about: "a weight for each cell around, the cell itself too",
        },
        Family {
            name: "MCell weighted",
            notation: "NW1,NN1,NE1,WW1,ME0,EE1,SW1,SS1,SE1,HI0,RS2,RS3,RB3 in any order: a weight for \
                       each place, HI and the number of states, RS and RB with each sum",
            example: "NW1,NN2,NE1,WW1,ME0,EE1,SW1,SS1,SE1,HI0,RS2,RS3,RB3",
            about: "a weight for each of the nine cells, as in MCell's Weighted Life",
        },
        Family {
            name: "MAP",
            notation: "MAP and 86, 22 or 6 base64 digits, perhaps / and the number of states",
            example: "MAPHmlphg",
            about: "the next state of each configuration of nine, seven or five cells, bit by bit; \
                    hexagonal rows from below, as Golly reads them",
        },
        Family {
            name: "Margolus",
            notation: "M and 16 numbers, what each block of 2 by 2 cells becomes; MS,D0;8;4; and so on; \
                       -M to run it backwards",
            example: "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
            about: "blocks of two by two cells, which move by one cell each generation",
        },
        Family {
            name: "Partitioned",
            notation: "2PCA4, and 16 numbers, what a cell becomes by the parts that it sees; \
                       -2PCA4 to run it backwards",
            example: "2PCA4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15",
            about: "cells in four parts, each seen by one of the four neighbours alone",
        },
        Family {
            name: "History",
            notation: "B3/S23History: a rule of two states and radius 1 with 7 states",
            example: "B3/S23History",
            about: "cells leave trails, and some are marked; walls keep patterns apart",
        },
        Family {
            name: "Super",
            notation: "B3/S23Super: a rule of two states and radius 1 with 26 states",
            example: "B3/S23Super",
            about: "trails, marks, labels and cells whose colour their children inherit",
        },
        Family {
            name: "Investigator",
            notation: "B3/S23Investigator: a rule of two states and radius 1 with 21 states",
            example: "B3/S23Investigator",
            about: "devices that never change, or blink, and turn their neighbours on or off",
        },
        Family {
            name: "Wolfram",
            notation: "W30",
            example: "W30",
            about: "one row a generation, by the three cells above; what lives stays",
        },
        Family {
            name: "WireWorld",
            notation: "WireWorld",
            example: "WireWorld",
            about: "electrons that run along wires, for circuits",
        },
        Family {
            name: "Von Neumann's automaton",
            notation: "JvN29, Nobili32, Hutton32",
            example: "JvN29",
            about: "29 or 32 states of wires that carry signals, build and destroy: the first \
                    that could hold a machine that builds itself",
        },
        Family {
            name: "Alternating",
            notation: "R1|R2, two rules of any families",
            example: "B2/S|B3/S23",
            about: "two rules that take turns: one for even generations, one for odd ones",
        },
        Family {
            name: "Colours",
            notation: "Immigration, QuadLife",
            example: "Immigration",
            about: "Life in two colours or four: the new-born take that of most of their parents",
        },
        Family {
            name: "Classroom",
            notation: "base, colorised, extended, weighted, generations",
            example: "colorised",
            about: "the five rules of a programming course's homework",
        },
    ];
    FAMILIES
}

/// Reads a rule's text without topology, in whichever notation it is.
pub(crate) fn read(text: &str) -> Result<RuleDefinition, RuleFault> {
    if let Some(pair) = alternation::read(text) {
        return pair;
    }
    if let Some(definition) = classroom::named(text) {
        return Ok(definition);
    }
    if let Some(definition) = neumann::named(text) {
        return Ok(definition);
    }
    if let Some(definition) = wireworld::named(text) {
        return Ok(definition);
    }
    if let Some(labelled) = labels::read(text) {
        return labelled;
    }
    match rule_names::find(text) {
        Some(named) => read_notation(named.rule),
        None => read_notation(text),
    }
}

fn read_notation(text: &str) -> Result<RuleDefinition, RuleFault> {
    let readers = [
        partitions::read,
        triangular::read,
        lifelike::read,
        larger_than_life::read,
        map::read,
        margolus::read,
        mcell::read,
        colour::read,
        wolfram::read,
    ];
    let read = readers.iter().find_map(|reader| reader(text));
    read.unwrap_or_else(|| Err(rule_names::unknown(text)))
}

/// Assertions that the tests of all families share.
#[cfg(test)]
mod assertions {
    use crate::Rule;

    /// Asserts that each first text parses to a rule that is printed as the second text, and
    /// that the second parses to the same rule.
    pub(super) fn assert_rewritten(rows: &[(&str, &str)]) {
        for (text, canonical) in rows {
            let rule: Rule = text
                .parse()
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(rule.to_string(), *canonical, "from {text}");
            let again: Rule = canonical.parse().unwrap();
            assert_eq!(again, rule);
            assert_eq!(again.family(), rule.family());
        }
    }

    /// Asserts that each text is refused with an error at this offset whose message contains
    /// these words.
    pub(super) fn assert_refused(rows: &[(&str, usize, &str)]) {
        for (text, offset, words) in rows {
            let error = text.parse::<Rule>().expect_err(text);
            assert_eq!(error.offset, *offset, "{error}");
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    /// The next state of a cell in the middle of a drawing of an odd size.
    pub(super) fn next_state(rule: &str, drawing: &[&[u8]]) -> u8 {
        let rule: Rule = rule.parse().unwrap();
        let half = drawing.len() as i32 / 2;
        rule.next(crate::Site::default(), |dx, dy| {
            let row = drawing.get((dy + half) as usize);
            row.and_then(|row| row.get((dx + half) as usize))
                .copied()
                .unwrap_or(0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;

    #[test]
    fn each_example_belongs_to_its_family() {
        for family in families() {
            let rule: Rule = family.example.parse().unwrap();
            assert_eq!(rule.family(), family.name);
            assert_eq!(rule.to_string(), family.example);
            assert!(rule.explain().contains(family.name));
        }
    }

    #[test]
    fn what_is_not_taken_is_said_so() {
        assertions::assert_refused(&[("R2,C2,S2,B3,NM,P50", 14, "left to chance")]);
    }

    #[test]
    fn nonsense_is_refused_in_one_piece() {
        for text in [
            "", ":", "é", "Bé", "B3/é", "b", "g", "g3", "r", "R1", "W", "MAP", "MAP=====",
        ] {
            assert!(text.parse::<Rule>().is_err(), "{text}");
        }
    }
}
