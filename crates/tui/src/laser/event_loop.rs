//! The loop around a real terminal, with the solver at work beside it.

use super::LaserScreen;
use crate::event_loop::{
    FRAME, IDLE, ScreenExit, TerminalError, TerminalEvents, TerminalGuard, check,
};
use ::laser::Board;
use ::laser::solver::{Aim, Question, SolverAnswer, solve};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

/// While the solver works, its answer waits no longer than this.
const LISTENING: Duration = Duration::from_millis(50);

/// Shows the puzzle in this terminal until the person leaves, or `is_stopped` says so.
///
/// The terminal is put back as it was also after an error and after a panic.
///
/// # Errors
/// As [`check`], or when the terminal cannot be read or written.
pub fn run(
    room: &mut LaserScreen,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    check()?;
    let mut screen = TerminalGuard::take()?;
    let terminal = screen.terminal();
    let events = TerminalEvents::listen()?;
    let mut drawn: Option<Instant> = None;
    let mut search: Option<SolverSearch> = None;
    while !room.is_leaving() {
        if is_stopped() {
            return Ok(ScreenExit::Stopped);
        }
        search = attended(search, room)?;
        let since = drawn.map_or(FRAME, |drawn| drawn.elapsed());
        if room.is_stale() && since >= FRAME {
            drawn = Some(Instant::now());
            terminal.draw(|frame| {
                if let Some(cursor) = room.draw(frame.buffer_mut()) {
                    frame.set_cursor_position(cursor);
                }
            })?;
        }
        let mut patience = match (room.is_stale(), &search) {
            (true, _) => FRAME.saturating_sub(since),
            (false, Some(_)) => LISTENING,
            (false, None) => IDLE,
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

/// Hands over what the search has found, ends one that nobody needs any more, and begins
/// the next.
fn attended(
    search: Option<SolverSearch>,
    room: &mut LaserScreen,
) -> io::Result<Option<SolverSearch>> {
    if let Some(search) = search {
        match search.answer.try_recv() {
            Ok(answer) => room.learn(&search.board, &answer),
            // a search that died leaves the question open
            Err(TryRecvError::Disconnected) => {
                room.learn(&search.board, &SolverAnswer::default());
            }
            Err(TryRecvError::Empty) if room.wants() == Some(&search.board) => {
                room.hear(&search.board, search.at_least.load(Ordering::Relaxed));
                return Ok(Some(search));
            }
            Err(TryRecvError::Empty) => {}
        }
    }
    room.wants().cloned().map(SolverSearch::begin).transpose()
}

/// The solver at work on a board, until it is done or this goes away.
struct SolverSearch {
    board: Board,
    answer: Receiver<SolverAnswer>,
    at_least: Arc<AtomicU32>,
    is_over: Arc<AtomicBool>,
}

impl SolverSearch {
    fn begin(board: Board) -> io::Result<Self> {
        let (sender, answer) = std::sync::mpsc::channel();
        let at_least = Arc::new(AtomicU32::new(0));
        let is_over = Arc::new(AtomicBool::new(false));
        let (least, ends, start) = (Arc::clone(&at_least), Arc::clone(&is_over), board.clone());
        let search = move || {
            let answer = solve(&start, Question::new(Aim::Fewest), &mut |progress| {
                least.store(progress.at_least, Ordering::Relaxed);
                !ends.load(Ordering::Relaxed)
            });
            // when nobody listens any more, nobody needs it
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

    fn room() -> LaserScreen {
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
        let mut room = room();
        // far longer than it takes: only a broken loop waits it out
        let end = Instant::now() + Duration::from_secs(60);
        let mut search = None;
        while room.wants().is_some() {
            search = attended(search, &mut room).unwrap();
            assert!(Instant::now() < end);
            std::thread::yield_now();
        }
        assert!(search.is_none());
        assert_eq!(room.play().fewest().proven(), Some(1));
    }

    #[test]
    fn a_search_that_nobody_waits_for_ends() {
        let mut room = room();
        let (_sender, answer) = std::sync::mpsc::channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let search = SolverSearch {
            board: room.wants().unwrap().clone(),
            answer,
            at_least: Arc::new(AtomicU32::new(1)),
            is_over: Arc::clone(&is_over),
        };
        let search = attended(Some(search), &mut room).unwrap();
        assert_eq!(room.play().fewest().at_least, 1);
        assert!(!is_over.load(Ordering::Relaxed));
        let key = crate::key("n").unwrap();
        room.event(&ratatui::crossterm::event::Event::Key(key));
        let search = attended(search, &mut room).unwrap().unwrap();
        assert!(is_over.load(Ordering::Relaxed));
        assert_eq!(Some(&search.board), room.wants());
    }

    #[test]
    fn a_search_that_dies_leaves_the_question_open() {
        let mut room = room();
        let (sender, answer) = std::sync::mpsc::channel();
        drop(sender);
        let search = SolverSearch {
            board: room.wants().unwrap().clone(),
            answer,
            at_least: Arc::default(),
            is_over: Arc::default(),
        };
        assert!(attended(Some(search), &mut room).unwrap().is_none());
        assert_eq!(room.play().is_solvable(), None);
    }
}
