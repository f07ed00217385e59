//! The loop around a real terminal: events in, time in, characters out, and the terminal
//! put back as it was, whatever happens.

use crate::app::App;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor::Show, execute};
use session::draft::Place;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why there is no screen.
#[derive(Debug, Error)]
pub enum RunError {
    /// Nobody sits in front of it.
    #[error("the workbench needs a terminal, and standard {0} is none")]
    NoTerminal(&'static str),
    /// The terminal does not do as it is told.
    #[error("the terminal: {0}")]
    Terminal(#[from] io::Error),
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
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
    place: Option<&Place>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Ended, RunError> {
    check()?;
    let screen = Screen::take()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let mut drafts = Drafts::new(app, place);
    let ended = live(app, &mut terminal, &mut drafts, is_stopped);
    drop(screen);
    match ended {
        Ok(Ended::Left) => drafts.forget(),
        // what was not saved waits for the next time
        _ => drafts.write(app),
    }
    ended
}

/// Whether somebody sits in front of it.
///
/// # Errors
/// When standard output is no terminal, or no keys can be had: where standard input is a
/// file or a pipe, they come from the terminal that the program was started in.
pub fn check() -> Result<(), RunError> {
    if !io::stdout().is_terminal() {
        return Err(RunError::NoTerminal("output"));
    }
    let has_keys = || std::fs::File::open("/dev/tty").is_ok();
    if !io::stdin().is_terminal() && !has_keys() {
        return Err(RunError::NoTerminal("input"));
    }
    Ok(())
}

fn live(
    app: &mut App,
    terminal: &mut Terminal<CrosstermBackend<io::Stdout>>,
    drafts: &mut Drafts<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Ended, RunError> {
    let events = Events::listen()?;
    let mut ticked = Instant::now();
    let mut drawn: Option<Instant> = None;
    while !app.is_leaving() {
        if is_stopped() {
            return Ok(Ended::Stopped);
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
    Ok(Ended::Left)
}

/// What the terminal says, read aside: when a terminal goes away, reading from it may never
/// end, and the loop has still to be told to stop.
pub(crate) struct Events {
    said: Receiver<io::Result<Event>>,
    is_over: Arc<AtomicBool>,
}

impl Events {
    pub(crate) fn listen() -> io::Result<Self> {
        let (sender, said) = std::sync::mpsc::channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&is_over);
        let listen = move || {
            while !ends.load(Ordering::Relaxed) {
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
        std::thread::Builder::new()
            .name("keys".into())
            .spawn(listen)?;
        Ok(Self { said, is_over })
    }

    /// The next one, if it comes within this time.
    pub(crate) fn next(&self, patience: Duration) -> io::Result<Option<Event>> {
        match self.said.recv_timeout(patience) {
            Ok(heard) => heard.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// The terminal while it is ours.
pub(crate) struct Screen(());

impl Screen {
    pub(crate) fn take() -> io::Result<Self> {
        restore_on_panic();
        enable_raw_mode()?;
        let screen = Self(());
        execute!(
            io::stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste
        )?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back(&mut io::stdout());
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
struct Drafts<'a> {
    place: Option<&'a Place>,
    /// The content that the draft has, or that needs none.
    kept: u64,
    /// Since when there is another one.
    since: Option<Instant>,
    /// How long the last one took.
    cost: Duration,
}

impl<'a> Drafts<'a> {
    fn new(app: &App, place: Option<&'a Place>) -> Self {
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
