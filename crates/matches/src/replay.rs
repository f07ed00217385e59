//! Replays: games as text files.
//!
//! A replay holds a whole [`Record`], in lines that begin with a keyword:
//!
//! ```
//! let file = "\
//! gridpaper replay 1
//! game tictactoe
//! first perfect
//! second cmd:./my-bot --fast
//! seed 7
//! pair 0
//! opening 1
//!  A1 ~ae
//! moves 4
//!  B2:/812 C3:97 A2:/640 B3:55 ~f5
//! result first wins
//! ending faults
//! fault second crashed exit code 3
//! hash 7ff90d85d6a47ded
//! sum cf1a75765230bcce
//! ";
//! for replay in matches::replay::read_text(file) {
//!     let replay = replay?;
//!     replay.check()?;
//!     println!("{}", matches::replay::result(&replay.record));
//! }
//! # Ok::<(), matches::replay::ReplayError>(())
//! ```
//!
//! A move may be followed by its time in microseconds: `:97` the first seat, `:/812` the
//! second, `:97/812` both. Names and text are verbatim, except for backslashes, invisible
//! characters, and blanks that would be separators: `\\`, `\n`, `\r`, `\t`, `\s` for a blank,
//! `\u{202e}` for any other character. `sum` is the 64-bit FNV-1a hash (Fowler, Noll and Vo,
//! 1991) of all lines before it, each ended by one line feed; `~ae` is the last byte of the
//! hash so far, so that damage is located.
//!
//! A table's game may end otherwise: `ending resigned first` names the seat that resigned, and
//! `ending unfinished`, with `result none`, has no outcome yet.
//!
//! A file can hold several games; concatenated files are a file. Only the last [`MAX_STDERR_CHARS`]
//! characters of a bot's stderr are stored.
//!
//! [`read()`] returns what [`write()`] was given. [`check()`] replays a game and verifies the
//! record; [`positions`] shows it.
//!
//! A readable line format was chosen over a packed one, which would be four times as small and
//! need this program to be read.

mod bundle;
mod checksum;
mod error;
mod escape;
mod frame;
mod reader;
mod verification;
mod writer;

pub use bundle::{BUNDLED, BundledReplay, bundled};
pub use error::{ReplayError, ReplayProblem};
pub use frame::{ReplayFrame, positions, result};
pub use reader::{Reader, read, read_text};
pub use verification::{CheckError, CheckProblem, OpeningOrigin, ReplayCheck, ReplayPart, check};
pub use writer::{MAX_STDERR_CHARS, text, write};

use crate::Record;

/// The first words of every game, before the format version.
const TITLE: &str = "gridpaper replay";
/// The format version, the only one so far.
const VERSION: &str = "1";

/// A game read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The game.
    pub record: Record,
    /// Where its parts are in the file.
    pub locations: ReplayLocations,
}

impl Replay {
    /// Verifies the game, as [`check()`] does.
    ///
    /// # Errors
    /// The first contradiction, and where it is in the file.
    ///
    /// ```
    /// let mut replays = matches::replay::read_text(matches::replay::BUNDLED[0].text);
    /// let mut replay = replays.next().expect("one game")?;
    /// replay.check()?;
    /// replay.record.hash ^= 1;
    /// assert!(replay.check().is_err());
    /// # Ok::<(), matches::replay::ReplayError>(())
    /// ```
    pub fn check(&self) -> Result<ReplayCheck, ReplayError> {
        check(&self.record).map_err(|error| {
            let (line, column) = self.locations.of(error.part);
            ReplayError {
                line,
                column,
                problem: ReplayProblem::Check(Box::new(error)),
            }
        })
    }
}

/// Where the parts of a game are in a file: lines and columns, both from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayLocations {
    title: u64,
    game: u64,
    opening: Vec<(u64, u32)>,
    turns: Vec<(u64, u32)>,
    result: u64,
    ending: u64,
    hash: u64,
}

impl ReplayLocations {
    /// The line and column of a part; those of the game's first line for a missing part.
    ///
    /// ```
    /// use matches::replay::{ReplayPart, read_text};
    ///
    /// let replay = read_text(matches::replay::BUNDLED[0].text).next().expect("one game")?;
    /// let (line, column) = replay.locations.of(ReplayPart::Game);
    /// assert_eq!((line, column), (2, 6), "after the word `game`");
    /// # Ok::<(), matches::replay::ReplayError>(())
    /// ```
    #[must_use]
    pub fn of(&self, part: ReplayPart) -> (u64, u32) {
        let start = (self.title, 1);
        // the columns are those after `game `, `result ` and so on
        match part {
            ReplayPart::Game => (self.game, 6),
            ReplayPart::Opening(i) => self.opening.get(i).copied().unwrap_or(start),
            ReplayPart::Turn(i) => self.turns.get(i).copied().unwrap_or(start),
            ReplayPart::Result => (self.result, 8),
            ReplayPart::Ending => (self.ending, 8),
            ReplayPart::Hash => (self.hash, 6),
        }
    }
}
