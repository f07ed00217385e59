//! The event loop of a real terminal: reads events, measures time, draws, and restores the
//! terminal in every case.

use crate::app::App;
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
pub(crate) const FRAME: Duration = Duration::from_millis(33);
/// The longest work between two polls for events.
const SLICE: Duration = Duration::from_millis(25);
/// The longest time between two checks of `is_stopped`.
pub(crate) const IDLE: Duration = Duration::from_millis(250);
/// The delay between a change and its draft.
const DRAFT_AFTER: Duration = Duration::from_secs(2);

/// Runs the world screen in this terminal until the user leaves, or `is_stopped` returns true.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`check`], or when the terminal cannot be read or written.
pub fn run(
    app: &mut App,
    place: Option<&DraftFile>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    check()?;
    let mut screen = TerminalGuard::take()?;
    let mut drafts = DraftSaver::new(app, place);
    kept(app, &mut drafts, |app, drafts| {
        let ended = live(app, screen.terminal(), drafts, is_stopped);
        drop(screen);
        ended
    })
}

/// Runs the interactive part, and saves a draft of unsaved work where it ends in another way than
/// by leaving; a panic is resumed after that.
fn kept(
    app: &mut App,
    drafts: &mut DraftSaver<'_>,
    live: impl FnOnce(&mut App, &mut DraftSaver<'_>) -> Result<ScreenExit, TerminalError>,
) -> Result<ScreenExit, TerminalError> {
    match catch_unwind(AssertUnwindSafe(|| live(app, drafts))) {
        Ok(ended) => {
            match ended {
                Ok(ScreenExit::Left) => drafts.forget(),
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

fn live(
    app: &mut App,
    terminal: &mut Canvas,
    drafts: &mut DraftSaver<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    let events = TerminalEvents::listen()?;
    let mut ticked = Instant::now();
    let mut drawn: Option<Instant> = None;
    while !app.is_leaving() {
        if is_stopped() {
            return Ok(ScreenExit::Stopped);
        }
        let since = |drawn: Option<Instant>| drawn.map_or(FRAME, |drawn| drawn.elapsed());
        if app.is_stale() && since(drawn) >= FRAME {
            drawn = Some(Instant::now());
            terminal.draw(|frame| {
                if let Some(cursor) = app.draw(frame.buffer_mut()) {
                    frame.set_cursor_position(cursor);
                }
            })?;
        }
        let mut patience = match app.is_stale() || app.is_busy() {
            true => FRAME.saturating_sub(since(drawn)),
            false => IDLE,
        };
        while let Some(event) = events.next(patience)? {
            patience = Duration::ZERO;
            let was_busy = app.is_busy();
            app.event(&event);
            if !was_busy {
                ticked = Instant::now();
            }
            if let Some(text) = app.take_clip() {
                hand_over(&text)?;
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
        if app.is_busy() {
            let begun = Instant::now();
            let elapsed = begun.duration_since(ticked);
            ticked = begun;
            app.tick(elapsed, &mut || begun.elapsed() < SLICE);
        }
        drafts.look(app);
    }
    Ok(ScreenExit::Left)
}

/// A full-screen application: a pure function of its events, the elapsed time, and the results of
/// its background work.
pub(crate) trait FullScreenApp {
    /// Handles a terminal event.
    fn event(&mut self, event: &Event);

    /// Advances by the elapsed time: collects results of background work, and starts new work.
    ///
    /// # Errors
    /// When the system cannot create a thread.
    fn attend(&mut self, elapsed: Duration) -> io::Result<()>;

    /// The longest time until the next `attend` where no event comes.
    fn patience(&self) -> Duration;

    /// Draws the screen. Returns the position of the terminal's cursor, if it is visible.
    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position>;

    /// Whether the screen has to be redrawn.
    fn is_stale(&self) -> bool;

    /// Whether the user has left.
    fn is_leaving(&self) -> bool;
}

/// Runs an application in this terminal until the user leaves, or `is_stopped` returns true.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`check`], or when the terminal cannot be read or written.
pub(crate) fn show(
    room: &mut dyn FullScreenApp,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    check()?;
    let mut screen = TerminalGuard::take()?;
    let terminal = screen.terminal();
    let events = TerminalEvents::listen()?;
    let mut drawn: Option<Instant> = None;
    let mut attended = Instant::now();
    while !room.is_leaving() {
        if is_stopped() {
            return Ok(ScreenExit::Stopped);
        }
        let elapsed = attended.elapsed();
        attended += elapsed;
        room.attend(elapsed)?;
        let since = drawn.map_or(FRAME, |drawn| drawn.elapsed());
        if room.is_stale() && since >= FRAME {
            drawn = Some(Instant::now());
            terminal.draw(|frame| {
                if let Some(cursor) = room.draw(frame.buffer_mut()) {
                    frame.set_cursor_position(cursor);
                }
            })?;
        }
        let mut patience = match room.is_stale() {
            true => FRAME.saturating_sub(since),
            false => room.patience().min(IDLE),
        };
        // Later events belong to the next screen.
        while !room.is_leaving() {
            let Some(event) = events.next(patience)? else {
                break;
            };
            patience = Duration::ZERO;
            room.event(&event);
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
    said: Receiver<io::Result<Event>>,
    is_resting: Arc<AtomicBool>,
    reader: std::thread::Thread,
}

/// The reader thread, while no screen uses it.
static RESTING: Mutex<Option<Keyboard>> = Mutex::new(None);

impl TerminalEvents {
    pub(crate) fn listen() -> io::Result<Self> {
        let rested = RESTING.lock();
        let rested = rested.unwrap_or_else(PoisonError::into_inner).take();
        let keyboard = match rested {
            Some(keyboard) => {
                keyboard.is_resting.store(false, Ordering::Relaxed);
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
    pub(crate) fn next(&self, patience: Duration) -> io::Result<Option<Event>> {
        let Some(keyboard) = &self.keyboard else {
            return Ok(None);
        };
        let heard = match keyboard.said.recv_timeout(patience) {
            Ok(heard) => heard.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        };
        self.is_over.set(heard.is_err());
        heard
    }
}

impl Keyboard {
    fn new() -> io::Result<Self> {
        let (sender, said) = std::sync::mpsc::channel();
        let is_resting = Arc::new(AtomicBool::new(false));
        let rests = Arc::clone(&is_resting);
        let listen = move || {
            loop {
                if rests.load(Ordering::Relaxed) {
                    std::thread::park_timeout(IDLE);
                    continue;
                }
                let heard = match event::poll(IDLE) {
                    Ok(true) => event::read(),
                    Ok(false) => continue,
                    Err(error) => Err(error),
                };
                let is_wrong = heard.is_err();
                if sender.send(heard).is_err() || is_wrong {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("keys".into())
            .spawn(listen)?;
        Ok(Self {
            said,
            is_resting,
            reader: thread.thread().clone(),
        })
    }
}

impl Drop for TerminalEvents {
    fn drop(&mut self) {
        let keyboard = self.keyboard.take().filter(|_| !self.is_over.get());
        let Some(keyboard) = keyboard else { return };
        keyboard.is_resting.store(true, Ordering::Relaxed);
        *RESTING.lock().unwrap_or_else(PoisonError::into_inner) = Some(keyboard);
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
        let mut screen = Self { terminal: None };
        execute!(
            io::stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste
        )?;
        screen.terminal = Some(Terminal::new(CrosstermBackend::new(io::stdout()))?);
        Ok(screen)
    }

    pub(crate) fn terminal(&mut self) -> &mut Canvas {
        self.terminal
            .as_mut()
            .expect("a screen that was taken has its terminal until it goes away")
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        give_back(&mut io::stdout());
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
fn give_back(out: &mut impl io::Write) {
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
            give_back(&mut io::stdout());
            before(panic);
        }));
    });
}

/// The longest text for the system's clipboard: terminals truncate longer ones.
const LONGEST_CLIP: usize = 74_000;

/// Copies a text to the system's clipboard through the terminal (xterm control sequences,
/// "Operating System Commands", 52).
fn hand_over(text: &str) -> io::Result<()> {
    if text.len() > LONGEST_CLIP {
        return Ok(());
    }
    let mut out = io::stdout();
    write!(out, "\x1b]52;c;{}\x07", base64(text.as_bytes()))?;
    out.flush()
}

/// Base64 (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let part = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = part(0) << 16 | part(1) << 8 | part(2);
        for index in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * index) & 63) as usize];
            text.push(if index <= chunk.len() {
                sign.into()
            } else {
                '='
            });
        }
    }
    text
}

/// Saves drafts of unsaved work some seconds after a change.
struct DraftSaver<'a> {
    place: Option<&'a DraftFile>,
    /// The content version of the last draft, or of the last saved state.
    kept: u64,
    /// The time of the first change since.
    since: Option<Instant>,
    /// How long the last draft took.
    cost: Duration,
}

impl<'a> DraftSaver<'a> {
    fn new(app: &App, place: Option<&'a DraftFile>) -> Self {
        Self {
            place,
            kept: app.session().content(),
            since: None,
            cost: Duration::ZERO,
        }
    }

    fn look(&mut self, app: &mut App) {
        if self.place.is_none() || app.session().content() == self.kept {
            self.since = None;
            return;
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        // Drafts of a huge world may take at most a twentieth of the time.
        if since.elapsed() >= DRAFT_AFTER.max(self.cost * 20) {
            self.write(app);
        }
    }

    fn write(&mut self, app: &mut App) {
        let Some(place) = self.place else { return };
        self.kept = app.session().content();
        self.since = None;
        let begun = Instant::now();
        let outcome = match app.draft() {
            None => place.remove(),
            Some(bytes) => place.write(&bytes),
        };
        self.cost = begun.elapsed();
        if let Err(error) = outcome {
            app.tell(format!(
                "no draft is kept: {}: {error}",
                place.path().display()
            ));
            self.place = None;
        }
    }

    /// Removes the draft after the user has left, knowing of unsaved work.
    fn forget(&self) {
        if let Some(place) = self.place {
            // A remaining draft would be offered at the next start.
            let _ = place.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TerminalProfile;

    #[test]
    fn a_panic_leaves_the_newest_draft() {
        let folder = tempfile::tempdir().unwrap();
        let place = DraftFile::find(folder.path(), "view", true).unwrap();
        let session = session::Session::new(session::file_access::FileAccess::default(), 1);
        let mut app = App::new(session, (80, 24), TerminalProfile::of(|_| None));
        let mut drafts = DraftSaver::new(&app, Some(&place));
        let ended = catch_unwind(AssertUnwindSafe(|| {
            kept(&mut app, &mut drafts, |app, _| {
                assert!(app.send("draw 1 0,0 2,0"));
                panic!("in the middle of it")
            })
        }));
        assert!(ended.is_err());
        let draft = String::from_utf8(place.read().unwrap().unwrap()).unwrap();
        assert!(draft.contains("3o!"), "{draft}");
    }

    #[test]
    fn all_that_was_switched_on_is_switched_off() {
        let mut said = Vec::new();
        give_back(&mut said);
        let said = String::from_utf8(said).unwrap();
        // Bracketed paste, mouse reports, the alternate screen; the cursor is shown.
        for sequence in [
            "\x1b[?2004l",
            "\x1b[?1000l",
            "\x1b[?1003l",
            "\x1b[?1006l",
            "\x1b[?1049l",
            "\x1b[?25h",
        ] {
            assert!(said.contains(sequence), "{sequence:?} in {said:?}");
        }
    }

    #[test]
    fn bytes_become_signs() {
        // RFC 4648, section 10
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
