//! All that changes at a table, and what can be asked of it.

use super::engine_threads::{EnginePlayer, EngineThreads};
use super::refusal::TableRefusal;
use super::seat::{TableSeat, TableSeatError};
use crate::guard;
use crate::pages::page_socket::PageMessageQueue;
use arena::{Advice, Fault, MatchConditions, Table, TableError};
use games::{AnyGame, Outcome, Seat, Turn};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// All that changes at a table.
pub(super) struct TableSessionState {
    pub(super) table: Box<dyn Table>,
    pub(super) chairs: [TableSeat; 2],
    /// The turns that it began with.
    pub(super) opening: Vec<String>,
    /// Each turn that was played, those of the opening too.
    pub(super) played: Vec<TableTurn>,
    /// Since when a seat is to move.
    pub(super) due: [Option<Instant>; 2],
    /// How long it took to find a move that waits for the other seat's.
    pub(super) taken: [Option<Duration>; 2],
    pub(super) end: Option<TableGameEnd>,
    pub(super) ask: Option<TableProposal>,
    pub(super) is_public: bool,
    pub(super) hints: bool,
    pub(super) version: u64,
    /// The version that was asked for last, see `Sitting::has_changed`.
    pub(super) asked: u64,
    /// The version in which the position came about.
    pub(super) since: u64,
    pub(super) pages: Vec<TablePage>,
    pub(super) next_page: u64,
    /// For which epoch each seat thinks, or waits to.
    pub(super) thinking: [Option<u64>; 2],
    pub(super) minds: [EngineSlot; 2],
    /// What is in a chair has a number: a mind belongs to one.
    pub(super) chair_numbers: [u64; 2],
    pub(super) next_chair: u64,
    /// What each seat's player thought about its last move.
    pub(super) thoughts: [Option<Advice>; 2],
    /// What it thought about a move that waits for the other seat's: told by nobody before
    /// that is made too, since the move is in it.
    pub(super) hidden: [Option<Advice>; 2],
    pub(super) seed: u64,
    pub(super) unwatched: Instant,
    /// Whether somebody who only watches came or went since everybody was told how things
    /// stand. They are told with the next change, or within a second: a long game is a long
    /// text, and whoever comes and goes all the time would have it sent to all.
    pub(super) is_owed: bool,
    pub(super) is_closed: bool,
}

/// A turn that was played.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableTurn {
    /// Who moved.
    pub(super) by: Turn,
    pub(super) spent: [Option<Duration>; 2],
}

/// A game that ended before its rules said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TableGameEnd {
    Resigned(Seat),
    Fault(Seat, Fault),
}

/// What a person asks the other.
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

/// Where a seat's mind is.
pub(super) enum EngineSlot {
    Empty,
    Here(EnginePlayer),
    /// It is on a thread.
    Out,
}

/// A page that watches.
pub(super) struct TablePage {
    pub(super) number: u64,
    pub(super) letters: Arc<PageMessageQueue>,
    pub(super) key: String,
    /// Its seat, as it was told.
    pub(super) seat: Option<Seat>,
    /// Whether it waits for advice.
    pub(super) is_asking: bool,
}

impl TableSessionState {
    /// A table before anybody comes, after some turns: whether it is listed and whether
    /// there are hints between persons, and where chance starts from.
    ///
    /// # Errors
    /// The number of the first turn, from 1, that cannot be played, and why.
    pub(super) fn new(
        game: &AnyGame,
        chairs: [TableSeat; 2],
        opening: &[String],
        [is_public, hints]: [bool; 2],
        seed: u64,
    ) -> Result<Self, (usize, TableError)> {
        let mut state = Self {
            table: empty(game),
            chairs,
            opening: opening.to_vec(),
            played: Vec::new(),
            due: [None; 2],
            taken: [None; 2],
            end: None,
            ask: None,
            is_public,
            hints,
            version: 0,
            // not yet
            asked: u64::MAX,
            since: 0,
            pages: Vec::new(),
            next_page: 1,
            thinking: [None; 2],
            minds: [EngineSlot::Empty, EngineSlot::Empty],
            chair_numbers: [1, 2],
            next_chair: 3,
            thoughts: [None, None],
            hidden: [None, None],
            seed,
            unwatched: Instant::now(),
            is_owed: false,
            is_closed: false,
        };
        state.open().map_err(|(turn, error)| (turn + 1, error))?;
        state.opening = state.table.history().to_vec();
        Ok(state)
    }

    pub(super) fn page(&mut self, number: u64) -> Option<&mut TablePage> {
        self.pages.iter_mut().find(|page| page.number == number)
    }

    /// Plays the opening.
    pub(super) fn open(&mut self) -> Result<(), (usize, TableError)> {
        self.played.clear();
        for (i, turn) in self.opening.iter().enumerate() {
            let by = self.table.turn();
            self.table.follow(turn).map_err(|error| (i, error))?;
            let spent = [None; 2];
            self.played.push(TableTurn { by, spent });
        }
        Ok(())
    }

    pub(super) fn seat_of(&self, key: &str) -> Option<Seat> {
        Seat::BOTH
            .into_iter()
            .find(|seat| match &self.chairs[seat.index()] {
                TableSeat::Person(person) => !key.is_empty() && guard::same(key, &person.key),
                _ => false,
            })
    }

    pub(super) fn is_over(&self) -> bool {
        self.end.is_some() || self.table.turn().outcome().is_some()
    }

    /// Who has won, where somebody has.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match &self.end {
            Some(TableGameEnd::Resigned(seat) | TableGameEnd::Fault(seat, _)) => {
                Some(Outcome::Win(seat.other()))
            }
            None => self.table.turn().outcome(),
        }
    }

    pub(super) fn check_goes_on(&self) -> Result<(), TableRefusal> {
        match self.is_over() {
            true => Err(TableRefusal::Over),
            false => Ok(()),
        }
    }

    /// The seat that is to move, the first where both are.
    pub(super) fn mover(&self) -> Option<Seat> {
        let asks = |seat: &Seat| self.table.turn().asks(*seat);
        Seat::BOTH.into_iter().find(asks)
    }

    /// To which turn a seat can go back.
    pub(super) fn check_back(&self, seat: Seat) -> Result<usize, TableRefusal> {
        if self.end.is_some() {
            return Err(TableRefusal::Over);
        }
        if self.table.has_moved(seat) {
            return Ok(self.table.turns());
        }
        let later = self.played.get(self.opening.len()..).unwrap_or_default();
        let last = later.iter().rposition(|turn| turn.by.asks(seat));
        let last = last.ok_or(TableRefusal::NothingBack)?;
        Ok(self.opening.len() + last)
    }

    /// Between two persons nobody is helped, unless both want it so.
    pub(super) fn may_be_helped(&self) -> Result<(), TableRefusal> {
        let is_person = |chair: &TableSeat| matches!(chair, TableSeat::Person(_));
        match self.hints || !self.chairs.iter().all(is_person) || self.is_over() {
            true => Ok(()),
            false => Err(TableRefusal::NoHints),
        }
    }

    /// What was thought last, and by whom.
    pub(super) fn last_thought(&self) -> Option<(Seat, &Advice)> {
        let last = self.played.last()?;
        let seats = Seat::BOTH.into_iter();
        { seats }
            .filter(|&seat| last.by.asks(seat))
            .chain(Seat::BOTH)
            .find_map(|seat| Some((seat, self.thoughts[seat.index()].as_ref()?)))
    }

    /// Gives bots their places back, for a game that goes on after its end.
    pub(super) fn hire(&mut self, minds: &EngineThreads) -> Result<(), TableSeatError> {
        let mut chairs = self.chairs.iter_mut();
        chairs.try_for_each(|chair| chair.hire(minds))
    }

    /// What sits in a seat now is no longer what sat there: a mind that is on a thread is
    /// of no use when it comes back.
    pub(super) fn renew(&mut self, seat: Seat, minds: &EngineThreads) {
        self.dismiss(seat, minds);
        let i = seat.index();
        self.minds[i] = EngineSlot::Empty;
        self.chair_numbers[i] = self.next_chair;
        self.next_chair += 1;
    }

    /// Lets go of a seat's mind, and of a bot's process with it. Where the mind is on a
    /// thread, that is done when it comes back.
    pub(super) fn dismiss(&mut self, seat: Seat, minds: &EngineThreads) {
        let i = seat.index();
        let place = match &mut self.chairs[i] {
            TableSeat::Player(player) => player.place.take(),
            _ => None,
        };
        let mind = match std::mem::replace(&mut self.minds[i], EngineSlot::Empty) {
            EngineSlot::Here(mind) => Some(mind),
            EngineSlot::Empty => None,
            EngineSlot::Out => {
                self.minds[i] = EngineSlot::Out;
                None
            }
        };
        if mind.is_none() && place.is_none() {
            return;
        }
        let history = self.table.history().to_vec();
        // a bot hears how it ended, and may take a while to go
        minds.queue(move || {
            if let Some(mut mind) = mind {
                let _ = mind.follow(seat, &history);
                drop(mind);
            }
            drop(place);
        });
    }
}

/// The table before the first turn, with persons in both seats.
pub(super) fn empty(game: &AnyGame) -> Box<dyn Table> {
    arena::sit(game.clone(), [None, None], &MatchConditions::default(), 0)
        .expect("nobody is named who might not exist")
}
