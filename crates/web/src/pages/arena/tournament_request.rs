//! A visitor's request for a tournament, and its validation.

use crate::options::AllowedBot;
use crate::pages::visitor_player::{self, find_bot, parse_house_player};
use arena::bot::BotGame as _;
use axum::http::StatusCode;
use games::{AnyGame, with_game};
use matches::{Opening, StopCondition, TimeControl};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;
use tournament::{Participant, Plan, TournamentKind};
use wire::{VisitorPlayerError, check_pace, is_unseen};

/// The most players.
pub(super) const MOST_PLAYERS: usize = 16;

/// The most games.
pub(super) const MOST_GAMES: u64 = 10_000;

/// No player of the program thinks longer about a move, and no bot.
const MOST_MS: u64 = 1000;

/// Games of a league, which has no end of its own.
const LEAGUE: u64 = 200;

/// Pairs of games for each meeting, where it is not said.
const PAIRS: u64 = 5;

const LONGEST_GAME: usize = 200;
const LONGEST_PLAYER: usize = 200;
const LONGEST_NAME: usize = 60;

/// A tournament as a visitor asks for it, and as it is kept.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TournamentRequest {
    #[serde(default)]
    pub(super) name: String,
    pub(super) game: String,
    #[serde(default)]
    pub(super) kind: TournamentScheduleKind,
    pub(super) players: Vec<RequestPlayer>,
    /// For a gauntlet: the index of the player who meets all others.
    #[serde(default)]
    champion: usize,
    /// Pairs of games for each meeting.
    pairs: Option<u64>,
    /// Of a Swiss tournament.
    rounds: Option<u32>,
    /// Where to stop.
    games: Option<u64>,
    #[serde(default)]
    pub(super) seed: u64,
    #[serde(default)]
    settled: bool,
}

/// The kind of schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TournamentScheduleKind {
    #[default]
    RoundRobin,
    Gauntlet,
    Swiss,
    League,
}

/// A player of a tournament.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestPlayer {
    /// `strong:ms=50`, or `bot:NAME`.
    player: String,
    /// What the table calls it; its text where it is left out.
    #[serde(default)]
    name: String,
}

/// Why there is no such tournament.
#[derive(Debug, Error)]
pub(super) enum TournamentRequestError {
    #[error(transparent)]
    Game(#[from] games::GameNameError),
    #[error(transparent)]
    Visitor(#[from] VisitorPlayerError),
    #[error("{name}: {error}")]
    Player {
        name: String,
        error: arena::EntrantError,
    },
    #[error("a tournament has from 2 to {MOST_PLAYERS} players here, not {0}")]
    Players(usize),
    #[error("two players are called `{0}`")]
    Twice(String),
    #[error("`{0}` is no name: up to {LONGEST_NAME} signs that can be seen")]
    Name(String),
    #[error("the {what} is longer than {most} characters")]
    Long { what: &'static str, most: usize },
    #[error("these are {0} games, and {MOST_GAMES} are the most here")]
    Games(u64),
    #[error("nothing would be played")]
    Nothing,
    #[error("there is no player {0} to meet all others")]
    Champion(usize),
    #[error("{players} players can be paired for {} rounds at most, not {rounds}", players - 1)]
    Rounds { players: usize, rounds: u32 },
}

impl TournamentRequestError {
    pub(super) fn code(&self) -> StatusCode {
        match self {
            Self::Visitor(error) => visitor_player::code(error),
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Visitor(error) => error.hint(),
            Self::Twice(_) => Some("give one of them another name"),
            Self::Games(_) => Some("take fewer pairs, rounds or players"),
            _ => None,
        }
    }
}

impl TournamentRequest {
    /// What it is called.
    pub(super) fn title(&self) -> String {
        match self.name.trim() {
            "" => format!("{}, {} players", self.game.trim(), self.players.len()),
            name => name.into(),
        }
    }

    /// The plan, whose store is this file.
    pub(super) fn plan(
        &self,
        bots: &[AllowedBot],
        store: PathBuf,
    ) -> Result<Plan, TournamentRequestError> {
        if self.game.chars().count() > LONGEST_GAME {
            let (what, most) = ("game", LONGEST_GAME);
            return Err(TournamentRequestError::Long { what, most });
        }
        let game: AnyGame = self.game.trim().parse()?;
        let count = self.players.len();
        if !(2..=MOST_PLAYERS).contains(&count) {
            return Err(TournamentRequestError::Players(count));
        }
        if !self.name.trim().is_empty() {
            check_name(&self.name)?;
        }
        let mut players: Vec<Participant> = Vec::new();
        for player in &self.players {
            let participant = player.participant(&game, bots)?;
            if players.iter().any(|other| other.name == participant.name) {
                return Err(TournamentRequestError::Twice(participant.name));
            }
            players.push(participant);
        }
        let own = with_game!(&game, |game| game.time_control());
        let most = Duration::from_millis(MOST_MS);
        let plan = Plan {
            name: self.title(),
            seed: self.seed,
            kind: self.kind()?,
            pairs: self.pairs()?,
            opening: Opening::OfGame,
            stop_condition: match self.settled {
                true => StopCondition::Settled,
                false => StopCondition::End,
            },
            is_timed: false,
            time_control: TimeControl {
                first: own.first.min(most),
                each: own.each.min(most),
            },
            cage: Default::default(),
            builtin_time_limit: Some(most),
            jobs: 1,
            store,
            players,
            game,
        };
        match self.most_games() {
            0 => Err(TournamentRequestError::Nothing),
            games if games > MOST_GAMES => Err(TournamentRequestError::Games(games)),
            _ => Ok(plan),
        }
    }

    fn pairs(&self) -> Result<u64, TournamentRequestError> {
        match (self.kind, self.pairs) {
            (TournamentScheduleKind::League, _) => Ok(1),
            (_, None) => Ok(PAIRS),
            (_, Some(0)) => Err(TournamentRequestError::Nothing),
            (_, Some(pairs)) if pairs > MOST_GAMES => {
                Err(TournamentRequestError::Games(pairs.saturating_mul(2)))
            }
            (_, Some(pairs)) => Ok(pairs),
        }
    }

    fn kind(&self) -> Result<TournamentKind, TournamentRequestError> {
        let players = self.players.len();
        Ok(match self.kind {
            TournamentScheduleKind::RoundRobin => TournamentKind::RoundRobin,
            TournamentScheduleKind::Gauntlet if self.champion >= players => {
                return Err(TournamentRequestError::Champion(self.champion + 1));
            }
            TournamentScheduleKind::Gauntlet => TournamentKind::Gauntlet {
                champions: vec![self.champion],
            },
            TournamentScheduleKind::Swiss => match self.rounds() {
                rounds if rounds as usize >= players => {
                    return Err(TournamentRequestError::Rounds { players, rounds });
                }
                rounds => TournamentKind::Swiss { rounds },
            },
            TournamentScheduleKind::League => TournamentKind::League,
        })
    }

    /// The number of Swiss rounds; by default the binary logarithm of the number of players,
    /// rounded up.
    fn rounds(&self) -> u32 {
        let enough = || usize::BITS - (self.players.len() - 1).leading_zeros();
        self.rounds.unwrap_or_else(enough)
    }

    /// The number of games.
    pub(super) fn most_games(&self) -> u64 {
        let players = self.players.len() as u64;
        let meetings = match self.kind {
            TournamentScheduleKind::RoundRobin => players * (players - 1) / 2,
            TournamentScheduleKind::Gauntlet => players - 1,
            TournamentScheduleKind::Swiss => u64::from(self.rounds()) * (players / 2),
            TournamentScheduleKind::League => {
                // games come in pairs
                return self.games.unwrap_or(LEAGUE).next_multiple_of(2);
            }
        };
        let all = meetings * 2 * self.pairs().unwrap_or(0);
        match self.games {
            Some(games) => all.min(games.saturating_add(games % 2)),
            None => all,
        }
    }
}

impl RequestPlayer {
    fn participant(
        &self,
        game: &AnyGame,
        bots: &[AllowedBot],
    ) -> Result<Participant, TournamentRequestError> {
        let text = self.player.trim();
        if text.chars().count() > LONGEST_PLAYER {
            let (what, most) = ("player", LONGEST_PLAYER);
            return Err(TournamentRequestError::Long { what, most });
        }
        let name = match self.name.trim() {
            "" => text.chars().take(LONGEST_NAME).collect(),
            _ => check_name(&self.name)?,
        };
        let entrant = match find_bot(text, bots) {
            Some(bot) => bot?.clone(),
            None => {
                let entrant = parse_house_player(text)?;
                check_pace(text, MOST_MS)?;
                entrant
            }
        };
        let conditions = arena::MatchConditions::default();
        let admitted = arena::check_entrant(game, &entrant, &conditions);
        admitted.map_err(|error| TournamentRequestError::Player {
            name: name.clone(),
            error,
        })?;
        Ok(Participant {
            name,
            text: text.into(),
            entrant,
        })
    }
}

fn check_name(name: &str) -> Result<String, TournamentRequestError> {
    let name = name.trim();
    let is_one = name.chars().count() <= LONGEST_NAME && !name.chars().any(is_unseen);
    match is_one {
        true => Ok(name.into()),
        false => Err(TournamentRequestError::Name(
            name.chars().take(LONGEST_NAME).collect(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots() -> Vec<AllowedBot> {
        vec![AllowedBot {
            name: "mine".into(),
            entrant: "cmd[text]:./my-bot".parse().unwrap(),
        }]
    }

    fn plan(json: &str) -> Result<Plan, String> {
        let entry: TournamentRequest =
            serde_json::from_str(json).map_err(|error| error.to_string())?;
        entry
            .plan(&bots(), "x.sqlite".into())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn no_field_of_a_visitors_names_a_program() {
        let programs = [
            "cmd:/bin/true",
            " cmd:/bin/true",
            "CMD:/bin/true",
            "cmd[text]:/bin/true",
            "cmd[gomocup]:/bin/true",
            "bot:/bin/true",
            "bot:cmd:/bin/true",
            "bot:",
        ];
        for program in programs {
            for json in [
                format!(
                    r#"{{"game":"tictactoe","players":[{{"player":"random"}},{{"player":{program:?}}}]}}"#
                ),
                format!(
                    r#"{{"game":{program:?},"players":[{{"player":"random"}},{{"player":"heuristic"}}]}}"#
                ),
                format!(
                    r#"{{"game":"tictactoe","kind":{program:?},"players":[{{"player":"random"}},{{"player":"heuristic"}}]}}"#
                ),
                format!(
                    r#"{{"game":"tictactoe","command":{program:?},"players":[{{"player":"random"}},{{"player":"heuristic"}}]}}"#
                ),
                format!(
                    r#"{{"game":"tictactoe","players":[{{"player":"random"}},{{"player":"random","name":"b","command":{program:?}}}]}}"#
                ),
            ] {
                assert!(plan(&json).is_err(), "{json}");
            }
            // a name is only a name
            let json = format!(
                r#"{{"game":"tictactoe","name":{program:?},"players":[{{"player":"random"}},{{"player":"heuristic","name":{program:?}}}]}}"#
            );
            let plan = plan(&json).unwrap();
            assert!(plan.players.iter().all(|player| !player.entrant.is_bot()));
        }
    }

    #[test]
    fn an_allowed_bot_plays_under_its_name() {
        let plan = plan(r#"{"game":"duel","players":[{"player":"random"},{"player":"bot:mine"}]}"#)
            .unwrap();
        assert!(plan.players[1].entrant.is_bot());
        assert_eq!(
            (plan.players[1].name.as_str(), plan.players[1].text.as_str()),
            ("bot:mine", "bot:mine")
        );
    }

    #[test]
    fn everything_has_a_bound() {
        let two = r#""players":[{"player":"random"},{"player":"heuristic"}]"#;
        let rows = [
            (format!(r#"{{"game":"tictactoe",{two}}}"#), None),
            (format!(r#"{{"game":"chess",{two}}}"#), Some("chess")),
            (format!(r#"{{"game":"tictactoe","pairs":5001,{two}}}"#), Some("10002 games")),
            (format!(r#"{{"game":"tictactoe","pairs":18446744073709551615,{two}}}"#), Some("are the most here")),
            (format!(r#"{{"game":"tictactoe","pairs":0,{two}}}"#), Some("nothing would be played")),
            (format!(r#"{{"game":"tictactoe","kind":"league","games":20000,{two}}}"#), Some("20000 games")),
            (format!(r#"{{"game":"tictactoe","kind":"swiss","rounds":2,{two}}}"#), Some("1 rounds at most")),
            (format!(r#"{{"game":"tictactoe","kind":"gauntlet","champion":2,{two}}}"#), Some("no player 3")),
            (r#"{"game":"tictactoe","players":[{"player":"random"}]}"#.into(), Some("from 2 to 16")),
            (r#"{"game":"tictactoe","players":[{"player":"random"},{"player":"random"}]}"#.into(), Some("two players are called `random`")),
            (r#"{"game":"tictactoe","players":[{"player":"random"},{"player":"mcts:ms=1001"}]}"#.into(), Some("1000 ms")),
            (r#"{"game":"tictactoe","players":[{"player":"random"},{"player":"nobody"}]}"#.into(), Some("nobody")),
            (r#"{"game":"tictactoe","players":[{"player":"random"},{"player":"random","name":"a\nb"}]}"#.into(), Some("no name")),
            (r#"{"game":"tictactoe","players":[{"player":"random"},{"player":"random","name":"\u202emodnar"}]}"#.into(), Some("no name")),
            (format!(r#"{{"game":"tictactoe","name":"a\u200bb",{two}}}"#), Some("no name")),
        ];
        for (json, problem) in rows {
            match (plan(&json), problem) {
                (Ok(plan), None) => {
                    assert_eq!(plan.pairs, PAIRS);
                    let most = Duration::from_millis(MOST_MS);
                    assert_eq!(plan.builtin_time_limit, Some(most));
                    assert!(plan.time_control.first <= most && plan.time_control.each <= most);
                }
                (Err(error), Some(words)) => assert!(error.contains(words), "{json}: {error}"),
                (found, _) => panic!("{json}: {found:?}"),
            }
        }
        let many: Vec<String> = (0..17)
            .map(|i| format!(r#"{{"player":"random","name":"{i}"}}"#))
            .collect();
        let json = format!(r#"{{"game":"tictactoe","players":[{}]}}"#, many.join(","));
        assert!(plan(&json).unwrap_err().contains("not 17"));
    }
}
