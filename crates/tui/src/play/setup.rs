//! The form for game and players.

use crate::bar::cut;
use crate::ink::Ink;
use crate::input::TextInput;
use crate::panel::field;
use arena::Entrant;
use games::AnyGame;
use matches::champion;
use players::able_players;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};

/// The name of a seat with a person.
pub(super) const PERSON: &str = "a person";

/// The chosen game and players.
pub(super) struct PlaySetupForm {
    games: Vec<String>,
    game: usize,
    /// The possible players of this game; a person first.
    players: Vec<String>,
    seats: [usize; 2],
    /// The row that keys apply to: the game, the seats, and the start.
    row: usize,
    typed: Option<TextInput>,
    /// The area of the rows at the last drawing.
    area: Rect,
    pub(super) wrong: Option<String>,
}

/// The user's request after a key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SetupFormRequest {
    Stay,
    Begin,
    Close,
    Help,
    Rules,
}

/// The number of rows.
const ROWS: usize = 4;

impl PlaySetupForm {
    /// A form with an optional initial game and players.
    pub(super) fn new(game: Option<&AnyGame>, players: Option<&[Option<Entrant>; 2]>) -> Self {
        let mut games: Vec<String> = AnyGame::well_known().map(|game| game.to_string()).collect();
        let text = game.map(ToString::to_string);
        let known = text.as_ref().map(|text| {
            games.iter().position(|game| {
                let game: Result<AnyGame, _> = game.parse();
                game.is_ok_and(|game| game.to_string() == *text)
            })
        });
        let game = match (known, text) {
            (Some(Some(at)), _) => at,
            (_, Some(text)) => {
                games.insert(0, text);
                0
            }
            _ => 0,
        };
        let mut setup = Self {
            games,
            game,
            players: Vec::new(),
            seats: [0, 1],
            row: if known.is_some() { ROWS - 1 } else { 0 },
            typed: None,
            area: Rect::default(),
            wrong: None,
        };
        setup.update_players();
        for (seat, player) in players.into_iter().flatten().enumerate() {
            if let Some(player) = player {
                setup.seat(seat, player.to_string());
            } else {
                setup.seats[seat] = 0;
            }
        }
        setup
    }

    /// The chosen game.
    pub(super) fn game(&self) -> Option<AnyGame> {
        self.games[self.game].parse().ok()
    }

    /// The chosen players.
    pub(super) fn players(&self) -> Result<[Option<Entrant>; 2], arena::EntrantError> {
        let [first, second] = self.seats.map(|at| match at {
            0 => Ok(None),
            at => self.players[at].parse().map(Some),
        });
        Ok([first?, second?])
    }

    fn seat(&mut self, seat: usize, player: String) {
        let at = self.players.iter().position(|known| *known == player);
        self.seats[seat] = at.unwrap_or_else(|| {
            self.players.push(player);
            self.players.len() - 1
        });
    }

    /// Updates the possible players for the chosen game; the chosen ones are kept if possible.
    fn update_players(&mut self) {
        let before: Vec<_> = self
            .seats
            .map(|at| self.players.get(at).cloned())
            .into_iter()
            .collect();
        let Some(game) = self.game() else { return };
        let champion = champion(&game);
        self.players = vec![PERSON.to_string(), champion.clone()];
        let able = able_players(&game).into_iter();
        let others = able.filter(|name| *name != champion);
        self.players.extend(others.map(String::from));
        for (seat, before) in before.into_iter().enumerate() {
            let kept = before.and_then(|name| self.players.iter().position(|known| *known == name));
            self.seats[seat] = kept.unwrap_or(self.seats[seat].min(1));
        }
    }

    /// Handles a key.
    pub(super) fn key(&mut self, event: &KeyEvent) -> SetupFormRequest {
        if let Some(typed) = &mut self.typed {
            match event.code {
                KeyCode::Esc => self.typed = None,
                KeyCode::Enter => {
                    let text = typed.text().trim().to_string();
                    self.typed = None;
                    self.take(text);
                }
                _ => {
                    typed.key(event);
                }
            }
            return SetupFormRequest::Stay;
        }
        self.wrong = None;
        match event.code {
            KeyCode::Esc | KeyCode::Char('q') => return SetupFormRequest::Close,
            KeyCode::Char('?') => return SetupFormRequest::Help,
            KeyCode::Char('i') => return SetupFormRequest::Rules,
            KeyCode::Enter => return SetupFormRequest::Begin,
            KeyCode::Up | KeyCode::BackTab => self.row = (self.row + ROWS - 1) % ROWS,
            KeyCode::Down | KeyCode::Tab => self.row = (self.row + 1) % ROWS,
            KeyCode::Left => self.turn(-1),
            KeyCode::Right | KeyCode::Char(' ') => self.turn(1),
            KeyCode::Char('x') => {
                self.seats.swap(0, 1);
            }
            KeyCode::Char('e' | ':') if self.row < ROWS - 1 => {
                self.typed = Some(TextInput::new(self.value(self.row)));
            }
            _ => {}
        }
        SetupFormRequest::Stay
    }

    /// Handles a click: on a row it selects it, on the selected row it chooses the next value, on
    /// the last row it begins.
    pub(super) fn click(&mut self, at: Position) -> SetupFormRequest {
        if !self.area.contains(at) || !(at.y - self.area.y).is_multiple_of(2) {
            return SetupFormRequest::Stay;
        }
        let row = usize::from((at.y - self.area.y) / 2);
        if row == ROWS - 1 {
            return SetupFormRequest::Begin;
        }
        if row == self.row {
            self.turn(1);
        }
        self.row = row.min(ROWS - 1);
        SetupFormRequest::Stay
    }

    /// Chooses the next or previous value of the row.
    pub(super) fn turn(&mut self, by: isize) {
        let next = |at: usize, all: usize| (at + all).saturating_add_signed(by) % all;
        match self.row {
            0 => {
                self.game = next(self.game, self.games.len());
                self.update_players();
            }
            row @ 1..=2 => self.seats[row - 1] = next(self.seats[row - 1], self.players.len()),
            _ => {}
        }
    }

    fn value(&self, row: usize) -> &str {
        match row {
            0 => &self.games[self.game],
            1 | 2 => &self.players[self.seats[row - 1]],
            _ => "",
        }
    }

    /// Sets the row's value to the typed text.
    fn take(&mut self, text: String) {
        if self.row == 0 {
            match text.parse::<AnyGame>() {
                Ok(_) => {
                    let at = self.games.iter().position(|known| *known == text);
                    self.game = at.unwrap_or_else(|| {
                        self.games.push(text);
                        self.games.len() - 1
                    });
                    self.update_players();
                }
                Err(error) => self.wrong = Some(error.to_string()),
            }
        } else if text == PERSON || text == "human" || text == "you" {
            self.seats[self.row - 1] = 0;
        } else {
            match text.parse::<Entrant>() {
                Ok(_) => self.seat(self.row - 1, text),
                Err(error) => self.wrong = Some(error.to_string()),
            }
        }
    }

    /// Draws the form. Returns the position of the input cursor, if there is one.
    pub(super) fn draw(&mut self, buffer: &mut Buffer, area: Rect, ink: Ink) -> Option<Position> {
        let wide = 72.min(area.width);
        let x = area.x + (area.width - wide) / 2;
        let y = area.y + area.height.saturating_sub(2 * ROWS as u16) / 2;
        self.area = Rect::new(x, y, wide, 2 * ROWS as u16);
        let mut cursor = None;
        for (row, label) in ["game", "first seat", "second seat", ""].iter().enumerate() {
            let y = y + 2 * row as u16;
            if y >= area.bottom() {
                break;
            }
            let is_here = row == self.row;
            let style = if is_here { ink.chosen() } else { ink.strong() };
            buffer.set_string(
                x,
                y,
                " ".repeat(wide.into()),
                if is_here { style } else { ink.text() },
            );
            let soft = if is_here { ink.chosen() } else { ink.soft() };
            buffer.set_stringn(x + 1, y, label, 12, soft);
            let available = usize::from(wide.saturating_sub(18));
            if row == ROWS - 1 {
                buffer.set_stringn(x + 1, y, "enter begins", available, style);
            } else if let (true, Some(typed)) = (is_here, &self.typed) {
                buffer.set_string(x + 14, y, " ".repeat(usize::from(wide) - 14), ink.text());
                let line = Rect::new(x + 14, y, wide - 14, 1);
                cursor = Some(field(buffer, line, "", typed, "", ink));
            } else {
                buffer.set_stringn(x + 14, y, "‹", 1, soft);
                let value = match (row, self.game()) {
                    (0, Some(game)) => titled(&game),
                    _ => self.value(row).to_string(),
                };
                let value = cut(&value, available);
                buffer.set_stringn(x + 16, y, value, available, style);
                buffer.set_stringn(x + wide - 2, y, "›", 1, soft);
            }
        }
        cursor
    }
}

/// A game's title, and the name to type beside it.
fn titled(game: &AnyGame) -> String {
    format!("{} · {game}", game.title())
}
