//! The laser screen: levels of the puzzle, played with keys and mouse.
//!
//! [`LaserScreen`] is a value, as [`App`](crate::App) is. The owner runs the solver and passes
//! its results in ([`LaserScreen::receive_answer`]); [`run()`] does so in a thread.

mod drawing;
mod event_loop;
mod help;
mod keys;
mod list;
mod mouse;

pub use event_loop::run;

use crate::app::TerminalProfile;
use crate::screen_state::{ScreenNotice, ScreenState};
use crate::screens::help::ScreenHelp;
use crate::screens::is_interrupt;
use ::laser::Board;
use ::laser::play::{LaserCommand, LaserOutcome, Play};
use ::laser::solver::SolverAnswer;
use grid::{Point, Rect as Area};
use keys::{LaserKeyAction, meaning};
use list::{LevelList, LevelListRequest};
use models::laser::{LaserLevel, LaserReport};
use ratatui::crossterm::event::{Event, KeyEvent, KeyEventKind};
use ratatui::layout::Rect;
use render::laser::{LaserDrawing, LaserTileSize};

/// The laser screen: a pure function of its events and the solver's results.
///
/// ```
/// use ratatui::{buffer::Buffer, crossterm::event::Event, layout::Rect};
/// let levels = models::laser::LaserLevel::built_in();
/// let mut room = tui::laser::LaserScreen::new(levels, 0, (80, 24), tui::TerminalProfile::default());
/// room.event(&tui::key("n").map(Event::Key).expect("a key"));
/// let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
/// room.draw(&mut buffer);
/// assert_eq!(room.play().name(), laser::level::all()[1].name);
/// ```
pub struct LaserScreen {
    levels: Vec<LaserLevel>,
    /// The index of the current level.
    at: usize,
    /// The state of each visited level.
    plays: Vec<Option<Play>>,
    play: Play,
    cursor: Point,
    /// The first visible tile where the board is clipped.
    corner: Point,
    panel: Option<LaserPanel>,
    press: Option<mouse::Press>,
    state: ScreenState,
}

/// The panel that is open over the board.
enum LaserPanel {
    /// Symbols, keys and commands.
    Help(ScreenHelp),
    /// The list of levels.
    List(LevelList),
}

/// The board's area on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LaserBoardArea {
    size: LaserTileSize,
    /// The visible tiles.
    part: Area,
    /// The area that they are drawn in, with the numbers of rows and columns at its edge.
    area: Rect,
    /// Whether rows and columns are numbered: not where that would cut off a board that just fits.
    has_rulers: bool,
}

impl LaserBoardArea {
    /// The part of a game's board that is visible, in characters.
    fn drawing(&self, play: &Play) -> LaserDrawing {
        let drawing = LaserDrawing::of_part(play.board(), play.light(), self.size, self.part);
        match self.has_rulers {
            true => drawing.with_rulers(),
            false => drawing,
        }
    }
}

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (40, 8);

impl LaserScreen {
    /// A screen that starts at one of these levels. An index past the end is the last level's.
    /// Panics without any level.
    #[must_use]
    pub fn new(
        levels: Vec<LaserLevel>,
        at: usize,
        size: (u16, u16),
        profile: TerminalProfile,
    ) -> Self {
        assert!(!levels.is_empty(), "there is a level to play");
        let at = at.min(levels.len() - 1);
        let play = levels[at].play();
        let mut screen = Self {
            plays: levels.iter().map(|_| None).collect(),
            levels,
            at,
            play,
            cursor: Point::new(0, 0),
            corner: Point::new(0, 0),
            panel: None,
            press: None,
            state: ScreenState::new((1, 1), profile),
        };
        screen.arrive();
        screen.resize(size);
        screen
    }

    /// The game in progress.
    #[must_use]
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// The tile that keys apply to.
    #[must_use]
    pub fn cursor(&self) -> Point {
        self.cursor
    }

    /// Whether the user has left.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.state.is_leaving
    }

    /// Whether the screen has to be redrawn.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.state.is_stale
    }

    /// The board that the solver should work on, see [`Play::board_to_solve`].
    #[must_use]
    pub fn query(&self) -> Option<&Board> {
        self.play.board_to_solve()
    }

    /// Reports progress of the solver on a board: it takes at least this many moves.
    pub fn receive_bound(&mut self, board: &Board, at_least: u32) {
        let before = self.play.fewest();
        if board == self.play.start() {
            self.play.record_lower_bound(at_least);
        }
        self.state.is_stale |= self.play.fewest() != before;
    }

    /// Passes the solver's answer for a board to [`Play::record_answer`]; an answer that is no longer
    /// needed, such as one for another level, is ignored.
    pub fn receive_answer(&mut self, board: &Board, answer: &SolverAnswer) {
        if self.query() != Some(board) {
            return;
        }
        self.state.is_stale = true;
        if let Some(outcome) = self.play.record_answer(board, answer) {
            self.show_report(LaserReport::of(outcome));
        }
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        self.state.is_stale = true;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Resize(columns, rows) => self.resize((*columns, *rows)),
            _ => {}
        }
    }

    /// Sends a command as text. Returns whether it was done.
    pub fn send(&mut self, text: &str) -> bool {
        let report = LaserReport::of_command(&mut self.play, text);
        self.show_report(report)
    }

    fn apply(&mut self, command: &LaserCommand) -> bool {
        let report = LaserReport::of(self.play.apply(command));
        self.show_report(report)
    }

    /// Shows what came of a command. Returns whether it was done.
    fn show_report(&mut self, report: LaserReport) -> bool {
        self.state.is_stale = true;
        let is_error = report.is_refused();
        let LaserReport { words, outcome } = report;
        self.state.note = (!words.is_empty()).then_some(ScreenNotice { words, is_error });
        match outcome {
            Some(LaserOutcome::Help) => self.panel = Some(LaserPanel::Help(help::help())),
            Some(LaserOutcome::Quit) => self.state.is_leaving = true,
            Some(LaserOutcome::Undone(action)) => self.go_to(action.step.from),
            Some(LaserOutcome::Redone(action)) => self.go_to(action.step.to),
            _ => {}
        }
        !is_error
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.state.size = (size.0.max(1), size.1.max(1));
        self.press = None;
        self.go_to(self.cursor);
    }

    fn key(&mut self, event: &KeyEvent) {
        let is_interrupt = is_interrupt(event);
        if let Some(panel) = &mut self.panel {
            let request = match panel {
                _ if is_interrupt => LevelListRequest::Close,
                LaserPanel::Help(help) => match help.key(event) {
                    true => LevelListRequest::Stay,
                    false => LevelListRequest::Close,
                },
                LaserPanel::List(list) => list.key(event, &self.levels),
            };
            self.handle_request(request);
        } else if is_interrupt {
            self.state.is_leaving = true;
        } else if let Some(action) = meaning(event) {
            self.perform(action);
        }
    }

    /// Fulfils the list's request.
    fn handle_request(&mut self, request: LevelListRequest) {
        match request {
            LevelListRequest::Stay => {}
            LevelListRequest::Close => self.panel = None,
            LevelListRequest::Go(level) => {
                self.panel = None;
                self.play_level(level);
            }
        }
    }

    fn perform(&mut self, action: LaserKeyAction) {
        match action {
            LaserKeyAction::Command(command) => {
                self.send(command);
            }
            LaserKeyAction::Go(dx, dy) => {
                self.state.note = None;
                self.go_to(self.cursor.offset(dx, dy));
            }
            LaserKeyAction::Choose => {
                self.apply(&LaserCommand::Select(self.cursor));
            }
            LaserKeyAction::Piece(by) => self.go_to_piece(by),
            LaserKeyAction::Level(by) => self.go_to_level(by),
            LaserKeyAction::List => {
                self.panel = Some(LaserPanel::List(LevelList::new(&self.levels, self.at)))
            }
        }
    }

    /// Moves the cursor to a tile, or to the nearest one on the board, and scrolls to it.
    fn go_to(&mut self, place: Point) {
        let board = self.play.board();
        let (width, height) = (i64::from(board.width()), i64::from(board.height()));
        self.cursor = Point::new(place.x.clamp(0, width - 1), place.y.clamp(0, height - 1));
        let part = self.place().part;
        let (across, down) = (part.width as i64, part.height as i64);
        let seen = |at: i64, first: i64, seen: i64| first.clamp((at - seen + 1).min(at), at);
        self.corner = Point::new(
            seen(self.cursor.x, part.x, across),
            seen(self.cursor.y, part.y, down),
        );
    }

    /// Moves the cursor to the next or previous piece on the board.
    fn go_to_piece(&mut self, by: i64) {
        self.state.note = None;
        let board = self.play.board();
        let Some(here) = board.index(self.cursor) else {
            return;
        };
        let cells: Vec<usize> = board.pieces().map(|(cell, _)| cell).collect();
        // Cyclically: the last piece is followed by the first.
        let next = if by > 0 {
            cells.iter().find(|&&cell| cell > here).or(cells.first())
        } else {
            cells.iter().rfind(|&&cell| cell < here).or(cells.last())
        };
        match next.map(|&cell| board.place(cell)) {
            Some(place) => self.go_to(place),
            None => self.state.refuse("there is no piece to move"),
        }
    }

    fn go_to_level(&mut self, by: i64) {
        let last = self.levels.len() - 1;
        let next = self.at.checked_add_signed(by as isize);
        match next.filter(|&next| next <= last) {
            Some(next) => self.play_level(next),
            None => {
                let which = if by > 0 { "last" } else { "first" };
                self.state.refuse(format!("this is the {which} level"));
            }
        }
    }

    /// Switches to a level, in the state it was left in.
    fn play_level(&mut self, level: usize) {
        if level != self.at {
            let play = self.plays[level].take();
            let play = play.unwrap_or_else(|| self.levels[level].play());
            let left = std::mem::replace(&mut self.play, play);
            self.plays[self.at] = Some(left);
            self.at = level;
        }
        self.arrive();
    }

    /// Resets cursor and view after switching to a level.
    fn arrive(&mut self) {
        self.state.note = None;
        self.press = None;
        let board = self.play.board();
        let first = board.pieces().next().map(|(cell, _)| board.place(cell));
        self.corner = Point::new(0, 0);
        self.go_to(first.unwrap_or(self.corner));
    }

    /// The part of the screen for the board.
    fn board_area(&self) -> Rect {
        let (columns, rows) = self.state.size;
        Rect::new(0, 1, columns, rows.saturating_sub(3).max(1))
    }

    /// The board's area: centred and as large as fits, or clipped.
    fn place(&self) -> LaserBoardArea {
        let board = self.play.board();
        let available = self.board_area();
        let (width, height) = (board.width() as usize, board.height() as usize);
        let without = (usize::from(available.width), usize::from(available.height));
        let rulers = LaserDrawing::ruler_extent((width, height));
        let beside = (
            without.0.saturating_sub(rulers.0),
            without.1.saturating_sub(rulers.1),
        );
        let numbered = LaserTileSize::fitting((width, height), beside);
        let bare = LaserTileSize::fitting((width, height), without);
        let has_rulers = numbered.is_some() || bare.is_none();
        let size = numbered.or(bare).unwrap_or(LaserTileSize::Small);
        let (columns, rows) = if has_rulers { beside } else { without };
        let (across, down) = size.pitch();
        let (seen_across, seen_down) = (
            width.min((columns / across).max(1)),
            height.min((rows / down).max(1)),
        );
        let last = Point::new((width - seen_across) as i64, (height - seen_down) as i64);
        let part = Area::new(
            self.corner.x.clamp(0, last.x),
            self.corner.y.clamp(0, last.y),
            seen_across as u64,
            seen_down as u64,
        );
        let (columns, rows) = size.extent(seen_across, seen_down);
        let rulers = match has_rulers {
            true => LaserDrawing::ruler_extent((part.right() as usize, part.bottom() as usize)),
            false => (0, 0),
        };
        let (columns, rows) = ((columns + rulers.0) as u16, (rows + rulers.1) as u16);
        let area = Rect::new(
            available.x + available.width.saturating_sub(columns) / 2,
            available.y + available.height.saturating_sub(rows) / 2,
            columns.min(available.width),
            rows.min(available.height),
        );
        LaserBoardArea {
            size,
            part,
            area,
            has_rulers,
        }
    }
}
