//! A connected laser page: its game, its drawing, and its searches.

use super::message::{LaserLevelRequest, LaserMessage, LaserRecipeRequest};
use super::{LONGEST_SIDE, view_model};
use crate::pages::page_socket::PageMessageQueue;
use crate::panic_containment::{ContainedPanic, contain};
use grid::Point;
use laser::generator::{self, GenerateError, GeneratorProgress, Grade, LevelRecipe, Pieces};
use laser::play::{LaserOutcome, Play};
use laser::{Board, LevelFileError, Light, Move, level};
use models::laser::{LaserLevel, LaserReport, judge, resume, solve_permitted};
use models::worker_pool::{JobHandle, JobPermit, WorkerPool};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use thiserror::Error;
use wire::reply;

/// The interval of the generator's progress messages.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// How long a search may take, from when its turn comes.
const LONGEST_SEARCH: Duration = Duration::from_secs(10);

/// A name that is shown has no more signs than this.
const LONGEST_NAME: usize = 80;

/// A page, for as long as its socket is open. Its searches end with it.
#[derive(Debug)]
pub(super) struct LaserConnection {
    queue: Arc<PageMessageQueue>,
    searches: Arc<WorkerPool>,
    game: Option<LaserPageGame>,
    /// What the solver is asked for the game, and about which board.
    advice: Option<(Board, JobHandle)>,
    /// What it is asked for the drawing.
    verdict: Option<JobHandle>,
    generation: Option<JobHandle>,
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

type WeakLaserConnection = Weak<Mutex<LaserConnection>>;

impl LaserConnection {
    pub(super) fn new(queue: Arc<PageMessageQueue>, searches: Arc<WorkerPool>) -> Self {
        Self {
            queue,
            searches,
            game: None,
            advice: None,
            verdict: None,
            generation: None,
        }
    }

    /// Handles a message; `connection` lets a search find the page when its answer comes.
    pub(super) fn handle(&mut self, message: LaserMessage, connection: &WeakLaserConnection) {
        match message {
            LaserMessage::Play(request) => self.play(request, connection),
            LaserMessage::Do(text) => self.run_command(&text, connection),
            LaserMessage::Preview { from, to } => self.preview(from, to),
            LaserMessage::Draft { id, text } => self.draw(id, &text),
            LaserMessage::Generate(request) => self.generate(&request),
            LaserMessage::Cancel(true) => self.generation = None,
            LaserMessage::Cancel(false) => {}
        }
    }

    /// Starts a search when a thread is free. After a panic the page gets an error message.
    fn begin(&self, work: impl FnOnce(&JobPermit) + Send + 'static) -> JobHandle {
        let queue = Arc::clone(&self.queue);
        self.searches.begin(Some(LONGEST_SEARCH), move |permit| {
            if let Err(ContainedPanic(words)) = contain(|| work(permit)) {
                let message = format!("this broke down, a fault of gridpaper's own: {words}");
                queue.send(reply::to_malformed(message));
            }
        })
    }

    fn send(&self, body: &Value) {
        self.queue.send(body.to_string());
    }

    fn play(&mut self, request: LaserLevelRequest, connection: &WeakLaserConnection) {
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
        self.start_search(connection);
    }

    /// A command.
    fn run_command(&mut self, text: &str, connection: &WeakLaserConnection) {
        let Some(game) = &mut self.game else {
            return;
        };
        let report = LaserReport::of_command(&mut game.play, text);
        // what is no command changes nothing that is searched for
        self.send_report(&report);
        self.start_search(connection);
    }

    /// Sends what came of a command.
    fn send_report(&self, report: &LaserReport) {
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
    fn send_view(&self, words: &str, is_wrong: bool, more: Option<(&str, Value)>) {
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

    /// Starts the solver for what the game wants to know, unless that search is already running.
    fn start_search(&mut self, connection: &WeakLaserConnection) {
        let wanted = self
            .game
            .as_ref()
            .and_then(|game| game.play.board_to_solve());
        let Some(board) = wanted.cloned() else {
            self.advice = None;
            return;
        };
        if self
            .advice
            .as_ref()
            .is_some_and(|(asked, _)| *asked == board)
        {
            return;
        }
        let (about, connection) = (board.clone(), connection.clone());
        let search = self.begin(move |permit| {
            let answer = solve_permitted(&about, permit, &mut |_| {});
            let Some(page) = connection.upgrade().filter(|_| permit.is_wanted()) else {
                return;
            };
            let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
            // another search has replaced this one
            if !permit.is_wanted() {
                return;
            }
            let Some(game) = &mut page.game else { return };
            match game.play.record_answer(&about, &answer) {
                Some(outcome) => page.send_report(&LaserReport::of(outcome)),
                None => page.send_view("", false, Some(("quiet", true.into()))),
            }
            page.advice = None;
            page.start_search(&connection);
        });
        self.advice = Some((board, search));
    }

    fn preview(&self, from: [u32; 2], to: [u32; 2]) {
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
        self.verdict = None;
        let board = match read(text) {
            Ok(board) => board,
            Err(error) => {
                let mut body = error.to_json();
                body["id"] = id.into();
                return self.send(&json!({ "undrawn": body }));
            }
        };
        let mut body = view_model::board(&board, &Light::of(&board));
        body["id"] = id.into();
        body["text"] = board.to_string().into();
        self.send(&json!({ "drawn": body }));
        let queue = Arc::clone(&self.queue);
        self.verdict = Some(self.begin(move |permit| {
            judge(&board, permit, &mut |verdict, is_last| {
                if permit.is_wanted() {
                    queue.send(view_model::verdict(verdict, id, is_last).to_string());
                }
            });
        }));
    }

    fn generate(&mut self, request: &LaserRecipeRequest) {
        self.generation = None;
        let queue = Arc::clone(&self.queue);
        let recipe = match recipe(request) {
            Ok(recipe) => recipe,
            Err(words) => return self.send(&json!({ "unmade": { "words": words } })),
        };
        self.generation = Some(self.begin(move |permit| {
            let mut last_progress = Instant::now();
            let made = generator::generate(&recipe, &mut |progress| {
                if last_progress.elapsed() >= PROGRESS_INTERVAL {
                    last_progress = Instant::now();
                    let nearest = progress.nearest.map(Grade::name);
                    let GeneratorProgress { tries, reached, .. } = progress;
                    let progress_message = json!({ "making": { "tries": tries, "nearest": nearest, "reached": reached } });
                    queue.send(progress_message.to_string());
                }
                permit.goes_on()
            });
            if !permit.is_wanted() {
                return;
            }
            let body = match made {
                Ok(made) => view_model::made(&recipe, &made),
                Err(GenerateError::Stopped { tries }) => {
                    let seconds = LONGEST_SEARCH.as_secs();
                    let words = format!(
                        "no such level among {tries} boards in {seconds} s; another seed may have one, or a smaller board"
                    );
                    json!({ "unmade": { "words": words } })
                }
                Err(error) => json!({ "unmade": { "words": error.to_string() } }),
            };
            queue.send(body.to_string());
        }));
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

fn recipe(request: &LaserRecipeRequest) -> Result<LevelRecipe, String> {
    let difficulty = match request.difficulty.as_deref() {
        None | Some("") => None,
        Some(grade) => Some(grade.parse::<Grade>().map_err(|error| error.to_string())?),
    };
    let recipe = LevelRecipe {
        width: request.width,
        height: request.height,
        pieces: request
            .pieces
            .parse::<Pieces>()
            .map_err(|error| error.to_string())?,
        walls: request.walls,
        seed: request.seed,
        difficulty,
    };
    recipe.check().map_err(|error| error.to_string())?;
    Ok(recipe)
}
