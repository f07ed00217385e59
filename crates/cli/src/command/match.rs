//! `gridpaper match`: games between two players, counted in pairs.

use crate::contest::{BotRemarkLog, ContestArgs, PLAYERS};
use crate::failure::CliFailure;
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::ProgressMeter;
use crate::table;
use arena::bot::Overhead;
use clap::Args;
use matches::{Elo, Tally, replay};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Let two players play many games
///
/// Each opening is a few random moves, drawn by the seed, and is played twice with the seats
/// exchanged. The error of the Elo difference comes from the pairs, at 95 %.
#[derive(Debug, Args)]
#[command(after_help = PLAYERS)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    contest: ContestArgs,

    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Keep a replay of every game in this file; - is standard output, and what is counted
    /// goes to standard error then
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl MatchArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let Some(path) = &self.record else {
            return self.play(None);
        };
        output::check_place(path)?;
        // what was played until Ctrl-C is worth keeping: the file is finished, and the
        // command ends as interrupted all the same; where nothing was played, a file that is
        // there stays as it is
        let mut interrupted = None;
        output::to_file(path, |out| {
            let mut out = CountingWriter { out, bytes: 0 };
            match self.play(Some(&mut out)) {
                Err(failure @ CliFailure::Interrupted { .. }) if out.bytes > 0 => {
                    interrupted = Some(failure);
                    Ok(())
                }
                ended => ended,
            }
        })?;
        interrupted.map_or(Ok(()), Err)
    }

    fn play(&self, mut replays: Option<&mut dyn Write>) -> Result<(), CliFailure> {
        let mut contest = self.contest.of(self.games)?;
        contest.is_recorded |= replays.is_some();
        let heed = InterruptGuard::new();
        let started = Instant::now();
        let mut progress = ProgressMeter::of(self.games.into(), "games ").with_lines();
        let mut remarks = BotRemarkLog::default();
        let mut written = Ok(());
        let tally = contest.run(heed.flag(), &mut |tally, records| {
            for record in records {
                remarks.tell(record);
                if let (Some(out), Ok(())) = (&mut replays, &written) {
                    written = replay::write(record, &mut **out);
                }
            }
            progress.reach(&tally.games().into());
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        progress.clear();
        written.map_err(|e| CliFailure::io("the replays", &e))?;
        let tally = tally.map_err(CliFailure::wrong)?;
        let report = MatchReport {
            asked: self,
            tally,
            elapsed: started.elapsed(),
        };
        report.print()?;
        if report.tally.games() < self.games {
            return Err(CliFailure::interrupted(format_args!(
                "stopped after {} games",
                report.tally.games()
            )));
        }
        Ok(())
    }
}

/// A file, and how much was written to it.
struct CountingWriter<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for CountingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

struct MatchReport<'a> {
    asked: &'a MatchArgs,
    tally: Tally,
    elapsed: Duration,
}

impl MatchReport<'_> {
    fn print(&self) -> Result<(), CliFailure> {
        if self.asked.record.as_deref() == Some(Path::new("-")) {
            // replays have standard output to themselves; an unwritable standard error cannot
            // be reported
            let _ = io::stderr().write_all(self.text().as_bytes());
            return Ok(());
        }
        if self.asked.json {
            return output::line(self.json());
        }
        let text = self.text();
        output::to_stdout(|out| out.write_all(text.as_bytes()))
    }

    fn json(&self) -> Value {
        let (asked, tally) = (self.asked, &self.tally);
        let Elo {
            difference,
            error,
            share: (low, high),
        } = tally.elo();
        let rounded = |x: f64| (x * 100.0).round() / 100.0;
        json!({
            "game": asked.contest.game.to_string(),
            "games": tally.games(),
            "seed": asked.contest.seed,
            "first": asked.contest.first.to_string(),
            "second": asked.contest.second.to_string(),
            "first_wins": tally.score.wins,
            "second_wins": tally.score.losses,
            "draws": tally.score.draws,
            "first_seat_wins": tally.seat_wins[0],
            "second_seat_wins": tally.seat_wins[1],
            "pairs": tally.pairs,
            "share": tally.share(),
            "share_interval": [low, high],
            "elo": difference.map(rounded),
            "elo_error": error.map(rounded),
            "first_faults": tally.faults[0],
            "second_faults": tally.faults[1],
            "overhead_us": self.overhead().map(|o| o.median.as_nanos() as f64 / 1e3),
            "mean_plies": tally.mean_plies(),
            "first_ms_a_move": self.milliseconds_a_move(0),
            "second_ms_a_move": self.milliseconds_a_move(1),
            "seconds": self.elapsed.as_secs_f64(),
        })
    }

    /// What the arena itself took of the bots' time, where there are any.
    fn overhead(&self) -> Option<Overhead> {
        let contest = &self.asked.contest;
        let has_bots = contest.first.is_bot() || contest.second.is_bot();
        has_bots.then(arena::bot::overhead).flatten()
    }

    fn text(&self) -> String {
        let (asked, tally) = (self.asked, &self.tally);
        let (score, games) = (tally.score, tally.games());
        let share = tally.share().unwrap_or(0.5);
        let player = |name: &str, wins: u64, losses: u64, share: f64, i: usize| {
            let faults = match tally.faults[i] {
                0 => String::new(),
                1 => ", 1 by a fault".into(),
                faults => format!(", {faults} by faults"),
            };
            [
                name.to_string(),
                format!("{wins} won"),
                format!("{} drawn", score.draws),
                format!("{losses} lost{faults}"),
                format!("{:.1} %", share * 100.0),
                format!(
                    "{:.2} ms a move, at most {:.2}",
                    self.milliseconds_a_move(i),
                    tally.slowest[i].as_secs_f64() * 1e3
                ),
            ]
        };
        let rows = [
            player(
                &asked.contest.first.to_string(),
                score.wins,
                score.losses,
                share,
                0,
            ),
            player(
                &asked.contest.second.to_string(),
                score.losses,
                score.wins,
                1.0 - share,
                1,
            ),
        ];
        let [first, second] = tally.seat_wins;
        let names = [&asked.contest.first, &asked.contest.second].map(ToString::to_string);
        let overhead = match self.overhead() {
            Some(overhead) => format!("of a bot's time the arena takes {overhead}\n"),
            None => String::new(),
        };
        format!(
            "{}: {games} games, seed {}\n{}\
             {}\n\
             the first seat won {first}, the second {second}; {:.1} turns a game; {:.2} s\n{overhead}",
            asked.contest.game,
            asked.contest.seed,
            table::aligned(rows),
            elo_sentence(&self.tally, &names),
            tally.mean_plies(),
            self.elapsed.as_secs_f64(),
        )
    }

    fn milliseconds_a_move(&self, player: usize) -> f64 {
        let moves = self.tally.moves[player].max(1);
        self.tally.time[player].as_secs_f64() * 1e3 / moves as f64
    }
}

/// The Elo difference of a match in a sentence: an estimate with its error, or, where one player
/// won every point, the bound that can be had.
fn elo_sentence(tally: &Tally, [first, second]: &[String; 2]) -> String {
    let elo = tally.elo();
    let (low, high) = elo.share;
    if elo.difference.is_some() {
        return format!(
            "Elo of {first} over {second}: {elo} (95 %); {:.1} to {:.1} % of the points",
            low * 100.0,
            high * 100.0,
        );
    }
    let games = tally.games();
    let (winner, loser, least) = match tally.score.wins > 0 {
        true => (first, second, low),
        false => (second, first, 1.0 - high),
    };
    let bound = Elo::difference_for(least);
    if least <= 0.5 {
        format!(
            "{winner} won every game, but {games} are too few to tell by how much it is stronger, \
             or (at 95 %) whether it is: play more with --games"
        )
    } else {
        format!("{winner} won every game: it is more than {bound:.0} Elo above {loser} (at 95 %)")
    }
}
