//! The loop around a real terminal: events in, time in, characters out, and the terminal
//! put back as it was, whatever happens.

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

/// Why there is no screen.
#[derive(Debug, Error)]
pub enum TerminalError {
    /// Nobody sits in front of it.
    #[error("the workbench needs a terminal, and standard {0} is none")]
    NoTerminal(&'static str),
    /// The terminal does not do as it is told.
    #[error("the terminal: {0}")]
    Terminal(#[from] io::Error),
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenExit {
    /// The person left.
    Left,
    /// It was told to stop from outside.
    Stopped,
}

/// Thirty pictures a second are enough.
pub(crate) const FRAME: Duration = Duration::from_millis(33);
/// Work between two looks at the keyboard.
const SLICE: Duration = Duration::from_millis(25);
/// How often it is looked whether somebody outside wants it to stop.
pub(crate) const IDLE: Duration = Duration::from_millis(250);
/// A draft is written this long after a change.
const DRAFT_AFTER: Duration = Duration::from_secs(2);

/// Shows the workbench in this terminal until the person leaves, or `is_stopped` says so.
///
/// The terminal is put back as it was also after an error and after a panic.
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

/// Does all that is done in front of a person, and keeps what was not saved for the next time
/// where that ends in another way than by leaving: a panic goes on after that.
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
            // where none can be made any more, there is the one that was written last
            let _ = catch_unwind(AssertUnwindSafe(|| drafts.write(app)));
            resume_unwind(panic)
        }
    }
}

/// Whether somebody sits in front of it.
///
/// # Errors
/// When standard output is no terminal, or no keys can be had: where standard input is a
/// file or a pipe, they come from the terminal that the program was started in.
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
            // what is pressed after the last key that this room wants is the next one's
            if app.is_leaving() {
                break;
            }
            // a step is done before the next key can ask for another one
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

/// Something that takes the whole screen: a pure function of the events that it was given,
/// of the time that it was told of, and of what others have found out for it.
pub(crate) trait FullScreenApp {
    /// Takes what the terminal says.
    fn event(&mut self, event: &Event);

    /// Time went by: looks what others have found out, and what is to be found out next.
    ///
    /// # Errors
    /// The system has no room for another thread.
    fn attend(&mut self, elapsed: Duration) -> io::Result<()>;

    /// How long nobody has to look, where nothing is pressed.
    fn patience(&self) -> Duration;

    /// Draws all of it. Gives where the terminal's own cursor goes, if it is to be seen.
    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position>;

    /// Whether it is to be drawn again.
    fn is_stale(&self) -> bool;

    /// Whether the person has left.
    fn is_leaving(&self) -> bool;
}

/// Shows it in this terminal until the person leaves, or `is_stopped` says so.
///
/// The terminal is put back as it was also after an error and after a panic.
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
        // what is pressed after the last key that this room wants is the next one's
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

/// What the terminal says, read aside: when a terminal goes away, reading from it may never
/// end, and the loop has still to be told to stop.
///
/// One thread reads for all screens that follow each other, so that no key is lost between
/// two of them; while there is no screen it rests.
pub(crate) struct TerminalEvents {
    /// Only `None` while this goes away.
    keyboard: Option<Keyboard>,
    is_over: Cell<bool>,
}

struct Keyboard {
    said: Receiver<io::Result<Event>>,
    is_resting: Arc<AtomicBool>,
    reader: std::thread::Thread,
}

/// The one that reads, while no screen wants it.
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

    /// The next one, if it comes within this time.
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

/// The terminal while it is ours.
pub(crate) struct TerminalGuard {
    /// Only `None` before it is ours and while it is given back.
    terminal: Option<Canvas>,
}

/// What is drawn on.
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
            // the terminal is gone: the library would complain on standard error, and panic
            // where that was the same terminal
            std::mem::forget(terminal);
        }
    }
}

/// Puts the terminal back as it was.
fn give_back(out: &mut impl io::Write) {
    // when the terminal is gone there is nothing to put back
    let _ = execute!(
        out,
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

/// A panic puts the terminal back before it says what happened.
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

/// More than this is not handed to the system's clipboard: terminals cut it off.
const LONGEST_CLIP: usize = 74_000;

/// Gives a text to the system's clipboard, by way of the terminal (xterm control sequences,
/// "Operating System Commands", 52).
fn hand_over(text: &str) -> io::Result<()> {
    if text.len() > LONGEST_CLIP {
        return Ok(());
    }
    let mut out = io::stdout();
    write!(out, "\x1b]52;c;{}\x07", base64(text.as_bytes()))?;
    out.flush()
}

/// Bytes in 64 signs (RFC 4648, section 4).
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

/// Drafts of what was not saved, written some seconds after a change.
struct DraftSaver<'a> {
    place: Option<&'a DraftFile>,
    /// The content that the draft has, or that needs none.
    kept: u64,
    /// Since when there is another one.
    since: Option<Instant>,
    /// How long the last one took.
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
        // a huge world is not kept from running by its drafts
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

    /// The person left and knows of what was not saved.
    fn forget(&self) {
        if let Some(place) = self.place {
            // one that stays would only be offered again
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
        // bracketed paste, the mouse's reports, the other screen; the cursor is shown
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
