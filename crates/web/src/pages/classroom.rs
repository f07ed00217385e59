//! The classroom's room: the homework's five rules side by side on one map, and why each cell
//! lives, dies or is born.
//!
//! Each page has a [`ClassroomBoards`] of its own, which holds all that there is to know; this module
//! lets it hear what the page says and tells the page how it stands. A page that comes back
//! brings the boards that it was told last, so nothing is kept for pages that are gone.

mod message;
mod view_model;

use super::page_socket::{self, MalformedMessage, PageMessageQueue};
use super::{PageContext, crowded, seat};
use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::response::Response;
use axum::routing::get;
use message::ClassroomMessage;
use session::classroom::{ClassroomBoardError, ClassroomBoards, ClassroomRule, MapReadOptions};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The longest message, in bytes: ten boards of the largest size, and words around them.
const LONGEST: usize = 128 << 10;

/// Rounds that one message may ask for.
const MOST_ROUNDS: u32 = 1000;

/// Cells that one message may draw.
const MOST_CELLS: usize = (ClassroomBoards::LARGEST * ClassroomBoards::LARGEST) as usize;

/// What answers in this room, but for its document.
pub(crate) fn routes(rooms: &PageContext) -> Router {
    Router::new()
        .route("/classroom/live", get(live))
        .with_state(Arc::clone(&rooms.places))
}

async fn live(State(places): State<Arc<Semaphore>>, upgrade: WebSocketUpgrade) -> Response {
    let Some((upgrade, place)) = seat(upgrade, &places, LONGEST) else {
        return crowded();
    };
    upgrade.on_upgrade(async move |socket| {
        let letters = Arc::new(PageMessageQueue::default());
        letters.send(view_model::welcome());
        let page = Arc::new(Mutex::new(ClassroomConnection::new(Arc::clone(&letters))));
        page_socket::converse(socket, letters, |text| {
            let page = Arc::clone(&page);
            async move {
                let said: ClassroomMessage = serde_json::from_str(&text).map_err(|error| {
                    MalformedMessage(format!("no message that is known here: {error}"))
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
    let mut page = ClassroomConnection::new(Arc::default());
    let read = messages
        .iter()
        .filter_map(|text| serde_json::from_str(text).ok());
    read.map(|said| page.hear(said)).count()
}

/// A page, for as long as its socket is open.
#[derive(Debug)]
struct ClassroomConnection {
    letters: Arc<PageMessageQueue>,
    lesson: ClassroomBoards,
}

impl ClassroomConnection {
    fn new(letters: Arc<PageMessageQueue>) -> Self {
        let side = ClassroomBoards::USUAL;
        Self {
            letters,
            lesson: ClassroomBoards::new(side, side).expect("the homework's size is one"),
        }
    }

    fn hear(&mut self, said: ClassroomMessage) {
        let lesson = &mut self.lesson;
        let done = match said {
            ClassroomMessage::Why { x, y } => {
                return self
                    .letters
                    .send(view_model::reasons(lesson, x, y).to_string());
            }
            ClassroomMessage::Step(rounds) => {
                lesson.step(rounds.min(MOST_ROUNDS));
                Ok(String::new())
            }
            ClassroomMessage::Restart(true) => {
                lesson.restart();
                Ok(String::new())
            }
            ClassroomMessage::Clear(true) => {
                lesson.clear();
                Ok(String::new())
            }
            ClassroomMessage::Restart(false) | ClassroomMessage::Clear(false) => return,
            ClassroomMessage::Size([width, height]) => {
                lesson.resize(width, height).map(|()| String::new())
            }
            ClassroomMessage::Open(name) => lesson.open(&name).map(|()| String::new()),
            ClassroomMessage::Read {
                text,
                centre,
                cs100,
                lenient,
            } => {
                let how = MapReadOptions {
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
            ClassroomMessage::Draw { rule, cells, state } => draw(lesson, &rule, &cells, state),
            ClassroomMessage::Resume(kept) => {
                let [width, height] = kept.size;
                ClassroomBoards::restored((width, height), kept.round, &kept.boards, &kept.start)
                    .map(|restored| {
                        *lesson = restored;
                        String::new()
                    })
            }
        };
        match done {
            Ok(words) => self
                .letters
                .send(view_model::view(lesson, &words).to_string()),
            Err(error) => self.letters.send(view_model::refused(&error).to_string()),
        }
    }
}

/// Draws some cells; without a state, each goes on to its next one.
fn draw(
    lesson: &mut ClassroomBoards,
    rule: &str,
    cells: &[[u32; 2]],
    state: Option<u8>,
) -> Result<String, ClassroomBoardError> {
    let course = ClassroomRule::ALL
        .into_iter()
        .find(|course| course.name() == rule);
    let course = course.unwrap_or(ClassroomRule::Base);
    for &[x, y] in cells.iter().take(MOST_CELLS) {
        let state = state.unwrap_or_else(|| lesson.next_state(course, x, y));
        lesson.draw(course, x, y, state)?;
    }
    Ok(String::new())
}
