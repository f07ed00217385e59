//! The census page: soups are run and what they leave is counted, one census at a time.
//!
//! The census is a `models::census_run::CensusRun` on a thread of this page's own; pages ask how
//! far it is. All visitors see the same one. Where the server has a folder of state, each census
//! is kept in a file of its own: the last one is shown again, and asked for again it goes on.

use super::{PageContext, uncached_json};
use crate::response::{ErrorResponse, HandlerResult, error_response, json_body};
use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use models::census_run::{CensusRequest, CensusRun};
use models::worker_pool::WorkerPool;
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wire::{CensusStart, census_json};

/// The longest request, in bytes.
const LONGEST: usize = 4 << 10;

struct CensusService {
    pool: WorkerPool,
    run: Mutex<Option<CensusRun>>,
    /// Where censuses are kept.
    folder: Option<PathBuf>,
}

type CensusServiceState = State<Arc<CensusService>>;

/// The page's routes, without its document.
pub(crate) fn routes(context: &PageContext) -> Router {
    let folder = context.state.as_ref().map(|state| state.join("census"));
    let last = folder.as_deref().and_then(newest_store);
    let service = Arc::new(CensusService {
        pool: WorkerPool::new(Arc::clone(&context.has_ended)),
        run: Mutex::new(last.as_deref().and_then(CensusRun::of_store)),
        folder,
    });
    Router::new()
        .route("/census/state.json", get(state))
        .route("/census/start", post(start))
        .route("/census/stop", post(stop))
        .with_state(service)
}

/// The store that was written last.
fn newest_store(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.flatten();
    let stores = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|end| end == "sqlite"));
    stores.max_by_key(|path| path.metadata().and_then(|file| file.modified()).ok())
}

impl CensusService {
    /// The file of a census, in a folder that is made where it is missing.
    fn store(&self, request: &CensusRequest) -> Result<Option<PathBuf>, ErrorResponse> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        std::fs::create_dir_all(folder).map_err(|error| {
            let message = format!("{}: {error}", folder.display());
            error_response(StatusCode::INTERNAL_SERVER_ERROR, message, None)
        })?;
        let CensusRequest {
            rule,
            symmetry,
            root,
            ..
        } = request;
        let name = format!("{rule}_{symmetry}_{root}");
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || "+._".contains(c) {
                c
            } else {
                '-'
            }
        };
        let name: String = name.chars().map(plain).collect();
        Ok(Some(folder.join(format!("{name}.sqlite"))))
    }

    fn run(&self) -> MutexGuard<'_, Option<CensusRun>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a text asks for a census: see [`crate::fuzz`].
pub(crate) fn reads(text: &str) -> bool {
    serde_json::from_str::<CensusStart>(text).is_ok_and(|message| {
        let request = CensusRequest::from(message);
        request.settings().is_ok()
    })
}

async fn start(State(service): CensusServiceState, request: Request) -> HandlerResult {
    let message: CensusStart = json_body(request, LONGEST, "census").await?;
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
    let mut request = CensusRequest::from(message);
    let settings = request
        .settings()
        .map_err(|error| ErrorResponse::from(&error))?;
    // however it was written: one census has one file
    request.rule = settings.rule.to_string();
    let store = service.store(&request)?;
    let begun = CensusRun::start(&service.pool, request, store);
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
    let shown = census_json(run.request(), &run.view(), &query.search);
    Ok(uncached_json(&json!({ "run": shown })))
}
