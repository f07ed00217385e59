//! `gridpaper tournament`: many players, many games, and what they say.

use super::home_screen;
use super::merge::part_paths;
use crate::checked_share::CheckedShare;
use crate::contest::warn_uncaged;
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use cage::CageMode;
use clap::{Args, Subcommand, ValueHint};
use matches::replay;
use parts::{UnitSet, UnitShard, part_name};
use serde_json::{Value, json};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use tournament::export::{self, ExportError, ExportTable};
use tournament::rating::{Standings, StandingsRow};
use tournament::report::{Report, html};
use tournament::{
    PairPartError, PairUnits, Plan, PlanError, Store, StoreError, TournamentProgress,
    TournamentRunError, TournamentRunner,
};
use tui::tournament::{EndBehaviour, TournamentScreen, TournamentScreenModel};

/// Play a tournament, or go on with it
///
/// The file says who plays what, and how they meet: round robin, gauntlet, Swiss, or a league
/// that goes on for ever. What was played is kept in an SQLite file beside it: stop whenever
/// you like, the same command goes on, and plays nothing twice.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = PLAN
)]
pub(crate) struct TournamentArgs {
    #[command(subcommand)]
    task: Option<TournamentSubcommand>,

    #[command(flatten)]
    go: Option<TournamentRunArgs>,
}

/// What a tournament's file looks like.
const PLAN: &str = "\
FILE.toml is such as this; docs/arena.md tells the rest:\n\n  \
game = \"duel\"\n  \
kind = \"round-robin\"     # or gauntlet, swiss, league\n  \
pairs = 50               # of games, for two who meet\n\n  \
[[player]]\n  \
name = \"deep\"\n  \
player = \"strong:ms=50\"\n\n  \
[[player]]\n  \
name = \"mine\"\n  \
command = \"./my-bot --quick\"";

#[derive(Debug, Subcommand)]
enum TournamentSubcommand {
    Export(TournamentExportArgs),
    Merge(TournamentMergeArgs),
}

/// Add the parts of a tournament that several processes or machines have played to its store
///
/// A pair of games that is in several parts is compared and added once. Where some are missing,
/// they are printed in the form that --units takes, and the exit code is 1.
#[derive(Debug, Args)]
struct TournamentMergeArgs {
    /// The tournament's file
    #[arg(value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Parts as `tournament --out` writes them, or folders of them
    #[arg(value_name = "PART", required = true, value_hint = ValueHint::AnyPath)]
    parts: Vec<PathBuf>,

    /// Play this share of the pairs again, such as 1%, and compare, before anything is added
    #[arg(long, value_name = "P%")]
    check: Option<CheckedShare>,

    /// Which pairs are played again: the same seed draws the same ones
    #[arg(long, value_name = "S", default_value_t = 0, requires = "check")]
    seed: u64,
}

impl TournamentMergeArgs {
    fn run(self) -> Result<(), CliFailure> {
        let plan = read(&self.file)?;
        let units = PairUnits::new(&plan).map_err(unusable)?;
        let files = part_paths(&self.parts)?;
        // a misspelt name is told before a store is made
        for path in &files {
            File::open(path).map_err(|error| CliFailure::io(path.display(), &error))?;
        }
        if let Some(share) = self.check {
            check(&plan, &units, &files, &|units| share.draw(units, self.seed))?;
        }
        let mut store = Store::open_or_create(&plan.store).map_err(broken)?;
        let (added, missing) = units.merge(&files, &mut store).map_err(unusable)?;
        let word = if added == 1 { "pair" } else { "pairs" };
        note(format_args!(
            "{}: {added} new {word} of games",
            plan.store.display()
        ));
        if !missing.is_empty() {
            let message = format!("{} of {} units are missing", missing.len(), units.count());
            output::line(missing.into_iter().collect::<UnitSet>())?;
            return Err(CliFailure::No {
                message,
                hint: Some(
                    "`gridpaper tournament` with --units and these numbers plays them".into(),
                ),
            });
        }
        let standings = store.results().map_err(broken)?.standings();
        output::line(standings.text(table_width()).trim_end())
    }
}

/// Plays some pairs again.
fn check(
    plan: &Plan,
    units: &PairUnits,
    files: &[PathBuf],
    draw: &dyn Fn(&UnitSet) -> Vec<u64>,
) -> Result<(), CliFailure> {
    if plan.is_timed {
        let message = "--check: players by the clock do not play the same games again";
        return Err(CliFailure::wrong(message));
    }
    let interrupts = InterruptGuard::new();
    let compared = units.check(files, draw, interrupts.flag());
    let compared = compared.map_err(unusable)?;
    if interrupts.asked_to_stop() {
        let message = format!("stopped after {compared} pairs that were played again");
        return Err(CliFailure::Interrupted { message });
    }
    note(format_args!(
        "{compared} units played again, with equal results"
    ));
    Ok(())
}

fn unusable(error: PairPartError) -> CliFailure {
    let hint = error.hint();
    CliFailure::wrong(error).with_hint(hint)
}

fn table_width() -> usize {
    LiveTerminalLines::size().map_or(WIDTH, |(width, _)| width)
}

/// Write the players and games of a tournament as CSV or JSON, or all its replays
#[derive(Debug, Args)]
struct TournamentExportArgs {
    /// The tournament's file, or the SQLite file that keeps its games
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write players.csv and games.csv into this folder, which is made where it is missing
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,

    /// Write all games as replays into this file
    #[arg(long, value_name = "FILE")]
    replays: Option<PathBuf>,

    /// Print everything as one JSON object; what is done where nothing else is asked for
    #[arg(long)]
    json: bool,
}

impl TournamentExportArgs {
    fn run(self) -> Result<(), CliFailure> {
        let is_plan = self.file.extension().is_some_and(|end| end == "toml");
        let path = match is_plan {
            true => read(&self.file)?.store,
            false => self.file,
        };
        let store = Store::open(&path).map_err(broken)?;
        if let Some(folder) = &self.csv {
            if folder.exists() && !folder.is_dir() {
                let message = format!("{}: a folder was expected", folder.display());
                return Err(CliFailure::wrong(message));
            }
            let made = std::fs::create_dir_all(folder);
            made.map_err(|e| CliFailure::io(folder.display(), &e))?;
            for (sheet, name) in [
                (ExportTable::Players, "players.csv"),
                (ExportTable::Games, "games.csv"),
            ] {
                let path = folder.join(name);
                output::to_file(&path, |out| {
                    export::csv(&store, sheet, out).map_err(|e| unwritten(&path, e))
                })?;
            }
        }
        if let Some(path) = &self.replays {
            output::to_file(path, |out| {
                for game in store.games() {
                    let game = game.map_err(broken)?;
                    let written = replay::write(&game.record, out);
                    written.map_err(|e| CliFailure::io(path.display(), &e))?;
                }
                Ok(())
            })?;
        }
        if self.json || (self.csv.is_none() && self.replays.is_none()) {
            let standard = Path::new("-");
            return output::to_file(standard, |out| {
                export::json(&store, out).map_err(|e| unwritten(standard, e))?;
                writeln!(out).map_err(|e| CliFailure::io("standard output", &e))
            });
        }
        Ok(())
    }
}

/// Converts an export error: the store is corrupt, or `path` cannot be written.
fn unwritten(path: &Path, error: ExportError) -> CliFailure {
    match error {
        ExportError::Store(error) => broken(error),
        ExportError::Write(error) if path == Path::new("-") => {
            CliFailure::io("standard output", &error)
        }
        ExportError::Write(error) => CliFailure::io(path.display(), &error),
    }
}

fn broken(error: StoreError) -> CliFailure {
    let hint = error.hint().map(str::to_string);
    CliFailure::wrong(error).with_hint(hint)
}

#[derive(Debug, Args)]
struct TournamentRunArgs {
    /// The tournament's file
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,

    /// Stop when so many games have been played, all in all; a league has no other end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// How many games run at the same time, other than the file says
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// What bots run in, other than the file says: strict, best, off
    #[arg(long, value_name = "CAGE")]
    cage: Option<CageMode>,

    /// Write a page of all results, when this ends
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,

    /// Append what is played to a part in this folder, such as 1-of-3.gpart, and go on with what
    /// the parts there have: for many machines, without a store
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with_all = ["games", "report"])]
    out: Option<PathBuf>,

    /// Play only the pairs of games of this share, such as 1/3 on the first of three machines
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<UnitShard>,

    /// Play only these units, from 0 on, such as 17,40-43: what `tournament merge` says is missing
    #[arg(long, value_name = "K", requires = "out")]
    units: Option<UnitSet>,

    /// Print the table as one JSON object
    #[arg(long)]
    json: bool,

    /// A table in plain text also in a terminal
    #[arg(long)]
    plain: bool,

    /// Whether another screen follows: the table is then looked at on this one, and not
    /// printed behind it
    #[arg(skip)]
    is_silent: bool,
}

impl TournamentArgs {
    /// The command without printed results, for the start menu.
    pub(super) fn without_printing(mut self) -> Self {
        if let Some(go) = &mut self.go {
            go.is_silent = true;
        }
        self
    }

    pub(crate) fn run(self) -> Result<(), CliFailure> {
        match (self.task, self.go) {
            (Some(TournamentSubcommand::Export(export)), _) => export.run(),
            (Some(TournamentSubcommand::Merge(merge)), _) => merge.run(),
            (None, Some(go)) => go.run(),
            (None, None) => unreachable!("clap asks for the one or the other"),
        }
    }
}

/// Maximum table width without a terminal.
const WIDTH: usize = 100;

impl TournamentRunArgs {
    fn run(self) -> Result<(), CliFailure> {
        if let Some(path) = &self.report {
            output::check_place(path)?;
        }
        let mut plan = read(&self.file)?;
        plan.jobs = self.jobs.map_or(plan.jobs, usize::from);
        plan.cage.mode = self.cage.unwrap_or(plan.cage.mode);
        if plan.players.iter().any(|player| player.entrant.is_bot()) {
            warn_uncaged(plan.cage.mode);
        }
        if let Some(folder) = &self.out {
            return self.run_part(plan, folder);
        }
        let mut runner = TournamentRunner::open(plan).map_err(wrong)?;
        let interrupts = InterruptGuard::new();
        let mut has_left = false;
        let ran = if !self.plain && !self.json && home_screen::has_person() {
            let at_end = match self.is_silent {
                true => EndBehaviour::Stay,
                false => EndBehaviour::Leave,
            };
            on_screen(&mut runner, self.games, at_end, &interrupts, &mut has_left)?
        } else {
            let mut lines = LiveTerminalLines::new();
            let ran = runner.run(self.games, interrupts.flag(), &mut |progress| {
                lines.show(|width| live(progress, width));
            });
            lines.clear();
            ran
        };
        let is_over = ran.map_err(wrong)?;
        let results = runner.results();
        let standings = results.standings();
        if self.is_silent {
            // it was on the screen
        } else if self.json {
            output::line(in_json(runner.plan(), &standings, is_over))?;
        } else {
            output::line(standings.text(table_width()).trim_end())?;
        }
        if let Some(path) = &self.report {
            let report = Report::from_store(runner.store()).map_err(broken)?;
            let page = html(&report);
            output::to_file(path, |out| {
                let written = out.write_all(page.as_bytes());
                written.map_err(|e| CliFailure::io(path.display(), &e))
            })?;
            note(format_args!("the report is {}", path.display()));
        }
        if interrupts.asked_to_stop() || (has_left && !is_over) {
            return Err(CliFailure::interrupted(format_args!(
                "stopped after {} games; the same command goes on",
                2 * results.pairs()
            )));
        }
        if !is_over && self.games.is_none() && !self.is_silent {
            note("the tournament is not over: the same command goes on");
        }
        Ok(())
    }
}

impl TournamentRunArgs {
    /// Plays the units of a share, and appends them to a part.
    fn run_part(&self, plan: Plan, folder: &Path) -> Result<(), CliFailure> {
        let units = PairUnits::new(&plan).map_err(unusable)?;
        if let Some((_, last)) = self.units.as_ref().and_then(|units| units.runs().last())
            && *last >= units.count()
        {
            return Err(CliFailure::wrong(format_args!(
                "--units: the tournament has {} units, from 0 on",
                units.count()
            )));
        }
        std::fs::create_dir_all(folder)
            .map_err(|error| CliFailure::io(folder.display(), &error))?;
        let shard = self.shard.unwrap_or(UnitShard::WHOLE);
        let name = part_name(shard, self.units.as_ref());
        let is_own = |unit: u64| {
            let is_wanted = |units: &UnitSet| units.contains(unit);
            shard.contains(unit) && self.units.as_ref().is_none_or(is_wanted)
        };
        let runner = TournamentRunner::open_part(plan, folder, &name, &is_own);
        let mut runner = runner.map_err(wrong)?;
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let ran = runner.run(None, interrupts.flag(), &mut |progress| {
            lines.show(|width| live(progress, width));
        });
        lines.clear();
        ran.map_err(wrong)?;
        let (pairs, path) = (runner.results().pairs(), folder.join(name));
        if interrupts.asked_to_stop() {
            return Err(CliFailure::interrupted(format_args!(
                "stopped after {pairs} pairs of games; the same command goes on"
            )));
        }
        if self.json {
            return output::line(json!({"part": path.to_string_lossy(), "units": pairs}));
        }
        let word = if pairs == 1 { "unit" } else { "units" };
        output::line(format_args!("{}: {pairs} new {word}", path.display()))
    }
}

/// Plays in a thread and shows it in full screen. Leaving the screen stops the run.
fn on_screen(
    runner: &mut TournamentRunner,
    games: Option<u64>,
    at_end: EndBehaviour,
    interrupts: &InterruptGuard,
    has_left: &mut bool,
) -> Result<Result<bool, TournamentRunError>, CliFailure> {
    let game = runner.plan().game.to_string();
    let mut screen =
        TournamentScreen::new(&runner.plan().name, &game, home_screen::terminal_profile());
    let broadcasts = runner.broadcasts().to_vec();
    let stop = AtomicBool::new(false);
    let (sender, news) = channel();
    std::thread::scope(|scope| {
        let stops = &stop;
        let playing = scope.spawn(move || {
            runner.run(games, stops, &mut |progress| {
                // when the screen is gone nobody needs it
                let _ = sender.send(TournamentScreenModel::of(progress));
            })
        });
        let stopped = || interrupts.asked_to_stop();
        let shown = tui::tournament::run(&mut screen, news, broadcasts, at_end, &stopped);
        *has_left = screen.is_leaving();
        stop.store(true, Ordering::Relaxed);
        let ran = match playing.join() {
            Ok(ran) => ran,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        shown.map_err(CliFailure::wrong)?;
        Ok(ran)
    })
}

fn read(path: &Path) -> Result<Plan, CliFailure> {
    Plan::read(path).map_err(|error| match &error {
        PlanError::Read { path, error } => CliFailure::io(path.display(), error),
        _ => {
            let hint = error.hint();
            CliFailure::wrong(error).with_hint(hint)
        }
    })
}

fn wrong(error: TournamentRunError) -> CliFailure {
    let hint = error.hint();
    CliFailure::wrong(error).with_hint(hint)
}

/// The live display during a run.
fn live(progress: &TournamentProgress<'_>, width: usize) -> String {
    let table = progress.results.standings().text(width);
    let all = match progress.planned {
        Some(planned) => format!(" of {planned}"),
        None => String::new(),
    };
    let round = match progress.round {
        Some((round, rounds)) if round > 0 => format!(", round {round} of {rounds}"),
        _ => String::new(),
    };
    let seconds = progress.elapsed.as_secs_f64();
    let rate = match seconds > 0.0 {
        true => progress.played as f64 / seconds,
        false => 0.0,
    };
    format!(
        "{}\n{}{all} games{round}, {rate:.1} a second; Ctrl-C stops",
        table.trim_end(),
        progress.games,
    )
}

fn in_json(plan: &Plan, standings: &Standings, is_over: bool) -> Value {
    let players: Vec<_> = standings.rows.iter().map(row).collect();
    json!({
        "name": plan.name,
        "game": plan.game.to_string(),
        "kind": plan.kind.name(),
        "pairs": standings.pairs,
        "over": is_over,
        "first_seat": standings.first_seat.map(|rating| rating.elo),
        "players": players,
    })
}

/// A player, under the names that an export has too.
fn row(row: &StandingsRow) -> Value {
    let times = row.times.map(|times| {
        let [p50, p90, p99, most] = times.map(|time| time.as_secs_f64());
        json!({"p50": p50, "p90": p90, "p99": p99, "most": most})
    });
    json!({
        "place": row.rating.map(|_| row.place),
        "name": row.name,
        "group": row.group,
        "games": row.games(),
        "wins": row.score.wins,
        "draws": row.score.draws,
        "losses": row.score.losses,
        "faults": row.faults,
        "points": row.points(),
        "rating": row.rating.map(|rating| rating.elo),
        "rating_error": row.rating.map(|rating| rating.error),
        "superiority": row.superiority,
        "glicko": row.glicko.map(|estimate| estimate.rating),
        "glicko_deviation": row.glicko.map(|estimate| estimate.deviation),
        "weng_lin": row.weng_lin.map(|estimate| estimate.rating),
        "weng_lin_deviation": row.weng_lin.map(|estimate| estimate.deviation),
        "times": times,
    })
}
