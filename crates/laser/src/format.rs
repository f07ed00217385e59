//! Levels as files.
//!
//! ```text
//! level = width ws height newline, then height rows of exactly width tiles
//! tile  = "." | "W" | ("L"|"S"|"T") ("<"|">"|"^"|"v") | ("M"|"B") ("/"|"\")
//! ```
//!
//! They are written with two signs for each cell, and read tile by tile: blanks may stand
//! between the tiles of a row or not, and blank lines before, between and after the rows.
//! Only the two signs of one tile belong together. A byte order mark before the text is left
//! out.
//!
//! The reader works on bytes and tracks only its offset. Line and column are computed when an
//! error is reported: up to there every character belongs to the format, and is one byte long.

use crate::board::Board;
use crate::direction::Direction;
use crate::tile::{Piece, Tile};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Why a text is no level, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {problem}")]
pub struct LevelFileError {
    /// Counted from 1.
    pub line: usize,
    /// The sign in the line, counted from 1: the one that is wrong, or the place where one
    /// is missing.
    pub column: usize,
    /// What is wrong there.
    pub problem: LevelProblem,
}

/// What can be wrong with a level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LevelProblem {
    /// No width, or no height.
    #[error("expected the {0}, a number from 1 to {largest}", largest = Board::LARGEST)]
    NoSize(&'static str),
    /// A width or a height of 0.
    #[error("the {0} is 0: expected a number from 1 to {largest}", largest = Board::LARGEST)]
    ZeroSize(&'static str),
    /// A width or a height above [`Board::LARGEST`].
    #[error("the {0} is too large: expected a number from 1 to {largest}", largest = Board::LARGEST)]
    LargeSize(&'static str),
    /// Something else behind the size.
    #[error("expected the end of the line after the size")]
    AfterSize,
    /// A row ends too early.
    #[error("row {row} has {}: expected {width}", counted(*.tiles, "tile"))]
    ShortRow {
        /// Counted from 1.
        row: u32,
        /// How many it has.
        tiles: u32,
        /// How many it should have.
        width: u32,
    },
    /// A row goes on.
    #[error("row {row} goes on: expected the end of the line after {}", counted(*.width, "tile"))]
    LongRow {
        /// Counted from 1.
        row: u32,
        /// How many tiles it should have.
        width: u32,
    },
    /// The text ends too early.
    #[error("the text ends after {}: expected {height}", counted(*.rows, "row"))]
    MissingRow {
        /// How many there are.
        rows: u32,
        /// How many there should be.
        height: u32,
    },
    /// Something behind the last row.
    #[error("expected the end of the text after {}", counted(*.0, "row"))]
    TrailingText(u32),
    /// A sign that opens no tile.
    #[error("`{}` is no tile: expected one of {TILES}", shown(*.0))]
    UnknownLetter(char),
    /// A byte that is no text at all.
    #[error("byte {byte:#04x} is no text: expected one of {expected}")]
    NoText {
        /// What stands there.
        byte: u8,
        /// What could.
        expected: &'static str,
    },
    /// A tile without its second sign.
    #[error("`{letter}` has no direction: expected one of {expected}")]
    NoDirection {
        /// The tile's letter.
        letter: char,
        /// What could follow.
        expected: &'static str,
    },
    /// A tile with another second sign.
    #[error("`{}` is no direction of `{letter}`: expected one of {expected}", shown(*.found))]
    WrongDirection {
        /// The tile's letter.
        letter: char,
        /// What follows.
        found: char,
        /// What could follow.
        expected: &'static str,
    },
    /// The text ends within a tile.
    #[error("the text ends within a tile: `{letter}` needs one of {expected}")]
    EndInTile {
        /// The tile's letter.
        letter: char,
        /// What could follow.
        expected: &'static str,
    },
}

const TILES: &str = ". W L S T M B";
const ARROWS: &str = "< > ^ v";
const SLANTS: &str = "/ \\";

/// `1 tile`, `4 tiles`.
pub(crate) fn counted(count: u32, what: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// A character for a message, escaped if it is invisible or a control character.
fn shown(sign: char) -> String {
    match sign {
        '\\' | '\'' | '"' => sign.into(),
        _ => sign.escape_debug().to_string(),
    }
}

/// A word for a message: its characters as [`shown`], shortened to fit a line.
pub(crate) fn shown_word(word: &str) -> String {
    const MOST: usize = 40;
    let mut signs = word.chars();
    let text: String = signs.by_ref().take(MOST).map(shown).collect();
    let rest = if signs.next().is_some() { "…" } else { "" };
    text + rest
}

impl Board {
    /// Reads a level: the bytes of a file, which need not be text.
    ///
    /// # Errors
    /// Says what was expected instead, and where.
    ///
    /// ```
    /// use laser::Board;
    ///
    /// let board = Board::read(b"3 1\nL> . S<\n")?;
    /// assert_eq!(board.width(), 3);
    /// let error = Board::read(b"3 1\nL> . X<\n").unwrap_err();
    /// assert_eq!((error.line, error.column), (2, 6));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self, LevelFileError> {
        // some editors put a mark before the text; it is no sign of it, and in no column
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Reader { bytes, at: 0 }.level()
    }
}

impl FromStr for Board {
    type Err = LevelFileError;

    fn from_str(text: &str) -> Result<Self, LevelFileError> {
        Self::read(text.as_bytes())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.width(), self.height())?;
        let mut line = String::new();
        for row in self.codes().chunks_exact(self.width() as usize) {
            line.clear();
            for &code in row {
                let text = Tile::ALL[usize::from(code)].text();
                line += text;
                line += &"  "[text.len()..];
            }
            line += "\n";
            f.write_str(&line)?;
        }
        Ok(())
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn level(&mut self) -> Result<Board, LevelFileError> {
        self.skip_lines();
        let width = self.size("width")?;
        self.skip_blanks();
        let height = self.size("height")?;
        self.skip_blanks();
        if !self.is_at_end_of_line() {
            return Err(self.wrong(LevelProblem::AfterSize));
        }
        let cells = width as usize * height as usize;
        // each tile has a byte at least, so a size alone takes no memory
        let mut codes = Vec::with_capacity(cells.min(self.bytes.len()));
        for row in 1..=height {
            self.skip_end_of_line();
            let start = self.at;
            self.skip_lines();
            if self.peek().is_none() {
                let problem = LevelProblem::MissingRow {
                    rows: row - 1,
                    height,
                };
                return Err(self.wrong_at(start, problem));
            }
            self.row(row, width, &mut codes)?;
        }
        self.skip_lines();
        if self.peek().is_some() {
            return Err(self.wrong(LevelProblem::TrailingText(height)));
        }
        Ok(Board::of_codes(width, height, codes))
    }

    fn size(&mut self, what: &'static str) -> Result<u32, LevelFileError> {
        let start = self.at;
        let mut number = 0u32;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        let problem = match number {
            _ if self.at == start => LevelProblem::NoSize(what),
            0 => LevelProblem::ZeroSize(what),
            1..=Board::LARGEST => return Ok(number),
            _ => LevelProblem::LargeSize(what),
        };
        Err(self.wrong_at(start, problem))
    }

    fn row(&mut self, row: u32, width: u32, codes: &mut Vec<u8>) -> Result<(), LevelFileError> {
        for tiles in 0..width {
            self.skip_blanks();
            let Some(letter) = self.peek().filter(|_| !self.is_at_end_of_line()) else {
                return Err(self.wrong(LevelProblem::ShortRow { row, tiles, width }));
            };
            codes.push(self.tile(letter)?.index() as u8);
        }
        self.skip_blanks();
        if !self.is_at_end_of_line() {
            return Err(self.wrong(LevelProblem::LongRow { row, width }));
        }
        Ok(())
    }

    fn tile(&mut self, letter: u8) -> Result<Tile, LevelFileError> {
        let expected = match letter {
            b'.' => return Ok(self.taken(Tile::Empty)),
            b'W' => return Ok(self.taken(Tile::Wall)),
            b'L' | b'S' | b'T' => ARROWS,
            b'M' | b'B' => SLANTS,
            _ => {
                return Err(self.wrong(match self.sign() {
                    Ok(sign) => LevelProblem::UnknownLetter(sign),
                    Err(byte) => LevelProblem::NoText {
                        byte,
                        expected: TILES,
                    },
                }));
            }
        };
        let letter = char::from(letter);
        self.at += 1;
        let Some(sign) = self.peek() else {
            return Err(self.wrong(LevelProblem::EndInTile { letter, expected }));
        };
        let tile = match (letter, sign, Direction::from_arrow(sign)) {
            ('L', _, Some(way)) => Tile::Laser(way),
            ('S', _, Some(way)) => Tile::Sensor(way),
            ('T', _, Some(Direction::North)) => Tile::Hardware(Piece::TNorth),
            ('T', _, Some(Direction::East)) => Tile::Hardware(Piece::TEast),
            ('T', _, Some(Direction::South)) => Tile::Hardware(Piece::TSouth),
            ('T', _, Some(Direction::West)) => Tile::Hardware(Piece::TWest),
            ('M', b'\\', _) => Tile::Hardware(Piece::MirrorFalling),
            ('M', b'/', _) => Tile::Hardware(Piece::MirrorRising),
            ('B', b'\\', _) => Tile::Hardware(Piece::SplitterFalling),
            ('B', b'/', _) => Tile::Hardware(Piece::SplitterRising),
            (_, b' ' | b'\t' | b'\r' | b'\n', _) => {
                return Err(self.wrong(LevelProblem::NoDirection { letter, expected }));
            }
            _ => {
                return Err(self.wrong(match self.sign() {
                    Ok(found) => LevelProblem::WrongDirection {
                        letter,
                        found,
                        expected,
                    },
                    Err(byte) => LevelProblem::NoText { byte, expected },
                }));
            }
        };
        Ok(self.taken(tile))
    }

    #[inline]
    fn taken(&mut self, tile: Tile) -> Tile {
        self.at += 1;
        tile
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The sign here, or a byte that begins none.
    fn sign(&self) -> Result<char, u8> {
        let rest = &self.bytes[self.at..self.bytes.len().min(self.at + 4)];
        let valid = match str::from_utf8(rest) {
            Ok(text) => text,
            Err(error) => str::from_utf8(&rest[..error.valid_up_to()]).expect("valid up to there"),
        };
        valid.chars().next().ok_or(rest[0])
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r') = self.peek() {
            if self.is_at_end_of_line() {
                break;
            }
            self.at += 1;
        }
    }

    fn skip_lines(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    fn skip_end_of_line(&mut self) {
        self.at += usize::from(self.peek() == Some(b'\r'));
        self.at += usize::from(self.peek() == Some(b'\n'));
    }

    /// Whether the line is over: a line feed is next, or a carriage return and a line feed,
    /// or nothing.
    #[inline]
    fn is_at_end_of_line(&self) -> bool {
        match self.peek() {
            None | Some(b'\n') => true,
            Some(b'\r') => self.bytes.get(self.at + 1) == Some(&b'\n'),
            Some(_) => false,
        }
    }

    fn wrong(&self, problem: LevelProblem) -> LevelFileError {
        self.wrong_at(self.at, problem)
    }

    #[cold]
    fn wrong_at(&self, at: usize, problem: LevelProblem) -> LevelFileError {
        let before = &self.bytes[..at];
        let start = before.iter().rposition(|&byte| byte == b'\n');
        LevelFileError {
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            column: at - start.map_or(0, |end| end + 1) + 1,
            problem,
        }
    }
}
