//! Handles the actions of pages at a table.

use super::engine_threads::{self, AdviceTask};
use super::message::TableAction;
use super::refusal::TableRefusal;
use super::seat::{self, SeatPerson, TableSeat};
use super::state::{TableProposal, TableProposalKind, TableSessionState};
use super::table_session::TableSession;
use super::{problem, view_model};
use crate::guard;
use games::Seat;
use matches::{Advice, TableError};
use models::play::{TableGameEnd, ThoughtRequest};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A hint takes no longer than this.
const HINT: Duration = Duration::from_secs(2);

/// The reply to an action.
enum TableActionReply {
    Done,
    /// A message of its own.
    Message(Value),
    /// The answer comes later.
    Later,
}

impl TableSession {
    /// Handles an action of a page and sends it the reply.
    pub(super) fn handle(self: &Arc<Self>, page: u64, id: &Value, action: TableAction) {
        let mut state = self.lock();
        if state.page(page).is_none() {
            return;
        }
        let reply = match self.perform(&mut state, page, id, action) {
            Ok(TableActionReply::Later) => return,
            Ok(TableActionReply::Done) => json!({ "done": { "id": id } }).to_string(),
            Ok(TableActionReply::Message(message)) => message.to_string(),
            Err(refusal) => problem(id, &refusal, refusal.hint()),
        };
        if let Some(page) = state.page(page) {
            page.queue.send(reply);
        }
    }

    fn perform(
        self: &Arc<Self>,
        state: &mut TableSessionState,
        page: u64,
        id: &Value,
        action: TableAction,
    ) -> Result<TableActionReply, TableRefusal> {
        let own = state.page(page).and_then(|page| page.seat);
        let seated = own.ok_or(TableRefusal::NoSeat);
        match action {
            TableAction::Preview { text } => {
                let seat = own.or_else(|| state.mover()).ok_or(TableRefusal::Over)?;
                return Ok(TableActionReply::Message(view_model::preview(
                    state, seat, &text, id,
                )?));
            }
            TableAction::Past { turns } => {
                let past = view_model::past(state, turns, id);
                let past = past.ok_or(TableRefusal::Turns(state.game.table().turns()))?;
                return Ok(TableActionReply::Message(past));
            }
            TableAction::Thought => {
                state.may_be_helped()?;
                let thought = state.last_thought().ok_or(TableRefusal::NoThought)?;
                let (seat, advice) = (thought.seat, &thought.advice);
                return Ok(TableActionReply::Message(view_model::advice(
                    "thought", seat, advice, id,
                )));
            }
            TableAction::Hint => {
                let seat = seated?;
                let player = matches::champion(&self.game);
                return self.advise(state, page, id, "hint", seat, player, HINT);
            }
            TableAction::Analyse { player, longest } => {
                let player = match player {
                    Some(player) => {
                        seat::check_player(&player, &self.game)?;
                        player
                    }
                    None => at_pace(&matches::champion(&self.game), longest),
                };
                let seat = own.filter(|&seat| state.game.table().turn().asks(seat));
                let seat = seat.or_else(|| state.mover()).ok_or(TableRefusal::Over)?;
                return self.advise(state, page, id, "analysis", seat, player, longest);
            }
            TableAction::Move {
                text,
                version,
                turns,
            } => {
                let seat = seated?;
                let now = state.game.table().turns() as u64;
                if version.is_some_and(|version| version < state.position_version)
                    || turns.is_some_and(|turns| turns != now)
                {
                    return Err(TableRefusal::Stale);
                }
                state.check_goes_on()?;
                self.play(state, seat, &text, None)?;
            }
            TableAction::Sit { seat, name } => {
                if own.is_some() {
                    return Err(TableRefusal::HasSeat);
                }
                if !matches!(state.occupants[seat.index()], TableSeat::Open) {
                    return Err(TableRefusal::Taken(seat));
                }
                let name = seat::name(&name)?;
                let key = guard::new_token()?;
                let message = json!({ "you": { "seat": seat.index(), "key": key } }).to_string();
                if let Some(page) = state.page(page) {
                    page.key.clone_from(&key);
                    page.seat = Some(seat);
                    page.queue.send(message);
                }
                self.set_occupant(state, seat, TableSeat::Person(SeatPerson { key, name }));
            }
            TableAction::Leave => self.set_occupant(state, seated?, TableSeat::Open),
            TableAction::Player { seat, player } => {
                seated?;
                if matches!(state.occupants[seat.index()], TableSeat::Person(_)) {
                    return Err(TableRefusal::Person(seat));
                }
                let mut occupant = TableSeat::read(player.trim(), &self.game, &self.bots)?;
                if !state.game.is_over() {
                    occupant.reserve_bot(&self.engine_threads)?;
                }
                self.set_occupant(state, seat, occupant);
            }
            TableAction::Name { name } => {
                let seat = seated?;
                let name = seat::name(&name)?;
                if let TableSeat::Person(person) = &mut state.occupants[seat.index()] {
                    person.name = name;
                }
            }
            TableAction::Resign => {
                let seat = seated?;
                state.check_goes_on()?;
                state.game.set_end(Some(TableGameEnd::Resigned(seat)));
                self.invalidate_thoughts(state);
            }
            TableAction::Back => {
                let seat = seated?;
                state.check_back(seat)?;
                if state.game.table().has_moved(seat) {
                    // nobody has seen it yet
                    self.take_back(state, seat)?;
                } else {
                    self.propose(state, TableProposalKind::Back, seat)?;
                }
            }
            TableAction::Rematch => {
                let seat = seated?;
                if !state.game.is_over() {
                    return Err(TableRefusal::GoesOn);
                }
                self.propose(state, TableProposalKind::Rematch, seat)?;
            }
            TableAction::Agree => {
                let seat = seated?;
                let proposal = state.proposal.ok_or(TableRefusal::NoProposal)?;
                if proposal.from == seat {
                    return Err(TableRefusal::OwnProposal);
                }
                self.grant(state, proposal)?;
            }
            TableAction::Decline => {
                seated?;
                state.proposal.take().ok_or(TableRefusal::NoProposal)?;
            }
        }
        self.start_engines_and_broadcast(state);
        Ok(TableActionReply::Done)
    }

    /// Makes a seat's move; `spent` where it is known how long that took.
    pub(super) fn play(
        &self,
        state: &mut TableSessionState,
        seat: Seat,
        text: &str,
        spent: Option<Duration>,
    ) -> Result<(), TableError> {
        let since = state.to_move_since[seat.index()];
        let spent = spent.or_else(|| since.map(|since| since.elapsed()));
        let is_complete = state.game.play(seat, text, spent)?;
        self.finish_move(state, seat, is_complete);
        Ok(())
    }

    /// What follows from a seat's move, which may wait for the other seat's.
    pub(super) fn finish_move(&self, state: &mut TableSessionState, seat: Seat, is_complete: bool) {
        match is_complete {
            true => self.invalidate_thoughts(state),
            // the other seat has its time still
            false => state.to_move_since[seat.index()] = None,
        }
    }

    /// The position has changed: players that think start again, and proposals lapse.
    pub(super) fn invalidate_thoughts(&self, state: &mut TableSessionState) {
        self.epoch.fetch_add(1, Ordering::AcqRel);
        state.position_version = state.version + 1;
        state.proposal = None;
        state.to_move_since = [None; 2];
    }

    /// Changes the occupant of a seat.
    fn set_occupant(&self, state: &mut TableSessionState, seat: Seat, occupant: TableSeat) {
        state.replace_occupant(seat, &self.engine_threads);
        state.occupants[seat.index()] = occupant;
        state.game.forget(seat);
        state.proposal = None;
        // only this seat's thought is worth nothing; the other one begins again
        self.epoch.fetch_add(1, Ordering::AcqRel);
    }

    /// Proposes something to the other person; grants it at once where there is none.
    fn propose(
        &self,
        state: &mut TableSessionState,
        what: TableProposalKind,
        from: Seat,
    ) -> Result<(), TableRefusal> {
        let proposal = TableProposal { what, from };
        let is_person = matches!(state.occupants[from.other().index()], TableSeat::Person(_));
        match state.proposal {
            // proposing what the other has proposed is agreement
            Some(other) if other.what == what && other.from != from => self.grant(state, other),
            Some(other) if other == proposal => Err(TableRefusal::AlreadyProposed),
            _ if is_person => {
                state.proposal = Some(proposal);
                Ok(())
            }
            _ => self.grant(state, proposal),
        }
    }

    fn grant(
        &self,
        state: &mut TableSessionState,
        proposal: TableProposal,
    ) -> Result<(), TableRefusal> {
        match proposal.what {
            TableProposalKind::Back => self.take_back(state, proposal.from),
            TableProposalKind::Rematch => self.begin_again(state),
        }
    }

    /// Goes back to where a seat was to move last; a move that waits is taken back alone.
    fn take_back(&self, state: &mut TableSessionState, seat: Seat) -> Result<(), TableRefusal> {
        let to = state.check_back(seat)?;
        state.reserve_bots(&self.engine_threads)?;
        state.game.take_back_to(to);
        self.invalidate_thoughts(state);
        Ok(())
    }

    /// Another game, with the seats exchanged.
    fn begin_again(&self, state: &mut TableSessionState) -> Result<(), TableRefusal> {
        for seat in Seat::BOTH {
            state.replace_occupant(seat, &self.engine_threads);
        }
        state.reserve_bots(&self.engine_threads)?;
        state.occupants.swap(0, 1);
        state.game.begin(state.game.seed().wrapping_add(1));
        self.invalidate_thoughts(state);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "all of it says what is asked")]
    fn advise(
        self: &Arc<Self>,
        state: &mut TableSessionState,
        page: u64,
        id: &Value,
        what: &'static str,
        seat: Seat,
        player: String,
        longest: Duration,
    ) -> Result<TableActionReply, TableRefusal> {
        state.check_goes_on()?;
        state.may_be_helped()?;
        if !state.game.table().turn().asks(seat) {
            return Err(TableError::from(games::MoveError::NotToMove).into());
        }
        let Some(asking) = state.page(page) else {
            return Ok(TableActionReply::Later);
        };
        if asking.awaits_advice {
            return Err(TableRefusal::Asking);
        }
        let queue = Arc::clone(&asking.queue);
        let (session, epoch) = (Arc::clone(self), self.epoch());
        let question = AdviceTask {
            game: self.game.clone(),
            request: ThoughtRequest {
                seat,
                adviser: Some(player),
                seed: 0,
                history: state.game.table().history().to_vec(),
            },
            longest,
            is_cancelled: Box::new(move || queue.is_closed() || session.epoch() != epoch),
        };
        let (session, id) = (Arc::clone(self), id.clone());
        let send_to = move |advice: Result<Advice, String>| {
            let message = match advice {
                Ok(advice) if session.epoch() == epoch => {
                    view_model::advice(what, seat, &advice, &id).to_string()
                }
                Ok(_) => problem(&id, &TableRefusal::Stale, None),
                Err(error) => problem(&id, error, None),
            };
            if let Some(page) = session.lock().page(page) {
                page.awaits_advice = false;
                page.queue.send(message);
            }
        };
        if !engine_threads::advise(&self.engine_threads, question, send_to) {
            return Err(TableRefusal::Busy);
        }
        if let Some(page) = state.page(page) {
            page.awaits_advice = true;
        }
        Ok(TableActionReply::Later)
    }
}

/// A player's text with another time.
fn at_pace(player: &str, time: Duration) -> String {
    match player.split_once(":ms=") {
        Some((name, _)) => format!("{name}:ms={}", time.as_millis()),
        None => player.into(),
    }
}
