//! What a tournament is to be: a TOML file, checked once.
//!
//! ```toml
//! name = "spring cup"           # the file's own name where it is left out
//! game = "duel:8x8"
//! kind = "round-robin"          # or gauntlet, swiss, league
//! pairs = 50                    # how many pairs of games two players play when they meet
//! seed = 7                      # 0 where it is left out
//! opening = "2..6"              # random turns, or one number; the game's own if left out
//! settled = true                # end games that no move can change any more
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

use arena::bot::{BotSpec, BotSpecError, Hosted};
use arena::{Conditions, Entrant, Opening, Pace, PaceError, Until};
use cage::{Bounds, Cage, Mode, ModeError};
use games::{AnyGame, NameError, with_game};
use serde::Deserialize;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;
use toml::Spanned;

/// A tournament as it is planned.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What people call it.
    pub name: String,
    /// The game.
    pub game: AnyGame,
    /// Where openings and the players' chance come from.
    pub seed: u64,
    /// Who meets whom.
    pub kind: Kind,
    /// How many pairs of games two players play when they meet, 1 or more. A league's
    /// players meet for one at a time.
    pub pairs: u64,
    /// How games begin.
    pub opening: Opening,
    /// When games end.
    pub until: Until,
    /// How long bots may think.
    pub pace: Pace,
    /// What bots run in.
    pub cage: Cage,
    /// How many games are played at the same time, 1 or more.
    pub jobs: usize,
    /// The file that keeps what was played.
    pub store: PathBuf,
    /// The players, two or more, each with a name of its own.
    pub players: Vec<Contender>,
}

/// Who meets whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Everybody meets everybody.
    RoundRobin,
    /// Some players meet all the others, and nobody else meets.
    Gauntlet {
        /// Their places in [`Plan::players`], ascending, one or more, not all.
        champions: Vec<usize>,
    },
    /// In each round everybody meets somebody who has about as many points, and whom they
    /// have not met before.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
    /// It goes on for ever; those meet next from whose games most would be learnt.
    League,
}

impl Kind {
    /// Its name in a plan: `round-robin`.
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

/// The names of all kinds.
const KINDS: [&str; 4] = ["round-robin", "gauntlet", "swiss", "league"];

/// A player in a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// What the table calls it.
    pub name: String,
    /// It, as the plan has it: the same wherever the plan's file lies.
    pub text: String,
    /// It, as it can be seated from here.
    pub entrant: Entrant,
}

/// Pairs of games for each meeting, where a plan does not say.
const PAIRS: u64 = 10;

/// More pairs than this for one meeting are a slip of the finger.
const MOST_PAIRS: u64 = 1_000_000_000;

/// Why a file is no plan, and where.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Something in it is wrong.
    #[error("{}:{line}:{column}: {problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// What is wrong.
        problem: Problem,
    },
}

impl PlanError {
    /// What would help, if that is known.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read { .. } => None,
            Self::Wrong { problem, .. } => problem.hint(),
        }
    }
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// It is no TOML, or has keys or values that no plan has.
    #[error("{0}")]
    Text(String),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] NameError),
    /// There is no such kind of tournament.
    #[error("there are no tournaments of the kind `{0}`")]
    Kind(String),
    /// The opening is neither a number nor a range.
    #[error("`{0}` is no opening")]
    Opening(String),
    /// The pace cannot be read.
    #[error(transparent)]
    Pace(#[from] PaceError),
    /// There is no such cage.
    #[error(transparent)]
    Cage(#[from] ModeError),
    /// A size in bytes cannot be read.
    #[error("`{0}` is no size: give one such as 512M or 8G")]
    Size(String),
    /// A number is too small or too large.
    #[error("`{key}` is from {least} to {most}, not {value}")]
    Number {
        /// What it is of.
        key: &'static str,
        /// What was given.
        value: u64,
        /// The least that it may be.
        least: u64,
        /// The most that it may be.
        most: u64,
    },
    /// A key that this kind of tournament does not have.
    #[error("a {kind} has no `{key}`")]
    Foreign {
        /// The key.
        key: &'static str,
        /// The kind.
        kind: &'static str,
    },
    /// There are no two players.
    #[error("there are {0} players, and a tournament needs two")]
    Few(usize),
    /// A player is nothing, or two things.
    #[error("a player has either `player` or `command`, and this has {0}")]
    Player(&'static str),
    /// A key that only bots have stands beside `player`.
    #[error("`{0}` is for a player with a `command`")]
    NotOfBot(&'static str),
    /// A bot cannot be read.
    #[error(transparent)]
    Bot(#[from] BotSpecError),
    /// A name is empty, too long or not in one line.
    #[error("a name is 1 to {LONGEST_NAME} characters in one line")]
    Name,
    /// Two players have one name.
    #[error("there are two players called `{0}`")]
    Twice(String),
    /// A gauntlet has nobody who runs it.
    #[error("a gauntlet needs a `champion`")]
    NoChampion,
    /// A champion is no player.
    #[error("no player is called `{name}`")]
    Champion {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// Nobody is left to meet the champions.
    #[error("all players are champions: nobody is left for them to meet")]
    OnlyChampions,
}

impl Problem {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Kind(_) => format!("the kinds are {}", KINDS.join(", ")),
            Self::Opening(_) => "give a number of turns, or the least and the most: 2..6".into(),
            Self::Few(_) => "each has a [[player]] with a `name` and a `player`".into(),
            Self::Player(_) => {
                "write player = \"mcts:ms=50\" or command = \"./my-bot --flag\"".into()
            }
            Self::Twice(_) => "give one of them a `name` of its own".into(),
            Self::Champion { known, .. } => format!("the players are {known}"),
            _ => return None,
        })
    }
}

const LONGEST_NAME: usize = 80;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawPlan {
    name: Option<Spanned<String>>,
    game: Spanned<String>,
    kind: Option<Spanned<String>>,
    #[serde(default)]
    seed: u64,
    pairs: Option<Spanned<u64>>,
    rounds: Option<Spanned<u64>>,
    champion: Option<Spanned<String>>,
    champions: Option<Vec<Spanned<String>>>,
    opening: Option<Spanned<Turns>>,
    #[serde(default)]
    settled: bool,
    pace: Option<Spanned<String>>,
    cage: Option<Spanned<String>>,
    jobs: Option<Spanned<u64>>,
    store: Option<PathBuf>,
    #[serde(default)]
    bounds: RawBounds,
    #[serde(default)]
    player: Vec<Spanned<RawPlayer>>,
}

/// A number or a range of turns.
#[derive(Deserialize)]
#[serde(untagged)]
enum Turns {
    Number(u32),
    Text(String),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawBounds {
    memory: Option<Spanned<String>>,
    /// Seconds.
    cpu: Option<Spanned<u64>>,
    processes: Option<Spanned<u64>>,
    file_size: Option<Spanned<String>>,
    files: Option<Spanned<u64>>,
    #[serde(default)]
    read: Vec<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawPlayer {
    name: Option<Spanned<String>>,
    player: Option<Spanned<String>>,
    command: Option<Spanned<String>>,
    protocol: Option<Spanned<String>>,
    folder: Option<Spanned<PathBuf>>,
    read: Option<Spanned<Vec<PathBuf>>>,
    memory: Option<Spanned<String>>,
    processes: Option<Spanned<u64>>,
}

/// A problem and the bytes of the file that it is about.
struct Found(Problem, Range<usize>);

trait At<T> {
    fn at(self, span: Range<usize>) -> Result<T, Found>;
}

impl<T, E: Into<Problem>> At<T> for Result<T, E> {
    fn at(self, span: Range<usize>) -> Result<T, Found> {
        self.map_err(|problem| Found(problem.into(), span))
    }
}

impl Plan {
    /// Reads a plan's file.
    ///
    /// # Errors
    /// It cannot be read, or is no plan: where, and why.
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
    /// It is no plan: where, and why.
    pub fn parse(text: &str, path: &Path) -> Result<Self, PlanError> {
        Self::check(text, path).map_err(|Found(problem, span)| {
            let before = &text[..floor(text, span.start)];
            let line = before.rsplit('\n').next().unwrap_or_default();
            PlanError::Wrong {
                path: path.into(),
                line: before.matches('\n').count() + 1,
                column: line.chars().count() + 1,
                problem,
            }
        })
    }

    /// How bots play.
    #[must_use]
    pub fn conditions(&self) -> Conditions {
        Conditions {
            pace: Some(self.pace),
            cage: self.cage.clone(),
            cores: Vec::new(),
        }
    }

    fn check(text: &str, path: &Path) -> Result<Self, Found> {
        let raw: RawPlan = toml::from_str(text).map_err(|error| {
            let message = error.message().replace('\n', ": ");
            Found(Problem::Text(message), error.span().unwrap_or(0..0))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let stem = || path.file_stem().unwrap_or_default().to_string_lossy();
        let game = parse::<AnyGame>(&raw.game)?;
        let pace = match &raw.pace {
            Some(pace) => parse(pace)?,
            None => with_game!(&game, |game| game.pace()),
        };
        let players = players(&raw.player, folder)?;
        let kind = kind(&raw, &players)?;
        let pairs = match &raw.pairs {
            None if kind == Kind::League => 1,
            None => PAIRS,
            Some(pairs) => {
                foreign("pairs", pairs.span(), kind != Kind::League, &kind)?;
                number("pairs", pairs, 1, MOST_PAIRS)?
            }
        };
        Ok(Self {
            name: match &raw.name {
                Some(name) => name_of(name)?,
                None => stem().into_owned(),
            },
            seed: raw.seed,
            kind,
            pairs,
            opening: match &raw.opening {
                Some(turns) => opening(turns)?,
                None => Opening::OfGame,
            },
            until: match raw.settled {
                true => Until::Settled,
                false => Until::End,
            },
            pace,
            cage: cage(&raw, folder)?,
            jobs: match &raw.jobs {
                Some(jobs) => number("jobs", jobs, 1, 4096)? as usize,
                None => 1,
            },
            store: match &raw.store {
                Some(store) => folder.join(store),
                None => path.with_extension("sqlite"),
            },
            players,
            game,
        })
    }
}

/// The last place at or before `at` where a character begins.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|&i| text.is_char_boundary(i))
        .unwrap_or(0)
}

fn parse<T: std::str::FromStr>(text: &Spanned<String>) -> Result<T, Found>
where
    T::Err: Into<Problem>,
{
    text.get_ref().parse().at(text.span())
}

fn number(key: &'static str, value: &Spanned<u64>, least: u64, most: u64) -> Result<u64, Found> {
    let span = value.span();
    let value = *value.get_ref();
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    let problem = Problem::Number {
        key,
        value,
        least,
        most,
    };
    Err(Found(problem, span))
}

fn foreign(key: &'static str, span: Range<usize>, fits: bool, kind: &Kind) -> Result<(), Found> {
    let kind = kind.name();
    match fits {
        true => Ok(()),
        false => Err(Found(Problem::Foreign { key, kind }, span)),
    }
}

fn name_of(name: &Spanned<String>) -> Result<String, Found> {
    let span = name.span();
    let name = name.get_ref().trim();
    let length = name.chars().count();
    if !(1..=LONGEST_NAME).contains(&length) || name.chars().any(char::is_control) {
        return Err(Found(Problem::Name, span));
    }
    Ok(name.into())
}

/// `4`, or `2..6` with both ends.
fn opening(turns: &Spanned<Turns>) -> Result<Opening, Found> {
    let text = match turns.get_ref() {
        Turns::Number(turns) => return Ok(Opening::Turns(*turns..=*turns)),
        Turns::Text(text) => text,
    };
    parse_opening(text).ok_or_else(|| Found(Problem::Opening(text.clone()), turns.span()))
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

fn size(text: &Spanned<String>) -> Result<u64, Found> {
    // bots write their memory the same way
    let bot = format!("cmd[memory={}]:x", text.get_ref()).parse::<BotSpec>();
    let size = bot.ok().and_then(|bot| bot.memory);
    size.ok_or_else(|| Found(Problem::Size(text.get_ref().clone()), text.span()))
}

fn cage(raw: &RawPlan, folder: &Path) -> Result<Cage, Found> {
    let mode = match &raw.cage {
        Some(mode) => parse::<Mode>(mode)?,
        None => Mode::default(),
    };
    let mut bounds = Bounds::default();
    let given = &raw.bounds;
    if let Some(memory) = &given.memory {
        bounds.memory = size(memory)?;
    }
    if let Some(seconds) = &given.cpu {
        let seconds = number("cpu", seconds, 1, u32::MAX.into())?;
        bounds.cpu = Some(Duration::from_secs(seconds));
    }
    if let Some(processes) = &given.processes {
        bounds.processes = number("processes", processes, 1, 1 << 20)? as u32;
    }
    if let Some(file_size) = &given.file_size {
        bounds.file_size = size(file_size)?;
    }
    if let Some(files) = &given.files {
        bounds.files = number("files", files, 3, 1 << 20)? as u32;
    }
    let readable = given.read.iter().map(|path| folder.join(path)).collect();
    Ok(Cage {
        mode,
        bounds,
        readable,
    })
}

fn kind(raw: &RawPlan, players: &[Contender]) -> Result<Kind, Found> {
    let name = raw.kind.as_ref().map_or("round-robin", |k| k.get_ref());
    let listed = raw.champions.iter().flatten();
    let champions: Vec<_> = raw.champion.iter().chain(listed).collect();
    let kind = match name {
        "round-robin" => Kind::RoundRobin,
        "gauntlet" => Kind::Gauntlet {
            champions: places(&champions, players)?,
        },
        "swiss" => Kind::Swiss {
            rounds: match &raw.rounds {
                Some(rounds) => number("rounds", rounds, 1, 10_000)? as u32,
                // enough for one player to come out ahead, and one more
                None => players.len().next_power_of_two().ilog2() + 1,
            },
        },
        "league" => Kind::League,
        _ => {
            let span = raw.kind.as_ref().map_or(0..0, Spanned::span);
            return Err(Found(Problem::Kind(name.into()), span));
        }
    };
    if let Some(rounds) = &raw.rounds {
        let fits = matches!(kind, Kind::Swiss { .. });
        foreign("rounds", rounds.span(), fits, &kind)?;
    }
    match (&kind, champions.first()) {
        (Kind::Gauntlet { champions }, _) if champions.is_empty() => {
            let span = raw.kind.as_ref().map_or(0..0, Spanned::span);
            Err(Found(Problem::NoChampion, span))
        }
        (Kind::Gauntlet { champions }, Some(champion)) if champions.len() == players.len() => {
            Err(Found(Problem::OnlyChampions, champion.span()))
        }
        (_, Some(champion)) => {
            let fits = matches!(kind, Kind::Gauntlet { .. });
            foreign("champion", champion.span(), fits, &kind)?;
            Ok(kind)
        }
        _ => Ok(kind),
    }
}

fn places(champions: &[&Spanned<String>], players: &[Contender]) -> Result<Vec<usize>, Found> {
    let mut places = Vec::new();
    for champion in champions {
        let name = champion.get_ref().trim();
        let Some(place) = players.iter().position(|player| player.name == name) else {
            let known: Vec<_> = players.iter().map(|p| p.name.as_str()).collect();
            let problem = Problem::Champion {
                name: name.into(),
                known: known.join(", "),
            };
            return Err(Found(problem, champion.span()));
        };
        places.push(place);
    }
    places.sort_unstable();
    places.dedup();
    Ok(places)
}

fn players(raw: &[Spanned<RawPlayer>], folder: &Path) -> Result<Vec<Contender>, Found> {
    let mut players: Vec<Contender> = Vec::new();
    for raw in raw {
        let (text, entrant) = entrant(raw, folder)?;
        let given = raw.get_ref();
        let (name, span) = match &given.name {
            Some(name) => (name_of(name)?, name.span()),
            None => {
                let text = given.player.as_ref().or(given.command.as_ref());
                let span = text.map_or(raw.span(), Spanned::span);
                let text = text.map(|text| text.get_ref().clone()).unwrap_or_default();
                (name_of(&Spanned::new(span.clone(), text))?, span)
            }
        };
        if players.iter().any(|player| player.name == name) {
            return Err(Found(Problem::Twice(name), span));
        }
        players.push(Contender {
            name,
            text,
            entrant,
        });
    }
    if players.len() < 2 {
        let span = raw.first().map_or(0..0, Spanned::span);
        return Err(Found(Problem::Few(players.len()), span));
    }
    Ok(players)
}

/// A player's text, the same from wherever the plan is read, and the player as it can be
/// seated from here.
fn entrant(raw: &Spanned<RawPlayer>, folder: &Path) -> Result<(String, Entrant), Found> {
    let given = raw.get_ref();
    let mut bot = match (&given.player, &given.command) {
        (Some(player), None) => {
            refuse_bot_keys(given)?;
            match parse::<Entrant>(player)? {
                house @ Entrant::House(_) => return Ok((house.to_string(), house)),
                Entrant::Bot(bot) => bot,
            }
        }
        (None, Some(command)) => {
            let mut bot: BotSpec = format!("cmd:{}", command.get_ref())
                .parse()
                .at(command.span())?;
            if let Some(protocol) = &given.protocol {
                let named: BotSpec = format!("cmd[{}]:x", protocol.get_ref())
                    .parse()
                    .at(protocol.span())?;
                bot.protocol = named.protocol;
            }
            bot.folder = given.folder.as_ref().map(|f| f.get_ref().clone());
            bot.readable = match &given.read {
                Some(read) => read.get_ref().clone(),
                None => Vec::new(),
            };
            bot.memory = given.memory.as_ref().map(size).transpose()?;
            if let Some(processes) = &given.processes {
                bot.processes = Some(number("processes", processes, 1, 1 << 20)? as u32);
            }
            bot
        }
        (None, None) => return Err(Found(Problem::Player("neither"), raw.span())),
        (Some(_), Some(command)) => {
            return Err(Found(Problem::Player("both"), command.span()));
        }
    };
    let text = bot.to_string();
    if folder != Path::new("") {
        let is_path = bot.command[0].contains('/');
        if is_path {
            let mut program = folder.join(&bot.command[0]);
            if let Some(own) = &bot.folder
                && !program.exists()
            {
                program = folder.join(own).join(&bot.command[0]);
            }
            bot.command[0] = program.to_string_lossy().into_owned();
        }
        bot.folder = match bot.folder {
            Some(own) => Some(folder.join(own)),
            None if is_path => None,
            None => Some(folder.into()),
        };
        for path in &mut bot.readable {
            *path = folder.join(&path);
        }
    }
    Ok((text, Entrant::Bot(bot)))
}

fn refuse_bot_keys(given: &RawPlayer) -> Result<(), Found> {
    let keys = [
        ("protocol", given.protocol.as_ref().map(Spanned::span)),
        ("folder", given.folder.as_ref().map(Spanned::span)),
        ("read", given.read.as_ref().map(Spanned::span)),
        ("memory", given.memory.as_ref().map(Spanned::span)),
        ("processes", given.processes.as_ref().map(Spanned::span)),
    ];
    match keys.into_iter().find_map(|(key, span)| Some((key, span?))) {
        Some((key, span)) => Err(Found(Problem::NotOfBot(key), span)),
        None => Ok(()),
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<Plan, PlanError> {
        Plan::parse(text, Path::new("cups/spring.toml"))
    }

    const TWO: &str = "[[player]]\nplayer = \"random\"\n[[player]]\nplayer = \"material\"\n";

    #[test]
    fn a_short_plan_takes_the_rest_from_the_game() {
        let plan = plan(&format!("game = \"duel\"\n{TWO}")).unwrap();
        assert_eq!(plan.name, "spring");
        assert_eq!(plan.kind, Kind::RoundRobin);
        assert_eq!((plan.pairs, plan.seed, plan.jobs), (10, 0, 1));
        assert_eq!(plan.opening, Opening::OfGame);
        assert_eq!(plan.pace, Pace::of_milliseconds(1000, 50));
        assert_eq!(plan.store, Path::new("cups/spring.sqlite"));
        let names: Vec<_> = plan.players.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["random", "material"]);
    }

    #[test]
    fn everything_can_be_said() {
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
        assert_eq!(plan.kind, Kind::Gauntlet { champions: vec![0] });
        assert_eq!((plan.pairs, plan.seed, plan.jobs), (3, 7, 2));
        assert_eq!(plan.opening, Opening::Turns(2..=6));
        assert_eq!(plan.until, Until::Settled);
        assert_eq!(plan.pace, Pace::of_milliseconds(200, 200));
        assert_eq!(plan.cage.mode, Mode::Strict);
        let bounds = Bounds {
            memory: 2 << 30,
            cpu: Some(Duration::from_secs(60)),
            processes: 4,
            file_size: 1 << 20,
            files: 12,
        };
        assert_eq!(plan.cage.bounds, bounds);
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
    fn what_is_wrong_is_told_with_its_place() {
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

    #[test]
    fn a_kind_that_is_none_gets_a_hint() {
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
