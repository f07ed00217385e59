//! The laser page: levels to play, an editor with a solver's verdict, and a level generator.
//!
//! Each page has its own game ([`connection`]) and is sent the whole board with its light after
//! each change, since a board is small. A page that reconnects names its level and the moves so
//! far, so nothing is kept for pages that are gone. Searches run on two threads for all pages.

mod connection;
mod message;
mod view_model;

use super::page_socket::{self, MalformedMessage, PageMessageQueue};
use super::{PageContext, serve_page};
use crate::response::HandlerResult;
use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::get;
use connection::LaserConnection;
use message::LaserMessage;
use models::worker_pool::WorkerPool;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The longest side of a level of a page's own: the editor's, and what a link may bring.
const LONGEST_SIDE: u32 = 64;

/// The longest message, in bytes: the largest level and some thousand moves.
const LONGEST: usize = 128 << 10;

/// The number of searches at once, for all pages.
const SEARCHES: usize = 2;

/// What all laser pages share.
#[derive(Debug)]
struct LaserService {
    page_permits: Arc<Semaphore>,
    searches: Arc<WorkerPool>,
}

/// The page's routes, without its document.
pub(crate) fn routes(context: &PageContext) -> Router {
    let searches = WorkerPool::new(Arc::clone(&context.has_ended));
    // without threads nothing is searched, but levels can be played
    let _ = searches.spawn("laser", SEARCHES);
    let service = LaserService {
        page_permits: Arc::clone(&context.page_permits),
        searches: Arc::new(searches),
    };
    Router::new()
        .route("/laser/live", get(live))
        .with_state(Arc::new(service))
}

/// Handles these messages for a new page and returns how many could be parsed: see [`crate::fuzz`].
pub(crate) fn handle(messages: &[&str]) -> usize {
    // without threads nothing is searched
    let searches = Arc::new(WorkerPool::new(Arc::default()));
    let page = LaserConnection::new(Arc::default(), searches);
    let page = Arc::new(Mutex::new(page));
    let here = Arc::downgrade(&page);
    let read = messages
        .iter()
        .filter_map(|text| serde_json::from_str::<LaserMessage>(text).ok());
    let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
    read.map(|said| page.handle(said, &here)).count()
}

async fn live(
    State(service): State<Arc<LaserService>>,
    upgrade: WebSocketUpgrade,
) -> HandlerResult {
    let permits = Arc::clone(&service.page_permits);
    serve_page(upgrade, &permits, LONGEST, async move |socket| {
        let queue = Arc::new(PageMessageQueue::default());
        queue.send(view_model::welcome());
        let page = LaserConnection::new(Arc::clone(&queue), Arc::clone(&service.searches));
        let page = Arc::new(Mutex::new(page));
        page_socket::converse(socket, queue, |text| {
            let page = Arc::clone(&page);
            async move {
                let said: LaserMessage = serde_json::from_str(&text).map_err(|error| {
                    MalformedMessage(format!("no message that is known here: {error}"))
                })?;
                let here = Arc::downgrade(&page);
                // a move, light on at most 64 x 64 cells: far less than a millisecond
                let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
                page.handle(said, &here);
                Ok(())
            }
        })
        .await;
    })
}
