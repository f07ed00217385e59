//! Any rule over the 3 x 3 block at all, bit by bit: `MAP` and base64.
//!
//! The bits are the next states of all configurations in order: 512 for eight
//! neighbours, 128 for six (hexagonal), 32 for four (von Neumann). The index of a
//! configuration has a bit for each cell that counts, the cell itself among them. From the
//! most significant bit on:
//!
//! ```text
//! Moore        NW N NE W C E SW S SE
//! von Neumann  N W C E S
//! hexagonal    S SE W C E NW N
//! ```
//!
//! The hexagonal order takes the rows from below, as Golly does (checked against bgolly 3.3
//! and Golly 5.1b1). `/n` at the end adds dying states, as in Generations.

use super::ring::LifelikeNeighbourhood;
use crate::background;
use crate::cursor::RuleTextCursor;
use crate::error::{RuleFault, RuleProblem};
use crate::{ConfigurationTable, RuleDefinition, Transition, TransitionRow};
use grid::State;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Reads the text if it starts with `MAP` and could go on in base64.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let start = text.get(..3)?;
    let rest = &text[3..];
    let base64 = |c: char| c == '=' || c.is_ascii() && ALPHABET.contains(&(c as u8));
    let alike = start == "MAP" || start.eq_ignore_ascii_case("map") && rest.len() >= 6;
    (alike && rest.chars().all(base64)).then(|| parse(text))
}

fn parse(text: &str) -> Result<RuleDefinition, RuleFault> {
    let mut cursor = RuleTextCursor::new(text);
    cursor.need("map", "MAP")?;
    let start = cursor.at();
    let (digits, states) = digits(&mut cursor)?;
    let ring = match digits.len() {
        86 => LifelikeNeighbourhood::Moore,
        22 => LifelikeNeighbourhood::Hexagonal,
        6 => LifelikeNeighbourhood::VonNeumann,
        found => {
            let problem = RuleProblem::Base64 { found };
            return Err(RuleFault::new(start, problem));
        }
    };
    let value = |d: u8| ALPHABET.iter().position(|&a| a == d).unwrap_or(0);
    let bits = digits
        .bytes()
        .flat_map(|d| (0..6).rev().map(move |bit| value(d) >> bit & 1 == 1));
    let bits: Vec<bool> = bits.take(2 << ring.size()).collect();

    let next = |configuration: u16| bits[compact(ring, configuration)];
    let n = states.unwrap_or(2);
    let aged = |state: u16| ((state + 1) % n) as State;
    let row = |otherwise: State| {
        let next = |c| if next(c) { 1 } else { otherwise };
        TransitionRow::By((0..512).map(next).collect())
    };
    let mut rows = vec![row(0), row(aged(1))];
    rows.extend((2..n).map(|state| TransitionRow::Constant(aged(state))));
    let table = Transition::Configuration(ConfigurationTable {
        counted: (0..n).map(|state| state == 1).collect(),
        rows,
    });
    let suffix = states.map(|n| format!("/{n}")).unwrap_or_default();
    let text = format!("MAP{}{suffix}", encoded(&bits));
    let lattice = ring.lattice();
    if n > 2 {
        return Ok(RuleDefinition {
            text,
            family: "MAP",
            states: n,
            tables: vec![vec![table]],
            lattice,
            background: vec![0],
        });
    }
    let rule = background::two_state(text, "MAP", vec![table]);
    Ok(RuleDefinition { lattice, ..rule })
}

/// The base64 digits, and the number of states after them. `/` is a digit too: it starts
/// the number of states only where the digits before it have a length that fits.
fn digits<'a>(cursor: &mut RuleTextCursor<'a>) -> Result<(&'a str, Option<u16>), RuleFault> {
    let rest = cursor.rest();
    let split = [86, 22, 6].into_iter().find(|&length| {
        let tail = rest.get(length..).unwrap_or("x").trim_start_matches('=');
        let number = tail.strip_prefix('/').unwrap_or("x");
        let number = number.strip_prefix(['C', 'G', 'c', 'g']).unwrap_or(number);
        tail.is_empty() || !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit())
    });
    let length = split.unwrap_or(rest.trim_end_matches('=').len());
    let digits = cursor.rest().get(..length).unwrap_or(rest);
    for _ in digits.chars() {
        cursor.bump();
    }
    if let Some(mark) = digits.find('=') {
        let at = cursor.at() - digits.len() + mark;
        return Err(RuleFault::expected(at, "a base64 digit"));
    }
    cursor.take_while(|c| c == '=');
    if split.is_none() || cursor.is_done() {
        return Ok((digits, None));
    }
    cursor.need("/", "`/` and the number of states")?;
    let _ = cursor.eat("c") || cursor.eat("g");
    let n = cursor.number_within("the number of states", 2, 256)?;
    Ok((digits, Some(n.unsigned_abs() as u16)))
}

/// The index of a configuration among the rule's bits.
fn compact(ring: LifelikeNeighbourhood, configuration: u16) -> usize {
    // bits of a configuration: NW 8, N 7, NE 6, W 5, C 4, E 3, SW 2, S 1, SE 0
    let cells: &[u16] = match ring {
        LifelikeNeighbourhood::Hexagonal => &[1, 0, 5, 4, 3, 8, 7],
        LifelikeNeighbourhood::VonNeumann => &[7, 5, 4, 3, 1],
        _ => &[8, 7, 6, 5, 4, 3, 2, 1, 0],
    };
    let bits = cells.iter().map(|&bit| configuration >> bit & 1);
    bits.fold(0, |index, bit| index << 1 | usize::from(bit))
}

fn encoded(bits: &[bool]) -> String {
    let digit = |six: &[bool]| {
        let value = (0..6).fold(0, |v, i| v << 1 | usize::from(six.get(i) == Some(&true)));
        char::from(ALPHABET[value])
    };
    bits.chunks(6).map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten};
    use crate::{Rule, Site};

    /// Conway's Life as a MAP, worked out from its definition.
    fn life() -> String {
        let alive = |c: u32| matches!(((c & !16).count_ones(), c & 16), (3, _) | (2, 16));
        format!(
            "MAP{}",
            super::encoded(&(0..512).map(alive).collect::<Vec<_>>())
        )
    }

    #[test]
    fn every_spelling() {
        let life = life();
        assert_eq!(life.len(), 89);
        let row = |tail: &str| (format!("{life}{tail}"), life.clone());
        for (text, canonical) in [row(""), row("="), row("==")] {
            assert_rewritten(&[(&text, &canonical)]);
        }
        assert_rewritten(&[
            ("MAPHmlphg", "MAPHmlphg"),
            ("MAPHmlphg==", "MAPHmlphg"),
            ("MAPHmlphg/4", "MAPHmlphg/4"),
            ("MAPHmlphg==/4", "MAPHmlphg/4"),
            ("MAPHmlphg/C4", "MAPHmlphg/4"),
            ("MAPHmlphg==/g4", "MAPHmlphg/4"),
            ("MAPgmlphg/3", "MAPgmlphg/3"),
            ("MAPAAAA//", "MAPAAAA/w"),
            // bits past the last configuration are dropped
            ("MAPHmlph/", "MAPHmlphw"),
            ("MAPHmlphgHmlphgHmlphgAAAA", "MAPHmlphgHmlphgHmlphgAAAA"),
        ]);
    }

    #[test]
    fn what_is_wrong_and_where() {
        assert_refused(&[
            ("MAPHmlph", 3, "here are 5"),
            ("MAPHmlphgA", 3, "here are 7"),
            ("MAPHm=phg", 5, "a base64 digit"),
            ("MAPHmlphg/1", 10, "expected 2 to 256"),
        ]);
    }

    #[test]
    fn life_by_its_bits_is_life() {
        let (map, life): (Rule, Rule) = (life().parse().unwrap(), "Life".parse().unwrap());
        for c in 0..512_u16 {
            let look = |dx: i32, dy: i32| (c >> (4 - 3 * dy - dx) & 1) as u8;
            assert_eq!(
                map.next(Site::default(), look),
                life.next(Site::default(), look)
            );
        }
    }
}
