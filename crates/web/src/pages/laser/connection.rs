//! One page in the puzzle's room: its game, its drawing, and what is being searched for it.

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

/// How often a page hears how far the generator is.
const BETWEEN_NEWS: Duration = Duration::from_millis(200);

/// A name that is shown has no more signs than this.
const LONGEST_NAME: usize = 80;

/// A page, for as long as its socket is open. Its searches end with it.
#[derive(Debug)]
pub(super) struct LaserConnection {
    letters: Arc<PageMessageQueue>,
    searches: SearchQueue,
    game: Option<LaserPageGame>,
    /// What the solver is asked for the game, and about which board.
    advice: Option<(Board, SearchHandle)>,
    /// What it is asked for the drawing.
    verdict: Option<SearchHandle>,
    making: Option<SearchHandle>,
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
    fn told(&self) -> Value {
        let mut told = json!({ "words": self.to_string() });
        if let Self::File(error) = self {
            told["line"] = error.line.into();
            told["column"] = error.column.into();
            told["words"] = format!(
                "line {}, column {}: {}",
                error.line, error.column, error.problem
            )
            .into();
        }
        told
    }
}

type WeakLaserConnection = Weak<Mutex<LaserConnection>>;

impl LaserConnection {
    pub(super) fn new(letters: Arc<PageMessageQueue>, searches: SearchQueue) -> Self {
        Self {
            letters,
            searches,
            game: None,
            advice: None,
            verdict: None,
            making: None,
        }
    }

    /// Does what the page wants; `here` is where the page is found when an answer comes.
    pub(super) fn hear(&mut self, said: LaserMessage, here: &WeakLaserConnection) {
        match said {
            LaserMessage::Play(wanted) => self.play(wanted, here),
            LaserMessage::Do(text) => self.go(&text, here),
            LaserMessage::Preview { from, to } => self.preview(from, to),
            LaserMessage::Draft { id, text } => self.draw(id, &text),
            LaserMessage::Generate(order) => self.generate(&order),
            LaserMessage::Cancel(true) => self.making = None,
            LaserMessage::Cancel(false) => {}
        }
    }

    fn send(&self, told: &Value) {
        self.letters.send(told.to_string());
    }

    fn play(&mut self, wanted: LaserLevelRequest, here: &WeakLaserConnection) {
        let mut game = match opened(&wanted) {
            Ok(game) => game,
            Err(wrong) => {
                let told = json!({ "unopened": wrong.told() });
                return self.send(&told);
            }
        };
        // as it stood: what was made, and what was made and taken back
        let steps = wanted.made.iter().chain(wanted.taken_back.iter().rev());
        let mut made = 0;
        for text in steps {
            let step = format!("move {text}").parse::<LaserCommand>();
            let done = step.ok().map(|step| game.play.apply(&step));
            if !matches!(done, Some(Ok(LaserOutcome::Moved(_)))) {
                break;
            }
            made += 1;
        }
        for _ in wanted.made.len()..made {
            // each of them was made just now
            let _ = game.play.apply(&LaserCommand::Undo);
        }
        let text = game.play.start().to_string();
        self.game = Some(game);
        self.tell("", false, Some(("text", text.into())));
        self.seek(here);
    }

    /// A command.
    fn go(&mut self, text: &str, here: &WeakLaserConnection) {
        let Some(game) = &mut self.game else {
            return;
        };
        match text.parse::<LaserCommand>() {
            Ok(command) => {
                let outcome = game.play.apply(&command);
                self.answer(&outcome);
                self.seek(here);
            }
            Err(error) => self.tell(&format!("{error} · {}", error.hint()), true, None),
        }
    }

    /// Tells what came of a command, in the words that the terminal has too.
    fn answer(&self, outcome: &Result<LaserOutcome, LaserPlayError>) {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return self.tell(&error.to_string(), true, None),
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
            LaserOutcome::Undone(deed) => {
                Some(("cursor", json!([deed.step.from.x, deed.step.from.y])))
            }
            LaserOutcome::Redone(deed) | LaserOutcome::Moved(deed) => {
                Some(("cursor", json!([deed.step.to.x, deed.step.to.y])))
            }
            _ => None,
        };
        self.tell(&words, false, more);
    }

    /// Tells how the game stands.
    fn tell(&self, words: &str, is_wrong: bool, more: Option<(&str, Value)>) {
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

    /// Asks the solver what the game wants to know of it, if that is not being asked already.
    fn seek(&mut self, here: &WeakLaserConnection) {
        let wanted = self.game.as_ref().and_then(|game| game.play.wants());
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
        let (about, here) = (board.clone(), here.clone());
        let search = self.searches.begin(&self.letters, move |leave| {
            let question = Question::new(Aim::Fewest);
            let answer = solve(&about, question, &mut |_| leave.goes_on());
            let Some(page) = here.upgrade().filter(|_| leave.is_wanted()) else {
                return;
            };
            let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
            // asked anew since then
            if !leave.is_wanted() {
                return;
            }
            let Some(game) = &mut page.game else { return };
            match game.play.learn(&about, &answer) {
                Some(outcome) => page.answer(&outcome),
                None => page.tell("", false, Some(("quiet", true.into()))),
            }
            page.advice = None;
            page.seek(&here);
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
        if board.make(step).is_ok() {
            self.send(&view_model::preview(step, &board));
        }
    }

    /// What the editor has drawn: its light at once, and what it is worth as soon as that is
    /// known.
    fn draw(&mut self, id: u64, text: &str) {
        self.verdict = None;
        let board = match read(text) {
            Ok(board) => board,
            Err(wrong) => {
                let mut told = wrong.told();
                told["id"] = id.into();
                return self.send(&json!({ "undrawn": told }));
            }
        };
        let mut told = view_model::board(&board, &Light::of(&board));
        told["id"] = id.into();
        told["text"] = board.to_string().into();
        self.send(&json!({ "drawn": told }));
        let letters = Arc::clone(&self.letters);
        self.verdict = Some(self.searches.begin(&self.letters, move |leave| {
            verdict::judge(&board, leave, &mut |verdict, is_last| {
                if leave.is_wanted() {
                    letters.send(verdict.told(id, is_last).to_string());
                }
            });
        }));
    }

    fn generate(&mut self, order: &LaserRecipeRequest) {
        self.making = None;
        let letters = Arc::clone(&self.letters);
        let recipe = match recipe(order) {
            Ok(recipe) => recipe,
            Err(words) => return self.send(&json!({ "unmade": { "words": words } })),
        };
        self.making = Some(self.searches.begin(&self.letters, move |leave| {
            let mut told_at = Instant::now();
            let made = generator::generate(&recipe, &mut |progress| {
                if told_at.elapsed() >= BETWEEN_NEWS {
                    told_at = Instant::now();
                    let nearest = progress.nearest.map(Grade::name);
                    let GeneratorProgress { tries, reached, .. } = progress;
                    let news = json!({ "making": { "tries": tries, "nearest": nearest, "reached": reached } });
                    letters.send(news.to_string());
                }
                leave.goes_on()
            });
            if !leave.is_wanted() {
                return;
            }
            let told = match made {
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
            letters.send(told.to_string());
        }));
    }
}

fn opened(wanted: &LaserLevelRequest) -> Result<LaserPageGame, LevelOpenError> {
    if let Some(name) = &wanted.level {
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
    let board = read(wanted.text.as_deref().ok_or(LevelOpenError::NoneMeant)?)?;
    let name = wanted.name.as_deref().unwrap_or("a level of one's own");
    Ok(LaserPageGame {
        about: format!("{} x {}", board.width(), board.height()),
        play: Play::new(shortened(name), board),
        level: None,
    })
}

/// A level that is no larger than this room has them.
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

fn recipe(order: &LaserRecipeRequest) -> Result<LevelRecipe, String> {
    let difficulty = match order.difficulty.as_deref() {
        None | Some("") => None,
        Some(grade) => Some(grade.parse::<Grade>().map_err(|error| error.to_string())?),
    };
    let recipe = LevelRecipe {
        width: order.width,
        height: order.height,
        pieces: order
            .pieces
            .parse::<Pieces>()
            .map_err(|error| error.to_string())?,
        walls: order.walls,
        seed: order.seed,
        difficulty,
    };
    recipe.check().map_err(|error| error.to_string())?;
    Ok(recipe)
}
