//! The mutable state of a table, and queries on it.

use super::engine_threads::{EnginePlayer, EngineThreads};
use super::refusal::TableRefusal;
use super::seat::{TableSeat, TableSeatError};
use crate::guard;
use crate::pages::page_socket::PageMessageQueue;
use games::{AnyGame, Seat};
use matches::TableError;
use models::play::{GameTable, SeatThought};
use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Instant;

/// The mutable state of a table.
pub(super) struct TableSessionState {
    pub(super) game: GameTable,
    pub(super) occupants: [TableSeat; 2],
    /// Since when a seat is to move.
    pub(super) to_move_since: [Option<Instant>; 2],
    pub(super) proposal: Option<TableProposal>,
    pub(super) is_public: bool,
    pub(super) hints: bool,
    pub(super) version: u64,
    /// The version at the last call of `TableSession::has_changed`.
    pub(super) checked_version: u64,
    /// The version in which the position came about.
    pub(super) position_version: u64,
    pub(super) pages: Vec<TablePage>,
    pub(super) next_page: u64,
    /// For which epoch each seat thinks, or waits to.
    pub(super) thinking: [Option<u64>; 2],
    pub(super) engine_slots: [EngineSlot; 2],
    /// Occupants are numbered; a running engine belongs to one of them.
    pub(super) occupant_numbers: [u64; 2],
    pub(super) next_occupant: u64,
    pub(super) unwatched: Instant,
    /// Whether spectators came or went since the last broadcast. It is sent with the next change or
    /// within a second: broadcasting a long game for each spectator would be costly.
    pub(super) owes_broadcast: bool,
    pub(super) is_closed: bool,
}

/// A proposal to the other person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableProposal {
    pub(super) what: TableProposalKind,
    pub(super) from: Seat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableProposalKind {
    Back,
    Rematch,
}

/// The state of a seat's engine.
pub(super) enum EngineSlot {
    Empty,
    Idle(EnginePlayer),
    /// It is running on a thread.
    Busy,
}

/// A page that watches.
pub(super) struct TablePage {
    pub(super) number: u64,
    pub(super) queue: Arc<PageMessageQueue>,
    pub(super) key: String,
    /// Its seat, as it was told.
    pub(super) seat: Option<Seat>,
    /// Whether it waits for advice.
    pub(super) awaits_advice: bool,
}

impl TableSessionState {
    /// A table before anybody comes, after some turns: whether it is listed and whether
    /// there are hints between persons, and where chance starts from.
    ///
    /// # Errors
    /// The number of the first turn, from 1, that cannot be played, and why.
    pub(super) fn new(
        game: &AnyGame,
        occupants: [TableSeat; 2],
        opening: &[String],
        [is_public, hints]: [bool; 2],
        seed: u64,
    ) -> Result<Self, (usize, TableError)> {
        Ok(Self {
            game: GameTable::with_opening(game.clone(), opening, seed)?,
            occupants,
            to_move_since: [None; 2],
            proposal: None,
            is_public,
            hints,
            version: 0,
            // not yet
            checked_version: u64::MAX,
            position_version: 0,
            pages: Vec::new(),
            next_page: 1,
            thinking: [None; 2],
            engine_slots: [EngineSlot::Empty, EngineSlot::Empty],
            occupant_numbers: [1, 2],
            next_occupant: 3,
            unwatched: Instant::now(),
            owes_broadcast: false,
            is_closed: false,
        })
    }

    pub(super) fn page(&mut self, number: u64) -> Option<&mut TablePage> {
        self.pages.iter_mut().find(|page| page.number == number)
    }

    pub(super) fn seat_of(&self, key: &str) -> Option<Seat> {
        Seat::BOTH
            .into_iter()
            .find(|seat| match &self.occupants[seat.index()] {
                TableSeat::Person(person) => {
                    !key.is_empty() && guard::equal_secrets(key, &person.key)
                }
                _ => false,
            })
    }

    pub(super) fn check_goes_on(&self) -> Result<(), TableRefusal> {
        match self.game.is_over() {
            true => Err(TableRefusal::Over),
            false => Ok(()),
        }
    }

    /// The seat that is to move, the first where both are.
    pub(super) fn mover(&self) -> Option<Seat> {
        let turn = self.game.table().turn();
        let asks = |seat: &Seat| turn.asks(*seat);
        Seat::BOTH.into_iter().find(asks)
    }

    /// To which turn a seat can go back.
    pub(super) fn check_back(&self, seat: Seat) -> Result<usize, TableRefusal> {
        if self.game.end().is_some() {
            return Err(TableRefusal::Over);
        }
        let table = self.game.table();
        if table.has_moved(seat) {
            return Ok(table.turns());
        }
        let last = self.game.last_turn_of(&[seat]);
        last.ok_or(TableRefusal::NothingBack)
    }

    /// Whether hints are allowed: between two persons only if both agreed to them.
    pub(super) fn may_be_helped(&self) -> Result<(), TableRefusal> {
        let is_person = |occupant: &TableSeat| matches!(occupant, TableSeat::Person(_));
        match self.hints || !self.occupants.iter().all(is_person) || self.game.is_over() {
            true => Ok(()),
            false => Err(TableRefusal::NoHints),
        }
    }

    /// What was thought last.
    pub(super) fn last_thought(&self) -> Option<&SeatThought> {
        // the first seat's, where both were to move
        { self.game.thoughts() }.min_by_key(|thought| Reverse(thought.turns))
    }

    /// Takes permits for the bots of a game that goes on after its end.
    pub(super) fn reserve_bots(
        &mut self,
        engine_threads: &EngineThreads,
    ) -> Result<(), TableSeatError> {
        let mut occupants = self.occupants.iter_mut();
        occupants.try_for_each(|occupant| occupant.reserve_bot(engine_threads))
    }

    /// Drops a seat's engine and gives its occupant a new number, so that a running engine's result
    /// is ignored.
    pub(super) fn replace_occupant(&mut self, seat: Seat, engine_threads: &EngineThreads) {
        self.release_engine(seat, engine_threads);
        let i = seat.index();
        self.engine_slots[i] = EngineSlot::Empty;
        self.occupant_numbers[i] = self.next_occupant;
        self.next_occupant += 1;
    }

    /// Releases a seat's engine and a bot's process. A running engine is released when it finishes.
    pub(super) fn release_engine(&mut self, seat: Seat, engine_threads: &EngineThreads) {
        let i = seat.index();
        let permit = match &mut self.occupants[i] {
            TableSeat::Player(player) => player.permit.take(),
            _ => None,
        };
        let engine = match std::mem::replace(&mut self.engine_slots[i], EngineSlot::Empty) {
            EngineSlot::Idle(engine) => Some(engine),
            EngineSlot::Empty => None,
            EngineSlot::Busy => {
                self.engine_slots[i] = EngineSlot::Busy;
                None
            }
        };
        if engine.is_none() && permit.is_none() {
            return;
        }
        let history = self.game.table().history().to_vec();
        // a bot hears how it ended, and may take a while to go
        engine_threads.queue(move || {
            if let Some(mut engine) = engine {
                let _ = engine.thinker.follow(&history);
                drop(engine);
            }
            drop(permit);
        });
    }
}
