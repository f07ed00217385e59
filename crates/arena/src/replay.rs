//! Replays: games as text, that can be kept, read by people, and played again.
//!
//! A replay holds all that a [`Record`] does, in lines that begin with what they tell:
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
//! for replay in arena::replay::read_text(file) {
//!     let replay = replay?;
//!     replay.check()?;
//!     println!("{}", arena::replay::result(&replay.record));
//! }
//! # Ok::<(), arena::replay::ReplayError>(())
//! ```
//!
//! A move may be followed by how long it took, in microseconds: `:97` the first seat, `:/812`
//! the second, `:97/812` both. Names and words are as they were, but for backslashes, signs
//! that cannot be seen, and blanks where they would part what belongs together: `\\`, `\n`,
//! `\r`, `\t`, `\s` for a blank, `\u{202e}` for anything else. `sum` is the FNV-1a hash of
//! all lines before it (Fowler, Noll and Vo, 1991), in 64 bits, each line ended by one line
//! feed; `~ae` is its last byte so far, so that damage is found near where it is.
//!
//! A game that people sat at may end otherwise: `ending resigned first` says who gave it up,
//! and `ending unfinished`, with `result none`, that nobody has won yet.
//!
//! Several games follow each other in one file, and files that are put together are a file.
//! Of what a bot printed to standard error, the end is kept, [`MOST_SAID`] characters.
//!
//! [`reader`] gives back what [`write()`] was given. [`check()`] plays a game again and holds it
//! against what is said of it; [`positions`] shows it.
//!
//! Text that a person can read and a program can cut into lines was chosen over a packed
//! form, which would be four times as small and need this program to be looked at.

mod bundle;
mod checksum;
mod error;
mod escape;
mod frame;
mod reader;
mod verification;
mod writer;

pub use bundle::{BundledReplay, OURS, ours};
pub use error::{ReplayError, ReplayProblem};
pub use frame::{ReplayFrame, positions, result};
pub use reader::{Reader, read, read_text};
pub use verification::{CheckError, CheckProblem, OpeningOrigin, ReplayCheck, ReplayPart, check};
pub use writer::{MOST_SAID, text, write};

pub(crate) use verification::{come_to, step};

use crate::Record;

/// What every game in a file begins with, before the number of the format's version.
const TITLE: &str = "gridpaper replay";
/// The version of the format that is written, and the only one so far.
const VERSION: &str = "1";

/// A game that was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The game.
    pub record: Record,
    /// Where its parts stand in the file.
    pub places: ReplayLocations,
}

impl Replay {
    /// Plays the game again, as [`check()`] does.
    ///
    /// # Errors
    /// What does not fit, and where in the file that stands.
    pub fn check(&self) -> Result<ReplayCheck, ReplayError> {
        check(&self.record).map_err(|error| {
            let (line, column) = self.places.of(error.place);
            ReplayError {
                line,
                column,
                problem: ReplayProblem::Check(Box::new(error)),
            }
        })
    }
}

/// Where the parts of a game stand in a file: lines and columns, both from 1.
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
    /// The line and the column of a part. For a part that there is not, those of the game.
    #[must_use]
    pub fn of(&self, place: ReplayPart) -> (u64, u32) {
        let start = (self.title, 1);
        // the columns are those after `game `, `result ` and so on
        match place {
            ReplayPart::Game => (self.game, 6),
            ReplayPart::Opening(i) => self.opening.get(i).copied().unwrap_or(start),
            ReplayPart::Turn(i) => self.turns.get(i).copied().unwrap_or(start),
            ReplayPart::Result => (self.result, 8),
            ReplayPart::Ending => (self.ending, 8),
            ReplayPart::Hash => (self.hash, 6),
        }
    }
}
