//! A game with a person in both seats.

use games::{AnyGame, Outcome, Seat, Turn, with_game};
use matches::replay::CheckError;
use matches::{Advice, Ending, Fault, Record, RecordedTurn, Table, TableError, new_table};
use players::Clock;
use std::time::Duration;

/// A game: its table, and what the table does not know of it.
pub struct GameTable {
    game: AnyGame,
    table: Box<dyn Table>,
    seed: u64,
    /// The turns that it begins with.
    opening: Vec<String>,
    /// Each turn of the table, those of the opening too.
    turns: Vec<TableTurn>,
    end: Option<TableGameEnd>,
    /// How long it took to find a move that waits for the other seat's.
    pending_spent: [Option<Duration>; 2],
    thoughts: [Option<SeatThought>; 2],
    /// Thoughts about a move that waits for the other seat's: not revealed before both moves are
    /// made, since they contain the move.
    hidden_thoughts: [Option<SeatThought>; 2],
}

/// A turn that was played.
#[derive(Clone, Copy, Debug)]
pub struct TableTurn {
    /// Who moved.
    pub by: Turn,
    /// How long each seat took, where that is known.
    pub spent: [Option<Duration>; 2],
}

/// How a game ended before its rules said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableGameEnd {
    /// A person resigned.
    Resigned(Seat),
    /// A player failed.
    Fault(Seat, Fault),
}

/// What a player thought about its move.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatThought {
    /// Its seat.
    pub seat: Seat,
    /// The thought.
    pub advice: Advice,
    /// The number of turns before the move.
    pub turns: usize,
}

impl GameTable {
    /// A game before its first turn.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::GameTable;
    ///
    /// let game = GameTable::new("tictactoe".parse()?, 1);
    /// assert!(game.awaits(Seat::First) && !game.awaits(Seat::Second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: AnyGame, seed: u64) -> Self {
        // nobody is asked there whose time would be measured
        let table = with_game!(game.clone(), |game| {
            new_table(game, [None, None], Clock::stopped(), seed)
        });
        Self {
            table,
            game,
            seed,
            opening: Vec::new(),
            turns: Vec::new(),
            end: None,
            pending_spent: [None; 2],
            thoughts: [None, None],
            hidden_thoughts: [None, None],
        }
    }

    /// A game that begins with these turns.
    ///
    /// # Errors
    /// The number of the first turn, from 1, that cannot be played, and why.
    ///
    /// ```
    /// use models::play::GameTable;
    ///
    /// let opening = ["B2".to_string(), "A1".to_string()];
    /// let game = "tictactoe".parse::<games::AnyGame>()?;
    /// assert!(GameTable::with_opening(game.clone(), &opening, 1).is_ok());
    /// let error = GameTable::with_opening(game, &["B2".into(), "B2".into()], 1).err();
    /// assert_eq!(error.map(|(turn, _)| turn), Some(2), "the second turn cannot be played");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_opening(
        game: AnyGame,
        opening: &[String],
        seed: u64,
    ) -> Result<Self, (usize, TableError)> {
        let mut this = Self::new(game, seed);
        for (turn, text) in (1..).zip(opening) {
            this.follow(text, [None; 2])
                .map_err(|error| (turn, error))?;
        }
        this.opening = this.table.history().to_vec();
        Ok(this)
    }

    /// Begins the game again, from its opening.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::GameTable;
    ///
    /// let mut game = GameTable::new("tictactoe".parse()?, 1);
    /// game.play(Seat::First, "b2", None)?;
    /// game.begin(2);
    /// assert_eq!((game.turns().len(), game.seed()), (0, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin(&mut self, seed: u64) {
        let opening = std::mem::take(&mut self.opening);
        let again = Self::with_opening(self.game.clone(), &opening, seed);
        *self = again.unwrap_or_else(|_| Self::new(self.game.clone(), seed));
    }

    /// The game with its options.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The table, to look at.
    #[must_use]
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// Where chance starts from.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The turns that it began with.
    #[must_use]
    pub fn opening(&self) -> &[String] {
        &self.opening
    }

    /// Who made each turn, those of the opening too, and how long that took.
    #[must_use]
    pub fn turns(&self) -> &[TableTurn] {
        &self.turns
    }

    /// How it ended, where its rules did not end it.
    #[must_use]
    pub fn end(&self) -> Option<&TableGameEnd> {
        self.end.as_ref()
    }

    /// Ends the game, or lets it go on.
    pub fn set_end(&mut self, end: Option<TableGameEnd>) {
        self.end = end;
    }

    /// Who is to move; over also where a seat has resigned or failed.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::{GameTable, TableGameEnd};
    ///
    /// let mut game = GameTable::new("tictactoe".parse()?, 1);
    /// game.set_end(Some(TableGameEnd::Resigned(Seat::First)));
    /// assert_eq!(game.turn(), games::Turn::Over(games::Outcome::Win(Seat::Second)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn turn(&self) -> Turn {
        match &self.end {
            Some(TableGameEnd::Resigned(seat) | TableGameEnd::Fault(seat, _)) => {
                Turn::Over(Outcome::Win(seat.other()))
            }
            None => self.table.turn(),
        }
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.turn().outcome().is_some()
    }

    /// Whether a seat is to move and has not done so.
    #[must_use]
    pub fn awaits(&self, seat: Seat) -> bool {
        self.turn().asks(seat) && !self.table.has_moved(seat)
    }

    /// Makes a seat's move; `spent` where it is known how long that took. Returns whether the turn
    /// is complete: where both seats move at once a move waits for the other's.
    ///
    /// # Errors
    /// The move is not legal.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::GameTable;
    ///
    /// // both seats move at once
    /// let mut game = GameTable::new("duel:8x8".parse()?, 1);
    /// let choice = |game: &GameTable, seat| game.table().example(seat).expect("it is to move");
    /// let (first, second) = (choice(&game, Seat::First), choice(&game, Seat::Second));
    /// assert!(!game.play(Seat::First, &first, None)?);
    /// assert!(game.play(Seat::Second, &second, None)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(
        &mut self,
        seat: Seat,
        text: &str,
        spent: Option<Duration>,
    ) -> Result<bool, TableError> {
        let (by, turns) = (self.table.turn(), self.table.turns());
        self.table.play(seat, text)?;
        self.pending_spent[seat.index()] = spent;
        let is_complete = self.table.turns() > turns;
        if is_complete {
            let spent = std::mem::take(&mut self.pending_spent);
            self.turns.push(TableTurn { by, spent });
            for (thought, hidden) in self.thoughts.iter_mut().zip(&mut self.hidden_thoughts) {
                *thought = hidden.take().or(thought.take());
            }
        }
        Ok(is_complete)
    }

    /// Makes the move that a player has chosen; one that cannot be made ends the game. Returns
    /// whether the turn is complete.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::{GameTable, ThoughtRequest, Thinker};
    ///
    /// let mut game = GameTable::new("tictactoe".parse()?, 1);
    /// let players = [Some(&"perfect".parse()?), None];
    /// let mut thinker = Thinker::open(game.game(), players, &Default::default(), 1)?;
    /// let request = ThoughtRequest { seat: Seat::First, adviser: None, seed: 1, history: vec![] };
    /// let advice = thinker.answer(&request, &mut || true)?;
    /// assert!(game.enter(Seat::First, advice, None));
    /// assert_eq!(game.thoughts().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn enter(&mut self, seat: Seat, advice: Advice, spent: Option<Duration>) -> bool {
        let choice = advice.choice.clone();
        self.hidden_thoughts[seat.index()] = Some(SeatThought {
            seat,
            advice,
            turns: self.table.turns(),
        });
        self.play(seat, &choice, spent).unwrap_or_else(|error| {
            self.fail(seat, error);
            true
        })
    }

    /// Ends the game by the failure of a seat's player.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::GameTable;
    ///
    /// let mut game = GameTable::new("tictactoe".parse()?, 1);
    /// game.fail(Seat::First, matches::TableError::Person(Seat::First));
    /// assert!(game.is_over() && game.end().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fail(&mut self, seat: Seat, error: TableError) {
        let fault = match error {
            TableError::Fault { fault, .. } => fault,
            other => Fault::NotStarted(other.to_string()),
        };
        self.end = Some(TableGameEnd::Fault(seat, fault));
    }

    /// Plays a whole turn, as a line of a game record.
    ///
    /// # Errors
    /// It cannot be played here.
    ///
    /// ```
    /// use models::play::GameTable;
    ///
    /// let mut game = GameTable::new("tictactoe".parse()?, 1);
    /// game.follow("B2", [None; 2])?;
    /// assert!(game.follow("B2", [None; 2]).is_err());
    /// assert_eq!(game.table().history(), ["B2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow(&mut self, text: &str, spent: [Option<Duration>; 2]) -> Result<(), TableError> {
        let by = self.table.turn();
        self.table.follow(text)?;
        self.turns.push(TableTurn { by, spent });
        Ok(())
    }

    /// The number of turns before the last one, after the opening, that one of these seats made.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::GameTable;
    ///
    /// let mut game = GameTable::new("tictactoe".parse()?, 1);
    /// for (seat, text) in [(Seat::First, "a1"), (Seat::Second, "b2")] {
    ///     game.play(seat, text, None)?;
    /// }
    /// assert_eq!(game.last_turn_of(&[Seat::First]), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn last_turn_of(&self, seats: &[Seat]) -> Option<usize> {
        let later = self.turns.get(self.opening.len()..).unwrap_or_default();
        let is_theirs = |turn: &TableTurn| seats.iter().any(|&seat| turn.by.asks(seat));
        Some(self.opening.len() + later.iter().rposition(is_theirs)?)
    }

    /// Goes back to the position after this many turns; a move that waits is taken back too.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::GameTable;
    ///
    /// let mut game = GameTable::new("tictactoe".parse()?, 1);
    /// game.play(Seat::First, "a1", None)?;
    /// game.take_back_to(0);
    /// assert!(game.turns().is_empty() && game.awaits(Seat::First));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_back_to(&mut self, turns: usize) {
        let waits = |table: &dyn Table| Seat::BOTH.into_iter().any(|seat| table.has_moved(seat));
        while self.table.turns() > turns || waits(self.table()) {
            self.table.take_back();
        }
        self.turns.truncate(turns);
        self.end = None;
        self.pending_spent = [None; 2];
        Seat::BOTH.into_iter().for_each(|seat| self.forget(seat));
    }

    /// Forgets what a seat's player thought.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::{GameTable, ThoughtRequest, Thinker};
    ///
    /// let mut game = GameTable::new("tictactoe".parse()?, 1);
    /// let players = [Some(&"perfect".parse()?), None];
    /// let mut thinker = Thinker::open(game.game(), players, &Default::default(), 1)?;
    /// let request = ThoughtRequest { seat: Seat::First, adviser: None, seed: 1, history: vec![] };
    /// game.enter(Seat::First, thinker.answer(&request, &mut || true)?, None);
    /// game.forget(Seat::First);
    /// assert_eq!(game.thoughts().count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget(&mut self, seat: Seat) {
        self.thoughts[seat.index()] = None;
        self.hidden_thoughts[seat.index()] = None;
    }

    /// What was thought about the last moves, by seat.
    pub fn thoughts(&self) -> impl Iterator<Item = &SeatThought> {
        self.thoughts.iter().flatten()
    }

    /// The record of the game: a function, so that it can be called without a lock, since it plays
    /// the game again.
    ///
    /// ```
    /// use games::Seat;
    /// use models::play::GameTable;
    ///
    /// let mut game = GameTable::new("tictactoe".parse()?, 1);
    /// game.play(Seat::First, "a1", None)?;
    /// let record = game.record(["anna".into(), "ben".into()]);
    /// assert_eq!(record()?.ending, matches::Ending::Unfinished);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(
        &self,
        players: [String; 2],
    ) -> impl FnOnce() -> Result<Record, CheckError> + use<> {
        let texts = self.table.history().iter().zip(&self.turns);
        let turns = texts
            .skip(self.opening.len())
            .map(|(text, turn)| RecordedTurn {
                text: text.clone(),
                spent: turn.spent,
            });
        let turns: Vec<_> = turns.collect();
        let ending = match &self.end {
            Some(TableGameEnd::Resigned(seat)) => Ending::Resigned(*seat),
            Some(TableGameEnd::Fault(seat, fault)) => Ending::fault(*seat, fault.clone()),
            None if self.is_over() => Ending::Rules,
            None => Ending::Unfinished,
        };
        let (game, opening) = (self.game.to_string(), self.opening.clone());
        move || Record::from_table(game, players, opening, turns, ending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(game: &str) -> GameTable {
        GameTable::new(game.parse().unwrap(), 1)
    }

    fn advice(choice: &str) -> Advice {
        Advice {
            choice: choice.into(),
            line: Vec::new(),
            value: None,
            nodes: 0,
            depth: 0,
            reason: None,
        }
    }

    #[test]
    fn a_game_is_played_taken_back_and_recorded() {
        let opening = ["a1".to_string()];
        let game = "tictactoe".parse().unwrap();
        let mut table = GameTable::with_opening(game, &opening, 1).unwrap();
        assert_eq!(table.opening(), ["A1"]);
        let second = Some(Duration::from_secs(1));
        assert_eq!(table.play(Seat::Second, "B2", second), Ok(true));
        assert!(table.play(Seat::First, "B2", None).is_err());
        assert!(table.enter(Seat::First, advice("C3"), None));
        assert_eq!(table.thoughts().count(), 1);
        assert_eq!(table.last_turn_of(&[Seat::Second]), Some(1));
        assert_eq!(table.last_turn_of(&Seat::BOTH), Some(2));
        let record = table.record(["a".into(), "b".into()])().unwrap();
        assert_eq!(record.turns.len(), 2);
        assert_eq!(record.turns[0].spent, [None, second]);
        assert_eq!(record.ending, Ending::Unfinished);
        table.take_back_to(1);
        assert_eq!((table.turns().len(), table.thoughts().count()), (1, 0));
        // the opening is nobody's to take back
        assert_eq!(table.last_turn_of(&Seat::BOTH), None);
        table.begin(2);
        assert_eq!(
            (table.table().history(), table.seed()),
            (&["A1".into()][..], 2)
        );
    }

    #[test]
    fn an_opening_that_cannot_be_played_says_where() {
        let game = "tictactoe".parse().unwrap();
        let wrong = GameTable::with_opening(game, &["A1".into(), "A1".into()], 1);
        assert_eq!(wrong.err().map(|(turn, _)| turn), Some(2));
    }

    #[test]
    fn a_game_ends_by_its_rules_or_before() {
        let mut table = table("tictactoe");
        table.set_end(Some(TableGameEnd::Resigned(Seat::First)));
        assert!(table.is_over() && !table.awaits(Seat::First));
        assert_eq!(table.turn(), Turn::Over(Outcome::Win(Seat::Second)));
        let names = || ["a".to_string(), "b".to_string()];
        let ending = |table: &GameTable| table.record(names())().unwrap().ending;
        assert_eq!(ending(&table), Ending::Resigned(Seat::First));
        table.set_end(None);
        assert!(table.awaits(Seat::First));
        // a move that there is not
        assert!(table.enter(Seat::First, advice("Z9"), None));
        assert!(matches!(
            table.end(),
            Some(TableGameEnd::Fault(Seat::First, _))
        ));
        table.take_back_to(0);
        for (seat, text) in Seat::BOTH
            .into_iter()
            .cycle()
            .zip(["A1", "B1", "A2", "B2", "A3"])
        {
            table.play(seat, text, None).unwrap();
        }
        assert_eq!((table.is_over(), ending(&table)), (true, Ending::Rules));
    }

    #[test]
    fn a_thought_about_a_hidden_move_is_hidden() {
        let mut table = table("duel");
        assert_eq!(table.turn(), Turn::Both);
        let choice = table.table().example(Seat::Second).unwrap();
        assert!(!table.enter(Seat::Second, advice(&choice), None));
        assert!(table.awaits(Seat::First) && !table.awaits(Seat::Second));
        assert_eq!(table.thoughts().count(), 0);
        let choice = table.table().example(Seat::First).unwrap();
        assert_eq!(table.play(Seat::First, &choice, None), Ok(true));
        let thought = table.thoughts().next().unwrap();
        assert_eq!((thought.seat, thought.turns), (Seat::Second, 0));
    }
}
