//! The event loop of the laser screen, with the solver in a thread.

use super::LaserScreen;
use crate::event_loop::{
    FRAME_TIME, STOP_POLL, ScreenExit, TerminalError, TerminalEvents, TerminalGuard, check,
};
use ::laser::Board;
use ::laser::solver::{Aim, Question, SolverAnswer, solve};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

/// The poll interval while the solver works.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs the laser screen in this terminal until the user leaves, or `is_stopped` returns true.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`check`], or when the terminal cannot be read or written.
pub fn run(
    screen: &mut LaserScreen,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    check()?;
    let mut guard = TerminalGuard::take()?;
    let terminal = guard.terminal();
    let events = TerminalEvents::listen()?;
    let mut drawn: Option<Instant> = None;
    let mut search: Option<SolverSearch> = None;
    while !screen.is_leaving() {
        if is_stopped() {
            return Ok(ScreenExit::Stopped);
        }
        search = poll_search(search, screen)?;
        let since = drawn.map_or(FRAME_TIME, |drawn| drawn.elapsed());
        if screen.is_stale() && since >= FRAME_TIME {
            drawn = Some(Instant::now());
            terminal.draw(|frame| {
                if let Some(cursor) = screen.draw(frame.buffer_mut()) {
                    frame.set_cursor_position(cursor);
                }
            })?;
        }
        let mut poll_interval = match (screen.is_stale(), &search) {
            (true, _) => FRAME_TIME.saturating_sub(since),
            (false, Some(_)) => POLL_INTERVAL,
            (false, None) => STOP_POLL,
        };
        // Later events belong to the next screen.
        while !screen.is_leaving() {
            let Some(event) = events.next(poll_interval)? else {
                break;
            };
            poll_interval = Duration::ZERO;
            screen.event(&event);
        }
    }
    Ok(ScreenExit::Left)
}

/// Passes on the search's results, cancels a search that is no longer needed, and starts the
/// next.
fn poll_search(
    search: Option<SolverSearch>,
    screen: &mut LaserScreen,
) -> io::Result<Option<SolverSearch>> {
    if let Some(search) = search {
        match search.answer.try_recv() {
            Ok(answer) => screen.learn(&search.board, &answer),
            // A crashed search leaves the question open.
            Err(TryRecvError::Disconnected) => {
                screen.learn(&search.board, &SolverAnswer::default());
            }
            Err(TryRecvError::Empty) if screen.wants() == Some(&search.board) => {
                screen.hear(&search.board, search.at_least.load(Ordering::Relaxed));
                return Ok(Some(search));
            }
            Err(TryRecvError::Empty) => {}
        }
    }
    screen.wants().cloned().map(SolverSearch::start).transpose()
}

/// A solver search in a thread; dropping it cancels the search.
struct SolverSearch {
    board: Board,
    answer: Receiver<SolverAnswer>,
    at_least: Arc<AtomicU32>,
    is_over: Arc<AtomicBool>,
}

impl SolverSearch {
    fn start(board: Board) -> io::Result<Self> {
        let (sender, answer) = std::sync::mpsc::channel();
        let at_least = Arc::new(AtomicU32::new(0));
        let is_over = Arc::new(AtomicBool::new(false));
        let (least, ends, start) = (Arc::clone(&at_least), Arc::clone(&is_over), board.clone());
        let search = move || {
            let answer = solve(&start, Question::new(Aim::Fewest), &mut |progress| {
                least.store(progress.at_least, Ordering::Relaxed);
                !ends.load(Ordering::Relaxed)
            });
            // The receiver may be gone; then the answer is not needed.
            let _ = sender.send(answer);
        };
        std::thread::Builder::new()
            .name("solver".into())
            .spawn(search)?;
        Ok(Self {
            board,
            answer,
            at_least,
            is_over,
        })
    }
}

impl Drop for SolverSearch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::TerminalProfile;
    use crate::laser::Level;

    fn screen() -> LaserScreen {
        let level = |name: &str, text: &str| Level {
            name: name.into(),
            about: String::new(),
            board: text.parse().unwrap(),
            fewest: None,
        };
        let levels = vec![
            level("one", "4 3\nW W SvW\nL>. . W\nW M/W W"),
            level("none", "3 1\nL<M/S<"),
        ];
        LaserScreen::new(levels, 0, (80, 24), TerminalProfile::default())
    }

    #[test]
    fn the_solver_finds_out_what_is_wanted() {
        let mut screen = screen();
        // A generous limit that only a broken loop reaches.
        let end = Instant::now() + Duration::from_secs(60);
        let mut search = None;
        while screen.wants().is_some() {
            search = poll_search(search, &mut screen).unwrap();
            assert!(Instant::now() < end);
            std::thread::yield_now();
        }
        assert!(search.is_none());
        assert_eq!(screen.play().fewest().proven(), Some(1));
    }

    #[test]
    fn unneeded_searches_end() {
        let mut screen = screen();
        let (_sender, answer) = std::sync::mpsc::channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let search = SolverSearch {
            board: screen.wants().unwrap().clone(),
            answer,
            at_least: Arc::new(AtomicU32::new(1)),
            is_over: Arc::clone(&is_over),
        };
        let search = poll_search(Some(search), &mut screen).unwrap();
        assert_eq!(screen.play().fewest().at_least, 1);
        assert!(!is_over.load(Ordering::Relaxed));
        let key = crate::key("n").unwrap();
        screen.event(&ratatui::crossterm::event::Event::Key(key));
        let search = poll_search(search, &mut screen).unwrap().unwrap();
        assert!(is_over.load(Ordering::Relaxed));
        assert_eq!(Some(&search.board), screen.wants());
    }

    #[test]
    fn crashed_searches_leave_the_question_open() {
        let mut screen = screen();
        let (sender, answer) = std::sync::mpsc::channel();
        drop(sender);
        let search = SolverSearch {
            board: screen.wants().unwrap().clone(),
            answer,
            at_least: Arc::default(),
            is_over: Arc::default(),
        };
        assert!(poll_search(Some(search), &mut screen).unwrap().is_none());
        assert_eq!(screen.play().is_solvable(), None);
    }
}
