//! `gridpaper replay`: shows and verifies stored games.

use super::home_screen;
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::prompt::ConsolePrompt;
use clap::Args;
use matches::replay::{self, Replay as Kept, ReplayFrame};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _};
use std::path::PathBuf;
use std::time::Duration;
use tui::replay::ReplayScreen;

/// Show games that were kept, or check them
///
/// A file may hold many games. On a terminal they take the whole screen, to be scrubbed through
/// and played; with --plain each is shown turn by turn, and `?` tells what can be said.
/// Elsewhere every position is printed.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The file, or - for standard input; stones and duel are games that come with the
    /// program
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Play every game again: moves legal, result and last position as they are said to be
    #[arg(long)]
    check: bool,

    /// Only this game of the file, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,

    /// Print one JSON object for each game instead
    #[arg(long)]
    json: bool,

    /// Plain text also in a terminal
    #[arg(long)]
    plain: bool,
}

const HELP: &str = "\
Enter       the next turn
a number    that turn: 0 is the start
back        the turn before
end         the last position
next        the next game
quit        leave
";

impl ReplayArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let name = self.file.display().to_string();
        let is_standard = name == "-";
        let from: Box<dyn BufRead> = if is_standard {
            Box::new(io::stdin().lock())
        } else {
            match File::open(&self.file) {
                Ok(_) if self.file.is_dir() => {
                    let hint = "name a file in it".to_string();
                    let message = format!("{name}: is a directory");
                    return Err(CliFailure::wrong(message).with_hint(hint));
                }
                Ok(file) => Box::new(BufReader::new(file)),
                Err(error) => match replay::bundled(&name) {
                    Some(game) => Box::new(game.text.as_bytes()),
                    None => return Err(CliFailure::io(&name, &error)),
                },
            }
        };
        let is_quiet = self.check || self.json || self.plain;
        if !is_quiet && !is_standard && home_screen::has_person() {
            return self.on_screen(&name, from);
        }
        let mut games = 0;
        let mut shown = 0;
        let mut prompt = (io::stdout().is_terminal() && !is_standard).then(ConsolePrompt::new);
        for kept in replay::read(from) {
            let kept = kept.map_err(|error| CliFailure::wrong(format_args!("{name}:{error}")))?;
            games += 1;
            if self.game.is_some_and(|requested| requested != games) {
                continue;
            }
            shown += 1;
            if self.check {
                let checked = kept.check();
                checked.map_err(|error| check_failure(&name, &error))?;
            }
            if self.json {
                output::line(summary(&kept))?;
            } else if !self.check {
                let goes_on = match &mut prompt {
                    Some(prompt) if prompt.is_person => browse(games, &kept, prompt)?,
                    _ => print(games, &kept).map(|()| true)?,
                };
                if !goes_on {
                    return Ok(());
                }
            }
        }
        if shown == 0 {
            return Err(missing(&name, self.game, games));
        }
        if self.check && !self.json {
            output::line(format_args!("{}: as they are said to be", counted(shown)))?;
        }
        Ok(())
    }
}

impl ReplayArgs {
    /// Shows the games in full screen.
    fn on_screen(&self, name: &str, from: Box<dyn BufRead>) -> Result<(), CliFailure> {
        let kept: Result<Vec<Kept>, _> = replay::read(from).collect();
        let games = kept.map_err(|error| CliFailure::wrong(format_args!("{name}:{error}")))?;
        let requested = self.game.unwrap_or(1);
        let at = usize::try_from(requested).unwrap_or(usize::MAX) - 1;
        if at >= games.len() {
            let held = games.len() as u64;
            return Err(missing(name, self.game, held));
        }
        let mut screen = ReplayScreen::new(name, games, at, home_screen::terminal_profile());
        let interrupts = InterruptGuard::new();
        home_screen::to_result(tui::show(&mut screen, &|| interrupts.asked_to_stop()))
    }
}

/// The error for a missing game.
fn missing(name: &str, requested: Option<u64>, held: u64) -> CliFailure {
    match requested {
        Some(requested) => CliFailure::wrong(format_args!(
            "{name}: there is no game {requested}: the file has {}",
            counted(held)
        )),
        None => CliFailure::wrong(format_args!("{name}: there is no game in it")),
    }
}

/// The failure of `--check`.
fn check_failure(name: &str, error: &replay::ReplayError) -> CliFailure {
    CliFailure::No {
        message: format!("{name}:{error}"),
        hint: None,
    }
}

fn counted(games: u64) -> String {
    match games {
        1 => "1 game".into(),
        games => format!("{games} games"),
    }
}

/// A game's header: players, seed, reports.
fn header(number: u64, kept: &Kept) -> String {
    let record = &kept.record;
    let mut text = format!(
        "game {number}: {}, seed {}, opening {}\nfirst   {}\nsecond  {}\n",
        record.game, record.seed, record.pair, record.players[0], record.players[1]
    );
    for (report, seat) in record.reports.iter().zip(["first", "second"]) {
        for (key, value) in &report.about {
            text += &format!("{seat}'s {key}: {value}\n");
        }
        for line in &report.notes {
            text += &format!("{seat}: {line}\n");
        }
    }
    text
}

/// A position and the turn that led to it.
fn picture(frame: &ReplayFrame) -> String {
    let turn = match &frame.text {
        None => "start".to_string(),
        Some(text) => {
            let times: Vec<String> = frame.spent.iter().flatten().map(milliseconds).collect();
            let opening = if frame.is_opening { ", opening" } else { "" };
            let times = match times.is_empty() {
                true => String::new(),
                false => format!(", {} ms", times.join(" and ")),
            };
            format!("turn {}: {text}{opening}{times}", frame.turn)
        }
    };
    format!("\n{turn}\n{}", frame.diagram)
}

fn milliseconds(time: &Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}

/// Prints all positions.
fn print(number: u64, kept: &Kept) -> Result<(), CliFailure> {
    output::to_stdout(|out| out.write_all(header(number, kept).as_bytes()))?;
    for frame in frames(kept)? {
        let frame = frame?;
        output::to_stdout(|out| out.write_all(picture(&frame).as_bytes()))?;
    }
    output::line(format_args!("\n{}\n", replay::result(&kept.record)))
}

type CliReplayFrames<'a> = Box<dyn Iterator<Item = Result<ReplayFrame, CliFailure>> + 'a>;

fn frames(kept: &Kept) -> Result<CliReplayFrames<'_>, CliFailure> {
    let frames = replay::positions(&kept.record).map_err(CliFailure::wrong)?;
    Ok(Box::new(
        frames.map(|frame| frame.map_err(CliFailure::wrong)),
    ))
}

/// Shows turns interactively; returns whether to go on with the next game.
fn browse(number: u64, kept: &Kept, prompt: &mut ConsolePrompt) -> Result<bool, CliFailure> {
    let frames = frames(kept)?.collect::<Result<Vec<_>, _>>()?;
    let last = frames.len() - 1;
    output::to_stdout(|out| out.write_all(header(number, kept).as_bytes()))?;
    let mut at = 0;
    loop {
        output::to_stdout(|out| out.write_all(picture(&frames[at]).as_bytes()))?;
        if at == last {
            output::line(replay::result(&kept.record))?;
        }
        at = loop {
            let question = format!("turn {at} of {last} (Enter, ? for help): ");
            let Some(answer) = prompt.ask(&question)? else {
                prompt.say("\n");
                return Ok(false);
            };
            match answer.trim().to_lowercase().as_str() {
                "" if at < last => break at + 1,
                "" | "next" | "n" => return Ok(true),
                "back" | "b" => break at.saturating_sub(1),
                "end" | "e" => break last,
                "quit" | "q" => return Ok(false),
                "?" | "help" => output::to_stdout(|out| out.write_all(HELP.as_bytes()))?,
                other => match other.parse::<usize>() {
                    Ok(turn) if turn <= last => break turn,
                    Ok(_) => note(format_args!("the game has {last} turns")),
                    Err(_) => note(format_args!("`{other}`: answer ? for what can be said")),
                },
            }
        };
    }
}

fn summary(kept: &Kept) -> Value {
    let record = &kept.record;
    // null where the game was not finished
    let winner = record.result().map(|outcome| match outcome {
        games::Outcome::Win(seat) => seat.to_string(),
        games::Outcome::Draw => "draw".into(),
    });
    let turns: Vec<&str> = record.turns.iter().map(|t| t.text.as_str()).collect();
    let fault = |seat| record.ending.of(seat).map(ToString::to_string);
    json!({
        "game": record.game,
        "first": record.players[0],
        "second": record.players[1],
        "seed": record.seed,
        "pair": record.pair,
        "opening": record.opening,
        "turns": turns,
        "result": winner,
        "ending": record.ending.kind(),
        "first_fault": fault(games::Seat::First),
        "second_fault": fault(games::Seat::Second),
        "hash": format!("{:016x}", record.hash),
    })
}
