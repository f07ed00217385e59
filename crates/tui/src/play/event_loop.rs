//! The event loop of the play screen, with the players in a thread.

use super::{AdviceQuery, AdviceResult, PlayScreen, ReplaySaveRequest};
use crate::event_loop::{FullScreenApp, ScreenExit, TerminalError, show};
use crate::screen_state::ScreenState;
use models::play::Thinker;
use models::worker_pool::{JobHandle, WorkerPool};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::Event;
use ratatui::layout::Position;
use std::io;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
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
    show(&mut PlayApp::new(screen, save_replay), is_stopped)
}

struct PlayApp<'a> {
    screen: &'a mut PlayScreen,
    save_replay: &'a mut dyn FnMut(&ReplaySaveRequest) -> Result<(), String>,
    player: Option<PlayerThread>,
    search: Option<AdviceSearch>,
}

/// The thinking players of a game, and a thread for them.
struct PlayerThread {
    thinker: Arc<Mutex<Thinker>>,
    pool: WorkerPool,
}

/// A running query; dropping it cancels the search.
struct AdviceSearch {
    query: AdviceQuery,
    answer: Receiver<AdviceResult>,
    _job: JobHandle,
}

impl PlayerThread {
    fn start(thinker: Thinker) -> io::Result<Self> {
        let pool = WorkerPool::new(Default::default());
        pool.spawn("player", 1)?;
        let thinker = Arc::new(Mutex::new(thinker));
        Ok(Self { thinker, pool })
    }
}

impl Drop for PlayerThread {
    fn drop(&mut self) {
        // A bot may take a while to go: it ends with the thread.
        let thinker = Arc::clone(&self.thinker);
        self.pool.queue(move || drop(thinker));
    }
}

impl<'a> PlayApp<'a> {
    fn new(
        screen: &'a mut PlayScreen,
        save_replay: &'a mut dyn FnMut(&ReplaySaveRequest) -> Result<(), String>,
    ) -> Self {
        Self {
            screen,
            save_replay,
            player: None,
            search: None,
        }
    }

    /// Passes on an answer, cancels an outdated query, and sends the next one.
    fn poll(&mut self) -> io::Result<()> {
        if let Some(thinker) = self.screen.take_thinker() {
            self.search = None;
            self.player = Some(PlayerThread::start(thinker)?);
        }
        if let Some(search) = self.search.take() {
            match search.answer.try_recv() {
                Ok(answer) => self.screen.receive_answer(&search.query, answer),
                Err(TryRecvError::Empty) if self.screen.query().as_ref() == Some(&search.query) => {
                    self.search = Some(search);
                }
                Err(TryRecvError::Empty) => {}
                // A crashed player gives no more answers.
                Err(TryRecvError::Disconnected) => self.player = None,
            }
        }
        if self.search.is_some() {
            return Ok(());
        }
        let Some((query, player)) = self.screen.query().zip(self.player.as_ref()) else {
            return Ok(());
        };
        let Some(request) = self.screen.request(&query) else {
            return Ok(());
        };
        let (sender, answer) = channel();
        let thinker = Arc::clone(&player.thinker);
        let job = player.pool.begin(None, move |permit| {
            let mut thinker = thinker.lock().unwrap_or_else(PoisonError::into_inner);
            let advice = thinker.answer(&request, &mut || permit.goes_on());
            // The receiver may be gone; then the answer is not needed.
            let _ = sender.send(advice);
        });
        self.search = Some(AdviceSearch {
            query,
            answer,
            _job: job,
        });
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

    fn state(&self) -> &ScreenState {
        &self.screen.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::TerminalProfile;
    use crate::play::PlayScreenOptions;
    use matches::TableError;
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
        let mut app = PlayApp::new(&mut screen, &mut save_replay);
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
        let mut app = PlayApp::new(&mut screen, &mut save_replay);
        app.event(&Event::Key(crate::key("Enter").unwrap()));
        until(&mut app, |app| app.search.is_some());
        let (sender, answer) = channel();
        if let Some(search) = &mut app.search {
            search.answer = answer;
        }
        app.event(&Event::Key(crate::key("u").unwrap()));
        app.poll().unwrap();
        assert!(app.search.is_none());
        assert!(sender.send(Err(TableError::SimultaneousMove)).is_err());
        // The player has stopped: its thread is free for what comes next.
        let pool = &app.player.as_ref().unwrap().pool;
        let (sender, received) = channel();
        pool.queue(move || sender.send(()).unwrap());
        assert_eq!(received.recv(), Ok(()));
    }
}
