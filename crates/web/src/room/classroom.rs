//! The classroom's room: the homework's five rules side by side on one map, and why each cell
//! lives, dies or is born.
//!
//! Each page has a [`Lesson`] of its own, which holds all that there is to know; this module
//! lets it hear what the page says and tells the page how it stands. A page that comes back
//! brings the boards that it was told last, so nothing is kept for pages that are gone.

mod message;
mod told;

use super::wire::{self, Letters, Malformed};
use super::{Rooms, crowded, seat};
use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::response::Response;
use axum::routing::get;
use message::Said;
use session::lesson::{Course, Lesson, LessonError, Reading};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The longest message, in bytes: ten boards of the largest size, and words around them.
const LONGEST: usize = 128 << 10;

/// Rounds that one message may ask for.
const MOST_ROUNDS: u32 = 1000;

/// Cells that one message may draw.
const MOST_CELLS: usize = (Lesson::LARGEST * Lesson::LARGEST) as usize;

/// What answers in this room, but for its document.
pub(crate) fn routes(rooms: &Rooms) -> Router {
    Router::new()
        .route("/classroom/live", get(live))
        .with_state(Arc::clone(&rooms.places))
}

async fn live(State(places): State<Arc<Semaphore>>, upgrade: WebSocketUpgrade) -> Response {
    let Some((upgrade, place)) = seat(upgrade, &places, LONGEST) else {
        return crowded();
    };
    upgrade.on_upgrade(async move |socket| {
        let letters = Arc::new(Letters::default());
        letters.send(told::welcome());
        let page = Arc::new(Mutex::new(Page::new(Arc::clone(&letters))));
        wire::converse(socket, letters, |text| {
            let page = Arc::clone(&page);
            async move {
                let said: Said = serde_json::from_str(&text).map_err(|error| {
                    Malformed(format!("no message that is known here: {error}"))
                })?;
                // some thousand rounds of five small boards are some milliseconds, but
                // those who answer others should not wait for them
                let heard = crate::route::aside(move || {
                    let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
                    page.hear(said);
                });
                heard.await.unwrap_or(());
                Ok(())
            }
        })
        .await;
        drop(place);
    })
}

/// Lets a new page say these messages, and gives how many of them were read: see
/// [`crate::fuzz`].
pub(crate) fn hear(messages: &[&str]) -> usize {
    let mut page = Page::new(Arc::default());
    let read = messages
        .iter()
        .filter_map(|text| serde_json::from_str(text).ok());
    read.map(|said| page.hear(said)).count()
}

/// A page, for as long as its socket is open.
#[derive(Debug)]
struct Page {
    letters: Arc<Letters>,
    lesson: Lesson,
}

impl Page {
    fn new(letters: Arc<Letters>) -> Self {
        let side = Lesson::USUAL;
        Self {
            letters,
            lesson: Lesson::new(side, side).expect("the homework's size is one"),
        }
    }

    fn hear(&mut self, said: Said) {
        let lesson = &mut self.lesson;
        let done = match said {
            Said::Why { x, y } => {
                return self.letters.send(told::reasons(lesson, x, y).to_string());
            }
            Said::Step(rounds) => {
                lesson.step(rounds.min(MOST_ROUNDS));
                Ok(String::new())
            }
            Said::Restart(true) => {
                lesson.restart();
                Ok(String::new())
            }
            Said::Clear(true) => {
                lesson.clear();
                Ok(String::new())
            }
            Said::Restart(false) | Said::Clear(false) => return,
            Said::Size([width, height]) => lesson.resize(width, height).map(|()| String::new()),
            Said::Open(name) => lesson.open(&name).map(|()| String::new()),
            Said::Read {
                text,
                centre,
                cs100,
                lenient,
            } => {
                let how = Reading {
                    centre,
                    cs100,
                    lenient,
                };
                lesson.read(text.as_bytes(), &how).map(|warning| match warning {
                    None => "the map is read".to_string(),
                    Some(warning) => format!(
                        "line {}, column {}: states that the rule does not have, taken for state {}",
                        warning.place.line, warning.place.column, warning.state
                    ),
                })
            }
            Said::Draw { rule, cells, state } => draw(lesson, &rule, &cells, state),
            Said::Resume(kept) => {
                let [width, height] = kept.size;
                Lesson::restored((width, height), kept.round, &kept.boards, &kept.start).map(
                    |restored| {
                        *lesson = restored;
                        String::new()
                    },
                )
            }
        };
        match done {
            Ok(words) => self.letters.send(told::view(lesson, &words).to_string()),
            Err(error) => self.letters.send(told::refused(&error).to_string()),
        }
    }
}

/// Draws some cells; without a state, each goes on to its next one.
fn draw(
    lesson: &mut Lesson,
    rule: &str,
    cells: &[[u32; 2]],
    state: Option<u8>,
) -> Result<String, LessonError> {
    let course = Course::ALL.into_iter().find(|course| course.name() == rule);
    let course = course.unwrap_or(Course::Base);
    for &[x, y] in cells.iter().take(MOST_CELLS) {
        let state = state.unwrap_or_else(|| lesson.next_state(course, x, y));
        lesson.draw(course, x, y, state)?;
    }
    Ok(String::new())
}
