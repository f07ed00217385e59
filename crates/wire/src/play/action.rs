//! What pages do at a table.

use super::host::{AdviceQuestion, TableHost, TablePageSink as _};
use super::message::{TableAction, TableMessage};
use super::problem;
use super::refusal::TableRefusal;
use super::seat::{self, SeatPerson, TableSeat};
use super::state::{TableProposal, TableProposalKind};
use super::table::{PlayTable, seat_player};
use super::view_model;
use games::Seat;
use matches::TableError;
use models::play::{TableGameEnd, ThoughtRequest};
use serde_json::{Value, json};
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

impl<H: TableHost> PlayTable<H> {
    /// Does what a page says and sends it the reply.
    ///
    /// # Errors
    /// Says why it is no message.
    pub fn tell(&mut self, page: u64, text: &str) -> Result<(), String> {
        self.handle(page, TableMessage::read(text)?);
        Ok(())
    }

    /// Handles a message of a page and sends it the reply.
    pub fn handle(&mut self, page: u64, message: TableMessage) {
        let id = &message.id;
        if self.state.page(page).is_none() {
            return;
        }
        let action = match message.action {
            Ok(action) => action,
            Err(error) => return self.send_to(page, problem::text(id, error, None)),
        };
        let reply = match self.perform(page, id, action) {
            Ok(TableActionReply::Later) => return,
            Ok(TableActionReply::Done) => json!({ "done": { "id": id } }).to_string(),
            Ok(TableActionReply::Message(message)) => message.to_string(),
            Err(refusal) => problem::text(id, &refusal, refusal.hint()),
        };
        self.send_to(page, reply);
    }

    fn perform(
        &mut self,
        page: u64,
        id: &Value,
        action: TableAction,
    ) -> Result<TableActionReply, TableRefusal> {
        let state = &mut self.state;
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
                return self.advise(page, id, "hint", seat, player, HINT);
            }
            TableAction::Analyse { player, longest } => {
                let player = match player {
                    Some(player) => {
                        check_adviser(&player, &self.game)?;
                        player
                    }
                    None => at_pace(&matches::champion(&self.game), longest),
                };
                let seat = own.filter(|&seat| state.game.table().turn().asks(seat));
                let seat = seat.or_else(|| state.mover()).ok_or(TableRefusal::Over)?;
                return self.advise(page, id, "analysis", seat, player, longest);
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
                self.play(seat, &text, None)?;
            }
            TableAction::Sit { seat, name } => {
                if own.is_some() {
                    return Err(TableRefusal::HasSeat);
                }
                if !matches!(state.occupants[seat.index()], TableSeat::Open) {
                    return Err(TableRefusal::Taken(seat));
                }
                let name = seat::name(&name)?;
                let key = self.host.new_token().map_err(TableRefusal::Random)?;
                let message = json!({ "you": { "seat": seat.index(), "key": key } }).to_string();
                if let Some(page) = state.page(page) {
                    page.key.clone_from(&key);
                    page.seat = Some(seat);
                    page.sink.send(message.into());
                }
                self.set_occupant(seat, TableSeat::Person(SeatPerson { key, name }));
            }
            TableAction::Leave => self.set_occupant(seated?, TableSeat::Open),
            TableAction::Player { seat, player } => {
                seated?;
                if matches!(state.occupants[seat.index()], TableSeat::Person(_)) {
                    return Err(TableRefusal::Person(seat));
                }
                let mut occupant = seat_player(&self.host, player.trim(), &self.game)?;
                if let TableSeat::Player(seated) = &mut occupant
                    && !state.game.is_over()
                {
                    self.host.reserve(&mut seated.player)?;
                }
                self.set_occupant(seat, occupant);
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
                self.invalidate_thoughts();
            }
            TableAction::Back => {
                let seat = seated?;
                state.check_back(seat)?;
                if state.game.table().has_moved(seat) {
                    // nobody has seen it yet
                    self.take_back(seat)?;
                } else {
                    self.propose(TableProposalKind::Back, seat)?;
                }
            }
            TableAction::Rematch => {
                let seat = seated?;
                if !state.game.is_over() {
                    return Err(TableRefusal::GoesOn);
                }
                self.propose(TableProposalKind::Rematch, seat)?;
            }
            TableAction::Agree => {
                let seat = seated?;
                let proposal = state.proposal.ok_or(TableRefusal::NoProposal)?;
                if proposal.from == seat {
                    return Err(TableRefusal::OwnProposal);
                }
                self.grant(proposal)?;
            }
            TableAction::Decline => {
                seated?;
                state.proposal.take().ok_or(TableRefusal::NoProposal)?;
            }
        }
        self.start_players_and_broadcast();
        Ok(TableActionReply::Done)
    }

    /// Changes the occupant of a seat.
    fn set_occupant(&mut self, seat: Seat, occupant: TableSeat<H::Player>) {
        self.replace(seat);
        let state = &mut self.state;
        state.occupants[seat.index()] = occupant;
        state.game.forget(seat);
        state.proposal = None;
        // only this seat's thought is worth nothing; the other one begins again
        self.next_epoch();
    }

    /// Proposes something to the other person; grants it at once where there is none.
    fn propose(&mut self, what: TableProposalKind, from: Seat) -> Result<(), TableRefusal> {
        let proposal = TableProposal { what, from };
        let state = &mut self.state;
        let is_person = matches!(state.occupants[from.other().index()], TableSeat::Person(_));
        match state.proposal {
            // proposing what the other has proposed is agreement
            Some(other) if other.what == what && other.from != from => self.grant(other),
            Some(other) if other == proposal => Err(TableRefusal::AlreadyProposed),
            _ if is_person => {
                state.proposal = Some(proposal);
                Ok(())
            }
            _ => self.grant(proposal),
        }
    }

    fn grant(&mut self, proposal: TableProposal) -> Result<(), TableRefusal> {
        match proposal.what {
            TableProposalKind::Back => self.take_back(proposal.from),
            TableProposalKind::Rematch => self.begin_again(),
        }
    }

    /// Goes back to where a seat was to move last; a move that waits is taken back alone.
    fn take_back(&mut self, seat: Seat) -> Result<(), TableRefusal> {
        let to = self.state.check_back(seat)?;
        Seat::BOTH
            .into_iter()
            .try_for_each(|seat| self.reserve(seat))?;
        self.state.game.take_back_to(to);
        self.invalidate_thoughts();
        Ok(())
    }

    /// Another game, with the seats exchanged.
    fn begin_again(&mut self) -> Result<(), TableRefusal> {
        Seat::BOTH.into_iter().for_each(|seat| self.replace(seat));
        Seat::BOTH
            .into_iter()
            .try_for_each(|seat| self.reserve(seat))?;
        let state = &mut self.state;
        state.occupants.swap(0, 1);
        state.game.begin(state.game.seed().wrapping_add(1));
        self.invalidate_thoughts();
        Ok(())
    }

    fn advise(
        &mut self,
        page: u64,
        id: &Value,
        what: &'static str,
        seat: Seat,
        player: String,
        longest: Duration,
    ) -> Result<TableActionReply, TableRefusal> {
        let state = &mut self.state;
        state.check_goes_on()?;
        state.may_be_helped()?;
        if !state.game.table().turn().asks(seat) {
            return Err(TableError::from(games::MoveError::NotToMove).into());
        }
        let question = AdviceQuestion {
            page,
            id: id.clone(),
            what,
            epoch: state.epoch,
            game: self.game.clone(),
            request: ThoughtRequest {
                seat,
                adviser: Some(player),
                seed: 0,
                history: state.game.table().history().to_vec(),
            },
            longest,
        };
        let Some(asking) = state.page(page) else {
            return Ok(TableActionReply::Later);
        };
        if asking.awaits_advice {
            return Err(TableRefusal::Asking);
        }
        if !self.host.advise(question, &asking.sink) {
            return Err(TableRefusal::Busy);
        }
        asking.awaits_advice = true;
        Ok(TableActionReply::Later)
    }
}

/// Checks that a text is a player of the program, which alone advise.
fn check_adviser(text: &str, game: &games::AnyGame) -> Result<(), seat::TableSeatError> {
    Ok(super::visitor::check_house_player(text, game)?)
}

/// A player's text with another time.
fn at_pace(player: &str, time: Duration) -> String {
    match player.split_once(":ms=") {
        Some((name, _)) => format!("{name}:ms={}", time.as_millis()),
        None => player.into(),
    }
}
