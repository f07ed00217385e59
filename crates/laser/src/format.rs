//! Levels as files.
//!
//! ```text
//! level = width ws height newline, then height rows of exactly width tiles
//! tile  = "." | "W" | ("L"|"S"|"T") ("<"|">"|"^"|"v") | ("M"|"B") ("/"|"\")
//! ```
//!
//! They are written with two signs for each cell, and read tile by tile: blanks may stand
//! between the tiles of a row or not, and blank lines between rows.

use crate::board::{Board, SizeError};
use crate::direction::Direction;
use crate::tile::{Piece, Tile};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Why a text is no level, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {problem}")]
pub struct FileError {
    /// Counted from 1.
    pub line: usize,
    /// The sign in the line, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with a level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// No width, or no height.
    #[error("expected the {0}, a number of tiles")]
    NoSize(&'static str),
    /// 0, or more than [`Board::LARGEST`].
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Something else behind the size.
    #[error("expected the end of the line after the size")]
    AfterSize,
    /// A row ends too early.
    #[error("row {row} has {tiles} tiles, and the board has {width} columns")]
    ShortRow {
        /// Counted from 1.
        row: u32,
        /// How many it has.
        tiles: u32,
        /// How many it should have.
        width: u32,
    },
    /// A row goes on.
    #[error("row {row} goes on, and the board has {width} columns")]
    LongRow {
        /// Counted from 1.
        row: u32,
        /// How many tiles it should have.
        width: u32,
    },
    /// The text ends too early.
    #[error("the text ends after {rows} rows, and the board has {height}")]
    MissingRow {
        /// How many there are.
        rows: u32,
        /// How many there should be.
        height: u32,
    },
    /// Something behind the last row.
    #[error("expected the end of the text after {0} rows")]
    TrailingText(u32),
    /// A sign that opens no tile.
    #[error("`{0}` is no tile: expected one of . W L S T M B")]
    UnknownLetter(char),
    /// A tile without its second sign.
    #[error("`{letter}` has no direction: expected one of {expected}")]
    NoDirection {
        /// The tile's letter.
        letter: char,
        /// What could follow.
        expected: &'static str,
    },
    /// A tile with another second sign.
    #[error("`{found}` is no direction of `{letter}`: expected one of {expected}")]
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

impl FromStr for Board {
    type Err = FileError;

    fn from_str(text: &str) -> Result<Self, FileError> {
        let mut reader = Reader {
            rest: text,
            line: 1,
            column: 1,
        };
        let (width, height) = reader.size()?;
        let mut board = Board::new(width, height).map_err(|error| reader.wrong(error.into()))?;
        for row in 0..height {
            reader.skip_lines();
            if reader.rest.is_empty() {
                return Err(reader.wrong(Problem::MissingRow { rows: row, height }));
            }
            for column in 0..width {
                reader.skip_blanks();
                if reader.is_at_end_of_line() {
                    return Err(reader.wrong(Problem::ShortRow {
                        row: row + 1,
                        tiles: column,
                        width,
                    }));
                }
                let tile = reader.tile()?;
                board.put(row as usize * width as usize + column as usize, tile);
            }
            reader.skip_blanks();
            if !reader.is_at_end_of_line() {
                let row = row + 1;
                return Err(reader.wrong(Problem::LongRow { row, width }));
            }
        }
        reader.skip_lines();
        if !reader.rest.is_empty() {
            return Err(reader.wrong(Problem::TrailingText(height)));
        }
        Ok(board)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.width(), self.height())?;
        for (index, tile) in self.tiles().enumerate() {
            write!(f, "{tile:<2}")?;
            if (index + 1) % self.width() as usize == 0 {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

const ARROWS: &str = "< > ^ v";
const SLANTS: &str = "/ \\";

impl Reader<'_> {
    fn wrong(&self, problem: Problem) -> FileError {
        FileError {
            line: self.line,
            column: self.column,
            problem,
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let sign = self.peek()?;
        self.rest = &self.rest[sign.len_utf8()..];
        if sign == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(sign)
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\r')) {
            self.next();
        }
    }

    fn skip_lines(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\r' | '\n')) {
            self.next();
        }
    }

    fn is_at_end_of_line(&self) -> bool {
        matches!(self.peek(), None | Some('\n'))
    }

    fn size(&mut self) -> Result<(u32, u32), FileError> {
        self.skip_lines();
        let width = self.number("width")?;
        self.skip_blanks();
        let height = self.number("height")?;
        self.skip_blanks();
        if !self.is_at_end_of_line() {
            return Err(self.wrong(Problem::AfterSize));
        }
        Ok((width, height))
    }

    fn number(&mut self, what: &'static str) -> Result<u32, FileError> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|sign| sign.to_digit(10)) {
            number = Some(
                number
                    .unwrap_or(0u32)
                    .saturating_mul(10)
                    .saturating_add(digit),
            );
            self.next();
        }
        number.ok_or_else(|| self.wrong(Problem::NoSize(what)))
    }

    fn tile(&mut self) -> Result<Tile, FileError> {
        let letter = match self.peek() {
            Some('.') => return Ok(self.taken(Tile::Empty)),
            Some('W') => return Ok(self.taken(Tile::Wall)),
            Some(letter @ ('L' | 'S' | 'T' | 'M' | 'B')) => letter,
            other => return Err(self.wrong(Problem::UnknownLetter(other.unwrap_or('\n')))),
        };
        self.next();
        let expected = match letter {
            'M' | 'B' => SLANTS,
            _ => ARROWS,
        };
        let found = match self.peek() {
            None => return Err(self.wrong(Problem::EndInTile { letter, expected })),
            Some(' ' | '\t' | '\r' | '\n') => {
                return Err(self.wrong(Problem::NoDirection { letter, expected }));
            }
            Some(found) => found,
        };
        let tile = match (letter, found, Direction::from_arrow(found)) {
            ('L', _, Some(way)) => Tile::Laser(way),
            ('S', _, Some(way)) => Tile::Sensor(way),
            ('T', _, Some(way)) => Tile::Hardware(match way {
                Direction::North => Piece::TNorth,
                Direction::East => Piece::TEast,
                Direction::South => Piece::TSouth,
                Direction::West => Piece::TWest,
            }),
            ('M', '\\', _) => Tile::Hardware(Piece::MirrorFalling),
            ('M', '/', _) => Tile::Hardware(Piece::MirrorRising),
            ('B', '\\', _) => Tile::Hardware(Piece::SplitterFalling),
            ('B', '/', _) => Tile::Hardware(Piece::SplitterRising),
            _ => {
                return Err(self.wrong(Problem::WrongDirection {
                    letter,
                    found,
                    expected,
                }));
            }
        };
        Ok(self.taken(tile))
    }

    fn taken(&mut self, tile: Tile) -> Tile {
        self.next();
        tile
    }
}
