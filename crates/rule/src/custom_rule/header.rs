//! Reads what stands above `next`: the name, the states, the neighbourhood.

use super::CustomState;
use super::error::{CustomRuleFault, CustomRuleProblem as Problem, nearest};
use super::token::WORDS;
use super::token::{is_name_part, is_name_start};
use crate::{Lattice, Neighbourhood, Rule};
use grid::State;

/// All but the expression.
#[derive(Debug)]
pub(super) struct CustomRuleHeader {
    pub(super) name: String,
    pub(super) states: Vec<CustomState>,
    pub(super) neighbourhood: Neighbourhood,
    pub(super) lattice: Lattice,
    /// Where the expression starts.
    pub(super) end: usize,
}

/// The largest radius.
const MAX_RADIUS: i64 = 500;

/// The largest weight, and with a minus the least.
const MAX_WEIGHT: i64 = 1_000_000;

/// Colours that have a name.
const COLOURS: [(&str, [u8; 3]); 12] = [
    ("black", [0, 0, 0]),
    ("white", [255, 255, 255]),
    ("grey", [128, 128, 128]),
    ("red", [220, 50, 47]),
    ("orange", [235, 135, 30]),
    ("yellow", [240, 210, 60]),
    ("green", [70, 160, 70]),
    ("cyan", [60, 180, 200]),
    ("blue", [50, 100, 220]),
    ("purple", [140, 80, 190]),
    ("pink", [235, 130, 170]),
    ("brown", [140, 95, 55]),
];

impl CustomRuleHeader {
    pub(super) fn read(text: &str) -> Result<Self, CustomRuleFault> {
        let mut lines = HeaderLines::new(text);
        let name = lines.heading(&["rule"], "`rule` and the rule's name")?;
        let name = rule_name(name)?;
        let rest = lines.heading(&["states"], "`states`")?;
        if let Some(&word) = rest.words.first() {
            return Err(unexpected(word, "the end of the line"));
        }
        let states = states(&mut lines)?;
        let words = lines.heading(&["neighbourhood", "neighborhood"], "`neighbourhood`")?;
        let lattice = match words.words.first() {
            Some((_, "hexagonal")) => Lattice::Hexagonal,
            _ => Lattice::Square,
        };
        let neighbourhood = neighbourhood(&mut lines, words)?;
        let next = lines.heading(&["next"], "`next`")?;
        Ok(Self {
            name,
            states,
            neighbourhood,
            lattice,
            end: next.start,
        })
    }

    /// The state of that name.
    pub(super) fn state(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }
}

/// A word, and where it starts.
type HeaderWord<'a> = (usize, &'a str);

/// What stands on a line after its heading.
#[derive(Debug)]
struct HeaderLine<'a> {
    words: Vec<HeaderWord<'a>>,
    /// Where the heading ends.
    start: usize,
    /// Where the line's last word ends.
    end: usize,
}

/// The lines that say something.
struct HeaderLines<'a> {
    lines: std::iter::Peekable<std::vec::IntoIter<Vec<HeaderWord<'a>>>>,
    /// Where the last line that was taken ends.
    end: usize,
}

impl<'a> HeaderLines<'a> {
    fn new(text: &'a str) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split('\n') {
            let said = line.split("//").next().unwrap_or(line);
            let mut words = Vec::new();
            let mut at = 0;
            for word in said.split(char::is_whitespace) {
                if !word.is_empty() {
                    words.push((start + at, word));
                }
                // every white space that ended a word is followed by the next one
                at += word.len()
                    + said[at + word.len()..]
                        .chars()
                        .next()
                        .map_or(0, char::len_utf8);
            }
            start += line.len() + 1;
            if !words.is_empty() {
                lines.push(words);
            }
        }
        Self {
            lines: lines.into_iter().peekable(),
            end: 0,
        }
    }

    fn take(&mut self) -> Option<Vec<HeaderWord<'a>>> {
        let line = self.lines.next()?;
        self.end = line.last().map_or(self.end, |(at, word)| at + word.len());
        Some(line)
    }

    /// The next line, if its first word passes.
    fn take_if(&mut self, pass: impl Fn(&str) -> bool) -> Option<Vec<HeaderWord<'a>>> {
        let first = self.lines.peek()?.first()?;
        if pass(first.1) { self.take() } else { None }
    }

    /// A line that starts with one of these words.
    fn heading(
        &mut self,
        names: &[&str],
        what: &'static str,
    ) -> Result<HeaderLine<'a>, CustomRuleFault> {
        let Some(&(start, word)) = self.lines.peek().and_then(|line| line.first()) else {
            let found = "the end of the file".into();
            let problem = Problem::Expected {
                expected: what,
                found,
            };
            return Err(CustomRuleFault::new(self.end, problem));
        };
        if !names.contains(&word) {
            let mut fault = unexpected((start, word), what);
            fault.hint = nearest(word, names.iter().copied());
            if word.starts_with('#') {
                fault.hint = Some("a comment starts with `//`".into());
            }
            return Err(fault);
        }
        let mut words = self.take().unwrap_or_default();
        words.remove(0);
        Ok(HeaderLine {
            words,
            start: start + word.len(),
            end: self.end,
        })
    }
}

fn unexpected((at, word): HeaderWord<'_>, expected: &'static str) -> CustomRuleFault {
    let found = format!("`{word}`");
    CustomRuleFault::new(at, Problem::Expected { expected, found })
}

fn missing(at: usize, expected: &'static str) -> CustomRuleFault {
    let found = "the end of the line".into();
    CustomRuleFault::new(at, Problem::Expected { expected, found })
}

/// Whether a rule of one's own may be called so.
pub(super) fn is_rule_name(name: &str) -> bool {
    name.starts_with(is_name_start) && name.chars().all(|c| is_name_part(c) || c == '-')
}

/// The rule that has this name already.
pub(super) fn known(name: &str) -> Option<Rule> {
    name.parse().ok()
}

fn rule_name(mut rest: HeaderLine<'_>) -> Result<String, CustomRuleFault> {
    if rest.words.is_empty() {
        return Err(missing(rest.end, "the rule's name"));
    }
    let (at, name) = rest.words.remove(0);
    if !is_rule_name(name) {
        return Err(unexpected(
            (at, name),
            "a name of letters, digits, `-` and `_`",
        ));
    }
    if let Some(rule) = known(name) {
        return Err(
            CustomRuleFault::new(at, Problem::NameOfRule(name.into(), rule.to_string()))
                .hint(format!("`my-{name}` is free")),
        );
    }
    if let Some(&(at, word)) = rest.words.first() {
        return Err(unexpected((at, word), "the end of the line")
            .hint(format!("a name is one word: `{name}-{word}`")));
    }
    Ok(name.into())
}

fn states(lines: &mut HeaderLines<'_>) -> Result<Vec<CustomState>, CustomRuleFault> {
    let mut states: Vec<CustomState> = Vec::new();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    while let Some(line) = lines.take_if(is_number) {
        let (at, digits) = line[0];
        let found: i64 = digits
            .parse()
            .map_err(|_| unexpected(line[0], "the number of a state"))?;
        let expected = states.len();
        if found != expected as i64 {
            return Err(CustomRuleFault::new(at, Problem::Order { found, expected })
                .hint("the states are numbered 0, 1, 2 and so on, one a line"));
        }
        if expected > usize::from(State::MAX) {
            return Err(CustomRuleFault::new(at, Problem::StateCount(expected + 1)));
        }
        let Some(&(at, name)) = line.get(1) else {
            return Err(missing(lines.end, "the state's name"));
        };
        let is_name = name.starts_with(is_name_start) && name.chars().all(is_name_part);
        if !is_name {
            return Err(unexpected(line[1], "a name of letters, digits and `_`"));
        }
        if WORDS.contains(&name) {
            return Err(CustomRuleFault::new(at, Problem::Reserved(name.into())));
        }
        if states.iter().any(|state| state.name == name) {
            return Err(CustomRuleFault::new(at, Problem::NameTaken(name.into())));
        }
        let mut state = CustomState {
            number: expected as State,
            name: name.into(),
            letter: None,
            colour: None,
        };
        for &word in &line[2..] {
            shown(&mut state, &states, word)?;
        }
        states.push(state);
    }
    if states.len() < 2 {
        let (at, word) = match lines.lines.peek().and_then(|line| line.first()) {
            Some(&(at, word)) => (at, word),
            None => (lines.end, ""),
        };
        if states.is_empty() && !word.is_empty() {
            return Err(unexpected(
                (at, word),
                "a state's number and name, as in `0 dead`",
            ));
        }
        return Err(CustomRuleFault::new(at, Problem::StateCount(states.len())));
    }
    Ok(states)
}

/// A letter or a colour.
fn shown(
    state: &mut CustomState,
    others: &[CustomState],
    word: HeaderWord<'_>,
) -> Result<(), CustomRuleFault> {
    let (at, text) = word;
    let mut characters = text.chars();
    if let (Some(letter), None) = (characters.next(), characters.next()) {
        if others.iter().any(|other| other.letter == Some(letter)) {
            return Err(CustomRuleFault::new(at, Problem::NameTaken(text.into())));
        }
        if state.letter.replace(letter).is_some() {
            return Err(unexpected(word, "one letter"));
        }
        return Ok(());
    }
    let Some(colour) = colour(text) else {
        let fault = unexpected(word, "a letter, or a colour such as `red` or `#ff8000`");
        return Err(match nearest(text, COLOURS.iter().map(|named| named.0)) {
            Some(hint) => fault.hint(hint),
            None => fault,
        });
    };
    if state.colour.replace(colour).is_some() {
        return Err(unexpected(word, "one colour"));
    }
    Ok(())
}

fn colour(text: &str) -> Option<[u8; 3]> {
    if let Some(digits) = text.strip_prefix('#') {
        let is_hex = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
        return Some([16, 8, 0].map(|shift| (number >> shift) as u8));
    }
    let named = COLOURS.iter().find(|named| named.0 == text)?;
    Some(named.1)
}

fn neighbourhood(
    lines: &mut HeaderLines<'_>,
    rest: HeaderLine<'_>,
) -> Result<Neighbourhood, CustomRuleFault> {
    let Some(&shape) = rest.words.first() else {
        return drawing(lines);
    };
    let radius = match rest.words.get(1) {
        None => 1,
        Some(&word) => match word.1.parse::<i64>() {
            Ok(radius) if (1..=MAX_RADIUS).contains(&radius) => radius as i32,
            Ok(radius) => {
                return Err(CustomRuleFault::new(
                    word.0,
                    Problem::Radius(radius, MAX_RADIUS),
                ));
            }
            Err(_) => return Err(unexpected(word, "a radius")),
        },
    };
    if let Some(&word) = rest.words.get(2) {
        return Err(unexpected(word, "the end of the line"));
    }
    let holds: fn(i32, i32) -> i32 = match shape.1 {
        "moore" => |_, _| 0,
        "von-neumann" => |dx, dy| dx.abs() + dy.abs(),
        "hexagonal" => |dx, dy| (dx - dy).abs(),
        other => {
            let fault = unexpected(shape, "moore, von-neumann, hexagonal, or a drawing below");
            return Err(
                match nearest(other, ["moore", "von-neumann", "hexagonal"]) {
                    Some(hint) => fault.hint(hint),
                    None => fault,
                },
            );
        }
    };
    Ok(Neighbourhood::from_weights(radius as u32, |dx, dy| {
        i32::from((dx, dy) != (0, 0) && holds(dx, dy) <= radius)
    }))
}

/// Rows of weights, `.` for 0, and one `x` where the cell itself is.
fn drawing(lines: &mut HeaderLines<'_>) -> Result<Neighbourhood, CustomRuleFault> {
    let heading = lines.end;
    let is_weight = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || matches!(word, "x" | "X" | ".")
            || word
                .strip_prefix(['-', '+'])
                .is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut rows: Vec<Vec<i32>> = Vec::new();
    let mut centre = None;
    while let Some(line) = lines.take_if(is_weight) {
        let mut row = Vec::with_capacity(line.len());
        for (column, &(at, word)) in line.iter().enumerate() {
            row.push(match word {
                "." => 0,
                "x" | "X" => {
                    if centre.replace((column, rows.len())).is_some() {
                        return Err(CustomRuleFault::new(at, Problem::SecondCentre));
                    }
                    0
                }
                _ => match word.parse::<i64>() {
                    Ok(weight) if (-MAX_WEIGHT..=MAX_WEIGHT).contains(&weight) => weight as i32,
                    Ok(_) => return Err(CustomRuleFault::new(at, Problem::LongNumber(MAX_WEIGHT))),
                    Err(_) => return Err(unexpected((at, word), "a weight, `.` or `x`")),
                },
            });
        }
        let expected = rows.first().map_or(row.len(), Vec::len);
        if row.len() != expected {
            let found = row.len();
            let at = line.get(expected).map_or(lines.end, |word| word.0);
            return Err(
                CustomRuleFault::new(at, Problem::Ragged { found, expected })
                    .hint("a cell that does not count has weight 0, or `.`"),
            );
        }
        rows.push(row);
    }
    let Some(first) = rows.first() else {
        return Err(match lines.lines.peek().and_then(|line| line.first()) {
            Some(&word) => unexpected(word, "a drawing of the weights around `x`"),
            None => missing(heading, "moore, von-neumann, hexagonal, or a drawing below"),
        });
    };
    let Some((across, down)) = centre else {
        return Err(CustomRuleFault::new(heading, Problem::NoCentre)
            .hint("put `x` in the middle: its neighbours are seen from there"));
    };
    let right = first.len() - 1 - across;
    let below = rows.len() - 1 - down;
    let radius = across.max(down).max(right).max(below);
    if radius as i64 > MAX_RADIUS {
        return Err(CustomRuleFault::new(
            heading,
            Problem::WideDrawing(radius, MAX_RADIUS),
        ));
    }
    Ok(Neighbourhood::from_weights(radius as u32, |dx, dy| {
        let column = across.checked_add_signed(dx as isize);
        let row = down.checked_add_signed(dy as isize);
        let weight = row.and_then(|row| rows.get(row)?.get(column?));
        weight.copied().unwrap_or(0)
    }))
}
