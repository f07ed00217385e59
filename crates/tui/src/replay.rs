//! The replay screen: recorded games, to step through, play back, and see from both seats.
//!
//! [`ReplayScreen`] is a value, as [`App`](crate::App) is.

mod drawing;
mod keys;

use crate::app::TerminalProfile;
use crate::event_loop::FullScreenApp;
use crate::input::TextInput;
use crate::panel::{ChoiceRows, ScrollRows};
use crate::screen_state::ScreenState;
use crate::screens::help::{HelpSection, ScreenHelp};
use crate::screens::{board, is_interrupt, meaning};
use games::Seat;
use keys::{KEYS, ReplayKeyAction};
use matches::replay::{CheckError, Replay, ReplayFrame, positions};
use models::counted;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, MouseEventKind};
use ratatui::layout::Position;
use std::io;
use std::time::Duration;

/// The replay screen: a pure function of its events and the elapsed time.
pub struct ReplayScreen {
    title: String,
    games: Vec<Replay>,
    /// The index of the shown game.
    game: usize,
    frames: Vec<ReplayFrame>,
    /// The error of a turn that cannot be played, after the last frame.
    wrong: Option<CheckError>,
    at: usize,
    seat: Seat,
    shows_both: bool,
    is_playing: bool,
    speed: usize,
    /// How long the current ply has been shown.
    waited: Duration,
    panel: Option<ReplayPanel>,
    typed: Option<TextInput>,
    state: ScreenState,
}

/// The panel that is open over the board.
enum ReplayPanel {
    Help(ScreenHelp),
    /// The list of games.
    List(ChoiceRows),
    /// The output of bots, and other facts about them.
    Said(ScrollRows),
}

/// Speeds in plies per second.
const SPEEDS: [u32; 8] = [1, 2, 5, 10, 20, 50, 100, 200];

impl ReplayScreen {
    /// A screen that starts at one of these games; `title` is the file's name. Panics without any
    /// game.
    #[must_use]
    pub fn new(title: &str, games: Vec<Replay>, game: usize, profile: TerminalProfile) -> Self {
        assert!(!games.is_empty(), "there is a game to show");
        let mut room = Self {
            title: title.into(),
            game: game.min(games.len() - 1),
            games,
            frames: Vec::new(),
            wrong: None,
            at: 0,
            seat: Seat::First,
            shows_both: false,
            is_playing: false,
            speed: 1,
            waited: Duration::ZERO,
            panel: None,
            typed: None,
            state: ScreenState::new((80, 24), profile),
        };
        room.load();
        room
    }

    /// The shown game.
    fn replay(&self) -> &Replay {
        &self.games[self.game]
    }

    /// The shown ply; 0 is the start.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.at
    }

    /// The shown position; `None` where the game cannot be read.
    #[must_use]
    pub fn frame(&self) -> Option<&ReplayFrame> {
        self.frames.get(self.at)
    }

    /// Whether the user has left.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.state.is_leaving
    }

    fn load(&mut self) {
        self.frames.clear();
        self.wrong = None;
        self.at = 0;
        self.is_playing = false;
        let record = &self.games[self.game].record;
        let film = match positions(record) {
            Ok(film) => film,
            Err(error) => {
                self.wrong = Some(error);
                return;
            }
        };
        for frame in film {
            match frame {
                Ok(frame) => self.frames.push(frame),
                Err(error) => self.wrong = Some(error),
            }
        }
    }

    fn last(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    fn has_two_views(&self) -> bool {
        self.frames.iter().any(|frame| frame.second.is_some())
    }

    /// Advances by the elapsed time.
    pub fn tick(&mut self, elapsed: Duration) {
        if !self.is_playing {
            return;
        }
        self.waited += elapsed;
        let each = Duration::from_secs(1) / SPEEDS[self.speed];
        while self.waited >= each && self.is_playing {
            self.waited -= each;
            self.state.is_stale = true;
            self.at += 1;
            self.is_playing = self.at < self.last();
        }
        self.at = self.at.min(self.last());
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        self.state.is_stale = true;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => {
                let rows = match mouse.kind {
                    MouseEventKind::ScrollUp => -1,
                    MouseEventKind::ScrollDown => 1,
                    MouseEventKind::Down(_) | MouseEventKind::Drag(_) => 0,
                    _ => return,
                };
                let at = Position::new(mouse.column, mouse.row);
                self.point(rows, at, matches!(mouse.kind, MouseEventKind::Down(_)));
            }
            Event::Resize(columns, rows) => self.state.size = (*columns, *rows),
            _ => {}
        }
    }

    /// Handles the wheel by a number of rows, or a press or a drag at a position.
    fn point(&mut self, rows: i32, at: Position, is_press: bool) {
        match &mut self.panel {
            Some(ReplayPanel::Help(help)) => help.rows.by(rows),
            Some(ReplayPanel::Said(said)) => said.by(rows),
            Some(ReplayPanel::List(list)) => {
                list.by(rows, self.games.len());
                if is_press && list.click(at, self.games.len()).is_some() {
                    let chosen = list.chosen;
                    self.go_to_game(chosen);
                }
                return;
            }
            None if rows != 0 => return self.go_to(self.at.saturating_add_signed(rows as isize)),
            None => {
                // The track shows the whole game.
                if at.y + 2 == self.state.size.1 {
                    let (first, wide) = self.track();
                    let along = usize::from(at.x.saturating_sub(first)).min(wide);
                    let ply = along * self.last() / wide.max(1);
                    self.go_to(ply);
                }
                return;
            }
        }
        if is_press {
            self.panel = None;
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        if let Some(panel) = &mut self.panel {
            let stays = match panel {
                ReplayPanel::Help(help) => help.key(event),
                ReplayPanel::Said(rows) => rows.scroll_key(event),
                ReplayPanel::List(list) => match event.code {
                    KeyCode::Enter => {
                        let chosen = list.chosen;
                        return self.go_to_game(chosen);
                    }
                    KeyCode::Home => {
                        list.chosen = 0;
                        true
                    }
                    KeyCode::End => {
                        list.chosen = self.games.len() - 1;
                        true
                    }
                    _ => list.key(event, self.games.len()),
                },
            };
            if !stays {
                self.panel = None;
            }
        } else if is_interrupt(event) {
            self.state.is_leaving = true;
        } else if let Some(typed) = &mut self.typed {
            match event.code {
                KeyCode::Esc => self.typed = None,
                KeyCode::Enter => {
                    let text = typed.text().trim().to_string();
                    self.typed = None;
                    match text.parse::<usize>() {
                        Ok(ply) if ply <= self.last() => self.go_to(ply),
                        Ok(_) => {
                            let all = counted(self.last(), "turn");
                            self.state.refuse(format!("the game has {all}"));
                        }
                        Err(_) => {
                            self.state.refuse(format!("`{text}` is no number"));
                        }
                    }
                }
                _ => {
                    typed.key(event);
                }
            }
        } else if let Some(action) = meaning(KEYS, event) {
            self.apply(action);
        }
    }

    fn apply(&mut self, action: ReplayKeyAction) {
        self.state.note = None;
        match action {
            ReplayKeyAction::By(by) => self.go_to(self.at.saturating_add_signed(by)),
            ReplayKeyAction::Start => self.go_to(0),
            ReplayKeyAction::End => self.go_to(self.last()),
            ReplayKeyAction::Play => {
                // At the end, playback starts over.
                if !self.is_playing && self.at == self.last() {
                    self.at = 0;
                }
                self.is_playing = !self.is_playing && self.last() > 0;
                self.waited = Duration::ZERO;
            }
            ReplayKeyAction::Speed(by) => {
                let speed = self.speed.saturating_add_signed(by);
                self.speed = speed.min(SPEEDS.len() - 1);
                self.waited = Duration::ZERO;
            }
            ReplayKeyAction::GoTo => self.typed = Some(TextInput::default()),
            ReplayKeyAction::Turn if self.has_two_views() => self.seat = self.seat.other(),
            ReplayKeyAction::Both if self.has_two_views() => self.shows_both = !self.shows_both,
            ReplayKeyAction::Turn | ReplayKeyAction::Both => {
                self.state.inform("both see the same board")
            }
            ReplayKeyAction::Game(by) => match self.game.checked_add_signed(by) {
                Some(game) if game < self.games.len() => self.go_to_game(game),
                _ => {
                    let which = if by > 0 { "last" } else { "first" };
                    self.state
                        .inform(format!("this is the {which} game of the file"));
                }
            },
            ReplayKeyAction::List => {
                self.panel = Some(ReplayPanel::List(ChoiceRows::new(self.game)));
            }
            ReplayKeyAction::Said => self.panel = Some(ReplayPanel::Said(ScrollRows::default())),
            ReplayKeyAction::Help => {
                let sections = vec![
                    HelpSection::keys("a replay", KEYS),
                    HelpSection::words(
                        "the mouse",
                        &[
                            ("the line below", "press or drag: to that turn"),
                            ("wheel", "a turn back, or on"),
                        ],
                    ),
                    HelpSection::words("the board", board::SIGNS),
                ];
                self.panel = Some(ReplayPanel::Help(ScreenHelp::new(sections)));
            }
            ReplayKeyAction::Leave => self.state.is_leaving = true,
        }
    }

    fn go_to(&mut self, ply: usize) {
        self.at = ply.min(self.last());
        self.is_playing = false;
    }

    fn go_to_game(&mut self, game: usize) {
        self.panel = None;
        self.game = game.min(self.games.len() - 1);
        self.load();
    }
}

impl FullScreenApp for ReplayScreen {
    fn event(&mut self, event: &Event) {
        ReplayScreen::event(self, event);
    }

    fn update(&mut self, elapsed: Duration) -> io::Result<()> {
        self.tick(elapsed);
        Ok(())
    }

    fn poll_interval(&self) -> Duration {
        match self.is_playing {
            true => Duration::from_secs(1) / SPEEDS[self.speed],
            false => Duration::MAX,
        }
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        ReplayScreen::draw(self, buffer)
    }

    fn state(&self) -> &ScreenState {
        &self.state
    }
}
