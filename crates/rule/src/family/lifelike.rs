//! Births and survivals by the eight cells around, or by some of them: `B3/S23`.
//!
//! Conway's Life and its nearest relations: two states, or more where the dying ones age
//! (Generations). The letters of isotropic rules tell arrangements of as many neighbours
//! apart. All of them are one notation, which comes in many spellings:
//!
//! ```text
//! B3/S23  b3s23  B3_S23  S23/B3      births and survivals, marked
//! 23/3                               survivals first, as in old files
//! B2-a/S12                           with Hensel's letters, `-` for all but these
//! B2/S34H  B3/S23V  B2/S1HT          six, four, three neighbours
//! 345/2/4                            Generations: survivals / births / states
//! B2/S345/4  B2/S345/C4  /G4  g4b2s345
//! ```
//!
//! Written are `B3/S23` and `345/2/4`.

use super::ring::Ring;
use super::sets::{self, Set};
use crate::Meaning;
use crate::background;
use crate::cursor::Cursor;
use crate::error::{Fault, Problem};

/// Reads the text if it looks like this notation.
pub(super) fn read(text: &str) -> Option<Result<Meaning, Fault>> {
    looks_alike(text).then(|| checked(text))
}

fn looks_alike(text: &str) -> bool {
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

/// The rule's parts, not yet held against a neighbourhood.
struct Parts<'a> {
    birth: (usize, &'a str),
    survival: (usize, &'a str),
    states: Option<u16>,
}

const SUFFIX: &str = "V, H, HT or the end of the rule";

fn checked(text: &str) -> Result<Meaning, Fault> {
    let mut cursor = Cursor::new(text);
    let parts = parts(&mut cursor)?;
    let ring = ring(&mut cursor, parts.states.is_some())?;
    let birth = Set::read(ring, parts.birth)?;
    let survival = Set::read(ring, parts.survival)?;
    let states = parts.states.unwrap_or(2);
    if states > 2 && birth.has_none() {
        return Err(Fault::new(parts.birth.0, Problem::BackgroundStates));
    }
    let table = sets::transition(&birth, &survival, states);
    let suffix = ring.suffix();
    let (name, family) = match parts.states {
        Some(n) => (format!("{survival}/{birth}/{n}{suffix}"), "Generations"),
        None => {
            let letters = birth.has_letters() || survival.has_letters();
            let family = match ring {
                Ring::Moore if letters => "Isotropic",
                Ring::Moore => "Life-like",
                Ring::VonNeumann => "von Neumann",
                Ring::Hexagonal | Ring::Tripod => "Hexagonal",
            };
            (format!("B{birth}/S{survival}{suffix}"), family)
        }
    };
    if states > 2 {
        return Ok(Meaning {
            text: name,
            family,
            states,
            tables: vec![vec![table]],
            background: vec![0],
        });
    }
    Ok(background::two_state(name, family, vec![table]))
}

fn parts<'a>(cursor: &mut Cursor<'a>) -> Result<Parts<'a>, Fault> {
    let mut states = None;
    if cursor.eat("g") {
        states = Some(number_of_states(cursor)?);
    }
    let (birth, survival);
    if cursor.eat("b") {
        birth = Set::take(cursor);
        let _ = cursor.eat("/") || cursor.eat("_");
        cursor.need("s", "S and the survivals")?;
        survival = Set::take(cursor);
    } else if cursor.eat("s") {
        survival = Set::take(cursor);
        let _ = cursor.eat("/") || cursor.eat("_");
        cursor.need("b", "B and the births")?;
        birth = Set::take(cursor);
    } else {
        survival = Set::take(cursor);
        refuse_early_suffix(cursor)?;
        if !cursor.eat("/") {
            cursor.need("_", "`/` between survivals and births")?;
        }
        birth = Set::take(cursor);
    }
    if states.is_none() {
        refuse_early_suffix(cursor)?;
        if cursor.eat("/") || cursor.eat("_") {
            let _ = cursor.eat("c") || cursor.eat("g");
            states = Some(number_of_states(cursor)?);
        }
    }
    Ok(Parts {
        birth,
        survival,
        states,
    })
}

fn number_of_states(cursor: &mut Cursor<'_>) -> Result<u16, Fault> {
    let n = cursor.number_within("the number of states", 2, 256)?;
    Ok(u16::try_from(n).expect("at most 256"))
}

/// `23V/2/4` is refused: the neighbourhood stands at the end.
fn refuse_early_suffix(cursor: &Cursor<'_>) -> Result<(), Fault> {
    let mut ahead = cursor.clone();
    let found = !ahead
        .take_while(|c| matches!(c, 'V' | 'v' | 'H' | 'h'))
        .is_empty();
    if found && matches!(ahead.peek(), Some('/' | '_')) {
        let hint = "write V or H after the last number";
        return Err(cursor
            .expected("the neighbourhood's letter at the end")
            .hint(hint));
    }
    Ok(())
}

/// Reads the neighbourhood's letter and the end of the text.
fn ring(cursor: &mut Cursor<'_>, several_states: bool) -> Result<Ring, Fault> {
    let at = cursor.at();
    let rest = cursor.rest().to_ascii_lowercase();
    let not_taken = match rest.as_str() {
        "history" | "hhistory" | "vhistory" => "a History rule",
        "super" | "hsuper" | "vsuper" => "a Super rule",
        "investigator" | "hinvestigator" | "vinvestigator" => "an Investigator rule",
        "l" | "le" | "lv" | "li" | "lo" | "lb" | "lr" => "a triangular neighbourhood",
        _ => "",
    };
    if !not_taken.is_empty() {
        return Err(Fault::new(at, Problem::NotTaken(not_taken)));
    }
    let ring = if cursor.eat("v") {
        Ring::VonNeumann
    } else if cursor.eat("ht") {
        Ring::Tripod
    } else if cursor.eat("h") {
        Ring::Hexagonal
    } else {
        Ring::Moore
    };
    cursor.finish(match (ring, several_states) {
        (Ring::Moore, true) => SUFFIX,
        (Ring::Moore, false) => "/ and the number of states, V, H, HT or the end of the rule",
        _ => "the end of the rule",
    })?;
    Ok(ring)
}
