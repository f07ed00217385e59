//! A table session: a game with its occupants and connected pages.

use super::engine_threads::{EngineThreads, MoveTask, MoveTaskResult, catch_panic};
use super::seat::{LONGEST_THOUGHT, SeatPerson, TableSeat};
use super::state::{EngineSlot, TablePage, TableSessionState};
use super::table_store::{StoredSeat, StoredTable};
use super::view_model;
use crate::options::AllowedBot;
use crate::pages::page_socket::{PageCloseReason, PageMessageQueue};
use games::{AnyGame, Seat};
use matches::replay::CheckError;
use matches::{Fault, TableError};
use models::play::ThoughtRequest;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The search state of a player is dropped after this time without a watcher,
const ENGINE_TIMEOUT: Duration = Duration::from_secs(60);

/// and a bot's process ends after this time. It is started again on demand.
const BOT_TIMEOUT: Duration = Duration::from_secs(600);

/// A table shared by its pages.
pub(super) struct TableSession {
    pub(super) id: String,
    pub(super) number: u64,
    pub(super) game: AnyGame,
    pub(super) engine_threads: Arc<EngineThreads>,
    pub(super) bots: Arc<[AllowedBot]>,
    /// Incremented with each change that makes running engines' results useless.
    pub(super) epoch: AtomicU64,
    pub(super) state: Mutex<TableSessionState>,
}

/// The parameters of a new table session.
pub(super) struct TableSessionSetup<'a> {
    pub(super) id: String,
    /// How many tables were made before it, and it.
    pub(super) number: u64,
    pub(super) game: AnyGame,
    pub(super) occupants: [TableSeat; 2],
    /// Turns that are played already.
    pub(super) turns: &'a [String],
    pub(super) is_public: bool,
    pub(super) hints: bool,
    pub(super) seed: u64,
}

impl TableSession {
    /// A table without pages.
    ///
    /// # Errors
    ///
    /// The number of the first turn, from 1, that cannot be played, and why.
    pub(super) fn new(
        setup: TableSessionSetup<'_>,
        engine_threads: Arc<EngineThreads>,
        bots: Arc<[AllowedBot]>,
    ) -> Result<Arc<Self>, (usize, TableError)> {
        let state = TableSessionState::new(
            &setup.game,
            setup.occupants,
            setup.turns,
            [setup.is_public, setup.hints],
            setup.seed,
        )?;
        Ok(Arc::new(Self {
            id: setup.id,
            number: setup.number,
            game: setup.game,
            engine_threads,
            bots,
            epoch: AtomicU64::new(1),
            state: Mutex::new(state),
        }))
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// See the field.
    pub(super) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, TableSessionState> {
        // a change that panicked is told or not told; the table is whole either way
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a page watch, with the key of its seat if it has one. Its number, unless the
    /// table is closed.
    pub(super) fn join(
        self: &Arc<Self>,
        queue: &Arc<PageMessageQueue>,
        key: String,
    ) -> Option<u64> {
        let mut state = self.lock();
        if state.is_closed {
            return None;
        }
        let number = state.next_page;
        state.next_page += 1;
        let seat = state.seat_of(&key);
        queue.send(json!({ "you": { "seat": seat.map(Seat::index) } }).to_string());
        state.pages.push(TablePage {
            number,
            queue: Arc::clone(queue),
            key,
            seat,
            awaits_advice: false,
        });
        let before = state.thinking;
        self.start_engines(&mut state);
        if seat.is_some() || state.version == 0 || state.thinking != before {
            self.broadcast(&mut state);
        } else {
            queue.send(view_model::table(&self.id, &state));
            state.owes_broadcast = true;
        }
        Some(number)
    }

    /// A page goes.
    pub(super) fn leave(self: &Arc<Self>, page: u64) {
        let mut state = self.lock();
        let has_seat = state.page(page).is_some_and(|page| page.seat.is_some());
        state.pages.retain(|other| other.number != page);
        state.unwatched = Instant::now();
        if has_seat || state.pages.is_empty() {
            self.start_engines_and_broadcast(&mut state);
        } else {
            state.owes_broadcast = true;
        }
    }

    /// How long it has been unwatched, and whether the game is over; `None` while a page is
    /// connected.
    pub(super) fn unwatched(&self, now: Instant) -> Option<(Duration, bool)> {
        let state = self.lock();
        let since = now.saturating_duration_since(state.unwatched);
        state
            .pages
            .is_empty()
            .then(|| (since, state.game.is_over()))
    }

    /// Disconnects all pages at shutdown; their messages are ignored from then on.
    pub(super) fn disconnect_all(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        for page in state.pages.drain(..) {
            page.queue.close(PageCloseReason::Gone);
        }
    }

    /// Closes the table.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        self.epoch.fetch_add(1, Ordering::AcqRel);
        for page in state.pages.drain(..) {
            page.queue.send(json!({ "gone": true }).to_string());
            page.queue.close(PageCloseReason::Gone);
        }
        for seat in Seat::BOTH {
            state.release_engine(seat, &self.engine_threads);
            if let TableSeat::Player(player) = &mut state.occupants[seat.index()] {
                player.permit = None;
            }
        }
    }

    /// What a list of tables says of it, where it is in one.
    pub(super) fn listed(&self) -> Option<Value> {
        let state = self.lock();
        state
            .is_public
            .then(|| view_model::listed(&self.id, &state))
    }

    /// The table in the form in which it is stored.
    ///
    /// # Errors
    ///
    /// The turns cannot be replayed, which is a bug.
    pub(super) fn stored(&self) -> Result<StoredTable, CheckError> {
        let state = self.lock();
        let seats = [0, 1].map(|i| StoredSeat::of(&state.occupants[i]));
        let record = state.game.record([0, 1].map(|i: usize| seats[i].name()));
        let (is_public, hints, seed) = (state.is_public, state.hints, state.game.seed());
        // unlocked: replaying a long game takes a while
        drop(state);
        let record = record()?;
        Ok(StoredTable {
            id: self.id.clone(),
            number: self.number,
            seats,
            is_public,
            hints,
            seed,
            record,
        })
    }

    /// Whether something has changed since the last time that this was asked.
    pub(super) fn has_changed(&self) -> bool {
        let mut state = self.lock();
        let version = state.version;
        std::mem::replace(&mut state.checked_version, version) != version
    }

    /// Restores a stored table.
    pub(super) fn restore(
        stored: StoredTable,
        engine_threads: Arc<EngineThreads>,
        bots: Arc<[AllowedBot]>,
    ) -> Option<Arc<Self>> {
        let end = stored.end();
        let game: AnyGame = stored.record.game.parse().ok()?;
        let occupants = stored.seats.map(|seat| match seat {
            StoredSeat::Open => TableSeat::Open,
            StoredSeat::Person { key, name } => TableSeat::Person(SeatPerson { key, name }),
            // it may have been allowed then, and not be now
            StoredSeat::Player(text) => {
                TableSeat::read(&text, &game, &bots).unwrap_or(TableSeat::Open)
            }
        });
        let setup = TableSessionSetup {
            id: stored.id,
            number: stored.number,
            game,
            occupants,
            turns: &stored.record.opening,
            is_public: stored.is_public,
            hints: stored.hints,
            seed: stored.seed,
        };
        let session = Self::new(setup, engine_threads, bots).ok()?;
        let mut state = session.lock();
        for turn in &stored.record.turns {
            state.game.follow(&turn.text, turn.spent).ok()?;
        }
        state.game.set_end(end);
        // later than any version before, so that pages that come back know it for newer
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        state.version = now.map_or(1 << 40, |now| now.as_millis() as u64);
        state.checked_version = state.version;
        drop(state);
        Some(session)
    }

    /// Periodic maintenance: releases engines of unwatched tables, and retries bots that found no
    /// permit.
    pub(super) fn maintain(self: &Arc<Self>, now: Instant) {
        let mut guard = self.lock();
        let state = &mut *guard;
        let is_unwatched = state.pages.is_empty();
        let alone = now.saturating_duration_since(state.unwatched);
        for seat in Seat::BOTH {
            let i = seat.index();
            let timeout = match &state.occupants[i] {
                TableSeat::Player(player) if player.entrant.is_bot() => BOT_TIMEOUT,
                _ => ENGINE_TIMEOUT,
            };
            if is_unwatched && alone >= timeout {
                state.release_engine(seat, &self.engine_threads);
            }
        }
        if state.owes_broadcast {
            self.broadcast(state);
        }
        let waits = |seat: Seat| {
            let is_player = matches!(state.occupants[seat.index()], TableSeat::Player(_));
            state.game.awaits(seat) && is_player && state.thinking[seat.index()].is_none()
        };
        if !is_unwatched && Seat::BOTH.into_iter().any(waits) {
            let before = state.thinking;
            self.start_engines(state);
            if state.thinking != before {
                self.broadcast(state);
            }
        }
    }

    /// Sends a message to one page.
    pub(super) fn send_to(&self, page: u64, text: impl Into<Arc<str>>) {
        if let Some(page) = self.lock().page(page) {
            page.queue.send(text);
        }
    }

    /// Called after every change: starts the engines that are to move, and broadcasts the table.
    pub(super) fn start_engines_and_broadcast(self: &Arc<Self>, state: &mut TableSessionState) {
        self.start_engines(state);
        self.broadcast(state);
    }

    /// Starts the engines that are to move.
    pub(super) fn start_engines(self: &Arc<Self>, state: &mut TableSessionState) {
        let epoch = self.epoch();
        let is_over = state.game.is_over();
        for seat in Seat::BOTH {
            let i = seat.index();
            let is_due = state.game.awaits(seat);
            if is_due && state.to_move_since[i].is_none() {
                state.to_move_since[i] = Some(Instant::now());
            }
            // a game that nobody watches waits
            let thinks = is_due && !state.pages.is_empty() && !state.is_closed;
            if !(thinks && matches!(state.occupants[i], TableSeat::Player(_))) {
                if !is_due {
                    state.thinking[i] = None;
                }
            } else if state.thinking[i] != Some(epoch)
                // a bot without a place waits until there is one
                && state.occupants[i].reserve_bot(&self.engine_threads).is_ok()
            {
                state.thinking[i] = Some(epoch);
                self.think(seat, epoch);
            }
            if is_over {
                state.release_engine(seat, &self.engine_threads);
            }
        }
    }

    /// Sends the table to all its pages.
    pub(super) fn broadcast(&self, state: &mut TableSessionState) {
        // one that fell behind is told nothing more; it goes when its connection does
        state.pages.retain(|page| !page.queue.is_closed());
        state.version += 1;
        state.owes_broadcast = false;
        for i in 0..state.pages.len() {
            let seat = state.seat_of(&state.pages[i].key);
            let page = &mut state.pages[i];
            if page.seat != seat {
                page.seat = seat;
                let message = json!({ "you": { "seat": seat.map(Seat::index) } });
                page.queue.send(message.to_string());
            }
        }
        let text: Arc<str> = view_model::table(&self.id, state).into();
        for page in &state.pages {
            page.queue.send(Arc::clone(&text));
        }
    }

    /// Queues a seat's move.
    fn think(self: &Arc<Self>, seat: Seat, epoch: u64) {
        let (pool, session) = (Arc::clone(&self.engine_threads), Arc::clone(self));
        self.engine_threads.queue(move || {
            let Some(task) = session.take_task(seat, epoch) else {
                return;
            };
            let occupant = task.occupant;
            let found = catch_panic(|| {
                let found = task.find_move(&pool, &|| session.epoch() == epoch);
                found.map_err(|error| error.to_string())
            });
            session.finish_task(seat, epoch, occupant, found);
        });
    }

    /// The task for a seat's move; `None` where it is out of date or the engine is still busy.
    pub(super) fn take_task(&self, seat: Seat, epoch: u64) -> Option<MoveTask> {
        let mut guard = self.lock();
        let state = &mut *guard;
        let i = seat.index();
        if state.thinking[i] != Some(epoch) || self.epoch() != epoch {
            return None;
        }
        let TableSeat::Player(player) = &state.occupants[i] else {
            return None;
        };
        let engine = match std::mem::replace(&mut state.engine_slots[i], EngineSlot::Busy) {
            EngineSlot::Busy => return None,
            EngineSlot::Idle(engine) => Some(engine),
            EngineSlot::Empty => None,
        };
        Some(MoveTask {
            engine,
            game: self.game.clone(),
            entrant: player.entrant.clone(),
            permit: player.permit.clone(),
            occupant: state.occupant_numbers[i],
            request: ThoughtRequest {
                seat,
                adviser: None,
                seed: state.game.seed(),
                history: state.game.table().history().to_vec(),
            },
            longest: (!player.entrant.is_bot()).then_some(LONGEST_THOUGHT),
        })
    }

    /// Takes the result of a seat's move task.
    pub(super) fn finish_task(
        self: &Arc<Self>,
        seat: Seat,
        epoch: u64,
        occupant: u64,
        found: Result<MoveTaskResult, String>,
    ) {
        let mut guard = self.lock();
        let state = &mut *guard;
        let i = seat.index();
        let is_same_occupant = state.occupant_numbers[i] == occupant;
        if is_same_occupant {
            state.engine_slots[i] = EngineSlot::Empty;
        }
        let (thought, spent) = match found {
            Ok(found) => {
                if is_same_occupant && found.engine.is_reusable && !state.is_closed {
                    state.engine_slots[i] = EngineSlot::Idle(found.engine);
                } else {
                    // a bot may take a while to go
                    self.engine_threads.queue(move || drop(found.engine));
                }
                (found.thought, Some(found.spent))
            }
            Err(error) => {
                let (name, fault) = (String::new(), Fault::NotStarted(error));
                (Err(TableError::Fault { name, fault }), None)
            }
        };
        let is_current = self.epoch() == epoch && state.thinking[i] == Some(epoch);
        if !is_current || self.engine_threads.has_ended() {
            // a newer task may wait for this engine
            if let Some(epoch) = state.thinking[i]
                && epoch == self.epoch()
            {
                self.think(seat, epoch);
            } else if state.game.is_over() {
                state.release_engine(seat, &self.engine_threads);
            }
            return;
        }
        state.thinking[i] = None;
        match thought {
            Ok(advice) => {
                let is_complete = state.game.enter(seat, advice, spent);
                self.finish_move(state, seat, is_complete);
            }
            Err(error) => {
                state.game.fail(seat, error);
                self.invalidate_thoughts(state);
            }
        }
        self.start_engines_and_broadcast(state);
    }
}
