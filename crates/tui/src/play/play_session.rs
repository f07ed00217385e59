//! A game in progress from the people's side: whose turn it is, unfinished moves, and the queries
//! for the thinking players.

use arena::replay::CheckError;
use arena::{
    Advice, Ending, Entrant, EntrantError, Fault, MatchConditions, Record, RecordedTurn, Table,
    TableError, sit,
};
use games::{AnyGame, Diagram, DiagramMark, Input, Outcome, Seat, Turn};
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

/// A query with everything needed to answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdviceRequest {
    /// The query.
    pub wanted: AdviceQuery,
    /// The game's seed.
    seed: u64,
    /// The turns up to the position.
    history: Vec<String>,
}

/// The answer to a query.
pub type AdviceResult = Result<Advice, TableError>;

/// The thinking players, at a table of their own that follows the game.
pub struct AdvisorTable {
    table: Box<dyn Table>,
    seed: u64,
}

impl AdvisorTable {
    /// Answers a query. `watch` is called now and then while the player thinks; where it returns
    /// false the answer is void.
    pub fn answer(
        &mut self,
        order: &AdviceRequest,
        watch: &mut dyn FnMut() -> bool,
    ) -> AdviceResult {
        let table = &mut self.table;
        if self.seed != order.seed {
            self.seed = order.seed;
            table.begin(order.seed);
        }
        let known = table.history().iter().zip(&order.history);
        let same = known.take_while(|(a, b)| a == b).count();
        while Seat::BOTH.into_iter().any(|seat| table.has_moved(seat)) || table.turns() > same {
            if !table.take_back() {
                break;
            }
        }
        for turn in &order.history[same..] {
            table.follow(turn)?;
        }
        let seat = order.wanted.seat;
        match &order.wanted.hint {
            Some(player) => table.advise(seat, player, watch),
            None => table.think(seat, watch),
        }
    }
}

/// A player's advice for a seat.
pub(super) struct SeatAdvice {
    pub(super) seat: Seat,
    pub(super) advice: Advice,
    /// Whether it is a hint by another player.
    pub(super) is_hint: bool,
    /// The number of turns before it.
    pub(super) turns: usize,
}

/// How a seat loses besides by the rules.
pub(super) enum SeatForfeit {
    /// A person resigned.
    Resigned,
    /// A player failed to answer.
    Wrong(TableError),
}

/// The game on the screen. Its table seats only people: players think at another table, and their
/// moves are entered like a person's.
pub(super) struct PlaySession {
    pub(super) table: Box<dyn Table>,
    /// The thinking players, until the caller takes them.
    pub(super) advisors: Option<AdvisorTable>,
    /// The players' names; `None` for a person.
    pub(super) names: [Option<String>; 2],
    /// The player that gives hints.
    champion: String,
    seed: u64,
    /// The turn in each earlier position.
    turns: Vec<Turn>,
    /// The number of the position; it increases with each one.
    position: u64,
    /// The cell at the cursor.
    pub(super) cursor: (usize, usize),
    /// The marked cells of a column.
    pub(super) column: Vec<bool>,
    /// The shown position, where it is not the last one.
    pub(super) back: Option<usize>,
    pub(super) thought: Option<SeatAdvice>,
    /// Advice about a move that waits for the other seat's simultaneous move, and is hidden until
    /// both are made.
    hidden: Option<SeatAdvice>,
    /// The seat that asked for a hint.
    asks_hint: Option<Seat>,
    /// The seat that has lost other than by the rules, and how.
    pub(super) lost: Option<(Seat, SeatForfeit)>,
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
        let thinks = sit(game.clone(), seated, conditions, seed)?;
        let names = Seat::BOTH.map(|seat| thinks.player(seat));
        let table = sit(game.clone(), [None, None], conditions, seed)?;
        let diagram = table.diagram(Seat::First);
        let (columns, rows) = (diagram.columns.len(), diagram.rows.len());
        let cursor = match table.input() {
            Input::Cell => (columns / 2, rows / 2),
            Input::Column(column) => (column, rows / 2),
        };
        Ok(Self {
            advisors: Some(AdvisorTable {
                table: thinks,
                seed,
            }),
            champion: arena::champion(game),
            names,
            table,
            seed,
            turns: Vec::new(),
            position: 0,
            cursor,
            column: vec![false; rows],
            back: None,
            thought: None,
            hidden: None,
            asks_hint: None,
            lost: None,
            is_paused: false,
            thinking: Duration::ZERO,
        })
    }

    /// Starts a new game with the same players.
    pub(super) fn restart(&mut self) {
        self.seed = self.seed.wrapping_add(1);
        self.table.begin(self.seed);
        self.turns.clear();
        self.reset_position();
        self.thought = None;
    }

    /// Resets the state of a position after a move.
    fn reset_position(&mut self) {
        self.position += 1;
        self.back = None;
        self.asks_hint = None;
        self.lost = None;
        self.hidden = None;
        self.thinking = Duration::ZERO;
        self.column.fill(false);
        if self.thought.as_ref().is_some_and(|thought| thought.is_hint) {
            self.thought = None;
        }
    }

    pub(super) fn sign(&self, seat: Seat) -> char {
        let diagram = self.table.diagram(Seat::First);
        let mark = DiagramMark::of(seat);
        crate::screens::board::stone(&diagram, mark).unwrap_or(diagram.signs[seat.index()])
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

    /// The current turn; over where a seat has forfeited.
    pub(super) fn turn(&self) -> Turn {
        match &self.lost {
            Some((seat, _)) => Turn::Over(Outcome::Win(seat.other())),
            None => self.table.turn(),
        }
    }

    /// The person to move; where both move at once, the first who has not moved.
    pub(super) fn acting(&self) -> Option<Seat> {
        let turn = self.turn();
        let mut people = self.people();
        people.find(|&seat| turn.asks(seat) && !self.table.has_moved(seat))
    }

    /// The seat whose view is shown.
    pub(super) fn view_seat(&self) -> Seat {
        let people: Vec<Seat> = self.people().collect();
        match people[..] {
            [seat] => seat,
            [] => Seat::First,
            _ if self.table.turn() == Turn::Both => self.acting().unwrap_or(Seat::First),
            _ => Seat::First,
        }
    }

    /// Whether the seats have different views of the board.
    pub(super) fn has_two_views(&self) -> bool {
        matches!(self.table.input(), Input::Column(_))
            || self.table.diagram(Seat::First) != self.table.diagram(Seat::Second)
    }

    /// The index of the shown position.
    pub(super) fn at(&self) -> usize {
        self.back.unwrap_or(self.table.turns())
    }

    pub(super) fn diagram(&self, seat: Seat) -> Diagram {
        let past = self.back.and_then(|at| self.table.diagram_at(at, seat));
        past.unwrap_or_else(|| self.table.diagram(seat))
    }

    /// The move at the cursor or in the marked column.
    pub(super) fn move_in_hand(&self) -> Option<(Seat, String)> {
        let seat = self.acting()?;
        Some((
            seat,
            match self.table.input() {
                Input::Cell => {
                    let diagram = self.table.diagram(seat);
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
        if self.back.is_some() || self.table.input() != Input::Cell {
            return None;
        }
        let (seat, text) = self.move_in_hand()?;
        self.table.preview(seat, &text).ok()
    }

    /// The cells of a seat's move in its own view.
    pub(super) fn move_cells(&self, seat: Seat, text: &str) -> Vec<usize> {
        let diagram = self.table.diagram(seat);
        let across = diagram.columns.len();
        match self.table.input() {
            Input::Cell => {
                let cells = 0..diagram.cells.len();
                let label = |cell: &usize| {
                    let (column, row) = (cell % across, cell / across);
                    format!("{}{}", diagram.columns[column], diagram.rows[row])
                };
                cells.filter(|cell| label(cell) == text).take(1).collect()
            }
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
        let text = &self.table.history()[turn];
        let own = match (self.turns.get(turn), text.split_once('/')) {
            (Some(Turn::Both), Some((first, second))) => [first, second][seat.index()],
            _ => text,
        };
        self.move_cells(seat, own)
    }

    /// Makes a person's move.
    pub(super) fn play(&mut self, text: &str) -> Result<(), TableError> {
        let Some(seat) = self.acting() else {
            return Err(games::MoveError::NotToMove.into());
        };
        self.enter_move(seat, text)
    }

    fn enter_move(&mut self, seat: Seat, text: &str) -> Result<(), TableError> {
        let (turn, before) = (self.table.turn(), self.table.turns());
        self.table.play(seat, text)?;
        self.back = None;
        if self.table.turns() > before {
            self.turns.push(turn);
            let hidden = self.hidden.take();
            self.reset_position();
            self.thought = hidden.or(self.thought.take());
        } else {
            // The waiting move stays hidden.
            self.column.fill(false);
        }
        Ok(())
    }

    /// Takes turns back until a person's last move is undone. Returns whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        // A resignation is not a move to take back.
        if matches!(self.lost, Some((_, SeatForfeit::Resigned))) {
            self.lost = None;
            return true;
        }
        let waits = self.people().any(|seat| self.table.has_moved(seat));
        let last = self.turns.iter().rposition(|turn| {
            let asked = |seat: Seat| self.names[seat.index()].is_none() && turn.asks(seat);
            Seat::BOTH.into_iter().any(asked)
        });
        match last {
            _ if waits => {
                self.table.take_back();
            }
            None => return false,
            Some(last) => {
                while self.table.turns() > last && self.table.take_back() {}
                self.turns.truncate(last);
            }
        }
        self.reset_position();
        self.thought = None;
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
        let turn = self.turn();
        let thinks = |seat: &Seat| {
            self.names[seat.index()].is_some() && turn.asks(*seat) && !self.table.has_moved(*seat)
        };
        Some(wanted(Seat::BOTH.into_iter().find(thinks)?, None))
    }

    pub(super) fn request(&self, wanted: AdviceQuery) -> AdviceRequest {
        AdviceRequest {
            wanted,
            seed: self.seed,
            history: self.table.history().to_vec(),
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
        let advice = match answer {
            Ok(advice) => advice,
            Err(error) if is_hint => return Err(error),
            Err(error) => {
                self.lost = Some((seat, SeatForfeit::Wrong(error)));
                return Ok(());
            }
        };
        let choice = advice.choice.clone();
        let thought = SeatAdvice {
            seat,
            advice,
            is_hint,
            turns: self.table.turns(),
        };
        if !is_hint && let Err(error) = self.enter_move(seat, &choice) {
            self.lost = Some((seat, SeatForfeit::Wrong(error)));
        }
        if !is_hint && self.table.has_moved(seat) {
            self.hidden = Some(thought);
        } else {
            self.thought = Some(thought);
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
        if matches!(self.turn(), Turn::Over(_)) {
            return false;
        }
        self.lost = seat.map(|seat| (seat, SeatForfeit::Resigned));
        self.asks_hint = None;
        self.lost.is_some()
    }

    /// The record of the game.
    pub(super) fn record(&self) -> Result<Record, CheckError> {
        let turns = self.table.history().iter().map(|text| RecordedTurn {
            text: text.clone(),
            spent: [None; 2],
        });
        let fault = |seat: Seat| match &self.lost {
            Some((loser, SeatForfeit::Wrong(TableError::Fault { fault, .. })))
                if *loser == seat =>
            {
                Some(fault.clone())
            }
            _ => None,
        };
        let faults: [Option<Fault>; 2] = Seat::BOTH.map(fault);
        let ending = match (&self.lost, self.table.turn()) {
            (Some((seat, SeatForfeit::Resigned)), _) => Ending::Resigned(*seat),
            (Some(_), _) if faults.iter().any(Option::is_some) => Ending::Faults(faults),
            (_, Turn::Over(_)) => Ending::Rules,
            _ => Ending::Unfinished,
        };
        let players = self.names.clone();
        let players = players.map(|name| name.unwrap_or_else(|| "human".into()));
        Record::of_table(
            self.table.game(),
            players,
            Vec::new(),
            turns.collect(),
            ending,
        )
    }

    /// The result in words from the people's side.
    pub(super) fn result(&self, outcome: Outcome) -> String {
        let people: Vec<Seat> = self.people().collect();
        match (outcome, &people[..]) {
            (Outcome::Draw, _) => "a draw".into(),
            (Outcome::Win(winner), [seat]) if winner == *seat => "you have won".into(),
            (Outcome::Win(winner), [_]) => format!("{} has won", self.name(winner)),
            (Outcome::Win(winner), _) => format!("{} has won", self.sign(winner)),
        }
    }
}
