//! The room replays: a file of games is read, and one of them is told as positions.
//!
//! The server keeps nothing of it. A page sends the file, whole, and the number of the game
//! that it wants to see; so there is no state to bound, to share or to lose, and what comes
//! from a person's disk, from a table in the room play and from a tournament goes one way.

mod view_model;

use super::PageContext;
use crate::route::{aside, body, broken_down, gone, refused};
use ::arena::replay::ours;
use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The longest file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// How many files are read at once: each is in memory whole, and so is what is told of it.
const READERS: usize = 2;

/// What answers in this room, but for its document.
pub(crate) fn routes(_rooms: &PageContext) -> Router {
    Router::new()
        .route("/replays/read", post(read))
        .route("/replays/ours/{name}", get(own))
        .with_state(Arc::new(Semaphore::new(READERS)))
}

/// Reads a file of games: see [`crate::fuzz`].
pub(crate) fn reads(text: &str) {
    let _ = view_model::file(text.as_bytes(), None);
}

#[derive(Deserialize)]
struct ReplayFileQuery {
    /// Which game is shown, from 1; the first that can be read where it is left out.
    game: Option<usize>,
}

/// A game that comes with the program.
async fn own(Path(name): Path<String>) -> Response {
    match ours(&name) {
        Some(game) => game.text.into_response(),
        None => refused(
            StatusCode::NOT_FOUND,
            "there is no such game here",
            Some("the room replays lists those that there are"),
        ),
    }
}

async fn read(
    State(readers): State<Arc<Semaphore>>,
    Query(chosen): Query<ReplayFileQuery>,
    request: Request,
) -> Response {
    let Ok(_place) = readers.acquire().await else {
        return gone();
    };
    let bytes = match body(request, LARGEST, None).await {
        Ok(bytes) => bytes,
        Err(response) => return response,
    };
    match aside(move || view_model::file(&bytes, chosen.game)).await {
        Some(told) => Json(told).into_response(),
        None => broken_down(),
    }
}
