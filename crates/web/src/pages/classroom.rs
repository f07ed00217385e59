//! The classroom page: five rules side by side on one map, with an explanation of each cell's next
//! state.
//!
//! Each page has its own [`ClassroomBoards`]; this module passes messages to it and sends the
//! boards back. A page that reconnects brings its last boards, so nothing is kept for pages that
//! are gone.

mod message;
mod view_model;

use super::page_socket::{self, MalformedMessage, PageMessageQueue};
use super::{PageContext, serve_page};
use crate::response::{HandlerResult, run_blocking};
use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::get;
use message::ClassroomMessage;
use models::classroom::{ClassroomBoardError, ClassroomBoards, ClassroomRule, MapReadOptions};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The longest message, in bytes: ten boards of the largest size, and words around them.
const LONGEST: usize = 128 << 10;

/// Rounds that one message may ask for.
const MOST_ROUNDS: u32 = 1000;

/// Cells that one message may draw.
const MOST_CELLS: usize = (ClassroomBoards::LARGEST * ClassroomBoards::LARGEST) as usize;

/// The page's routes, without its document.
pub(crate) fn routes(context: &PageContext) -> Router {
    Router::new()
        .route("/classroom/live", get(live))
        .with_state(Arc::clone(&context.page_permits))
}

async fn live(
    State(page_permits): State<Arc<Semaphore>>,
    upgrade: WebSocketUpgrade,
) -> HandlerResult {
    serve_page(upgrade, &page_permits, LONGEST, async move |socket| {
        let queue = Arc::new(PageMessageQueue::default());
        queue.send(view_model::welcome());
        let page = Arc::new(Mutex::new(ClassroomConnection::new(Arc::clone(&queue))));
        page_socket::converse(socket, queue, |text| {
            let page = Arc::clone(&page);
            async move {
                let message: ClassroomMessage = serde_json::from_str(&text).map_err(|error| {
                    MalformedMessage(format!("no message that is known here: {error}"))
                })?;
                // some thousand rounds of five small boards are some milliseconds, but
                // those who answer others should not wait for them
                let done = run_blocking(move || {
                    let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
                    page.handle(message);
                });
                let _ = done.await;
                Ok(())
            }
        })
        .await;
    })
}

/// Handles these messages for a new page and returns how many could be parsed: see [`crate::fuzz`].
pub(crate) fn handle(messages: &[&str]) -> usize {
    let mut page = ClassroomConnection::new(Arc::default());
    let read = messages
        .iter()
        .filter_map(|text| serde_json::from_str(text).ok());
    read.map(|message| page.handle(message)).count()
}

/// A connected page.
#[derive(Debug)]
struct ClassroomConnection {
    queue: Arc<PageMessageQueue>,
    boards: ClassroomBoards,
}

impl ClassroomConnection {
    fn new(queue: Arc<PageMessageQueue>) -> Self {
        Self {
            queue,
            boards: ClassroomBoards::of_usual_size(),
        }
    }

    fn handle(&mut self, message: ClassroomMessage) {
        let boards = &mut self.boards;
        let done = match message {
            ClassroomMessage::Why { x, y } => {
                return self
                    .queue
                    .send(view_model::explanations(boards, x, y).to_string());
            }
            ClassroomMessage::Step(rounds) => {
                boards.step(rounds.min(MOST_ROUNDS));
                Ok(String::new())
            }
            ClassroomMessage::Restart(true) => {
                boards.restart();
                Ok(String::new())
            }
            ClassroomMessage::Clear(true) => {
                boards.clear();
                Ok(String::new())
            }
            ClassroomMessage::Restart(false) | ClassroomMessage::Clear(false) => return,
            ClassroomMessage::Size([width, height]) => {
                boards.resize(width, height).map(|()| String::new())
            }
            ClassroomMessage::Open(name) => boards.open(&name).map(|()| String::new()),
            ClassroomMessage::Read {
                text,
                centre,
                cs100,
                lenient,
            } => {
                let options = MapReadOptions {
                    centre,
                    cs100,
                    lenient,
                };
                boards.read(text.as_bytes(), &options).map(|warning| match warning {
                    None => "the map is read".to_string(),
                    Some(warning) => format!(
                        "line {}, column {}: states that the rule does not have, taken for state {}",
                        warning.place.line, warning.place.column, warning.state
                    ),
                })
            }
            ClassroomMessage::Draw { rule, cells, state } => draw(boards, &rule, &cells, state),
            ClassroomMessage::Resume(saved) => {
                let [width, height] = saved.size;
                ClassroomBoards::restore((width, height), saved.round, &saved.boards, &saved.start)
                    .map(|restored| {
                        *boards = restored;
                        String::new()
                    })
            }
        };
        match done {
            Ok(words) => self
                .queue
                .send(view_model::view(boards, &words).to_string()),
            Err(error) => self.queue.send(view_model::refusal(&error).to_string()),
        }
    }
}

/// Draws some cells; without a state, each goes on to its next one.
fn draw(
    boards: &mut ClassroomBoards,
    rule: &str,
    cells: &[[u32; 2]],
    state: Option<u8>,
) -> Result<String, ClassroomBoardError> {
    let rule = ClassroomRule::find(rule).unwrap_or(ClassroomRule::Base);
    for &[x, y] in cells.iter().take(MOST_CELLS) {
        match state {
            Some(state) => boards.draw(rule, x, y, state)?,
            None => boards.draw_next(rule, x, y)?,
        }
    }
    Ok(String::new())
}
