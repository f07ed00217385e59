//! The registry of players and the games that they can play.

use crate::{
    AlphaBeta, Clock, MaterialPlayer, Mcts, Player, PlayerError, PlayerLimits, PlayerSpec,
    RandomPlayer, RegretMatchingPlayer, mnk,
};
use games::duel::{Board8, Board16, BoardAny, Duel, DuelBoard};
use games::mnk::Mnk;
use games::stones::Stones;
use games::{AnyGame, Game, Turn, with_game};

/// A game with the players that are made for it alone.
///
/// ```
/// use games::mnk::Mnk;
/// use players::Roster as _;
///
/// assert_eq!(Mnk::TICTACTOE.champion(), "perfect");
/// assert_eq!(Mnk::<6>::new(15, 15, 5).expect("it fits").champion(), "mcts:ms=1000");
/// ```
pub trait Roster: Game {
    /// The names of its own players.
    const OWN: &'static [&'static str] = &[];

    /// Makes one of its own players, whose name is in [`Roster::OWN`].
    ///
    /// # Errors
    /// What is wrong with the options, or why the player cannot play with these rules.
    fn own(&self, spec: &mut PlayerSpec<'_>) -> Result<Box<dyn Player<Self>>, PlayerError> {
        Err(unknown(self, spec.name()))
    }

    /// The strongest player for these rules, as text for [`open`], with a time limit that suits
    /// a person: the default opponent.
    fn champion(&self) -> String {
        "mcts:ms=500".into()
    }

    /// Makes a player from text: [`open`], as a method.
    ///
    /// # Errors
    /// Those of [`open`].
    fn open(&self, text: &str, clock: &Clock) -> Result<Box<dyn Player<Self>>, PlayerError> {
        open_by_name(self, text, clock)
    }
}

/// Makes players of one type of game.
///
/// Its impls are not generic, so the searches over a game's rules are compiled in this crate and
/// not once more in each crate that opens a player.
pub trait PlayerFactory: Sized {
    /// Makes a player from text: see [`open`].
    ///
    /// # Errors
    /// Those of [`open`].
    fn make(&self, text: &str, clock: &Clock) -> Result<Box<dyn Player<Self>>, PlayerError>
    where
        Self: Game;
}

macro_rules! player_factory {
    ($($game:ty),*) => {
        $(
            impl PlayerFactory for $game {
                fn make(&self, text: &str, clock: &Clock) -> Result<Box<dyn Player<Self>>, PlayerError> {
                    open_by_name(self, text, clock)
                }
            }
        )*
    };
}

player_factory!(
    Mnk<1>,
    Mnk<6>,
    Duel<Board8>,
    Duel<Board16>,
    Duel<BoardAny>,
    Stones
);

/// Players of any game; [`fits`] says which of them.
const GENERAL: &[&str] = &["random", "material", "alphabeta", "mcts", "regret"];

/// Whether a general player can play this game: `alphabeta` needs alternating moves, `regret`
/// simultaneous ones.
fn fits<G: Game>(game: &G, name: &str) -> bool {
    let is_simultaneous = game.turn(&game.start()) == Turn::Both;
    match name {
        "alphabeta" => !is_simultaneous,
        "regret" => is_simultaneous,
        _ => true,
    }
}

/// The names of all players for any rules of this type; [`players_of`] leaves out those that
/// cannot play these.
///
/// ```
/// use games::mnk::Mnk;
///
/// assert!(players::names::<Mnk<1>>().eq([
///     "random", "material", "alphabeta", "mcts", "regret", "perfect", "heuristic",
/// ]));
/// ```
pub fn names<G: Roster>() -> impl Iterator<Item = &'static str> {
    GENERAL.iter().chain(G::OWN).copied()
}

/// The names of the players that can play these rules, judged by name alone.
///
/// ```
/// use games::stones::Stones;
///
/// let names: Vec<_> = players::players_of(&Stones::default()).collect();
/// assert_eq!(names, ["random", "material", "alphabeta", "mcts", "strong"]); // its seats take turns
/// ```
pub fn players_of<G: Roster>(game: &G) -> impl Iterator<Item = &'static str> {
    names::<G>().filter(|name| fits(game, name))
}

/// Makes a player from text: a name, and its options after a colon, `mcts:ms=50`. The clock
/// measures its time limit, if it has one; many have one by default.
///
/// # Errors
/// There is no such player of this game, or its options are wrong.
///
/// ```
/// use games::mnk::Mnk;
/// use players::Clock;
///
/// let player = players::open(&Mnk::TICTACTOE, "mcts:playouts=500", &Clock::system())?;
/// assert_eq!(player.name(), "mcts:playouts=500");
/// assert!(players::open(&Mnk::TICTACTOE, "strong", &Clock::system()).is_err());
/// # Ok::<(), players::PlayerError>(())
/// ```
pub fn open<G: Roster>(
    game: &G,
    text: &str,
    clock: &Clock,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    game.open(text, clock)
}

/// Checks that a player can be created from text, for any game.
///
/// # Errors
/// Those of [`open`].
///
/// ```
/// let stones = "stones".parse().expect("a game");
/// assert!(players::check(&stones, "strong:ms=50").is_ok());
/// assert!(players::check(&stones, "regret").is_err());
/// ```
pub fn check(game: &AnyGame, text: &str) -> Result<(), PlayerError> {
    with_game!(game, |game| open(game, text, &Clock::stopped()).map(drop))
}

/// The names of the players that can play a game's rules: [`players_of`] without those that
/// refuse the rules when they are created.
///
/// ```
/// let gomoku = "mnk:15,15,5".parse().expect("a game");
/// let able = players::able_players(&gomoku);
/// assert!(!able.contains(&"heuristic"), "its rules are for 3 x 3");
/// ```
#[must_use]
pub fn able_players(game: &AnyGame) -> Vec<&'static str> {
    with_game!(game, |game| {
        let able = players_of(game).filter(|name| open(game, name, &Clock::stopped()).is_ok());
        able.collect()
    })
}

fn open_by_name<G: Roster>(
    game: &G,
    text: &str,
    clock: &Clock,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let mut spec = PlayerSpec::new(text, clock);
    let player: Box<dyn Player<G>> = match spec.name() {
        "random" => Box::new(RandomPlayer::default()),
        "material" | "greedy" => Box::new(MaterialPlayer::default()),
        "alphabeta" => Box::new(AlphaBeta::read(game, &mut spec)?),
        "mcts" => Box::new(Mcts::read(game, &mut spec)?),
        "regret" => Box::new(RegretMatchingPlayer::read(game, &mut spec)?),
        name if G::OWN.contains(&name) => game.own(&mut spec)?,
        name => return Err(unknown(game, name)),
    };
    spec.finish()?;
    Ok(player)
}

fn unknown<G: Roster>(game: &G, name: &str) -> PlayerError {
    let known: Vec<_> = players_of(game).collect();
    PlayerError::Unknown {
        game: game.name(),
        name: name.into(),
        known: known.join(", "),
    }
}

impl<const WORDS: usize> Roster for Mnk<WORDS>
where
    Mnk<WORDS>: PlayerFactory,
{
    const OWN: &'static [&'static str] = &["perfect", "heuristic"];

    fn own(&self, spec: &mut PlayerSpec<'_>) -> Result<Box<dyn Player<Self>>, PlayerError> {
        match spec.name() {
            "perfect" => Ok(Box::new(mnk::PerfectPlayer::read(self, spec)?)),
            "heuristic" => Ok(Box::new(mnk::HeuristicPlayer::read(self, spec)?)),
            name => Err(unknown(self, name)),
        }
    }

    fn champion(&self) -> String {
        match mnk::PerfectPlayer::new(self, PlayerLimits::default()) {
            Ok(_) => "perfect".into(),
            Err(_) => "mcts:ms=1000".into(),
        }
    }

    fn open(&self, text: &str, clock: &Clock) -> Result<Box<dyn Player<Self>>, PlayerError> {
        self.make(text, clock)
    }
}

impl<B: DuelBoard> Roster for Duel<B>
where
    Duel<B>: PlayerFactory,
{
    const OWN: &'static [&'static str] = &["strong"];

    fn own(&self, spec: &mut PlayerSpec<'_>) -> Result<Box<dyn Player<Self>>, PlayerError> {
        Ok(Box::new(crate::duel::StrongDuelPlayer::read(spec)?))
    }

    fn champion(&self) -> String {
        "strong:ms=50".into()
    }

    fn open(&self, text: &str, clock: &Clock) -> Result<Box<dyn Player<Self>>, PlayerError> {
        self.make(text, clock)
    }
}

impl Roster for Stones {
    const OWN: &'static [&'static str] = &["strong"];

    fn own(&self, spec: &mut PlayerSpec<'_>) -> Result<Box<dyn Player<Self>>, PlayerError> {
        Ok(Box::new(crate::stones::StrongStonesPlayer::read(spec)?))
    }

    fn champion(&self) -> String {
        "strong:ms=500".into()
    }

    fn open(&self, text: &str, clock: &Clock) -> Result<Box<dyn Player<Self>>, PlayerError> {
        self.make(text, clock)
    }
}
