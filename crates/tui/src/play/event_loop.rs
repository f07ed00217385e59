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
const LISTENING: Duration = Duration::from_millis(40);

/// Runs the play screen in this terminal until the user leaves, or `is_stopped` returns true.
/// `keep` writes a game to a file, and returns an error message where it fails.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn run(
    room: &mut PlayScreen,
    keep: &mut dyn FnMut(&ReplaySaveRequest) -> Result<(), String>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    let mut desk = PlayApp {
        room,
        keep,
        thinker: None,
        search: None,
    };
    show(&mut desk, is_stopped)
}

struct PlayApp<'a> {
    room: &'a mut PlayScreen,
    keep: &'a mut dyn FnMut(&ReplaySaveRequest) -> Result<(), String>,
    thinker: Option<Sender<AdviceJob>>,
    search: Option<AdviceSearch>,
}

/// A query for the players' thread.
struct AdviceJob {
    order: AdviceRequest,
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
fn thinker(mut mind: AdvisorTable) -> io::Result<Sender<AdviceJob>> {
    let (sender, asked) = channel::<AdviceJob>();
    let think = move || {
        for asked in asked {
            let AdviceJob {
                order,
                is_over,
                answer,
            } = asked;
            if is_over.load(Ordering::Relaxed) {
                continue;
            }
            let thought = mind.answer(&order, &mut || !is_over.load(Ordering::Relaxed));
            // The receiver may be gone; then the answer is not needed.
            let _ = answer.send(thought);
        }
    };
    std::thread::Builder::new()
        .name("player".into())
        .spawn(think)?;
    Ok(sender)
}

impl PlayApp<'_> {
    /// Passes on an answer, cancels an outdated query, and sends the next one.
    fn look(&mut self) -> io::Result<()> {
        if let Some(mind) = self.room.take_mind() {
            self.search = None;
            self.thinker = Some(thinker(mind)?);
        }
        if let Some(search) = self.search.take() {
            match search.answer.try_recv() {
                Ok(answer) => self.room.learn(&search.wanted, answer),
                Err(TryRecvError::Empty) if self.room.wants().as_ref() == Some(&search.wanted) => {
                    self.search = Some(search);
                }
                Err(TryRecvError::Empty) => {}
                // A crashed thread gives no more answers.
                Err(TryRecvError::Disconnected) => self.thinker = None,
            }
        }
        if self.search.is_some() {
            return Ok(());
        }
        let Some((wanted, thinker)) = self.room.wants().zip(self.thinker.as_ref()) else {
            return Ok(());
        };
        let Some(order) = self.room.order(wanted.clone()) else {
            return Ok(());
        };
        let (sender, answer) = channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let asked = AdviceJob {
            order,
            is_over: Arc::clone(&is_over),
            answer: sender,
        };
        match thinker.send(asked) {
            Ok(()) => {
                self.search = Some(AdviceSearch {
                    wanted,
                    answer,
                    is_over,
                });
            }
            Err(_) => self.thinker = None,
        }
        Ok(())
    }
}

impl FullScreenApp for PlayApp<'_> {
    fn event(&mut self, event: &Event) {
        self.room.event(event);
        if let Some(saved) = self.room.take_saved() {
            match (self.keep)(&saved) {
                Ok(()) => self.room.tell(format!("saved as {}", saved.name), false),
                Err(words) => self.room.tell(words, true),
            }
        }
    }

    fn attend(&mut self, elapsed: Duration) -> io::Result<()> {
        self.room.tick(elapsed);
        self.look()
    }

    fn patience(&self) -> Duration {
        match &self.search {
            Some(_) => LISTENING,
            None => Duration::MAX,
        }
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        self.room.draw(buffer)
    }

    fn is_stale(&self) -> bool {
        self.room.is_stale()
    }

    fn is_leaving(&self) -> bool {
        self.room.is_leaving()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::TerminalProfile;
    use crate::play::PlayScreenOptions;
    use std::time::Instant;

    fn room(second: &str) -> PlayScreen {
        let terms = PlayScreenOptions {
            game: Some("tictactoe".parse().unwrap()),
            players: Some([None, Some(second.parse().unwrap())]),
            ..PlayScreenOptions::default()
        };
        PlayScreen::new(terms, (80, 24), TerminalProfile::default()).unwrap()
    }

    /// Polls until a condition holds, with a generous limit that only a broken loop reaches.
    fn until(desk: &mut PlayApp<'_>, is_so: impl Fn(&PlayApp<'_>) -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !is_so(desk) {
            desk.look().unwrap();
            assert!(Instant::now() < end);
            std::thread::yield_now();
        }
    }

    #[test]
    fn the_player_answers_and_a_hint_comes() {
        let mut room = room("perfect");
        let mut keep = |_: &ReplaySaveRequest| Ok(());
        let mut desk = PlayApp {
            room: &mut room,
            keep: &mut keep,
            thinker: None,
            search: None,
        };
        let press = |desk: &mut PlayApp<'_>, name: &str| {
            desk.event(&Event::Key(crate::key(name).unwrap()));
        };
        press(&mut desk, "Enter");
        until(&mut desk, |desk| desk.room.history().len() == 2);
        press(&mut desk, "h");
        until(&mut desk, |desk| desk.search.is_some());
        until(&mut desk, |desk| desk.search.is_none());
        assert!(desk.room.wants().is_none());
        assert_eq!(desk.room.history().len(), 2);
    }

    #[test]
    fn a_thought_that_nobody_waits_for_ends() {
        let mut room = room("mcts:ms=600000");
        let mut keep = |_: &ReplaySaveRequest| Ok(());
        let mut desk = PlayApp {
            room: &mut room,
            keep: &mut keep,
            thinker: None,
            search: None,
        };
        desk.event(&Event::Key(crate::key("Enter").unwrap()));
        until(&mut desk, |desk| desk.search.is_some());
        let is_over = desk
            .search
            .as_ref()
            .map(|search| Arc::clone(&search.is_over));
        let is_over = is_over.unwrap();
        assert!(!is_over.load(Ordering::Relaxed));
        desk.event(&Event::Key(crate::key("u").unwrap()));
        desk.look().unwrap();
        assert!(is_over.load(Ordering::Relaxed) && desk.search.is_none());
    }
}
