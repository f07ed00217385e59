//! A tournament's plan: a TOML file, validated once.
//!
//! ```toml
//! name = "spring cup"           # the file's own name where it is left out
//! game = "duel:8x8"
//! kind = "round-robin"          # or gauntlet, swiss, league
//! pairs = 50                    # how many pairs of games two players play when they meet
//! seed = 7                      # 0 where it is left out
//! opening = "2..6"              # random turns, or one number; the game's own if left out
//! settled = true                # end games that no move can change any more
//! timed = true                  # play by the clock in parts, too
//! pace = "1000,50"              # a bot's milliseconds: first move, each after it
//! cage = "strict"               # or best, off
//! jobs = 2
//! store = "cup.sqlite"          # beside this file
//!
//! [bounds]                      # what a bot may use
//! memory = "2G"
//!
//! [[player]]
//! name = "deep"
//! player = "mcts:ms=50"
//!
//! [[player]]
//! command = "./my-bot --quick"
//! protocol = "text"
//! memory = "4G"
//! ```
//!
//! `rounds` is for a Swiss tournament, `champion` or `champions` for a gauntlet. Paths are
//! seen from the folder of the file; a bot's program also from the bot's own `folder`, where
//! it is not found else.

mod parser;
mod problem;

pub use problem::{PlanError, PlanProblem};

use arena::{Entrant, MatchConditions};
use cage::Cage;
use games::AnyGame;
use matches::{Opening, StopCondition, TimeControl};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A tournament's plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// The game.
    pub game: AnyGame,
    /// The seed of openings and of the players' random numbers.
    pub seed: u64,
    /// The kind of schedule.
    pub kind: TournamentKind,
    /// Number of pairs of games per meeting, 1 or more. In a league it is one at a time.
    pub pairs: u64,
    /// How games begin.
    pub opening: Opening,
    /// When games end.
    pub stop_condition: StopCondition,
    /// Whether it may be played in parts though a player has a time limit, so that no two machines
    /// play the same games.
    pub is_timed: bool,
    /// Time control of bots.
    pub time_control: TimeControl,
    /// The bots' sandbox.
    pub cage: Cage,
    /// Time limit per move of built-in players, on top of their own: for plans from untrusted
    /// sources. It is not in the file.
    pub builtin_time_limit: Option<Duration>,
    /// Number of games played in parallel, 1 or more.
    pub jobs: usize,
    /// The store's file.
    pub store: PathBuf,
    /// The players, two or more, each with a name of its own.
    pub players: Vec<Participant>,
}

/// The kind of schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TournamentKind {
    /// Everybody meets everybody.
    RoundRobin,
    /// Some players meet all the others, and nobody else meets.
    Gauntlet {
        /// Their places in [`Plan::players`], ascending, one or more, not all.
        champions: Vec<usize>,
    },
    /// In each round everybody meets somebody with about as many points and without an earlier
    /// meeting.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
    /// Endless; the pair with the highest information gain is played next.
    League,
}

impl TournamentKind {
    /// Its name in a plan: `round-robin`.
    ///
    /// ```
    /// use tournament::TournamentKind;
    ///
    /// assert_eq!(TournamentKind::Swiss { rounds: 5 }.name(), "swiss");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet { .. } => "gauntlet",
            Self::Swiss { .. } => "swiss",
            Self::League => "league",
        }
    }
}

/// A player in a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Its name.
    pub name: String,
    /// Its text in the plan, independent of the plan's location.
    pub text: String,
    /// The entrant, with paths resolved.
    pub entrant: Entrant,
}

impl Plan {
    /// Reads a plan file.
    ///
    /// # Errors
    /// It cannot be read, or is no plan: where, and why.
    ///
    /// ```
    /// use tournament::Plan;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("cup.toml");
    /// let players = "[{ player = 'random' }, { player = 'mcts:ms=5' }]";
    /// std::fs::write(&path, format!("game = 'duel:8x8'\nplayer = {players}"))?;
    /// let plan = Plan::read(&path)?;
    /// assert_eq!((plan.name.as_str(), plan.players.len()), ("cup", 2));
    /// assert_eq!(plan.store, folder.path().join("cup.sqlite"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let read = std::fs::read_to_string(path);
        let text = read.map_err(|error| PlanError::Read {
            path: path.into(),
            error,
        })?;
        Self::parse(&text, path)
    }

    /// A plan from the text of a file, which lies at `path`.
    ///
    /// # Errors
    /// It is invalid: where, and why.
    ///
    /// ```
    /// use std::path::Path;
    /// use tournament::Plan;
    ///
    /// let error = Plan::parse("seed = 1\ngame = 'chess'\n", Path::new("a.toml")).unwrap_err();
    /// assert!(error.to_string().starts_with("a.toml:2:8: "), "{error}");
    /// ```
    pub fn parse(text: &str, path: &Path) -> Result<Self, PlanError> {
        parser::plan(text, path).map_err(|parser::SpannedPlanProblem(problem, span)| {
            let before = &text[..parser::floor(text, span.start)];
            let line = before.rsplit('\n').next().unwrap_or_default();
            PlanError::Wrong {
                path: path.into(),
                line: before.matches('\n').count() + 1,
                column: line.chars().count() + 1,
                problem,
            }
        })
    }

    /// The match conditions.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// let conditions = plan.conditions();
    /// assert_eq!(conditions.time_control, Some(plan.time_control));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn conditions(&self) -> MatchConditions {
        MatchConditions {
            time_control: Some(self.time_control),
            cage: self.cage.clone(),
            cores: Vec::new(),
            builtin_time_limit: self.builtin_time_limit,
        }
    }
}

/// What [`write_opening`] writes, and what plans have.
pub(crate) fn parse_opening(text: &str) -> Option<Opening> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let most = most.strip_prefix('=').unwrap_or(most);
    match (text, number(least), number(most)) {
        ("game", ..) => Some(Opening::OfGame),
        (_, Some(least), Some(most)) if least <= most => Some(Opening::Turns(least..=most)),
        _ => None,
    }
}

/// `game`, or `2..6`.
pub(crate) fn write_opening(opening: &Opening) -> String {
    match opening {
        Opening::OfGame => "game".into(),
        Opening::Turns(turns) => format!("{}..{}", turns.start(), turns.end()),
    }
}

impl fmt::Display for TournamentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cage::{CageMode, ResourceLimits};
    use std::time::Duration;

    fn plan(text: &str) -> Result<Plan, PlanError> {
        Plan::parse(text, Path::new("cups/spring.toml"))
    }

    const TWO: &str = "[[player]]\nplayer = \"random\"\n[[player]]\nplayer = \"material\"\n";

    #[test]
    fn a_short_plan_takes_the_rest_from_the_game() {
        let plan = plan(&format!("game = \"duel\"\n{TWO}")).unwrap();
        assert_eq!(plan.name, "spring");
        assert_eq!(plan.kind, TournamentKind::RoundRobin);
        assert_eq!((plan.pairs, plan.seed, plan.jobs), (10, 0, 1));
        assert_eq!(plan.opening, Opening::OfGame);
        assert_eq!(plan.time_control, TimeControl::from_millis(1000, 50));
        assert_eq!(plan.store, Path::new("cups/spring.sqlite"));
        let names: Vec<_> = plan.players.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["random", "material"]);
    }

    #[test]
    fn a_plan_can_set_everything() {
        let plan = plan(
            r#"
            name = "cup"
            game = "stones:adjacency=off"
            kind = "gauntlet"
            champion = "deep"
            pairs = 3
            seed = 7
            opening = "2..6"
            settled = true
            timed = true
            pace = "200"
            cage = "strict"
            jobs = 2
            store = "../kept/cup.sqlite"
            [bounds]
            memory = "2G"
            cpu = 60
            processes = 4
            file-size = "1M"
            files = 12
            read = ["/opt/x", "data"]
            [[player]]
            name = "deep"
            player = "mcts:ms=50"
            [[player]]
            command = "./my-bot --quick"
            protocol = "text"
            memory = "4G"
            [[player]]
            name = "snake"
            command = "python3 snake.py"
            folder = "snakes"
            "#,
        )
        .unwrap();
        assert_eq!(plan.name, "cup");
        assert_eq!(plan.kind, TournamentKind::Gauntlet { champions: vec![0] });
        assert_eq!((plan.pairs, plan.seed, plan.jobs), (3, 7, 2));
        assert_eq!(plan.opening, Opening::Turns(2..=6));
        assert_eq!(plan.stop_condition, StopCondition::Settled);
        assert!(plan.is_timed);
        assert_eq!(plan.time_control, TimeControl::from_millis(200, 200));
        assert_eq!(plan.cage.mode, CageMode::Strict);
        let limits = ResourceLimits {
            memory: 2 << 30,
            cpu: Some(Duration::from_secs(60)),
            processes: 4,
            file_size: 1 << 20,
            files: 12,
        };
        assert_eq!(plan.cage.limits, limits);
        assert_eq!(plan.cage.readable[1], Path::new("cups/data"));
        assert_eq!(plan.store, Path::new("cups/../kept/cup.sqlite"));
        let bot = &plan.players[1];
        assert_eq!(bot.name, "./my-bot --quick");
        assert_eq!(bot.text, "cmd[text,memory=4294967296]:./my-bot --quick");
        let seated = "cmd[text,memory=4294967296]:cups/./my-bot --quick";
        assert_eq!(bot.entrant.to_string(), seated);
        let snake = &plan.players[2];
        assert_eq!(snake.text, "cmd[folder=snakes]:python3 snake.py");
        let seated = "cmd[folder=cups/snakes]:python3 snake.py";
        assert_eq!(snake.entrant.to_string(), seated);
    }

    #[test]
    fn a_syntax_error_is_reported_with_its_location() {
        let rows = [
            ("", "1:1: missing field `game`"),
            ("game = \"chess\"\nTWO", "1:8: there is no game `chess`"),
            ("game = 3", "1:8: invalid type: integer `3`"),
            (
                "game = \"duel\"\nrouns = 3\nTWO",
                "2:1: unknown field `rouns`, expected one of `name`, `game`",
            ),
            (
                "game = \"duel\"\nTWO[[player]]\nplayr = \"x\"",
                "7:1: unknown field `playr`",
            ),
            (
                "game = \"duel\"\nkind = \"knockout\"\nTWO",
                "2:8: there are no tournaments of",
            ),
            (
                "game = \"duel\"\npairs = 0\nTWO",
                "2:9: `pairs` is from 1 to",
            ),
            (
                "game = \"duel\"\npairs = -1\nTWO",
                "2:9: invalid value: integer `-1`",
            ),
            (
                "game = \"duel\"\nrounds = 3\nTWO",
                "2:10: a round-robin has no `rounds`",
            ),
            (
                "game = \"duel\"\nkind = \"league\"\npairs = 3\nTWO",
                "3:9: a league has no `pairs`",
            ),
            (
                "game = \"duel\"\nchampion = \"random\"\nTWO",
                "2:12: a round-robin has no",
            ),
            (
                "game = \"duel\"\nkind = \"gauntlet\"\nTWO",
                "2:8: a gauntlet needs a `champion`",
            ),
            (
                "game = \"duel\"\nkind = \"gauntlet\"\nchampions = [\"random\", \"me\"]\nTWO",
                "3:24: no player is called `me`",
            ),
            (
                "game = \"duel\"\nkind = \"gauntlet\"\nchampions = [\"random\", \"material\"]\nTWO",
                "3:14: all players are champions",
            ),
            (
                "game = \"duel\"\nopening = \"6..2\"\nTWO",
                "2:11: `6..2` is no opening",
            ),
            (
                "game = \"duel\"\npace = \"fast\"\nTWO",
                "2:8: `fast` is no pace",
            ),
            (
                "game = \"duel\"\ncage = \"soft\"\nTWO",
                "2:8: `soft` is no cage",
            ),
            (
                "game = \"duel\"\nTWO[bounds]\nmemory = \"much\"",
                "7:10: `much` is no size",
            ),
            (
                "game = \"duel\"\nTWO[bounds]\ncpu = 0",
                "7:7: `cpu` is from 1 to",
            ),
            (
                "game = \"duel\"\nstore = \"\"\nTWO",
                "2:9: `store` is the name of a file",
            ),
            ("game = \"duel\"", "1:1: there are 0 players"),
            (
                "game = \"duel\"\n[[player]]\nplayer = \"random\"",
                "2:1: there are 1 players",
            ),
            (
                "game = \"duel\"\nTWO[[player]]\nname = \"x\"",
                "6:1: a player has either",
            ),
            (
                "game = \"duel\"\nTWO[[player]]\nplayer = \"random\"\ncommand = \"x\"",
                "8:11: a player has either",
            ),
            (
                "game = \"duel\"\nTWO[[player]]\nname = \"\u{202e}neve\"\nplayer = \"random\"",
                "7:8: a name is 1 to 80 characters in one line",
            ),
            (
                "game = \"duel\"\nTWO[[player]]\nplayer = \"random\"",
                "7:10: there are two players called `random`",
            ),
            (
                "game = \"duel\"\nTWO[[player]]\nname = \" \"\nplayer = \"random\"",
                "7:8: a name is",
            ),
            (
                "game = \"duel\"\nTWO[[player]]\nplayer = \"mcts\"\nmemory = \"1G\"",
                "8:10: `memory` is for a player with a `command`",
            ),
            (
                "game = \"duel\"\nTWO[[player]]\ncommand = \"'x\"",
                "7:11: `cmd:'x`: a quotation",
            ),
            ("game = \"duel", "1:13: "),
        ];
        for (text, expected) in rows {
            let text = text.replace("TWO", TWO);
            let error = plan(&text).expect_err(&text).to_string();
            let expected = format!("cups/spring.toml:{expected}");
            assert!(error.starts_with(&expected), "{error}\n{text}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    /// Issue 28: no depth of a text is a depth of the stack.
    #[test]
    fn a_plan_may_be_as_deep_as_it_likes_and_is_refused() {
        let deep = 100_000;
        let rows = [
            ("pairs = ", "[".repeat(deep)),
            ("pairs = ", "[".repeat(deep) + &"]".repeat(deep)),
            ("pairs = ", "{a=".repeat(deep)),
            ("pairs = ", "{a=".repeat(deep) + "1" + &"}".repeat(deep)),
            ("", "a.".repeat(deep) + "a = 1"),
            ("", "[".to_string() + &"a.".repeat(deep) + "a]"),
            ("", "[".repeat(deep)),
        ];
        for (before, rest) in rows {
            let text = format!("game = \"duel\"\n{before}{rest}");
            let error = plan(&text).expect_err(before).to_string();
            assert!(error.starts_with("cups/spring.toml:"), "{error:.200}");
            assert!(error.len() < 300, "{error:.300}");
        }
    }

    #[test]
    fn an_unknown_kind_gets_a_hint() {
        let error = plan(&format!("game = \"duel\"\nkind = \"cup\"\n{TWO}")).unwrap_err();
        let hint = "the kinds are round-robin, gauntlet, swiss, league";
        assert_eq!(error.hint().as_deref(), Some(hint));
    }

    #[test]
    fn openings_are_read_and_written() {
        for (text, written) in [
            ("4", "4..4"),
            ("2..6", "2..6"),
            ("2..=6", "2..6"),
            ("game", "game"),
        ] {
            let opening = parse_opening(text).expect(text);
            assert_eq!(write_opening(&opening), written);
        }
        for wrong in ["", "x", "2..", "..6", "6..2", "-1"] {
            assert!(parse_opening(wrong).is_none(), "{wrong}");
        }
    }
}
