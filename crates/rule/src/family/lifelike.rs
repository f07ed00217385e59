//! Births and survivals by the eight cells around, or by some of them: `B3/S23`.
//!
//! Conway's Life (Martin Gardner, "Mathematical Games", Scientific American, October 1970) and its
//! nearest relations: two states, or more where dying cells age (Generations). The letters of
//! isotropic rules (Alan Hensel's notation) distinguish the arrangements of a number of live
//! neighbours. All of them share one notation with many spellings:
//!
//! ```text
//! B3/S23  b3s23  B3_S23  S23/B3      births and survivals, marked
//! B234                               births alone: nothing survives
//! 23/3                               survivals first, as in old files
//! B2-a/S12                           with Hensel's letters, `-` for all but these
//! B2/S34H  B3/S23V  B2/S1HT          six, four, three neighbours
//! 345/2/4                            Generations: survivals / births / states
//! B2/S345/4  B2/S345/C4  /G4  g4b2s345
//! 23V/2/4                            the neighbourhood before the last number
//! ```
//!
//! Sources: LifeWiki, "Rulestring", "Isotropic non-totalistic rule" and "Generations"; Golly Help,
//! Algorithms: QuickLife and Generations.
//!
//! The canonical forms are `B3/S23` and `345/2/4`.

use super::ring::LifelikeNeighbourhood;
use super::sets::{self, HenselCounts};
use crate::RuleDefinition;
use crate::background;
use crate::cursor::RuleTextCursor;
use crate::error::RuleFault;

/// Reads the text if it looks like this notation.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    looks_alike(text).then(|| parse(text))
}

/// Whether it starts as births and survivals do, whatever comes after them.
pub(super) fn looks_alike(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut chars = lower.chars();
    let (first, second) = (chars.next(), chars.next());
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let slash = |c: Option<char>| matches!(c, Some('/' | '_'));
    match first {
        Some('b') => digit(second) || slash(second) || lower == "bs" || digit(nth(&lower, 2, 's')),
        Some('s') => digit(second) || slash(second) || digit(nth(&lower, 2, 'b')),
        Some('g') => {
            let rest = lower[1..].trim_start_matches(|c: char| c.is_ascii_digit());
            digit(second) && rest.starts_with('b')
        }
        _ if digit(first) => lower.contains(['/', '_']) && !lower.contains(','),
        _ => slash(first) && lower.len() > 1,
    }
}

/// The character at `n`, where the one before it is `after`.
fn nth(text: &str, n: usize, after: char) -> Option<char> {
    let mut chars = text.chars().skip(n - 1);
    (chars.next() == Some(after))
        .then(|| chars.next())
        .flatten()
}

/// The parts of the text, not yet checked against a neighbourhood.
pub(super) struct LifelikeParts<'a> {
    /// Where the births stand, and as they are written.
    pub(super) birth: (usize, &'a str),
    pub(super) survival: (usize, &'a str),
    /// How many states, where that is written.
    pub(super) states: Option<u16>,
    /// Where a neighbourhood's letter stands before the last number, and which.
    pub(super) early: Option<(usize, LifelikeNeighbourhood)>,
}

const SUFFIX: &str = "V, H, HT or the end of the rule";

fn parse(text: &str) -> Result<RuleDefinition, RuleFault> {
    let mut cursor = RuleTextCursor::new(text);
    let parts = parts(&mut cursor, HenselCounts::take)?;
    let ring = ring(&mut cursor, &parts)?;
    let birth = HenselCounts::read(ring, parts.birth)?;
    let survival = HenselCounts::read(ring, parts.survival)?;
    let states = parts.states.unwrap_or(2);
    let table = sets::transition(&birth, &survival, states);
    let suffix = ring.suffix();
    let (name, family) = match parts.states {
        Some(n) => (format!("{survival}/{birth}/{n}{suffix}"), "Generations"),
        None => {
            let letters = birth.has_letters() || survival.has_letters();
            let family = match ring {
                LifelikeNeighbourhood::Moore if letters => "Isotropic",
                LifelikeNeighbourhood::Moore => "Life-like",
                LifelikeNeighbourhood::VonNeumann => "von Neumann",
                LifelikeNeighbourhood::Hexagonal | LifelikeNeighbourhood::Tripod => "Hexagonal",
            };
            (format!("B{birth}/S{survival}{suffix}"), family)
        }
    };
    let lattice = ring.lattice();
    if states > 2 {
        return Ok(RuleDefinition {
            text: name,
            family,
            states,
            tables: vec![vec![table]],
            lattice,
            background: vec![0],
        });
    }
    let rule = background::two_state(name, family, vec![table]);
    Ok(RuleDefinition { lattice, ..rule })
}

/// Reads all but the neighbourhood; `take` takes a set's digits, unchecked.
pub(super) fn parts<'a>(
    cursor: &mut RuleTextCursor<'a>,
    take: impl Fn(&mut RuleTextCursor<'a>) -> (usize, &'a str),
) -> Result<LifelikeParts<'a>, RuleFault> {
    let (mut states, mut early) = (None, None);
    if cursor.eat("g") {
        states = Some(number_of_states(cursor)?);
    }
    let (birth, survival);
    if cursor.eat("b") {
        birth = take(cursor);
        let _ = cursor.eat("/") || cursor.eat("_");
        if !cursor.is_done() {
            cursor.need("s", "S and the survivals")?;
        }
        survival = take(cursor);
    } else if cursor.eat("s") {
        survival = take(cursor);
        let _ = cursor.eat("/") || cursor.eat("_");
        cursor.need("b", "B and the births")?;
        birth = take(cursor);
    } else {
        survival = take(cursor);
        early = early_suffix(cursor);
        if !cursor.eat("/") {
            cursor.need("_", "`/` between survivals and births")?;
        }
        birth = take(cursor);
    }
    if states.is_none() {
        early = early.or_else(|| early_suffix(cursor));
        if cursor.eat("/") || cursor.eat("_") {
            let _ = cursor.eat("c") || cursor.eat("g");
            states = Some(number_of_states(cursor)?);
        }
    }
    Ok(LifelikeParts {
        birth,
        survival,
        states,
        early,
    })
}

fn number_of_states(cursor: &mut RuleTextCursor<'_>) -> Result<u16, RuleFault> {
    let n = cursor.number_within("the number of states", 2, 256)?;
    Ok(u16::try_from(n).expect("at most 256"))
}

/// Takes the letter of `23V/2/4`, if a slash comes after it.
fn early_suffix(cursor: &mut RuleTextCursor<'_>) -> Option<(usize, LifelikeNeighbourhood)> {
    let mut ahead = cursor.clone();
    let ring = suffix(&mut ahead);
    if ring == LifelikeNeighbourhood::Moore || !matches!(ahead.peek(), Some('/' | '_')) {
        return None;
    }
    let at = cursor.at();
    *cursor = ahead;
    Some((at, ring))
}

/// Takes the neighbourhood's letter; eight neighbours have none.
fn suffix(cursor: &mut RuleTextCursor<'_>) -> LifelikeNeighbourhood {
    if cursor.eat("v") {
        LifelikeNeighbourhood::VonNeumann
    } else if cursor.eat("ht") {
        LifelikeNeighbourhood::Tripod
    } else if cursor.eat("h") {
        LifelikeNeighbourhood::Hexagonal
    } else {
        LifelikeNeighbourhood::Moore
    }
}

/// Reads the neighbourhood's letter and the end of the text.
fn ring(
    cursor: &mut RuleTextCursor<'_>,
    parts: &LifelikeParts<'_>,
) -> Result<LifelikeNeighbourhood, RuleFault> {
    if let Some((_, ring)) = parts.early {
        cursor.finish("the end of the rule, its neighbourhood is told already")?;
        return Ok(ring);
    }
    let ring = suffix(cursor);
    cursor.finish(match (ring, parts.states) {
        (LifelikeNeighbourhood::Moore, Some(_)) => SUFFIX,
        (LifelikeNeighbourhood::Moore, None) => {
            "/ and the number of states, V, H, HT or the end of the rule"
        }
        _ => "the end of the rule",
    })?;
    Ok(ring)
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten, next_state};
    use crate::Rule;

    #[test]
    fn every_spelling() {
        assert_rewritten(&[
            ("B3/S23", "B3/S23"),
            ("B234", "B234/S"),
            ("b3s23", "B3/S23"),
            ("B3_S23", "B3/S23"),
            ("S23/B3", "B3/S23"),
            ("s32b3", "B3/S23"),
            ("23/3", "B3/S23"),
            ("23_3", "B3/S23"),
            ("3/23", "B23/S3"),
            ("  B3/S23 ", "B3/S23"),
            ("B/S", "B/S"),
            ("bs", "B/S"),
            ("B/S8", "B/S8"),
            ("/2", "B2/S"),
            ("B3/S23v", "B3/S23V"),
            ("23/3V", "B3/S23V"),
            ("34/2h", "B2/S34H"),
            ("B2/S1ht", "B2/S1HT"),
        ]);
    }

    #[test]
    fn letters_are_written_in_the_shorter_way() {
        assert_rewritten(&[
            ("B2cekin/S12", "B2-a/S12"),
            ("b2-as12", "B2-a/S12"),
            ("B2-A_S12", "B2-a/S12"),
            ("B2aceikn/S", "B2/S"),
            ("B2-aceikn3/S", "B3/S"),
            ("B2aec/S2-ace", "B2ace/S2ikn"),
            ("B2a2c/S", "B2ac/S"),
            ("B3-kq6cn8/S2-i3-a4ciyz8", "B3-kq6cn8/S2-i3-a4ciyz8"),
            ("B4z5y6n/S3y4wqjr", "B4z5y6n/S3y4jqrw"),
            ("B1c7e/S1e7c", "B1c7e/S1e7c"),
            ("B2mo/S2p3-mp4pH", "B2mo/S2p3o4pH"),
        ]);
    }

    #[test]
    fn generations_in_every_spelling() {
        assert_rewritten(&[
            ("345/2/4", "345/2/4"),
            ("B2/S345/4", "345/2/4"),
            ("b2s345/4", "345/2/4"),
            ("S345/B2/4", "345/2/4"),
            ("B2/S345/C4", "345/2/4"),
            ("B3/S23/G8", "23/3/8"),
            ("g4b2s345", "345/2/4"),
            ("/2/3", "/2/3"),
            ("B2-a/S12/3", "12/2-a/3"),
            ("013/2/5V", "013/2/5V"),
            ("B2/S34/6h", "34/2/6H"),
            ("23/03/2", "23/03/2"),
            ("B03/S23/C3", "23/03/3"),
            ("23V/2/4", "23/2/4V"),
            ("34/2H/6", "34/2/6H"),
            ("23v/3", "B3/S23V"),
        ]);
    }

    #[test]
    fn what_is_wrong_and_where() {
        assert_refused(&[
            (
                "B9/S23",
                1,
                "the number of neighbours is 9, expected 0 to 8",
            ),
            ("B3/S25V", 5, "expected 0 to 4"),
            ("B7/S2H", 1, "expected 0 to 6"),
            (
                "B4z5y6n/S3t4wqjr",
                10,
                "the letter t does not go with 3 neighbours",
            ),
            ("B3/S23x", 6, "V, H, HT or the end"),
            ("B3/S23HX", 7, "expected the end of the rule"),
            ("B3/23", 3, "expected S"),
            ("B3x", 2, "expected S"),
            ("B2-/S", 3, "expected a letter after `-`"),
            ("B2--a/S", 3, "expected a letter"),
            ("23V/2/4V", 7, "its neighbourhood is told already"),
            ("B3V/S23", 2, "expected S"),
            ("23/3/1", 5, "the number of states is 1, expected 2 to 256"),
            ("23/3/257", 5, "expected 2 to 256"),
            ("B3/S23/99999999999999999999", 7, "too long"),
        ]);
    }

    #[test]
    fn dying_cells_age_and_do_not_count() {
        let row =
            |left, own, right| next_state("345/2/4", &[&[0; 3], &[left, own, right], &[0; 3]]);
        assert_eq!(row(1, 0, 1), 1);
        assert_eq!(row(1, 0, 2), 0);
        assert_eq!(row(1, 1, 1), 2);
        assert_eq!(row(1, 2, 1), 3);
        assert_eq!(row(1, 3, 1), 0);
    }

    #[test]
    fn hexagonal_cells_have_no_north_east() {
        let hexagonal: Rule = "B1/SH".parse().unwrap();
        let born = |x, y| {
            hexagonal.next(crate::Site::default(), |dx, dy| {
                u8::from((dx, dy) == (x, y))
            })
        };
        let around = [
            (-1, -1),
            (0, -1),
            (1, -1),
            (-1, 0),
            (1, 0),
            (-1, 1),
            (0, 1),
            (1, 1),
        ];
        assert_eq!(around.map(|(x, y)| born(x, y)), [1, 1, 0, 1, 1, 0, 1, 1]);
    }
}
