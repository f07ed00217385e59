//! The arena page: tournaments that visitors set up and watch.
//!
//! `tournament::TournamentRunner` plays them, as in a terminal; this module has permissions, the
//! order of play, and the messages to pages. A tournament's state is its store, so it survives a
//! restart of the server.

mod tournament_request;
mod tournament_run;
mod tournament_service;
mod view_model;

use super::page_socket::{LONGEST, MalformedMessage, PageCloseReason, PageMessageQueue, converse};
use super::{PageContext, document, serve_page, uncached_json};
use crate::response::{
    ErrorResponse, HandlerResult, download, error_response, json_body, not_found, run_blocking,
};
use axum::Router;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tournament::export::{self, ExportError, ExportTable};
use tournament::report::{Report, html};
use tournament::store::StoredGameFilter;
use tournament::{Store, StoreError};
use tournament_request::TournamentRequest;
use tournament_run::TournamentRun;
use tournament_service::TournamentService;
use wire::reply;

/// The number of games listed at a time.
const LISTED: usize = 40;

/// The number of simultaneous exports: each is in memory.
const EXPORTS: usize = 1;

struct ArenaService {
    tournaments: Arc<TournamentService>,
    page_permits: Arc<Semaphore>,
    exports: Semaphore,
}

type ArenaServiceState = State<Arc<ArenaService>>;

/// The page's routes, without its document.
pub(crate) fn routes(context: &PageContext) -> Router {
    let arena = Arc::new(ArenaService {
        tournaments: TournamentService::new(context),
        page_permits: Arc::clone(&context.page_permits),
        exports: Semaphore::new(EXPORTS),
    });
    Router::new()
        .route("/arena/cups.json", get(list))
        .route("/arena/cups", post(make))
        .route("/arena/live", get(live))
        .route("/arena/{id}", get(page))
        .route("/arena/{id}/live", get(live_tournament))
        .route("/arena/{id}/games.json", get(games))
        .route("/arena/{id}/replay", get(replay))
        .route("/arena/{id}/{file}", get(file))
        .with_state(arena)
}

async fn page(headers: HeaderMap) -> Response {
    document("arena", &headers)
}

impl ArenaService {
    fn find(&self, id: &str) -> Result<Arc<TournamentRun>, ErrorResponse> {
        self.tournaments.find(id).ok_or_else(tournament_not_found)
    }
}

fn tournament_not_found() -> ErrorResponse {
    not_found("there is no such tournament, or not any more")
}

async fn list(State(arena): ArenaServiceState) -> HandlerResult {
    let list = run_blocking(move || arena.tournaments.list()).await?;
    Ok(uncached_json(&list))
}

async fn make(State(arena): ArenaServiceState, request: Request) -> HandlerResult {
    let entry: TournamentRequest = json_body(request, LONGEST, "tournament").await?;
    match run_blocking(move || arena.tournaments.make(entry)).await? {
        Ok(id) => Ok(uncached_json(&json!({ "id": id }))),
        Err(error) => Err(error_response(error.code(), &error, error.hint())),
    }
}

#[derive(Deserialize)]
struct GamesQuery {
    /// The name of a player.
    player: Option<String>,
    /// And of another.
    against: Option<String>,
    /// Only games with lower numbers.
    before: Option<i64>,
}

async fn games(
    State(arena): ArenaServiceState,
    Path(id): Path<String>,
    Query(query): Query<GamesQuery>,
) -> HandlerResult {
    let run = arena.find(&id)?;
    let read = move || -> Result<Value, String> {
        if !run.store.exists() {
            return Ok(json!({ "games": [], "more": false }));
        }
        let public_error = |error: StoreError| run.public_error(&error);
        let store = Store::open(&run.store).map_err(public_error)?;
        let players = store.players().map_err(public_error)?;
        let names: Vec<String> = players.into_iter().map(|player| player.name).collect();
        let number = |name: &Option<String>| match name.as_deref() {
            None | Some("") => Ok(None),
            Some(name) => match names.iter().position(|other| other == name) {
                Some(number) => Ok(Some(number)),
                None => Err(format!("nobody here is called `{name}`")),
            },
        };
        let wanted = StoredGameFilter {
            player: number(&query.player)?,
            against: number(&query.against)?,
            before: query.before,
        };
        let lines = store.summaries(&wanted, LISTED).map_err(public_error)?;
        let games = lines.iter().map(|line| view_model::headline(line, &names));
        Ok(json!({ "games": games.collect::<Vec<_>>(), "more": lines.len() == LISTED }))
    };
    match run_blocking(read).await? {
        Ok(message) => Ok(uncached_json(&message)),
        Err(words) => Err(error_response(
            StatusCode::UNPROCESSABLE_ENTITY,
            words,
            None,
        )),
    }
}

#[derive(Deserialize)]
struct ReplayQuery {
    /// The game's number.
    game: i64,
}

async fn replay(
    State(arena): ArenaServiceState,
    Path(id): Path<String>,
    Query(query): Query<ReplayQuery>,
) -> HandlerResult {
    let run = arena.find(&id)?;
    let number = query.game;
    let read = move || {
        let store = Store::open(&run.store).map_err(|error| run.public_error(&error))?;
        store.game(number).map_err(|error| run.public_error(&error))
    };
    let Ok(Some(played)) = run_blocking(read).await? else {
        let message = format!("there is no game {number} in this tournament");
        return Err(not_found(message));
    };
    let text = matches::replay::text(&played.record);
    Ok(download(
        &format!("{id}-{number}.replay"),
        text.into_bytes(),
        "",
    ))
}

/// A whole tournament as a file.
#[derive(Clone, Copy, Debug)]
enum TournamentExportKind {
    Report,
    Players,
    Games,
    Json,
}

impl TournamentExportKind {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "report.html" => Some(Self::Report),
            "players.csv" => Some(Self::Players),
            "games.csv" => Some(Self::Games),
            "tournament.json" => Some(Self::Json),
            _ => None,
        }
    }

    fn of(self, store: &Store) -> Result<Vec<u8>, ExportError> {
        let mut bytes = Vec::new();
        match self {
            Self::Report => bytes = html(&Report::from_store(store)?).into_bytes(),
            Self::Players => export::csv(store, ExportTable::Players, &mut bytes)?,
            Self::Games => export::csv(store, ExportTable::Games, &mut bytes)?,
            Self::Json => export::json(store, &mut bytes)?,
        }
        Ok(bytes)
    }
}

async fn file(
    State(arena): ArenaServiceState,
    Path((id, name)): Path<(String, String)>,
) -> HandlerResult {
    let run = arena.find(&id)?;
    let kind = TournamentExportKind::from_name(&name).ok_or_else(tournament_not_found)?;
    let _place = arena.exports.acquire().await?;
    let stem = run.entry.title();
    let made = run_blocking(move || {
        let store = Store::open(&run.store).map_err(|error| run.public_error(&error))?;
        kind.of(&store).map_err(|error| run.public_error(&error))
    });
    let Ok(bytes) = made.await? else {
        return Err(not_found("nothing was played in it yet"));
    };
    Ok(download(&format!("{stem} {name}"), bytes, ""))
}

/// The socket of a page that shows the list.
async fn live(State(arena): ArenaServiceState, upgrade: WebSocketUpgrade) -> HandlerResult {
    let permits = Arc::clone(&arena.page_permits);
    serve_page(upgrade, &permits, LONGEST, async move |socket| {
        let queue = Arc::new(PageMessageQueue::default());
        let (service, own) = (Arc::clone(&arena.tournaments), Arc::clone(&queue));
        let _ = run_blocking(move || service.join(&own)).await;
        let reject = async |_| Err(MalformedMessage("there is nothing to be said here".into()));
        converse(socket, Arc::clone(&queue), reject).await;
        arena.tournaments.leave(&queue);
    })
}

async fn live_tournament(
    State(arena): ArenaServiceState,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> HandlerResult {
    let permits = Arc::clone(&arena.page_permits);
    serve_page(upgrade, &permits, LONGEST, async move |socket| {
        watch(socket, &arena.tournaments, &id).await;
    })
}

/// A message of a page.
#[derive(Deserialize)]
struct TournamentPageMessage {
    r#do: TournamentPageAction,
    #[serde(default)]
    id: Value,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TournamentPageAction {
    Stop,
    Go,
}

/// Whether a text is a message of a page that watches, or a tournament that may be: see
/// [`crate::fuzz`].
pub(crate) fn reads(text: &str) -> bool {
    let plan = serde_json::from_str::<TournamentRequest>(text).map(|entry| {
        let plan = entry.plan(&[], "cup.sqlite".into());
        // a plan is asked for its length as soon as it is made
        plan.map(|_| entry.most_games())
    });
    matches!(plan, Ok(Ok(1..))) || serde_json::from_str::<TournamentPageMessage>(text).is_ok()
}

/// Serves a page that watches a tournament.
async fn watch(socket: WebSocket, service: &Arc<TournamentService>, id: &str) {
    let queue = Arc::new(PageMessageQueue::default());
    let Some(run) = service.find(id) else {
        queue.send(json!({ "gone": true }).to_string());
        queue.close(PageCloseReason::Gone);
        return converse(socket, queue, async |_| Ok(())).await;
    };
    let (joining, own) = (Arc::clone(&run), Arc::clone(&queue));
    let _ = run_blocking(move || joining.join(&own)).await;
    let handle = |text: String| {
        let (service, run, queue) = (Arc::clone(service), Arc::clone(&run), Arc::clone(&queue));
        async move {
            let message: TournamentPageMessage = serde_json::from_str(&text)
                .map_err(|error| MalformedMessage(format!("this is no message: {error}")))?;
            let TournamentPageMessage { r#do: action, id } = message;
            let done = run_blocking(move || perform(action, &service, &run)).await;
            queue.send(match done {
                Ok(Err(error)) => {
                    let mut message = reply::problem(&error, error.hint());
                    message["id"] = id;
                    json!({ "error": message }).to_string()
                }
                _ => json!({ "done": { "id": id } }).to_string(),
            });
            Ok(())
        }
    };
    converse(socket, Arc::clone(&queue), handle).await;
    run.leave(&queue);
}

fn perform(
    action: TournamentPageAction,
    service: &Arc<TournamentService>,
    run: &Arc<TournamentRun>,
) -> Result<(), tournament_service::TournamentServiceError> {
    match action {
        TournamentPageAction::Stop => {
            service.stop(run);
            Ok(())
        }
        TournamentPageAction::Go => service.go_on(run),
    }
}
