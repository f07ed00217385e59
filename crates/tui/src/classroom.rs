//! The classroom screen: the homework's five rules side by side on one map, with an explanation
//! of why each cell lives, dies or is born.
//!
//! [`ClassroomScreen`] is a value, as [`App`](crate::App) is. The rules are in
//! [`models::classroom`]; the owner of the screen reads and writes the files
//! ([`MapFileRequest`]).

mod drawing;
mod keys;

use crate::app::TerminalProfile;
use crate::event_loop::{FullScreenApp, ScreenExit, TerminalError, show};
use crate::input::TextInput;
use crate::panel::ChoiceRows;
use crate::screen_state::ScreenState;
use crate::screens::help::{HelpSection, ScreenHelp};
use crate::screens::{is_interrupt, meaning};
use keys::{ClassroomKeyAction, KEYS};
use models::classroom::{ClassroomBoards, ClassroomRule, MapReadOptions};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;
use std::io;
use std::time::Duration;

/// Runs the classroom screen in this terminal until the user leaves, or `is_stopped` returns
/// true. `file_request` reads and writes files, and returns an error message where it fails.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn run(
    screen: &mut ClassroomScreen,
    file_request: &mut dyn FnMut(&MapFileRequest) -> Result<Vec<u8>, String>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    show(
        &mut ClassroomApp {
            screen,
            file_request,
        },
        is_stopped,
    )
}

/// A file operation that the user has requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapFileRequest {
    /// Write a board to a file.
    Write {
        /// The file's name, as it was typed.
        name: String,
        /// The board as the text of a map of its rule.
        text: String,
    },
    /// Read a map from a file.
    Read {
        /// The file's name, as it was typed.
        name: String,
    },
}

/// The classroom screen: a pure function of its events and the elapsed time.
pub struct ClassroomScreen {
    boards: ClassroomBoards,
    /// The map's name.
    map: String,
    /// The index of the rule that keys apply to.
    rule: usize,
    cursor: (u32, u32),
    /// The first visible cell where the board is clipped.
    corner: (u32, u32),
    shows_counts: bool,
    is_running: bool,
    speed: usize,
    waited: Duration,
    maps: Option<ChoiceRows>,
    typed: Option<FileNameInput>,
    file_request: Option<MapFileRequest>,
    state: ScreenState,
}

/// A file name while it is being typed.
struct FileNameInput {
    line: TextInput,
    is_saving: bool,
}

/// Speeds in rounds per second.
const SPEEDS: [u32; 6] = [1, 2, 5, 10, 20, 30];

/// The initial map.
const FIRST: &str = "glider";

impl ClassroomScreen {
    /// The homework's board with an initial map.
    #[must_use]
    pub fn new(profile: TerminalProfile) -> Self {
        let mut screen = Self {
            boards: ClassroomBoards::of_usual_size(),
            map: String::new(),
            rule: 0,
            cursor: (ClassroomBoards::USUAL / 2, ClassroomBoards::USUAL / 2),
            corner: (0, 0),
            shows_counts: false,
            is_running: false,
            speed: 2,
            waited: Duration::ZERO,
            maps: None,
            typed: None,
            file_request: None,
            state: ScreenState::new((80, 24), profile),
        };
        let maps = ClassroomBoards::maps();
        let wanted = maps.iter().find(|(_, entry)| entry.name.contains(FIRST));
        if let Some((_, entry)) = wanted.or(maps.first()) {
            screen.open(entry.name);
        }
        screen
    }

    /// The boards.
    #[must_use]
    pub fn boards(&self) -> &ClassroomBoards {
        &self.boards
    }

    /// The rule that keys apply to.
    #[must_use]
    pub fn rule(&self) -> ClassroomRule {
        ClassroomRule::ALL[self.rule]
    }

    /// The cell that keys apply to.
    #[must_use]
    pub fn cursor(&self) -> (u32, u32) {
        self.cursor
    }

    /// Takes the requested file operation, if there is one.
    pub fn take_file_request(&mut self) -> Option<MapFileRequest> {
        self.file_request.take()
    }

    /// Reads a map from the bytes of a file.
    pub fn read(&mut self, name: &str, bytes: &[u8]) {
        let how = MapReadOptions {
            centre: true,
            ..MapReadOptions::default()
        };
        match self.boards.read(bytes, &how) {
            Ok(_) => {
                self.map = name.into();
                self.is_running = false;
                self.state.note = None;
            }
            Err(error) => self.show_message(error.to_string(), true),
        }
    }

    /// Shows a message in the status line.
    pub fn show_message(&mut self, words: impl Into<String>, is_error: bool) {
        self.state.show_message(words, is_error);
    }

    /// Whether the user has left.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.state.is_leaving
    }

    /// Opens a built-in map.
    fn open(&mut self, name: &str) {
        match self.boards.open(name) {
            Ok(()) => {
                self.map = name.into();
                self.is_running = false;
            }
            Err(error) => self.show_message(error.to_string(), true),
        }
    }

    /// Advances the boards by the elapsed time.
    pub fn tick(&mut self, elapsed: Duration) {
        if !self.is_running {
            return;
        }
        self.waited += elapsed;
        let each = Duration::from_secs(1) / SPEEDS[self.speed];
        let rounds = (self.waited.as_nanos() / each.as_nanos()).min(64) as u32;
        if rounds > 0 {
            self.waited = Duration::ZERO;
            self.boards.step(rounds);
            self.state.is_stale = true;
        }
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        self.state.is_stale = true;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => {
                if let Some(typed) = &mut self.typed {
                    typed.line.insert(text);
                }
            }
            Event::Resize(columns, rows) => self.state.size = (*columns, *rows),
            _ => {}
        }
    }

    fn mouse(&mut self, mouse: &MouseEvent) {
        let rows = match mouse.kind {
            MouseEventKind::ScrollUp => -1,
            MouseEventKind::ScrollDown => 1,
            _ => 0,
        };
        let is_press = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if self.state.help_mouse(rows, is_press) {
            return;
        }
        if let Some(maps) = &mut self.maps {
            let all = ClassroomBoards::maps().len();
            maps.by(rows, all);
            let at = Position::new(mouse.column, mouse.row);
            if is_press && maps.click(at, all).is_some() {
                self.take_map();
            }
        } else if (is_press || mouse.kind == MouseEventKind::Moved)
            && let Some((rule, cell)) = self.cell_at(mouse.column, mouse.row)
        {
            self.rule = rule;
            self.cursor = cell;
            if is_press {
                self.draw_cell();
            }
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        if self.state.help_key(event) {
            return;
        }
        if is_interrupt(event) {
            self.state.is_leaving = true;
        } else if let Some(typed) = &mut self.typed {
            match event.code {
                KeyCode::Esc => self.typed = None,
                KeyCode::Enter => {
                    let name = typed.line.text().trim().to_string();
                    let is_saving = typed.is_saving;
                    self.typed = None;
                    let text = self.boards.text(self.rule());
                    self.file_request = match (name.is_empty(), is_saving) {
                        (true, _) => None,
                        (false, true) => Some(MapFileRequest::Write { name, text }),
                        (false, false) => Some(MapFileRequest::Read { name }),
                    };
                }
                _ => {
                    typed.line.key(event);
                }
            }
        } else if let Some(maps) = &mut self.maps {
            match event.code {
                _ if maps.key(event, ClassroomBoards::maps().len()) => {}
                KeyCode::Enter => self.take_map(),
                KeyCode::Char(':' | '/') => {
                    self.maps = None;
                    self.open_line(false);
                }
                _ => self.maps = None,
            }
        } else if let Some(action) = meaning(KEYS, event) {
            self.apply(action);
        }
    }

    fn take_map(&mut self) {
        let Some(maps) = self.maps.take() else { return };
        if let Some((_, entry)) = ClassroomBoards::maps().get(maps.chosen) {
            self.open(entry.name);
        }
    }

    fn apply(&mut self, action: ClassroomKeyAction) {
        self.state.note = None;
        match action {
            ClassroomKeyAction::Go(dx, dy) => {
                let (x, y) = self.cursor;
                let moved = |at: u32, by: i32, all: u32| {
                    at.saturating_add_signed(by).min(all.saturating_sub(1))
                };
                self.cursor = (
                    moved(x, dx, self.boards.width()),
                    moved(y, dy, self.boards.height()),
                );
            }
            ClassroomKeyAction::Step => {
                self.is_running = false;
                self.boards.step(1);
            }
            ClassroomKeyAction::Run => {
                self.is_running = !self.is_running;
                self.waited = Duration::ZERO;
            }
            ClassroomKeyAction::Draw => self.draw_cell(),
            ClassroomKeyAction::Rule(by) => {
                let all = ClassroomRule::ALL.len();
                self.rule = (self.rule + all).saturating_add_signed(by) % all;
            }
            ClassroomKeyAction::Counts => self.shows_counts = !self.shows_counts,
            ClassroomKeyAction::Restart => {
                self.is_running = false;
                self.boards.restart();
            }
            ClassroomKeyAction::Clear => {
                self.is_running = false;
                self.boards.clear();
                self.map = "an empty board".into();
            }
            ClassroomKeyAction::Speed(by) => {
                let speed = self.speed.saturating_add_signed(by);
                self.speed = speed.min(SPEEDS.len() - 1);
                self.waited = Duration::ZERO;
            }
            ClassroomKeyAction::Maps => {
                let maps = ClassroomBoards::maps();
                let here = maps.iter().position(|(_, entry)| entry.name == self.map);
                self.maps = Some(ChoiceRows::new(here.unwrap_or(0)));
            }
            ClassroomKeyAction::File => self.open_line(false),
            ClassroomKeyAction::Save => self.open_line(true),
            ClassroomKeyAction::Help => {
                let sections = vec![
                    HelpSection::keys("the classroom", KEYS),
                    HelpSection::words("the mouse", &[("click", "draw there")]),
                    HelpSection::words(
                        "counts",
                        &[(
                            "0 to 9, a to w",
                            "what the rule counts around the cell; a is 10, b is 11",
                        )],
                    ),
                ];
                self.state.help = Some(ScreenHelp::new(sections));
            }
            ClassroomKeyAction::Leave => self.state.is_leaving = true,
        }
    }

    fn open_line(&mut self, is_saving: bool) {
        let line = match is_saving {
            true => TextInput::new(format!("{}.cells", self.rule())),
            false => TextInput::default(),
        };
        self.typed = Some(FileNameInput { line, is_saving });
    }

    /// Sets the cell at the cursor to its next state.
    fn draw_cell(&mut self) {
        let (x, y) = self.cursor;
        let rule = self.rule();
        if let Err(error) = self.boards.draw_next(rule, x, y) {
            self.show_message(error.to_string(), true);
        }
    }
}

struct ClassroomApp<'a> {
    screen: &'a mut ClassroomScreen,
    file_request: &'a mut dyn FnMut(&MapFileRequest) -> Result<Vec<u8>, String>,
}

impl FullScreenApp for ClassroomApp<'_> {
    fn event(&mut self, event: &Event) {
        self.screen.event(event);
        let Some(file_request) = self.screen.take_file_request() else {
            return;
        };
        match ((self.file_request)(&file_request), &file_request) {
            (Ok(bytes), MapFileRequest::Read { name }) => self.screen.read(name, &bytes),
            (Ok(_), MapFileRequest::Write { name, .. }) => {
                self.screen.show_message(format!("saved as {name}"), false);
            }
            (Err(words), _) => self.screen.show_message(words, true),
        }
    }

    fn update(&mut self, elapsed: Duration) -> io::Result<()> {
        self.screen.tick(elapsed);
        Ok(())
    }

    fn poll_interval(&self) -> Duration {
        match self.screen.is_running {
            true => Duration::from_secs(1) / SPEEDS[self.screen.speed],
            false => Duration::MAX,
        }
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        self.screen.draw(buffer)
    }

    fn state(&self) -> &ScreenState {
        &self.screen.state
    }
}
