//! `gridpaper laser`: the puzzle of lasers and mirrors. Its tasks are one file each; here is
//! what they share: what a LEVEL is, and questions to the solver.

mod check;
mod generate;
mod hint;
mod levels;
mod play;
mod show;
mod solve;

use crate::argument::seconds;
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::progress::LiveTerminalLines;
use clap::{Args, Subcommand, ValueHint};
use console::Term;
use grid::Point;
use laser::level::{self, BuiltinLevel};
use laser::play::PieceMove;
use laser::solver::{self, Aim, Question, Solution, SolverAnswer, SolverProgress};
use laser::{Board, Move};
use render::laser::LaserTileSize;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::{Duration, Instant};

/// Play, solve and make levels of the laser puzzle
#[derive(Debug, Args)]
#[command(
    after_help = "LEVEL is a file, - for standard input, or the name of a built-in level \
                        (gridpaper laser levels); cells are X,Y, and 0,0 is the first one of \
                        the first row"
)]
pub(crate) struct LaserArgs {
    #[command(subcommand)]
    task: LaserSubcommand,
}

#[derive(Debug, Subcommand)]
enum LaserSubcommand {
    Check(check::LaserCheckArgs),
    Show(show::LaserShowArgs),
    Play(play::LaserPlayArgs),
    Solve(solve::LaserSolveArgs),
    Hint(hint::LaserHintArgs),
    Generate(generate::LaserGenerateArgs),
    Levels(levels::LaserLevelsArgs),
}

impl LaserArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        match self.task {
            LaserSubcommand::Check(task) => task.run(),
            LaserSubcommand::Show(task) => task.run(),
            LaserSubcommand::Play(task) => task.run(),
            LaserSubcommand::Solve(task) => task.run(),
            LaserSubcommand::Hint(task) => task.run(),
            LaserSubcommand::Generate(task) => task.run(),
            LaserSubcommand::Levels(task) => task.run(),
        }
    }
}

/// Which level, as it is asked for.
#[derive(Debug, Args)]
struct LaserSourceArgs {
    /// A file, - for standard input, or a built-in level's name
    #[arg(value_name = "LEVEL", value_hint = ValueHint::FilePath)]
    level: OsString,
}

/// A level that was read.
struct LoadedLaserLevel {
    /// The file's name, or the built-in level's.
    name: String,
    board: Board,
    /// What is known of it, where it is built in.
    entry: Option<&'static BuiltinLevel>,
}

impl LaserSourceArgs {
    /// Reads it: a file where there is one, else a built-in level.
    fn read(&self) -> Result<LoadedLaserLevel, CliFailure> {
        let name = self.level.to_string_lossy().into_owned();
        if self.level == "-" {
            return parsed("standard input".into(), io::stdin().lock());
        }
        let path = Path::new(&self.level);
        let entry = level::find(&name);
        // a folder that happens to be called like a built-in level is not what is meant
        if path.exists() && !(path.is_dir() && entry.is_some()) {
            let file = File::open(path).map_err(|error| CliFailure::io(&name, &error))?;
            return parsed(name, file);
        }
        if let Some(entry) = entry {
            return Ok(LoadedLaserLevel {
                name: entry.name.to_string(),
                board: entry.board(),
                entry: Some(entry),
            });
        }
        if source::is_address(&name) {
            return Err(CliFailure::address(&name));
        }
        let message = format!("{name}: no such file, and no built-in level has that name");
        let hint = match level::suggest(&name) {
            Some(near) => format!("did you mean {near}?"),
            None => "gridpaper laser levels lists the built-in ones".into(),
        };
        Err(CliFailure::wrong(message).with_hint(Some(hint)))
    }
}

/// The most bytes that are taken: the largest board has fewer than half of them, as it is
/// written. (A device that never ends would take all memory.)
const MOST_BYTES: u64 = 1 << 27;

fn parsed(name: String, input: impl io::Read) -> Result<LoadedLaserLevel, CliFailure> {
    let mut bytes = Vec::new();
    let read = input.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| CliFailure::io(&name, &error))?;
    if bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        let message = format!("{name}: more than {most} MiB, and no level is as long");
        return Err(CliFailure::wrong(message));
    }
    let board = Board::read(&bytes).map_err(|error| {
        let hint = "it is compressed: `gunzip -c` it, and read `-`";
        let hint = pattern::is_compressed(&bytes).then(|| hint.to_string());
        CliFailure::wrong(format_args!("{name}:{error}")).with_hint(hint)
    })?;
    Ok(LoadedLaserLevel {
        name,
        board,
        entry: None,
    })
}

/// How long the solver may think.
#[derive(Debug, Args)]
struct SolverLimitArgs {
    /// Give up after so many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    limit: Option<Duration>,

    /// Give up after so many nodes: choices that the solver tries
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
}

impl SolverLimitArgs {
    /// What is left of it after one question.
    fn after(&self, asked: &TimedSolverAnswer) -> Self {
        let spent = Duration::from_secs_f64(asked.seconds);
        Self {
            limit: self.limit.map(|limit| limit.saturating_sub(spent)),
            nodes: self.nodes.saturating_sub(asked.answer.nodes),
        }
    }

    /// Runs the solver with progress output and stops at Ctrl-C.
    fn ask(&self, board: &Board, aim: Aim) -> TimedSolverAnswer {
        let interrupts = InterruptGuard::new();
        let mut waiting = SolverProgressLine::new();
        let nodes = self.nodes;
        let answer = solver::solve(board, Question { aim, nodes }, &mut |progress| {
            waiting.show(|| words(progress));
            let is_late = self
                .limit
                .is_some_and(|limit| waiting.started.elapsed() >= limit);
            !interrupts.asked_to_stop() && !is_late
        });
        TimedSolverAnswer {
            answer,
            is_interrupted: interrupts.asked_to_stop(),
            seconds: waiting.started.elapsed().as_secs_f64(),
        }
    }
}

/// An answer, and what it took.
struct TimedSolverAnswer {
    answer: SolverAnswer,
    /// Ctrl-C was pressed.
    is_interrupted: bool,
    seconds: f64,
}

impl TimedSolverAnswer {
    /// What is not known of the moves: whether there is a shorter way.
    fn open(&self) -> Option<&'static str> {
        let is_open = self.answer.moves.is_some() && !self.answer.is_fewest;
        is_open.then_some("it is not proven that no shorter way exists")
    }

    /// Ends a command whose moves may not be the fewest: Ctrl-C stays one, the limits are no
    /// fault.
    fn end(&self) -> Result<(), CliFailure> {
        match self.open() {
            Some(message) if self.is_interrupted => Err(CliFailure::interrupted(message)),
            open => {
                open.iter().for_each(note);
                Ok(())
            }
        }
    }

    /// The failure of a question without an answer yet.
    fn not_known(&self) -> CliFailure {
        let nodes = counted(self.answer.nodes, "node");
        let message = match self.answer.at_least {
            // that it is not solved as it stands is plain to see
            0 | 1 => format!("not known after {nodes}"),
            least => format!("not known after {nodes}; fewer than {least} moves will not do"),
        };
        if self.is_interrupted {
            return CliFailure::interrupted(message);
        }
        CliFailure::No {
            message,
            hint: Some("a larger --limit or --nodes may do".into()),
        }
    }
}

/// The failure for a level without a solution.
fn unsolvable(level: &LoadedLaserLevel) -> CliFailure {
    let message = match level.board.sensors().next() {
        None => format!("{} has no sensor, so it is never solved", level.name),
        Some(_) => format!("{} cannot be solved: every way was tried", level.name),
    };
    CliFailure::No {
        message,
        hint: None,
    }
}

fn words(progress: SolverProgress) -> String {
    let SolverProgress {
        nodes,
        solutions,
        at_least,
    } = progress;
    let solutions = match solutions {
        0 => String::new(),
        n => format!(", {}", counted(n, "solution")),
    };
    let moves = match at_least {
        0 => String::new(),
        n => format!(", at least {}", counted(n, "move")),
    };
    format!("{}{solutions}{moves}", counted(nodes, "node"))
}

/// `1 move`, `4 moves`.
fn counted(count: impl fmt::Display, what: &str) -> String {
    match count.to_string().as_str() {
        "1" => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// A status line, shown after the first second.
struct SolverProgressLine {
    started: Instant,
    next: Duration,
    lines: Option<LiveTerminalLines>,
}

impl SolverProgressLine {
    const PACE: Duration = Duration::from_millis(200);

    fn new() -> Self {
        Self {
            started: Instant::now(),
            next: Duration::from_secs(1),
            lines: None,
        }
    }

    fn show(&mut self, text: impl FnOnce() -> String) {
        let elapsed = self.started.elapsed();
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + Self::PACE;
        let lines = self.lines.get_or_insert_with(LiveTerminalLines::new);
        lines.show(|_| format!("{} s: {}", elapsed.as_secs(), text()));
    }
}

impl Drop for SolverProgressLine {
    fn drop(&mut self) {
        if let Some(lines) = &mut self.lines {
            lines.clear();
        }
    }
}

/// Wide enough for a board of four columns a tile, where there is no terminal to ask.
const COLUMNS: usize = 120;
/// Width of a ruler: four digits and a blank.
const RULER: usize = 5;

/// The largest size in which a board's columns fit, with rulers; rows can scroll.
fn fitting(board: &Board) -> LaserTileSize {
    let columns = match Term::stdout().size_checked() {
        Some((_, columns)) => usize::from(columns),
        None => COLUMNS,
    };
    let available = (columns.saturating_sub(RULER), usize::MAX);
    let tiles = (board.width() as usize, board.height() as usize);
    LaserTileSize::fitting(tiles, available).unwrap_or(LaserTileSize::Small)
}

fn cell(place: Point) -> Value {
    json!([place.x, place.y])
}

fn moved(step: &Move) -> Value {
    json!({ "from": cell(step.from), "to": cell(step.to) })
}

/// The pieces of a solution, and where they stand.
fn placement(board: &Board, solution: &Solution) -> Value {
    let pieces = solution.pieces.iter();
    pieces
        .map(
            |&(index, piece)| json!({ "at": cell(board.place(index)), "piece": piece.to_string() }),
        )
        .collect()
}

/// Describes a move on the current board.
fn describe_move(board: &Board, step: Move) -> String {
    PieceMove::on(board, step).map_or_else(|error| error.to_string(), |moved| moved.to_string())
}

/// Number of pieces of each kind: `2 M\, 1 T^`.
fn stock(board: &Board) -> String {
    let counts = laser::Piece::ALL.into_iter().zip(board.stock());
    let counts = counts.filter(|&(_, count)| count > 0);
    let words: Vec<String> = counts
        .map(|(piece, count)| format!("{count} {piece}"))
        .collect();
    words.join(", ")
}
