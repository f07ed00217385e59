//! What pages want of a table, done.

use super::engine_threads::{self, AdviceTask};
use super::message::TableAction;
use super::refusal::TableRefusal;
use super::seat::{self, SeatPerson, TableSeat};
use super::state::{
    TableGameEnd, TableProposal, TableProposalKind, TableSessionState, TableTurn, empty,
};
use super::table_session::TableSession;
use super::{problem, view_model};
use crate::guard;
use arena::{Advice, TableError};
use games::Seat;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A hint takes no longer than this.
const HINT: Duration = Duration::from_secs(2);

/// What a page is told when its wish is done.
enum TableActionReply {
    Done,
    /// A letter of its own.
    Told(Value),
    /// The answer comes later.
    Later,
}

impl TableSession {
    /// Does what a page wants, and tells it what came of that.
    pub(super) fn hear(self: &Arc<Self>, page: u64, id: &Value, wish: TableAction) {
        let mut state = self.lock();
        if state.page(page).is_none() {
            return;
        }
        let letter = match self.done(&mut state, page, id, wish) {
            Ok(TableActionReply::Later) => return,
            Ok(TableActionReply::Done) => json!({ "done": { "id": id } }).to_string(),
            Ok(TableActionReply::Told(told)) => told.to_string(),
            Err(refusal) => problem(id, &refusal, refusal.hint()),
        };
        if let Some(page) = state.page(page) {
            page.letters.send(letter);
        }
    }

    fn done(
        self: &Arc<Self>,
        state: &mut TableSessionState,
        page: u64,
        id: &Value,
        wish: TableAction,
    ) -> Result<TableActionReply, TableRefusal> {
        let own = state.page(page).and_then(|page| page.seat);
        let seated = own.ok_or(TableRefusal::NoSeat);
        match wish {
            TableAction::Preview { text } => {
                let seat = own.or_else(|| state.mover()).ok_or(TableRefusal::Over)?;
                return Ok(TableActionReply::Told(view_model::preview(
                    state, seat, &text, id,
                )?));
            }
            TableAction::Past { turns } => {
                let past = view_model::past(state, turns, id);
                let past = past.ok_or(TableRefusal::Turns(state.table.turns()))?;
                return Ok(TableActionReply::Told(past));
            }
            TableAction::Thought => {
                state.may_be_helped()?;
                let (seat, thought) = state.last_thought().ok_or(TableRefusal::NoThought)?;
                return Ok(TableActionReply::Told(view_model::advice(
                    "thought", seat, thought, id,
                )));
            }
            TableAction::Hint => {
                let seat = seated?;
                let player = arena::champion(&self.game);
                return self.advise(state, page, id, "hint", seat, player, HINT);
            }
            TableAction::Analyse { player, longest } => {
                let player = match player {
                    Some(player) => {
                        seat::house(&player, &self.game)?;
                        player
                    }
                    None => at_pace(&arena::champion(&self.game), longest),
                };
                let seat = own.filter(|&seat| state.table.turn().asks(seat));
                let seat = seat.or_else(|| state.mover()).ok_or(TableRefusal::Over)?;
                return self.advise(state, page, id, "analysis", seat, player, longest);
            }
            TableAction::Move {
                text,
                version,
                turns,
            } => {
                let seat = seated?;
                let now = state.table.turns() as u64;
                if version.is_some_and(|version| version < state.since)
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
                if !matches!(state.chairs[seat.index()], TableSeat::Open) {
                    return Err(TableRefusal::Taken(seat));
                }
                let name = seat::name(&name)?;
                let key = guard::new_token()?;
                let told = json!({ "you": { "seat": seat.index(), "key": key } }).to_string();
                if let Some(page) = state.page(page) {
                    page.key.clone_from(&key);
                    page.seat = Some(seat);
                    page.letters.send(told);
                }
                self.seat(state, seat, TableSeat::Person(SeatPerson { key, name }));
            }
            TableAction::Leave => self.seat(state, seated?, TableSeat::Open),
            TableAction::Player { seat, player } => {
                seated?;
                if matches!(state.chairs[seat.index()], TableSeat::Person(_)) {
                    return Err(TableRefusal::Person(seat));
                }
                let mut chair = TableSeat::read(player.trim(), &self.game, &self.bots)?;
                if !state.is_over() {
                    chair.hire(&self.minds)?;
                }
                self.seat(state, seat, chair);
            }
            TableAction::Name { name } => {
                let seat = seated?;
                let name = seat::name(&name)?;
                if let TableSeat::Person(person) = &mut state.chairs[seat.index()] {
                    person.name = name;
                }
            }
            TableAction::Resign => {
                let seat = seated?;
                state.check_goes_on()?;
                state.end = Some(TableGameEnd::Resigned(seat));
                self.disturb(state);
            }
            TableAction::Back => {
                let seat = seated?;
                state.check_back(seat)?;
                if state.table.has_moved(seat) {
                    // nobody has seen it yet
                    self.take_back(state, seat)?;
                } else {
                    self.ask(state, TableProposalKind::Back, seat)?;
                }
            }
            TableAction::Rematch => {
                let seat = seated?;
                if !state.is_over() {
                    return Err(TableRefusal::GoesOn);
                }
                self.ask(state, TableProposalKind::Rematch, seat)?;
            }
            TableAction::Agree => {
                let seat = seated?;
                let ask = state.ask.ok_or(TableRefusal::NotAsked)?;
                if ask.from == seat {
                    return Err(TableRefusal::OwnAsk);
                }
                self.grant(state, ask)?;
            }
            TableAction::Decline => {
                seated?;
                state.ask.take().ok_or(TableRefusal::NotAsked)?;
            }
        }
        self.settle(state);
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
        let by = state.table.turn();
        let turns = state.table.turns();
        state.table.play(seat, text)?;
        let spent = spent.or_else(|| state.due[seat.index()].map(|due| due.elapsed()));
        state.taken[seat.index()] = spent;
        if state.table.turns() > turns {
            let spent = std::mem::take(&mut state.taken);
            state.played.push(TableTurn { by, spent });
            for (thought, hidden) in state.thoughts.iter_mut().zip(&mut state.hidden) {
                *thought = hidden.take().or(thought.take());
            }
            self.disturb(state);
        } else {
            // the other seat has its time still
            state.due[seat.index()] = None;
        }
        Ok(())
    }

    /// The position is another: whoever thinks begins anew, and what was asked is not asked
    /// any more.
    pub(super) fn disturb(&self, state: &mut TableSessionState) {
        self.epoch.fetch_add(1, Ordering::AcqRel);
        state.since = state.version + 1;
        state.ask = None;
        state.due = [None; 2];
        state.taken = [None; 2];
    }

    /// Puts somebody else into a seat.
    fn seat(&self, state: &mut TableSessionState, seat: Seat, chair: TableSeat) {
        state.renew(seat, &self.minds);
        state.chairs[seat.index()] = chair;
        state.thoughts[seat.index()] = None;
        state.hidden[seat.index()] = None;
        state.ask = None;
        // only this seat's thought is worth nothing; the other one begins again
        self.epoch.fetch_add(1, Ordering::AcqRel);
    }

    /// Asks the other person, where there is one; else it is done.
    fn ask(
        &self,
        state: &mut TableSessionState,
        what: TableProposalKind,
        from: Seat,
    ) -> Result<(), TableRefusal> {
        let ask = TableProposal { what, from };
        let is_person = matches!(state.chairs[from.other().index()], TableSeat::Person(_));
        match state.ask {
            // who asks for what the other asks for agrees
            Some(other) if other.what == what && other.from != from => self.grant(state, other),
            Some(other) if other == ask => Err(TableRefusal::Asked),
            _ if is_person => {
                state.ask = Some(ask);
                Ok(())
            }
            _ => self.grant(state, ask),
        }
    }

    fn grant(&self, state: &mut TableSessionState, ask: TableProposal) -> Result<(), TableRefusal> {
        match ask.what {
            TableProposalKind::Back => self.take_back(state, ask.from),
            TableProposalKind::Rematch => self.begin_again(state),
        }
    }

    /// Goes back to where a seat was to move last; a move that waits is taken back alone.
    fn take_back(&self, state: &mut TableSessionState, seat: Seat) -> Result<(), TableRefusal> {
        let to = state.check_back(seat)?;
        state.hire(&self.minds)?;
        while state.table.turns() > to || Seat::BOTH.iter().any(|&s| state.table.has_moved(s)) {
            state.table.take_back();
        }
        state.played.truncate(to);
        state.thoughts = [None, None];
        state.hidden = [None, None];
        self.disturb(state);
        Ok(())
    }

    /// Another game, with the seats exchanged.
    fn begin_again(&self, state: &mut TableSessionState) -> Result<(), TableRefusal> {
        for seat in Seat::BOTH {
            state.renew(seat, &self.minds);
        }
        state.hire(&self.minds)?;
        state.chairs.swap(0, 1);
        state.end = None;
        state.thoughts = [None, None];
        state.hidden = [None, None];
        state.seed = state.seed.wrapping_add(1);
        state.table = empty(&self.game);
        // they were played before
        let _ = state.open();
        self.disturb(state);
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
        if !state.table.turn().asks(seat) {
            return Err(TableError::from(games::MoveError::NotToMove).into());
        }
        let Some(asking) = state.page(page) else {
            return Ok(TableActionReply::Later);
        };
        if asking.is_asking {
            return Err(TableRefusal::Asking);
        }
        let letters = Arc::clone(&asking.letters);
        let (sitting, epoch) = (Arc::clone(self), self.epoch());
        let question = AdviceTask {
            game: self.game.clone(),
            history: state.table.history().to_vec(),
            seat,
            player,
            longest,
            is_moot: Box::new(move || letters.is_closed() || sitting.epoch() != epoch),
        };
        let (sitting, id) = (Arc::clone(self), id.clone());
        let tell = move |advice: Result<Advice, String>| {
            let told = match advice {
                Ok(advice) if sitting.epoch() == epoch => {
                    view_model::advice(what, seat, &advice, &id).to_string()
                }
                Ok(_) => problem(&id, &TableRefusal::Stale, None),
                Err(error) => problem(&id, error, None),
            };
            if let Some(page) = sitting.lock().page(page) {
                page.is_asking = false;
                page.letters.send(told);
            }
        };
        if !engine_threads::advise(&self.minds, question, tell) {
            return Err(TableRefusal::Busy);
        }
        if let Some(page) = state.page(page) {
            page.is_asking = true;
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
