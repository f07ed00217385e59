//! A game, who sits at it, and who watches.

use super::engine_threads::{self, EngineThreads, MoveTask, MoveTaskResult};
use super::seat::{LONGEST_THOUGHT, SeatPerson, TableSeat};
use super::state::{EngineSlot, TableGameEnd, TablePage, TableSessionState, TableTurn};
use super::table_store::{StoredSeat, StoredTable};
use super::view_model;
use crate::options::AllowedBot;
use crate::pages::page_socket::{PageCloseReason, PageMessageQueue};
use arena::replay::CheckError;
use arena::{Ending, Fault, Record, RecordedTurn, TableError};
use games::{AnyGame, Seat};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What a player of the program remembers is forgotten when nobody watches for so long,
const MIND_ALONE: Duration = Duration::from_secs(60);

/// and a bot's process ends after so long. It is started again when somebody comes.
const BOT_ALONE: Duration = Duration::from_secs(600);

/// A table that people sit at through their pages.
pub(super) struct TableSession {
    pub(super) id: String,
    pub(super) number: u64,
    pub(super) game: AnyGame,
    pub(super) minds: Arc<EngineThreads>,
    pub(super) bots: Arc<[AllowedBot]>,
    /// Grows with each change after which a thought is worth nothing.
    pub(super) epoch: AtomicU64,
    pub(super) state: Mutex<TableSessionState>,
}

/// What a sitting begins with.
pub(super) struct TableSessionSetup<'a> {
    pub(super) id: String,
    /// How many tables were made before it, and it.
    pub(super) number: u64,
    pub(super) game: AnyGame,
    pub(super) chairs: [TableSeat; 2],
    /// Turns that are played already.
    pub(super) turns: &'a [String],
    pub(super) is_public: bool,
    pub(super) hints: bool,
    pub(super) seed: u64,
}

impl TableSession {
    /// A table with nobody at it yet.
    ///
    /// # Errors
    /// The number of the first turn, from 1, that cannot be played, and why.
    pub(super) fn new(
        making: TableSessionSetup<'_>,
        minds: Arc<EngineThreads>,
        bots: Arc<[AllowedBot]>,
    ) -> Result<Arc<Self>, (usize, TableError)> {
        let state = TableSessionState::new(
            &making.game,
            making.chairs,
            making.turns,
            [making.is_public, making.hints],
            making.seed,
        )?;
        Ok(Arc::new(Self {
            id: making.id,
            number: making.number,
            game: making.game,
            minds,
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
        letters: &Arc<PageMessageQueue>,
        key: String,
    ) -> Option<u64> {
        let mut state = self.lock();
        if state.is_closed {
            return None;
        }
        let number = state.next_page;
        state.next_page += 1;
        let seat = state.seat_of(&key);
        letters.send(json!({ "you": { "seat": seat.map(Seat::index) } }).to_string());
        state.pages.push(TablePage {
            number,
            letters: Arc::clone(letters),
            key,
            seat,
            is_asking: false,
        });
        let before = state.thinking;
        self.wake(&mut state);
        if seat.is_some() || state.version == 0 || state.thinking != before {
            self.tell_all(&mut state);
        } else {
            letters.send(view_model::table(self, &state));
            state.is_owed = true;
        }
        Some(number)
    }

    /// A page goes.
    pub(super) fn part(self: &Arc<Self>, page: u64) {
        let mut state = self.lock();
        let has_seat = state.page(page).is_some_and(|page| page.seat.is_some());
        state.pages.retain(|other| other.number != page);
        state.unwatched = Instant::now();
        if has_seat || state.pages.is_empty() {
            self.settle(&mut state);
        } else {
            state.is_owed = true;
        }
    }

    /// Since when nobody watches, and whether the game is over; `None` while somebody does.
    pub(super) fn unwatched(&self, now: Instant) -> Option<(Duration, bool)> {
        let state = self.lock();
        let since = now.saturating_duration_since(state.unwatched);
        state.pages.is_empty().then(|| (since, state.is_over()))
    }

    /// The server ends: pages are let go, and what they still say is not heard.
    pub(super) fn part_all(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        for page in state.pages.drain(..) {
            page.letters.close(PageCloseReason::Gone);
        }
    }

    /// Ends all of it.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        self.epoch.fetch_add(1, Ordering::AcqRel);
        for page in state.pages.drain(..) {
            page.letters.send(json!({ "gone": true }).to_string());
            page.letters.close(PageCloseReason::Gone);
        }
        for seat in Seat::BOTH {
            state.dismiss(seat, &self.minds);
            if let TableSeat::Player(player) = &mut state.chairs[seat.index()] {
                player.place = None;
            }
        }
    }

    /// What a list of tables says of it, where it is in one.
    pub(super) fn listed(&self) -> Option<Value> {
        let state = self.lock();
        state.is_public.then(|| view_model::listed(self, &state))
    }

    /// The game with its options.
    pub(super) fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The table so far, as it is kept.
    ///
    /// # Errors
    /// The turns cannot be played again, which is a fault of the program's.
    pub(super) fn kept(&self) -> Result<StoredTable, CheckError> {
        let state = self.lock();
        let seats = [0, 1].map(|i| StoredSeat::of(&state.chairs[i]));
        let opening = state.opening.clone();
        let turns = state.table.history().iter().zip(&state.played);
        let turns = turns
            .skip(opening.len())
            .map(|(text, played)| RecordedTurn {
                text: text.clone(),
                spent: played.spent,
            });
        let turns: Vec<_> = turns.collect();
        let ending = match &state.end {
            Some(TableGameEnd::Resigned(seat)) => Ending::Resigned(*seat),
            Some(TableGameEnd::Fault(seat, fault)) => Ending::fault(*seat, fault.clone()),
            None if state.is_over() => Ending::Rules,
            None => Ending::Unfinished,
        };
        let (is_public, hints, seed) = (state.is_public, state.hints, state.seed);
        // a long game takes a while to be played again, and nobody is to wait for it
        drop(state);
        let names = [0, 1].map(|i: usize| seats[i].name());
        let record = Record::of_table(self.game.to_string(), names, opening, turns, ending)?;
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
        std::mem::replace(&mut state.asked, version) != version
    }

    /// Puts a table back as it was kept.
    pub(super) fn restored(
        kept: StoredTable,
        minds: Arc<EngineThreads>,
        bots: Arc<[AllowedBot]>,
    ) -> Option<Arc<Self>> {
        let end = kept.end();
        let game: AnyGame = kept.record.game.parse().ok()?;
        let chairs = kept.seats.map(|seat| match seat {
            StoredSeat::Open => TableSeat::Open,
            StoredSeat::Person { key, name } => TableSeat::Person(SeatPerson { key, name }),
            // it may have been allowed then, and not be now
            StoredSeat::Player(text) => {
                TableSeat::read(&text, &game, &bots).unwrap_or(TableSeat::Open)
            }
        });
        let making = TableSessionSetup {
            id: kept.id,
            number: kept.number,
            game,
            chairs,
            turns: &kept.record.opening,
            is_public: kept.is_public,
            hints: kept.hints,
            seed: kept.seed,
        };
        let sitting = Self::new(making, minds, bots).ok()?;
        let mut state = sitting.lock();
        for turn in &kept.record.turns {
            let by = state.table.turn();
            state.table.follow(&turn.text).ok()?;
            let spent = turn.spent;
            state.played.push(TableTurn { by, spent });
        }
        state.end = end;
        // later than any version before, so that pages that come back know it for newer
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        state.version = now.map_or(1 << 40, |now| now.as_millis() as u64);
        state.asked = state.version;
        drop(state);
        Some(sitting)
    }

    /// Looks after it, once in a while: who thinks gives back what it holds where nobody
    /// watches, and a bot that found no place tries again.
    pub(super) fn tend(self: &Arc<Self>, now: Instant) {
        let mut guard = self.lock();
        let state = &mut *guard;
        let is_unwatched = state.pages.is_empty();
        let alone = now.saturating_duration_since(state.unwatched);
        for seat in Seat::BOTH {
            let i = seat.index();
            let patience = match &state.chairs[i] {
                TableSeat::Player(player) if player.entrant.is_bot() => BOT_ALONE,
                _ => MIND_ALONE,
            };
            if is_unwatched && alone >= patience {
                state.dismiss(seat, &self.minds);
            }
        }
        if state.is_owed {
            self.tell_all(state);
        }
        let waits = |seat: Seat| {
            let is_due = state.table.turn().asks(seat) && !state.table.has_moved(seat);
            let is_player = matches!(state.chairs[seat.index()], TableSeat::Player(_));
            is_due && is_player && state.thinking[seat.index()].is_none()
        };
        if !is_unwatched && !state.is_over() && Seat::BOTH.into_iter().any(waits) {
            let before = state.thinking;
            self.wake(state);
            if state.thinking != before {
                self.tell_all(state);
            }
        }
    }

    /// A letter for one page.
    pub(super) fn tell(&self, page: u64, text: impl Into<Arc<str>>) {
        if let Some(page) = self.lock().page(page) {
            page.letters.send(text);
        }
    }

    /// After every change: who is to think thinks, and everybody is told.
    pub(super) fn settle(self: &Arc<Self>, state: &mut TableSessionState) {
        self.wake(state);
        self.tell_all(state);
    }

    /// Lets those think who are to.
    pub(super) fn wake(self: &Arc<Self>, state: &mut TableSessionState) {
        let epoch = self.epoch();
        let is_over = state.is_over();
        for seat in Seat::BOTH {
            let i = seat.index();
            let is_due = !is_over && state.table.turn().asks(seat) && !state.table.has_moved(seat);
            if is_due && state.due[i].is_none() {
                state.due[i] = Some(Instant::now());
            }
            // a game that nobody watches waits
            let thinks = is_due && !state.pages.is_empty() && !state.is_closed;
            if !(thinks && matches!(state.chairs[i], TableSeat::Player(_))) {
                if !is_due {
                    state.thinking[i] = None;
                }
            } else if state.thinking[i] != Some(epoch)
                // a bot without a place waits until there is one
                && state.chairs[i].hire(&self.minds).is_ok()
            {
                state.thinking[i] = Some(epoch);
                engine_threads::think(&self.minds, self, seat, epoch);
            }
            if is_over {
                state.dismiss(seat, &self.minds);
            }
        }
    }

    /// Tells everybody how things stand.
    pub(super) fn tell_all(&self, state: &mut TableSessionState) {
        // one that fell behind is told nothing more; it goes when its connection does
        state.pages.retain(|page| !page.letters.is_closed());
        state.version += 1;
        state.is_owed = false;
        for i in 0..state.pages.len() {
            let seat = state.seat_of(&state.pages[i].key);
            let page = &mut state.pages[i];
            if page.seat != seat {
                page.seat = seat;
                let told = json!({ "you": { "seat": seat.map(Seat::index) } });
                page.letters.send(told.to_string());
            }
        }
        let text: Arc<str> = view_model::table(self, state).into();
        for page in &state.pages {
            page.letters.send(Arc::clone(&text));
        }
    }

    /// What a thread needs to find a seat's move; `None` where nobody wants it any more, or
    /// the mind is still busy with something older.
    pub(super) fn take_up(&self, seat: Seat, epoch: u64) -> Option<MoveTask> {
        let mut guard = self.lock();
        let state = &mut *guard;
        let i = seat.index();
        if state.thinking[i] != Some(epoch) || self.epoch() != epoch {
            return None;
        }
        let TableSeat::Player(player) = &state.chairs[i] else {
            return None;
        };
        let mind = match std::mem::replace(&mut state.minds[i], EngineSlot::Out) {
            EngineSlot::Out => return None,
            EngineSlot::Here(mind) => Some(mind),
            EngineSlot::Empty => None,
        };
        Some(MoveTask {
            mind,
            game: self.game.clone(),
            entrant: player.entrant.clone(),
            place: player.place.clone(),
            chair: state.chair_numbers[i],
            seed: state.seed,
            history: state.table.history().to_vec(),
            longest: (!player.entrant.is_bot()).then_some(LONGEST_THOUGHT),
        })
    }

    /// Takes what a thread found for a seat.
    pub(super) fn answer(
        self: &Arc<Self>,
        seat: Seat,
        epoch: u64,
        chair: u64,
        found: Result<MoveTaskResult, String>,
    ) {
        let mut guard = self.lock();
        let state = &mut *guard;
        let i = seat.index();
        let is_its = state.chair_numbers[i] == chair;
        if is_its {
            state.minds[i] = EngineSlot::Empty;
        }
        let (thought, spent) = match found {
            Ok(found) => {
                if is_its && found.mind.is_kept && !state.is_closed {
                    state.minds[i] = EngineSlot::Here(found.mind);
                } else {
                    // a bot may take a while to go
                    self.minds.queue(move || drop(found.mind));
                }
                let thought = found.thought.map_err(|error| match error {
                    TableError::Fault { fault, .. } => fault,
                    other => Fault::NotStarted(other.to_string()),
                });
                (thought, Some(found.spent))
            }
            Err(error) => (Err(Fault::NotStarted(error)), None),
        };
        let is_current = self.epoch() == epoch && state.thinking[i] == Some(epoch);
        if !is_current || self.minds.has_ended() {
            // somebody may wait for this mind
            if let Some(epoch) = state.thinking[i]
                && epoch == self.epoch()
            {
                engine_threads::think(&self.minds, self, seat, epoch);
            } else if state.is_over() {
                state.dismiss(seat, &self.minds);
            }
            return;
        }
        state.thinking[i] = None;
        match thought {
            Ok(advice) => {
                let choice = advice.choice.clone();
                state.hidden[i] = Some(advice);
                let played = self.play(state, seat, &choice, spent);
                if let Err(error) = played {
                    let text = error.to_string();
                    state.end = Some(TableGameEnd::Fault(seat, Fault::NotStarted(text)));
                    self.disturb(state);
                }
            }
            Err(fault) => {
                state.end = Some(TableGameEnd::Fault(seat, fault));
                self.disturb(state);
            }
        }
        self.settle(state);
    }
}
