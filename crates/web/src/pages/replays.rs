//! The replays page: parses a file of games and returns one of them as positions.
//!
//! The server keeps no state: a page sends the whole file and the number of the game to show,
//! whether it comes from disk, from a table, or from a tournament.

use super::PageContext;
use crate::response::{HandlerResult, body, error_response, run_blocking};
use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use axum::routing::{get, post};
use axum::{Json, Router};
use matches::replay::bundled;
use serde::Deserialize;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The longest file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// The number of files parsed at once: each is in memory whole, and so is the response.
const READERS: usize = 2;

/// The page's routes, without its document.
pub(crate) fn routes(_context: &PageContext) -> Router {
    Router::new()
        .route("/replays/read", post(read))
        .route("/replays/ours/{name}", get(own))
        .with_state(Arc::new(Semaphore::new(READERS)))
}

/// Reads a file of games: see [`crate::fuzz`].
pub(crate) fn reads(text: &str) {
    let _ = wire::replays_json(text.as_bytes(), None);
}

#[derive(Deserialize)]
struct ReplayFileQuery {
    /// Which game is shown, from 1; the first that can be read where it is left out.
    game: Option<usize>,
}

/// A game that comes with the program.
async fn own(Path(name): Path<String>) -> HandlerResult {
    let game = bundled(&name).ok_or_else(|| {
        let hint = Some("the page replays lists those that there are");
        error_response(StatusCode::NOT_FOUND, "there is no such game here", hint)
    })?;
    Ok(game.text.into_response())
}

async fn read(
    State(readers): State<Arc<Semaphore>>,
    Query(query): Query<ReplayFileQuery>,
    request: Request,
) -> HandlerResult {
    let _permit = readers.acquire().await?;
    let bytes = body(request, LARGEST, None).await?;
    let games = run_blocking(move || wire::replays_json(&bytes, query.game)).await?;
    Ok(Json(games).into_response())
}
