//! The play screen: a game against a built-in player or a bot, or between two people.
//!
//! [`PlayScreen`] is a value, as [`App`](crate::App) is. Players think at a separate table
//! ([`Thinker`]): the screen says what it needs ([`PlayScreen::query`]), and its owner
//! passes the result in ([`PlayScreen::receive_answer`]); [`run()`] does so in a thread. So the screen
//! never waits for a player, and a player never sees a person's unfinished move.
//!
//! Boards and moves are drawn and read through the game's diagram, so this module is independent
//! of the games.

mod drawing;
mod event_loop;
mod keys;
mod mouse;
mod play_session;
mod setup;

pub use event_loop::run;
pub use play_session::{AdviceQuery, AdviceResult};

use crate::app::TerminalProfile;
use crate::input::TextInput as Line;
use crate::screen_state::ScreenState;
use crate::screens::help::{HelpSection, ScreenHelp};
use crate::screens::{board, is_interrupt, meaning};
use arena::{Entrant, EntrantError, MatchConditions};
use games::{AnyGame, Input, Seat};
use keys::{KEYS, PlayKeyAction};
use models::play::{Thinker, ThoughtRequest};
use play_session::PlaySession;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind};
use setup::{PlaySetupForm, SetupFormRequest};
use std::time::Duration;

/// Options that are known before the game begins.
#[derive(Clone, Debug, Default)]
pub struct PlayScreenOptions {
    /// The game; `None` to ask for it.
    pub game: Option<AnyGame>,
    /// The players; `None` to ask for them. `None` in a seat is a person.
    pub players: Option<[Option<Entrant>; 2]>,
    /// The conditions for bots.
    pub conditions: MatchConditions,
    /// The seed for random choices.
    pub seed: u64,
}

/// The play screen: a pure function of its events, the elapsed time, and the players' answers.
///
/// ```
/// use ratatui::{buffer::Buffer, crossterm::event::Event, layout::Rect};
/// let terms = tui::play::PlayScreenOptions {
///     game: Some("tictactoe".parse()?),
///     players: Some([None, None]),
///     ..Default::default()
/// };
/// let mut room = tui::play::PlayScreen::new(terms, (80, 24), tui::TerminalProfile::default())?;
/// room.event(&tui::key("Enter").map(Event::Key).expect("a key"));
/// let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
/// room.draw(&mut buffer);
/// assert_eq!(room.history(), ["B2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlayScreen {
    options: PlayScreenOptions,
    session: Option<PlaySession>,
    setup: Option<PlaySetupForm>,
    view: BoardViewpoint,
    /// The first visible cell where the board is clipped.
    corner: (usize, usize),
    shows_preview: bool,
    shows_why: bool,
    typed: Option<PlayInputLine>,
    saves: Option<ReplaySaveRequest>,
    state: ScreenState,
}

/// From which seat the board is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoardViewpoint {
    Own,
    Other,
    Both,
}

/// A text while it is being typed.
struct PlayInputLine {
    line: Line,
    is_file: bool,
}

/// A request to save the game as a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplaySaveRequest {
    /// The file's name, as it was typed.
    pub name: String,
    /// The text of the replay.
    pub text: String,
}

impl PlayScreen {
    /// Creates the screen. Where game and players are named the game begins; else a form asks for
    /// them.
    ///
    /// # Errors
    /// A player does not exist or cannot play this game.
    pub fn new(
        options: PlayScreenOptions,
        size: (u16, u16),
        profile: TerminalProfile,
    ) -> Result<Self, EntrantError> {
        let mut screen = Self {
            session: None,
            setup: None,
            view: BoardViewpoint::Own,
            corner: (0, 0),
            shows_preview: true,
            shows_why: false,
            typed: None,
            saves: None,
            state: ScreenState::new(size, profile),
            options,
        };
        match (screen.options.game.clone(), screen.options.players.clone()) {
            (Some(game), Some(players)) => screen.seat_players(&game, &players)?,
            (game, players) => {
                screen.setup = Some(PlaySetupForm::new(game.as_ref(), players.as_ref()))
            }
        }
        Ok(screen)
    }

    fn seat_players(
        &mut self,
        game: &AnyGame,
        players: &[Option<Entrant>; 2],
    ) -> Result<(), EntrantError> {
        let (conditions, seed) = (&self.options.conditions, self.options.seed);
        self.session = Some(PlaySession::begin(game, players, conditions, seed)?);
        self.setup = None;
        self.view = BoardViewpoint::Own;
        self.state.note = None;
        Ok(())
    }

    /// Takes the thinking players after a game has begun, once: the caller answers
    /// for them.
    pub fn take_thinker(&mut self) -> Option<Thinker> {
        self.session.as_mut()?.thinker.take()
    }

    /// The query that has to be answered, if any.
    #[must_use]
    pub fn query(&self) -> Option<AdviceQuery> {
        self.session.as_ref()?.query()
    }

    /// The same with everything needed to answer it.
    #[must_use]
    pub fn request(&self, query: &AdviceQuery) -> Option<ThoughtRequest> {
        Some(self.session.as_ref()?.request(query))
    }

    /// Passes in the answer to a query; an outdated answer is ignored.
    pub fn receive_answer(&mut self, wanted: &AdviceQuery, answer: AdviceResult) {
        if self.query().as_ref() != Some(wanted) {
            return;
        }
        self.state.is_stale = true;
        let Some(session) = &mut self.session else {
            return;
        };
        let is_hint = wanted.hint.is_some();
        match session.receive_answer(wanted, answer) {
            Ok(()) if is_hint => {
                let choice = session.hint.as_ref().map_or("", |hint| &hint.advice.choice);
                let player = wanted.hint.as_deref().unwrap_or_default();
                self.state
                    .inform(format!("{player} would play {choice} · w why"));
            }
            Ok(()) => self.state.note = None,
            Err(error) => self.state.refuse(error.to_string()),
        }
    }

    /// The turns that were played.
    #[must_use]
    pub fn history(&self) -> &[String] {
        self.session
            .as_ref()
            .map_or(&[], |session| session.game.table().history())
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let session = self.session.as_ref();
        session.is_some_and(|session| session.game.is_over())
    }

    /// Takes the request to save the game, if there is one.
    pub fn take_saved(&mut self) -> Option<ReplaySaveRequest> {
        self.saves.take()
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

    /// Whether the screen has to be redrawn.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.state.is_stale
    }

    /// Advances by the elapsed time.
    pub fn tick(&mut self, elapsed: Duration) {
        let is_thinking = self.query().is_some();
        if let Some(session) = self.session.as_mut().filter(|_| is_thinking) {
            let before = session.thinking.as_secs();
            session.thinking += elapsed;
            self.state.is_stale |= session.thinking.as_secs() != before;
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

    fn key(&mut self, event: &KeyEvent) {
        if self.state.help_key(event) {
            return;
        }
        if is_interrupt(event) {
            self.state.is_leaving = true;
        } else if self.typed.is_some() {
            self.handle_input_key(event);
        } else if let Some(setup) = &mut self.setup {
            let request = setup.key(event);
            self.handle_request(request);
        } else if let Some(action) = meaning(KEYS, event) {
            self.apply(action);
        }
    }

    fn handle_request(&mut self, request: SetupFormRequest) {
        match request {
            SetupFormRequest::Stay => {}
            // Closing the form returns to the current game, if there is one.
            SetupFormRequest::Close if self.session.is_some() => self.setup = None,
            SetupFormRequest::Close => self.state.is_leaving = true,
            SetupFormRequest::Help => self.open_help(),
            SetupFormRequest::Rules => self.open_rules(),
            SetupFormRequest::Begin => self.start_game(),
        }
    }

    /// Begins the game of the form.
    fn start_game(&mut self) {
        let Some(setup) = &self.setup else { return };
        let Some(game) = setup.game() else { return };
        let begun = setup.players().and_then(|players| {
            let conditions = &self.options.conditions;
            for bot in players.iter().flatten() {
                if let Some(program) = bot.missing_program(conditions) {
                    let program = program.to_string_lossy().into_owned();
                    return Ok(Some(format!("{bot}: there is no program {program}")));
                }
            }
            self.seat_players(&game, &players).map(|()| None)
        });
        let wrong = begun.unwrap_or_else(|error| Some(error.to_string()));
        if let Some(setup) = &mut self.setup {
            setup.wrong = wrong;
        }
    }

    fn open_help(&mut self) {
        let sections = vec![
            HelpSection::keys("a game", KEYS),
            HelpSection::words(
                "the mouse",
                &[
                    ("click", "makes the move; marks a cell of the column"),
                    ("its letter", "sends the column"),
                    ("wheel", "looks at the positions before"),
                ],
            ),
            HelpSection::words(
                "before a game",
                &[
                    ("Up Down", "another row"),
                    ("Left Right", "another value"),
                    ("e", "type a value, such as mnk:7,7,5 or cmd:./my-bot"),
                    ("x", "exchange the seats"),
                    ("i", "the rules of the game"),
                    ("Enter", "begin"),
                ],
            ),
            HelpSection::words("the board", board::SIGNS),
        ];
        self.state.help = Some(ScreenHelp::new(sections));
    }

    /// Shows the rules of the game, or of the form's choice.
    fn open_rules(&mut self) {
        let chosen = self.setup.as_ref().and_then(PlaySetupForm::game);
        let played = self
            .session
            .as_ref()
            .map(|session| session.game.game().clone());
        if let Some(game) = chosen.or(played) {
            self.state.help = Some(ScreenHelp::from_text("rules", &game.rules()));
        }
    }

    fn apply(&mut self, action: PlayKeyAction) {
        let Some(session) = &mut self.session else {
            return;
        };
        if !matches!(action, PlayKeyAction::Help | PlayKeyAction::Rules) {
            self.state.note = None;
        }
        match action {
            PlayKeyAction::Go(dx, dy) => self.go(dx, dy),
            PlayKeyAction::Choose => self.choose(),
            PlayKeyAction::Mark => self.mark(),
            PlayKeyAction::Type => self.open_input(false),
            PlayKeyAction::Hint | PlayKeyAction::Analyse => {
                self.shows_why |= action == PlayKeyAction::Analyse;
                let is_over = session.game.is_over();
                let words = match session.ask_hint() {
                    true => "looking for a move · esc gives up".to_string(),
                    false if is_over => "the game is over".to_string(),
                    false => session.why_no_move(),
                };
                self.state.inform(words);
            }
            PlayKeyAction::Why => {
                self.shows_why = !self.shows_why;
                if self.shows_why && session.thought().is_none() {
                    self.state
                        .inform("nobody has thought yet · h asks for a hint");
                }
            }
            PlayKeyAction::Back => {
                if !session.take_back() {
                    self.state.refuse("there is no move of yours to take back");
                }
            }
            PlayKeyAction::Again => session.restart(),
            PlayKeyAction::Setup => {
                let game = session.game.game().clone();
                let parsed = session.names.each_ref().map(|name| {
                    let name = name.as_ref()?;
                    name.parse::<Entrant>().ok()
                });
                self.setup = Some(PlaySetupForm::new(Some(&game), Some(&parsed)));
            }
            PlayKeyAction::View => self.turn_view(),
            PlayKeyAction::Preview => {
                self.shows_preview = !self.shows_preview;
                let words = match self.shows_preview {
                    true => "what a move brings about is shown",
                    false => "what a move brings about is not shown",
                };
                self.state.inform(words);
            }
            PlayKeyAction::Look(by) => self.look_back(by),
            PlayKeyAction::Save => self.open_input(true),
            PlayKeyAction::Resign => {
                if !session.resign() {
                    self.state.inform("there is nobody to resign");
                }
            }
            PlayKeyAction::Drop => {
                session.drop_hint();
                session.back = None;
                session.hint = None;
            }
            PlayKeyAction::Rules => self.open_rules(),
            PlayKeyAction::Help => self.open_help(),
            PlayKeyAction::Leave => self.state.is_leaving = true,
        }
    }

    fn go(&mut self, dx: isize, dy: isize) {
        let Some(session) = &mut self.session else {
            return;
        };
        let diagram = session.game.table().diagram(Seat::First);
        let (column, row) = session.cursor;
        let moved = |at: usize, by: isize, all: usize| {
            at.saturating_add_signed(by).min(all.saturating_sub(1))
        };
        let column = match session.game.table().input() {
            Input::Cell => moved(column, dx, diagram.columns.len()),
            // Only the column can be entered.
            Input::Column(column) => column,
        };
        session.cursor = (column, moved(row, dy, diagram.rows.len()));
    }

    /// Makes the move at the cursor.
    fn choose(&mut self) {
        let Some(session) = &mut self.session else {
            return;
        };
        if session.back.take().is_some() {
            return;
        }
        let Some((_, text)) = session.move_in_hand() else {
            let words = session.why_no_move();
            self.state.inform(words);
            return;
        };
        self.play(&text);
    }

    fn play(&mut self, text: &str) {
        let Some(session) = &mut self.session else {
            return;
        };
        if let Err(error) = session.play(text) {
            self.state.refuse(error.to_string());
        }
    }

    /// Marks a cell of the column; in games without columns, makes the move.
    fn mark(&mut self) {
        let Some(session) = &mut self.session else {
            return;
        };
        if session.people().next().is_none() {
            session.is_paused = !session.is_paused;
            return;
        }
        if session.game.table().input() == Input::Cell {
            return self.choose();
        }
        if session.acting().is_none() {
            let words = session.why_no_move();
            self.state.inform(words);
            return;
        }
        let row = session.cursor.1;
        if let Some(cell) = session.column.get_mut(row) {
            *cell = !*cell;
        }
    }

    fn turn_view(&mut self) {
        let Some(session) = &self.session else { return };
        if !session.has_two_views() {
            self.state.inform("both see the same board");
            return;
        }
        self.view = match self.view {
            BoardViewpoint::Own => BoardViewpoint::Other,
            BoardViewpoint::Other if self.has_room_for_both() => BoardViewpoint::Both,
            BoardViewpoint::Other | BoardViewpoint::Both => BoardViewpoint::Own,
        };
    }

    fn look_back(&mut self, by: isize) {
        let Some(session) = &mut self.session else {
            return;
        };
        let last = session.game.table().turns();
        let at = session.at().saturating_add_signed(by).min(last);
        session.back = (at < last).then_some(at);
    }

    fn open_input(&mut self, is_file: bool) {
        let line = match is_file {
            true => Line::new("game.replay"),
            false => Line::default(),
        };
        self.typed = Some(PlayInputLine { line, is_file });
    }

    fn handle_input_key(&mut self, event: &KeyEvent) {
        let Some(typed) = &mut self.typed else { return };
        match event.code {
            KeyCode::Esc => self.typed = None,
            KeyCode::Enter => {
                let (text, is_file) = (typed.line.text().trim().to_string(), typed.is_file);
                self.typed = None;
                match (text.is_empty(), is_file) {
                    (true, _) => {}
                    (false, true) => self.save(text),
                    (false, false) => self.play(&text),
                }
            }
            _ => {
                typed.line.key(event);
            }
        }
    }

    fn save(&mut self, name: String) {
        let Some(session) = &self.session else { return };
        match session.record() {
            Ok(record) => {
                let text = matches::replay::text(&record);
                self.saves = Some(ReplaySaveRequest { name, text });
            }
            Err(error) => self.state.refuse(error.to_string()),
        }
    }
}
