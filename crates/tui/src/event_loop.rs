//! The event loop of a real terminal: reads events, measures time, draws, and restores the
//! terminal in every case.

use crate::app::App;
use crate::screen_state::ScreenState;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use models::worker_pool::WorkerPool;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor::Show, execute};
use ratatui::layout::Position;
use session::draft::DraftFile;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why no screen can be shown.
#[derive(Debug, Error)]
pub enum TerminalError {
    /// Standard input or output is not a terminal.
    #[error("the workbench needs a terminal, and standard {0} is none")]
    NoTerminal(&'static str),
    /// An operation on the terminal failed.
    #[error("the terminal: {0}")]
    Terminal(#[from] io::Error),
}

/// How a screen ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenExit {
    /// The user left.
    Left,
    /// It was stopped from outside.
    Stopped,
}

/// The time between two frames.
pub(crate) const FRAME_TIME: Duration = Duration::from_millis(33);
/// The longest work between two polls for events.
const WORK_SLICE: Duration = Duration::from_millis(25);
/// The longest time between two checks of `is_stopped`.
pub(crate) const STOP_POLL: Duration = Duration::from_millis(250);

/// The interval at which the result of another thread is looked for.
const WAITING_POLL: Duration = Duration::from_millis(50);
/// The delay between a change and its draft.
const DRAFT_DELAY: Duration = Duration::from_secs(2);

/// Runs the world screen in this terminal until the user leaves, or `is_stopped` returns true.
/// The draft of the world on the screen goes into `draft`; `claim` gives a file for each further
/// world.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`check`], or when the terminal cannot be read or written.
pub fn run(
    app: &mut App,
    draft: Option<DraftFile>,
    claim: &dyn Fn() -> Option<DraftFile>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    check()?;
    let pool = WorkerPool::new(Arc::default());
    if pool.spawn("identify", 1).is_ok() {
        app.lend(pool);
    }
    let mut guard = TerminalGuard::take()?;
    let mut drafts = DraftSaver::new(app, draft, claim);
    run_saving_draft(app, &mut drafts, |app, drafts| {
        let ended = run_interactive(app, guard.terminal(), drafts, is_stopped);
        drop(guard);
        ended
    })
}

/// Runs the interactive part, and saves a draft of unsaved work where it ends in another way than
/// by leaving; a panic is resumed after that.
fn run_saving_draft(
    app: &mut App,
    drafts: &mut DraftSaver<'_>,
    run_interactive: impl FnOnce(&mut App, &mut DraftSaver<'_>) -> Result<ScreenExit, TerminalError>,
) -> Result<ScreenExit, TerminalError> {
    match catch_unwind(AssertUnwindSafe(|| run_interactive(app, drafts))) {
        Ok(ended) => {
            match ended {
                Ok(ScreenExit::Left) => drafts.remove(),
                _ => drafts.write(app),
            }
            ended
        }
        Err(panic) => {
            // Where no new draft can be made, the last one remains.
            let _ = catch_unwind(AssertUnwindSafe(|| drafts.write(app)));
            resume_unwind(panic)
        }
    }
}

/// Checks that there is an interactive terminal.
///
/// # Errors
/// When standard output is not a terminal, or keys cannot be read: where standard input is a file
/// or a pipe, they are read from the controlling terminal.
pub fn check() -> Result<(), TerminalError> {
    if !io::stdout().is_terminal() {
        return Err(TerminalError::NoTerminal("output"));
    }
    let has_keys = || std::fs::File::open("/dev/tty").is_ok();
    if !io::stdin().is_terminal() && !has_keys() {
        return Err(TerminalError::NoTerminal("input"));
    }
    Ok(())
}

fn run_interactive(
    app: &mut App,
    terminal: &mut Canvas,
    drafts: &mut DraftSaver<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    let events = TerminalEvents::listen()?;
    let mut ticked = Instant::now();
    let mut drawn: Option<Instant> = None;
    let mut was_waiting = false;
    while !app.is_leaving() {
        if is_stopped() {
            return Ok(ScreenExit::Stopped);
        }
        let since = |drawn: Option<Instant>| drawn.map_or(FRAME_TIME, |drawn| drawn.elapsed());
        if app.is_stale() && since(drawn) >= FRAME_TIME {
            drawn = Some(Instant::now());
            terminal.draw(|frame| {
                if let Some(cursor) = app.draw(frame.buffer_mut()) {
                    frame.set_cursor_position(cursor);
                }
            })?;
        }
        let mut poll_interval = match app.is_stale() || app.is_busy() {
            true => FRAME_TIME.saturating_sub(since(drawn)),
            false if app.is_waiting() => WAITING_POLL,
            false => STOP_POLL,
        };
        while let Some(event) = events.next(poll_interval)? {
            poll_interval = Duration::ZERO;
            let was_busy = app.is_busy();
            app.event(&event);
            if !was_busy {
                ticked = Instant::now();
            }
            if let Some(text) = app.take_clipboard_text() {
                copy_to_clipboard(&text)?;
            }
            // Later events belong to the next screen.
            if app.is_leaving() {
                break;
            }
            // Finish a step before the next key can request another one.
            if app.is_going() && matches!(event, Event::Key(_)) {
                break;
            }
        }
        let is_waiting = app.is_waiting();
        if is_waiting || was_waiting {
            app.poll_export();
            app.mark_stale();
        }
        was_waiting = is_waiting;
        if app.is_busy() {
            let begun = Instant::now();
            let elapsed = begun.duration_since(ticked);
            ticked = begun;
            app.tick(elapsed, &mut || begun.elapsed() < WORK_SLICE);
        }
        drafts.update(app);
    }
    Ok(ScreenExit::Left)
}

/// A full-screen application: a pure function of its events, the elapsed time, and the results of
/// its background work.
pub trait FullScreenApp {
    /// Handles a terminal event.
    fn event(&mut self, event: &Event);

    /// Advances by the elapsed time: collects results of background work, and starts new work.
    ///
    /// # Errors
    /// When the system cannot create a thread.
    fn update(&mut self, _elapsed: Duration) -> io::Result<()> {
        Ok(())
    }

    /// The longest time until the next `update` where no event comes.
    fn poll_interval(&self) -> Duration {
        Duration::MAX
    }

    /// Draws the screen. Returns the position of the terminal's cursor, if it is visible.
    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position>;

    /// The screen's own state.
    fn state(&self) -> &ScreenState;

    /// Whether the screen has to be redrawn.
    fn is_stale(&self) -> bool {
        self.state().is_stale
    }

    /// Whether the loop ends: the user has left.
    fn is_leaving(&self) -> bool {
        self.state().is_leaving
    }
}

/// Runs an application in this terminal until the user leaves, or `is_stopped` returns true.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`check`], or when the terminal cannot be read or written.
pub fn show(
    app: &mut dyn FullScreenApp,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    check()?;
    let mut guard = TerminalGuard::take()?;
    let terminal = guard.terminal();
    let events = TerminalEvents::listen()?;
    let mut drawn: Option<Instant> = None;
    let mut attended = Instant::now();
    while !app.is_leaving() {
        if is_stopped() {
            return Ok(ScreenExit::Stopped);
        }
        let elapsed = attended.elapsed();
        attended += elapsed;
        app.update(elapsed)?;
        let since = drawn.map_or(FRAME_TIME, |drawn| drawn.elapsed());
        if app.is_stale() && since >= FRAME_TIME {
            drawn = Some(Instant::now());
            terminal.draw(|frame| {
                if let Some(cursor) = app.draw(frame.buffer_mut()) {
                    frame.set_cursor_position(cursor);
                }
            })?;
        }
        let mut poll_interval = match app.is_stale() {
            true => FRAME_TIME.saturating_sub(since),
            false => app.poll_interval().min(STOP_POLL),
        };
        // Later events belong to the next screen.
        while !app.is_leaving() {
            let Some(event) = events.next(poll_interval)? else {
                break;
            };
            poll_interval = Duration::ZERO;
            app.event(&event);
        }
    }
    Ok(ScreenExit::Left)
}

/// Terminal events, read by a separate thread: reading from a terminal that goes away may block
/// forever, and the loop must still be able to stop.
///
/// One thread serves all consecutive screens, so that no key is lost between two of them; it
/// pauses while there is no screen.
pub(crate) struct TerminalEvents {
    /// `None` only while it is dropped.
    keyboard: Option<Keyboard>,
    is_over: Cell<bool>,
}

struct Keyboard {
    events: Receiver<io::Result<Event>>,
    is_paused: Arc<AtomicBool>,
    reader: std::thread::Thread,
}

/// The reader thread, while no screen uses it.
static IDLE_READER: Mutex<Option<Keyboard>> = Mutex::new(None);

impl TerminalEvents {
    pub(crate) fn listen() -> io::Result<Self> {
        let idle = IDLE_READER.lock();
        let idle = idle.unwrap_or_else(PoisonError::into_inner).take();
        let keyboard = match idle {
            Some(keyboard) => {
                keyboard.is_paused.store(false, Ordering::Relaxed);
                keyboard.reader.unpark();
                keyboard
            }
            None => Keyboard::new()?,
        };
        Ok(Self {
            keyboard: Some(keyboard),
            is_over: Cell::new(false),
        })
    }

    /// The next event, if one comes within this time.
    pub(crate) fn next(&self, timeout: Duration) -> io::Result<Option<Event>> {
        let Some(keyboard) = &self.keyboard else {
            return Ok(None);
        };
        let event = match keyboard.events.recv_timeout(timeout) {
            Ok(event) => event.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        };
        self.is_over.set(event.is_err());
        event
    }
}

impl Keyboard {
    fn new() -> io::Result<Self> {
        let (sender, events) = std::sync::mpsc::channel();
        let is_paused = Arc::new(AtomicBool::new(false));
        let pauses = Arc::clone(&is_paused);
        let listen = move || {
            loop {
                if pauses.load(Ordering::Relaxed) {
                    std::thread::park_timeout(STOP_POLL);
                    continue;
                }
                let event = match event::poll(STOP_POLL) {
                    Ok(true) => event::read(),
                    Ok(false) => continue,
                    Err(error) => Err(error),
                };
                let is_error = event.is_err();
                if sender.send(event).is_err() || is_error {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("keys".into())
            .spawn(listen)?;
        Ok(Self {
            events,
            is_paused,
            reader: thread.thread().clone(),
        })
    }
}

impl Drop for TerminalEvents {
    fn drop(&mut self) {
        let keyboard = self.keyboard.take().filter(|_| !self.is_over.get());
        let Some(keyboard) = keyboard else { return };
        keyboard.is_paused.store(true, Ordering::Relaxed);
        *IDLE_READER.lock().unwrap_or_else(PoisonError::into_inner) = Some(keyboard);
    }
}

/// The terminal in raw mode; dropping the guard restores it.
pub(crate) struct TerminalGuard {
    /// `None` only before it is set up and while it is restored.
    terminal: Option<Canvas>,
}

/// The ratatui terminal.
pub(crate) type Canvas = Terminal<CrosstermBackend<io::Stdout>>;

impl TerminalGuard {
    pub(crate) fn take() -> io::Result<Self> {
        restore_on_panic();
        enable_raw_mode()?;
        let mut guard = Self { terminal: None };
        execute!(
            io::stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste
        )?;
        guard.terminal = Some(Terminal::new(CrosstermBackend::new(io::stdout()))?);
        Ok(guard)
    }

    pub(crate) fn terminal(&mut self) -> &mut Canvas {
        self.terminal
            .as_mut()
            .expect("a screen that was taken has its terminal until it goes away")
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore_terminal(&mut io::stdout());
        if let Some(mut terminal) = self.terminal.take()
            && terminal.show_cursor().is_err()
        {
            // The terminal is gone: dropping the library's value would report an error on
            // standard error, and panic where that was the same terminal.
            std::mem::forget(terminal);
        }
    }
}

/// Restores the terminal.
fn restore_terminal(out: &mut impl io::Write) {
    // Errors are ignored: a terminal that is gone needs no restoring.
    let _ = execute!(
        out,
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

/// Installs a panic hook that restores the terminal before the message is printed.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore_terminal(&mut io::stdout());
            before(panic);
        }));
    });
}

/// The longest text for the system's clipboard: terminals truncate longer ones.
const MAX_CLIP_BYTES: usize = 74_000;

/// Copies a text to the system's clipboard through the terminal (xterm control sequences,
/// "Operating System Commands", 52).
fn copy_to_clipboard(text: &str) -> io::Result<()> {
    if text.len() > MAX_CLIP_BYTES {
        return Ok(());
    }
    let mut out = io::stdout();
    write!(out, "\x1b]52;c;{}\x07", BASE64_STANDARD.encode(text))?;
    out.flush()
}

/// Saves drafts of the worlds, each in a file of its own.
struct DraftSaver<'a> {
    /// By the numbers of the worlds.
    drafts: BTreeMap<u64, WorldDraft>,
    /// The world that was on the screen last.
    current: u64,
    /// Gives one more file.
    claim: &'a dyn Fn() -> Option<DraftFile>,
}

/// The draft of one world.
struct WorldDraft {
    file: Option<DraftFile>,
    /// The content version of the last draft, or of the last saved state.
    saved_content: u64,
    /// The content version when the world was on the screen last.
    seen_content: u64,
    /// The time of the first change since.
    since: Option<Instant>,
    /// How long the last draft took.
    cost: Duration,
}

impl WorldDraft {
    fn new(file: Option<DraftFile>, content: u64) -> Self {
        Self {
            file,
            saved_content: content,
            seen_content: content,
            since: None,
            cost: Duration::ZERO,
        }
    }

    /// Writes a draft, or removes it where there is nothing to keep.
    fn write(&mut self, draft: Option<&[u8]>) -> Result<(), String> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        self.saved_content = self.seen_content;
        self.since = None;
        let begun = Instant::now();
        let outcome = match draft {
            None => file.remove(),
            Some(bytes) => file.write(bytes),
        };
        self.cost = begun.elapsed();
        let Err(error) = outcome else {
            return Ok(());
        };
        let problem = format!("no draft is kept: {}: {error}", file.path().display());
        self.file = None;
        Err(problem)
    }

    fn remove(&self) {
        if let Some(file) = &self.file {
            // A remaining draft would be offered at the next start.
            let _ = file.remove();
        }
    }
}

impl<'a> DraftSaver<'a> {
    fn new(app: &App, draft: Option<DraftFile>, claim: &'a dyn Fn() -> Option<DraftFile>) -> Self {
        let (current, ids) = app.world_ids();
        // Without a file for the first world none are kept of the others.
        let keeps = draft.is_some();
        let mut draft = Some(WorldDraft::new(draft, app.session().content()));
        let drafts = ids.into_iter().map(|id| {
            let first = draft.take_if(|_| id == current);
            let other = || WorldDraft::new(keeps.then(claim).flatten(), 0);
            (id, first.unwrap_or_else(other))
        });
        Self {
            drafts: drafts.collect(),
            current,
            claim,
        }
    }

    fn update(&mut self, app: &mut App) {
        let (id, ids) = app.world_ids();
        self.drafts.retain(|known, draft| {
            let is_open = ids.contains(known);
            if !is_open {
                draft.remove();
            }
            is_open
        });
        if id != self.current {
            let left = std::mem::replace(&mut self.current, id);
            let is_changed = |draft: &WorldDraft| draft.seen_content != draft.saved_content;
            if self.drafts.get(&left).is_some_and(is_changed) {
                self.write_world(app, left);
            }
        }
        let content = app.session().content();
        let keeps = self.drafts.values().any(|draft| draft.file.is_some());
        let claim = self.claim;
        let new = || WorldDraft::new(keeps.then(claim).flatten(), content);
        let draft = self.drafts.entry(id).or_insert_with(new);
        draft.seen_content = content;
        if draft.file.is_none() || content == draft.saved_content {
            draft.since = None;
            return;
        }
        let since = *draft.since.get_or_insert_with(Instant::now);
        // Drafts of a huge world may take at most a twentieth of the time.
        if since.elapsed() >= DRAFT_DELAY.max(draft.cost * 20) {
            self.write(app);
        }
    }

    /// Writes the draft of the world on the screen; those of the others were written when they
    /// were left.
    fn write(&mut self, app: &mut App) {
        let (id, _) = app.world_ids();
        if let Some(draft) = self.drafts.get_mut(&id) {
            draft.seen_content = app.session().content();
        }
        self.write_world(app, id);
    }

    fn write_world(&mut self, app: &mut App, id: u64) {
        let Some(draft) = self.drafts.get_mut(&id) else {
            return;
        };
        if draft.file.is_none() {
            return;
        }
        if let Err(problem) = draft.write(app.draft_of(id).as_deref()) {
            app.show_message(problem);
        }
    }

    /// Removes the drafts after the user has left, knowing of unsaved work.
    fn remove(&self) {
        self.drafts.values().for_each(WorldDraft::remove);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TerminalProfile;

    #[test]
    fn a_panic_leaves_the_newest_draft() {
        let folder = tempfile::tempdir().unwrap();
        let draft = DraftFile::claim(folder.path(), "view", true).unwrap();
        let session = session::Session::new(session::file_access::FileAccess::default(), 1);
        let mut app = App::new(session, (80, 24), TerminalProfile::of(|_| None));
        let path = draft.path().to_path_buf();
        let mut drafts = DraftSaver::new(&app, Some(draft), &|| None);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            run_saving_draft(&mut app, &mut drafts, |app, _| {
                assert!(app.send("draw 1 0,0 2,0"));
                panic!("in the middle of it")
            })
        }));
        assert!(ended.is_err());
        let draft = std::fs::read_to_string(path).unwrap();
        assert!(draft.contains("3o!"), "{draft}");
    }

    /// Each world has a draft of its own, written when it is left and removed when it is closed.
    #[test]
    fn worlds_have_drafts_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let claim = || DraftFile::claim(folder.path(), "view", false).ok();
        let session = session::Session::new(session::file_access::FileAccess::default(), 1);
        let mut app = App::new(session, (80, 24), TerminalProfile::of(|_| None));
        let mut drafts = DraftSaver::new(&app, claim(), &claim);
        let kept = || {
            let files = std::fs::read_dir(folder.path()).unwrap();
            let names = files.map(|file| file.unwrap().path());
            let drafts = names.filter(|name| name.extension().is_some_and(|e| e == "draft"));
            let mut texts: Vec<String> = drafts
                .map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned())
                .collect();
            texts.sort();
            texts
        };
        assert!(app.send("draw 1 0,0 2,0"));
        drafts.update(&mut app);
        assert!(app.send("new"));
        drafts.update(&mut app);
        assert!(
            kept().len() == 1 && kept()[0].contains("3o!"),
            "{:?}",
            kept()
        );
        assert!(app.send("draw 1 0,0 4,0"));
        drafts.update(&mut app);
        drafts.write(&mut app);
        assert!(kept().len() == 2, "{:?}", kept());
        assert!(app.send("close anyway"));
        drafts.update(&mut app);
        assert!(
            kept().len() == 1 && kept()[0].contains("3o!"),
            "{:?}",
            kept()
        );
        drafts.remove();
        assert!(kept().is_empty());
    }

    #[test]
    fn all_that_was_switched_on_is_switched_off() {
        let mut output = Vec::new();
        restore_terminal(&mut output);
        let output = String::from_utf8(output).unwrap();
        // Bracketed paste, mouse reports, the alternate screen; the cursor is shown.
        for sequence in [
            "\x1b[?2004l",
            "\x1b[?1000l",
            "\x1b[?1003l",
            "\x1b[?1006l",
            "\x1b[?1049l",
            "\x1b[?25h",
        ] {
            assert!(output.contains(sequence), "{sequence:?} in {output:?}");
        }
    }
}
