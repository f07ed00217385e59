//! A game, who sits at it, and who watches.

use super::chair::{self, Chair, ChairError, LONGEST_THOUGHT, Person};
use super::mind::{self, Found, Mind, Minds, Question, Task};
use super::shelf::{Kept, KeptSeat};
use super::wish::Wish;
use super::{problem, told};
use crate::guard;
use crate::options::Bot;
use crate::room::wire::{Close, Letters};
use arena::replay::CheckError;
use arena::{Advice, Conditions, Ending, EntrantError, Fault, Record, Table, TableError, Turned};
use games::{AnyGame, Outcome, Seat, Turn};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// A hint takes no longer than this.
const HINT: Duration = Duration::from_secs(2);

/// What a player of the program remembers is forgotten when nobody watches for so long,
const MIND_ALONE: Duration = Duration::from_secs(60);

/// and a bot's process ends after so long. It is started again when somebody comes.
const BOT_ALONE: Duration = Duration::from_secs(600);

/// A table that people sit at through their pages.
pub(super) struct Sitting {
    pub(super) id: String,
    number: u64,
    game: AnyGame,
    minds: Arc<Minds>,
    bots: Arc<[Bot]>,
    /// Grows with each change after which a thought is worth nothing.
    epoch: AtomicU64,
    state: Mutex<State>,
}

/// What a sitting begins with.
pub(super) struct Making<'a> {
    pub(super) id: String,
    /// How many tables were made before it, and it.
    pub(super) number: u64,
    pub(super) game: AnyGame,
    pub(super) chairs: [Chair; 2],
    /// Turns that are played already.
    pub(super) turns: &'a [String],
    pub(super) is_public: bool,
    pub(super) hints: bool,
    pub(super) seed: u64,
}

/// All that changes at a table.
pub(super) struct State {
    pub(super) table: Box<dyn Table>,
    pub(super) chairs: [Chair; 2],
    /// The turns that it began with.
    pub(super) opening: Vec<String>,
    /// Each turn that was played, those of the opening too.
    pub(super) played: Vec<Played>,
    /// Since when a seat is to move.
    due: [Option<Instant>; 2],
    /// How long it took to find a move that waits for the other seat's.
    taken: [Option<Duration>; 2],
    pub(super) end: Option<End>,
    pub(super) ask: Option<Ask>,
    pub(super) is_public: bool,
    pub(super) hints: bool,
    pub(super) version: u64,
    /// The version that was asked for last, see [`Sitting::has_changed`].
    asked: u64,
    /// The version in which the position came about.
    since: u64,
    pub(super) pages: Vec<Page>,
    next_page: u64,
    /// For which epoch each seat thinks, or waits to.
    pub(super) thinking: [Option<u64>; 2],
    minds: [Slot; 2],
    /// What is in a chair has a number: a mind belongs to one.
    chair_numbers: [u64; 2],
    next_chair: u64,
    /// What each seat's player thought about its last move.
    thoughts: [Option<Advice>; 2],
    seed: u64,
    unwatched: Instant,
    is_closed: bool,
}

/// A turn that was played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    /// Who moved.
    pub(super) by: Turn,
    pub(super) spent: [Option<Duration>; 2],
}

/// A game that ended before its rules said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Resigned(Seat),
    Fault(Seat, Fault),
}

/// What a person asks the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) what: What,
    pub(super) from: Seat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Back,
    Rematch,
}

/// Where a seat's mind is.
enum Slot {
    Empty,
    Here(Mind),
    /// It is on a thread.
    Out,
}

/// A page that watches.
pub(super) struct Page {
    number: u64,
    letters: Arc<Letters>,
    key: String,
    /// Its seat, as it was told.
    pub(super) seat: Option<Seat>,
    /// Whether it waits for advice.
    is_asking: bool,
}

/// Why something is not done.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Chair(#[from] ChairError),
    #[error("you watch this game: sit down to do that")]
    NoSeat,
    #[error("you sit at this table already")]
    HasSeat,
    #[error("the {0} seat is taken")]
    Taken(Seat),
    #[error("a person sits in the {0} seat")]
    Person(Seat),
    #[error("the position is another by now")]
    Stale,
    #[error("the game is over")]
    Over,
    #[error("the game is not over")]
    GoesOn,
    #[error("there is no move of yours to take back")]
    NothingBack,
    #[error("nothing is asked")]
    NotAsked,
    #[error("you asked that yourself")]
    OwnAsk,
    #[error("that is asked already")]
    Asked,
    #[error("there were only {0} turns")]
    Turns(usize),
    #[error("hints are off at this table")]
    NoHints,
    #[error("your last question is still thought about")]
    Asking,
    #[error("too many ask at once")]
    Busy,
    #[error("no player of the program has moved yet")]
    NoThought,
    #[error("the system has no randomness for a key: {0}")]
    Random(#[from] getrandom::Error),
}

impl Refusal {
    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Stale => Some("look again, and move then"),
            Self::Over => Some("a rematch begins another"),
            Self::GoesOn => Some("who wants to end it resigns"),
            Self::HasSeat => Some("leave the other seat first"),
            Self::NoHints => Some("between two persons both have to want them from the beginning"),
            Self::Busy => Some("try again in a moment"),
            Self::Chair(error) => error.hint(),
            _ => None,
        }
    }
}

/// What a page is told when its wish is done.
enum Reply {
    Done,
    /// A letter of its own.
    Told(Value),
    /// The answer comes later.
    Later,
}

impl Sitting {
    /// A table with nobody at it yet.
    ///
    /// # Errors
    /// The number of the first turn, from 1, that cannot be played, and why.
    pub(super) fn new(
        making: Making<'_>,
        minds: Arc<Minds>,
        bots: Arc<[Bot]>,
    ) -> Result<Arc<Self>, (usize, TableError)> {
        let mut state = State {
            table: empty(&making.game),
            chairs: making.chairs,
            opening: making.turns.to_vec(),
            played: Vec::new(),
            due: [None; 2],
            taken: [None; 2],
            end: None,
            ask: None,
            is_public: making.is_public,
            hints: making.hints,
            version: 0,
            // not yet
            asked: u64::MAX,
            since: 0,
            pages: Vec::new(),
            next_page: 1,
            thinking: [None; 2],
            minds: [Slot::Empty, Slot::Empty],
            chair_numbers: [1, 2],
            next_chair: 3,
            thoughts: [None, None],
            seed: making.seed,
            unwatched: Instant::now(),
            is_closed: false,
        };
        state.open().map_err(|(turn, error)| (turn + 1, error))?;
        state.opening = state.table.history().to_vec();
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

    fn lock(&self) -> MutexGuard<'_, State> {
        // a change that panicked is told or not told; the table is whole either way
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a page watch, with the key of its seat if it has one. Its number, unless the
    /// table is closed.
    pub(super) fn join(self: &Arc<Self>, letters: &Arc<Letters>, key: String) -> Option<u64> {
        let mut state = self.lock();
        if state.is_closed {
            return None;
        }
        let number = state.next_page;
        state.next_page += 1;
        let seat = state.seat_of(&key);
        letters.send(json!({ "you": { "seat": seat.map(Seat::index) } }).to_string());
        state.pages.push(Page {
            number,
            letters: Arc::clone(letters),
            key,
            seat,
            is_asking: false,
        });
        self.settle(&mut state);
        Some(number)
    }

    /// A page goes.
    pub(super) fn part(self: &Arc<Self>, page: u64) {
        let mut state = self.lock();
        state.pages.retain(|other| other.number != page);
        state.unwatched = Instant::now();
        self.settle(&mut state);
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
            page.letters.close(Close::Gone);
        }
    }

    /// Ends all of it.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        self.epoch.fetch_add(1, Ordering::AcqRel);
        for page in state.pages.drain(..) {
            page.letters.send(json!({ "gone": true }).to_string());
            page.letters.close(Close::Gone);
        }
        for seat in Seat::BOTH {
            state.dismiss(seat, &self.minds);
            if let Chair::Player(player) = &mut state.chairs[seat.index()] {
                player.place = None;
            }
        }
    }

    /// What a list of tables says of it, where it is in one.
    pub(super) fn listed(&self) -> Option<Value> {
        let state = self.lock();
        state.is_public.then(|| told::listed(self, &state))
    }

    /// The game with its options.
    pub(super) fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The table so far, as it is kept.
    ///
    /// # Errors
    /// The turns cannot be played again, which is a fault of the program's.
    pub(super) fn kept(&self) -> Result<Kept, CheckError> {
        let state = self.lock();
        let seats = [0, 1].map(|i| KeptSeat::of(&state.chairs[i]));
        let opening = state.opening.clone();
        let turns = state.table.history().iter().zip(&state.played);
        let turns = turns.skip(opening.len()).map(|(text, played)| Turned {
            text: text.clone(),
            spent: played.spent,
        });
        let turns: Vec<_> = turns.collect();
        let ending = match &state.end {
            Some(End::Resigned(seat)) => Ending::Resigned(*seat),
            Some(End::Fault(seat, fault)) => Ending::fault(*seat, fault.clone()),
            None if state.is_over() => Ending::Rules,
            None => Ending::Unfinished,
        };
        let (is_public, hints, seed) = (state.is_public, state.hints, state.seed);
        // a long game takes a while to be played again, and nobody is to wait for it
        drop(state);
        let names = [0, 1].map(|i: usize| seats[i].name());
        let record = Record::of_table(self.game.to_string(), names, opening, turns, ending)?;
        Ok(Kept {
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
    pub(super) fn restored(kept: Kept, minds: Arc<Minds>, bots: Arc<[Bot]>) -> Option<Arc<Self>> {
        let end = kept.end();
        let game: AnyGame = kept.record.game.parse().ok()?;
        let chairs = kept.seats.map(|seat| match seat {
            KeptSeat::Open => Chair::Open,
            KeptSeat::Person { key, name } => Chair::Person(Person { key, name }),
            // it may have been allowed then, and not be now
            KeptSeat::Player(text) => Chair::read(&text, &game, &bots).unwrap_or(Chair::Open),
        });
        let making = Making {
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
            state.played.push(Played { by, spent });
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
                Chair::Player(player) if player.entrant.is_bot() => BOT_ALONE,
                _ => MIND_ALONE,
            };
            if is_unwatched && alone >= patience {
                state.dismiss(seat, &self.minds);
            }
        }
        let waits = |seat: Seat| {
            let is_due = state.table.turn().asks(seat) && !state.table.has_moved(seat);
            let is_player = matches!(state.chairs[seat.index()], Chair::Player(_));
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

    /// Does what a page wants, and tells it what came of that.
    pub(super) fn hear(self: &Arc<Self>, page: u64, id: &Value, wish: Wish) {
        let mut state = self.lock();
        if state.page(page).is_none() {
            return;
        }
        let letter = match self.done(&mut state, page, id, wish) {
            Ok(Reply::Later) => return,
            Ok(Reply::Done) => json!({ "done": { "id": id } }).to_string(),
            Ok(Reply::Told(told)) => told.to_string(),
            Err(refusal) => problem(id, &refusal, refusal.hint()),
        };
        if let Some(page) = state.page(page) {
            page.letters.send(letter);
        }
    }

    fn done(
        self: &Arc<Self>,
        state: &mut State,
        page: u64,
        id: &Value,
        wish: Wish,
    ) -> Result<Reply, Refusal> {
        let own = state.page(page).and_then(|page| page.seat);
        let seated = own.ok_or(Refusal::NoSeat);
        match wish {
            Wish::Preview { text } => {
                let seat = own.or_else(|| state.mover()).ok_or(Refusal::Over)?;
                return Ok(Reply::Told(told::preview(state, seat, &text, id)?));
            }
            Wish::Past { turns } => {
                let past = told::past(state, turns, id);
                let past = past.ok_or(Refusal::Turns(state.table.turns()))?;
                return Ok(Reply::Told(past));
            }
            Wish::Thought => {
                state.may_be_helped()?;
                let (seat, thought) = state.last_thought().ok_or(Refusal::NoThought)?;
                return Ok(Reply::Told(told::advice("thought", seat, thought, id)));
            }
            Wish::Hint => {
                let seat = seated?;
                let player = arena::champion(&self.game);
                return self.advise(state, page, id, "hint", seat, player, HINT);
            }
            Wish::Analyse { player, longest } => {
                let player = match player {
                    Some(player) => {
                        chair::house(&player, &self.game)?;
                        player
                    }
                    None => at_pace(&arena::champion(&self.game), longest),
                };
                let seat = own.filter(|&seat| state.table.turn().asks(seat));
                let seat = seat.or_else(|| state.mover()).ok_or(Refusal::Over)?;
                return self.advise(state, page, id, "analysis", seat, player, longest);
            }
            Wish::Move {
                text,
                version,
                turns,
            } => {
                let seat = seated?;
                let now = state.table.turns() as u64;
                if version.is_some_and(|version| version < state.since)
                    || turns.is_some_and(|turns| turns != now)
                {
                    return Err(Refusal::Stale);
                }
                state.check_goes_on()?;
                self.play(state, seat, &text, None)?;
            }
            Wish::Sit { seat, name } => {
                if own.is_some() {
                    return Err(Refusal::HasSeat);
                }
                if !matches!(state.chairs[seat.index()], Chair::Open) {
                    return Err(Refusal::Taken(seat));
                }
                let name = chair::name(&name)?;
                let key = guard::new_token()?;
                let told = json!({ "you": { "seat": seat.index(), "key": key } }).to_string();
                if let Some(page) = state.page(page) {
                    page.key.clone_from(&key);
                    page.seat = Some(seat);
                    page.letters.send(told);
                }
                self.seat(state, seat, Chair::Person(Person { key, name }));
            }
            Wish::Leave => self.seat(state, seated?, Chair::Open),
            Wish::Player { seat, player } => {
                seated?;
                if matches!(state.chairs[seat.index()], Chair::Person(_)) {
                    return Err(Refusal::Person(seat));
                }
                let mut chair = Chair::read(player.trim(), &self.game, &self.bots)?;
                if !state.is_over() {
                    chair.hire(&self.minds)?;
                }
                self.seat(state, seat, chair);
            }
            Wish::Name { name } => {
                let seat = seated?;
                let name = chair::name(&name)?;
                if let Chair::Person(person) = &mut state.chairs[seat.index()] {
                    person.name = name;
                }
            }
            Wish::Resign => {
                let seat = seated?;
                state.check_goes_on()?;
                state.end = Some(End::Resigned(seat));
                self.disturb(state);
            }
            Wish::Back => {
                let seat = seated?;
                state.check_back(seat)?;
                self.ask(state, What::Back, seat)?;
            }
            Wish::Rematch => {
                let seat = seated?;
                if !state.is_over() {
                    return Err(Refusal::GoesOn);
                }
                self.ask(state, What::Rematch, seat)?;
            }
            Wish::Agree => {
                let seat = seated?;
                let ask = state.ask.ok_or(Refusal::NotAsked)?;
                if ask.from == seat {
                    return Err(Refusal::OwnAsk);
                }
                self.grant(state, ask)?;
            }
            Wish::Decline => {
                seated?;
                state.ask.take().ok_or(Refusal::NotAsked)?;
            }
        }
        self.settle(state);
        Ok(Reply::Done)
    }

    /// Makes a seat's move; `spent` where it is known how long that took.
    fn play(
        &self,
        state: &mut State,
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
            state.played.push(Played { by, spent });
            self.disturb(state);
        } else {
            // the other seat has its time still
            state.due[seat.index()] = None;
        }
        Ok(())
    }

    /// The position is another: whoever thinks begins anew, and what was asked is not asked
    /// any more.
    fn disturb(&self, state: &mut State) {
        self.epoch.fetch_add(1, Ordering::AcqRel);
        state.since = state.version + 1;
        state.ask = None;
        state.due = [None; 2];
        state.taken = [None; 2];
    }

    /// Puts somebody else into a seat.
    fn seat(&self, state: &mut State, seat: Seat, chair: Chair) {
        state.renew(seat, &self.minds);
        state.chairs[seat.index()] = chair;
        state.thoughts[seat.index()] = None;
        state.ask = None;
        // only this seat's thought is worth nothing; the other one begins again
        self.epoch.fetch_add(1, Ordering::AcqRel);
    }

    /// Asks the other person, where there is one; else it is done.
    fn ask(&self, state: &mut State, what: What, from: Seat) -> Result<(), Refusal> {
        let ask = Ask { what, from };
        let is_person = matches!(state.chairs[from.other().index()], Chair::Person(_));
        match state.ask {
            // who asks for what the other asks for agrees
            Some(other) if other.what == what && other.from != from => self.grant(state, other),
            Some(other) if other == ask => Err(Refusal::Asked),
            _ if is_person => {
                state.ask = Some(ask);
                Ok(())
            }
            _ => self.grant(state, ask),
        }
    }

    fn grant(&self, state: &mut State, ask: Ask) -> Result<(), Refusal> {
        match ask.what {
            What::Back => self.take_back(state, ask.from),
            What::Rematch => self.begin_again(state),
        }
    }

    /// Goes back to where a seat was to move last; a move that waits is taken back alone.
    fn take_back(&self, state: &mut State, seat: Seat) -> Result<(), Refusal> {
        let to = state.check_back(seat)?;
        state.hire(&self.minds)?;
        while state.table.turns() > to || Seat::BOTH.iter().any(|&s| state.table.has_moved(s)) {
            state.table.take_back();
        }
        state.played.truncate(to);
        state.thoughts = [None, None];
        self.disturb(state);
        Ok(())
    }

    /// Another game, with the seats exchanged.
    fn begin_again(&self, state: &mut State) -> Result<(), Refusal> {
        for seat in Seat::BOTH {
            state.renew(seat, &self.minds);
        }
        state.hire(&self.minds)?;
        state.chairs.swap(0, 1);
        state.end = None;
        state.thoughts = [None, None];
        state.seed = state.seed.wrapping_add(1);
        state.table = empty(&self.game);
        // they were played before
        let _ = state.open();
        self.disturb(state);
        Ok(())
    }

    /// After every change: who is to think thinks, and everybody is told.
    fn settle(self: &Arc<Self>, state: &mut State) {
        self.wake(state);
        self.tell_all(state);
    }

    /// Lets those think who are to.
    fn wake(self: &Arc<Self>, state: &mut State) {
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
            if !(thinks && matches!(state.chairs[i], Chair::Player(_))) {
                if !is_due {
                    state.thinking[i] = None;
                }
            } else if state.thinking[i] != Some(epoch)
                // a bot without a place waits until there is one
                && state.chairs[i].hire(&self.minds).is_ok()
            {
                state.thinking[i] = Some(epoch);
                mind::think(&self.minds, self, seat, epoch);
            }
            if is_over {
                state.dismiss(seat, &self.minds);
            }
        }
    }

    /// Tells everybody how things stand.
    fn tell_all(&self, state: &mut State) {
        // one that fell behind is told nothing more; it goes when its connection does
        state.pages.retain(|page| !page.letters.is_closed());
        state.version += 1;
        for i in 0..state.pages.len() {
            let seat = state.seat_of(&state.pages[i].key);
            let page = &mut state.pages[i];
            if page.seat != seat {
                page.seat = seat;
                let told = json!({ "you": { "seat": seat.map(Seat::index) } });
                page.letters.send(told.to_string());
            }
        }
        let text: Arc<str> = told::table(self, state).into();
        for page in &state.pages {
            page.letters.send(Arc::clone(&text));
        }
    }

    /// What a thread needs to find a seat's move; `None` where nobody wants it any more, or
    /// the mind is still busy with something older.
    pub(super) fn take_up(&self, seat: Seat, epoch: u64) -> Option<Task> {
        let mut guard = self.lock();
        let state = &mut *guard;
        let i = seat.index();
        if state.thinking[i] != Some(epoch) || self.epoch() != epoch {
            return None;
        }
        let Chair::Player(player) = &state.chairs[i] else {
            return None;
        };
        let mind = match std::mem::replace(&mut state.minds[i], Slot::Out) {
            Slot::Out => return None,
            Slot::Here(mind) => Some(mind),
            Slot::Empty => None,
        };
        Some(Task {
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
        found: Result<Found, EntrantError>,
    ) {
        let mut guard = self.lock();
        let state = &mut *guard;
        let i = seat.index();
        let is_its = state.chair_numbers[i] == chair;
        if is_its {
            state.minds[i] = Slot::Empty;
        }
        let (thought, spent) = match found {
            Ok(found) => {
                if is_its && found.mind.is_kept && !state.is_closed {
                    state.minds[i] = Slot::Here(found.mind);
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
            Err(error) => (Err(Fault::NotStarted(error.to_string())), None),
        };
        let is_current = self.epoch() == epoch && state.thinking[i] == Some(epoch);
        if !is_current || self.minds.has_ended() {
            // somebody may wait for this mind
            if let Some(epoch) = state.thinking[i]
                && epoch == self.epoch()
            {
                mind::think(&self.minds, self, seat, epoch);
            } else if state.is_over() {
                state.dismiss(seat, &self.minds);
            }
            return;
        }
        state.thinking[i] = None;
        match thought {
            Ok(advice) => {
                let played = self.play(state, seat, &advice.choice, spent);
                state.thoughts[i] = Some(advice);
                if let Err(error) = played {
                    let text = error.to_string();
                    state.end = Some(End::Fault(seat, Fault::NotStarted(text)));
                    self.disturb(state);
                }
            }
            Err(fault) => {
                state.end = Some(End::Fault(seat, fault));
                self.disturb(state);
            }
        }
        self.settle(state);
    }

    #[expect(clippy::too_many_arguments, reason = "all of it says what is asked")]
    fn advise(
        self: &Arc<Self>,
        state: &mut State,
        page: u64,
        id: &Value,
        what: &'static str,
        seat: Seat,
        player: String,
        longest: Duration,
    ) -> Result<Reply, Refusal> {
        state.check_goes_on()?;
        state.may_be_helped()?;
        if !state.table.turn().asks(seat) {
            return Err(TableError::from(games::MoveError::NotToMove).into());
        }
        let Some(asking) = state.page(page) else {
            return Ok(Reply::Later);
        };
        if asking.is_asking {
            return Err(Refusal::Asking);
        }
        let letters = Arc::clone(&asking.letters);
        let (sitting, epoch) = (Arc::clone(self), self.epoch());
        let question = Question {
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
                    told::advice(what, seat, &advice, &id).to_string()
                }
                Ok(_) => problem(&id, &Refusal::Stale, None),
                Err(error) => problem(&id, error, None),
            };
            if let Some(page) = sitting.lock().page(page) {
                page.is_asking = false;
                page.letters.send(told);
            }
        };
        if !mind::advise(&self.minds, question, tell) {
            return Err(Refusal::Busy);
        }
        if let Some(page) = state.page(page) {
            page.is_asking = true;
        }
        Ok(Reply::Later)
    }
}

impl State {
    fn page(&mut self, number: u64) -> Option<&mut Page> {
        self.pages.iter_mut().find(|page| page.number == number)
    }

    /// Plays the opening.
    fn open(&mut self) -> Result<(), (usize, TableError)> {
        self.played.clear();
        for (i, turn) in self.opening.iter().enumerate() {
            let by = self.table.turn();
            self.table.follow(turn).map_err(|error| (i, error))?;
            let spent = [None; 2];
            self.played.push(Played { by, spent });
        }
        Ok(())
    }

    fn seat_of(&self, key: &str) -> Option<Seat> {
        Seat::BOTH
            .into_iter()
            .find(|seat| match &self.chairs[seat.index()] {
                Chair::Person(person) => !key.is_empty() && guard::same(key, &person.key),
                _ => false,
            })
    }

    pub(super) fn is_over(&self) -> bool {
        self.end.is_some() || self.table.turn().outcome().is_some()
    }

    /// Who has won, where somebody has.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match &self.end {
            Some(End::Resigned(seat) | End::Fault(seat, _)) => Some(Outcome::Win(seat.other())),
            None => self.table.turn().outcome(),
        }
    }

    fn check_goes_on(&self) -> Result<(), Refusal> {
        match self.is_over() {
            true => Err(Refusal::Over),
            false => Ok(()),
        }
    }

    /// The seat that is to move, the first where both are.
    fn mover(&self) -> Option<Seat> {
        let asks = |seat: &Seat| self.table.turn().asks(*seat);
        Seat::BOTH.into_iter().find(asks)
    }

    /// To which turn a seat can go back.
    fn check_back(&self, seat: Seat) -> Result<usize, Refusal> {
        if self.end.is_some() {
            return Err(Refusal::Over);
        }
        if self.table.has_moved(seat) {
            return Ok(self.table.turns());
        }
        let later = self.played.get(self.opening.len()..).unwrap_or_default();
        let last = later.iter().rposition(|turn| turn.by.asks(seat));
        let last = last.ok_or(Refusal::NothingBack)?;
        Ok(self.opening.len() + last)
    }

    /// Between two persons nobody is helped, unless both want it so.
    fn may_be_helped(&self) -> Result<(), Refusal> {
        let is_person = |chair: &Chair| matches!(chair, Chair::Person(_));
        match self.hints || !self.chairs.iter().all(is_person) || self.is_over() {
            true => Ok(()),
            false => Err(Refusal::NoHints),
        }
    }

    /// What was thought last, and by whom.
    fn last_thought(&self) -> Option<(Seat, &Advice)> {
        let last = self.played.last()?;
        let seats = Seat::BOTH.into_iter();
        { seats }
            .filter(|&seat| last.by.asks(seat))
            .chain(Seat::BOTH)
            .find_map(|seat| Some((seat, self.thoughts[seat.index()].as_ref()?)))
    }

    /// Gives bots their places back, for a game that goes on after its end.
    fn hire(&mut self, minds: &Minds) -> Result<(), ChairError> {
        let mut chairs = self.chairs.iter_mut();
        chairs.try_for_each(|chair| chair.hire(minds))
    }

    /// What sits in a seat now is no longer what sat there: a mind that is on a thread is
    /// of no use when it comes back.
    fn renew(&mut self, seat: Seat, minds: &Minds) {
        self.dismiss(seat, minds);
        let i = seat.index();
        self.minds[i] = Slot::Empty;
        self.chair_numbers[i] = self.next_chair;
        self.next_chair += 1;
    }

    /// Lets go of a seat's mind, and of a bot's process with it. Where the mind is on a
    /// thread, that is done when it comes back.
    fn dismiss(&mut self, seat: Seat, minds: &Minds) {
        let i = seat.index();
        let place = match &mut self.chairs[i] {
            Chair::Player(player) => player.place.take(),
            _ => None,
        };
        let mind = match std::mem::replace(&mut self.minds[i], Slot::Empty) {
            Slot::Here(mind) => Some(mind),
            Slot::Empty => None,
            Slot::Out => {
                self.minds[i] = Slot::Out;
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
fn empty(game: &AnyGame) -> Box<dyn Table> {
    arena::sit(game.clone(), [None, None], &Conditions::default(), 0)
        .expect("nobody is named who might not exist")
}

/// A player's text with another time.
fn at_pace(player: &str, time: Duration) -> String {
    match player.split_once(":ms=") {
        Some((name, _)) => format!("{name}:ms={}", time.as_millis()),
        None => player.into(),
    }
}
