//! The thread that owns the session.
//!
//! All requests come over one channel and are handled in order, so the session needs no lock and no
//! command meets a half-stepped world. Between requests the thread steps the world in slices, which
//! end as soon as a request waits, and sends each tab what it has credit for.
//!
//! After a panic the session is dropped, a new one restores the newest draft, and the tabs are
//! notified.

mod draft_schedule;
mod request;

pub(crate) use request::{WorkbenchHandle, WorkbenchRequest};

use crate::draft;
use crate::memory_pool::PoolShare;
use crate::panic_containment::{self, ContainedPanic, contain, set_task};
use crate::tab_message_queue::{TabCloseReason, TabMessageQueue};
use draft_schedule::DraftSchedule;
use models::identification::IdentificationSubject;
use render::Frame;
use session::Command;
use session::Session;
use session::draft::DraftFile;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use wire::{
    ComparedView, FilmScene, TabMessage, WireClock, WorldHost, WorldState, clip_json, reply,
};

/// How long the world is stepped before updates are sent.
const SLICE: Duration = Duration::from_millis(12);

/// The shortest slice, whatever else is due.
const LEAST_SLICE: Duration = Duration::from_millis(2);

/// The wait for the next generation of a world that runs slowly.
const SLOW_WORLD_WAIT: Duration = Duration::from_millis(3);

/// How often a world looks whether those that step together with it are there.
const STEP_WAIT: Duration = Duration::from_millis(1);

/// How long requests are handled before updates are sent.
const MAX_REQUEST_TIME: Duration = Duration::from_millis(20);

/// A world of fewer bytes is written again when the server ends, for the sake of its history.
const REWRITTEN_BYTES: u64 = 1 << 30;

/// A running world is paused after this time without a tab: a page that is reloaded is back by
/// then. A world on its way to a generation goes on.
const PAUSE_UNWATCHED: Duration = Duration::from_secs(5);

/// A world that was woken waits at least this long for somebody to come.
const WAKING_TIME: Duration = Duration::from_secs(60);

/// The time between two reports of what the session holds.
const BETWEEN_MEMORY_REPORTS: Duration = Duration::from_millis(200);

/// The session is restored from the newest draft after one panic and starts empty after a second
/// one without a completed command between; a third ends the workbench.
const MAX_PANICS: u32 = 2;

/// The initial state of the workbench.
pub(crate) struct WorkbenchSetup {
    pub(crate) session: Session,
    /// A notice for new tabs, until something is changed.
    pub(crate) note: Option<String>,
    /// The world runs from the first tab's coming on.
    pub(crate) starts_running: bool,
    /// There is something to keep already.
    pub(crate) was_touched: bool,
    pub(crate) draft: Option<DraftFile>,
    /// The session is not what the draft on disk holds.
    pub(crate) draft_is_due: bool,
    /// For a session that takes the place of one that broke down.
    pub(crate) seed: u64,
}

/// What a workbench shares with the other worlds of its server.
pub(crate) struct WorldLink {
    pub(crate) state: WorldState,
    pub(crate) share: PoolShare,
    /// How long after the last tab has gone it ends.
    pub(crate) sleep_after: Duration,
}

/// The result of the workbench: sent when all is saved, before a large world's memory is freed.
pub(crate) type WorkbenchExitReceiver = oneshot::Receiver<Result<(), ContainedPanic>>;

/// Starts the thread. It ends on [`WorkbenchRequest::Stop`] or when all handles are dropped.
/// It ends too when nobody has looked at the world for a while, see [`WorldLink::sleep_after`].
pub(crate) fn start(
    setup: WorkbenchSetup,
    link: WorldLink,
) -> std::io::Result<(WorkbenchHandle, WorkbenchExitReceiver)> {
    let (handle, mut workbench) = set_up(setup, link)?;
    let has_ended = Arc::clone(&handle.has_ended);
    let (sender, ended) = oneshot::channel();
    let run = move || {
        let outcome = workbench.run();
        has_ended.store(true, Ordering::SeqCst);
        workbench.turn_away();
        // the receiver may be gone
        let _ = sender.send(outcome);
    };
    std::thread::Builder::new()
        .name("workbench".into())
        .spawn(run)?;
    Ok((handle, ended))
}

fn set_up(
    setup: WorkbenchSetup,
    link: WorldLink,
) -> std::io::Result<(WorkbenchHandle, WorkbenchThread)> {
    let (requests, incoming) = channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let handle = WorkbenchHandle {
        requests,
        waiting: Arc::clone(&waiting),
        stops: Arc::default(),
        has_ended: Arc::default(),
        revision: Arc::default(),
    };
    let writer = setup.draft.map(draft::Writer::start).transpose()?;
    let started = Instant::now();
    let clock: WireClock = Arc::new(move || started.elapsed());
    let mut host = WorldHost::new(setup.session, clock);
    host.note = setup.note;
    host.starts_running = setup.starts_running;
    host.was_touched = setup.was_touched;
    let mut workbench = WorkbenchThread {
        drafts: writer.map(|writer| DraftSchedule::new(writer, &host.session, setup.draft_is_due)),
        host,
        started,
        led_by: None,
        watched: Instant::now(),
        is_paused: false,
        runs_on: false,
        memory_due: Instant::now(),
        sleeps_at: Instant::now() + link.sleep_after.max(WAKING_TIME),
        link,
        last_draft: None,
        draft_problem: None,
        seed: setup.seed,
        command: None,
        panics: 0,
        incoming,
        waiting,
        stops: Arc::clone(&handle.stops),
        revision: Arc::clone(&handle.revision),
    };
    register_stop_check(&mut workbench.host.session, &handle.stops);
    Ok((handle, workbench))
}

struct WorkbenchThread {
    /// The world and its tabs.
    host: WorldHost<Arc<TabMessageQueue>>,
    /// When the host's clock began.
    started: Instant,
    /// Waits while this world goes along with another one.
    led_by: Option<mpsc::Sender<()>>,
    /// When there was a tab last.
    watched: Instant,
    /// The world ran when the last tab had gone, and runs again with the next one.
    is_paused: bool,
    /// It runs on while nobody looks.
    runs_on: bool,
    link: WorldLink,
    /// When the memory that it holds is reported next.
    memory_due: Instant,
    /// When it falls asleep, unless somebody looks at it then.
    sleeps_at: Instant,
    /// The draft with which it falls asleep.
    last_draft: Option<Vec<u8>>,
    drafts: Option<DraftSchedule>,
    /// The last draft error that tabs were sent.
    draft_problem: Option<String>,
    seed: u64,
    /// The command that is being done: the tab, and the id that its reply bears.
    command: Option<(u64, u64)>,
    /// Panics since the last completed command.
    panics: u32,
    incoming: Receiver<WorkbenchRequest>,
    waiting: Arc<AtomicUsize>,
    stops: Arc<AtomicUsize>,
    revision: Arc<AtomicU64>,
}

/// Lets a session find out which step size suits a large pattern.
pub(crate) fn lend_clock(session: &mut Session) {
    let started = Instant::now();
    session.set_clock(move || started.elapsed());
}

/// Lets a session's long commands end on a stop request, and lends it a clock.
fn register_stop_check(session: &mut Session, stops: &Arc<AtomicUsize>) {
    lend_clock(session);
    let stops = Arc::clone(stops);
    session.set_stop_check(move || stops.load(Ordering::Relaxed) == 0);
}

impl WorkbenchThread {
    /// Runs until it is stopped, recovering from panics.
    ///
    /// # Errors
    ///
    /// The last panic, where more than [`MAX_PANICS`] occur in a row.
    fn run(&mut self) -> Result<(), ContainedPanic> {
        let outcome = loop {
            let Err(panic) = contain(|| self.work()) else {
                break Ok(());
            };
            self.panics += 1;
            if self.panics > MAX_PANICS {
                break Err(panic);
            }
            self.recover(&panic);
        };
        self.finish();
        outcome
    }

    fn work(&mut self) {
        let mut last_step = Instant::now();
        while self.handle_pending() && !self.falls_asleep() {
            self.revision
                .store(self.host.session.revision(), Ordering::Relaxed);
            let is_in_step = self.keep_step();
            let waiting = Arc::clone(&self.waiting);
            self.host
                .send_updates(&|| waiting.load(Ordering::Relaxed) > 0);
            self.save_draft();
            self.share_memory();
            if !self.host.session.is_busy() {
                let due = self.next_due();
                if !self.wait(due) {
                    break;
                }
                last_step = Instant::now();
                continue;
            }
            let now = Instant::now();
            self.pause_if_unwatched(now);
            if !is_in_step {
                if !self.wait(Some(now + STEP_WAIT)) {
                    break;
                }
                continue;
            }
            let elapsed = now - last_step;
            last_step = now;
            // no longer than until a tab is due, or it would wait for another slice
            let due = self.next_due().unwrap_or(now + SLICE);
            let end = due.clamp(now + LEAST_SLICE, now + SLICE);
            set_task("running the world", "");
            let waiting = &self.waiting;
            let mut go_on = || waiting.load(Ordering::Relaxed) == 0 && Instant::now() < end;
            if !self.host.session.tick(elapsed, &mut go_on) {
                let due = self
                    .next_due()
                    .map_or(now + SLOW_WORLD_WAIT, |due| due.min(now + SLOW_WORLD_WAIT));
                if !self.wait(Some(due)) {
                    break;
                }
            }
        }
    }

    /// Whether all worlds that step together with this one are where it is: else they are told.
    fn keep_step(&mut self) -> bool {
        if self.led_by.is_some() && !self.host.session.is_going() {
            self.led_by = None;
            self.host.was_led();
        }
        self.host.keep_step()
    }

    /// Recovers from a panic: replaces the session by a new one with the newest draft available.
    fn recover(&mut self, panic: &ContainedPanic) {
        let task = panic_containment::task();
        let empty = self.new_session();
        let broken = std::mem::replace(&mut self.host.session, empty);
        let viewer = self.host.viewer_of(None);
        let mut drafts = Vec::new();
        // what broke down twice in a row may be the world itself
        if self.host.was_touched && self.panics == 1 {
            let rescued = contain(|| broken.draft(&viewer));
            drafts.extend(rescued.ok().and_then(Result::ok));
            let kept = self.drafts.as_ref().map(|drafts| drafts.writer.file());
            drafts.extend(kept.and_then(|place| place.read().ok().flatten()));
        }
        // its parts may panic when they are dropped, too
        let _ = contain(|| drop(broken));
        let restored = drafts.iter().any(|draft| self.restore_session(draft));
        let mut notice = format!(
            "the workbench broke down over “{task}”: {}. This is a fault of gridpaper's own. ",
            panic.0
        );
        let aside = match restored {
            true => None,
            false => self.set_draft_aside(),
        };
        if let Some(path) = &aside {
            notice += &format!("The last draft is kept in {}: ", path.display());
        }
        notice += match (restored, aside) {
            (true, _) => "The sheet is as it was last known, without its history",
            (false, None) => "The sheet is empty now",
            (false, Some(_)) => "the sheet is empty now",
        };
        if let Some(drafts) = &mut self.drafts {
            // what is on disk is not what is on the sheet
            drafts.kept = None;
        }
        eprintln!("gridpaper: {notice}");
        self.host.was_touched = restored;
        self.host.note = Some(notice.clone());
        self.host.reset_tabs();
        if let Some((tab, id)) = self.command.take()
            && let Some(queue) = self.host.sink(tab)
        {
            let reply = reply::to_broken_command(id, &notice);
            queue.reply(reply, None);
        }
        let text = reply::to_malformed(&notice);
        for queue in self.host.sinks() {
            queue.reply(text.clone(), None);
        }
    }

    fn new_session(&self) -> Session {
        let mut session = Session::new(self.host.session.file_access().clone(), self.seed);
        register_stop_check(&mut session, &self.stops);
        session
    }

    /// Restores a draft into a new session. Returns whether that succeeded.
    fn restore_session(&mut self, draft: &[u8]) -> bool {
        let mut session = self.new_session();
        let mut viewer = self.host.viewer_of(None);
        let outcome = contain(|| session.restore_draft(&mut viewer, draft));
        let restored = matches!(outcome, Ok(Ok(_)));
        if restored {
            self.host.session = session;
        } else {
            let _ = contain(|| drop(session));
        }
        restored
    }

    /// Keeps the draft on disk that could not be restored.
    fn set_draft_aside(&self) -> Option<PathBuf> {
        self.drafts.as_ref()?.writer.file().set_aside().ok()
    }

    /// Handles pending requests. Returns `false` once the workbench is to end.
    fn handle_pending(&mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < MAX_REQUEST_TIME {
            match self.incoming.try_recv() {
                Ok(request) => {
                    if !self.handle_request(request) {
                        return false;
                    }
                }
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
        true
    }

    /// Waits for something to do, until something is due. Whether there is more to come.
    fn wait(&mut self, until: Option<Instant>) -> bool {
        let request = match until {
            Some(until) => {
                let time = until.saturating_duration_since(Instant::now());
                self.incoming.recv_timeout(time)
            }
            None => self.incoming.recv().map_err(RecvTimeoutError::from),
        };
        match request {
            Ok(request) => self.handle_request(request),
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    fn next_due(&self) -> Option<Instant> {
        let tabs = self.host.next_due().map(|due| self.started + due);
        let draft = self
            .drafts
            .as_ref()
            .and_then(|drafts| drafts.due(&self.host.session));
        let may_sleep = self.host.tabs() == 0 && !self.host.session.is_busy();
        let sleep = may_sleep.then_some(self.sleeps_at);
        let others = draft
            .filter(|_| self.host.was_touched)
            .into_iter()
            .chain(sleep);
        tabs.into_iter().chain(others).min()
    }

    /// Whether nobody has looked at the world for a while, and nothing is lost when it ends.
    fn falls_asleep(&mut self) -> bool {
        let now = Instant::now();
        let is_due = self.host.tabs() == 0 && now >= self.sleeps_at;
        // what runs is paused before, unless it runs on or is on its way to a generation
        if !is_due || self.host.session.is_busy() {
            return false;
        }
        let is_kept = self.keep_last_draft();
        if !is_kept {
            self.sleeps_at = now + self.link.sleep_after.max(WAKING_TIME);
        }
        is_kept
    }

    /// Makes the draft with which the world falls asleep, unless nothing was ever done in it.
    /// Whether that succeeded.
    fn keep_last_draft(&mut self) -> bool {
        if !self.host.was_touched && self.link.state.summary().is_blank {
            return true;
        }
        let viewer = self.host.viewer_of(None);
        let draft = self.host.session.draft_with_history(&viewer);
        // what undo would bring back is not lost
        let draft = draft.ok().filter(|draft| draft.holds_documents);
        self.last_draft = draft.map(|draft| draft.bytes);
        self.last_draft.is_some()
    }

    /// Reports what the session holds, and takes the memory that it may have now.
    fn share_memory(&mut self) {
        let now = Instant::now();
        if now >= self.memory_due {
            self.memory_due = now + BETWEEN_MEMORY_REPORTS;
            let may_hold = self.link.share.update(self.host.session.bytes());
            self.host.session.set_memory_budget(may_hold);
            self.report();
        }
    }

    /// Keeps what the list of worlds says of this one up to date.
    fn report(&self) {
        let (title, generation) = (
            self.host.session.title(),
            self.host.session.world().generation(),
        );
        self.link.state.update(|summary| {
            title.clone_into(&mut summary.title);
            summary.generation = generation.to_string();
            summary.tabs = self.host.tabs();
            summary.is_running = self.host.session.is_busy();
            summary.runs_on = self.runs_on;
            summary.is_blank &= !self.host.was_touched;
        });
    }

    /// Ends the tabs that came too late: they come again, and the world is woken for them.
    fn turn_away(&mut self) {
        while let Ok(request) = self.incoming.try_recv() {
            if let WorkbenchRequest::Join { queue, .. } = request {
                queue.end(TabCloseReason::Asleep);
            }
        }
    }

    /// Handles one request. Returns `false` once the workbench is to end.
    fn handle_request(&mut self, request: WorkbenchRequest) -> bool {
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        if request.is_stop() {
            self.stops.fetch_sub(1, Ordering::SeqCst);
        }
        match request {
            WorkbenchRequest::Join { tab, queue } => self.join(tab, queue),
            WorkbenchRequest::Leave { tab } => {
                self.host.leave(tab);
                self.sleeps_at = Instant::now() + self.link.sleep_after;
                self.report();
            }
            WorkbenchRequest::Message {
                tab,
                message,
                permit,
            } => self.handle_message(tab, message, permit),
            #[cfg(test)]
            WorkbenchRequest::Panic => panic!("as it was asked to"),
            WorkbenchRequest::Load {
                found,
                anyway,
                answer,
            } => {
                set_task("open ", &found.name);
                let outcome = self.host.load(*found, anyway);
                self.is_paused &= outcome.is_err();
                // the receiver may be gone; the change stays
                let _ = answer.send(outcome);
            }
            WorkbenchRequest::Save {
                format,
                name,
                is_shared,
                answer,
            } => {
                set_task("save ", &name);
                let _ = answer.send(self.host.save(format, &name, is_shared));
            }
            WorkbenchRequest::Formats { answer } => {
                let _ = answer.send(self.host.session.format_offers());
            }
            WorkbenchRequest::PlotCsv { answer } => {
                let _ = answer.send(self.host.session.run_series().csv());
            }
            WorkbenchRequest::Clip { answer } => {
                let _ = answer.send(self.host.session.clip().map(clip_json));
            }
            WorkbenchRequest::Svg {
                tab,
                is_printed,
                extent,
                answer,
            } => {
                let _ = answer.send(self.host.svg(tab, is_printed, &extent));
            }
            WorkbenchRequest::Picture {
                tab,
                extent,
                answer,
            } => {
                let _ = answer.send(self.host.picture(tab, &extent));
            }
            WorkbenchRequest::Film { tab, from, answer } => {
                let viewer = self.host.viewer_of(tab);
                let _ = answer.send(FilmScene::of(&self.host.session, &viewer, &from));
            }
            WorkbenchRequest::Icons { tab, side, answer } => {
                let _ = answer.send(self.host.icons(tab, side));
            }
            WorkbenchRequest::Thumbnail { tab, id, answer } => {
                let _ = answer.send(self.host.thumbnail(tab, id));
            }
            WorkbenchRequest::Subject { answer } => {
                let (rule, cells) = self.host.session.selected_cells();
                let _ = answer.send(IdentificationSubject { rule, cells });
            }
            WorkbenchRequest::Draft { answer } => {
                let draft = self.host.session.draft(&self.host.viewer_of(None));
                let _ = answer.send(draft.ok());
            }
            WorkbenchRequest::ComparedView { viewport, answer } => {
                set_task("compare with another world", "");
                self.sleeps_at = Instant::now() + self.link.sleep_after.max(WAKING_TIME);
                self.watched = Instant::now();
                let seen = self
                    .host
                    .session
                    .interruptible_read(|session| Frame::of(session.world(), &viewport));
                if let Some(frame) = seen {
                    // the other world may have gone
                    let _ = answer.send(ComparedView {
                        frame,
                        generation: self.host.session.world().generation().clone(),
                        revision: self.host.session.revision(),
                    });
                }
            }
            WorkbenchRequest::Compare {
                tab,
                id,
                change,
                permit,
            } => {
                let reply = self.host.compare(tab, id, change);
                self.reply(tab, reply, permit);
            }
            WorkbenchRequest::GoAlong { to, there } => {
                set_task("go along with another world", "");
                self.watched = Instant::now();
                self.host.was_touched = true;
                self.is_paused = false;
                // a world that cannot follow stays where it is
                self.led_by = self.host.session.go_along(&to).is_ok().then_some(there);
            }
            WorkbenchRequest::RunOn(on) => {
                self.runs_on = on;
                self.report();
            }
            WorkbenchRequest::Sleep => return !self.keep_last_draft(),
            WorkbenchRequest::Stop => return false,
        }
        true
    }

    fn handle_message(&mut self, tab: u64, message: TabMessage, permit: OwnedSemaphorePermit) {
        let command = match &message {
            TabMessage::Do { text, id } => {
                set_task("", text);
                Some((tab, *id))
            }
            _ => None,
        };
        self.command = command;
        let reply = self.host.tell(tab, &message);
        self.command = None;
        if command.is_some() {
            self.panics = 0;
        }
        self.reply(tab, reply, permit);
    }

    fn reply(&self, tab: u64, reply: Option<String>, permit: OwnedSemaphorePermit) {
        if let (Some(queue), Some(reply)) = (self.host.sink(tab), reply) {
            queue.reply(reply, Some(permit));
        }
    }

    fn join(&mut self, tab: u64, queue: Arc<TabMessageQueue>) {
        self.host.join(tab, queue);
        self.resume();
        self.report();
    }

    fn pause_if_unwatched(&mut self, now: Instant) {
        if self.host.tabs() > 0 {
            self.watched = now;
        }
        if now - self.watched < PAUSE_UNWATCHED || self.runs_on {
            return;
        }
        self.watched = now;
        let mut viewer = self.host.viewer_of(None);
        if self.host.session.status(&viewer).running {
            // Stopping always succeeds.
            let _ = self.host.session.apply(&mut viewer, &Command::Stop);
            self.is_paused = true;
        }
    }

    /// A tab has come: what was paused runs again.
    fn resume(&mut self) {
        if std::mem::take(&mut self.is_paused) {
            let mut viewer = self.host.viewer_of(None);
            // A world that does not run is worth looking at too.
            let _ = self.host.session.apply(&mut viewer, &Command::Run);
        }
    }

    fn save_draft(&mut self) {
        if !self.host.was_touched {
            return;
        }
        let viewer = self.host.viewer_of(None);
        let Some(drafts) = &mut self.drafts else {
            return;
        };
        drafts.save(&self.host.session, &viewer);
        let Some(problem) = drafts.problem.take() else {
            return;
        };
        if self.draft_problem.as_ref() != Some(&problem) {
            let text = reply::to_malformed(format_args!("no draft can be kept: {problem}"));
            for queue in self.host.sinks() {
                queue.reply(text.clone(), None);
            }
            self.draft_problem = Some(problem);
        }
    }

    /// Saves a last draft and closes all tabs.
    fn finish(&mut self) {
        let viewer = self.host.viewer_of(None);
        let asleep = self.last_draft.take();
        if let Some(drafts) = self.drafts.take() {
            let draft = || self.host.session.draft_with_history(&viewer).ok();
            let draft = || contain(draft).ok().flatten().map(|draft| draft.bytes);
            // the history alone is not worth writing a very large world once more
            let is_new = drafts.kept != Some(self.host.session.revision());
            let is_due = is_new || self.host.session.bytes() < REWRITTEN_BYTES;
            let is_due = self.host.was_touched && is_due;
            let draft = asleep.or_else(|| is_due.then(draft).flatten());
            if let Some(unwritten) = drafts.writer.finish(draft) {
                self.link.state.keep_draft(unwritten);
            }
        } else if let Some(draft) = asleep {
            self.link.state.keep_draft(draft);
        }
        for queue in self.host.sinks() {
            queue.end(TabCloseReason::Server);
        }
        self.host.clear_tabs();
        let _ = contain(|| self.report());
    }
}

#[cfg(test)]
mod tests;
