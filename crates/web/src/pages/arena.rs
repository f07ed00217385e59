//! The room arena: tournaments that visitors set up and watch.
//!
//! Whatever is played is played by `tournament::TournamentRunner`, as in a terminal; here is only who
//! may ask for what, whose turn it is, and how it is told. A tournament's truth is its store,
//! so it is there again after the server was.

mod tournament_request;
mod tournament_run;
mod tournament_service;
mod view_model;

use super::page_socket::{LONGEST, MalformedMessage, PageCloseReason, PageMessageQueue, converse};
use super::{PageContext, crowded, document, seat, unkept};
use crate::reply;
use crate::route::{aside, body, broken_down, download, gone, refused};
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

/// So many games are listed at a time.
const LISTED: usize = 40;

/// How many files of a whole tournament are made at once: each is in memory.
const EXPORTS: usize = 1;

struct ArenaService {
    office: Arc<TournamentService>,
    places: Arc<Semaphore>,
    exports: Semaphore,
}

type ArenaServiceState = State<Arc<ArenaService>>;

/// What answers in this room, but for its document.
pub(crate) fn routes(rooms: &PageContext) -> Router {
    let arena = Arc::new(ArenaService {
        office: TournamentService::new(rooms),
        places: Arc::clone(&rooms.places),
        exports: Semaphore::new(EXPORTS),
    });
    Router::new()
        .route("/arena/cups.json", get(cups))
        .route("/arena/cups", post(make))
        .route("/arena/live", get(live))
        .route("/arena/{id}", get(page))
        .route("/arena/{id}/live", get(live_cup))
        .route("/arena/{id}/games.json", get(games))
        .route("/arena/{id}/replay", get(replay))
        .route("/arena/{id}/{file}", get(file))
        .with_state(arena)
}

async fn page(headers: HeaderMap) -> Response {
    document("arena", &headers)
}

fn no_cup() -> Response {
    let told = "there is no such tournament, or not any more";
    refused(StatusCode::NOT_FOUND, told, None)
}

async fn cups(State(arena): ArenaServiceState) -> Response {
    match aside(move || arena.office.list()).await {
        Some(told) => unkept(&told),
        None => broken_down(),
    }
}

async fn make(State(arena): ArenaServiceState, request: Request) -> Response {
    let bytes = match body(request, LONGEST as u64, None).await {
        Ok(bytes) => bytes,
        Err(response) => return response,
    };
    let entry: TournamentRequest = match serde_json::from_slice(&bytes) {
        Ok(entry) => entry,
        Err(error) => {
            let told = format!("this describes no tournament: {error}");
            return refused(StatusCode::BAD_REQUEST, told, None);
        }
    };
    match aside(move || arena.office.make(entry)).await {
        Some(Ok(id)) => unkept(&json!({ "id": id })),
        Some(Err(error)) => refused(error.code(), &error, error.hint()),
        None => broken_down(),
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
) -> Response {
    let Some(cup) = arena.office.find(&id) else {
        return no_cup();
    };
    let read = move || -> Result<Value, String> {
        if !cup.store.exists() {
            return Ok(json!({ "games": [], "more": false }));
        }
        let plain = |error: StoreError| cup.plain(&error);
        let store = Store::open(&cup.store).map_err(plain)?;
        let players = store.players().map_err(plain)?;
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
        let lines = store.headlines(&wanted, LISTED).map_err(plain)?;
        let games = lines.iter().map(|line| view_model::headline(line, &names));
        Ok(json!({ "games": games.collect::<Vec<_>>(), "more": lines.len() == LISTED }))
    };
    match aside(read).await {
        Some(Ok(told)) => unkept(&told),
        Some(Err(words)) => refused(StatusCode::UNPROCESSABLE_ENTITY, words, None),
        None => broken_down(),
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
) -> Response {
    let Some(cup) = arena.office.find(&id) else {
        return no_cup();
    };
    let number = query.game;
    let read = move || {
        let store = Store::open(&cup.store).map_err(|error| cup.plain(&error))?;
        store.game(number).map_err(|error| cup.plain(&error))
    };
    match aside(read).await {
        Some(Ok(Some(played))) => {
            let text = arena::replay::text(&played.record);
            download(&format!("{id}-{number}.replay"), text.into_bytes(), "")
        }
        Some(Ok(None) | Err(_)) => {
            let told = format!("there is no game {number} in this tournament");
            refused(StatusCode::NOT_FOUND, told, None)
        }
        None => broken_down(),
    }
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
    fn named(name: &str) -> Option<Self> {
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
            Self::Report => bytes = html(&Report::of(store)?).into_bytes(),
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
) -> Response {
    let (Some(cup), Some(whole)) = (arena.office.find(&id), TournamentExportKind::named(&name))
    else {
        return no_cup();
    };
    let Ok(_place) = arena.exports.acquire().await else {
        return gone();
    };
    let stem = cup.entry.title();
    let made = aside(move || {
        let store = Store::open(&cup.store).map_err(|error| cup.plain(&error))?;
        whole.of(&store).map_err(|error| cup.plain(&error))
    });
    match made.await {
        Some(Ok(bytes)) => download(&format!("{stem} {name}"), bytes, ""),
        Some(Err(_)) => {
            let told = "nothing was played in it yet";
            refused(StatusCode::NOT_FOUND, told, None)
        }
        None => broken_down(),
    }
}

/// The socket of a page that shows the list.
async fn live(State(arena): ArenaServiceState, upgrade: WebSocketUpgrade) -> Response {
    let Some((upgrade, place)) = seat(upgrade, &arena.places, LONGEST) else {
        return crowded();
    };
    upgrade.on_upgrade(async move |socket| {
        let letters = Arc::new(PageMessageQueue::default());
        let (office, own) = (Arc::clone(&arena.office), Arc::clone(&letters));
        aside(move || office.join(&own)).await;
        let deaf = async |_| Err(MalformedMessage("there is nothing to be said here".into()));
        converse(socket, Arc::clone(&letters), deaf).await;
        arena.office.part(&letters);
        drop(place);
    })
}

async fn live_cup(
    State(arena): ArenaServiceState,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some((upgrade, place)) = seat(upgrade, &arena.places, LONGEST) else {
        return crowded();
    };
    upgrade.on_upgrade(async move |socket| {
        watch(socket, &arena.office, &id).await;
        drop(place);
    })
}

/// What a page says.
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
async fn watch(socket: WebSocket, office: &Arc<TournamentService>, id: &str) {
    let letters = Arc::new(PageMessageQueue::default());
    let Some(cup) = office.find(id) else {
        letters.send(json!({ "gone": true }).to_string());
        letters.close(PageCloseReason::Gone);
        return converse(socket, letters, async |_| Ok(())).await;
    };
    let (joining, own) = (Arc::clone(&cup), Arc::clone(&letters));
    aside(move || joining.join(&own)).await;
    let hear = |text: String| {
        let (office, cup, letters) = (Arc::clone(office), Arc::clone(&cup), Arc::clone(&letters));
        async move {
            let said: TournamentPageMessage = serde_json::from_str(&text)
                .map_err(|error| MalformedMessage(format!("this is no message: {error}")))?;
            let TournamentPageMessage { r#do: wish, id } = said;
            let done = aside(move || do_as(wish, &office, &cup)).await;
            letters.send(match done {
                Some(Err(error)) => {
                    let mut told = reply::problem(&error, error.hint());
                    told["id"] = id;
                    json!({ "error": told }).to_string()
                }
                _ => json!({ "done": { "id": id } }).to_string(),
            });
            Ok(())
        }
    };
    converse(socket, Arc::clone(&letters), hear).await;
    cup.part(&letters);
}

fn do_as(
    wish: TournamentPageAction,
    office: &Arc<TournamentService>,
    cup: &Arc<TournamentRun>,
) -> Result<(), tournament_service::TournamentServiceError> {
    match wish {
        TournamentPageAction::Stop => {
            office.stop(cup);
            Ok(())
        }
        TournamentPageAction::Go => office.go_on(cup),
    }
}
