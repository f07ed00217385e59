//! A table: a game with its occupants and the pages that look at it.

use super::host::{AdviceQuestion, TableHost, TablePageSink};
use super::problem;
use super::refusal::TableRefusal;
use super::seat::{SeatPerson, TableSeat, TableSeatError};
use super::state::{PlayTableState, TablePage};
use super::stored_table::{StoredSeat, StoredTable};
use super::view_model;
use games::{AnyGame, Seat};
use matches::replay::CheckError;
use matches::{Advice, TableError};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// A table. Whoever keeps it says what pages do at it, and what players have thought.
pub struct PlayTable<H: TableHost> {
    pub(super) id: String,
    pub(super) number: u64,
    pub(super) game: AnyGame,
    pub(super) state: PlayTableState<H>,
    /// The keeper.
    pub host: H,
}

/// The parameters of a new table.
pub struct PlayTableSetup<'a, H: TableHost> {
    /// Its name in addresses.
    pub id: String,
    /// How many tables were made before it, and it.
    pub number: u64,
    /// The game.
    pub game: AnyGame,
    /// Who sits there.
    pub occupants: [TableSeat<H::Player>; 2],
    /// Turns that are played already.
    pub turns: &'a [String],
    /// Whether it is listed.
    pub is_public: bool,
    /// Whether there are hints between persons.
    pub hints: bool,
    /// Where chance starts from.
    pub seed: u64,
}

impl<H: TableHost> PlayTable<H> {
    /// A table without pages. See the example of [`super::PlayRoom`].
    ///
    /// # Errors
    /// The number of the first turn, from 1, that cannot be played, and why.
    pub fn new(setup: PlayTableSetup<'_, H>, mut host: H) -> Result<Self, (usize, TableError)> {
        let state = PlayTableState::new(
            &setup.game,
            setup.occupants,
            setup.turns,
            [setup.is_public, setup.hints],
            setup.seed,
            host.now(),
        )?;
        host.begin_epoch(state.epoch);
        Ok(Self {
            id: setup.id,
            number: setup.number,
            game: setup.game,
            state,
            host,
        })
    }

    /// Its name in addresses.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Lets a page watch, with the key of its seat if it has one. Its number, unless the
    /// table is closed.
    pub fn join(&mut self, sink: H::Page, key: String) -> Option<u64> {
        let state = &mut self.state;
        if state.is_closed {
            return None;
        }
        let number = state.next_page;
        state.next_page += 1;
        let seat = state.seat_of(&key);
        let you = json!({ "you": { "seat": seat.map(Seat::index) } });
        sink.send(you.to_string().into());
        state.pages.push(TablePage {
            number,
            sink,
            key,
            seat,
            awaits_advice: false,
        });
        let before = state.thinking;
        self.start_players();
        let state = &mut self.state;
        if seat.is_some() || state.version == 0 || state.thinking != before {
            self.broadcast();
        } else {
            let text = view_model::table(&self.id, state);
            self.send_to(number, text);
            self.state.owes_broadcast = true;
        }
        Some(number)
    }

    /// A page goes.
    pub fn leave(&mut self, page: u64) {
        let now = self.host.now();
        let state = &mut self.state;
        let has_seat = state.page(page).is_some_and(|page| page.seat.is_some());
        state.pages.retain(|other| other.number != page);
        state.unwatched = now;
        if has_seat || state.pages.is_empty() {
            self.start_players_and_broadcast();
        } else {
            state.owes_broadcast = true;
        }
    }

    /// How long it has been unwatched, and whether the game is over; `None` while a page is
    /// connected.
    #[must_use]
    pub fn unwatched(&self, now: Duration) -> Option<(Duration, bool)> {
        let state = &self.state;
        let since = now.saturating_sub(state.unwatched);
        state
            .pages
            .is_empty()
            .then(|| (since, state.game.is_over()))
    }

    /// Disconnects all pages; their messages are ignored from then on.
    pub fn disconnect_all(&mut self) {
        self.state.is_closed = true;
        for page in self.state.pages.drain(..) {
            page.sink.close();
        }
    }

    /// Closes the table.
    pub fn close(&mut self) {
        for page in &self.state.pages {
            page.sink.send(json!({ "gone": true }).to_string().into());
        }
        self.disconnect_all();
        self.next_epoch();
        Seat::BOTH.into_iter().for_each(|seat| self.release(seat));
    }

    /// Whether it was closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.state.is_closed
    }

    /// What a list of tables says of it, where it is in one.
    #[must_use]
    pub fn listed(&self) -> Option<Value> {
        self.state
            .is_public
            .then(|| view_model::listed(&self.id, &self.state))
    }

    /// The table in the form in which it is stored: a function, since that takes a while for a long
    /// game. It fails where the turns cannot be replayed, which is a bug.
    pub fn stored(&self) -> impl FnOnce() -> Result<StoredTable, CheckError> + use<H> {
        let state = &self.state;
        let seats = [0, 1].map(|i| StoredSeat::of(&state.occupants[i]));
        let record = state.game.record([0, 1].map(|i: usize| seats[i].name()));
        let (is_public, hints, seed) = (state.is_public, state.hints, state.game.seed());
        let (id, number) = (self.id.clone(), self.number);
        move || {
            Ok(StoredTable {
                id,
                number,
                seats,
                is_public,
                hints,
                seed,
                record: record()?,
            })
        }
    }

    /// Whether something has changed since the last time that this was asked.
    pub fn has_changed(&mut self) -> bool {
        let version = self.state.version;
        std::mem::replace(&mut self.state.checked_version, version) != version
    }

    /// Restores a stored table; `version` is later than any before, so that pages that come back
    /// know it for newer.
    #[must_use]
    pub fn restore(stored: StoredTable, host: H, version: u64) -> Option<Self> {
        let end = stored.end();
        let game: AnyGame = stored.record.game.parse().ok()?;
        let occupants = stored.seats.map(|seat| match seat {
            StoredSeat::Open => TableSeat::Open,
            StoredSeat::Person { key, name } => TableSeat::Person(SeatPerson { key, name }),
            // it may have been allowed then, and not be now
            StoredSeat::Player(text) => seat_player(&host, &text, &game).unwrap_or(TableSeat::Open),
        });
        let setup = PlayTableSetup {
            id: stored.id,
            number: stored.number,
            game,
            occupants,
            turns: &stored.record.opening,
            is_public: stored.is_public,
            hints: stored.hints,
            seed: stored.seed,
        };
        let mut table = Self::new(setup, host).ok()?;
        let state = &mut table.state;
        for turn in &stored.record.turns {
            state.game.follow(&turn.text, turn.spent).ok()?;
        }
        state.game.set_end(end);
        state.version = version;
        state.checked_version = version;
        Some(table)
    }

    /// Periodic maintenance: releases players of unwatched tables, each after its time, and retries
    /// those that could not begin.
    pub fn maintain(&mut self, now: Duration, timeout: impl Fn(&H::Player) -> Duration) {
        let state = &self.state;
        let is_unwatched = state.pages.is_empty();
        let alone = now.saturating_sub(state.unwatched);
        for seat in Seat::BOTH {
            let is_due = match &self.state.occupants[seat.index()] {
                TableSeat::Player(seated) => alone >= timeout(&seated.player),
                _ => false,
            };
            if is_unwatched && is_due {
                self.release(seat);
            }
        }
        if self.state.owes_broadcast {
            self.broadcast();
        }
        let state = &self.state;
        let waits = |seat: Seat| {
            let thinks = state.thinking[seat.index()].is_some();
            state.game.awaits(seat) && state.is_player(seat) && !thinks
        };
        if !is_unwatched && Seat::BOTH.into_iter().any(waits) {
            let before = state.thinking;
            self.start_players();
            if self.state.thinking != before {
                self.broadcast();
            }
        }
    }

    /// Sends a message to one page.
    pub fn send_to(&mut self, page: u64, text: impl Into<Arc<str>>) {
        if let Some(page) = self.state.page(page) {
            page.sink.send(text.into());
        }
    }

    /// Called after every change: has the players think that are to move, and broadcasts the table.
    pub(super) fn start_players_and_broadcast(&mut self) {
        self.start_players();
        self.broadcast();
    }

    /// Has the players think that are to move.
    fn start_players(&mut self) {
        let now = self.host.now();
        let epoch = self.state.epoch;
        let is_over = self.state.game.is_over();
        for seat in Seat::BOTH {
            let i = seat.index();
            let state = &mut self.state;
            let is_due = state.game.awaits(seat);
            if is_due && state.to_move_since[i].is_none() {
                state.to_move_since[i] = Some(now);
            }
            // a game that nobody watches waits
            let thinks = is_due && !state.pages.is_empty() && !state.is_closed;
            if !(thinks && state.is_player(seat)) {
                if !is_due {
                    state.thinking[i] = None;
                }
            } else if state.thinking[i] != Some(epoch)
                // a bot without a place waits until there is one
                && self.reserve(seat).is_ok()
            {
                self.state.thinking[i] = Some(epoch);
                self.think(seat);
            }
            if is_over {
                self.release(seat);
            }
        }
    }

    /// Has the player in a seat think for this epoch.
    fn think(&mut self, seat: Seat) {
        let Self { state, host, .. } = self;
        if let TableSeat::Player(player) = &state.occupants[seat.index()] {
            host.think(seat, state.epoch, &state.game, player);
        }
    }

    /// Whether a seat thinks, or waits to, for this epoch.
    #[must_use]
    pub fn is_thinking(&self, seat: Seat, epoch: u64) -> bool {
        self.state.thinking[seat.index()] == Some(epoch) && self.state.epoch == epoch
    }

    /// The game, and the occupant of a seat.
    #[must_use]
    pub fn seated(&self, seat: Seat) -> (&models::play::GameTable, &TableSeat<H::Player>) {
        (&self.state.game, &self.state.occupants[seat.index()])
    }

    /// Makes sure that the player in a seat may think.
    pub(super) fn reserve(&mut self, seat: Seat) -> Result<(), TableSeatError> {
        match &mut self.state.occupants[seat.index()] {
            TableSeat::Player(seated) => self.host.reserve(&mut seated.player),
            _ => Ok(()),
        }
    }

    /// The player in a seat does not think again soon.
    fn release(&mut self, seat: Seat) {
        let Self { state, host, .. } = self;
        let player = match &mut state.occupants[seat.index()] {
            TableSeat::Player(seated) => Some(&mut seated.player),
            _ => None,
        };
        host.release(seat, player, state.game.table().history());
    }

    /// Whoever takes a seat next is another.
    pub(super) fn replace(&mut self, seat: Seat) {
        self.release(seat);
        self.host.replace(seat);
    }

    /// What is thought is worth nothing any more.
    pub(super) fn next_epoch(&mut self) {
        self.state.epoch += 1;
        self.host.begin_epoch(self.state.epoch);
    }

    /// Sends the table to all its pages.
    pub(super) fn broadcast(&mut self) {
        let state = &mut self.state;
        // one that fell behind is told nothing more; it goes when its connection does
        state.pages.retain(|page| !page.sink.is_closed());
        state.version += 1;
        state.owes_broadcast = false;
        for i in 0..state.pages.len() {
            let seat = state.seat_of(&state.pages[i].key);
            let page = &mut state.pages[i];
            if page.seat != seat {
                page.seat = seat;
                let message = json!({ "you": { "seat": seat.map(Seat::index) } });
                page.sink.send(message.to_string().into());
            }
        }
        let text: Arc<str> = view_model::table(&self.id, state).into();
        for page in &state.pages {
            page.sink.send(Arc::clone(&text));
        }
    }

    /// Makes a seat's move; `spent` where it is known how long that took.
    pub(super) fn play(
        &mut self,
        seat: Seat,
        text: &str,
        spent: Option<Duration>,
    ) -> Result<(), TableError> {
        let since = self.state.to_move_since[seat.index()];
        let now = self.host.now();
        let spent = spent.or_else(|| since.map(|since| now.saturating_sub(since)));
        let is_complete = self.state.game.play(seat, text, spent)?;
        self.finish_move(seat, is_complete);
        Ok(())
    }

    /// What follows from a seat's move, which may wait for the other seat's.
    fn finish_move(&mut self, seat: Seat, is_complete: bool) {
        match is_complete {
            true => self.invalidate_thoughts(),
            // the other seat has its time still
            false => self.state.to_move_since[seat.index()] = None,
        }
    }

    /// The position has changed: players that think start again, and proposals lapse.
    pub(super) fn invalidate_thoughts(&mut self) {
        self.next_epoch();
        let state = &mut self.state;
        state.position_version = state.version + 1;
        state.proposal = None;
        state.to_move_since = [None; 2];
    }

    /// Takes what a seat's player has thought for an epoch, and how long that took.
    pub fn finish_thought(
        &mut self,
        seat: Seat,
        epoch: u64,
        thought: Result<Advice, TableError>,
        spent: Option<Duration>,
    ) {
        let i = seat.index();
        if !self.is_thinking(seat, epoch) || self.host.has_ended() {
            // a newer task may wait for this player
            if self.is_thinking(seat, self.state.epoch) {
                self.think(seat);
            } else if self.state.game.is_over() {
                self.release(seat);
            }
            return;
        }
        self.state.thinking[i] = None;
        match thought {
            Ok(advice) => {
                let is_complete = self.state.game.enter(seat, advice, spent);
                self.finish_move(seat, is_complete);
            }
            Err(error) => {
                self.state.game.fail(seat, error);
                self.invalidate_thoughts();
            }
        }
        self.start_players_and_broadcast();
    }

    /// Takes what a player that was asked has thought.
    pub fn finish_advice(&mut self, question: &AdviceQuestion, advice: Result<Advice, String>) {
        let AdviceQuestion { what, id, .. } = question;
        let seat = question.request.seat;
        let message = match advice {
            Ok(advice) if self.state.epoch == question.epoch => {
                view_model::advice(what, seat, &advice, id).to_string()
            }
            Ok(_) => problem::text(id, &TableRefusal::Stale, None),
            Err(error) => problem::text(id, error, None),
        };
        if let Some(page) = self.state.page(question.page) {
            page.awaits_advice = false;
            page.sink.send(message.into());
        }
    }
}

/// `open`, or a player as a visitor names it.
pub(super) fn seat_player<H: TableHost>(
    host: &H,
    text: &str,
    game: &AnyGame,
) -> Result<TableSeat<H::Player>, TableSeatError> {
    if text == "open" {
        return Ok(TableSeat::Open);
    }
    let player = host.seat_player(text, game)?;
    Ok(TableSeat::Player(super::seat::SeatPlayer {
        text: text.into(),
        player,
    }))
}
