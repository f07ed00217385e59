//! A connected laser page: its game, its drawing, and its searches.

use super::message::{LaserLevelRequest, LaserMessage, LaserRecipeRequest};
use super::search::{SearchHandle, SearchQueue};
use super::{LONGEST_SIDE, verdict, view_model};
use crate::pages::page_socket::PageMessageQueue;
use grid::Point;
use laser::generator::{self, GenerateError, GeneratorProgress, Grade, LevelRecipe, Pieces};
use laser::play::{LaserCommand, LaserOutcome, LaserPlayError, Play};
use laser::solver::{Aim, Question, solve};
use laser::{Board, LevelFileError, Light, Move, level};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The interval of the generator's progress messages.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// A name that is shown has no more signs than this.
const LONGEST_NAME: usize = 80;

/// A page, for as long as its socket is open. Its searches end with it.
#[derive(Debug)]
pub(super) struct LaserConnection {
    queue: Arc<PageMessageQueue>,
    searches: SearchQueue,
    game: Option<LaserPageGame>,
    /// What the solver is asked for the game, and about which board.
    advice: Option<(Board, SearchHandle)>,
    /// What it is asked for the drawing.
    verdict: Option<SearchHandle>,
    generation: Option<SearchHandle>,
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
    pub(super) fn new(queue: Arc<PageMessageQueue>, searches: SearchQueue) -> Self {
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
        // as it stood: what was made, and what was made and taken back
        let steps = request.made.iter().chain(request.taken_back.iter().rev());
        let mut made = 0;
        for text in steps {
            let step = format!("move {text}").parse::<LaserCommand>();
            let done = step.ok().map(|step| game.play.apply(&step));
            if !matches!(done, Some(Ok(LaserOutcome::Moved(_)))) {
                break;
            }
            made += 1;
        }
        for _ in request.made.len()..made {
            // each of them was made just now
            let _ = game.play.apply(&LaserCommand::Undo);
        }
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
        match text.parse::<LaserCommand>() {
            Ok(command) => {
                let outcome = game.play.apply(&command);
                self.send_outcome(&outcome);
                self.start_search(connection);
            }
            Err(error) => self.send_view(&format!("{error} · {}", error.hint()), true, None),
        }
    }

    /// Sends the outcome of a command, worded as in the terminal.
    fn send_outcome(&self, outcome: &Result<LaserOutcome, LaserPlayError>) {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return self.send_view(&error.to_string(), true, None),
        };
        let words = match outcome {
            LaserOutcome::Deselected
            | LaserOutcome::Selected(..)
            | LaserOutcome::Show
            | LaserOutcome::Help
            | LaserOutcome::Quit => String::new(),
            LaserOutcome::Thinking => "looking for a way · esc gives up".into(),
            LaserOutcome::Moved(_) => format!("{outcome} · u takes it back"),
            LaserOutcome::Restarted(1..) => format!("{outcome} · r makes them again"),
            outcome => outcome.to_string(),
        };
        let more = match outcome {
            LaserOutcome::Solution(moves) => {
                let steps = moves.iter().copied().map(view_model::step);
                Some(("solution", Value::from_iter(steps)))
            }
            LaserOutcome::Undone(piece_move) => Some((
                "cursor",
                json!([piece_move.step.from.x, piece_move.step.from.y]),
            )),
            LaserOutcome::Redone(piece_move) | LaserOutcome::Moved(piece_move) => Some((
                "cursor",
                json!([piece_move.step.to.x, piece_move.step.to.y]),
            )),
            _ => None,
        };
        self.send_view(&words, false, more);
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
        let search = self.searches.begin(&self.queue, move |permit| {
            let question = Question::new(Aim::Fewest);
            let answer = solve(&about, question, &mut |_| permit.goes_on());
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
                Some(outcome) => page.send_outcome(&outcome),
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
        self.verdict = Some(self.searches.begin(&self.queue, move |permit| {
            verdict::judge(&board, permit, &mut |verdict, is_last| {
                if permit.is_wanted() {
                    queue.send(verdict.to_json(id, is_last).to_string());
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
        self.generation = Some(self.searches.begin(&self.queue, move |permit| {
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
                    let seconds = super::search::LONGEST.as_secs();
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
        let play = Play::new(entry.name, entry.board());
        return Ok(LaserPageGame {
            play: match entry.fewest {
                Some(moves) => play.with_fewest(moves),
                None => play,
            },
            level: Some(entry.name),
            about: entry.purpose.to_string(),
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
