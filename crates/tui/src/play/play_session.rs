//! A game in progress from the people's side: whose turn it is, unfinished moves, and the queries
//! for the thinking players.

use arena::{Entrant, EntrantError, MatchConditions};
use games::{AnyGame, Diagram, DiagramMark, Input, Outcome, Seat, Turn};
use matches::replay::CheckError;
use matches::{Advice, Record, TableError};
use models::play::{GameTable, SeatThought, TableGameEnd, Thinker, ThoughtRequest};
use std::time::Duration;

/// A query for a thinking player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdviceQuery {
    /// The position's number, unique over all games.
    position: u64,
    /// The seat to advise.
    pub seat: Seat,
    /// The player that gives a hint; `None` for the move of the player in that seat.
    pub hint: Option<String>,
}

/// The answer to a query.
pub type AdviceResult = Result<Advice, TableError>;

/// The game on the screen.
pub(super) struct PlaySession {
    pub(super) game: GameTable,
    /// The thinking players, until the caller takes them.
    pub(super) thinker: Option<Thinker>,
    /// The players' names; `None` for a person.
    pub(super) names: [Option<String>; 2],
    /// The player that gives hints.
    champion: String,
    /// The number of the position; it increases with each one.
    position: u64,
    /// The cell at the cursor.
    pub(super) cursor: (usize, usize),
    /// The marked cells of a column.
    pub(super) column: Vec<bool>,
    /// The shown position, where it is not the last one.
    pub(super) back: Option<usize>,
    pub(super) hint: Option<SeatThought>,
    /// The seat that asked for a hint.
    asks_hint: Option<Seat>,
    /// Whether a game between two players is paused.
    pub(super) is_paused: bool,
    /// The thinking time so far.
    pub(super) thinking: Duration,
}

impl PlaySession {
    pub(super) fn begin(
        game: &AnyGame,
        players: &[Option<Entrant>; 2],
        conditions: &MatchConditions,
        seed: u64,
    ) -> Result<Self, EntrantError> {
        let seated = players.each_ref().map(Option::as_ref);
        let thinker = Thinker::open(game, seated, conditions, seed)?;
        let names = thinker.names();
        let table = GameTable::new(game.clone(), seed);
        let diagram = table.table().diagram(Seat::First);
        let (columns, rows) = (diagram.columns.len(), diagram.rows.len());
        let cursor = match table.table().input() {
            Input::Cell => (columns / 2, rows / 2),
            Input::Column(column) => (column, rows / 2),
        };
        Ok(Self {
            thinker: Some(thinker),
            champion: matches::champion(game),
            names,
            game: table,
            position: 0,
            cursor,
            column: vec![false; rows],
            back: None,
            hint: None,
            asks_hint: None,
            is_paused: false,
            thinking: Duration::ZERO,
        })
    }

    /// Starts a new game with the same players.
    pub(super) fn restart(&mut self) {
        self.game.begin(self.game.seed().wrapping_add(1));
        self.reset_position();
    }

    /// Resets the state of a position after a move.
    fn reset_position(&mut self) {
        self.position += 1;
        self.back = None;
        self.asks_hint = None;
        self.hint = None;
        self.thinking = Duration::ZERO;
        self.column.fill(false);
    }

    /// The hint, or else the last thought.
    pub(super) fn thought(&self) -> Option<&SeatThought> {
        let last = || self.game.thoughts().max_by_key(|thought| thought.turns);
        self.hint.as_ref().or_else(last)
    }

    pub(super) fn sign(&self, seat: Seat) -> char {
        let diagram = self.game.table().diagram(Seat::First);
        let mark = DiagramMark::of(seat);
        crate::screens::board::stone(&diagram, mark).unwrap_or(diagram.signs[seat.index()])
    }

    /// What people call a seat's side: `O`, `black`.
    pub(super) fn side(&self, seat: Seat) -> &'static str {
        self.game.table().diagram(Seat::First).names[seat.index()]
    }

    pub(super) fn people(&self) -> impl Iterator<Item = Seat> {
        let is_person = |seat: &Seat| self.names[seat.index()].is_none();
        Seat::BOTH.into_iter().filter(is_person)
    }

    /// The seat's player in a word or two.
    pub(super) fn name(&self, seat: Seat) -> String {
        match &self.names[seat.index()] {
            Some(name) => name.clone(),
            None if self.people().count() == 1 => "you".into(),
            None => "a person".into(),
        }
    }

    /// The person to move; where both move at once, the first who has not moved.
    pub(super) fn acting(&self) -> Option<Seat> {
        self.people().find(|&seat| self.game.awaits(seat))
    }

    /// The seat whose view is shown.
    pub(super) fn view_seat(&self) -> Seat {
        let people: Vec<Seat> = self.people().collect();
        match people[..] {
            [seat] => seat,
            [] => Seat::First,
            _ if self.game.table().turn() == Turn::Both => self.acting().unwrap_or(Seat::First),
            _ => Seat::First,
        }
    }

    /// Whether the seats have different views of the board.
    pub(super) fn has_two_views(&self) -> bool {
        matches!(self.game.table().input(), Input::Column(_))
            || self.game.table().diagram(Seat::First) != self.game.table().diagram(Seat::Second)
    }

    /// The index of the shown position.
    pub(super) fn at(&self) -> usize {
        self.back.unwrap_or(self.game.table().turns())
    }

    pub(super) fn diagram(&self, seat: Seat) -> Diagram {
        let past = self
            .back
            .and_then(|at| self.game.table().diagram_at(at, seat));
        past.unwrap_or_else(|| self.game.table().diagram(seat))
    }

    /// Why no person can move now.
    pub(super) fn why_no_move(&self) -> String {
        if self.game.is_over() {
            return "the game is over · n plays it again".into();
        }
        if self.people().next().is_none() {
            return "nobody plays from this keyboard · space waits and goes on".into();
        }
        let waiting = Seat::BOTH.into_iter().find(|&seat| self.game.awaits(seat));
        let name = waiting.map_or_else(|| "the other".into(), |seat| self.name(seat));
        match self.game.table().turn() {
            Turn::Both => format!("your column is sent · {name} has yet to write one"),
            _ => format!("it is the turn of {name} · wait for its move"),
        }
    }

    /// The move at the cursor or in the marked column.
    pub(super) fn move_in_hand(&self) -> Option<(Seat, String)> {
        let seat = self.acting()?;
        Some((
            seat,
            match self.game.table().input() {
                Input::Cell => {
                    let diagram = self.game.table().diagram(seat);
                    let (column, row) = self.cursor;
                    format!("{}{}", diagram.columns.get(column)?, diagram.rows.get(row)?)
                }
                Input::Column(_) => {
                    let sign = |&is_chosen: &bool| if is_chosen { '1' } else { '0' };
                    self.column.iter().map(sign).collect()
                }
            },
        ))
    }

    /// The board after the unfinished move, where that is known.
    pub(super) fn preview(&self) -> Option<Diagram> {
        if self.back.is_some() || self.game.table().input() != Input::Cell {
            return None;
        }
        let (seat, text) = self.move_in_hand()?;
        self.game.table().preview(seat, &text).ok()
    }

    /// The cells of a seat's move in its own view.
    pub(super) fn move_cells(&self, seat: Seat, text: &str) -> Vec<usize> {
        let diagram = self.game.table().diagram(seat);
        let across = diagram.columns.len();
        match self.game.table().input() {
            Input::Cell => diagram.find(text).into_iter().collect(),
            Input::Column(column) => {
                let ones = text.chars().enumerate().filter(|(_, sign)| *sign == '1');
                ones.map(|(row, _)| row * across + column).collect()
            }
        }
    }

    /// The cells that the last turn placed, in a seat's view.
    pub(super) fn last(&self, seat: Seat) -> Vec<usize> {
        let Some(turn) = self.at().checked_sub(1) else {
            return Vec::new();
        };
        let text = &self.game.table().history()[turn];
        let own = match (self.game.turns()[turn].by, text.split_once('/')) {
            (Turn::Both, Some((first, second))) => [first, second][seat.index()],
            _ => text,
        };
        self.move_cells(seat, own)
    }

    /// Makes a person's move.
    pub(super) fn play(&mut self, text: &str) -> Result<(), TableError> {
        let Some(seat) = self.acting() else {
            return Err(games::MoveError::NotToMove.into());
        };
        let is_complete = self.game.play(seat, text, None)?;
        self.finish_move(is_complete);
        Ok(())
    }

    fn finish_move(&mut self, is_complete: bool) {
        self.back = None;
        match is_complete {
            true => self.reset_position(),
            // The waiting move stays hidden.
            false => self.column.fill(false),
        }
    }

    /// Takes turns back until a person's last move is undone. Returns whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        // A resignation is not a move to take back.
        if matches!(self.game.end(), Some(TableGameEnd::Resigned(_))) {
            self.game.set_end(None);
            return true;
        }
        let people: Vec<Seat> = self.people().collect();
        let table = self.game.table();
        let to = match people.iter().any(|&seat| table.has_moved(seat)) {
            true => Some(table.turns()),
            false => self.game.last_turn_of(&people),
        };
        let Some(to) = to else { return false };
        self.game.take_back_to(to);
        self.reset_position();
        true
    }

    /// Asks for a hint. Returns whether there is a person to move.
    pub(super) fn ask_hint(&mut self) -> bool {
        self.asks_hint = self.acting();
        self.thinking = Duration::ZERO;
        self.asks_hint.is_some()
    }

    /// Whether a hint is under way.
    pub(super) fn is_hint_pending(&self) -> bool {
        self.asks_hint.is_some()
    }

    pub(super) fn drop_hint(&mut self) {
        self.asks_hint = None;
    }

    pub(super) fn query(&self) -> Option<AdviceQuery> {
        let wanted = |seat, hint| AdviceQuery {
            position: self.position,
            seat,
            hint,
        };
        if let Some(seat) = self.asks_hint {
            return Some(wanted(seat, Some(self.champion.clone())));
        }
        if self.is_paused {
            return None;
        }
        let thinks = |seat: &Seat| self.names[seat.index()].is_some() && self.game.awaits(*seat);
        Some(wanted(Seat::BOTH.into_iter().find(thinks)?, None))
    }

    pub(super) fn request(&self, query: &AdviceQuery) -> ThoughtRequest {
        ThoughtRequest {
            seat: query.seat,
            adviser: query.hint.clone(),
            seed: self.game.seed(),
            history: self.game.table().history().to_vec(),
        }
    }

    /// Takes the answer to a query. Returns a message, where one is needed.
    pub(super) fn receive_answer(
        &mut self,
        wanted: &AdviceQuery,
        answer: AdviceResult,
    ) -> Result<(), TableError> {
        let seat = wanted.seat;
        self.thinking = Duration::ZERO;
        let is_hint = wanted.hint.is_some();
        if is_hint {
            self.asks_hint = None;
        }
        match answer {
            Ok(advice) if is_hint => {
                // What was thought before is not shown again.
                Seat::BOTH
                    .into_iter()
                    .for_each(|seat| self.game.forget(seat));
                self.hint = Some(SeatThought {
                    seat,
                    advice,
                    turns: self.game.table().turns(),
                });
            }
            Err(error) if is_hint => return Err(error),
            Ok(advice) => {
                let is_complete = self.game.enter(seat, advice, None);
                self.finish_move(is_complete);
            }
            Err(error) => self.game.fail(seat, error),
        }
        Ok(())
    }

    /// Resigns for the person to move. Returns whether there is one.
    pub(super) fn resign(&mut self) -> bool {
        let mut people = self.people();
        let seat = match (people.next(), people.next()) {
            (Some(only), None) => Some(only),
            _ => self.acting(),
        };
        drop(people);
        if self.game.is_over() {
            return false;
        }
        self.game.set_end(seat.map(TableGameEnd::Resigned));
        self.asks_hint = None;
        seat.is_some()
    }

    /// The record of the game.
    pub(super) fn record(&self) -> Result<Record, CheckError> {
        let players = self.names.clone();
        self.game
            .record(players.map(|name| name.unwrap_or_else(|| "human".into())))()
    }

    /// The result in words from the people's side.
    pub(super) fn result(&self, outcome: Outcome) -> String {
        let people: Vec<Seat> = self.people().collect();
        match (outcome, &people[..]) {
            (Outcome::Draw, _) => "a draw".into(),
            (Outcome::Win(winner), [seat]) if winner == *seat => "you have won".into(),
            (Outcome::Win(winner), [_]) => format!("{} has won", self.name(winner)),
            (Outcome::Win(winner), _) => format!("{} has won", self.side(winner)),
        }
    }
}
