//! The laser puzzle: levels to play, what their games say, searches of the solver, and the verdict
//! on a drawing.
//!
//! The game itself is [`laser::play::Play`].

mod verdict;

pub use verdict::{LevelVerdict, judge};

use crate::counted;
use crate::worker_pool::JobPermit;
use laser::Board;
use laser::level::{self, BuiltinLevel};
use laser::play::{LaserCommand, LaserOutcome, LaserPlayError, MoveBounds, Play};
use laser::solver::{Aim, Question, SolverAnswer, solve};

/// A level to play.
#[derive(Clone, Debug)]
pub struct LaserLevel {
    /// The level's name.
    pub name: String,
    /// Its difficulty or purpose in a few words.
    pub about: String,
    /// The board at the start.
    pub board: Board,
    /// The proven minimum number of moves, if known.
    pub fewest: Option<u32>,
}

impl From<&BuiltinLevel> for LaserLevel {
    fn from(level: &BuiltinLevel) -> Self {
        Self {
            name: level.name.to_string(),
            about: level.purpose.to_string(),
            board: level.board(),
            fewest: level.fewest,
        }
    }
}

impl LaserLevel {
    /// The built-in levels, in order.
    #[must_use]
    pub fn built_in() -> Vec<Self> {
        level::all().iter().map(Self::from).collect()
    }

    /// A game at the level's start.
    ///
    /// ```
    /// let level = models::laser::LaserLevel::built_in().remove(0);
    /// let play = level.play();
    /// assert_eq!((play.moves(), play.fewest().proven()), (0, level.fewest));
    /// ```
    #[must_use]
    pub fn play(&self) -> Play {
        let play = Play::new(self.name.clone(), self.board.clone());
        match self.fewest {
            Some(moves) => play.with_fewest(moves),
            None => play,
        }
    }
}

/// What there is to say of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaserReport {
    /// The words; empty where the board says it.
    pub words: String,
    /// The outcome; `None` where the command was refused.
    pub outcome: Option<LaserOutcome>,
}

impl LaserReport {
    /// Executes a command that is given as text.
    ///
    /// ```
    /// use laser::play::Play;
    /// use models::laser::LaserReport;
    ///
    /// let mut play = Play::new("a first one", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
    /// let report = LaserReport::of_command(&mut play, "mvoe 1,2 2,1");
    /// assert!(report.is_refused() && !report.words.is_empty());
    /// let report = LaserReport::of_command(&mut play, "move 1,2 2,1");
    /// assert!(!report.is_refused() && play.is_solved());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_command(play: &mut Play, text: &str) -> Self {
        match text.parse::<LaserCommand>() {
            Ok(command) => Self::of(play.apply(&command)),
            Err(error) => Self::refusal(format!("{error} · {}", error.hint())),
        }
    }

    /// The report of an outcome.
    ///
    /// ```
    /// use laser::play::Play;
    /// use models::laser::LaserReport;
    ///
    /// let mut play = Play::new("a first one", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
    /// let report = LaserReport::of(play.apply(&"hint".parse()?));
    /// assert_eq!(report.words, "looking for a way · esc gives up");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(outcome: Result<LaserOutcome, LaserPlayError>) -> Self {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return Self::refusal(error.to_string()),
        };
        let words = match &outcome {
            LaserOutcome::Deselected
            | LaserOutcome::Selected(..)
            | LaserOutcome::Show
            | LaserOutcome::Help
            | LaserOutcome::Quit => String::new(),
            LaserOutcome::Thinking => "looking for a way · esc gives up".into(),
            LaserOutcome::Moved(_) => format!("{outcome} · u takes it back"),
            LaserOutcome::Restarted(1..) => format!("{outcome} · r makes them again"),
            outcome => outcome.to_string(),
        };
        let outcome = Some(outcome);
        Self { words, outcome }
    }

    fn refusal(words: String) -> Self {
        Self {
            words,
            outcome: None,
        }
    }

    /// Whether the command was refused.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.outcome.is_none()
    }
}

/// How many sensors are lit, in words.
///
/// ```
/// use laser::play::Play;
///
/// let play = Play::new("a first one", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
/// assert_eq!(models::laser::sensor_words(&play), "0 of 1 sensors lit");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sensor_words(play: &Play) -> String {
    let status = play.status();
    match status.sensors {
        0 => "no sensor to light".into(),
        sensors => format!("{} of {sensors} sensors lit", status.lit),
    }
}

/// How a solved level was solved, in words.
///
/// ```
/// use laser::play::Play;
///
/// let mut play = Play::new("a first one", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
/// play.apply(&"move 1,2 2,1".parse()?)?;
/// assert_eq!(models::laser::solution_words(&play), "solved in 1 move");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn solution_words(play: &Play) -> String {
    if play.moves() == 0 {
        return "solved as it stands".into();
    }
    let solved = format!("solved in {}", counted(play.moves(), "move"));
    let MoveBounds { at_least, .. } = play.fewest();
    match play.fewest().proven() {
        Some(fewest) if play.moves() <= fewest => format!("{solved}, and none solves it in fewer"),
        Some(fewest) => format!("{solved}, the fewest are {fewest}"),
        None if at_least > 0 => format!("{solved}, the fewest are at least {at_least}"),
        None => solved,
    }
}

/// Replays the moves of a game that was left: `done`, and the `undone` ones, the next one to be
/// made again last. Stops at the first that cannot be made.
///
/// ```
/// use laser::play::Play;
///
/// let mut play = Play::new("a first one", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
/// // one move was made and taken back again
/// models::laser::resume(&mut play, &[], &["1,2 2,1".into()]);
/// assert_eq!(play.moves(), 0);
/// play.apply(&"redo".parse()?)?;
/// assert!(play.is_solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn resume(play: &mut Play, done: &[String], undone: &[String]) {
    let mut made = 0;
    for text in done.iter().chain(undone.iter().rev()) {
        let step = format!("move {text}").parse::<LaserCommand>();
        let outcome = step.ok().map(|step| play.apply(&step));
        if !matches!(outcome, Some(Ok(LaserOutcome::Moved(_)))) {
            break;
        }
        made += 1;
    }
    for _ in done.len()..made {
        // each of them was made just now
        let _ = play.apply(&LaserCommand::Undo);
    }
}

/// Solves a board that a game asks about ([`Play::board_to_solve`]) for as long as it is permitted.
/// `on_bound` is called with each better lower bound of the fewest moves.
///
/// ```
/// use laser::Board;
/// use models::worker_pool::WorkerPool;
/// use std::sync::mpsc::channel;
///
/// let board: Board = "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?;
/// let pool = WorkerPool::new(Default::default());
/// pool.spawn("solver", 1)?;
/// let (sender, answers) = channel();
/// let _job = pool.begin(None, move |permit| {
///     let answer = models::laser::solve_permitted(&board, permit, &mut |_| ());
///     let _ = sender.send(answer);
/// });
/// assert_eq!(answers.recv()?.moves.map(|moves| moves.len()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_permitted(
    board: &Board,
    permit: &JobPermit,
    on_bound: &mut dyn FnMut(u32),
) -> SolverAnswer {
    let mut bound = 0;
    solve(board, Question::new(Aim::Fewest), &mut |progress| {
        if progress.at_least > bound {
            bound = progress.at_least;
            on_bound(bound);
        }
        permit.goes_on()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIRROR: &str = "4 3\nW W SvW\nL>. . W\nW M/W W";

    fn play(level: &str) -> Play {
        Play::new("", level.parse().unwrap())
    }

    #[test]
    fn commands_are_reported_in_words() {
        let mut play = play(MIRROR);
        for (command, words, is_refused) in [
            ("select 1,2", "", false),
            ("undo", "there is no move to take back", true),
            (
                "move 1,2 2,1",
                "moved M/ from 1,2 to 2,1 · u takes it back",
                false,
            ),
            ("hint", "the level is solved", true),
            (
                "restart",
                "back at the start, 1 move taken back · r makes them again",
                false,
            ),
            ("restart", "this is the start", false),
            ("hint", "looking for a way · esc gives up", false),
        ] {
            let report = LaserReport::of_command(&mut play, command);
            assert_eq!(
                (report.words.as_str(), report.is_refused()),
                (words, is_refused)
            );
        }
        let report = LaserReport::of_command(&mut play, "jump");
        assert!(report.is_refused() && report.words.contains(" · "));
    }

    #[test]
    fn a_solved_level_says_how_well() {
        let solved = |level: LaserLevel| {
            let mut play = level.play();
            assert_eq!(sensor_words(&play), "0 of 1 sensors lit");
            resume(&mut play, &["1,2 2,1".into()], &[]);
            assert_eq!(sensor_words(&play), "1 of 1 sensors lit");
            solution_words(&play)
        };
        let level = |fewest| LaserLevel {
            name: String::new(),
            about: String::new(),
            board: MIRROR.parse().unwrap(),
            fewest,
        };
        assert_eq!(solved(level(None)), "solved in 1 move");
        assert_eq!(
            solved(level(Some(1))),
            "solved in 1 move, and none solves it in fewer"
        );
        assert_eq!(solution_words(&play("3 1\nL>. S<")), "solved as it stands");
        assert_eq!(sensor_words(&play("2 1\nL>W")), "no sensor to light");
    }

    #[test]
    fn a_game_goes_on_where_it_was_left() {
        let mut play = play(MIRROR);
        let texts =
            |texts: &[&str]| -> Vec<String> { texts.iter().map(|t| t.to_string()).collect() };
        resume(
            &mut play,
            &texts(&["1,2 1,1"]),
            &texts(&["2,1 1,2", "1,1 2,1"]),
        );
        assert_eq!((play.moves(), play.undone_moves().len()), (1, 2));
        // what cannot be made ends it
        resume(&mut play, &texts(&["0,0 1,1", "1,1 2,1"]), &[]);
        assert_eq!(play.moves(), 1);
    }
}
