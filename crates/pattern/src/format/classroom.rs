//! The classroom's `.cells`: maps of a programming course's homework, for its five rules.
//!
//! One row a line: `.` dead, `O` alive, `R` red, `B` blue, a digit a state of the rule
//! `generations`; `!` begins a comment, white space inside a row means nothing.
//!
//! ```
//! use pattern::classroom::{self, Alphabet, Options};
//! let options = Options { size: Some((25, 25)), alphabet: Alphabet::Colours, ..Options::default() };
//! let read = classroom::read(b"! two\n.R\n B\n", &options)?;
//! assert_eq!(read.pattern.cells.population(), 2u8.into());
//! assert_eq!(read.pattern.size, Some((25, 25)));
//! # Ok::<(), pattern::ReadError>(())
//! ```

use super::{Format, frame, plaintext};
use crate::budget::ReadBudget;
use crate::error::{PatternFault, PatternProblem, ReadError, TextPosition, WriteError};
use crate::rows::RunTable;
use crate::text::lines;
use crate::{Cells, Pattern, ReadLimits, Run};
use grid::{Rect, State};
use std::io::Write;

/// The characters that the maps of a rule use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alphabet {
    /// All signs, as no rule is known yet.
    #[default]
    Any,
    /// `.` and `O`: the rules `base`, `extended` and `weighted`.
    Plain,
    /// `.`, `R` (state 2) and `B` (state 3): the rule `colorised`.
    Colours,
    /// Digits 0 to 7, `.` and `O`: the rule `generations`.
    Digits,
}

impl Alphabet {
    /// The characters of a classroom rule's maps, by the rule's name in any case.
    ///
    /// ```
    /// use pattern::classroom::Alphabet;
    ///
    /// assert_eq!(Alphabet::of_rule("Colorised"), Some(Alphabet::Colours));
    /// assert_eq!(Alphabet::of_rule("B3/S23"), None);
    /// ```
    #[must_use]
    pub fn of_rule(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "base" | "extended" | "weighted" => Some(Self::Plain),
            "colorised" | "coloured" | "colourised" | "colorized" => Some(Self::Colours),
            "generations" => Some(Self::Digits),
            _ => None,
        }
    }

    /// The characters to write a pattern with: those of its rule, else the smallest alphabet
    /// that suffices.
    pub(super) fn of(pattern: &Pattern) -> Option<Self> {
        let states = pattern.cells.states();
        let only = |allowed: &[State]| states.iter().all(|state| allowed.contains(state));
        let held = |alphabet: &Self| match alphabet {
            Self::Plain => only(&[1]),
            Self::Colours => only(&[2, 3]),
            Self::Digits | Self::Any => only(&[1, 2, 3, 4, 5, 6, 7]),
        };
        // the board's size, as in `base:P25,25`, is no part of the name
        let name = pattern
            .rule
            .as_deref()
            .and_then(|rule| rule.split(':').next());
        let named = name.and_then(Self::of_rule);
        let mut fitting = named
            .into_iter()
            .chain([Self::Plain, Self::Colours, Self::Digits]);
        fitting.find(held)
    }

    /// The rules' first live state, which a foreign one becomes.
    fn first_live(self) -> State {
        if self == Self::Colours { 2 } else { 1 }
    }

    fn rule(self) -> &'static str {
        match self {
            Self::Any => "any of the classroom",
            Self::Plain => "base",
            Self::Colours => "colorised",
            Self::Digits => "generations",
        }
    }

    /// The state that a sign has; none when the rule does not have it.
    fn state(self, sign: MapSign) -> Option<State> {
        match (self, sign) {
            (_, MapSign::Dead | MapSign::Digit(0)) => Some(0),
            (Self::Any | Self::Plain | Self::Digits, MapSign::Alive) => Some(1),
            (Self::Any | Self::Colours, MapSign::Colour(state)) => Some(state),
            (Self::Any | Self::Digits, MapSign::Digit(state)) => Some(state),
            (Self::Plain, MapSign::Digit(1)) => Some(1),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
enum MapSign {
    Dead,
    Alive,
    Colour(State),
    Digit(State),
}

fn sign(byte: u8) -> Option<MapSign> {
    match byte {
        b'.' => Some(MapSign::Dead),
        b'O' => Some(MapSign::Alive),
        b'R' => Some(MapSign::Colour(2)),
        b'B' => Some(MapSign::Colour(3)),
        b'0'..=b'7' => Some(MapSign::Digit(byte - b'0')),
        _ => None,
    }
}

/// Whether a line can be a row, with or without a comment.
pub(super) fn is_row(line: &[u8]) -> bool {
    let row = line.split(|&b| b == b'!').next().unwrap_or(line);
    row.iter()
        .all(|&byte| byte.is_ascii_whitespace() || sign(byte).is_some())
}

/// How a map is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The board's columns and rows; without, the map's own.
    pub size: Option<(u64, u64)>,
    /// The signs that the rule has.
    pub alphabet: Alphabet,
    /// A state that the rule does not have becomes its first live one.
    pub lenient: bool,
    /// A map smaller than the board stands in its middle, not at its top left.
    pub centre: bool,
    /// As the course's own loader did: every line takes up a row, a comment too.
    pub cs100: bool,
}

/// A map that was read.
#[derive(Clone, Debug)]
pub struct Map {
    /// The cells; (0, 0) is the board's top-left one, and its size is the board's.
    pub pattern: Pattern,
    /// What was replaced, if reading was lenient and something had to be.
    pub warning: Option<MapWarning>,
}

/// Foreign states that became the rule's first live one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapWarning {
    /// The first of them.
    pub place: TextPosition,
    /// How many.
    pub cells: u64,
    /// What they became.
    pub state: State,
}

/// Reads a map.
///
/// # Errors
/// At the first row or cell too many for the board, unknown character, or state that the
/// rule does not have.
///
/// ```
/// use pattern::classroom::{Alphabet, Options, read};
///
/// let options = Options { alphabet: Alphabet::Plain, lenient: true, ..Options::default() };
/// let map = read(b".R\n.O\n", &options)?;
/// assert_eq!(map.warning.unwrap().cells, 1); // red became alive
/// let strict = Options { lenient: false, ..options };
/// assert!(read(b".R\n.O\n", &strict).is_err());
/// # Ok::<(), pattern::ReadError>(())
/// ```
pub fn read(bytes: &[u8], options: &Options) -> Result<Map, ReadError> {
    let mut budget = ReadBudget::new(ReadLimits::default().memory);
    read_located(bytes, options, &mut budget).map_err(|fault| fault.locate(bytes))
}

pub(super) fn read_located(
    bytes: &[u8],
    options: &Options,
    budget: &mut ReadBudget,
) -> Result<Map, PatternFault> {
    let mut pattern = Pattern::default();
    let mut cells = RunTable::default();
    let mut foreign: Option<(usize, u64)> = None;
    // Rows up to the last one that is not blank; blank ones at the end count as long as the
    // board has room.
    let (mut width, mut rows) = (0, 0);
    for line in lines(bytes) {
        let mut parts = line.bytes.splitn(2, |&b| b == b'!');
        let row = parts.next().unwrap_or_default();
        if let Some(text) = parts.next() {
            budget.take_line(text, line.offset)?;
            pattern.comments.push(crate::text::comment(text));
            if row.trim_ascii().is_empty() && !options.cs100 {
                continue;
            }
        }
        let blank = row.trim_ascii().is_empty();
        if let Some((_, board)) = options.size
            && rows >= board
        {
            if blank {
                continue;
            }
            let row = rows + 1;
            return Err(PatternFault::new(
                line.offset,
                PatternProblem::TooManyRows { row, board },
            ));
        }
        let y = rows as i64;
        rows += 1;
        let signs = row
            .iter()
            .enumerate()
            .filter(|(_, b)| !b.is_ascii_whitespace());
        let total = signs.clone().count() as u64;
        for (x, (index, &byte)) in signs.enumerate() {
            let offset = line.offset + index;
            if let Some((board, _)) = options.size
                && x as u64 >= board
            {
                let problem = PatternProblem::TooManyColumns {
                    row: rows,
                    cells: total,
                    board,
                };
                return Err(PatternFault::new(offset, problem));
            }
            let expected = "`.`, `O`, `R`, `B` or a digit from 0 to 7";
            let sign = sign(byte).ok_or_else(|| PatternFault::expected(expected, bytes, offset))?;
            let state = match options.alphabet.state(sign) {
                Some(state) => state,
                None if options.lenient => {
                    let (_, count) = foreign.get_or_insert((offset, 0));
                    *count += 1;
                    options.alphabet.first_live()
                }
                None => {
                    let problem = PatternProblem::ForeignState {
                        cell: char::from(byte),
                        rule: options.alphabet.rule(),
                    };
                    return Err(PatternFault::new(offset, problem));
                }
            };
            if state != 0 {
                let reserved = cells.reserve_run(1, budget);
                reserved.map_err(|problem| PatternFault::new(offset, problem))?;
                cells.push(Run {
                    y,
                    x: x as i64,
                    length: 1,
                    state,
                });
            }
        }
        width = width.max(total);
    }
    let (columns, lines) = options.size.unwrap_or((width, rows));
    pattern.size = Some((columns, lines));
    pattern.cells = Cells::from_rows(cells);
    if options.centre {
        let half = |board: u64, map: u64| (board.saturating_sub(map) / 2) as i64;
        pattern.cells = pattern
            .cells
            .translated(half(columns, width), half(lines, rows));
    }
    let warning = foreign.map(|(offset, cells)| {
        let place = PatternFault::new(offset, PatternProblem::UnknownFormat)
            .locate(bytes)
            .place;
        MapWarning {
            place: place.unwrap_or(TextPosition { line: 1, column: 1 }),
            cells,
            state: options.alphabet.first_live(),
        }
    });
    Ok(Map { pattern, warning })
}

/// Writes a map: exactly the box's rows and columns, with the signs of the pattern's rule
/// if it is one of the classroom, else with the fewest that do.
pub(super) fn write(pattern: &Pattern, most: u64, out: &mut dyn Write) -> Result<(), WriteError> {
    let Some(alphabet) = Alphabet::of(pattern) else {
        return Err(WriteError::CannotHold {
            format: "classroom",
            loss: crate::FormatLoss::States,
        });
    };
    write_board(pattern, frame::of(pattern), alphabet, most, out)
}

/// Writes a board: exactly its rows and columns, one newline after each row. The
/// alphabet [`Alphabet::Any`] writes digits.
///
/// # Errors
/// When cells lie outside the board, or in states without a sign; when the board is too
/// large to be written; when `out` fails.
///
/// ```
/// use grid::Rect;
/// use pattern::classroom::{Alphabet, write_map};
///
/// let block = pattern::Pattern::from_text("2o$2o!")?;
/// let mut text = Vec::new();
/// write_map(&block, Rect::new(0, 0, 4, 3), Alphabet::Plain, &mut text)?;
/// assert_eq!(text, b"OO..\nOO..\n....\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_map(
    pattern: &Pattern,
    board: Rect,
    alphabet: Alphabet,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    write_board(pattern, board, alphabet, Format::Classroom.longest(), out)
}

fn write_board(
    pattern: &Pattern,
    board: Rect,
    alphabet: Alphabet,
    most: u64,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let format = "classroom";
    frame::check(format, &board, most)?;
    let outside = |cells: Rect| cells != cells.intersection(&board);
    let bounds = pattern.cells.bounds();
    if bounds.is_some_and(|bounds| bounds.to_rect().is_none_or(outside)) {
        let loss = crate::FormatLoss::Extent;
        return Err(WriteError::CannotHold { format, loss });
    }
    let sign = |state: State| match (alphabet, state) {
        (Alphabet::Digits | Alphabet::Any, 0..=7) => Some(b'0' + state),
        (_, 0) => Some(b'.'),
        (Alphabet::Plain, 1) => Some(b'O'),
        (Alphabet::Colours, 2) => Some(b'R'),
        (Alphabet::Colours, 3) => Some(b'B'),
        _ => None,
    };
    let signed = pattern
        .cells
        .states()
        .into_iter()
        .all(|state| sign(state).is_some());
    if !signed {
        let loss = crate::FormatLoss::States;
        return Err(WriteError::CannotHold { format, loss });
    }
    plaintext::write_rows(pattern, &board, &|state| sign(state).unwrap_or(b'.'), out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(alphabet: Alphabet) -> Options {
        Options {
            size: Some((4, 3)),
            alphabet,
            ..Options::default()
        }
    }

    fn written(map: &Map, alphabet: Alphabet) -> String {
        let mut out = Vec::new();
        let (width, height) = map.pattern.size.unwrap();
        write_map(
            &map.pattern,
            Rect::new(0, 0, width, height),
            alphabet,
            &mut out,
        )
        .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn maps_come_back_with_all_rows() {
        use Alphabet::{Colours, Digits, Plain};
        let check = |alphabet, text: &str, expected: &str| {
            let map = read(text.as_bytes(), &options(alphabet)).unwrap();
            assert_eq!(written(&map, alphabet), expected, "{text}");
            assert_eq!(map.warning, None);
        };
        check(Plain, "", "....\n....\n....\n");
        check(
            Plain,
            "! c\n.O . O ! row\r\n\n ! c\nO",
            ".O.O\n....\nO...\n",
        );
        check(Plain, "\n\nO\n\n \t\n\n", "....\n....\nO...\n");
        check(Colours, "RB\n.R", "RB..\n.R..\n....\n");
        check(Digits, "O7.0\n1", "1700\n1000\n0000\n");
    }

    #[test]
    fn options_place_and_bend() {
        let mut centred = options(Alphabet::Plain);
        centred.centre = true;
        let map = read(b"OO", &centred).unwrap();
        assert_eq!(written(&map, Alphabet::Plain), "....\n.OO.\n....\n");
        let mut old = options(Alphabet::Plain);
        old.cs100 = true;
        let map = read(b"!c\nO\n", &old).unwrap();
        assert_eq!(written(&map, Alphabet::Plain), "....\nO...\n....\n");
        let mut lenient = options(Alphabet::Colours);
        lenient.lenient = true;
        let map = read(b"..\n.OR5", &lenient).unwrap();
        assert_eq!(written(&map, Alphabet::Colours), "....\n.RRR\n....\n");
        let place = TextPosition { line: 2, column: 2 };
        let expected = MapWarning {
            place,
            cells: 2,
            state: 2,
        };
        assert_eq!(map.warning, Some(expected));
    }

    #[test]
    fn faults_have_a_place() {
        let check = |alphabet, text: &str, message: &str| {
            let error = read(text.as_bytes(), &options(alphabet)).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        };
        let plain = Alphabet::Plain;
        check(
            plain,
            "\n\n\n.\n",
            "4:1: row 4 is one too many, the board has 3",
        );
        check(
            plain,
            ".\n. O.O.O",
            "2:6: row 2 has 6 cells, the board has 4 columns",
        );
        check(
            plain,
            ".\n.x",
            "2:2: expected `.`, `O`, `R`, `B` or a digit from 0 to 7, found `x`",
        );
        check(
            plain,
            ".8",
            "1:2: expected `.`, `O`, `R`, `B` or a digit from 0 to 7, found `8`",
        );
        check(plain, "!\n  R", "2:3: `R` is no state of the rule `base`");
        check(plain, "2", "1:1: `2` is no state of the rule `base`");
        check(
            Alphabet::Colours,
            "O",
            "1:1: `O` is no state of the rule `colorised`",
        );
        check(
            Alphabet::Digits,
            "7B",
            "1:2: `B` is no state of the rule `generations`",
        );
    }
}
