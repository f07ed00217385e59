//! The play page: games between people, players of the program, and programs that the server's
//! owner allowed.
//!
//! A game is a [`TableSession`](table_session::TableSession): a [`wire::PlayTable`] under a lock that is
//! held only briefly. A player that is no person runs in [`engine_threads`]: a second table that
//! follows the first, thinks on a thread, and returns its move as text.

mod engine_threads;
mod socket;
mod table_host;
mod table_session;
mod table_store;

use super::page_socket::LONGEST;
use super::{PageContext, document, serve_page, uncached_json, visitor_player};
use crate::options::AllowedBot;
use crate::rate_limit::RateLimit;
use crate::response::{
    HandlerResult, download, error_response, json_body, not_found, run_blocking,
};
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use engine_threads::EngineThreads;
use games::AnyGame;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use table_host::ServerTableHost;
use table_session::TableSession;
use table_store::TableStore;
use thiserror::Error;
use tokio::sync::Semaphore;
use wire::{
    HousePlayerError, PlayTable, PlayTableSetup, RequestedTable, StoredTable, TableHost as _,
    TableMessage, TableRequest, TableRequestError, TableSeat, TableSeatError, game_menu,
    game_rules,
};

/// The most tables.
const TABLES: usize = 400;

/// The most new tables in a minute, over all visitors.
const NEW_A_MINUTE: usize = 60;

/// An unwatched table may be removed for a new one after this time,
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// and after this time if its game is over.
const FORGOTTEN_OVER: Duration = Duration::from_secs(600);

/// The least time between writes of the tables.
const BETWEEN_WRITES: Duration = Duration::from_secs(1);

/// The interval at which shutdown is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// All tables of a server, and the threads of their players.
pub(crate) struct TableService {
    bots: Arc<[AllowedBot]>,
    seed: u64,
    page_permits: Arc<Semaphore>,
    engine_threads: Arc<EngineThreads>,
    tables: Mutex<TableRegistry>,
}

#[derive(Default)]
struct TableRegistry {
    by_id: HashMap<String, Arc<TableSession>>,
    rate: RateLimit,
    /// How many were made at all.
    count: u64,
}

type TableServiceState = State<Arc<TableService>>;

/// The page's routes, without its document.
pub(crate) fn routes(context: &PageContext) -> Router {
    let (service, store) = TableService::open(context);
    let service = Arc::new(service);
    let keeper = Arc::clone(&service);
    let thread = std::thread::Builder::new().name("play-keeper".into());
    if let Ok(thread) = thread.spawn(move || keeper.maintain_tables(store)) {
        context.join_at_end(thread);
    }
    Router::new()
        .route("/play/games.json", get(games))
        .route("/play/rules.json", get(rules))
        .route("/play/tables.json", get(tables))
        .route("/play/tables", post(make))
        .route("/play/{id}", get(page))
        .route("/play/{id}/replay", get(replay))
        .route("/play/{id}/live", get(live))
        .with_state(service)
}

async fn page(headers: HeaderMap) -> Response {
    document("play", &headers)
}

async fn games(State(service): TableServiceState) -> HandlerResult {
    let menu = run_blocking(move || {
        let bots = service.bots.iter();
        game_menu(bots.map(|bot| bot.name.as_str()))
    })
    .await?;
    Ok(uncached_json(&menu))
}

#[derive(Deserialize)]
struct RulesQuery {
    game: String,
}

async fn rules(Query(query): Query<RulesQuery>) -> HandlerResult {
    let game: Result<AnyGame, _> = query.game.parse();
    match game {
        Ok(game) => Ok(uncached_json(&game_rules(&game))),
        Err(error) => Err(error_response(
            StatusCode::UNPROCESSABLE_ENTITY,
            error,
            None,
        )),
    }
}

async fn tables(State(service): TableServiceState) -> Response {
    let mut sessions = service.all();
    sessions.sort_by_key(|session| std::cmp::Reverse(session.number()));
    let listed = sessions.iter().filter_map(|session| session.listed());
    uncached_json(&json!({ "tables": Value::from_iter(listed) }))
}

/// Whether a text is a message of a page at a table, or describes a new table: see
/// [`crate::fuzz`].
pub(crate) fn reads(text: &str) -> bool {
    let is_action = TableMessage::read(text).is_ok_and(|message| message.action.is_ok());
    is_action || serde_json::from_str::<TableRequest>(text).is_ok()
}

async fn make(State(service): TableServiceState, request: Request) -> HandlerResult {
    let request_: TableRequest = json_body(request, LONGEST, "table").await?;
    match run_blocking(move || service.make(&request_, Instant::now())).await? {
        Ok((id, key)) => {
            let mut body = json!({ "id": id });
            if let Some(key) = key {
                body["key"] = key.into();
            }
            Ok(uncached_json(&body))
        }
        Err(error) => Err(error_response(error.code(), &error, error.hint())),
    }
}

async fn replay(State(service): TableServiceState, Path(id): Path<String>) -> HandlerResult {
    let Some(session) = service.find(&id) else {
        return Err(not_found("there is no such table, or not any more"));
    };
    let write = move || {
        session
            .stored()
            .map(|stored| matches::replay::text(&stored.record))
    };
    match run_blocking(write).await? {
        Ok(text) => Ok(download(&format!("{id}.replay"), text.into_bytes(), "")),
        Err(error) => Err(error_response(
            StatusCode::INTERNAL_SERVER_ERROR,
            error,
            None,
        )),
    }
}

#[derive(Deserialize)]
struct LiveQuery {
    #[serde(default)]
    key: String,
}

async fn live(
    State(service): TableServiceState,
    Path(id): Path<String>,
    Query(query): Query<LiveQuery>,
    upgrade: WebSocketUpgrade,
) -> HandlerResult {
    let permits = Arc::clone(&service.page_permits);
    serve_page(upgrade, &permits, LONGEST, async move |socket| {
        socket::serve(socket, service.find(&id), query.key).await;
    })
}

/// Why there is no new table.
#[derive(Debug, Error)]
enum TableMakeError {
    #[error(transparent)]
    Request(#[from] TableRequestError),
    #[error("{TABLES} games are played here, which is the most")]
    Full,
    #[error("{NEW_A_MINUTE} games were begun in the last minute, which is the most")]
    Often,
    #[error("the system has no randomness for a table's address: {0}")]
    Random(#[from] getrandom::Error),
}

impl From<TableSeatError> for TableMakeError {
    fn from(error: TableSeatError) -> Self {
        Self::Request(error.into())
    }
}

impl TableMakeError {
    fn code(&self) -> StatusCode {
        match self {
            Self::Full | Self::Random(_) | Self::Request(TableRequestError::Random(_)) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Often => StatusCode::TOO_MANY_REQUESTS,
            Self::Request(TableRequestError::Seat(error)) => seat_code(error),
            Self::Request(_) => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Full => Some("games that nobody watches make room after a while"),
            Self::Often => Some("try again in a minute"),
            Self::Random(_) => None,
            Self::Request(error) => error.hint(),
        }
    }
}

/// The status code of a seat that cannot be taken.
fn seat_code(error: &TableSeatError) -> StatusCode {
    match error {
        TableSeatError::House(HousePlayerError::Visitor(error)) => visitor_player::code(error),
        TableSeatError::Refused { is_busy: true, .. } => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

impl TableService {
    /// Opens the service with the stored tables; returns the store where there is one.
    fn open(context: &PageContext) -> (Self, Option<TableStore>) {
        let service = Self {
            bots: Arc::clone(&context.bots),
            seed: context.seed,
            page_permits: Arc::clone(&context.page_permits),
            engine_threads: EngineThreads::start(Arc::clone(&context.has_ended)),
            tables: Mutex::default(),
        };
        let Some(state) = &context.state else {
            return (service, None);
        };
        let found = TableStore::find(state).and_then(|store| match store {
            Some(store) => store
                .read()
                .map(|(stored, notes)| Some((store, stored, notes))),
            None => Ok(None),
        });
        match found {
            Ok(Some((store, stored, notes))) => {
                notes.iter().for_each(|note| eprintln!("note: {note}"));
                // the newest, where there are too many
                for stored in stored.into_iter().rev().take(TABLES) {
                    service.restore_table(stored);
                }
                return (service, Some(store));
            }
            Ok(None) => eprintln!(
                "note: another server keeps its games in {}",
                state.display()
            ),
            Err(error) => eprintln!("note: games are not kept in {}: {error}", state.display()),
        }
        (service, None)
    }

    fn restore_table(&self, stored: StoredTable) {
        let (id, number) = (stored.id.clone(), stored.number);
        let session = TableSession::restore(
            stored,
            Arc::clone(&self.engine_threads),
            Arc::clone(&self.bots),
        );
        if let Some(session) = session {
            let mut tables = self.lock();
            tables.count = tables.count.max(number);
            tables.by_id.insert(id, session);
        }
    }

    /// Maintains and writes the tables until the server ends, and writes them a last time then.
    fn maintain_tables(&self, store: Option<TableStore>) {
        // those that came from there are written when something changes
        let all = self.all();
        let mut written = all.iter().map(|session| (session.id.clone(), 0)).collect();
        let mut last = Instant::now();
        while !self.engine_threads.has_ended() {
            std::thread::sleep(POLL_INTERVAL);
            if last.elapsed() >= BETWEEN_WRITES {
                let now = Instant::now();
                self.all().iter().for_each(|session| session.maintain(now));
                self.write(store.as_ref(), &mut written);
                last = Instant::now();
            }
        }
        self.all()
            .iter()
            .for_each(|session| session.disconnect_all());
        self.write(store.as_ref(), &mut written);
    }

    /// Writes what has changed; `written` has a hash of what stands in each file.
    fn write(&self, store: Option<&TableStore>, written: &mut HashMap<String, u64>) {
        let Some(store) = store else {
            return;
        };
        for session in self.all() {
            if !session.has_changed() {
                continue;
            }
            let Ok(stored) = session.stored() else {
                continue;
            };
            let text = stored.text();
            let mut hasher = DefaultHasher::new();
            hasher.write(text.as_bytes());
            let hash = hasher.finish();
            if written.insert(stored.id.clone(), hash) == Some(hash) {
                continue;
            }
            if let Err(error) = store.write(&stored.id, &text) {
                eprintln!("note: the game {} is not kept: {error}", stored.id);
                written.remove(&stored.id);
            }
        }
        // those that are gone leave no trace, here or there
        let tables = self.lock();
        written.retain(|id, _| {
            let is_there = tables.by_id.contains_key(id);
            if !is_there {
                store.remove(id);
            }
            is_there
        });
    }

    fn lock(&self) -> MutexGuard<'_, TableRegistry> {
        // what is in there is put in and taken out whole
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, id: &str) -> Option<Arc<TableSession>> {
        self.lock().by_id.get(id).map(Arc::clone)
    }

    fn all(&self) -> Vec<Arc<TableSession>> {
        self.lock().by_id.values().map(Arc::clone).collect()
    }

    /// Creates a table; returns its id, and the key of the seat that its maker takes.
    fn make(
        &self,
        request_: &TableRequest,
        now: Instant,
    ) -> Result<(String, Option<String>), TableMakeError> {
        let mut host =
            ServerTableHost::new(Arc::clone(&self.engine_threads), Arc::clone(&self.bots));
        let RequestedTable {
            game,
            mut occupants,
            key,
        } = request_.resolve(&mut host)?;
        let id = new_id()?;
        for occupant in &mut occupants {
            if let TableSeat::Player(seated) = occupant {
                host.reserve(&mut seated.player)?;
            }
        }
        // counted before the work, so that it bounds the work
        let number = self.register_table(now)?;
        let setup = PlayTableSetup {
            id: id.clone(),
            number,
            game,
            occupants,
            turns: &request_.turns,
            is_public: request_.public,
            hints: request_.hints,
            seed: self
                .seed
                .wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        };
        let table = PlayTable::new(setup, host)
            .map_err(|(turn, error)| TableRequestError::Turn { turn, error })?;
        let session = TableSession::new(table, number, Arc::clone(&self.engine_threads));
        self.lock().by_id.insert(id.clone(), session);
        Ok((id, key))
    }

    /// Counts a new table against the limits, removing an unwatched one if needed.
    fn register_table(&self, now: Instant) -> Result<u64, TableMakeError> {
        let mut tables = self.lock();
        if tables.rate.last_minute(now) >= NEW_A_MINUTE {
            return Err(TableMakeError::Often);
        }
        if tables.by_id.len() >= TABLES {
            let forgotten = tables.by_id.iter().filter_map(|(id, session)| {
                let (since, is_over) = session.unwatched(now)?;
                let most = if is_over { FORGOTTEN_OVER } else { FORGOTTEN };
                (since >= most).then(|| (since, id.clone()))
            });
            let Some((_, id)) = forgotten.max() else {
                return Err(TableMakeError::Full);
            };
            if let Some(session) = tables.by_id.remove(&id) {
                session.close();
            }
        }
        tables.rate.count(now);
        tables.count += 1;
        Ok(tables.count)
    }
}

/// A random table id: ten letters from 128 bits.
fn new_id() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    let mut number = u128::from_le_bytes(bytes);
    Ok((0..10)
        .map(|_| {
            let letter = b'a' + (number % 26) as u8;
            number /= 26;
            char::from(letter)
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_watches_makes_room_and_nothing_else_does() {
        let (service, _) = TableService::open(&PageContext::new(Vec::new(), None, 0));
        let begun = Instant::now();
        let make = |turns: &[&str], seconds: u64| {
            let request_ = TableRequest {
                game: "tictactoe".into(),
                seats: ["open".into(), "open".into()],
                name: String::new(),
                public: false,
                hints: false,
                turns: turns.iter().map(|&turn| turn.into()).collect(),
            };
            service.make(&request_, begun + Duration::from_secs(seconds))
        };
        let (first, _) = make(&[], 0).unwrap();
        let (over, _) = make(&["A1", "A2", "B1", "B2", "C1"], 0).unwrap();
        // one each two seconds is not too many
        for number in 2..TABLES as u64 {
            make(&[], number * 2).unwrap();
        }
        let minutes = |minutes: u64| minutes * 60;
        assert!(matches!(make(&[], minutes(9)), Err(TableMakeError::Full)));
        // the game that is over goes first, and the others an hour after they were left
        make(&[], minutes(20)).unwrap();
        assert!(service.find(&over).is_none() && service.find(&first).is_some());
        assert!(matches!(make(&[], minutes(50)), Err(TableMakeError::Full)));
        make(&[], minutes(70)).unwrap();
        assert!(service.find(&first).is_none());
        assert_eq!(service.all().len(), TABLES);
    }

    #[test]
    fn addresses_are_ten_letters_and_differ() {
        let (one, two) = (new_id().unwrap(), new_id().unwrap());
        assert!(one.len() == 10 && one.bytes().all(|b| b.is_ascii_lowercase()));
        assert_ne!(one, two);
    }
}
