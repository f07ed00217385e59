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
use models::census_run::{CensusRequest, CensusRow, CensusRun, CensusView};
use models::worker_pool::WorkerPool;
use pattern::{Cells, Pattern};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
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
