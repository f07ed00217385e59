//! Players that think, at a table of their own.

#[cfg(feature = "machine")]
use arena::{Entrant, EntrantError, MatchConditions, open_table};
use games::{AnyGame, Seat, with_game};
use matches::{Advice, BuiltinPlayer, Side, Table, TableError, new_table};
use players::{Clock, PlayerError};

/// The players of a game that are no people.
pub struct Thinker {
    table: Box<dyn Table>,
    seed: u64,
}

/// A position to think about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThoughtRequest {
    /// The seat to move.
    pub seat: Seat,
    /// The player that gives advice; `None` for the move of the player in the seat.
    pub adviser: Option<String>,
    /// The game's seed.
    pub seed: u64,
    /// The turns up to the position.
    pub history: Vec<String>,
}

impl Thinker {
    /// Seats the players; nothing is started before they think.
    ///
    /// # Errors
    /// A player does not exist or cannot play this game.
    ///
    /// ```
    /// use models::play::Thinker;
    ///
    /// let players = [None, Some(&"perfect".parse()?)];
    /// let thinker = Thinker::open(&"tictactoe".parse()?, players, &Default::default(), 1)?;
    /// assert_eq!(thinker.names(), [None, Some("perfect".into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "machine")]
    pub fn open(
        game: &AnyGame,
        players: [Option<&Entrant>; 2],
        conditions: &MatchConditions,
        seed: u64,
    ) -> Result<Self, EntrantError> {
        let table = open_table(game.clone(), players, conditions, seed)?;
        Ok(Self { table, seed })
    }

    /// Seats players of the program, by their texts; `clock` measures their time.
    ///
    /// # Errors
    /// A player does not exist or cannot play this game.
    ///
    /// ```
    /// use models::play::Thinker;
    /// use players::Clock;
    ///
    /// let players = [None, Some("perfect")];
    /// let thinker = Thinker::of_house(&"tictactoe".parse()?, players, &Clock::stopped(), 1)?;
    /// assert_eq!(thinker.names(), [None, Some("perfect".into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_house(
        game: &AnyGame,
        players: [Option<&str>; 2],
        clock: &Clock,
        seed: u64,
    ) -> Result<Self, PlayerError> {
        let table = with_game!(game.clone(), |game| {
            let side = |text| {
                let player = players::open(&game, text, clock)?;
                let side: Box<dyn Side<_>> = Box::new(BuiltinPlayer::new(player, clock.clone()));
                Ok(side)
            };
            let [first, second] = players.map(|text| text.map(side).transpose());
            let sides = [first?, second?];
            new_table(game, sides, clock.clone(), seed)
        });
        Ok(Self { table, seed })
    }

    /// The players' names; `None` for a person.
    #[must_use]
    pub fn names(&self) -> [Option<String>; 2] {
        Seat::BOTH.map(|seat| self.table.player(seat))
    }

    /// Brings the table to this position: a player hears of what was played since.
    ///
    /// # Errors
    /// A turn cannot be played.
    ///
    /// ```
    /// use models::play::Thinker;
    ///
    /// let players = [None, Some(&"perfect".parse()?)];
    /// let mut thinker = Thinker::open(&"tictactoe".parse()?, players, &Default::default(), 1)?;
    /// thinker.follow(&["B2".into(), "A1".into()])?;
    /// thinker.follow(&["C3".into()])?; // those two were taken back
    /// assert!(thinker.follow(&["C3".into(), "C3".into()]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow(&mut self, history: &[String]) -> Result<(), TableError> {
        let table = &mut self.table;
        let known = table.history().iter().zip(history);
        let same = known.take_while(|(a, b)| a == b).count();
        // the last that is taken back may be a move that waited for the other seat's
        let waits = |table: &dyn Table| Seat::BOTH.into_iter().any(|seat| table.has_moved(seat));
        while (table.turns() > same || waits(table.as_ref())) && table.take_back() {}
        let mut turns = history[same..].iter();
        turns.try_for_each(|turn| table.follow(turn))
    }

    /// Answers a request. `watch` is called now and then meanwhile and returns whether to go on;
    /// where it does not, the answer is the best so far.
    ///
    /// # Errors
    /// The seat is not to move, there is no such adviser, or a bot has a fault.
    ///
    /// ```
    /// use models::play::{ThoughtRequest, Thinker};
    ///
    /// let players = [None, Some(&"perfect".parse()?)];
    /// let mut thinker = Thinker::open(&"tictactoe".parse()?, players, &Default::default(), 1)?;
    /// let request = ThoughtRequest {
    ///     seat: games::Seat::Second,
    ///     adviser: None,
    ///     seed: 1,
    ///     history: vec!["B2".into()],
    /// };
    /// let advice = thinker.answer(&request, &mut || true)?;
    /// assert!(["A1", "A3", "C1", "C3"].contains(&advice.choice.as_str()), "a corner holds the draw");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(
        &mut self,
        request: &ThoughtRequest,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Advice, TableError> {
        if self.seed != request.seed {
            self.seed = request.seed;
            self.table.begin(request.seed);
        }
        self.follow(&request.history)?;
        match &request.adviser {
            Some(player) => self.table.advise(request.seat, player, watch),
            None => self.table.think(request.seat, watch),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_follows_forth_and_back() {
        let game = "tictactoe".parse().unwrap();
        let perfect = "perfect".parse().unwrap();
        let players = [None, Some(&perfect)];
        let mut thinker = Thinker::open(&game, players, &MatchConditions::default(), 1).unwrap();
        assert_eq!(thinker.names(), [None, Some("perfect".into())]);
        let mut answer = |seat, adviser: Option<&str>, seed, turns: &[&str]| {
            let request = ThoughtRequest {
                seat,
                adviser: adviser.map(String::from),
                seed,
                history: turns.iter().map(|turn| turn.to_string()).collect(),
            };
            thinker.answer(&request, &mut || true)
        };
        let first = answer(Seat::Second, None, 1, &["B2"]).unwrap();
        // its own move is taken back, since the game went another way
        let other = answer(Seat::Second, None, 1, &["A1"]).unwrap();
        assert_eq!(other.choice, "B2");
        assert_eq!(answer(Seat::Second, None, 1, &["B2"]), Ok(first));
        let hint = answer(Seat::First, Some("perfect"), 1, &["A1", "B2"]);
        assert!(hint.is_ok());
        let wrong = answer(Seat::First, None, 1, &["A1", "B2"]);
        assert_eq!(wrong, Err(TableError::Person(Seat::First)));
        assert!(answer(Seat::First, Some("nobody"), 2, &[]).is_err());
        assert!(answer(Seat::First, None, 2, &["A1", "A1"]).is_err());
    }
}
