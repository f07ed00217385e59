//! The laser page: levels to play, an editor with a solver's verdict, and a level generator.
//!
//! Each page has its own [`LaserRoom`], so nothing is kept for pages that are gone. Searches run on
//! two threads for all pages.

use super::{PageContext, room_page, serve_page};
use crate::response::HandlerResult;
use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::get;
use models::worker_pool::WorkerPool;
use std::sync::Arc;
use tokio::sync::Semaphore;
use wire::{LaserRoom, Room as _};

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
/// Nothing is searched.
pub(crate) fn handle(messages: &[&str]) -> usize {
    let mut room = LaserRoom::default();
    let read = messages.iter().filter(|text| room.tell(text).is_ok());
    read.count()
}

async fn live(
    State(service): State<Arc<LaserService>>,
    upgrade: WebSocketUpgrade,
) -> HandlerResult {
    let permits = Arc::clone(&service.page_permits);
    serve_page(upgrade, &permits, LONGEST, async move |socket| {
        room_page::serve(socket, LaserRoom::default(), Arc::clone(&service.searches)).await;
    })
}
