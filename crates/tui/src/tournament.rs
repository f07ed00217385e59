//! The tournament screen: the standings, the running games, and their boards.
//!
//! [`TournamentScreen`] is a value: progress of the runner ([`TournamentScreenModel`]) and
//! positions of running games go in, characters come out. [`run()`] is its event loop; the caller
//! runs the tournament in a thread.

mod drawing;

use crate::app::TerminalProfile;
use crate::event_loop::{FullScreenApp, ScreenExit, TerminalError, show};
use crate::screen_state::ScreenState;
use crate::screens::help::{HelpSection, ScreenHelp};
use crate::screens::{ScreenKey, board, is_interrupt, key, meaning};
use ::tournament::TournamentProgress;
use ::tournament::rating::Standings;
use matches::{Broadcast, LivePosition};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyEvent, KeyEventKind, MouseEventKind};
use ratatui::layout::Position;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

/// What happens to the screen when the tournament is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndBehaviour {
    /// It closes: the caller prints the final standings.
    Leave,
    /// It waits until the user leaves, because another screen would hide the standings.
    Stay,
}

/// Runs the tournament screen in this terminal until it is over (all senders of `progress_receiver` are
/// dropped) and should close, the user leaves, or `is_stopped` returns true. Each of the
/// `broadcasts` is a running game to watch.
///
/// The terminal is restored also after an error and after a panic.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn run(
    screen: &mut TournamentScreen,
    progress_receiver: Receiver<TournamentScreenModel>,
    broadcasts: Vec<Arc<Broadcast>>,
    at_end: EndBehaviour,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    let mut app = TournamentApp {
        screen,
        progress_receiver,
        broadcasts,
        at_end,
    };
    show(&mut app, is_stopped)
}

/// The progress of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentScreenModel {
    standings: Standings,
    games: u64,
    planned: Option<u64>,
    played: u64,
    elapsed: Duration,
    round: Option<(usize, u32)>,
    running_games: Vec<[String; 2]>,
}

impl TournamentScreenModel {
    /// The model of a runner's progress.
    #[must_use]
    pub fn of(progress: &TournamentProgress<'_>) -> Self {
        let entries = progress.results.entries();
        let name = |player: usize| entries.get(player).map_or("", |entry| &entry.name);
        let names = |players: [usize; 2]| players.map(|player| name(player).to_string());
        let running_games = progress.under_way.iter();
        Self {
            standings: progress.results.standings(),
            games: progress.games,
            planned: progress.planned,
            played: progress.played,
            elapsed: progress.elapsed,
            round: progress.round,
            running_games: running_games.map(|next| names(next.players)).collect(),
        }
    }
}

/// The tournament screen: a pure function of its events and the tournament's progress.
pub struct TournamentScreen {
    title: String,
    game: String,
    model: Option<TournamentScreenModel>,
    /// The last position of each running game.
    positions: Vec<Option<LivePosition>>,
    /// The index of the watched game.
    watched: usize,
    /// Whether the board fills the screen.
    is_board: bool,
    /// The first visible row of the standings.
    first: usize,
    /// Whether the tournament is over.
    is_over: bool,
    state: ScreenState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TournamentKeyAction {
    Scroll(isize),
    Watch(isize),
    Board,
    Help,
    Leave,
}

#[rustfmt::skip]
const KEYS: &[ScreenKey<TournamentKeyAction>] = &[
    key("Up", TournamentKeyAction::Scroll(-1), "move the table"),
    key("Down", TournamentKeyAction::Scroll(1), ""),
    key("PageUp", TournamentKeyAction::Scroll(-10), ""),
    key("PageDown", TournamentKeyAction::Scroll(10), ""),
    key("Tab", TournamentKeyAction::Watch(1), "look at the next of the games that run"),
    key("Right", TournamentKeyAction::Watch(1), ""),
    key("Shift-Tab", TournamentKeyAction::Watch(-1), "at the one before"),
    key("Left", TournamentKeyAction::Watch(-1), ""),
    key("b", TournamentKeyAction::Board, "the board alone, or beside the table"),
    key("?", TournamentKeyAction::Help, "this help"),
    key("q", TournamentKeyAction::Leave, "stop; the same command goes on from there"),
    key("Escape", TournamentKeyAction::Leave, ""),
];

impl TournamentScreen {
    /// A screen with the tournament's name and its game.
    #[must_use]
    pub fn new(title: &str, game: &str, profile: TerminalProfile) -> Self {
        Self {
            title: title.into(),
            game: game.into(),
            model: None,
            positions: Vec::new(),
            watched: 0,
            is_board: false,
            first: 0,
            is_over: false,
            state: ScreenState::new((80, 24), profile),
        }
    }

    /// Updates the progress.
    pub fn receive_model(&mut self, model: TournamentScreenModel) {
        self.model = Some(model);
        self.state.is_stale = true;
    }

    /// Updates the position of a running game, by its index.
    pub fn receive_position(&mut self, game: usize, position: LivePosition) {
        if self.positions.len() <= game {
            self.positions.resize(game + 1, None);
        }
        self.positions[game] = Some(position);
        self.state.is_stale |= game == self.watched;
    }

    /// Marks the tournament as over.
    pub fn end(&mut self) {
        self.state.is_stale |= !self.is_over;
        self.is_over = true;
    }

    /// Whether the user has left.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.state.is_leaving
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        self.state.is_stale = true;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollUp => self.apply(TournamentKeyAction::Scroll(-1)),
                MouseEventKind::ScrollDown => self.apply(TournamentKeyAction::Scroll(1)),
                MouseEventKind::Down(_) => self.state.help = None,
                _ => {}
            },
            Event::Resize(columns, rows) => self.state.size = (*columns, *rows),
            _ => {}
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        if self.state.help_key(event) {
            return;
        }
        if is_interrupt(event) {
            self.state.is_leaving = true;
        } else if let Some(action) = meaning(KEYS, event) {
            self.apply(action);
        }
    }

    fn apply(&mut self, action: TournamentKeyAction) {
        match action {
            TournamentKeyAction::Scroll(by) => match &mut self.state.help {
                Some(help) => help.rows.by(by as i32),
                None => self.first = self.first.saturating_add_signed(by),
            },
            TournamentKeyAction::Watch(by) => {
                let all = self.positions.len().max(1);
                self.watched = (self.watched + all).saturating_add_signed(by) % all;
            }
            TournamentKeyAction::Board => self.is_board = !self.is_board,
            TournamentKeyAction::Help => {
                let sections = vec![
                    HelpSection::keys("a tournament", KEYS),
                    HelpSection::words(
                        "the table",
                        &[
                            (
                                "rating",
                                "on Elo's scale, with what it may be off by in 95 of 100 cases",
                            ),
                            ("faults", "games lost by a fault of the program"),
                        ],
                    ),
                    HelpSection::words("the board", board::SIGNS),
                ];
                self.state.help = Some(ScreenHelp::new(sections));
            }
            TournamentKeyAction::Leave => self.state.is_leaving = true,
        }
    }
}

struct TournamentApp<'a> {
    screen: &'a mut TournamentScreen,
    progress_receiver: Receiver<TournamentScreenModel>,
    broadcasts: Vec<Arc<Broadcast>>,
    at_end: EndBehaviour,
}

/// The poll interval for boards.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

impl FullScreenApp for TournamentApp<'_> {
    fn event(&mut self, event: &Event) {
        self.screen.event(event);
    }

    fn update(&mut self, _: Duration) -> io::Result<()> {
        for (game, broadcast) in self.broadcasts.iter().enumerate() {
            if let Some(position) = broadcast.take_position() {
                self.screen.receive_position(game, position);
            }
        }
        loop {
            match self.progress_receiver.try_recv() {
                Ok(model) => self.screen.receive_model(model),
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => {
                    self.screen.end();
                    return Ok(());
                }
            }
        }
    }

    fn poll_interval(&self) -> Duration {
        POLL_INTERVAL
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        self.screen.draw(buffer);
        None
    }

    fn state(&self) -> &ScreenState {
        &self.screen.state
    }

    fn is_leaving(&self) -> bool {
        self.screen.state.is_leaving || (self.screen.is_over && self.at_end == EndBehaviour::Leave)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::event;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        crate::screens::check_keys(KEYS);
    }

    #[test]
    fn the_screen_closes_or_waits_at_the_end() {
        for at_end in [EndBehaviour::Leave, EndBehaviour::Stay] {
            let mut screen = TournamentScreen::new("cup", "tictactoe", TerminalProfile::default());
            let (sender, progress_receiver) = std::sync::mpsc::channel();
            let mut app = TournamentApp {
                screen: &mut screen,
                progress_receiver,
                broadcasts: Vec::new(),
                at_end,
            };
            app.update(Duration::ZERO).unwrap();
            assert!(!app.is_leaving());
            drop(sender);
            app.update(Duration::ZERO).unwrap();
            assert_eq!(app.is_leaving(), at_end == EndBehaviour::Leave);
            assert!(!app.screen.is_leaving(), "nobody has left");
            app.event(&Event::Key(event("q").unwrap()));
            assert!(app.is_leaving());
        }
    }
}
