//! The census page: soups are run and what they leave is counted, one census at a time.
//!
//! The census is a `models::census_run::CensusRun` on a thread of this page's own; pages ask how
//! far it is. All visitors see the same one. It ends with the server, and nothing of it is kept.

use super::{PageContext, uncached_json};
use crate::response::{ErrorResponse, HandlerResult, error_response, json_body};
use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use models::census_run::{CensusRequest, CensusRow, CensusRun, CensusView};
use models::worker_pool::WorkerPool;
use pattern::{Cells, Pattern};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The longest request, in bytes.
const LONGEST: usize = 4 << 10;

/// Objects that are sent at a time.
const LISTED: usize = 200;

/// The largest object that is drawn, in columns and in rows.
const LARGEST_PICTURE: u64 = 40;

struct CensusService {
    pool: WorkerPool,
    run: Mutex<Option<CensusRun>>,
}

type CensusServiceState = State<Arc<CensusService>>;

/// The page's routes, without its document.
pub(crate) fn routes(context: &PageContext) -> Router {
    let service = Arc::new(CensusService {
        pool: WorkerPool::new(Arc::clone(&context.has_ended)),
        run: Mutex::default(),
    });
    Router::new()
        .route("/census/state.json", get(state))
        .route("/census/start", post(start))
        .route("/census/stop", post(stop))
        .with_state(service)
}

impl CensusService {
    fn run(&self) -> MutexGuard<'_, Option<CensusRun>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartMessage {
    rule: String,
    symmetry: String,
    root: String,
    soups: u64,
}

/// Whether a text asks for a census: see [`crate::fuzz`].
pub(crate) fn reads(text: &str) -> bool {
    serde_json::from_str::<StartMessage>(text).is_ok_and(|message| {
        let request = CensusRequest::from(message);
        request.settings().is_ok()
    })
}

impl From<StartMessage> for CensusRequest {
    fn from(message: StartMessage) -> Self {
        Self {
            rule: message.rule,
            symmetry: message.symmetry,
            root: message.root,
            soups: message.soups,
        }
    }
}

async fn start(State(service): CensusServiceState, request: Request) -> HandlerResult {
    let message: StartMessage = json_body(request, LONGEST, "census").await?;
    let mut run = service.run();
    if run.as_ref().is_some_and(|run| !run.view().is_over) {
        let hint = Some("stop it first");
        return Err(error_response(
            StatusCode::CONFLICT,
            "a census is counted already",
            hint,
        ));
    }
    if service.pool.threads() == 0 {
        service
            .pool
            .spawn("census", 1)
            .map_err(|error| error_response(StatusCode::SERVICE_UNAVAILABLE, error, None))?;
    }
    let begun = CensusRun::start(&service.pool, message.into());
    *run = Some(begun.map_err(|error| ErrorResponse::from(&error))?);
    Ok(uncached_json(&json!({})))
}

impl From<&models::census_run::CensusRequestError> for ErrorResponse {
    fn from(error: &models::census_run::CensusRequestError) -> Self {
        error_response(StatusCode::UNPROCESSABLE_ENTITY, error, None)
    }
}

async fn stop(State(service): CensusServiceState) -> HandlerResult {
    if let Some(run) = &*service.run() {
        run.stop();
    }
    Ok(uncached_json(&json!({})))
}

#[derive(Deserialize)]
struct StateQuery {
    /// Only objects whose code, name or kind has this.
    #[serde(default)]
    search: String,
}

async fn state(
    State(service): CensusServiceState,
    Query(query): Query<StateQuery>,
) -> HandlerResult {
    let run = service.run();
    let Some(run) = &*run else {
        return Ok(uncached_json(&json!({ "run": null })));
    };
    let shown = view_json(run.request(), &run.view(), &query.search.to_lowercase());
    Ok(uncached_json(&json!({ "run": shown })))
}

fn view_json(request: &CensusRequest, view: &CensusView, search: &str) -> Value {
    let found = |row: &&CensusRow| {
        let name = row.name.unwrap_or_default();
        row.code.contains(search) || name.contains(search) || row.kind.contains(search)
    };
    let rows = view.rows.iter().filter(found).take(LISTED);
    json!({
        "rule": request.rule,
        "symmetry": request.symmetry,
        "root": request.root,
        "soups": view.soups,
        "planned": view.planned,
        "objects": view.objects,
        "kinds": view.rows.len(),
        "perSecond": view.soups_per_second,
        "lifespans": view.lifespans,
        "isOver": view.is_over,
        "error": view.error,
        "rows": rows.map(row_json).collect::<Vec<_>>(),
    })
}

fn row_json(row: &CensusRow) -> Value {
    json!({
        "code": row.code,
        "name": row.name,
        "kind": row.kind,
        "count": row.count,
        "soup": row.soup,
        "picture": picture(&row.code),
    })
}

/// The cells of an object, a text for each row; none of what is large or has no cells.
fn picture(code: &str) -> Option<Vec<String>> {
    picture_of(&Pattern::from_text(code).ok()?.cells)
}

/// The same of a pattern.
pub(super) fn picture_of(cells: &Cells) -> Option<Vec<String>> {
    let rect = cells.bounds()?.to_rect()?;
    if rect.width > LARGEST_PICTURE || rect.height > LARGEST_PICTURE {
        return None;
    }
    let mut rows = vec![vec!['.'; rect.width as usize]; rect.height as usize];
    cells.for_each_run(&mut |run| {
        let from = (run.x - rect.x) as usize;
        rows[(run.y - rect.y) as usize][from..from + run.length as usize].fill('o');
    });
    Some(rows.into_iter().map(String::from_iter).collect())
}
