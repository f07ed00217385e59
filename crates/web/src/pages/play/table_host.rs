//! The keeper of a table on the server: its players think on threads, and some of them are bots.

use super::engine_threads::{self, AdviceTask, BotPermit, EnginePlayer, EngineThreads};
use crate::guard;
use crate::options::AllowedBot;
use crate::pages::page_socket::TablePageQueue;
use crate::pages::visitor_player::find_bot;
use arena::{Entrant, MatchConditions};
use games::{AnyGame, Seat};
use matches::Advice;
use models::play::GameTable;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use wire::{
    AdviceQuestion, HousePlayerError, SeatPlayer, TableHost, TableSeatError, check_house_player,
};

/// The keeper of one table.
pub(super) struct ServerTableHost {
    engine_threads: Arc<EngineThreads>,
    bots: Arc<[AllowedBot]>,
    epochs: TableEpochs,
    engine_slots: [EngineSlot; 2],
    /// Occupants are numbered; a running engine belongs to one of them.
    occupant_numbers: [u64; 2],
    next_occupant: u64,
    work: Weak<dyn TableWork>,
}

/// What a table's threads have to do with it.
pub(super) trait TableWork: Send + Sync {
    /// Finds a seat's move, on a thread of the pool.
    fn think(&self, seat: Seat, epoch: u64);

    /// Takes what a player that was asked has thought.
    fn finish_advice(&self, question: &AdviceQuestion, advice: Result<Advice, String>);
}

/// Of no table yet.
struct NoTable;

impl TableWork for NoTable {
    fn think(&self, _: Seat, _: u64) {}

    fn finish_advice(&self, _: &AdviceQuestion, _: Result<Advice, String>) {}
}

/// A player in a seat: one of the program, or an allowed bot.
#[derive(Clone)]
pub(super) struct HostedPlayer {
    pub(super) entrant: Entrant,
    /// For a bot: one of the few there may be.
    pub(super) permit: Option<Arc<BotPermit>>,
}

/// The epoch of a table, readable without its lock.
#[derive(Clone, Debug, Default)]
pub(super) struct TableEpochs(Arc<AtomicU64>);

impl TableEpochs {
    /// Whether it is still this one.
    pub(super) fn is_now(&self, epoch: u64) -> bool {
        self.0.load(Ordering::Acquire) == epoch
    }
}

/// The state of a seat's engine.
enum EngineSlot {
    Empty,
    Idle(EnginePlayer),
    /// It is running on a thread.
    Busy,
}

impl ServerTableHost {
    pub(super) fn new(engine_threads: Arc<EngineThreads>, bots: Arc<[AllowedBot]>) -> Self {
        Self {
            engine_threads,
            bots,
            epochs: TableEpochs::default(),
            engine_slots: [EngineSlot::Empty, EngineSlot::Empty],
            occupant_numbers: [1, 2],
            next_occupant: 3,
            work: Weak::<NoTable>::new(),
        }
    }

    /// By which the threads find the table.
    pub(super) fn attach(&mut self, work: Weak<dyn TableWork>) {
        self.work = work;
    }

    pub(super) fn epochs(&self) -> TableEpochs {
        self.epochs.clone()
    }

    /// The engine of a seat, where there is one that is not busy, and the number of its occupant.
    pub(super) fn take_engine(&mut self, seat: Seat) -> Option<(Option<EnginePlayer>, u64)> {
        let i = seat.index();
        let engine = match std::mem::replace(&mut self.engine_slots[i], EngineSlot::Busy) {
            EngineSlot::Busy => return None,
            EngineSlot::Idle(engine) => Some(engine),
            EngineSlot::Empty => None,
        };
        Some((engine, self.occupant_numbers[i]))
    }

    /// An engine comes back, to be kept or not; for another occupant it is of no use.
    pub(super) fn put_engine(
        &mut self,
        seat: Seat,
        occupant: u64,
        engine: EnginePlayer,
        is_kept: bool,
    ) {
        let is_same = self.occupant_numbers[seat.index()] == occupant;
        self.give_engine_up(seat, occupant);
        if is_same && is_kept {
            self.engine_slots[seat.index()] = EngineSlot::Idle(engine);
        } else {
            // a bot may take a while to go
            self.engine_threads.queue(move || drop(engine));
        }
    }

    /// The engine that was taken does not come back.
    pub(super) fn give_engine_up(&mut self, seat: Seat, occupant: u64) {
        if self.occupant_numbers[seat.index()] == occupant {
            self.engine_slots[seat.index()] = EngineSlot::Empty;
        }
    }
}

impl TableHost for ServerTableHost {
    type Page = TablePageQueue;
    type Player = HostedPlayer;

    fn now(&self) -> Duration {
        self.engine_threads.time_of(Instant::now())
    }

    fn new_token(&mut self) -> Result<String, String> {
        guard::new_token().map_err(|error| error.to_string())
    }

    /// A player of the program, or `bot:NAME`, which has no place yet.
    fn seat_player(&self, text: &str, game: &AnyGame) -> Result<HostedPlayer, TableSeatError> {
        let entrant = match find_bot(text, &self.bots) {
            Some(bot) => {
                let entrant = bot.map_err(HousePlayerError::from)?;
                // what is wrong with it shows now, and not when it is to move; nothing is started
                let conditions = MatchConditions::default();
                let opened = arena::open_table(game.clone(), [Some(entrant), None], &conditions, 0);
                opened.map_err(|error| TableSeatError::Refused {
                    words: error.to_string(),
                    hint: None,
                    is_busy: false,
                })?;
                entrant.clone()
            }
            None => {
                check_house_player(text, game)?;
                Entrant::Builtin(text.into())
            }
        };
        Ok(HostedPlayer {
            entrant,
            permit: None,
        })
    }

    /// Takes a permit for a bot that has none.
    fn reserve(&self, player: &mut HostedPlayer) -> Result<(), TableSeatError> {
        if player.entrant.is_bot() && player.permit.is_none() {
            let permit = self.engine_threads.bot_permit();
            let permit = permit.ok_or_else(|| TableSeatError::Refused {
                words: format!(
                    "{} bots play already, which is the most",
                    EngineThreads::BOTS
                ),
                hint: Some("wait for one of their games to end"),
                is_busy: true,
            })?;
            player.permit = Some(Arc::new(permit));
        }
        Ok(())
    }

    fn begin_epoch(&mut self, epoch: u64) {
        self.epochs.0.store(epoch, Ordering::Release);
    }

    fn think(&mut self, seat: Seat, epoch: u64, _: &GameTable, _: &SeatPlayer<HostedPlayer>) {
        let work = Weak::clone(&self.work);
        self.engine_threads.queue(move || {
            if let Some(table) = work.upgrade() {
                table.think(seat, epoch);
            }
        });
    }

    fn advise(&mut self, question: AdviceQuestion, page: &TablePageQueue) -> bool {
        let (epochs, page) = (self.epochs(), page.clone());
        let epoch = question.epoch;
        let task = AdviceTask {
            question,
            is_cancelled: Box::new(move || page.0.is_closed() || !epochs.is_now(epoch)),
        };
        let work = Weak::clone(&self.work);
        engine_threads::advise(&self.engine_threads, task, move |question, advice| {
            if let Some(table) = work.upgrade() {
                table.finish_advice(question, advice);
            }
        })
    }

    /// Releases a seat's engine and a bot's process. A running engine is released when it finishes.
    fn release(&mut self, seat: Seat, player: Option<&mut HostedPlayer>, history: &[String]) {
        let permit = player.and_then(|player| player.permit.take());
        let slot = &mut self.engine_slots[seat.index()];
        let engine = match std::mem::replace(slot, EngineSlot::Empty) {
            EngineSlot::Idle(engine) => Some(engine),
            EngineSlot::Empty => None,
            EngineSlot::Busy => {
                *slot = EngineSlot::Busy;
                None
            }
        };
        if engine.is_none() && permit.is_none() {
            return;
        }
        let history = history.to_vec();
        // a bot hears how it ended, and may take a while to go
        self.engine_threads.queue(move || {
            if let Some(mut engine) = engine {
                let _ = engine.thinker.follow(&history);
                drop(engine);
            }
            drop(permit);
        });
    }

    /// Drops a seat's engine and gives its occupant a new number, so that a running engine's result
    /// is ignored.
    fn replace(&mut self, seat: Seat) {
        let i = seat.index();
        self.engine_slots[i] = EngineSlot::Empty;
        self.occupant_numbers[i] = self.next_occupant;
        self.next_occupant += 1;
    }

    fn has_ended(&self) -> bool {
        self.engine_threads.has_ended()
    }
}
