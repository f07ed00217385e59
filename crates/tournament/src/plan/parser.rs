//! Parses a plan from TOML and validates it.

use super::problem::LONGEST_NAME;
use super::{Participant, Plan, PlanProblem, TournamentKind, parse_opening};
use arena::Entrant;
use arena::bot::{BotGame, BotSpec};
use cage::{Cage, CageMode, ResourceLimits};
use games::{AnyGame, with_game};
use matches::{Opening, StopCondition};
use serde::Deserialize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// Default number of pairs per meeting.
const PAIRS: u64 = 10;

/// Maximum number of pairs per meeting; more is taken for a typing error.
const MOST_PAIRS: u64 = 1_000_000_000;

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
    opening: Option<Spanned<RawOpening>>,
    #[serde(default)]
    settled: bool,
    #[serde(default)]
    timed: bool,
    pace: Option<Spanned<String>>,
    cage: Option<Spanned<String>>,
    jobs: Option<Spanned<u64>>,
    store: Option<Spanned<PathBuf>>,
    #[serde(default)]
    bounds: RawBounds,
    #[serde(default)]
    player: Vec<Spanned<RawPlayer>>,
}

/// A number or a range of turns.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawOpening {
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

/// A problem and the byte range of the file that it concerns.
pub(super) struct SpannedPlanProblem(pub(super) PlanProblem, pub(super) Range<usize>);

trait PlanErrorContext<T> {
    fn at(self, span: Range<usize>) -> Result<T, SpannedPlanProblem>;
}

impl<T, E: Into<PlanProblem>> PlanErrorContext<T> for Result<T, E> {
    fn at(self, span: Range<usize>) -> Result<T, SpannedPlanProblem> {
        self.map_err(|problem| SpannedPlanProblem(problem.into(), span))
    }
}

/// Parses a plan from a file's text.
pub(super) fn plan(text: &str, path: &Path) -> Result<Plan, SpannedPlanProblem> {
    let raw: RawPlan = toml::from_str(text).map_err(|error| {
        let message = error.message().replace('\n', ": ");
        SpannedPlanProblem(PlanProblem::Text(message), error.span().unwrap_or(0..0))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy();
    let game = parse::<AnyGame>(&raw.game)?;
    let time_control = match &raw.pace {
        Some(time_control) => parse(time_control)?,
        None => with_game!(&game, |game| game.time_control()),
    };
    let players = players(&raw.player, folder)?;
    let kind = kind(&raw, &players)?;
    let pairs = match &raw.pairs {
        None if kind == TournamentKind::League => 1,
        None => PAIRS,
        Some(pairs) => {
            foreign("pairs", pairs.span(), kind != TournamentKind::League, &kind)?;
            number("pairs", pairs, 1, MOST_PAIRS)?
        }
    };
    Ok(Plan {
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
        stop_condition: match raw.settled {
            true => StopCondition::Settled,
            false => StopCondition::End,
        },
        is_timed: raw.timed,
        time_control,
        cage: cage(&raw, folder)?,
        builtin_time_limit: None,
        jobs: match &raw.jobs {
            Some(jobs) => number("jobs", jobs, 1, 4096)? as usize,
            None => 1,
        },
        store: match &raw.store {
            Some(store) if store.get_ref().file_name().is_none() => {
                return Err(SpannedPlanProblem(PlanProblem::Store, store.span()));
            }
            Some(store) => folder.join(store.get_ref()),
            None => path.with_extension("sqlite"),
        },
        players,
        game,
    })
}
/// The last character boundary at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|&i| text.is_char_boundary(i))
        .unwrap_or(0)
}

fn parse<T: std::str::FromStr>(text: &Spanned<String>) -> Result<T, SpannedPlanProblem>
where
    T::Err: Into<PlanProblem>,
{
    text.get_ref().parse().at(text.span())
}

fn number(
    key: &'static str,
    value: &Spanned<u64>,
    least: u64,
    most: u64,
) -> Result<u64, SpannedPlanProblem> {
    let span = value.span();
    let value = *value.get_ref();
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    let problem = PlanProblem::Number {
        key,
        value,
        least,
        most,
    };
    Err(SpannedPlanProblem(problem, span))
}

fn foreign(
    key: &'static str,
    span: Range<usize>,
    fits: bool,
    kind: &TournamentKind,
) -> Result<(), SpannedPlanProblem> {
    let kind = kind.name();
    match fits {
        true => Ok(()),
        false => Err(SpannedPlanProblem(PlanProblem::Foreign { key, kind }, span)),
    }
}

fn name_of(name: &Spanned<String>) -> Result<String, SpannedPlanProblem> {
    let span = name.span();
    let name = name.get_ref().trim();
    let length = name.chars().count();
    if !(1..=LONGEST_NAME).contains(&length) || name.chars().any(is_unseen) {
        return Err(SpannedPlanProblem(PlanProblem::Name, span));
    }
    Ok(name.into())
}

/// Invisible control characters: they would break lines or change the text direction.
fn is_unseen(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `4`, or `2..6` with both ends.
fn opening(turns: &Spanned<RawOpening>) -> Result<Opening, SpannedPlanProblem> {
    let text = match turns.get_ref() {
        RawOpening::Number(turns) => return Ok(Opening::Turns(*turns..=*turns)),
        RawOpening::Text(text) => text,
    };
    parse_opening(text)
        .ok_or_else(|| SpannedPlanProblem(PlanProblem::Opening(text.clone()), turns.span()))
}

fn size(text: &Spanned<String>) -> Result<u64, SpannedPlanProblem> {
    // bots write their memory the same way
    let bot = format!("cmd[memory={}]:x", text.get_ref()).parse::<BotSpec>();
    let size = bot.ok().and_then(|bot| bot.memory);
    size.ok_or_else(|| SpannedPlanProblem(PlanProblem::Size(text.get_ref().clone()), text.span()))
}

fn cage(raw: &RawPlan, folder: &Path) -> Result<Cage, SpannedPlanProblem> {
    let mode = match &raw.cage {
        Some(mode) => parse::<CageMode>(mode)?,
        None => CageMode::default(),
    };
    let mut limits = ResourceLimits::default();
    let given = &raw.bounds;
    if let Some(memory) = &given.memory {
        limits.memory = size(memory)?;
    }
    if let Some(seconds) = &given.cpu {
        let seconds = number("cpu", seconds, 1, u32::MAX.into())?;
        limits.cpu = Some(Duration::from_secs(seconds));
    }
    if let Some(processes) = &given.processes {
        limits.processes = number("processes", processes, 1, 1 << 20)? as u32;
    }
    if let Some(file_size) = &given.file_size {
        limits.file_size = size(file_size)?;
    }
    if let Some(files) = &given.files {
        limits.files = number("files", files, 3, 1 << 20)? as u32;
    }
    let readable = given.read.iter().map(|path| folder.join(path)).collect();
    Ok(Cage {
        mode,
        limits,
        readable,
    })
}

fn kind(raw: &RawPlan, players: &[Participant]) -> Result<TournamentKind, SpannedPlanProblem> {
    let name = raw.kind.as_ref().map_or("round-robin", |k| k.get_ref());
    let listed = raw.champions.iter().flatten();
    let champions: Vec<_> = raw.champion.iter().chain(listed).collect();
    let kind = match name {
        "round-robin" => TournamentKind::RoundRobin,
        "gauntlet" => TournamentKind::Gauntlet {
            champions: places(&champions, players)?,
        },
        "swiss" => TournamentKind::Swiss {
            rounds: match &raw.rounds {
                Some(rounds) => number("rounds", rounds, 1, 10_000)? as u32,
                // enough for one player to come out ahead, and one more
                None => players.len().next_power_of_two().ilog2() + 1,
            },
        },
        "league" => TournamentKind::League,
        _ => {
            let span = raw.kind.as_ref().map_or(0..0, Spanned::span);
            return Err(SpannedPlanProblem(PlanProblem::Kind(name.into()), span));
        }
    };
    if let Some(rounds) = &raw.rounds {
        let fits = matches!(kind, TournamentKind::Swiss { .. });
        foreign("rounds", rounds.span(), fits, &kind)?;
    }
    match (&kind, champions.first()) {
        (TournamentKind::Gauntlet { champions }, _) if champions.is_empty() => {
            let span = raw.kind.as_ref().map_or(0..0, Spanned::span);
            Err(SpannedPlanProblem(PlanProblem::NoChampion, span))
        }
        (TournamentKind::Gauntlet { champions }, Some(champion))
            if champions.len() == players.len() =>
        {
            Err(SpannedPlanProblem(
                PlanProblem::OnlyChampions,
                champion.span(),
            ))
        }
        (_, Some(champion)) => {
            let fits = matches!(kind, TournamentKind::Gauntlet { .. });
            foreign("champion", champion.span(), fits, &kind)?;
            Ok(kind)
        }
        _ => Ok(kind),
    }
}

fn places(
    champions: &[&Spanned<String>],
    players: &[Participant],
) -> Result<Vec<usize>, SpannedPlanProblem> {
    let mut places = Vec::new();
    for champion in champions {
        let name = champion.get_ref().trim();
        let Some(place) = players.iter().position(|player| player.name == name) else {
            let known: Vec<_> = players.iter().map(|p| p.name.as_str()).collect();
            let problem = PlanProblem::Champion {
                name: name.into(),
                known: known.join(", "),
            };
            return Err(SpannedPlanProblem(problem, champion.span()));
        };
        places.push(place);
    }
    places.sort_unstable();
    places.dedup();
    Ok(places)
}

fn players(
    raw: &[Spanned<RawPlayer>],
    folder: &Path,
) -> Result<Vec<Participant>, SpannedPlanProblem> {
    let mut players: Vec<Participant> = Vec::new();
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
            return Err(SpannedPlanProblem(PlanProblem::Twice(name), span));
        }
        players.push(Participant {
            name,
            text,
            entrant,
        });
    }
    if players.len() < 2 {
        let span = raw.first().map_or(0..0, Spanned::span);
        return Err(SpannedPlanProblem(PlanProblem::Few(players.len()), span));
    }
    Ok(players)
}

/// A player's text, independent of the plan's location, and the entrant with resolved paths.
fn entrant(
    raw: &Spanned<RawPlayer>,
    folder: &Path,
) -> Result<(String, Entrant), SpannedPlanProblem> {
    let given = raw.get_ref();
    let mut bot = match (&given.player, &given.command) {
        (Some(player), None) => {
            refuse_bot_keys(given)?;
            match parse::<Entrant>(player)? {
                house @ Entrant::Builtin(_) => return Ok((house.to_string(), house)),
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
        (None, None) => {
            return Err(SpannedPlanProblem(
                PlanProblem::Player("neither"),
                raw.span(),
            ));
        }
        (Some(_), Some(command)) => {
            return Err(SpannedPlanProblem(
                PlanProblem::Player("both"),
                command.span(),
            ));
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

fn refuse_bot_keys(given: &RawPlayer) -> Result<(), SpannedPlanProblem> {
    let keys = [
        ("protocol", given.protocol.as_ref().map(Spanned::span)),
        ("folder", given.folder.as_ref().map(Spanned::span)),
        ("read", given.read.as_ref().map(Spanned::span)),
        ("memory", given.memory.as_ref().map(Spanned::span)),
        ("processes", given.processes.as_ref().map(Spanned::span)),
    ];
    match keys.into_iter().find_map(|(key, span)| Some((key, span?))) {
        Some((key, span)) => Err(SpannedPlanProblem(PlanProblem::NotOfBot(key), span)),
        None => Ok(()),
    }
}
