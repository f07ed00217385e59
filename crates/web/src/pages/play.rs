//! The room play: games that people sit at, against each other, the players of the program,
//! or programs that the server's owner allowed.
//!
//! A game is a [`TableSession`](table_session::Sitting): a table with a person in both seats, so that it
//! never waits and never thinks, under a lock that is never held for long. Who is no person
//! is a [`engine_threads`]: a second table that follows the first, thinks on a thread of the room, and
//! gives its move back as text. So a slow player holds up nobody, and a move that comes too
//! late, after a take back, is only dropped. (A player inside the table itself lost: whoever
//! asks for the board would have waited for its thought.)
//!
//! Everybody at a table is told the same text after each change, the whole table with its
//! version: there is nothing to put together, and nothing to miss.

mod action;
mod engine_threads;
mod menu;
mod message;
mod refusal;
mod seat;
mod socket;
mod state;
mod table_session;
mod table_store;
mod view_model;

use super::page_socket::LONGEST;
use super::{PageContext, crowded, document, seat, unkept};
use crate::options::AllowedBot;
use crate::route::{aside, body, download, refused};
use crate::{guard, reply};
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use engine_threads::EngineThreads;
use games::{AnyGame, Game as _, Seat, with_game};
use seat::{SeatPerson, TableSeat, TableSeatError};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use table_session::{TableSession, TableSessionSetup};
use table_store::TableStore;
use thiserror::Error;
use tokio::sync::Semaphore;

/// So many tables there may be.
const TABLES: usize = 400;

/// And so many new ones in a minute, over all visitors.
const NEW_A_MINUTE: usize = 60;

/// A table that nobody watches for so long makes room where room is needed,
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// and one whose game is over sooner.
const FORGOTTEN_OVER: Duration = Duration::from_secs(600);

/// Tables are kept no more often than this,
const BETWEEN_WRITES: Duration = Duration::from_secs(1);

/// and the server's end is looked for so often.
const LOOK: Duration = Duration::from_millis(100);

/// No game here is longer, or begins with more turns: everybody is told all of them.
const MOST_TURNS: usize = 2000;

/// The longest text of a game or a player.
const LONGEST_WORD: usize = 200;

/// All tables of a server, and who thinks for them.
pub(crate) struct TableService {
    bots: Arc<[AllowedBot]>,
    seed: u64,
    places: Arc<Semaphore>,
    minds: Arc<EngineThreads>,
    tables: Mutex<TableRegistry>,
}

#[derive(Default)]
struct TableRegistry {
    by_id: HashMap<String, Arc<TableSession>>,
    /// When the tables of the last minute were made.
    made: VecDeque<Instant>,
    /// How many were made at all.
    count: u64,
}

type TableServiceState = State<Arc<TableService>>;

/// What answers in this room, but for its document.
pub(crate) fn routes(rooms: &PageContext) -> Router {
    let (hall, shelf) = TableService::open(rooms);
    let hall = Arc::new(hall);
    let keeper = Arc::clone(&hall);
    let thread = std::thread::Builder::new().name("play-keeper".into());
    if let Ok(thread) = thread.spawn(move || keeper.keep(shelf)) {
        rooms.wait_for(thread);
    }
    Router::new()
        .route("/play/games.json", get(games))
        .route("/play/tables.json", get(tables))
        .route("/play/tables", post(make))
        .route("/play/{id}", get(page))
        .route("/play/{id}/replay", get(replay))
        .route("/play/{id}/live", get(live))
        .with_state(hall)
}

async fn page(headers: HeaderMap) -> Response {
    document("play", &headers)
}

async fn games(State(hall): TableServiceState) -> Response {
    match aside(move || menu::told(&hall.bots)).await {
        Some(told) => unkept(&told),
        None => crate::route::broken_down(),
    }
}

async fn tables(State(hall): TableServiceState) -> Response {
    let mut sittings = hall.all();
    sittings.sort_by_key(|sitting| std::cmp::Reverse(sitting.number()));
    let listed = sittings.iter().filter_map(|sitting| sitting.listed());
    unkept(&json!({ "tables": Value::from_iter(listed) }))
}

/// Whether a text is a message of a page at a table, or describes a new table: see
/// [`crate::fuzz`].
pub(crate) fn reads(text: &str) -> bool {
    let is_wish = message::TableMessage::read(text).is_ok_and(|message| message.wish.is_ok());
    is_wish || serde_json::from_str::<TableRequest>(text).is_ok()
}

/// What a new table is to be.
#[derive(Deserialize)]
struct TableRequest {
    game: String,
    seats: [String; 2],
    #[serde(default)]
    name: String,
    #[serde(default)]
    public: bool,
    #[serde(default)]
    hints: bool,
    #[serde(default)]
    turns: Vec<String>,
}

async fn make(State(hall): TableServiceState, request: Request) -> Response {
    let bytes = match body(request, LONGEST as u64, None).await {
        Ok(bytes) => bytes,
        Err(response) => return response,
    };
    let wanted: TableRequest = match serde_json::from_slice(&bytes) {
        Ok(wanted) => wanted,
        Err(error) => {
            let told = format!("this describes no table: {error}");
            return refused(StatusCode::BAD_REQUEST, told, None);
        }
    };
    match aside(move || hall.make(&wanted, Instant::now())).await {
        Some(Ok((id, key))) => {
            let mut told = json!({ "id": id });
            if let Some(key) = key {
                told["key"] = key.into();
            }
            unkept(&told)
        }
        Some(Err(error)) => refused(error.code(), &error, error.hint()),
        None => crate::route::broken_down(),
    }
}

async fn replay(State(hall): TableServiceState, Path(id): Path<String>) -> Response {
    let Some(sitting) = hall.find(&id) else {
        return refused(StatusCode::NOT_FOUND, NO_TABLE, None);
    };
    match aside(move || sitting.kept().map(|kept| arena::replay::text(&kept.record))).await {
        Some(Ok(text)) => download(&format!("{id}.replay"), text.into_bytes(), ""),
        Some(Err(error)) => refused(StatusCode::INTERNAL_SERVER_ERROR, error, None),
        None => crate::route::broken_down(),
    }
}

const NO_TABLE: &str = "there is no such table, or not any more";

#[derive(Deserialize)]
struct LiveQuery {
    #[serde(default)]
    key: String,
}

async fn live(
    State(hall): TableServiceState,
    Path(id): Path<String>,
    Query(query): Query<LiveQuery>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some((upgrade, place)) = seat(upgrade, &hall.places, LONGEST) else {
        return crowded();
    };
    upgrade.on_upgrade(async move |socket| {
        socket::serve(socket, hall.find(&id), query.key).await;
        drop(place);
    })
}

/// Why there is no new table.
#[derive(Debug, Error)]
enum TableRequestError {
    #[error(transparent)]
    Game(#[from] games::GameNameError),
    #[error(transparent)]
    Chair(#[from] TableSeatError),
    #[error("`{what}` is longer than {LONGEST_WORD} characters")]
    Long { what: &'static str },
    #[error("a person sits in one seat")]
    BothMine,
    #[error("turn {turn}: {error}")]
    Turn {
        turn: usize,
        error: arena::TableError,
    },
    #[error("a game may begin with {MOST_TURNS} turns, and these are {0}")]
    Turns(usize),
    #[error("a game has {MOST_TURNS} turns at most here, and this one may have {0}")]
    LongGame(u32),
    #[error("{TABLES} games are played here, which is the most")]
    Full,
    #[error("{NEW_A_MINUTE} games were begun in the last minute, which is the most")]
    Often,
    #[error("the system has no randomness for a table's address: {0}")]
    Random(#[from] getrandom::Error),
}

impl TableRequestError {
    fn code(&self) -> StatusCode {
        match self {
            Self::Full | Self::Random(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Often => StatusCode::TOO_MANY_REQUESTS,
            Self::Chair(error) => error.code(),
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Full => Some("games that nobody watches make room after a while"),
            Self::Often => Some("try again in a minute"),
            Self::BothMine => Some("leave the other seat open, or give it a player"),
            Self::Chair(error) => error.hint(),
            _ => None,
        }
    }
}

impl TableService {
    /// With the tables of last time, where they were kept; and that place.
    fn open(rooms: &PageContext) -> (Self, Option<TableStore>) {
        let hall = Self {
            bots: Arc::clone(&rooms.bots),
            seed: rooms.seed,
            places: Arc::clone(&rooms.places),
            minds: EngineThreads::start(Arc::clone(&rooms.has_ended)),
            tables: Mutex::default(),
        };
        let Some(state) = &rooms.state else {
            return (hall, None);
        };
        let found = TableStore::find(state).and_then(|shelf| match shelf {
            Some(shelf) => shelf.read().map(|(kept, notes)| Some((shelf, kept, notes))),
            None => Ok(None),
        });
        match found {
            Ok(Some((shelf, kept, notes))) => {
                notes.iter().for_each(|note| eprintln!("note: {note}"));
                // the newest, where there are too many
                for kept in kept.into_iter().rev().take(TABLES) {
                    hall.put_back(kept);
                }
                return (hall, Some(shelf));
            }
            Ok(None) => eprintln!(
                "note: another server keeps its games in {}",
                state.display()
            ),
            Err(error) => eprintln!("note: games are not kept in {}: {error}", state.display()),
        }
        (hall, None)
    }

    fn put_back(&self, kept: table_store::StoredTable) {
        let (id, number) = (kept.id.clone(), kept.number);
        let sitting = TableSession::restored(kept, Arc::clone(&self.minds), Arc::clone(&self.bots));
        if let Some(sitting) = sitting {
            let mut tables = self.lock();
            tables.count = tables.count.max(number);
            tables.by_id.insert(id, sitting);
        }
    }

    /// Looks after the tables until the server ends, and keeps them a last time then.
    fn keep(&self, shelf: Option<TableStore>) {
        // those that came from there are written when something changes
        let all = self.all();
        let mut written = all.iter().map(|sitting| (sitting.id.clone(), 0)).collect();
        let mut last = Instant::now();
        while !self.minds.has_ended() {
            std::thread::sleep(LOOK);
            if last.elapsed() >= BETWEEN_WRITES {
                let now = Instant::now();
                self.all().iter().for_each(|sitting| sitting.tend(now));
                self.write(shelf.as_ref(), &mut written);
                last = Instant::now();
            }
        }
        self.all().iter().for_each(|sitting| sitting.part_all());
        self.write(shelf.as_ref(), &mut written);
    }

    /// Writes what has changed; `written` has a hash of what stands in each file.
    fn write(&self, shelf: Option<&TableStore>, written: &mut HashMap<String, u64>) {
        let Some(shelf) = shelf else {
            return;
        };
        for sitting in self.all() {
            if !sitting.has_changed() {
                continue;
            }
            let Ok(kept) = sitting.kept() else {
                continue;
            };
            let text = kept.text();
            let mut hasher = DefaultHasher::new();
            hasher.write(text.as_bytes());
            let hash = hasher.finish();
            if written.insert(kept.id.clone(), hash) == Some(hash) {
                continue;
            }
            if let Err(error) = shelf.write(&kept.id, &text) {
                eprintln!("note: the game {} is not kept: {error}", kept.id);
                written.remove(&kept.id);
            }
        }
        // those that are gone leave no trace, here or there
        let tables = self.lock();
        written.retain(|id, _| {
            let is_there = tables.by_id.contains_key(id);
            if !is_there {
                shelf.remove(id);
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

    /// Makes a table: its address, and the key of the seat that its maker takes.
    fn make(
        &self,
        wanted: &TableRequest,
        now: Instant,
    ) -> Result<(String, Option<String>), TableRequestError> {
        for (what, text) in [
            ("game", &wanted.game),
            ("seats", &wanted.seats[0]),
            ("seats", &wanted.seats[1]),
        ] {
            if text.chars().count() > LONGEST_WORD {
                return Err(TableRequestError::Long { what });
            }
        }
        if wanted.turns.len() > MOST_TURNS {
            return Err(TableRequestError::Turns(wanted.turns.len()));
        }
        let game: AnyGame = wanted.game.parse()?;
        let longest = with_game!(&game, |game| game.longest());
        if longest as usize > MOST_TURNS {
            return Err(TableRequestError::LongGame(longest));
        }
        let mut key = None;
        let mut chair = |seat: Seat| -> Result<TableSeat, TableRequestError> {
            let text = wanted.seats[seat.index()].trim();
            if text != "me" {
                return Ok(TableSeat::read(text, &game, &self.bots)?);
            }
            if key.is_some() {
                return Err(TableRequestError::BothMine);
            }
            let person = SeatPerson {
                key: guard::new_token()?,
                name: seat::name(&wanted.name)?,
            };
            key = Some(person.key.clone());
            Ok(TableSeat::Person(person))
        };
        let mut chairs = [chair(Seat::First)?, chair(Seat::Second)?];
        let id = new_id()?;
        for chair in &mut chairs {
            chair.hire(&self.minds)?;
        }
        // counted before the work, so that it bounds the work
        let number = self.admit(now)?;
        let sitting = TableSession::new(
            TableSessionSetup {
                id: id.clone(),
                number,
                game,
                chairs,
                turns: &wanted.turns,
                is_public: wanted.public,
                hints: wanted.hints,
                seed: self
                    .seed
                    .wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            },
            Arc::clone(&self.minds),
            Arc::clone(&self.bots),
        )
        .map_err(|(turn, error)| TableRequestError::Turn { turn, error })?;
        self.lock().by_id.insert(id.clone(), sitting);
        Ok((id, key))
    }

    /// Makes room for one more table, and counts it.
    fn admit(&self, now: Instant) -> Result<u64, TableRequestError> {
        let mut tables = self.lock();
        while let Some(&first) = tables.made.front()
            && now.duration_since(first) >= Duration::from_secs(60)
        {
            tables.made.pop_front();
        }
        if tables.made.len() >= NEW_A_MINUTE {
            return Err(TableRequestError::Often);
        }
        if tables.by_id.len() >= TABLES {
            let forgotten = tables.by_id.iter().filter_map(|(id, sitting)| {
                let (since, is_over) = sitting.unwatched(now)?;
                let most = if is_over { FORGOTTEN_OVER } else { FORGOTTEN };
                (since >= most).then(|| (since, id.clone()))
            });
            let Some((_, id)) = forgotten.max() else {
                return Err(TableRequestError::Full);
            };
            if let Some(sitting) = tables.by_id.remove(&id) {
                sitting.close();
            }
        }
        tables.made.push_back(now);
        tables.count += 1;
        Ok(tables.count)
    }
}

/// An address that nobody guesses: ten letters from 128 bits.
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

/// What a page is told of something that went wrong.
fn problem(id: &Value, error: impl ToString, hint: Option<&str>) -> String {
    let mut told = reply::problem(error, hint);
    if let Some(fields) = told.as_object_mut() {
        fields.remove("ok");
    }
    if !id.is_null() {
        told["id"] = id.clone();
    }
    json!({ "error": told }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_watches_makes_room_and_nothing_else_does() {
        let (hall, _) = TableService::open(&PageContext::new(Vec::new(), None, 0));
        let begun = Instant::now();
        let make = |turns: &[&str], seconds: u64| {
            let wanted = TableRequest {
                game: "tictactoe".into(),
                seats: ["open".into(), "open".into()],
                name: String::new(),
                public: false,
                hints: false,
                turns: turns.iter().map(|&turn| turn.into()).collect(),
            };
            hall.make(&wanted, begun + Duration::from_secs(seconds))
        };
        let (first, _) = make(&[], 0).unwrap();
        let (over, _) = make(&["A1", "A2", "B1", "B2", "C1"], 0).unwrap();
        // one each two seconds is not too many
        for number in 2..TABLES as u64 {
            make(&[], number * 2).unwrap();
        }
        let minutes = |minutes: u64| minutes * 60;
        assert!(matches!(
            make(&[], minutes(9)),
            Err(TableRequestError::Full)
        ));
        // the game that is over goes first, and the others an hour after they were left
        make(&[], minutes(20)).unwrap();
        assert!(hall.find(&over).is_none() && hall.find(&first).is_some());
        assert!(matches!(
            make(&[], minutes(50)),
            Err(TableRequestError::Full)
        ));
        make(&[], minutes(70)).unwrap();
        assert!(hall.find(&first).is_none());
        assert_eq!(hall.all().len(), TABLES);
    }

    #[test]
    fn addresses_are_ten_letters_and_differ() {
        let (one, two) = (new_id().unwrap(), new_id().unwrap());
        assert!(one.len() == 10 && one.bytes().all(|b| b.is_ascii_lowercase()));
        assert_ne!(one, two);
    }
}
