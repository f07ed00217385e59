//! The classroom page: five rules side by side on one map, with an explanation of each cell's next
//! state.
//!
//! Each page has its own [`ClassroomRoom`]; this module passes messages to it and sends the
//! boards back. A page that reconnects brings its last boards, so nothing is kept for pages that
//! are gone.

use super::page_socket::{self, MalformedMessage, PageMessageQueue};
use super::{PageContext, serve_page};
use crate::response::{HandlerResult, run_blocking};
use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::get;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use wire::ClassroomRoom;

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
        let queue = Arc::new(PageMessageQueue::default());
        queue.send(ClassroomRoom::welcome());
        let page = Arc::new(Mutex::new(ClassroomRoom::default()));
        page_socket::converse(socket, Arc::clone(&queue), |text| {
            let (page, queue) = (Arc::clone(&page), Arc::clone(&queue));
            async move {
                // some thousand rounds of five small boards are some milliseconds, but
                // those who answer others should not wait for them
                let done = run_blocking(move || {
                    let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
                    page.tell(&text)
                });
                let answer = done.await.unwrap_or(Ok(None));
                if let Some(answer) = answer.map_err(MalformedMessage)? {
                    queue.send(answer);
                }
                Ok(())
            }
        })
        .await;
    })
}

/// Handles these messages for a new page and returns how many could be parsed: see [`crate::fuzz`].
pub(crate) fn handle(messages: &[&str]) -> usize {
    let mut page = ClassroomRoom::default();
    messages
        .iter()
        .filter(|text| page.tell(text).is_ok())
        .count()
}
