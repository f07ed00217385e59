//! The laser screen: levels of the puzzle, played with keys and mouse.
//!
//! [`LaserScreen`] is a value, as [`App`](crate::App) is. The owner runs the solver and passes
//! its results in ([`LaserScreen::learn`]); [`run()`] does so in a thread.

mod drawing;
mod event_loop;
mod help;
mod keys;
mod list;
mod mouse;

pub use event_loop::run;

use crate::app::TerminalProfile;
use ::laser::play::{LaserCommand, LaserOutcome, Play};
use ::laser::solver::SolverAnswer;
use ::laser::{Board, level};
use grid::{Point, Rect as Area};
use help::LaserHelp;
use keys::{LaserKeyAction, LaserKeyMeaning, meaning};
use list::{LevelList, LevelListRequest};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use render::laser::LaserTileSize;

/// A playable level.
#[derive(Clone, Debug)]
pub struct Level {
    /// The level's name.
    pub name: String,
    /// Its difficulty or purpose in a few words.
    pub about: String,
    /// The board at the start.
    pub board: Board,
    /// The proven minimum number of moves, if known.
    pub fewest: Option<u32>,
}

impl Level {
    /// The built-in levels, in order.
    #[must_use]
    pub fn built_in() -> Vec<Self> {
        let entries = level::all().iter();
        let levels = entries.map(|entry| Self {
            name: entry.name.to_string(),
            about: entry.purpose.to_string(),
            board: entry.board(),
            fewest: entry.fewest,
        });
        levels.collect()
    }

    fn play(&self) -> Play {
        let play = Play::new(self.name.clone(), self.board.clone());
        match self.fewest {
            Some(moves) => play.with_fewest(moves),
            None => play,
        }
    }
}

/// The laser screen: a pure function of its events and the solver's results.
///
/// ```
/// use ratatui::{buffer::Buffer, crossterm::event::Event, layout::Rect};
/// let levels = tui::laser::Level::built_in();
/// let mut room = tui::laser::LaserScreen::new(levels, 0, (80, 24), tui::TerminalProfile::default());
/// room.event(&tui::key("n").map(Event::Key).expect("a key"));
/// let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
/// room.draw(&mut buffer);
/// assert_eq!(room.play().name(), laser::level::all()[1].name);
/// ```
pub struct LaserScreen {
    levels: Vec<Level>,
    /// The index of the current level.
    at: usize,
    /// The state of each visited level.
    plays: Vec<Option<Play>>,
    play: Play,
    cursor: Point,
    /// The first visible tile where the board is clipped.
    corner: Point,
    size: (u16, u16),
    profile: TerminalProfile,
    panel: Option<LaserPanel>,
    note: Option<LaserNotice>,
    press: Option<mouse::Press>,
    is_leaving: bool,
    is_stale: bool,
}

/// The panel that is open over the board.
enum LaserPanel {
    /// Symbols, keys and commands.
    Help(LaserHelp),
    /// The list of levels.
    List(LevelList),
}

/// A message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LaserNotice {
    words: String,
    is_error: bool,
}

/// The board's area on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LaserBoardArea {
    size: LaserTileSize,
    /// The visible tiles.
    part: Area,
    /// The area that they are drawn in.
    area: Rect,
}

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (40, 8);

impl LaserScreen {
    /// A screen that starts at one of these levels. An index past the end is the last level's.
    /// Panics without any level.
    #[must_use]
    pub fn new(levels: Vec<Level>, at: usize, size: (u16, u16), profile: TerminalProfile) -> Self {
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
            size: (1, 1),
            profile,
            panel: None,
            note: None,
            press: None,
            is_leaving: false,
            is_stale: true,
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
        self.is_leaving
    }

    /// Whether the screen has to be redrawn.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// The board that the solver should work on, see [`Play::board_to_solve`].
    #[must_use]
    pub fn wants(&self) -> Option<&Board> {
        self.play.board_to_solve()
    }

    /// Reports progress of the solver on a board: it takes at least this many moves.
    pub fn hear(&mut self, board: &Board, at_least: u32) {
        let before = self.play.fewest();
        if board == self.play.start() {
            self.play.record_lower_bound(at_least);
        }
        self.is_stale |= self.play.fewest() != before;
    }

    /// Passes the solver's answer for a board to [`Play::record_answer`]; an answer that is no longer
    /// needed, such as one for another level, is ignored.
    pub fn learn(&mut self, board: &Board, answer: &SolverAnswer) {
        if self.wants() != Some(board) {
            return;
        }
        self.is_stale = true;
        match self.play.record_answer(board, answer) {
            Some(Ok(outcome)) => self.show_outcome(&outcome),
            Some(Err(error)) => self.refuse(error.to_string()),
            None => {}
        }
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        self.is_stale = true;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Resize(columns, rows) => self.resize((*columns, *rows)),
            _ => {}
        }
    }

    /// Sends a command as text. Returns whether it was done.
    pub fn send(&mut self, text: &str) -> bool {
        self.is_stale = true;
        match text.parse::<LaserCommand>() {
            Ok(command) => self.apply(&command),
            Err(error) => {
                self.refuse(format!("{error} · {}", error.hint()));
                false
            }
        }
    }

    fn apply(&mut self, command: &LaserCommand) -> bool {
        self.is_stale = true;
        self.note = None;
        match self.play.apply(command) {
            Ok(outcome) => {
                self.show_outcome(&outcome);
                true
            }
            Err(error) => {
                self.refuse(error.to_string());
                false
            }
        }
    }

    fn show_outcome(&mut self, outcome: &LaserOutcome) {
        let words = match outcome {
            LaserOutcome::Deselected | LaserOutcome::Selected(..) | LaserOutcome::Show => {
                String::new()
            }
            LaserOutcome::Help => {
                self.panel = Some(LaserPanel::Help(LaserHelp::default()));
                String::new()
            }
            LaserOutcome::Quit => {
                self.is_leaving = true;
                String::new()
            }
            LaserOutcome::Thinking => "looking for a way · esc gives up".into(),
            LaserOutcome::Moved(_) => format!("{outcome} · u takes it back"),
            LaserOutcome::Restarted(1..) => format!("{outcome} · r makes them again"),
            outcome => outcome.to_string(),
        };
        self.note = (!words.is_empty()).then_some(LaserNotice {
            words,
            is_error: false,
        });
        match outcome {
            LaserOutcome::Undone(action) => self.go_to(action.step.from),
            LaserOutcome::Redone(action) => self.go_to(action.step.to),
            _ => {}
        }
    }

    fn refuse(&mut self, words: String) {
        self.note = Some(LaserNotice {
            words,
            is_error: true,
        });
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.size = (size.0.max(1), size.1.max(1));
        self.press = None;
        self.go_to(self.cursor);
    }

    fn key(&mut self, event: &KeyEvent) {
        let is_control = event.modifiers.contains(KeyModifiers::CONTROL);
        let is_interrupt = is_control && event.code == KeyCode::Char('c');
        if let Some(panel) = &mut self.panel {
            let request = match panel {
                _ if is_interrupt => LevelListRequest::Close,
                LaserPanel::Help(help) => help.key(event),
                LaserPanel::List(list) => list.key(event, &self.levels),
            };
            return self.handle_request(request);
        }
        if is_interrupt {
            self.is_leaving = true;
            return;
        }
        match meaning(event) {
            Some(LaserKeyMeaning::Command(command)) => {
                self.send(command);
            }
            Some(LaserKeyMeaning::Action(own)) => self.perform(own),
            None => {}
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
            LaserKeyAction::Go(dx, dy) => {
                self.note = None;
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
        self.note = None;
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
            None => self.refuse("there is no piece to move".into()),
        }
    }

    fn go_to_level(&mut self, by: i64) {
        let last = self.levels.len() - 1;
        let next = self.at.checked_add_signed(by as isize);
        match next.filter(|&next| next <= last) {
            Some(next) => self.play_level(next),
            None => {
                let which = if by > 0 { "last" } else { "first" };
                self.refuse(format!("this is the {which} level"));
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
        self.note = None;
        self.press = None;
        let board = self.play.board();
        let first = board.pieces().next().map(|(cell, _)| board.place(cell));
        self.corner = Point::new(0, 0);
        self.go_to(first.unwrap_or(self.corner));
    }

    /// The part of the screen for the board.
    fn board_area(&self) -> Rect {
        let (columns, rows) = self.size;
        Rect::new(0, 1, columns, rows.saturating_sub(3).max(1))
    }

    /// The board's area: centred and as large as fits, or clipped.
    fn place(&self) -> LaserBoardArea {
        let board = self.play.board();
        let available = self.board_area();
        let (width, height) = (board.width() as usize, board.height() as usize);
        let (columns, rows) = (usize::from(available.width), usize::from(available.height));
        let size = LaserTileSize::fitting((width, height), (columns, rows))
            .unwrap_or(LaserTileSize::Small);
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
        let (columns, rows) = (columns as u16, rows as u16);
        let area = Rect::new(
            available.x + available.width.saturating_sub(columns) / 2,
            available.y + available.height.saturating_sub(rows) / 2,
            columns.min(available.width),
            rows.min(available.height),
        );
        LaserBoardArea { size, part, area }
    }
}
