//! The room of the laser puzzle: levels to play, an editor that says what a drawing is worth,
//! and new levels made to order.
//!
//! Each page has a game of its own (`page`). It says what it wants done and is told the whole
//! board with its light, since a board is small and a page that draws what it is told cannot
//! be wrong about it. A page that comes back says which level it had and the moves made so
//! far, so nothing is kept here for pages that are gone. What takes long runs aside
//! (`search`), on two threads for all pages together.

mod connection;
mod message;
mod search;
mod verdict;
mod view_model;

use super::page_socket::{self, MalformedMessage, PageMessageQueue};
use super::{PageContext, crowded, seat};
use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::response::Response;
use axum::routing::get;
use connection::LaserConnection;
use message::LaserMessage;
use search::SearchQueue;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The longest side of a level of a page's own: the editor's, and what a link may bring.
const LONGEST_SIDE: u32 = 64;

/// The longest message, in bytes: the largest level and some thousand moves.
const LONGEST: usize = 128 << 10;

/// What all pages in this room share.
#[derive(Debug)]
struct LaserService {
    places: Arc<Semaphore>,
    searches: SearchQueue,
}

/// What answers in this room, but for its document.
pub(crate) fn routes(rooms: &PageContext) -> Router {
    let room = LaserService {
        places: Arc::clone(&rooms.places),
        searches: SearchQueue::new(Arc::clone(&rooms.has_ended)),
    };
    Router::new()
        .route("/laser/live", get(live))
        .with_state(Arc::new(room))
}

/// Lets a new page say these messages, and gives how many of them were read: see
/// [`crate::fuzz`]. What the page wants searched waits for ever.
pub(crate) fn hear(messages: &[&str]) -> usize {
    // tasks are spawned into this runtime, which nobody drives
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else {
        return 0;
    };
    let _within = runtime.enter();
    let page = LaserConnection::new(Arc::default(), SearchQueue::new(Arc::default()));
    let page = Arc::new(Mutex::new(page));
    let here = Arc::downgrade(&page);
    let read = messages
        .iter()
        .filter_map(|text| serde_json::from_str::<LaserMessage>(text).ok());
    let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
    read.map(|said| page.hear(said, &here)).count()
}

async fn live(State(room): State<Arc<LaserService>>, upgrade: WebSocketUpgrade) -> Response {
    let Some((upgrade, place)) = seat(upgrade, &room.places, LONGEST) else {
        return crowded();
    };
    upgrade.on_upgrade(async move |socket| {
        let letters = Arc::new(PageMessageQueue::default());
        letters.send(view_model::welcome());
        let page = LaserConnection::new(Arc::clone(&letters), room.searches.clone());
        let page = Arc::new(Mutex::new(page));
        page_socket::converse(socket, letters, |text| {
            let page = Arc::clone(&page);
            async move {
                let said: LaserMessage = serde_json::from_str(&text).map_err(|error| {
                    MalformedMessage(format!("no message that is known here: {error}"))
                })?;
                let here = Arc::downgrade(&page);
                // a move, light on at most 64 x 64 cells: far less than a millisecond
                let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
                page.hear(said, &here);
                Ok(())
            }
        })
        .await;
        drop(place);
    })
}
