//! A table session: a table shared by its pages and by the threads of its players.

use super::engine_threads::{EngineThreads, MoveTask, MoveTaskResult, catch_panic};
use super::table_host::{HostedPlayer, ServerTableHost, TableWork};
use crate::options::AllowedBot;
use crate::pages::page_socket::{PageMessageQueue, TablePageQueue};
use games::Seat;
use matches::replay::CheckError;
use matches::{Advice, Fault, TableError};
use models::play::ThoughtRequest;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use wire::{AdviceQuestion, LONGEST_THOUGHT, PlayTable, StoredTable, TableMessage, TableSeat};

/// The search state of a player is dropped after this time without a watcher,
const ENGINE_TIMEOUT: Duration = Duration::from_secs(60);

/// and a bot's process ends after this time. It is started again on demand.
const BOT_TIMEOUT: Duration = Duration::from_secs(600);

/// A table shared by its pages.
pub(super) struct TableSession {
    pub(super) id: String,
    number: u64,
    engine_threads: Arc<EngineThreads>,
    table: Mutex<PlayTable<ServerTableHost>>,
}

impl TableWork for TableSession {
    fn think(&self, seat: Seat, epoch: u64) {
        let Some(task) = self.take_task(seat, epoch) else {
            return;
        };
        let occupant = task.occupant;
        let epochs = self.lock().host.epochs();
        let found = catch_panic(|| {
            let found = task.find_move(&self.engine_threads, &|| epochs.is_now(epoch));
            found.map_err(|error| error.to_string())
        });
        self.finish_task(seat, epoch, occupant, found);
    }

    fn finish_advice(&self, question: &AdviceQuestion, advice: Result<Advice, String>) {
        self.lock().finish_advice(question, advice);
    }
}

impl TableSession {
    /// A table without pages.
    pub(super) fn new(
        table: PlayTable<ServerTableHost>,
        number: u64,
        engine_threads: Arc<EngineThreads>,
    ) -> Arc<Self> {
        Arc::new_cyclic(|session| {
            let mut table = table;
            let work: Weak<Self> = session.clone();
            table.host.attach(work);
            Self {
                id: table.id().into(),
                number,
                engine_threads,
                table: Mutex::new(table),
            }
        })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, PlayTable<ServerTableHost>> {
        // a change that panicked is told or not told; the table is whole either way
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a page watch, with the key of its seat if it has one. Its number, unless the
    /// table is closed.
    pub(super) fn join(&self, queue: &Arc<PageMessageQueue>, key: String) -> Option<u64> {
        self.lock().join(TablePageQueue(Arc::clone(queue)), key)
    }

    /// A page goes.
    pub(super) fn leave(&self, page: u64) {
        self.lock().leave(page);
    }

    /// Handles a message of a page and sends it the reply.
    pub(super) fn handle(&self, page: u64, message: TableMessage) {
        self.lock().handle(page, message);
    }

    /// How long it has been unwatched, and whether the game is over; `None` while a page is
    /// connected.
    pub(super) fn unwatched(&self, now: Instant) -> Option<(Duration, bool)> {
        self.lock().unwatched(self.engine_threads.time_of(now))
    }

    /// Disconnects all pages at shutdown; their messages are ignored from then on.
    pub(super) fn disconnect_all(&self) {
        self.lock().disconnect_all();
    }

    /// Closes the table.
    pub(super) fn close(&self) {
        self.lock().close();
    }

    /// What a list of tables says of it, where it is in one.
    pub(super) fn listed(&self) -> Option<Value> {
        self.lock().listed()
    }

    /// The table in the form in which it is stored.
    ///
    /// # Errors
    ///
    /// The turns cannot be replayed, which is a bug.
    pub(super) fn stored(&self) -> Result<StoredTable, CheckError> {
        // unlocked: replaying a long game takes a while
        let stored = self.lock().stored();
        stored()
    }

    /// Whether something has changed since the last time that this was asked.
    pub(super) fn has_changed(&self) -> bool {
        self.lock().has_changed()
    }

    /// Restores a stored table.
    pub(super) fn restore(
        stored: StoredTable,
        engine_threads: Arc<EngineThreads>,
        bots: Arc<[AllowedBot]>,
    ) -> Option<Arc<Self>> {
        let number = stored.number;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let version = now.map_or(1 << 40, |now| now.as_millis() as u64);
        let host = ServerTableHost::new(Arc::clone(&engine_threads), bots);
        let table = PlayTable::restore(stored, host, version)?;
        Some(Self::new(table, number, engine_threads))
    }

    /// Periodic maintenance: releases engines of unwatched tables, and retries bots that found no
    /// permit.
    pub(super) fn maintain(&self, now: Instant) {
        let now = self.engine_threads.time_of(now);
        let timeout = |player: &HostedPlayer| match player.entrant.is_bot() {
            true => BOT_TIMEOUT,
            false => ENGINE_TIMEOUT,
        };
        self.lock().maintain(now, timeout);
    }

    /// The task for a seat's move; `None` where it is out of date or the engine is still busy.
    fn take_task(&self, seat: Seat, epoch: u64) -> Option<MoveTask> {
        let mut table = self.lock();
        if !table.is_thinking(seat, epoch) {
            return None;
        }
        let (game, TableSeat::Player(seated)) = table.seated(seat) else {
            return None;
        };
        let player = &seated.player;
        let mut task = MoveTask {
            engine: None,
            game: game.game().clone(),
            entrant: player.entrant.clone(),
            permit: player.permit.clone(),
            occupant: 0,
            request: ThoughtRequest {
                seat,
                adviser: None,
                seed: game.seed(),
                history: game.table().history().to_vec(),
            },
            longest: (!player.entrant.is_bot()).then_some(LONGEST_THOUGHT),
        };
        (task.engine, task.occupant) = table.host.take_engine(seat)?;
        Some(task)
    }

    /// Takes the result of a seat's move task.
    fn finish_task(
        &self,
        seat: Seat,
        epoch: u64,
        occupant: u64,
        found: Result<MoveTaskResult, String>,
    ) {
        let mut table = self.lock();
        let is_closed = table.is_closed();
        let (thought, spent) = match found {
            Ok(found) => {
                let is_kept = found.engine.is_reusable && !is_closed;
                table.host.put_engine(seat, occupant, found.engine, is_kept);
                (found.thought, Some(found.spent))
            }
            Err(error) => {
                table.host.give_engine_up(seat, occupant);
                let (name, fault) = (String::new(), Fault::NotStarted(error));
                (Err(TableError::Fault { name, fault }), None)
            }
        };
        table.finish_thought(seat, epoch, thought, spent);
    }
}
