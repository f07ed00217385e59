//! One game that people sit at: what a terminal or a page shows and asks, with moves as
//! text, whatever the game.

use crate::bot::BotGame;
use crate::{Entrant, EntrantError, Fault, MatchConditions, Side, parse_turn, seat, write_turn};
use games::{AnyGame, Diagram, Game, Input, JointMove, MoveError, Outcome, Seat, Turn, with_game};
use players::{PlayerError, Roster as _, SearchObserver, Thought, Value, open};
use std::fmt;
use thiserror::Error;

/// A game in progress. Each seat is taken by a player of this program, by a bot, or by a
/// person.
pub trait Table: Send {
    /// The game, as [`AnyGame`] reads it.
    fn game(&self) -> String;

    /// Whose move it is.
    fn turn(&self) -> Turn;

    /// The position as lines of text.
    fn position(&self) -> String;

    /// The board as a seat sees it.
    fn diagram(&self, seat: Seat) -> Diagram;

    /// The board as a seat saw it after so many turns; 0 is the start. `None` where there
    /// were not so many.
    fn diagram_at(&self, turns: usize, seat: Seat) -> Option<Diagram>;

    /// How a move is put on the diagram by hand.
    fn input(&self) -> Input;

    /// The board as a seat would see it after its move, which is not made.
    ///
    /// # Errors
    /// Why it is no legal move; or that it takes the other seat's move too to know.
    fn preview(&self, seat: Seat, text: &str) -> Result<Diagram, TableError>;

    /// The turns that were played, as [`crate::RecordedTurn::text`] has them.
    fn history(&self) -> &[String];

    /// Plays a whole turn, whoever sits there: a line of [`Table::history`]. Moves that wait
    /// are forgotten. So one table follows another.
    ///
    /// # Errors
    /// It is no turn that can be played here.
    fn follow(&mut self, turn: &str) -> Result<(), TableError>;

    /// How many legal moves a seat has; none when it is not to move.
    fn breadth(&self, seat: Seat) -> u64;

    /// The legal moves of a seat as text, where there are no more than `most`.
    fn moves(&self, seat: Seat, most: u64) -> Option<Vec<String>>;

    /// A move like those that are asked for, as an example; `None` when the seat is not to
    /// move.
    fn example(&self, seat: Seat) -> Option<String>;

    /// Makes a seat's move. Where both seats move at once it is kept until the other has
    /// moved too. Gives the move as the game writes it.
    ///
    /// # Errors
    /// Why it is no legal move, or that the seat has moved already.
    fn play(&mut self, seat: Seat, text: &str) -> Result<String, TableError>;

    /// Whether a seat has made a move that waits for the other's.
    fn has_moved(&self, seat: Seat) -> bool;

    /// The name of the player in a seat; `None` for a person.
    fn player(&self, seat: Seat) -> Option<String>;

    /// Lets the player in a seat think, and makes its move. While it thinks `watch` is
    /// asked whether it may go on.
    ///
    /// # Errors
    /// A person sits there, or the seat is not to move, or a bot does not answer as it should;
    /// it can be asked again, and starts anew then.
    fn think(&mut self, seat: Seat, watch: &mut dyn FnMut() -> bool) -> Result<Advice, TableError>;

    /// What a player would do in a seat's place.
    ///
    /// # Errors
    /// There is no such player, or the seat is not to move.
    fn advise(
        &self,
        seat: Seat,
        player: &str,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Advice, TableError>;

    /// Takes the last turn back; whether there was one. A move that waits is taken back
    /// alone.
    fn take_back(&mut self) -> bool;

    /// How many turns were played.
    fn turns(&self) -> usize;

    /// Begins anew, with other chance for the players.
    fn begin(&mut self, seed: u64);
}

/// A player's thought, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The move.
    pub choice: String,
    /// What it expects to follow, its own choice first: `B2 A1 C3`, or `00110/10000` where
    /// both seats move at once.
    pub line: Vec<String>,
    /// What the position is worth to the seat.
    pub value: Option<Value>,
    /// Positions looked at.
    pub nodes: u64,
    /// Turns ahead.
    pub depth: u32,
    /// Why, where the player goes by rules.
    pub reason: Option<String>,
}

impl fmt::Display for Advice {
    /// Everything that is known, in one line: `proven: a draw; 127 positions; 6 turns ahead;
    /// line B2 A1 C3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.reason.clone());
        parts.extend(self.value.map(|value| match value {
            Value::Proven(Outcome::Draw) => "proven: a draw".to_string(),
            Value::Proven(Outcome::Win(seat)) => format!("proven: {seat} wins"),
            Value::Expected(share) => format!("expects {:.0} % of the point", share * 100.0),
            Value::Lead(lead) => format!("expects a lead of {lead:.1}"),
        }));
        if self.nodes > 0 {
            parts.push(counted(self.nodes, "position"));
        }
        if self.depth > 0 {
            parts.push(format!("{} ahead", counted(self.depth.into(), "turn")));
        }
        if !self.line.is_empty() {
            parts.push(format!("line {}", self.line.join(" ")));
        }
        if parts.is_empty() {
            parts.push("no reason is given".into());
        }
        f.pad(&parts.join("; "))
    }
}

/// `1 turn`, `2 turns`.
fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Why something cannot be done at a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// The move is none.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The player is none.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The seat's move is made already, and waits for the other's.
    #[error("the {0} seat has moved already")]
    HasMoved(Seat),
    /// A bot did something wrong.
    #[error("{name}: {fault}")]
    Fault {
        /// The bot's text.
        name: String,
        /// What it did.
        fault: Fault,
    },
    /// What a move comes to depends on the other seat's, made at the same time.
    #[error("both seats move at once: what comes of one move takes the other to know")]
    Together,
    /// Only a player of this program or a bot can be asked to think.
    #[error("a person sits in the {0} seat")]
    Person(Seat),
}

/// Sits two players, or people (`None`), down to a game. What bots complain of is dropped.
///
/// # Errors
/// One of the players does not exist or cannot play this game.
pub fn sit(
    game: AnyGame,
    players: [Option<&Entrant>; 2],
    conditions: &MatchConditions,
    seed: u64,
) -> Result<Box<dyn Table>, EntrantError> {
    with_game!(game, |game| {
        let sit = |entrant: Option<&Entrant>| -> Result<_, EntrantError> {
            let side = |entrant| seat(&game, entrant, conditions);
            let side = entrant.map(side).transpose()?;
            Ok(side.map(|side| TablePlayer {
                side,
                seed: 0,
                is_ready: false,
            }))
        };
        let [first, second] = players;
        let mut sitting = TypedTable {
            past: Vec::new(),
            history: Vec::new(),
            state: game.start(),
            waiting: [None; 2],
            players: [sit(first)?, sit(second)?],
            game,
        };
        sitting.begin(seed);
        Ok(Box::new(sitting))
    })
}

/// The strongest player that a game has, for a person who names none: see
/// [`players::Roster::champion`].
#[must_use]
pub fn champion(game: &AnyGame) -> String {
    with_game!(game, |game| game.champion())
}

/// A table with its game's own types.
struct TypedTable<G: Game> {
    game: G,
    /// The positions before this one.
    past: Vec<G::State>,
    /// The turns that led from each of them to the next.
    history: Vec<String>,
    state: G::State,
    /// Moves that wait for the other seat's.
    waiting: [Option<G::Move>; 2],
    players: [Option<TablePlayer<G>>; 2],
}

/// Who is no person.
struct TablePlayer<G: Game> {
    side: Box<dyn Side<G>>,
    /// Where its chance starts from in this game.
    seed: u64,
    /// Whether it was told that this game begins, and all that happened since.
    is_ready: bool,
}

/// A function that says whether to go on, as players want it.
struct CallbackWatch<'a>(&'a mut dyn FnMut() -> bool);

impl<M> SearchObserver<M> for CallbackWatch<'_> {
    fn goes_on(&mut self) -> bool {
        (self.0)()
    }
}

impl<G: BotGame> TypedTable<G> {
    /// The seat is to move, and has not moved.
    fn check(&self, seat: Seat) -> Result<(), TableError> {
        match self.game.turn(&self.state) {
            Turn::Over(_) => Err(MoveError::Over.into()),
            turn if !turn.asks(seat) => Err(MoveError::NotToMove.into()),
            _ if self.has_moved(seat) => Err(TableError::HasMoved(seat)),
            _ => Ok(()),
        }
    }

    fn take(&mut self, seat: Seat, m: G::Move) {
        self.waiting[seat.index()] = Some(m);
        let joint = match (self.game.turn(&self.state), self.waiting) {
            (Turn::One(_), _) => JointMove::One(m),
            (_, [Some(first), Some(second)]) => JointMove::Both(first, second),
            _ => return,
        };
        self.advance(joint);
    }

    fn advance(&mut self, joint: JointMove<G::Move>) {
        self.waiting = [None; 2];
        self.history
            .push(write_turn(&self.game, &self.state, joint));
        self.past.push(self.state.clone());
        self.game.apply(&mut self.state, joint);
        if let Turn::Over(outcome) = self.game.turn(&self.state) {
            for guest in self.players.iter_mut().flatten() {
                guest.side.end(&self.game, &self.state, outcome);
                guest.is_ready = false;
            }
        }
    }

    /// A thought in words. The turn of each step decides how it is written, so the line is
    /// played out.
    fn words(&self, seat: Seat, thought: &Thought<G::Move>) -> Advice {
        let mut state = self.state.clone();
        let mut line = Vec::new();
        for &joint in &thought.line {
            if matches!(self.game.turn(&state), Turn::Over(_)) {
                break;
            }
            line.push(write_turn(&self.game, &state, joint));
            self.game.apply(&mut state, joint);
        }
        Advice {
            choice: self.game.write_move(thought.choice, seat),
            line,
            value: thought.value,
            nodes: thought.nodes,
            depth: thought.depth,
            reason: thought.reason.clone(),
        }
    }
}

impl<G: BotGame> Table for TypedTable<G> {
    fn game(&self) -> String {
        self.game.name()
    }

    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    fn position(&self) -> String {
        self.game.write_state(&self.state)
    }

    fn diagram(&self, seat: Seat) -> Diagram {
        self.game.diagram(&self.state, seat)
    }

    fn diagram_at(&self, turns: usize, seat: Seat) -> Option<Diagram> {
        let state = match turns == self.past.len() {
            true => &self.state,
            false => self.past.get(turns)?,
        };
        Some(self.game.diagram(state, seat))
    }

    fn input(&self) -> Input {
        self.game.input()
    }

    fn preview(&self, seat: Seat, text: &str) -> Result<Diagram, TableError> {
        self.check(seat)?;
        let m = self.game.parse_move(&self.state, seat, text)?;
        if self.game.turn(&self.state) == Turn::Both {
            return Err(TableError::Together);
        }
        let mut after = self.state.clone();
        self.game.apply(&mut after, JointMove::One(m));
        Ok(self.game.diagram(&after, seat))
    }

    fn history(&self) -> &[String] {
        &self.history
    }

    fn follow(&mut self, turn: &str) -> Result<(), TableError> {
        let joint = parse_turn(&self.game, &self.state, turn)?;
        self.advance(joint);
        Ok(())
    }

    fn breadth(&self, seat: Seat) -> u64 {
        let asks = self.turn().asks(seat);
        if asks {
            self.game.breadth(&self.state, seat)
        } else {
            0
        }
    }

    fn moves(&self, seat: Seat, most: u64) -> Option<Vec<String>> {
        let mut moves = Vec::new();
        match self.breadth(seat) {
            0 => {}
            breadth if breadth > most => return None,
            _ => self.game.moves(&self.state, seat, &mut moves),
        }
        let text = moves.into_iter().map(|m| self.game.write_move(m, seat));
        Some(text.collect())
    }

    fn example(&self, seat: Seat) -> Option<String> {
        let mut dice = games::Dice::new(self.past.len() as u64);
        self.turn().asks(seat).then(|| {
            let m = self.game.random_move(&self.state, seat, &mut dice);
            self.game.write_move(m, seat)
        })
    }

    fn play(&mut self, seat: Seat, text: &str) -> Result<String, TableError> {
        self.check(seat)?;
        let m = self.game.parse_move(&self.state, seat, text)?;
        self.take(seat, m);
        Ok(self.game.write_move(m, seat))
    }

    fn has_moved(&self, seat: Seat) -> bool {
        self.waiting[seat.index()].is_some()
    }

    fn player(&self, seat: Seat) -> Option<String> {
        self.players[seat.index()]
            .as_ref()
            .map(|guest| guest.side.name())
    }

    fn think(&mut self, seat: Seat, watch: &mut dyn FnMut() -> bool) -> Result<Advice, TableError> {
        self.check(seat)?;
        let Some(guest) = &mut self.players[seat.index()] else {
            return Err(TableError::Person(seat));
        };
        let mut watch = CallbackWatch(watch);
        let thought = guest.think(&self.game, &self.state, seat, &mut watch);
        let thought = thought.map_err(|fault| TableError::Fault {
            name: guest.side.name(),
            fault,
        })?;
        let advice = self.words(seat, &thought);
        self.take(seat, thought.choice);
        Ok(advice)
    }

    fn advise(
        &self,
        seat: Seat,
        player: &str,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Advice, TableError> {
        self.check(seat)?;
        let mut player = open(&self.game, player)?;
        player.begin(self.past.len() as u64);
        let thought = player.think(&self.game, &self.state, seat, &mut CallbackWatch(watch));
        Ok(self.words(seat, &thought))
    }

    fn take_back(&mut self) -> bool {
        if self.waiting.iter().any(Option::is_some) {
            self.waiting = [None; 2];
            return true;
        }
        match self.past.pop() {
            Some(state) => {
                self.state = state;
                self.history.pop();
                for guest in self.players.iter_mut().flatten() {
                    guest.is_ready = false;
                }
                true
            }
            None => false,
        }
    }

    fn turns(&self) -> usize {
        self.past.len()
    }

    fn begin(&mut self, seed: u64) {
        let mut dice = games::Dice::new(seed);
        self.past.clear();
        self.history.clear();
        self.waiting = [None; 2];
        self.state = self.game.start();
        for player in &mut self.players {
            // drawn for people too: a seat's chance does not depend on who sits in the other
            let seed = dice.word();
            if let Some(guest) = player {
                guest.seed = seed;
                guest.is_ready = false;
            }
        }
    }
}

impl<G: Game> TablePlayer<G> {
    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        if !self.is_ready {
            self.side.begin(game, state, seat, self.seed, watch)?;
            self.is_ready = true;
        }
        let thought = self.side.think(game, state, seat, watch).thought;
        self.is_ready = thought.is_ok();
        thought
    }
}
