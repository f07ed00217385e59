//! The state of a table, and queries on it.

use super::host::TableHost;
use super::refusal::TableRefusal;
use super::seat::TableSeat;
use games::{AnyGame, Seat};
use matches::TableError;
use models::play::{GameTable, SeatThought};
use std::cmp::Reverse;
use std::time::Duration;

/// The state of a table.
pub(super) struct PlayTableState<H: TableHost> {
    pub(super) game: GameTable,
    pub(super) occupants: [TableSeat<H::Player>; 2],
    /// Since when a seat is to move.
    pub(super) to_move_since: [Option<Duration>; 2],
    pub(super) proposal: Option<TableProposal>,
    pub(super) is_public: bool,
    pub(super) hints: bool,
    pub(super) version: u64,
    /// The version at the last call of `PlayTable::has_changed`.
    pub(super) checked_version: u64,
    /// The version in which the position came about.
    pub(super) position_version: u64,
    pub(super) pages: Vec<TablePage<H::Page>>,
    pub(super) next_page: u64,
    /// Incremented with each change that makes what is thought useless.
    pub(super) epoch: u64,
    /// For which epoch each seat thinks, or waits to.
    pub(super) thinking: [Option<u64>; 2],
    pub(super) unwatched: Duration,
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

/// A page that watches.
pub(super) struct TablePage<S> {
    pub(super) number: u64,
    pub(super) sink: S,
    pub(super) key: String,
    /// Its seat, as it was told.
    pub(super) seat: Option<Seat>,
    /// Whether it waits for advice.
    pub(super) awaits_advice: bool,
}

impl<H: TableHost> PlayTableState<H> {
    /// A table before anybody comes, after some turns: whether it is listed and whether
    /// there are hints between persons, where chance starts from, and when this is.
    ///
    /// # Errors
    /// The number of the first turn, from 1, that cannot be played, and why.
    pub(super) fn new(
        game: &AnyGame,
        occupants: [TableSeat<H::Player>; 2],
        opening: &[String],
        [is_public, hints]: [bool; 2],
        seed: u64,
        now: Duration,
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
            epoch: 1,
            thinking: [None; 2],
            unwatched: now,
            owes_broadcast: false,
            is_closed: false,
        })
    }

    pub(super) fn page(&mut self, number: u64) -> Option<&mut TablePage<H::Page>> {
        self.pages.iter_mut().find(|page| page.number == number)
    }

    pub(super) fn seat_of(&self, key: &str) -> Option<Seat> {
        Seat::BOTH
            .into_iter()
            .find(|seat| match &self.occupants[seat.index()] {
                TableSeat::Person(person) => !key.is_empty() && equal_secrets(key, &person.key),
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
        let is_person = |occupant: &TableSeat<H::Player>| matches!(occupant, TableSeat::Person(_));
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

    pub(super) fn is_player(&self, seat: Seat) -> bool {
        matches!(self.occupants[seat.index()], TableSeat::Player(_))
    }
}

/// Compares two secrets in constant time for a given length.
///
/// ```
/// assert!(wire::equal_secrets("ab", "ab") && !wire::equal_secrets("ab", "aB"));
/// ```
#[must_use]
pub fn equal_secrets(found: &str, wanted: &str) -> bool {
    let pairs = found.bytes().zip(wanted.bytes());
    found.len() == wanted.len() && pairs.fold(0, |all, (a, b)| all | (a ^ b)) == 0
}
