//! The loop around a real terminal, with the solver at work beside it.

use super::Room;
use crate::run::{Ended, Events, FRAME, IDLE, RunError, Screen, check};
use ::laser::Board;
use ::laser::solver::{Aim, Answer, Question, solve};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
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
pub fn run(room: &mut Room, is_stopped: &dyn Fn() -> bool) -> Result<Ended, RunError> {
    check()?;
    let _screen = Screen::take()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let events = Events::listen()?;
    let mut drawn: Option<Instant> = None;
    let mut search: Option<Search> = None;
    while !room.is_leaving() {
        if is_stopped() {
            return Ok(Ended::Stopped);
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
        while let Some(event) = events.next(patience)? {
            patience = Duration::ZERO;
            room.event(&event);
        }
    }
    Ok(Ended::Left)
}

/// Hands over what the search has found, ends one that nobody needs any more, and begins
/// the next.
fn attended(search: Option<Search>, room: &mut Room) -> io::Result<Option<Search>> {
    if let Some(search) = search {
        match search.answer.try_recv() {
            Ok(answer) => room.learn(&search.board, &answer),
            // a search that died leaves the question open
            Err(TryRecvError::Disconnected) => {
                room.learn(&search.board, &nothing());
            }
            Err(TryRecvError::Empty) if room.wants() == Some(&search.board) => {
                room.hear(&search.board, search.at_least.load(Ordering::Relaxed));
                return Ok(Some(search));
            }
            Err(TryRecvError::Empty) => {}
        }
    }
    room.wants().cloned().map(Search::begin).transpose()
}

/// The answer of a solver that found nothing out.
fn nothing() -> Answer {
    Answer {
        solvable: None,
        solutions: Vec::new(),
        is_complete: false,
        at_least: 0,
        moves: None,
        is_fewest: false,
        nodes: 0,
    }
}

/// The solver at work on a board, until it is done or this goes away.
struct Search {
    board: Board,
    answer: Receiver<Answer>,
    at_least: Arc<AtomicU32>,
    is_over: Arc<AtomicBool>,
}

impl Search {
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

impl Drop for Search {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
