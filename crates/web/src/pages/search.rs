//! The search page: patterns with a property are looked for while one watches.
//!
//! A search is a `models::search_job::SearchJob` on threads of this page's own, two at a time.
//! Each has an identifier, which its page has in its address; who begins another ends the one
//! before. All end with the server, and nothing of them is kept. The server's owner may search for
//! as long as they like, a visitor for a minute.

use super::{PageContext, uncached_json};
use crate::guard::new_token;
use crate::listener::Peer;
use crate::response::{ErrorResponse, HandlerResult, error_response, json_body};
use axum::Router;
use axum::extract::{ConnectInfo, Query, Request, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use models::search_job::{SearchJob, SearchRequest, SearchRequestError, VISITOR_PATIENCE};
use models::worker_pool::WorkerPool;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use wire::{SearchStart, search_json};

/// The longest request, in bytes.
const LONGEST: usize = 32 << 10;

/// Searches that run at a time; others wait.
const AT_ONCE: usize = 2;

/// Searches that are known at a time, ended ones among them.
const MOST_SEARCHES: usize = 24;

/// A search that nobody has asked for in this time ends.
const FORGOTTEN: Duration = Duration::from_secs(600);

/// A search that is known by an identifier.
struct KnownSearch {
    job: SearchJob,
    asked: Instant,
}

struct SearchService {
    pool: WorkerPool,
    searches: Mutex<BTreeMap<String, KnownSearch>>,
}

type SearchServiceState = State<Arc<SearchService>>;

/// The page's routes, without its document.
pub(crate) fn routes(context: &PageContext) -> Router {
    let service = Arc::new(SearchService {
        pool: WorkerPool::new(Arc::clone(&context.has_ended)),
        searches: Mutex::default(),
    });
    Router::new()
        .route("/search/state.json", get(state))
        .route("/search/start", post(start))
        .route("/search/stop", post(stop))
        .with_state(service)
}

impl SearchService {
    fn searches(&self) -> MutexGuard<'_, BTreeMap<String, KnownSearch>> {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes room for one more: the visitor's search before ends, and those that nobody looks at.
/// Whether there is room then.
fn make_room(searches: &mut BTreeMap<String, KnownSearch>, before: Option<&str>) -> bool {
    if let Some(before) = before {
        searches.remove(before);
    }
    searches.retain(|_, search| search.asked.elapsed() < FORGOTTEN);
    if searches.len() >= MOST_SEARCHES {
        let ended = searches
            .iter()
            .filter(|(_, search)| search.job.view().end.is_some());
        let oldest = ended.min_by_key(|(_, search)| search.asked);
        if let Some(id) = oldest.map(|(id, _)| id.clone()) {
            searches.remove(&id);
        }
    }
    searches.len() < MOST_SEARCHES
}

/// Whether a text asks for a search: see [`crate::fuzz`].
pub(crate) fn reads(text: &str) -> bool {
    serde_json::from_str::<SearchStart>(text)
        .is_ok_and(|start| SearchRequest::from(&start).check().is_ok())
}

async fn start(
    State(service): SearchServiceState,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
) -> HandlerResult {
    let start: SearchStart = json_body(request, LONGEST, "search").await?;
    let request = SearchRequest::from(&start);
    request
        .check()
        .map_err(|error| ErrorResponse::from(&error))?;
    let unavailable = |error: &dyn std::fmt::Display, hint| {
        error_response(StatusCode::SERVICE_UNAVAILABLE, error, hint)
    };
    let id = new_token().map_err(|error| unavailable(&error, None))?;
    let patience = (!peer.is_local()).then_some(VISITOR_PATIENCE);
    let mut searches = service.searches();
    if !make_room(&mut searches, start.before.as_deref()) {
        let words = format!("{MOST_SEARCHES} searches are under way");
        return Err(unavailable(&words, Some("try again in a minute")));
    }
    if service.pool.threads() == 0 {
        let spawned = service.pool.spawn("search", AT_ONCE);
        spawned.map_err(|error| unavailable(&error, None))?;
    }
    let job = SearchJob::start(&service.pool, request, patience);
    let job = job.map_err(|error| ErrorResponse::from(&error))?;
    let asked = Instant::now();
    searches.insert(id.clone(), KnownSearch { job, asked });
    Ok(uncached_json(&json!({ "id": id })))
}

impl From<&SearchRequestError> for ErrorResponse {
    fn from(error: &SearchRequestError) -> Self {
        error_response(StatusCode::UNPROCESSABLE_ENTITY, error, None)
    }
}

/// Which search a page speaks of.
#[derive(Deserialize)]
struct SearchQuery {
    id: String,
}

async fn stop(
    State(service): SearchServiceState,
    Query(query): Query<SearchQuery>,
) -> HandlerResult {
    if let Some(search) = service.searches().get(&query.id) {
        search.job.stop();
    }
    Ok(uncached_json(&json!({})))
}

async fn state(
    State(service): SearchServiceState,
    Query(query): Query<SearchQuery>,
) -> HandlerResult {
    let mut searches = service.searches();
    let shown = searches.get_mut(&query.id).map(|search| {
        search.asked = Instant::now();
        search_json(&search.job.request().rule, &search.job.view())
    });
    Ok(uncached_json(&json!({ "run": shown })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::search_job::SearchTask;

    fn known(pool: &WorkerPool, asked: Instant) -> KnownSearch {
        let request = SearchRequest::in_box(SearchTask::Still, (2, 2));
        let job = SearchJob::start(pool, request, None).unwrap();
        KnownSearch { job, asked }
    }

    #[test]
    fn a_search_makes_room_for_the_next_of_its_visitor() {
        // without a thread none ends
        let pool = WorkerPool::new(Arc::default());
        let mut searches = BTreeMap::new();
        for number in 0..MOST_SEARCHES {
            assert!(make_room(&mut searches, None));
            searches.insert(number.to_string(), known(&pool, Instant::now()));
        }
        assert!(!make_room(&mut searches, None));
        assert!(make_room(&mut searches, Some("3")));
        assert!(!searches.contains_key("3"));
        // one that has ended goes when there is no other room
        pool.spawn("search", 1).unwrap();
        searches.insert("3".into(), known(&pool, Instant::now()));
        while searches["3"].job.view().end.is_none() {
            std::thread::yield_now();
        }
        assert!(make_room(&mut searches, None));
        assert_eq!(searches.len(), MOST_SEARCHES - 1);
    }

    #[test]
    fn messages_ask_for_searches() {
        for (message, is_one) in [
            (
                r#"{"task":"osc","rule":"B3/S23","period":3,"width":5,"height":5}"#,
                true,
            ),
            (
                r#"{"task":"ship","rule":"B3/S23","velocity":"c/3","width":16,"height":5}"#,
                true,
            ),
            (
                r#"{"task":"orphan","rule":"B3/S23","drawing":"oo$o?!"}"#,
                true,
            ),
            (r#"{"task":"orphan","rule":"B3/S23"}"#, false),
            (
                r#"{"task":"osc","rule":"B3/S23","period":3,"width":500,"height":5}"#,
                false,
            ),
            (r#"{"task":"osc","rule":"B3/S23","speed":3}"#, false),
            (r#"{"task":"proof","rule":"B3/S23"}"#, false),
        ] {
            assert_eq!(reads(message), is_one, "{message}");
        }
    }
}
