//! The classroom page: five rules side by side on one map, with an explanation of each cell's next
//! state.
//!
//! Each page has its own [`ClassroomRoom`]. A page that reconnects brings its last boards, so nothing
//! is kept for pages that are gone.

use super::{PageContext, room_page, serve_page};
use crate::response::HandlerResult;
use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::get;
use models::worker_pool::WorkerPool;
use std::sync::Arc;
use tokio::sync::Semaphore;
use wire::{ClassroomRoom, Room as _};

/// The longest message, in bytes: ten boards of the largest size, and words around them.
const LONGEST: usize = 128 << 10;

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
        // a classroom orders no work
        let nobody = Arc::new(WorkerPool::new(Arc::default()));
        room_page::serve(socket, ClassroomRoom::default(), nobody).await;
    })
}

/// Handles these messages for a new page and returns how many could be parsed: see [`crate::fuzz`].
pub(crate) fn handle(messages: &[&str]) -> usize {
    let mut room = ClassroomRoom::default();
    let read = messages.iter().filter(|text| room.tell(text).is_ok());
    read.count()
}
