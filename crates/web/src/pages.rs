//! The pages: each has a document at an address of its own, and handlers.
//!
//! Each page is one module here with its routes and state. Games, tournaments and puzzles come from
//! the crates below, which the terminal interface uses too. Pages share the frame of their
//! documents ([`crate::assets`]), the socket loop ([`page_socket`]), rooms that a page has for itself
//! ([`room_page`]) and the JSON of boards ([`wire::board`]), so that a new page is a line in [`ALL`] and one
//! in [`routes`].

pub(crate) mod arena;
pub(crate) mod census;
pub(crate) mod classroom;
pub(crate) mod laser;
pub(crate) mod page_socket;
pub(crate) mod play;
pub(crate) mod replays;
mod room_page;
pub(crate) mod search;
mod visitor_player;

use crate::assets;
use crate::options::AllowedBot;
use crate::page_route::ALL;
use crate::response::{HandlerResult, serve_socket};
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::Semaphore;

/// What all pages share.
#[derive(Clone, Debug)]
pub(crate) struct PageContext {
    /// Programs that the server's owner lets visitors play against, by name.
    pub(crate) bots: Arc<[AllowedBot]>,
    /// The folder of persistent state; `None` where nothing is kept.
    pub(crate) state: Option<PathBuf>,
    /// The random seed.
    pub(crate) seed: u64,
    /// Permits for pages: each holds one for as long as its socket is open.
    pub(crate) page_permits: Arc<Semaphore>,
    /// Set when the server ends: the pages' threads poll it.
    pub(crate) has_ended: Arc<AtomicBool>,
    /// Threads to join at shutdown.
    threads_to_join: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl PageContext {
    pub(crate) fn new(bots: Vec<AllowedBot>, state: Option<PathBuf>, seed: u64) -> Self {
        Self {
            bots: bots.into(),
            state,
            seed,
            page_permits: Arc::new(Semaphore::new(page_socket::PAGES)),
            has_ended: Arc::default(),
            threads_to_join: Arc::default(),
        }
    }

    /// Registers a thread to be joined at shutdown: it polls [`PageContext::has_ended`] and saves
    /// its state.
    pub(crate) fn join_at_end(&self, thread: JoinHandle<()>) {
        let threads = self.threads_to_join.lock();
        threads.unwrap_or_else(PoisonError::into_inner).push(thread);
    }

    /// Waits for those threads.
    pub(crate) fn join_threads(&self) {
        let threads = self.threads_to_join.lock();
        let threads = std::mem::take(&mut *threads.unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // a panic has been logged
            let _ = thread.join();
        }
    }
}

/// The routes of all pages but the workbench's own.
pub(crate) fn routes(context: &PageContext) -> Router {
    let documents = ALL.into_iter().fold(Router::new(), |router, page| {
        let answer = move |headers: HeaderMap| async move { assets::document(&page, &headers) };
        router.route(page.path, get(answer))
    });
    documents
        .merge(play::routes(context))
        .merge(replays::routes(context))
        .merge(arena::routes(context))
        .merge(census::routes(context))
        .merge(search::routes(context))
        .merge(laser::routes(context))
        .merge(classroom::routes(context))
}

/// The document of the page with this name, for addresses below its own (`/play/ID`).
pub(crate) fn document(name: &str, headers: &HeaderMap) -> Response {
    let page = ALL.iter().find(|page| page.name == name);
    assets::document(page.unwrap_or(&ALL[0]), headers)
}

/// Serves a page's socket, where a permit is left for it.
fn serve_page<Serving>(
    upgrade: WebSocketUpgrade,
    permits: &Arc<Semaphore>,
    longest: usize,
    serve: impl FnOnce(WebSocket) -> Serving + Send + 'static,
) -> HandlerResult
where
    Serving: Future<Output = ()> + Send + 'static,
{
    let too_many = format!("{} pages are open already", page_socket::PAGES);
    serve_socket(upgrade, permits, longest, too_many, serve)
}

/// A JSON response that must not be cached.
fn uncached_json(body: &Value) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_its_files() {
        for page in ALL {
            let response = assets::document(&page, &HeaderMap::new());
            assert_eq!(response.status(), 200, "{}", page.name);
        }
    }
}
