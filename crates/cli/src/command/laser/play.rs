//! `gridpaper laser play`: a level in the terminal; where input or output is none, in plain
//! text that scrolls.

use super::{LaserSourceArgs, LoadedLaserLevel, SolverLimitArgs, counted, fitting};
use crate::command::home_screen;
use crate::failure::{CliFailure, hint, note};
use crate::interrupt::InterruptGuard;
use crate::prompt::ConsolePrompt;
use crate::{output, table};
use clap::{Args, ValueHint};
use laser::SensorStatus;
use laser::play::command::{self, LaserCommand};
use laser::play::{LaserOutcome, Play as Game};
use laser::solver::Aim;
use models::laser::LaserLevel;
use render::laser::{LaserDrawing, LaserTileSize};
use std::ffi::OsString;
use std::time::Duration;
use tui::laser::LaserScreen;
use tui::{ScreenExit, TerminalProfile};

/// Play a level
///
/// In a terminal it takes the whole screen, with cursor keys and the mouse. Through a pipe,
/// and with --plain, it is a conversation: a command a line, such as `move 3,2 2,2` or `hint`.
#[derive(Debug, Args)]
pub(crate) struct LaserPlayArgs {
    /// A file, - for standard input, or a built-in level's name
    #[arg(value_name = "LEVEL", default_value = FIRST, value_hint = ValueHint::FilePath)]
    level: OsString,

    /// Plain text also in a terminal
    #[arg(long)]
    plain: bool,
}

/// The level to begin with.
const FIRST: &str = "simple-mirror";
/// How long the solver may look for the fewest moves when a level is solved.
const PATIENCE: Duration = Duration::from_secs(10);

impl LaserPlayArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        // where the level came through the pipe, keys come from the terminal
        let is_piped = self.level == "-";
        let level = LaserSourceArgs { level: self.level }.read()?;
        if !self.plain && (home_screen::has_person() || is_piped && home_screen::has_screen()) {
            return on_screen(level);
        }
        let mut prompt = ConsolePrompt::new();
        let mut table = LaserConsole::new(level);
        table.begin()?;
        while let Some(line) = prompt.ask("> ")? {
            if line.trim().is_empty() {
                continue;
            }
            let command: LaserCommand = match line.parse() {
                Ok(command) => command,
                Err(error) => {
                    note(&error);
                    hint(error.hint());
                    continue;
                }
            };
            match table.game.apply(&command) {
                Ok(LaserOutcome::Quit) => return Ok(()),
                Ok(outcome) => table.tell(outcome)?,
                Err(error) => note(error),
            }
        }
        if prompt.is_person {
            prompt.say("\n");
        }
        Ok(())
    }
}

/// Plays a level on the whole screen; the built-in ones lie before and behind it.
fn on_screen(level: LoadedLaserLevel) -> Result<(), CliFailure> {
    let mut levels = LaserLevel::built_in();
    let at = match level.entry {
        Some(entry) => levels.iter().position(|level| level.name == entry.name),
        None => None,
    };
    let at = at.unwrap_or_else(|| {
        let own = LaserLevel {
            name: level.name,
            about: String::new(),
            board: level.board,
            fewest: None,
        };
        levels.insert(0, own);
        0
    });
    let look = TerminalProfile::of(|name| std::env::var_os(name));
    let mut screen = LaserScreen::new(levels, at, (80, 24), look);
    let interrupts = InterruptGuard::new();
    let ended = tui::laser::run(&mut screen, &|| interrupts.asked_to_stop());
    match ended.map_err(CliFailure::wrong)? {
        ScreenExit::Left => Ok(()),
        ScreenExit::Stopped => Err(CliFailure::interrupted("stopped from outside")),
    }
}

/// A level played line by line.
struct LaserConsole {
    game: Game,
    size: LaserTileSize,
}

impl LaserConsole {
    fn new(level: LoadedLaserLevel) -> Self {
        let LoadedLaserLevel { name, board, entry } = level;
        // one row a tile: what scrolls away is less
        let size = fitting(&board).min(LaserTileSize::Medium);
        let game = Game::new(name, board);
        let game = match entry.and_then(|entry| entry.fewest) {
            Some(fewest) => game.with_fewest(fewest),
            None => game,
        };
        Self { game, size }
    }

    fn begin(&mut self) -> Result<(), CliFailure> {
        let board = self.game.board();
        let pieces = counted(board.pieces().count(), "piece");
        let (width, height) = (board.width(), board.height());
        output::line(format_args!(
            "{}: {width} x {height}, {pieces} to move; ? for help",
            self.game.name()
        ))?;
        self.show()?;
        if self.game.is_solved() {
            output::line("it is solved as it stands")?;
        }
        Ok(())
    }

    fn tell(&mut self, outcome: LaserOutcome) -> Result<(), CliFailure> {
        match outcome {
            LaserOutcome::Show => self.show(),
            LaserOutcome::Help => {
                let rows = command::ALL.iter().map(|entry| {
                    let usage = format!("{} {}", entry.name, entry.usage);
                    let short = entry.short.to_string();
                    [usage.trim_end().to_string(), short, entry.help.to_string()]
                });
                output::to_stdout(|out| out.write_all(table::aligned(rows).as_bytes()))
            }
            LaserOutcome::Thinking => self.think(),
            LaserOutcome::Moved(_) | LaserOutcome::Redone(_) => {
                output::line(outcome)?;
                self.show()?;
                match self.game.is_solved() {
                    true => self.end(),
                    false => Ok(()),
                }
            }
            LaserOutcome::Undone(_) | LaserOutcome::Restarted(_) => {
                output::line(outcome)?;
                self.show()
            }
            outcome => output::line(outcome),
        }
    }

    /// Asks the solver what the person waits for.
    fn think(&mut self) -> Result<(), CliFailure> {
        self.ask(None)?.map_or(Ok(()), |outcome| match outcome {
            Ok(outcome) => output::line(outcome),
            Err(error) => {
                note(error);
                Ok(())
            }
        })
    }

    /// Has the solver answer what is to be known; Ctrl-C leaves the game.
    fn ask(&mut self, limit: Option<Duration>) -> Result<AdviceOutcome, CliFailure> {
        let Some(board) = self.game.board_to_solve().cloned() else {
            return Ok(None);
        };
        let patience = SolverLimitArgs {
            limit,
            nodes: u64::MAX,
        };
        let asked = patience.ask(&board, Aim::Fewest);
        if asked.is_interrupted {
            return Err(CliFailure::interrupted(format_args!(
                "left after {}",
                counted(self.game.moves(), "move")
            )));
        }
        Ok(self.game.record_answer(&board, &asked.answer))
    }

    fn end(&mut self) -> Result<(), CliFailure> {
        self.ask(Some(PATIENCE))?;
        let moves = counted(self.game.moves(), "move");
        let fewest = self.game.fewest();
        if fewest.proven() == Some(self.game.moves()) {
            return output::line(format_args!("solved in {moves}, and fewer will not do"));
        }
        output::line(format_args!(
            "solved in {moves}; the fewest that will do are {fewest}"
        ))
    }

    fn show(&self) -> Result<(), CliFailure> {
        let (board, light) = (self.game.board(), self.game.light());
        let drawing = LaserDrawing::of(board, light, self.size).with_rulers();
        let SensorStatus { sensors, lit } = self.game.status();
        let lit = match sensors {
            0 => "there is no sensor".to_string(),
            n => format!("{lit} of {n} sensors lit"),
        };
        let text = drawing.text();
        let moves = self.game.moves();
        output::line(format_args!("{text}{lit}, moves {moves}"))
    }
}

/// The result that was awaited, if any.
type AdviceOutcome = Option<Result<LaserOutcome, laser::play::LaserPlayError>>;
