//! All games by name: `tictactoe`, `mnk:5,5,4`, `stones:adjacency=off`, `duel:16x16`.

use crate::duel::{Board8, Board16, BoardAny, Duel, DuelBoard as _};
use crate::mnk::Mnk;
use crate::options::{OptionError, Options};
use crate::{Game as _, duel, mnk, stones};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Any of the games, with its options.
///
/// [`with_game!`](crate::with_game) gives access to the rules with their own type: its body is
/// compiled once for each game.
///
/// ```
/// use games::AnyGame;
///
/// let gomoku: AnyGame = "mnk:15,15,5".parse()?;
/// assert!(matches!(gomoku, AnyGame::WideMnk(_)));
/// assert_eq!("mnk:3,3,3".parse::<AnyGame>()?.to_string(), "tictactoe");
/// assert!("chess".parse::<AnyGame>().is_err());
/// # Ok::<(), games::GameNameError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "there are a handful of these at a time, and each arm is to be the rules themselves"
)]
pub enum AnyGame {
    /// A board of at most 64 cells.
    Mnk(mnk::Mnk<1>),
    /// A larger board.
    WideMnk(mnk::Mnk<6>),
    /// The duel on 8x8 cells.
    Duel8(duel::Duel<duel::Board8>),
    /// The duel on 16x16 cells.
    Duel16(duel::Duel<duel::Board16>),
    /// The duel on a board of any other size.
    DuelAny(duel::Duel<duel::BoardAny>),
    /// Life on a go board.
    Stones(stones::Stones),
}

/// Runs the same code for any game: `with_game!(any, |game| ...)`, where `game` is bound to the
/// concrete rules.
#[macro_export]
macro_rules! with_game {
    ($any:expr, |$game:ident| $body:expr) => {
        match $any {
            $crate::AnyGame::Mnk($game) => $body,
            $crate::AnyGame::WideMnk($game) => $body,
            $crate::AnyGame::Duel8($game) => $body,
            $crate::AnyGame::Duel16($game) => $body,
            $crate::AnyGame::DuelAny($game) => $body,
            $crate::AnyGame::Stones($game) => $body,
            // the enum may grow, but this macro grows with it
            #[allow(unreachable_patterns)]
            _ => unreachable!("every game has its line above"),
        }
    };
}

/// A game's name, its options, and what reads them.
type GameFamily = (
    &'static str,
    &'static str,
    fn(&mut Options<'_>) -> Result<AnyGame, GameNameError>,
);

/// Every name that a game's text may begin with, what may follow it, and its reader.
const FAMILIES: &[GameFamily] = &[
    ("tictactoe", "", |_| Ok(AnyGame::Mnk(Mnk::TICTACTOE))),
    ("mnk", "mnk:M,N,K", read_mnk),
    (
        "duel",
        "duel:RxC,mana=,goals=,turns=,column=,overspend=,rules=,seed=",
        read_duel,
    ),
    ("stones", "stones:adjacency=on|off,plies=N", |options| {
        Ok(AnyGame::Stones(stones::read(options)?))
    }),
];

fn read_mnk(options: &mut Options<'_>) -> Result<AnyGame, GameNameError> {
    let (columns, rows, line) = mnk::read(options)?;
    Ok(match Mnk::new(columns, rows, line) {
        Some(small) => AnyGame::Mnk(small),
        None => AnyGame::WideMnk(Mnk::new(columns, rows, line).expect(CHECKED)),
    })
}

fn read_duel(options: &mut Options<'_>) -> Result<AnyGame, GameNameError> {
    let rules = duel::read(options)?;
    let size = rules.size;
    Ok(if Board8::holds(size) {
        AnyGame::Duel8(Duel::new(rules).expect(CHECKED))
    } else if Board16::holds(size) {
        AnyGame::Duel16(Duel::new(rules).expect(CHECKED))
    } else {
        AnyGame::DuelAny(Duel::<BoardAny>::new(rules).expect(CHECKED))
    })
}

const CHECKED: &str = "every option was checked as it was read";

impl AnyGame {
    /// Every name that a game's text may begin with, and how its options are written.
    ///
    /// ```
    /// use games::AnyGame;
    ///
    /// assert!(AnyGame::families().any(|family| family == ("mnk", "mnk:M,N,K")));
    /// ```
    pub fn families() -> impl Iterator<Item = (&'static str, &'static str)> {
        FAMILIES.iter().map(|&(name, options, _)| (name, options))
    }
}

/// The games that a list offers, the simplest first.
const WELL_KNOWN: [&str; 8] = [
    "tictactoe",
    "mnk:5,5,4",
    "mnk:5,5,5",
    "mnk:15,15,5",
    "stones",
    "stones:adjacency=off",
    "duel",
    "duel:16x16",
];

impl AnyGame {
    /// The games that a list offers to people; any others are had by name.
    ///
    /// ```
    /// use games::AnyGame;
    ///
    /// let titles: Vec<String> = AnyGame::well_known().map(|game| game.title()).collect();
    /// assert_eq!(titles[..2], ["tic-tac-toe", "4 in a row on 5 x 5"]);
    /// ```
    pub fn well_known() -> impl Iterator<Item = Self> {
        let read = |name: &str| name.parse().expect("a test reads every name");
        WELL_KNOWN.into_iter().map(read)
    }
}

impl FromStr for AnyGame {
    type Err = GameNameError;

    fn from_str(text: &str) -> Result<Self, GameNameError> {
        let (name, rest) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let family = FAMILIES.iter().find(|f| f.0.eq_ignore_ascii_case(name));
        let Some(&(name, notation, read)) = family else {
            return Err(GameNameError::Unknown { name: name.into() });
        };
        let mut options = Options::new(name, notation, rest);
        let game = read(&mut options)?;
        options.finish()?;
        Ok(game)
    }
}

impl fmt::Display for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&with_game!(self, |game| game.name()))
    }
}

/// Why some text names no game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameNameError {
    /// There is no such game.
    #[error("there is no game `{name}`; the games are {}", names())]
    Unknown {
        /// What was given.
        name: String,
    },
    /// An option that the game does not have, or a value that it cannot take.
    #[error("{game}: `{item}`: {problem}")]
    Option {
        /// The game's name.
        game: &'static str,
        /// The option as it was given.
        item: String,
        /// What may stand there.
        problem: String,
    },
    /// A required option is missing.
    #[error("{game}: {problem}")]
    Missing {
        /// The game's name.
        game: &'static str,
        /// What is missing.
        problem: String,
    },
}

impl From<OptionError> for GameNameError {
    fn from(error: OptionError) -> Self {
        let OptionError {
            game,
            item,
            problem,
        } = error;
        match item {
            Some(item) => Self::Option {
                game,
                item,
                problem,
            },
            None => Self::Missing { game, problem },
        }
    }
}

fn names() -> String {
    let names: Vec<_> = FAMILIES.iter().map(|family| family.0).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JointMove, Seat, Turn};

    #[test]
    fn every_game_of_the_list_is_read() {
        assert!(AnyGame::well_known().eq(WELL_KNOWN.map(|name| name.parse().expect(name))));
    }

    /// Says what decided the game after these turns, and the winning cells.
    fn decided(game: &str, turns: &str) -> (Option<String>, Vec<usize>) {
        let game: AnyGame = game.parse().expect(game);
        with_game!(&game, |game| {
            let mut state = game.start();
            for text in turns.split_whitespace() {
                let Turn::One(seat) = game.turn(&state) else {
                    panic!("{text}: nobody is to move");
                };
                let m = game.parse_move(&state, seat, text).expect(text);
                game.apply(&mut state, JointMove::One(m));
            }
            let diagram = game.diagram(&state, Seat::Second);
            (game.reason(&state), diagram.winning)
        })
    }

    #[test]
    fn what_decided_a_game_is_told_and_marked() {
        let rows = [
            ("tictactoe", "B2 A1", None, vec![]),
            (
                "tictactoe",
                "A1 B1 B2 C1 C3",
                Some("3 in a row"),
                vec![0, 4, 8],
            ),
            (
                "tictactoe",
                "C1 B1 B2 C2 A3",
                Some("3 in a row"),
                vec![2, 4, 6],
            ),
            // two rows at once
            (
                "tictactoe",
                "A1 A2 C1 B2 A3 B3 C3 C2",
                Some("3 in a row"),
                vec![3, 4, 5],
            ),
            (
                "tictactoe",
                "A1 B2 C3 A2 C2 C1 A3 B3 B1",
                Some("the board is full"),
                vec![],
            ),
            // a row that is longer than it has to be, on a board of more than one word
            (
                "mnk:15,15,5",
                "A1 A2 B1 B2 C1 C2 E1 E2 F1 F2 D1",
                Some("5 in a row"),
                vec![0, 1, 2, 3, 4, 5],
            ),
            (
                "stones",
                "p3 p6 c18 b5 c7 q17 s16 j8 e4 b2",
                Some("black has no stone left"),
                vec![],
            ),
            ("stones:plies=1", "p3", Some("one turn is over"), vec![]),
        ];
        for (game, turns, reason, winning) in rows {
            let expected = (reason.map(String::from), winning);
            assert_eq!(decided(game, turns), expected, "{game} {turns}");
        }
    }

    #[test]
    fn every_game_of_the_list_says_what_decided_it() {
        for game in AnyGame::well_known() {
            with_game!(&game, |game| {
                let mut state = game.start();
                assert_eq!(game.reason(&state), None);
                game.playout(&mut state, &mut crate::Dice::new(3));
                let reason = game.reason(&state).expect("the game is over");
                assert!(!reason.is_empty(), "{}", game.name());
            });
        }
    }

    #[test]
    fn names_are_read_and_written() {
        let rows = [
            ("tictactoe", "tictactoe"),
            ("mnk:3,3,3", "tictactoe"),
            (" MNK:5,5,4 ", "mnk:5,5,4"),
            ("mnk:15,15,5", "mnk:15,15,5"),
            ("duel", "duel"),
            ("duel:8x8,mana=6,column=replace,rules=duel", "duel"),
            ("duel:16x16", "duel:16x16"),
            ("duel:column=or", "duel:column=or"),
        ];
        for (text, expected) in rows {
            let game: AnyGame = text.parse().expect(text);
            assert_eq!(game.to_string(), expected);
            assert_eq!(expected.parse::<AnyGame>().expect(expected), game);
        }
    }

    #[test]
    fn what_is_no_game_is_told() {
        let rows = [
            ("chess", "there is no game `chess`; the games are "),
            ("tictactoe:4", "tictactoe: `4`: this game has no options"),
            ("mnk", "mnk: "),
            ("mnk:3,3,3,3", "mnk: `3`: write mnk:M,N,K"),
            ("mnk:3,3,x", "mnk: `x`: "),
            ("mnk:20,3,3", "mnk: `20`: "),
            ("mnk:3,3,3,colour=red", "mnk: `colour=red`: write mnk:M,N,K"),
        ];
        for (text, expected) in rows {
            let error = text.parse::<AnyGame>().expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
