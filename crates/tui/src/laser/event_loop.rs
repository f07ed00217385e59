//! The event loop of the laser screen, with the solver in a thread.

use super::LaserScreen;
use crate::event_loop::{FullScreenApp, ScreenExit, TerminalError, show};
use crate::screen_state::ScreenState;
use ::laser::Board;
use ::laser::solver::SolverAnswer;
use models::laser::solve_permitted;
use models::worker_pool::{JobHandle, WorkerPool};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::Event;
use ratatui::layout::Position;
use std::io;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

/// The poll interval while the solver works.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs the laser screen in this terminal until the user leaves, or `is_stopped` returns true.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn run(
    screen: &mut LaserScreen,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    show(&mut LaserApp::new(screen)?, is_stopped)
}

struct LaserApp<'a> {
    screen: &'a mut LaserScreen,
    solver: WorkerPool,
    search: Option<SolverSearch>,
}

/// A running search of the solver; dropping it cancels the search.
struct SolverSearch {
    board: Board,
    updates: Receiver<SolverUpdate>,
    _job: JobHandle,
}

/// What the solver reports.
enum SolverUpdate {
    /// It takes at least this many moves.
    Bound(u32),
    Answer(SolverAnswer),
}

impl<'a> LaserApp<'a> {
    fn new(screen: &'a mut LaserScreen) -> io::Result<Self> {
        let solver = WorkerPool::new(Default::default());
        solver.spawn("solver", 1)?;
        Ok(Self {
            screen,
            solver,
            search: None,
        })
    }

    /// Passes on the search's results, cancels a search that is no longer needed, and starts the
    /// next.
    fn poll(&mut self) {
        while let Some(search) = &self.search {
            match search.updates.try_recv() {
                Ok(SolverUpdate::Bound(moves)) => {
                    self.screen.receive_bound(&search.board, moves);
                    continue;
                }
                Ok(SolverUpdate::Answer(answer)) => {
                    self.screen.receive_answer(&search.board, &answer);
                }
                // A crashed search leaves the question open.
                Err(TryRecvError::Disconnected) => {
                    let answer = SolverAnswer::default();
                    self.screen.receive_answer(&search.board, &answer);
                }
                Err(TryRecvError::Empty) if self.screen.query() == Some(&search.board) => return,
                Err(TryRecvError::Empty) => {}
            }
            self.search = None;
        }
        let board = self.screen.query().cloned();
        self.search = board.map(|board| SolverSearch::start(&self.solver, board));
    }
}

impl SolverSearch {
    fn start(solver: &WorkerPool, board: Board) -> Self {
        let (sender, updates) = channel();
        let start = board.clone();
        // The receiver may be gone; then the answer is not needed.
        let job = solver.begin(None, move |permit| {
            let answer = solve_permitted(&start, permit, &mut |moves| {
                let _ = sender.send(SolverUpdate::Bound(moves));
            });
            let _ = sender.send(SolverUpdate::Answer(answer));
        });
        Self {
            board,
            updates,
            _job: job,
        }
    }
}

impl FullScreenApp for LaserApp<'_> {
    fn event(&mut self, event: &Event) {
        self.screen.event(event);
    }

    fn update(&mut self, _: Duration) -> io::Result<()> {
        self.poll();
        Ok(())
    }

    fn poll_interval(&self) -> Duration {
        match self.search {
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
    use models::laser::LaserLevel;
    use std::time::Instant;

    fn screen() -> LaserScreen {
        let level = |name: &str, text: &str| LaserLevel {
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
        let mut app = LaserApp::new(&mut screen).unwrap();
        // A generous limit that only a broken loop reaches.
        let end = Instant::now() + Duration::from_secs(60);
        while app.screen.query().is_some() {
            app.poll();
            assert!(Instant::now() < end);
            std::thread::yield_now();
        }
        assert!(app.search.is_none());
        assert_eq!(app.screen.play().fewest().proven(), Some(1));
    }

    /// A search of this app whose results are these.
    fn searches(app: &mut LaserApp<'_>, updates: Receiver<SolverUpdate>) {
        app.search = Some(SolverSearch {
            board: app.screen.query().unwrap().clone(),
            updates,
            // There is no thread for it.
            _job: WorkerPool::new(Default::default()).begin(None, |_| {}),
        });
    }

    #[test]
    fn unneeded_searches_end() {
        let mut screen = screen();
        let mut app = LaserApp::new(&mut screen).unwrap();
        let (sender, updates) = channel();
        searches(&mut app, updates);
        sender.send(SolverUpdate::Bound(1)).unwrap();
        app.poll();
        assert_eq!(app.screen.play().fewest().at_least, 1);
        assert!(sender.send(SolverUpdate::Bound(1)).is_ok());
        app.event(&Event::Key(crate::key("n").unwrap()));
        app.poll();
        assert!(sender.send(SolverUpdate::Bound(1)).is_err());
        let search = app.search.as_ref().unwrap();
        assert_eq!(Some(&search.board), app.screen.query());
    }

    #[test]
    fn crashed_searches_leave_the_question_open() {
        let mut screen = screen();
        let mut app = LaserApp::new(&mut screen).unwrap();
        let (sender, updates) = channel();
        drop(sender);
        searches(&mut app, updates);
        app.poll();
        assert!(app.search.is_none());
        assert_eq!(app.screen.play().is_solvable(), None);
    }
}
