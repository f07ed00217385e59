//! A laser page: levels to play, an editor with a solver's verdict, and a level generator.
//!
//! Each page has a game of its own and is sent the whole board with its light after each change,
//! since a board is small. A page that reconnects names its level and the moves so far.

mod message;
mod search;
mod view_model;

pub(crate) use search::LaserSearch;

use crate::room::{Room, RoomNews};
use grid::Point;
use laser::play::{LaserOutcome, Play};
use laser::{Board, LevelFileError, Light, Move, level};
use message::{LaserLevelRequest, LaserMessage, LaserRecipeRequest};
use models::laser::{LaserLevel, LaserReport, resume};
use search::LaserSearchReport;
use serde_json::{Value, json};
use std::collections::VecDeque;
use thiserror::Error;

/// The longest side of a level of a page's own: the editor's, and what a link may bring.
const LONGEST_SIDE: u32 = 64;

/// A name that is shown has no more signs than this.
const LONGEST_NAME: usize = 80;

/// The lanes of what is searched: for the game, for the drawing, and levels made to order.
const ADVICE: u32 = 0;
const VERDICT: u32 = 1;
const GENERATION: u32 = 2;

/// A laser page.
///
/// ```
/// use wire::{LaserRoom, Room, RoomNews};
///
/// let mut room = LaserRoom::default();
/// assert!(matches!(room.take(), Some(RoomNews::Text(text)) if text.starts_with("{\"welcome\"")));
/// room.tell(r#"{"play":{"text":"4 3\nW W SvW\nL>. . W\nW M/W W"}}"#)?;
/// assert!(matches!(room.take(), Some(RoomNews::Text(text)) if text.starts_with("{\"view\"")));
/// // how few moves solve it is looked for elsewhere
/// assert!(matches!(room.take(), Some(RoomNews::Work { lane: 0, job: Some(_) })));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct LaserRoom {
    news: VecDeque<RoomNews>,
    game: Option<LaserPageGame>,
    /// The board that the solver is asked about for the game.
    advice: Option<Board>,
}

impl Default for LaserRoom {
    fn default() -> Self {
        Self {
            news: [RoomNews::Text(view_model::welcome().into())].into(),
            game: None,
            advice: None,
        }
    }
}

#[derive(Debug)]
struct LaserPageGame {
    play: Play,
    /// The built-in level's name.
    level: Option<&'static str>,
    about: String,
}

/// A level that cannot be opened.
#[derive(Debug, Error)]
enum LevelOpenError {
    #[error("there is no level called `{0}`")]
    NoLevel(String),
    #[error("say which level: a name, or a text")]
    NoneMeant,
    #[error(transparent)]
    File(#[from] LevelFileError),
    #[error("a level has at most {LONGEST_SIDE} columns and rows here, and not {0} x {1}")]
    Large(u32, u32),
}

impl LevelOpenError {
    fn to_json(&self) -> Value {
        let mut body = json!({ "words": self.to_string() });
        if let Self::File(error) = self {
            body["line"] = error.line.into();
            body["column"] = error.column.into();
            body["words"] = format!(
                "line {}, column {}: {}",
                error.line, error.column, error.problem
            )
            .into();
        }
        body
    }
}

impl Room for LaserRoom {
    fn tell(&mut self, text: &str) -> Result<(), String> {
        let message = serde_json::from_str(text)
            .map_err(|error| format!("no message that is known here: {error}"))?;
        self.handle(message);
        Ok(())
    }

    fn take(&mut self) -> Option<RoomNews> {
        self.news.pop_front()
    }

    fn hear(&mut self, lane: u32, report: &str) {
        if lane != ADVICE {
            self.news.push_back(RoomNews::Text(report.into()));
            return;
        }
        let (Some(about), Some(game)) = (self.advice.take(), &mut self.game) else {
            return;
        };
        let answer = LaserSearchReport::read(report);
        match game.play.record_answer(&about, &answer) {
            Some(outcome) => self.send_report(&LaserReport::of(outcome)),
            None => self.send_view("", false, Some(("quiet", true.into()))),
        }
        self.start_search();
    }
}

impl LaserRoom {
    fn handle(&mut self, message: LaserMessage) {
        match message {
            LaserMessage::Play(request) => self.play(request),
            LaserMessage::Do(text) => self.run_command(&text),
            LaserMessage::Preview { from, to } => self.preview(from, to),
            LaserMessage::Draft { id, text } => self.draw(id, &text),
            LaserMessage::Generate(request) => self.generate(&request),
            LaserMessage::Cancel(true) => self.search(GENERATION, None),
            LaserMessage::Cancel(false) => {}
        }
    }

    /// Has something searched in the place of what is searched in a lane, or nothing.
    fn search(&mut self, lane: u32, search: Option<&LaserSearch>) {
        let job = search.map(LaserSearch::to_job);
        self.news.push_back(RoomNews::Work { lane, job });
    }

    fn send(&mut self, body: &Value) {
        self.news.push_back(RoomNews::Text(body.to_string()));
    }

    fn play(&mut self, request: LaserLevelRequest) {
        let mut game = match open_level(&request) {
            Ok(game) => game,
            Err(error) => {
                let body = json!({ "unopened": error.to_json() });
                return self.send(&body);
            }
        };
        // as it stood
        resume(&mut game.play, &request.made, &request.taken_back);
        let text = game.play.start().to_string();
        self.game = Some(game);
        self.send_view("", false, Some(("text", text.into())));
        self.start_search();
    }

    /// A command.
    fn run_command(&mut self, text: &str) {
        let Some(game) = &mut self.game else {
            return;
        };
        let report = LaserReport::of_command(&mut game.play, text);
        // what is no command changes nothing that is searched for
        self.send_report(&report);
        self.start_search();
    }

    /// Sends what came of a command.
    fn send_report(&mut self, report: &LaserReport) {
        let more = match &report.outcome {
            Some(LaserOutcome::Solution(moves)) => Some((
                "solution",
                moves.iter().map(view_model::solution_step).collect(),
            )),
            Some(LaserOutcome::Undone(action)) => {
                Some(("cursor", view_model::place(action.step.from)))
            }
            Some(LaserOutcome::Redone(action) | LaserOutcome::Moved(action)) => {
                Some(("cursor", view_model::place(action.step.to)))
            }
            _ => None,
        };
        self.send_view(&report.words, report.is_refused(), more);
    }

    /// Sends the state of the game.
    fn send_view(&mut self, words: &str, is_wrong: bool, more: Option<(&str, Value)>) {
        let Some(game) = &self.game else {
            return;
        };
        let mut view = view_model::view(&game.play, words, is_wrong);
        view["name"] = game.play.name().into();
        view["level"] = game.level.into();
        view["about"] = game.about.as_str().into();
        if let Some((name, value)) = more {
            view[name] = value;
        }
        self.send(&json!({ "view": view }));
    }

    /// Has the solver asked what the game wants to know, unless it is asked that already.
    fn start_search(&mut self) {
        let game = self.game.as_ref();
        let wanted = game.and_then(|game| game.play.board_to_solve()).cloned();
        if wanted == self.advice {
            return;
        }
        let search = wanted.as_ref().map(|board| LaserSearch::Solve {
            board: board.to_string(),
        });
        self.search(ADVICE, search.as_ref());
        self.advice = wanted;
    }

    fn preview(&mut self, from: [u32; 2], to: [u32; 2]) {
        let Some(game) = &self.game else { return };
        let place = |[x, y]: [u32; 2]| Point::new(x.into(), y.into());
        let step = Move {
            from: place(from),
            to: place(to),
        };
        let mut board = game.play.board().clone();
        if board.apply(step).is_ok() {
            self.send(&view_model::preview(step, &board));
        }
    }

    /// Handles a drawing of the editor: sends its light at once, and the verdict when it is known.
    fn draw(&mut self, id: u64, text: &str) {
        let board = match read(text) {
            Ok(board) => board,
            Err(error) => {
                self.search(VERDICT, None);
                let mut body = error.to_json();
                body["id"] = id.into();
                return self.send(&json!({ "undrawn": body }));
            }
        };
        let mut body = view_model::board(&board, &Light::of(&board));
        body["id"] = id.into();
        body["text"] = board.to_string().into();
        self.send(&json!({ "drawn": body }));
        let board = board.to_string();
        self.search(VERDICT, Some(&LaserSearch::Judge { board, id }));
    }

    fn generate(&mut self, request: &LaserRecipeRequest) {
        if let Err(words) = request.recipe() {
            self.search(GENERATION, None);
            return self.send(&json!({ "unmade": { "words": words } }));
        }
        self.search(GENERATION, Some(&LaserSearch::Generate(request.clone())));
    }
}

fn open_level(request: &LaserLevelRequest) -> Result<LaserPageGame, LevelOpenError> {
    if let Some(name) = &request.level {
        let entry = level::find(name);
        let entry = entry.ok_or_else(|| LevelOpenError::NoLevel(shortened(name)))?;
        let level = LaserLevel::from(entry);
        return Ok(LaserPageGame {
            play: level.play(),
            level: Some(entry.name),
            about: level.about,
        });
    }
    let board = read(request.text.as_deref().ok_or(LevelOpenError::NoneMeant)?)?;
    let name = request.name.as_deref().unwrap_or("a level of one's own");
    Ok(LaserPageGame {
        about: format!("{} x {}", board.width(), board.height()),
        play: Play::new(shortened(name), board),
        level: None,
    })
}

/// Parses a level and checks its size.
fn read(text: &str) -> Result<Board, LevelOpenError> {
    let board: Board = text.parse()?;
    let (width, height) = (board.width(), board.height());
    if width.max(height) > LONGEST_SIDE {
        return Err(LevelOpenError::Large(width, height));
    }
    Ok(board)
}

fn shortened(name: &str) -> String {
    name.chars()
        .filter(|sign| !sign.is_control())
        .take(LONGEST_NAME)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WireClock, run_job};
    use models::worker_pool::JobPermit;
    use std::sync::Arc;
    use std::time::Duration;

    fn clock() -> WireClock {
        Arc::new(|| Duration::ZERO)
    }

    /// What a page is told that says this, with all work done at once.
    fn told(room: &mut LaserRoom, message: &str) -> Vec<serde_json::Value> {
        room.tell(message).unwrap();
        let mut told = Vec::new();
        while let Some(news) = room.take() {
            match news {
                RoomNews::Text(text) => told.push(serde_json::from_str(&text).unwrap()),
                RoomNews::Work { lane, job } => {
                    let mut reports = Vec::new();
                    let permit = JobPermit::timed(Duration::from_secs(60), || Duration::ZERO);
                    if let Some(job) = job {
                        run_job(&job, &permit, &clock(), &mut |report| reports.push(report));
                    }
                    reports.iter().for_each(|report| room.hear(lane, report));
                }
                RoomNews::Frame(_) | RoomNews::Draft(_) => {
                    panic!("a laser page has no frames and wants no drafts")
                }
            }
        }
        told
    }

    #[test]
    fn what_is_searched_elsewhere_is_told() {
        let mut room = LaserRoom::default();
        let level = "4 3\nW W SvW\nL>. . W\nW M/W W";
        let told_of = |room: &mut LaserRoom, body: serde_json::Value| told(room, &body.to_string());
        let views = told_of(&mut room, json!({ "play": { "text": level } }));
        let last = &views.last().unwrap()["view"];
        assert_eq!(
            (&last["fewest"], &last["searching"]),
            (&json!(1), &json!(false))
        );
        let hint = told_of(&mut room, json!({ "do": "hint" }));
        assert_eq!(hint.last().unwrap()["view"]["hint"], json!([1, 2, 2, 1]));
        let verdicts = told_of(&mut room, json!({ "draft": { "id": 7, "text": level } }));
        let last = &verdicts.last().unwrap()["verdict"];
        assert_eq!(
            (&last["done"], &last["fewest"], &last["id"]),
            (&json!(true), &json!(1), &json!(7))
        );
        let recipe = json!({ "width": 5, "height": 5, "pieces": "2", "walls": 2, "seed": 1, "difficulty": null });
        let made = told_of(&mut room, json!({ "generate": recipe }));
        assert!(made.last().unwrap()["made"]["text"].is_string(), "{made:?}");
    }

    #[test]
    fn what_is_no_work_is_told() {
        let mut reports = Vec::new();
        let permit = JobPermit::timed(Duration::ZERO, || Duration::ZERO);
        run_job("{\"dig\":1}", &permit, &clock(), &mut |report| {
            reports.push(report)
        });
        assert!(reports[0].starts_with("{\"error\":"), "{reports:?}");
    }
}
