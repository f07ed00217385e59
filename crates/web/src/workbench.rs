//! The one thread that owns the session.
//!
//! All that happens to the session comes in over one channel and is done in the order in
//! which it came; nobody else touches it, so nothing is locked and no command ever meets a
//! world that is half stepped. Between commands the thread steps the world, in slices that
//! end as soon as a command waits, and sends each tab what it has credit for.
//!
//! A panic in there ends the session and nothing else: it is dropped, a new one takes up the
//! newest draft, and the tabs are told.

use crate::clip;
use crate::draft;
use crate::message::TabMessage;
use crate::panic_containment::{self, ContainedPanic, contain, set_task};
use crate::reply;
use crate::tab::TabCloseReason;
use crate::tab_message_queue::TabMessageQueue;
use crate::watcher::{TabWatcher, ThemePayloads};
use pattern::Format;
use render::Picture;
use session::command::{self, Command, Group};
use session::draft::DraftFile;
use session::file_access::LocatedPattern;
use session::{CommandRefusal, CommandReply, EncodedPattern, Session, Viewer};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// The world is stepped for so long before tabs are looked after.
const SLICE: Duration = Duration::from_millis(12);

/// And at least for so long, whatever else is due.
const LEAST_SLICE: Duration = Duration::from_millis(2);

/// So long is waited for the next generation of a world that runs slowly.
const DOZE: Duration = Duration::from_millis(3);

/// Commands are heeded for so long before tabs are looked after.
const MOST_HEEDING: Duration = Duration::from_millis(20);

/// Tabs are looked after for so long before commands are heeded, if any wait.
const MOST_SHOWING: Duration = Duration::from_millis(10);

/// A draft is written so long after the one before, or later if it takes long to make.
const BETWEEN_DRAFTS: Duration = Duration::from_secs(2);

/// A world that runs is paused when nobody has watched it for so long: a page that is loaded
/// anew is back by then. One that is on its way to a generation goes on.
const UNWATCHED: Duration = Duration::from_secs(5);

/// It begins again after a panic with the newest draft, after a second one before any command
/// was done to its end with an empty sheet, and not after a third.
const MOST_BREAKDOWNS: u32 = 2;

/// What the workbench is asked for.
pub(crate) enum WorkbenchRequest {
    /// A tab has come.
    Join {
        tab: u64,
        outbox: Arc<TabMessageQueue>,
    },
    /// A tab has gone.
    Leave { tab: u64 },
    /// What a tab says. It has so many places to say something, and gets this one back: with
    /// the reply to a command when that is on its way.
    Said {
        tab: u64,
        message: TabMessage,
        place: OwnedSemaphorePermit,
    },
    /// A file that was dropped or chosen, and has been read.
    Load {
        found: Box<LocatedPattern>,
        anyway: bool,
        answer: oneshot::Sender<Result<CommandReply, CommandRefusal>>,
    },
    /// The world as a file.
    Save {
        format: Format,
        name: String,
        /// It is for a link, which does not count as saved.
        is_shared: bool,
        answer: oneshot::Sender<Result<EncodedPattern, CommandRefusal>>,
    },
    /// What the clipboard holds, as JSON.
    Clip {
        answer: oneshot::Sender<Option<String>>,
    },
    /// What a tab sees, as an SVG or as pixels.
    Svg {
        tab: Option<u64>,
        answer: oneshot::Sender<String>,
    },
    Picture {
        tab: Option<u64>,
        answer: oneshot::Sender<Picture>,
    },
    /// It is over.
    Stop,
    /// A fault of the program, for tests of what becomes of it.
    #[cfg(test)]
    Panic,
}

impl WorkbenchRequest {
    /// Whether it stops what is being done.
    fn is_stop(&self) -> bool {
        match self {
            Self::Stop => true,
            Self::Said {
                message: TabMessage::Do { text, .. },
                ..
            } => matches!(text.trim(), "stop" | "cancel"),
            _ => false,
        }
    }
}

/// How the workbench is reached.
#[derive(Clone, Debug)]
pub(crate) struct WorkbenchHandle {
    requests: Sender<WorkbenchRequest>,
    /// How many requests wait: a world that is being stepped stops for them.
    waiting: Arc<AtomicUsize>,
    /// How many of them stop what is being done: a command that works long ends for them.
    stops: Arc<AtomicUsize>,
    /// Whether the workbench has ended.
    has_ended: Arc<AtomicBool>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkbenchError {
    /// The workbench has ended.
    Ended,
    /// It broke down over the request, and goes on with the newest draft.
    BrokenDown,
}

impl WorkbenchHandle {
    pub(crate) fn send(&self, request: WorkbenchRequest) -> Result<(), WorkbenchError> {
        if request.is_stop() {
            self.stops.fetch_add(1, Ordering::SeqCst);
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        self.requests
            .send(request)
            .map_err(|_| WorkbenchError::Ended)
    }

    /// Sends a request that is made with the place for its answer, and waits for that.
    pub(crate) async fn ask<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<T>) -> WorkbenchRequest,
    ) -> Result<T, WorkbenchError> {
        let (answer, answered) = oneshot::channel();
        self.send(request(answer))?;
        answered
            .await
            .map_err(|_| match self.has_ended.load(Ordering::SeqCst) {
                true => WorkbenchError::Ended,
                false => WorkbenchError::BrokenDown,
            })
    }
}

/// What the workbench starts with.
pub(crate) struct WorkbenchSetup {
    pub(crate) session: Session,
    /// What tabs are told when they come, until somebody does something.
    pub(crate) note: Option<String>,
    /// The world runs from the first tab's coming on.
    pub(crate) starts_running: bool,
    /// There is something to keep already.
    pub(crate) was_touched: bool,
    pub(crate) draft: Option<DraftFile>,
    /// For a session that takes the place of one that broke down.
    pub(crate) seed: u64,
}

/// How a workbench ended: told when all is kept, before a large world's memory is given back.
pub(crate) type WorkbenchExitReceiver = oneshot::Receiver<Result<(), ContainedPanic>>;

/// Makes the thread. It ends when it is told to stop, or nobody can reach it any more.
pub(crate) fn start(
    bench: WorkbenchSetup,
) -> std::io::Result<(WorkbenchHandle, WorkbenchExitReceiver)> {
    let (line, mut workbench) = set_up(bench)?;
    let has_ended = Arc::clone(&line.has_ended);
    let (tell, ended) = oneshot::channel();
    let run = move || {
        let outcome = workbench.run();
        has_ended.store(true, Ordering::SeqCst);
        // whoever started it may have gone
        let _ = tell.send(outcome);
    };
    std::thread::Builder::new()
        .name("workbench".into())
        .spawn(run)?;
    Ok((line, ended))
}

fn set_up(bench: WorkbenchSetup) -> std::io::Result<(WorkbenchHandle, WorkbenchThread)> {
    let (requests, incoming) = channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let line = WorkbenchHandle {
        requests,
        waiting: Arc::clone(&waiting),
        stops: Arc::default(),
        has_ended: Arc::default(),
    };
    let writer = bench.draft.map(draft::Writer::start).transpose()?;
    let mut workbench = WorkbenchThread {
        drafts: writer.map(|writer| DraftSchedule::new(writer, &bench.session)),
        session: bench.session,
        viewer: None,
        note: bench.note,
        starts_running: bench.starts_running,
        was_touched: bench.was_touched,
        watchers: BTreeMap::new(),
        looks: ThemePayloads::default(),
        turn: 0,
        watched: Instant::now(),
        is_paused: false,
        draft_problem: None,
        seed: bench.seed,
        command: None,
        breakdowns: 0,
        incoming,
        waiting,
        stops: Arc::clone(&line.stops),
    };
    heed_stops(&mut workbench.session, &line.stops);
    Ok((line, workbench))
}

struct WorkbenchThread {
    session: Session,
    /// Where the tab was that last did something: a new one begins there.
    viewer: Option<Viewer>,
    /// What tabs are told when they come.
    note: Option<String>,
    /// The world runs from the first tab's coming on.
    starts_running: bool,
    /// Somebody did more than look: from then on there is something to keep.
    was_touched: bool,
    watchers: BTreeMap<u64, TabWatcher>,
    looks: ThemePayloads,
    /// The tab that was sent something last.
    turn: u64,
    /// When there was a tab last.
    watched: Instant,
    /// The world ran when the last tab had gone, and runs again with the next one.
    is_paused: bool,
    drafts: Option<DraftSchedule>,
    /// Why no draft could be kept, as tabs were told last.
    draft_problem: Option<String>,
    seed: u64,
    /// The command that is being done: the tab, and the id that its reply bears.
    command: Option<(u64, u64)>,
    /// How often it has broken down since a command was last done to its end.
    breakdowns: u32,
    incoming: Receiver<WorkbenchRequest>,
    waiting: Arc<AtomicUsize>,
    stops: Arc<AtomicUsize>,
}

/// Lets a session's commands end when somebody stops them.
fn heed_stops(session: &mut Session, stops: &Arc<AtomicUsize>) {
    let stops = Arc::clone(stops);
    session.ask_meanwhile(move || stops.load(Ordering::Relaxed) == 0);
}

impl WorkbenchThread {
    /// Works until it is told to stop; begins again after a panic.
    ///
    /// # Errors
    /// The last panic, where it breaks down again and again, whatever is on the sheet.
    fn run(&mut self) -> Result<(), ContainedPanic> {
        let outcome = loop {
            let Err(breakdown) = contain(|| self.work()) else {
                break Ok(());
            };
            self.breakdowns += 1;
            if self.breakdowns > MOST_BREAKDOWNS {
                break Err(breakdown);
            }
            self.begin_again(&breakdown);
        };
        self.finish();
        outcome
    }

    fn work(&mut self) {
        let mut stepped = Instant::now();
        while self.heed_all() {
            self.show();
            self.keep_draft();
            if !self.session.is_busy() {
                let due = self.next_due();
                if !self.wait(due) {
                    break;
                }
                stepped = Instant::now();
                continue;
            }
            let now = Instant::now();
            self.rest_unless_watched(now);
            let elapsed = now - stepped;
            stepped = now;
            // no longer than until a tab is due, or it would wait for another slice
            let due = self.next_due().unwrap_or(now + SLICE);
            let end = due.clamp(now + LEAST_SLICE, now + SLICE);
            set_task("running the world", "");
            let waiting = &self.waiting;
            let mut go_on = || waiting.load(Ordering::Relaxed) == 0 && Instant::now() < end;
            if !self.session.tick(elapsed, &mut go_on) {
                let due = self
                    .next_due()
                    .map_or(now + DOZE, |due| due.min(now + DOZE));
                if !self.wait(Some(due)) {
                    break;
                }
            }
        }
    }

    /// After a panic: a new session, with the newest draft that can be had, in the place of the
    /// one that is not to be trusted any more.
    fn begin_again(&mut self, breakdown: &ContainedPanic) {
        let task = panic_containment::task();
        let empty = self.new_session();
        let broken = std::mem::replace(&mut self.session, empty);
        let viewer = self.viewer_of(None);
        let mut drafts = Vec::new();
        // what broke down twice in a row may be the world itself
        if self.was_touched && self.breakdowns == 1 {
            let rescued = contain(|| broken.draft(&viewer));
            drafts.extend(rescued.ok().and_then(Result::ok));
            let kept = self.drafts.as_ref().map(|drafts| drafts.writer.place());
            drafts.extend(kept.and_then(|place| place.read().ok().flatten()));
        }
        // its parts may panic when they are dropped, too
        let _ = contain(|| drop(broken));
        let restored = drafts.iter().any(|draft| self.take_up(draft));
        let mut told = format!(
            "the workbench broke down over “{task}”: {}. This is a fault of gridpaper's own. ",
            breakdown.0
        );
        let aside = match restored {
            true => None,
            false => self.set_draft_aside(),
        };
        if let Some(path) = &aside {
            told += &format!("The last draft is kept in {}: ", path.display());
        }
        told += match (restored, aside) {
            (true, _) => "The sheet is as it was last known, without its history",
            (false, None) => "The sheet is empty now",
            (false, Some(_)) => "the sheet is empty now",
        };
        if let Some(drafts) = &mut self.drafts {
            // what is on disk is not what is on the sheet
            drafts.kept = None;
        }
        eprintln!("gridpaper: {told}");
        self.was_touched = restored;
        self.note = Some(told.clone());
        for watcher in self.watchers.values_mut() {
            watcher.begin_again();
        }
        if let Some((tab, id)) = self.command.take()
            && let Some(watcher) = self.watchers.get(&tab)
        {
            let reply = reply::to_broken_command(id, &told);
            watcher.outbox.reply(reply, None);
        }
        let text = reply::to_malformed(&told);
        for watcher in self.watchers.values() {
            watcher.outbox.reply(text.clone(), None);
        }
    }

    fn new_session(&self) -> Session {
        let mut session = Session::new(self.session.desk().clone(), self.seed);
        heed_stops(&mut session, &self.stops);
        session
    }

    /// Puts a draft on the new sheet. Whether it could be.
    fn take_up(&mut self, draft: &[u8]) -> bool {
        let mut session = self.new_session();
        let mut viewer = self.viewer_of(None);
        let outcome = contain(|| session.restore_draft(&mut viewer, draft));
        let restored = matches!(outcome, Ok(Ok(_)));
        if restored {
            self.session = session;
        } else {
            let _ = contain(|| drop(session));
        }
        restored
    }

    /// Where the sheet could not be filled with it, the draft on disk is kept for a better day.
    fn set_draft_aside(&self) -> Option<PathBuf> {
        self.drafts.as_ref()?.writer.place().set_aside().ok()
    }

    /// Does what waits. Whether there is more to come.
    fn heed_all(&mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < MOST_HEEDING {
            match self.incoming.try_recv() {
                Ok(request) => {
                    if !self.heed(request) {
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
            Ok(request) => self.heed(request),
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    fn next_due(&self) -> Option<Instant> {
        let tabs = self
            .watchers
            .values()
            .filter_map(|watcher| watcher.due(&self.session));
        let draft = self
            .drafts
            .as_ref()
            .and_then(|drafts| drafts.due(&self.session));
        tabs.chain(draft.filter(|_| self.was_touched)).min()
    }

    /// Does one thing. Whether there is more to come.
    fn heed(&mut self, request: WorkbenchRequest) -> bool {
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        if request.is_stop() {
            self.stops.fetch_sub(1, Ordering::SeqCst);
        }
        match request {
            WorkbenchRequest::Join { tab, outbox } => self.join(tab, outbox),
            WorkbenchRequest::Leave { tab } => {
                self.watchers.remove(&tab);
            }
            WorkbenchRequest::Said {
                tab,
                message,
                place,
            } => self.hear(tab, message, place),
            #[cfg(test)]
            WorkbenchRequest::Panic => panic!("as it was asked to"),
            WorkbenchRequest::Load {
                found,
                anyway,
                answer,
            } => {
                set_task("open ", &found.name);
                let outcome = self.load(*found, anyway);
                // Whoever asked may have gone; what was done is done.
                let _ = answer.send(outcome);
            }
            WorkbenchRequest::Save {
                format,
                name,
                is_shared,
                answer,
            } => {
                set_task("save ", &name);
                let _ = answer.send(self.save(format, &name, is_shared));
            }
            WorkbenchRequest::Clip { answer } => {
                let _ = answer.send(self.session.clip().map(clip::told));
            }
            WorkbenchRequest::Svg { tab, answer } => {
                let mut viewer = self.viewer_of(tab);
                let frame = self.session.frame(&mut viewer);
                let palette = self.session.palette(&viewer);
                let _ = answer.send(render::svg(&frame, &palette, &self.session.style()));
            }
            WorkbenchRequest::Picture { tab, answer } => {
                let mut viewer = self.viewer_of(tab);
                let frame = self.session.frame(&mut viewer);
                let palette = self.session.palette(&viewer);
                let _ = answer.send(frame.paint(&palette, &self.session.style()));
            }
            WorkbenchRequest::Stop => return false,
        }
        true
    }

    fn hear(&mut self, tab: u64, message: TabMessage, place: OwnedSemaphorePermit) {
        let Some(watcher) = self.watchers.get_mut(&tab) else {
            return;
        };
        match message {
            TabMessage::Size { width, height } => {
                let pixels = u64::from(width) * u64::from(height);
                let most = most_pixels(self.session.desk().limits.memory);
                let others = self.watchers.iter().filter(|(other, _)| **other != tab);
                let seen: u64 = others.map(|(_, watcher)| watcher.pixels()).sum();
                let Some(watcher) = self.watchers.get_mut(&tab) else {
                    return;
                };
                if seen + pixels > most {
                    let told = format!(
                        "all views together may have {most} pixels here, and with this one they \
                         would have {}: close some of them, or make it smaller",
                        seen + pixels
                    );
                    return watcher.outbox.reply(reply::to_malformed(told), None);
                }
                watcher.resize(width, height);
                if std::mem::take(&mut self.starts_running) {
                    // A world that does not run is worth looking at too.
                    let _ = self.session.apply(&mut watcher.viewer, &Command::Run);
                }
            }
            TabMessage::Do { text, id } => self.obey(tab, &text, id, place),
            TabMessage::Credit(frames) => watcher.give_credit(frames),
            TabMessage::Plot(on) => watcher.watch_plot(on),
            TabMessage::Dark(on) => watcher.darken(on),
        }
    }

    fn join(&mut self, tab: u64, outbox: Arc<TabMessageQueue>) {
        let desk = self.session.desk();
        let has_folder = matches!(desk.files, session::file_access::Files::Folder(_));
        outbox.reply(
            reply::welcome(tab, desk.limits.upload, has_folder, self.note.as_deref()),
            None,
        );
        self.watchers
            .insert(tab, TabWatcher::new(outbox, self.viewer.clone()));
        self.resume();
    }

    fn obey(&mut self, tab: u64, text: &str, id: u64, place: OwnedSemaphorePermit) {
        let Some(watcher) = self.watchers.get_mut(&tab) else {
            return;
        };
        set_task("", text);
        self.command = Some((tab, id));
        let outcome = match text.parse::<Command>() {
            Ok(command) => self.session.apply(&mut watcher.viewer, &command),
            Err(error) => Err(error.into()),
        };
        self.command = None;
        self.breakdowns = 0;
        watcher
            .outbox
            .reply(reply::to_command(id, &outcome), Some(place));
        watcher.has_done(id);
        self.viewer = Some(watcher.viewer.clone());
        if outcome.is_ok() && !only_looks(text) {
            self.was_touched = true;
            // what was told of the start is no news any more
            self.note = None;
        }
    }

    fn load(
        &mut self,
        found: LocatedPattern,
        anyway: bool,
    ) -> Result<CommandReply, CommandRefusal> {
        let mut viewer = self.viewer_of(None);
        let reply = self.session.load_found(&mut viewer, found, anyway)?;
        self.was_touched = true;
        self.is_paused = false;
        self.note = None;
        Ok(reply)
    }

    /// The world as a file that a browser keeps: from then on it is saved.
    fn save(
        &mut self,
        format: Format,
        name: &str,
        is_shared: bool,
    ) -> Result<EncodedPattern, CommandRefusal> {
        let saved = self.session.saved(&self.viewer_of(None), format, name)?;
        if !is_shared {
            self.session.mark_saved();
        }
        Ok(saved)
    }

    /// Where a tab is; without one, or when it has gone, where the last one was.
    fn viewer_of(&self, tab: Option<u64>) -> Viewer {
        let watcher = tab.and_then(|tab| self.watchers.get(&tab));
        let viewer = watcher
            .map(|watcher| &watcher.viewer)
            .or(self.viewer.as_ref());
        viewer.cloned().unwrap_or_else(|| Viewer::new(1280, 720))
    }

    /// Sends tabs what is due, one after the other from where it was left off: a command
    /// does not wait until all of them have theirs.
    fn show(&mut self) {
        let later = self.watchers.range(self.turn + 1..);
        let order = later
            .chain(self.watchers.range(..=self.turn))
            .map(|(&tab, _)| tab);
        let begun = Instant::now();
        for tab in order.collect::<Vec<u64>>() {
            if let Some(watcher) = self.watchers.get_mut(&tab) {
                watcher.show(&mut self.session, &mut self.looks);
                self.turn = tab;
            }
            if self.waiting.load(Ordering::Relaxed) > 0 && begun.elapsed() > MOST_SHOWING {
                break;
            }
        }
    }

    fn rest_unless_watched(&mut self, now: Instant) {
        if !self.watchers.is_empty() {
            self.watched = now;
        }
        if now - self.watched < UNWATCHED {
            return;
        }
        self.watched = now;
        let mut viewer = self.viewer_of(None);
        if self.session.status(&viewer).running {
            // Stopping is refused to nobody.
            let _ = self.session.apply(&mut viewer, &Command::Stop);
            self.is_paused = true;
        }
    }

    /// A tab has come: what was paused runs again.
    fn resume(&mut self) {
        if std::mem::take(&mut self.is_paused) {
            let mut viewer = self.viewer_of(None);
            // A world that does not run is worth looking at too.
            let _ = self.session.apply(&mut viewer, &Command::Run);
        }
    }

    fn keep_draft(&mut self) {
        if !self.was_touched {
            return;
        }
        let viewer = self.viewer_of(None);
        let Some(drafts) = &mut self.drafts else {
            return;
        };
        drafts.keep(&self.session, &viewer);
        let Some(problem) = drafts.problem.take() else {
            return;
        };
        if self.draft_problem.as_ref() != Some(&problem) {
            let text = reply::to_malformed(format_args!("no draft can be kept: {problem}"));
            for watcher in self.watchers.values() {
                watcher.outbox.reply(text.clone(), None);
            }
            self.draft_problem = Some(problem);
        }
    }

    /// Keeps what there is, and says goodbye to all tabs.
    fn finish(&mut self) {
        let viewer = self.viewer_of(None);
        if let Some(drafts) = self.drafts.take() {
            let is_new = self.was_touched && drafts.kept != Some(self.session.revision());
            // what cannot be written was told while there was somebody to tell
            let draft = is_new.then(|| contain(|| self.session.draft(&viewer).ok()));
            drafts.writer.finish(draft.and_then(Result::ok).flatten());
        }
        for watcher in self.watchers.values() {
            watcher.outbox.end(TabCloseReason::Server);
        }
    }
}

/// The most pixels that all views together may have, where so many bytes of memory may be taken:
/// the frames that wait to be sent take up to three bytes for each. One large screen has a place
/// in any case.
fn most_pixels(memory: u64) -> u64 {
    const LARGE_SCREEN: u64 = 3840 * 2160;
    (memory / 16).max(LARGE_SCREEN)
}

/// Whether a command changes nothing that a draft would keep for long.
fn only_looks(text: &str) -> bool {
    let name = text.split_whitespace().next().unwrap_or_default();
    command::entry(name).is_none_or(|entry| entry.group == Group::See)
}

/// When drafts are due.
struct DraftSchedule {
    writer: draft::Writer,
    /// The revision that was kept last.
    kept: Option<u64>,
    /// Not before.
    due: Instant,
    /// Why the last one was not written.
    problem: Option<String>,
}

impl DraftSchedule {
    fn new(writer: draft::Writer, session: &Session) -> Self {
        let kept = Some(session.revision());
        Self {
            writer,
            kept,
            due: Instant::now(),
            problem: None,
        }
    }

    fn due(&self, session: &Session) -> Option<Instant> {
        (self.kept != Some(session.revision())).then_some(self.due)
    }

    fn keep(&mut self, session: &Session, viewer: &Viewer) {
        let begun = Instant::now();
        if self.due(session).is_none_or(|due| due > begun) {
            return;
        }
        let revision = session.revision();
        self.problem = self.writer.problem();
        match session.draft_meanwhile(viewer) {
            Ok(draft) => {
                if self.writer.take(draft) {
                    self.kept = Some(revision);
                }
            }
            // there is another one after what stopped it
            Err(CommandRefusal::Stopped(_)) => return,
            Err(refusal) => {
                self.kept = Some(revision);
                self.problem = Some(refusal.to_string());
            }
        }
        // a large world may take a while: at most a fortieth of the time goes into drafts
        let pause = (begun.elapsed() * 40).max(BETWEEN_DRAFTS);
        self.due = Instant::now() + pause;
    }
}

#[cfg(test)]
mod tests;
