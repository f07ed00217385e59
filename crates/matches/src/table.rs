//! An interactive game for a terminal or a page, with moves as text, for any game.

use crate::{Fault, Side, parse_turn, write_turn};
use games::{AnyGame, Diagram, Game, Input, JointMove, MoveError, Outcome, Seat, Turn, with_game};
use players::{Clock, PlayerError, Roster, SearchObserver, Thought, Value, open};
use std::fmt;
use thiserror::Error;

/// A game in progress. Each seat is taken by a built-in player, a bot, or a person.
pub trait Table: Send {
    /// The game, as [`AnyGame`] reads it.
    fn game(&self) -> String;

    /// Which seat is to move.
    fn turn(&self) -> Turn;

    /// What decided a game that is over by its rules, for people; `None` while it goes on.
    fn reason(&self) -> Option<String>;

    /// The position as lines of text.
    fn position(&self) -> String;

    /// The board as a seat sees it.
    fn diagram(&self, seat: Seat) -> Diagram;

    /// The board from a seat's view after `turns` turns; 0 is the start. `None` for more turns
    /// than were played.
    fn diagram_at(&self, turns: usize, seat: Seat) -> Option<Diagram>;

    /// How moves are entered on the diagram.
    fn input(&self) -> Input;

    /// The board from a seat's view after its move, without making it.
    ///
    /// # Errors
    /// The move is not legal; or its result depends on the other seat's move too.
    fn preview(&self, seat: Seat, text: &str) -> Result<Diagram, TableError>;

    /// The turns played, as in [`crate::RecordedTurn::text`].
    fn history(&self) -> &[String];

    /// Plays a whole turn for all seats: a line of [`Table::history`]. Pending moves are
    /// dropped. Used to mirror another table.
    ///
    /// # Errors
    /// The turn cannot be played here.
    fn follow(&mut self, turn: &str) -> Result<(), TableError>;

    /// Number of a seat's legal moves; 0 when it is not to move.
    fn breadth(&self, seat: Seat) -> u64;

    /// A seat's legal moves as text, if there are at most `most`.
    fn moves(&self, seat: Seat, most: u64) -> Option<Vec<String>>;

    /// An example of a move; `None` when the seat is not to move.
    fn example(&self, seat: Seat) -> Option<String>;

    /// Makes a seat's move and returns it in the game's notation. Where both seats move
    /// simultaneously it is pending until the other has moved too.
    ///
    /// # Errors
    /// The move is not legal, or the seat has moved already.
    fn play(&mut self, seat: Seat, text: &str) -> Result<String, TableError>;

    /// Whether a seat's move is pending.
    fn has_moved(&self, seat: Seat) -> bool;

    /// The name of a seat's player; `None` for a person.
    fn player(&self, seat: Seat) -> Option<String>;

    /// Lets a seat's player choose and make its move. `watch` is polled meanwhile and returns
    /// whether to go on.
    ///
    /// # Errors
    /// A person has the seat, the seat is not to move, or a bot has a fault; after a fault the
    /// bot can be asked again, and is restarted.
    fn think(&mut self, seat: Seat, watch: &mut dyn FnMut() -> bool) -> Result<Advice, TableError>;

    /// The move a player would choose for a seat.
    ///
    /// # Errors
    /// There is no such player, or the seat is not to move.
    fn advise(
        &self,
        seat: Seat,
        player: &str,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Advice, TableError>;

    /// Undoes the last turn; returns whether there was one. A pending move is undone alone.
    fn take_back(&mut self) -> bool;

    /// Number of turns played.
    fn turns(&self) -> usize;

    /// Starts a new game with new random seeds for the players.
    fn begin(&mut self, seed: u64);
}

/// A player's thought as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The move.
    pub choice: String,
    /// Its principal variation, its own choice first: `B2 A1 C3`, or `00110/10000` where both
    /// seats move simultaneously.
    pub line: Vec<String>,
    /// Its evaluation for the seat.
    pub value: Option<Value>,
    /// Number of positions searched.
    pub nodes: u64,
    /// Search depth in turns.
    pub depth: u32,
    /// The rule that a rule-based player applied.
    pub reason: Option<String>,
}

impl fmt::Display for Advice {
    /// All known facts in one line: `proven: a draw; 127 positions; 6 turns ahead; line B2 A1
    /// C3`.
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

/// An error of a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// The move is not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The seat's move is pending.
    #[error("the {0} seat has moved already")]
    HasMoved(Seat),
    /// A bot has a fault.
    #[error("{name}: {fault}")]
    Fault {
        /// The bot's text.
        name: String,
        /// What it did.
        fault: Fault,
    },
    /// The move's result depends on the other seat's simultaneous move.
    #[error("both seats move at once: what comes of one move takes the other to know")]
    SimultaneousMove,
    /// A person has the seat.
    #[error("a person sits in the {0} seat")]
    Person(Seat),
}

/// Sets up a table with two players, or people (`None`). The clock measures the time of players
/// that advise. What the sides report after a game, a bot's stderr say, is dropped.
///
/// ```
/// use games::{Seat, mnk::Mnk};
/// use players::Clock;
///
/// // two people
/// let mut table = matches::new_table(Mnk::TICTACTOE, [None, None], Clock::stopped(), 1);
/// table.play(Seat::First, "b2")?;
/// assert!(table.play(Seat::Second, "b2").is_err(), "the cell is taken");
/// assert_eq!(table.history(), ["B2"]);
/// # Ok::<(), matches::TableError>(())
/// ```
#[must_use]
pub fn new_table<G: Roster>(
    game: G,
    sides: [Option<Box<dyn Side<G>>>; 2],
    clock: Clock,
    seed: u64,
) -> Box<dyn Table> {
    let players = sides.map(|side| {
        side.map(|side| TablePlayer {
            side,
            seed: 0,
            is_ready: false,
        })
    });
    let mut table = TypedTable {
        states: Vec::new(),
        history: Vec::new(),
        state: game.start(),
        pending_moves: [None; 2],
        players,
        game,
        clock,
    };
    table.begin(seed);
    Box::new(table)
}

/// A game's strongest player, the default opponent: see [`players::Roster::champion`].
#[must_use]
pub fn champion(game: &AnyGame) -> String {
    with_game!(game, |game| game.champion())
}

/// A table for one game type.
struct TypedTable<G: Game> {
    game: G,
    /// The positions before this one.
    states: Vec<G::State>,
    /// The turns that led from each of them to the next.
    history: Vec<String>,
    state: G::State,
    /// Moves that wait for the other seat's.
    pending_moves: [Option<G::Move>; 2],
    players: [Option<TablePlayer<G>>; 2],
    clock: Clock,
}

/// A seat's player that is not a person.
struct TablePlayer<G: Game> {
    side: Box<dyn Side<G>>,
    /// Its random seed in this game.
    seed: u64,
    /// Whether its `begin` was called for this game and every turn since was passed on.
    is_ready: bool,
}

/// A search observer that calls a function.
struct CallbackWatch<'a>(&'a mut dyn FnMut() -> bool);

impl<M> SearchObserver<M> for CallbackWatch<'_> {
    fn goes_on(&mut self) -> bool {
        (self.0)()
    }
}

impl<G: Roster> TypedTable<G> {
    /// Checks that the seat is to move and has no pending move.
    fn check_to_move(&self, seat: Seat) -> Result<(), TableError> {
        match self.game.turn(&self.state) {
            Turn::Over(_) => Err(MoveError::Over.into()),
            turn if !turn.asks(seat) => Err(MoveError::NotToMove.into()),
            _ if self.has_moved(seat) => Err(TableError::HasMoved(seat)),
            _ => Ok(()),
        }
    }

    fn submit_move(&mut self, seat: Seat, m: G::Move) {
        self.pending_moves[seat.index()] = Some(m);
        let joint = match (self.game.turn(&self.state), self.pending_moves) {
            (Turn::One(_), _) => JointMove::One(m),
            (_, [Some(first), Some(second)]) => JointMove::Both(first, second),
            _ => return,
        };
        self.advance(joint);
    }

    fn advance(&mut self, joint: JointMove<G::Move>) {
        self.pending_moves = [None; 2];
        self.history
            .push(write_turn(&self.game, &self.state, joint));
        self.states.push(self.state.clone());
        self.game.apply(&mut self.state, joint);
        if let Turn::Over(outcome) = self.game.turn(&self.state) {
            for player in self.players.iter_mut().flatten() {
                player.side.end(&self.game, &self.state, outcome);
                player.is_ready = false;
            }
        }
    }

    /// Converts a thought to text. Notation depends on the turn, so the line is played out.
    fn to_advice(&self, seat: Seat, thought: &Thought<G::Move>) -> Advice {
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

impl<G: Roster> Table for TypedTable<G> {
    fn game(&self) -> String {
        self.game.name()
    }

    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    fn reason(&self) -> Option<String> {
        self.game.reason(&self.state)
    }

    fn position(&self) -> String {
        self.game.write_state(&self.state)
    }

    fn diagram(&self, seat: Seat) -> Diagram {
        self.game.diagram(&self.state, seat)
    }

    fn diagram_at(&self, turns: usize, seat: Seat) -> Option<Diagram> {
        let state = match turns == self.states.len() {
            true => &self.state,
            false => self.states.get(turns)?,
        };
        Some(self.game.diagram(state, seat))
    }

    fn input(&self) -> Input {
        self.game.input()
    }

    fn preview(&self, seat: Seat, text: &str) -> Result<Diagram, TableError> {
        self.check_to_move(seat)?;
        let m = self.game.parse_move(&self.state, seat, text)?;
        if self.game.turn(&self.state) == Turn::Both {
            return Err(TableError::SimultaneousMove);
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
        let mut dice = games::Dice::new(self.states.len() as u64);
        self.turn().asks(seat).then(|| {
            let m = self.game.random_move(&self.state, seat, &mut dice);
            self.game.write_move(m, seat)
        })
    }

    fn play(&mut self, seat: Seat, text: &str) -> Result<String, TableError> {
        self.check_to_move(seat)?;
        let m = self.game.parse_move(&self.state, seat, text)?;
        self.submit_move(seat, m);
        Ok(self.game.write_move(m, seat))
    }

    fn has_moved(&self, seat: Seat) -> bool {
        self.pending_moves[seat.index()].is_some()
    }

    fn player(&self, seat: Seat) -> Option<String> {
        self.players[seat.index()]
            .as_ref()
            .map(|player| player.side.name())
    }

    fn think(&mut self, seat: Seat, watch: &mut dyn FnMut() -> bool) -> Result<Advice, TableError> {
        self.check_to_move(seat)?;
        let Some(player) = &mut self.players[seat.index()] else {
            return Err(TableError::Person(seat));
        };
        let mut watch = CallbackWatch(watch);
        let thought = player.think(&self.game, &self.state, seat, &mut watch);
        let thought = thought.map_err(|fault| TableError::Fault {
            name: player.side.name(),
            fault,
        })?;
        let advice = self.to_advice(seat, &thought);
        self.submit_move(seat, thought.choice);
        Ok(advice)
    }

    fn advise(
        &self,
        seat: Seat,
        player: &str,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Advice, TableError> {
        self.check_to_move(seat)?;
        let mut player = open(&self.game, player, &self.clock)?;
        player.begin(self.states.len() as u64);
        let thought = player.think(&self.game, &self.state, seat, &mut CallbackWatch(watch));
        Ok(self.to_advice(seat, &thought))
    }

    fn take_back(&mut self) -> bool {
        if self.pending_moves.iter().any(Option::is_some) {
            self.pending_moves = [None; 2];
            return true;
        }
        match self.states.pop() {
            Some(state) => {
                self.state = state;
                self.history.pop();
                for player in self.players.iter_mut().flatten() {
                    player.is_ready = false;
                }
                true
            }
            None => false,
        }
    }

    fn turns(&self) -> usize {
        self.states.len()
    }

    fn begin(&mut self, seed: u64) {
        let mut dice = games::Dice::new(seed);
        self.states.clear();
        self.history.clear();
        self.pending_moves = [None; 2];
        self.state = self.game.start();
        for player in &mut self.players {
            // drawn for people too, so that a seat's seed does not depend on the other seat
            let seed = dice.word();
            if let Some(player) = player {
                player.seed = seed;
                player.is_ready = false;
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
