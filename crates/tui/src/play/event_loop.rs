//! The event loop of the play screen, with the players in a thread.

use super::{
    AdviceQuery, AdviceRequest, AdviceResult, AdvisorTable, PlayScreen, ReplaySaveRequest,
};
use crate::event_loop::{FullScreenApp, ScreenExit, TerminalError, show};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::Event;
use ratatui::layout::Position;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

/// The poll interval while a player thinks.
const POLL_INTERVAL: Duration = Duration::from_millis(40);

/// Runs the play screen in this terminal until the user leaves, or `is_stopped` returns true.
/// `save_replay` writes a game to a file, and returns an error message where it fails.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn run(
    screen: &mut PlayScreen,
    save_replay: &mut dyn FnMut(&ReplaySaveRequest) -> Result<(), String>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    let mut app = PlayApp {
        screen,
        save_replay,
        advisor_thread: None,
        search: None,
    };
    show(&mut app, is_stopped)
}

struct PlayApp<'a> {
    screen: &'a mut PlayScreen,
    save_replay: &'a mut dyn FnMut(&ReplaySaveRequest) -> Result<(), String>,
    advisor_thread: Option<Sender<AdviceJob>>,
    search: Option<AdviceSearch>,
}

/// A query for the players' thread.
struct AdviceJob {
    request: AdviceRequest,
    is_over: Arc<AtomicBool>,
    answer: Sender<AdviceResult>,
}

/// A running query; dropping it cancels the search.
struct AdviceSearch {
    wanted: AdviceQuery,
    answer: Receiver<AdviceResult>,
    is_over: Arc<AtomicBool>,
}

impl Drop for AdviceSearch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Starts a thread that answers queries until the sender is dropped.
fn advisor_thread(mut advisors: AdvisorTable) -> io::Result<Sender<AdviceJob>> {
    let (sender, jobs) = channel::<AdviceJob>();
    let think = move || {
        for job in jobs {
            let AdviceJob {
                request,
                is_over,
                answer,
            } = job;
            if is_over.load(Ordering::Relaxed) {
                continue;
            }
            let advice = advisors.answer(&request, &mut || !is_over.load(Ordering::Relaxed));
            // The receiver may be gone; then the answer is not needed.
            let _ = answer.send(advice);
        }
    };
    std::thread::Builder::new()
        .name("player".into())
        .spawn(think)?;
    Ok(sender)
}

impl PlayApp<'_> {
    /// Passes on an answer, cancels an outdated query, and sends the next one.
    fn poll(&mut self) -> io::Result<()> {
        if let Some(advisors) = self.screen.take_advisors() {
            self.search = None;
            self.advisor_thread = Some(advisor_thread(advisors)?);
        }
        if let Some(search) = self.search.take() {
            match search.answer.try_recv() {
                Ok(answer) => self.screen.receive_answer(&search.wanted, answer),
                Err(TryRecvError::Empty)
                    if self.screen.query().as_ref() == Some(&search.wanted) =>
                {
                    self.search = Some(search);
                }
                Err(TryRecvError::Empty) => {}
                // A crashed thread gives no more answers.
                Err(TryRecvError::Disconnected) => self.advisor_thread = None,
            }
        }
        if self.search.is_some() {
            return Ok(());
        }
        let Some((wanted, advisor_thread)) = self.screen.query().zip(self.advisor_thread.as_ref())
        else {
            return Ok(());
        };
        let Some(request) = self.screen.request(wanted.clone()) else {
            return Ok(());
        };
        let (sender, answer) = channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let job = AdviceJob {
            request,
            is_over: Arc::clone(&is_over),
            answer: sender,
        };
        match advisor_thread.send(job) {
            Ok(()) => {
                self.search = Some(AdviceSearch {
                    wanted,
                    answer,
                    is_over,
                });
            }
            Err(_) => self.advisor_thread = None,
        }
        Ok(())
    }
}

impl FullScreenApp for PlayApp<'_> {
    fn event(&mut self, event: &Event) {
        self.screen.event(event);
        if let Some(saved) = self.screen.take_saved() {
            match (self.save_replay)(&saved) {
                Ok(()) => self
                    .screen
                    .show_message(format!("saved as {}", saved.name), false),
                Err(words) => self.screen.show_message(words, true),
            }
        }
    }

    fn update(&mut self, elapsed: Duration) -> io::Result<()> {
        self.screen.tick(elapsed);
        self.poll()
    }

    fn poll_interval(&self) -> Duration {
        match &self.search {
            Some(_) => POLL_INTERVAL,
            None => Duration::MAX,
        }
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        self.screen.draw(buffer)
    }

    fn is_stale(&self) -> bool {
        self.screen.is_stale()
    }

    fn is_leaving(&self) -> bool {
        self.screen.is_leaving()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::TerminalProfile;
    use crate::play::PlayScreenOptions;
    use std::time::Instant;

    fn screen(second: &str) -> PlayScreen {
        let options = PlayScreenOptions {
            game: Some("tictactoe".parse().unwrap()),
            players: Some([None, Some(second.parse().unwrap())]),
            ..PlayScreenOptions::default()
        };
        PlayScreen::new(options, (80, 24), TerminalProfile::default()).unwrap()
    }

    /// Polls until a condition holds, with a generous limit that only a broken loop reaches.
    fn until(app: &mut PlayApp<'_>, is_so: impl Fn(&PlayApp<'_>) -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !is_so(app) {
            app.poll().unwrap();
            assert!(Instant::now() < end);
            std::thread::yield_now();
        }
    }

    #[test]
    fn the_player_answers_and_a_hint_comes() {
        let mut screen = screen("perfect");
        let mut save_replay = |_: &ReplaySaveRequest| Ok(());
        let mut app = PlayApp {
            screen: &mut screen,
            save_replay: &mut save_replay,
            advisor_thread: None,
            search: None,
        };
        let press = |app: &mut PlayApp<'_>, name: &str| {
            app.event(&Event::Key(crate::key(name).unwrap()));
        };
        press(&mut app, "Enter");
        until(&mut app, |app| app.screen.history().len() == 2);
        press(&mut app, "h");
        until(&mut app, |app| app.search.is_some());
        until(&mut app, |app| app.search.is_none());
        assert!(app.screen.query().is_none());
        assert_eq!(app.screen.history().len(), 2);
    }

    #[test]
    fn unneeded_queries_end() {
        let mut screen = screen("mcts:ms=600000");
        let mut save_replay = |_: &ReplaySaveRequest| Ok(());
        let mut app = PlayApp {
            screen: &mut screen,
            save_replay: &mut save_replay,
            advisor_thread: None,
            search: None,
        };
        app.event(&Event::Key(crate::key("Enter").unwrap()));
        until(&mut app, |app| app.search.is_some());
        let is_over = app
            .search
            .as_ref()
            .map(|search| Arc::clone(&search.is_over));
        let is_over = is_over.unwrap();
        assert!(!is_over.load(Ordering::Relaxed));
        app.event(&Event::Key(crate::key("u").unwrap()));
        app.poll().unwrap();
        assert!(is_over.load(Ordering::Relaxed) && app.search.is_none());
    }
}
